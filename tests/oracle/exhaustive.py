"""The exhaustive judge of large tables: at every node, no test of any column lowers impurity more.

    verdict = judge_exactness(tree, sample)

raises AssertionError with the node and the reason. `judge.py` knows every rule and takes a dozen rows; this
judge knows binary tests and the policy "learned" only, and scores every cut of every column of a node in a
few NumPy calls, so that it can look at every node of a tree on thousands of rows. It follows the tree's own
tests: a tie settled in another way does not make the nodes below look wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .missing import Test
from .reading import children, test_at
from .splits import cut_between
from .trial import expect

Floats = NDArray[Any]
TOLERANCE = 1e-12  # of the node's bound
TIE = 1e-10  # two tests this near to each other may be told apart by rounding alone
MOST_LEVELS = 8  # of a nominal column with more than two classes: all subsets are tried


@dataclass(frozen=True)
class Sample:
    """A table for the judge: numbers with NaN for gaps; a category is its code, ordered unless nominal."""

    columns: tuple[Floats, ...]
    is_nominal: tuple[bool, ...]
    y: NDArray[Any]  # class codes, or numbers
    weights: Floats
    n_classes: int  # 0: numbers
    criterion: str
    max_depth: int | None = None
    min_leaf: int = 0
    one_vs_rest: bool = False


@dataclass(frozen=True)
class Verdict:
    """What the judge saw: nodes, impurity of the tree cut off at each depth, and where a tie first was."""

    n_nodes: int
    impurity: tuple[float, ...]  # by depth, times weight; the last is that of the whole tree
    first_tie: int | None  # the depth of the first node where two different partitions were best


@dataclass(frozen=True)
class Candidates:
    """The tests of one node: what each takes off, and how to find the rows it sends left."""

    values: Floats  # the columns searched, side by side
    stats: Floats  # what each row adds to a branch
    drop: Floats
    view: NDArray[np.int64]  # which of the columns searched
    cut: Floats  # rows of values up to this go left
    gaps_left: NDArray[np.bool_]


def judge_exactness(tree: Any, sample: Sample, tolerance: float = TOLERANCE) -> Verdict:
    """Check a tree node by node; return what was seen."""
    by_depth: dict[int, float] = {}
    ties: list[int] = []
    stack = [(0, np.arange(len(sample.y)), 0)]
    n_nodes = 0
    while stack:
        node, rows, depth = stack.pop()
        n_nodes += 1
        check_counts(tree, sample, node, rows)
        test = test_at(tree, node)
        if test is None:
            check_leaf(sample, node, rows, depth)
            add_impurity(by_depth, sample, rows, range(depth, int(tree.depth) + 1))
            continue
        add_impurity(by_depth, sample, rows, [depth])
        goes_left = left_rows(sample, test, rows)
        check_test(tree, sample, node, rows, test, goes_left)
        found = candidates(sample, rows)
        check_choice(tree, sample, node, rows, goes_left, found, tolerance)
        if depth < min(ties, default=depth + 1) and has_rivals(sample, rows, found, goes_left):
            ties.append(depth)
        below = children(tree, node)
        expect(len(below) == 2, node, f"has {len(below)} branches; this judge knows two")
        stack += [(below[0], rows[goes_left], depth + 1), (below[1], rows[~goes_left], depth + 1)]
    expect(n_nodes == len(tree.end), 0, f"owns {n_nodes} nodes of {len(tree.end)}")
    impurities = tuple(by_depth[depth] for depth in range(int(tree.depth) + 1))
    return Verdict(n_nodes, impurities, min(ties, default=None))


def add_impurity(by_depth: dict[int, float], sample: Sample, rows: NDArray[Any], depths: Any) -> None:
    """Count a node's impurity where it is a leaf of the tree cut off at those depths."""
    here = float(impurity_of(sample, rows))
    for depth in depths:
        by_depth[depth] = by_depth.get(depth, 0.0) + here


