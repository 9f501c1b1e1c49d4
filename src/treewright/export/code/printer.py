"""A program in the words of a language: what those with braces share; each overrides the rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from treewright.export.code import program as p
from treewright.export.code.naming import remark
from treewright.export.code.program import Field, Function, Program, Table

WIDTH = 110  # letters in a line of a table
_COMPARED = (p.Binary, p.Below, p.Above, p.AtMost)  # what binds tighter than "and" in every language
_COMPOUND = (p.Binary, p.Many, p.Pick, p.Below, p.Above, p.Among, p.AtMost, p.Negation)


class Printer:
    """Prints one program. `module` is the name that the file's names hang on."""

    comment: ClassVar[str] = "//"
    step: ClassVar[str] = "    "
    all_word: ClassVar[str] = "&&"
    any_word: ClassVar[str] = "||"
    not_word: ClassVar[str] = "!"
    types: Mapping[str, str] = MappingProxyType({})

    def __init__(self, program: Program, module: str) -> None:
        self.program, self.module = program, module
        self.in_function = ""
        self.expressions: dict[type, Callable[[Any], str]] = {
            p.Number: lambda x: self.number(x.value),
            p.Whole: lambda x: str(x.value),
            p.Name: lambda x: self.variable(x.name),
            p.Binary: self.binary,
            p.Many: self.many,
            p.Negation: self.negation,
            p.Item: self.item,
            p.Call: self.call,
            p.Cell: lambda x: self.cell(x.field),
            p.Measured: lambda x: self.measured(x.field),
            p.Below: lambda x: f"{self.measured(x.field)} <= {self.threshold(x.threshold)}",
            p.Above: lambda x: f"{self.measured(x.field)} > {self.threshold(x.threshold)}",
            p.IsGap: lambda x: self.is_gap(x.field),
            p.Among: lambda x: self.among(x.field, x.places),
            p.Code: lambda x: self.code(x.field),
            p.AtMost: lambda x: f"{self.inner(x.of)} <= {self.number(x.threshold)}",
            p.IsNaN: lambda x: self.is_nan(self.e(x.of)),
            p.NoMeasure: lambda x: self.no_measure(self.e(x.of)),
            p.Exponential: lambda x: self.exponential(self.e(x.of)),
            p.AsNumber: lambda x: self.as_number(x.of),
            p.AsWhole: lambda x: self.as_whole(x.of),
            p.Pick: self.pick,
        }
        self.statements: dict[type, Callable[[Any, str], list[str]]] = {
            p.Let: lambda s, tab: [tab + self.let(s.name, s.type, self.e(s.value))],
            p.LetWholes: lambda s, tab: [tab + self.let_wholes(s.name, list(map(self.e, s.values)))],
            p.Put: lambda s, tab: [tab + self.put(s)],
            p.If: self.if_,
            p.Loop: self.loop,
            p.While: self.while_,
            p.Return: lambda s, tab: [tab + self.beside(self.return_(self.e(s.value)), s.remark)],
            p.Do: lambda s, tab: [tab + self.end(self.e(s.call))],
            p.Remark: lambda s, tab: [f"{tab}{self.comment} {remark(s.text)}"],
        }

    # ---- expressions --------------------------------------------------------------------------------------

    def e(self, expression: Any) -> str:
        return self.expressions[type(expression)](expression)

    def inner(self, expression: Any) -> str:
        """Return an expression as a part of another one."""
        text = self.e(expression)
        return f"({text})" if isinstance(expression, _COMPOUND) or text.startswith("-") else text

    def number(self, value: float) -> str:
        """Return a literal that reads back as exactly this number."""
        if math.isnan(value):
            return self.nan
        if math.isinf(value):
            return self.infinity if value > 0 else f"-{self.infinity}"
        return repr(float(value))

    nan: ClassVar[str] = "NAN"
    infinity: ClassVar[str] = "INFINITY"

    def threshold(self, value: float) -> str:
        return self.number(value)

    def variable(self, name: str) -> str:
        return name

    def binary(self, x: p.Binary) -> str:
        left = self.e(x.left) if _continues(x, x.left) else self.inner(x.left)
        return f"{left} {self.sign(x.sign)} {self.inner(x.right)}"

    def sign(self, sign: str) -> str:
        return "/" if sign == "//" else sign

    def many(self, x: p.Many) -> str:
        word = self.all_word if x.word == "and" else self.any_word
        return f" {word} ".join(
            self.e(part) if isinstance(part, _COMPARED) else self.inner(part) for part in x.parts
        )

    def negation(self, x: p.Negation) -> str:
        return f"{self.not_word}{self.inner(x.of)}"

    def item(self, x: p.Item) -> str:
        return f"{self.variable(x.of)}[{self.index(x.at)}]"

    def index(self, at: Any) -> str:
        return self.e(at)

    def call(self, x: p.Call) -> str:
        return f"{self.function_name(x.name)}({', '.join(map(self.e, x.arguments))})"

    def function_name(self, name: str) -> str:
        return name

    def pick(self, x: p.Pick) -> str:
        return f"{self.inner(x.condition)} ? {self.inner(x.yes)} : {self.inner(x.no)}"

    def as_number(self, of: Any) -> str:
        return self.e(of)

    def as_whole(self, of: Any) -> str:
        return self.e(of)

    def cell(self, field: Field) -> str:
        return self.measured(field)

    def measured(self, field: Field) -> str:
        return f"row.{field.name}"

    def is_gap(self, field: Field) -> str:
        raise NotImplementedError

    def among(self, field: Field, places: Sequence[int]) -> str:
        raise NotImplementedError

    def code(self, field: Field) -> str:
        return f"{self.function_name('code_of_' + field.name)}({self.measured(field)})"

    def is_nan(self, text: str) -> str:
        raise NotImplementedError

    def no_measure(self, text: str) -> str:
        return self.is_nan(text)

    def exponential(self, text: str) -> str:
        raise NotImplementedError

    # ---- statements ---------------------------------------------------------------------------------------

    def block(self, statements: Iterable[Any], tab: str) -> list[str]:
        lines = []
        for statement in statements:
            lines += self.statements[type(statement)](statement, tab)
        return lines

    def end(self, text: str) -> str:
        return f"{text};"

    def beside(self, text: str, words: str) -> str:
        return f"{text}  {self.comment} {remark(words)}" if words else text

    def let(self, name: str, kind: str, value: str) -> str:
        return self.end(f"{self.types[kind]} {name} = {value}")

    def let_wholes(self, name: str, values: list[str]) -> str:
        raise NotImplementedError

    def put(self, x: p.Put) -> str:
        return self.end(f"{self.e(x.target)} = {self.e(x.value)}")

    def return_(self, value: str) -> str:
        return self.end(f"return {value}")

    def if_(self, x: p.If, tab: str) -> list[str]:
        lines = []
        for turn, branch in enumerate(x.branches):
            word = "if" if turn == 0 else "} else if"
            head = f"{word} {self.condition(branch.condition)} {{"
            lines.append(tab + self.beside(head, branch.remark))
            lines += self.block(branch.body, tab + self.step)
        if x.otherwise:
            lines.append(tab + self.beside("} else {", x.remark))
            lines += self.block(x.otherwise, tab + self.step)
        return [*lines, f"{tab}}}"]

    def condition(self, expression: Any) -> str:
        return f"({self.e(expression)})"

    def loop(self, x: p.Loop, tab: str) -> list[str]:
        head = f"for (int {x.name} = 0; {x.name} < {self.e(x.limit)}; {x.name}++) {{"
        return [tab + head, *self.block(x.body, tab + self.step), f"{tab}}}"]

    def while_(self, x: p.While, tab: str) -> list[str]:
        head = f"while {self.condition(x.condition)} {{"
        return [tab + head, *self.block(x.body, tab + self.step), f"{tab}}}"]

    # ---- functions and tables -----------------------------------------------------------------------------

    def functions(self, tab: str = "") -> list[str]:
        lines: list[str] = []
        for function in self.program.functions:
            self.in_function = function.name
            lines += ["", f"{tab}{self.comment} {remark(function.about)}."]
            lines += self.function(function, tab)
        return lines

    def function(self, function: Function, tab: str) -> list[str]:
        head = self.head(function)
        return [f"{tab}{head} {{", *self.block(function.body, tab + self.step), f"{tab}}}"]

    def head(self, function: Function) -> str:
        raise NotImplementedError

    def tables(self, tab: str = "") -> list[str]:
        lines: list[str] = []
        for table in self.program.tables:
            lines += ["", f"{tab}{self.comment} {remark(table.about)}."]
            lines += self.table(table, tab)
        return lines

    def table(self, table: Table, tab: str) -> list[str]:
        raise NotImplementedError

    def elements(self, table: Table, tab: str, most_remarks: int = 20_000) -> list[str]:
        """Return the elements of a table, with commas, in lines."""
        words = [self.element(table.type, value) for value in table.values]
        if not table.width or (len(words) > most_remarks and not table.remarks):
            return wrapped(words, tab)
        lines = []
        for turn, first in enumerate(range(0, len(words), table.width)):
            line = f"{tab}{', '.join(words[first : first + table.width])},"
            has_remark = turn < len(table.remarks) and len(words) <= most_remarks
            lines.append(self.beside(line, table.remarks[turn]) if has_remark else line)
        return lines

    def element(self, kind: str, value: Any) -> str:
        if kind == p.WHOLE:
            return str(value)
        return self.threshold(value) if kind == p.MEASURE else self.number(value)

    def remarks(self, tab: str = "") -> list[str]:
        """Return the lines that the file begins with."""
        return [f"{tab}{self.comment} {remark(line)}" for line in self.program.about]

    def slots(self) -> Iterable[tuple[str, int]]:
        """Return the names of places in `out` that the functions use."""
        used = names_in(self.program.functions)
        return [(name, place) for name, place in self.program.slots.items() if name in used]


