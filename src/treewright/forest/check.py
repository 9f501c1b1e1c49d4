"""What must hold of a forest; the constructor asks, so that a bad one cannot exist."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from treewright.forest import compact
from treewright.tree import terms
from treewright.tree.check import SUM, check_about, check_columns, check_nodes

if TYPE_CHECKING:
    from treewright.forest.forest import Forest

_NUMBERS = {"i": "iu", "f": "iuf"}


def check(forest: Forest) -> None:
    """Raise a ValueError that names the field at fault, and the tree where it is one's, or return."""
    check_columns(forest.schema, forest.target)
    check_about(forest.about, forest.target)
    arrays = forest.arrays
    if set(arrays) != set(compact.FIELDS):
        odd = min(map(str, set(arrays) ^ set(compact.FIELDS)))
        _fail(f"{odd:.80}", "is unknown." if odd in arrays else "is absent.")
    _check_forms(forest)
    _check_sizes(forest)
    _check_leaves(forest)
    for i in range(forest.n_trees):
        try:
            nodes = _nodes_of(forest, i)
            check_nodes(nodes)
            _check_terms(nodes)
        except ValueError as trouble:
            raise ValueError(f"Not a forest: tree {i}: {trouble}") from None


def _fail(field: str, what: str) -> NoReturn:
    raise ValueError(f"Not a forest: field '{field}' {what}")


def _check_forms(forest: Forest) -> None:
    for name, (kind, owner) in compact.FIELDS.items():
        array: Any = forest.arrays[name]
        if not isinstance(array, np.ndarray) or array.dtype.kind not in _NUMBERS[kind]:
            _fail(name, f"must be an array of {'whole ' if kind == 'i' else ''}numbers.")
        if array.ndim != (2 if owner == "importance" else 1):
            _fail(name, f"has the shape {array.shape}.")
        if name.endswith(("_count", "_size", "_rows")) and len(array) and array.min() < 0:
            _fail(name, "holds negative counts.")
        if kind == "i" and len(array) and not -1 <= array.min() <= array.max() < 2**31:
            _fail(name, "holds a number that no tree has.")


def _check_sizes(forest: Forest) -> None:
    arrays = forest.arrays
    if forest.n_trees == 0:
        _fail("tree_size", "is empty: a forest has at least one tree.")
    if arrays["tree_size"].min() < 1:
        _fail("tree_size", "has a tree without a node.")
    lengths = {
        "tree": forest.n_trees,
        "importance": forest.n_trees,
        "node": int(arrays["tree_size"].sum(dtype=np.int64)),
    }
    for name in ("end", "kind", "code_count", "surrogate_count"):
        _check_length(forest, name, lengths["node"])
    lengths["surrogate"] = int(arrays["surrogate_count"].sum(dtype=np.int64))
    _check_length(forest, "surrogate_code_count", lengths["surrogate"])
    lengths["leaf"] = int(np.count_nonzero(arrays["kind"] == compact.LEAF))
    if forest.is_classifier != (len(arrays["leaf_count"]) > 0):
        _fail("leaf_count", "must be there for classes and only for them.")
    if forest.is_classifier:
        _check_length(forest, "leaf_count", lengths["leaf"])
    lengths |= {owner: int(starts[-1]) for owner, starts in compact.starts_of(arrays).items()}
    for name, (_, owner) in compact.FIELDS.items():
        wanted = lengths[owner]
        if name in ("leaf_class", "leaf_count") and not forest.is_classifier:
            wanted = 0
        if name == "term_count" and not len(arrays[name]) and not compact.has_sums(arrays):
            continue
        _check_length(forest, name, wanted)
    if arrays["importance"].shape[1] != len(forest.schema):
        _fail("importance", f"has {arrays['importance'].shape[1]} columns, the table {len(forest.schema)}.")


def _check_length(forest: Forest, name: str, wanted: int) -> None:
    if len(forest.arrays[name]) != wanted:
        _fail(name, f"must have {wanted} entries, found {len(forest.arrays[name])}.")


def _check_leaves(forest: Forest) -> None:
    arrays, k = forest.arrays, max(1, len(forest.classes))
    for name in ("leaf_label", "leaf_class"):
        if len(arrays[name]) and not 0 <= arrays[name].min() <= arrays[name].max() < k:
            _fail(name, "names classes that do not exist.")
    for name in ("leaf_weight", "leaf_mean", "leaf_squares", "importance"):
        if not np.isfinite(arrays[name]).all():
            _fail(name, "holds values that are not finite.")
    for name in ("leaf_weight", "leaf_squares"):
        if len(arrays[name]) and arrays[name].min() < 0:
            _fail(name, "holds negative values.")


def _check_terms(nodes: SimpleNamespace) -> None:
    if wrong := terms.trouble_of_sums(nodes, SUM):
        _fail(*wrong)


def _nodes_of(forest: Forest, i: int) -> SimpleNamespace:
    """Return one tree's nodes as the checks of a Tree read them."""
    wide = compact.widened(forest.arrays, forest.starts, i, i + 1)
    sure = np.zeros(len(wide["surrogate_column"]))
    if "term_start" not in wide:
        wide |= {name: terms.empty(name, len(wide["end"]), forest.target) for name in compact.TERMS}
    return SimpleNamespace(
        schema=forest.schema,
        score=wide["gain"],
        surrogate_agreement=sure,
        surrogate_adjusted=sure,
        **wide,
    )
