"""From the nodes of a search to a Tree: the arrays that growth would have made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.growth.ahead.nodes import Node
from treewright.growth.ahead.problem import Asked
from treewright.growth.grower import tree_of
from treewright.growth.question import Question
from treewright.growth.shown import with_short_cuts
from treewright.measure.intervals import midpoints
from treewright.tree import Tree
from treewright.tree.check import CUT, VALUES
from treewright.tree.fields import GROWN


def tree_of_nodes(asked: Asked, root: Node) -> Tree:
    """Return the tree under a root."""
    nodes, parents, end = _preorder(root)
    arrays = _leaf_arrays(asked, nodes, parents)
    arrays["end"] = np.array(end, dtype=np.int32)
    codes: list[NDArray[Any]] = []
    for i, node in enumerate(nodes):
        codes.append(_set_test(asked, arrays, i, node) if node.branches else np.zeros((0, 2), dtype=np.int32))
    sizes = [len(each) for each in codes]
    arrays["code_start"] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    pairs = np.concatenate(codes).astype(np.int32)
    arrays["code"], arrays["code_branch"] = (np.ascontiguousarray(pairs[:, k]) for k in (0, 1))
    gaps = [bool((coded.codes < 0).any()) for coded in asked.coded]
    arrays["gaps"] = np.array(gaps, dtype=np.uint8)
    return with_short_cuts(tree_of(arrays, asked.question, asked.settings), asked.columns)


def _preorder(root: Node) -> tuple[list[Node], list[int], list[int]]:
    nodes: list[Node] = []
    parents: list[int] = []
    end: list[int] = []

    def visit(node: Node, parent: int) -> None:
        place = len(nodes)
        nodes.append(node)
        parents.append(parent)
        end.append(0)
        for branch in node.branches:
            visit(branch, place)
        end[place] = len(nodes)

    visit(root, -1)
    return nodes, parents, end


def _leaf_arrays(asked: Asked, nodes: list[Node], parents: list[int]) -> dict[str, Any]:
    """Return arrays in which every node is a leaf: what its rows amount to, as the core says it."""
    question = asked.question
    alone: list[dict[str, Any]] = []
    for node, parent in zip(nodes, parents, strict=True):
        if len(node.rows):
            alone.append(_leaf_of(question, node.rows))
        else:
            alone.append(_empty(alone[parent], question.is_classifier))
    found: dict[str, Any] = {"n_stats": alone[0]["n_stats"]}
    found |= {name: values[:0] for name, values in alone[0].items() if name.startswith("ledger_")}
    for name, row in GROWN.items():
        if row.length == "n":
            found[name] = np.concatenate([each[name] for each in alone])
        elif row.length == "n+1":
            found[name] = np.zeros(len(nodes) + 1, dtype=row.dtype)
        else:
            found[name] = alone[0][name][:0]
    found["surrogate_code_start"] = np.zeros(1, dtype=np.int64)
    return found


def _leaf_of(question: Question, rows: NDArray[np.int32]) -> dict[str, Any]:
    """Return the tree of one leaf that holds some rows."""
    answers, units, of_target = question.answers, question.units, question.of_target
    if question.criterion == "absolute_error":  # its leaves need all values: it is not open to verbs
        some = np.ascontiguousarray(answers[rows]), of_target, np.ascontiguousarray(units[rows])
        found: dict[str, Any] = _core.grow_numbers([], *some, question.criterion, question.core, None, None)
        return found
    make = _core.Growth.of_classes if question.is_classifier else _core.Growth.of_numbers
    # what a leaf holds depends on its loss alone, and not every criterion is open to verbs
    criterion = "squared_error" if question.criterion == "gaussian_entropy" else question.criterion
    growth = make([], answers, of_target, units, criterion, question.core, None)
    growth.add(growth.open(rows, np.ascontiguousarray(units[rows])))
    return growth.tree()


def _empty(parent: dict[str, Any], is_classifier: bool) -> dict[str, Any]:
    """Return a leaf without rows: it answers as its parent would."""
    stats = np.zeros_like(parent["stats"])
    if not is_classifier:
        stats[1] = parent["stats"][1]
    return parent | {"stats": stats, "n_rows": np.zeros(1, dtype=np.int64)}


def _set_test(asked: Asked, arrays: dict[str, Any], i: int, node: Node) -> NDArray[np.int32]:
    """Write the test of a node into the arrays, and return the categories it knows with their branches."""
    coded = asked.coded[node.column]
    heavy = [float(asked.weights[branch.rows].sum()) for branch in node.branches]
    largest = int(np.argmax(heavy))
    total = sum(heavy)
    spared = node.cost - sum(branch.cost for branch in node.branches)
    arrays["column"][i] = node.column
    arrays["largest"][i] = largest
    arrays["missing"][i] = largest if node.missing < 0 else node.missing
    # growth scores numbers below 1: the unit is put back with all that growth makes
    degree_unit = asked.unit if not asked.question.is_classifier else 1.0
    arrays["score"][i] = arrays["gain"][i] = max(0.0, spared) / total / degree_unit
    if coded.form == "cut":
        arrays["kind"][i] = CUT
        arrays["cut"][i] = _threshold(coded.codes[node.rows], coded.values, node.place)
        return np.zeros((0, 2), dtype=np.int32)
    arrays["kind"][i] = VALUES
    if coded.form == "each":
        known = np.arange(len(coded.values))
        return np.stack([known, known], axis=1).astype(np.int32)
    here = coded.codes[node.rows]
    known = np.unique(here[here >= 0])
    side = np.where(np.isin(known, node.left or ()), 0, 1)
    return np.stack([known, side], axis=1).astype(np.int32)


def _threshold(codes: NDArray[Any], values: NDArray[Any], place: int) -> float:
    """Return the cut half-way between the neighbours at the node; behind all values it is infinite."""
    below, above = codes[(codes >= 0) & (codes <= place)], codes[codes > place]
    if not len(above):
        return np.inf
    # only gaps may be on the left: then the cut lies below the smallest value there
    low, high = float(values[below.max() if len(below) else place]), float(values[above.min()])
    return float(midpoints(np.array([low]), np.array([high]))[0])
