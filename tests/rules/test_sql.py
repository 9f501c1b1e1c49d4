"""Rules as SQL: DuckDB and SQLite give every row the answer that the rules give."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import treewright as tw
from tests.level import PRIMARIES, level_rows, level_tree
from tests.rules.samples import grown, mixed_table, random_columns
from tests.table.sql_reader import READERS
from tests.table.test_sql import HOSTILE, read_by
from treewright.rules import Condition, Rule, RuleSet
from treewright.rules.decide import decided
from treewright.rules.sql import to_sql
from treewright.table import Column, Kind, Schema, Table, align
from treewright.table.sql import literal, quoted
from treewright.tree.policy import GAPS, UNSEEN

ODD_NAMES = {"x": 'the "x"', "z": "r1", "colour": "SELECT * FROM", "size": "it's", "wet": "r_s1"}


def oddly_named(table: Table) -> Table:
    columns = [
        replace(column, name=ODD_NAMES.get(column.name, column.name)) for column in table.schema.columns
    ]
    return Table(Schema(tuple(columns)), table.values)


def cells_of(schema: Schema, columns: list[Any]) -> dict[str, Any]:
    """Return rows as a database holds them: NULL for a gap, a text that training never had for -2."""
    found = {}
    for column, values in zip(schema.columns, columns, strict=True):
        if column.is_numeric:
            found[column.name] = pa.array(values, pa.float64(), mask=np.isnan(values))
        else:
            names = np.array([*column.categories, "never met", None], dtype=object)
            found[column.name] = pa.array(names[values], pa.string())
    return found


def run(rules: RuleSet, columns: list[Any], dialect: str | None = None) -> list[Any]:
    """Return the answers of DuckDB."""
    rows = cells_of(rules.schema, columns) | {"the number": pa.array(range(len(columns[0])))}
    with duckdb.connect() as database:
        database.register("my rows", pa.table(rows))
        chosen = to_sql(rules, "my rows", name='an "answer"', dialect=dialect)
        query = f'SELECT "an ""answer""" FROM ({chosen}) ORDER BY "the number"'
        return [row[0] for row in database.execute(query).fetchall()]


def run_in_sqlite(rules: RuleSet, columns: list[Any]) -> list[Any]:
    """Return the answers of SQLite."""
    rows = {name: cells.to_pylist() for name, cells in cells_of(rules.schema, columns).items()}
    database = sqlite3.connect(":memory:")
    names = ", ".join(quoted(name, "sqlite") for name in rows)
    database.execute(f"CREATE TABLE rows ({names})")
    marks = ", ".join("?" * len(rows))
    database.executemany(f"INSERT INTO rows VALUES ({marks})", list(zip(*rows.values(), strict=True)))
    found = database.execute(f"SELECT {to_sql(rules, dialect='sqlite')} FROM rows ORDER BY rowid").fetchall()
    database.close()
    return [row[0] for row in found]


def judge(rules: RuleSet, columns: list[Any], dialect: str | None = None) -> None:
    _judge_found(rules, columns, run(rules, columns, dialect))
    _judge_found(rules, columns, run_in_sqlite(rules, columns))


def _judge_found(rules: RuleSet, columns: list[Any], found: list[Any]) -> None:
    n_rows = len(columns[0])
    for row in (row for row in range(n_rows) if found[row] is None):
        with pytest.raises(ValueError, match="in row 0"):
            decided(rules, [column[row : row + 1] for column in columns], 1)
    taken = [row for row in range(n_rows) if found[row] is not None]
    expected = decided(rules, [column[taken] for column in columns], len(taken))
    said = [found[row] for row in taken]
    if rules.is_classifier:
        assert said == [rules.classes[label] for label in expected.labels]
    else:
        np.testing.assert_allclose(said, expected.values, rtol=1e-9)


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("missing", GAPS)
def test_rules_of_trees_under_every_policy(task: str, missing: str) -> None:
    gaps = 0.0 if missing == "error" else 0.1
    goal, other = ("label", "score") if task == "classes" else ("score", "label")
    table = oddly_named(mixed_table(gaps=gaps)).drop(other)
    for number, unseen in enumerate(UNSEEN):
        tree = tw.grow(table, target=goal, missing=missing, unseen=unseen, max_depth=3)
        judge(tree.rules(), random_columns(tree, 400, seed=number))


