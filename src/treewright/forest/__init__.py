"""Random forests: a table in, a Forest out; what it says, how sure it is, what it looks at."""

from treewright.forest.forest import Forest, load
from treewright.forest.grower import grow, join

__all__ = ["Forest", "grow", "join", "load"]
