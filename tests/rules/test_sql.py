"""Rules as SQL: DuckDB gives every row the answer that the rules give."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import treewright as tw
from tests.level import PRIMARIES, level_rows, level_tree
from tests.rules.samples import grown, mixed_table, random_columns
from treewright.predict.route import GAP_WAYS, UNSEEN_WAYS
from treewright.rules import Condition, Rule, RuleSet
from treewright.rules.decide import decided
from treewright.rules.sql import literal, quoted, to_sql
from treewright.table import Column, Kind, Schema, Table, align

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


def run(rules: RuleSet, columns: list[Any]) -> list[Any]:
    """Return the answers of DuckDB."""
    rows = cells_of(rules.schema, columns) | {"the number": pa.array(range(len(columns[0])))}
    with duckdb.connect() as database:
        database.register("my rows", pa.table(rows))
        chosen = to_sql(rules, "my rows", name='an "answer"')
        query = f'SELECT "an ""answer""" FROM ({chosen}) ORDER BY "the number"'
        return [row[0] for row in database.execute(query).fetchall()]


def judge(rules: RuleSet, columns: list[Any]) -> None:
    n_rows = len(columns[0])
    found = run(rules, columns)
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
@pytest.mark.parametrize("missing", GAP_WAYS)
def test_rules_of_trees_under_every_policy(task: str, missing: str) -> None:
    gaps = 0.0 if missing == "error" else 0.1
    goal, other = ("label", "score") if task == "classes" else ("score", "label")
    table = oddly_named(mixed_table(gaps=gaps)).drop(other)
    for number, unseen in enumerate(UNSEEN_WAYS):
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
