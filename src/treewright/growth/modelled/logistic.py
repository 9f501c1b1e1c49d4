"""A logistic model of few columns, with a small penalty so that separation does no harm."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.growth.modelled.model import Model, NodeRows, Scaled, Terms
from treewright.growth.settings import Settings
from treewright.linear.climb import newton
from treewright.linear.loss import SeveralClasses
from treewright.tree import Tree

Floats = NDArray[np.float64]
L2 = 1.0  # half of it times the squared weight of a scaled column, in rows
RIDGE = 1e-3
MOST_TRIED = 30
ABSENT = -30.0  # the score of a class that no row of the node has, beside one that some have


def logistic_model(rows: NodeRows, tree: Tree, node: int, settings: Settings) -> Model:
    """Return the logistic model of a node: that of least AIC among nested sets of columns.

    Columns go one after the other, the least telling (by least squares on the classes) first.
    """
    scale = tree.about.get("class_scale")
    k = len(tree.classes)
    weight = rows.weight if scale is None else rows.weight * np.asarray(scale)[rows.answers]
    costs = _costs(tree, k)
    own = float((weight * costs[rows.answers, int(tree.label[node])]).sum())
    none = Model.none(tree.target, 0.0, own)
    held = np.bincount(rows.answers, weight, k)
    present = np.flatnonzero(held)
    if len(present) < 2:
        return none
    rows = rows._replace(weight=weight)
    codes = np.searchsorted(present, rows.answers)
    goals = (codes[:, None] == np.arange(len(present))) - held[present] / held.sum()
    scaled = rows.scaled().most_telling(goals, MOST_TRIED)
    found, theta = _least(scaled, codes, weight, goals, settings.leaf_attributes)
    if not len(found):
        return none
    fitted = scaled.in_units(found, theta[:-1], theta[-1])
    return _model_of(rows, tree, fitted, present, costs, none)


def _costs(tree: Tree, k: int) -> Floats:
    given = tree.about.get("costs")
    return 1.0 - np.eye(k) if given is None else np.asarray(given, dtype=np.float64)


def _least(
    scaled: Scaled, codes: NDArray[np.int64], weight: Floats, goals: Floats, most: int
) -> tuple[NDArray[np.int64], Floats]:
    """Return the columns of the model of least AIC, and its weights, the bias last, by class but one."""
    weighed = scaled.z * scaled.share[:, None]
    gram = np.einsum("ij,ik->jk", weighed, scaled.z) + RIDGE * np.eye(scaled.z.shape[1])
    along = np.einsum("ij,ik->jk", weighed, goals)
    n_sums = goals.shape[1] - 1
    empty = _fitted(scaled, scaled.place[:0], codes, weight, n_sums)
    best, found = empty[0] + 2.0 * n_sums, (scaled.place[:0], empty[1])
    used = np.arange(len(gram))
    while len(used):
        weights = np.linalg.solve(gram[np.ix_(used, used)], along[used])
        if len(used) <= most and len(used) + 1 < weight.sum():
            twice, theta = _fitted(scaled, used, codes, weight, n_sums)
            aic = twice + 2.0 * n_sums * (len(used) + 1)
            if aic <= best:
                best, found = aic, (used, theta)
        used = np.delete(used, int(np.argmin((weights**2).sum(axis=1))))
    return found


def _fitted(
    scaled: Scaled, used: NDArray[np.int64], codes: NDArray[np.int64], weight: Floats, n_sums: int
) -> tuple[float, Floats]:
    """Return twice the loss of the penalised fit, without the penalty, and its weights."""
    design = np.ones((len(codes), len(used) + 1))
    design[:, :-1] = scaled.z[:, used]
    penalty = np.full(len(used) + 1, L2)
    penalty[-1] = 1e-6  # enough that a class of next to no weight cannot run away
    loss = SeveralClasses(design, codes, weight, np.tile(penalty, n_sums), n_sums + 1, 0)
    climb = newton(loss, np.zeros(loss.n_parameters), tolerance=1e-6, max_iterations=30)
    theta = climb.theta.reshape(n_sums, -1)
    cost = 0.5 * float((np.tile(penalty, (n_sums, 1)) * theta**2).sum())
    return 2.0 * (climb.value - cost), np.asarray(theta.T)


def _model_of(
    rows: NodeRows, tree: Tree, fitted: Terms, present: NDArray[np.int64], costs: Floats, none: Model
) -> Model:
    """Return the model with a sum for every class but the first, and its loss; none if it is no better."""
    k = len(tree.classes)
    n = len(fitted.columns)
    all_weights, all_bias, all_gaps = np.zeros((n, k)), np.full(k, ABSENT), np.zeros((n, k))
    all_bias[present[0]] = 0.0
    all_weights[:, present[1:]], all_bias[present[1:]] = fitted.weights, fitted.bias
    all_gaps[:, present[1:]] = fitted.gaps
    all_gaps[np.isnan(fitted.gaps).any(axis=1)] = np.nan
    all_weights, all_bias, all_gaps = (x - x[..., :1] for x in (all_weights, all_bias, all_gaps))
    score = Terms(fitted.columns, all_weights, all_bias, all_gaps).of(rows)
    grown = np.exp(score - score.max(axis=1, keepdims=True))
    label = np.argmin(grown @ costs, axis=1)
    loss = float((rows.weight * costs[rows.answers, label]).sum())
    parts = Terms(fitted.columns, all_weights[:, 1:], all_bias[1:], all_gaps[:, 1:])
    if not parts.is_finite:
        return none
    return Model(tuple(parts.columns.tolist()), parts.weights, parts.bias, loss, parts.gaps)
