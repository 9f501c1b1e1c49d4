"""R: a list of functions; a row is a list, rows are a data frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from treewright.export.code import program as p
from treewright.export.code.naming import remark
from treewright.export.code.printer import Printer, coded_fields, wrapped
from treewright.export.code.program import Field, Function, Table
from treewright.export.code.python import MOST_LITERALS
from treewright.export.code.texts import r_text


def r_number(value: float) -> str:
    """Return a literal that R reads as exactly this number: decimals only where they are exact.

    >>> r_number(37.5), r_number(0.1), r_number(-3.0)
    ('37.5', '0x1.999999999999ap-4', '-3')
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    if is_plain(value):
        return repr(value).removesuffix(".0")
    return value.hex()


def is_plain(value: float) -> bool:
    """Return whether R's reader of decimals, which may round twice, cannot miss a number.

    >>> is_plain(0.5), is_plain(0.1)
    (True, False)
    """
    text = repr(value)
    if math.copysign(1, value) < 0 and value == 0:
        return False
    return "e" not in text and len(text) <= 15 and Fraction(text) == Fraction(value)


class RPrinter(Printer):
    """R 3.5 and later. `out` is an environment, so that functions can fill it."""

    comment: ClassVar[str] = "#"
    step: ClassVar[str] = "  "

    def number(self, value: float) -> str:
        return r_number(value)

    def sign(self, sign: str) -> str:
        return {"//": "%/%", "%": "%%"}.get(sign, sign)

    def measured(self, field: Field) -> str:
        return f"row${field.name}"

    def e(self, expression: Any) -> str:
        text = super().e(expression)
        return f"isTRUE({text})" if isinstance(expression, (p.Below, p.Above, p.AtMost)) else text

    def inner(self, expression: Any) -> str:
        is_call = isinstance(expression, (p.Below, p.Above, p.AtMost, p.Among))
        return self.e(expression) if is_call else super().inner(expression)

    def is_gap(self, field: Field) -> str:
        return f"is.na({self.measured(field)})"

    def among(self, field: Field, places: Sequence[int]) -> str:
        cell = self.measured(field)
        if field.kind == "truth":
            words = ["TRUE" if place else "FALSE" for place in places]
        else:
            words = [r_text(field.column.categories[place]) for place in places]
        return f"{cell} %in% {words[0] if len(words) == 1 else 'c(' + ', '.join(words) + ')'}"

    def code(self, field: Field) -> str:
        return f"code_of({field.name.upper()}_PLACES, {self.measured(field)})"

    def item(self, x: p.Item) -> str:
        name = "out$values" if x.of == "out" else x.of
        if isinstance(x.at, p.Whole):
            return f"{name}[{x.at.value + 1}]"
        return f"{name}[{self.e(x.at)} + 1]"

    def is_nan(self, text: str) -> str:
        return f"is.na({text})"

    def exponential(self, text: str) -> str:
        return f"exp({text})"

    def pick(self, x: p.Pick) -> str:
        return f"if ({self.e(x.condition)}) {self.inner(x.yes)} else {self.inner(x.no)}"

    def end(self, text: str) -> str:
        return text

    def let(self, name: str, kind: str, value: str) -> str:  # noqa: ARG002 (names have no types here)
        return f"{name} <- {value}"

    def put(self, x: p.Put) -> str:
        return f"{self.e(x.target)} <- {self.e(x.value)}"

    def let_wholes(self, name: str, values: list[str]) -> str:
        return f"{name} <- c({', '.join(values)})"

    def return_(self, value: str) -> str:
        return f"return({value})"

    def if_(self, x: p.If, tab: str) -> list[str]:
        branches = tuple(
            branch._replace(remark=branch.remark or _decimals(branch.condition)) for branch in x.branches
        )
        return super().if_(x._replace(branches=branches), tab)

    def loop(self, x: p.Loop, tab: str) -> list[str]:
        head = f"for ({x.name} in seq_len({self.e(x.limit)}) - 1) {{"
        return [tab + head, *self.block(x.body, tab + self.step), f"{tab}}}"]

    def head(self, function: Function) -> str:
        return f"{function.name} <- function({', '.join(name for name, _ in function.parameters)})"

    def table(self, table: Table, tab: str) -> list[str]:
        if len(table.values) <= MOST_LITERALS or table.remarks:
            return [
                f"{tab}{table.name} <- c(",
                *_without_last_comma(self.elements(table, tab + "  ")),
                f"{tab})",
            ]
        words = [self.element(table.type, value) for value in table.values]
        lines = [line.replace(",", "") for line in wrapped(words, "")]
        return [f'{tab}{table.name} <- scan(quiet = TRUE, text = "', *lines, '")']

    # ---- the file -----------------------------------------------------------------------------------------

    def file(self) -> str:
        program = self.program
        lines = [*self.remarks(), "#",
                 f"# {self.module}$predict(rows) answers a data frame, {self.module}$answer(row) a list.", "",
                 f"{self.module} <- local({{"]  # fmt: skip
        lines += [f"{name} <- {place}" for name, place in self.slots()]
        if program.classes:
            lines.append(f"classes <- c({', '.join(map(r_text, program.classes))})")
        for field in coded_fields(program):
            keys = ("FALSE", "TRUE") if field.kind == "truth" else map(r_text, field.column.categories)
            lines += ["", f"# The categories of {field.name}, by their places.",
                      f"{field.name.upper()}_PLACES <- c(",
                      *_without_last_comma(wrapped(list(keys), self.step)), ")"]  # fmt: skip
        lines += self.tables() + self.functions()
        return "\n".join([*lines, *self.door(), "})"]) + "\n"

    def door(self) -> list[str]:
        program = self.program
        cells = ", ".join(
            f"\n    {field.name} = {field.kind}_of(row, {r_text(field.column.name)})"
            for field in program.fields
        )
        n = len(program.classes)
        has_chances = n and program.has_chances
        said = "list(label = classes[place + 1]" if n else "list(value = out$values[1]"
        said += f", probabilities = stats::setNames(out$values[1:{n}], classes)" if has_chances else ""
        said += ", node = out$values[NODE + 1])" if program.node else ")"
        text = _DOOR.replace("@CELLS@", cells).replace("@N@", str(program.n_out)).replace("@SAID@", said)
        what = "label" if n else "number"
        what += ", the probabilities by class" if has_chances else ""
        what += f", and {program.node}" if program.node else ""
        public = ["predict = predict_rows", "answer = answer", *(["classes = classes"] if n else [])]
        text = text.replace("@WHAT@", remark(what)).replace("@FIRST@", "label" if n else "value")
        return text.replace("@PUBLIC@", ", ".join(public)).rstrip().split("\n")


