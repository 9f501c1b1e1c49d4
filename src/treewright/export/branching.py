"""Where a node sends a row, as truths about its cells: one for each branch, and for what does not go on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from treewright.export.expression import (
    ALWAYS,
    NEVER,
    Among,
    Case,
    Cell,
    Compare,
    Gap,
    Number,
    Other,
    Product,
    Sum,
    Truth,
    Value,
    both,
    either,
    parts_of,
)
from treewright.export.outline import Cut, Node, Outline, StandIn, Values, Way
from treewright.export.outline import Sum as SumTest
from treewright.table import Column, Kind
from treewright.tree.terms import AT_MOST, IS, VALUE, Term


@dataclass
class Branching:
    """The truths of one node; exactly one of them holds for every row."""

    branches: list[Truth]
    stops: Truth = NEVER
    refuses: Truth = NEVER
    divides: Truth = NEVER
    rest: int | str | None = None  # what must be said as "else"; None: whatever is longest

    def targets(self) -> list[tuple[int | str, Truth]]:
        """Return where rows go, and for which it is so; what is said as "else" stands last."""
        named: list[tuple[int | str, Truth]] = list(enumerate(self.branches))
        named += [("stop", self.stops), ("divide", self.divides), ("refuse", self.refuses)]
        live = [(target, truth) for target, truth in named if truth != NEVER or target == self.rest]
        rest = self.rest
        if rest is None:
            is_refused = self.refuses != NEVER
            rest = (
                "refuse" if is_refused else max(live, key=lambda pair: sum(1 for _ in parts_of(pair[1])))[0]
            )
        return [pair for pair in live if pair[0] != rest] + [pair for pair in live if pair[0] == rest]


def branching_of(outline: Outline, node: Node) -> Branching:
    """Return where a node sends rows.

    >>> import treewright as tw
    >>> from treewright.export.outline import outline_of
    >>> outline = outline_of(tw.grow(tw.example("tennis"), "PlayTennis", "stump"))
    >>> branching_of(outline, outline.nodes[0]).branches[1]
    Among(column=2, places=(1,))
    """
    found = Branching([NEVER] * len(node.children))
    if node.test is None:
        return found
    if isinstance(node.test, SumTest):
        return _of_sum(outline, node, node.test, found)
    column = outline.columns[node.test.column]
    for branch, truth in enumerate(answers(node.test, column)):
        found.branches[branch] = truth
    _send(outline, node, found, Gap(node.test.column), node.gap)
    if isinstance(node.test, Values) and column.edges is None:
        known = tuple(place for places in node.test.branches for place in places)
        is_whole_boolean = column.kind is Kind.boolean and len(known) == len(column.categories)
        if not is_whole_boolean:
            _send(outline, node, found, Other(node.test.column, known), node.unseen)
    return found


def answers(test: Cut | Values, column: Column) -> list[Truth]:
    """Return for each branch of a test the truth that it says so.

    >>> answers(Cut(0, 2.5), Column("x", Kind.numeric))[0]
    Compare(left=Cell(column=0), sign='<=', right=Number(value=2.5))
    """
    if isinstance(test, Cut):
        cell = Cell(test.column)
        if test.threshold == math.inf:
            return [Other(test.column, ()), NEVER]
        bound = Number(test.threshold)
        return [Compare(cell, "<=", bound), Compare(cell, ">", bound)]
    return [among(test.column, places, column) for places in test.branches]


def among(place: int, places: tuple[int, ...], column: Column) -> Truth:
    """Return the truth that a cell is one of some categories; of intervals by their bounds.

    >>> among(0, (1, 2), Column("degrees", Kind.ordinal, edges=(54, 85))).sign
    '>'
    """
    if not places:
        return NEVER
    if column.edges is None:
        return Among(place, places)
    runs: list[Truth] = []
    wanted, last = set(places), len(column.edges)
    for first in range(last + 1):
        if first not in wanted or first - 1 in wanted:
            continue
        end = first
        while end + 1 in wanted:
            end += 1
        bounds: list[Truth] = []
        if first > 0:
            bounds.append(Compare(Cell(place), ">", Number(float(column.edges[first - 1]))))
        if end < last:
            bounds.append(Compare(Cell(place), "<=", Number(float(column.edges[end]))))
        runs.append(both(*bounds) if bounds else Other(place, ()))
    return either(*runs)


def _send(outline: Outline, node: Node, found: Branching, event: Truth, way: Way) -> None:
    """Add what becomes of rows without an answer to the truths of a node."""
    if way.kind == "branch" and way.branch is not None:
        found.branches[way.branch] = either(found.branches[way.branch], event)
    elif way.kind == "divide":
        found.divides = either(found.divides, event)
    elif way.kind == "stop":
        found.stops = either(found.stops, event)
    elif way.kind == "refuse":
        found.refuses = either(found.refuses, event)
    else:
        silent = event
        for branch in range(2):
            says = _says(outline, node.stand_ins, branch)
            found.branches[branch] = either(found.branches[branch], both(event, says))
        for stand_in in node.stand_ins:
            silent = both(silent, _is_silent(outline, stand_in))
        if way.branch is None:
            found.stops = either(found.stops, silent)
        else:
            found.branches[way.branch] = either(found.branches[way.branch], silent)


def _says(outline: Outline, stand_ins: tuple[StandIn, ...], branch: int) -> Truth:
    """Return the truth that the first of some stand-ins with an answer names a branch."""
    if not stand_ins:
        return NEVER
    first, *others = stand_ins
    column = outline.columns[first.test.column]
    said = answers(first.test, column)
    mine = said[1 - branch if first.flip else branch]
    later = _says(outline, tuple(others), branch)
    return either(mine, both(_is_silent(outline, first), later))


def _is_silent(outline: Outline, stand_in: StandIn) -> Truth:
    test, column = stand_in.test, outline.columns[stand_in.test.column]
    if isinstance(test, Cut) or column.edges is not None:
        return Gap(test.column)
    known = tuple(place for places in test.branches for place in places)
    return either(Gap(test.column), Other(test.column, known))


# ---- sums of columns -----------------------------------------------------------------------------------


def number_in(place: int, column: Column) -> Value:
    """Return the number that a column counts in a sum: itself, a rank, 0 or 1; only where it is known.

    >>> number_in(0, Column("size", Kind.ordinal, ("S", "M"))).otherwise
    Number(value=1.0)
    """
    if column.is_numeric:
        return Cell(place)
    *ranks, last = range(max(1, len(column.categories)))
    whens = tuple((among(place, (rank,), column), Number(float(rank))) for rank in ranks)
    return Case(whens, Number(float(last))) if whens else Number(float(last))


def is_unknown(place: int, column: Column) -> Truth:
    """Return the truth that a cell holds a category nobody knows."""
    if column.is_numeric or column.edges is not None or column.kind is Kind.boolean:
        return NEVER
    return Other(place, tuple(range(len(column.categories))))


def weighted(terms: Sequence[tuple[Term, float]], columns: tuple[Column, ...]) -> Value:
    """Return a weighted sum of terms, one after the other as the core adds."""
    values = [(term_in(term, columns[term.column]), weight) for term, weight in terms]
    parts = [value if weight == 1.0 else Product((Number(weight), value)) for value, weight in values]
    return parts[0] if len(parts) == 1 else Sum(tuple(parts))


def term_in(term: Term, column: Column) -> Value:
    """Return what a term counts: the number of its column, or 1 where its condition holds and 0 elsewhere.

    >>> term_in(Term(0, 3, 2.5), Column("x", Kind.numeric)).whens[0][0].sign
    '>'
    """
    if term.form == VALUE:
        return number_in(term.column, column)
    if term.form == IS or not column.is_numeric:
        codes = [code for code in range(len(column.categories)) if term.of_one(code)]
        truth = among(term.column, tuple(codes), column)
    else:
        truth = Compare(Cell(term.column), "<=" if term.form == AT_MOST else ">", Number(term.at))
    return Case(((truth, Number(1.0)),), Number(0.0)) if truth != NEVER else Number(0.0)


class Present(NamedTuple):
    """Whether all cells of a sum are there; and which is the first that is not: a gap, or a new category."""

    known: Truth
    gap: Truth
    unseen: Truth


def present(terms: Sequence[tuple[Term, float]], columns: tuple[Column, ...]) -> Present:
    """Return the truths about the cells of a sum, in the order of its terms.

    >>> present(((Term(0), 1.0), (Term(1), 1.0)), (Column("x", Kind.numeric), Column("y", Kind.numeric))).gap
    Either(parts=(Gap(column=0), All(parts=(Other(column=0, places=()), Gap(column=1)))))
    """
    gap: Truth = NEVER
    unseen: Truth = NEVER
    known: Truth = ALWAYS
    for place in dict.fromkeys(term.column for term, _ in terms):
        gap = either(gap, both(known, Gap(place)))
        unseen = either(unseen, both(known, is_unknown(place, columns[place])))
        known = both(known, is_known(place, columns[place]))
    return Present(known, gap, unseen)


def _of_sum(outline: Outline, node: Node, test: SumTest, found: Branching) -> Branching:
    """Return the truths of a test on several columns: the first cell that is not there decides the way."""
    columns = outline.columns
    known, gap, unseen = present(test.parts, columns)
    value, bound = weighted(test.parts, columns), Number(test.threshold)
    found.branches[0] = both(known, Compare(value, "<=", bound))
    # Where endless values cancel there is no sum, and it counts as a gap. To databases
    # what is no number is larger than all.
    found.branches[1] = both(known, Compare(value, ">", bound), Compare(value, "<=", Number(math.inf)))
    _send(outline, node, found, unseen, node.unseen)
    _send(outline, node, found, gap, node.gap)
    way = node.gap
    found.rest = way.branch if way.kind == "branch" else way.kind
    if way.kind == "surrogate":
        found.rest = "stop" if way.branch is None else way.branch
    return found


def is_known(place: int, column: Column) -> Truth:
    """Return the truth that a cell holds a number, or a category that is known.

    >>> is_known(0, Column("x", Kind.numeric))
    Other(column=0, places=())
    """
    if column.is_numeric or column.edges is not None or column.kind is Kind.boolean:
        return Other(place, ())
    return Among(place, tuple(range(len(column.categories))))
