"""Parts of a table by keyed draws: the same for any order of visit, from no stream."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.prune.sample import Sample
from treewright.tree import Tree

Ints = NDArray[np.int64]

# The key of these draws beside those of growth, which count trees from 0 up.
_FOLDS = 2**32 - 1


def folds_of(tree: Tree, sample: Sample, folds: Any, seed: int = 0) -> Ints:
    """Return the fold of each row: dealt class by class in the order of keyed draws, or as given.

    `folds` is a number of folds (no more than rows are made), or one whole number per row.

    >>> import treewright as tw
    >>> from treewright.prune.sample import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> fold = folds_of(tree, sample_of(tree, table), 2)
    >>> np.bincount(fold).tolist(), np.bincount(fold, sample_of(tree, table).answers).tolist()
    ([7, 7], [2.0, 3.0])
    """
    if not isinstance(folds, (int, np.integer)) or isinstance(folds, bool):
        return _given(folds, sample.n_rows)
    if not folds >= 2:
        raise ValueError(f"folds={folds!r} must be at least 2, or the fold of each row.")
    return _dealt(tree, sample, seed) % min(int(folds), max(2, sample.n_rows))


def held_out(tree_is_classifier: bool, answers: NDArray[Any], share: float, seed: int) -> NDArray[np.bool_]:
    """Return which rows are kept back, class by class, for a tree that is still to be grown.

    >>> np.flatnonzero(held_out(True, np.array([0, 0, 0, 1, 1, 1]), 1 / 3, seed=0)).tolist()
    [0, 4]
    """
    if not 0 < share < 1:
        raise ValueError(f"holdout={share!r} must be a share of the rows between 0 and 1.")
    n = len(answers)
    group = answers if tree_is_classifier else np.zeros(n, dtype=np.int64)
    place = _places(group, seed)
    # Of places 0, 1, 2, ... those where place * share passes a whole number: spread evenly.
    kept = np.floor((place + 1) * share) > np.floor(place * share)
    if n < 2:
        raise ValueError(f"The table has {n} rows; to keep some back for pruning takes at least 2.")
    if not kept.any() or kept.all():
        kept = place == 0
    return np.asarray(kept)


def _given(folds: Any, n_rows: int) -> Ints:
    fold = np.asarray(folds)
    if fold.shape != (n_rows,):
        raise ValueError(f"folds has the shape {fold.shape}; {n_rows} rows need one fold each.")
    _, codes = np.unique(fold, return_inverse=True)
    if codes.max(initial=0) < 1:
        raise ValueError("folds puts all rows into one fold; cross-validation needs at least two.")
    return np.asarray(codes, dtype=np.int64)


def _dealt(tree: Tree, sample: Sample, seed: int) -> Ints:
    group = sample.answers if tree.is_classifier else np.zeros(sample.n_rows, dtype=np.int64)
    return _places(group, seed)


def _places(group: NDArray[Any], seed: int) -> Ints:
    """Return the place of each row when rows are sorted by group, and by their draws inside it."""
    key = seed % 2**64
    draws = np.array([_core.draw(key, _FOLDS, 0, row) for row in range(len(group))], dtype=np.uint64)
    place = np.empty(len(group), dtype=np.int64)
    place[np.lexsort((draws, group))] = np.arange(len(group))
    return place
