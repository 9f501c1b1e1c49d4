"""Boxes of rows that a tree answers alike, reached test by test from the root.

A cell is on its way: what is left of every column that was asked, the nodes still open with the share of the
row that came there, and the nodes where shares have ended. Where no policy divides a row there is one open
node, and the cells at the end are the boxes of the leaves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from treewright.explain.axis import GAP, Axis, Numbers, Test
from treewright.explain.polytope import Plane, nearest_point, own_point
from treewright.tree import Tree
from treewright.tree.check import CUT, LEAF, SUM
from treewright.tree.policy import gap_policy, unseen_policy
from treewright.tree.terms import VALUE, Term, terms_at

Part = tuple[int, float]  # a node, and the share of the row that is there


class Event(NamedTuple):
    """What happened at one node: the answer, and the way on where the answer is no branch."""

    node: int
    share: float
    answer: int  # a branch, or GAP, or UNSEEN
    way: str  # "test"; else "branch", "surrogate", "divide" or "stop"
    branch: int  # -1 where there is not one
    surrogate: int = -1  # the place of the stand-in that answered


class Cell(NamedTuple):
    """A box on its way down; see the head of this file."""

    box: Mapping[int, Any]  # region by column
    moved: Mapping[int, float]  # cost by column, where the row's own value is outside of the region
    open: tuple[Part, ...]
    parts: tuple[Part, ...]
    planes: tuple[Plane, ...] = ()  # that cut it, of sums of numbers

    @property
    def cost(self) -> float:
        """What it costs to move the row here; exact but for one rounding, so that order does not matter."""
        try:
            return math.fsum(self.moved.values())
        except OverflowError:
            return math.inf


class Cells:
    """A tree, seen from one row: how boxes divide at its nodes.

    >>> import treewright as tw
    >>> from treewright.explain.prices import axes_of
    >>> from treewright.explain.row import row_of
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3, 4], "y": list("aabb")}), target="y")
    >>> cells = Cells(tree, axes_of(tree, row_of(tree, {"x": 2})))
    >>> [(cell.parts, cell.cost) for cell, _ in cells.outcomes(cells.start())]
    [(((1, 1.0),), 0.0), (((2, 1.0),), 0.4)]
    """

    def __init__(self, tree: Tree, axes: Mapping[int, Axis]) -> None:
        self.tree, self.axes = tree, axes
        self.gap = gap_policy(tree.about).way
        self.unseen = unseen_policy(tree.about).way
        self._kind, self._column, self._cut = tree.kind.tolist(), tree.column.tolist(), tree.cut.tolist()

    def start(self, fixed: Mapping[int, Any] | None = None) -> Cell:
        """Return all rows there are; columns in `fixed` have the region given there."""
        return self._settled(Cell({} if fixed is None else dict(fixed), {}, ((0, 1.0),), ()))

    def outcomes(self, cell: Cell) -> Iterator[tuple[Cell, Event]]:
        """Yield the cells that the next open node divides a cell into; refused rows are in none."""
        for found, event in self._divided(cell):
            priced = self._priced(found) if found.planes else found
            if priced is not None:
                yield priced, event

    def _divided(self, cell: Cell) -> Iterator[tuple[Cell, Event]]:
        node, share = cell.open[-1]
        if self._kind[node] == SUM:
            yield from self._of_sum(cell, node, share)
            return
        column = self._column[node]
        for answer, region in self._answers(cell.box, column, self._test(node)):
            box = {**cell.box, column: region}
            if (moved := self._moved(cell.moved, column, region)) is None:
                continue
            if answer >= 0:
                event = Event(node, share, answer, "test", answer)
                yield self._on(cell, box, moved, event), event
            else:
                yield from self._without(cell, box, moved, Event(node, share, answer, "", -1))

    def _of_sum(self, cell: Cell, node: int, share: float) -> Iterator[tuple[Cell, Event]]:
        """Yield what a test on several columns says: conditions and categories divide the box, sums cut."""
        terms = tuple(terms_at(self.tree, node))
        for answer, box, moved in self._with_terms([term for term, _ in terms], cell.box, cell.moved):
            if answer < 0:
                yield from self._without(cell, box, moved, Event(node, share, answer, "", -1))
                continue
            for side in (0, 1):
                event = Event(node, share, side, "test", side)
                cut = self._cut_by(cell, box, Plane(terms, self._cut[node], side))
                if cut is not None:
                    yield self._on(cut, box, moved, event), event

    def _with_terms(self, terms: Sequence[Term], box: Any, moved: Any) -> Iterator[tuple[int, Any, Any]]:
        """Yield the parts of a box in which every term but numbers has one value: 0; or has none."""
        if not terms:
            yield 0, box, moved
            return
        term, axis = terms[0], self.axes[terms[0].column]
        for answer, region in axis.answers(box.get(term.column, axis.everything), self._test_of(term)):
            if (dearer := self._moved(moved, term.column, region)) is None:
                continue
            narrow = {**box, term.column: region}
            if answer < 0:
                yield answer, narrow, dearer
            else:
                yield from self._with_terms(terms[1:], narrow, dearer)

    def _test_of(self, term: Term) -> Test:
        """Return what tells the values of a term apart: of a number in a sum only whether it is there."""
        axis = self.axes[term.column]
        if isinstance(axis, Numbers):
            return math.inf if term.form == VALUE else term.at
        parts: dict[int, int] = {}
        for code in range(len(axis.prices)):
            answer = code if term.form == VALUE else int(term.of_one(code))
            parts[answer] = parts.get(answer, 0) | 1 << code
        return tuple(parts.items())

    def _cut_by(self, cell: Cell, box: Any, plane: Plane) -> Cell | None:
        """Return the cell with a plane through it; None where all of the box lies beyond it."""
        if any(isinstance(self.axes[t.column], Numbers) and t.form == VALUE for t, _ in plane.terms):
            return cell._replace(planes=(*cell.planes, plane))
        return cell if plane.holds(own_point(self.axes, box, [plane])) else None  # the box says all

    def _priced(self, cell: Cell) -> Cell | None:
        """Return a cell with the price of its nearest point, within its planes; None where it is empty."""
        point = nearest_point(self.axes, cell.box, cell.planes)
        if point is None:
            return None
        pairs = ((c, self.axes[c], x) for c, x in point.items())
        costs = {c: axis.cost_of(x) for c, axis, x in pairs if isinstance(axis, Numbers)}
        moved = {c: cost for c, cost in cell.moved.items() if c not in costs}
        return cell._replace(moved=moved | {c: cost for c, cost in costs.items() if cost > 0})

    def pinned(self, cell: Cell) -> Cell:
        """Return a cell with its nearest point in place of what planes leave of columns of numbers."""
        if not cell.planes:
            return cell
        point = nearest_point(self.axes, cell.box, cell.planes) or {}
        numbers = {c: (x, x, False) for c, x in point.items() if isinstance(self.axes[c], Numbers)}
        return cell._replace(box={**cell.box, **numbers})

    def _without(self, cell: Cell, box: Any, moved: Any, event: Event) -> Iterator[tuple[Cell, Event]]:
        """Yield what becomes of rows that have no answer here."""
        node, as_gap = event.node, event.answer == GAP or self.unseen == "as_missing"
        way = self.gap if as_gap else self.unseen
        missing = int(self.tree.missing[node])
        detour = missing if as_gap and missing >= 0 else int(self.tree.largest[node])
        if way == "surrogate":
            detour = missing  # below 0: no branch is heavier, and the row stops
        if way == "refuse":
            return
        if way == "divide" and not self._shares(node):
            way = "stop"
        if way == "surrogate":
            yield from self._stand_ins(cell, box, moved, event._replace(way=way), detour)
            return
        event = event._replace(way=way, branch=detour if way == "branch" else -1)
        yield self._on(cell, box, moved, event), event

    def _stand_ins(
        self, cell: Cell, box: Any, moved: Any, event: Event, detour: int, tried: int = 0
    ) -> Iterator[tuple[Cell, Event]]:
        """Yield the answers of the stand-ins in turn; the detour for rows that none can place."""
        place = int(self.tree.surrogate_start[event.node]) + tried
        if place == self.tree.surrogate_start[event.node + 1]:
            event = self._unplaced(event, detour)
            yield self._on(cell, box, moved, event), event
            return
        column = int(self.tree.surrogate_column[place])
        flip = bool(self.tree.surrogate_flip[place])
        for answer, region in self._answers(box, column, self._surrogate(place)):
            narrow = {**box, column: region}
            if (dearer := self._moved(moved, column, region)) is None:
                continue
            if answer < 0:
                yield from self._stand_ins(cell, narrow, dearer, event, detour, tried + 1)
            else:
                branch = 1 - answer if flip else answer  # below 0: it names no branch; the detour is taken
                found = event._replace(branch=branch, surrogate=place)
                found = found if branch >= 0 else self._unplaced(found, detour)
                yield self._on(cell, narrow, dearer, found), found

    def _unplaced(self, event: Event, detour: int) -> Event:
        """Return what happens where no stand-in says a branch."""
        return event._replace(branch=detour, way=event.way if detour >= 0 else "stop")

    def _on(self, cell: Cell, box: Any, moved: Any, event: Event) -> Cell:
        """Return the cell after an event."""
        rest = cell.open[:-1]
        cell = cell._replace(box=box, moved=moved)
        if event.way == "stop":
            parts = (*cell.parts, (event.node, event.share))
            return self._settled(cell._replace(open=rest, parts=parts))
        if event.way == "divide":
            shares = self._shares(event.node)
            added = [(child, event.share * share) for child, share in reversed(shares)]
            return self._settled(cell._replace(open=(*rest, *added)))
        child = self.tree.children(event.node)[event.branch]
        return self._settled(cell._replace(open=(*rest, (child, event.share))))

    def _settled(self, cell: Cell) -> Cell:
        """Return the cell with no leaf on top of its open nodes."""
        still, parts = cell.open, cell.parts
        while still and self._kind[still[-1][0]] == LEAF:
            parts, still = (*parts, still[-1]), still[:-1]
        return cell._replace(open=still, parts=parts)

    def _shares(self, node: int) -> list[Part]:
        """Return the branches that a divided row takes, with their shares; none where the row stays."""
        children = self.tree.children(node)
        total = 0.0
        for child in children:
            total += float(self.tree.weights[child])
        if not 0 < total < math.inf:
            return []
        found = [(child, float(self.tree.weights[child]) / total) for child in children]
        return [(child, share) for child, share in found if share > 0]

    # ---- tests

    def _answers(self, box: Mapping[int, Any], column: int, test: Test) -> Iterator[tuple[int, Any]]:
        axis = self.axes[column]
        return axis.answers(box.get(column, axis.everything), test)

    def _moved(self, moved: Mapping[int, float], column: int, region: Any) -> Mapping[int, float] | None:
        """Return the costs with those of one column; None where no finite move leads there."""
        axis = self.axes[column]
        if axis.holds(region):
            return moved
        cost = axis.cost(region)
        return None if cost == math.inf else {**moved, column: cost}

    def _test(self, node: int) -> Test:
        tree = self.tree
        span = slice(int(tree.code_start[node]), int(tree.code_start[node + 1]))
        return self._as_test(
            self._column[node], self._kind[node], self._cut[node], tree.code[span], tree.code_branch[span]
        )

    def _surrogate(self, place: int) -> Test:
        tree = self.tree
        span = slice(int(tree.surrogate_code_start[place]), int(tree.surrogate_code_start[place + 1]))
        return self._as_test(
            int(tree.surrogate_column[place]),
            int(tree.surrogate_kind[place]),
            float(tree.surrogate_cut[place]),
            tree.surrogate_code[span],
            tree.surrogate_code_branch[span],
        )

    def _as_test(self, column: int, kind: int, cut: float, codes: Any, branches: Any) -> Test:
        about = self.tree.schema.columns[column]
        if about.is_numeric:
            return cut
        if kind == CUT:  # an ordinal column is cut by rank
            last = len(about.categories) - 1
            below = (1 << (last + 1 if cut >= last else max(math.floor(cut) + 1, 0))) - 1
            return ((0, below), (1, (1 << last + 1) - 1 & ~below))
        found: dict[int, int] = {}
        for code, branch in zip(codes.tolist(), branches.tolist(), strict=True):
            found[branch] = found.get(branch, 0) | 1 << code
        return tuple(sorted(found.items()))


def walked(cells: Cells) -> tuple[Cell, tuple[Event, ...]]:
    """Return the box that holds the row itself, and what happened on the way.

    >>> import treewright as tw
    >>> from treewright.explain.prices import axes_of
    >>> from treewright.explain.row import row_of
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> row = {"Outlook": "Sunny", "Humidity": "High", "Wind": "Weak"}
    >>> cell, events = walked(Cells(tree, axes_of(tree, row_of(tree, row))))
    >>> cell.parts, [event.node for event in events]
    (((2, 1.0),), [0, 1])
    """
    cell, events = cells.start(), []
    while cell.open:
        cell, event = next(found for found in cells.outcomes(cell) if not found[0].moved)
        events.append(event)
    return cell, tuple(events)


def may_divide(cells: Cells) -> bool:
    """Whether a row like this one, or a changed one, can go down several branches at once."""
    if "divide" not in (cells.gap, cells.unseen):
        return False
    if not all(axis.is_known for axis in cells.axes.values()):
        return True
    tree = cells.tree
    n_codes = np.array([len(column.categories) for column in tree.schema.columns])
    inner = np.flatnonzero((tree.kind != LEAF) & (tree.kind != CUT) & (tree.kind != SUM))
    return bool((np.diff(tree.code_start)[inner] < n_codes[tree.column[inner]]).any())
