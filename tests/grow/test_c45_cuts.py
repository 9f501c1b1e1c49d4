"""C4.5's cuts of numbers: which neighbours are parted, what the choice is charged, which value is stored.

Rulings 3.14.2 and 3.14.12 of the specification: a < b are parted when a + 1e-5 < b, in double precision; a
value on the midpoint, within 1e-6, is not above it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

import treewright as tw
from tests.amount import IS_FULL, at_most
from tests.oracle import grow as twin
from tests.oracle.c45 import c45_tests
from tests.oracle.node import Study, all_pieces
from tests.oracle.settings import settings_for

GAP = 1e-5
MAGNITUDES = [10.0**power for power in range(-3, 7)]


def grown(x: Any, y: Any, **settings: Any) -> tw.Tree:
    table = tw.Table.from_dict({"x": x, "y": y})
    return tw.grow(table, "y", "c4.5", prune="none", **settings)


def grown_by_the_twin(x: Any, y: Any, single: bool = False) -> dict[str, Any]:
    table = tw.Table.from_dict({"x": x, "y": y})
    goal, answers = table.column("y")
    rules = settings_for("c4.5", single=single)
    return twin.grow(table.drop(["y"]), answers, rules, len(goal.categories))


def counted_by_the_twin(x: Any, y: Any) -> int:
    """Return how many cuts of x the twin has to choose from at the root."""
    table = tw.Table.from_dict({"x": x, "y": y})
    study = Study(table.drop(["y"]), table.column("y")[1], 2, settings_for("c4.5"))
    return c45_tests(study, all_pieces(study, None))[0].n_cuts


def test_two_values_that_neither_program_parts() -> None:
    x, y = [0.03206] * 4 + [0.03207] * 4, list("aaaabbbb")
    assert x[-1] - x[0] > GAP  # what was asked before
    assert grown(x, y).n_leaves == 1
    assert twin.n_nodes(grown_by_the_twin(x, y)) == 1
    assert twin.n_nodes(grown_by_the_twin(x, y, single=True)) == 1


def close_pairs(magnitude: float) -> list[tuple[float, float]]:
    """Return neighbours that are about 1e-5 apart, some units in the last place more or less."""
    rng = np.random.default_rng(int(abs(math.log10(abs(magnitude)))))
    lows = [magnitude * share for share in (1.0, 3.206, *rng.uniform(1, 9, at_most(6, 20)).round(5))]
    found = []
    for low in [*lows, *(-low for low in lows)]:
        high = low + GAP
        for _ in range(3):
            high = math.nextafter(high, -math.inf)
        for _ in range(7):
            if high > low:
                found.append((low, high))
            high = math.nextafter(high, math.inf)
    return found


@pytest.mark.parametrize("magnitude", MAGNITUDES)
def test_neighbours_about_the_least_gap_apart(magnitude: float) -> None:
    pairs = close_pairs(magnitude)
    assert any((low + GAP < high) != (high - low > GAP) for low, high in pairs)  # the two forms differ here
    for low, high in pairs:
        x, y = [low] * 4 + [high] * 4, list("aaaabbbb")
        is_parted = low + GAP < high
        assert grown(x, y).n_leaves == 1 + is_parted, (low, high)
        assert twin.n_nodes(grown_by_the_twin(x, y)) == 1 + 2 * is_parted, (low, high)


@pytest.mark.parametrize("magnitude", MAGNITUDES)
def test_the_charge_counts_the_neighbours_that_are_parted(magnitude: float) -> None:
    """Runs of values about 1e-5 apart: log2 of the number of cuts that are possible, over the weight."""
    n_differ = 0
    for low, high in close_pairs(magnitude):
        values = [low, high]
        for _ in range(4):  # the same step again and again, and wide ones between
            values += [values[-1] + 1.0, values[-1] + 1.0 + (high - low)]
        n_cuts = sum(a + GAP < b for a, b in pairwise(values))
        n_differ += n_cuts != sum(b - a > GAP for a, b in pairwise(values))
        x = np.repeat(values, 4)
        y = np.where(np.arange(len(x)) < len(x) // 2, "a", "b")
        root = grown(x, y, ledger=True).candidates(0)[0]
        assert root["charge"] == pytest.approx(math.log2(n_cuts) / len(x), abs=1e-15)
        assert counted_by_the_twin(x, y) == n_cuts
    assert n_differ > 0


def below_the_first_test(low: float, high: float, others: list[float]) -> tuple[dict[str, list[Any]], float]:
    """Return a table whose root asks for g, and the cut of x that is stored below, between low and high.

    Where g = p, x has the two values only; the others are met elsewhere in the training rows.
    """
    columns = {
        "g": ["p"] * 8 + ["q"] * 4 * len(others),
        "x": [low] * 4 + [high] * 4 + [value for value in others for _ in range(4)],
        "y": ["a"] * 4 + ["b"] * 4 + ["c"] * 4 * len(others),
    }
    tree = tw.grow(tw.Table.from_dict(columns), "y", "c4.5", prune="none")
    assert [tree.schema.names[c] for c in tree.column[:2]] == ["g", "x"]
    return columns, float(tree.cut[1])


DECIMALS = [(i, j, unit) for unit in (10, 100, 1000) for i, j in product(range(9), range(1, 10)) if i < j]
STEP = 1 if IS_FULL else 3  # of them in the short run


@pytest.mark.parametrize("offset", [0, 1, -7, 1000, -123456])
def test_a_training_value_on_the_midpoint_is_the_cut(offset: int) -> None:
    """Decimals have no exact midpoint in binary; on paper (0.1 + 0.3) / 2 is 0.2, and 0.2 is stored."""
    n_rounded_down = 0
    for i, j, unit in DECIMALS[::STEP]:
        low, high = (float(offset + Fraction(k, unit)) for k in (i, j))
        middle = float(offset + Fraction(i + j, 2 * unit))
        columns, cut = below_the_first_test(low, high, [middle])
        n_rounded_down += low + (high - low) / 2 < middle
        assert cut == middle, (low, high)
        assert stored_by_the_twin(columns) == middle
    assert n_rounded_down > 0


def stored_by_the_twin(columns: dict[str, list[Any]]) -> float:
    table = tw.Table.from_dict(columns)
    goal, answers = table.column("y")
    grown = twin.grow(table.drop(["y"]), answers, settings_for("c4.5"), len(goal.categories))
    return float(grown["children"][0]["test"].cut)


@pytest.mark.parametrize(
    ("off", "is_stored"),
    [(5e-7, True), (9.9e-7, True), (1.1e-6, False), (4e-6, False), (-4e-6, True), (0, True)],
)
@pytest.mark.parametrize(("low", "high"), [(0.5, 1.5), (-3.0, 7.0), (1000.25, 1000.75)])
def test_how_far_from_the_midpoint(low: float, high: float, off: float, is_stored: bool) -> None:
    value = (low + high) / 2 + off
    assert below_the_first_test(low, high, [value])[1] == (value if is_stored else low)


def test_of_several_values_the_largest_whatever_the_order() -> None:
    others = [0.6, 0.9, 1.0 - 3e-7, 1.0 + 4e-7, 1.0 + 8e-7, 1.0 + 2e-6, 1.2]
    assert below_the_first_test(0.5, 1.5, others)[1] == 1.0 + 8e-7
    assert below_the_first_test(0.5, 1.5, others[::-1])[1] == 1.0 + 8e-7


@pytest.mark.parametrize("magnitude", [*MAGNITUDES, 1e9, 4e10, 1e11, 1e13, 1e17])
def test_the_cut_parts_what_it_was_scored_for(magnitude: float) -> None:
    """The tolerance never reaches the upper neighbour: every row with the upper value goes to branch 1."""
    for low in (magnitude, -magnitude, magnitude * 1.7):
        high = low
        while not low + GAP < high:
            high = max(math.nextafter(high, math.inf), low + GAP)
        tree = grown([low] * 4 + [high] * 4, list("aaaabbbb"))
        assert tree.n_leaves == 2
        assert low <= tree.cut[0] < high


def test_a_gain_of_nothing_is_no_test() -> None:
    """Two sides of the same shares gain 0 on paper. A rounding error above 0 must not let the cut compete.

    Such a cut used to count in the average gain, which decides who may win.
    """
    n_rounded_up = 0
    for small, large in product(range(1, 12), range(1, 12)):
        n_rounded_up += plain_gain(small, large) > 0
        x = [0.0] * (small + large) + [1.0] * 2 * (small + large)
        y = ["a"] * small + ["b"] * large + ["a"] * 2 * small + ["b"] * 2 * large
        tree = grown(x, y, min_branch=1, ledger=True)
        assert tree.candidates(0)[0]["verdict"] == "no_gain_after_charge", (small, large)
    assert n_rounded_up > 0


def plain_gain(small: int, large: int) -> float:
    """Return the gain of a cut into one third and two thirds of the same shares, as doubles give it."""

    def bits(*counts: int) -> float:
        n = sum(counts)
        return n * math.log2(n) - sum(c * math.log2(c) for c in counts)

    whole = bits(3 * small, 3 * large)
    return (whole - bits(small, large) - bits(2 * small, 2 * large)) / (3 * (small + large))
