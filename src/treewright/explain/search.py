"""The least change that gives a wanted answer: boxes of the tree, cheapest first.

A box costs what its nearest point costs, and parts of a box never cost less than the whole. So boxes are
opened in the order of their costs, and the first that is answered as wanted is the best there is: none can be
cheaper. A subtree in which no leaf says what is wanted is not opened at all.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import nearest
from treewright.explain.axis import Codes, Numbers
from treewright.explain.cell import Cell, Cells, Part, may_divide
from treewright.predict import shares
from treewright.predict.vote import cheapest as class_of
from treewright.table.raw import label
from treewright.tree import Tree

MOST_CELLS = (
    100_000  # boxes that are opened where gaps divide rows; without division there are fewer than nodes
)


@dataclass(frozen=True)
class Wanted:
    """The answers that are asked for: classes, or numbers between two ends (which belong to them).

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> Wanted.of(tree, "Yes", 1)
    Wanted(classes=(0,), low=None, high=None)
    >>> Wanted.of(tree, "yes!", 1)
    Traceback (most recent call last):
    ValueError: wanted='yes!' is no class of 'PlayTennis'; did you mean 'Yes'?
    """

    classes: tuple[int, ...] = ()
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, tree: Tree, wanted: Any, said: int) -> Wanted | None:
        """Return what is asked for: without a wish any other class; of numbers, nothing."""
        if not tree.is_classifier:
            return None if wanted is None else cls((), *_bounds(wanted))
        if wanted is None:
            return cls(tuple(code for code in range(len(tree.classes)) if code != said))
        several = wanted if isinstance(wanted, (list, tuple, set, frozenset)) else [wanted]
        return cls(tuple(sorted({_class(tree, one) for one in several})))

    def takes(self, answers: NDArray[Any]) -> NDArray[np.bool_]:
        """Say of class numbers, or of numbers, whether they are wanted."""
        if self.low is None and self.high is None:
            return np.isin(answers, self.classes)
        low = -np.inf if self.low is None else self.low
        high = np.inf if self.high is None else self.high
        return np.asarray((answers >= low) & (answers <= high))


def _class(tree: Tree, wanted: Any) -> int:
    name = label(wanted)
    if name in tree.classes:
        return tree.classes.index(name)
    near = nearest(name, tree.classes)
    hint = f"did you mean {near!r}?" if near else f"the classes are {', '.join(map(repr, tree.classes[:8]))}."
    raise ValueError(f"wanted={name!r} is no class of {tree.target.name!r}; {hint}")


def _bounds(wanted: Any) -> tuple[float | None, float | None]:
    is_pair = isinstance(wanted, (list, tuple)) and len(wanted) == 2
    ends = list(wanted) if is_pair else []
    is_good = all(end is None or (isinstance(end, (int, float)) and end == end) for end in ends)
    if not is_pair or not is_good or ends == [None, None]:
        raise ValueError(
            "For a number wanted= is a pair of ends, such as (200, None) for at least 200; "
            f"found {wanted!r:.80}."
        )
    low, high = ends
    if low is not None and high is not None and low > high:
        raise ValueError(f"wanted={wanted!r}: no number lies between these ends; the lower comes first.")
    return low, high


class Found(NamedTuple):
    """Boxes that are answered as wanted, cheapest first, and whether nothing cheaper can have been missed."""

    cells: list[Cell]
    is_proven: bool


def cheapest(cells: Cells, wanted: Wanted, fixed: Mapping[int, Any], most: int) -> Found:
    """Return at most so many boxes, cheapest first; of equals those with fewer changes, then heavier ones.

    A box is left out where a cheaper one is on the way to it: the same changes, going less far. Boxes are not
    more than nodes, so that all are tried, unless gaps divide the row or ask stand-ins: then a search may be
    given up, and the answer says so.
    """
    answer, is_open = Answers(cells.tree), _hopeful(cells, wanted)
    counter = itertools.count()
    first = cells.start(fixed)
    heap: list[tuple[float, int, int, Cell]] = [(0.0, 0, next(counter), first)]
    taken: list[Cell] = []
    level: list[Cell] = []  # boxes found at one cost with one number of changes
    at, n_opened = (0.0, 0), 0
    while heap:
        cost, n_moved, _, cell = heapq.heappop(heap)
        if (cost, n_moved) != at:
            taken, level, at = _joined(cells, taken, level, most), [], (cost, n_moved)
            if len(taken) >= most:
                break
        if not cell.open:
            if wanted.takes(np.array([answer.of(cell.parts)]))[0]:
                level.append(cells.pinned(cell))
            continue
        n_opened += 1 + len(cell.parts) // 200  # a row in very many parts takes longer
        if n_opened > max(MOST_CELLS, 2 * cells.tree.n_nodes):
            return Found(_joined(cells, taken, level, most), False)
        for found, _ in cells.outcomes(cell):
            if is_open(found) and (price := found.cost) < math.inf:
                heapq.heappush(heap, (price, len(found.moved), next(counter), found))
    return Found(_joined(cells, taken, level, most), True)


def _hopeful(cells: Cells, wanted: Wanted) -> Callable[[Cell], bool]:
    """Return what says of a box whether it may still be answered as wanted."""
    if may_divide(cells):
        return lambda _: True  # sums of several leaves may say what none of them does
    tree = cells.tree
    good = wanted.takes(tree.label if tree.is_classifier else tree.stats[:, 1])
    if "stop" not in (cells.gap, cells.unseen):
        good = good & tree.leaf_mask
    before = np.concatenate([[0], np.cumsum(good)]).tolist()
    end = tree.end.tolist()

    def is_hopeful(cell: Cell) -> bool:
        node = (cell.open or cell.parts)[0][0]
        return bool(before[end[node]] > before[node])

    return is_hopeful


class Answers:
    """What a tree says to a row whose parts are at these nodes: a class number, or a number.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "b"]}), target="y")
    >>> Answers(tree).of([(1, 0.4), (2, 0.6)])
    1
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._shares: Any = None

    def of(self, parts: Sequence[Part]) -> Any:
        """Return the answer to a row divided like this."""
        tree = self.tree
        if len(parts) == 1:
            node = parts[0][0]
            return int(tree.label[node]) if tree.is_classifier else float(tree.stats[node, 1])
        if self._shares is None:
            self._shares = shares(tree) if tree.is_classifier else tree.stats[:, 1:2]
        total = np.zeros(self._shares.shape[1])
        for node, share in parts:
            total += self._shares[node] * share
        return int(class_of(tree, total[None])[0]) if tree.is_classifier else float(total[0])


