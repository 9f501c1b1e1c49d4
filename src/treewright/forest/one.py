"""One tree of a forest as a whole Tree: what its leaves hold, added up to the root."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.forest import compact
from treewright.tree import Tree
from treewright.tree.walk import parents, subtree_sums

if TYPE_CHECKING:
    from treewright.forest.forest import Forest

Array = NDArray[Any]
Floats = NDArray[np.float64]


def tree_of(forest: Forest, i: int) -> Tree:
    """Return tree i. Agreements of surrogates are not kept: 0.

    Gains are made anew from the statistics, or were kept where these do not tell them (`TOLD`). An inner node
    holds what its leaves hold: training rows that stayed there, since no surrogate placed them, are not
    among them.
    """
    wide = compact.widened(forest.arrays, forest.starts, i, i + 1)
    leaf = wide["kind"] == compact.LEAF
    stats = _stats(forest, wide, leaf)
    n_rows = np.zeros(len(leaf), np.int64)
    n_rows[leaf] = wide["leaf_rows"]
    label = np.zeros(len(leaf), np.int32)
    if forest.is_classifier:
        label = _labels(forest, stats)
        label[leaf] = wide["leaf_label"]
    gain = wide["gain"] if len(forest.arrays["gain"]) else _gains(forest, wide["end"], stats, leaf)
    n_surrogates = len(wide["surrogate_column"])
    kept = {name: wide[name] for name in (*_KEPT, *compact.TERMS) if name in wide}
    return Tree.of_growth(
        schema=forest.schema,
        target=forest.target,
        about={**forest.about, "tree": int(forest.about.get("first", 0)) + i},
        ledger=None,
        score=_scores(forest, gain),
        gain=gain,
        exact=np.ones(len(leaf), bool),
        n_rows=subtree_sums(wide["end"], n_rows),
        stats=stats,
        label=label,
        surrogate_flip=wide["surrogate_flip"].astype(bool),
        surrogate_agreement=np.zeros(n_surrogates),
        surrogate_adjusted=np.zeros(n_surrogates),
        **kept,
    )


# Criteria whose gains can be told from what the leaves hold; of others they are kept.
TOLD = ("gini", "entropy", "gain_ratio", "error", "squared_error")
_KEPT = tuple(name for name in compact.WALKED if name != "surrogate_flip")  # which is made of truth values


def _stats(forest: Forest, wide: dict[str, Array], leaf: NDArray[np.bool_]) -> Floats:
    """Return the statistics of every node."""
    n, end = len(leaf), wide["end"]
    if forest.is_classifier:
        k = len(forest.classes)
        owner = np.repeat(np.flatnonzero(leaf), np.diff(wide["leaf_start"]))
        flat = np.bincount(owner * k + wide["leaf_class"], wide["leaf_weight"], n * k)
        return np.ascontiguousarray(subtree_sums(end, flat.reshape(n, k)))
    stats = np.zeros((n, 3))
    stats[leaf] = wide["leaf_weight"].reshape(-1, 3)
    weight = subtree_sums(end, np.ascontiguousarray(stats[:, 0]))
    mean = subtree_sums(end, stats[:, 0] * stats[:, 1]) / np.where(weight > 0, weight, 1.0)
    mean[leaf] = stats[leaf, 1]
    # Squares around the node's mean, child by child: what lies in the children and between them.
    # Poisson deviances, too.
    parent = parents(end)
    lost = stats[:, 2].copy()
    counts = forest.about.get("loss") == "poisson"
    for i in range(n - 1, 0, -1):
        own, above = mean[i], mean[parent[i]]
        between = 2 * own * np.log(own / above) if counts and own > 0 else (own - above) ** 2
        lost[parent[i]] += lost[i] + weight[i] * (0.0 if counts and own == 0 else between)
    return np.ascontiguousarray(np.column_stack([weight, mean, lost]))


def _labels(forest: Forest, stats: Floats) -> NDArray[np.int32]:
    """Return the class with most weight, or the least cost; the first of equals."""
    scale, costs = forest.about.get("class_scale"), forest.about.get("costs")
    worth = stats if scale is None else stats * np.asarray(scale)
    if costs is not None:
        worth = -(worth @ np.asarray(costs, dtype=np.float64))
    return np.asarray(np.argmax(worth, axis=1), dtype=np.int32)


def _gains(forest: Forest, end: Array, stats: Floats, leaf: NDArray[np.bool_]) -> Floats:
    """Return what each test takes off the impurity of its node, per unit of weight; NaN in leaves.

    NaN also where the criterion is an object that nobody has here: in a forest of an old file.
    """
    if forest.about.get("criterion") not in TOLD:
        return np.full(len(end), np.nan)
    scale = forest.about.get("score_scale")
    seen = stats if scale is None or not forest.is_classifier else stats * np.asarray(scale)
    weight = seen.sum(axis=1) if forest.is_classifier else stats[:, 0]
    total = weight * _impurity(forest, seen, weight)
    below = np.bincount(np.maximum(parents(end), 0)[1:], total[1:], len(end))
    with np.errstate(invalid="ignore", divide="ignore"):
        gain = (total - below) / weight
    gain[leaf] = np.nan
    return np.asarray(gain)


def _impurity(forest: Forest, stats: Floats, weight: Floats) -> Floats:
    safe = np.where(weight > 0, weight, 1.0)
    if not forest.is_classifier:
        return np.asarray(stats[:, 2] / safe)
    shares = stats / safe[:, None]
    criterion = forest.about.get("criterion")
    if criterion in ("entropy", "gain_ratio"):
        logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
        return np.asarray(-(shares * logs).sum(axis=1))
    if criterion == "error":
        return np.asarray(1 - shares.max(axis=1))
    return np.asarray(1 - (shares * shares).sum(axis=1))


def _scores(forest: Forest, gain: Floats) -> Floats:
    """Return the criterion's score where it is the gain; NaN where it would need more."""
    return np.full(len(gain), np.nan) if forest.about.get("criterion") == "gain_ratio" else gain.copy()
