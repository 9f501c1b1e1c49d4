"""Cuts that pay for themselves: cut in two, and again, while that tells the classes in fewer bits.

Fayyad and Irani 1993; Kononenko 1995. The cut of most information gain is tried first, the lowest where
several gain as much; a part that is not worth its best cut is left whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from treewright.base.names import choice
from treewright.measure.given import Codes, Floats, amounts, cells, check_size
from treewright.measure.scan import (
    EQUAL,
    Pieces,
    Segment,
    cut_values,
    divided,
    gains,
    merged,
    n_cuts,
    pieces_of,
    places,
    whole,
)

ENCODINGS = ("rows", "cuts")
Accept = Callable[[Floats, Floats, int], bool]  # class counts of either side, number of cuts to choose from


def mdlp_cuts(x: Any, y: Any, *, weights: Any = None, encoding: str = "rows") -> Floats:
    """Return the cuts that Fayyad and Irani's description length accepts, ascending.

    `encoding` is what a cut costs to tell: "rows", log2(n - 1) as published, or "cuts", log2 of the number of
    places the part at hand can be cut at (Weka's "better encoding"). Rows where x is missing are left out.
    With weights, n is the sum of weights.

    >>> mdlp_cuts([1, 2, 3, 4, 5, 6, 7, 8], list("aaaabbbb"))
    array([4.5])
    >>> mdlp_cuts([40, 48, 60, 70, 80, 90], ["No", "No", "Yes", "Yes", "Yes", "No"])
    array([], dtype=float64)
    """
    choice("encoding", encoding, ENCODINGS)

    def accept(left: Floats, right: Floats, cuts: int) -> bool:
        return gain_of(left, right) > mdlp_needed(left, right, cuts if encoding == "cuts" else None)

    return _cuts(pieces_of(x, y, weights), accept)


def kononenko_cuts(x: Any, y: Any, *, weights: Any = None) -> Floats:
    """Return the cuts that Kononenko's description length accepts, ascending.

    Rows where x is missing are left out.

    >>> kononenko_cuts([1, 2, 3, 4, 5, 6, 7, 8], list("aaaabbbb"))
    array([4.5])
    """

    def accept(left: Floats, right: Floats, cuts: int) -> bool:
        k = _classes(left + right)
        before = _class_bits(left + right, k)
        after = math.log2(cuts) + _class_bits(left, k) + _class_bits(right, k)
        return before - after > 1e-12 * max(before, 1.0)  # equal but for rounding is no saving

    return _cuts(pieces_of(x, y, weights), accept)


def mdlp_needed(left: Any, right: Any, cuts: int | None = None) -> float:
    """Return the gain that a cut into these class counts must exceed, by Fayyad and Irani's code.

    (log2(n - 1) + log2(3**k - 2) - k H + k1 H1 + k2 H2) / n, where k, k1 and k2 are the classes present
    before the cut and on either side; with `cuts`, the number of possible cuts stands in place of n - 1.

    >>> round(mdlp_needed([2, 0], [1, 3]), 6)
    0.791973
    """
    counts = [amounts(cells(side, name), name) for side, name in ((left, "left"), (right, "right"))]
    if counts[0].shape != counts[1].shape or counts[0].ndim != 1:
        raise ValueError("left and right must be the counts of the same classes, one number each.")
    for side, name in zip(counts, ("left", "right"), strict=True):
        if side.any():
            check_size(side, name)
    whole_counts = counts[0] + counts[1]
    n, k = float(whole_counts.sum()), _classes(whole_counts)
    if not n:
        raise ValueError("left and right add up to 0: there is nothing to cut.")
    if cuts is not None and (isinstance(cuts, bool) or not isinstance(cuts, (int, np.integer)) or cuts < 1):
        raise ValueError(f"cuts={cuts!r:.40} must be a whole number of at least 1.")
    choices = n - 1 if cuts is None else cuts
    told = k * math.log2(3) + math.log1p(-2 * 3.0**-k) / math.log(2)  # log2(3**k - 2), for any k
    sides = [(_classes(part), _entropy(part)) for part in (whole_counts, *counts)]
    (_, h), (k1, h1), (k2, h2) = sides
    return (math.log2(max(choices, 1.0)) + told - (k * h - k1 * h1 - k2 * h2)) / n


def gain_of(left: Floats, right: Floats) -> float:
    """Return the information gain, in bits, of a cut into these class counts."""
    both = left + right
    inside = left.sum() * _entropy(left) + right.sum() * _entropy(right)
    return float(_entropy(both) - inside / both.sum())


def _cuts(pieces: Pieces, accept: Accept) -> Floats:
    if not len(pieces.label):
        return np.empty(0)
    pieces = merged(pieces)
    found: list[int] = []
    waiting = [whole(pieces)]
    while waiting:
        segment = waiting.pop()
        at = places(pieces, segment)
        if not len(at) or _classes(segment.counts) < 2:
            continue
        best = _best(pieces, segment, at)
        low, high = divided(pieces, segment, best)
        if accept(low.counts, high.counts, n_cuts(pieces, segment)):
            found.append(best)
            waiting += [low, high]
    return cut_values(pieces, np.array(sorted(found), dtype=np.int64))


def _best(pieces: Pieces, segment: Segment, at: Codes) -> int:
    worth = gains(pieces, segment, at)
    return int(at[int(np.argmax(worth >= worth.max() - EQUAL))])


def _classes(counts: Floats) -> int:
    return int((counts > 0).sum())


def _entropy(counts: Floats) -> float:
    if not counts.any():
        return 0.0
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log2(p)).sum())


def _class_bits(counts: Floats, k: int) -> float:
    """Return log2 of the ways to choose k class counts of this sum, times the ways to order these."""
    n = float(counts.sum())
    nats = math.lgamma(n + k) - math.lgamma(k) - math.lgamma(n + 1)
    nats += math.lgamma(n + 1) - sum(math.lgamma(c + 1) for c in counts[counts > 0].tolist())
    return nats / math.log(2)
