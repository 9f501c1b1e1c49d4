"""Names and values in SQL: every database reads back what was meant, and no text ends early."""

from __future__ import annotations

import math
import re
import sqlite3

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.table.sql_reader import READERS, BadSqlError
from treewright.table.sql import DIALECTS, literal, quoted

HOSTILE = [
    "\\' OR 1=1 --",
    "\\",
    "\\\\'",
    "'",
    "''",
    "'''",
    "it's",
    '"',
    '\\"',
    "`",
    "\\`; DROP TABLE t; --",
    "a\nb\r\nc\td",
    "\x1b[2J\x7f\x01\x1a",
    "\\n \\x41 \\u0041 \\% \\_ \\101",
    "x' UNION SELECT 1 --",
    "/* */ -- ; $$ ${env:HOME} {a} :a ? %s",
    "ümläut 日本 \U0001f600 \u2028 \x85",
    "",
    " ",
]

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=20) | st.text(
    "\\'\"`nxu0{$\n\r;- ", max_size=12
)


def read_by(reader: str) -> str:
    """Return the dialect in which a text for a reader is written."""
    return reader.removeprefix("old ")


@pytest.mark.parametrize("reader", READERS)
@given(texts=st.lists(TEXTS, min_size=1, max_size=4), name=TEXTS)
@example(texts=HOSTILE, name="\\`'\"")
@example(texts=["'a", "b''", "' OR 1=1 --"], name="a")
def test_every_database_reads_the_same_text(reader: str, texts: list[str], name: str) -> None:
    dialect = read_by(reader)
    if dialect == "spark":
        name = name.replace("${", "$")
    values = ", ".join(literal(text, dialect) for text in texts)
    tokens = READERS[reader].tokens(f"SELECT {values} AS {quoted(name, dialect)} FROM t")
    assert [said for kind, said in tokens if kind == "text"] == texts
    assert [said for kind, said in tokens if kind == "name"] == [name]
    assert "".join(said for kind, said in tokens if kind == "other") == (
        "SELECT " + ", " * (len(texts) - 1) + " AS  FROM t"
    )


def test_every_dialect_has_a_reader() -> None:
    assert {read_by(name) for name in READERS} == set(DIALECTS)


def test_the_readers_see_the_fault() -> None:
    """What the standard writes is an injection where a backslash escapes."""
    standard = "'\\'' OR 1=1 --'"
    assert READERS["ansi"].tokens(standard) == [("text", "\\' OR 1=1 --")]
    for reader in ("old postgres", "mysql", "snowflake", "clickhouse", "bigquery", "spark"):
        tokens = READERS[reader].tokens(standard.removesuffix("'"))  # the last one stands in a comment
        assert tokens == [("text", "'"), ("other", " OR 1=1 --")]
    with pytest.raises(BadSqlError, match="three quotes"):
        READERS["bigquery"].tokens("''' OR 1=1 --'")


@given(text=TEXTS)
@example(text=HOSTILE[0])
@example(text="it's")
def test_without_a_dialect_a_text_is_the_same_wherever_quotes_are_doubled_or_it_is_refused(text: str) -> None:
    if "\\" in text:
        with pytest.raises(ValueError, match="backslash"):
            literal(text)
        with pytest.raises(ValueError, match="backslash"):
            quoted(text)
        return
    for reader in ("ansi", "duckdb", "sqlite", "postgres", "old postgres", "snowflake", "clickhouse"):
        assert READERS[reader].tokens(f"{literal(text)}.{quoted(text)}") == [
            ("text", text),
            ("other", "."),
            ("name", text),
        ]


def test_a_backslash_without_a_dialect_is_refused_with_what_to_type() -> None:
    with pytest.raises(ValueError, match=re.escape("dialect='duckdb'")) as refusal:
        literal("a\\b")
    said = str(refusal.value)
    assert repr("a\\b") in said
    assert all(repr(name) in said for name in DIALECTS)


@pytest.mark.parametrize("dialect", [None, *DIALECTS])
@pytest.mark.parametrize("text", ["\0", "a\0b", "\ud800"])
def test_what_no_statement_can_hold_is_refused(dialect: str | None, text: str) -> None:
    for write in (literal, quoted):
        with pytest.raises(ValueError, match=r"NUL|surrogate") as refusal:
            write(text, dialect)
        assert repr(text) in str(refusal.value)


def test_spark_has_no_variable_left_to_replace() -> None:
    assert "${" not in literal("${env:HOME}", "spark")
    assert READERS["spark"].tokens(literal("${env:HOME}", "spark")) == [("text", "${env:HOME}")]
    with pytest.raises(ValueError, match="rename the column"):
        quoted("${env:HOME}", "spark")


def test_an_unknown_dialect_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="did you mean 'snowflake'"):
        literal("a", "snowflak")
    with pytest.raises(ValueError, match="'clickhouse'"):
        quoted("a", "oracle")


# ---- two databases, asked themselves ----------------------------------------------------------------

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(
    [5e-324, 1e300, -1e300, 1e15, 2.0**53, -0.0, 0.1 + 0.2, 1 / 3, 1.7976931348623157e308]
)


@given(texts=st.lists(TEXTS, min_size=1, max_size=4), number=NUMBERS)
@example(texts=HOSTILE, number=1e300)
def test_duckdb_and_sqlite_give_back_what_they_were_given(texts: list[str], number: float) -> None:
    name = "n" + "".join(texts)[:200]
    for dialect, database in (("duckdb", duckdb.connect()), ("sqlite", sqlite3.connect(":memory:"))):
        values = ", ".join(literal(text, dialect) for text in texts)
        statement = f"SELECT {values}, {literal(number, dialect)} AS {quoted(name, dialect)}"
        found = database.execute(statement)
        assert found.description[-1][0] == name
        row = found.fetchone()
        assert row is not None
        assert list(row[:-1]) == texts
        assert float(row[-1]) == number
        database.close()


def test_truths_gaps_and_infinities() -> None:
    with duckdb.connect() as duck, sqlite3.connect(":memory:") as lite:
        for value in (True, False, None, 7, 10**17, math.inf, -math.inf):
            assert duck.execute(f"SELECT {literal(value, 'duckdb')}").fetchone() == (value,)
            assert lite.execute(f"SELECT {literal(value, 'sqlite')}").fetchone() == (value,)
    assert [literal(-math.inf, name) for name in ("bigquery", "clickhouse", "snowflake", "spark")] == [
        "CAST('-inf' AS FLOAT64)",
        "-inf",
        "CAST('-inf' AS FLOAT)",
        "CAST('-Infinity' AS DOUBLE)",
    ]
    with pytest.raises(ValueError, match="'mysql' has no number for inf"):
        literal(math.inf, "mysql")
    with pytest.raises(ValueError, match="missing value is None"):
        literal(math.nan)
