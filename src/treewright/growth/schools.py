"""What a tree keeps for policies for gaps beside its own: the side of gaps by school, and surrogates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.growth.question import counted_weights, question_of
from treewright.growth.settings import Settings
from treewright.growth.surrogates import with_every_surrogate
from treewright.table import ClassTerms, Rows, coded
from treewright.tree import Tree, terms
from treewright.tree.check import CUT, SUM
from treewright.tree.edit import GAP_SIDES as KEY
from treewright.tree.edit import alter
from treewright.tree.policy import GAPS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def with_schools(tree: Tree, rows: Rows, settings: Settings, of_classes: ClassTerms) -> Tree:
    """Return the tree with what `schools` asks it to keep, found on the rows it was grown on.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4, None], "z": [1, 2, 1, 2, 1], "y": list("aabba")})
    >>> tree = tw.grow(table, target="y", missing="fractional", schools="all", max_depth=1)
    >>> tree.about["gap_sides"]["learned"]
    [0, -1, -1]
    """
    if settings.schools == "own" or tree.n_nodes == 1:
        return tree
    columns = coded(tree.schema.columns, list(rows.columns))
    weights = counted_weights(rows, settings, of_classes.class_weight)
    counted = np.ones(rows.n_rows) if weights is None else np.asarray(weights)
    found: dict[str, Any] = {
        school: _sides(tree, columns, rows.answers, counted, school).tolist()
        for school in ("learned", "most_common")
    }
    if settings.schools == "all":
        found["surrogates"] = True
        if GAPS[settings.missing].way != "surrogate":
            style = replace(settings, missing="surrogate")
            tree = with_every_surrogate(tree, question_of(rows, style, of_classes), style)
    return alter(tree, about={**tree.about, KEY: found})


def branches(tree: Tree, node: int, columns: Sequence[NDArray[Any]], rows: Ints) -> Ints:
    """Return the branch that rows take at a node by their values; -1 where the test has no answer.

    >>> import treewright as tw
    >>> tree = tw.grow({"x": [1, 2, 3, None], "y": ["a", "b", "b", "b"]}, "y")
    >>> branches(tree, 0, [np.array([0.0, 9.0, np.nan])], np.arange(3)).tolist()
    [0, 1, -1]
    """
    if tree.kind[node] == SUM:
        span = slice(int(tree.term_start[node]), int(tree.term_start[node + 1]))
        pairs = zip(tree.term_column[span].tolist(), tree.term_weight[span].tolist(), strict=True)
        parts = [(terms.values_of(tree.schema.columns[c], columns[c][rows]), w) for c, w in pairs]
        total = terms.sums_of(parts)
        return np.where(np.isnan(total), -1, (total > tree.cut[node]).astype(np.int64))
    column, cells = tree.schema.columns[tree.column[node]], columns[tree.column[node]][rows]
    known = ~np.isnan(cells) if column.is_numeric else cells >= 0
    if tree.kind[node] == CUT:
        return np.where(known, (cells > tree.cut[node]).astype(np.int64), -1)
    span = slice(int(tree.code_start[node]), int(tree.code_start[node + 1]))
    codes, branch = tree.code[span], tree.code_branch[span].astype(np.int64)
    place = np.minimum(np.searchsorted(codes, cells), max(len(codes) - 1, 0))
    is_known = known & (codes[place] == cells) if len(codes) else np.zeros(len(rows), dtype=bool)
    return np.where(is_known, branch[place] if len(codes) else -1, -1)


def _sides(
    tree: Tree, columns: Sequence[NDArray[Any]], answers: NDArray[Any], weights: Floats, school: str
) -> Ints:
    """Return the branch of gaps at each node, where rows go by the same school; -1 where none came."""
    found = np.full(tree.n_nodes, -1, dtype=np.int64)
    at: list[Ints | None] = [None] * tree.n_nodes
    at[0] = np.flatnonzero(weights > 0)
    choose = _SIDES[school]
    for node in range(tree.n_nodes):
        here, at[node] = at[node], None
        if here is None or tree.kind[node] == 0:
            continue
        children = tree.children(node)
        branch = branches(tree, node, columns, here)
        if school == "most_common" or (branch < 0).any():
            found[node] = choose(tree, node, columns, here, branch, answers, weights)
        side = found[node] if found[node] >= 0 else int(tree.largest[node])
        went = np.where(branch < 0, side, branch)
        for b, child in enumerate(children):
            at[child] = here[went == b]
    return found


def _best_side(
    tree: Tree,
    node: int,
    columns: Sequence[NDArray[Any]],  # noqa: ARG001
    here: Ints,
    branch: Ints,
    answers: NDArray[Any],
    weights: Floats,
) -> int:
    """Return the branch whose impurity, with all gaps in it, adds up to the least; the heavier on ties."""
    n = len(tree.children(node))
    own = _sums(tree, answers, weights, here, branch, n)
    gaps = _sums(tree, answers, weights, here, np.where(branch < 0, 0, -1), 1)[0]
    alone = _impurity(tree, own)
    rise = _impurity(tree, own + gaps) - alone
    heavy = own[:, :-1].sum(axis=1) if tree.is_classifier else own[:, 0]
    slack = 1e-12 * (1.0 + float(np.abs(alone).sum()))
    near = np.flatnonzero(rise <= rise.min() + slack)
    return int(near[np.argmax(heavy[near])])


def _sums(tree: Tree, answers: NDArray[Any], weights: Floats, here: Ints, branch: Ints, n: int) -> Floats:
    """Return class weights, and a 0, by branch; of numbers weight, sum and sum of squares."""
    inside = branch >= 0
    rows, of, weight = here[inside], branch[inside], weights[here[inside]]
    if tree.is_classifier:
        k = len(tree.classes) + 1
        return np.bincount(of * k + answers[rows], weight, n * k).reshape(n, k).astype(np.float64)
    middle = float(tree.stats[0, 1])
    powers = [(answers[rows] - middle) ** power for power in range(3)]
    return np.column_stack([np.bincount(of, weight * power, n) for power in powers])


def _impurity(tree: Tree, sums: Floats) -> Floats:
    """Return weight times impurity: entropy where the tree was grown by it, else gini; squared errors."""
    if not tree.is_classifier:
        weight, first, second = sums.T
        return np.asarray(second - np.divide(first**2, weight, out=np.zeros_like(first), where=weight > 0))
    scale = np.asarray(tree.about.get("class_scale") or [1.0] * len(tree.classes), dtype=np.float64)
    counts = sums[:, :-1] * scale
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    if str(tree.about.get("criterion")) in ("entropy", "gain_ratio"):
        logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
        return np.asarray(-(counts * logs).sum(axis=1))
    return np.asarray((counts * (1.0 - share)).sum(axis=1))


def _common_side(
    tree: Tree,
    node: int,
    columns: Sequence[NDArray[Any]],
    here: Ints,
    branch: Ints,
    answers: NDArray[Any],  # noqa: ARG001
    weights: Floats,
) -> int:
    """Return the branch of the node's most common category, or of its lower median; -1 of nothing known."""
    known = branch >= 0
    if not known.any():
        return -1
    weight = weights[here[known]]
    if tree.kind[node] == SUM:  # the lower median of a sum is on its heavier side
        return int(np.argmax(np.bincount(branch[known], weight)))
    cells = columns[tree.column[node]][here[known]]
    values, place = np.unique(cells, return_inverse=True)
    of_value = np.bincount(place, weight)
    if tree.schema.columns[tree.column[node]].is_numeric:
        chosen = int(np.searchsorted(np.cumsum(of_value), of_value.sum() / 2 - 1e-9))
    else:
        chosen = int(np.argmax(of_value))
    return int(branch[known][np.flatnonzero(cells == values[chosen])[0]])


_SIDES: Mapping[str, Any] = {"learned": _best_side, "most_common": _common_side}
