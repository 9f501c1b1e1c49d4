"""A tree as plain JSON types and back: lists, texts and numbers that mean the same bit for bit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.table.schema import Column, Schema
from treewright.tree.check import stats_width, width_of
from treewright.tree.fields import EXTRAS, FIELDS, FORMED, GROWN
from treewright.tree.reader import Kind
from treewright.tree.weights import ClassWeights

if TYPE_CHECKING:
    from treewright.tree.tree import Tree

FORMAT = "treewright tree"
# The newest that is read. 2 has columns with edges, 3 tests on several columns or models, 4 class weights
# without their zeros, 5 columns of dates, with a notation or made from others, 6 tests that count conditions
# or have categories in their sum, and models that count gaps; `to_dict` gives each only where there are
# some, so that an older treewright reads every tree that it can use. 7 is any of these with a digest: what
# `save` writes.
VERSION = 7
KIND = Kind(FORMAT, "a tree", newest=VERSION, signed_from=7)

# JSON has no such numbers: in float arrays they are these texts, in other places {"$float": text}
_NAMED_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_DEEPEST = 16  # nesting of plain values
_LARGEST_INT = 2**128  # of a plain value; arrays have the bounds of their dtype
_ELEMENTS: dict[str, tuple[str, set[type]]] = {
    "b": ("true or false", {bool}),
    "f": ("numbers", {float, int, str}),
    "i": ("whole numbers", {int}),
    "u": ("whole numbers", {int}),
}
# class weights without their zeros: entry, attribute, dtype
_SPARSE: tuple[tuple[str, str, type], ...] = (
    ("start", "start", np.int64),
    ("class", "label", np.int32),
    ("weight", "weight", np.float64),
)
_KEYS = {"format", "version", "schema", "target", "arrays", "about", "ledger", "digest"}


def to_dict(tree: Tree) -> dict[str, Any]:
    """Return the tree as plain JSON types.

    >>> from treewright.tree.example import tennis
    >>> plain = to_dict(tennis())
    >>> plain["format"], plain["version"], plain["arrays"]["end"]
    ('treewright tree', 1, [8, 4, 3, 4, 5, 8, 7, 8])
    """
    has_extras = tree.has_sums or tree.has_models
    is_sparse = isinstance(tree.stats, ClassWeights)
    version = 4 if is_sparse else 3 if has_extras else 2 if tree.schema.binned else 1
    version = 5 if tree.schema.has_notations or tree.target.notation is not None else version
    has_formed = tree.has_conditions or tree.has_gap_terms
    version = 6 if has_formed else version
    left_out = () if has_formed else tuple(FORMED)
    plain = {
        "format": FORMAT,
        "version": version,
        "schema": tree.schema.to_dict(),
        "target": tree.target.to_dict(),
        "about": encode(tree.about),
        "arrays": {
            name: _listed(getattr(tree, name))
            for name in (FIELDS if has_extras else GROWN)
            if name not in left_out
        },
    }
    if tree.ledger is not None:
        plain["ledger"] = encode(tree.ledger)
    return plain


def fields_of(plain: Any) -> dict[str, Any]:
    """Return the constructor's arguments for the tree that `to_dict` wrote; else a ValueError."""
    try:
        return _fields_of(plain)
    except (TypeError, OverflowError, RecursionError) as error:  # a shape of nonsense nobody thought of
        raise ValueError(f"Not a tree: {error}") from error


def _fields_of(plain: Any) -> dict[str, Any]:
    KIND.check_header(plain)
    if unknown := sorted(map(str, set(plain) - _KEYS)):
        raise ValueError(f"Not a tree: unknown entry {unknown[0]!r:.80}.")
    for key in ("schema", "target", "arrays", "about"):
        if not isinstance(plain.get(key), Mapping):
            raise ValueError(f"Not a tree: entry '{key}' must be an object, found {_kind(plain.get(key))}.")
    target = Column.from_dict(plain["target"])
    found: dict[str, Any] = {"schema": Schema.from_dict(plain["schema"]), "target": target}
    found["about"] = copied(plain["about"], "about", decode=True)
    ledger = plain.get("ledger")
    if ledger is not None:
        if not isinstance(ledger, (list, tuple)) or not all(isinstance(record, Mapping) for record in ledger):
            raise ValueError("Not a tree: entry 'ledger' must be a list of objects.")
        found["ledger"] = tuple(copied(record, "ledger", decode=True) for record in ledger)
    return found | _arrays(plain["arrays"], target, plain["version"])


def encode(value: Any) -> Any:
    """Return a plain value with lists for tuples and names for floats that JSON has not."""
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": _float_name(value)}
    return value


