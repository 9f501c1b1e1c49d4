"""From leaves to answers: labels, probabilities, means."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.predict import model
from treewright.predict.calibration import calibrated
from treewright.predict.model import Columns
from treewright.predict.smoothing import shares
from treewright.route import Routed, route_columns, route_table
from treewright.table import Table, align, coded, table_of, warn_unseen
from treewright.tree import Tree
from treewright.tree.policy import unseen_policy
from treewright.tree.schools import with_policy
from treewright.tree.weights import ClassWeights

Floats = NDArray[np.float64]


def predict(tree: Tree, table: Any, n_threads: int = 1, *, missing: str | None = None) -> NDArray[Any]:
    """Return the predicted class names (an array of str), or numbers, one per row.

    `missing` asks the tree with another policy for gaps than its own, where it holds what that needs.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> tree.predict(table)[:4].tolist()
    ['No', 'No', 'Yes', 'Yes']
    """
    tree = with_policy(tree, missing)
    table, columns = aligned(tree, table, "predict")
    routed = route_columns(tree, columns, table.n_rows, n_threads)
    if not tree.is_classifier:
        return values(tree, routed, columns)
    return np.array(tree.classes, dtype=object).take(labels(tree, routed, columns))


def aligned(tree: Tree, data: Any, who: str) -> tuple[Table, list[NDArray[Any]]]:
    """Return data as a table, and its columns in the tree's codes; new categories are told of once.

    >>> from treewright.tree.example import tennis
    >>> rows = {"Outlook": ["Sunny"], "Temperature": ["Hot"], "Humidity": ["High"], "Wind": ["Weak"]}
    >>> [column.tolist() for column in aligned(tennis(), rows, "predict")[1]]
    [[0], [0], [0], [1]]
    """
    table = table_of(data, tree.schema.columns, who)
    columns = align(table, tree.schema.columns)
    warn_unseen(
        table, tree.schema.columns, columns, tree.used_columns.tolist(), unseen_policy(tree.about).sentence
    )
    return table, columns


def predict_proba(
    tree: Tree,
    table: Any,
    probabilities: str | None = None,
    n_threads: int = 1,
    *,
    missing: str | None = None,
) -> Floats:
    """Return class probabilities, one row each, columns in the order of `tree.classes`.

    `probabilities` is "raw" (shares in the leaf), "laplace" ((n + 1) / (N + k)), "m_estimate" (of m = 2;
    "m_estimate:8"), "c5.0" (of m = 1) or "hierarchical" (shrunk along the path; "hierarchical:25"). None is
    the tree's own: raw, unless it was made otherwise, and calibrated where `tw.evaluate.calibrate` was asked.
    `missing` is as in `predict`.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tw.grow(table, target="PlayTennis", recipe="stump").predict_proba(table)[0].round(3).tolist()
    [0.429, 0.571]
    """
    if not tree.is_classifier:
        raise ValueError(f"The tree predicts the number {tree.target.name!r}; probabilities are for classes.")
    tree = with_policy(tree, missing)
    table, columns = aligned(tree, table, "predict_proba")
    return own_chances(tree, route_columns(tree, columns, table.n_rows, n_threads), probabilities, columns)


def leaves(tree: Tree, table: Any, n_threads: int = 1, *, missing: str | None = None) -> NDArray[np.int32]:
    """Return the node each row ends in: a leaf, or the node where it stopped; the heaviest if it was divided.

    `missing` is as in `predict`.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tw.grow(table, target="PlayTennis", recipe="stump").leaves(table)[:3].tolist()
    [1, 1, 1]
    """
    return route_table(with_policy(tree, missing), table, n_threads).node


def values(tree: Tree, routed: Routed, columns: Columns | None = None) -> Floats:
    """Return the mean of each row's leaf (of its parts, by weight), or what the leaf's model says.

    A tree with models looks at the `columns` again, those that were routed.

    >>> import treewright as tw
    >>> from treewright.predict import route_table
    >>> table = tw.Table.from_dict({"x": [1, 2, 3], "y": [5, 7, 9]})
    >>> tree = tw.grow(table, target="y", max_depth=1)
    >>> values(tree, route_table(tree, table))
    array([5., 8., 8.])
    """
    if tree.has_models:
        row, node = routed.pairs()
        return routed.sums_of_pairs(model.means(tree, _needed(tree, columns), row, node))
    if _is_few(tree, routed):
        return np.asarray(tree.stats[routed.node, 1])
    return routed.sums(np.ascontiguousarray(tree.stats[:, 1]))


def _needed(tree: Tree, columns: Columns | None) -> Columns:
    """Return the columns in the tree's codes, for its models."""
    if columns is None:
        raise ValueError("The tree answers with models, which look at the columns again: give them too.")
    if not tree.schema.binned:
        return columns
    return coded(tree.schema.columns, list(columns.T) if isinstance(columns, np.ndarray) else columns)


