"""Models for all nodes of a tree, each fitted on the training rows that came there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.growth.modelled.linear import linear_model
from treewright.growth.modelled.logistic import logistic_model
from treewright.growth.modelled.model import Model, NodeRows
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.route.router import router
from treewright.table import Rows, coded
from treewright.tree import Tree, terms

Floats = NDArray[np.float64]
FITS = {"linear": linear_model, "logistic": logistic_model}


def with_models(tree: Tree, question: Question, rows: Rows, settings: Settings) -> Tree:
    """Return the tree with a model in every node, as `settings.leaves` says.

    A column with gaps among the rows of a node has its mean there, and what gaps add besides. A nominal
    column takes no part.
    """
    sorted_rows = _sorted(tree, question, rows)
    fit = FITS[settings.leaves]
    models = [
        fit(part, tree, node, settings)
        if part.n_rows
        else Model.none(tree.target, float(tree.stats[node, 1]))
        for node in range(tree.n_nodes)
        for part in (sorted_rows.of(tree, node),)
    ]
    return replace(tree, **_arrays(models, tree))


class _Sorted(NamedTuple):
    """The training rows in the order of the leaves they came to: the rows of a node lie side by side."""

    leaf: NDArray[np.int64]
    columns: list[Floats | None]  # by place; None for a nominal column
    answers: NDArray[Any]
    weight: Floats

    def of(self, tree: Tree, node: int) -> NodeRows:
        span = slice(*np.searchsorted(self.leaf, [node, int(tree.end[node])]).tolist())
        columns = {i: c[span] for i, c in enumerate(self.columns) if c is not None}
        return NodeRows(columns, self.answers[span], self.weight[span])


def _sorted(tree: Tree, question: Question, rows: Rows) -> _Sorted:
    kept = slice(None) if question.rows is None else question.rows
    values = tuple(coded(tree.schema.columns, rows.columns)) if tree.schema.binned else rows.columns
    cells = [
        np.ascontiguousarray(v[kept], dtype=np.float64 if c.is_numeric else np.int32)
        for c, v in zip(tree.schema.columns, values, strict=True)
    ]
    y = rows.answers[kept]
    weight = question.units * question.core.weight_unit
    node, part_row, part_node, part_weight = router(tree).route(cells, len(y))
    whole = np.ones(len(y), dtype=bool)
    whole[part_row] = False
    row = np.concatenate([np.flatnonzero(whole), part_row])
    leaf = np.concatenate([node[whole], part_node]).astype(np.int64)
    share = np.concatenate([np.ones(int(whole.sum())), part_weight])
    # By leaf, then by all that a row holds: the order of the table must not matter, in no digit.
    keys = [np.asarray(column, dtype=np.float64)[row] for column in cells]
    order = np.lexsort((share, weight[row], y[row], *reversed(keys), leaf))
    row = row[order]
    columns = [
        terms.values_of(column, cell[row]) if terms.is_ordered(column) else None
        for column, cell in zip(tree.schema.columns, cells, strict=True)
    ]
    return _Sorted(leaf[order], columns, y[row], (weight[row] * share[order]))


def _arrays(models: list[Model], tree: Tree) -> dict[str, Any]:
    width = terms.model_width(tree.target)
    sizes = [len(model.columns) for model in models]
    columns = [np.array(model.columns, dtype=np.int32) for model in models]
    return {
        "model_start": np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        "model_column": np.concatenate(columns).astype(np.int32),
        "model_weight": np.concatenate(
            [model.weights.reshape(len(model.columns), width) for model in models]
        ),
        "model_gap": np.concatenate([model.gaps.reshape(len(model.columns), width) for model in models]),
        "model_bias": np.stack([model.bias for model in models]),
        "model_loss": np.array([model.loss for model in models]),
    }
