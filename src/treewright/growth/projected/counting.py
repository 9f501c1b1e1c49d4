"""Tests that count conditions: at least m of n simple tests hold (Murphy, Pazzani 1991); a conjunction: all.

A beam of the best tests so far grows by one condition at a time, as m of n+1 or as m+1 of n+1. With c the
count so far, a row is settled where c >= m' (it passes) or c <= m' - 2 (it does not); only where c = m' - 1
does the new condition decide. So the best threshold for a number x is the best cut of a column that is x
where it decides, below all x where the row passes and above all x where it does not: found exactly by the
core, by the criterion of growth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.growth.projected import tidy
from treewright.growth.projected.field import Floats, Sum, indicator
from treewright.growth.projected.judge import Ints, Judge, Worth
from treewright.table import Column
from treewright.tree import terms
from treewright.tree.terms import ABOVE, AT_MOST, IS, Term

Judged = Callable[[list[Floats]], Worth]  # what columns are worth: the core's judgement on the rows at hand

BEAM = 4
MOST_IN_CONJUNCTION = 3
MOST_CATEGORIES = 12  # of a column that are asked about one by one


class Literal(NamedTuple):
    """A simple test: its terms, what its negated terms add, and 1 in the rows where it holds; NaN: a gap."""

    terms: tuple[Term, ...]
    weight: float  # 1, or -1: it holds where none of its terms does
    holds: Floats

    @property
    def column(self) -> int:
        """The place of its column."""
        return self.terms[0].column


class Counted(NamedTuple):
    """Some literals, how many of them must hold, and what that is worth."""

    literals: tuple[Literal, ...]
    least: int
    score: float

    @property
    def n_holding(self) -> Floats:
        """How many of the literals hold in each row; NaN where one is not known."""
        return np.asarray(np.sum([literal.holds for literal in self.literals], axis=0))

    def as_sum(self, is_conjunction: bool) -> Sum:
        """Return the test as a sum of terms."""
        pairs = sorted((term, each.weight) for each in self.literals for term in each.terms)
        n_negated = sum(each.weight < 0 for each in self.literals)
        floor = len(self.literals) - 1.0 - n_negated if is_conjunction else -np.inf
        return Sum(tuple(term for term, _ in pairs), tuple(weight for _, weight in pairs), floor)


class Cells(NamedTuple):
    """The columns of the table for the rows at hand."""

    columns: tuple[Column, ...]
    cells: list[NDArray[np.generic]]
    order: list[int]  # in which columns are looked at: ties go to the first

    @classmethod
    def of(cls, judge: Judge, rows: Ints) -> Cells:
        """Return the columns of a judge's table for some of its rows."""
        return cls(judge.schema.columns, [cell[rows] for cell in judge.cells], judge.by_rank)

    def values(self, place: int) -> Floats:
        """Return the values of a column with an order."""
        return terms.values_of(self.columns[place], self.cells[place])


def counting_tests(cells: Cells, judged: Judged, most: int, is_conjunction: bool) -> list[Counted]:
    """Return the best tests that count two conditions up to `most`, by score, the best first.

    A column stands in one of them at most twice: an interval of numbers is two conditions.
    """
    most = min(most, MOST_IN_CONJUNCTION) if is_conjunction else most
    named = [literal for place in cells.order for literal in _named(cells, place)]
    beam = _best([*_alone(cells, judged), *_scored(named, judged)], BEAM * 2)
    found: list[Counted] = []
    for _ in range(1, most):
        beam = _best(_extended(beam, cells, named, judged, is_conjunction), BEAM)
        found += beam
        if not beam:
            break
    return _best(found, BEAM)


def _best(found: list[Counted], n: int) -> list[Counted]:
    """Return the best of some tests, each division of the rows once; of equals the first."""
    kept: list[Counted] = []
    seen: set[bytes] = set()
    for test in sorted(found, key=lambda each: -each.score):
        key = np.packbits(test.n_holding >= test.least).tobytes()
        if key not in seen:
            seen.add(key)
            kept.append(test)
        if len(kept) == n:
            break
    return kept


# ---- simple tests --------------------------------------------------------------------------------------


def _named(cells: Cells, place: int) -> Iterator[Literal]:
    """Yield the tests of a column of categories: each against the rest, said either way."""
    if terms.is_ordered(cells.columns[place]) and len(cells.columns[place].categories) != 2:
        return
    codes = cells.cells[place].astype(np.int64)
    held = np.bincount(codes[codes >= 0], minlength=2)
    if np.count_nonzero(held) < 2:
        return
    for code in sorted(np.argsort(-held, kind="stable")[:MOST_CATEGORIES].tolist()):
        if not held[code]:
            continue
        term = Term(place, IS, float(code))
        holds = indicator(codes, code)
        yield Literal((term,), 1.0, holds)
        if np.count_nonzero(held) > 2:  # of two, one is the other's opposite
            yield Literal((term,), -1.0, 1.0 - holds)


def _scored(literals: list[Literal], judged: Judged) -> list[Counted]:
    found = judged([literal.holds for literal in literals])
    pairs = zip(literals, found.score.tolist(), strict=True)
    return [Counted((literal,), 1, score) for literal, score in pairs if np.isfinite(score)]


