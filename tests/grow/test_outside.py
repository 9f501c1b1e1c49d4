"""Criteria given as objects: what they may return, what is refused by name, what a forest keeps of them."""

from __future__ import annotations

import dataclasses
import json
import pickle
import zipfile

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from treewright.forest import compact

TABLE = tw.Table.from_dict(
    {
        "age": [1, 2, 3, 4, 5, 6, 7, 8, 1, 3, 5, 7],
        "size": [5, 5, 1, 1, 2, 2, 3, 3, 4, 4, 6, 6],
        "sky": list("abcabcabcabc"),
        "y": list("nnynyynynnyy"),
    }
)
NUMBERS = tw.Table.from_dict({"age": TABLE.values[0], "size": TABLE.values[1], "y": np.arange(12.0) ** 2})
TABLES = {"classes": TABLE, "numbers": NUMBERS}


def impurity(stats):
    total = stats.sum(axis=1)
    return total - (stats * stats).sum(axis=1) / total


def gini(left, right):
    """Gini's decrease, as an object."""
    whole = impurity(left + right)
    return (whole - impurity(left) - impurity(right)) / (left + right).sum(axis=1)


def squares(left, right):
    """Three times what squares fall by; of weight, sum and squares."""
    parts = [s[:, 2] - s[:, 1] ** 2 / s[:, 0] for s in (left + right, left, right)]
    return 3 * (parts[0] - parts[1] - parts[2]) / (left + right)[:, 0]


def returning(make):
    def mine(left, right):
        return make(len(left))

    return mine


