"""Trees from trees: nodes made into leaves."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.tree.certificate import KEY as CERTIFICATE
from treewright.tree.fields import BY_NODE, EXTRAS, FIELDS

if TYPE_CHECKING:
    from treewright.tree.tree import Tree

Array = NDArray[Any]

GAP_SIDES = "gap_sides"  # in `about`: what is kept for policies for gaps, some of it node by node
_KEPT = ("n_rows", "stats", "label")
# What a node that asks nothing says.
_LEAF_VALUES = {name: row.leaf for name, row in BY_NODE.items() if name not in ("end", *_KEPT)}
_OF_WHOLE = (CERTIFICATE, "soft")  # what is said of all nodes as they were
_SURROGATES = ("column", "cut", "kind", "flip", "agreement", "adjusted")


def collapse(tree: Tree, nodes: int | Iterable[int]) -> Tree:
    """Return a new tree in which the given node, or each of the given nodes, is a leaf.

    Nodes below a given node go; a given node inside another goes with it. Remaining nodes keep their order
    and are numbered anew. A leaf may be given: nothing happens to it.

    >>> from treewright.tree.example import tennis
    >>> collapse(tennis(), 0).n_nodes, collapse(tennis(), [0, 1]).n_nodes, collapse(tennis(), 1).n_nodes
    (1, 1, 6)
    """
    chosen = node_ids(tree, nodes)
    # node     0 1 2 3 4 5 6 7      collapse 1 (end 4) and 5 (end 8)
    # mark     . . + . - . +    -   +1 after the node, -1 where it ends
    # depth    0 0 1 1 0 0 1 1      above 0: gone
    mark = np.zeros(tree.n_nodes + 1, dtype=np.int64)
    np.add.at(mark, chosen + 1, 1)
    np.add.at(mark, tree.end[chosen], -1)
    keep = np.cumsum(mark)[: tree.n_nodes] == 0
    if keep.all():
        return tree
    before = np.concatenate([[0], np.cumsum(keep)])
    kept = np.flatnonzero(keep)
    asks = ~tree.leaf_mask
    asks[chosen] = False
    return remaining(tree, kept, asks[kept], before[tree.end[kept]])


def remaining(tree: Tree, kept: Array, asks: Array, end: Array, **held: Array) -> Tree:
    """Return the tree of the nodes that are kept, ascending, where each still asks or is a leaf now.

    `end` is where each kept node ends among them. A kept node need not stand below the node it stood below:
    a branch may have taken the place of its parent. `held` gives `n_rows`, `stats`, `label`, `largest` of the
    kept nodes where they are no longer those of growth.

    >>> from treewright.tree.example import tennis
    >>> whole = tennis()  # the branch under Sunny takes the place of the root
    >>> part = remaining(whole, np.array([1, 2, 3]), np.array([True, False, False]), np.array([3, 2, 3]))
    >>> print(part.to_text())
    Humidity
    ├─ = High → No  (3 rows)
    └─ = Normal → Yes  (2 rows)
    """
    changed: dict[str, Any] = {name: getattr(tree, name)[kept] for name in _KEPT}
    for name, blank in _LEAF_VALUES.items():
        old = held.pop(name, getattr(tree, name)[kept])
        changed[name] = np.where(asks, old, np.asarray(blank, dtype=old.dtype))
    changed["end"] = end.astype(np.int32)
    changed["ledger"] = _renumbered(tree, kept)
    owned = _codes(tree, kept, asks) | _terms(tree, kept, asks) | _surrogates(tree, kept, asks)
    about = {key: said for key, said in tree.about.items() if key not in _OF_WHOLE}
    if GAP_SIDES in about:
        about[GAP_SIDES] = _of_nodes(about[GAP_SIDES], kept, asks)
    return alter(tree, about=about, **changed | owned | _models(tree, kept) | held)


def alter(tree: Tree, **changed: Any) -> Tree:
    """Return a tree with other fields, which the library made of the tree's own: nothing is checked again.

    Fields of any other origin are for the constructor: `dataclasses.replace(tree, ...)`.

    >>> from treewright.tree.example import tennis
    >>> alter(tennis(), about={**tennis().about, "prune": "by hand"}).about["prune"]
    'by hand'
    """
    fields = {
        name: getattr(tree, name) for name in (*FIELDS, "schema", "target", "about", "ledger")
    } | changed
    for name in EXTRAS:  # of no terms at all: as long as the tree
        if name.endswith("_start") and not np.size(fields[name.replace("start", "column")]):
            del fields[name]
    return type(tree).of_growth(**fields)


def node_id(tree: Tree, node: Any) -> int:
    """Return a node number as an int; an IndexError says which numbers there are."""
    if isinstance(node, (bool, np.bool_)):
        raise TypeError(f"A node is a whole number, found {node!r}.")
    try:
        i = operator.index(node)
    except TypeError:
        raise TypeError(f"A node is a whole number, found {node!r} ({type(node).__name__}).") from None
    if not 0 <= i < tree.n_nodes:
        raise IndexError(f"The tree has no node {i}; its nodes are 0 to {tree.n_nodes - 1}.")
    return i


def node_ids(tree: Tree, nodes: Any) -> NDArray[np.int64]:
    """Return one or many node numbers as a sorted array without repeats."""
    if isinstance(nodes, np.ndarray) and nodes.ndim == 1 and nodes.dtype.kind in "iu" and len(nodes):
        for extreme in (nodes.min(), nodes.max()):
            node_id(tree, extreme)
        return np.unique(nodes).astype(np.int64)
    is_one = not isinstance(nodes, Iterable) or isinstance(nodes, (str, bytes))
    if is_one or (isinstance(nodes, np.ndarray) and nodes.ndim == 0):
        nodes = [nodes]
    return np.unique(np.array([node_id(tree, i) for i in nodes], dtype=np.int64))


def _sliced(start: Array, chosen: Array) -> tuple[Array, Array]:
    """Return the new starts and the old positions when only `chosen` owners remain, in order."""
    sizes = np.diff(start)[chosen]
    new = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    positions = np.arange(new[-1]) + np.repeat(start[:-1][chosen] - new[:-1], sizes)
    return new, positions


def _codes(tree: Tree, kept: Array, asks: Array) -> dict[str, Array]:
    # Only nodes that still ask own codes; the others keep an empty slice.
    sizes = np.where(asks, np.diff(tree.code_start)[kept], 0)
    _, positions = _sliced(tree.code_start, kept[asks])
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return {"code_start": start, "code": tree.code[positions], "code_branch": tree.code_branch[positions]}


_TERMS = ("column", "weight", "form", "at")


def _terms(tree: Tree, kept: Array, asks: Array) -> dict[str, Array]:
    sizes = np.where(asks, np.diff(tree.term_start)[kept], 0)
    _, positions = _sliced(tree.term_start, kept[asks])
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return {
        "term_start": start,
        **{f"term_{name}": getattr(tree, f"term_{name}")[positions] for name in _TERMS},
    }


def _models(tree: Tree, kept: Array) -> dict[str, Array]:
    # Every node has one, so that a node made a leaf answers by its own.
    start, positions = _sliced(tree.model_start, kept)
    own = kept if tree.has_models else kept[:0]
    return {
        "model_start": start,
        "model_column": tree.model_column[positions],
        "model_weight": tree.model_weight[positions],
        "model_gap": tree.model_gap[positions],
        "model_bias": tree.model_bias[own],
        "model_loss": tree.model_loss[own],
    }


def _surrogates(tree: Tree, kept: Array, asks: Array) -> dict[str, Array]:
    sizes = np.where(asks, np.diff(tree.surrogate_start)[kept], 0)
    _, chosen = _sliced(tree.surrogate_start, kept[asks])
    code_start, positions = _sliced(tree.surrogate_code_start, chosen)
    changed = {f"surrogate_{name}": getattr(tree, f"surrogate_{name}")[chosen] for name in _SURROGATES}
    changed["surrogate_start"] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    changed["surrogate_code_start"] = code_start
    changed["surrogate_code"] = tree.surrogate_code[positions]
    changed["surrogate_code_branch"] = tree.surrogate_code_branch[positions]
    return changed


def _of_nodes(kept_by: Any, kept: Array, asks: Array) -> dict[str, Any]:
    """Return what is kept for each node, of the nodes that remain."""
    return {
        name: np.where(asks, np.array(of)[kept], -1).tolist() if isinstance(of, (list, tuple)) else of
        for name, of in kept_by.items()
    }


def _renumbered(tree: Tree, kept: Array) -> tuple[dict[str, Any], ...] | None:
    """Return the ledger of the nodes that remain, under their new numbers."""
    if tree.ledger is None:
        return None
    place = {node: new for new, node in enumerate(kept.tolist())}
    return tuple({**r, "node": place[r["node"]]} for r in tree.ledger if r["node"] in place)
