"""C99: one header, no memory asked for, tables that are const; numbers as double, float, or fixed point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright.export.code import c_blocks
from treewright.export.code import program as p
from treewright.export.code.naming import quoted, remark
from treewright.export.code.printer import Printer, wrapped
from treewright.export.code.program import Field, Function, Program, Table
from treewright.export.code.texts import c_text

TYPES = {"double": "double", "float": "float", "fixed": "int32_t"}  # the option: the type of a cell
FIXED_GAP = 2**31 - 1  # the cell of a missing number in fixed point


def rounded_down(threshold: float, number: str, fraction: int = 16) -> float:
    """Return the largest cell of a type that is not above a threshold: `x <= cut` stays what it was.

    >>> rounded_down(0.1, "double"), rounded_down(0.1, "float"), rounded_down(0.1, "fixed", 8)
    (0.1, 0.09999999403953552, 25)
    """
    if number == "double":
        return threshold
    if number == "float":
        with np.errstate(over="ignore"):
            near = np.float32(threshold)
        return float(near if float(near) <= threshold else np.nextafter(near, np.float32(-np.inf)))
    if abs(threshold) >= 2.0**31:  # beyond all cells, with any fraction
        return FIXED_GAP - 1 if threshold > 0 else -(2**31) - 1
    return max(-(2**31) - 1, min(FIXED_GAP - 1, math.floor(math.ldexp(threshold, fraction))))


class CPrinter(Printer):
    """C99."""

    def __init__(self, program: Program, module: str, number: str = "double", fraction: int = 16) -> None:
        super().__init__(program, module)
        self.kind, self.fraction = number, fraction
        self.types = {p.NUMBER: "double", p.WHOLE: "int", p.MEASURE: TYPES[number]}
        self.upper = module.upper()
        self.tables_by_name = {table.name for table in program.tables}
        self.packing = c_blocks.packing_of(program.tables, program.fields)
        self.expressions[p.Below] = lambda x: self.compared(x, "<=")
        self.expressions[p.Above] = lambda x: self.compared(x, ">")

    def compared(self, x: Any, sign: str) -> str:
        cell, bound = self.measured(x.field), rounded_down(x.threshold, self.kind, self.fraction)
        if self.kind != "fixed":
            return f"{cell} {sign} {self.measure(bound)}"
        if bound < -(2**31):  # no cell is below
            return "0" if sign == "<=" else f"{cell} != {self.upper}_GAP_NUMBER"
        text = f"{cell} {sign} {self.measure(bound)}"
        return text if sign == "<=" else f"({text} && {cell} != {self.upper}_GAP_NUMBER)"

    def measure(self, bound: float) -> str:
        if self.kind == "fixed":
            return "INT32_MIN" if bound == -(2**31) else str(int(bound))
        if self.kind == "float" and math.isfinite(bound):
            text = str(np.float32(bound))
            return f"{text}f" if "." in text or "e" in text else f"{text}.0f"
        return self.number(bound)

    def threshold(self, value: float) -> str:
        return self.measure(rounded_down(value, self.kind, self.fraction))

    def variable(self, name: str) -> str:
        if name in self.program.slots or name in self.tables_by_name:
            return f"{self.upper}_{name}"
        return name

    def function_name(self, name: str) -> str:
        return f"{self.module}_{name}"

    def measured(self, field: Field) -> str:
        return f"row->{field.name}"

    def cell(self, field: Field) -> str:
        cell = self.measured(field)
        if self.kind != "fixed":
            return f"(double){cell}" if self.kind == "float" else cell
        number = f"(double){cell} / {float(2**self.fraction)!r}"
        return f"({cell} == {self.upper}_GAP_NUMBER ? NAN : {number})"

    def is_gap(self, field: Field) -> str:
        cell = self.measured(field)
        if field.kind != "number":
            return f"{cell} == {self.upper}_GAP"
        return f"{cell} == {self.upper}_GAP_NUMBER" if self.kind == "fixed" else f"isnan({cell})"

    def among(self, field: Field, places: Sequence[int]) -> str:
        cell = self.measured(field)
        return " || ".join(f"{cell} == {self.constant(field, place)}" for place in places)

    def constant(self, field: Field, place: int) -> str:
        return f"{self.upper}_{field.name.upper()}_{field.constants[place]}"

    def code(self, field: Field) -> str:
        return self.measured(field)

    def is_nan(self, text: str) -> str:
        return f"isnan({text})"

    def exponential(self, text: str) -> str:
        return f"exp({text})"

    def as_number(self, of: Any) -> str:
        return f"(double){self.inner(of)}"

    def as_whole(self, of: Any) -> str:
        return f"(int){self.inner(of)}"

    def no_measure(self, text: str) -> str:
        return f"{text} == {self.upper}_GAP_NUMBER" if self.kind == "fixed" else f"isnan({text})"

    def let_wholes(self, name: str, values: list[str]) -> str:
        return f"const int {name}[{max(1, len(values))}] = {{{', '.join(values) or '0'}}};"

    def end(self, text: str) -> str:
        return f"(void){text};" if text.startswith(f"{self.module}_") and text.endswith(")") else f"{text};"

    def head(self, function: Function) -> str:
        types = {p.ROW: f"const {self.module}_row *", p.NUMBERS: "double *", p.WHOLES: "const int *"}
        types |= {kind: f"{name} " for kind, name in self.types.items()}
        given = ", ".join(f"{types[kind]}{name}" for name, kind in function.parameters)
        return f"static inline int {self.function_name(function.name)}({given})"

    def function(self, function: Function, tab: str) -> list[str]:
        lines = super().function(function, tab)
        takes_row = any(kind == p.ROW for _, kind in function.parameters)
        if takes_row and not any("row->" in line or "(row" in line for line in lines[1:]):
            lines.insert(1, f"{tab}{self.step}(void)row;")
        return lines

    def item(self, x: p.Item) -> str:
        if self.packing is not None and x.of in c_blocks.PARTS:
            return f"{self.variable(x.of)}({self.index(x.at)})"
        return super().item(x)

    def tables(self, tab: str = "") -> list[str]:
        if self.packing is None:
            return super().tables(tab)
        program, lines = self.program, []
        about = " ".join(f"{table.name}: {table.about}." for table in program.tables if self.is_packed(table))
        words = c_blocks.entries(self.packing, program.tables)
        lines += ["", f"// Entries, each with three parts. {remark(about)}"]
        lines += [f"static const {self.packing.kind} {self.upper}_ENTRIES[{len(words)}] = {{"]
        lines += [*wrapped(words, self.step), "};"]
        for table in program.tables:
            if not self.is_packed(table):
                lines += ["", f"// {remark(table.about)}.", *self.table(table, tab)]
        has_sets = "SIDES" in self.tables_by_name
        return [*lines, "", *c_blocks.functions(self.packing, self.upper, self.module, has_sets)]

    def is_packed(self, table: Table) -> bool:
        return self.packing is not None and table.name in c_blocks.PARTS

    def table(self, table: Table, tab: str) -> list[str]:
        kind = self.types[table.type] if table.type != p.WHOLE else smallest(table.values)
        head = f"{tab}static const {kind} {self.variable(table.name)}[{max(1, len(table.values))}] = {{"
        return [head, *(self.elements(table, tab + self.step) or [f"{tab}{self.step}0"]), f"{tab}}};"]

    # ---- the file -----------------------------------------------------------------------------------------

    def file(self) -> str:
        upper = self.upper
        lines = [f"#ifndef {upper}_H", f"#define {upper}_H", "", *self.remarks(), *self.usage(), ""]
        lines += [
            "#include <limits.h>",
            "#include <math.h>",
            "#include <stddef.h>",
            "#include <stdint.h>",
            "#include <string.h>",
            "",
        ]
        lines += self.constants()
        lines += self.row_type()
        for field in self.program.fields:
            if field.kind == "text":
                lines += self.reader(field)
        lines += self.tables() + self.functions() + self.door() + self.door_for_many()
        return "\n".join([*lines, "", "#endif"]) + "\n"

    def usage(self) -> list[str]:
        module, upper = self.module, self.upper
        gaps = {"double": "NAN", "float": "NAN", "fixed": f"{upper}_GAP_NUMBER"}[self.kind]
        lines = ["", f"Fill a {module}_row and call {module}_predict(&row).",
                 f"A missing number is {gaps}, a missing",
                 f"category {upper}_GAP; one that the model has never seen is {upper}_UNSEEN."]  # fmt: skip
        if self.kind == "fixed":
            lines.append(f"A number x is the whole number floor(x * 2^{self.fraction}): a fixed point.")
        else:
            lines.append("Do not compile with -ffast-math, which knows no NAN.")
        return [f"// {line}".rstrip() for line in lines]

    def constants(self) -> list[str]:
        upper = self.upper
        lines = [f"enum {{ {upper}_GAP = -1, {upper}_UNSEEN = -2 }};"]
        if self.kind == "fixed":
            lines.append(f"#define {upper}_GAP_NUMBER INT32_MAX")
            lines.append(f"#define {upper}_FRACTION_BITS {self.fraction}")
        slots = ", ".join(f"{upper}_{name} = {place}" for name, place in self.slots())
        lines.append(f"enum {{ {slots} }};")
        classes = self.program.classes
        if classes:
            lines += ["", "// The classes, by their places; a name may hold a NUL, so lengths are told too."]
            lines.append(f"enum {{ {upper}_N_CLASSES = {len(classes)} }};")
            lines.append(f"static const char *const {self.module}_classes[{len(classes)}] = {{")
            lines += [f"    {c_text(name)}," for name in classes]
            lengths = ", ".join(str(len(name.encode())) for name in classes)
            lines += [
                "};",
                f"static const size_t {self.module}_class_lengths[{len(classes)}] = {{{lengths}}};",
            ]
        return lines

    def row_type(self) -> list[str]:
        lines = []
        for field in self.program.fields:
            if field.kind != "number":
                lines += [
                    "",
                    f"// {field.name}: the categories of column {quoted(field.column.name)}.",
                    "enum {",
                ]
                for place, name in enumerate(field.column.categories):
                    text = f"    {self.constant(field, place)} = {place},"
                    lines.append(self.beside(text, remark(name, 60)))
                lines.append("};")
        lines += ["", "typedef struct {"]
        for field in self.program.fields:
            kind = self.types[p.MEASURE] if field.kind == "number" else "int"
            lines.append(f"    {kind} {field.name};  // {quoted(field.column.name)}")
        if not self.program.fields:
            lines.append("    char nothing;  // no column is looked at")
        return [*lines, f"}} {self.module}_row;"]

    def reader(self, field: Field) -> list[str]:
        """Return the function from a text to the code of its category."""
        name = f"{self.module}_{field.name}"
        lines = ["", f"// The code of a text in column {quoted(field.column.name)}, as UTF-8; NULL: a gap.",
                 f"static inline int {name}(const char *text, size_t length) {{",
                 f"    if (text == NULL) return {self.upper}_GAP;"]  # fmt: skip
        for place, category in enumerate(field.column.categories):
            size = len(category.encode())
            same = f" && memcmp(text, {c_text(category)}, {size}) == 0" if size else ""
            lines.append(f"    if (length == {size}{same}) return {self.constant(field, place)};")
        if not field.column.categories:
            lines.append("    (void)length;")
        return [*lines, f"    return {self.upper}_UNSEEN;", "}"]

    def door(self) -> list[str]:
        program, module, upper = self.program, self.module, self.upper
        n = len(program.classes)
        if n:
            fields = [f"    int label;  // place in {module}_classes; -1: the model refuses the row"]
            rest = [f"    answer.label = {module}_score(row, out);"]
            if program.has_chances:
                fields.append(f"    double probabilities[{n}];")
                rest.append("    memcpy(answer.probabilities, out, sizeof answer.probabilities);")
        else:
            fields = ["    double value;  // NAN: the model refuses the row"]
            rest = [f"    answer.value = {module}_score(row, out) < 0 ? NAN : out[0];"]
            fields.append("    int is_refused;")
            rest.append(f"    answer.is_refused = out[{upper}_LABEL] < 0;")
        if program.node:
            fields.append(f"    int node;  // {remark(program.node)}; -1: refused")
            rest.append(f"    answer.node = (int)out[{upper}_NODE];")
        return ["", "typedef struct {", *fields, f"}} {module}_answer;", "",
                "// Answer a row.",
                f"static inline {module}_answer {module}_predict(const {module}_row *row) {{",
                f"    double out[{program.n_out}];", f"    {module}_answer answer;", *rest,
                "    return answer;", "}"]  # fmt: skip

    def door_for_many(self) -> list[str]:
        """Return the function that answers many rows, tree after tree: a tree stays in cache meanwhile."""
        program = self.program
        codes = [s for f in program.functions for s in f.body if isinstance(s, p.LetWholes)]
        walks = [f for f in program.functions if f.name == "walk" and len(f.parameters) == 2]
        if not codes or not walks:
            return []
        n_out, n_columns = max(1, len(program.classes)), len(codes[0].values)
        value = f"{self.module}_best(out)" if program.classes else "0"
        if program.classes:
            said = [f"answer.label = refused[i] ? -1 : {value};",
                    "memcpy(answer.probabilities, out, sizeof answer.probabilities);"]  # fmt: skip
        else:
            said = ["answer.value = refused[i] ? NAN : out[0];", "answer.is_refused = refused[i];"]
        is_small = self.packing is not None and self.packing.has_small_cells
        kind, top, cast = ("int16_t", "INT16_MAX", "(int16_t)") if is_small else ("int", "INT_MAX", "")
        text = _MANY.replace("@M@", self.module).replace("@U@", self.upper)
        text = text.replace("@N_OUT@", str(program.n_out))
        text = text.replace(
            "@CODES@", "\n".join(f"    x[{i}] = {cast}{self.e(v)};" for i, v in enumerate(codes[0].values))
        )
        text = text.replace("@TREES@", str(program.model.n_trees)).replace("@K@", str(n_out))
        text = text.replace("@SAID@", "\n            ".join(said))
        walk, sort = (_SIDE_BY_SIDE, _SORTED) if self.packing is not None else (_ONE_BY_ONE, "")
        walk = walk.strip("\n").replace("@M@", self.module).replace("@U@", self.upper)
        text = text.replace("@WALK@", walk).replace("@SORTED@\n", sort.lstrip("\n"))
        if not sort:
            text = text.replace("    int16_t known[BLOCK], others[BLOCK];\n", "")
        text = text.replace("@COLUMNS@", str(n_columns)).replace("@CELLS@", str(n_columns + 1))
        block = c_blocks.rows_at_once((2 if is_small else 4) * (n_columns + 1) + 9 + 8 * n_out)
        text = text.replace("@X@", kind).replace("@TOP@", top).replace("@BLOCK@", str(block))
        return text.rstrip().split("\n")


_SORTED = """
        // Rows whose cells are all known go side by side.
        int n_known = 0, n_others = 0;
        for (int i = 0; i < size; i++) {
            int is_known = 1;
            for (int k = 0; k < @COLUMNS@; k++) is_known &= x[i][k] >= 0;
            x[i][@COLUMNS@] = @TOP@;
            if (is_known) known[n_known++] = (int16_t)i;
            else others[n_others++] = (int16_t)i;
        }
