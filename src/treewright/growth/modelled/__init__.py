"""Model trees: every node of a grown tree gets a linear or logistic model of few columns.

Every node, not only a leaf: a node that pruning makes a leaf answers by its own model at once.
"""

from treewright.growth.modelled.fit import with_models

__all__ = ["with_models"]
