from __future__ import annotations

import numpy as np
import pytest

from tests.oracle.tree import CLASSES, SCHEMA
from treewright.tree import Tree


def binary(end: np.ndarray) -> Tree:
    """A tree of cuts on x with the given shape."""
    n = len(end)
    inner = end > np.arange(1, n + 1)
    return Tree(
        schema=SCHEMA,
        target=CLASSES,
        end=end.astype(np.int32),
        column=np.where(inner, 0, -1).astype(np.int32),
        kind=inner.astype(np.uint8),
        cut=np.where(inner, 0.5, np.nan),
        missing=np.where(inner, 1, -1).astype(np.int32),
        largest=np.where(inner, 0, -1).astype(np.int32),
        code_start=np.zeros(n + 1, dtype=np.int64),
        code=np.zeros(0, dtype=np.int32),
        code_branch=np.zeros(0, dtype=np.int32),
        score=np.where(inner, 0.25, np.nan),
        gain=np.where(inner, 0.25, np.nan),
        exact=np.ones(n, dtype=np.bool_),
        n_rows=np.full(n, 3),
        stats=np.tile([2.0, 1.0, 0.0], (n, 1)),
        label=np.zeros(n, dtype=np.int32),
    )


def random_binary_end(n_inner: int, seed: int = 0) -> np.ndarray:
    """Open one random leaf after another, then number in preorder."""
    draw = np.random.default_rng(seed)
    children = {0: ()}
    leaves = [0]
    for _ in range(n_inner):
        at = int(draw.integers(len(leaves)))
        node, first = leaves[at], len(children)
        children |= {first: (), first + 1: ()}
        children[node] = (first, first + 1)
        leaves[at] = first
        leaves.append(first + 1)
    order, stack = [], [0]
    while stack:
        order.append(stack.pop())
        stack += reversed(children[order[-1]])
    place = {node: i for i, node in enumerate(order)}
    end = np.arange(1, len(order) + 1)
    for i in range(len(order) - 1, -1, -1):
        for child in children[order[i]]:
            end[i] = end[place[child]]
    return end


@pytest.fixture(scope="session")
def big_tree() -> Tree:
    return binary(random_binary_end(40_000))
