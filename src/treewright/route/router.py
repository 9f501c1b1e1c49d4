"""A tree laid out for walking, as the core has it: the one place where its arrays are handed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.tree import Tree
from treewright.tree.fields import ROUTED
from treewright.tree.policy import gap_policy, unseen_policy


def router(tree: Tree) -> _core.Router:
    """Return the tree laid out for walking; made once and kept beside the tree's cached properties.

    It is no part of the tree's value: neither compared, stored nor pickled.
    """
    found: _core.Router | None = vars(tree).get("_router")
    if found is None:
        arrays = {name: getattr(tree, name) for name in ROUTED}
        is_coded = [not column.is_numeric for column in tree.schema.columns]
        gap, unseen = gap_policy(tree.about).way, unseen_policy(tree.about).way
        found = vars(tree)["_router"] = router_of(arrays, tree.weights, is_coded, gap, unseen)
    return found


def router_of(
    arrays: Mapping[str, Any],
    weights: NDArray[np.float64],
    is_coded: Any,
    gap: str,
    unseen: str = "branch",
) -> _core.Router:
    """Return the arrays of a tree laid out for walking; `gap` and `unseen` are ways of `tree.policy`.

    Growth makes no terms: a tree without these has tests of single columns.
    """
    given = {name: arrays[name] for name in ROUTED if name in arrays or not name.startswith("term_")}
    given["surrogate_flip"] = np.asarray(given["surrogate_flip"]).view(np.uint8)
    given["weight"] = np.ascontiguousarray(weights)
    given["is_coded"] = np.asarray(is_coded, dtype=np.uint8)
    return _core.Router(given, gap, unseen)
