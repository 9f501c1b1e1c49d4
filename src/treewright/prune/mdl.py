"""Pruning by minimum description length: the tree that, with its exceptions, is shortest to tell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, message
from treewright.base.names import choice
from treewright.prune.backward import no_dearer_as_leaf
from treewright.prune.base import Evidence, Method
from treewright.prune.bits import columns_left, n_columns_tested, value_bits
from treewright.prune.counts import (
    EQUAL,
    Floats,
    UnsuitableError,
    bits,
    errors_under,
    need_classes,
    staying_stats,
)
from treewright.prune.risk import priced_errors, priced_weights
from treewright.prune.sample import Sample
from treewright.table import Table
from treewright.tree import Tree
from treewright.tree.check import SUM

CODES = ("mehta", "sliq", "quinlan_rivest")
STRUCTURES = ("full", "partial", "hybrid")


def _log_gamma(x: Any) -> Any:
    from scipy.special import gammaln  # heavy, and needed here only

    return gammaln(x)


def mdl(
    tree: Tree, table: Table | Sample | None = None, *, code: str = "mehta", structure: str = "full"
) -> Tree:
    """Return the pruning with the shortest description under one of three published codes.

    - "mehta" (Mehta, Rissanen, Agrawal 1995; PUBLIC 1998): a leaf costs its stochastic complexity
      (`leaf_bits`), a node 1 bit, a test log2(columns) and its value: log2(v - 1) for a cut among v values,
      log2(2^v - 2) for a subset of v categories.
    - "sliq" (Mehta, Agrawal, Rissanen 1996): a leaf costs its training errors, a cut 1, a test on categories
      ln(tests on that column in the tree). `structure` says how the shape is told: "full" 1 bit per node;
      "partial" 2 bits, and a test may lose one of its two branches; "hybrid" full first, then partial with
      log2(3) bits per inner node. A lost branch is here a leaf with its parent's label.
    - "quinlan_rivest" (1989): a leaf costs `exception_bits`, a node 1 bit, a test log2(columns still to
      be asked on the path).

    From the leaves up, a node becomes a leaf if that is no longer to tell. "mehta" counts the distinct values
    of a cut's column among the rows at the node: give the training `table` for that; without it each training
    row at the node is taken to bring a value of its own, which is the most there can be.

    Counted are the weights of the tree's `stats`: class weights and parts of rows count as what they weigh,
    priors multiply them. Where the tree has costs, a class counts by what mistakes on it cost (altered
    priors), and the errors of "sliq" are priced. Training rows that stay at a node, since no surrogate
    placed them, are told there as a leaf's rows are.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": range(1, 21), "y": ["no"] * 7 + ["yes"] + ["no"] * 2 + ["yes"] * 10})
    >>> tree = tw.grow(table, target="y")
    >>> tree.n_leaves, [mdl(tree, code=code).n_leaves for code in CODES]
    (4, [2, 2, 2])
    """
    need_classes(tree, "mdl")
    _check(code, structure)
    if code == "mehta":
        return _mehta(tree, table)
    if code == "quinlan_rivest":
        return _quinlan_rivest(tree)
    if structure == "partial":
        return _one_sided(tree, inner_bits=2.0, leaf_bits=2.0, may_be_leaf=True)
    whole = tree.collapse(no_dearer_as_leaf(tree, priced_errors(tree) + 1.0, _sliq_tests(tree) + 1.0))
    if structure == "full":
        return whole
    return _one_sided(whole, inner_bits=float(np.log2(3.0)), leaf_bits=0.0, may_be_leaf=False)


def _check(code: str, structure: str) -> None:
    choice("code", code, CODES)
    choice("structure", structure, STRUCTURES)
    if structure != "full" and code != "sliq":
        raise ValueError(f"structure={structure!r} is SLIQ's; code={code!r} has 'full' only")


# ---- Mehta, Rissanen, Agrawal ----------------------------------------------------------------------


def _mehta(tree: Tree, table: Table | Sample | None) -> Tree:
    staying = leaf_bits(priced_weights(tree, staying_stats(tree)))
    test = 1.0 + np.log2(len(tree.schema)) + value_bits(tree, table) + staying
    return tree.collapse(no_dearer_as_leaf(tree, leaf_bits(priced_weights(tree)) + 1.0, test))


def leaf_bits(counts: Floats) -> Floats:
    """Return the stochastic complexity in bits of rows with these class weights; 0 without any row.

    sum of n_c ln(n / n_c) + (k - 1) / 2 ln(n / 2) + ln(pi^(k/2) / gamma(k/2)), over ln 2. With a single row
    the middle term is below 0, and stays so.

    >>> leaf_bits(np.array([[9.0, 5.0], [4.0, 0.0], [2.0, 3.0], [3.0, 0.0]])).round(6).tolist()
    [16.219177, 2.151496, 7.167213, 1.943977]
    """
    k = counts.shape[1]
    total = counts.sum(axis=1)
    has_rows = total > 0
    halves = np.log(np.where(has_rows, total, 2.0) / 2.0)
    constant = k / 2 * np.log(np.pi) - _log_gamma(k / 2)
    return np.where(has_rows, bits(counts) + ((k - 1) / 2 * halves + constant) / np.log(2.0), 0.0)


# ---- SLIQ ------------------------------------------------------------------------------------------


def _sliq_tests(tree: Tree) -> Floats:
    """Return the cost of every test: 1 for a cut of numbers, ln(tests on that column) for categories.

    The errors of training rows that it leaves where they are come on top.
    """
    asked = np.bincount(tree.column[~tree.leaf_mask], minlength=len(tree.schema))
    is_numeric = np.array([column.is_numeric for column in tree.schema.columns], dtype=bool)
    per_column = np.where(is_numeric, 1.0, np.log(np.maximum(asked, 1)))
    one = np.where(tree.kind == SUM, 1.0, per_column[tree.column])  # of a sum, 1 for each column
    return np.asarray(one * n_columns_tested(tree)) + priced_errors(tree, staying_stats(tree))


def _one_sided(tree: Tree, inner_bits: float, leaf_bits: float, may_be_leaf: bool) -> Tree:
    """Return the tree of least cost in which a test may keep one of its two branches only."""
    if (tree.branch_counts > 2).any():
        node = int(np.argmax(tree.branch_counts > 2))
        raise message(
            UnsuitableError,
            f"SLIQ's partial pruning drops one of two branches; node {node} has {tree.branch_counts[node]}. "
            "Use structure='full', or grow the tree with ",
            ask("splits", "binary"),
            ".",
        )
    leaves, lost = _cheapest_sides(tree, inner_bits, leaf_bits, may_be_leaf)
    if not len(lost):
        return tree.collapse(leaves)
    # The rows of a lost branch are told by the parent's answer; its own statistics stay.
    label = tree.label.copy()
    label[lost] = tree.label[tree.parents[lost]]
    return replace(tree, label=label).collapse(np.concatenate([leaves, lost]))


def _cheapest_sides(
    tree: Tree, inner_bits: float, leaf_bits: float, may_be_leaf: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes that become leaves, and the branches that are lost."""
    made = priced_errors(tree)
    cost: list[float] = (made + np.where(tree.leaf_mask, leaf_bits, inner_bits)).tolist()
    by_parent: list[float] = priced_errors(tree, label=tree.label[np.maximum(tree.parents, 0)]).tolist()
    test: list[float] = (_sliq_tests(tree) + inner_bits).tolist()
    end: list[int] = tree.end.tolist()
    leaves, lost = [], []
    for node in np.flatnonzero(~tree.leaf_mask)[::-1].tolist():
        left = node + 1
        right = end[left]
        # The order settles ties: a leaf, then one branch (the first), then both.
        options = [
            cost[node] if may_be_leaf else np.inf,
            test[node] + cost[left] + by_parent[right],
            test[node] + by_parent[left] + cost[right],
            test[node] + cost[left] + cost[right],
        ]
        cost[node] = min(options)
        choice = next(i for i, option in enumerate(options) if option <= cost[node] * (1 + EQUAL))
        if choice == 0:
            leaves.append(node)
        elif choice < 3:
            lost.append(right if choice == 1 else left)
    return np.array(leaves, dtype=np.int64), np.array(lost, dtype=np.int64)


