"""Rust: a module without dependencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from treewright.export.code import program as p
from treewright.export.code.naming import quoted, remark
from treewright.export.code.printer import Printer, coded_fields
from treewright.export.code.program import Field, Function, Table
from treewright.export.code.texts import rust_text


class RustPrinter(Printer):
    """Rust of the edition 2018 and later."""

    types: Mapping[str, str] = MappingProxyType({p.NUMBER: "f64", p.WHOLE: "i32", p.MEASURE: "f64"})
    nan: ClassVar[str] = "f64::NAN"
    infinity: ClassVar[str] = "f64::INFINITY"

    def is_gap(self, field: Field) -> str:
        cell = self.measured(field)
        return f"{cell}.is_nan()" if field.kind == "number" else f"{cell}.is_none()"

    def among(self, field: Field, places: Sequence[int]) -> str:
        cell = self.measured(field)
        if field.kind == "truth":
            words = ["true" if place else "false" for place in places]
        else:
            words = [rust_text(field.column.categories[place]) for place in places]
        if len(words) == 1:
            return f"{cell} == Some({words[0]})"
        return f"matches!({cell}, Some({' | '.join(words)}))"

    def code(self, field: Field) -> str:
        return f"code_of_{field.name}({self.measured(field)})"

    def is_nan(self, text: str) -> str:
        return f"({text}).is_nan()"

    def exponential(self, text: str) -> str:
        return f"({text}).exp()"

    def as_number(self, of: Any) -> str:
        return f"f64::from({self.e(of)})"

    def as_whole(self, of: Any) -> str:
        return f"({self.e(of)} as i32)"

    def index(self, at: Any) -> str:
        return f"({self.e(at)}) as usize"

    def item(self, x: p.Item) -> str:
        text = super().item(x)
        narrow = next((t for t in self.program.tables if t.name == x.of and t.type == p.WHOLE), None)
        return f"i32::from({text})" if narrow is not None and smallest(narrow.values) != "i32" else text

    def pick(self, x: p.Pick) -> str:
        return f"if {self.e(x.condition)} {{ {self.e(x.yes)} }} else {{ {self.e(x.no)} }}"

    def let(self, name: str, kind: str, value: str) -> str:
        return f"let mut {name}: {self.types[kind]} = {value};"

    def let_wholes(self, name: str, values: list[str]) -> str:
        return f"let {name}: &[i32] = &[{', '.join(values)}];"

    def condition(self, expression: Any) -> str:
        return self.e(expression)

    def loop(self, x: p.Loop, tab: str) -> list[str]:
        limit = f"{x.limit.value}_i32" if isinstance(x.limit, p.Whole) else f"({self.e(x.limit)})"
        head = f"for {x.name} in 0..{limit} {{"
        return [tab + head, *self.block(x.body, tab + self.step), f"{tab}}}"]

    def head(self, function: Function) -> str:
        types = {p.ROW: "&Row", p.NUMBERS: "&mut [f64]", p.WHOLES: "&[i32]", **self.types}
        given = ", ".join(f"{name}: {types[kind]}" for name, kind in function.parameters)
        return f"fn {function.name}({given}) -> i32"

    def table(self, table: Table, tab: str) -> list[str]:
        kind = "f64" if table.type != p.WHOLE else smallest(table.values)
        head = f"{tab}static {table.name}: [{kind}; {len(table.values)}] = ["
        return [head, *self.elements(table, tab + self.step), f"{tab}];"]

    # ---- the file -----------------------------------------------------------------------------------------

    def file(self) -> str:
        program = self.program
        allowed = "dead_code, unused, clippy::all"
        lines = [*self.remarks(), "", f"#![allow({allowed})]", ""]
        lines += [f"const {name}: i32 = {place};" for name, place in self.slots()]
        if program.classes:
            texts = [f"    {rust_text(name)}," for name in program.classes]
            lines += ["", "/// The classes, by their places.",
                      f"pub static CLASSES: [&str; {len(texts)}] = [", *texts, "];"]  # fmt: skip
        lines += self.row_type() + self.answer_type()
        for field in coded_fields(program):
            lines += self.reader(field)
        return "\n".join([*lines, *self.tables(), *self.functions()]) + "\n"

    def row_type(self) -> list[str]:
        fields = self.program.fields
        types = {"number": "f64", "text": "Option<&'a str>", "truth": "Option<bool>"}
        values = {"number": "f64::NAN", "text": "None", "truth": "None"}
        life = "<'a>" if any(field.kind == "text" for field in fields) else ""
        any_life = "<'_>" if life else ""
        lines = ["", "/// A row; a missing number is NAN, of other columns None is a missing value.",
                 "#[derive(Clone, Copy, Debug)]", f"pub struct Row{life} {{"]  # fmt: skip
        for field in fields:
            line = f"    pub {field.name}: {types[field.kind]},"
            lines.append(self.beside(line, f"column {quoted(field.column.name)}"))
        lines += [
            "}",
            "",
            f"impl Default for Row{any_life} {{",
            "    fn default() -> Self {",
            "        Row {",
        ]
        lines += [f"            {field.name}: {values[field.kind]}," for field in fields]
        return [*lines, "        }", "    }", "}"]

    def answer_type(self) -> list[str]:
        program = self.program
        n = len(program.classes)
        if n:
            fields, values = {"label": "&'static str"}, ["label: CLASSES[place as usize]"]
            rest = []
            if program.has_chances:
                fields["probabilities"] = f"[f64; {n}]"
                values.append("probabilities")
                rest = [f"    let mut probabilities = [0.0; {n}];",
                        f"    probabilities.copy_from_slice(&out[..{n}]);"]  # fmt: skip
        else:
            fields, values, rest = {"value": "f64"}, ["value: out[0]"], []
        if program.node:
            fields["node"] = "i32"
            values.append("node: out[NODE as usize] as i32")
        lines = [
            "",
            "/// What the model says of a row.",
            "#[derive(Clone, Copy, Debug)]",
            "pub struct Answer {",
        ]
        lines += [f"    pub {name}: {kind}," for name, kind in fields.items()]
        node = [f"/// The node is {remark(program.node)}."] if program.node else []
        return [*lines, "}", "", "/// Answer a row; None: the model refuses it.", *node,
                "pub fn predict(row: &Row) -> Option<Answer> {",
                f"    let mut out = [0.0_f64; {program.n_out}];",
                "    let place = score(row, &mut out);", "    if place < 0 {",
                "        return None;", "    }",
                *rest, f"    Some(Answer {{ {', '.join(values)} }})", "}"]  # fmt: skip

    def reader(self, field: Field) -> list[str]:
        kind = "Option<bool>" if field.kind == "truth" else "Option<&str>"
        keys = ("false", "true") if field.kind == "truth" else map(rust_text, field.column.categories)
        lines = ["", f"// The place of a category of {field.name}.",
                 f"fn code_of_{field.name}(text: {kind}) -> i32 {{", "    match text {",
                 "        None => -1,"]  # fmt: skip
        lines += [f"        Some({key}) => {place}," for place, key in enumerate(keys)]
        last = [] if field.kind == "truth" else ["        Some(_) => -2,"]
        return [*lines, *last, "    }", "}"]


def smallest(values: Sequence[int]) -> str:
    """Return the smallest type of Rust that holds all these numbers.

    >>> smallest([0, 200]), smallest([-1, 5]), smallest([70000])
    ('u8', 'i8', 'i32')
    """
    low, high = min(values, default=0), max(values, default=0)
    for bits in (8, 16):
        if low >= 0 and high < 2**bits:
            return f"u{bits}"
        if -(2 ** (bits - 1)) <= low and high < 2 ** (bits - 1):
            return f"i{bits}"
    return "i32"