WRONG = {
    "None": (lambda n: None, TypeError, "returned None for"),
    "a list of None": (lambda n: [None] * n, TypeError, "returned a list of what is no number for"),
    "text": (lambda n: ["high"] * n, TypeError, "a list of what is no number"),
    "an array of text": (lambda n: np.full(n, "high"), TypeError, "an array of <U4"),
    "objects": (lambda n: np.array([1.0] * n, dtype=object), TypeError, "an array of object"),
    "complex": (lambda n: np.full(n, 1j), TypeError, "an array of complex128"),
    "dates": (lambda n: np.zeros(n, "datetime64[D]"), TypeError, "an array of datetime64"),
    "a generator": (lambda n: (1.0 for _ in range(n)), TypeError, "returned a generator for"),
    "a dict": (lambda n: {}, TypeError, "returned a dict for"),
    "ragged": (lambda n: [[1.0], [1.0, 2.0]], TypeError, "a list of what is no number"),
    "a scalar": (lambda n: 1.0, ValueError, "returned 1 score for"),
    "too few": (lambda n: np.zeros(n - 1), ValueError, "scores for the 7 cuts of column 'age'"),
    "too many": (lambda n: np.zeros(n + 1), ValueError, "returned 8 scores for the 7 cuts of column 'age'"),
    "two a cut": (lambda n: np.zeros((n, 2)), ValueError, "returned 14 scores for"),
    "nothing": (lambda n: [], ValueError, "returned 0 scores for"),
    "inf": (lambda n: np.full(n, np.inf), ValueError, "returned inf for"),
}
GROWERS = {
    "tree": lambda table, **given: tw.grow(table, target="y", **given),
    "sums": lambda table, **given: tw.grow(
        table, target="y", splits="linear", linear_tries=1, max_depth=1, **given
    ),
    "random": lambda table, **given: tw.grow(table, target="y", cuts="random", **given),
    "forest": lambda table, **given: tw.forest.grow(
        table, target="y", n_trees=4, n_threads=2, bootstrap=False, max_columns=2, **given
    ),
    "cv": lambda table, **given: tw.grow(table, target="y", prune="cv", **given),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("grower", ["tree", "forest", "cv"])
@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_score_is_refused_by_name(wrong, grower, table):
    make, kind, words = WRONG[wrong]
    only_age = TABLES[table].select(["age", "y"]) if grower != "forest" else TABLES[table]
    if grower == "forest" and "score" in words:  # any column may come first
        words = r"returned \d+ scores? for the \d cuts of column"
    with pytest.raises(kind, match=words) as told:
        GROWERS[grower](only_age, criterion=returning(make))
    assert "The criterion 'mine' returned" in str(told.value)
    assert "of column '" in str(told.value)
    assert "one per cut: higher is better" in str(told.value)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("grower", GROWERS)
def test_nothing_but_nan_is_refused(grower, table):
    masked = returning(lambda n: np.ma.masked_all(n))
    for criterion in (returning(lambda n: np.full(n, np.nan)), masked):
        with pytest.raises(ValueError, match="'mine' returned NaN for every cut of every column"):
            GROWERS[grower](TABLES[table], criterion=criterion)


def test_an_object_is_named_as_it_names_itself():
    class Mine:
        name = "my own"

        def __call__(self, left, right):
            return None

    with pytest.raises(TypeError, match="The criterion 'my own' returned None"):
        tw.grow(TABLE, target="y", criterion=Mine())
    with pytest.raises(TypeError, match="The criterion '<lambda>' returned None"):
        tw.DecisionTreeClassifier(criterion=lambda left, right: None).fit([[1], [2]], ["a", "b"])


def test_minus_infinity_says_that_no_cut_is_allowed():
    tree = tw.grow(TABLE, target="y", criterion=returning(lambda n: np.full(n, -np.inf)))
    assert tree.n_leaves == 1


def test_nan_and_masks_say_that_a_cut_is_not_allowed():
    def some(left, right):
        return np.where(left.sum(axis=1) < 4, np.nan, gini(left, right))

    def hidden(left, right):
        return np.ma.MaskedArray(gini(left, right), left.sum(axis=1) < 4)

    tree = tw.grow(TABLE, target="y", criterion=some)
    same = tw.grow(TABLE, target="y", criterion=hidden)
    assert tree.n_leaves > 1
    assert all(tree.n_rows[tree.children(i)[0]] >= 4 for i in range(tree.n_nodes) if not tree.is_leaf(i))
    np.testing.assert_array_equal(tree.cut, same.cut)


@pytest.mark.parametrize(
    "form",
    [
        list,
        tuple,
        pd.Series,
        lambda s: s.astype(np.float16),
        lambda s: s[:, None],
        lambda s: s[::-1].copy()[::-1],
    ],
)
def test_scores_may_come_in_many_forms(form):
    def whole(left, right):
        return np.round(gini(left, right) * 64)

    plain = tw.grow(TABLE, target="y", criterion=whole)
    other = tw.grow(TABLE, target="y", criterion=lambda left, right: form(whole(left, right)))
    np.testing.assert_array_equal(plain.cut, other.cut)
    np.testing.assert_array_equal(plain.gain, other.gain)


def test_a_table_without_a_cut_asks_nobody():
    table = tw.Table.from_dict({"x": [1, 1, 1], "y": list("aab")})
    assert tw.grow(table, target="y", criterion=returning(lambda n: None)).n_leaves == 1


@pytest.mark.parametrize("grower", GROWERS)
def test_an_exception_comes_through_as_it_is(grower):
    class OwnError(Exception):
        pass

    def mine(left, right):
        raise OwnError("mine")

    with pytest.raises(OwnError, match="mine"):
        GROWERS[grower](TABLE, criterion=mine)


# ---- forests --------------------------------------------------------------------------------------


def one_tree(table, criterion):
    """A forest of one tree that is the tree itself: every row, every column."""
    width = len(table.schema) - 1
    forest = tw.forest.grow(
        table, target="y", n_trees=1, bootstrap=False, max_columns=width, min_leaf=1, criterion=criterion
    )
    return forest, tw.grow(table, target="y", criterion=criterion, min_leaf=1)


def doubled(left, right):
    return 2 * gini(left, right)


@pytest.mark.parametrize(
    ("table", "criterion"), [("classes", doubled), ("numbers", squares), ("classes", gini)]
)
def test_gains_of_a_forest_are_the_criterion_s_own(table, criterion, tmp_path):
    forest, tree = one_tree(TABLES[table], criterion)
    assert tree.n_leaves > 2
    forest.save(tmp_path / "a.forest")
    for given in (forest, tw.load(tmp_path / "a.forest"), pickle.loads(pickle.dumps(forest))):
        assert given == forest
        np.testing.assert_array_equal(given.tree(0).gain, tree.gain)
        np.testing.assert_array_equal(given.tree(0).score, tree.score)


def test_trees_of_a_larger_forest_have_theirs_too():
    forest = tw.forest.grow(TABLE, target="y", n_trees=5, criterion=doubled, seed=3)
    halves = [
        tw.forest.grow(TABLE, target="y", n_trees=n, first=f, criterion=doubled, seed=3)
        for f, n in ((0, 2), (2, 3))
    ]
    assert tw.forest.join(*halves) == forest
    for tree in map(forest.tree, range(5)):
        inner = [i for i in range(tree.n_nodes) if not tree.is_leaf(i)]
        left, right = (tree.stats[[tree.children(i)[side] for i in inner]] for side in (0, 1))
        np.testing.assert_allclose(tree.gain[inner], doubled(left, right))
        assert np.isnan(tree.gain[tree.leaf_ids]).all()


def test_files_of_named_criteria_are_as_before(tmp_path):
    """Gains that can be told from the leaves are not stored; a file with a digest is of the third version."""
    for criterion, has_gains in (("gini", False), (doubled, True)):
        path = tmp_path / f"{has_gains}.forest"
        tw.forest.grow(TABLE, target="y", n_trees=2, criterion=criterion).save(path)
        with zipfile.ZipFile(path) as file:
            assert json.loads(file.read("forest.json"))["version"] == 3
            assert ("gain.npy" in file.namelist()) == has_gains


def test_gains_that_nobody_kept_are_not_made_up():
    """A forest of an older file, whose criterion was an object: gini's gains would be a lie."""
    forest = tw.forest.grow(TABLE, target="y", n_trees=2, criterion=doubled)
    old = dataclasses.replace(forest, arrays={**forest.arrays, "gain": np.empty(0)})
    assert np.isnan(old.tree(0).gain).all()
    assert len(tw.forest.join(old).arrays["gain"]) == 0
    with pytest.raises(ValueError, match="'gain' must have"):
        dataclasses.replace(forest, arrays={**forest.arrays, "gain": np.ones(1)})
    assert {name for name, version in compact.LATER.items() if version == 2} == {"gain"}


# ---- settings that do nothing ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "given", "words"),
    [
        (
            ["sky"],
            {},
            "it judges sums of two or more columns .* none of the 1 columns is one",
        ),
        (["sky", "age"], {}, "it judges sums of two or more .* only 'age' is one"),
    ],
)
def test_a_setting_without_effect_is_told(columns, given, words):
    table = TABLE.select([*columns, "y"])
    with pytest.warns(UserWarning, match=f"lookahead=2 has no effect: {words}"):
        tree = tw.grow(table, target="y", splits="linear", lookahead=2, **given)
    assert not tree.has_sums


