"""C4.5 release 8's own rules for choosing a test (semantics 3.3).

With `settings.single` every sum is rounded to single precision, as release 8 does. This decides exact ties
and sides of a cut that weigh m up to rounding (1.9999995 < 2): only then do trees agree with the program.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .missing import Test
from .node import Pieces, Study, gaps_at, values_at
from .plain import is_numeric
from .splits import cut_between

EPSILON = 1e-3
GAP = 1e-5  # neighbours this close are not parted
NEAR = 1e-6  # a value this close to the midpoint lies on it
Counts = list[float]


@dataclass(frozen=True)
class C45Test:
    """A possible test: gain with the charge taken off, gain before it, split information, cuts tried."""

    test: Test
    gain: float
    raw_gain: float
    split_info: float
    n_cuts: int
    score: float


def c45_test(study: Study, pieces: Pieces) -> C45Test | None:
    """Return the test C4.5 takes at a node, None where there is none."""
    best, close = None, closeness(study.settings.single)
    for found in eligible(study, c45_tests(study, pieces)):
        if best is None or found.score > best.score + close:  # the earliest of equals stays
            best = found
    return best


def closeness(single: bool) -> float:
    """Return by how much figures may differ that are equal on paper; single precision decides as it comes."""
    return 0.0 if single else 1e-12


def c45_tests(study: Study, pieces: Pieces, m: float | None = None) -> list[C45Test]:
    """Return the possible tests of the node, one per column at most, in column order."""
    m = study.settings.min_branch if m is None else m
    found = []
    for column, about in enumerate(study.columns):
        if is_numeric(about):
            found.append(numeric_test(study, pieces, column, m))
        elif column not in pieces.used:
            found.append(discrete_test(study, pieces, column, m))
    return [test for test in found if test is not None]


def eligible(study: Study, tests: list[C45Test]) -> list[C45Test]:
    """Return the tests that may win: for the ratio, those of at least average gain."""
    single = study.settings.single
    possible = [test for test in tests if test.gain > -EPSILON]
    if study.settings.criterion != "gain_ratio":
        return [test for test in possible if test.split_info > 0.0]
    average = average_gain(study, possible, single) or 0.0
    return [test for test in possible if test.gain >= average - EPSILON and test.split_info > EPSILON]


def average_gain(study: Study, possible: list[C45Test], single: bool) -> float | None:
    """Return the average gain, without columns of very many values unless all are such; None of no test."""
    every_column_has_many = all(has_many(study, column) for column in study.columns)
    gains = [
        found.gain
        for found in possible
        if every_column_has_many or not has_many(study, study.columns[found.test.column])
    ]
    return held(total(gains, single) / len(gains), single) if gains else None


def has_many(study: Study, column: Any) -> bool:
    """Say whether a column has a value for every third unit of training weight or so."""
    whole = len(study.y) if study.total_weight is None else study.total_weight
    return not is_numeric(column) and len(column.categories) >= 0.3 * whole


def discrete_test(study: Study, pieces: Pieces, column: int, m: float) -> C45Test | None:
    """Return the test with one branch per declared category."""
    single, n_categories = study.settings.single, len(study.columns[column].categories)
    codes, y = values_at(study, pieces, column), study.y[pieces.rows]
    counts = [class_counts(study, y, pieces.weights, codes == code, single) for code in range(n_categories)]
    unknown = total(class_counts(study, y, pieces.weights, codes < 0, single), single)
    sizes = [total(count, single) for count in counts]
    if sum(size >= m for size in sizes) < 2:
        return None
    weight = total([unknown, *sizes], single)
    gain, split_info = gain_and_information(counts, sizes, unknown, weight, single)
    test = Test(column, n_categories, codes=tuple((code, code) for code in range(n_categories)))
    return C45Test(test, gain, gain, split_info, 0, worth(study, gain, split_info))


def numeric_test(study: Study, pieces: Pieces, column: int, m: float) -> C45Test | None:
    """Return the best cut of a numeric column, its gain less the charge for the number of cuts tried."""
    single = study.settings.single
    gaps, values = gaps_at(study, pieces, column), values_at(study, pieces, column)
    weight = total(pieces.weights, single)
    unknown = total(pieces.weights[gaps], single)
    known = held(weight - unknown, single)
    if known < 2 * m:
        return None
    smallest = smallest_side(known, study.n_classes, m)
    order = np.argsort(values, kind="stable")[: int((~gaps).sum())]  # gaps sort last
    values, y, weights = values[order], study.y[pieces.rows][order], pieces.weights[order]
    left = [0.0] * study.n_classes
    right = class_counts(study, y, weights, np.ones(len(y), dtype=bool), single)
    low, n_cuts, best = 0.0, 0, (-np.inf, 0.0, 0)
    for i in range(len(y) - 1):
        low = held(low + weights[i], single)
        left[y[i]] = held(left[y[i]] + weights[i], single)
        right[y[i]] = held(right[y[i]] - weights[i], single)
        high = held(known - low, single)
        if low < smallest or high < smallest or not is_apart(values[i], values[i + 1], single):
            continue
        n_cuts += 1
        gain, split_info = gain_and_information([left, right], [low, high], unknown, weight, single)
        if gain > best[0]:
            best = (gain, split_info, i)
    if n_cuts == 0:
        return None
    raw_gain, split_info, i = best
    gain = held(raw_gain - float(np.log2(n_cuts)) / weight, single)
    if not gain > closeness(single):
        return None
    cut = stored_cut(study.table.values[column], float(values[i]), float(values[i + 1]), single)
    test = Test(column, 2, cut=cut)
    return C45Test(test, gain, raw_gain, split_info, n_cuts, worth(study, gain, split_info))


def is_apart(low: float, high: float, single: bool) -> bool:
    """Say whether two neighbouring values may be parted (3.14.2); release 8 subtracts, from single values."""
    if single:
        return held(low, True) < held(high, True) - GAP
    return bool(low + GAP < high)


def stored_cut(everywhere: NDArray[Any], low: float, high: float, single: bool) -> float:
    """Return the largest training value that is not above the midpoint (3.14.12).

    In double precision a value within 1e-6 of the midpoint is not above it; release 8 halves a sum of single
    values.
    """
    known = everywhere[~np.isnan(everywhere)]
    if single:
        middle = held(held(low, True) + held(high, True), True) / 2
        return float(np.max(known[known.astype(np.float32) <= middle]))
    middle = cut_between(low, high)
    return float(np.max(known[(known <= middle) | (known < middle + NEAR)]))


def smallest_side(known: float, n_classes: int, m: float) -> float:
    """Return the least weight of each side of a cut: a tenth of a class's share, within [m, 25]."""
    size = 0.10 * known / n_classes
    return m if size <= m else min(size, 25.0)


