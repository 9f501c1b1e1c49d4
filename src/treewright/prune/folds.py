"""Parts of a table by keyed draws: the same for any order of visit, from no stream."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.grow.draws import FOLDS, row_draws
from treewright.prune.sample import Sample
from treewright.tree import Tree

Ints = NDArray[np.int64]


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
    return dealt(groups(sample.answers, tree.is_classifier), folds, seed)


def groups(answers: NDArray[Any], is_classifier: bool) -> NDArray[Any]:
    """Return what is to be spread evenly: classes; numbers are all of one group.

    >>> groups(np.array([0.5, 7.0]), is_classifier=False).tolist()
    [0, 0]
    """
    return answers if is_classifier else np.zeros(len(answers), dtype=np.int64)


def dealt(group: NDArray[Any], folds: Any, seed: int = 0) -> Ints:
    """Return the fold of each row: a number of folds dealt group by group, or one whole number per row.

    >>> np.bincount(dealt(np.array([0, 0, 0, 0, 1, 1]), 2)).tolist()
    [3, 3]
    >>> dealt(np.zeros(3), [7, 3, 7]).tolist()
    [1, 0, 1]
    """
    if not isinstance(folds, (int, np.integer)) or isinstance(folds, bool):
        return _given(folds, len(group))
    if not folds >= 2:
        raise ValueError(f"folds={folds!r} must be at least 2, or the fold of each row.")
    return places(group, seed) % min(int(folds), max(2, len(group)))


def held_out(tree_is_classifier: bool, answers: NDArray[Any], share: float, seed: int) -> NDArray[np.bool_]:
    """Return which rows are kept back, class by class, for a tree that is still to be grown.

    >>> np.flatnonzero(held_out(True, np.array([0, 0, 0, 1, 1, 1]), 1 / 3, seed=0)).tolist()
    [0, 4]
    """
    if not 0 < share < 1:
        raise ValueError(f"holdout={share!r} must be a share of the rows between 0 and 1.")
    n = len(answers)
    place = places(groups(answers, tree_is_classifier), seed)
    kept = spread_evenly(place, share)
    if n < 2:
        raise ValueError(f"The table has {n} rows; to keep some back for pruning takes at least 2.")
    if not kept.any() or kept.all():
        kept = place == 0
    return np.asarray(kept)


def spread_evenly(place: Ints, share: float) -> NDArray[np.bool_]:
    """Return, of places 0, 1, 2, ..., those where place * share passes a whole number.

    >>> spread_evenly(np.arange(8), 0.25).tolist()
    [False, False, False, True, False, False, False, True]
    """
    return np.asarray(np.floor((place + 1) * share) > np.floor(place * share))


def _given(folds: Any, n_rows: int) -> Ints:
    fold = np.asarray(folds)
    if fold.ndim == 0:
        raise ValueError(
            f"folds={folds!r:.100} must be a whole number of at least 2, or the fold of each row."
        )
    if fold.shape != (n_rows,):
        raise ValueError(f"folds has the shape {fold.shape}; {n_rows} rows need one fold each.")
    if fold.dtype.kind == "f" and np.isnan(fold).any():
        raise ValueError(f"folds is missing in row {int(np.argmax(np.isnan(fold)))}; every row needs a fold.")
    _, codes = np.unique(fold, return_inverse=True)
    if codes.max(initial=0) < 1:
        raise ValueError("folds puts all rows into one fold; cross-validation needs at least two.")
    return np.asarray(codes, dtype=np.int64)


def places(group: NDArray[Any], seed: int, purpose: int = FOLDS, item: int = 0) -> Ints:
    """Return the place of each row when rows are sorted by group, and by their draws inside it.

    >>> places(np.array([1, 0, 1, 0]), seed=0).tolist()
    [3, 1, 2, 0]
    """
    draws = row_draws(seed, purpose, item, len(group))
    place = np.empty(len(group), dtype=np.int64)
    place[np.lexsort((draws, group))] = np.arange(len(group))
    return place
