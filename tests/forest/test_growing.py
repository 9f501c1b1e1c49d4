"""A forest is its trees: each one the slow engine's, whatever the batch, the threads and the order."""

import json
import signal
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.forest.samples import random_table
from tests.grow.engines import general_engine
from treewright import _core
from treewright.forest import compact, grower
from treewright.forest.draws import times_drawn
from treewright.growth.grower import grow_rows
from treewright.growth.setting import CHOICES
from treewright.growth.settings import Settings
from treewright.prune.counts import rows_stay
from treewright.table import Rows
from treewright.tree.walk import subtree_sums

STRUCTURE = (
    "end", "column", "kind", "cut", "missing", "largest", "code_start", "code", "code_branch",
    "surrogate_start", "surrogate_column", "surrogate_cut", "surrogate_flip",
)  # fmt: skip


def slow_tree(table, forest, i, weights=None):
    """Return tree i as the general engine grows it on the rows that were drawn, by their multiplicity."""
    times = times_drawn(forest, i)
    rows = times > 0
    about = forest.about
    words = {name: about[name] for name in ("criterion", "max_columns", "seed", "splits", "missing", "unseen",
                                            "min_leaf", "cuts", "max_depth", "max_leaves")}  # fmt: skip
    chosen = Settings.of(about["recipe"], **words, tree=about["first"] + i, prune="none")
    counted = times if weights is None else times * weights
    with general_engine():
        return grow_rows(Rows.of(table, "y", counted.astype(float)).take(rows), chosen)


def assert_same_tree(found, wanted):
    leaf = wanted.leaf_mask
    # A forest keeps what leaves hold; an inner node is the sum of those below. Rows that no surrogate placed
    # stayed at their node (ruling 3.14.5): a lone tree counts them there and above, a forest does not.
    whole = subtree_sums(wanted.end, rows_stay(wanted).astype(np.int64)) == 0
    for name in STRUCTURE:
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name), err_msg=name)
    for name in ("n_rows", "label"):
        np.testing.assert_array_equal(getattr(found, name)[whole], getattr(wanted, name)[whole], err_msg=name)
    np.testing.assert_array_equal(found.stats[leaf], wanted.stats[leaf])
    np.testing.assert_allclose(found.stats[whole], wanted.stats[whole], rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(found.n_rows, subtree_sums(wanted.end, np.where(leaf, wanted.n_rows, 0)))
    if found.about["missing"] != "surrogate":  # there growth counts the rows that know the value only
        np.testing.assert_allclose(found.gain, wanted.gain, rtol=1e-6, atol=1e-9)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(2, 150),
    st.booleans(),
    st.sampled_from([0.0, 0.2]),
    st.sampled_from(["gini", "entropy"]),
    st.sampled_from([1, 2, 3, 5]),
)
def test_every_tree_is_the_slow_engines(seed, n_rows, is_classes, gaps, criterion, max_columns):
    table = random_table(seed, n_rows, is_classes, gaps)
    words = {"criterion": criterion if is_classes else "squared_error", "max_columns": max_columns}
    forest = tw.forest.grow(table, "y", n_trees=3, seed=seed, **words)
    for i in range(3):
        assert_same_tree(forest.tree(i), slow_tree(table, forest, i))


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(20, 400),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0.0, 0.05]),
    st.sampled_from(
        [{}, {"min_leaf": 2}, {"min_leaf": 7}, {"max_leaves": 9}, {"min_leaf": 3, "max_leaves": 30}]
    ),
)
def test_every_tree_is_the_slow_engines_beside_the_plain_case(
    seed, n_rows, is_classes, has_categories, gaps, words
):
    table = random_table(seed, n_rows, is_classes, gaps)
    table = table if has_categories else table.drop(["k"])
    forest = tw.forest.grow(table, "y", n_trees=3, seed=seed, max_columns=2, **words)
    for i in range(3):
        assert_same_tree(forest.tree(i), slow_tree(table, forest, i))


