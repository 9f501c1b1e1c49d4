"""What a tree costs: of training rows by node, of other rows by where they end."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import choice
from treewright.prune import modelled
from treewright.prune.counts import (
    UnsuitableError,
    bits,
    class_weights,
    errors_under,
    rows_stay,
    staying_share,
    staying_stats,
)
from treewright.prune.sample import Sample, Spread, spread
from treewright.tree import Tree, walk
from treewright.tree import losses as losses_of_numbers
from treewright.tree.weights import MOST_DENSE, ClassWeights

Floats = NDArray[np.float64]

RISKS = ("error", "impurity")


def node_risk(tree: Tree, risk: str = "error") -> Floats:
    """Return what every node costs as a leaf, summed over its training rows.

    "error" is the weight of the rows it gets wrong (by priors and costs, where the tree has them), or for
    numbers the loss of the criterion: squared or absolute errors, Poisson deviance. "impurity" is the weight
    times what the criterion of growth lowers.

    >>> from treewright.tree.example import tennis
    >>> node_risk(tennis()).tolist()
    [5.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]
    """
    choice("risk", risk, RISKS)
    if tree.has_models:
        if risk == "impurity":
            raise UnsuitableError("Nodes with models have errors, but no impurity; use risk='error'.")
        return np.ascontiguousarray(tree.model_loss)
    if not tree.is_classifier:
        if risk == "impurity" and tree.about.get("criterion") == "gaussian_entropy":
            return _gaussian_entropy(tree)
        return np.ascontiguousarray(tree.stats[:, 2])
    if risk == "error":
        return _mistakes(tree, scaled(tree))
    return _impurity(tree)


def _mistakes(tree: Tree, weights: Any, label: NDArray[Any] | None = None) -> Floats:
    """Return what the label of every node, or another, costs for class weights."""
    said = tree.label if label is None else label
    if not isinstance(weights, ClassWeights):
        return np.ascontiguousarray((weights * costs(tree).T[said]).sum(axis=1))
    if tree.about.get("costs") is None:
        return errors_under(weights, said)
    price = costs(tree)[weights.label, said[weights.owner]]
    return np.asarray(np.bincount(weights.owner, weights.weight * price, len(weights)), dtype=np.float64)


def priced_errors(tree: Tree, stats: Any = None, label: NDArray[Any] | None = None) -> Floats:
    """Return the training errors that every node makes, each at its price; a mistake costs 1 on average.

    Where the tree has costs, they are divided by what a mistake costs on average: over the classes as often
    as they are at the root, and over the wrong answers alike. `stats` are other rows than all that came to a
    node, `label` other answers.

    >>> import treewright as tw
    >>> costs = {"No": {"Yes": 3.0}, "Yes": {"No": 1.0}}
    >>> tree = tw.grow(tw.example("tennis"), "PlayTennis", "stump", costs=costs)
    >>> priced_errors(tree).round(4).tolist()  # the mean price is (9 + 5 x 3) / 14
    [5.25, 0.0, 2.9167]
    """
    said = tree.label if label is None else label
    weights = class_weights(tree, stats)
    if tree.about.get("costs") is None:
        return errors_under(weights, said)
    return _mistakes(tree, weights, said) / _mean_price(tree)


def largest_price(tree: Tree) -> float:
    """Return what the dearest mistake costs where one costs 1 on average; 1 without costs.

    >>> from treewright.tree.example import tennis
    >>> largest_price(tennis())
    1.0
    """
    return 1.0 if tree.about.get("costs") is None else float(costs(tree).max()) / _mean_price(tree)


def _mean_price(tree: Tree) -> float:
    root = np.asarray(class_weights(tree)[0], dtype=np.float64)
    price = costs(tree).sum(axis=1) / max(1, len(root) - 1)
    mean = float(root @ price / root.sum()) if root.sum() > 0 else 0.0
    return mean if mean > 0 else 1.0


def priced_weights(tree: Tree, stats: Any = None) -> Any:
    """Return class weights in which costs are priors: a class counts by what mistakes on it cost.

    Breiman, Friedman, Olshen and Stone (1984) call them altered priors; of two classes they say all that
    costs say. The weight at the root stays. Without costs they are the class weights.

    >>> import treewright as tw
    >>> costs = {"No": {"Yes": 3.0}, "Yes": {"No": 1.0}}
    >>> tree = tw.grow(tw.example("tennis"), "PlayTennis", "stump", costs=costs)
    >>> priced_weights(tree)[0].round(3).tolist()  # 9 of Yes, 5 of No at 3 each, to 14 in all
    [5.25, 8.75]
    """
    weights = class_weights(tree, stats)
    if tree.about.get("costs") is None:
        return weights
    price = costs(tree).sum(axis=1) / max(1, tree.stats.shape[1] - 1)
    return weights * (price / _mean_price(tree))


def staying_risk(tree: Tree, risk: str = "error") -> Floats:
    """Return what every node that asks costs by the training rows that stay there (`rows_stay`).

    Impurity, what a model gets wrong, and losses other than squared errors are shared out by weight.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4, None, None], "y": list("aabbab")})
    >>> staying_risk(tw.grow(table, "y", missing="surrogate")).tolist()
    [1.0, 0.0, 0.0]
    """
    if not rows_stay(tree).any():
        return np.zeros(tree.n_nodes)
    has_parts = tree.is_classifier or losses_of_numbers.loss_of(tree) == "squared"
    if risk == "error" and not tree.has_models and has_parts:
        staying = staying_stats(tree)
        if not tree.is_classifier:
            return np.ascontiguousarray(staying[:, 2])
        return _mistakes(tree, class_weights(tree, staying))
    return np.asarray(staying_share(tree) * node_risk(tree, risk))


def total_weight(tree: Tree) -> float:
    """Return the weight that risks are shares of."""
    return float(scaled(tree)[0].sum()) if tree.is_classifier else float(tree.stats[0, 0])


def scaled(tree: Tree, key: str = "class_scale") -> Floats:
    """Return the class weights of every node, priors applied."""
    scale = tree.about.get(key)
    return tree.stats if scale is None else tree.stats * np.asarray(scale, dtype=np.float64)


def costs(tree: Tree) -> Floats:
    """Return the cost of each mistake, row = true class; 1 where nothing was said.

    >>> from treewright.tree.example import tennis
    >>> costs(tennis()).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    given = tree.about.get("costs")
    k = tree.stats.shape[1]
    return 1.0 - np.eye(k) if given is None else np.asarray(given, dtype=np.float64)


