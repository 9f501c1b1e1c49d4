"""Folds that keep groups together, or keep to time: who judges has not been seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.oracle import blocks as twin
from treewright.evaluate.parts import dealing_by_row
from treewright.prune.dealing import Blocks, Dealing, requested_folds
from treewright.prune.folds import RowKeys

QUIET = settings(max_examples=at_most(25, 60), deadline=None)
UNITS = st.lists(st.integers(0, 9), min_size=4, max_size=40).filter(lambda units: len(set(units)) > 1)


def keys(classes: list[int]) -> RowKeys:
    return RowKeys(np.array(classes), np.arange(len(classes), dtype=np.uint64))


@QUIET
@given(units=UNITS, n_folds=st.integers(2, 6), seed=st.integers(0, 99), data=st.data())
def test_groups_are_dealt_as_on_the_blackboard(units: list[int], n_folds: int, seed: int, data: Any) -> None:
    n = len(units)
    classes = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    found = Blocks(np.array(units), n_folds).dealt(keys(classes), seed).fold.tolist()
    of_unit: dict[int, set[int]] = {}
    for unit, fold in zip(units, found, strict=True):
        of_unit.setdefault(unit, set()).add(fold)
    assert all(len(folds) == 1 for folds in of_unit.values())
    assert set(found) == set(range(min(n_folds, len(of_unit))))
    if len(set(classes)) == 1:  # of several classes sums may tie but for rounding
        assert found == twin.grouped(units, classes, n_folds, seed)


@QUIET
@given(units=UNITS, n_folds=st.integers(2, 6))
def test_time_is_cut_as_on_the_blackboard(units: list[int], n_folds: int) -> None:
    wanted = twin.ordered(units, n_folds)
    if max(wanted) < 0:
        with pytest.raises(ValueError, match="nothing to learn from"):
            Blocks(np.array(units), n_folds, is_ordered=True).dealt(keys([0] * len(units)))
        return
    dealing = Blocks(np.array(units), n_folds, is_ordered=True).dealt(keys([0] * len(units)))
    assert dealing.fold.tolist() == wanted
    time = np.array(units)
    for k in range(dealing.n_folds):
        assert time[dealing.rest(k)].max() < time[dealing.held(k)].min()
        assert dealing.held_beside(dealing.rest(k)).tolist() == dealing.held(k).tolist()


def clustered(n_groups: int = 40, size: int = 6, seed: int = 0) -> tw.Table:
    """Rows of one patient share a reading that says who it is, and the answer, which nothing else tells."""
    rng = np.random.default_rng(seed)
    patient = np.repeat(np.arange(n_groups), size)
    sick = rng.integers(0, 2, n_groups)[patient]
    reading = rng.normal(size=n_groups)[patient] + rng.normal(scale=1e-3, size=n_groups * size)
    table = {
        "patient": [f"p{i}" for i in patient],
        "reading": reading,
        "noise": rng.normal(size=len(patient)),
        "day": rng.permutation(len(patient)).astype(float),
        "y": np.where(sick == 1, "yes", "no"),
    }
    return tw.Table.from_dict(table)


def test_rows_of_one_patient_do_not_judge_what_the_others_taught() -> None:
    table = clustered()
    blind = tw.evaluate.cross_validate(table.drop(["patient", "day"]), "y", folds=5)
    honest = tw.evaluate.cross_validate(table.drop("day"), "y", folds=5, groups="patient")
    assert blind.overall["accuracy"].value > 0.9  # the reading names the patient
    assert honest.overall["accuracy"].value < 0.7
    patients = table.labels("patient")
    assert all(len(set(honest.fold[patients == one])) == 1 for one in set(patients))
    assert "patient" not in honest.fitted[0].schema.names


def test_pruning_by_folds_keeps_to_the_groups_of_those_around_it() -> None:
    table = clustered()
    free = tw.evaluate.cross_validate(table.drop(["patient", "day"]), "y", folds=5, prune="cv")
    bound = tw.evaluate.cross_validate(table.drop("day"), "y", folds=5, prune="cv", groups="patient")
    assert sum(tree.n_leaves for tree in bound.fitted) < sum(tree.n_leaves for tree in free.fitted) / 2


def test_a_tree_is_pruned_by_groups_named_or_given() -> None:
    table = clustered().drop("day")
    named = tw.grow(table, "y", prune=tw.prune.CostComplexity(groups="patient"))
    assert "patient" not in named.schema.names
    given_ = tw.grow(
        table.drop("patient"), "y", prune=tw.prune.CostComplexity(groups=table.labels("patient"))
    )
    whole = tw.grow(table.drop("patient"), "y")
    later = whole.prune("cost_complexity", table, groups="patient")
    assert named.n_leaves == given_.n_leaves == later.n_leaves < whole.n_leaves


@pytest.mark.parametrize("method", [tw.prune.MinimumError(m="cv"), tw.prune.CriticalValue(kappa="cv")])
def test_other_prunings_by_folds_take_groups_too(method: Any) -> None:
    from dataclasses import replace

    table = clustered().drop("day")
    tree = tw.grow(table, "y", prune=replace(method, groups="patient"))
    assert tree.n_leaves <= tw.grow(table.drop("patient"), "y", prune=method).n_leaves


def test_fit_keeps_groups_together_in_folds_and_in_the_test_part() -> None:
    table = clustered()
    model = tw.fit(table, "y", test=0.25, groups="patient", keep="patient")
    assert model.test is not None
    assert model.train is not None
    assert "patient" not in model.tree.schema.names
    assert "groups='patient'" in model.repeat
    assert eval(model.repeat, {"tw": tw, "data": table}) == model.tree
    held = [part["accuracy"].value for name, part in model.scores.items() if name != "training"]
    assert max(held) < 0.8  # there is nothing by which a new patient could be known


def test_time_judges_forwards_everywhere() -> None:
    rng = np.random.default_rng(3)
    n = 300
    day = np.arange(n, dtype=float)
    x = rng.normal(size=n)
    y = np.where((x > 0) ^ (day > 200), "a", "b")  # the world turns over
    shuffled = rng.permutation(n)
    table = tw.Table.from_dict({"day": day[shuffled], "x": x[shuffled], "y": y[shuffled]})
    found = tw.evaluate.cross_validate(table, "y", folds=5, order="day")
    time = table.column("day")[1]
    assert found.answers.n_rows == int((found.fold >= 0).sum()) == 250
    assert time[found.fold == 0].max() < time[found.fold == 1].min()
    right = [fold.scores["accuracy"].value for fold in found.folds]
    assert right[0] > 0.9 > 0.3 > right[3]  # after the turn what was learned is wrong
    model = tw.fit(table, "y", order="day", test=0.2)
    assert model.answers["test"].n_rows == 60
    assert list(model.answers)[1] == "10 folds"
    curve = tw.evaluate.overfitting_curve(table, "y", "depth", order="day", folds=3)
    assert curve.line("test_error").values[-1] > 0.2
    assert tw.evaluate.pruning_curve(table, "y", order="day", folds=3).trees
    assert len(tw.evaluate.learning_curve(table, "y", sizes=[0.5, 1.0], repeats=2, order="day")) == 2
    rivals = tw.compare(table, "y", ["cart"], ["none", "cv"], order="day", folds=3)
    assert len(rivals) == 2
    assert "forest" in str(rivals.left_out)


def test_parts_of_a_table_keep_groups_whole_and_test_on_the_latest() -> None:
    table = clustered()
    parts = tw.evaluate.split(table, "y", test=0.3, validation=0.2, groups="patient")
    sets = [set(part.labels("patient")) for part in parts]
    assert not sets[0] & sets[1]
    assert not sets[1] & sets[2]
    assert not sets[0] & sets[2]
    assert sum(part.n_rows for part in parts) == table.n_rows
    assert abs(parts.test.n_rows - 72) <= 3
    late = tw.evaluate.split(table, "y", test=0.3, order="day")
    assert late.train.column("day")[1].max() < late.test.column("day")[1].min()


def test_the_same_for_any_order_of_rows() -> None:
    table = clustered()
    order = np.random.default_rng(1).permutation(table.n_rows)
    one = dealing_by_row(table, "y", 5, groups="patient")
    other = dealing_by_row(table.take(order), "y", 5, groups="patient")
    assert (one.fold[order] == other.fold).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"groups": "patient", "order": "day"}, "give one of them"),
        ({"groups": "patiant"}, "patient"),
        ({"groups": "y"}, "target itself"),
        ({"order": "patient"}, "nominal column; time takes numbers"),
        ({"groups": ["a"]}, "shape"),
        ({"groups": ["a"] * 240}, "the same in all rows"),
        ({"groups": [None] + ["a", "b"] * 119 + ["b"]}, "missing in 1 row"),
        ({"order": ["monday", "tuesday"] * 120}, "one number or date per row"),
        ({"groups": "patient", "folds": [0, 1] * 120}, "is their number"),
        ({"groups": "patient", "folds": 1}, "at least 2"),
    ],
)
def test_what_is_refused_says_what_to_do(options: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, KeyError), match=words):
        tw.evaluate.cross_validate(clustered(), "y", **options)


def test_dates_and_series_are_an_order() -> None:
    days = pd.Series(pd.date_range("2024-01-01", periods=14)[::-1])
    blocks = requested_folds(None, 14, 3, order=days)
    assert isinstance(blocks, Blocks)
    dealing = blocks.dealt(keys([0] * 14))
    assert isinstance(dealing, Dealing)
    assert dealing.fold[-1] == -1
    assert dealing.fold[0] == 2
