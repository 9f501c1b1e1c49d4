"""Trees with tests on several columns: each grown node by node, and packed as the core packs its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.work import each
from treewright.forest import compact
from treewright.growth import Settings
from treewright.growth.question import Question

Array = NDArray[Any]
Arrays = dict[str, Any]


def several_grown(
    question: Question, values: tuple[Array, ...], settings: Settings, first: int, size: int, n_draws: int
) -> Arrays:
    """Return trees `first` up to first + size - 1 as the core returns those it has grown.

    Rows are drawn as for every forest, the columns of a node by hash of the seed, the tree, its path and
    their names.
    """
    from treewright.growth.projected import grow_projected  # on first use, as all that few forests need

    base = np.arange(len(values[0]) if values else 0)
    base = base if question.rows is None else base[question.rows]

    def one(number: int) -> Arrays:
        drawn = _of_tree(question, base, settings.seed, number, n_draws)
        own = replace(settings, tree=number, n_threads=1)
        return _unpacked(grow_projected(drawn, values, own, None), question.is_classifier)

    trees = each(one, range(first, first + size), settings.n_threads)
    found: Arrays = {"tree_start": np.cumsum([0, *(len(tree["end"]) for tree in trees)])}
    for name in trees[0]:
        parts = [tree[name] for tree in trees]
        found[name] = _continued(parts) if name.endswith("_start") else np.concatenate(parts)
    found["gaps"] = trees[0]["gaps"] if n_draws == 0 else _gaps(question, values)
    return found


def _of_tree(question: Question, base: Array, seed: int, number: int, n_draws: int) -> Question:
    """Return the question that the rows drawn for a tree put; a row drawn twice weighs twice."""
    if n_draws == 0:
        return question
    times = _core.bootstrap(seed % 2**64, number, len(base), n_draws)
    is_drawn = times > 0
    rows = np.zeros(int(base[-1]) + 1 if question.rows is None else len(question.rows), dtype=bool)
    rows[base[is_drawn]] = True
    units = (question.units * times)[is_drawn]
    return replace(question, rows=rows, units=units, answers=question.answers[is_drawn])


def _gaps(question: Question, values: tuple[Array, ...]) -> NDArray[np.uint8]:
    """Return by column whether any row lacks its value."""
    kept = values if question.rows is None else tuple(column[question.rows] for column in values)
    pairs = zip(question.schema.columns, kept, strict=True)
    return np.array([np.isnan(v).any() if c.is_numeric else (v < 0).any() for c, v in pairs], np.uint8)


def _unpacked(arrays: Arrays, is_classifier: bool) -> Arrays:
    """Return what a forest keeps of the arrays of one tree."""
    is_leaf = arrays["kind"] == compact.LEAF
    stats = arrays["stats"].reshape(-1, arrays["n_stats"])
    weight = stats.sum(axis=1) if is_classifier else stats[:, 0]
    found: Arrays = {name: arrays[name] for name in (*compact.WALKED, *compact.TERMS)}
    found |= {"gain": arrays["gain"], "gaps": arrays["gaps"]}
    found["leaf_label"], found["leaf_rows"] = arrays["label"][is_leaf], arrays["n_rows"][is_leaf]
    of_leaves = stats[is_leaf]
    if is_classifier:
        leaf, found["leaf_class"] = np.nonzero(of_leaves)
        found["leaf_weight"] = of_leaves[leaf, found["leaf_class"]]
        found["leaf_start"] = np.concatenate([[0], np.cumsum(np.count_nonzero(of_leaves, axis=1))])
    else:
        found["leaf_class"], found["leaf_weight"] = np.empty(0, np.int32), of_leaves.ravel()
        found["leaf_start"] = np.zeros(1, np.int64)
    found["importance"] = _importance(arrays, weight / weight[0])
    return found


def _importance(arrays: Arrays, share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by column what its tests take off the impurity of the root; a sum is shared by its terms."""
    n_columns = len(arrays["gaps"])
    worth = np.where(arrays["kind"] == compact.LEAF, 0.0, np.nan_to_num(arrays["gain"]) * share)
    n_terms = np.diff(arrays["term_start"])
    alone = np.where(n_terms == 0, worth, 0.0)
    found = np.bincount(np.maximum(arrays["column"], 0), alone, n_columns)
    of_term = np.repeat(worth / np.maximum(n_terms, 1), n_terms)
    return np.asarray(found + np.bincount(arrays["term_column"], of_term, n_columns))


def _continued(starts: list[Array]) -> NDArray[np.int64]:
    """Return where things begin, each counted on behind those of the trees before."""
    counts = [np.diff(start) for start in starts]
    return np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64)
