"""Class weights without their zeros: an array like any other, in memory and in files."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import treewright as tw
from tests.amount import at_most
from tests.tables import table, target
from tests.tree.files import body_of
from treewright.prune import counts, risk
from treewright.tree import plain, store, weights
from treewright.tree.example import tennis
from treewright.tree.weights import ClassWeights

GOLDEN = Path(__file__).parents[1] / "golden" / "tree-v4.treewright"

DENSE = st.tuples(st.integers(1, 6), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([0.0, 0.0, 0.5, 1.0, 3.0]))
)


@pytest.fixture
def sparse() -> Iterator[None]:
    """Hold the class weights of every tree without their zeros, however small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weights, "MOST_DENSE", 0)
        patch.setattr(risk, "MOST_DENSE", 0)
        yield


# ---- as an array --------------------------------------------------------------------------------------


@given(DENSE, st.data())
def test_it_is_the_array_it_stands_for(dense: np.ndarray, data: st.DataObject) -> None:
    held = ClassWeights.of(dense)
    n, k = dense.shape
    assert held.trouble() is None
    assert (held.shape, held.size, len(held), held.ndim, held.dtype) == (
        dense.shape,
        dense.size,
        n,
        2,
        dense.dtype,
    )
    assert np.array_equal(np.asarray(held), dense)
    nodes = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=1)))
    labels = np.array(data.draw(st.lists(st.integers(0, k - 1), min_size=len(nodes), max_size=len(nodes))))
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    for key in (0, -1, n - 1, slice(1, None), nodes, mask, (nodes, labels), (0, k - 1), (slice(None), 0)):
        assert np.array_equal(np.asarray(held[key]), dense[key])
    assert np.array_equal(held.take(nodes, axis=0), dense.take(nodes, axis=0))
    for axis in (None, 0, 1):
        np.testing.assert_allclose(held.sum(axis=axis), dense.sum(axis=axis))
        assert np.array_equal(held.max(axis=axis), dense.max(axis=axis))
    factor = np.linspace(0, 2, k)
    assert np.array_equal(np.asarray(held * factor), dense * factor)
    np.testing.assert_allclose(held @ factor, dense @ factor)
    assert np.array_equal(held + dense, dense + dense)
    assert np.array_equal(2 * held, 2 * dense)
    assert np.array_equal(held > 0.5, dense > 0.5)
    assert held.tolist() == dense.tolist()
    assert held.tobytes() == dense.tobytes()
    assert np.array_equal(held.T, dense.T)
    label = dense.argmax(axis=1)
    np.testing.assert_allclose(held.without(label), counts.errors_under(dense, label))
    np.testing.assert_allclose(counts.bits(held), counts.bits(dense), atol=1e-12)
    assert pickle.loads(pickle.dumps(held)).is_same(held)
    assert not held.is_same(dense)
    assert not held.is_same(ClassWeights.of(dense + 1))


def test_what_it_has_not_is_said() -> None:
    held = ClassWeights.of(np.eye(2))
    with pytest.raises(AttributeError, match="have no 'colour'"):
        _ = held.colour
    with pytest.raises(IndexError):
        _ = held[2]
    with pytest.raises(ValueError, match="read-only"):
        held.weight[0] = 3
    with pytest.raises(ValueError, match="only by a copy"):
        held.__array__(copy=False)


@pytest.mark.parametrize(
    ("start", "label", "weight", "words"),
    [
        ([0, 1], [2], [1.0], "names classes that do not exist"),
        ([0, 2], [1, 0], [1.0, 1.0], "do not ascend"),
        ([0, 2], [1, 1], [1.0, 1.0], "do not ascend"),
        ([0, 1], [0], [0.0], "not above 0"),
        ([0, 1], [0], [np.inf], "not finite"),
        ([0, 2], [0], [1.0], "do not run over"),
        ([0, 2, 1], [0], [1.0], "decrease"),
        ([0, 1], [0], [1.0, 2.0], "more classes than weights"),
        ([], [], [], "do not run over"),
    ],
)
def test_numbers_that_are_no_weights_are_refused(start: Any, label: Any, weight: Any, words: str) -> None:
    held = ClassWeights(np.array(start, np.int64), np.array(label, np.int32), np.array(weight, np.float64), 2)
    assert words in str(held.trouble())
    as_file = tennis().to_dict()
    as_file["version"] = 4
    as_file["arrays"]["stats"] = {"start": start, "class": label, "weight": weight}
    with pytest.raises(ValueError, match="Not a tree"):
        tw.Tree.from_dict(as_file)


def test_dtypes_are_asked_for() -> None:
    held = ClassWeights(np.array([0, 1]), np.array([0]), np.array([1.0]), 2)
    assert "int32" in str(held.trouble())
    with pytest.raises(ValueError, match="field 'stats' must hold int32"):
        replace(tennis(), stats=held)


# ---- in a tree ----------------------------------------------------------------------------------------

