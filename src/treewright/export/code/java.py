"""Java: one class, with a class for rows and one for answers inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from treewright.export.code import program as p
from treewright.export.code.naming import camel, quoted, remark
from treewright.export.code.printer import Printer, coded_fields
from treewright.export.code.program import Field, Function, Table
from treewright.export.code.texts import java_text

PIECE = 4000  # numbers in one text of a table: neither a text nor a method may grow beyond 64 KiB
TAB = "    "


class JavaPrinter(Printer):
    """Java 8 and later."""

    types: Mapping[str, str] = MappingProxyType({p.NUMBER: "double", p.WHOLE: "int", p.MEASURE: "double"})
    nan: ClassVar[str] = "Double.NaN"
    infinity: ClassVar[str] = "Double.POSITIVE_INFINITY"

    @property
    def name(self) -> str:
        """The name of the class, and of its file."""
        return camel(self.module)

    def is_gap(self, field: Field) -> str:
        cell = self.measured(field)
        return f"Double.isNaN({cell})" if field.kind == "number" else f"{cell} == null"

    def among(self, field: Field, places: Sequence[int]) -> str:
        cell = self.measured(field)
        if field.kind == "truth":
            words = [f"Boolean.{'TRUE' if place else 'FALSE'}" for place in places]
        else:
            words = [java_text(field.column.categories[place]) for place in places]
        return " || ".join(f"{word}.equals({cell})" for word in words)

    def code(self, field: Field) -> str:
        return f"codeOf_{field.name}({self.measured(field)})"

    def is_nan(self, text: str) -> str:
        return f"Double.isNaN({text})"

    def exponential(self, text: str) -> str:
        return f"Math.exp({text})"

    def as_whole(self, of: Any) -> str:
        return f"(int) {self.inner(of)}"

    def let_wholes(self, name: str, values: list[str]) -> str:
        return f"int[] {name} = {{{', '.join(values)}}};"

    def head(self, function: Function) -> str:
        types = {p.ROW: "Row", p.NUMBERS: "double[]", p.WHOLES: "int[]", **self.types}
        given = ", ".join(f"{types[kind]} {name}" for name, kind in function.parameters)
        return f"private static int {function.name}({given})"

    def table(self, table: Table, tab: str) -> list[str]:
        """Return a table as texts of numbers: an array in code may not be longer than a method."""
        kind = "wholes" if table.type == p.WHOLE else "numbers"
        array = "int[]" if table.type == p.WHOLE else "double[]"
        words = [_plain(self.element(table.type, value)) for value in table.values]
        if table.remarks and len(words) <= PIECE:
            lines = [
                self.beside(f'{tab}{TAB}+ "{" ".join(words[i : i + table.width])} "', note)
                for i, note in zip(range(0, len(words), table.width), table.remarks, strict=False)
            ]
            return [f'{tab}private static final {array} {table.name} = {kind}(""', *lines, f"{tab});"]
        pieces = [" ".join(words[i : i + PIECE]) for i in range(0, len(words), PIECE)] or [""]
        if len(pieces) == 1:
            return [f'{tab}private static final {array} {table.name} = {kind}("{pieces[0]}");']
        holders = [
            f"{tab}private static final class {table.name}_{i} {{\n{tab}{TAB}static String text() {{ "
            f'return "{piece}"; }}\n{tab}}}'
            for i, piece in enumerate(pieces)
        ]
        parts = [f"{table.name}_{i}.text()" for i in range(len(pieces))]
        return [*holders, f"{tab}private static final {array} {table.name} = {kind}({', '.join(parts)});"]

    # ---- the file -----------------------------------------------------------------------------------------

    def file(self) -> str:
        program = self.program
        lines = [*self.remarks(), f"public final class {self.name} {{", f"{TAB}private {self.name}() {{}}"]
        lines += ["", *(f"{TAB}private static final int {name} = {place};" for name, place in self.slots())]
        if program.classes:
            texts = [f"{TAB}{TAB}{java_text(name)}," for name in program.classes]
            lines += ["", f"{TAB}/** The classes, by their places. */",
                      f"{TAB}public static final String[] CLASSES = {{", *texts, f"{TAB}}};"]  # fmt: skip
        lines += self.row_type() + self.answer_type()
        for field in coded_fields(program):
            lines += self.reader(field)
        lines += self.tables(TAB) + self.functions(TAB) + _READERS.rstrip().split("\n")
        return "\n".join([*lines, "}"]) + "\n"

    def row_type(self) -> list[str]:
        types = {"number": "double", "text": "String", "truth": "Boolean"}
        lines = ["", f"{TAB}/** A row; a missing number is NaN, of other columns null is a missing value. */",
                 f"{TAB}public static final class Row {{"]  # fmt: skip
        for field in self.program.fields:
            value = " = Double.NaN" if field.kind == "number" else ""
            line = f"{TAB}{TAB}public {types[field.kind]} {field.name}{value};"
            lines.append(self.beside(line, f"column {quoted(field.column.name)}"))
        return [*lines, f"{TAB}}}"]

    def answer_type(self) -> list[str]:
        program = self.program
        if program.classes:
            fields, values = ["String label"], ["CLASSES[place]"]
            if program.has_chances:
                fields.append("double[] probabilities")
                values.append("java.util.Arrays.copyOf(out, CLASSES.length)")
        else:
            fields, values = ["double value"], ["out[0]"]
        if program.node:
            fields.append("int node")
            values.append("(int) out[NODE]")
        lines = [
            "",
            f"{TAB}/** What the model says of a row. */",
            f"{TAB}public static final class Answer {{",
        ]
        lines += [f"{TAB}{TAB}public final {field};" for field in fields]
        lines += ["", f"{TAB}{TAB}Answer({', '.join(fields)}) {{"]
        lines += [f"{TAB}{TAB}{TAB}this.{name} = {name};" for name in (f.split()[1] for f in fields)]
        lines += [f"{TAB}{TAB}}}", f"{TAB}}}"]
        text = _PREDICT.replace("@N@", str(program.n_out)).replace("@VALUES@", ", ".join(values))
        node = f" The node is {remark(program.node)}." if program.node else ""
        return lines + text.replace("@NODE@", node).rstrip().split("\n")

    def reader(self, field: Field) -> list[str]:
        kind = "Boolean" if field.kind == "truth" else "String"
        lines = ["", f"{TAB}// The place of a category of {field.name}.",
                 f"{TAB}private static int codeOf_{field.name}({kind} text) {{",
                 f"{TAB}{TAB}if (text == null) return -1;"]  # fmt: skip
        if field.kind == "truth":
            lines.append(f"{TAB}{TAB}return text ? 1 : 0;")
            return [*lines, f"{TAB}}}"]
        lines.append(f"{TAB}{TAB}switch (text) {{")
        for place, category in enumerate(field.column.categories):
            lines.append(f"{TAB}{TAB}{TAB}case {java_text(category)}: return {place};")
        return [*lines, f"{TAB}{TAB}{TAB}default: return -2;", f"{TAB}{TAB}}}", f"{TAB}}}"]


def _plain(word: str) -> str:
    """Return a number as the reader of texts takes it."""
    return word.replace("Double.", "").replace("POSITIVE_INFINITY", "Infinity")


_PREDICT = """
    /** Answer a row; one that the model refuses is an IllegalArgumentException.@NODE@ */
    public static Answer predict(Row row) {
        double[] out = new double[@N@];
        int place = score(row, out);
        if (place < 0) {
            throw new IllegalArgumentException(
                "The model refuses a row with such a missing value or unknown category.");
        }
        return new Answer(@VALUES@);
    }
"""

_READERS = """
    private static double[] numbers(String... texts) {
        java.util.ArrayList<double[]> parts = new java.util.ArrayList<>();
        for (String text : texts) {
            java.util.stream.Stream<String> words = java.util.Arrays.stream(text.trim().split(" "));
            parts.add(words.mapToDouble(Double::parseDouble).toArray());
        }
        return parts.stream().flatMapToDouble(java.util.Arrays::stream).toArray();
    }

    private static int[] wholes(String... texts) {
        java.util.ArrayList<int[]> parts = new java.util.ArrayList<>();
        for (String text : texts) {
            java.util.stream.Stream<String> words = java.util.Arrays.stream(text.trim().split(" "));
            parts.add(words.mapToInt(Integer::parseInt).toArray());
        }
        return parts.stream().flatMapToInt(java.util.Arrays::stream).toArray();
    }
"""
