"""The arrays of a tree with the subtrees that were grown elsewhere in the place of leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright.tree.fields import BY_NODE

_OF_NODE = tuple(name for name in BY_NODE if name not in ("end", "stats"))  # one number a node, to be moved


def preorder(children: Mapping[int, tuple[int, int]]) -> dict[int, int]:
    """Return the place of each node in preorder; `children` has the first child and the number of them.

    >>> preorder({0: (1, 2), 1: (3, 2)})
    {0: 0, 1: 1, 3: 2, 4: 3, 2: 4}
    """
    place: dict[int, int] = {}
    stack = [0]
    while stack:
        node = stack.pop()
        place[node] = len(place)
        first, n = children.get(node, (0, 0))
        stack.extend(reversed(range(first, first + n)))
    return place


def grafted(tree: Mapping[str, Any], subtrees: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the tree with a subtree in the place of each leaf named; no node has surrogates or a ledger."""
    n = len(tree["end"])
    pieces: list[tuple[Mapping[str, Any], int, int]] = []  # a tree, and from which node to which
    at = 0
    for leaf in sorted(subtrees):
        pieces += [(tree, at, leaf), (subtrees[leaf], 0, len(subtrees[leaf]["end"]))]
        at = leaf + 1
    pieces.append((tree, at, n))
    found = dict(tree)
    for name in _OF_NODE:
        found[name] = np.concatenate([part[name][a:b] for part, a, b in pieces])
    width = tree["n_stats"]
    found["stats"] = np.concatenate([part["stats"][a * width : b * width] for part, a, b in pieces])
    sizes = np.concatenate([np.diff(part["code_start"])[a:b] for part, a, b in pieces])
    found["code_start"] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    for name in ("code", "code_branch"):
        cut = [part[name][part["code_start"][a] : part["code_start"][b]] for part, a, b in pieces]
        found[name] = np.concatenate(cut)
    for name in [name for name in tree if name.startswith("surrogate_")]:
        found[name] = tree[name][: 1 if name.endswith("_start") else 0]
    found["surrogate_start"] = np.zeros(len(sizes) + 1, dtype=np.int64)
    found["end"] = _ends(tree, subtrees)
    return found


def _ends(tree: Mapping[str, Any], subtrees: Mapping[int, Mapping[str, Any]]) -> Any:
    n = len(tree["end"])
    size = np.ones(n, dtype=np.int64)
    for leaf, sub in subtrees.items():
        size[leaf] = len(sub["end"])
    start = np.concatenate([[0], np.cumsum(size)])
    ends = np.zeros(start[-1], dtype=np.int32)
    ends[start[:-1]] = start[tree["end"]]
    for leaf, sub in subtrees.items():
        ends[start[leaf] : start[leaf + 1]] = sub["end"] + start[leaf]
    return ends
