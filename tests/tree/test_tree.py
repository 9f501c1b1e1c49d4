from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests.oracle import tree as oracle
from tests.tree.conftest import binary
from tests.tree.strategies import twins
from tests.tree.test_walk import chain
from treewright.table.schema import Column, Kind, Schema
from treewright.tree import Tree, check
from treewright.tree.example import tennis
from treewright.tree.fields import GROWN


def arguments(tree: Tree) -> dict:
    return {f.name: getattr(tree, f.name) for f in fields(tree)}


def changed(tree: Tree, name: str, at, value) -> Tree:
    array = getattr(tree, name).copy()
    array[at] = value
    return replace(tree, **{name: array})


def surrogates() -> Tree:
    """The root asks size, x or colour can stand in."""
    root = oracle.Nested(
        [2.0, 1, 0], 0, 3, [oracle.Nested([2.0, 0, 0], 0, 2), oracle.Nested([0.0, 1, 0], 1, 1)]
    )
    root.column, root.kind, root.largest, root.score, root.gain = 2, 2, 0, 0.5, 0.5
    root.codes = [(0, 0), (1, 1)]
    root.surrogates = [
        oracle.Surrogate(0, 1, 1.5, [], True, 0.9, 0.5),
        oracle.Surrogate(1, 2, float("nan"), [(0, 0), (2, 1)], False, 0.8, 0.4),
    ]
    return oracle.to_tree(root, oracle.CLASSES)


# ---- frozen -----------------------------------------------------------------------------------------


@given(twins())
def test_nothing_can_be_written(twin):
    _, tree = twin
    for name in GROWN:
        assert not getattr(tree, name).flags.writeable
    for array in (tree.weights, tree.parents, tree.depths, tree.leaf_ids, tree.branches, tree.leaf_mask):
        assert not array.flags.writeable
    with pytest.raises(FrozenInstanceError):
        tree.end = tree.end
    with pytest.raises(TypeError):
        tree.about["missing"] = "drop"


def test_the_arrays_given_stay_the_givers():
    given_arrays = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in arguments(tennis()).items()}
    tree = Tree(**given_arrays)
    given_arrays["stats"][0, 0] = 99
    view = np.broadcast_to(np.array([1.0, 2.0]), (8, 2))  # read-only, but somebody may own a writable base
    replace(tree, stats=view)
    assert tree == tennis()


def test_settings_given_are_copied():
    settings = {"costs": [[0, 1], [2, 0]]}
    tree = replace(tennis(), about=settings)
    settings["costs"][0][0] = 7
    assert tree.about["costs"] == [[0, 1], [2, 0]]


