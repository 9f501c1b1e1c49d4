"""Trees that no other tree of their depth beats: searched exactly, with a proof or the gap that is left."""

from treewright.lookahead.good_trees import GoodTrees
from treewright.lookahead.search import Optimal, optimal
from treewright.tree.certificate import Certificate

__all__ = ["Certificate", "GoodTrees", "Optimal", "optimal"]


def __dir__() -> list[str]:
    return sorted(__all__)
