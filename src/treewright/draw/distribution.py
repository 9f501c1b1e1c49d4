"""What the rows of a node look like at its test: how many there are of each value, and what they answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.prune.sample import Sample, Spread, sample_of, spread
from treewright.table import Table, coded
from treewright.table.schema import Column
from treewright.tree import Tree, split
from treewright.tree.check import CUT, SUM, VALUES
from treewright.tree.terms import terms_at

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_BINS = 24
_WHOLE_SPAN = 30  # of whole numbers that get a bin each
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_INNER = 0.05, 0.95  # quantiles: what lies beyond them
_FAR = 8.0  # so many times as far as these is one open bin


@dataclass(frozen=True)
class Distribution:
    """Rows of a node by the value that its test reads: bins of numbers, or a bar for each category.

    `weights` has a row per bin: class weights (the last: classes never met), or the weight and the mean
    answer. Bins lie between `edges`, one of which is the cut; categories have `names` and no edges.
    """

    weights: Floats
    branch: Ints  # the branch that each bin goes down; -1 where the test does not say
    edges: Floats
    names: tuple[str, ...]
    gaps: float  # the weight of rows without a value
    is_of_numbers: bool = False  # the answers are numbers, not classes
    column: Column | None = None  # whose numbers lie between the edges; None of a sum

    @property
    def totals(self) -> Floats:
        """The weight of rows in each bin."""
        return self.weights[:, 0] if self.is_of_numbers else np.asarray(self.weights.sum(axis=1))


class Distributions:
    """The distributions of some rows at all tests of a tree; each is computed when it is asked for.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"size": [1, 2, 4, 5], "y": list("aabb")})
    >>> found = Distributions(tw.grow(table, target="y"), table).at(0)
    >>> found.edges.tolist(), found.totals.tolist(), found.branch.tolist()
    ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 1.0, 0.0, 1.0, 1.0], [0, 0, 0, 1, 1])
    """

    def __init__(self, tree: Tree, rows: Table | Sample) -> None:
        self.tree = tree
        sample = sample_of(tree, rows)
        parts = spread(tree, sample)
        order = np.argsort(parts.node, kind="stable")
        self._parts = Spread(parts.row[order], parts.node[order], parts.weight[order])
        self._columns = coded(tree.schema.columns, list(sample.columns))
        self._answers = sample.answers
        self.n_rows = sample.n_rows
        self.at = cache(self._at)

    def _at(self, node: int) -> Distribution | None:
        """Return the distribution at a node; None at a leaf, and where no row with a value comes."""
        tree, parts = self.tree, self._parts
        if tree.end[node] == node + 1:
            return None
        first, last = np.searchsorted(parts.node, (node, int(tree.end[node])))
        rows, weight = parts.row[first:last], parts.weight[first:last]
        if tree.kind[node] == SUM:
            found = terms_at(tree, node)
            values = sum(weight * term.of(self._numbers(term.column, rows)) for term, weight in found)
            return self._of_numbers(np.asarray(values), node, None, rows, weight)
        place = int(tree.column[node])
        column = tree.schema.columns[place]
        if column.is_numeric:
            return self._of_numbers(self._numbers(place, rows), node, column, rows, weight)
        return self._of_categories(node, rows, weight)

    def _numbers(self, column: int, rows: Ints) -> Floats:
        values = self._columns[column][rows]
        if self.tree.schema.columns[column].is_numeric:
            return np.asarray(values, dtype=np.float64)
        return np.where(values < 0, np.nan, values.astype(np.float64))

    def _of_numbers(
        self, values: Floats, node: int, column: Column | None, rows: Ints, weight: Floats
    ) -> Distribution | None:
        cut = float(self.tree.cut[node])
        known = np.isfinite(values)
        edges, place = bins(values[known], cut)
        if not len(edges):
            return None
        return Distribution(
            weights=self._summed(place, len(edges) - 1, rows[known], weight[known]),
            branch=(edges[:-1] >= cut).astype(np.int64),
            edges=edges,
            names=(),
            gaps=float(weight[~known].sum()),
            is_of_numbers=not self.tree.is_classifier,
            column=column,
        )

    def _of_categories(self, node: int, rows: Ints, weight: Floats) -> Distribution | None:
        column = self.tree.schema.columns[int(self.tree.column[node])]
        codes = self._columns[int(self.tree.column[node])][rows].astype(np.int64)
        branch = branch_of_codes(self.tree, node, len(column.categories))
        totals = np.bincount(codes[codes >= 0], weight[codes >= 0], len(column.categories))
        shown = np.flatnonzero(totals > 0)
        if not len(shown):
            return None
        order = shown[np.lexsort((-totals[shown] * (self.tree.kind[node] == VALUES), branch[shown]))]
        place = np.full(len(column.categories), -1)
        place[order] = np.arange(len(order))
        known = codes >= 0
        return Distribution(
            weights=self._summed(place[codes[known]], len(order), rows[known], weight[known]),
            branch=branch[order],
            edges=np.empty(0),
            names=tuple(split.bare_name(column.categories[code]) for code in order.tolist()),
            gaps=float(weight[~known].sum()),
            is_of_numbers=not self.tree.is_classifier,
        )

    def _summed(self, place: Ints, n: int, rows: Ints, weight: Floats) -> Floats:
        """Return by bin the class weights, or the weight and the mean answer."""
        answers = self._answers[rows]
        if self.tree.is_classifier:
            k = len(self.tree.classes)
            found = np.zeros((n, k + 1))
            np.add.at(found, (place, np.where(answers < 0, k, answers)), weight)
            return found
        total = np.bincount(place, weight, n)
        middle = float(self.tree.stats[0, 1])
        sums = np.bincount(place, weight * (answers.astype(np.float64) - middle), n)
        mean = middle + np.divide(sums, total, out=np.zeros(n), where=total > 0)
        return np.column_stack([total, mean])

    @cached_property
    def inner(self) -> list[int]:
        """The nodes with a test, those with most training weight first."""
        nodes = np.flatnonzero(~self.tree.leaf_mask)
        return [int(i) for i in nodes[np.argsort(-self.tree.weights[nodes], kind="stable")]]


def branch_of_codes(tree: Tree, node: int, n: int) -> Ints:
    """Return the branch that each category goes down at a node; -1 where its test does not say.

    >>> from treewright.tree.example import tennis
    >>> branch_of_codes(tennis(), 0, 3).tolist()
    [0, 1, 2]
    """
    if tree.kind[node] == CUT:
        return np.asarray(np.arange(n) > tree.cut[node], dtype=np.int64)
    found = np.full(n, -1, dtype=np.int64)
    part = slice(*tree.code_start[node : node + 2].tolist())
    found[tree.code[part]] = tree.code_branch[part]
    return found


def bins(values: Floats, cut: float) -> tuple[Floats, Any]:
    """Return the edges of bins of one width, the cut among them, and the bin of each value (low < x <= high).

    Widths are round, so that edges tell no value of a row. Where a few values lie far away from all others,
    the bin at that end is open: its edge is infinite. Nothing where there are no values or no cut.

    >>> edges, place = bins(np.array([1.0, 2.0, 3.0, 9.0]), 2.5)
    >>> edges.tolist(), place.tolist()
    ([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5], [0, 1, 2, 8])
    """
    if not len(values) or not math.isfinite(cut):
        return np.empty(0), np.empty(0, dtype=np.int64)
    low, high = _span(values, cut)
    span = high / 2 - low / 2  # a half: no overflow
    is_whole = 2 * span <= _WHOLE_SPAN and bool((values == np.rint(values)).all())
    width = 1.0 if is_whole else _round_step(span / MOST_BINS * 2)
    with np.errstate(over="ignore", invalid="ignore"):
        place = np.ceil((values - cut) / width) - 1
    place = np.where(values > cut, np.maximum(place, 0), np.minimum(place, -1))  # whatever was rounded
    ends = np.ceil((np.array([low, high]) - cut) / width) - 1
    is_open = bool(values.min() < low), bool(values.max() > high)
    if any(is_open):
        place = np.clip(place, min(ends[0] - 1, -1), max(ends[1] + 1, 0))
    if not np.isfinite(place).all():
        return np.empty(0), np.empty(0, dtype=np.int64)
    first, last = min(int(place.min()), -1), max(int(place.max()), 0)
    edges = np.asarray(cut + width * np.arange(first, last + 2), dtype=np.float64)
    if not (np.diff(edges) > 0).all():  # the width is lost beside numbers as large as these
        return np.empty(0), np.empty(0, dtype=np.int64)
    if low >= 0 > edges[0] and edges[1] > 0:
        edges[0] = 0.0  # what cannot be negative does not begin below 0
    edges[[0, -1]] = np.where(is_open, (-np.inf, np.inf), edges[[0, -1]])
    return edges, (place - first).astype(np.int64)


def _span(values: Floats, cut: float) -> tuple[float, float]:
    """Return where bins begin and end: with the cut and all values, but for a few that lie far away.

    >>> _span(np.array([1.0, 2.0] * 20 + [530.0]), 1.5), _span(np.array([1.0, 2.0, 9.0]), 1.5)
    ((1.0, 2.0), (1.0, 9.0))
    """
    low, high = min(float(values.min()), cut), max(float(values.max()), cut)
    below, above = np.quantile(values, _INNER).tolist()
    below, above = min(below, cut), max(above, cut)
    if high - above > _FAR * (above - below) > 0:
        high = above
    if below - low > _FAR * (above - below) > 0:
        low = below
    return low, high


def _round_step(least: float) -> float:
    """Return a round number that is not below `least`.

    >>> [_round_step(x) for x in (0.3, 7.0, 0.0)]
    [0.5, 10.0, 1.0]
    """
    if not 1e-300 < least < 1e300:
        return 1.0 if least < 1 else least
    size: float = 10.0 ** math.floor(math.log10(least))
    return next(size * step for step in _STEPS if size * step >= least * (1 - 1e-12))