def test_a_setting_with_effect_is_not():
    tw.grow(TABLE, target="y", splits="linear", lookahead=2, linear_tries=1, max_depth=1)


# ---- tests with several branches ------------------------------------------------------------------


class Twin:
    """A criterion of the core as an object: two branches by call, several by `score_branches`."""

    def __init__(self, name, cost):
        self.name, self.cost = name, cost

    def __call__(self, left, right):
        return self.score_branches(np.stack([left, right], axis=1))

    def score_branches(self, branches):
        node = branches.sum(axis=1)
        gain = self.cost(node) - self.cost(branches).sum(axis=1)
        return np.round(gain / node.sum(axis=1), 12)  # ties as in theory


def gini_cost(counts):
    total = counts.sum(axis=-1)
    return total - (counts**2).sum(axis=-1) / total


def bits(counts):
    def n_log_n(n):
        return n * np.log2(n, out=np.zeros_like(n), where=n > 0)

    return n_log_n(counts.sum(axis=-1)) - n_log_n(counts).sum(axis=-1)


def variance_cost(stats):
    return stats[..., 2] - stats[..., 1] ** 2 / stats[..., 0]


class Squares(Twin):
    def score_branches(self, branches):
        node = branches.sum(axis=1)
        gain = self.cost(node) - self.cost(branches).sum(axis=1)
        return np.round(gain / node[:, 0], 9)


