"""JavaScript: an ES module for browsers and Node.js; a row is an object by the names of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from treewright.export.code import program as p
from treewright.export.code.naming import remark
from treewright.export.code.printer import Printer, coded_fields, wrapped
from treewright.export.code.program import Field, Function, Table
from treewright.export.code.python import MOST_LITERALS
from treewright.export.code.texts import javascript_text


class JavaScriptPrinter(Printer):
    """ECMAScript 2015 and later."""

    step: ClassVar[str] = "  "
    nan: ClassVar[str] = "NaN"
    infinity: ClassVar[str] = "Infinity"

    def binary(self, x: p.Binary) -> str:
        if x.sign == "//":
            return f"Math.floor({self.inner(x.left)} / {self.inner(x.right)})"
        return super().binary(x)

    def sign(self, sign: str) -> str:
        return {"==": "===", "!=": "!=="}.get(sign, sign)

    def is_gap(self, field: Field) -> str:
        cell = self.measured(field)
        return f"Number.isNaN({cell})" if field.kind == "number" else f"{cell} === null"

    def among(self, field: Field, places: Sequence[int]) -> str:
        cell = self.measured(field)
        if field.kind == "truth":
            words = ["true" if place else "false" for place in places]
        else:
            words = [javascript_text(field.column.categories[place]) for place in places]
        if len(words) <= 2:
            return " || ".join(f"{cell} === {word}" for word in words)
        return f"[{', '.join(words)}].includes({cell})"

    def code(self, field: Field) -> str:
        return f"code({field.name.upper()}_PLACES, {self.measured(field)})"

    def is_nan(self, text: str) -> str:
        return f"Number.isNaN({text})"

    def exponential(self, text: str) -> str:
        return f"Math.exp({text})"

    def let(self, name: str, kind: str, value: str) -> str:  # noqa: ARG002 (names have no types here)
        return f"let {name} = {value};"

    def let_wholes(self, name: str, values: list[str]) -> str:
        return f"const {name} = [{', '.join(values)}];"

    def loop(self, x: p.Loop, tab: str) -> list[str]:
        head = f"for (let {x.name} = 0; {x.name} < {self.e(x.limit)}; {x.name}++) {{"
        return [tab + head, *self.block(x.body, tab + self.step), f"{tab}}}"]

    def head(self, function: Function) -> str:
        return f"function {function.name}({', '.join(name for name, _ in function.parameters)})"

    def table(self, table: Table, tab: str) -> list[str]:
        if len(table.values) <= MOST_LITERALS or table.remarks:
            return [f"{tab}const {table.name} = [", *self.elements(table, tab + self.step), f"{tab}];"]
        words = [self.element(table.type, value) for value in table.values]
        lines = [line.replace(",", "") for line in wrapped(words, "")]
        return [f"{tab}const {table.name} = `", *lines, "`.trim().split(/\\s+/).map(Number);"]

    # ---- the file -----------------------------------------------------------------------------------------

    def file(self) -> str:
        program = self.program
        lines = [*self.remarks(), "", *(f"const {name} = {place};" for name, place in self.slots())]
        if program.classes:
            lines.append(f"export const classes = [{', '.join(map(javascript_text, program.classes))}];")
        for field in coded_fields(program):
            keys = (
                ("false", "true") if field.kind == "truth" else map(javascript_text, field.column.categories)
            )
            pairs = [f"[{key}, {i}]" for i, key in enumerate(keys)]
            lines += ["", f"// Places of the categories of {field.name}.",
                      f"const {field.name.upper()}_PLACES = new Map([",
                      *wrapped(pairs, self.step), "]);"]  # fmt: skip
        lines += self.tables() + self.functions()
        return "\n".join([*lines, "", *self.door()]) + "\n"

    def door(self) -> list[str]:
        program = self.program
        cells = [
            f"    {field.name}: {field.kind}Of(row, {javascript_text(field.column.name)}),"
            for field in program.fields
        ]
        said = "{ label: classes[place]" if program.classes else "{ value: out[0]"
        has_chances = program.classes and program.has_chances
        said += ", probabilities: out.slice(0, classes.length)" if has_chances else ""
        node = ", node: out[NODE]" if program.node else ""
        what = "the label" if program.classes else "the number"
        what += ", the probabilities by class" if has_chances else ""
        what += f", and {program.node}" if program.node else ""
        text = _PREDICT.replace("@CELLS@", "\n".join(cells)).replace("@N@", str(program.n_out))
        text = text.replace("@SAID@", f"{said}{node} }}").replace("@WHAT@", remark(what))
        kinds = {field.kind for field in program.fields}
        text += _CELL if kinds else ""
        text += "".join(part for kind, part in _READERS.items() if kind in kinds)
        text += _CODE if coded_fields(program) else ""
        return text.strip().split("\n")


_PREDICT = """
// Return @WHAT@, for an object by the names of columns;
// null, undefined and NaN are missing values. A row that the model refuses throws a RangeError.
export function predict(row) {
  const cells = {
@CELLS@
  };
  const out = new Array(@N@).fill(0);
  const place = score(cells, out);
  if (place < 0) {
    throw new RangeError("The model refuses a row with such a missing value or unknown category.");
  }
  return @SAID@;
}
"""

_CELL = """
function cellOf(row, name) {
  if (!(name in row)) throw new TypeError(`The row has no column ${JSON.stringify(name)}.`);
  return row[name];
}
"""

_READERS = {
    "number": """
function numberOf(row, name) {
  const cell = cellOf(row, name);
  if (cell === null || cell === undefined || (typeof cell === "string" && cell.trim() === "")) return NaN;
  const number = Number(cell);
  if (Number.isNaN(number) && typeof cell === "string" && cell.trim().toLowerCase() !== "nan") {
    throw new TypeError(`Column ${JSON.stringify(name)} holds ${JSON.stringify(cell)}, which is no number.`);
  }
  return number;
}
""",
    "text": """
function textOf(row, name) {
  const cell = cellOf(row, name);
  if (cell === null || cell === undefined || Number.isNaN(cell)) return null;
  if (typeof cell === "boolean") return cell ? "True" : "False";
  return String(cell);
}
""",
    "truth": """
function truthOf(row, name) {
  const cell = cellOf(row, name);
  if (cell === null || cell === undefined || Number.isNaN(cell)) return null;
  const word = String(cell).trim().toLowerCase();
  if (["true", "1", "yes", "y", "t", "on"].includes(word)) return true;
  return ["false", "0", "no", "n", "f", "off"].includes(word) ? false : word;
}
""",
}

_CODE = """
function code(places, cell) {
  return cell === null ? -1 : places.has(cell) ? places.get(cell) : -2;
}
"""
