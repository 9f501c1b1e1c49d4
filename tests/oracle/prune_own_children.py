"""Prices of links when every node looks at its own two children only: rpart's CP column turns out so."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.prune.risk import node_risk
from treewright.tree import Tree

Floats = NDArray[np.float64]


class Branch(NamedTuple):
    """A subtree as its parent sees it: the node, from which price on it is a leaf, its risk and splits."""

    node: int
    price: float
    risk: float
    n_splits: int


def own_children_prices(tree: Tree) -> Floats:
    """Return the price of each inner node of a binary tree.

    (risk as a leaf - risk of its branches) / (splits of its branches + 1), where a branch whose own price is
    lower counts as a leaf. But of what lies deeper nothing is taken back, although it may be cheaper too:
    weakest-link pruning would have cut it before it comes to the node.
    """
    risk = node_risk(tree, "error")
    price = np.zeros(tree.n_nodes)

    def visit(node: int) -> Branch:
        if tree.end[node] == node + 1:
            return Branch(node, 0.0, float(risk[node]), 0)
        left = visit(node + 1)
        branches = sorted([left, visit(int(tree.end[node + 1]))], key=lambda branch: branch.price)
        own = _price(risk[node], branches)
        for place, branch in enumerate(branches):
            if own > branch.price and branch.n_splits:
                branches[place] = Branch(branch.node, branch.price, float(risk[branch.node]), 0)
                own = _price(risk[node], branches)
        price[node] = own
        if own <= 0.0:
            return Branch(node, own, float(risk[node]), 0)
        return Branch(node, own, sum(b.risk for b in branches), sum(b.n_splits for b in branches) + 1)

    visit(0)
    return price


def _price(as_leaf: float, branches: list[Branch]) -> float:
    return (as_leaf - sum(b.risk for b in branches)) / (sum(b.n_splits for b in branches) + 1)


def complexity_table(tree: Tree, least: float) -> Floats:
    """Return CP, number of splits and relative error of the trees with prices above `least`, root first."""
    risk, price = node_risk(tree, "error"), own_children_prices(tree)
    price[tree.kind == 0] = 0.0
    for node in range(1, tree.n_nodes):  # what lies below a leaf is gone with it
        price[node] = min(price[node], price[tree.parents[node]])
    cp = price / risk[0]
    steps = [step for step in np.unique(cp[tree.kind != 0].round(12))[::-1] if step > least + 1e-12]
    return np.array([_at(tree, cp, risk, step) for step in [*steps, least]])


def _at(tree: Tree, cp: Floats, risk: Floats, step: float) -> tuple[float, float, float]:
    is_cut = (cp <= step + 1e-11) | (tree.kind == 0)
    is_leaf = is_cut & np.append(True, ~is_cut[tree.parents[1:]])
    return step, is_leaf.sum() - 1.0, risk[is_leaf].sum() / risk[0]