# ---- impurity -------------------------------------------------------------------------------------


def impurity_of(sample: Sample, rows: NDArray[Any]) -> float:
    """Return the impurity of some rows times their weight."""
    if not sample.n_classes:
        return float((sample.weights[rows] * deviations(sample, rows) ** 2).sum())
    return float(cost(sample, np.bincount(sample.y[rows], sample.weights[rows], sample.n_classes)))


def bound_of(sample: Sample, rows: NDArray[Any]) -> float:
    """Return what no test of the node can take off: differences are judged against it."""
    if not sample.n_classes:
        return impurity_of(sample, rows)
    return float(sample.weights[rows].sum() * max(1.0, np.log2(sample.n_classes)))


def deviations(sample: Sample, rows: NDArray[Any]) -> Floats:
    """Return the distance of numbers from their mean."""
    y, weights = sample.y[rows].astype(np.longdouble), sample.weights[rows].astype(np.longdouble)
    return np.asarray(y - (weights * y).sum() / weights.sum())


def statistics(sample: Sample, rows: NDArray[Any]) -> Floats:
    """Return what each row adds to a branch: its weight in its class; or weight, and weight times number."""
    weights = sample.weights[rows]
    if not sample.n_classes:
        return np.stack([weights, weights * deviations(sample, rows)], axis=1)
    found = np.zeros((len(rows), sample.n_classes))
    found[np.arange(len(rows)), sample.y[rows]] = weights
    return found


def cost(sample: Sample, stats: Floats) -> Floats:
    """Return the impurity of branches times their weight; of numbers only the part that depends on them."""
    if not sample.n_classes:
        return np.asarray(-(stats[..., 1] ** 2) / stats[..., 0])
    total = stats.sum(axis=-1)
    if sample.criterion == "gini":
        return np.asarray(total - (stats**2).sum(axis=-1) / total)
    logs = np.log2(np.where(stats > 0, stats, 1))
    return np.asarray(total * np.log2(total) - (stats * logs).sum(axis=-1))


# ---- every test of a node -------------------------------------------------------------------------


def candidates(sample: Sample, rows: NDArray[Any]) -> Candidates:
    """Return every test that the columns offer for some rows."""
    values, stats = views(sample, rows), statistics(sample, rows)
    whole = stats.sum(axis=0)
    order = np.argsort(values, axis=0, kind="stable")
    ranked = np.take_along_axis(values, order, axis=0)
    sums = np.cumsum(stats[order], axis=0)  # rows x columns x statistics
    n_known = (~np.isnan(values)).sum(axis=0)
    place, view = np.nonzero(ranked[:-1] < ranked[1:])  # never beside a gap: those are ranked last
    known = sums[np.maximum(n_known, 1) - 1, np.arange(values.shape[1])]
    parts = [(sums[place, view], place + 1, view, ranked[place, view], False)]
    some = (n_known < len(rows)) & (n_known > 0)
    if some.any():
        gapped = some[view]
        at, of = place[gapped], view[gapped]
        left = sums[at, of] + (whole - known[of])
        parts.append((left, at + 1 + len(rows) - n_known[of], of, ranked[at, of], True))
        which = np.flatnonzero(some)  # known against missing
        parts.append((known[which], n_known[which], which, np.full(len(which), np.inf), False))
    return joined(sample, values, stats, parts)


def joined(sample: Sample, values: Floats, stats: Floats, parts: list[Any]) -> Candidates:
    """Return scored candidates, those with enough rows on both sides."""
    whole = stats.sum(axis=0)
    left, n_left, view, cut = (np.concatenate([part[i] for part in parts]) for i in range(4))
    gaps_left = np.concatenate([np.full(len(part[1]), part[4]) for part in parts])
    fits = (n_left >= sample.min_leaf) & (len(values) - n_left >= sample.min_leaf)
    left, view, cut, gaps_left = left[fits], view[fits], cut[fits], gaps_left[fits]
    drop = cost(sample, whole) - cost(sample, left) - cost(sample, whole - left)
    return Candidates(values, stats, drop, view, cut, gaps_left)


