"""A calculation (`export/expression.py`) in the words of programs: values, truths and steps as code."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from treewright.export import expression as e
from treewright.export.code import program as p
from treewright.export.code.asking import Fields, among

AT_ONCE = 8  # parts of a sum in one line
_MOST_POWER = p.Number(700.0)  # e to the power of more is hardly a number any more
_NEVER = p.Binary("<", p.Whole(0), p.Whole(0))


class Words:
    """Writes values and truths. `steps` says where steps stand that are no variables.

    Cells of `sure` columns are known to be there: nothing is asked about their gaps.
    """

    def __init__(
        self, fields: Fields, steps: Mapping[str, Any] | None = None, sure: Collection[int] = ()
    ) -> None:
        self.fields, self.named, self.sure = fields, steps or {}, frozenset(sure)

    # ---- values -------------------------------------------------------------------------------------------

    def value(self, at: e.Value) -> Any:
        """Return a number as an expression."""
        if isinstance(at, e.Number):
            return p.Number(at.value)
        if isinstance(at, e.Cell):
            return p.Cell(self.fields[at.column])
        if isinstance(at, e.Step):
            return self.named.get(at.name, p.Name(at.name))
        if isinstance(at, e.Case):
            found = self.value(at.otherwise)
            for truth, value in reversed(self.live(at)):
                found = p.Pick(self.truth(truth), self.value(value), found)
            return found
        if isinstance(at, (e.Sum, e.Product)):
            sign = "+" if isinstance(at, e.Sum) else "*"
            found, *others = map(self.value, at.parts)
            for part in others:
                found = p.Binary(sign, found, part)
            return found
        if isinstance(at, e.Quotient):
            return p.Binary("/", self.value(at.above), self.value(at.below))
        if isinstance(at, e.Largest) and len(at.parts) == 2:
            one, two = map(self.value, at.parts)
            return p.Pick(p.Binary(">", two, one), two, one)
        raise TypeError(f"A program has no word for {type(at).__name__} inside another value.")

    def live(self, at: e.Case) -> list[tuple[e.Truth, e.Value]]:
        """Return the truths of a choice that may hold, with their values."""
        return [(t, v) for t, v in at.whens if not (isinstance(t, e.Gap) and t.column in self.sure)]

    # ---- truths -------------------------------------------------------------------------------------------

    def truth(self, at: e.Truth) -> Any:
        """Return a truth as a condition."""
        if isinstance(at, e.All):
            return p.all_of([self.truth(part) for part in at.parts]) or p.Negation(_NEVER)
        if isinstance(at, e.Either):
            return p.any_of([self.truth(part) for part in at.parts]) or _NEVER
        if isinstance(at, e.Compare):
            return self.compared(at)
        field = self.fields[at.column]
        if isinstance(at, e.Gap):
            return p.IsGap(field)
        if isinstance(at, e.Among):
            return among(field, at.places)
        if len(at.places) == len(field.column.categories) and field.kind != "number":
            return p.Binary("==", p.Code(field), p.Whole(-2))
        there = p.Negation(p.IsGap(field))
        return p.all_of([there, p.Negation(p.Among(field, at.places))]) if at.places else there

    def compared(self, at: e.Compare) -> Any:
        """Return a comparison; of a cell with a number it is a threshold."""
        if isinstance(at.left, e.Cell) and isinstance(at.right, e.Number) and at.sign in ("<=", ">"):
            word = p.Below if at.sign == "<=" else p.Above
            return word(self.fields[at.left.column], at.right.value)
        return p.Binary(at.sign, self.value(at.left), self.value(at.right))

    # ---- statements ---------------------------------------------------------------------------------------

    def step(self, name: str, value: e.Value) -> list[Any]:
        """Return code that works out a step: a new variable."""
        if isinstance(value, e.Sum) and len(value.parts) > AT_ONCE:
            first, *later = (value.parts[i : i + AT_ONCE] for i in range(0, len(value.parts), AT_ONCE))
            adding = (self.value(e.Sum((e.Step(name), *parts))) for parts in later)
            return [self.let(name, e.Sum(first)), *(p.Put(p.Name(name), each) for each in adding)]
        if isinstance(value, e.Largest):
            first, *others = map(self.value, value.parts)
            more = [p.Branch(p.Binary(">", x, p.Name(name)), (p.Put(p.Name(name), x),)) for x in others]
            return [p.Let(name, p.NUMBER, first), *(p.If((branch,)) for branch in more)]
        if isinstance(value, e.Power):
            is_large = p.Binary(">", p.Name(name), _MOST_POWER)
            return [
                self.let(name, value.exponent),
                p.If((p.Branch(is_large, (p.Put(p.Name(name), _MOST_POWER),)),)),
                p.Put(p.Name(name), p.Exponential(p.Name(name))),
            ]
        return [self.let(name, value)]

    def let(self, name: str, value: e.Value) -> p.Let:
        return p.Let(name, p.NUMBER, self.value(value))

    def chosen(self, name: str, value: e.Value) -> list[Any]:
        """Return code that finds a class, as a new variable: its place, -1 where there is none."""
        if isinstance(value, e.Class):
            return [p.Let(name, p.WHOLE, p.Whole(value.place))]
        if not isinstance(value, e.Case):
            return [p.Let(name, p.WHOLE, p.Whole(-1))]
        begin, *_ = self.chosen(name, value.otherwise)
        branches = [
            p.Branch(self.truth(truth), (p.Put(p.Name(name), p.Whole(worth.place)),))
            for truth, worth in self.live(value)
            if isinstance(worth, e.Class)
        ]
        return [begin, p.If(tuple(branches))]


def needed(calculation: e.Calculation) -> set[str]:
    """Return the names of the steps that some answer needs.

    >>> import treewright as tw
    >>> from treewright.export.calculate_linear import of_linear
    >>> model = tw.LogisticRegression(l2=1.0).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"])
    >>> sorted(needed(of_linear(model)))
    ['e0', 'e1', 'score0', 'term0']
    """
    answers = [calculation.label, *calculation.chances, *([calculation.leaf] if calculation.leaf else [])]
    found = {name for value in answers for name in _steps_in(value)}
    for name, value in reversed(calculation.steps):
        if name in found:
            found |= _steps_in(value)
    return found


def _steps_in(value: e.Value) -> set[str]:
    return {part.name for part in e.parts_of(value) if isinstance(part, e.Step)}
