"""The verbs one at a time: a loop in Python over open, search, decide and apply grows the core's own tree."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from tests.grow import cases
from tests.grow.engines import differences, first_difference
from tests.grow.samples import grow
from tests.tables import table, target
from treewright import _core
from treewright.growth.grower import tree_of
from treewright.growth.question import Question, question_of
from treewright.growth.settings import Settings
from treewright.table import ClassTerms, Rows, Table
from treewright.tree import Tree


def asked(rows: Table, weights: Any, told: dict[str, Any]) -> tuple[Question, Settings]:
    """Return the question that `grow` puts to the core."""
    of_rows = {name: told[name] for name in ("class_weight", "priors", "costs") if name in told}
    named = {name: value for name, value in told.items() if name not in of_rows}
    chosen = Settings.of(named.pop("recipe", "plain"), **named)
    return question_of(Rows.of(rows, "y", weights), chosen, ClassTerms(**of_rows)), chosen


def growth_of(question: Question) -> _core.Growth:
    make = _core.Growth.of_classes if question.is_classifier else _core.Growth.of_numbers
    return question.put_to(make)


def driven(question: Question, settings: Settings) -> Tree:
    """Grow a tree depth first from outside the core."""
    growth = growth_of(question)
    root = growth.open(np.arange(len(question.units), dtype=np.int32), question.units)
    stack = [(root, growth.add(root))]
    while stack:
        node, place = stack.pop()
        if growth.is_finished(node):
            continue
        offers, chosen = growth.decide(node, growth.search(node), root)
        if settings.ledger:
            growth.keep_offers(place, offers)
        if chosen is None:
            continue
        children, missing, largest = growth.apply(node, offers[chosen])
        places = [growth.add(child, place) for child in children]
        growth.split(place, offers[chosen], missing, largest, places[0])
        stack.extend(zip(children, places, strict=True))
    arrays = growth.tree()
    return tree_of(arrays, question, settings)


@pytest.mark.parametrize("part", range(4))
def test_driven_from_outside_the_tree_is_the_same(part: int) -> None:
    rng = np.random.default_rng([part, 77])
    n_grown = 0
    for seed in range(40):
        choice = cases.drawn(
            rng, cases.ALL | {"size": ("tiny",), "target": ("two", "several", *cases.TARGETS)}
        )
        if choice["limit"] == "max_leaves" or "linear" in (choice["splits"], choice["missing"]):
            continue
        if choice["missing"] in ("surrogate", "most_common_overall") or choice["recipe"] == "cart":
            continue  # found, or looked up, once for the whole table
        if choice["missing"] == "fractional" and choice["target"] in cases.TARGETS:
            continue  # where no gap divides them, `grow` counts whole rows: squares are rounded elsewhere
        case = cases.make_case(choice, 9000 + 100 * part + seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of settings that do nothing here
            try:
                expected = grow(case.table, "y", weights=case.weights, **case.settings)
            except ValueError:
                continue
            found = driven(*asked(case.table, case.weights, case.settings))
        assert not differences(expected, found), f"{first_difference(expected, found)}\n{case}"
        n_grown += found.n_nodes > 1
    assert n_grown > 12


def test_a_further_column_is_judged_like_one_of_the_table() -> None:
    whole = table("iris")
    names = [name for name in whole.names if name != target("iris")]
    goal = whole.column(target("iris"))[1]
    rows = np.flatnonzero(np.random.default_rng(1).random(whole.n_rows) < 0.6).astype(np.int32)
    label, ones = np.ascontiguousarray(goal, dtype=np.int32), np.ones(whole.n_rows, dtype=np.int64)
    numbers = [np.ascontiguousarray(whole.column(name)[1], dtype=np.float64) for name in names]
    columns = [_core.Column.of_numbers(x, i) for i, x in enumerate(numbers)]
    core = Settings().to_core()
    inside = _core.Growth.of_classes(columns, label, 3, ones, "gini", core, None)
    beside = _core.Growth.of_classes(columns[:2], label, 3, ones, "gini", core, None)
    weight = ones[rows]
    node, other = inside.open(rows, weight), beside.open(rows, weight)
    more = [_core.Column.of_numbers(x[rows].copy(), 2 + i) for i, x in enumerate(numbers[2:])]
    offers, chosen = inside.decide(node, inside.search(node))
    further, also = beside.decide(other, beside.search(other, more), more=more)
    assert chosen == also
    assert chosen is not None
    assert chosen >= 2
    for one, two in zip(offers, further, strict=True):
        for name in ("verdict", "score", "gain", "value", "cut", "n_branches", "missing"):
            assert getattr(one, name) == getattr(two, name)
    expected = inside.apply(node, offers[chosen])
    found = beside.apply(other, further[chosen], more[chosen - 2])
    assert expected[1:] == found[1:]
    for one_child, two_child in zip(expected[0], found[0], strict=True):
        np.testing.assert_array_equal(one_child.rows, two_child.rows)


@pytest.mark.parametrize(
    ("rows", "weight", "words"),
    [
        ([200], [1], "no such row"),
        ([0], [0], "not positive"),
        ([], [], "needs rows"),
        ([0, 1], [1], "differ"),
    ],
)
def test_nodes_that_cannot_be(rows: list[int], weight: list[int], words: str) -> None:
    label, ones = np.zeros(3, dtype=np.int32), np.ones(3, dtype=np.int64)
    growth = _core.Growth.of_classes([], label, 2, ones, "gini", Settings().to_core(), None)
    with pytest.raises(ValueError, match=words):
        growth.open(np.array(rows, dtype=np.int32), np.array(weight, dtype=np.int64))


def test_values_of_another_growth_are_refused() -> None:
    label, ones = np.zeros(3, dtype=np.int32), np.ones(3, dtype=np.int64)
    core = Settings().to_core()
    classes = _core.Growth.of_classes([], label, 2, ones, "gini", core, None)
    numbers = _core.Growth.of_numbers([], ones, 0, ones, "squared_error", core, None)
    node = classes.open(np.arange(3, dtype=np.int32), ones)
    with pytest.raises(TypeError, match="another kind of target"):
        numbers.is_finished(node)
    column = _core.Column.of_numbers(np.zeros(2), 0)
    with pytest.raises(ValueError, match="one number for each row"):
        classes.search(node, [column])
    with pytest.raises(ValueError, match="no node"):
        classes.tree()
