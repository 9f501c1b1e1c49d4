"""Tables at the edge: each works, or the error names the column, what was found and the way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import treewright as tw
from treewright.table import Table

RNG = np.random.default_rng(5)


def accuracy(tree: tw.Tree, rows: Table, target: str = "y") -> float:
    """Return the share of rows a tree gets right."""
    return float((tree.predict(rows) == rows.labels(target)).mean())


@pytest.mark.parametrize(
    ("recipe", "leaves"), [("plain", 2), ("id3", 100_000), ("c4.5", 100_000), ("cart", 2), ("stump", 2)]
)
def test_a_hundred_thousand_categories(recipe: str, leaves: int) -> None:
    """Each category has two rows of one class: the best subset, or a branch each, gets all rows right."""
    n = 100_000
    names = np.array([f"c{i:06d}" for i in range(n)])
    answer = np.where(RNG.random(n) < 0.3, "yes", "no")
    rows = Table.from_dict({"id": np.tile(names, 2), "y": np.tile(answer, 2)})
    tree = tw.grow(rows, "y", recipe, prune="none")
    assert tree.n_leaves == leaves
    assert accuracy(tree, rows) == (
        1 if recipe != "stump" else pytest.approx((answer == "no").mean(), abs=1e-4)
    )


@pytest.mark.parametrize("n", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_very_many_categories_and_a_thousand_classes(n: int) -> None:
    rows = Table.from_dict(
        {"id": [f"c{i:06d}" for i in range(n)] * 2, "y": [f"k{i % 1000:03d}" for i in range(n)] * 2}
    )
    tree = tw.grow(rows, "y", max_depth=1)
    assert (tree.n_leaves, bool(tree.exact[0])) == (2, False)
    assert accuracy(tw.grow(rows, "y", "c4.5", max_depth=1), rows) == 1


def test_a_tree_past_all_bounds_is_refused() -> None:
    """Two columns of 4,000 categories, a branch each: sixteen million nodes."""
    n = 40_000
    pairs = RNG.integers(0, 4000, (2, n))
    rows = Table.from_dict(
        {"a": [f"{i}" for i in pairs[0]], "b": [f"{i}" for i in pairs[1]], "y": list("ab") * (n // 2)}
    )
    with pytest.raises(ValueError, match=r"more than 10,000,000 nodes.*splits='binary'"):
        tw.grow(rows, "y", "id3")


def test_a_thousand_classes() -> None:
    n = 5_000
    rows = Table.from_dict(
        {
            "x": np.arange(n, dtype=float),
            "c": np.array([f"v{i % 40}" for i in range(n)]),
            "y": np.array([f"k{i // 5}" for i in range(n)]),
        }
    )
    assert accuracy(tw.grow(rows, "y"), rows) == 1
    assert accuracy(tw.grow(rows, "y", "c4.5", min_branch=1), rows) > 0.5


def test_many_categories_and_many_classes_are_marked_as_heuristic() -> None:
    n = 3_000
    codes = RNG.integers(0, 60, n)
    rows = Table.from_dict({"c": [f"v{i}" for i in codes], "y": [f"k{(i * 7 + 3) % 5}" for i in codes]})
    tree = tw.grow(rows, "y")
    assert accuracy(tree, rows) == 1
    assert not tree.exact[0]
    assert tree.exact[tree.column < 0].all()


def test_all_missing_columns() -> None:
    rows = Table.from_dict({"gone": [None] * 6, "x": [1.0, 2, 3, 4, 5, 6], "y": list("aabbab")})
    for missing in ("learned", "fractional", "surrogate", "own_branch", "most_common", "most_common_overall"):
        assert accuracy(tw.grow(rows, "y", missing=missing), rows) == 1
    with pytest.raises(ValueError, match="every row has a missing value and missing='drop'"):
        tw.grow(rows, "y", missing="drop")
    with pytest.raises(ValueError, match=r"Column 'gone' is missing in 6 of 6 rows.*missing='learned'"):
        tw.grow(rows, "y", missing="error")
    only = Table.from_dict({"gone": [None] * 3, "y": list("aab")})
    assert tw.grow(only, "y").n_nodes == 1


@pytest.mark.parametrize("recipe", ["plain", "id3", "c4.5", "cart", "stump"])
def test_one_row_and_constant_target(recipe: str) -> None:
    one = Table.from_dict({"x": ["a"], "y": ["yes"]})
    assert tw.grow(one, "y", recipe).predict(one).tolist() == ["yes"]
    constant = Table.from_dict({"x": list("abc"), "y": ["yes"] * 3})
    assert tw.grow(constant, "y", recipe).n_nodes == 1


def test_constant_number_target() -> None:
    rows = Table.from_dict({"x": [1.0, 2.0], "y": [3.7, 3.7]})
    tree = tw.grow(rows, "y")
    assert (tree.n_nodes, tree.predict(rows).tolist()) == (1, [3.7, 3.7])


def test_infinities_are_ordinary_extremes() -> None:
    rows = Table.from_dict({"x": [-np.inf, 0.0, 1.0, np.inf], "y": list("abab")})
    tree = tw.grow(rows, "y")
    assert accuracy(tree, rows) == 1
    assert tw.Tree.from_dict(tree.to_dict()) == tree
    with pytest.raises(ValueError, match="Column 'y' is the target and its largest value is inf"):
        tw.grow(Table.from_dict({"x": [1.0, 2.0], "y": [1.0, np.inf]}), "y")


def test_huge_and_tiny_numbers() -> None:
    rows = Table.from_dict({"x": [-1e308, -5e-324, 0.0, 5e-324, 1e308], "y": list("ababa")})
    assert accuracy(tw.grow(rows, "y"), rows) == 1
    for scale in (1e-90, 1.0, 1e90):
        y = np.array([1.0, 2.0, 4.0, 8.0]) * scale
        rows = Table.from_dict({"x": [1.0, 2.0, 3.0, 4.0], "y": y})
        tree = tw.grow(rows, "y")
        assert (tree.n_leaves, tree.predict(rows).tolist()) == (4, y.tolist())


@pytest.mark.parametrize("scale", [1e-150, 1e150, 5e-324])
def test_targets_out_of_range_are_refused(scale: float) -> None:
    with pytest.raises(ValueError, match=r"Column 'y'.*scale it"):
        tw.grow(Table.from_dict({"x": [1.0, 2.0], "y": [0.0, scale]}), "y")


def test_a_sentinel_in_the_target_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Column 'y' is the target and holds 1e\+20.*Leave such rows out"):
        tw.grow(Table.from_dict({"x": [1.0, 2, 3, 4], "y": [1.0, 2, 3, 1e20]}), "y")


@pytest.mark.parametrize("seed", range(5))
def test_outliers_do_not_hide_a_better_column(seed: int) -> None:
    n, rng = 20_000, np.random.default_rng(seed)
    noise, effect = rng.integers(0, 2, (2, n))
    # Both outliers on one side of either column, where they cancel: a column that parts them is better.
    noise[1], effect[1] = noise[0], effect[0]
    y = effect * 0.05 + rng.normal(size=n) * 0.01
    y[:2] = [1e5, -1e5]
    rows = Table.from_dict({"a_noise": noise.astype(float), "b": effect.astype(float), "y": y})
    tree = tw.grow(rows, "y", max_depth=1, min_leaf=10)
    assert tree.schema.names[tree.column[0]] == "b"


def test_a_large_mean_costs_no_digits() -> None:
    y = 1e9 + np.array([0.0, 1e-3, 0.0, 1e-3])
    tree = tw.grow(Table.from_dict({"x": [0.0, 1, 2, 3], "z": [0.0, 1, 0, 1], "y": y}), "y", max_depth=1)
    assert tree.schema.names[tree.column[0]] == "z"
    assert tree.gain[0] == pytest.approx(2.5e-7, rel=1e-3)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1, 2], "for 3 rows"),
        ([1, -1, 1], "row 1 is -1.0"),
        ([1, np.nan, 1], "row 1 is nan"),
        ([0, 0, 0], "all weights are 0"),
        ([1e300, 1e300, 1e300], "add up to"),
        ([1e30, 1, 1], "row 1 is 1 .* too light to count"),
        ("x1", "did you mean 'x'"),
    ],
)
def test_bad_weights(weights: Any, words: str) -> None:
    rows = Table.from_dict({"x": [1.0, 2.0, 3.0], "y": list("aab")})
    with pytest.raises((ValueError, KeyError), match=words):
        tw.grow(rows, "y", weights=weights)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_depht": 3}, "did you mean 'max_depth'"),
        ({"nonsense": 3}, "the settings are choice, .*, unseen"),
        ({"min_samples_leaf": 3}, "here it is called min_leaf"),
        ({"recipe": "c45"}, "did you mean 'c4.5'"),
        ({"criterion": "ginni"}, r"statistics of all cuts; did you mean 'gini'\?$"),
        ({"criterion": "squared_error"}, "does not score classes"),
        ({"missing": "ignore"}, "is not one of 'learned'"),
        ({"max_depth": -1}, "at least 0"),
        ({"max_depth": 1.5}, "whole number"),
        ({"max_depth": float("inf")}, "whole number below"),
        ({"max_depth": 10**30}, "whole number below"),
        ({"tree": 2**32}, "below 4,294,967,296"),
        ({"class_weight": {"a": 0, "b": 0}}, "all weights are 0"),
        ({"class_weight": {"a": 1e308, "b": 1}}, "class_weight"),
        ({"cuts": "c4.5", "criterion": max}, "charges gains in bits"),
        ({"max_leaves": 0}, "at least 1"),
        ({"majority_share": 0}, "above 0"),
        ({"missing": "surrogate", "splits": "multiway"}, "two branches"),
        ({"priors": [0.5]}, "there are 2 classes"),
        ({"priors": {"a": 1, "c": 1}}, "names the class 'c'"),
        ({"priors": {"a": 1}}, "leaves out the class 'b'"),
        ({"costs": [[0, 1]]}, "2 x 2"),
        ({"costs": [[1, 1], [1, 0]]}, "diagonal"),
        ({"class_weight": "balance"}, "must be 'balanced'"),
        ({"class_weight": {"q": 2}}, "names the class 'q'"),
    ],
)
def test_bad_settings(settings: dict[str, Any], words: str) -> None:
    rows = Table.from_dict({"x": [1.0, 2.0, 3.0], "y": list("aab")})
    with pytest.raises(ValueError, match=words):
        tw.grow(rows, "y", **settings)


def test_a_number_given_as_text_is_refused() -> None:
    with pytest.raises(TypeError, match="max_depth='3' must be a whole number"):
        tw.grow(Table.from_dict({"x": [1.0], "y": ["a"]}), "y", max_depth="3")


def test_wrong_target_and_wrong_task() -> None:
    rows = Table.from_dict({"age": [1.0, 2.0, 3.0], "city": list("aab")})
    with pytest.raises(KeyError, match="did you mean 'city'"):
        tw.grow(rows, "cty")
    with pytest.raises(ValueError, match=r"Column 'age' is numeric; recipe 'id3' grows classes"):
        tw.grow(rows, "age", "id3")
    with pytest.raises(ValueError, match=r"Column 'age' is numeric \(3 values\); ID3 branches on categories"):
        tw.grow(rows, "city", "id3")
    with pytest.raises(ValueError, match="is the target and is missing in 1 of 3 rows"):
        tw.grow(Table.from_dict({"x": [1.0, 2, 3], "y": ["a", None, "b"]}), "y")
    with pytest.raises(TypeError, match=r"grow takes a treewright\.Table, .*, not int"):
        tw.grow(17, "x")