@pytest.mark.parametrize(
    "words",
    [
        {"missing": "surrogate"},
        {"splits": "multiway"},
        {"cuts": "random"},
        {"max_leaves": 7},
        {"max_depth": 3, "min_leaf": 4},
        {"missing": "own_branch"},
    ],
    ids=str,
)
def test_every_tree_is_the_slow_engines_with_other_settings(words):
    table = random_table(5, 120, gaps=0.1)
    forest = tw.forest.grow(table, "y", n_trees=4, seed=3, **words)
    for i in range(4):
        assert_same_tree(forest.tree(i), slow_tree(table, forest, i))


POLICIES = [word for word in CHOICES["missing"] if word not in ("error", "drop")]


# Not rows in pieces: a forest, which keeps its leaves, counts a row in every leaf that has a piece of it.
@pytest.mark.parametrize(
    ("missing", "gaps"),
    [(word, gaps) for word in POLICIES for gaps in (0.0, 0.1) if (word, gaps) != ("fractional", 0.1)],
)
@pytest.mark.parametrize("is_classes", [True, False])
def test_limits_count_the_same_whoever_serves(missing, gaps, is_classes):
    """Where no cell is missing the quick growth serves every policy; a row drawn twice may count as two."""
    table = random_table(6, 120, is_classes, gaps=gaps)
    forest = tw.forest.grow(table, "y", n_trees=4, seed=3, missing=missing, min_leaf=4)
    for i in range(4):
        assert_same_tree(forest.tree(i), slow_tree(table, forest, i))


def test_whole_weights_multiply_the_draws():
    table = random_table(8, 100)
    weights = np.random.default_rng(0).integers(1, 6, 100)
    forest = tw.forest.grow(table, "y", n_trees=4, weights=weights)
    for i in range(4):
        assert_same_tree(forest.tree(i), slow_tree(table, forest, i, weights))


@pytest.mark.parametrize("is_classes", [True, False])
def test_the_same_forest_for_any_threads_batches_and_parts(is_classes, monkeypatch):
    table = random_table(1, 300, is_classes, gaps=0.1)
    whole = tw.forest.grow(table, "y", n_trees=11, seed=9)
    assert tw.forest.grow(table, "y", n_trees=11, seed=9, n_threads=3) == whole
    parts = [tw.forest.grow(table, "y", n_trees=n, first=f, seed=9) for f, n in ((0, 1), (1, 6), (7, 4))]
    assert tw.forest.join(*parts) == whole
    monkeypatch.setattr(grower, "BATCH_NODES", 1)
    assert tw.forest.grow(table, "y", n_trees=11, seed=9) == whole
    assert tw.forest.grow(table, "y", n_trees=11, seed=10) != whole


def test_trees_differ_and_draw_columns_anew_at_every_node():
    table = random_table(2, 400)
    forest = tw.forest.grow(table, "y", n_trees=30, max_columns=1)
    assert len({forest.tree(i).column[0] for i in range(30)}) > 2
    tree = forest.tree(0)
    assert len(np.unique(tree.column[tree.column >= 0])) > 2


def test_defaults_are_breimans():
    classes = tw.forest.grow(random_table(2, 60), "y", n_trees=1)
    numbers = tw.forest.grow(random_table(2, 60, is_classes=False), "y", n_trees=1)
    assert (classes.about["max_columns"], classes.about["min_leaf"]) == (2, 1.0)  # floor of sqrt(5)
    assert (numbers.about["max_columns"], numbers.about["min_leaf"]) == (1, 5.0)  # floor of 5 / 3
    assert numbers.tree(0).n_rows[numbers.tree(0).leaf_mask].min() >= 5
    tree = classes.tree(0)
    assert (tree.stats[tree.leaf_mask] > 0).sum(axis=1).max() == 1


