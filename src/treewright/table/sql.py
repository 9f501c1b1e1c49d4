r"""Names and values as SQL writes them, for the databases that differ: one function for each.

Everything of ours that ends up in a statement goes through `quoted` (names) or `literal` (values). What a
quote and a backslash mean inside quotes is the database's affair, and a text that is right for one ends
early in another:

| dialect | names | texts | a backslash in a text | infinity |
|---|---|---|---|---|
| `ansi`, `duckdb` | `"a""b"` | `'it''s'` | stands for itself | a CAST |
| `sqlite` | `"a""b"` | `'it''s'` | stands for itself | `9e999` |
| `postgres` | `"a""b"` | `'it''s'` | `E'\\'`, whatever `standard_conforming_strings` says | a CAST |
| `mysql` | `` `a``b` `` | `'it''s'` | `'\\'` | there is none |
| `snowflake` | `"a""b"` | `'it''s'` | `'\\'` | a CAST |
| `bigquery` | `` `a\`b` ``, escapes as in texts | `'it\'s'` | `'\\'` | a CAST |
| `clickhouse` | `` `a\`b` ``, escapes as in texts | `'it\'s'` | `'\\'` | `inf` |
| `spark` | `` `a``b` `` | `'it\'s'` | `'\\'` | a CAST |

Without a dialect all is written as the standard has it, and a backslash is refused: whether it escapes is
not known. A NUL is refused always. Sources: the vendors' pages on lexical structure, identifiers and string
literals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from treewright.base.advice import ask, refusal
from treewright.base.names import choice

Value = str | float | bool | None


@dataclass(frozen=True)
class Dialect:
    """How one database reads names and texts."""

    quote: str = '"'  # around names
    in_names: Mapping[str, str] = field(default_factory=lambda: {'"': '""'})  # sign -> how it is written
    in_texts: Mapping[str, str] = field(default_factory=lambda: {"'": "''"})
    before_escapes: str = ""  # before a text whose backslashes are escaped, where others are not
    not_in_names: Mapping[str, str] = field(default_factory=dict)  # what cannot be written, and the way out
    infinity: str | None = "CAST('{}Infinity' AS DOUBLE PRECISION)"  # None: it has no such number
    moment: str = "{} {}"  # of a date or time: the word for its type, and its text in quotes
    largest: str = "GREATEST"  # the function that gives the largest of its arguments
    is_bounded: bool = False  # a product beyond the range of doubles, or too near 0, stops the statement
    has_steps: bool = False  # a SELECT in an expression may work on columns of the row outside, in steps


def _escapes(quote: str, written: str, control: str | None) -> dict[str, str]:
    r"""Return the signs that a backslash stands before, how the quote is written, and the control characters.

    >>> _escapes("'", "''", None)
    {'\\': '\\\\', "'": "''", '\n': '\\n', '\r': '\\r', '\t': '\\t'}
    """
    found = {chr(code): control.format(code) for code in (*range(1, 32), 127)} if control else {}
    return found | {"\\": "\\\\", quote: written, "\n": "\\n", "\r": "\\r", "\t": "\\t"}


_IN_BACKTICKS = {"`": "``"}
_SUBSTITUTED = "Spark replaces ${...} by a variable; rename the column."

DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        "ansi": Dialect(has_steps=True),
        "duckdb": Dialect(has_steps=True),
        "sqlite": Dialect(infinity="{}9e999", largest="MAX", moment="{1}", has_steps=True),
        "postgres": Dialect(
            in_texts={"'": "''", "\\": "\\\\"}, before_escapes="E", is_bounded=True, has_steps=True
        ),
        "mysql": Dialect("`", _IN_BACKTICKS, _escapes("'", "''", None), infinity=None, is_bounded=True),
        "snowflake": Dialect(in_texts=_escapes("'", "''", "\\u{:04x}"), infinity="CAST('{}inf' AS FLOAT)"),
        "bigquery": Dialect(
            "`",
            _escapes("`", "\\`", "\\u{:04x}"),
            _escapes("'", "\\'", "\\u{:04x}"),
            infinity="CAST('{}inf' AS FLOAT64)",
            is_bounded=True,
        ),
        "clickhouse": Dialect(
            "`",
            _escapes("`", "\\`", "\\x{:02x}"),
            _escapes("'", "\\'", "\\x{:02x}"),
            infinity="{}inf",
            moment="CAST({1} AS {0})",
        ),
        "spark": Dialect(
            "`",
            _IN_BACKTICKS,
            _escapes("'", "\\'", "\\u{:04x}") | {"{": "\\{"},  # no ${...} is left for Spark to replace
            not_in_names={"${": _SUBSTITUTED},
            infinity="CAST('{}Infinity' AS DOUBLE)",
        ),
    }
)
_UNKNOWN = Dialect(has_steps=True)  # nobody said which: the standard, and no backslash


def dialect_of(name: str | None) -> Dialect:
    """Return the dialect of a name; None is the standard without backslashes.

    >>> dialect_of("mysql").quote
    '`'
    >>> dialect_of("postgre")
    Traceback (most recent call last):
    ValueError: dialect='postgre' is not one of 'ansi', 'duckdb', ...; did you mean 'postgres'?
    """
    if name is None:
        return _UNKNOWN
    return DIALECTS[choice("dialect", name, DIALECTS)]


def quoted(name: str, dialect: str | None = None) -> str:
    r"""Return a name of a column or a table in the quotes of the dialect.

    >>> print(quoted('a "b" c'), quoted("a `b` c", "mysql"), quoted("a `b` c", "bigquery"))
    "a ""b"" c" `a ``b`` c` `a \`b\` c`
    """
    rules = dialect_of(dialect)
    _check(name, "name", dialect)
    for sign, way_out in rules.not_in_names.items():
        if sign in name:
            raise refusal(
                f"The name {name!r} cannot be written for ", ask("dialect", dialect), f": {way_out}"
            )
    return rules.quote + _escape(name, rules.in_names) + rules.quote


def column_name(name: str, dialect: str | None = None) -> str:
    """Return the name of a column that a model asks, quoted; most databases have none without a letter.

    >>> column_name("age")
    '"age"'
    >>> column_name("", "duckdb")
    Traceback (most recent call last):
    ValueError: A column without a name cannot be asked in dialect='duckdb': name it where the table is made.
    """
    if not name and dialect != "sqlite":
        where = ask("dialect", dialect) if dialect else "SQL"
        way_out = ": name it where the table is made."
        raise refusal("A column without a name cannot be asked in ", where, way_out)
    return quoted(name, dialect)


def moment(text: str, kind: str, dialect: str | None = None) -> str:
    """Return a date ("2020-01-31", "2020-01-31 12:00") or a time as the dialect writes it.

    >>> moment("2020-01-31", "date"), moment("2020-01-31 12:00", "date"), moment("08:30", "time", "sqlite")
    ("DATE '2020-01-31'", "TIMESTAMP '2020-01-31 12:00:00'", "'08:30:00'")
    """
    day, _, clock = text.rpartition(" ") if kind == "date" and " " in text else (text, "", "")
    if kind == "time":
        day, clock = "", text
    clock += ":00" * (clock.count(":") == 1)
    name = "TIME" if not day else "TIMESTAMP" if clock else "DATE"
    if name == "TIMESTAMP":  # BigQuery's has a zone, and becomes one where it is compared with such
        name = {"clickhouse": "DateTime64(6)", "bigquery": "DATETIME"}.get(dialect or "", name)
    if len(day) == 7:  # a month: its first day
        day += "-01"
    return dialect_of(dialect).moment.format(name, literal(f"{day} {clock}".strip(), dialect))


def literal(value: Value, dialect: str | None = None) -> str:
    r"""Return a text, a number, a truth or a missing value (None) as the dialect writes it.

    A number is a double wherever it is read.

    >>> literal("it's"), literal(75.0), literal(0.1), literal(True), literal(None)
    ("'it''s'", '75', '0.1e0', 'TRUE', 'NULL')
    >>> print(literal("\\' OR 1=1 --", "mysql"), literal("\\' OR 1=1 --", "bigquery"))
    '\\'' OR 1=1 --' '\\\' OR 1=1 --'
    >>> literal("\\' OR 1=1 --")
    Traceback (most recent call last):
    ValueError: The text "\\' OR 1=1 --" holds a backslash, ... Say which one it is for: dialect='duckdb', ...
    """
    rules = dialect_of(dialect)
    if value is None:
        return "NULL"
    if isinstance(value, str):
        _check(value, "text", dialect)
        start = rules.before_escapes if "\\" in value else ""
        return f"{start}'{_escape(value, rules.in_texts)}'"
    return _number(value, rules, dialect)


def _escape(text: str, signs: Mapping[str, str]) -> str:
    return "".join(signs.get(sign, sign) for sign in text)


def _number(value: float, rules: Dialect, dialect: str | None) -> str:
    if isinstance(value, (bool, int)):
        return str(value).upper()
    if math.isnan(value):
        raise ValueError("NaN is no value of a database; a missing value is None, which is written as NULL.")
    if math.isinf(value):
        if rules.infinity is None:
            raise refusal(ask("dialect", dialect), f" has no number for {value}: its doubles are finite.")
        return rules.infinity.format("-" if value < 0 else "")
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = repr(float(value))
    return text if "e" in text else f"{text}e0"


def _check(text: str, what: str, dialect: str | None) -> None:
    """Refuse what no statement can hold, and a backslash that may or may not escape."""
    if "\0" in text:
        raise ValueError(f"The {what} {text!r} holds a NUL, which no SQL can; replace it in the table.")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError(f"The {what} {text!r} holds half a character (a lone surrogate); replace it.")
    if "\\" in text and dialect is None:
        known = ", ".join(f"'{name}'" for name in list(DIALECTS)[2:])
        raise refusal(
            f"The {what} {text!r} holds a backslash, which escapes the next sign in some databases and not "
            "in others. Say which one it is for: ",
            ask("dialect", "duckdb"),
            f", or {known}; 'ansi' if it does not escape.",
        )
