"""The arrays of a tree, one row each: a Tree is made of them; the check, files and the router read them.

What growth makes of them is `TreeArrays` in the core; tests/tree/test_fields.py holds the two together.
"""

# ruff: noqa: RUF009  # the calls in the dataclasses below make their fields

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[Any]  # int32 or int64: its row says which
ByteArray = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


class Field(NamedTuple):
    """An array: its dtype, and its length: n nodes, n+1, or that of the array named."""

    dtype: type
    length: str
    is_routed: bool = False  # does walking a row down look at it?
    is_wide: bool = False  # has it a number for every sum of a model?
    leaf: float = 0  # of arrays by node: what a leaf has, which asks nothing


def _row(dtype: type, length: str, **more: Any) -> dict[str, Field]:
    return {"row": Field(dtype, length, **more)}


def _left_out(dtype: type, length: str, **more: Any) -> Any:
    """Return an array that may be left out: it is filled with an empty one."""
    return field(default=None, metadata=_row(dtype, length, **more))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class GrownArrays:
    """The arrays of every tree: growth makes them."""

    end: IntArray = field(metadata=_row(np.int32, "n", is_routed=True))
    # Tested column; -1 in a leaf.
    column: IntArray = field(metadata=_row(np.int32, "n", is_routed=True, leaf=-1))
    # 0 leaf; 1 cut: x <= cut takes branch 0; 2 values: by category code; 3 w.x <= cut.
    kind: ByteArray = field(metadata=_row(np.uint8, "n", is_routed=True))
    # Threshold of a cut (of ranks, for an ordinal column), or of a sum; NaN elsewhere.
    cut: FloatArray = field(metadata=_row(np.float64, "n", is_routed=True, leaf=np.nan))
    # Branch a missing value takes; -1: none is set.
    missing: IntArray = field(metadata=_row(np.int32, "n", is_routed=True, leaf=-1))
    # Branch with most training weight; -1 in a leaf.
    largest: IntArray = field(metadata=_row(np.int32, "n", is_routed=True, leaf=-1))
    # Node i knows the categories code[code_start[i]:code_start[i+1]], ascending.
    code_start: IntArray = field(metadata=_row(np.int64, "n+1", is_routed=True))
    code: IntArray = field(metadata=_row(np.int32, "code", is_routed=True))
    code_branch: IntArray = field(metadata=_row(np.int32, "code", is_routed=True))
    # Criterion score of the chosen test; NaN in a leaf.
    score: FloatArray = field(metadata=_row(np.float64, "n", leaf=np.nan))
    # Impurity decrease per unit of node weight; NaN in a leaf.
    gain: FloatArray = field(metadata=_row(np.float64, "n", leaf=np.nan))
    # False where the chosen subset of categories is a heuristic.
    exact: BoolArray = field(metadata=_row(np.bool_, "n", leaf=True))
    # Training rows (pieces) at the node.
    n_rows: IntArray = field(metadata=_row(np.int64, "n"))
    # Class weights; or weight, answer, loss of the training rows (tree/losses.py). More than four million
    # class weights are held without the zeros (`tree.weights.ClassWeights`): rows are arrays, np.asarray
    # gives the whole.
    stats: FloatArray = field(metadata=_row(np.float64, "n"))
    # Class predicted; 0 for regression.
    label: IntArray = field(metadata=_row(np.int32, "n"))
    # All left out: no surrogates.
    surrogate_start: IntArray = _left_out(np.int64, "n+1", is_routed=True)
    surrogate_column: IntArray = _left_out(np.int32, "surrogate_column", is_routed=True)
    surrogate_cut: FloatArray = _left_out(np.float64, "surrogate_column", is_routed=True)
    surrogate_kind: ByteArray = _left_out(np.uint8, "surrogate_column", is_routed=True)
    surrogate_flip: BoolArray = _left_out(np.bool_, "surrogate_column", is_routed=True)
    surrogate_agreement: FloatArray = _left_out(np.float64, "surrogate_column")
    surrogate_adjusted: FloatArray = _left_out(np.float64, "surrogate_column")
    surrogate_code_start: IntArray = _left_out(np.int64, "surrogate_column+1", is_routed=True)
    surrogate_code: IntArray = _left_out(np.int32, "surrogate_code", is_routed=True)
    surrogate_code_branch: IntArray = _left_out(np.int32, "surrogate_code", is_routed=True)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TreeArrays(GrownArrays):
    """And those of tests on sums of columns and of models in nodes; empty where a tree has none."""

    # Kind 3: the sum of term_weight x term_column; all left out: no such test.
    term_start: IntArray = _left_out(np.int64, "n+1", is_routed=True)
    term_column: IntArray = _left_out(np.int32, "term_column", is_routed=True)
    term_weight: FloatArray = _left_out(np.float64, "term_column", is_routed=True)
    # 0 the value; 1 where it is a category, 2 where it is at most a number, 3 where it is above it.
    term_form: ByteArray = _left_out(np.uint8, "term_column", is_routed=True)
    # That category or number; 0 for the value itself.
    term_at: FloatArray = _left_out(np.float64, "term_column", is_routed=True)
    # A model in every node: bias + sum of weights x columns; or none in any.
    model_start: IntArray = _left_out(np.int64, "n+1")
    model_column: IntArray = _left_out(np.int32, "model_column")
    model_weight: FloatArray = _left_out(np.float64, "model_column", is_wide=True)
    # What a missing value adds in place of weight x value; NaN: the node answers by itself.
    model_gap: FloatArray = _left_out(np.float64, "model_column", is_wide=True)
    # One row a node, or none at all.
    model_bias: FloatArray = _left_out(np.float64, "model_bias", is_wide=True)
    # Of the training rows of the node: squared errors, or weight of errors.
    model_loss: FloatArray = _left_out(np.float64, "model_bias")


FIELDS: Mapping[str, Field] = {each.name: each.metadata["row"] for each in fields(TreeArrays)}
GROWN: Mapping[str, Field] = {each.name: FIELDS[each.name] for each in fields(GrownArrays)}
EXTRAS: Mapping[str, Field] = {name: row for name, row in FIELDS.items() if name not in GROWN}
# Arrays that are as long as others, and what they hold where nobody says; files leave them out then.
FORMED: Mapping[str, float] = {"term_form": 0, "term_at": 0.0, "model_gap": np.nan}
BY_NODE: Mapping[str, Field] = {name: row for name, row in GROWN.items() if row.length == "n"}
ROUTED: tuple[str, ...] = tuple(name for name, row in FIELDS.items() if row.is_routed)