def _joined(cells: Cells, taken: list[Cell], level: list[Cell], most: int) -> list[Cell]:
    """Return boxes with those of the next level, heaviest first, that no cheaper one leads to."""
    weights = cells.tree.weights
    found = list(taken)
    order = sorted(
        level, key=lambda cell: (-sum(s * float(weights[n]) for n, s in cell.parts), cell.parts[0])
    )
    for cell in order:
        if not any(_is_on_the_way(cells, known, cell) for known in found):
            found.append(cell)
    return found[:most]


def _is_on_the_way(cells: Cells, near: Cell, far: Cell) -> bool:
    """Whether all changes of one box are made, or exceeded, by those of another."""
    return all(
        column in far.moved and _goes_as_far(cells.axes[column], near.box[column], far.box[column])
        for column in near.moved
    )


def _goes_as_far(axis: Numbers | Codes, near: Any, far: Any) -> bool:
    a, b = axis.nearest(near), axis.nearest(far)
    if isinstance(axis, Codes) and (axis.values is None or axis.value is None):
        return a == b
    if isinstance(axis, Codes):
        own, values = axis.value, axis.values
        a, b = values[a], values[b]  # type: ignore[index]
    else:
        own = axis.value
    if own != own or own is None:
        return a == b
    return own < a <= b or own > a >= b