@given(twins())
def test_copies_and_pickles_are_equal_and_frozen(twin):
    _, tree = twin
    for other in (copy.copy(tree), copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert other == tree
        assert not other.stats.flags.writeable


def test_equality_is_by_content():
    assert tennis() == tennis()
    assert tennis() != tennis().collapse(1)
    assert tennis() != changed(tennis(), "n_rows", 0, 15)
    assert tennis() != replace(tennis(), about={})
    assert tennis() != replace(tennis(), ledger=())
    assert tennis() != "tennis"
    nan = replace(tennis(), about={"x": float("nan")})
    assert nan == copy.copy(nan)
    with pytest.raises(TypeError):
        hash(tennis())


# ---- a bad tree cannot exist ------------------------------------------------------------------------

BAD = [
    ("end", 0, 7),
    ("end", 1, 1),
    ("end", 1, 0),
    ("end", 1, -5),
    ("end", 1, 9),
    ("end", 1, 5),
    ("end", 4, 6),
    ("end", 2, 4),
    ("end", 7, 7),
    ("column", 0, 4),
    ("column", 0, -1),
    ("column", 0, -2),
    ("column", 2, 0),
    ("column", 2, -2),
    ("kind", 0, 3),
    ("kind", 0, 1),
    ("kind", 0, 0),
    ("kind", 2, 1),
    ("cut", 0, 1.0),
    ("cut", 2, 1.0),
    ("missing", 0, 3),
    ("missing", 0, -2),
    ("missing", 2, 0),
    ("largest", 0, 3),
    ("largest", 0, -1),
    ("largest", 2, 0),
    ("code_start", 0, 1),
    ("code_start", 8, 6),
    ("code_start", 1, 6),
    ("code_start", 1, -1),
    ("code_start", 3, 6),
    ("code", 0, -1),
    ("code", 2, 3),
    ("code", 1, 0),
    ("code_branch", 0, 3),
    ("code_branch", 0, -1),
    ("code_branch", 0, 1),
    ("score", 2, 0.5),
    ("gain", 2, 0.5),
    ("n_rows", 3, -1),
    ("stats", (3, 0), -1.0),
    ("stats", (3, 0), np.nan),
    ("stats", (3, 0), np.inf),
    ("stats", 3, 1.5e308),
    ("label", 0, 2),
    ("label", 0, -1),
]


@pytest.mark.parametrize(("name", "at", "value"), BAD)
def test_bad_values_are_refused(name, at, value):
    with pytest.raises(ValueError, match="Not a tree: field"):
        changed(tennis(), name, at, value)


BAD_SURROGATES = [
    ("surrogate_start", 0, 1),
    ("surrogate_start", 1, 1),
    ("surrogate_column", 0, 4),
    ("surrogate_column", 0, -1),
    ("surrogate_column", 0, 1),
    ("surrogate_kind", 0, 0),
    ("surrogate_kind", 1, 1),
    ("surrogate_cut", 0, np.nan),
    ("surrogate_cut", 1, 0.0),
    ("surrogate_agreement", 0, np.nan),
    ("surrogate_adjusted", 0, np.inf),
    ("surrogate_code_start", 1, 1),
    ("surrogate_code_start", 2, 1),
    ("surrogate_code", 0, 6),
    ("surrogate_code", 1, 0),
    ("surrogate_code_branch", 0, 2),
]


@pytest.mark.parametrize(("name", "at", "value"), BAD_SURROGATES)
def test_bad_surrogates_are_refused(name, at, value):
    with pytest.raises(ValueError, match="Not a tree: field"):
        changed(surrogates(), name, at, value)


@pytest.mark.parametrize("name", GROWN)
@pytest.mark.parametrize(
    "spoil",
    [
        lambda a: a[:-1] if len(a) else np.zeros(1, a.dtype),
        lambda a: np.concatenate([a, a[-1:]]) if len(a) else np.zeros(1, a.dtype),
        lambda a: a.reshape(1, -1),
        lambda a: a.astype(np.float32),
        lambda a: a.astype(object),
        lambda a: a.astype(a.dtype.newbyteorder()) if a.dtype.itemsize > 1 else a.astype(np.int16),
        lambda a: a.tolist(),
        lambda a: np.array(a.ravel()[0]) if a.size else np.array(0),
    ],
)
def test_wrong_shapes_and_dtypes_are_refused(name, spoil):
    with pytest.raises(ValueError, match="Not a tree: field"):
        replace(surrogates(), **{name: spoil(getattr(surrogates(), name))})


def test_a_tree_without_nodes():
    empty = {name: np.zeros(0, dtype) for name, (dtype, *_) in GROWN.items()}
    with pytest.raises(ValueError, match="at least one node"):
        Tree(schema=oracle.SCHEMA, target=oracle.CLASSES, **empty)


@given(st.lists(st.integers(0, 7), min_size=1, max_size=6))
def test_end_is_accepted_just_when_it_nests(end):
    def is_tree(
        start: int, stop: int
    ) -> bool:  # node `start` owns start .. stop-1, its children tile the rest
        at = start + 1
        while at < stop:
            if not at < end[at] <= stop or not is_tree(at, end[at]):
                return False
            at = end[at]
        return True

    expected = end[0] == len(end) and is_tree(0, len(end))
    try:
        check._check_nesting(np.array(end, dtype=np.int32))
    except ValueError:
        assert not expected
    else:
        assert expected


def test_every_small_end_array_is_judged_rightly():
    import itertools

    n_trees = 0
    for n in range(1, 7):
        for tail in itertools.product(range(n + 1), repeat=n - 1):
            end = np.array([n, *tail], dtype=np.int32)
            nested = all(i < end[i] <= n for i in range(n)) and not any(
                i < j < end[i] < end[j] for i in range(n) for j in range(n)
            )
            try:
                check._check_nesting(end)
            except ValueError:
                assert not nested
            else:
                assert nested
                n_trees += 1
    assert n_trees == 1 + 1 + 2 + 5 + 14 + 42  # Catalan numbers: each ordered tree once


def test_kinds_of_test_fit_kinds_of_column():
    tree = binary(np.array([3, 2, 3]))
    with pytest.raises(ValueError, match="nominal column, which has no order"):
        changed(tree, "column", 0, 1)
    with pytest.raises(ValueError, match="must be a number for cuts"):
        changed(tree, "cut", 0, np.nan)
    with pytest.raises(ValueError, match="numeric column"):
        changed(surrogates(), "column", 0, 0)
    assert changed(tree, "column", 0, 2).node(0).answers == ("<= S", "> S or missing")


def test_a_third_branch_of_a_cut_is_for_missing_values():
    with pytest.raises(ValueError, match="a third is for missing values only"):
        binary(np.array([4, 2, 3, 4]))
    with pytest.raises(ValueError, match="single branch"):
        binary(np.array([2, 2]))


def test_regression_statistics():
    leaf = oracle.to_tree(oracle.Nested([2.0, -1.5, 0.5], 0, 2), oracle.NUMBER)
    assert (leaf.node(0).prediction, leaf.node(0).spread, leaf.node(0).shares) == (-1.5, 0.5, ())
    for at, value in [((0, 0), -1), ((0, 2), -1e-9), ((0, 1), np.nan)]:
        with pytest.raises(ValueError, match="stats"):
            changed(leaf, "stats", at, value)
    with pytest.raises(ValueError, match="label"):
        changed(leaf, "label", 0, 1)


@pytest.mark.parametrize(
    "about",
    [
        {"missing": "guess"},
        {"missing": ["learned"]},
        {"unseen": None},
        {"class_scale": [1.0]},
        {"class_scale": [0.0, 0.0]},
        {"class_scale": [-1.0, 1.0]},
        {"class_scale": [float("nan"), 1.0]},
        {"class_scale": [True, 1.0]},
        {"class_scale": "ab"},
        {"costs": [[0, 1]]},
        {"costs": [[0, 1], [1, "0"]]},
        {"costs": [[0, 1], [1, float("inf")]]},
        {"costs": 3},
        {"x": np.float64(1)},
        {"x": {1, 2}},
        {"x": b"bytes"},
        {"x": 2**200},
        {"$x": 1},
        {1: 1},
        "text",
        None,
    ],
)
def test_bad_settings_are_refused(about):
    with pytest.raises(ValueError, match="Not a tree"):
        replace(tennis(), about=about)


def test_settings_that_nest_without_end_are_refused():
    loop: list = []
    loop.append(loop)
    with pytest.raises(ValueError, match="16 levels"):
        replace(tennis(), about={"x": loop})


@pytest.mark.parametrize(
    "ledger", [({},), ({"node": 8},), ({"node": -1},), ({"node": True},), ("text",), (1,)]
)
def test_bad_ledgers_are_refused(ledger):
    with pytest.raises(ValueError, match="Not a tree"):
        replace(tennis(), ledger=ledger)


def test_bad_columns_are_refused():
    with pytest.raises((ValueError, TypeError), match="text"):
        replace(tennis(), target=Column("Play", Kind.nominal, ("No", None)))
    with pytest.raises(ValueError, match="'schema'"):
        replace(tennis(), schema=None)
    with pytest.raises(ValueError, match="'target'"):
        replace(tennis(), target="Play")
    with pytest.raises(ValueError, match="no class"):
        replace(tennis(), target=Column("Play", Kind.nominal))
    with pytest.raises(ValueError, match="columns that do not exist"):
        replace(tennis(), schema=Schema(tennis().schema.columns[:3]))


# ---- large ------------------------------------------------------------------------------------------


def test_large_trees_are_checked(big_tree):
    assert big_tree.n_nodes == 80_001
    other = replace(big_tree, about={})
    assert other.depth == big_tree.depth


def test_deep_trees():
    tree = binary(chain(100_000))
    assert tree.depth == 100_000
    assert tree.collapse(20).n_nodes == 21
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert Tree.from_dict(tree.to_dict()) == tree


# ---- one node ---------------------------------------------------------------------------------------


def test_node():
    root, leaf = tennis().node(0), tennis().node(4)
    assert (root.parent, root.depth, root.answer, root.is_leaf, root.is_empty) == (None, 0, "", False, False)
    assert (root.missing, root.largest, root.n_rows, root.weight) == (None, 0, 14, 14.0)
    assert root.gain == pytest.approx(0.246750, abs=1e-6)
    assert (leaf.parent, leaf.depth, leaf.answer, leaf.question, leaf.answers) == (0, 1, "= Overcast", "", ())
    assert (leaf.shares, leaf.errors, leaf.spread, leaf.branches) == ((0.0, 1.0), 0.0, None, ())
    for wrong in (8, -1):
        with pytest.raises(IndexError, match="no node"):
            tennis().node(wrong)


def test_shares_follow_the_priors():
    tree = replace(tennis(), about={"class_scale": [9.0, 5.0]})
    assert tree.node(0).shares == pytest.approx((0.5, 0.5))
    assert replace(tennis(), stats=np.zeros((8, 2))).node(0).shares == (0.0, 0.0)


@given(twins())
def test_every_node_can_be_described(twin):
    nested, tree = twin
    for i, node in enumerate(oracle.in_preorder(nested)):
        found = tree.node(i)
        assert found.n_rows == node.n_rows
        assert found.is_leaf == (not node.children)
        assert len(found.answers) == len(node.children)
        assert tree.is_classifier == (
            abs(sum(found.shares) - (found.weight > 0)) < 1e-9 and found.spread is None
        )
        for branch, child in enumerate(found.branches):
            assert tree.node(child).answer == found.answers[branch]


def test_repr_is_one_line():
    assert repr(tennis()) == "Tree(Play by Outlook, Humidity, Wind: 8 nodes, 5 leaves, depth 2)"
    assert repr(tennis().collapse(0)) == "Tree(Play: 1 nodes, 1 leaves, depth 0)"


def test_asked_are_the_columns_of_tests_and_stand_ins():
    table = tw.Table.from_dict(
        {"a": [1, 2, 3, 4], "flat": [1, 1, 1, 1], "b": [1, 2, 3, 4], "y": list("ppqq")}
    )
    assert tw.grow(table, target="y").used_columns.tolist() == [0]
    assert tw.grow(table, target="y", missing="surrogate").used_columns.tolist() == [0, 2]
    assert tw.grow(table, target="y", max_depth=0).used_columns.tolist() == []
