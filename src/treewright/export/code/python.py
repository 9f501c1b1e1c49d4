"""Python without imports: nested if and else, and functions that take a row as a mapping."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from treewright.export.code import program as p
from treewright.export.code.naming import remark
from treewright.export.code.printer import Printer, coded_fields, wrapped
from treewright.export.code.program import Field, Function, Table
from treewright.export.code.texts import python_text


class PythonPrinter(Printer):
    """Python 3, without an import."""

    comment: ClassVar[str] = "#"
    all_word: ClassVar[str] = "and"
    any_word: ClassVar[str] = "or"
    not_word: ClassVar[str] = "not "
    nan: ClassVar[str] = "NAN"
    infinity: ClassVar[str] = "INFINITY"

    def call(self, x: p.Call) -> str:
        arguments = [part for a in x.arguments for part in self.argument(a)]
        return f"{x.name}({', '.join(arguments)})"

    def argument(self, argument: Any) -> list[str]:
        if argument == p.Name("row"):
            return [field.name for field in self.program.fields]
        return [self.e(argument)]

    def sign(self, sign: str) -> str:
        return sign

    def measured(self, field: Field) -> str:
        return field.name

    def is_gap(self, field: Field) -> str:
        return f"{field.name} != {field.name}" if field.kind == "number" else f"{field.name} is None"

    def among(self, field: Field, places: Sequence[int]) -> str:
        if field.kind == "truth":
            return f"{field.name} is {field.column.categories[places[0]]}" if len(places) == 1 else (
                f"{field.name} in (False, True)"
            )  # fmt: skip
        texts = [python_text(field.column.categories[place]) for place in places]
        if len(texts) == 1:
            return f"{field.name} == {texts[0]}"
        return f"{field.name} in ({', '.join(texts)})"

    def code(self, field: Field) -> str:
        return f"{constant(field)}.get({field.name}, -2)"

    def is_nan(self, text: str) -> str:
        return f"is_nan({text})"

    def exponential(self, text: str) -> str:
        return f"2.718281828459045 ** ({text})"

    def as_number(self, of: Any) -> str:
        return f"float({self.e(of)})"

    def as_whole(self, of: Any) -> str:
        return f"int({self.e(of)})"

    def pick(self, x: p.Pick) -> str:
        return f"{self.inner(x.yes)} if {self.e(x.condition)} else {self.inner(x.no)}"

    # ---- statements ---------------------------------------------------------------------------------------

    def end(self, text: str) -> str:
        return text

    def let(self, name: str, kind: str, value: str) -> str:  # noqa: ARG002 (names have no types here)
        return f"{name} = {value}"

    def let_wholes(self, name: str, values: list[str]) -> str:
        return f"{name} = [{', '.join(values)}]"

    def if_(self, x: p.If, tab: str) -> list[str]:
        lines = []
        for turn, branch in enumerate(x.branches):
            word = "if" if turn == 0 else "elif"
            lines.append(tab + self.beside(f"{word} {self.e(branch.condition)}:", branch.remark))
            lines += self.block(branch.body, tab + self.step) or [f"{tab}{self.step}pass"]
        if x.otherwise:
            lines.append(tab + self.beside("else:", x.remark))
            lines += self.block(x.otherwise, tab + self.step)
        return lines

    def loop(self, x: p.Loop, tab: str) -> list[str]:
        return [f"{tab}for {x.name} in range({self.e(x.limit)}):", *self.block(x.body, tab + self.step)]

    def while_(self, x: p.While, tab: str) -> list[str]:
        return [f"{tab}while {self.e(x.condition)}:", *self.block(x.body, tab + self.step)]

    def functions(self, tab: str = "") -> list[str]:
        lines: list[str] = []
        for function in self.program.functions:
            lines += ["", "", *self.function(function, tab)]
        return lines

    def function(self, function: Function, tab: str) -> list[str]:
        names: list[str] = []
        for name, kind in function.parameters:
            names += [field.name for field in self.program.fields] if kind == p.ROW else [name]
        about = f'{tab}{self.step}"""{remark(function.about)}."""'
        return [f"{tab}def {function.name}({', '.join(names)}):", about,
                *self.block(function.body, tab + self.step)]  # fmt: skip

    def table(self, table: Table, tab: str) -> list[str]:
        if len(table.values) <= MOST_LITERALS or table.remarks:
            return [f"{tab}{table.name} = (", *self.elements(table, tab + self.step), f"{tab})"]
        words = [self.element(table.type, value) for value in table.values]
        kind = "int" if table.type == p.WHOLE else "float"
        lines = [line.replace(",", "") for line in wrapped(words, "")]
        return [f'{tab}{table.name} = tuple({kind}(x) for x in """', *lines, '""".split())']

    # ---- the file -----------------------------------------------------------------------------------------

    def file(self) -> str:
        program = self.program
        lines = [*self.remarks(), "", 'NAN = float("nan")', 'INFINITY = float("inf")']
        lines += [f"{name} = {place}" for name, place in self.slots()]
        if program.classes:
            texts = ", ".join(map(python_text, program.classes))
            lines.append(f"CLASSES = ({texts},)")
        for field in coded_fields(program):
            keys = [None, *((False, True) if field.kind == "truth" else field.column.categories)]
            pairs = [f"{_key(key)}: {i - 1}" for i, key in enumerate(keys)]
            lines += ["", f"# Places of the categories of {field.name}.", f"{constant(field)} = {{",
                      *wrapped(pairs, self.step), "}"]  # fmt: skip
        lines += self.tables()
        lines += self.functions()
        return "\n".join([*lines, "", "", *self.door()]) + "\n"

    def door(self) -> list[str]:
        """Return the functions that a caller sees, and those that read cells."""
        program = self.program
        cells = ",\n        ".join(
            f"{_READ[field.kind]}(row[{python_text(field.column.name)}])" for field in program.fields
        )
        given = f"\n        {cells},\n        out,\n    " if cells else "out"
        text = _ANSWER.replace("@GIVEN@", given).replace("@N@", str(program.n_out))
        text += _CLASSES if program.classes else _NUMBERS
        text += _CHANCES if program.classes and program.has_chances else ""
        if program.node:
            text += _NODE.replace("@NODE@", program.node)
        kinds = {field.kind for field in program.fields}
        text += "".join(part for kind, part in _READERS.items() if kind in kinds)
        return (text + _IS_NAN).strip().split("\n")


MOST_LITERALS = 5000  # in a table; beyond, its numbers are a text that is read when the file is loaded


def constant(field: Field) -> str:
    """Return the name of the places of a field's categories."""
    return f"{field.name.upper()}_PLACES"