# ---- Quinlan, Rivest -------------------------------------------------------------------------------


def _quinlan_rivest(tree: Tree) -> Tree:
    counts, stays = priced_weights(tree), priced_weights(tree, staying_stats(tree))
    leaf = exception_bits(counts.sum(axis=1), errors_under(counts, tree.label), counts.shape[1])
    staying = exception_bits(stays.sum(axis=1), errors_under(stays, tree.label), counts.shape[1])
    test = 1.0 + np.log2(columns_left(tree)) * np.maximum(n_columns_tested(tree), 1) + staying
    return tree.collapse(no_dearer_as_leaf(tree, leaf + 1.0, test))


def exception_bits(n: Floats, e: Floats, n_classes: int = 2) -> Floats:
    """Return the bits that tell which e of n rows are exceptions: log2(b + 1) + log2 C(n, e).

    b, the most exceptions there can be, is floor((n + 1) / 2) for two classes. Of more classes an exception
    must also say which other one it is, log2(k - 1) bits each, and b is at least floor(n (k - 1) / k).
    n and e may be fractions; C is then made of gamma functions.

    >>> exception_bits(np.array([14.0]), np.array([5.0])).round(6).tolist()
    [13.967226]
    """
    bound = np.floor((n + 1.0) / 2.0)
    if n_classes > 2:
        bound = np.maximum(bound, np.floor(n * (n_classes - 1) / n_classes))
    ways = (_log_gamma(n + 1.0) - _log_gamma(e + 1.0) - _log_gamma(n - e + 1.0)) / np.log(2.0)
    which = e * np.log2(max(n_classes - 1, 1))
    return np.asarray(np.log2(bound + 1.0) + ways + which)


@dataclass(frozen=True)
class MDL(Method):
    """Pruning by description length with its options, to be called with a tree.

    The evidence, where given, is the training table; only the code "mehta" looks at it.

    >>> from treewright.tree.example import tennis
    >>> MDL(code="sliq")(tennis()).n_leaves
    1
    """

    name: ClassVar[str] = "mdl"

    code: str = "mehta"
    structure: str = "full"

    def __post_init__(self) -> None:
        _check(self.code, self.structure)

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:
        """Return the pruned tree; see the function of this name."""
        return mdl(tree, evidence.table, code=self.code, structure=self.structure)