TWINS = {
    "gini": Twin("gini", gini_cost),
    "entropy": Twin("entropy", bits),
    "squared_error": Squares("squared_error", variance_cost),
}


def random_table(seed, criterion, gaps=True):
    rng = np.random.default_rng(seed)
    n = 60
    sky, wind = rng.choice(list("abcd"), n).astype(object), rng.choice(list("pqr"), n).astype(object)
    size = rng.integers(0, 8, n).astype(float)
    if gaps:
        for column, gap in ((sky, None), (wind, None), (size, np.nan)):
            column[rng.random(n) < 0.15] = gap
    y = rng.choice(["u", "v", "w"], n).tolist() if criterion != "squared_error" else rng.integers(0, 9, n) / 4
    return tw.Table.from_dict({"sky": sky.tolist(), "wind": wind.tolist(), "size": size, "y": y})


def assert_same_tree(tree, other):
    for name in ("end", "column", "kind", "cut", "missing", "code", "code_branch", "n_rows", "stats"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(other, name), name)
    np.testing.assert_allclose(tree.gain, other.gain, atol=1e-9)


@pytest.mark.parametrize("criterion", TWINS)
@pytest.mark.parametrize("splits", ["multiway", "binary", "one_vs_rest"])
@pytest.mark.parametrize("missing", ["learned", "own_branch", "most_common", "drop"])
def test_several_branches_give_the_core_s_own_tree(criterion, splits, missing):
    for seed in range(6):
        table = random_table(seed, criterion)
        asked = {"splits": splits, "missing": missing, "min_leaf": float(1 + seed % 3)}
        tree = tw.grow(table, target="y", criterion=TWINS[criterion], **asked)
        other = tw.grow(table, target="y", criterion=criterion, **asked)
        if (criterion, splits) == ("squared_error", "binary"):  # the core has the lower means on the left
            np.testing.assert_allclose(tree.predict(table), other.predict(table), rtol=1e-12)
        else:
            assert_same_tree(tree, other)
        assert splits != "multiway" or max(len(tree.children(i)) for i in range(tree.n_nodes)) >= 3


@pytest.mark.parametrize("splits", ["multiway", "binary"])
def test_the_average_gain_rule_divides_the_gains_of_an_object(splits):
    for seed in range(8):
        table = random_table(seed, "entropy", gaps=False)
        asked = {"splits": splits, "choice": "average_gain", "min_leaf": 2.0}
        tree = tw.grow(table, target="y", criterion=TWINS["entropy"], **asked)
        other = tw.grow(table, target="y", criterion="gain_ratio", **asked)
        assert_same_tree(tree, other)
        np.testing.assert_allclose(tree.score, other.score, atol=1e-9)


def test_branches_come_in_one_array_and_none_is_empty():
    seen = []

    class Spy(Twin):
        def score_branches(self, branches):
            seen.append(branches.shape)
            assert (branches.sum(axis=2) > 0).all()
            return super().score_branches(branches)

    table = tw.Table.from_dict({"sky": list("aabbccddee"), "y": list("uvuvvvuuuv")})
    tw.grow(table, target="y", criterion=Spy("spy", gini_cost), splits="multiway", use_once=True)
    assert seen == [(1, 5, 2)]


def test_an_object_for_two_branches_says_how_to_score_more():
    words = "'gini' scores tests with two branches; splits='multiway' makes more. Give it a method score_bra"
    with pytest.raises(ValueError, match=words):
        tw.grow(TABLE, target="y", criterion=gini, splits="multiway")
    with pytest.raises(ValueError, match="missing='own_branch' makes more"):
        tw.grow(TABLE, target="y", criterion=gini, missing="own_branch")


def test_what_score_branches_returns_is_checked_by_name():
    class Wrong(Twin):
        def score_branches(self, branches):
            return None

    with pytest.raises(TypeError, match="'wrong' returned None for the single cut of column 'sky'"):
        tw.grow(
            TABLE.select(["sky", "y"]), target="y", criterion=Wrong("wrong", gini_cost), splits="multiway"
        )
