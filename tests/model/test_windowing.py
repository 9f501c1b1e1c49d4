"""Trees from windows of the rows: the tree of the table where the window is the table."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from tests.tables import table, target
from treewright.tree.fields import FIELDS


@pytest.mark.parametrize("name", ["vote", "monk1", "labor"])
@pytest.mark.parametrize("recipe", ["c4.5", "plain"])
def test_a_window_that_is_the_table_gives_its_tree(name: str, recipe: str) -> None:
    rows, goal = table(name), target(name)
    tree = tw.windowed(rows, goal, recipe, window=rows.n_rows)
    plain = tw.grow(rows, goal, recipe)
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(tree, field), getattr(plain, field), err_msg=field)
    assert tree.about["windows"] == [
        {"first": rows.n_rows, "last": rows.n_rows, "rounds": 1,
         "errors": int((plain.predict(rows) != rows.labels(goal)).sum())}
    ]  # fmt: skip


def test_windows_grow_until_the_rest_is_right() -> None:
    rows, goal = table("mushroom").take(range(0, 8124, 4)), target("mushroom")
    tree = tw.windowed(rows, goal, trials=3)
    for told in tree.about["windows"]:
        assert told["first"] == 407  # a fifth
        assert told["first"] <= told["last"] < rows.n_rows
    assert min(told["errors"] for told in tree.about["windows"]) == 0
    assert (tree.predict(rows) == rows.labels(goal)).all()


def test_the_first_window_holds_classes_evenly_and_the_order_of_rows_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 2))
    y = np.where(x[:, 0] > 1.5, "rare", "usual")
    rows = tw.Table.from_dict({"a": x[:, 0], "b": x[:, 1], "y": y.tolist()})
    n_rare = int((y == "rare").sum())
    tree = tw.windowed(rows, "y", trials=2, window=2 * n_rare, increment=5)
    assert tree.about["windows"][0]["first"] == 2 * n_rare
    turned = rows.take(rng.permutation(300).tolist())
    assert tw.windowed(turned, "y", trials=2, window=2 * n_rare, increment=5) == tree
    assert {w["errors"] for w in tree.about["windows"]} == {0}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"window": 0}, "window=0 must be a number of rows, or a share"),
        ({"window": 2.5}, "window=2.5 must be"),
        ({"increment": -1}, "increment=-1 must be"),
        ({"trials": 0}, "trials=0 must be a whole number"),
    ],
)
def test_what_is_refused(given: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        tw.windowed(table("iris"), "class", **given)


def test_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Windowing is for classes.*'Rings' is numeric"):
        tw.windowed(table("abalone"), "Rings")
