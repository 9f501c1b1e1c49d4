"""What each column is worth to a tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.tree import Tree


def impurity_decrease(tree: Tree) -> NDArray[np.float64]:
    """Return each column's share of the tree's total impurity decrease; all 0 for a single leaf.

    A node gives gain x weight to the column it tests (of a sum of columns, to each in equal parts), and the
    same times the adjusted agreement to the column of each of its surrogates (Breiman, Friedman, Olshen and
    Stone 1984, section 5.3.4).

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> dict(zip(tree.schema.names, impurity_decrease(tree).round(3).tolist()))
    {'Outlook': 0.262, 'Temperature': 0.0, 'Humidity': 0.369, 'Wind': 0.369}
    """
    inner = np.flatnonzero(~tree.leaf_mask)
    worth = np.zeros(tree.n_nodes)
    worth[inner] = tree.gain[inner] * _score_weights(tree)[inner]
    n_columns = len(tree.schema)
    n_terms = np.diff(tree.term_start)
    alone = inner[n_terms[inner] == 0]
    total = np.zeros(n_columns)
    total += np.bincount(tree.column[alone], worth[alone], n_columns)
    of_term = np.repeat(worth / np.maximum(n_terms, 1), n_terms)
    total += np.bincount(tree.term_column, of_term, n_columns)
    owner = np.repeat(np.arange(tree.n_nodes), np.diff(tree.surrogate_start))
    total += np.bincount(tree.surrogate_column, worth[owner] * tree.surrogate_adjusted, n_columns)
    everything = total.sum()
    return np.asarray(total / everything if everything > 0 else np.zeros(n_columns))


def _score_weights(tree: Tree) -> NDArray[np.float64]:
    """Return the weight of every node as scores see it: priors and costs weigh the classes."""
    scale = tree.about.get("score_scale")
    if scale is None or not tree.is_classifier:
        return tree.weights
    return np.asarray(tree.stats @ np.asarray(scale, dtype=np.float64))
