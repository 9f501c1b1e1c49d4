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

Array = NDArray[Any]
Arrays = Mapping[str, Array]

# field -> kind of number, and what there is one of; "tree" and "importance" are as wide as they say.
FIELDS: dict[str, tuple[str, str]] = {
    "tree_size": ("i", "tree"),  # nodes
    "end": ("i", "node"),
    "column": ("i", "node"),
    "kind": ("i", "node"),
    "missing": ("i", "node"),
    "largest": ("i", "node"),
    "cut": ("f", "cut"),  # of nodes of kind 1 only
    "gain": ("f", "gain"),  # of inner nodes, where the leaves do not tell it (one.py); else none
    "code_count": ("i", "node"),
    "code": ("i", "code"),
    "code_branch": ("i", "code"),
    "surrogate_count": ("i", "node"),
    "surrogate_column": ("i", "surrogate"),
    "surrogate_kind": ("i", "surrogate"),
    "surrogate_cut": ("f", "surrogate"),
    "surrogate_flip": ("i", "surrogate"),
    "surrogate_code_count": ("i", "surrogate"),
    "surrogate_code": ("i", "surrogate_code"),
    "surrogate_code_branch": ("i", "surrogate_code"),
    "leaf_rows": ("i", "leaf"),
    "leaf_label": ("i", "leaf"),
    "leaf_count": ("i", "leaf"),  # of its classes
    "leaf_class": ("i", "entry"),
    "leaf_weight": ("f", "entry"),  # of a class in a leaf; for numbers, of the leaf
    "leaf_mean": ("f", "number"),  # for numbers only, one a leaf
    "leaf_squares": ("f", "number"),
    "importance": ("f", "importance"),  # trees x columns
}
LATER = {"gain": 2}  # fields that are stored only if they hold something: the file's version with them
INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64)
LEAF, CUT = 0, 1


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
    for name in (
        "end",
        "column",
        "kind",
        "missing",
        "largest",
        "code",
        "code_branch",
        "leaf_rows",
        "leaf_label",
    ):
        found[name] = grown[name]
    found["cut"] = grown["cut"][grown["kind"] == CUT]
    found["gain"] = grown["gain"][grown["kind"] != LEAF] if len(grown["gain"]) else grown["gain"]
    for name in ("code", "surrogate", "surrogate_code"):
        found[f"{name}_count"] = np.diff(grown[f"{name}_start"])
    for name in ("column", "kind", "cut", "flip", "code", "code_branch"):
        found[f"surrogate_{name}"] = grown[f"surrogate_{name}"]
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

    >>> completed({})
    {'gain': array([], dtype=int8)}
    """
    return dict(arrays) | {name: np.empty(0, np.int8) for name in LATER if name not in arrays}


def joined(parts: Sequence[dict[str, Array]]) -> dict[str, Array]:
    """Return the arrays of several batches of trees as one; the parts are given up on the way.

    >>> joined([{"end": np.array([1], np.int8)}, {"end": np.array([300], np.int16)}])["end"]
    array([  1, 300], dtype=int16)
    """
    names = list(parts[0])
    return {name: np.concatenate([part.pop(name) for part in parts]) for name in names}


def starts_of(arrays: Arrays) -> dict[str, NDArray[np.int64]]:
    """Return where each tree's nodes, cuts, codes, ... begin: one number a tree and the end.

    >>> starts_of({name: np.empty(0, np.int8) for name in FIELDS})["node"]
    array([0])
    """
    node = _started(arrays["tree_size"])
    kind = arrays["kind"]
    starts = {
        "node": node,
        "cut": _by_tree(node, lambda a, b: np.count_nonzero(kind[a:b] == CUT)),
        "leaf": _by_tree(node, lambda a, b: np.count_nonzero(kind[a:b] == LEAF)),
        "gain": _by_tree(node, lambda a, b: np.count_nonzero(kind[a:b] != LEAF) * (len(arrays["gain"]) > 0)),
        "code": _by_tree(node, lambda a, b: arrays["code_count"][a:b].sum()),
        "surrogate": _by_tree(node, lambda a, b: arrays["surrogate_count"][a:b].sum()),
    }
    starts["surrogate_code"] = _by_tree(
        starts["surrogate"], lambda a, b: arrays["surrogate_code_count"][a:b].sum()
    )
    is_classes = len(arrays["leaf_count"]) > 0
    starts["number"] = starts["leaf"] * (not is_classes)
    starts["entry"] = (
        _by_tree(starts["leaf"], lambda a, b: arrays["leaf_count"][a:b].sum())
        if is_classes
        else starts["leaf"]
    )
    return starts


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
    for name in ("end", "column", "missing", "largest", "code", "code_branch", "leaf_class", "leaf_label"):
        wide[name] = part(name, np.int32)
    for name in ("surrogate_column", "surrogate_code", "surrogate_code_branch"):
        wide[name] = part(name, np.int32)
    for name in ("kind", "surrogate_kind", "surrogate_flip"):
        wide[name] = part(name, np.uint8)
    wide["cut"] = np.full(len(wide["kind"]), np.nan)
    wide["cut"][wide["kind"] == CUT] = part("cut", np.float64)
    wide["gain"] = np.full(len(wide["kind"]), np.nan)
    if len(arrays["gain"]):
        wide["gain"][wide["kind"] != LEAF] = part("gain", np.float64)
    wide["surrogate_cut"] = part("surrogate_cut", np.float64)
    for name in ("code", "surrogate", "surrogate_code"):
        wide[f"{name}_start"] = _started(part(f"{name}_count", np.int64))
    wide["leaf_rows"] = part("leaf_rows", np.int64)
    wide["leaf_weight"] = part("leaf_weight", np.float64)
    if len(arrays["leaf_count"]):
        wide["leaf_start"] = _started(part("leaf_count", np.int64))
    else:
        columns = [wide["leaf_weight"], part("leaf_mean", np.float64), part("leaf_squares", np.float64)]
        wide["leaf_weight"] = np.column_stack(columns).ravel()
        wide["leaf_start"] = np.zeros(1, np.int64)
    return wide
