"""The loop: open nodes, search, decide, apply; a level at a time, or best first under a budget of leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from treewright import _core
from treewright.base.progress import watcher
from treewright.growth.frontier import BestFirst
from treewright.growth.question import Question, core_columns
from treewright.growth.settings import Settings
from treewright.growth.sourced.cells import amounts
from treewright.growth.sourced.checks import check_served
from treewright.growth.sourced.drawn import ROOT, DrawnColumns, path_of_branch
from treewright.growth.sourced.edges import balanced_edges, category_edges
from treewright.growth.sourced.fill import Fill
from treewright.growth.sourced.layout import grafted, preorder
from treewright.growth.sourced.search import Node, Search
from treewright.growth.sourced.source import (
    NO_CODES,
    Ask,
    Cells,
    Draw,
    Gathered,
    Ints,
    Keys,
    Move,
    Prepared,
    Source,
    TakesMany,
)
from treewright.growth.sourced.stand_ins import Asked, StandInSearch, stand_in
from treewright.growth.sourced.together import IntegrityError
from treewright.growth.sourced.units import copied
from treewright.table import Kind
from treewright.tree.policy import GAPS

MOST_GATHERED = 1 << 20  # rows at a time
MOST_CELLS = 1 << 25  # numbers that the cells of nodes may hold at once
WITH_BOUNDS = ("gini", "entropy", "squared_error")


class Growing:
    """A tree on its way, on the rows of a source.

    `question` says what is asked of the rows: columns, target, units; its own rows are not looked at. The
    rows of a node that holds no more than `gather_below` are gathered, and its subtree grown in memory.
    """

    def __init__(
        self,
        source: Source,
        question: Question,
        settings: Settings,
        gather_below: int = 0,
        lot: Draw | None = None,
    ) -> None:
        check_served(settings, question)
        self.lot = lot
        self.is_prepared = isinstance(source, Prepared)
        source.start(lot)
        self.source, self.question, self.settings = source, question, settings
        columns = question.schema.columns
        forms = [_form_is_cut(column, settings) for column in columns]
        self.n_columns = len(columns)
        whole = [np.zeros(0, dtype=np.uint64)] * len(columns)
        ranges = source.count([Ask(0, c, edges, is_rough=self.is_prepared) for c, edges in enumerate(whole)])
        self.has_gaps = np.array([cells.figures[-1, 0] > 0 for cells in ranges], dtype=np.uint8)
        self.growth = self._empty_growth()
        self.search = Search(
            source,
            self.growth,
            forms,
            self._edges(forms, ranges),
            question.is_classifier,
            asks_each=self._asks_each(forms),
            opens_all=self._opens_all(),
            fill=Fill(question, forms),
            is_rough=self.is_prepared and self._may_be_rough(),
            drawn=DrawnColumns.of(question.schema.names, settings, question.core.tree),
        )
        self.divides = GAPS[settings.missing].way == "divide"
        self.asks_stand_ins = GAPS[settings.missing].way == "surrogate" and question.core.max_surrogates > 0
        self.stand_ins = StandInSearch(
            source,
            self.growth,
            forms,
            self.search.edges,
            question.core.count_gaps_against_surrogates,
        )
        self.n_gathered = gather_below if self._may_gather() else 0
        self.gathered: dict[int, dict[str, Any]] = {}
        self.children: dict[int, tuple[int, int]] = {}
        self.n_nodes = 1
        self.share_done = 0.0
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
            or core.split_price > 0
            or core.cost_form != "none"
            or (self.settings.max_leaves is not None and has_multiway)
        )

    def _opens_all(self) -> bool:
        """Tell whether no bound serves: all values are looked at."""
        core = self.question.core
        inside = "entropy" if core.use_average_gain else self.question.criterion
        return core.use_c45_cuts or inside not in WITH_BOUNDS

    def _may_be_rough(self) -> bool:
        """Tell whether the ends of cells matter only where a cut is taken."""
        core = self.question.core
        return not (core.keep_ledger or core.missing in ("most_common", "most_common_overall"))

    def _may_gather(self) -> bool:
        """Tell whether a subtree is the same whatever lies above it."""
        core, settings = self.question.core, self.settings
        draws_pieces = self.lot is not None and core.missing == "fractional"  # counted as pieces, all of them
        return not (
            settings.max_leaves is not None
            or draws_pieces
            or core.keep_ledger
            or core.missing == "most_common_overall"
            or core.use_average_gain
            or core.use_once
            or core.use_c45_cuts
            or core.collapse_margin >= 0
            or (core.is_gain_of_table and core.min_gain > 0)
        )

    def _edges(self, is_cut: Sequence[bool], ranges: Sequence[Cells]) -> list[Keys]:
        columns = self.question.schema.columns
        if isinstance(self.source, Prepared):
            return [self.source.edges(c) for c in range(self.n_columns)]
        is_number = [column.is_numeric for column in columns]
        numbers = balanced_edges(self.source, {c: ranges[c] for c in range(self.n_columns) if is_number[c]})
        return [
            numbers[c] if is_number[c] else category_edges(len(columns[c].categories), is_cut[c])
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
            nodes.append(Node(child.number, held, figures, child.used, child.path))
        return nodes

    # ---- the two frontiers -------------------------------------------------------------------------

    def run(self) -> dict[str, Any]:
        """Return the arrays of the tree, as the core returns them."""
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
        level, tell = [self.root], watcher()
        while level:
            if tell is not None:
                tell(self._share_done(level))
            self._gather(level)
            open_nodes = [node for node in level if node.number not in self.gathered]
            decided = [pair for some in self._few(open_nodes) for pair in self._decide(some)]
            level = self._apply(decided)

    def _share_done(self, level: Sequence[Node]) -> float:
        """Return the share of rows that have reached their leaf, or of levels where depth is limited."""
        share = 1 - sum(node.held.n_rows for node in level) / self.root.held.n_rows
        if self.settings.max_depth:
            share = max(share, min(1.0, level[0].held.depth / self.settings.max_depth))
        self.share_done = max(self.share_done, share)  # rows that are divided are counted in each branch
        return self.share_done

    def _few(self, nodes: Sequence[Node]) -> Iterator[Sequence[Node]]:
        """Yield nodes, as many at a time as their cells may be in memory."""
        cells = sum(len(edges) + 2 for edges in self.search.edges)
        most = max(1, MOST_CELLS // (cells * (len(self.root.figures) + 4)))
        yield from (nodes[i : i + most] for i in range(0, len(nodes), most))

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
                growth.keep_offers(node.number, self._stored(offers))
            if chosen is not None:
                found.append((node, offers[chosen]))
            if self.settings.max_leaves is None:  # else a node may be looked at again
                node.columns = [] if chosen is None else [node.measured(offers[chosen].column)]
        settled = self._stored(self.search.settled(found))
        return [(node, offer) for (node, _), offer in zip(found, settled, strict=True)]

    def _stored(self, offers: Sequence[_core.Offer]) -> list[_core.Offer]:
        """Return offers with cuts as they are kept: in C4.5 the largest value not above the midpoint."""
        which = [i for i, offer in enumerate(offers) if np.isfinite(offer.cut)]
        found = list(offers)
        if not self.question.core.use_c45_cuts or not which:
            return found
        asks = [(offers[i].column, _just_above(offers[i].cut)) for i in which]
        source = self.source
        if isinstance(source, TakesMany):
            values = source.largest_of_each(asks)
        else:
            values = [source.largest_at_most(*ask) for ask in asks]
        for i, value in zip(which, values, strict=True):
            found[i] = found[i].with_cut(value)
        return found

    # ---- apply -------------------------------------------------------------------------------------

    def _apply(self, decided: Sequence[tuple[Node, _core.Offer]]) -> list[Node]:
        """Return the children of nodes; the source divides their rows, all in one pass."""
        steps = [self._step(node, offer) for node, offer in decided]
        self._find_stand_ins(steps)
        self.source.apply([step.move for step in steps])
        self._count_branches(steps)
        children = []
        for step in steps:
            node, used = step.node, self.growth.used_below(step.node.held, step.offer)
            depth, first = node.held.depth + 1, step.move.first
            children += [
                _Child(of, first + b, node.number, depth, used, self._path_below(node, b))
                for b, of in enumerate(step.sums)
            ]
            node.columns = []
        nodes = self._opened(children)
        for step in steps:
            move = step.move
            self.growth.split(
                move.node, step.offer, move.missing, step.largest, move.first, surrogates=step.stand_ins
            )
        return nodes

    def _path_below(self, node: Node, branch: int) -> int:
        return ROOT if self.search.drawn is None else path_of_branch(node.path, branch)

    def _step(self, node: Node, offer: _core.Offer) -> _Step:
        """Return how a node is divided, and what each branch receives as far as cells tell it."""
        measured = node.measured(offer.column)
        of_branches, of_gaps = self.search.divided(measured, offer)
        sums, gaps = [_Sum.of(cells) for cells in of_branches], _Sum.of(of_gaps)
        is_classifier = self.question.is_classifier
        known = [of.weight(is_classifier) for of in sums]
        missing, largest = self.growth.placed(node.held, offer, known, gaps.weight(is_classifier))
        first = self.n_nodes
        self.children[node.number] = (first, offer.n_branches)
        self.n_nodes += offer.n_branches
        move = _move(node, offer, self.search.is_cut[offer.column], missing, first)
        if missing >= 0:
            sums[missing] = sums[missing].plus(gaps)
        elif gaps.figures[0] and self.divides:
            move = move._replace(shares=np.array(known, dtype=np.int64))
        return _Step(node, offer, move, sums, gaps, largest)

    def _find_stand_ins(self, steps: Sequence[_Step]) -> None:
        """Find the surrogates of tests that rows cannot answer."""
        if not self.asks_stand_ins:
            return
        lacking = [step for step in steps if step.gaps.figures[0]]
        found = self.stand_ins.find([Asked(step.move, has_lacking=True) for step in lacking])
        for step, surrogates in zip(lacking, found, strict=True):
            step.stand_ins = surrogates
            step.move = step.move._replace(stand_ins=tuple(stand_in(one) for one in surrogates))

    def _count_branches(self, steps: Sequence[_Step]) -> None:
        """Learn what the branches received of rows that were divided, or that stand-ins sent."""
        sent = [step for step in steps if len(step.move.shares) or step.move.stand_ins]
        whole = np.zeros(0, dtype=np.uint64)
        asks = [
            Ask(step.move.first + b, 0, whole, is_rough=self.is_prepared)
            for step in sent
            for b in range(step.move.n_branches)
        ]
        counted = iter(self.source.count(asks) if asks else [])
        for step in sent:
            step.sums = [_Sum.of(next(counted)) for _ in range(step.move.n_branches)]
            self._check_branches(step)
            weights = [of.weight(self.question.is_classifier) for of in step.sums]
            _, step.largest = self.growth.placed(step.node.held, step.offer, weights, 0)

    def _check_branches(self, step: _Step) -> None:
        """Refuse branches that hold more, or less, than their node did."""
        is_classifier = self.question.is_classifier
        found = amounts(sum((of.figures for of in step.sums), start=0 * step.node.figures), is_classifier)[1:]
        wanted = amounts(step.node.figures, is_classifier)[1:]
        stays = not len(step.move.shares) and step.move.missing < 0  # a row that nothing places
        if found != wanted and not (stays and sum(found[:1]) <= sum(wanted[:1])):
            raise IntegrityError(
                f"Node {step.move.node}: its branches hold {found}, the node {wanted}. A part was lost or "
                "counted twice; ask again."
            )

    # ---- gather ------------------------------------------------------------------------------------

    def _gather(self, level: Sequence[Node]) -> None:
        """Grow the subtrees of small nodes in memory; where columns are drawn, the whole tree or none."""
        is_root_only = self.search.drawn is not None  # draws go by the way from the root
        small = [node for node in level if 0 < node.held.n_rows <= self.n_gathered]
        small = [node for node in small if not (is_root_only and node.number)]
        small = [node for node in small if not self.growth.is_finished(node.held)]
        most = self.root.held.n_rows + 1 if self.is_prepared else MOST_GATHERED  # it brings its own buckets
        ends = (np.cumsum([node.held.n_rows for node in small]) // most).tolist()
        for _, places in groupby(range(len(small)), key=ends.__getitem__):
            some = [small[i] for i in places]
            for node, rows in zip(some, self.source.gather([n.number for n in some]), strict=True):
                self._grow_below(node, rows)

    def _grow_below(self, node: Node, rows: Gathered) -> None:
        question = self.question
        below = copied(question.core)
        if self.settings.max_depth is not None:
            below.max_depth = self.settings.max_depth - node.held.depth
        columns = core_columns(question.schema, rows.values, self.settings)
        here = replace(question, columns=columns, answers=rows.target, units=rows.weight, core=below)
        self.gathered[node.number] = here.put_to(
            _core.grow_classes if question.is_classifier else _core.grow_numbers, None
        )


@dataclass
class _Step:
    """A node that is divided: its test, where its rows go, what its branches hold, what had no value."""

    node: Node
    offer: _core.Offer
    move: Move
    sums: list[_Sum]
    gaps: _Sum
    largest: int
    stand_ins: list[_core.Surrogate] = field(default_factory=list)


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
    path: int = ROOT


def _move(node: Node, offer: _core.Offer, is_cut: bool, missing: int, first: int) -> Move:
    codes, branches = (NO_CODES, NO_CODES) if is_cut else (offer.codes, offer.branches)
    cut = float(offer.cut) if is_cut else np.nan
    return Move(node.number, offer.column, cut, codes, branches, offer.n_branches, missing, first)


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
