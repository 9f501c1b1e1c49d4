"""The arrays of many trees in the smallest dtypes that hold them, and back to those of growth.

Nodes lie tree after tree, each in preorder, and know their tree's own root as 0. Where growth keeps where
things start, this keeps how many there are: a byte in place of eight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.tree import fields as tree_fields
from treewright.tree.check import SUM
from treewright.tree.fields import ROUTED

Array = NDArray[Any]
Arrays = Mapping[str, Array]

# The arrays of a tree that walking rows down looks at; those of tests on several columns apart.
TERMS: tuple[str, ...] = tuple(name for name in ROUTED if name.startswith("term_"))
WALKED: tuple[str, ...] = tuple(name for name in ROUTED if name not in TERMS)
_OWNERS = {
    "n": "node",
    "code": "code",
    "surrogate_column": "surrogate",
    "surrogate_code": "surrogate_code",
    "term_column": "term",
}


def _row(name: str) -> tuple[str, tuple[str, str]]:
    """Return a field of trees as it is kept here: where things start as how many there are."""
    field = tree_fields.FIELDS[name]
    owner = _OWNERS[field.length.removesuffix("+1")]
    if name.endswith("_start"):
        return _count(name), ("i", owner)
    return name, ("f" if field.dtype is np.float64 else "i", "cut" if name == "cut" else owner)


def _count(start: str) -> str:
    return start.removesuffix("_start") + "_count"


# field -> kind of number, and what there is one of; "tree" and "importance" are as wide as they say, and
# there is a cut of nodes that cut a column or a sum only.
FIELDS: dict[str, tuple[str, str]] = {
    "tree_size": ("i", "tree"),  # nodes
    **dict(map(_row, WALKED)),
    "gain": ("f", "gain"),  # of inner nodes, where the leaves do not tell it (one.py); else none
    "leaf_rows": ("i", "leaf"),
    "leaf_label": ("i", "leaf"),
    "leaf_count": ("i", "leaf"),  # of its classes
    "leaf_class": ("i", "entry"),
    "leaf_weight": ("f", "entry"),  # of a class in a leaf; for numbers, of the leaf
    "leaf_mean": ("f", "number"),  # for numbers only, one a leaf
    "leaf_squares": ("f", "number"),
    **dict(map(_row, TERMS)),  # of tests on several columns; all empty where no tree has one
    "importance": ("f", "importance"),  # trees x columns
}
_TERM_FIELDS = tuple(name for name in FIELDS if name.startswith("term_"))
# fields that are stored only if they hold something: the file's version with them
LATER = {"gain": 2} | dict.fromkeys(_TERM_FIELDS, 4)
INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64)
LEAF, CUT = 0, 1


def has_cut(kind: Array) -> NDArray[np.bool_]:
    """Return which nodes have a cut: of a column or of a sum.

    >>> has_cut(np.array([0, 1, 2, 3]))
    array([False,  True, False,  True])
    """
    return np.asarray((kind == CUT) | (kind == SUM))


def has_sums(arrays: Arrays) -> bool:
    """Return whether a tree asks about several columns in one test.

    >>> has_sums({"term_column": np.zeros(0)})
    False
    """
    return len(arrays["term_column"]) > 0


def narrowed(values: Array) -> Array:
    """Return the same numbers in the smallest dtype that holds every one of them.

    >>> [narrowed(np.array(values)).dtype.name for values in ([1.0, 200.0], [0.5], [0.1])]
    ['uint8', 'float32', 'float64']
    """
    if not len(values):
        return values.astype(np.int8)
    if values.dtype.kind == "f":
        if np.isfinite(values).all() and np.array_equal(values, np.rint(values)) and _fits_int32(values):
            return narrowed(values.astype(np.int64))
        with np.errstate(over="ignore"):
            single = values.astype(np.float32)
        return single if np.array_equal(single, values, equal_nan=True) else values.astype(np.float64)
    low, high = int(values.min()), int(values.max())
    for dtype in INTEGERS:
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return values.astype(dtype)
    return values


def _fits_int32(values: Array) -> bool:
    return bool(np.abs(values).max() < 2**31 and not np.any(np.signbit(values) & (values == 0)))


def packed(grown: Mapping[str, Array], n_columns: int, is_classifier: bool) -> dict[str, Array]:
    """Return what the core grew in few bytes."""
    found: dict[str, Array] = {"tree_size": np.diff(grown["tree_start"])}
    for name in WALKED:
        found[_row(name)[0]] = np.diff(grown[name]) if name.endswith("_start") else grown[name]
    found["leaf_rows"], found["leaf_label"] = grown["leaf_rows"], grown["leaf_label"]
    found["cut"] = grown["cut"][has_cut(grown["kind"])]
    for name in TERMS:  # the core makes none
        values = grown.get(name, np.zeros(1 if name.endswith("_start") else 0))
        found[_row(name)[0]] = np.diff(values) if name.endswith("_start") else values
    found["gain"] = grown["gain"][grown["kind"] != LEAF] if len(grown["gain"]) else grown["gain"]
    if is_classifier:
        found["leaf_count"] = np.diff(grown["leaf_start"])
        found["leaf_class"], found["leaf_weight"] = grown["leaf_class"], grown["leaf_weight"]
        found["leaf_mean"] = found["leaf_squares"] = np.empty(0)
    else:
        stats = grown["leaf_weight"].reshape(-1, 3)
        found["leaf_count"] = found["leaf_class"] = np.empty(0, np.int64)
        for place, name in enumerate(("leaf_weight", "leaf_mean", "leaf_squares")):
            found[name] = np.ascontiguousarray(stats[:, place])
    importance = np.array(grown["importance"], dtype=np.float64).reshape(-1, n_columns)
    return {name: narrowed(found[name]) for name in FIELDS if name != "importance"} | {
        "importance": importance
    }


def completed(arrays: Arrays) -> dict[str, Array]:
    """Return arrays with nothing in the fields that an older version did not have.

    >>> completed({})["gain"]
    array([], dtype=int8)
    """
    return dict(arrays) | {name: np.empty(0, np.int8) for name in LATER if name not in arrays}


def joined(parts: Sequence[dict[str, Array]]) -> dict[str, Array]:
    """Return the arrays of several batches of trees as one; the parts are given up on the way.

    Dtypes are those of all trees in one batch: what is stored does not tell how many grew at a time.

    >>> joined([{"end": np.array([1], np.int8)}, {"end": np.array([200], np.uint8)}])["end"]
    array([  1, 200], dtype=uint8)
    """
    names = list(parts[0])
    if len(parts) == 1:
        return {name: parts[0].pop(name) for name in names}
    together = {name: np.concatenate([part.pop(name) for part in parts]) for name in names}
    return {name: values if name == "importance" else narrowed(values) for name, values in together.items()}


def starts_of(arrays: Arrays) -> dict[str, NDArray[np.int64]]:
    """Return where each tree's nodes, cuts, codes, ... begin: one number a tree and the end.

    >>> starts_of({name: np.empty(0, np.int8) for name in FIELDS})["node"]
    array([0])
    """
    node = _started(arrays["tree_size"])
    kind = arrays["kind"]
    starts = {
        "node": node,
        "cut": _by_tree(node, lambda a, b: np.count_nonzero(has_cut(kind[a:b]))),
        "leaf": _by_tree(node, lambda a, b: np.count_nonzero(kind[a:b] == LEAF)),
        "gain": _by_tree(node, lambda a, b: np.count_nonzero(kind[a:b] != LEAF) * (len(arrays["gain"]) > 0)),
        "code": _by_tree(node, lambda a, b: arrays["code_count"][a:b].sum()),
        "surrogate": _by_tree(node, lambda a, b: arrays["surrogate_count"][a:b].sum()),
    }
    starts["surrogate_code"] = _by_tree(
        starts["surrogate"], lambda a, b: arrays["surrogate_code_count"][a:b].sum()
    )
    n_terms = arrays["term_count"]
    starts["term"] = _by_tree(node, lambda a, b: n_terms[a:b].sum() if len(n_terms) else 0)
    is_classes = len(arrays["leaf_count"]) > 0
    starts["number"] = starts["leaf"] * (not is_classes)
    starts["entry"] = (
        _by_tree(starts["leaf"], lambda a, b: arrays["leaf_count"][a:b].sum())
        if is_classes
        else starts["leaf"]
    )
    return starts


# Bytes that a tree of a forest takes while it is checked, for each of its nodes, codes, ... (generously).
_WIDE = {
    "node": 160,
    "leaf": 48,
    "code": 40,
    "surrogate": 80,
    "surrogate_code": 40,
    "entry": 32,
    "term": 60,
}
_TREE = 400  # bytes that a tree takes in lists of where trees begin


def checking_bytes(arrays: Arrays, with_trees: bool = True) -> int:
    """Return how much memory it takes to check a forest of these arrays, beside the arrays: one tree a time.

    >>> checking_bytes({name: np.empty(0, np.int8) for name in FIELDS})
    0
    """
    found = _TREE * len(arrays["tree_size"])
    if with_trees and found:
        counts = ((owner, np.diff(start)) for owner, start in starts_of(arrays).items())
        found += sum(_WIDE.get(owner, 0) * max(0, int(count.max())) for owner, count in counts)
    return found


def _by_tree(start: NDArray[np.int64], count: Callable[[int, int], Any]) -> NDArray[np.int64]:
    bounds = start.tolist()
    return _started(np.array([int(count(a, b)) for a, b in pairwise(bounds)], np.int64))


def _started(counts: Array) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


def widened(
    arrays: Arrays, starts: Mapping[str, NDArray[np.int64]], first: int, last: int
) -> dict[str, Array]:
    """Return the trees first .. last-1 as the core takes them: starts, int32 and float64."""

    def part(name: str, dtype: Any) -> Array:
        bounds = starts[FIELDS[name][1]]
        return arrays[name][bounds[first] : bounds[last]].astype(dtype)

    wide: dict[str, Array] = {"tree_start": starts["node"][first : last + 1] - starts["node"][first]}
    for name in WALKED:
        if name.endswith("_start"):
            wide[name] = _started(part(_count(name), np.int64))
        elif name != "cut":
            dtype = tree_fields.FIELDS[name].dtype
            wide[name] = part(name, np.uint8 if dtype is np.bool_ else dtype)
    wide["cut"] = np.full(len(wide["kind"]), np.nan)
    wide["cut"][has_cut(wide["kind"])] = part("cut", np.float64)
    if has_sums(arrays):
        wide["term_start"] = _started(part("term_count", np.int64))
        for name in TERMS:
            if not name.endswith("_start"):
                wide[name] = part(name, tree_fields.FIELDS[name].dtype)
    wide["gain"] = np.full(len(wide["kind"]), np.nan)
    if len(arrays["gain"]):
        wide["gain"][wide["kind"] != LEAF] = part("gain", np.float64)
    wide["leaf_class"], wide["leaf_label"] = part("leaf_class", np.int32), part("leaf_label", np.int32)
    wide["leaf_rows"] = part("leaf_rows", np.int64)
    wide["leaf_weight"] = part("leaf_weight", np.float64)
    if len(arrays["leaf_count"]):
        wide["leaf_start"] = _started(part("leaf_count", np.int64))
    else:
        columns = [wide["leaf_weight"], part("leaf_mean", np.float64), part("leaf_squares", np.float64)]
        wide["leaf_weight"] = np.column_stack(columns).ravel()
        wide["leaf_start"] = np.zeros(1, np.int64)
    return wide
