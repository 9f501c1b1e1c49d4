"""A linear model as a program: its terms, weighted sums of them, and what the sums mean."""

from __future__ import annotations

from typing import Any

from treewright.base.numbers import count
from treewright.export import expression as e
from treewright.export.calculate_linear import linear_parts
from treewright.export.code import program as p
from treewright.export.code.naming import columns_in_words, fields_of
from treewright.export.code.nested import REFUSED
from treewright.export.code.scoring import at, labelled, score_function
from treewright.export.code.worked_out import Words, needed

MOST_WEIGHTS = 400  # written as sums; more stand in a table, with a loop over it


def linear_program(model: Any) -> p.Program:
    """Return a linear model as a program.

    >>> import treewright as tw
    >>> model = tw.LogisticRegression(l2=1.0).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"])
    >>> program = linear_program(model)
    >>> [function.name for function in program.functions], program.classes, program.has_chances
    (['score'], ('a', 'b'), True)
    """
    return _Linear(model).program()


class _Linear:
    """The program of one model. Of many weights, terms and sums stand in `out`."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.calculation, self.refused, self.terms, self.n_before = linear_parts(model)
        self.fields = fields_of(self.calculation.columns, range(len(self.calculation.columns)))
        self.by_place = {field.place: field for field in self.fields}
        self.n_planes, self.n_terms = model.coef_.shape
        self.in_tables = self.n_planes * self.n_terms > MOST_WEIGHTS
        n = len(self.calculation.classes)
        self.slots = {"LABEL": n}
        named = {}
        if self.in_tables:
            self.slots |= {"TERMS": n + 1, "SCORES": n + 1 + self.n_terms}
            self.slots["END"] = self.slots["SCORES"] + self.n_planes
            named = {f"score{s}": _slot("SCORES", p.Whole(s)) for s in range(self.n_planes)}
        self.words = Words(self.by_place, named, self.by_place)

    def program(self) -> p.Program:
        kind, calculation = type(self.model).__name__, self.calculation
        sums = f"{count(self.n_terms, 'term')}, {count(self.n_planes, 'weighted sum')}"
        return p.Program(
            about=(f"{kind} with {sums}, written by treewright.", *columns_in_words(self.fields)),
            model=self.model,
            classes=calculation.classes,
            fields=self.fields,
            slots=self.slots,
            tables=self.tables() if self.in_tables else (),
            functions=(score_function(self.body(), "Answer a row: weighted sums of its terms"),),
            has_chances=bool(calculation.chances),
        )

    def tables(self) -> tuple[p.Table, ...]:
        """Return the weights, and what is added to their sums."""
        weights, biases = self.model.coef_.ravel().tolist(), self.model.intercept_.tolist()
        of_terms = "The weight of each term, a line for each sum"
        return (
            p.Table("WEIGHTS", p.NUMBER, tuple(weights), of_terms, self.n_terms),
            p.Table("BIASES", p.NUMBER, tuple(biases), "What is added to each sum"),
        )

    def body(self) -> list[Any]:
        label, chances = self.calculation.label, self.calculation.chances
        empty = p.Loop("k", p.Whole(len(chances)), (p.Put(p.Item("out", p.Name("k")), p.Number(0.0)),))
        found: list[Any] = [empty] if chances else []
        found += [p.Put(at("LABEL"), p.Number(-1.0)), *self.refusing(), *self.steps()]
        found += self.words.chosen("found", _known(label))
        for c, chance in enumerate(chances):
            found.append(p.Put(p.Item("out", p.Whole(c)), self.words.value(_known(chance))))
        return found + labelled(p.Name("found"))

    def refusing(self) -> list[Any]:
        """Return code that refuses a row with a cell that the model refuses, column by column."""
        parts = self.refused.parts if isinstance(self.refused, e.Either) else (self.refused,)
        words, by_place = Words(self.by_place), dict[int, list[Any]]()
        for part in parts:
            by_place.setdefault(_column_of(part), []).append(words.truth(part))
        refused = (p.Return(REFUSED, "refused"),)
        return [p.If((p.Branch(p.any_of(truths), refused),)) for truths in by_place.values()]

    def steps(self) -> list[Any]:
        """Return code for the terms, the sums, and what comes of them."""
        steps, names = self.calculation.steps, self.model.coding_.terms
        before, sums, after = self.n_before, self.n_before + self.n_planes, len(steps)
        wanted = needed(self.calculation)
        found: list[Any] = []
        for name, value in steps[:before]:
            if name in wanted:
                found.append(p.Remark(f"{name}: {names[int(name[4:])]}" if name[4:].isdigit() else name))
                found += self.words.step(name, value)
        if self.in_tables:
            found += self.looped()
        else:
            for name, value in steps[before:sums]:
                found += [*self.words.step(name, value), _bounded(p.Name(name))]
        for name, value in steps[sums:after]:
            found += self.words.step(name, value) if name in wanted else []
        return found

    def looped(self) -> list[Any]:
        """Return code that puts the terms and their weighted sums into `out`."""
        k, s = p.Name("k"), p.Name("s")
        weight = p.Item("WEIGHTS", p.plus(p.times(s, p.Whole(self.n_terms)), k))
        score = _slot("SCORES", s)
        more = p.Put(score, p.plus(score, p.times(_slot("TERMS", k), weight)))
        terms = enumerate(self.terms)
        return [
            *(p.Put(_slot("TERMS", p.Whole(i)), self.words.value(term)) for i, term in terms),
            p.Loop("s", p.Whole(self.n_planes), (
                p.Put(score, p.Number(0.0)),
                p.Loop("k", p.Whole(self.n_terms), (more,)),
                p.Put(score, p.plus(score, p.Item("BIASES", s))),
                _bounded(score),
            )),
        ]  # fmt: skip


def _slot(name: str, place: Any) -> p.Item:
    return p.Item("out", p.plus(p.Name(name), place))


def _known(value: e.Value) -> e.Value:
    """Return what is said of rows that are not refused: those went before."""
    assert isinstance(value, e.Case)
    return value.otherwise


def _bounded(score: Any) -> p.If:
    """Return code that refuses a row whose sum is beyond all numbers."""
    return p.If((p.Branch(p.IsNaN(p.Binary("-", score, score)), (p.Return(REFUSED),), "too large"),))


def _column_of(truth: e.Truth) -> int:
    """Return the column that a truth is about."""
    if isinstance(truth, e.Compare):
        cell = truth.left if isinstance(truth.left, e.Cell) else truth.right
        assert isinstance(cell, e.Cell)
        return cell.column
    assert isinstance(truth, (e.Gap, e.Other))
    return truth.column