def _continues(x: p.Binary, left: Any) -> bool:
    """Whether a sum goes on, or a product: no brackets are needed."""
    if not isinstance(left, p.Binary):
        return False
    return x.sign in "+-" and left.sign in "+-*/" and len(left.sign) == 1


def wrapped(words: Sequence[str], tab: str, width: int = WIDTH) -> list[str]:
    """Return words with commas, as many in a line as fit.

    >>> wrapped(["1", "2", "3"], "  ", 8)
    ['  1, 2,', '  3,']
    """
    lines, line = [], tab
    for word in words:
        if len(line) + len(word) + 1 > width and line != tab:
            lines.append(line.rstrip())
            line = tab
        line += f"{word}, "
    return [*lines, line.rstrip()] if line != tab else lines


def names_in(value: Any) -> set[str]:
    """Return the names of variables and constants that occur in statements."""
    if isinstance(value, p.Name):
        return {value.name}
    if isinstance(value, tuple) and not isinstance(value, Field):
        found: set[str] = set()
        for part in value:
            found |= names_in(part)
        return found
    return set()


def coded_fields(program: Program) -> list[Field]:
    """Return the fields whose codes are asked for."""
    found: dict[str, Field] = {}
    stack: list[Any] = [program.functions]
    while stack:
        value = stack.pop()
        if isinstance(value, p.Code):
            found[value.field.name] = value.field
        elif isinstance(value, tuple) and not isinstance(value, Field):
            stack.extend(value)
    return [field for field in program.fields if field.name in found]
