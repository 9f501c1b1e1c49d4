import numpy as np
import pytest

import treewright as tw
from treewright.explain import impurity_decrease


def test_by_hand():
    table = tw.Table.from_dict({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [5, 5, 5, 5], "y": list("uuvw")})
    tree = tw.grow(table, target="y")  # root: a, gini 0.625 -> 0.25; then b, 0.5 -> 0 on half the rows
    np.testing.assert_allclose(impurity_decrease(tree), [0.375 / 0.625, 0.25 / 0.625, 0])


def test_a_single_leaf_has_none():
    table = tw.Table.from_dict({"a": [0, 1], "y": ["u", "u"]})
    assert impurity_decrease(tw.grow(table, target="y")).tolist() == [0]


@pytest.mark.parametrize("recipe", ["plain", "id3", "c4.5", "cart", "stump"])
def test_shares_add_up(recipe):
    table = tw.example("vote") if recipe != "id3" else tw.example("tennis")
    target = tw.example_target("vote" if recipe != "id3" else "tennis")
    shares = impurity_decrease(tw.grow(table, target=target, recipe=recipe))
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()