NAMES = ("iris", "soybean", "adult")


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_said_as_with_the_zeros(name: str, sparse: None) -> None:
    rows = table(name)
    rows = rows.take(range(0, rows.n_rows, max(1, rows.n_rows // at_most(3000, 100_000))))
    held = tw.grow(rows, target(name), max_depth=9)
    assert isinstance(held.stats, ClassWeights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weights, "MOST_DENSE", 2**22)
        dense = replace(held)
        assert isinstance(dense.stats, np.ndarray)
        wanted = _said(dense, rows)
    found = _said(held, rows)
    for what, answer in wanted.items():
        _compare(found[what], answer, what)


OF_THE_FILE = ("fingerprints", "downloads")  # which holds weights with or without their zeros


def _said(tree: tw.Tree, rows: tw.Table) -> dict[str, Any]:
    inner = tree.children(0)[-1]
    said = {
        "weights": tree.weights,
        "labels": tree.predict(rows),
        "text": tree.to_text(),
        "node": repr(tree.node(1)),
        "collapsed": tree.collapse(inner).to_text(),
        "rules": tree.rules().to_text(),
        "importance": tw.explain.impurity_decrease(tree),
        "errors": counts.errors(tree),
        "staying": counts.errors_under(counts.class_weights(tree, counts.staying_stats(tree)), tree.label),
        "row": tree.explain(0, rows).to_text(),
        "picture": tree._repr_svg_(),
        "report": {k: v for k, v in tw.report.facts(tree).items() if k not in OF_THE_FILE},
    }
    for smoothing in ("raw", "laplace", "m_estimate"):
        said[smoothing] = tree.predict_proba(rows, smoothing)
    for kind in risk.RISKS:
        said[f"risk {kind}"] = risk.node_risk(tree, kind)
    for method in ("cost_complexity", "pessimistic", "minimum_error", "mdl"):
        pruned = getattr(tw.prune, method)(tree, **{"alpha": 1e-3} if method == "cost_complexity" else {})
        said[method] = pruned.to_text()
    said["reduced_error"] = tw.prune.reduced_error(tree, rows).to_text()
    return said


def _compare(found: Any, wanted: Any, what: str) -> None:
    if isinstance(wanted, np.ndarray) and wanted.dtype.kind == "f":
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-9, err_msg=what)
    elif isinstance(wanted, np.ndarray):
        assert found.tolist() == wanted.tolist(), what
    else:
        assert found == wanted, what


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error"])
def test_impurities_and_costs(criterion: str, sparse: None) -> None:
    rows = table("iris")
    names = rows.column("class")[0].categories
    costs = {a: {b: 1 + 2 * (a < b) for b in names if a != b} for a in names}
    for asked in ({}, {"costs": costs}, {"priors": dict(zip(names, (0.2, 0.3, 0.5), strict=True))}):
        held = tw.grow(rows, "class", criterion=criterion, max_depth=3, **asked)
        assert isinstance(held.stats, ClassWeights)
        found = [risk.node_risk(held, kind) for kind in risk.RISKS] + [risk.total_weight(held)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(weights, "MOST_DENSE", 2**22)
            dense = replace(held)
            wanted = [risk.node_risk(dense, kind) for kind in risk.RISKS] + [risk.total_weight(dense)]
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-9)


# ---- in a file ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_round_trip(name: str, sparse: None, tmp_path: Path) -> None:
    tree = tw.grow(table(name), target(name))
    as_dict = tree.to_dict()
    assert as_dict["version"] == 4 < plain.VERSION
    assert list(as_dict["arrays"]["stats"]) == ["start", "class", "weight"]
    tree.save(tmp_path / "tree")
    again = tw.load(tmp_path / "tree")
    assert again == tree == pickle.loads(pickle.dumps(tree))
    assert isinstance(again.stats, ClassWeights)


def test_a_file_of_version_4_is_read() -> None:
    """A small tree written without its zeros holds them again, and is written as before."""
    assert json.loads(GOLDEN.read_text())["version"] == 4
    tree = tw.load(GOLDEN)
    assert tree == tennis()
    assert isinstance(tree.stats, np.ndarray)
    assert tree.to_dict()["version"] == 1


def test_a_file_of_version_4_is_written(sparse: None) -> None:
    assert body_of(store.to_json(replace(tennis())), version=4).encode() == GOLDEN.read_bytes()


@pytest.mark.parametrize("stats", [{}, {"start": [0], "class": [], "weight": {}}, {"start": [0]}, 3, None])
def test_entries_that_are_no_weights_are_refused(stats: Any) -> None:
    as_file = tennis().to_dict() | {"version": 4}
    as_file["arrays"]["stats"] = stats
    with pytest.raises(ValueError, match="Not a tree: field 'stats' must"):
        tw.Tree.from_dict(as_file)


def test_an_older_version_has_no_such_entry() -> None:
    as_file = json.loads(GOLDEN.read_text()) | {"version": 3}
    with pytest.raises(ValueError, match="field 'stats' must be a list"):
        tw.Tree.from_dict(as_file)