def chances(tree: Tree, routed: Routed, probabilities: str = "raw", columns: Columns | None = None) -> Floats:
    """Return the class probabilities of each row: of its leaf, or of its parts by weight.

    A tree with models looks at the `columns` again; `probabilities` is about leaves without one.

    >>> import treewright as tw
    >>> from treewright.predict import route_table
    >>> table = tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "a"]})
    >>> tree = tw.grow(table, target="y", max_depth=1)
    >>> chances(tree, route_table(tree, table)).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.5, 0.5]]
    """
    if tree.has_models:
        row, node = routed.pairs()
        plain = shares(tree, probabilities, node.astype(np.int32))
        return routed.sums_of_pairs(model.chances(tree, _needed(tree, columns), row, node, plain))
    if _is_few(tree, routed):
        return shares(tree, probabilities, routed.node)
    return routed.sums(shares(tree, probabilities))


def own_chances(
    tree: Tree, routed: Routed, probabilities: str | None = None, columns: Columns | None = None
) -> Floats:
    """Return the class probabilities of each row by an estimate; None: the tree's own, calibrated if it is.

    >>> import treewright as tw
    >>> from treewright.predict import route_table
    >>> tree = tw.grow({"x": [1, 2, 3], "y": ["a", "b", "a"]}, "y", max_depth=1)
    >>> own_chances(tree, route_table(tree, {"x": [1]})).tolist()
    [[1.0, 0.0]]
    """
    if probabilities is not None:
        return chances(tree, routed, probabilities, columns)
    own = chances(tree, routed, str(tree.about.get("probabilities", "raw")), columns)
    return calibrated(tree.about, own)


def _is_few(tree: Tree, routed: Routed) -> bool:
    """Whether it is less work to look at the node of each row than at every node."""
    is_less = len(routed.node) < tree.n_nodes or isinstance(tree.stats, ClassWeights)
    return is_less and not len(routed.part_row)


def labels(tree: Tree, routed: Routed, columns: Columns | None = None) -> NDArray[np.int32]:
    """Return class numbers: the leaf's label, or of a divided row the class with most weight.

    A tree with models looks at the `columns` again.
    """
    if tree.has_models:
        return _modelled_labels(tree, routed, _needed(tree, columns))
    return labels_of_nodes(tree, routed)


def _modelled_labels(tree: Tree, routed: Routed, columns: Columns) -> NDArray[np.int32]:
    found = cheapest(tree, chances(tree, routed, "raw", columns))
    _, says = model.sums(tree, columns, *routed.pairs())
    if not says.all():  # rows that no model speaks of get the label of their leaf
        row, _ = routed.pairs()
        silent = np.ones(len(routed.node), dtype=bool)
        silent[row[says]] = False
        plain = labels_of_nodes(tree, routed)
        found[silent] = plain[silent]
    return found


def labels_of_nodes(tree: Tree, routed: Routed) -> NDArray[np.int32]:
    """Return class numbers by the nodes alone, whatever their models say."""
    found: NDArray[np.int32] = tree.label.take(routed.node)
    if len(routed.part_row):
        divided = np.unique(routed.part_row)
        found[divided] = cheapest(tree, routed.sums(shares(tree, "raw"))[divided])
    return found


def cheapest(tree: Tree, votes: Floats) -> NDArray[np.int32]:
    """Return the class of most votes, or of least cost; the first where they are equal but for rounding."""
    costs, slack = tree.about.get("costs"), 1e-12
    if costs is not None:
        prices = np.asarray(costs, dtype=np.float64)
        votes, slack = -(votes @ prices), slack * max(1.0, float(prices.max()))
    found = np.argmax(votes >= votes.max(axis=1, keepdims=True) - slack, axis=1)
    return np.asarray(found, dtype=np.int32)


def labels_held(tree: Tree) -> NDArray[np.int32]:
    """Return the class that every node says by what it holds; one that holds nothing keeps its own.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 2], "y": ["b", "a", "b"]}), target="y")
    >>> labels_held(tree).tolist(), tree.label.tolist()
    ([1, 1, 0], [1, 1, 0])
    """
    return np.where(tree.weights > 0, cheapest(tree, shares(tree)), tree.label).astype(np.int32)
