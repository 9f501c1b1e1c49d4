"""The loop: open nodes, search, decide, apply; a level at a time, or best first under a budget of leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from treewright import _core
from treewright.growth.frontier import BestFirst
from treewright.growth.question import Question, core_columns
from treewright.growth.settings import Settings
from treewright.growth.sourced.checks import check_served
from treewright.growth.sourced.edges import balanced_edges
from treewright.growth.sourced.layout import grafted, preorder
from treewright.growth.sourced.search import Measured, Node, Search
from treewright.growth.sourced.source import NO_CODES, Ask, Cells, Ints, Keys, Move, Source
from treewright.table import Kind

WITH_BOUNDS = ("gini", "entropy", "squared_error")


def grow_sourced(
    source: Source, question: Question, settings: Settings, *, gather_below: int = 0
) -> dict[str, Any]:
    """Return the arrays of the tree on the rows of a source, as the core returns them.

    `question` says what is asked of the rows: columns, target, units; its own rows are not looked at. The
    rows of a node that holds no more than `gather_below` are gathered, and its subtree grown in memory.
    """
    return _Growth(source, question, settings, gather_below).run()


class _Growth:
    def __init__(self, source: Source, question: Question, settings: Settings, gather_below: int) -> None:
        self.source, self.question, self.settings = source, question, settings
        columns = question.schema.columns
        forms = [_form_is_cut(column, settings) for column in columns]
        self.n_columns = len(columns)
        whole = [np.zeros(0, dtype=np.uint64)] * len(columns)
        ranges = source.count([Ask(0, c, edges) for c, edges in enumerate(whole)])
        self.has_gaps = np.array([cells.figures[-1, 0] > 0 for cells in ranges], dtype=np.uint8)
        check_served(settings, question, bool(self.has_gaps.any()))
        self.growth = self._empty_growth()
        self.search = Search(
            source,
            self.growth,
            forms,
            self._edges(forms, ranges),
            question.is_classifier,
            asks_each=self._asks_each(forms),
            opens_all=self._opens_all(),
        )
        self.n_gathered = gather_below if self._may_gather() else 0
        self.gathered: dict[int, dict[str, Any]] = {}
        self.children: dict[int, tuple[int, int]] = {}
        self.n_nodes = 1
        self.root = self._root(ranges)

    # ---- what the core is told ---------------------------------------------------------------------

    def _empty_growth(self) -> _core.Growth:
        """Return a growth on a table of no rows: it judges figures, and lays out the tree."""
        question = self.question
        values = [_no_values(column.kind) for column in question.schema.columns]
        columns = core_columns(question.schema, values, self.settings)
        make = _core.Growth.of_classes if question.is_classifier else _core.Growth.of_numbers
        empty = replace(
            question, columns=columns, answers=question.answers[:0].copy(), units=np.zeros(0, np.int64)
        )
        growth: _core.Growth = empty.put_to(make)
        return growth

    def _asks_each(self, is_cut: Sequence[bool]) -> bool:
        """Tell whether the best test of each column is wanted: filters may refuse the best of the node."""
        core = self.question.core
        has_multiway = self.settings.splits == "multiway" and not all(is_cut)
        return (
            core.keep_ledger
            or core.significance < 1
            or core.use_average_gain
            or (self.settings.max_leaves is not None and has_multiway)
        )

    def _opens_all(self) -> bool:
        """Tell whether no bound serves: all values are looked at."""
        core = self.question.core
        inside = "entropy" if core.use_average_gain else self.question.criterion
        return core.use_c45_cuts or inside not in WITH_BOUNDS

    def _may_gather(self) -> bool:
        """Tell whether a subtree is the same whatever lies above it."""
        core, settings = self.question.core, self.settings
        return not (
            settings.max_leaves is not None
            or core.keep_ledger
            or core.use_average_gain
            or core.use_once
            or core.use_c45_cuts
            or core.collapse_margin >= 0
            or (core.is_gain_of_table and core.min_gain > 0)
        )

    def _edges(self, is_cut: Sequence[bool], ranges: Sequence[Cells]) -> list[Keys]:
        numbers = balanced_edges(self.source, {c: ranges[c] for c in range(self.n_columns) if is_cut[c]})
        columns = self.question.schema.columns
        return [
            numbers[c] if is_cut[c] else np.arange(1, max(1, len(columns[c].categories)), dtype=np.uint64)
            for c in range(self.n_columns)
        ]

    # ---- open --------------------------------------------------------------------------------------

    def _root(self, ranges: Sequence[Cells]) -> Node:
        return self._opened([_Child(_Sum.of(ranges[0]), number=0, parent=-1, depth=0, used=[])])[0]

    def _opened(self, children: Sequence[_Child]) -> list[Node]:
        """Return nodes by what their rows amount to, put into the tree."""
        growth = self.growth
        asks = [
            (child.number, *growth.squares_about(child.sum.figures, child.sum.least, child.sum.greatest))
            for child in children
        ]
        squares = [0] * len(asks) if self.question.is_classifier else self.source.squares(asks)
        nodes = []
        for child, square in zip(children, squares, strict=True):
            figures, least, greatest = child.sum
            held = growth.open_figures(figures, least, greatest, float(square), child.depth, child.used)
            growth.add(held, child.parent)
            nodes.append(Node(child.number, held, figures, child.used))
        return nodes

    # ---- the two frontiers -------------------------------------------------------------------------

    def run(self) -> dict[str, Any]:
        if self.settings.max_leaves is None:
            self._level_by_level()
        else:
            self._best_first(self.settings.max_leaves)
        arrays = self.growth.tree()
        arrays["gaps"] = self.has_gaps
        if not self.gathered:
            return arrays
        place = preorder(self.children)
        return grafted(arrays, {place[number]: sub for number, sub in self.gathered.items()})

    def _level_by_level(self) -> None:
        level = [self.root]
        while level:
            for node in level:
                self._gather(node)
            open_nodes = [node for node in level if node.number not in self.gathered]
            decided = self._decide(open_nodes)
            level = self._apply(decided)

    def _best_first(self, max_leaves: int) -> None:
        frontier = BestFirst[tuple[Node, _core.Offer]](max_leaves)

        def enqueue(nodes: Sequence[Node]) -> None:
            for node, offer in self._decide(nodes, frontier.room):
                gain = offer.gain * node.held.weight
                frontier.push((node, offer), gain, node.number, offer.n_branches)

        def look_again(waiting: tuple[Node, _core.Offer]) -> None:
            """For a test with fewer branches."""
            self.growth.make_leaf(waiting[0].number)
            enqueue([waiting[0]])

        enqueue([self.root])
        frontier.run(lambda waiting: enqueue(self._apply([waiting])), look_again)

    # ---- decide ------------------------------------------------------------------------------------

    def _decide(self, nodes: Sequence[Node], room: int = 2**62) -> list[tuple[Node, _core.Offer]]:
        """Return the nodes that are divided, each with the offer that is taken."""
        core, growth = self.question.core, self.growth
        if room < 2 and not core.keep_ledger:
            return []
        asking = [node for node in nodes if not growth.is_finished(node.held)]
        fresh = [node for node in asking if not node.columns]
        if fresh:
            self.search.measure(fresh)
        found = []
        for node in asking:
            offers = self.search.offers(node, self.n_columns)
            offers, chosen = growth.decide(node.held, offers, self.root.held, room=room)
            if core.keep_ledger:
                growth.keep_offers(node.number, [self._stored(offer) for offer in offers])
            if chosen is not None:
                found.append((node, self._stored(offers[chosen])))
        return found

    def _stored(self, offer: _core.Offer) -> _core.Offer:
        """Return the offer with its cut as it is kept: in C4.5 the largest value not above the midpoint."""
        if not self.question.core.use_c45_cuts or not np.isfinite(offer.cut):
            return offer
        return offer.with_cut(self.source.largest_at_most(offer.column, _just_above(offer.cut)))

    # ---- apply -------------------------------------------------------------------------------------

    def _apply(self, decided: Sequence[tuple[Node, _core.Offer]]) -> list[Node]:
        """Return the children of nodes; the source divides their rows, all in one pass."""
        moves: list[Move] = []
        children: list[_Child] = []
        largest: list[int] = []
        for node, offer in decided:
            sums, missing, most = self._divided(node, offer)
            first, used = self.n_nodes, self.growth.used_below(node.held, offer)
            moves.append(_move(node, offer, self.search.is_cut[offer.column], missing, first))
            depth = node.held.depth + 1
            children += [_Child(of, first + b, node.number, depth, used) for b, of in enumerate(sums)]
            largest.append(most)
            self.children[node.number] = (first, offer.n_branches)
            self.n_nodes += offer.n_branches
            node.columns = []
        self.source.apply(moves)
        nodes = self._opened(children)
        for (_, offer), move, most in zip(decided, moves, largest, strict=True):
            self.growth.split(move.node, offer, move.missing, most, move.first)
        return nodes

    def _divided(self, node: Node, offer: _core.Offer) -> tuple[list[_Sum], int, int]:
        """Return what each branch receives, the branch of the gaps and the largest branch."""
        measured = next(m for m in node.columns if m.column == offer.column)
        branch = _branches(measured, offer)
        sums = [_Sum.of(measured.cells.take(branch == b)) for b in range(offer.n_branches)]
        gaps, is_classifier = _Sum.of(measured.gaps), self.question.is_classifier
        known = [of.weight(is_classifier) for of in sums]
        missing, largest = self.growth.placed(node.held, offer, known, gaps.weight(is_classifier))
        if missing >= 0:
            sums[missing] = sums[missing].plus(gaps)
        return sums, missing, largest

    # ---- gather ------------------------------------------------------------------------------------

    def _gather(self, node: Node) -> None:
        """Grow the subtree of a small node in memory."""
        if not 0 < node.held.n_rows <= self.n_gathered or self.growth.is_finished(node.held):
            return
        rows = self.source.gather(node.number)
        question = self.question
        below = _copy(question.core)
        if self.settings.max_depth is not None:
            below.max_depth = self.settings.max_depth - node.held.depth
        columns = core_columns(question.schema, rows.values, self.settings)
        here = replace(question, columns=columns, answers=rows.target, units=rows.weight, core=below)
        self.gathered[node.number] = here.put_to(
            _core.grow_classes if question.is_classifier else _core.grow_numbers, None
        )


class _Sum(NamedTuple):
    """What rows amount to: figures, and the least and greatest target."""

    figures: Ints
    least: int
    greatest: int

    @classmethod
    def of(cls, cells: Cells) -> _Sum:
        """Return the sum of cells."""
        full = cells.take(np.flatnonzero(cells.figures[:, 0]))
        if not len(full.low):
            return cls(np.zeros(cells.figures.shape[1], dtype=np.int64), 0, 0)
        return cls(full.figures.sum(axis=0), int(full.least.min()), int(full.greatest.max()))

    def plus(self, other: _Sum) -> _Sum:
        """Return the sum of both."""
        if not other.figures[0] or not self.figures[0]:
            return other if other.figures[0] else self
        least, greatest = min(self.least, other.least), max(self.greatest, other.greatest)
        return _Sum(self.figures + other.figures, least, greatest)

    def weight(self, is_classifier: bool) -> int:
        """Return the weight, in units."""
        return int(self.figures[1:].sum() if is_classifier else self.figures[1])


class _Child(NamedTuple):
    """A node that is to be opened."""

    sum: _Sum
    number: int
    parent: int
    depth: int
    used: list[int]


def _move(node: Node, offer: _core.Offer, is_cut: bool, missing: int, first: int) -> Move:
    codes, branches = (NO_CODES, NO_CODES) if is_cut else (offer.codes, offer.branches)
    cut = float(offer.cut) if is_cut else np.nan
    return Move(node.number, offer.column, cut, codes, branches, offer.n_branches, missing, first)


def _branches(measured: Measured, offer: _core.Offer) -> Any:
    """Return the branch of each cell of the chosen column."""
    n = len(measured.cells.low)
    if measured.is_cut:
        return (np.arange(n) > offer.place).astype(np.int64)
    at = np.searchsorted(offer.codes, measured.cells.low.astype(np.int64))
    return offer.branches[at]


def _form_is_cut(column: Any, settings: Settings) -> bool:
    return column.is_numeric or (column.kind == Kind.ordinal and settings.splits != "multiway")


def _no_values(kind: Kind) -> Any:
    return np.zeros(0, dtype=np.float64 if kind.is_numeric else np.int32)


def _just_above(middle: float) -> float:
    """Return the largest number that C4.5 takes for not above a midpoint: less than 1e-6 above it."""
    found = middle + 1e-6
    while found > middle and not found - middle < 1e-6:
        found = float(np.nextafter(found, -np.inf))
    while (more := float(np.nextafter(found, np.inf))) - middle < 1e-6:
        found = more
    return max(found, middle)


def _copy(core: _core.Settings) -> _core.Settings:
    found = _core.Settings()
    for name in dir(core):
        if not name.startswith("_"):
            setattr(found, name, getattr(core, name))
    return found
