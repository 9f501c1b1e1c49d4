"""A short text that is the same for the same data, and for no other."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from treewright.prune.sample import Sample
from treewright.table import Table
from treewright.tree import Tree
from treewright.tree.store import to_json


def of_tree(tree: Tree) -> str:
    """Return the SHA-256 of the tree as it is saved.

    >>> from treewright.tree.example import tennis
    >>> of_tree(tennis()) == of_tree(tennis()), of_tree(tennis()) == of_tree(tennis().collapse(1))
    (True, False)
    """
    return hashlib.sha256(to_json(tree).encode("ascii")).hexdigest()


def of_rows(rows: Table | Sample) -> str:
    """Return the SHA-256 of columns and values, in their order.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> of_rows(table) == of_rows(tw.example("tennis")), of_rows(table) == of_rows(table.take(range(13)))
    (True, False)
    """
    state = hashlib.sha256()
    if isinstance(rows, Table):
        state.update(json.dumps(rows.schema.to_dict()).encode("ascii"))
        arrays: list[Any] = list(rows.values)
    else:
        arrays = [*rows.columns, rows.answers, rows.weights]
    for array in arrays:
        state.update(f"{len(array)} {array.dtype.kind}{array.dtype.itemsize}\n".encode("ascii"))
        state.update(np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).tobytes())
    return state.hexdigest()
