"""Estimates of class probabilities from what nodes hold: by the leaf, by the root too, along the path."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import choice
from treewright.tree import Tree

Floats = NDArray[np.float64]


class Estimate(NamedTuple):
    """An estimate as a row of the table: its parameter, if it has one, and where that usually stands.

    >>> ESTIMATES["m_estimate"].usual, ESTIMATES["raw"].usual
    (2.0, None)
    """

    name: str
    usual: float | None
    of: Callable[[Tree, NDArray[Any] | None, float], Floats]


def estimate_of(words: Any) -> tuple[Estimate, float]:
    """Return the estimate that a word means, and its parameter: "m_estimate", or "m_estimate:8".

    >>> estimate_of("m_estimate:8")[1], estimate_of("hierarchical")[1]
    (8.0, 10.0)
    >>> estimate_of("laplace:3")
    Traceback (most recent call last):
    ValueError: probabilities='laplace:3': laplace has no parameter; m_estimate and hierarchical have one.
    """
    name, _, number = words.partition(":") if isinstance(words, str) else (words, "", "")
    row = ESTIMATES[choice("probabilities", name, tuple(ESTIMATES))]
    if not number:
        return row, row.usual or 0.0
    if row.usual is None:
        raise ValueError(
            f"probabilities={words!r}: {row.name} has no parameter; m_estimate and hierarchical have one."
        )
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"probabilities={words!r}: {number!r} must be a number of at least 0.")
    return row, value


def shares(tree: Tree, probabilities: str = "raw", nodes: NDArray[np.int32] | None = None) -> Floats:
    """Return the class probabilities of every node, or of these; an empty leaf is sure of its label.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "b"]}), target="y")
    >>> shares(tree).round(3).tolist()
    [[0.333, 0.667], [1.0, 0.0], [0.0, 1.0]]
    >>> shares(tree, "c5.0").round(3).tolist()[1:]
    [[0.667, 0.333], [0.111, 0.889]]
    """
    row, parameter = estimate_of(probabilities)
    return row.of(tree, nodes, parameter)


def class_weights(tree: Tree, nodes: NDArray[Any] | None = None) -> Floats:
    """Return the class weights that probabilities are made of: a copy, with priors where there are some.

    >>> from treewright.tree.example import tennis
    >>> class_weights(tennis(), np.array([0])).tolist()
    [[5.0, 9.0]]
    """
    stats = tree.stats if nodes is None else tree.stats.take(nodes, axis=0)
    scale = tree.about.get("class_scale")
    return np.array(stats) if scale is None else np.asarray(stats * np.asarray(scale, dtype=np.float64))


def _raw(tree: Tree, nodes: NDArray[Any] | None, _: float = 0.0) -> Floats:
    counts = class_weights(tree, nodes)
    total = counts.sum(axis=1, keepdims=True)
    empty = total[:, 0] == 0
    if empty.any():
        label = tree.label if nodes is None else tree.label.take(nodes)
        counts[empty, label[empty]] = 1
        total[empty] = 1
    return np.asarray(counts / total)


def _laplace(tree: Tree, nodes: NDArray[Any] | None, _: float) -> Floats:
    counts = class_weights(tree, nodes)
    return np.asarray((counts + 1) / (counts.sum(axis=1, keepdims=True) + counts.shape[1]))


def _m_estimate(tree: Tree, nodes: NDArray[Any] | None, m: float) -> Floats:
    if m == 0:
        return _raw(tree, nodes)
    counts, root = class_weights(tree, nodes), class_weights(tree, np.array([0]))
    return np.asarray((counts + m * (root / root.sum(axis=1))) / (counts.sum(axis=1, keepdims=True) + m))


def _c50(tree: Tree, nodes: NDArray[Any] | None, _: float) -> Floats:
    """As C5.0 is documented: (n_c + share of the class in all) / (n + 1), which is the m-estimate of m = 1.

    Documented by example: a leaf of 6 rows, of classes 0, 2 and 4, in a tree of three equal classes says
    0.0476, 0.3333 and 0.6190.
    """
    return _m_estimate(tree, nodes, 1.0)


def _hierarchical(tree: Tree, nodes: NDArray[Any] | None, shrinkage: float) -> Floats:
    """Along the path: each step is divided by 1 + lambda / (rows of the node above) (Agarwal 2022)."""
    own, weight = _raw(tree, None), class_weights(tree).sum(axis=1)
    found = own.copy()
    # Parents come before their children, and all nodes of a depth are taken at once.
    for depth in range(1, int(tree.depths.max(initial=0)) + 1):
        here = np.flatnonzero(tree.depths == depth)
        above = tree.parents[here]
        heavy = weight[above]
        step = np.divide(heavy, heavy + shrinkage, out=np.zeros_like(heavy), where=heavy + shrinkage > 0)
        change = np.where((weight[here] > 0)[:, None], own[here] - own[above], 0.0)
        found[here] = found[above] + change * step[:, None]
    return found if nodes is None else found.take(nodes, axis=0)


_ROWS = (
    Estimate("raw", None, _raw),
    Estimate("laplace", None, _laplace),
    Estimate("m_estimate", 2.0, _m_estimate),
    Estimate("c5.0", None, _c50),
    Estimate("hierarchical", 10.0, _hierarchical),
)
ESTIMATES: Mapping[str, Estimate] = {row.name: row for row in _ROWS}
SMOOTHINGS = tuple(ESTIMATES)