def views(sample: Sample, rows: NDArray[Any]) -> Floats:
    """Return the columns of some rows, side by side, such that all tests are cuts."""
    found = []
    for values, is_nominal in zip(sample.columns, sample.is_nominal, strict=True):
        here = values[rows]
        if not is_nominal:
            found.append(here)
        elif sample.one_vs_rest:
            found += [against_rest(here, level) for level in np.unique(here[~np.isnan(here)])]
        elif sample.n_classes > 2:
            found += subsets(here)
        else:
            found.append(places_by_mean(sample, rows, here))
    return np.stack(found, axis=1) if found else np.zeros((len(rows), 0))


def against_rest(values: Floats, level: float) -> Floats:
    """Return 0 for one category and 1 for all others; a gap may go with either side."""
    return np.where(np.isnan(values), np.nan, (values != level).astype(np.float64))


def present(values: Floats) -> Floats:
    """Return the categories there are; a gap is one more."""
    return np.unique(np.nan_to_num(values, nan=-1.0))


def subsets(values: Floats) -> list[Floats]:
    """Return a column of zeros and ones for every way to part the categories in two."""
    codes = np.nan_to_num(values, nan=-1.0)
    levels = present(values)
    assert len(levels) <= MOST_LEVELS, f"{len(levels)} categories are too many to try all subsets"
    place = np.searchsorted(levels, codes)
    sides = [np.array((0, *side)) for side in product((0, 1), repeat=len(levels) - 1)]
    return [side[place].astype(np.float64) for side in sides]


def places_by_mean(sample: Sample, rows: NDArray[Any], values: Floats) -> Floats:
    """Return each category's place by mean y: a cut of it is the best subset (Breiman 1984, theorem 4.5)."""
    codes = np.nan_to_num(values, nan=-1.0)
    level = np.searchsorted(present(values), codes)
    weights = sample.weights[rows]
    means = np.bincount(level, weights * sample.y[rows]) / np.bincount(level, weights)
    place = np.argsort(np.argsort(means, kind="stable"), kind="stable")
    return np.asarray(place[level].astype(np.float64))


def goes_left_by(found: Candidates, which: int) -> NDArray[np.bool_]:
    """Return the rows that a candidate sends left."""
    values = found.values[:, found.view[which]]
    return np.asarray((values <= found.cut[which]) | (np.isnan(values) & found.gaps_left[which]))


def has_rivals(sample: Sample, rows: NDArray[Any], found: Candidates, goes_left: NDArray[np.bool_]) -> bool:
    """Say whether another partition of the rows is as good as the one chosen."""
    near = found.drop >= found.drop.max() - TIE * bound_of(sample, rows)
    for which in np.flatnonzero(near):
        other = goes_left_by(found, which)
        if not (np.array_equal(other, goes_left) or np.array_equal(~other, goes_left)):
            return True
    return False


# ---- what is asked of a node ----------------------------------------------------------------------


