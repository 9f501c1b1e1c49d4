"""Rules of trees on numbers cut into intervals: they take the numbers, as the tree does."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import treewright as tw
from tests.rules.samples import mixed_table
from treewright.rules import Condition
from treewright.rules.condition import bounds_of
from treewright.table import Table
from treewright.tree.policy import GAPS

WAYS: list[Any] = ["mdlp", "equal_frequency", tw.discretise.EqualWidth(bins=4)]


def binned(missing: str = "learned", **settings: Any) -> tuple[Any, Table]:
    table = mixed_table(gaps=0.0 if missing == "error" else 0.1).drop("score")
    return tw.grow(table, target="label", missing=missing, max_depth=4, **settings), table


def rows_of(table: Table, n_rows: int = 500) -> Table:
    """Return rows with numbers at, around and far beyond the edges, and gaps where the table has some."""
    random = np.random.default_rng(7)
    rows = table.take(random.integers(0, table.n_rows, n_rows))
    values = list(rows.values)
    for place in (0, 1):
        cells = values[place].copy()
        cells[::7] = random.choice([-np.inf, np.inf, -1e300, 1e300, 0.0], len(cells[::7]))
        values[place] = cells
    return Table(rows.schema, tuple(values))


@pytest.mark.parametrize("missing", GAPS)
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_one_rule_per_leaf_answers_as_the_tree(way: Any, missing: str) -> None:
    tree, table = binned(missing, discretise=way)
    assert tree.schema.binned
    rows = rows_of(table)
    rules = tree.rules()
    assert rules.predict(rows).tolist() == tree.predict(rows).tolist()
    np.testing.assert_allclose(rules.predict_proba(rows), tree.predict_proba(rows), atol=1e-12)
    assert tw.rules.RuleSet.from_dict(rules.to_dict()).predict(rows).tolist() == tree.predict(rows).tolist()


def in_database(rules: Any, rows: Table) -> list[Any]:
    cells = {"number of the row": pa.array(range(rows.n_rows))}
    for column, values in zip(rows.schema.columns, rows.values, strict=True):
        if column.is_numeric:
            cells[column.name] = pa.array(values, pa.float64(), mask=np.isnan(values))
        else:
            cells[column.name] = pa.array(
                np.array([*column.categories, None], dtype=object)[values], pa.string()
            )
    with duckdb.connect() as database:
        database.register("rows", pa.table(cells))
        query = f'SELECT {rules.to_text("sql")} FROM rows ORDER BY "number of the row"'
        return [row[0] for row in database.execute(query).fetchall()]


@pytest.mark.parametrize("missing", GAPS)
def test_a_database_has_the_numbers_not_the_intervals(missing: str) -> None:
    tree, table = binned(missing, discretise="equal_frequency")
    rows = rows_of(table)
    for rules in (tree.rules(), tw.rules.c45rules(tree, table), tw.rules.voting(tree, table)):
        assert in_database(rules, rows) == rules.predict(rows).tolist()


@pytest.mark.parametrize("make", [tw.rules.c45rules, tw.rules.voting])
def test_general_rules_are_those_of_the_intervals_by_name(make: Any) -> None:
    table = mixed_table().drop("score")
    tree = tw.grow(table, target="label", recipe="c4.5", prune="none", discretise="mdlp")
    cut = tw.discretise.ByHand({c.name: c.edges for c in tree.schema.columns if c.edges is not None})
    named = cut.fit(table.drop("label")).transform(table.drop("label"))
    columns = [named.column(name)[1] for name in named.names] + [table.column("label")[1]]
    by_name = Table(type(table.schema)((*named.schema.columns, table.schema["label"])), tuple(columns))
    found = make(tree, table)
    assert found == make(tree, by_name)
    assert len(found) > 3
    assert tw.rules.overlap(found, table) == tw.rules.overlap(found, by_name)


def test_words_are_bounds() -> None:
    iris = tw.example("iris")
    tree = tw.grow(iris, target="class", recipe="id3", discretise="mdlp", max_depth=1)
    assert [line for line in str(tree.rules()).splitlines() if "IF" in line] == [
        "1. IF petalwidth <= 0.8",
        "2. IF 0.8 < petalwidth <= 1.75",
        "3. IF petalwidth > 1.75",
    ]
    fallbacks = tree.rules().fallbacks  # of gaps; no number is a category that training never had
    assert [condition.unseen for rule in fallbacks for condition in rule.conditions] == [0.0]
    assert "unseen" not in tree.rules().to_text(full=True)
    assert tree.rules().to_text("sql").splitlines()[2] == (
        """  WHEN ("petalwidth" > 0.8e0 AND "petalwidth" <= 1.75e0) THEN 'Iris-versicolor'"""
    )


def test_neighbours_are_one_run() -> None:
    names = ("<= 1", "(1, 2]", "(2, 3]", "> 3")
    assert bounds_of(names, names, (1, 2, 3)) == [(None, None)]
    assert bounds_of((), names, (1, 2, 3)) == []
    assert bounds_of(("> 3", "(1, 2]"), names, (1, 2, 3)) == [(1, 2), (3, None)]
    condition = Condition("x", categories=("> 3", "(1, 2]"))
    assert condition.to_text(order=names, edges=(1, 2, 3)) == "1 < x <= 2 or x > 3"


@pytest.mark.parametrize("method", ["c4.5rules", "leaves", "voting"])
def test_the_estimator_cuts_numbers_too(method: str) -> None:
    iris = tw.example("iris")
    X, y = iris.drop("class"), iris.labels("class")
    model = tw.RuleClassifier(method=method, recipe="id3", discretise="mdlp").fit(X, y)
    assert model.score(X, y) >= 0.96
    assert model.overlap(X, y).n_rows == 150
    again = tw.RuleClassifier.from_tree(model.tree_, X, y, method=method)
    assert again.predict(X).tolist() == model.predict(X).tolist()