def _key(key: Any) -> str:
    return repr(key) if key is None or isinstance(key, bool) else python_text(key)


_READ = {"number": "_number", "text": "_text", "truth": "_truth"}

_ANSWER = '''
def _answer(row):
    """Return what is known of the answer to a row, a mapping from names of columns to values."""
    out = [0.0] * @N@
    if score(@GIVEN@) < 0:
        raise ValueError("The model refuses a row with such a missing value or unknown category.")
    return out
'''

_CLASSES = '''

def predict(row):
    """Return the label of a row: a mapping from names of columns to values; None is a missing value."""
    return CLASSES[int(_answer(row)[LABEL])]
'''

_CHANCES = '''

def predict_proba(row):
    """Return the probability of each class."""
    return dict(zip(CLASSES, _answer(row)))
'''

_NUMBERS = '''

def predict(row):
    """Return the number for a row: a mapping from names of columns to values; None is a missing value."""
    return _answer(row)[0]
'''

_NODE = '''

def node(row):
    """Return @NODE@."""
    return int(_answer(row)[NODE])
'''

_READERS = {
    "number": '''

def _number(value):
    """Return a cell as a number; None, NaN and blank text are missing."""
    if value is None or isinstance(value, str) and not value.strip():
        return NAN
    return float(value)
''',
    "text": '''

def _text(value):
    """Return a cell as the name of a category: numbers and truths in words; None and NaN are missing."""
    value = value.item() if hasattr(value, "item") else value
    if value is None or value != value:
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return value if isinstance(value, str) else str(value)
''',
    "truth": '''

def _truth(value):
    """Return a cell as a truth; what is none stays as it is, and is unknown to the model."""
    value = value.item() if hasattr(value, "item") else value
    if value is None or value != value:
        return None
    word = str(value).strip().casefold()
    if word in ("true", "1", "1.0", "yes", "y", "t", "on"):
        return True
    return False if word in ("false", "0", "0.0", "no", "n", "f", "off") else word
''',
}

_IS_NAN = '''

def is_nan(value):
    """Return whether it is not a number."""
    return value != value
'''
