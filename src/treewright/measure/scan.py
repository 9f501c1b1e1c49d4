"""A numeric column beside its classes, sorted once: the gain of every cut in one pass."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from treewright.base.lines import Words, aligned
from treewright.base.numbers import number
from treewright.measure.given import Codes, Floats, codes, column, gaps_refused, row_weights
from treewright.measure.groups import sums
from treewright.measure.intervals import measured, midpoints

EQUAL = 1e-10  # gains in bits that differ by less are equal: the lowest cut wins


def n_log_n(n: Floats) -> Floats:
    """Return n log2 n, 0 for 0.

    >>> n_log_n(np.array([0.0, 2.0]))
    array([0., 2.])
    """
    safe = np.where(n > 0, n, 1.0)
    return np.asarray(safe * np.log2(safe))


class Pieces(NamedTuple):
    """The weight of each class at each distinct value: values ascending, classes ascending inside a value.

    Once merged, a piece may also be a stretch of values that all have one and the same class.
    """

    low: Floats
    high: Floats
    first: Codes  # the number of the lowest value, among the distinct ones
    last: Codes
    label: Codes
    weight: Floats
    through: Floats  # the weight of the class from the lowest value up to here
    n_classes: int


def pieces_of(x: Any, y: Any, weights: Any = None) -> Pieces:
    """Return a column of numbers beside a column of classes; rows where x is missing are left out."""
    values, (label, k) = measured(x, "x"), codes(column(y, "y"))
    if len(values) != len(label):
        raise ValueError(f"x has {len(values)} rows and y has {len(label)}; they must be equally long.")
    sizes = row_weights(weights, len(values))
    if gaps := int(((label < 0) & (sizes > 0)).sum()):
        raise gaps_refused("y", gaps, len(values), "leave those rows out")
    kept = ~np.isnan(values) & (sizes > 0)
    values, label, sizes = values[kept] + 0.0, label[kept], sizes[kept]  # -0.0 is 0
    order = np.lexsort((sizes, label, values))  # by weight last: sums do not depend on the order of rows
    values, label, sizes = values[order], label[order], sizes[order]
    is_new = _changes(values)
    starts = is_new | _changes(label)
    weight = sums(sizes, np.cumsum(starts) - 1, int(starts.sum()))
    value, rank, label = values[starts], np.cumsum(is_new)[starts] - 1, label[starts]
    return Pieces(value, value, rank, rank, label, weight, _through(label, weight, k), k)


def _changes(values: Any) -> Any:
    """Return where a value differs from the one before it; true at the first."""
    found = np.ones(len(values), dtype=bool)
    found[1:] = values[1:] != values[:-1]
    return found


def boundaries(pieces: Pieces) -> Any:
    """Return which pieces begin a value that is not pure in the one class that the value before is."""
    is_new = _changes(pieces.first)
    alone = is_new & np.append(is_new[1:], True)[: len(is_new)]  # the only class at its value
    joins = np.zeros(len(is_new), dtype=bool)
    joins[1:] = alone[1:] & alone[:-1] & (pieces.label[1:] == pieces.label[:-1])
    return is_new & ~joins


def merged(pieces: Pieces) -> Pieces:
    """Return the pieces with neighbours of one class as one: no cut inside can be the best."""
    joins = _changes(pieces.first) & ~boundaries(pieces)
    start = np.flatnonzero(~joins)
    end = np.append(start[1:], len(joins)) - 1
    weight = sums(pieces.weight, np.cumsum(~joins) - 1, len(start))
    through = pieces.through[end]
    spans = pieces.low[start], pieces.high[end], pieces.first[start], pieces.last[end]
    return Pieces(*spans, pieces.label[start], weight, through, pieces.n_classes)


def _through(label: Codes, weight: Floats, n_classes: int) -> Floats:
    """Return the running sum of weight inside each class."""
    order = np.argsort(label, kind="stable")
    running = np.cumsum(weight[order])
    total = sums(weight, label, n_classes)
    first = np.concatenate([[0.0], np.cumsum(total)[:-1]]) if n_classes else np.empty(0)
    found = np.empty(len(label))
    found[order] = running - first[label[order]]
    return found


class Segment(NamedTuple):
    """A stretch of pieces, and the weight of each class below it and in it."""

    first: int
    last: int  # one past
    below: Floats
    counts: Floats


def whole(pieces: Pieces) -> Segment:
    """Return all pieces as one segment."""
    counts = sums(pieces.weight, pieces.label, pieces.n_classes)
    return Segment(0, len(pieces.label), np.zeros(pieces.n_classes), counts)


def places(pieces: Pieces, segment: Segment) -> Codes:
    """Return where a segment can be cut: before the first piece of every value but its lowest."""
    low, high = pieces.low[segment.first : segment.last], pieces.high[segment.first : segment.last]
    return np.flatnonzero(low[1:] > high[:-1]) + 1 + segment.first


def n_cuts(pieces: Pieces, segment: Segment) -> int:
    """Return how many cuts between neighbouring values a segment has, also inside merged pieces."""
    return int(pieces.last[segment.last - 1] - pieces.first[segment.first])


def gains(pieces: Pieces, segment: Segment, at: Codes) -> Floats:
    """Return the information gain, in bits, of cutting a segment at each of its places.

    From one piece to the next a single class moves over, so the sum of n log n over the classes of either
    side changes by one term: the work does not grow with the number of classes.
    """
    span = slice(segment.first, segment.last)
    label, weight = pieces.label[span], pieces.weight[span]
    after = np.maximum(pieces.through[span] - segment.below[label], 0.0)
    before = np.maximum(after - weight, 0.0)
    total = segment.counts[label]
    everything = n_log_n(segment.counts).sum()
    left = np.cumsum(n_log_n(after) - n_log_n(before))
    right = everything + np.cumsum(
        n_log_n(np.maximum(total - after, 0.0)) - n_log_n(np.maximum(total - before, 0.0))
    )
    last = at - 1 - segment.first  # the last piece on the left
    n_left, n = np.cumsum(weight)[last], segment.counts.sum()
    n_right = np.maximum(n - n_left, 0.0)
    inside = n_log_n(n_left) - left[last] + n_log_n(n_right) - right[last]
    return np.asarray(np.maximum((n_log_n(n) - everything - inside) / n, 0.0))


def divided(pieces: Pieces, segment: Segment, at: int) -> tuple[Segment, Segment]:
    """Return the two parts of a segment."""
    span = slice(segment.first, at)
    left = sums(pieces.weight[span], pieces.label[span], pieces.n_classes)
    right = np.maximum(segment.counts - left, 0.0)
    met = sums(np.ones(segment.last - at), pieces.label[at : segment.last], pieces.n_classes) > 0
    right[~met] = 0.0  # where subtraction leaves dust
    low = Segment(segment.first, at, segment.below, left)
    return low, Segment(at, segment.last, segment.below + left, right)


def cut_values(pieces: Pieces, at: Codes) -> Floats:
    """Return the cuts at places: midpoints between the values on either side."""
    return midpoints(pieces.high[at - 1], pieces.low[at])


class CutGains(NamedTuple):
    """Every cut of a column and what it gains.

    >>> CutGains(np.array([1.5]), np.array([1.0])).gains
    array([1.])
    """

    cuts: Floats
    gains: Floats

    def __str__(self) -> str:
        columns = {"cut": self.cuts, "gain in bits": self.gains}
        words = [Words(title, list(map(number, values.tolist()))) for title, values in columns.items()]
        return "\n".join(aligned(words))


def cut_gains(x: Any, y: Any, *, weights: Any = None) -> CutGains:
    """Return every cut between two neighbouring values, and its information gain about y in bits.

    Rows where x is missing are left out. O(n log n), for any number of classes.

    >>> found = cut_gains([40, 48, 60, 70, 80, 90], ["No", "No", "Yes", "Yes", "Yes", "No"])
    >>> found.cuts.tolist(), found.gains.round(3).tolist()
    ([44.0, 54.0, 65.0, 75.0, 85.0], [0.191, 0.459, 0.082, 0.0, 0.191])
    """
    pieces = pieces_of(x, y, weights)
    segment = whole(pieces)
    at = places(pieces, segment)
    return CutGains(cut_values(pieces, at), gains(pieces, segment, at) if len(at) else np.empty(0))


def boundary_cuts(x: Any, y: Any, *, weights: Any = None) -> Floats:
    """Return the cuts between neighbouring values that are not both pure in one and the same class.

    Of all cuts these are the only ones that can have the largest gain (Fayyad and Irani 1992).

    >>> boundary_cuts([40, 48, 60, 70, 80, 90], ["No", "No", "Yes", "Yes", "Yes", "No"])
    array([54., 85.])
    """
    pieces = pieces_of(x, y, weights)
    return cut_values(pieces, np.flatnonzero(boundaries(pieces))[1:])
