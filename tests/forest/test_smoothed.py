"""Estimates of probabilities in the leaves of a forest: the mean of what its trees say, one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewright as tw


def table(n: int = 150, n_classes: int = 3) -> tw.Table:
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, n)).round(2)
    place = np.clip(np.rint(x + rng.normal(size=n) * 0.7) + 1, 0, n_classes - 1).astype(int)
    cells = {
        "x": x,
        "z": np.where(rng.random(n) < 0.1, np.nan, z),
        "k": [f"k{i}" for i in rng.integers(0, 4, n)],
    }
    return tw.Table.from_dict({**cells, "y": np.array(["c", "a", "b"])[place]})


@pytest.mark.parametrize("words", ["raw", "laplace", "m_estimate:5", "c5.0", "hierarchical:12"])
@pytest.mark.parametrize(
    "how",
    [{}, {"missing": "fractional"}, {"priors": {"a": 0.6, "b": 0.3, "c": 0.1}}, {"honest": 0.5}],
)
def test_a_forest_says_the_mean_of_its_trees(words: str, how: dict[str, Any], tmp_path: Path) -> None:
    data = table()
    forest = tw.forest.grow(data, "y", 7, seed=2, **how)
    sober = tw.forest.with_probabilities(forest, words)
    slow = np.mean([forest.tree(i).predict_proba(data, probabilities=words) for i in range(7)], axis=0)
    assert sober.predict_proba(data) == pytest.approx(slow)
    if "missing" not in how:  # a divided row votes by the sum of its parts, and ends in the heaviest
        assert np.array_equal(sober.leaves(data), forest.leaves(data))
        assert np.array_equal(sober.votes(data), forest.votes(data))
    assert [sober.tree(i).weights[0] for i in range(7)] == pytest.approx(
        [forest.tree(i).weights[0] for i in range(7)]
    )
    sober.save(tmp_path / "sober.forest")
    assert tw.load(tmp_path / "sober.forest") == sober


def test_it_is_calibrated_and_not_done_twice() -> None:
    data = table()
    sober = tw.forest.with_probabilities(tw.forest.grow(data, "y", 3), "laplace")
    assert tw.evaluate.calibrate(sober, data, "beta").about["probabilities"] == "laplace"
    with pytest.raises(ValueError, match="hold estimates already"):
        tw.forest.with_probabilities(sober, "raw")
    with pytest.raises(ValueError, match="are for classes"):
        tw.forest.with_probabilities(tw.forest.grow({"x": [1, 2], "y": [1.5, 2.5]}, "y", 2), "raw")
    with pytest.raises(ValueError, match="did you mean 'laplace'"):
        tw.forest.with_probabilities(tw.forest.grow(data, "y", 2), "laplac")
