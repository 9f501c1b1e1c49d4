"""Random forests: a table in, a Forest out; what it says, how sure it is, what it looks at."""

from treewright.forest.agreement import Stand, disagreement, nearest_tree, surrogate_tree
from treewright.forest.forest import Forest, load
from treewright.forest.grower import grow, join
from treewright.forest.importance import Importances, corrected, impurity, permutation_importance
from treewright.forest.oob import OutOfBag, out_of_bag
from treewright.forest.proximity import proximity
from treewright.forest.quantiles import Quantiles
from treewright.forest.smoothed import with_probabilities

__all__ = [
    "Forest",
    "Importances",
    "OutOfBag",
    "Quantiles",
    "Stand",
    "corrected",
    "disagreement",
    "grow",
    "impurity",
    "join",
    "load",
    "nearest_tree",
    "out_of_bag",
    "permutation_importance",
    "proximity",
    "surrogate_tree",
    "with_probabilities",
]


def __dir__() -> list[str]:
    return sorted(__all__)