def copied(value: Any, what: str, decode: bool = False, level: int = 0) -> Any:
    """Return a deep copy of plain values (None, bool, int, float, str, list, dict); refuse any other.

    >>> copied({"a": (1, 2.5, None)}, "about")
    {'a': [1, 2.5, None]}
    >>> copied({"a": {1, 2}}, "about")
    Traceback (most recent call last):
    ValueError: Not a tree: about holds a set; only None, bool, int, float, str, list and dict are stored.
    """
    if level > _DEEPEST:
        raise ValueError(f"Not a tree: {what} is nested more than {_DEEPEST} levels deep.")
    if value is None or type(value) in (str, bool, float):
        return value
    if type(value) is int:
        if abs(value) >= _LARGEST_INT:
            raise ValueError(f"Not a tree: {what} holds a whole number of more than 128 bits.")
        return value
    if isinstance(value, (list, tuple)):
        return [copied(item, what, decode, level + 1) for item in value]
    if not isinstance(value, Mapping):
        raise ValueError(
            f"Not a tree: {what} holds a {type(value).__name__}; "
            "only None, bool, int, float, str, list and dict are stored."
        )
    if decode and set(value) == {"$float"}:
        return _named_float(value["$float"], what)
    for key in value:
        if type(key) is not str or key.startswith("$"):
            raise ValueError(
                f"Not a tree: {what} has the key {key!r:.80}; keys are texts without a '$' in front."
            )
    return {key: copied(item, what, decode, level + 1) for key, item in value.items()}


def _float_name(value: float) -> str:
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def _named_float(name: Any, what: str) -> float:
    if type(name) is not str or name not in _NAMED_FLOATS:
        raise ValueError(f"Not a tree: {what} has {name!r:.80} for a number; the names are nan, inf, -inf.")
    return _NAMED_FLOATS[name]


def _listed(array: Any) -> Any:
    if isinstance(array, ClassWeights):
        return {name: getattr(array, of).tolist() for name, of, _ in _SPARSE}
    listed: list[Any] = array.tolist()
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        for place in np.argwhere(~np.isfinite(array)).tolist():
            row = listed[place[0]] if array.ndim == 2 else listed
            row[place[-1]] = _float_name(row[place[-1]])
    return listed


def _arrays(plain: Mapping[str, Any], target: Column, version: int) -> dict[str, NDArray[Any]]:
    wanted = dict(FIELDS if version >= 3 and set(plain) & set(EXTRAS) else GROWN)
    if version < 6 or not set(plain) & set(FORMED):
        wanted = {name: row for name, row in wanted.items() if name not in FORMED}
    if set(plain) != set(wanted):
        odd = min(map(str, set(plain) ^ set(wanted)))
        raise ValueError(f"Not a tree: field '{odd:.80}' is {'unknown' if odd in plain else 'absent'}.")
    arrays: dict[str, Any] = {}
    for name, (dtype, *_) in wanted.items():
        values = plain[name]
        if name == "stats" and version >= 4 and isinstance(values, Mapping):
            arrays[name] = _sparse(values, target)
            continue
        if not isinstance(values, list):
            raise ValueError(f"Not a tree: field '{name}' must be a list, found {_kind(values)}.")
        if (width := width_of(name, target)) is not None:
            arrays[name] = _grid(name, values, width)
        else:
            arrays[name] = _array(name, values, np.dtype(dtype))
    return arrays


def _sparse(values: Mapping[str, Any], target: Column) -> ClassWeights:
    names = [name for name, *_ in _SPARSE]
    if set(values) != set(names) or not all(isinstance(values[name], list) for name in names):
        raise ValueError("Not a tree: field 'stats' must have the lists 'start', 'class' and 'weight'.")
    start, label, weight = (
        _array(f"stats.{name}", values[name], np.dtype(dtype)) for name, _, dtype in _SPARSE
    )
    held = ClassWeights(start, label, weight, stats_width(target))
    if trouble := held.trouble():
        raise ValueError(f"Not a tree: field 'stats' {trouble}")
    return held


def _grid(name: str, rows: list[Any], width: int) -> NDArray[np.float64]:
    if not set(map(type, rows)) <= {list} or not set(map(len, rows)) <= {width}:
        raise ValueError(f"Not a tree: field '{name}' must be a list of lists of {width} numbers.")
    flat = list(itertools.chain.from_iterable(rows))
    return _array(name, flat, np.dtype(np.float64)).reshape(len(rows), width)


def _array(name: str, values: list[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    kinds = set(map(type, values))
    words, wanted = _ELEMENTS[dtype.kind]
    if odd := kinds - wanted:
        found = _kind_name(min(odd, key=str))
        raise ValueError(f"Not a tree: field '{name}' must hold {words}, found {found}.")
    try:
        if dtype.kind == "f":
            return _floats(name, values, str in kinds)
        array = np.array(values, dtype=np.bool_ if dtype.kind == "b" else np.int64)
    except OverflowError:
        raise ValueError(f"Not a tree: field '{name}' holds a number too large for {dtype.name}.") from None
    if dtype.kind in "iu" and len(array):
        bounds = np.iinfo(dtype)
        if array.min() < bounds.min or array.max() > bounds.max:
            raise ValueError(f"Not a tree: field '{name}' holds a number outside {dtype.name}.")
    return array.astype(dtype)


def _floats(name: str, values: list[Any], has_names: bool) -> NDArray[np.float64]:
    n_named = 0
    if has_names:
        n_named = sum(type(v) is str for v in values)
        values = [_named_float(v, f"field '{name}'") if type(v) is str else v for v in values]
    array = np.array(values, dtype=np.float64)
    if np.count_nonzero(~np.isfinite(array)) != n_named:
        raise ValueError(f"Not a tree: field '{name}' holds a number too large for float64.")
    return array


def _kind(value: Any) -> str:
    return _kind_name(type(value))


def _kind_name(kind: type) -> str:
    words = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "nothing"}
    return words.get(kind, f"a value of type {kind.__name__}")
