"""Pessimistic error pruning: half an error more per leaf, and a standard error of doubt (Quinlan 1987)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from treewright.base.lines import Words, aligned
from treewright.base.numbers import number
from treewright.prune.base import Evidence, Method
from treewright.prune.counts import (
    Floats,
    Truths,
    at_most,
    class_weights,
    need_classes,
    staying_stats,
)
from treewright.prune.risk import largest_price, priced_errors
from treewright.tree import Tree, walk


def pessimistic(tree: Tree, standard_errors: float = 1.0, strict: bool | None = None) -> Tree:
    """Return the tree without the subtrees that are not clearly better than a leaf, by their own rows.

    A node t of N rows makes e(t) errors as a leaf; the leaves s below it make e(s). With half an error added
    per leaf, n'(t) = e(t) + 1/2 and n'(T) = sum of e(s) + leaves / 2. From the root down, t becomes a leaf if
    n'(t) <= n'(T) + SE, with SE = `standard_errors` x sqrt(n'(T) (N - n'(T)) / N), 0 where n'(T) exceeds N.
    All leaves count, also empty ones.

    The form on the slides has no SE and asks for n'(t) < n'(T): `standard_errors=0`. `strict` says whether
    the comparison is < (True) or <= (False); None is < for `standard_errors=0`, and <= otherwise.

    Counted are the weights of the tree's `stats`, so class weights and parts of rows count as what they
    weigh; priors multiply them. Where the tree has costs, an error counts what it costs, in units of the mean
    price of a mistake; the dearest price takes the place of 1 in the standard error, which is then the most
    that losses of this mean can vary.

    >>> from treewright.tree.example import tennis
    >>> [pessimistic(tennis(), standard_errors=number).n_leaves for number in (0, 1, 2, 3)]
    [5, 5, 3, 1]
    """
    need_classes(tree, "pessimistic")
    if not (math.isfinite(standard_errors) and standard_errors >= 0):
        raise ValueError(f"standard_errors={standard_errors!r} must be a number of at least 0")
    return tree.collapse(np.flatnonzero(_is_pruned(tree, standard_errors, strict)))


def _is_pruned(tree: Tree, standard_errors: float, strict: bool | None) -> Truths:
    as_leaf, as_subtree, error = pessimistic_errors(tree)
    bound = as_subtree + standard_errors * error
    is_strict = standard_errors == 0 if strict is None else strict
    passes = ~at_most(bound, as_leaf) if is_strict else at_most(as_leaf, bound)
    return np.asarray(passes & ~tree.leaf_mask)


class PessimisticErrors(NamedTuple):
    """The corrected errors of every node: as a leaf, of its subtree, and the latter's standard error.

    >>> from treewright.tree.example import tennis
    >>> pessimistic_errors(tennis()).as_leaf[0].tolist()
    5.5
    """

    as_leaf: Floats
    as_subtree: Floats
    standard_error: Floats

    def __str__(self) -> str:
        words = {"as a leaf": self.as_leaf, "as a subtree": self.as_subtree, "± SE": self.standard_error}
        columns = [Words(title, list(map(number, values.tolist()))) for title, values in words.items()]
        return "\n".join(aligned([Words("node", list(map(str, range(len(self.as_leaf))))), *columns]))


def pessimistic_errors(tree: Tree) -> PessimisticErrors:
    """Return what `pessimistic` compares, for every node: n'(t), n'(T) and its standard error.

    >>> from treewright.tree.example import tennis
    >>> [figures[0].round(3).tolist() for figures in pessimistic_errors(tennis())]
    [5.5, 2.5, 1.433]
    """
    need_classes(tree, "pessimistic")
    as_leaf = priced_errors(tree) + 0.5
    total = class_weights(tree).sum(axis=1)
    staying = priced_errors(tree, staying_stats(tree))
    as_subtree = walk.subtree_sums(tree.end, np.where(tree.leaf_mask, as_leaf, staying))
    spread = as_subtree * np.maximum(largest_price(tree) * total - as_subtree, 0.0)
    standard_error = np.sqrt(np.divide(spread, total, out=np.zeros_like(spread), where=total > 0))
    return PessimisticErrors(as_leaf, as_subtree, standard_error)


@dataclass(frozen=True)
class Pessimistic(Method):
    """Pessimistic error pruning with its options, to be called with a tree.

    >>> from treewright.tree.example import tennis
    >>> Pessimistic(standard_errors=2)(tennis()).n_leaves
    3
    """

    name: ClassVar[str] = "pessimistic"

    standard_errors: float = 1.0
    strict: bool | None = None

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:  # noqa: ARG002  (needs none)
        """Return the pruned tree; see the function of this name."""
        return pessimistic(tree, self.standard_errors, self.strict)
