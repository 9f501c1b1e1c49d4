"""A model as a calculation: a few kinds of expressions, in steps, that databases, sheets and graphs all know.

What is asked of a row is a truth (`Gap`, `Among`, `Compare`, ...), what is worked out a number or a class.
A truth about a cell that is not there is false, but for `Gap`. The slow twin that works it out row by row is
`tests/oracle/calculation.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from treewright.table import Column

# ---- truths --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gap:
    """The cell is not there."""

    column: int


@dataclass(frozen=True, slots=True)
class Among:
    """The cell is one of the categories at these places."""

    column: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Other:
    """The cell is there, and none of the categories at these places: also one that nobody knows."""

    column: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """Two numbers compared by "<=", ">" or ">="; false where one of them is none."""

    left: Value
    sign: str
    right: Value


@dataclass(frozen=True, slots=True)
class All:
    """Every part is true."""

    parts: tuple[Truth, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Some part is true; of no parts none is."""

    parts: tuple[Truth, ...]


Truth = Gap | Among | Other | Compare | All | Either
NEVER = Either(())
ALWAYS = All(())

# ---- values --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """A number."""

    value: float


@dataclass(frozen=True, slots=True)
class Class:
    """A class by its place."""

    place: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """No answer: the row is refused."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The number in a column."""

    column: int


@dataclass(frozen=True, slots=True)
class Step:
    """What an earlier step came to."""

    name: str


@dataclass(frozen=True, slots=True)
class Case:
    """The value beside the first truth that holds, else the last one."""

    whens: tuple[tuple[Truth, Value], ...]
    otherwise: Value


@dataclass(frozen=True, slots=True)
class Sum:
    """Parts added up, from left to right."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Factors multiplied, from left to right."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Quotient:
    """One number by another."""

    above: Value
    below: Value


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest of some numbers."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """e to the power of a number."""

    exponent: Value


@dataclass(frozen=True, slots=True)
class Lookup:
    """The number at a place, which is a number from 0; of classes their places."""

    place: Value
    values: tuple[float, ...]
    of_classes: bool = False


Value = Number | Class | Nothing | Cell | Step | Case | Sum | Product | Quotient | Largest | Power | Lookup
Expression = Truth | Value

# ---- a whole model -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Calculation:
    """Steps that are worked out one after the other, and the answers that come of them.

    `leaf` is None where the model has no single leaf, `chances` are empty where it has no probabilities.
    A step of which `is_inner` says so is needed by later steps only.
    """

    columns: tuple[Column, ...]
    classes: tuple[str, ...]
    steps: tuple[tuple[str, Value], ...]
    label: Value
    chances: tuple[Value, ...]
    leaf: Value | None
    inner: frozenset[str] = frozenset()

    @property
    def may_refuse(self) -> bool:
        """True where some row may get no answer."""
        return any(isinstance(part, Nothing) for value in self.values() for part in parts_of(value))

    def values(self) -> Iterator[Value]:
        """Yield all that is worked out."""
        yield from (value for _, value in self.steps)
        yield self.label
        yield from self.chances
        if self.leaf is not None:
            yield self.leaf


def either(*parts: Truth) -> Truth:
    """Return the truth that some part holds, as short as it can be.

    >>> either(Gap(1), NEVER), either(Either((Gap(1), Gap(2))), Gap(3)).parts
    (Gap(column=1), (Gap(column=1), Gap(column=2), Gap(column=3)))
    """
    if ALWAYS in parts:
        return ALWAYS
    flat = [one for part in parts for one in (part.parts if isinstance(part, Either) else (part,))]
    return flat[0] if len(flat) == 1 else Either(tuple(flat))


def both(*parts: Truth) -> Truth:
    """Return the truth that every part holds, as short as it can be.

    >>> both(Gap(1), ALWAYS), both(Gap(1), NEVER)
    (Gap(column=1), Either(parts=()))
    """
    if NEVER in parts:
        return NEVER
    flat = [one for part in parts for one in (part.parts if isinstance(part, All) else (part,))]
    return flat[0] if len(flat) == 1 else All(tuple(flat))


def case(whens: list[tuple[Truth, Value]], otherwise: Value) -> Value:
    """Return a choice without the truths that never hold.

    >>> case([(NEVER, Number(1.0)), (ALWAYS, Number(2.0)), (Gap(0), Number(3.0))], Number(4.0))
    Number(value=2.0)
    """
    kept: list[tuple[Truth, Value]] = []
    for truth, value in whens:
        if truth == ALWAYS:
            otherwise = value
            break
        if truth != NEVER:
            kept.append((truth, value))
    while kept and kept[-1][1] == otherwise:
        kept.pop()
    if isinstance(otherwise, Case):  # else if
        return Case((*kept, *otherwise.whens), otherwise.otherwise)
    return Case(tuple(kept), otherwise) if kept else otherwise


def product(*parts: Value) -> Value:
    """Return a product without factors of one.

    >>> product(Number(1.0), Cell(0)), product(Cell(0), Number(0.0))
    (Cell(column=0), Number(value=0.0))
    """
    if Number(0.0) in parts:
        return Number(0.0)
    flat = [one for part in parts for one in (part.parts if isinstance(part, Product) else (part,))]
    kept = [part for part in flat if part != Number(1.0)]
    if not kept:
        return Number(1.0)
    return kept[0] if len(kept) == 1 else Product(tuple(kept))


def total(parts: list[Value]) -> Value:
    """Return a sum without parts that are zero.

    >>> total([Number(0.0), Cell(1)]), total([])
    (Cell(column=1), Number(value=0.0))
    """
    kept = [part for part in parts if part != Number(0.0)]
    if not kept:
        return Number(0.0)
    return kept[0] if len(kept) == 1 else Sum(tuple(kept))


def parts_of(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all that it is made of.

    >>> [type(part).__name__ for part in parts_of(Case(((Gap(0), Number(1.0)),), Nothing()))]
    ['Case', 'Gap', 'Number', 'Nothing']
    """
    stack: list[Expression] = [expression]
    while stack:
        at = stack.pop()
        yield at
        stack.extend(reversed(_inside(at)))


def _inside(at: Expression) -> list[Expression]:
    if isinstance(at, Case):
        return [part for when in at.whens for part in when] + [at.otherwise]
    if isinstance(at, Compare):
        return [at.left, at.right]
    if isinstance(at, (All, Either, Sum, Product, Largest)):
        return list(at.parts)
    if isinstance(at, Quotient):
        return [at.above, at.below]
    if isinstance(at, Power):
        return [at.exponent]
    return [at.place] if isinstance(at, Lookup) else []


def best_of(worths: list[Value], answer: Callable[[int], Value], slack: float, best: Value) -> Value:
    """Return the answer of the first worth that is the best but for rounding.

    Whoever has no answer at all has no best one: then none of the comparisons holds, and neither does this.

    >>> best_of([Step("a"), Step("b")], Class, 1e-12, Step("best")).whens[0][1]
    Class(place=0)
    """
    enough = Sum((best, Number(-slack)))
    return Case(tuple((Compare(worth, ">=", enough), answer(c)) for c, worth in enumerate(worths)), Nothing())
