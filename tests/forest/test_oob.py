"""Out of bag: only trees that have not seen a row judge it, and their error is that of new rows."""

import numpy as np
import pytest

import treewright as tw
from tests import tables
from tests.forest.samples import random_table
from treewright.forest.draws import times_drawn


@pytest.mark.parametrize("is_classes", [True, False])
@pytest.mark.parametrize("missing", ["learned", "fractional"])
def test_only_trees_that_have_not_seen_a_row_say(is_classes, missing):
    table = random_table(3, 120, is_classes, gaps=0.1)
    forest = tw.forest.grow(table, "y", n_trees=12, missing=missing)
    said = tw.forest.out_of_bag(forest, table)
    out = np.array([times_drawn(forest, i) == 0 for i in range(12)])
    np.testing.assert_array_equal(said.n_votes, out.sum(axis=0))
    trees = [forest.tree(i) for i in range(12)]
    each = np.array([t.predict_proba(table) if is_classes else t.predict(table)[:, None] for t in trees])
    wanted = (each * out[:, :, None]).sum(axis=0)[said.n_votes > 0] / said.n_votes[said.n_votes > 0][:, None]
    np.testing.assert_allclose(said.shares[said.n_votes > 0], wanted, rtol=1e-9)
    answers = table.column("y")[1]
    seen = said.n_votes > 0
    if is_classes:
        assert said.error == pytest.approx((wanted.argmax(axis=1) != answers[seen]).mean())
        assert said.score == 1 - said.error
    else:
        assert said.error == pytest.approx(((wanted[:, 0] - answers[seen]) ** 2).mean())
        assert said.score == pytest.approx(1 - said.error / answers[seen].var())


def test_rows_never_out_of_bag_are_left_out_and_counted():
    table = random_table(3, 50)
    forest = tw.forest.grow(table, "y", n_trees=2)
    said = tw.forest.out_of_bag(forest, table)
    never = (times_drawn(forest, 0) > 0) & (times_drawn(forest, 1) > 0)
    assert said.n_never_out == never.sum() > 0
    assert np.isnan(said.shares[never]).all()
    assert (said.predicted[never] == -1).all()
    assert [label is None for label in said.labels] == never.tolist()
    assert f"{never.sum()} never out of bag" in repr(said)


@pytest.mark.parametrize("name", ["credit_g", "abalone", "hypothyroid"])
def test_the_error_is_that_of_a_test_set(name):
    """Half of the rows are grown on, the other half asked: the two errors agree within a standard error.

    The first bound is for the mean over several forests, which one table's luck moves less.
    """
    whole, goal = tables.table(name), tables.target(name)
    gaps = []
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(whole.n_rows)
        train, test = whole.take(order[: whole.n_rows // 2]), whole.take(order[whole.n_rows // 2 :])
        forest = tw.forest.grow(train, goal, n_trees=100, seed=seed, n_threads=2)
        said = tw.forest.out_of_bag(forest, train, n_threads=2)
        assert said.n_never_out == 0
        wrong = forest.predict(test)
        if forest.is_classifier:
            errors = (wrong != test.labels(goal)).astype(float)
        else:
            errors = (wrong - test.column(goal)[1]) ** 2
        spread = np.hypot(said.standard_error, errors.std() / np.sqrt(len(errors)))
        gaps.append((said.error - errors.mean()) / spread)
    assert abs(np.mean(gaps)) < 1
    assert np.abs(gaps).max() < 3


def test_rows_of_weight_0_have_no_say():
    table = random_table(3, 80)
    weights = np.ones(80)
    weights[[3, 70]] = 0
    forest = tw.forest.grow(table, "y", n_trees=30, weights=weights)
    said = tw.forest.out_of_bag(forest, table, weights=weights)
    assert said.n_votes[[3, 70]].tolist() == [0, 0]
    kept = np.flatnonzero(weights)
    alone = tw.forest.out_of_bag(forest, table.take(kept))
    np.testing.assert_array_equal(said.shares[kept], alone.shares)


def test_rows_that_were_dropped_have_no_say():
    table = random_table(3, 80, gaps=0.1)
    forest = tw.forest.grow(table, "y", n_trees=30, missing="drop")
    said = tw.forest.out_of_bag(forest, table)
    has_gap = np.array(
        [any(v is None or v != v for v in row) for row in zip(*table.to_dict().values(), strict=True)]
    )
    assert (said.n_votes[has_gap] == 0).all()
    assert said.n_never_out >= has_gap.sum()


def test_other_rows_are_refused():
    table = random_table(3, 80)
    forest = tw.forest.grow(table, "y", n_trees=3)
    with pytest.raises(ValueError, match=r"not the rows the forest was grown on \(80 rows.*found 79 rows"):
        tw.forest.out_of_bag(forest, table.take(np.arange(79)))
    with pytest.raises(ValueError, match="found 80 rows with other answers"):
        tw.forest.out_of_bag(forest, table.take(np.arange(80)[::-1]))
    with pytest.raises(ValueError, match="The table has no column 'y'"):
        tw.forest.out_of_bag(forest, table.drop("y"))
    with pytest.raises(ValueError, match="No row is out of bag"):
        tw.forest.out_of_bag(tw.forest.grow(table, "y", n_trees=3, bootstrap=False), table)
    with pytest.raises(TypeError, match=r"takes a treewright.Table, .*, not NoneType"):
        tw.forest.out_of_bag(forest, None)
