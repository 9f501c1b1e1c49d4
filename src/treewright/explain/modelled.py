"""What the models in the nodes of a tree say of one row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright.explain.cell import Part
from treewright.explain.certainty import Certainty
from treewright.predict import model
from treewright.predict import shares as class_shares
from treewright.predict.vote import cheapest
from treewright.tree import Tree, models, split


@dataclass(frozen=True)
class Modelled:
    """The model of a node where a row ended: its words, whether it spoke, and how wrong it is in training.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": [2, 4, 6, 8]})
    >>> tree = tw.grow(table, target="y", leaves="linear", max_depth=0)
    >>> found = tree.explain({"x": 5}).models[0]
    >>> found.node, found.is_used, round(found.loss, 6), found.weight
    (0, True, 0.0, 4.0)
    """

    node: int
    words: str
    is_used: bool  # False where a column that it needs is missing: the node answers by itself
    loss: float  # squared errors on the training rows of the node, or the weight of errors
    weight: float  # of those rows

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON types.

        >>> Modelled(3, "2 + 0.5 x", True, 1.5, 6.0).to_dict()["words"]
        '2 + 0.5 x'
        """
        return dict(vars(self))


def models_of(tree: Tree, columns: list[Any], parts: Sequence[Part], style: split.Style) -> list[Modelled]:
    """Return the models of the nodes where a row ended, of those that have columns.

    >>> from treewright.tree.example import tennis
    >>> models_of(tennis(), [], [(2, 1.0)], split.FULL)
    []
    """
    if not tree.has_models:
        return []
    nodes = np.array([node for node, _ in parts])
    _, says = model.sums(tree, columns, np.zeros(len(nodes), dtype=np.int64), nodes)
    found = []
    for node, is_used in zip(nodes.tolist(), says.tolist(), strict=True):
        if words := models.words(tree, node, style):
            loss, weight = float(tree.model_loss[node]), float(tree.weights[node])
            found.append(Modelled(node, words, is_used, loss, weight))
    return found


def answers_of(tree: Tree, columns: list[Any], parts: Sequence[Part]) -> list[Any]:
    """Return what each node where a row ended says of it by itself: a class number, or a number."""
    nodes = np.array([node for node, _ in parts])
    rows = np.zeros(len(nodes), dtype=np.int64)
    if not tree.is_classifier:
        return list(model.means(tree, columns, rows, nodes).tolist())
    _, says = model.sums(tree, columns, rows, nodes)
    labels = cheapest(tree, _chances(tree, columns, nodes, "raw"))
    return list(np.where(says, labels, tree.label[nodes]).tolist())


def certainty_by(
    tree: Tree, columns: list[Any], parts: Sequence[Part], plain: Certainty, probabilities: str
) -> Certainty:
    """Return how sure an answer is that models gave: their probabilities, or their error in training.

    `plain` is what is known of the training rows; there is no interval, for the answer is no share of them.
    """
    nodes = np.array([node for node, _ in parts])
    held = np.array([share for _, share in parts])
    held = held / held.sum()
    if tree.is_classifier:
        shares = held @ _chances(tree, columns, nodes, probabilities)
        label = tree.classes.index(str(plain.prediction))
        return replace(plain, shares=tuple(shares.tolist()), share=float(shares[label]), interval=None)
    _, says = model.sums(tree, columns, np.zeros(len(nodes), dtype=np.int64), nodes)
    squares = np.where(says, tree.model_loss[nodes], tree.stats[nodes, 2])
    weights = tree.weights[nodes]
    mean = np.divide(squares, weights, out=np.zeros_like(squares), where=weights > 0)
    return replace(plain, spread=math.sqrt(float(held @ mean)), interval=None)


def _chances(tree: Tree, columns: list[Any], nodes: Any, probabilities: str) -> Any:
    plain = class_shares(tree, probabilities, nodes.astype(np.int32))
    return model.chances(tree, columns, np.zeros(len(nodes), dtype=np.int64), nodes, plain)