def test_drawing_goes_on_past_columns_that_cannot_split():
    cells = {f"flat{i}": [1.0] * 40 for i in range(20)}
    table = tw.Table.from_dict({**cells, "x": list(range(40)), "y": ["a"] * 20 + ["b"] * 20})
    forest = tw.forest.grow(table, "y", n_trees=20, max_columns=1)
    assert forest.used_columns.tolist() == [20]
    assert all(forest.tree(i).n_leaves >= 2 for i in range(20))


# ---- draws -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_rows", [1, 2, 1000, 65_536, 65_537, 300_000])
def test_a_bootstrap_makes_exactly_so_many_draws(n_rows):
    for n_draws in (1, n_rows, 2 * n_rows + 1):
        times = _core.bootstrap(7, 3, n_rows, n_draws)
        assert times.sum() == n_draws
        assert times.min() >= 0
        np.testing.assert_array_equal(times, _core.bootstrap(7, 3, n_rows, n_draws))


def test_draws_are_even_over_rows_and_blocks():
    n_rows, n_trees = 150_000, 12  # two blocks of 65,536 rows and a rest
    times = np.array([_core.bootstrap(1, tree, n_rows, n_rows) for tree in range(n_trees)])
    # counts of a multinomial draw: 0, 1, 2, ... as Poisson(1), nearly
    shares = np.bincount(times.ravel(), minlength=8)[:8] / times.size
    wanted = np.exp(-1) / np.array([1, 1, 2, 6, 24, 120, 720, 5040])
    np.testing.assert_allclose(shares, wanted, atol=4e-3)
    edges = [0, 65_536, 131_072, n_rows]
    for first, last in pairwise(edges):
        part = times[:, first:last].sum(axis=1)
        expected = n_rows * (last - first) / n_rows
        spread = np.sqrt(expected * (1 - (last - first) / n_rows))
        assert np.abs(part - expected).max() < 4.5 * spread
        assert part.std() > 0.2 * spread  # the blocks' shares are drawn, not fixed
    total = times.sum(axis=0)
    chi_square = ((total - n_trees) ** 2 / n_trees).sum()
    assert abs(chi_square - n_rows) < 5 * np.sqrt(2 * n_rows)


def test_samples_of_trees_are_independent():
    a, b = (_core.bootstrap(1, tree, 50_000, 50_000).astype(float) for tree in (0, 1))
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.02
    c = _core.bootstrap(2, 0, 50_000, 50_000).astype(float)
    assert abs(np.corrcoef(a, c)[0, 1]) < 0.02


def test_numbers_of_draws():
    table = random_table(4, 50)
    assert tw.forest.grow(table, "y", n_trees=1, max_samples=0.5).about["n_draws"] == 25
    assert tw.forest.grow(table, "y", n_trees=1, max_samples=7).about["n_draws"] == 7
    plain = tw.forest.grow(table, "y", n_trees=2, bootstrap=False, max_columns="all")
    assert plain.about["n_draws"] == 0
    single = tw.grow(table, target="y")
    for i in range(2):
        np.testing.assert_array_equal(plain.tree(i).cut, single.cut)


def test_a_row_of_weight_0_is_no_row():
    table = random_table(6, 80)
    weights = np.ones(80)
    weights[60:] = 0
    few = tw.forest.grow(table.take(np.arange(60)), "y", n_trees=5)
    assert tw.forest.grow(table, "y", n_trees=5, weights=weights) == few


# ---- the value -------------------------------------------------------------------------------------------


def test_arrays_take_few_bytes_and_say_the_same():
    table = random_table(3, 2000)
    forest = tw.forest.grow(table, "y", n_trees=10)
    assert forest.n_bytes < 20 * forest.n_nodes
    assert forest.arrays["column"].dtype == np.int8
    assert all(not array.flags.writeable for array in forest.arrays.values())
    with pytest.raises(TypeError):
        forest.arrays["column"] = np.zeros(1)


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=20))
def test_narrowing_loses_nothing(numbers):
    values = np.array(numbers, dtype=np.float64)
    small = compact.narrowed(values)
    np.testing.assert_array_equal(small.astype(np.float64), values)
    np.testing.assert_array_equal(np.signbit(small.astype(np.float64)), np.signbit(values))