@pytest.mark.parametrize("how", ["c45rules", "voting"])
def test_general_rules(how: str) -> None:
    table = oddly_named(mixed_table()).drop("score")
    tree = tw.grow(table, target="label", recipe="c4.5", prune="none", min_branch=4)
    rules = getattr(tw.rules, how)(tree, table)
    assert len(rules) > 5
    judge(rules, random_columns(tree, 1000, seed=3))


def test_priors_and_costs_of_divided_rows() -> None:
    for of_classes in ({"priors": [0.6, 0.2, 0.2]}, {"costs": [[0, 1, 5], [1, 0, 1], [1, 1, 0]]}):
        tree = grown("classes", missing="fractional", unseen="fractional", max_depth=3, **of_classes)
        judge(tree.rules(), random_columns(tree, 500, seed=4))


def test_text_and_numbers_are_quoted() -> None:
    assert literal("it's") == "'it''s'"
    assert (literal(75.0), literal(0.1), literal(1e300), literal(-2.5)) == ("75", "0.1e0", "1e+300", "-2.5e0")
    assert quoted('a "b"') == '"a ""b"""'
    with duckdb.connect() as database:
        for number in (0.1 + 0.2, 1 / 3, 5e-324, 1e300, -np.pi, 123456789.123456789):
            assert database.execute(f"SELECT CAST({literal(number)} AS DOUBLE)").fetchall() == [(number,)]
        assert database.execute(f"SELECT {literal(-np.inf)}").fetchall() == [(-np.inf,)]


def test_categories_with_quotes_and_bounds_at_infinity() -> None:
    schema = Schema(
        (Column("x", Kind.numeric), Column("who's", Kind.nominal, ("it's", '"', "; DROP TABLE t")))
    )
    target = Column("y", Kind.nominal, ("o'clock", "no"))
    rules = RuleSet(
        rules=(
            Rule((Condition("x", high=-np.inf),), "no"),
            Rule(
                (Condition("x", low=-np.inf, high=0.0), Condition("who's", categories=("it's", '"'))),
                "o'clock",
            ),
            Rule((Condition("x", low=np.inf, missing=1.0),), "o'clock"),
        ),
        schema=schema,
        target=target,
        default="no",
    )
    columns = [
        np.array([-np.inf, -1.0, -1.0, -1.0, np.nan, 1.0]),
        np.array([0, 0, 1, 2, 0, 0], dtype=np.int32),
    ]
    assert run(rules, columns) == ["no", "o'clock", "o'clock", "no", "o'clock", "no"]
    judge(rules, columns)


@pytest.mark.parametrize("max_surrogates", [0, 1, 5])
@pytest.mark.parametrize("primary", PRIMARIES)
def test_rows_that_no_surrogate_places(primary: str, max_surrogates: int) -> None:
    tree = level_tree(primary, "numbers", max_surrogates)
    columns = align(level_rows(), tree.schema.columns)
    judge(tree.rules(), columns)
    assert 3.0 in run(tree.rules(), columns)  # the root's own mean


def test_without_rules_the_default_answers() -> None:
    schema, target = Schema((Column("x", Kind.numeric),)), Column("y", Kind.nominal, ("a", "b"))
    for decision in ("first", "vote"):
        rules = RuleSet(rules=(), schema=schema, target=target, decision=decision, default="b")
        assert to_sql(rules) == "'b'"
        assert run(rules, [np.array([1.0, np.nan])]) == ["b", "b"]


# ---- hostile names and categories ---------------------------------------------------------------------

WORDS = [text for text in HOSTILE if text]


