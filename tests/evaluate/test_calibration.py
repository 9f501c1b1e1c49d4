"""Calibration by rows held out, honest leaves, and the choice of an estimate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewright as tw
from treewright.evaluate import answers, brier, calibrate, choose_probabilities, log_loss, reliability
from treewright.evaluate.calibration import answers_of_any
from treewright.predict.calibration import beta_curve


def noisy(n: int, seed: int, classes: int = 2) -> tw.Table:
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n))
    score = np.column_stack([np.zeros(n), 1.5 * x, z])[:, :classes] + rng.gumbel(size=(n, classes))
    return tw.Table.from_dict({"x": x, "z": z, "y": [f"c{k}" for k in score.argmax(axis=1)]})


@pytest.fixture(scope="module")
def models() -> dict[str, Any]:
    train = noisy(400, 0)
    return {"tree": tw.grow(train, "y"), "forest": tw.forest.grow(train, "y", n_trees=20, min_leaf=5)}


@pytest.mark.parametrize("kind", ["tree", "forest"])
@pytest.mark.parametrize("method", ["isotonic", "beta"])
def test_calibrated_chances_are_better_and_kept_in_the_file(
    models: dict[str, Any], kind: str, method: str, tmp_path: Path
) -> None:
    model, test = models[kind], noisy(1500, 2)
    better = calibrate(model, noisy(800, 1), method)
    before, after = answers_of_any(model, test), answers_of_any(better, test)
    assert (after.given == before.given).all()  # labels stay
    assert brier(after).value < brier(before).value + 0.005
    if kind == "tree":
        assert log_loss(after).value < log_loss(before).value / 3
        assert reliability(after).error.value < reliability(before).error.value / 2
    better.save(tmp_path / "m.treewright")
    loaded = tw.load(tmp_path / "m.treewright")
    assert (loaded.predict_proba(test) == better.predict_proba(test)).all()
    assert better.predict_proba(test).sum(axis=1) == pytest.approx(1.0)


def test_of_three_classes_each_is_put_right() -> None:
    tree = tw.grow(noisy(300, 0, 3), "y")
    better = calibrate(tree, noisy(600, 1, 3), "beta", probabilities="laplace")
    test = noisy(900, 2, 3)
    assert better.predict_proba(test).sum(axis=1) == pytest.approx(1.0)
    assert log_loss(answers(better, test)).value < log_loss(answers(tree, test)).value
    assert (better.predict_proba(test, "raw") == tree.predict_proba(test)).all()


def test_beta_is_the_maximum_of_the_likelihood() -> None:
    rng = np.random.default_rng(0)
    train, held = noisy(300, 3), noisy(400, 4)
    tree = calibrate(tw.grow(train, "y", min_leaf=10), held, "beta")
    kept = tree.about["calibration"]["curves"][0]
    best = np.array([kept[name] for name in "abc"])
    plain = tw.grow(train, "y", min_leaf=10).predict_proba(held)[:, 1]
    is_it = held.labels("y") == "c1"

    def loss(weights: Any) -> float:
        p = beta_curve(weights, plain)
        return float(-np.log(np.where(is_it, p, 1 - p)).sum())

    own = loss(best)
    for _ in range(200):
        other = np.maximum(best + rng.normal(scale=[0.1, 0.1, 0.1]), [0, 0, -np.inf])
        assert loss(other) >= own - 1e-4


def test_a_damaged_calibration_is_told() -> None:
    tree = calibrate(tw.grow(noisy(100, 0), "y", max_depth=2), noisy(100, 1))
    from treewright.tree.edit import alter

    for wrong in (
        {"method": "isotonic"},
        {"method": "isotonic", "curves": [{"x": [1], "y": [2]}]},
        [],
        {"a": 1},
    ):
        broken = alter(tree, about={**tree.about, "calibration": wrong})
        with pytest.raises(ValueError, match="damaged"):
            broken.predict_proba(noisy(5, 2))


def test_formats_that_would_say_other_chances_refuse() -> None:
    tree = tw.grow(noisy(100, 0), "y", max_depth=2)
    assert "SELECT" in tree.export(format="sql") or tree.export(format="sql")
    with pytest.raises(ValueError, match="calibrated"):
        calibrate(tree, noisy(100, 1)).export(format="sql")


def test_what_is_refused() -> None:
    tree = tw.grow(noisy(100, 0), "y", max_depth=2)
    with pytest.raises(ValueError, match="did you mean 'isotonic'"):
        calibrate(tree, noisy(50, 1), "isotonik")
    with pytest.raises(ValueError, match="classes"):
        calibrate(tw.grow({"x": [1, 2, 3], "y": [1.5, 2, 3]}, "y"), noisy(50, 1))
    with pytest.raises(ValueError, match="does not know"):
        calibrate(tree, noisy(50, 1, 3))
    with pytest.raises(ValueError, match="leaves of a tree"):
        calibrate(tw.forest.grow(noisy(60, 0), "y", n_trees=2), noisy(50, 1), probabilities="laplace")


def test_honest_leaves_hold_the_rows_that_grew_nothing() -> None:
    table = noisy(600, 0)
    tree = tw.grow(table, "y", honest=0.5, min_leaf=5)
    ends = np.zeros(tree.n_nodes)
    grown = tw.grow(table, "y", min_leaf=5)
    assert tree.stats[0].sum() == 300
    assert grown.stats[0].sum() == 600
    for node in np.flatnonzero(tree.kind == 0):
        ends[node] = tree.stats[node].sum()
    assert ends.sum() == 300
    assert (ends[tree.kind == 0] > 0).all()
    test = noisy(2000, 5)
    seen = [float(one.predict_proba(test).max(axis=1).mean()) for one in (grown, tree)]
    right = [float((one.predict(test) == test.labels("y")).mean()) for one in (grown, tree)]
    assert abs(seen[1] - right[1]) < abs(seen[0] - right[0])  # what it says of itself is nearer the truth
    with pytest.raises(ValueError, match="below 1"):
        tw.grow(table, "y", honest=1)


def test_honest_figures_are_those_of_the_rows_held_back() -> None:
    table = noisy(200, 1)
    tree = tw.grow(table, "y", honest=0.4, max_depth=2)
    leaf = tree.leaves(table)
    # Of all rows that end in a leaf, those of the part held back are counted there.
    counted = np.array(
        [np.bincount(table.column("y")[1][leaf == node], minlength=2) for node in range(tree.n_nodes)]
    )
    held = tree.stats[tree.kind == 0]
    assert (held <= counted[tree.kind == 0]).all()
    assert held.sum() == 80


def test_the_choice_of_an_estimate_is_by_rows_held_out() -> None:
    table = noisy(300, 0)
    found = choose_probabilities(table, "y", folds=4)
    judged = tw.evaluate.cross_validate(table, "y", folds=4, scores="log_loss", probabilities=found.choice)
    assert found.rows[0][1]["log_loss"].value == pytest.approx(judged.overall["log_loss"].value)
    values = [scores["log_loss"].value for _, scores in found.rows]
    assert values == sorted(values)
    assert found.choice != "raw"
    tree = tw.evaluate.with_probabilities(tw.grow(table, "y"), found.choice)
    assert (tree.predict_proba(table) == tw.grow(table, "y").predict_proba(table, found.choice)).all()