"""
_ONE_BY_ONE = """
            for (int i = 0; i < size; i++) places[i] = @M@_walk(@U@_ROOTS[tree], x[i]);
"""
_SIDE_BY_SIDE = """
            @M@_walk_together(@U@_ROOTS[tree], (const @X@ (*)[@CELLS@])x, known, n_known, places);
            for (int i = 0; i < n_others; i++) {
                int cells[@CELLS@];
                for (int k = 0; k < @CELLS@; k++) cells[k] = x[others[i]][k];
                places[others[i]] = @M@_walk(@U@_ROOTS[tree], cells);
            }
"""
_MANY = """
static inline void @M@_codes(const @M@_row *row, @X@ *x) {
@CODES@
}

// Answer many rows: faster than one by one, since a tree stays in cache for a block of rows.
static inline void @M@_predict_many(const @M@_row *rows, size_t n_rows, @M@_answer *answers) {
    enum { BLOCK = @BLOCK@ };
    @X@ x[BLOCK][@CELLS@];
    int places[BLOCK];
    int16_t known[BLOCK], others[BLOCK];
    unsigned char refused[BLOCK];
    double sums[BLOCK][@K@];
    for (size_t first = 0; first < n_rows; first += BLOCK) {
        int size = n_rows - first < BLOCK ? (int)(n_rows - first) : BLOCK;
        memset(sums, 0, sizeof sums);
        memset(refused, 0, sizeof refused);
        for (int i = 0; i < size; i++) @M@_codes(&rows[first + (size_t)i], x[i]);
@SORTED@
        for (int tree = 0; tree < @TREES@; tree++) {
@WALK@
            for (int i = 0; i < size; i++) {
                if (places[i] < 0) {
                    refused[i] = 1;
                    continue;
                }
                for (int k = 0; k < @K@; k++) sums[i][k] += @U@_ANSWERS[places[i] * @K@ + k];
            }
        }
        for (int i = 0; i < size; i++) {
            @M@_answer answer;
            double out[@N_OUT@];
            for (int k = 0; k < @K@; k++) out[k] = sums[i][k] / @TREES@;
            @SAID@
            answers[first + (size_t)i] = answer;
        }
    }
}
"""


def smallest(values: Sequence[int]) -> str:
    """Return the smallest type of C that holds all these numbers.

    >>> smallest([0, 200]), smallest([-1, 5]), smallest([70000])
    ('uint8_t', 'int8_t', 'int32_t')
    """
    low, high = min(values, default=0), max(values, default=0)
    for bits in (8, 16):
        if low >= 0 and high < 2**bits:
            return f"uint{bits}_t"
        if -(2 ** (bits - 1)) <= low and high < 2 ** (bits - 1):
            return f"int{bits}_t"
    return "int32_t"
