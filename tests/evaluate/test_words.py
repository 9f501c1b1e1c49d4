"""What is no number, no fold or no seed is refused by name, and nothing deep inside speaks first."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from treewright.evaluate import cross_validate, learning_curve, overfitting_curve, pruning_curve, stability

IRIS = tw.example("iris")


@pytest.mark.parametrize("seed", [1.5, "x", None, True])
@pytest.mark.parametrize("way", [cross_validate, learning_curve, overfitting_curve, pruning_curve, stability])
def test_a_seed_is_a_whole_number(way, seed):
    with pytest.raises((TypeError, ValueError), match=rf"seed={seed!r} must be a whole number"):
        way(IRIS, "class", seed=seed)


def test_numpy_seeds_are_seeds():
    found = cross_validate(IRIS, "class", folds=3, max_depth=1, seed=np.int64(7))
    assert found.to_dict() == cross_validate(IRIS, "class", folds=3, max_depth=1, seed=7).to_dict()


@pytest.mark.parametrize("folds", [2.5, True, None])
def test_folds_are_a_whole_number(folds):
    with pytest.raises(ValueError, match=f"folds={folds!r} must be a whole number of at least 2"):
        cross_validate(IRIS, "class", folds=folds)


def test_every_row_needs_a_fold():
    folds = np.arange(150) % 3 + 0.0
    folds[[4, 9]] = np.nan
    with pytest.raises(ValueError, match="folds is missing in row 4; every row needs a fold"):
        cross_validate(IRIS, "class", folds=folds)


def test_values_and_sizes_are_numbers():
    for way in (overfitting_curve, pruning_curve):
        with pytest.raises(ValueError, match="values holds 'a', which is no number"):
            way(IRIS, "class", values=[1, "a"])
    with pytest.raises(ValueError, match="sizes has 'x'; a size is a share"):
        learning_curve(IRIS, "class", sizes=["x"])
