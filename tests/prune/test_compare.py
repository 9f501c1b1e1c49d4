from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from tests.prune.pruning_twins import twins
from treewright.prune import MDL, CriticalValue, MinimumError, Pessimistic, Regularised, compare
from treewright.prune.compare import METHODS, collapsed
from treewright.tree.example import tennis


@given(st.data(), st.booleans())
def test_which_subtrees_went(data, is_classifier):
    _, tree = data.draw(twins(is_classifier=is_classifier))
    chosen = data.draw(st.sets(st.integers(0, tree.n_nodes - 1)))
    pruned = tree.collapse(chosen)
    inner = [i for i in chosen if not tree.is_leaf(i)]
    topmost = [i for i in inner if not set(tree.path_to(i)[:-1]) & set(inner)]
    assert collapsed(tree, pruned) == sorted(topmost)


def test_a_raised_branch():
    tree = tennis()
    branch = _branch(tree, 5)
    assert collapsed(tree, branch) == [0]


def _branch(tree, node):
    """The tree that is one branch of another."""
    last = int(tree.end[node])
    part = slice(node, last)
    code = slice(int(tree.code_start[node]), int(tree.code_start[last]))
    names = [
        "column",
        "kind",
        "cut",
        "missing",
        "largest",
        "score",
        "gain",
        "exact",
        "n_rows",
        "stats",
        "label",
    ]
    return replace(
        tree,
        **{name: getattr(tree, name)[part] for name in names},
        end=(tree.end[part] - node).astype(np.int32),
        code=tree.code[code],
        code_branch=tree.code_branch[code],
        code_start=tree.code_start[node : last + 1] - tree.code_start[node],
        surrogate_start=np.zeros(last - node + 1, dtype=np.int64),
    )


def test_every_method_on_one_tree():
    rows, target = tables.table("vote"), tables.target("vote")
    table, validation = rows.take(range(0, rows.n_rows, 2)), rows.take(range(1, rows.n_rows, 2))
    tree = tw.grow(table, target)
    seen = []
    found = compare(tree, table, validation, folds=3, progress=seen.append)
    assert seen == [1 / 3, 2 / 3, 1.0]
    assert [row.method for row in found.rows] == ["none", *METHODS]
    assert not found.left_out
    for row in found.rows:
        pruned = found.trees[row.method]
        assert (row.n_leaves, row.depth) == (pruned.n_leaves, pruned.depth)
        assert tree.collapse(row.collapsed) == pruned
        wrong = (pruned.predict(table) != table.labels(target)).mean()
        assert row.training_error == pytest.approx(wrong)
        assert row.training_se == pytest.approx(math.sqrt(wrong * (1 - wrong) / table.n_rows))
        wrong = (pruned.predict(validation) != validation.labels(target)).mean()
        assert row.validation_error == pytest.approx(wrong)
        assert row.validation_se == pytest.approx(math.sqrt(wrong * (1 - wrong) / validation.n_rows))
    assert found.rows[0].collapsed == ()


def test_cross_validated_errors_are_those_of_trees_grown_without_the_row():
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    fold = np.arange(rows.n_rows) % 4
    tree = tw.grow(rows, target)
    method = Regularised(2.0)
    found = compare(tree, rows, methods={"regularised": method}, folds=fold)
    wrong = 0
    for k in range(4):
        held = rows.take(fold == k)
        pruned = method(tw.grow(rows.take(fold != k), target))
        wrong += int((pruned.predict(held) != held.labels(target)).sum())
    assert found.rows[1].cv_error == pytest.approx(wrong / rows.n_rows)


def test_methods_without_their_evidence_are_left_out_by_name():
    found = compare(tennis())
    assert dict(found.left_out) == {
        "reduced_error": "needs a validation table",
        "cost_complexity": "needs a training table",
        "error_complexity": "needs a validation table",
        "error_based": "needs a training table",
        "critical_value": "needs a validation table",
    }
    assert "critical_value (needs a validation table)" in str(found)
    assert math.isnan(found.rows[0].validation_error)
    assert "validation error" not in str(found)
    needy = compare(tennis(), methods={"m": MinimumError(m="cv")})
    assert dict(needy.left_out) == {"m": "needs a training table"}


def test_a_regression_tree():
    rows, target = tables.table("abalone"), tables.target("abalone")
    table, validation = rows.take(range(300)), rows.take(range(300, 500))
    tree = tw.grow(table, target, min_leaf=5)
    methods = {"mdl": MDL(), "critical_value": CriticalValue(), "regularised": Regularised(200.0)}
    found = compare(tree, table, validation, methods=methods, folds=2)
    assert list(found.trees) == ["none", "critical_value", "regularised"]
    assert "predicts the number" in found.left_out["mdl"]
    expected = ((tree.predict(validation) - validation.column(target)[1]) ** 2).mean()
    assert found.rows[0].validation_error == pytest.approx(expected)
    assert found.rows[2].n_leaves < tree.n_leaves


def test_frames_and_text():
    found = compare(tennis(), methods={"pessimistic": Pessimistic(2), "mine": lambda tree: tree.collapse(0)})
    for backend in ("pandas", "polars", "pyarrow"):
        frame = found.to_frame(backend)
        assert type(frame).__module__.split(".")[0] == backend
        assert [int(n) for n in np.asarray(frame["n_leaves"])] == [5, 3, 1]
    assert type(found.to_frame()).__module__.startswith("pandas")
    lines = str(found).splitlines()
    assert len(lines) == 4
    start = lines[0].index("collapsed")
    assert [line[start:] for line in lines] == ["collapsed", "-", "1, 5", "0"]
    assert lines[3].split() == ["mine", "1", "0", "35.7", "%", "±", "12.8", "0"]
    with pytest.raises(ValueError, match="not 'excel'"):
        found.to_frame("excel")


def test_wrong_arguments():
    with pytest.raises(TypeError, match="tree_"):
        compare("tree")
    with pytest.raises(ValueError, match="needs the training table"):
        compare(tennis(), folds=3)
