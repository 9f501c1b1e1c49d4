"""A program as a value: what a model computes, in the few words that every programming language has.

A model becomes a program once; a language prints it. So all languages do the same, sum for sum.
Names of columns stand in it as `Field`s; how a cell is read, a language knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from treewright.table import Column

# Types of variables, parameters and elements. "measure" is the type of the numbers that come in.
NUMBER, WHOLE, MEASURE = "number", "whole", "measure"
NUMBERS, WHOLES, ROW = "numbers", "wholes", "row"  # of parameters only: arrays, and the row


class Field(NamedTuple):
    """A column that is looked at: its name in the code, and how its cells come in."""

    name: str
    column: Column
    place: int  # in the schema
    kind: str  # "number", "text", "truth"
    constants: tuple[str, ...]  # names for the categories, where a language wants some


# ---- expressions -------------------------------------------------------------------------------------------


class Number(NamedTuple):
    """A number, exactly."""

    value: float


class Whole(NamedTuple):
    """A whole number."""

    value: int


class Name(NamedTuple):
    """A variable or a constant."""

    name: str


class Binary(NamedTuple):
    """Two operands: + - * / on numbers, // and % on whole ones from 0 up, < <= > >= == != on either."""

    sign: str
    left: Any
    right: Any


class Many(NamedTuple):
    """All of some conditions ("and"), or any of them ("or")."""

    word: str
    parts: tuple[Any, ...]


class Negation(NamedTuple):
    """Not so."""

    of: Any


class Item(NamedTuple):
    """An element of a table or an array."""

    of: str
    at: Any


class Call(NamedTuple):
    """What a function of the program gives."""

    name: str
    arguments: tuple[Any, ...]


class Cell(NamedTuple):
    """The number in a cell, to compute with; not a number where there is none."""

    field: Field


class Measured(NamedTuple):
    """The number in a cell as it comes in."""

    field: Field


class Below(NamedTuple):
    """Whether the number is there, and at most the threshold."""

    field: Field
    threshold: float


class Above(NamedTuple):
    """Whether the number is there, and more than the threshold."""

    field: Field
    threshold: float


class IsGap(NamedTuple):
    """Whether a cell has no value."""

    field: Field


class Among(NamedTuple):
    """Whether a cell holds one of these categories, by their places."""

    field: Field
    places: tuple[int, ...]


class Code(NamedTuple):
    """The place of the category in a cell: -1 for a gap, -2 for one never seen."""

    field: Field


class AtMost(NamedTuple):
    """Whether a computed number is at most a threshold; no number is not."""

    of: Any
    threshold: float


class IsNaN(NamedTuple):
    """Whether it is not a number."""

    of: Any


class NoMeasure(NamedTuple):
    """Whether a number, as it comes in, is missing."""

    of: Any


class Exponential(NamedTuple):
    """e to a power."""

    of: Any


class AsNumber(NamedTuple):
    """A whole number as a number."""

    of: Any


class AsWhole(NamedTuple):
    """A number that is whole, as a whole number."""

    of: Any


class Pick(NamedTuple):
    """One of two numbers."""

    condition: Any
    yes: Any
    no: Any


# ---- statements --------------------------------------------------------------------------------------------


class Let(NamedTuple):
    """A new variable."""

    name: str
    type: str
    value: Any


class LetWholes(NamedTuple):
    """A new array of whole numbers."""

    name: str
    values: tuple[Any, ...]


class Put(NamedTuple):
    """A new value of a variable or an element."""

    target: Any  # Name or Item
    value: Any


class Branch(NamedTuple):
    """What is done under a condition, and a remark beside it."""

    condition: Any
    body: tuple[Any, ...]
    remark: str = ""


class If(NamedTuple):
    """The first branch whose condition holds, else the rest."""

    branches: tuple[Branch, ...]
    otherwise: tuple[Any, ...] = ()
    remark: str = ""  # beside the else


class Loop(NamedTuple):
    """For each whole number from 0 up to a limit that is not reached."""

    name: str
    limit: Any
    body: tuple[Any, ...]


class While(NamedTuple):
    """As long as a condition holds."""

    condition: Any
    body: tuple[Any, ...]


class Return(NamedTuple):
    """The answer of the function."""

    value: Any
    remark: str = ""


class Do(NamedTuple):
    """A call whose answer nobody needs."""

    call: Call


class Remark(NamedTuple):
    """A comment."""

    text: str


class Function(NamedTuple):
    """A function: its parameters with their types, what it gives (None: nothing), what it does."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    gives: str | None
    body: tuple[Any, ...]
    about: str


class Table(NamedTuple):
    """Constants in a row: `width` of them stand in a line, each line with its remark if there are some."""

    name: str
    type: str
    values: tuple[Any, ...]
    about: str
    width: int = 0  # 0: as many as fit
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """A model as functions: `score(row, out)` fills `out`, and the rest is theirs.

    `out` begins with the probabilities by class (or the number); then come, by name in `slots`, the place of
    the label (-1: the row is refused), the node, and what the functions need between them.
    """

    about: tuple[str, ...]  # lines for the head
    model: Any
    classes: tuple[str, ...]  # empty: the answer is a number
    fields: tuple[Field, ...]
    slots: dict[str, int]
    tables: tuple[Table, ...]
    functions: tuple[Function, ...]
    node: str = ""  # what the node is: "" if there is none
    has_chances: bool = True  # False of classes without probabilities

    @property
    def n_out(self) -> int:
        """How many numbers `out` holds."""
        return max(self.slots.values()) + 1 + max(len(self.classes), 1)

    @property
    def numbers(self) -> int:
        """How many numbers an answer has: probabilities by class, or the one number."""
        return len(self.classes) * self.has_chances if self.classes else 1


# ---- shorthands --------------------------------------------------------------------------------------------


def plus(left: Any, right: Any) -> Binary:
    """Return a sum."""
    return Binary("+", left, right)


def times(left: Any, right: Any) -> Binary:
    """Return a product."""
    return Binary("*", left, right)


def all_of(parts: list[Any]) -> Any:
    """Return the conditions as one: None where there is none.

    >>> all_of([Name("a")]), all_of([])
    (Name(name='a'), None)
    """
    return None if not parts else parts[0] if len(parts) == 1 else Many("and", tuple(parts))


def any_of(parts: list[Any]) -> Any:
    """Return the conditions as one of which any suffices: None where there is none.

    >>> any_of([Name("a"), Name("b")]).word
    'or'
    """
    return None if not parts else parts[0] if len(parts) == 1 else Many("or", tuple(parts))