def _decimals(condition: Any) -> str:
    """Return the thresholds of a condition that are not written in decimals, in decimals."""
    found: list[str] = []
    stack = [condition]
    while stack:
        value = stack.pop()
        if isinstance(value, (p.Below, p.Above, p.AtMost)):
            if math.isfinite(value.threshold) and not is_plain(value.threshold):
                found.append(repr(value.threshold))
        elif isinstance(value, p.Negation):
            stack.append(value.of)
        elif isinstance(value, p.Many):
            stack.extend(reversed(value.parts))
    return ", ".join(found)


def _without_last_comma(lines: list[str]) -> list[str]:
    """Return the lines of a list without the comma behind its last element, which R does not take."""
    if not lines:
        return lines
    text, mark, words = lines[-1].partition("  #")
    return [*lines[:-1], text.removesuffix(",") + mark + words]


_DOOR = """
code_of <- function(places, cell) {
  if (is.na(cell)) return(-1)
  found <- match(cell, places)
  if (is.na(found)) -2 else found - 1
}

cell_of <- function(row, name) {
  place <- match(name, names(row))
  if (is.na(place)) stop("The row has no column ", dQuote(name, FALSE), ".")
  cell <- row[[place]]
  if (length(cell) == 0) NA else cell
}

number_of <- function(row, name) {
  cell <- cell_of(row, name)
  if (is.factor(cell)) cell <- as.character(cell)
  as.numeric(cell)
}

text_of <- function(row, name) {
  cell <- cell_of(row, name)
  if (is.na(cell)) return(NA_character_)
  if (is.logical(cell)) return(if (cell) "True" else "False")
  as.character(cell)
}

truth_of <- function(row, name) {
  cell <- cell_of(row, name)
  if (is.na(cell)) return(NA)
  word <- tolower(trimws(as.character(cell)))
  if (word %in% c("true", "1", "yes", "y", "t", "on")) return(TRUE)
  if (word %in% c("false", "0", "no", "n", "f", "off")) FALSE else word
}

# Return the @WHAT@,
# for a list by the names of columns; NA is a missing value. A row that the model refuses is an error.
answer <- function(row) {
  cells <- list(@CELLS@
  )
  out <- new.env()
  out$values <- numeric(@N@)
  place <- score(cells, out)
  if (place < 0) stop("The model refuses a row with such a missing value or unknown category.")
  @SAID@
}

# Return the answer to each row of a data frame: NA where the model refuses it.
predict_rows <- function(rows) {
  said <- lapply(seq_len(nrow(rows)), function(i) {
    tryCatch(answer(rows[i, , drop = FALSE])$@FIRST@, error = function(e) {
      if (grepl("refuses", conditionMessage(e))) NA else stop(e)
    })
  })
  unlist(said)
}

list(@PUBLIC@)
"""