def _impurity(tree: Tree) -> Floats:
    criterion = tree.about.get("criterion", "gini")
    if criterion not in IMPURITIES:
        raise ValueError(
            f"The tree was grown with the criterion {criterion!r}, of which no impurity is known; "
            "use risk='error'."
        )
    counts = scaled(tree, "score_scale")
    if isinstance(counts, ClassWeights):
        return _sparse_impurity(counts, criterion)
    return IMPURITIES[criterion](counts)


def _shares(counts: Floats) -> tuple[Floats, Floats]:
    total = counts.sum(axis=1, keepdims=True)
    return total[:, 0], np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)


def _gini(counts: Floats) -> Floats:
    total, share = _shares(counts)
    return np.asarray(total * (1.0 - (share * share).sum(axis=1)))


def _errors(counts: Floats) -> Floats:
    total, share = _shares(counts)
    return np.asarray(total * (1.0 - share.max(axis=1)))


def _bits(counts: Floats) -> Floats:
    total, share = _shares(counts)
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    return np.asarray(-total * (share * logs).sum(axis=1))


# The impurity that a criterion lowers, times the weight; of an object from outside nothing is known.
IMPURITIES: dict[str, Callable[[Floats], Floats]] = {
    "gini": _gini,
    "entropy": _bits,
    "gain_ratio": _bits,
    "error": _errors,
    "hellinger": lambda counts: np.sqrt(counts.prod(axis=1)),
}


def _sparse_impurity(counts: ClassWeights, criterion: str) -> Floats:
    """Return the same of class weights without the zeros: of many classes, so never of two."""
    if IMPURITIES[criterion] is _bits:
        return bits(counts)
    total = counts.sum(axis=1)
    if IMPURITIES[criterion] is _errors:
        return np.asarray(total - counts.max(axis=1))
    share = counts.weight / total[counts.owner]
    return np.asarray(total - np.bincount(counts.owner, counts.weight * share, len(counts)))


def losses(tree: Tree, sample: Sample, rows: NDArray[Any], nodes: NDArray[Any]) -> Floats:
    """Return what the answer of each node costs for each row: a price of the mistake, or the tree's loss.

    >>> import treewright as tw
    >>> from treewright.prune.sample import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> losses(tree, sample_of(tree, table), np.array([0, 2]), np.array([0, 0])).tolist()
    [1.0, 0.0]
    """
    answers = sample.answers[rows]
    if tree.has_models:
        return modelled.losses(tree, sample, rows, nodes, _prices(tree))
    if not tree.is_classifier:
        return losses_of_numbers.row_losses(losses_of_numbers.loss_of(tree), answers, tree.stats[nodes, 1])
    if tree.about.get("costs") is None:
        return np.asarray((answers != tree.label[nodes]).astype(np.float64))
    return np.asarray(_prices(tree)[np.where(answers < 0, -1, answers), tree.label[nodes]])


def _prices(tree: Tree) -> Floats:
    """Return the cost of each answer by true class; the last row is of a class never met."""
    k = tree.stats.shape[1]
    return np.vstack([costs(tree), np.ones(k)]) if tree.is_classifier else np.zeros((0, 0))


def leaf_errors(tree: Tree, sample: Sample) -> tuple[Floats, Floats]:
    """Return per node the errors of a sample with the node as a leaf, and those of the rows that stop in it.

    >>> import treewright as tw
    >>> from treewright.prune.sample import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> leaf_errors(tree, sample_of(tree, table))[0].tolist()
    [5.0, 2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]
    """
    whole, own = zip(*(_errors_of(tree, some) for some in sample.blocks()), strict=True)
    return reduce(np.add, whole), reduce(np.add, own)


