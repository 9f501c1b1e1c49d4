"""What is chosen, what is shown as chosen, and what is given are the same."""

import math

import numpy as np

import treewright as tw
from treewright.model.race import Course, Race
from treewright.model.space import Space, Trial
from treewright.model.task import Task
from treewright.prune.cost_complexity import cross_validated
from treewright.table import ClassTerms, Rows


def noisy(seed: int) -> tw.Table:
    rng = np.random.default_rng(seed)
    x, z = rng.random(400), rng.random(400)
    answer = ((x < 0.3) | (z > 0.8)) ^ (rng.random(400) < 0.04)
    return tw.Table.from_dict({"x": x, "z": z, "y": np.where(answer, "yes", "no")})


def test_of_equal_trees_the_one_that_is_shown_as_chosen_is_the_one_that_is_given() -> None:
    table = noisy(1)
    model = tw.fit(table, "y")
    choice = model.rivals.choice
    equal = [row for row in model.rivals if (row.leaves, row.error) == (choice.leaves, choice.error)]
    assert len(equal) == 1 or choice.prune == "error_based"
    assert model.tree.about["prune"] == choice.prune
    assert eval(model.repeat, {"tw": tw, "data": table}) == model.tree


def test_a_race_nobody_leaves_is_judged_as_cost_complexity_pruning_by_folds_is() -> None:
    table = noisy(2)
    model = tw.fit(table, "y", recipe="auto", max_depth=6)
    tree = tw.grow(table, "y", "cart", prune="none", max_depth=6)
    judged = cross_validated(tree, table, repeats=2)
    best = int(np.argmin(judged.error))
    row = next(row for row in model.rivals if row.recipe == "cart")
    assert row.error == judged.error[best]
    assert row.standard_error == judged.standard_error[best]


def test_what_fails_in_every_fold_is_left_out_with_its_reason_once() -> None:
    table = noisy(3)
    given = {"min_leaf": 3.0}
    race = Race(
        Course(
            Task(Rows.of(table, "y"), ClassTerms(), given, folds=4),
            Space((Trial("id3"), Trial("cart")), (), has_prices=True),
            width=math.inf,
        )
    ).run()
    assert list(race.left_out.values()) == [("id3",)]
    assert {one.trial.recipe for one in race.found()} == {"cart"}
    assert len(race.judged[1]) == 4


def test_groups_make_the_standard_errors_of_auto_wider() -> None:
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(40), 10)
    sick = rng.random(40) < 0.4
    x = np.where(rng.random(40) < 0.8, sick, ~sick)[patient] + rng.normal(0, 0.3, 400)
    table = tw.Table.from_dict(
        {"p": [f"p{i}" for i in patient], "x": x, "y": np.where(sick, "a", "b")[patient]}
    )
    apart = tw.fit(table.drop("p"), "y").rivals.best
    together = tw.fit(table, "y", groups="p").rivals.best
    assert together.standard_error > 1.5 * apart.standard_error