def left_rows(sample: Sample, test: Test, rows: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which rows the tree's own test sends to its first branch."""
    values = sample.columns[test.column][rows]
    if test.codes is None:
        branch = np.where(values <= test.cut, 0, 1)
    else:
        branch_of = dict(test.codes)
        branch = np.array([test.missing if v != v else branch_of[int(v)] for v in values])
    return np.asarray(np.where(np.isnan(values), test.missing, branch) == 0)


def check_counts(tree: Any, sample: Sample, node: int, rows: NDArray[Any]) -> None:
    """Check that the node's record is about the rows that get here."""
    expect(int(tree.n_rows[node]) == len(rows), node, f"records {tree.n_rows[node]} of {len(rows)} rows")
    stats, weights = np.asarray(tree.stats[node]), sample.weights[rows]
    if sample.n_classes:
        wanted = np.bincount(sample.y[rows], weights, sample.n_classes)
        slack = np.full(sample.n_classes, 1e-12 * weights.sum())
    else:
        mean = float((weights * sample.y[rows].astype(np.longdouble)).sum() / weights.sum())
        wanted = np.array([weights.sum(), mean, impurity_of(sample, rows)])
        # Beside weights of 52 bits the core keeps 37 bits of each deviation for this record (not for scores).
        precision = 1e-12 if np.array_equal(weights, np.rint(weights)) else 2.0**-35
        unit = 2.0**-52 * np.abs(sample.y).max()
        slack = np.array([1e-12 * wanted[0], unit, precision * wanted[2] + wanted[0] * unit**2])
    fine = np.abs(stats - wanted) <= slack
    expect(bool(np.all(fine)), node, f"records statistics {stats.tolist()}, not {wanted.tolist()}")


def check_leaf(sample: Sample, node: int, rows: NDArray[Any], depth: int) -> None:
    """Check that a leaf has a reason to be one."""
    is_pure = bool(np.all(sample.y[rows] == sample.y[rows[0]]))
    if is_pure or (sample.max_depth is not None and depth >= sample.max_depth):
        return
    n_tests = len(candidates(sample, rows).drop)
    words = f"is a leaf of {len(rows)} rows at depth {depth}; {n_tests} tests could split it"
    expect(n_tests == 0, node, words)


def check_test(
    tree: Any, sample: Sample, node: int, rows: NDArray[Any], test: Test, goes_left: NDArray[np.bool_]
) -> None:
    """Check that a test parts the rows, with enough on both sides, and that a cut is a midpoint."""
    least = max(1, sample.min_leaf)
    sizes = [int(goes_left.sum()), int((~goes_left).sum())]
    expect(min(sizes) >= least, node, f"parts its rows {sizes[0]} : {sizes[1]}; each needs {least}")
    if sample.max_depth is not None:
        expect(int(tree.depths[node]) < sample.max_depth, node, "is split below the depth allowed")
    if test.codes is not None or test.cut == np.inf:
        return
    values = sample.columns[test.column][rows]
    low, high = float(values[values <= test.cut].max()), float(values[values > test.cut].min())
    middle = cut_between(low, high)
    is_rank = test.column in [i for i, c in enumerate(tree.schema.columns) if str(c.kind) == "ordinal"]
    fine = low <= test.cut < high if is_rank else test.cut == middle
    expect(fine, node, f"cuts at {test.cut!r}; the middle of {low!r} and {high!r} is {middle!r}")


def check_choice(
    tree: Any,
    sample: Sample,
    node: int,
    rows: NDArray[Any],
    goes_left: NDArray[np.bool_],
    found: Candidates,
    tolerance: float,
) -> None:
    """Check that the chosen test takes off as much as the best of all, and that this is what is recorded."""
    whole, left = found.stats.sum(axis=0), found.stats[goes_left].sum(axis=0)
    drop = float(cost(sample, whole) - cost(sample, left) - cost(sample, whole - left))
    best, slack = float(found.drop.max()), tolerance * bound_of(sample, rows)
    which = int(found.drop.argmax())
    expect(
        drop >= best - slack,
        node,
        f"of {len(rows)} rows takes off {drop!r} by column {tree.column[node]}; a cut of view "
        f"{found.view[which]} after {found.cut[which]!r} takes off {best!r}, {(best - drop) / slack:.3g} "
        "times the difference allowed",
    )
    expect(drop <= best + slack, node, f"takes off {drop!r}, which no test does: the best takes off {best!r}")
    recorded = float(tree.gain[node]) * float(sample.weights[rows].sum())
    expect(abs(recorded - drop) <= 2 * slack, node, f"records a gain of {recorded!r} in all, not {drop!r}")
