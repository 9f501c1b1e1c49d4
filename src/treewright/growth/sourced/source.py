"""What growth asks of rows that it does not hold: the protocol, and the values that travel.

Every answer of several parts is the sum, or the union, of their answers: integers are added, least and
greatest merged, sets joined. So it does not matter how the rows are divided among the parts.

Values travel as **keys**, unsigned integers in the order of the values: numbers and ordered categories as
the bits of a float64 (0 and -0 are one, float32 is widened), other categories as their code. A missing value
is no key; it is counted apart.

**Figures** are what rows amount to, as a row of int64. Classes: the number of rows, then the weight of each
class. Numbers: rows, weight, and the sum of weight times target in four limbs of 32 bits, least significant
first. Weights and targets are whole numbers of one unit, the same for all parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

SIGN = 1 << 63
NO_CODES: Codes = np.zeros(0, dtype=np.int32)
SIDES_WIDTH = 3  # of figures where the branches of a test are the classes
NO_SHARES: Ints = np.zeros(0, dtype=np.int64)


class StandIn(NamedTuple):
    """A test that is asked where a row lacks the value of another: x <= cut left, or by category.

    `is_flipped`: what goes left here goes right there.
    """

    column: int
    cut: float
    codes: Codes  # ascending; none: a cut
    branches: Codes
    is_flipped: bool


class Move(NamedTuple):
    """Where the rows of a node go: x <= cut left, or by category.

    A row without a value asks the stand-ins, one after the other. If none has an answer it is divided among
    the branches in proportion to `shares`, or goes to `missing` as a whole; -1: nowhere.
    """

    node: int
    column: int
    cut: float
    codes: Codes  # ascending; none: a cut
    branches: Codes
    n_branches: int
    missing: int
    first: int  # the number of the first child; the others follow
    shares: Ints = NO_SHARES  # the weight of each branch's rows with a value; none: rows are not divided
    stand_ins: tuple[StandIn, ...] = ()


class Ask(NamedTuple):
    """Count a column of a node in cells: edges[j - 1] <= key < edges[j]; gaps are one more cell, the last.

    `side`: a test of two branches, which are the classes then; rows without its value are left out.
    `is_rough`: the least and greatest key of a cell may be those of more rows than the node's.
    """

    node: int
    column: int
    edges: Keys
    side: Move | None = None
    is_rough: bool = False


class Stretches(NamedTuple):
    """Look at the values of a column in a node from first[i] to last[i], both included, ascending.

    `side` is as in `Ask`; `n_rows` of the node are in the stretches, as far as that is known.
    """

    node: int
    column: int
    first: Keys
    last: Keys
    side: Move | None = None
    n_rows: int = 0


class Cells(NamedTuple):
    """What lies in cells: figures, the least and greatest key of each, the least and greatest target.

    In an empty cell the least is above the greatest.
    """

    figures: Ints  # cells x width
    low: Keys
    high: Keys
    least: Ints
    greatest: Ints

    def take(self, which: Any) -> Cells:
        """Return some of the cells."""
        return Cells(*(part[which] for part in self))


class Gathered(NamedTuple):
    """Rows with all they hold: a column of values each, their targets and weights in whole units."""

    values: tuple[NDArray[Any], ...]
    target: NDArray[Any]
    weight: Ints


class Draw(NamedTuple):
    """The rows of a tree of a forest: drawn with replacement, keyed by their numbers in the whole table."""

    seed: int
    tree: int
    n_rows: int  # of the whole table
    n_draws: int


class Source(Protocol):
    """Rows that answer questions; the root is node 0 and holds them all.

    Growth asks about many nodes at once, a level at a time where it can: an answer may cost a pass over a
    disk or a round through a cluster.
    """

    def start(self, lot: Draw | None = None) -> None:
        """Bring all rows back to the root: each as it is, or those that a draw says, as often as it says."""
        ...

    def count(self, asks: Sequence[Ask]) -> list[Cells]:
        """Return what lies in the cells of each ask."""
        ...

    def look(self, asks: Sequence[Stretches]) -> list[Cells]:
        """Return a cell for each value in the stretches, ascending."""
        ...

    def squares(self, asks: Sequence[tuple[int, int, int]]) -> list[int]:
        """Return for each (node, centre, shift) the sum of weight * ((y - centre + half) >> shift)^2."""
        ...

    def present(self, node: int, column: int) -> Keys:
        """Return the keys of a column in a node, ascending, each once."""
        ...

    def largest_at_most(self, column: int, x: float) -> float:
        """Return the greatest value of a column among all rows since `start` not above x; else -inf."""
        ...

    def apply(self, moves: Sequence[Move]) -> None:
        """Divide nodes among their children."""
        ...

    def gather(self, nodes: Sequence[int]) -> Iterable[Gathered]:
        """Return the rows of each node themselves, one node after the other."""
        ...

    def tally(self, moves: Sequence[Move], n_nodes: int) -> Ints:
        """Return the figures of each node of a tree (nodes x width), all rows since `start` going down it."""
        ...


@runtime_checkable
class TakesMany(Protocol):
    """A source that answers many questions as quickly as one."""

    def largest_of_each(self, asks: Sequence[tuple[int, float]]) -> list[float]:
        """Return `largest_at_most` of each column and number, all at once."""
        ...


@runtime_checkable
class Prepared(TakesMany, Protocol):
    """A source that has counted its rows in cells before, so that reading their values costs more than cells.

    Rough answers are quick there, and it has cells of its own.
    """

    def edges(self, column: int) -> Keys:
        """Return the edges of the cells of a column."""
        ...


def key_of(x: float) -> int:
    """Return the key of a number.

    >>> key_of(-1.0) < key_of(-0.0) == key_of(0.0) < key_of(5e-324) < key_of(float("inf"))
    True
    """
    return int(keys_of(np.array([x]))[0])


def keys_of(values: NDArray[np.float64]) -> Keys:
    """Return the keys of numbers that are no gaps."""
    bits = np.asarray(values + 0.0, dtype=np.float64).view(np.uint64)  # -0.0 + 0.0 is 0.0
    sign = np.uint64(SIGN)
    return np.where(bits & sign, ~bits, bits | sign)


def numbers_of(keys: Keys) -> NDArray[np.float64]:
    """Return the numbers that keys stand for.

    >>> numbers_of(keys_of(np.array([-2.5, 0.0, 1e300]))).tolist()
    [-2.5, 0.0, 1e+300]
    """
    sign = np.uint64(SIGN)
    return np.where(keys & sign, keys & ~sign, ~keys).view(np.float64)


def added(parts: Sequence[Cells]) -> Cells:
    """Return what lies in the same cells of several parts together.

    >>> one = Cells(np.array([[1, 1, 0]]), *(np.array([k], np.uint64) for k in (5, 5)), *np.array([[0], [0]]))
    >>> two = Cells(np.array([[2, 0, 2]]), *(np.array([k], np.uint64) for k in (3, 9)), *np.array([[1], [1]]))
    >>> both = added([one, two])
    >>> both.figures.tolist(), both.low.tolist(), both.high.tolist()
    ([[3, 1, 2]], [3], [9])
    """
    return Cells(
        np.sum([part.figures for part in parts], axis=0, dtype=np.int64),
        np.min([part.low for part in parts], axis=0),
        np.max([part.high for part in parts], axis=0),
        np.min([part.least for part in parts], axis=0),
        np.max([part.greatest for part in parts], axis=0),
    )


def joined(parts: Sequence[Cells]) -> Cells:
    """Return cells of one value each from several parts: sorted, equal values merged."""
    all_of = Cells(*(np.concatenate(fields) for fields in zip(*parts, strict=True)))
    if not len(all_of.low):
        return all_of
    ordered = all_of.take(np.argsort(all_of.low, kind="stable"))
    start = np.flatnonzero(np.concatenate([[True], ordered.low[1:] != ordered.low[:-1]]))
    return Cells(
        np.add.reduceat(ordered.figures, start, axis=0),
        ordered.low[start],
        ordered.high[start],
        np.minimum.reduceat(ordered.least, start),
        np.maximum.reduceat(ordered.greatest, start),
    )
