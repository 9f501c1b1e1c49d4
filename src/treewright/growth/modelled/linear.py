"""A linear model of few columns: all of them first, then without those that do not earn their place (M5)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.growth.modelled.model import Model, NodeRows, Scaled
from treewright.growth.settings import Settings
from treewright.tree import Tree

Floats = NDArray[np.float64]
RIDGE = 1e-9  # of the spread of a column: for columns that say the same
MOST_TRIED = 30  # columns that a model starts from: those that go best with the target


def linear_model(rows: NodeRows, tree: Tree, node: int, settings: Settings) -> Model:
    """Return the linear model of a node: least squares on the columns of least adjusted error.

    The error of a model of v parameters on n rows is multiplied by (n + v) / (n - v) (Quinlan 1992); the
    column whose going raises the error least goes first.
    """
    weight, mean, squares = tree.stats[node]
    none = Model.none(tree.target, float(mean), float(squares))
    if not squares > 0:
        return none
    y = rows.answers - mean
    scaled = rows.scaled().most_telling(y[:, None], MOST_TRIED)
    used = _useful_columns(scaled, y, float(weight), settings.leaf_attributes)
    if not len(used):
        return none
    weights = _solved(scaled, y, used)
    found = scaled.in_units(used, weights[:, None], np.array([mean]))
    loss = float((rows.weight * (rows.answers - found.of(rows)[:, 0]) ** 2).sum())
    if not found.is_finite or not loss < squares:
        return none
    return Model(tuple(found.columns.tolist()), found.weights, found.bias, loss, found.gaps)


def _gram(scaled: Scaled, y: Floats) -> tuple[Floats, Floats, float]:
    weighed = scaled.z * scaled.share[:, None]
    gram = np.einsum("ij,ik->jk", weighed, scaled.z) + RIDGE * np.eye(scaled.z.shape[1])
    return gram, np.einsum("ij,i->j", weighed, y), float((scaled.share * y * y).sum())


def _solved(scaled: Scaled, y: Floats, used: NDArray[np.int64]) -> Floats:
    gram, along, _ = _gram(scaled, y)
    return np.asarray(np.linalg.solve(gram[np.ix_(used, used)], along[used]), dtype=np.float64)


def _useful_columns(scaled: Scaled, y: Floats, n: float, most: int) -> NDArray[np.int64]:
    """Return the columns of the model of least adjusted error, on the way from all to none.

    `n` is the weight of the rows: one of weight 2 counts as two.
    """
    if n <= 3:
        return np.arange(0)
    gram, along, total = _gram(scaled, y)
    used = np.arange(len(along))
    best, found = total * (n + 1) / (n - 1), used[:0]
    while len(used):
        inverse = np.linalg.inv(gram[np.ix_(used, used)])
        weights = inverse @ along[used]
        error = max(total - float(along[used] @ weights), 0.0)
        v = len(used) + 1
        if len(used) <= most and v < n:
            adjusted = error * (n + v) / (n - v)
            if adjusted <= best:
                best, found = adjusted, used
        # what the error rises by when a column goes: w^2 / (inverse gram)_jj
        used = np.delete(used, int(np.argmin(weights**2 / np.diag(inverse))))
    return found
