from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import treewright as tw
from tests import tables
from treewright.prune import Evidence, MinimumError, choose_m, minimum_error, sample_of
from treewright.prune.cross_validation import cross_validation
from treewright.prune.heldout import losses, node_losses


def parts_of(tree, rows, **more):
    return cross_validation(lambda fold: fold, tree, rows, **more)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("vote", {"min_leaf": 2}),
        ("kyphosis", {"priors": [0.5, 0.5]}),
        ("kyphosis", {"costs": [[0, 1], [3, 0]], "min_leaf": 3}),
        ("abalone", {"max_depth": 4, "seed": 7}),
        ("vote", {"missing": "drop"}),
    ],
)
def test_a_fold_is_grown_like_the_tree(name, settings):
    rows, target = tables.table(name), tables.target(name)
    tree = tw.grow(rows, target, **settings)
    fold = np.arange(rows.n_rows) % 3
    found = parts_of(tree, rows, folds=fold)
    assert [part.rows.tolist() for part in found] == [np.flatnonzero(fold == k).tolist() for k in range(3)]
    for k, part in enumerate(found):
        expected = tw.grow(rows.take(fold != k), target, **settings)
        assert (part.tree.end == expected.end).all()
        assert (part.tree.column == expected.column).all()
        assert (part.tree.label == expected.label).all()
        np.testing.assert_array_equal(part.tree.cut, expected.cut)
        np.testing.assert_array_equal(part.tree.stats, expected.stats)
        assert part.rest.n_rows + part.held.n_rows == rows.n_rows


def test_folds_are_keyed_and_of_equal_shares():
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    tree = tw.grow(rows, target)
    by_seed = {
        seed: [part.rows.tolist() for part in parts_of(tree, rows, folds=5, seed=seed)] for seed in (0, 1)
    }
    again = [part.rows.tolist() for part in parts_of(tree, rows, folds=5, seed=0)]
    assert again == by_seed[0] != by_seed[1]
    present = [int((sample_of(tree, rows).answers[part] == 1).sum()) for part in by_seed[0]]
    assert max(present) - min(present) <= 1


def test_folds_may_be_a_column():
    rows = tw.Table.from_dict({"x": range(8), "y": list("aabaabbb"), "part": [0, 1] * 4})
    tree = tw.grow(rows.drop("part"), "y")
    named = choose_m(tree, rows, [0, 2], folds="part")
    assert named == choose_m(tree, rows, [0, 2], folds=[0, 1] * 4)
    with pytest.raises(ValueError, match="names a column"):
        choose_m(tree, sample_of(tree, rows), [0, 2], folds="part")


@pytest.mark.parametrize("class_weight", ["balanced", [1, 3]])
def test_a_tree_grown_with_weights_asks_for_them(class_weight):
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    tree = tw.grow(rows, target, class_weight=class_weight)
    with pytest.raises(ValueError, match="with other weights"):
        parts_of(tree, rows)
    per_class = tree.stats[0] / np.bincount(rows.column(target)[1])
    weights = per_class[rows.column(target)[1]]
    fold = parts_of(tree, rows, weights=weights, folds=4)[0]
    assert fold.tree.weights[0] == pytest.approx(fold.rest.weights.sum())
    with pytest.raises(ValueError, match="other rows"):
        parts_of(tree, rows.take(range(40)))
    with pytest.raises(ValueError, match="does not say how it was grown"):
        parts_of(replace(tree, about={}), rows, weights=weights)


def test_evidence_may_bring_weights_and_a_way_to_grow():
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    tree = tw.grow(rows, target, max_depth=3)
    fold = np.arange(rows.n_rows) % 4
    asked, seen = [], []

    def regrow(part):
        asked.append(len(part))
        return tw.grow(rows.take(part), target, max_depth=1)

    evidence = Evidence(table=rows, weights=np.full(rows.n_rows, 2.0), regrow=regrow, progress=seen.append)
    found = MinimumError(m="cv", folds=fold)(tree, evidence)
    assert asked == [int((fold != k).sum()) for k in range(4)]
    assert seen == [0.25, 0.5, 0.75, 1.0]
    m = choose_m(tree, rows, folds=fold, regrow=regrow).value
    assert found == minimum_error(tree, m)
    with pytest.raises(TypeError, match="not int"):
        MinimumError(m="cv")(tree, 3)


@pytest.mark.parametrize("n_jobs", [2, 7])
def test_the_number_of_jobs_changes_nothing(n_jobs):
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    tree = tw.grow(rows, target)
    alone, together = {"folds": 5}, {"folds": 5, "n_jobs": n_jobs}
    assert choose_m(tree, rows, **together) == choose_m(tree, rows, **alone)
    by_value = tw.prune.choose_kappa_by_cross_validation
    assert by_value(tree, rows, **together) == by_value(tree, rows, **alone)
    one, many = (tw.prune.cross_validated(tree, rows, **more) for more in (alone, together))
    assert one.error.tolist() == many.error.tolist()
    assert one.standard_error.tolist() == many.standard_error.tolist()
    shown = [str(tw.prune.compare(tree, rows, **more)) for more in (alone, together)]
    assert shown[0] == shown[1]


def test_who_watches_may_stop_it():
    class EnoughError(Exception):
        pass

    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    tree = tw.grow(rows, target)
    for n_jobs in (1, 2):
        seen = []

        def watch(share, seen=seen):
            seen.append(share)
            if len(seen) == 2:
                raise EnoughError

        with pytest.raises(EnoughError):
            choose_m(tree, rows, folds=40, n_jobs=n_jobs, progress=watch)
        assert len(seen) < 40


@pytest.mark.parametrize("settings", [{}, {"costs": [[0, 1], [3, 0]]}])
def test_losses_at_the_leaves_are_those_of_the_rows(settings):
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    tree = tw.grow(rows.take(range(50)), target, **settings)
    held = sample_of(tree, rows.take(range(50, rows.n_rows)))
    found = node_losses(tree, held)
    assert found.total[tree.leaf_mask].sum() == losses(tree, held).sum()
    for node in np.flatnonzero(~tree.leaf_mask):
        change = losses(tree.collapse(node), held).sum() - losses(tree, held).sum()
        leaves = np.flatnonzero(tree.leaf_mask[node : tree.end[node]]) + node
        assert change == found.total[node] - found.total[leaves].sum()
