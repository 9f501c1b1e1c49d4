"""Importances: noise is worth nothing, the shadow tells, and shuffling hurts only what matters."""

import numpy as np
import pytest

import treewright as tw
from tests.forest.samples import random_table
from treewright.base.draws import SHUFFLES, item_named
from treewright.forest.draws import permutation, times_drawn


def noisy_table(seed=0, n_rows=600):
    """One column that matters, coarse; one of 1,000 levels and one of distinct numbers that do not."""
    rng = np.random.default_rng(seed)
    signal = rng.integers(0, 3, n_rows)
    levels = rng.integers(0, 1000, n_rows)
    y = np.where(rng.random(n_rows) < 0.25, rng.integers(0, 2, n_rows), signal == 1)
    cells = {
        "signal": signal.astype(float),
        "levels": [f"v{i}" for i in levels],
        "numbers": rng.random(n_rows),
        "coin": rng.integers(0, 2, n_rows).astype(float),
        "y": np.array(["no", "yes"])[y.astype(int)],
    }
    return tw.Table.from_dict({name: list(column) for name, column in cells.items()})


def test_noise_of_many_levels_fools_impurity_and_not_its_correction():
    """The mean of three tables: in one, noise may well fit the classes better than most of its shuffles."""
    tables = [noisy_table(seed) for seed in range(3)]
    plain = np.mean([tw.forest.impurity(tw.forest.grow(t, "y", n_trees=60)).value for t in tables], axis=0)
    signal, levels, numbers, coin = plain
    assert levels > 3 * signal  # fooled
    assert numbers > 3 * coin  # by distinct numbers as well
    fair = np.mean([tw.forest.corrected(t, "y", n_trees=400, n_threads=2).value for t in tables], axis=0)
    assert fair[0] > 0.02
    assert np.abs(fair[1:]).max() < 0.3 * fair[0]
    assert abs(fair[1]) < 0.03 * levels


def test_corrected_importance_of_noise_alone_is_even_about_zero():
    """Equal tests go by order: were a column always before its shadow, noise would be worth something."""
    rng = np.random.default_rng(1)
    values = []
    for seed in range(6):
        cells = {f"c{i}": rng.integers(0, 2, 80).astype(float).tolist() for i in range(4)}
        table = tw.Table.from_dict({**cells, "y": rng.choice(["a", "b"], 80).tolist()})
        values.append(tw.forest.corrected(table, "y", n_trees=40, seed=seed).value)
    mean, spread = np.mean(values), np.std(values) / np.sqrt(np.size(values))
    assert abs(mean) < 3.5 * spread


def test_corrected_importance_is_for_numbers_too():
    table = random_table(3, 200, is_classes=False, gaps=0.1)
    found = tw.forest.corrected(table, "y", n_trees=60)
    assert found.names == ("x", "z", "k", "size", "noise")
    assert found.value[0] > found.value[4]
    again = tw.forest.corrected(table, "y", n_trees=60, n_threads=2)
    np.testing.assert_array_equal(found.value, again.value)


@pytest.mark.parametrize("is_classes", [True, False])
def test_permutation_importance_is_the_rise_of_the_error(is_classes):
    table = random_table(3, 90, is_classes, gaps=0.1)
    forest = tw.forest.grow(table, "y", n_trees=6, seed=2)
    found = tw.forest.permutation_importance(forest, table, n_threads=2)
    rises = np.zeros((6, 5))
    answers = table.column("y")[1]
    for i in range(6):
        out, tree = np.flatnonzero(times_drawn(forest, i) == 0), forest.tree(i)
        rows = table.take(out)

        def error(some, tree=tree, out=out):
            if is_classes:
                return float((tree.predict(some) != some.labels("y")).mean())
            return float(((tree.predict(some) - answers[out]) ** 2).mean())

        for j, name in enumerate(forest.schema.names):
            order = permutation(2, item_named("shuffle", name, str(i)), SHUFFLES, len(out))
            values = list(rows.values)
            place = rows.names.index(name)
            values[place] = values[place][order]
            rises[i, j] = error(tw.Table(rows.schema, tuple(values))) - error(rows)
    np.testing.assert_allclose(found.value, rises.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(found.standard_error, rises.std(axis=0, ddof=1) / np.sqrt(6), atol=1e-12)


def test_permutation_importance_tells_noise():
    table = noisy_table()
    found = tw.forest.permutation_importance(tw.forest.grow(table, "y", n_trees=60, n_threads=2), table)
    worth = dict(zip(found.names, found.value, strict=True))
    assert worth["signal"] > 0.05
    assert max(abs(worth[name]) for name in ("levels", "numbers", "coin")) < 0.02
    heard = []
    tw.forest.permutation_importance(tw.forest.grow(table, "y", n_trees=3), table, progress=heard.append)
    assert heard == pytest.approx([1 / 3, 2 / 3, 1])


def test_shares_are_scikit_learns_measure():
    table = random_table(3, 100)
    forest = tw.forest.grow(table, "y", n_trees=4)
    from treewright.forest.importance import impurity_shares

    each = forest.arrays["importance"] / forest.arrays["importance"].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(impurity_shares(forest), each.mean(axis=0))
    flat = tw.forest.grow(tw.Table.from_dict({"x": [1, 1], "y": ["a", "b"]}), "y", n_trees=2)
    assert impurity_shares(flat).tolist() == [0]


def test_importances_are_told():
    table = random_table(3, 60)
    found = tw.forest.impurity(tw.forest.grow(table, "y", n_trees=10))
    lines = str(found).splitlines()
    assert lines[0] == "impurity importance"
    assert len(lines) == 6
    assert found.to_frame("polars")["column"].to_list() == list(found.names)
    with pytest.raises(ValueError, match="No row is out of bag"):
        tw.forest.permutation_importance(tw.forest.grow(table, "y", n_trees=2, bootstrap=False), table)