def test_a_tree_to_read_is_a_tree():
    for is_classes in (True, False):
        table = random_table(7, 200, is_classes, gaps=0.1)
        forest = tw.forest.grow(table, "y", n_trees=3)
        tree = forest.tree(-1)
        assert tw.Tree.from_dict(tree.to_dict()) == tree
        assert tree.about["tree"] == 2
        assert "rows" in tree.to_text(max_depth=1)
        assert tree.stats[0].sum() > 0


def test_importance_is_gain_by_weight():
    table = random_table(9, 300)
    forest = tw.forest.grow(table, "y", n_trees=5)
    for i in range(5):
        tree = forest.tree(i)
        inner = ~tree.leaf_mask
        wanted = np.bincount(tree.column[inner], (tree.gain * tree.weights)[inner] / tree.weights[0], 5)
        np.testing.assert_allclose(forest.arrays["importance"][i], wanted, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(tw.forest.impurity(forest).value, forest.arrays["importance"].mean(axis=0))


def test_values_are_compared_by_content():
    table = random_table(3, 50)
    one, two = (tw.forest.grow(table, "y", n_trees=2) for _ in range(2))
    assert one == two
    assert one != "forest"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


# ---- progress and interruption ---------------------------------------------------------------------------


def test_progress_never_goes_back_and_ends_at_1():
    heard = []
    table = random_table(1, 4000)
    tw.forest.grow(table, "y", n_trees=60, n_threads=2, progress=heard.append)
    assert heard[-1] == 1.0
    assert all(0 <= share <= 1 for share in heard)
    assert heard == sorted(heard)


def test_what_a_listener_raises_stops_growth():
    class EnoughError(Exception):
        pass

    def listen(share):
        raise EnoughError

    with pytest.raises(EnoughError):
        tw.forest.grow(random_table(1, 20_000), "y", n_trees=500, progress=listen)


CHILD = """
import json, signal, time
import numpy as np
import treewright as tw
rng = np.random.default_rng(0)
X = rng.normal(size=(60_000, 10))
y = X[:, 0] + rng.normal(size=60_000) > 0
model = tw.RandomForestClassifier(2000, n_jobs=2)
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background may be told to ignore it
print("begins", flush=True)
try:
    model.fit(X, y)
    found = "done"
except KeyboardInterrupt:
    found = "stopped"
signal.signal(signal.SIGINT, signal.SIG_IGN)
small = tw.RandomForestClassifier(3, random_state=0).fit(X[:200], y[:200])
print(json.dumps([found, hasattr(model, "forest_"), len(small.forest_)]), flush=True)
"""


def test_ctrl_c_leaves_nothing_half_built():
    with subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout.readline().strip() == "begins"
            time.sleep(1.0)
            child.send_signal(signal.SIGINT)
            said, _ = child.communicate(timeout=120)
        finally:
            if child.poll() is None:
                child.kill()
    assert json.loads(said) == ["stopped", False, 3]


# ---- errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "error", "text"),
    [
        ({"n_trees": 0}, ValueError, "n_trees=0 must be at least 1"),
        ({"n_trees": 2.5}, TypeError, "n_trees=2.5 must be a whole number"),
        ({"first": -1}, ValueError, "first=-1 must be at least 0"),
        ({"max_columns": "half"}, ValueError, "max_columns='half' is not one of 'sqrt'"),
        ({"max_columns": 0}, ValueError, "max_columns=0 must be a whole number of at least 1"),
        ({"max_samples": 1.5}, ValueError, "max_samples=1.5 is a float: a share of the rows"),
        ({"max_samples": 0}, ValueError, "max_samples=0 must be at least 1"),
        ({"max_samples": "all"}, TypeError, "max_samples='all' must be a number"),
        ({"max_samples": 5, "bootstrap": False}, ValueError, "bootstrap=False draws none"),
        ({"prune": "mdl"}, ValueError, "trees of a forest are not pruned"),
        ({"ledger": True}, ValueError, "a forest keeps no ledger"),
        ({"tree": 3}, ValueError, "trees are numbered by `first`"),
        ({"max_dept": 3}, ValueError, "did you mean 'max_depth'"),
        ({"recipe": "c45"}, ValueError, "There is no recipe 'c45'"),
    ],
)
def test_wrong_words_are_refused(words, error, text):
    with pytest.raises(error, match=text):
        tw.forest.grow(random_table(1, 20), "y", **{"n_trees": 2, **words})


