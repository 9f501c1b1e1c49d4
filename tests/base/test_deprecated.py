"""Names that changed still work, and say so."""

import pytest

import treewright as tw
from treewright.prune.compare import Pruned


def test_old_names_give_what_the_new_ones_do():
    table = tw.example("tennis")
    tree = tw.grow(table, target="PlayTennis", recipe="id3")
    forest = tw.forest.grow(table, target="PlayTennis", n_trees=2)
    for thing, old, new in (
        (tree, "asked", "used_columns"),
        (forest, "asked", "used_columns"),
        (Pruned("none", 5, 2, 0.0, collapsed=(3,)), "went", "collapsed"),
    ):
        with pytest.warns(DeprecationWarning, match=rf"\.{old} is now called {new};"):
            assert list(getattr(thing, old)) == list(getattr(thing, new))
