"""The arrays of a tree, one row each: the check, the files, the copies for estimators and the router read it.

What growth makes of them is `TreeArrays` in the core; tests/tree/test_fields.py holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class Field(NamedTuple):
    """An array: its dtype, and its length: n nodes, n+1, or that of the array named."""

    dtype: type
    length: str
    is_routed: bool = False  # does walking a row down look at it?
    is_wide: bool = False  # has it a number for every sum of a model?


# Of every tree: growth makes them.
GROWN: Mapping[str, Field] = {
    "end": Field(np.int32, "n", is_routed=True),
    "column": Field(np.int32, "n", is_routed=True),
    "kind": Field(np.uint8, "n", is_routed=True),
    "cut": Field(np.float64, "n", is_routed=True),
    "missing": Field(np.int32, "n", is_routed=True),
    "largest": Field(np.int32, "n", is_routed=True),
    "code_start": Field(np.int64, "n+1", is_routed=True),
    "code": Field(np.int32, "code", is_routed=True),
    "code_branch": Field(np.int32, "code", is_routed=True),
    "score": Field(np.float64, "n"),
    "gain": Field(np.float64, "n"),
    "exact": Field(np.bool_, "n"),
    "n_rows": Field(np.int64, "n"),
    "stats": Field(np.float64, "n"),
    "label": Field(np.int32, "n"),
    "surrogate_start": Field(np.int64, "n+1", is_routed=True),
    "surrogate_column": Field(np.int32, "surrogate_column", is_routed=True),
    "surrogate_cut": Field(np.float64, "surrogate_column", is_routed=True),
    "surrogate_kind": Field(np.uint8, "surrogate_column", is_routed=True),
    "surrogate_flip": Field(np.bool_, "surrogate_column", is_routed=True),
    "surrogate_agreement": Field(np.float64, "surrogate_column"),
    "surrogate_adjusted": Field(np.float64, "surrogate_column"),
    "surrogate_code_start": Field(np.int64, "surrogate_column+1", is_routed=True),
    "surrogate_code": Field(np.int32, "surrogate_code", is_routed=True),
    "surrogate_code_branch": Field(np.int32, "surrogate_code", is_routed=True),
}

# Of trees with tests on sums of columns, or with models in their nodes; else they are empty.
EXTRAS: Mapping[str, Field] = {
    "term_start": Field(np.int64, "n+1", is_routed=True),
    "term_column": Field(np.int32, "term_column", is_routed=True),
    "term_weight": Field(np.float64, "term_column", is_routed=True),
    "model_start": Field(np.int64, "n+1"),
    "model_column": Field(np.int32, "model_column"),
    "model_weight": Field(np.float64, "model_column", is_wide=True),
    "model_bias": Field(np.float64, "model_bias", is_wide=True),  # one row a node, or none at all
    "model_loss": Field(np.float64, "model_bias"),
}

FIELDS: Mapping[str, Field] = {**GROWN, **EXTRAS}
ROUTED: tuple[str, ...] = tuple(name for name, field in FIELDS.items() if field.is_routed)