def test_only_tables_are_grown_on_and_asked():
    with pytest.raises(TypeError, match=r"grow takes a treewright.Table, .*, not int"):
        tw.forest.grow(17, "y")
    forest = tw.forest.grow(random_table(1, 20), "y", n_trees=2)
    with pytest.raises(TypeError, match=r"A forest takes a treewright.Table, .*, not int"):
        forest.predict(1)
    with pytest.raises(IndexError, match="The forest has no tree 2; its trees are 0 to 1"):
        forest.tree(2)
    with pytest.raises(TypeError, match="A tree is given by its number"):
        forest.tree("first")


def test_only_parts_of_one_forest_are_joined():
    table = random_table(1, 30)
    first = tw.forest.grow(table, "y", n_trees=2)
    with pytest.raises(ValueError, match="After tree 1 comes tree 2, not 0"):
        tw.forest.join(first, first)
    with pytest.raises(ValueError, match=r"grown differently \(seed\)"):
        tw.forest.join(first, tw.forest.grow(table, "y", n_trees=2, first=2, seed=1))
    with pytest.raises(ValueError, match=r"grown differently .*rows"):
        tw.forest.join(first, tw.forest.grow(random_table(2, 30), "y", n_trees=2, first=2))
    with pytest.raises(ValueError, match="at least one forest"):
        tw.forest.join()


def test_extremes():
    one = tw.Table.from_dict({"x": [1.0], "y": ["a"]})
    forest = tw.forest.grow(one, "y", n_trees=3)
    assert forest.predict(one).tolist() == ["a"]
    same = tw.Table.from_dict({"x": [1.0] * 9, "y": ["b"] * 9})
    assert tw.forest.grow(same, "y", n_trees=3).n_nodes == 3


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("more", [{}, {"max_columns": 3}, {"cuts": "random"}, {"recipe": "cart"}])
def test_surrogates_beside_columns_without_any_value(task, more):
    """A column of gaps alone has codes and no values: its codes must last until surrogates are found."""
    draws = np.random.default_rng(0)
    x, z = draws.normal(size=(2, 2000))
    shadow = np.where(draws.random(2000) < 0.2, np.nan, x + 0.1 * draws.normal(size=2000))
    noisy = x + draws.normal(size=2000)
    y = ["p" if value > 0 else "q" for value in noisy] if task == "classes" else noisy
    voids = {f"zz void {i}": np.full(2000, np.nan) for i in range(3)}
    given = {"n_trees": 8, "missing": "surrogate", "max_columns": 2, **more}
    plain = tw.forest.grow(tw.Table.from_dict({"x": x, "shadow": shadow, "z": z, "y": y}), "y", **given)
    forest = tw.forest.grow(
        tw.Table.from_dict({"x": x, "shadow": shadow, "z": z, **voids, "y": y}), "y", **given
    )
    for one, other in zip(map(forest.tree, range(8)), map(plain.tree, range(8)), strict=True):
        assert len(one.surrogate_column) > 0
        np.testing.assert_array_equal(one.column, other.column)
        np.testing.assert_array_equal(one.cut, other.cut)
        np.testing.assert_array_equal(one.surrogate_column, other.surrogate_column)
        np.testing.assert_array_equal(one.surrogate_cut, other.surrogate_cut)
