"""Names for code: identifiers that no language reserves, and comments that cannot end early."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from treewright.base.lines import harmless
from treewright.export.cells import is_number
from treewright.export.code.program import Field
from treewright.table import Column, Kind

LONGEST = 40  # letters of an identifier that is made of a name
IN_A_REMARK = 60  # letters of a name in a comment

# Words that mean something in one of the languages, and the names that the programs use.
_WORDS = """
abstract alignas alignof and andalso any args arguments as asm assert async atomic auto await become bool
boolean box break byte case catch chan char class classes complex const continue crate debugger declare
def default defer del delete do double dyn elif else end enum eval except export extends extern f32 f64
fallthrough false final finally float fn for from func function global go goto i16 i32 i64 i8 if imag impl
implements import in inf inline instanceof int integer interface is lambda let list long loop macro main
map match math mod module move mut na nan native new next nil none nonlocal not null number object of or
out override package panic pass pi priv private protected pub public raise range ref register repeat
restrict return row score select self short signed sizeof static std str strictfp string struct super
switch synchronized table test text this throw throws trait transient true truth try type typedef typename
typeof undefined union unsafe unsigned unsized use using var virtual void volatile weight where while with
yield nodes node leaf predict answer labels chances top total spread label low high middle i k s coded
add add_model added all at best bool code difference first found is_nan jump last len note out rank root rule
side tree value walk weight winner
"""
_RESERVED = frozenset(_WORDS.split())
# Variables and functions of programs, with a number: term3, tree_7_from_12.
_NUMBERED = re.compile(
    r"(best|e|go|leaf_from|rule_from|rules_from|score|share|sum|term|tree|up|votes|weight)_?\d+(_from_\d+)?"
)


def identifiers(names: Iterable[str], stem: str, taken: Iterable[str] = ()) -> list[str]:
    """Return an identifier for each name: letters of ASCII, digits, underscores; no two alike in any case.

    >>> identifiers(["hours-per-week", "Größe", "hours per week", "class", "\U0001f333", "2nd"], "column")
    ['hours_per_week', 'grosse', 'hours_per_week_2', 'class_', 'column', 'column_2nd']
    """
    used = {_folded(name) for name in taken}
    found = []
    for name in names:
        base = identifier(name, stem)
        chosen, turn = base, 2
        while _folded(chosen) in used:
            chosen, turn = f"{base}_{turn}", turn + 1
        used.add(_folded(chosen))
        found.append(chosen)
    return found


def identifier(name: str, stem: str) -> str:
    """Return a name as an identifier.

    >>> identifier("Marital Status", "column"), identifier("", "column"), identifier("Sum 3", "column")
    ('marital_status', 'column', 'sum_3_')
    """
    plain = unicodedata.normalize("NFKD", name[:1000].replace("ß", "ss").replace("&", " and "))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    words = re.findall(r"[A-Za-z0-9]+", plain)
    found = "_".join(words).lower()[:LONGEST].rstrip("_")
    if not found:
        return stem
    if found[0].isdigit():
        return f"{stem}_{found}"
    return f"{found}_" if found in _RESERVED or _NUMBERED.fullmatch(found) else found


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def camel(name: str) -> str:
    """Return an identifier in the letters of types: HoursPerWeek.

    >>> camel("hours_per_week"), camel("class_")
    ('HoursPerWeek', 'Class')
    """
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def checked_module(name: str) -> str:
    """Return the name of what a file defines, if every language takes it.

    >>> checked_module("play tennis")
    Traceback (most recent call last):
    ValueError: module='play tennis' is no name in code: take letters (a-z, A-Z), digits and _; ...
    """
    ok = isinstance(name, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,99}", name)
    if not ok or name.lower() in _RESERVED:
        raise ValueError(
            f"module={name!r} is no name in code: take letters (a-z, A-Z), digits and _; begin with a "
            "letter; no word of a language."
        )
    return name


def remark(text: str, most: int = 100_000) -> str:
    r"""Return a text for a comment to the end of the line, in every language.

    Backslashes (Java's escapes, C's joined lines), line ends, signs that steer and trigraphs are written
    otherwise.

    >>> print(remark("a */ \\u000a b ??/\n c"))
    a */ /u000a b ? ?//u000a c
    """
    shown = text if len(text) <= most else f"{text[:most]}... ({len(text)} letters)"
    shown = harmless(shown).replace("\n", "\\u000a").replace("\t", " ").replace("\r", "\\u000d")
    return shown.replace("\\", "/").replace("??", "? ?").replace("??", "? ?").rstrip()


def quoted(name: str) -> str:
    """Return a name in quotes, for a comment.

    >>> quoted("Outlook"), len(quoted("x" * 10000))
    ("'Outlook'", 81)
    """
    return f"'{remark(name, IN_A_REMARK)}'"


def fields_of(columns: Sequence[Column], used: Iterable[int]) -> tuple[Field, ...]:
    """Return the columns that are looked at, with names for code.

    >>> fields_of([Column("Wind", Kind.nominal, ("Weak", "Strong"))], [0])[0].constants
    ('WEAK', 'STRONG')
    """
    places = list(used)
    names = identifiers([columns[place].name for place in places], "column")
    return tuple(_field(columns[place], place, name) for place, name in zip(places, names, strict=True))


def _field(column: Column, place: int, name: str) -> Field:
    if is_number(column):
        return Field(name, column, place, "number", ())
    if column.kind is Kind.boolean:
        return Field(name, column, place, "truth", ("FALSE", "TRUE"))
    constants = identifiers(column.categories, "category", taken=("gap", "unseen"))
    return Field(name, column, place, "text", tuple(word.upper().strip("_") for word in constants))


def head(what: str, model: Any, fields: Any) -> tuple[str, ...]:
    """Return the lines that a file begins with."""
    lines = [f"{what} for {quoted(model.target.name)}, written by treewright."]
    return (*lines, *columns_in_words(fields))


def columns_in_words(fields: Any) -> tuple[str, ...]:
    """Return a line for each column that is looked at."""
    lines = []
    for field in fields:
        column = field.column
        kind = column.notation.kind.value if column.shows_moments else column.kind.value
        if column.edges is not None:
            kind = f"{kind}, cut at {', '.join(column.text_of(edge) for edge in column.edges)}"
        elif column.categories:
            kind = f"{kind}: {column.categories_in_words()}"
        elif column.is_temporal:
            kind += " (in days; dates since 1970-01-01)"
        lines.append(remark(f"  {field.name}: column {quoted(column.name)}, {kind}", 400))
    return tuple(lines)
