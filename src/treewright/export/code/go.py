"""Go: a package with a type for rows and one for answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from treewright.export.code import program as p
from treewright.export.code.naming import camel, quoted, remark
from treewright.export.code.printer import Printer, coded_fields
from treewright.export.code.program import Field, Function, Table
from treewright.export.code.texts import go_text


class GoPrinter(Printer):
    """Go 1.13 and later."""

    step: ClassVar[str] = "\t"
    types: Mapping[str, str] = MappingProxyType({p.NUMBER: "float64", p.WHOLE: "int", p.MEASURE: "float64"})
    nan: ClassVar[str] = "math.NaN()"
    infinity: ClassVar[str] = "math.Inf(1)"

    def number(self, value: float) -> str:
        return "math.Inf(-1)" if value == float("-inf") else super().number(value)

    def measured(self, field: Field) -> str:
        return f"row.{camel(field.name)}"

    def is_gap(self, field: Field) -> str:
        cell = self.measured(field)
        return f"math.IsNaN({cell})" if field.kind == "number" else f"{cell} == nil"

    def among(self, field: Field, places: Sequence[int]) -> str:
        cell = self.measured(field)
        if field.kind == "truth":
            return " || ".join(f"is({cell}, {'true' if place else 'false'})" for place in places)
        return f"oneOf({cell}, {', '.join(go_text(field.column.categories[place]) for place in places)})"

    def code(self, field: Field) -> str:
        return f"codeOf{camel(field.name)}({self.measured(field)})"

    def is_nan(self, text: str) -> str:
        return f"math.IsNaN({text})"

    def exponential(self, text: str) -> str:
        return f"math.Exp({text})"

    def pick(self, x: p.Pick) -> str:
        return f"pick({self.e(x.condition)}, {self.e(x.yes)}, {self.e(x.no)})"

    def as_number(self, of: Any) -> str:
        return f"float64({self.e(of)})"

    def as_whole(self, of: Any) -> str:
        return f"int({self.e(of)})"

    def item(self, x: p.Item) -> str:
        is_whole = any(table.name == x.of and table.type == p.WHOLE for table in self.program.tables)
        return f"int({super().item(x)})" if is_whole else super().item(x)

    def end(self, text: str) -> str:
        return text

    def let(self, name: str, kind: str, value: str) -> str:
        return f"var {name} {self.types[kind]} = {value}"

    def let_wholes(self, name: str, values: list[str]) -> str:
        return f"var {name} = []int{{{', '.join(values)}}}"

    def condition(self, expression: Any) -> str:
        return self.e(expression)

    def loop(self, x: p.Loop, tab: str) -> list[str]:
        head = f"for {x.name} := 0; {x.name} < {self.e(x.limit)}; {x.name}++ {{"
        return [tab + head, *self.block(x.body, tab + self.step), f"{tab}}}"]

    def while_(self, x: p.While, tab: str) -> list[str]:
        return [f"{tab}for {self.e(x.condition)} {{", *self.block(x.body, tab + self.step), f"{tab}}}"]

    def head(self, function: Function) -> str:
        types = {p.ROW: "*Row", p.NUMBERS: "[]float64", p.WHOLES: "[]int", **self.types}
        given = ", ".join(f"{name} {types[kind]}" for name, kind in function.parameters)
        return f"func {function.name}({given}) int"

    def function(self, function: Function, tab: str) -> list[str]:
        lines = super().function(function, tab)
        if _ends_in_if(function.body):
            lines.insert(len(lines) - 1, f'{tab}{self.step}panic("not reached")')
        return lines

    def table(self, table: Table, tab: str) -> list[str]:
        kind = "float64" if table.type != p.WHOLE else smallest(table.values)
        head = f"{tab}var {table.name} = [...]{kind}{{"
        return [head, *self.elements(table, tab + self.step), f"{tab}}}"]

    # ---- the file -----------------------------------------------------------------------------------------

    def file(self) -> str:
        program = self.program
        lines = [*self.remarks(), f"package {self.module.lower()}", "", "import (", '\t"errors"', '\t"math"',
                 ")", ""]  # fmt: skip
        lines += [f"const {name} = {place}" for name, place in self.slots()]
        if program.classes:
            texts = [f"\t{go_text(name)}," for name in program.classes]
            lines += ["", "// Classes are the classes, by their places.", "var Classes = [...]string{",
                      *texts, "}"]  # fmt: skip
        lines += self.row_type() + self.answer_type()
        for field in coded_fields(program):
            lines += self.reader(field)
        return "\n".join([*lines, *self.tables(), *self.functions(), *_HELPERS.rstrip().split("\n")]) + "\n"

    def row_type(self) -> list[str]:
        types = {"number": "float64", "text": "*string", "truth": "*bool"}
        lines = ["", "// Row is a row; a missing number is math.NaN(), any other missing value nil.",
                 "type Row struct {"]  # fmt: skip
        for field in self.program.fields:
            line = f"\t{camel(field.name)} {types[field.kind]}"
            lines.append(self.beside(line, f"column {quoted(field.column.name)}"))
        return [*lines, "}"]

    def answer_type(self) -> list[str]:
        program = self.program
        n = len(program.classes)
        if n:
            fields, rest = ["Label string"], ["\tanswer := Answer{Label: Classes[place]}"]
            if program.has_chances:
                fields.append(f"Probabilities [{n}]float64")
                rest.append("\tcopy(answer.Probabilities[:], out[:])")
        else:
            fields, rest = ["Value float64"], ["\tanswer := Answer{Value: out[0]}"]
        if program.node:
            fields.append("Node int")
            rest.append("\tanswer.Node = int(out[NODE])")
        node = [f"// The node is {remark(program.node)}."] if program.node else []
        return ["", "// Answer is what the model says of a row.", "type Answer struct {",
                *(f"\t{field}" for field in fields), "}", "",
                "// ErrRefused is for rows that the model refuses.",
                'var ErrRefused = errors.New("the model refuses such a missing or unknown value")', "",
                "// Predict answers a row.", *node,
                "func Predict(row *Row) (Answer, error) {",
                f"\tvar out [{program.n_out}]float64", "\tplace := score(row, out[:])", "\tif place < 0 {",
                "\t\treturn Answer{}, ErrRefused", "\t}", *rest, "\treturn answer, nil", "}"]  # fmt: skip

    def reader(self, field: Field) -> list[str]:
        kind = "*bool" if field.kind == "truth" else "*string"
        keys = ("false", "true") if field.kind == "truth" else map(go_text, field.column.categories)
        lines = ["", f"// The place of a category of {field.name}.",
                 f"func codeOf{camel(field.name)}(text {kind}) int {{", "\tif text == nil {", "\t\treturn -1",
                 "\t}", "\tswitch *text {"]  # fmt: skip
        for place, key in enumerate(keys):
            lines += [f"\tcase {key}:", f"\t\treturn {place}"]
        return [*lines, "\t}", "\treturn -2", "}"]


def _ends_in_if(body: Sequence[Any]) -> bool:
    """Whether a function ends in an if whose branches return: Go wants to see that."""
    return not body or not isinstance(body[-1], p.Return)


def smallest(values: Sequence[int]) -> str:
    """Return the smallest type of Go that holds all these numbers.

    >>> smallest([0, 200]), smallest([-1, 5]), smallest([70000])
    ('uint8', 'int8', 'int32')
    """
    low, high = min(values, default=0), max(values, default=0)
    for bits in (8, 16):
        if low >= 0 and high < 2**bits:
            return f"uint{bits}"
        if -(2 ** (bits - 1)) <= low and high < 2 ** (bits - 1):
            return f"int{bits}"
    return "int32"


_HELPERS = """
var _ = math.NaN

// oneOf says whether a text is there and among some categories.
func oneOf(text *string, categories ...string) bool {
	if text != nil {
		for _, category := range categories {
			if *text == category {
				return true
			}
		}
	}
	return false
}

// is says whether a truth is there and so.
func is(truth *bool, wanted bool) bool {
	return truth != nil && *truth == wanted
}

func pick(condition bool, yes, no float64) float64 {
	if condition {
		return yes
	}
	return no
}
"""
