"""Which nodes a picture shows: those that fit, most rows first; the others are folded and counted."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np

from treewright.tree import Tree

_FEWER = (24, 16, 12, 8, 5, 3, 2)  # branches to show, tried in turn where all are too many
_PATIENCE = 24  # nodes in a row that do not fit, after which no more are tried


@dataclass(frozen=True)
class Item:
    """One place in a picture: a leaf, an open node, a folded node, or the bundled rest of its branches."""

    node: int  # of a bundle: the node whose branches it holds
    parent: int  # the place of the item above; -1 at the root
    how: str  # "leaf", "open", "folded" or "bundle"
    members: tuple[int, ...]  # the nodes it stands for


View = tuple[Item, ...]
Opened = Mapping[int, tuple[int, ...]]  # open node -> the children that are shown


def view(
    tree: Tree,
    fits: Callable[[View], bool],
    max_depth: int | None = None,
    most: float = math.inf,
    first: Collection[int] = (),
) -> View:
    """Return the largest view that fits, opened node by node: those in `first`, then the heaviest.

    The root is always there, even where it does not fit. No more than `most` items can fit: a tree with more
    is not even tried as a whole.

    >>> from treewright.tree.example import tennis
    >>> [(item.node, item.how) for item in view(tennis(), lambda items: len(items) <= 6)]
    [(0, 'open'), (1, 'open'), (2, 'leaf'), (3, 'leaf'), (4, 'leaf'), (5, 'folded')]
    """
    deepest = tree.n_nodes if max_depth is None else max_depth
    is_inner = ~tree.leaf_mask & (tree.depths < deepest)
    if int((tree.depths <= deepest).sum()) <= most:
        whole = items(tree, {i: tree.children(i) for i in np.flatnonzero(is_inner).tolist()})
        if fits(whole):
            return whole
    opened: dict[int, tuple[int, ...]] = {}
    waiting = [(0 not in first, -float(tree.weights[0]), 0)] if is_inner[0] else []
    failed = 0
    while waiting and failed < _PATIENCE:
        *_, node = heapq.heappop(waiting)
        shown = _largest_that_fits(tree, opened, node, tree.children(node), fits, first)
        failed = 0 if shown else failed + 1
        if shown:
            opened[node] = shown
            for child in shown:
                if is_inner[child]:
                    heapq.heappush(waiting, (child not in first, -float(tree.weights[child]), child))
    return items(tree, opened)


def _largest_that_fits(
    tree: Tree,
    opened: Opened,
    node: int,
    children: tuple[int, ...],
    fits: Callable[[View], bool],
    first: Collection[int],
) -> tuple[int, ...]:
    """Return as many children as fit, the heaviest, in branch order; none where not even two do."""
    by_weight = sorted(children, key=lambda child: (child not in first, -float(tree.weights[child]), child))
    for most in (len(children), *(m for m in _FEWER if m < len(children) - 1)):
        shown = tuple(sorted(by_weight[:most]))
        if fits(items(tree, {**opened, node: shown})):
            return shown
    return ()


def items(tree: Tree, opened: Opened) -> View:
    """Return the items of a view in preorder; a bundle comes last among its siblings.

    >>> from treewright.tree.example import tennis
    >>> [(item.node, item.parent, item.how, item.members) for item in items(tennis(), {0: (1, 4)})]
    [(0, -1, 'open', (0,)), (1, 0, 'folded', (1,)), (4, 0, 'leaf', (4,)), (0, 0, 'bundle', (5,))]
    """
    found: list[Item] = []
    waiting: list[tuple[int, int, tuple[int, ...]]] = [(0, -1, ())]  # node, parent's place, bundled children
    while waiting:
        node, parent, bundled = waiting.pop()
        if bundled:
            found.append(Item(node, parent, "bundle", bundled))
            continue
        shown = opened.get(node, ())
        how = "open" if shown else "leaf" if tree.end[node] == node + 1 else "folded"
        place = len(found)
        found.append(Item(node, parent, how, (node,)))
        if shown:
            hidden = tuple(child for child in tree.children(node) if child not in shown)
            if hidden:
                waiting.append((node, place, hidden))
            waiting += [(child, place, ()) for child in reversed(shown)]
    return tuple(found)
