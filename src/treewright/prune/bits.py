"""Bits that describe the tests of a tree: the values to choose from, and the columns left to ask."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.prune.counts import Floats, Truths
from treewright.prune.heldout import upwards
from treewright.prune.sample import Sample, sample_of, spread
from treewright.table import Table, coded
from treewright.tree import Tree
from treewright.tree.check import CUT, VALUES


def value_bits(tree: Tree, table: Table | Sample | None = None) -> Floats:
    """Return the bits that tell which value each test divides at, or into which sets; 0 in a leaf.

    A cut among v values takes log2(v - 1); two sets of v categories log2(2^v - 2), b sets log2(b^v - b); one
    category against the rest log2(v); one branch for each category leaves nothing to tell.

    >>> from treewright.tree.example import tennis
    >>> value_bits(tennis()).tolist()
    [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    """
    told = np.zeros(tree.n_nodes)
    cut = np.flatnonzero(tree.kind == CUT)
    told[cut] = np.log2(np.maximum(n_values(tree, table)[cut] - 1, 1))
    told += sum_bits(tree)
    # Two branches for two categories were no choice only in a tree that branches on every category.
    branches = _branches_with_codes(tree)
    is_choice = ~one_branch_each(tree) | (branches == 2) & (tree.about.get("splits") != "multiway")
    sets = np.flatnonzero((tree.kind == VALUES) & is_choice)
    v = np.diff(tree.code_start)[sets].astype(np.float64)
    if tree.about.get("splits") == "one_vs_rest":
        told[sets] = np.log2(v)
    else:
        b = branches[sets].astype(np.float64)
        # log2(b^v - b), written so that b^v cannot overflow; a node of one set tells nothing
        several = (b > 1) & (v > 1)
        v, b = v[several], b[several]
        told[sets[several]] = v * np.log2(b) + np.log2(1.0 - b ** (1.0 - v))
    return told


def sum_bits(tree: Tree) -> Floats:
    """Return the bits that tell a sum of columns, but for its first: each further column, and every number.

    A weight, or the cut, of a sum is told like a cut: n - 1 places among the n rows of the node.

    >>> from treewright.tree.example import tennis
    >>> sum_bits(tennis()).sum().tolist()
    0.0
    """
    size = np.diff(tree.term_start)
    number = np.log2(np.maximum(tree.n_rows - 1, 1))
    return np.where(size > 0, (size - 1) * np.log2(len(tree.schema)) + size * number, 0.0)


def n_columns_tested(tree: Tree) -> NDArray[np.int64]:
    """Return how many columns every test asks about; 0 in a leaf.

    >>> from treewright.tree.example import tennis
    >>> n_columns_tested(tennis()).tolist()
    [1, 1, 0, 0, 0, 1, 0, 0]
    """
    return np.where(tree.leaf_mask, 0, np.maximum(np.diff(tree.term_start), 1))


def n_values(tree: Tree, table: Table | Sample | None) -> NDArray[np.int64]:
    """Return how many values of its column each cut had to choose from, among the rows at the node.

    Without the training table: as many as rows, or as there are categories.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 1, 2, 3], "y": ["a", "a", "a", "b"]})
    >>> tree = tw.grow(table, target="y")
    >>> n_values(tree, None).tolist(), n_values(tree, table).tolist()
    ([4, 0, 0], [3, 0, 0])
    """
    if table is not None:
        return _distinct(tree, table)
    most = np.array([len(c.categories) or 2**62 for c in tree.schema.columns], dtype=np.int64)
    return np.where(tree.kind == CUT, np.minimum(tree.n_rows, most[tree.column]), 0)


def _distinct(tree: Tree, table: Table | Sample) -> NDArray[np.int64]:
    """Return the distinct known values of its column among the rows at each cut; 0 at other nodes."""
    sample = sample_of(tree, table)
    rank = np.column_stack([_ranked(values) for values in coded(tree.schema.columns, sample.columns)])
    base = int(rank.max(initial=0)) + 1
    found = np.zeros(tree.n_nodes, dtype=np.int64)
    for row, node, _ in upwards(tree, spread(tree, sample)):
        asks = tree.kind[node] == CUT
        row, node = row[asks], node[asks]
        value = rank[row, tree.column[node]]
        known = value >= 0
        pairs = np.unique(node[known] * base + value[known])
        found += np.bincount(pairs // base, minlength=tree.n_nodes)
    return found


def _ranked(values: NDArray[np.float64] | NDArray[np.int32]) -> NDArray[np.int64]:
    """Return values as small whole numbers; below 0 where missing or never met."""
    if values.dtype.kind != "f":
        return values.astype(np.int64)
    ranks = np.unique(values, return_inverse=True)[1].reshape(-1)
    return np.where(np.isnan(values), -1, ranks)


def one_branch_each(tree: Tree) -> Truths:
    """Return where a test gives every category it knows a branch of its own.

    >>> from treewright.tree.example import tennis
    >>> one_branch_each(tennis()).tolist()[:3]
    [True, True, False]
    """
    return np.asarray((tree.kind == VALUES) & (_branches_with_codes(tree) == np.diff(tree.code_start)))


def _branches_with_codes(tree: Tree) -> NDArray[np.int64]:
    """Return how many branches of each node have a category: all but one that is for gaps only."""
    owner = np.repeat(np.arange(tree.n_nodes, dtype=np.int64), np.diff(tree.code_start))
    base = int(tree.branch_counts.max()) + 1
    pairs = np.unique(owner * base + tree.code_branch)
    return np.bincount(pairs // base, minlength=tree.n_nodes).astype(np.int64)


def columns_left(tree: Tree) -> NDArray[np.int64]:
    """Return at every node how many columns can still be asked: those not used up above it.

    A test with one branch for each category uses its column up; a cut or a set of categories does not.

    >>> from treewright.tree.example import tennis
    >>> columns_left(tennis()).tolist()
    [4, 3, 2, 2, 3, 3, 2, 2]
    """
    used = np.flatnonzero(one_branch_each(tree))
    mark = np.zeros(tree.n_nodes + 1, dtype=np.int64)  # +1 after the node, -1 where it ends
    np.add.at(mark, used + 1, 1)
    np.add.at(mark, tree.end[used], -1)
    return np.maximum(len(tree.schema) - np.cumsum(mark)[: tree.n_nodes], 1)
