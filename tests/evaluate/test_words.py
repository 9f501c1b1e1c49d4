"""What is no number, no fold or no seed is refused by name, and nothing deep inside speaks first."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from treewright.evaluate import (
    class_table,
    confusion,
    cross_validate,
    learning_curve,
    overfitting_curve,
    pruning_curve,
    stability,
)

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


def test_names_stay_in_their_lines():
    table = tw.Table.from_dict({"a\nb": [1, 2, 3, 4], "y": ["p\nq", "p\nq", "r", "r"]})
    said = tw.evaluate.answers(tw.grow(table, "y"), table)
    assert confusion(said).to_text().splitlines() == [
        "true    'p\\nq'  r",
        "'p\\nq'       2  0",
        "r            0  2",
    ]
    assert class_table(confusion(said).per_class()).splitlines()[1].startswith("'p\\nq'")
    assert "'a\\nb' *" in stability(table, "y", n_trees=3).to_text()


def test_places_name_some_of_many_categories():
    names = [f"k{i}" for i in range(400)]
    table = tw.Table.from_dict({"who": names, "y": ["a", "b"] * 200})
    found = stability(table, "y", n_trees=3, depth=1, max_depth=1)
    assert max(map(len, found.to_text().splitlines())) < 200
