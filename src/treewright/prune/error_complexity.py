"""Error-complexity pruning as the lecture states it: errors on rows kept back, and a price per leaf."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.prune.greedy import best_first
from treewright.prune.risk import leaf_errors
from treewright.prune.sample import Sample, sample_of
from treewright.table import Table
from treewright.tree import Tree


def error_complexity(
    tree: Tree,
    table: Table | Sample,
    alpha: float,
    *,
    weights: Any = None,
    allow_root: bool = False,
) -> Tree:
    """Return the tree that the lecture's greedy loop leaves for a price per leaf.

    On `table`, rows that were not used for growing, the loop prunes the node whose removal makes
    E(T) + alpha L(T) least, until every further step would raise it. E is the share of errors (of numbers:
    the mean squared error), L the number of leaves. This is not CART's pruning, which takes its sequence of
    trees from the training rows: that is `cost_complexity`. The root stays unless `allow_root`.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> [tw.prune.error_complexity(tree, table, alpha).n_leaves for alpha in (0.0, 0.1, 1.0)]
    [4, 2, 2]
    >>> tw.prune.error_complexity(tree, table, 1.0, allow_root=True).n_leaves
    1
    """
    price = check_price("alpha", alpha)
    sample = sample_of(tree, table, weights)
    total = float(sample.weights.sum())
    if not total > 0:
        raise ValueError("error_complexity: the table has no rows to judge the tree by.")
    errors = leaf_errors(tree, sample)
    return tree.collapse(best_first(tree, *errors, per_leaf=price * total, root_too=allow_root))


def check_price(name: str, price: Any) -> float:
    """Return a price per leaf as a float; an error unless it is a number of at least 0.

    >>> check_price("alpha", 1)
    1.0
    """
    is_number = isinstance(price, (int, float, np.integer, np.floating)) and not isinstance(price, bool)
    if not is_number or not price >= 0:
        raise ValueError(f"{name}={price!r} must be a number of at least 0: the price of a leaf.")
    return float(price)
