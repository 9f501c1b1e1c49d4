"""Growing with look-ahead: a test is worth what the best subtree gains that begins with it.

The subtrees come from the search for optimal trees (`cpp/include/treewright/optimal`); what is grown of them
are the verbs of growth, as for any other tree.
"""

from treewright.growth.ahead.loop import grow_ahead
from treewright.growth.ahead.polish import polished

__all__ = ["grow_ahead", "polished"]


def __dir__() -> list[str]:
    return sorted(__all__)
