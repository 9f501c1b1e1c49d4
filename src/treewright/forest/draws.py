"""Which rows a tree was grown on: pure functions of (seed, tree, row)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core

if TYPE_CHECKING:
    from treewright.forest.forest import Forest


def times_drawn(forest: Forest, tree: int) -> NDArray[np.int32]:
    """Return how often each row of training was drawn for a tree; all 1 without a bootstrap.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=3)
    >>> int(times_drawn(forest, 2).sum())
    14
    """
    about = forest.about
    n_rows, n_draws = int(about["n_rows"]), int(about["n_draws"])
    if n_draws == 0:
        return np.ones(n_rows, np.int32)
    return _core.bootstrap(int(about["seed"]) % 2**64, int(about["first"]) + tree, n_rows, n_draws)


def permutation(seed: int, item: int, tree: int, n: int) -> NDArray[np.intp]:
    """Return an order of n rows, keyed by what it is for; ties of 64 bits go by row.

    >>> sorted(permutation(0, 7, 3, 5).tolist())
    [0, 1, 2, 3, 4]
    """
    return np.argsort(_core.draws(seed % 2**64, tree, item % 2**64, n), kind="stable")


def fingerprint(answers: NDArray[Any]) -> str:
    """Return a short text that tells one list of answers, in its order, from another."""
    return hashlib.blake2b(content_of(answers), digest_size=12).hexdigest()


def content_of(answers: NDArray[Any]) -> bytes:
    """Return the bytes that a fingerprint is of: a number of 64 bits for each row, or a class of 32.

    >>> len(content_of(np.array([1.5, 2.5]))), len(content_of(np.array([1, 0, 1])))
    (16, 12)
    """
    kind = np.float64 if answers.dtype.kind == "f" else np.int32
    return np.ascontiguousarray(answers, dtype=np.dtype(kind).newbyteorder("<")).tobytes()
