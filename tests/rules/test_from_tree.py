"""The rules of a tree answer every row as the tree does, whatever its tests and policies."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.level import PRIMARIES, level_rows, level_tree
from tests.rules.samples import grown, mixed_table, random_columns, rows_for
from tests.tree.strategies import twins
from treewright.growth import RECIPES
from treewright.predict import chances, values
from treewright.predict.vote import labels
from treewright.route import Routed
from treewright.route.router import router
from treewright.rules.decide import decided
from treewright.rules.match import match
from treewright.table import align
from treewright.tree import Tree
from treewright.tree.policy import GAPS, UNSEEN
from treewright.tree.terms import terms_at

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

QUIET = settings(
    max_examples=at_most(40, 2000),
    suppress_health_check=list(HealthCheck),
)


def judge(tree: Tree, columns: list[Any]) -> int:
    """Assert that rules and tree agree on rows; return how many the tree takes."""
    n_rows = len(columns[0])
    rules = tree.rules()
    assert len(rules) == tree.n_leaves
    routed = Routed(*router(tree).route(columns, n_rows))
    refused = np.flatnonzero(routed.node < 0)
    for row in refused[:3]:
        with pytest.raises(ValueError, match=f"Column '{_asked_at(tree, routed, row)}'"):
            decided(rules, [column[row : row + 1] for column in columns], 1)
    if len(refused):
        with pytest.raises(ValueError, match=f"in row {refused[0]}[ ,]"):
            decided(rules, columns, n_rows)
    taken = np.flatnonzero(routed.node >= 0)
    kept = [column[taken] for column in columns]
    if len(taken):
        same_answers(tree, rules, kept)
    return len(taken)


def _asked_at(tree: Tree, routed: Routed, row: int) -> str:
    node = -1 - int(routed.node[row])
    asked = [term.column for term, _ in terms_at(tree, node)] or [int(tree.column[node])]
    return f"({'|'.join(tree.schema.columns[column].name for column in asked)})"


def same_answers(tree: Tree, rules: Any, columns: list[Any]) -> None:
    n_rows = len(columns[0])
    routed = Routed(*router(tree).route(columns, n_rows))
    found = decided(rules, columns, n_rows)
    if tree.is_classifier:
        np.testing.assert_allclose(found.chances, chances(tree, routed), rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(found.labels, labels(tree, routed))
    else:
        np.testing.assert_allclose(found.values, values(tree, routed), rtol=1e-9, atol=1e-12)
    whole = np.ones(n_rows, dtype=bool)
    whole[routed.part_row] = False
    answering = [r for r in (*rules.rules, *rules.fallbacks) if r.prediction is not None]
    node = np.array([rule.node for rule in answering])
    np.testing.assert_array_equal(node[found.rule[whole]], routed.node[whole])


@QUIET
@given(st.data(), twins(), st.sampled_from(list(GAPS)), st.sampled_from(list(UNSEEN)))
def test_any_tree_with_any_policy(data: st.DataObject, twin: tuple[Any, Tree], gap: str, unseen: str) -> None:
    tree = replace(twin[1], about={"missing": gap, "unseen": unseen}, ledger=None)
    judge(tree, data.draw(rows_for(tree)))


# Every policy for gaps beside every policy for unseen categories, with splits of every form.
CASES = [
    (task, splits, missing, unseen)
    for task, splits, missing, unseen in product(
        ("classes", "numbers"), ("binary", "multiway", "one_vs_rest"), GAPS, UNSEEN
    )
    if not (missing == "surrogate" and splits == "multiway")
]


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("missing", GAPS)
def test_ten_thousand_rows_under_every_policy(task: str, missing: str) -> None:
    for number, (_, splits, _, unseen) in enumerate(c for c in CASES if c[0] == task and c[2] == missing):
        tree = grown(task, splits=splits, missing=missing, unseen=unseen, max_depth=6)
        columns = random_columns(tree, 10_000, seed=number)
        if "refuse" in (GAPS[missing].way, UNSEEN[unseen].way):
            assert 0 < judge(tree, columns) < 10_000
        else:
            assert judge(tree, columns) == 10_000


@pytest.mark.parametrize(
    ("recipe", "task"),
    [(name, task) for name, row in RECIPES.items() for task in row.get("tasks", ("classes", "numbers"))],
)
def test_ten_thousand_rows_of_every_recipe(recipe: str, task: str) -> None:
    tree = grown(task, recipe=recipe)
    assert tree.n_leaves > 1
    assert judge(tree, random_columns(tree, 10_000, seed=1)) > 0


@pytest.mark.parametrize(
    "of_classes",
    [
        {"priors": [0.6, 0.2, 0.2]},
        {"costs": [[0, 1, 5], [1, 0, 1], [1, 1, 0]]},
        {"class_weight": "balanced", "weights": np.linspace(0.5, 2, 400)},
    ],
)
@pytest.mark.parametrize("missing", ["fractional", "learned", "surrogate"])
def test_priors_costs_and_weights(of_classes: dict[str, Any], missing: str) -> None:
    tree = grown("classes", missing=missing, unseen="fractional", max_depth=5, **of_classes)
    assert judge(tree, random_columns(tree, 5000, seed=2)) == 5000


@QUIET
@given(st.data(), twins(), st.sampled_from(list(GAPS)), st.sampled_from(list(UNSEEN)))
def test_shares_of_a_row_add_up_to_one(
    data: st.DataObject, twin: tuple[Any, Tree], gap: str, unseen: str
) -> None:
    tree = replace(twin[1], about={"missing": gap, "unseen": unseen}, ledger=None)
    columns = data.draw(rows_for(tree))
    rules, n_rows = tree.rules(), len(columns[0])
    found = match([*rules.rules, *rules.fallbacks], rules.schema, columns, n_rows)
    np.testing.assert_allclose(np.bincount(found.row, found.share, n_rows), np.ones(n_rows), rtol=1e-9)
    if "divide" not in (GAPS[gap].way, UNSEEN[unseen].way):
        assert found.per_row.tolist() == [1] * n_rows  # exclusive and exhaustive


def test_tests_on_one_column_become_one_condition() -> None:
    table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabbccdd")})
    rules = tw.grow(table, target="y").rules()
    bounds = [(rule.conditions[0].low, rule.conditions[0].high) for rule in rules]
    assert bounds == [(None, 1.5), (1.5, 3.5), (3.5, 5.5), (5.5, None)]
    assert [rule.n_tests for rule in rules] == [1, 2, 2, 1]
    tree = grown("classes", splits="binary", missing="learned")
    for rule in tree.rules():
        names = [condition.column for condition in rule.conditions]
        assert len(set(names)) == len(names)


def test_figures_by_hand() -> None:
    rules = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3").rules()
    sunny_high = rules[0]
    assert sunny_high.to_text() == "IF Outlook = Sunny AND Humidity = High THEN No"
    assert (sunny_high.support, sunny_high.errors, sunny_high.confidence) == (3, 0, 1)
    assert sunny_high.lift == pytest.approx(14 / 5)
    stump = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump").rules()
    assert (stump[0].support, stump[0].errors) == (7, 3)
    assert stump[0].lift == pytest.approx((4 / 7) / (5 / 14))
    empty = next(rule for rule in rules if rule.support == 0)
    assert (empty.confidence, empty.lift) == (None, None)


def test_numbers_have_mean_and_spread() -> None:
    table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": [5, 7, 10, 10]})
    low, high = tw.grow(table, target="y", max_depth=1).rules()
    assert (low.prediction, low.spread, low.support, low.confidence) == (6.0, 1.0, 2.0, None)
    assert (high.prediction, high.spread) == (10.0, 0.0)


def test_what_stops_on_its_way_has_fallbacks() -> None:
    tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    rules = tree.rules()
    assert [rule.node for rule in rules.fallbacks if rule.prediction is not None] == [0, 1, 6]
    today = tw.Table.from_dict(
        {
            "Outlook": ["Foggy", "Sunny"],
            "Temperature": ["Hot"] * 2,
            "Humidity": ["Dry"] * 2,
            "Wind": ["Weak"] * 2,
        }
    )
    assert rules.predict(today).tolist() == tree.predict(today).tolist() == ["Yes", "No"]
    gap = tw.Table.from_dict(
        {"Outlook": [None], "Temperature": ["Hot"], "Humidity": ["High"], "Wind": ["Weak"]}
    )
    with pytest.raises(ValueError, match="Column 'Outlook' is missing in row 0"):
        rules.predict(gap)


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("max_surrogates", [0, 1, 5])
@pytest.mark.parametrize("primary", PRIMARIES)
def test_rows_that_no_surrogate_places_have_a_fallback(primary: str, task: str, max_surrogates: int) -> None:
    tree = level_tree(primary, task, max_surrogates)
    columns = align(level_rows(), tree.schema.columns)
    assert judge(tree, columns) == level_rows().n_rows
    assert [rule.node for rule in tree.rules().fallbacks] == [0]
    assert 0 in Routed(*router(tree).route(columns, level_rows().n_rows)).node


def test_a_single_leaf() -> None:
    rules = tw.grow(tw.Table.from_dict({"x": [1, 2], "y": ["a", "a"]}), target="y").rules()
    assert [rule.to_text() for rule in rules] == ["ALWAYS a"]
    assert rules.predict(tw.Table.from_dict({"x": [5, None]})).tolist() == ["a", "a"]


def test_a_deep_tree() -> None:
    n = 3000
    table = tw.Table.from_dict({"x": list(range(n)), "y": ["a", "b"] * (n // 2)})
    tree = tw.grow(table, target="y")
    assert judge(tree, [np.arange(-1.0, n + 1.0)]) == n + 2


def test_only_trees_have_rules() -> None:
    with pytest.raises(TypeError, match="of an estimator, its tree_"):
        tw.rules.from_tree(tw.DecisionTreeClassifier().fit([[1], [2]], ["a", "b"]))  # type: ignore[arg-type]


def test_the_table_of_the_samples_has_everything() -> None:
    table = mixed_table()
    assert {column.kind.value for column in table.schema.columns} == {
        "numeric",
        "nominal",
        "ordinal",
        "boolean",
    }


def test_thousands_of_branches_are_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is in step with the number of branches, not with its square."""
    n_rows = 3000
    names = [f"k{i}" for i in range(n_rows)]
    table = tw.Table.from_dict({"who": names, "y": ["a", "b"] * (n_rows // 2)})
    tree = tw.grow(table, target="y", recipe="id3", missing="fractional")
    assert tree.n_leaves == n_rows
    asked = []
    children = Tree.children

    def counting(self: Tree, node: int) -> tuple[int, ...]:
        asked.append(node)
        return children(self, node)

    monkeypatch.setattr(Tree, "children", counting)
    rules = tree.rules()
    assert len(asked) <= 4
    assert rules.predict(table).tolist() == table.labels("y").tolist()
