"""A tree as it divides the plane: the same rows after no split, after the first, the second, and so on."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from treewright.base.numbers import count
from treewright.draw import answering
from treewright.draw.boundary import boundary
from treewright.paint import Panels
from treewright.paint.files import delivered, form_of
from treewright.tree import Tree

FEW = (0, 1, 2, 3, 5, 8)
_MOST = 12  # pictures on a page


def partitions(
    model: Any,
    X: Any,
    y: Any,
    *,
    splits: Iterable[int] | None = None,
    path: str | os.PathLike[str] | None = None,
    ax: Any = None,
    background: str = "auto",
    title: str | None = None,
) -> Panels:
    """Return pictures of a tree after 1, 2, ... splits: each divides one region of the picture before it.

    The splits come in the order of what they gain: first the root's, then always the one that takes most off
    the impurity of all rows.

    Args:
        model: a tree, or a fitted estimator that has one, of one or two columns.
        X: the rows, with those columns.
        y: the classes or the numbers of the rows.
        splits: after how many splits to show it; 0, 1, 2, 3, 5, 8 and all if not given.
        path: where to save it: .svg, .pdf, .png or .txt.
        ax: matplotlib's axes to draw on as well.
        background: as in `boundary`.
        title: above all pictures.

    >>> import treewright as tw
    >>> X, y = tw.Table.from_dict({"a": [1, 2, 3, 4.0], "b": [1, 2, 1, 2.0]}), ["n", "p", "n", "n"]
    >>> [chart.title for chart in partitions(tw.DecisionTreeClassifier().fit(X, y), X, y).charts]
    ['no split', '1 split', '2 splits']
    """
    if path is not None:
        form_of(path)
    tree = answering.tree_of(model)
    if tree is None:
        raise TypeError(
            f"partitions draws a tree that tests one column at a time; a {type(model).__name__} is none."
        )
    order = split_order(tree)
    wanted = _wanted(splits, len(order))
    charts = []
    for n in wanted:
        chart = boundary(first_splits(tree, order, n), X, y, background=background)
        charts.append(replace(chart, title=count(n, "split") if n else "no split"))
    name = title if title is not None else f"{tree.target.name} by {', '.join(tree.schema.names)}"
    return delivered(Panels(name, tuple(charts)), path, ax)  # type: ignore[no-any-return]


def split_order(tree: Tree) -> list[int]:
    """Return the nodes with a test in the order of what they gain, none before the node above it.

    >>> from treewright.tree.example import tennis
    >>> split_order(tennis())
    [0, 1, 5]
    """
    open_nodes = [] if tree.leaf_mask[0] else [0]
    gain = np.nan_to_num(np.asarray(tree.gain, dtype=np.float64)) * np.asarray(tree.weights, dtype=np.float64)
    found = []
    while open_nodes:
        best = max(open_nodes, key=lambda node: (gain[node], -node))
        open_nodes.remove(best)
        found.append(best)
        open_nodes += [node for node in tree.children(best) if not tree.leaf_mask[node]]
    return found


def first_splits(tree: Tree, order: list[int], n: int) -> Tree:
    """Return the tree with the first n tests of an order.

    >>> from treewright.tree.example import tennis
    >>> first_splits(tennis(), [0, 1, 5], 2).n_leaves
    4
    """
    return tree if n >= len(order) else tree.collapse(order[n:])


def _wanted(splits: Iterable[int] | None, n: int) -> list[int]:
    if splits is None:
        return [*(k for k in FEW if k < n), n]
    found = sorted({int(k) for k in splits})
    if not found or found[0] < 0:
        raise ValueError(f"splits={splits!r}: numbers of splits from 0 up, at least one.")
    shown = sorted({min(k, n) for k in found})
    if len(shown) > _MOST:
        raise ValueError(f"splits has {len(shown)} numbers; {_MOST} pictures are the most on a page.")
    return shown
