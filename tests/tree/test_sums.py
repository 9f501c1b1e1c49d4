"""Trees that test sums of columns, and whose nodes hold models: the value, its checks, words and files."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests.oracle import tree as oracle
from tests.tree.files import body_of
from tests.tree.strategies import summing_twins
from treewright.table import Column, Kind, Schema
from treewright.tree import store
from treewright.tree.fields import FIELDS
from treewright.tree.tree import Tree


def plane(**changed: Any) -> Tree:
    """Return the tree of one test, 0.52 height - 1.3 weight <= 4, with two leaves."""
    nan = float("nan")
    numeric = (Column("height", Kind.numeric), Column("weight", Kind.numeric))
    size = Column("size", Kind.ordinal, ("S", "M", "L"))
    given: dict[str, Any] = {
        "schema": Schema((*numeric, size, Column("hue", Kind.nominal, ("red", "blue")))),
        "target": Column("y", Kind.nominal, ("no", "yes")),
        "end": np.array([3, 2, 3], dtype=np.int32),
        "column": np.array([0, -1, -1], dtype=np.int32),
        "kind": np.array([3, 0, 0], dtype=np.uint8),
        "cut": np.array([4.0, nan, nan]),
        "missing": np.array([1, -1, -1], dtype=np.int32),
        "largest": np.array([0, -1, -1], dtype=np.int32),
        "code_start": np.zeros(4, dtype=np.int64),
        "code": np.zeros(0, dtype=np.int32),
        "code_branch": np.zeros(0, dtype=np.int32),
        "score": np.array([0.5, nan, nan]),
        "gain": np.array([0.5, nan, nan]),
        "exact": np.ones(3, dtype=bool),
        "n_rows": np.array([5, 3, 2], dtype=np.int64),
        "stats": np.array([[3.0, 2.0], [3.0, 0.0], [0.0, 2.0]]),
        "label": np.array([0, 0, 1], dtype=np.int32),
        "term_start": np.array([0, 2, 2, 2], dtype=np.int64),
        "term_column": np.array([0, 1], dtype=np.int32),
        "term_weight": np.array([0.52, -1.3]),
        "about": {"missing": "learned", "gaps": []},
    }
    return Tree(**given | changed)


def test_in_words():
    assert plane().to_text().splitlines() == [
        "0.52 height - 1.3 weight",
        "├─ <= 4 → no  (3 rows)",
        "└─ > 4 → yes  (2 rows)",
    ]
    assert repr(plane()) == "Tree(y by height, weight: 3 nodes, 2 leaves, depth 1)"
    assert plane().node(0).question == "0.52 height - 1.3 weight"
    assert plane().node(2).answer == "> 4"
    assert plane(about={"missing": "learned", "gaps": ["weight"]}).node(2).answer == "> 4 or missing"
    ranks = plane(term_column=np.array([0, 2], dtype=np.int32), term_weight=np.array([-1.0, 2.0]))
    assert ranks.node(0).question == "-height + 2 rank(size)"


BAD = {
    "a single column": {"term_start": np.array([0, 1, 1, 1]), "term_column": np.array([0], dtype=np.int32),
                        "term_weight": np.array([1.0])},
    "no terms": {"term_start": np.zeros(4, dtype=np.int64), "term_column": np.zeros(0, dtype=np.int32),
                 "term_weight": np.zeros(0)},
    "terms in a leaf": {"term_start": np.array([0, 2, 2, 2])[[0, 0, 1, 1]]},
    "not from 0 to the end": {"term_start": np.array([0, 1, 1, 1])},
    "columns that fall": {"term_column": np.array([1, 0], dtype=np.int32)},
    "a column twice": {"term_column": np.array([0, 0], dtype=np.int32)},
    "no such column": {"term_column": np.array([0, 4], dtype=np.int32)},
    "a nominal column": {"term_column": np.array([0, 3], dtype=np.int32)},
    "another first column": {"column": np.array([1, -1, -1], dtype=np.int32)},
    "weight 0": {"term_weight": np.array([1.0, 0.0])},
    "weight without end": {"term_weight": np.array([1.0, np.inf])},
    "cut without end": {"cut": np.array([np.inf, np.nan, np.nan])},
    "no cut": {"cut": np.full(3, np.nan)},
    "wrong dtype": {"term_weight": np.array([1, 2])},
    "kind 4": {"kind": np.array([4, 0, 0], dtype=np.uint8)},
    "biases of two nodes": {"model_bias": np.zeros((2, 1)), "model_loss": np.zeros(2)},
    "columns without models": {"model_start": np.array([0, 1, 1, 1]), "model_weight": np.ones((1, 1)),
                               "model_column": np.array([0], dtype=np.int32)},
    "a negative loss": {"model_bias": np.zeros((3, 1)), "model_loss": np.array([0.0, -1.0, 0.0])},
    "a bias that is no number": {"model_bias": np.full((3, 1), np.nan), "model_loss": np.zeros(3)},
    "sums of three classes": {"model_bias": np.zeros((3, 2)), "model_loss": np.zeros(3)},
}  # fmt: skip


def counting(**changed: Any) -> Tree:
    """Return the tree of one test: at least two of height > 170, size <= M, hue != red."""
    given: dict[str, Any] = {
        "cut": np.array([0.5, np.nan, np.nan]),
        "term_start": np.array([0, 3, 3, 3], dtype=np.int64),
        "term_column": np.array([0, 2, 3], dtype=np.int32),
        "term_weight": np.array([1.0, 1.0, -1.0]),
        "term_form": np.array([3, 2, 1], dtype=np.uint8),
        "term_at": np.array([170.0, 1.0, 0.0]),
    }
    return plane(**given | changed)


def test_counts_in_words():
    assert counting().to_text().splitlines() == [
        "at least 2 of (height > 170; size <= M; hue != red)",
        "├─ is false → no  (3 rows)",
        "└─ is true → yes  (2 rows)",
    ]
    cuts = {-0.5: " or ", 1.5: " and "}
    for cut, word in cuts.items():
        tree = counting(cut=np.array([cut, np.nan, np.nan]))
        assert tree.node(0).question == word.join(["height > 170", "size <= M", "hue != red"])
    mixed = counting(
        term_form=np.array([0, 1, 1], dtype=np.uint8), term_at=np.array([0.0, 2.0, 1.0]),
        term_weight=np.array([0.5, 2.0, -1.0]),
    )  # fmt: skip
    assert mixed.node(0).question == "0.5 height + 2 [size = L] - [hue = blue]"
    assert mixed.node(1).answer == "<= 0.5"
    impacts = counting(
        term_column=np.array([0, 3, 3], dtype=np.int32), term_form=np.array([0, 1, 1], dtype=np.uint8),
        term_at=np.array([0.0, 0.0, 1.0]), term_weight=np.array([0.5, 2.0, -0.25]),
    )  # fmt: skip
    assert impacts.node(0).question == "0.5 height + hue(red: 2, blue: -0.25)"


def test_a_file_with_conditions_has_version_6(tmp_path):
    path = tmp_path / "count.treewright"
    counting().save(path)
    assert tw.load(path) == counting()
    older = json.loads(path.read_text()) | {"version": 5}  # a version that knows none
    with pytest.raises(ValueError, match="field 'model_gap' is unknown"):
        Tree.from_dict(older)


BAD_CONDITIONS = {
    "a form nobody knows": {"term_form": np.array([3, 2, 4], dtype=np.uint8)},
    "a nominal column cut": {"term_form": np.array([3, 2, 2], dtype=np.uint8)},
    "no such category": {"term_at": np.array([170.0, 1.0, 2.0])},
    "half a category": {"term_at": np.array([170.0, 1.0, 0.5])},
    "a number without end": {"term_at": np.array([np.inf, 1.0, 0.0])},
    "a value held to something": {"term_form": np.array([0, 2, 1], dtype=np.uint8)},
    "one condition twice": {
        "term_column": np.array([0, 3, 3], dtype=np.int32), "term_form": np.array([3, 1, 1], dtype=np.uint8),
        "term_at": np.array([170.0, 0.0, 0.0]),
    },
    "conditions that fall": {
        "term_column": np.array([0, 3, 3], dtype=np.int32), "term_form": np.array([3, 1, 1], dtype=np.uint8),
        "term_at": np.array([170.0, 1.0, 0.0]),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_CONDITIONS)
def test_a_bad_condition_cannot_exist(name: str):
    with pytest.raises(ValueError, match="Not a tree: field 'term_"):
        counting(**BAD_CONDITIONS[name])


@pytest.mark.parametrize("name", BAD)
def test_a_bad_tree_cannot_exist(name: str):
    with pytest.raises(ValueError, match="Not a tree: field '"):
        plane(**BAD[name])


@given(summing_twins())
def test_there_and_back(twin: tuple[oracle.Nested, Tree]):
    _, tree = twin
    assert Tree.from_dict(json.loads(json.dumps(tree.to_dict()))) == tree
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert replace(tree) == tree
    version = 6 if tree.has_conditions else 3 if tree.has_sums or tree.has_models else 1
    assert tree.to_dict()["version"] == version
    assert ("term_form" in tree.to_dict()["arrays"]) == tree.has_conditions
    assert tree.to_text()
    assert tree.to_text(ascii=True).isascii()


@given(summing_twins(), st.data())
def test_collapse_agrees_with_recursion(twin: tuple[oracle.Nested, Tree], data: st.DataObject):
    nested, tree = twin
    chosen = data.draw(st.sets(st.integers(0, tree.n_nodes - 1)))
    found = tree.collapse(chosen)
    expected = oracle.to_tree(oracle.collapse(nested, chosen), tree.target, about=tree.about)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)


def test_files(tmp_path):
    path = tmp_path / "plane.treewright"
    plane().save(path)
    assert tw.load(path) == plane()
    older = json.loads(path.read_text())
    older["version"] = 2  # a version that knows no sums
    path.write_text(json.dumps(older))
    with pytest.raises(ValueError, match="field 'model_bias' is unknown"):
        tw.load(path)
    newer = plane().to_dict()
    del newer["arrays"]["term_weight"]
    with pytest.raises(ValueError, match="field 'term_weight' is absent"):
        Tree.from_dict(newer)


def test_a_tree_without_sums_is_written_as_before():
    from treewright.tree.example import tennis

    plain = tennis().to_dict()
    assert plain["version"] == 1
    assert "term_start" not in plain["arrays"]
    assert not Tree.from_dict(plain).has_sums
    assert not Tree.from_dict(plain).has_models


def test_models_in_words():
    source = random.Random(3)
    nested = oracle.Nested([1.0, 5.0, 2.0], 0, 3)
    nested.model = ([(0, [2.0]), (2, [-0.25])], [1.5], 0.5)
    tree = oracle.to_tree(nested, oracle.NUMBER)
    assert tree.to_text() == "1.5 + 2 x - 0.25 rank(size)  (3 rows, weight 1, RMSE 0.707)"
    assert tree.node(0).model == "1.5 + 2 x - 0.25 rank(size)"
    nested = oracle.with_models(oracle.Nested([1.0, 0.0, 2.0], 2, 3), source, is_classifier=True)
    nested.model = ([(0, [2.0, 3.0])], [1.5, -1.0], 1.0)
    classes = oracle.to_tree(nested, oracle.CLASSES)
    assert classes.to_text() == "log odds c:a = -1 + 3 x  (3 rows, 1 error)"


def test_a_file_of_version_3_is_read():
    golden = Path(__file__).parents[1] / "golden" / "tree-v3.treewright"
    tree = tw.load(golden)
    assert json.loads(golden.read_text())["version"] == 3
    assert tree.to_text().splitlines() == [
        "0.52 height - 1.3 weight",
        "├─ <= 4 → no  (3 rows)",
        "└─ > 4 → log odds yes:no = 2.5 - 0.25 height  (2 rows, 1 error)",
    ]
    assert body_of(store.to_json(tree), version=3).encode() == golden.read_bytes()
