"""What must hold of a tree; the constructor of Tree asks, so that a bad tree cannot exist."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from treewright.table.schema import Column, Kind, Schema
from treewright.tree import terms, walk
from treewright.tree.fields import FIELDS
from treewright.tree.policy import GAPS, UNSEEN
from treewright.tree.weights import ClassWeights

if TYPE_CHECKING:
    from treewright.tree.tree import Tree

LEAF, CUT, VALUES, SUM = 0, 1, 2, 3


def check(tree: Tree) -> None:
    """Raise a ValueError that names the field and the first node at fault, or return."""
    check_columns(tree.schema, tree.target)
    _check_shapes(tree)
    parents = _check_nesting(tree.end)
    _check_numbers(tree)
    _check_inner(tree, parents)
    if found := terms.trouble(tree, SUM):
        _fail(*found)
    check_about(tree.about, tree.target)
    _check_ledger(tree.ledger, len(tree.end))


def check_nodes(tree: Any) -> None:
    """Raise where the nodes of something like a Tree, with arrays of the right shapes, are no tree."""
    _check_inner(tree, _check_nesting(tree.end))


def _check_inner(tree: Any, parents: Any) -> None:
    counts = walk.branch_counts(parents)
    _check_tests(tree, counts)
    _check_codes(tree, counts)
    _check_surrogates(tree, counts)


def _refuse(field: str, bad: Any, what: str) -> None:
    """Raise for the first position where the mask `bad` is True."""
    if bad.any():
        _fail(field, f"{what} (first at position {int(np.argmax(bad))}, {int(np.sum(bad))} in all).")


def _fail(field: str, what: str) -> NoReturn:
    raise ValueError(f"Not a tree: field '{field}' {what}")


def check_columns(schema: Any, target: Any) -> None:
    """Raise where the columns or the target are none."""
    if not isinstance(schema, Schema):
        _fail("schema", f"must be a Schema, found {type(schema).__name__}.")
    if not isinstance(target, Column):
        _fail("target", f"must be a Column, found {type(target).__name__}.")
    for column in (*schema.columns, target):
        if not set(map(type, column.categories)) <= {str}:
            _fail("schema", f"has categories of column {column.name!r:.80} that are not text.")
    if not target.is_numeric and not target.categories:
        _fail("target", f"column '{target.name}' has no class at all.")


def stats_width(target: Column) -> int:
    """Return how many statistics a node keeps: one weight per class; weight, mean, squares for numbers."""
    return 3 if target.is_numeric else len(target.categories)


def width_of(field: str, target: Column) -> int | None:
    """Return how many numbers a row of an array holds; None where it is one."""
    if FIELDS[field].is_wide:
        return terms.model_width(target)
    return stats_width(target) if field == "stats" else None


def _length(array: Any) -> int:
    return len(array) if isinstance(array, np.ndarray) and array.ndim else np.size(array)


def _check_shapes(tree: Tree) -> None:
    end: Any = tree.end
    n = len(end) if isinstance(end, np.ndarray) and end.ndim else 0
    if not 0 < n < 2**31:
        _fail("end", f"must be a one-dimensional array with at least one node, found {n}.")
    for field, (dtype, length, *_) in FIELDS.items():
        array = getattr(tree, field)
        if field == "stats" and tree.is_classifier and isinstance(array, ClassWeights):
            if trouble := array.trouble():
                _fail(field, trouble)
        elif not isinstance(array, np.ndarray):
            _fail(field, f"must be a NumPy array, found {type(array).__name__}.")
        if array.dtype != np.dtype(dtype):
            _fail(field, f"must hold {np.dtype(dtype).name}, found {array.dtype}.")
        base = length.removesuffix("+1")
        rows = (n if base == "n" else _length(getattr(tree, base))) + length.endswith("+1")
        shape = (rows, width) if (width := width_of(field, tree.target)) is not None else (rows,)
        if array.shape != shape:
            _fail(field, f"must have shape {shape}, found {array.shape}.")


def _check_nesting(end: Any) -> Any:
    """Refuse an `end` that is not the intervals of one preorder tree; return the parents of its nodes.

    `depth` depends on the ends as a bag only; it fixes one tree. If `end` never falls below the child's
    in that tree, every end is at least the true one; the bags being equal, all are equal.
    """
    n = len(end)
    ids = np.arange(n)
    _refuse("end", (end <= ids) | (end > n), f"must lie between node+1 and {n}")
    if end[0] != n:
        _fail("end", f"must begin with {n}: the root owns every node, found {int(end[0])}.")
    depth = walk.depths(end)
    _refuse("end", depth[1:] < 1, "leaves nodes outside the root")
    parent = walk.parents_by_depth(depth)
    _refuse("end", end > end[parent.clip(0)], "is not nested: a node outlasts its parent")
    return parent


def _check_numbers(tree: Tree) -> None:
    _refuse("n_rows", tree.n_rows < 0, "holds negative counts")
    if not isinstance(tree.stats, ClassWeights):  # else they are checked
        _refuse("stats", ~np.isfinite(tree.stats).all(axis=1), "holds values that are not finite")
    if tree.is_classifier:
        if not isinstance(tree.stats, ClassWeights):
            _refuse("stats", (tree.stats < 0).any(axis=1), "holds negative class weights")
        with np.errstate(over="ignore"):
            _refuse("stats", ~np.isfinite(tree.stats.sum(axis=1)), "holds weights whose sum is not finite")
        unknown = (tree.label < 0) | (tree.label >= tree.stats.shape[1])
        _refuse("label", unknown, "names classes that do not exist")
    else:
        _refuse("stats", (tree.stats[:, [0, 2]] < 0).any(axis=1), "holds a negative weight or loss")
        _refuse("label", tree.label != 0, "must be 0 throughout in a regression tree")


def _check_tests(tree: Tree, counts: Any) -> None:
    leaf, kind, column = counts == 0, tree.kind, tree.column
    is_cut = (kind == CUT) | (kind == SUM)
    if hasattr(tree, "term_start"):
        _refuse("kind", kind > SUM, "must be 0 (leaf), 1 (cut), 2 (values) or 3 (a sum of columns)")
    else:  # of a forest
        _refuse("kind", kind > VALUES, "must be 0 (leaf), 1 (cut) or 2 (values)")
    _refuse("kind", leaf != (kind == LEAF), "must be 0 in leaves and only there")
    _refuse("column", (column < 0) != leaf, "must be -1 in leaves and only there")
    _refuse("column", (column < -1) | (column >= len(tree.schema.columns)), "names columns that do not exist")
    _check_kinds("kind", tree.schema, kind, column)
    _refuse("kind", counts == 1, "has tests with a single branch")
    _refuse(
        "kind",
        is_cut & (counts > 2) & ((counts > 3) | (tree.missing != 2)),
        "has cuts with more than two branches (a third is for missing values only)",
    )
    _refuse("cut", np.isnan(tree.cut) == is_cut, "must be a number for cuts and NaN elsewhere")
    _refuse("missing", (tree.missing < -1) | (tree.missing >= counts), "names branches that do not exist")
    _refuse(
        "largest",
        np.where(leaf, tree.largest != -1, (tree.largest < 0) | (tree.largest >= counts)),
        "must be a branch of the node (-1 in leaves)",
    )
    for field in ("score", "gain"):
        _refuse(field, leaf & ~np.isnan(getattr(tree, field)), "must be NaN in leaves")


def _check_kinds(field: str, schema: Schema, kind: Any, column: Any) -> None:
    """Refuse cuts on nominal columns and values of numeric ones."""
    numeric = np.array([c.is_numeric for c in schema.columns] + [False])
    nominal = np.array([c.kind == Kind.nominal for c in schema.columns] + [False])
    _refuse(field, (kind == VALUES) & numeric[column], "branches by category on a numeric column")
    _refuse(field, (kind == CUT) & nominal[column], "cuts a nominal column, which has no order")


def _check_slices(field: str, start: Any, length: int) -> None:
    if start[0] != 0 or start[-1] != length:
        _fail(field, f"must run from 0 to {length}, found {int(start[0])} to {int(start[-1])}.")
    _refuse(field, np.diff(start) < 0, "must not decrease")


def _check_codes(tree: Tree, counts: Any) -> None:
    _check_slices("code_start", tree.code_start, len(tree.code))
    sizes = np.diff(tree.code_start)
    astray = (sizes > 0) & (tree.kind != VALUES)
    _refuse("code_start", astray, "gives category codes to nodes that do not branch by category")
    owner = np.repeat(np.arange(len(sizes)), sizes)
    known = _category_counts(tree.schema)[tree.column[owner]]
    _check_code_values("code", tree.code, tree.code_branch, owner, known, counts[owner])
    # every branch of a values test is led to by a category or by missing values
    first = np.cumsum(counts) - counts
    reached = np.zeros(int(counts.sum()), dtype=np.bool_)
    reached[first[owner] + tree.code_branch] = True
    has_missing = tree.missing >= 0
    reached[first[has_missing] + tree.missing[has_missing]] = True
    dead = np.repeat(tree.kind == VALUES, counts) & ~reached
    if dead.any():
        node = int(np.repeat(np.arange(len(counts)), counts)[np.argmax(dead)])
        _fail("code_branch", f"leaves a branch of node {node} without any category.")


def _category_counts(schema: Schema) -> Any:
    """Return the number of categories by column, and a 0 that index -1 finds."""
    return np.array([len(c.categories) for c in schema.columns] + [0], dtype=np.int64)


def _check_code_values(field: str, code: Any, branch: Any, owner: Any, known: Any, branches: Any) -> None:
    _refuse(field, (code < 0) | (code >= known), "names categories that do not exist")
    _refuse(field, (np.diff(code) <= 0) & (np.diff(owner) == 0), "must ascend inside a node")
    _refuse(f"{field}_branch", (branch < 0) | (branch >= branches), "names branches that do not exist")


def _check_surrogates(tree: Tree, counts: Any) -> None:
    kind, column = tree.surrogate_kind, tree.surrogate_column
    _check_slices("surrogate_start", tree.surrogate_start, len(column))
    sizes = np.diff(tree.surrogate_start)
    _refuse("surrogate_start", (sizes > 0) & (counts == 0), "gives surrogates to leaves")
    node = np.repeat(np.arange(len(sizes)), sizes)
    _refuse("surrogate_kind", (kind != CUT) & (kind != VALUES), "must be 1 (cut) or 2 (values)")
    unknown = (column < 0) | (column >= len(tree.schema.columns))
    _refuse("surrogate_column", unknown, "names columns that do not exist")
    _check_kinds("surrogate_kind", tree.schema, kind, column)
    wrong = np.isnan(tree.surrogate_cut) != (kind != CUT)
    _refuse("surrogate_cut", wrong, "must be a number for cuts and NaN elsewhere")
    for field in ("surrogate_agreement", "surrogate_adjusted"):
        _refuse(field, ~np.isfinite(getattr(tree, field)), "holds values that are not finite")
    _check_slices("surrogate_code_start", tree.surrogate_code_start, len(tree.surrogate_code))
    sizes = np.diff(tree.surrogate_code_start)
    _refuse("surrogate_code_start", (sizes > 0) & (kind != VALUES), "gives category codes to cuts")
    owner = np.repeat(np.arange(len(column)), sizes)
    known, branches = _category_counts(tree.schema)[column[owner]], counts[node[owner]]
    code, branch = tree.surrogate_code, tree.surrogate_code_branch
    _check_code_values("surrogate_code", code, branch, owner, known, branches)


def check_about(about: Mapping[str, Any], target: Column) -> None:
    """Raise where what is said about a tree cannot be carried out."""
    for key, words in (("missing", tuple(GAPS)), ("unseen", tuple(UNSEEN))):
        if about.get(key, words[0]) not in words:
            _fail("about", f"says {key} = {about[key]!r}; the policies are {', '.join(sorted(words))}.")
    soft = about.get("soft", [])
    if not (isinstance(soft, list) and all(_is_row(row, 3) and type(row[0]) is int for row in soft)):
        _fail("about", f"has soft thresholds that are not a list of a node and two numbers: {_short(soft)}.")
    k = 0 if target.is_numeric else len(target.categories)
    gaps, costs = about.get("gaps"), about.get("costs")
    if gaps is not None and not (isinstance(gaps, list) and all(isinstance(name, str) for name in gaps)):
        _fail("about", f"has gaps that are not a list of column names: {_short(gaps)}.")
    for key in ("class_scale", "score_scale"):
        scale = about.get(key)
        if scale is not None and not (_is_row(scale, k) and min(scale) >= 0 and 1e-100 < max(scale) < 1e100):
            _fail("about", f"has a {key} that is not {k} weights of reasonable size: {_short(scale)}.")
    if costs is not None:
        square = isinstance(costs, list) and len(costs) == k and all(_is_row(row, k) for row in costs)
        if not square:
            _fail("about", f"has costs that are not a {k} by {k} list of finite numbers: {_short(costs)}.")


def _is_row(row: Any, k: int) -> bool:
    numbers = isinstance(row, list) and len(row) == k > 0 and all(type(x) in (int, float) for x in row)
    return numbers and all(abs(x) <= 1e300 and math.isfinite(x) for x in row)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _check_ledger(ledger: tuple[Mapping[str, Any], ...] | None, n: int) -> None:
    for record in ledger or ():
        node = record.get("node")
        if type(node) is not int or not 0 <= node < n:
            _fail("ledger", f"has a record whose 'node' is not one of the {n} nodes: {_short(node)}.")