def gain_and_information(
    counts: list[Counts], sizes: Counts, unknown: float, weight: float, single: bool
) -> tuple[float, float]:
    """Return the gain on the known cases times their share, and the information of the division."""
    known = held(weight - unknown, single)
    whole = [total(column, single) for column in zip(*counts, strict=True)]
    before = held(bits(whole, single) / known, single)
    after = held(total([bits(count, single) for count in counts], single) / known, single)
    known_share = 1.0 - held(unknown / weight, single)
    gain = held(known_share * (before - after), single)
    return gain, held(bits([unknown, *sizes], single) / weight, single)


def bits(counts: Iterable[float], single: bool) -> float:
    """Return N log N - sum n log n: the information of some cases times their weight."""
    counts = list(counts)
    weight = total(counts, single)
    if weight <= 0.0:
        return 0.0
    parts = total([count * float(np.log2(count)) for count in counts if count > 0.0], single)
    return held(weight * float(np.log2(weight)) - parts, single)


def worth(study: Study, gain: float, split_info: float) -> float:
    """Return what tests are compared by."""
    if study.settings.criterion != "gain_ratio":
        return gain
    return held(gain / split_info, study.settings.single) if split_info > 0.0 else 0.0


def class_counts(
    study: Study, y: NDArray[Any], weights: NDArray[Any], mask: NDArray[np.bool_], single: bool
) -> Counts:
    """Return the weight of each class under a mask, added up in row order."""
    counts = np.zeros(study.n_classes, dtype=np.float32 if single else np.float64)
    np.add.at(counts, y[mask], weights[mask].astype(counts.dtype))
    return [float(count) for count in counts]


def total(parts: Iterable[float], single: bool) -> float:
    """Return a sum taken one by one, rounded at each step in single precision."""
    summed = 0.0
    for part in parts:
        summed = held(summed + float(part), single)
    return summed


def held(value: float, single: bool) -> float:
    """Return the value as memory holds it."""
    return float(np.float32(value)) if single else float(value)


def errors_below(node: dict[str, Any]) -> float:
    """Return the training weight a subtree gets wrong."""
    if not node["children"]:
        return float(np.sum(node["stats"]) - node["stats"][node["label"]])
    return sum(errors_below(child) for child in node["children"])


def has_collapsed(node: dict[str, Any]) -> bool:
    """Say whether a node does as well as its subtree, which C4.5 then gives up."""
    own = float(np.sum(node["stats"]) - node["stats"][node["label"]])
    return errors_below(node) >= own - EPSILON
