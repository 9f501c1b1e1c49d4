"""Error-based pruning (Quinlan 1993): C4.5's own, on the training rows, with subtrees that may be raised."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright import _core
from treewright.prune.counts import UnsuitableError, errors_under, need_plain, staying_stats
from treewright.prune.impossible import without_impossible
from treewright.prune.order import RAISING, need_free
from treewright.prune.reduced_error import largest_branches
from treewright.prune.sample import Sample, sample_of
from treewright.route.route import readable
from treewright.route.router import router
from treewright.table import Table, coded
from treewright.tree import Tree
from treewright.tree.edit import remaining

Floats = NDArray[np.float64]

# Confidence and deviation, joined by straight lines: the program has no normal distribution of its own.
Z_TABLE = (
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1.00, 0.00),
)


def error_based(
    tree: Tree,
    table: Table | Sample | None = None,
    *,
    confidence: float = 0.25,
    z: str = "table",
    raising: bool = True,
    slack: float = 0.1,
    weights: Any = None,
) -> Tree:
    """Return the tree that C4.5 keeps: subtrees give way to a leaf or to their largest branch.

    Every leaf is charged with the upper bound of its error at a confidence; from the leaves up, a node
    becomes a leaf, or its branch with most rows takes its place, where that is estimated to err no more
    (within `slack`) than the subtree.

    Args:
        tree: a tree for classes.
        table: the table it was grown on; not needed with `raising=False`.
        confidence: C4.5's -c; smaller prunes more.
        z: "table" as the program has it, or "exact" as Weka's J48 (confidence up to 0.5).
        raising: whether a branch may take the place of its parent.
        slack: errors by which a subtree must be better to stay.
        weights: of the rows, as they were in growing: a number each, or the name of a column.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="c4.5", min_branch=4, prune="none")
    >>> tree.n_leaves, tw.prune.error_based(tree, table).n_leaves
    (3, 1)
    """
    bound = _Bound.of(confidence, z)
    _check_tree(tree, slack)
    if not raising:
        return without_impossible(tree.collapse(_replaced(tree, bound, slack)))
    need_free(tree.about.get("monotone"), *RAISING)
    if table is None:
        raise ValueError(
            "error_based raises subtrees, for which it sends the training rows down again: "
            "give the table the tree was grown on, error_based(tree, table), or say raising=False."
        )
    sample = sample_of(tree, table, weights)
    _check_same_rows(tree, sample)
    return without_impossible(_rebuilt(tree, _raised(tree, sample, bound, slack)))


def error_estimate(tree: Tree, *, confidence: float = 0.25, z: str = "table") -> float:
    """Return the share of errors that C4.5 expects of a tree on rows it has not seen.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="c4.5")
    >>> f"{error_estimate(tree):.1%}"
    '38.5%'
    """
    bound = _Bound.of(confidence, z)
    _check_tree(tree, 0.0)
    total = float(tree.weights[0])
    return float(_estimates(tree, bound)[tree.leaf_ids].sum()) / total if total > 0 else 0.0


def extra_errors(
    n: ArrayLike, errors: ArrayLike, *, confidence: float = 0.25, z: str = "table"
) -> Floats | float:
    """Return the errors that C4.5 adds to those counted among n rows.

    >>> [round(extra_errors(n, e), 6) for n, e in ((6, 0), (16, 1), (14, 5))]
    [1.237797, 1.506894, 1.794993]
    >>> round(extra_errors(16, 1, z="exact"), 6)
    1.475715
    """
    rows, wrong = np.broadcast_arrays(np.asarray(n, dtype=np.float64), np.asarray(errors, dtype=np.float64))
    found = _Bound.of(confidence, z).extra(rows.ravel(), wrong.ravel()).reshape(rows.shape)
    return float(found) if found.ndim == 0 else found


@dataclass(frozen=True)
class _Bound:
    """The upper bound of an error rate, as the core takes it."""

    confidence: float
    z: float
    certain: float

    @classmethod
    def of(cls, confidence: Any, z: Any) -> _Bound:
        is_number = isinstance(confidence, (int, float, np.integer, np.floating))
        if not is_number or isinstance(confidence, bool) or not 0 < confidence <= 1:
            raise ValueError(f"confidence={confidence!r} must be above 0 and at most 1.")
        if z == "table":
            return cls(float(confidence), _table_z(float(confidence)), 0.67)
        if z != "exact":
            raise ValueError(f"z={z!r} is not one of 'table' (C4.5), 'exact' (J48).")
        if confidence > 0.5:
            raise ValueError(
                f"confidence={confidence!r} is above 0.5, where the exact bound lies below the errors "
                "counted. Use at most 0.5, or z='table'."
            )
        return cls(float(confidence), NormalDist().inv_cdf(1 - confidence), 1.0)

    def extra(self, n: Floats, errors: Floats) -> Floats:
        rows, wrong = np.ascontiguousarray(n), np.ascontiguousarray(errors)
        return _core.extra_errors(rows, wrong, self.confidence, self.z, self.certain)


def _table_z(confidence: float) -> float:
    for (low, above), (high, below) in pairwise(Z_TABLE):
        if confidence <= high:
            return above + (below - above) * (confidence - low) / (high - low)
    raise AssertionError("the table ends at 1")


def _check_tree(tree: Tree, slack: Any) -> None:
    need_plain(tree, "error_based")
    if not tree.is_classifier:
        raise UnsuitableError(
            f"error_based counts errors of classes; this tree predicts the number {tree.target.name!r}. "
            "Use cost_complexity or reduced_error."
        )
    if isinstance(slack, bool) or not isinstance(slack, (int, float)) or not 0 <= slack < math.inf:
        raise ValueError(f"slack={slack!r} must be a number of errors of at least 0.")


def _check_same_rows(tree: Tree, sample: Sample) -> None:
    if (sample.answers < 0).any():
        raise ValueError(
            f"The table has classes of {tree.target.name!r} that the tree never met; "
            "error_based needs the table the tree was grown on."
        )
    found, wanted = float(sample.weights.sum()), float(tree.weights[0])
    if not math.isclose(found, wanted, rel_tol=1e-6):
        raise ValueError(
            f"The rows of the table weigh {found:g}, those the tree was grown on {wanted:g}. error_based "
            "needs the same rows with the same weights (times those of the classes, if there were some)."
        )


def _estimates(tree: Tree, bound: _Bound) -> Floats:
    """Return for every node the errors expected of it as a leaf."""
    errors = tree.stats.copy()
    errors[np.arange(tree.n_nodes), tree.label] = 0.0
    wrong = errors.sum(axis=1)
    return np.asarray(wrong + bound.extra(tree.weights, wrong))


def _replaced(tree: Tree, bound: _Bound, slack: float) -> list[int]:
    """Return the nodes that a leaf replaces, from the statistics the tree keeps."""
    leaf, parent = _estimates(tree, bound).tolist(), tree.parents.tolist()
    below = errors_under(staying_stats(tree), tree.label).tolist()
    chosen = []
    for node in range(tree.n_nodes - 1, -1, -1):
        is_leaf = tree.kind[node] == 0
        if not is_leaf and leaf[node] <= below[node] + slack:
            chosen.append(node)
            is_leaf = True
        if is_leaf:
            below[node] = leaf[node]
        if node:
            below[parent[node]] += below[node]
    return chosen


def _raised(tree: Tree, sample: Sample, bound: _Bound, slack: float) -> dict[str, Any]:
    return _core.error_based(
        router(tree),
        readable(tree.schema, coded(tree.schema.columns, sample.columns)),
        np.ascontiguousarray(sample.answers, dtype=np.int32),
        np.ascontiguousarray(sample.weights, dtype=np.float64),
        tree.stats.shape[1],
        np.ascontiguousarray(tree.label),
        bound.confidence,
        bound.z,
        bound.certain,
        float(slack),
        True,
        [float(scale) for scale in tree.about.get("class_scale") or ()],
        [float(cost) for costs in tree.about.get("costs") or () for cost in costs],
    )


def _settled(weights: Floats, total: float) -> Floats:
    """Return sums of shares without their last digits, which depend on the order of the rows."""
    bits = 44 - math.frexp(total)[1]
    return np.ldexp(np.rint(np.ldexp(weights, bits)), -bits)


def _rebuilt(tree: Tree, left: dict[str, Any]) -> Tree:
    """Return the tree of the nodes that are left; where rows arrived by a raise, with what they hold now."""
    kept = left["node"].astype(np.int64)
    if len(kept) == tree.n_nodes:
        return tree
    is_changed = left["is_changed"].astype(bool)
    fresh = _settled(left["stats"].reshape(len(kept), -1), float(tree.weights[0]))
    stats = np.where(is_changed[:, None], fresh, tree.stats[kept])
    part = remaining(
        tree,
        kept,
        left["is_leaf"] == 0,
        left["end"],
        stats=stats,
        n_rows=np.where(is_changed, left["n_rows"], tree.n_rows[kept]),
        label=np.where(is_changed, left["label"], tree.label[kept]).astype(np.int32),
    )
    if not is_changed.any():
        return part
    largest = np.where(is_changed, largest_branches(part), part.largest).astype(np.int32)
    return remaining(part, np.arange(part.n_nodes), ~part.leaf_mask, part.end, largest=largest)
