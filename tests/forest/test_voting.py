"""What a forest says is what its trees say, one by one, added up: for every policy and form of input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.forest.samples import random_table
from treewright.forest import walker
from treewright.forest.walker import voted
from treewright.predict.vote import labels
from treewright.route import route_table

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

POLICIES = [
    {},
    {"missing": "fractional", "unseen": "fractional"},
    {"missing": "surrogate"},
    {"missing": "own_branch", "unseen": "missing"},
    {"missing": "most_common", "unseen": "stop_here"},
    {"missing": "drop", "unseen": "stop_here"},
    {"splits": "multiway", "unseen": "stop_here"},
    {"splits": "multiway", "missing": "fractional", "unseen": "missing"},
    {"splits": "one_vs_rest", "cuts": "random"},
    {"splits": "linear", "linear_search": "fitted", "linear_categories": "indicator", "max_depth": 3},
    {"splits": "linear", "linear_search": "fitted", "missing": "fractional", "unseen": "fractional",
     "max_depth": 3},
    {"splits": "m_of_n", "missing": "surrogate", "unseen": "missing", "max_depth": 3},
    {"splits": "conjunction", "unseen": "stop_here", "max_depth": 3},
]  # fmt: skip


def with_strangers(table, seed):
    """Return the table with a category no training row had, and a few gaps."""
    cells = table.to_dict()
    rng = np.random.default_rng(seed)
    cells["k"] = [
        ["new", None, k][i]
        for k, i in zip(cells["k"], rng.choice(3, table.n_rows, p=[0.2, 0.2, 0.6]), strict=True)
    ]
    kinds = {"x": "numeric", "z": "numeric", "k": "nominal", "noise": "numeric"}
    return tw.Table.from_dict(cells, kinds=kinds, ordinal={"size": ["S", "M", "L"]})


@pytest.mark.parametrize("words", POLICIES, ids=str)
@pytest.mark.parametrize("is_classes", [True, False])
def test_a_forest_says_the_mean_of_its_trees(words, is_classes):
    table = random_table(3, 150, is_classes, gaps=0.1)
    asked = with_strangers(random_table(4, 300, is_classes, gaps=0.2), 5)
    forest = tw.forest.grow(table, "y", n_trees=6, min_leaf=2, **words)
    trees = [forest.tree(i) for i in range(6)]
    if not is_classes:
        wanted = np.mean([tree.predict(asked) for tree in trees], axis=0)
        np.testing.assert_allclose(forest.predict(asked), wanted, rtol=1e-12)
        return
    wanted = np.mean([tree.predict_proba(asked) for tree in trees], axis=0)
    np.testing.assert_allclose(forest.predict_proba(asked), wanted, rtol=1e-12, atol=1e-15)
    each = np.array([labels(tree, route_table(tree, asked)) for tree in trees])
    counted = np.array([(each == c).sum(axis=0) for c in range(3)]).T
    np.testing.assert_array_equal(forest.votes(asked), counted)
    names = np.array(forest.classes, dtype=object)
    np.testing.assert_array_equal(forest.predict(asked, vote="majority"), names[counted.argmax(axis=1)])


@pytest.mark.parametrize("words", POLICIES, ids=str)
def test_leaves_are_those_of_the_trees(words):
    table = random_table(3, 150, gaps=0.1)
    asked = with_strangers(random_table(4, 200, gaps=0.2), 5)
    forest = tw.forest.grow(table, "y", n_trees=4, **words)
    wanted = np.column_stack([forest.tree(i).leaves(asked) for i in range(4)])
    np.testing.assert_array_equal(forest.leaves(asked), wanted)


@pytest.mark.parametrize("costs", [None, [[0, 1, 9], [1, 0, 1], [1, 1, 0]]])
def test_priors_and_costs_count_as_in_a_tree(costs):
    table = random_table(3, 200, gaps=0.1)
    forest = tw.forest.grow(table, "y", n_trees=5, min_leaf=8, priors=[0.2, 0.2, 0.6], costs=costs)
    wanted = np.mean([forest.tree(i).predict_proba(table) for i in range(5)], axis=0)
    np.testing.assert_allclose(forest.predict_proba(table), wanted, rtol=1e-12)
    best = wanted if costs is None else -(wanted @ np.array(costs, float))
    assert forest.predict(table).tolist() == [forest.classes[c] for c in best.argmax(axis=1)]


@pytest.mark.parametrize("is_classes", [True, False])
@pytest.mark.parametrize("missing", ["learned", "fractional"])
def test_the_same_for_any_number_of_threads_and_chunks(is_classes, missing, monkeypatch):
    table = random_table(3, 9000, is_classes, gaps=0.05)
    forest = tw.forest.grow(table.take(np.arange(500)), "y", n_trees=7, missing=missing)
    if is_classes:
        said = forest.predict_proba(table)
    else:
        said = forest.predict(table)
    monkeypatch.setattr(walker, "CHUNK_NODES", 1)
    monkeypatch.setattr(walker, "KEPT_NODES", 1)
    for n_threads in (1, 2, 5):
        again = (
            forest.predict_proba(table, n_threads=n_threads)
            if is_classes
            else forest.predict(table, n_threads=n_threads)
        )
        np.testing.assert_array_equal(again, said)  # bit for bit


@settings(max_examples=at_most(15, 40), deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 200), st.booleans(), st.sampled_from([np.float32, np.float64]))
def test_arrays_are_walked_as_trees_walk_them(seed, n_rows, has_gaps, dtype):
    rng = np.random.default_rng(seed)
    X = rng.choice([-np.inf, -1.5, -0.0, 0.0, 0.1, 1 / 3, 2.5, 1e30, np.inf], size=(n_rows, 4)).astype(dtype)
    X[:, 2] = rng.normal(size=n_rows)
    if has_gaps:
        X[rng.random(X.shape) < 0.2] = np.nan
    finite = np.where(np.isinf(X), 3.0, X)
    y = rng.integers(0, 3, n_rows)
    model = tw.RandomForestClassifier(4, random_state=seed).fit(finite, y)
    forest = model.forest_
    columns = [np.ascontiguousarray(X[:, i], dtype=np.float64) for i in range(4)]
    table = tw.Table(forest.schema, tuple(columns))
    wanted = np.mean([forest.tree(i).predict_proba(table) for i in range(4)], axis=0)
    for given_cells in (X, np.asfortranarray(X), X[:, ::-1][:, ::-1], np.repeat(X, 2, axis=0)[::2]):
        np.testing.assert_allclose(voted(forest, given_cells, n_rows).mean, wanted, rtol=1e-12)
    np.testing.assert_allclose(voted(forest, columns, n_rows).mean, wanted, rtol=1e-12)


def test_many_columns_and_wide_arrays():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 400)).astype(np.float32)
    y = (X[:, 300] + X[:, 7] > 0).astype(int)
    model = tw.RandomForestClassifier(5, max_features=None, random_state=0).fit(X, y)
    table = tw.Table(model.forest_.schema, tuple(X.astype(np.float64).T))
    wanted = np.mean([model.forest_.tree(i).predict_proba(table) for i in range(5)], axis=0)
    np.testing.assert_allclose(model.predict_proba(X), wanted, rtol=1e-12)


def test_the_core_takes_float32_cuts_exactly():
    """A float32 beside a cut that no float32 can be lies on the side where float64 says."""
    low = np.float32(1.0)
    high = np.nextafter(low, np.float32(2))
    X = np.array([[low], [high]] * 10, dtype=np.float32)
    model = tw.RandomForestClassifier(3, bootstrap=False).fit(X, [0, 1] * 10)
    assert model.predict(X).tolist() == [0, 1] * 10
    extremes = np.array([[np.inf], [-np.inf], [np.finfo(np.float32).max]], dtype=np.float32)
    assert model.predict(extremes).tolist() == [1, 0, 1]


def test_no_rows():
    forest = tw.forest.grow(random_table(3, 30), "y", n_trees=2)
    none = random_table(3, 30).take([])
    assert forest.predict(none).shape == (0,)
    assert forest.predict_proba(none).shape == (0, 3)
    assert forest.leaves(none).shape == (0, 2)


def test_refusals_name_the_column_the_row_and_the_way_out():
    table = random_table(3, 60)
    strict = tw.forest.grow(table, "y", n_trees=3, missing="error", unseen="error")
    cells = table.to_dict()
    cells["x"][41] = None
    gap = tw.Table.from_dict(cells, kinds={"x": "numeric", "z": "numeric"}, ordinal={"size": ["S", "M", "L"]})
    with pytest.raises(
        ValueError, match="Column 'x' is missing in row 41, and the forest was grown with missing="
    ):
        strict.predict(gap)
    cells = table.to_dict()
    cells["k"][7] = "new"
    strange = tw.Table.from_dict(cells, ordinal={"size": ["S", "M", "L"]})
    with pytest.raises(ValueError, match="Column 'k' has a category that training never had in row 7"):
        strict.predict(strange)
    with pytest.raises(ValueError, match="vote='median' is not one of 'mean', 'majority'"):
        strict.predict(table, vote="median")
    numbers = tw.forest.grow(random_table(3, 60, is_classes=False), "y", n_trees=3)
    with pytest.raises(ValueError, match="predicts the number 'y'"):
        numbers.predict_proba(table)
