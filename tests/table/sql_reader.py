"""A reader of SQL for each database, written from its manual: where a text or a name ends, and what it says.

It knows nothing of how treewright writes. Sources, section by section: PostgreSQL 4.1.2 (string constants,
C-style escapes); SQLite, "SQL expression syntax" and "SQL keywords"; DuckDB, "Literal types" and "Keywords
and identifiers"; MySQL 8.4, 11.1.1 (string literals) and 11.2 (schema object names); BigQuery, "Lexical
structure and syntax"; Snowflake, "String constants" and "Identifier requirements"; ClickHouse, "Syntax";
Spark, "Literals" and "Identifiers".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Token = tuple[str, str]  # "text", "name" or "other", and what it says

_C = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class BadSqlError(ValueError):
    """The database would refuse the statement."""


@dataclass(frozen=True)
class Quotes:
    """What stands between two quotes."""

    kind: str  # "text" or "name"
    doubles: bool  # a doubled quote is one of its signs
    escapes: bool = False  # a backslash escapes


@dataclass(frozen=True)
class Reader:
    """The rules of one database."""

    quotes: dict[str, Quotes]
    letters: dict[str, str] = field(default_factory=dict)  # after a backslash
    digits: dict[str, int] = field(default_factory=dict)  # letter -> so many hexadecimal digits follow
    otherwise: Callable[[str], str] | None = None  # any other sign after a backslash; None: an error
    lines: bool = True  # a text may hold the end of a line
    triples: bool = False  # three quotes open a text too
    has_e: bool = False  # E'...' escapes

    def tokens(self, statement: str) -> list[Token]:
        """Return the texts, the names and what stands between them."""
        found: list[Token] = []
        place = 0
        while place < len(statement):
            sign = statement[place]
            if self.triples and statement.startswith(sign * 3, place) and sign in self.quotes:
                raise BadSqlError("a text in three quotes begins")
            if self.has_e and statement.startswith("E'", place):
                said, place = self._quoted(statement, place + 1, Quotes("text", True, True))
                found.append(("text", said))
            elif sign in self.quotes:
                said, place = self._quoted(statement, place, self.quotes[sign])
                found.append((self.quotes[sign].kind, said))
            else:
                if not found or found[-1][0] != "other":
                    found.append(("other", ""))
                found[-1] = ("other", found[-1][1] + sign)
                place += 1
        return found

    def _quoted(self, statement: str, start: int, rules: Quotes) -> tuple[str, int]:
        quote, place, said = statement[start], start + 1, ""
        while place < len(statement):
            sign = statement[place]
            if sign == "\\" and rules.escapes:
                meant, place = self._escaped(statement, place + 1)
                said += meant
            elif sign == quote and rules.doubles and statement[place + 1 : place + 2] == quote:
                said, place = said + quote, place + 2
            elif sign == quote:
                return said, place + 1
            elif sign in "\n\r" and not self.lines:
                raise BadSqlError("a line ends inside quotes")
            else:
                said, place = said + sign, place + 1
        raise BadSqlError("a quote is not closed")

    def _escaped(self, statement: str, place: int) -> tuple[str, int]:
        sign = statement[place : place + 1]
        if sign in self.digits:
            end = place + 1 + self.digits[sign]
            return chr(int(statement[place + 1 : end], 16)), end
        if sign in self.letters:
            return self.letters[sign], place + 1
        if self.otherwise is None:
            raise BadSqlError(f"there is no escape for {sign!r}")
        return self.otherwise(sign), place + 1


def _itself(sign: str) -> str:
    return sign


_STANDARD = {"'": Quotes("text", True), '"': Quotes("name", True)}

READERS: dict[str, Reader] = {
    "ansi": Reader(_STANDARD),
    "duckdb": Reader(_STANDARD),
    "sqlite": Reader(_STANDARD),
    "postgres": Reader(_STANDARD, letters=_C, digits={"u": 4, "U": 8}, otherwise=_itself, has_e=True),
    # the same with standard_conforming_strings = off, as it was before release 9.1
    "old postgres": Reader(
        {"'": Quotes("text", True, True), '"': Quotes("name", True)},
        letters=_C,
        digits={"u": 4, "U": 8},
        otherwise=_itself,
        has_e=True,
    ),
    "mysql": Reader(
        {"'": Quotes("text", True, True), '"': Quotes("text", True, True), "`": Quotes("name", True)},
        letters={"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"},
        otherwise=_itself,
    ),
    "snowflake": Reader(
        {"'": Quotes("text", True, True), '"': Quotes("name", True)},
        letters={**_C, "0": "\0"},
        digits={"x": 2, "u": 4},
        otherwise=_itself,
    ),
    "bigquery": Reader(
        {
            "'": Quotes("text", False, True),
            '"': Quotes("text", False, True),
            "`": Quotes("name", False, True),
        },
        letters={**_C, "a": "\a", "v": "\v", **{sign: sign for sign in "\\?\"'`"}},
        digits={"x": 2, "X": 2, "u": 4, "U": 8},
        lines=False,
        triples=True,
    ),
    "clickhouse": Reader(
        {"'": Quotes("text", True, True), '"': Quotes("name", True, True), "`": Quotes("name", True, True)},
        letters={**_C, "0": "\0", "a": "\a", "v": "\v", **{sign: sign for sign in "\\'\"`/="}},
        digits={"x": 2},
        otherwise=lambda sign: "\\" + sign,
    ),
    "spark": Reader(
        {
            "'": Quotes("text", False, True),
            '"': Quotes("text", False, True),
            "`": Quotes("name", True),
        },
        letters={"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"},
        digits={"u": 4, "U": 8},
        otherwise=_itself,
    ),
}