def hostile_table() -> Table:
    """Every hostile text is a category, a class and part of a column's name."""
    rng = np.random.default_rng(5)
    n_rows = 60 * len(WORDS)
    codes = {f"{i} {text}": rng.integers(len(WORDS), size=n_rows) for i, text in enumerate(WORDS[:4])}
    codes["\\' OR 1=1 --"] = (sum(codes.values()) + (rng.random(n_rows) < 0.1)) % len(WORDS)
    return Table.from_dict({name: [WORDS[code] for code in column] for name, column in codes.items()})


@pytest.mark.parametrize(
    ("missing", "splits"), [("learned", "multiway"), ("fractional", "multiway"), ("surrogate", "binary")]
)
def test_hostile_names_and_categories_in_two_databases(missing: str, splits: str) -> None:
    table = hostile_table()
    goal = "\\' OR 1=1 --"
    tree = tw.grow(table, target=goal, missing=missing, splits=splits, max_depth=4, max_leaves=40)
    assert tree.n_leaves > 10
    rules = tree.rules()
    judge(rules, random_columns(tree, 300, seed=1), dialect="duckdb")
    features = table.drop(goal)
    asked = [np.asarray(values) for values in features.values]
    assert run_in_sqlite(rules, asked) == rules.predict(features).tolist()


def test_a_backslash_needs_a_dialect() -> None:
    rules = tw.grow(hostile_table(), target="\\' OR 1=1 --", max_depth=2).rules()
    with pytest.raises(ValueError, match=r"holds a backslash.*dialect='duckdb'"):
        rules.to_text("sql")
    for table in ({"x\0": ["a", "b"], "y": ["p", "q"]}, {"x": ["a", "b"], "y": ["p\0", "q"]}):
        rules = tw.grow(Table.from_dict(table), target="y").rules()
        with pytest.raises(ValueError, match="holds a NUL"):
            rules.to_text("sql", dialect="duckdb")


@pytest.mark.parametrize("reader", READERS)
def test_no_text_of_a_whole_statement_ends_early(reader: str) -> None:
    """The texts and names that a database finds are those of the rules, and what is left is plain SQL."""
    table = hostile_table()
    goal, dialect = "\\' OR 1=1 --", read_by(reader)
    rules = tw.grow(table, target=goal, splits="multiway", max_depth=2).rules()
    tokens = READERS[reader].tokens(to_sql(rules, "a `table`'s \\", name="\\`'\"", dialect=dialect))
    assert {said for kind, said in tokens if kind == "text"} == set(WORDS)
    names = {said for kind, said in tokens if kind == "name"}
    assert names == {*tree_names(rules), "a `table`'s \\", "\\`'\""}
    left = "".join(said for kind, said in tokens if kind == "other").split()
    words = {"SELECT", "*,", "CASE", "WHEN", "(", ")", "=", "<>", "IN", "NOT", "OR", "AND", "IS", "NULL"}
    words |= {"NULL)", "THEN", "ELSE", "END", "AS", "FROM", "(,", ",", ",)", "TRUE"}
    assert {word.strip("(),") for word in left} <= {word.strip("(),") for word in words}


def tree_names(rules: RuleSet) -> set[str]:
    return {condition.column for rule in rules for condition in rule.conditions}


def test_bounds_at_infinity_where_there_is_none() -> None:
    schema, target = Schema((Column("x", Kind.numeric),)), Column("y", Kind.nominal, ("a", "b"))
    conditions = [
        Condition("x", high=-np.inf),
        Condition("x", low=-np.inf, high=0.0),
        Condition("x", low=-np.inf),
    ]
    rules = RuleSet(
        rules=[Rule((condition,), "a") for condition in conditions], schema=schema, target=target, default="b"
    )
    lines = to_sql(rules, dialect="mysql").splitlines()
    assert lines[1:4] == [
        "  WHEN FALSE THEN 'a'",
        "  WHEN `x` <= 0 THEN 'a'",
        "  WHEN `x` IS NOT NULL THEN 'a'",
    ]
