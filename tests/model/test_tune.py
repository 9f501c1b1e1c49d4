"""`tw.tune`: what is tried, what goes early, what is chosen, and that its error is honest and repeatable."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import treewright as tw
from treewright.model.race import Course, Race
from treewright.model.space import Space
from treewright.model.task import Task
from treewright.prune.heldout import losses
from treewright.prune.sample import sample_of_rows
from treewright.table import ClassTerms, Rows

SMALL: dict[str, Any] = {"space": {"max_depth": [1, 3], "min_leaf": [5]}, "folds": 3, "repeats": 1}


def noisy(n: int = 240, seed: int = 0) -> tw.Table:
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n)).round(2)
    k = rng.integers(0, 4, n)
    y = ((x > 0.3) | (k == 2)) ^ (rng.random(n) < 0.15)
    columns = {"x": x, "z": z, "k": [f"k{i}" for i in k], "y": np.where(y, "yes", "no").tolist()}
    return tw.Table.from_dict(columns)


def numbers(n: int = 200) -> tw.Table:
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, n)).round(2)
    return tw.Table.from_dict({"x": x, "z": z, "y": (3 * (x > 0) + rng.normal(size=n) * 0.5).round(3)})


@pytest.mark.parametrize("table", [noisy(), numbers()])
def test_what_a_race_says_of_a_pruning_is_what_growing_and_pruning_by_hand_says(table: tw.Table) -> None:
    rows = Rows.of(table, "y")
    space = Space.of(rows.is_classifier, rows.n_rows, {}, "cart", None, {"max_depth": [2, 4]})
    course = Course(Task(rows, ClassTerms(), {}, folds=3), space)
    for one in Race(course).run().found()[::7]:
        settings = {**dict(one.trial.settings), "prune": one.method}
        lost, leaves = [], []
        for heat in course.heats:
            tree = tw.grow(table.take(heat.kept), "y", "cart", **settings)
            lost.append(losses(tree, sample_of_rows(rows.take(heat.held))))
            leaves.append(tree.n_leaves)
        assert one.error == pytest.approx(np.concatenate(lost).mean(), abs=1e-12)
        assert one.leaves == pytest.approx(np.mean(leaves))
        n = rows.n_rows
        assert one.standard_error == pytest.approx(np.concatenate(lost).std() / np.sqrt(n), rel=1e-9)


def test_the_smallest_within_one_standard_error_is_chosen() -> None:
    found = tw.tune(noisy(), "y", n_fits=60, outer=0, **SMALL)
    whole = [row for row in found.table if row.is_whole]
    best = min(whole, key=lambda row: row.error)
    choice = found.table.rows[found.table.choice_at]
    assert choice.error <= best.error + best.standard_error + 1e-9
    assert all(row.leaves >= choice.leaves for row in whole if row.error <= best.error + best.standard_error)
    free = tw.tune(noisy(), "y", n_fits=60, outer=0, one_se=False, **SMALL)
    assert free.table.rows[free.table.choice_at].error == pytest.approx(best.error)


@pytest.mark.parametrize(
    ("table", "options"),
    [
        (noisy(), {}),
        (noisy(), {"costs": {"yes": {"no": 3.0}}, "seed": 4}),
        (noisy(), {"class_weight": "balanced", "recipes": ["c4.5"], "prunings": ["error_based"]}),
        (noisy(), {"prune": "mdl", "max_depth": 4}),
        (numbers(), {"recipes": "cart"}),
    ],
)
def test_both_calls_it_names_repeat_it(table: tw.Table, options: dict[str, Any]) -> None:
    found = tw.tune(table, "y", n_fits=24, folds=3, outer=2, repeats=1, **options)
    assert eval(found.repeat, {"tw": tw, "data": table}) == found.tree
    again = eval(found.search, {"tw": tw, "data": table})
    assert (again.tree, again.error, again.n_fits) == (found.tree, found.error, found.n_fits)
    assert again.table.to_dict() == found.table.to_dict()


def test_a_clock_ends_it_and_the_search_can_be_repeated_without_one() -> None:
    table = noisy()
    found = tw.tune(table, "y", 0.05, folds=3, outer=2)
    assert found.n_fits < 200
    again = eval(found.search, {"tw": tw, "data": table})
    assert (again.tree, again.error) == (found.tree, found.error)


def test_neither_threads_nor_the_order_of_rows_matter() -> None:
    table = noisy()
    one = tw.tune(table, "y", n_fits=24, folds=3, outer=2)
    two = tw.tune(table, "y", n_fits=24, folds=3, outer=2, n_threads=2)
    assert (one.tree, one.error, one.table.to_dict()) == (two.tree, two.error, two.table.to_dict())
    shuffled = table.take(np.random.default_rng(0).permutation(table.n_rows))
    moved = tw.tune(shuffled, "y", n_fits=24, folds=3, outer=2)
    assert moved.repeat == one.repeat
    assert moved.error.value == pytest.approx(one.error.value)


def test_settings_that_cannot_win_are_out_early() -> None:
    space = {"max_depth": [0, 2, 8], "min_leaf": [1]}
    how: dict[str, Any] = {"n_fits": 200, "repeats": 1, "outer": 0, "recipes": "plain", "prunings": "none"}
    found = tw.tune(noisy(2000), "y", space=space, **how)
    heats = {str(row.trial): row.n_heats for row in found.table}
    assert heats["plain, max_depth=0, min_leaf=1"] < 5
    assert heats["plain, max_depth=2, min_leaf=1"] == 5
    assert found.n_fits < 5 * len(heats)


def test_on_random_labels_the_honest_error_is_not_below_chance() -> None:
    usual = {"n_fits": 20, "one_se": False, "repeats": 1, "outer": 3, "prunings": "cost_complexity"}
    honest, chosen = [], []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        columns = {f"x{i}": rng.normal(size=120) for i in range(8)}
        table = tw.Table.from_dict({**columns, "y": rng.permutation(["a", "b"] * 60)})
        found = tw.tune(table, "y", recipes="plain", **usual)
        honest.append(found.error.value)
        chosen.append(found.table.best.error)
    spread = 0.5 / np.sqrt(480)
    assert np.mean(chosen) < 0.5 - 2 * spread  # what chose is too good to be true
    assert np.mean(honest) > 0.5 - 2 * spread


def test_groups_and_order_hold_in_every_fold() -> None:
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(30), 5)
    table = tw.Table.from_dict(
        {
            "patient": [f"p{i}" for i in patient],
            "reading": rng.normal(size=30)[patient],
            "noise": rng.normal(size=150),
            "y": np.where(rng.integers(0, 2, 30)[patient] == 1, "yes", "no"),
        }
    )
    blind = tw.tune(table.drop("patient"), "y", n_fits=15, repeats=1)
    found = tw.tune(table, "y", n_fits=15, repeats=1, groups="patient")
    assert blind.error.value < 0.2
    assert found.error.value > 0.35
    assert "groups='patient'" in found.repeat
    assert "groups='patient'" in found.search
    assert eval(found.repeat, {"tw": tw, "data": table}) == found.tree
    late = tw.tune(table, "y", n_fits=9, repeats=1, order=np.arange(150), folds=3, outer=3)
    assert len(late.outer) == 3
    assert "order=order" in late.repeat


def test_progress_hears_the_best_so_far() -> None:
    heard: list[Any] = []
    found = tw.tune(noisy(), "y", n_fits=24, folds=3, outer=2, progress=heard.append)
    assert [standing.n_fits for standing in heard] == sorted({standing.n_fits for standing in heard})
    assert heard[-1].n_fits == found.n_fits
    assert heard[-1].share == pytest.approx(found.n_fits / 24)
    assert heard[-1].error <= 0.5
    assert "," in heard[-1].way


def test_what_cannot_be_grown_is_left_out_with_its_reason() -> None:
    found = tw.tune(noisy(), "y", n_fits=24, folds=3, outer=0, recipes=["id3", "cart"])
    assert any("id3" in ways[0] for ways in found.left_out.values())
    assert found.table.choice.recipe == "cart"
    with pytest.raises(ValueError, match="numeric"):
        tw.tune(noisy(), "y", n_fits=24, folds=3, outer=0, recipes="id3", space={"min_leaf": [1]})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seconds": 0}, "seconds=0 must be a number above 0"),
        ({"n_fits": 0}, "n_fits=0 must be a whole number of at least 1"),
        ({"outer": 1}, "outer=1 leaves nothing"),
        ({"folds": 1}, "folds=1"),
        ({"repeats": 0}, "repeats=0"),
        ({"recipes": "crat"}, "cart"),
        ({"recipes": []}, "recipes is empty"),
        ({"prunings": "reduced_error"}, "keeps rows of its own back"),
        ({"prunings": []}, "prunings is empty"),
        ({"space": {"max_dpth": [1]}}, "max_depth"),
        ({"space": {"max_depth": 3}}, "lists the values"),
        ({"space": {"max_depth": [-1]}}, "max_depth=-1"),
        ({"one_se": -1}, "one_se=-1"),
        ({"seconds": "60"}, "seconds='60' must be a number above 0"),
        ({"n_threads": 0}, "n_threads=0 must be a whole number of at least 1"),
        ({"space": ["max_depth"]}, "must be a dict: settings by name"),
        ({"recipes": 3}, r"recipes=3 must be a name or a list of them, such as recipes=\['cart'\]"),
        ({"prunings": {"mdl": 1}}, "must be a name or a list"),
        ({"groups": [0, 1] * 120}, "groups= has 2 groups: too few to search by folds without each outer"),
        ({"order": [0] * 120 + [1] * 120}, "order= has 2 times: too few"),
        ({"groups": "y"}, "groups='y' is the target itself"),
        ({"weights": [1] + [0] * 239}, "has 1 row with an answer and a weight above 0; a choice needs at"),
        ({"weights": [0] * 240}, "all weights are 0"),
        ({"weights": [0, 1] * 120, "groups": [0, 1] * 120}, "only one group whose rows have a weight above"),
    ],
)
def test_what_is_refused_says_what_to_do(options: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        tw.tune(noisy(), "y", **options)


@pytest.mark.parametrize(
    "data",
    [
        {"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "b", "a", "b"]},
        {"x": [1.0, 2.0, 3.0, 4.0, 5.0], "y": ["a"] * 5},
        {"x": [None] * 8, "z": [1.0, 2.0] * 4, "y": ["a", "b"] * 4},
        {"x": [None] * 12, "y": ["a", "b"] * 6},
        {"x": [1.0, 2.0, 3.0] * 4, "y": [1.5] * 12},
        {"x": [float("inf"), *range(19)], "y": [None, *"ab" * 9, "a"]},
    ],
)
@pytest.mark.filterwarnings("ignore::treewright.DataWarning")
def test_small_and_odd_tables_are_tuned_on(data: dict[str, list[Any]]) -> None:
    found = tw.tune(data, "y", n_fits=8, repeats=1, space={"max_depth": [1, 2]}, recipes=["c4.5", "cart"])
    assert eval(found.repeat, {"tw": tw, "data": data}) == found.tree
    assert not np.isnan(found.error.value)


def test_an_interrupt_ends_a_search_and_nothing_is_left_behind() -> None:
    heard: list[Any] = []

    def stop(standing: Any) -> None:
        heard.append(standing)
        if len(heard) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tw.tune(noisy(), "y", n_fits=200, n_threads=2, progress=stop)
    assert len(heard) == 2
    assert tw.tune(noisy(), "y", n_fits=24, outer=0, **SMALL).n_fits <= 24


def test_frames_and_gaps_are_tuned_on() -> None:
    frame = noisy().to_dict()
    frame["x"] = [None if i % 7 == 0 else value for i, value in enumerate(frame["x"])]
    found = tw.tune(frame, "y", n_fits=24, folds=3, outer=2)
    assert 0 < found.error.value < 0.5
    assert len(found.model.predict(frame)) == 240
    assert found.curve().marks.keys() == {"lowest", "chosen"}
    assert "Again: tw.grow(" in str(found)