def _alone(cells: Cells, judged: Judged) -> list[Counted]:
    """Return the best cut of every column of numbers or ranks, said either way."""
    places = [i for i in cells.order if _is_cut(cells.columns[i])]
    found = judged([cells.values(i) for i in places])
    return [
        Counted((_cut(cells, i, form, float(cut)),), 1, score)
        for i, score, cut in zip(places, found.score.tolist(), found.cut, strict=True)
        if np.isfinite(score)
        for form in (ABOVE, AT_MOST)
    ]


def _is_cut(column: Column) -> bool:
    return terms.is_ordered(column) and len(column.categories) != 2


def _cut(cells: Cells, place: int, form: int, cut: float) -> Literal:
    """Return the test of a column against a number, between two neighbouring values of few digits."""
    x = cells.values(place)
    low, high = float(x[x <= cut].max()), float(x[x > cut].min())
    term = Term(place, form, tidy.between(low, high))
    return Literal((term,), 1.0, term.of(x))


# ---- one condition more --------------------------------------------------------------------------------


class _Offer(NamedTuple):
    """A column that the core cuts, and what its cut makes of a test."""

    test: Counted
    least: int
    place: int
    form: int
    column: Floats


def _extended(
    beam: list[Counted], cells: Cells, named: list[Literal], judged: Judged, is_conjunction: bool
) -> list[Counted]:
    offers: list[_Offer] = []
    fixed: list[Counted] = []
    for test in beam:
        n = len(test.literals)
        for least in (n + 1,) if is_conjunction else (test.least, test.least + 1):
            offers += _cuts(test, least, cells)
            fixed += [
                Counted((*test.literals, each), least, 0.0)
                for each in named
                if each.terms not in [other.terms for other in test.literals]
            ]
    worth = judged([offer.column for offer in offers])
    found = [
        Counted((*offer.test.literals, literal), offer.least, score)
        for offer, score, cut in zip(offers, worth.score.tolist(), worth.cut.tolist(), strict=True)
        if np.isfinite(score) and (literal := _literal(offer, cells, cut)) is not None
    ]
    passes = [_passes(test) for test in fixed]
    scores = judged(passes).score.tolist() if passes else []
    found += [
        test._replace(score=score) for test, score in zip(fixed, scores, strict=True) if np.isfinite(score)
    ]
    return found


def _passes(test: Counted) -> Floats:
    count = test.n_holding
    return np.where(np.isnan(count), np.nan, (count >= test.least).astype(np.float64))


def _cuts(test: Counted, least: int, cells: Cells) -> Iterator[_Offer]:
    """Yield the columns whose best cut is the best threshold of one condition more."""
    count = test.n_holding
    for place in cells.order:
        times = [each.terms[0].form for each in test.literals if each.column == place]
        if not _is_cut(cells.columns[place]) or len(times) > 1:
            continue
        x = cells.values(place)
        known = x[np.isfinite(x) & (count == least - 1)]
        if len(known) < 2 or not known.min() < known.max():
            continue
        width = max(float(known.max() - known.min()), 1.0)
        below, above = float(known.min()) - width, float(known.max()) + width
        for form in (ABOVE, AT_MOST):
            if form in times:
                continue
            passing, failing = (below, above) if form == AT_MOST else (above, below)
            column = np.where(count >= least, passing, np.where(count < least - 1, failing, x))
            column = np.where(np.isnan(count) | np.isnan(x), np.nan, column)
            yield _Offer(test, least, place, form, column)


def _literal(offer: _Offer, cells: Cells, cut: float) -> Literal | None:
    """Return the condition that a cut stands for; None where it decides nothing."""
    x = cells.values(offer.place)
    open_rows = x[np.isfinite(x) & (offer.test.n_holding == offer.least - 1)]
    if not open_rows.min() <= cut < open_rows.max():
        return None
    low, high = float(open_rows[open_rows <= cut].max()), float(open_rows[open_rows > cut].min())
    term = Term(offer.place, offer.form, tidy.between(low, high))
    return Literal((term,), 1.0, term.of(x))


# ---- on all rows, and shorter --------------------------------------------------------------------------


def settled(found: list[Counted], cells: Cells, judged: Judged) -> list[Counted]:
    """Return the tests on other rows than those they were found on, with and without each condition."""
    whole = [test._replace(literals=tuple(_again(each, cells) for each in test.literals)) for test in found]
    fewer = [
        Counted((*test.literals[:i], *test.literals[i + 1 :]), least, 0.0)
        for test in whole
        if len(test.literals) > 2
        for i in range(len(test.literals))
        for least in {min(test.least, len(test.literals) - 1), max(test.least - 1, 1)}
    ]
    tests = [*whole, *fewer]
    scores = judged([_passes(test) for test in tests]).score.tolist() if tests else []
    return [test._replace(score=score) for test, score in zip(tests, scores, strict=True)]


def _again(literal: Literal, cells: Cells) -> Literal:
    term = literal.terms[0]
    if term.form != IS:
        return literal._replace(holds=term.of(cells.values(term.column)))
    holds = indicator(cells.cells[term.column], int(term.at))
    return literal._replace(holds=holds if literal.weight > 0 else 1.0 - holds)