def _errors_of(tree: Tree, sample: Sample) -> tuple[Floats, Floats]:
    parts = spread(tree, sample)
    if tree.has_models:
        return modelled.leaf_errors(tree, sample, parts, _prices(tree))
    if tree.is_classifier:
        return _class_errors(tree, sample, parts)
    return _NUMBER_ERRORS[losses_of_numbers.loss_of(tree)](tree, sample, parts)


def _class_errors(tree: Tree, sample: Sample, parts: Spread) -> tuple[Floats, Floats]:
    k = tree.stats.shape[1]
    answers = sample.answers[parts.row].astype(np.int64)
    if tree.n_nodes * k > MOST_DENSE and tree.about.get("costs") is None:
        return _errors_upwards(tree, answers, parts)
    cells = parts.node * (k + 1) + np.where(answers < 0, k, answers)
    own = np.bincount(cells, parts.weight, tree.n_nodes * (k + 1)).reshape(-1, k + 1)
    price = _prices(tree).T[tree.label]  # per node: of each true class
    return (_sums(tree, own) * price).sum(axis=1), (own * price).sum(axis=1)


def _errors_upwards(tree: Tree, answers: NDArray[Any], parts: Spread) -> tuple[Floats, Floats]:
    """The same for many classes: every row goes up from where it ends, and asks each node on its way."""
    node, weight = parts.node.astype(np.int64), parts.weight
    here = np.bincount(node, weight * (answers != tree.label[node]), tree.n_nodes).astype(np.float64)
    whole = here.copy()
    while len(node):
        above = tree.parents[node]
        goes_on = above >= 0
        node, answers, weight = above[goes_on], answers[goes_on], weight[goes_on]
        whole += np.bincount(node, weight * (answers != tree.label[node]), tree.n_nodes)
    return whole, here


def _squared_errors(tree: Tree, sample: Sample, parts: Spread) -> tuple[Floats, Floats]:
    # About the root's mean, so that a large mean costs no digits.
    centre = tree.stats[0, 1]
    y = sample.answers[parts.row] - centre
    powers = [parts.weight, parts.weight * y, parts.weight * y * y]
    own = np.stack([np.bincount(parts.node, power, tree.n_nodes) for power in powers], axis=1)
    mean = tree.stats[:, 1] - centre
    factor = np.stack([mean * mean, -2 * mean, np.ones_like(mean)], axis=1)
    whole, here = (_sums(tree, own) * factor).sum(axis=1), (own * factor).sum(axis=1)
    return np.maximum(whole, 0.0), np.maximum(here, 0.0)


def _deviances(tree: Tree, sample: Sample, parts: Spread) -> tuple[Floats, Floats]:
    """Of counts: 2 (y ln y - y - y ln m + m), which is made of three sums as well."""
    y, mean = sample.answers[parts.row], tree.stats[:, 1]
    y_ln_y = y * np.log(y, out=np.zeros_like(y), where=y > 0)
    sums = [parts.weight, parts.weight * y, parts.weight * (y_ln_y - y)]
    own = np.stack([np.bincount(parts.node, part, tree.n_nodes) for part in sums], axis=1)
    factor = np.stack([mean, -np.log(mean, out=np.zeros_like(mean), where=mean > 0), np.ones_like(mean)], 1)
    whole, here = (2 * (found * factor).sum(axis=1) for found in (_sums(tree, own), own))
    return np.maximum(whole, 0.0), np.maximum(here, 0.0)


def _distances(tree: Tree, sample: Sample, parts: Spread) -> tuple[Floats, Floats]:
    """Of medians: each row is looked at in every node above it."""
    here = np.zeros(tree.n_nodes)
    whole, node = np.zeros(tree.n_nodes), parts.node
    row, weight = parts.row, parts.weight
    while len(node):
        found = np.bincount(node, weight * losses(tree, sample, row, node), tree.n_nodes).astype(np.float64)
        here = found if node is parts.node else here
        whole += found
        above = tree.parents[node]
        goes_on = above >= 0
        node, row, weight = above[goes_on], row[goes_on], weight[goes_on]
    return whole, here


_NUMBER_ERRORS = {"squared": _squared_errors, "absolute": _distances, "poisson": _deviances}


def _gaussian_entropy(tree: Tree) -> Floats:
    """Return what the criterion lowers, less what every pruning shares: 0 for equal values."""
    weight, _, squares = tree.stats.T
    floor = 1e-9 * squares[0] / weight[0]
    variance = np.divide(squares, weight, out=np.zeros_like(squares), where=weight > 0)
    return np.asarray(0.5 * weight * np.log1p(variance / floor)) if floor > 0 else np.zeros_like(weight)


def _sums(tree: Tree, own: NDArray[Any]) -> Floats:
    """Return sums over subtrees; whole numbers, which most weights are, by the exact and faster way."""
    whole = np.rint(own)
    if np.array_equal(whole, own) and np.abs(own).sum() < 2.0**53:
        return np.asarray(walk.subtree_sums(tree.end, whole.astype(np.int64)), dtype=np.float64)
    return np.asarray(walk.subtree_sums(tree.end, own), dtype=np.float64)
