"""Parts of a table by draws keyed by what a row holds: the same for any order of rows and columns.

A row's content is hashed (`treewright.growth.content`), and so is (seed, content, number of the copy).
Class by class, in the byte order of their names, rows stand in the order of that hash; their places are
dealt in turn. Of a class of more than 2**20 rows the order does not count: there the hash of (seed,
content) itself says the part, so that it can be told without the other rows, and copies stay together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import FOLDS, content_draws, shares_of
from treewright.growth.content import Digests, digests
from treewright.prune.sample import Sample
from treewright.table import Column
from treewright.tree import Tree

Ints = NDArray[np.int64]

LARGEST_RANKED = 2**20  # rows of a class; of a larger one the hash alone counts


class RowKeys(NamedTuple):
    """What rows are dealt by: the group that is spread evenly, and a hash of what each row holds.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> keys = row_keys([table.column("Wind")], table.column("PlayTennis"), np.ones(14))
    >>> keys.group[:4].tolist(), len(np.unique(keys.digest))  # "No" comes before "Yes"
    ([0, 0, 1, 1], 4)
    """

    group: Ints
    digest: Digests

    def take(self, rows: NDArray[Any]) -> RowKeys:
        """Return the keys of some rows.

        >>> RowKeys(np.array([0, 1]), np.array([5, 6], dtype=np.uint64)).take(np.array([1])).group.tolist()
        [1]
        """
        return RowKeys(self.group[rows], self.digest[rows])


def row_keys(
    columns: Iterable[tuple[Column, NDArray[Any]]],
    target: tuple[Column, NDArray[Any]] | None,
    weights: NDArray[Any],
) -> RowKeys:
    """Return the keys of rows: of the columns that a tree may use, the target and the weights.

    A row of weight 0 is no row: such rows are a group of their own, the last, and move no other.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2], "y": [0.5, 7]})
    >>> row_keys([table.column("x")], table.column("y"), np.ones(2)).group.tolist()  # numbers: one group
    [0, 0]
    """
    group = _groups(target, len(weights))
    counted = weights > 0
    group = np.where(counted, group, group[counted].max(initial=-1) + 1)
    return RowKeys(group, digests(columns, target, weights))


def _groups(target: tuple[Column, NDArray[Any]] | None, n_rows: int) -> Ints:
    """Return the number of each row's class by the byte order of their names; numbers are one group."""
    if target is None or target[0].is_numeric:
        return np.zeros(n_rows, dtype=np.int64)
    names = [name.encode("utf-8", "surrogatepass") for name in target[0].categories]
    number = {name: place for place, name in enumerate(sorted(names))}
    unknown = len(names)
    of_code = np.array([*(number[name] for name in names), unknown, unknown], dtype=np.int64)
    return np.asarray(of_code[target[1]])


def folds_of(tree: Tree, sample: Sample, folds: Any, seed: int = 0) -> Ints:
    """Return the fold of each row: dealt class by class by what the rows hold, or as given.

    `folds` is a number of folds (no more than rows are made), or one whole number per row.

    >>> import treewright as tw
    >>> from treewright.prune.sample import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> fold = folds_of(tree, sample_of(tree, table), 2)
    >>> np.bincount(fold).tolist(), np.bincount(fold, sample_of(tree, table).answers).tolist()
    ([7, 7], [3.0, 2.0])
    """
    if not is_count(folds):
        return fold_numbers(folds, sample.n_rows)
    return dealt(keys_in(tree, sample), folds, seed)


def keys_in(tree: Tree, sample: Sample) -> RowKeys:
    """Return what the rows of a sample are dealt by.

    >>> import treewright as tw
    >>> from treewright.prune.sample import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> keys_in(tree, sample_of(tree, table)).group[:4].tolist()  # "No", "No", "Yes", "Yes"
    [0, 0, 1, 1]
    """
    columns = zip(tree.schema.columns, sample.columns, strict=True)
    return row_keys(columns, (tree.target, sample.answers), sample.weights)


def is_count(folds: Any) -> bool:
    """Return whether folds are a number of them.

    >>> is_count(10), is_count([0, 1]), is_count(True)
    (True, False, False)
    """
    return isinstance(folds, (int, np.integer)) and not isinstance(folds, bool)


def dealt(keys: RowKeys, folds: int, seed: int = 0) -> Ints:
    """Return the fold of each row: a number of folds dealt group by group.

    >>> keys = RowKeys(np.array([0, 0, 0, 0, 1, 1]), np.arange(6, dtype=np.uint64))
    >>> np.bincount(dealt(keys, 2)).tolist(), np.bincount(dealt(keys, 2)[:4]).tolist()
    ([3, 3], [2, 2])
    """
    if not folds >= 2:
        raise ValueError(f"folds={folds!r} must be at least 2, or the fold of each row.")
    n_folds = min(int(folds), max(2, len(keys.group)))
    drawn = content_draws(seed, FOLDS, keys.digest) % np.uint64(n_folds)
    return np.where(is_large(keys), drawn.astype(np.int64), places(keys, seed) % n_folds)


def held_out(keys: RowKeys, share: float, seed: int) -> NDArray[np.bool_]:
    """Return which rows are kept back, class by class, for a tree that is still to be grown.

    >>> keys = RowKeys(np.array([0, 0, 0, 1, 1, 1]), np.arange(6, dtype=np.uint64))
    >>> held_out(keys, 1 / 3, seed=0).reshape(2, 3).sum(axis=1).tolist()
    [1, 1]
    """
    if not 0 < share < 1:
        raise ValueError(f"holdout={share!r} must be a share of the rows between 0 and 1.")
    n = len(keys.group)
    if n < 2:
        raise ValueError(f"The table has {n} rows; to keep some back for pruning takes at least 2.")
    place = places(keys, seed)
    drawn = shares_of(content_draws(seed, FOLDS, keys.digest)) < share
    kept = np.where(is_large(keys), drawn, spread_evenly(place, share))
    if not kept.any() or kept.all():
        kept = place == 0
    return np.asarray(kept)


class _Placed(NamedTuple):
    """The place of each row of a block among all rows, and which rows are of large classes: their draws."""

    place: Ints
    is_large: NDArray[np.bool_]
    draws: Digests


def _places_in_blocks(keys: Callable[[], Iterable[RowKeys]], seed: int) -> list[_Placed]:
    """Return where rows stand that come block by block: the places of `places`, without all of them at once.

    Rows of large classes need no place, so only those of the others are together.
    """
    counts = np.zeros(1, dtype=np.int64)
    for some in keys():
        found = np.bincount(some.group, minlength=len(counts))
        found[: len(counts)] += counts
        counts = found
    large, starts = counts > LARGEST_RANKED, np.cumsum(counts) - counts
    blocks, group, digest = [], [], []
    for some in keys():
        is_far = large[some.group]
        blocks.append((is_far, content_draws(seed, FOLDS, some.digest[is_far])))
        group.append(some.group[~is_far])
        digest.append(some.digest[~is_far])
    small = RowKeys(np.concatenate(group), np.concatenate(digest))
    shift = starts - (np.cumsum(np.where(large, 0, counts)) - np.where(large, 0, counts))
    place = places(small, seed) + shift[small.group]
    found_blocks, at = [], 0
    for is_far, drawn in blocks:
        own = np.full(len(is_far), -1, dtype=np.int64)
        n = int((~is_far).sum())
        own[~is_far] = place[at : at + n]
        draws = np.zeros(len(is_far), dtype=np.uint64)
        draws[is_far] = drawn
        found_blocks.append(_Placed(own, is_far, draws))
        at += n
    return found_blocks


def held_out_in_blocks(
    keys: Callable[[], Iterable[RowKeys]], share: float, seed: int
) -> list[NDArray[np.bool_]]:
    """Return what `held_out` does, of rows that come block by block; `keys` gives them as often as asked.

    >>> keys = RowKeys(np.array([0, 0, 0, 1, 1, 1]), np.arange(6, dtype=np.uint64))
    >>> blocks = [keys.take(np.arange(4)), keys.take(np.arange(4, 6))]
    >>> found = held_out_in_blocks(lambda: blocks, 1 / 3, seed=0)
    >>> bool((np.concatenate(found) == held_out(keys, 1 / 3, seed=0)).all())
    True
    """
    if not 0 < share < 1:
        raise ValueError(f"holdout={share!r} must be a share of the rows between 0 and 1.")
    blocks = _places_in_blocks(keys, seed)
    kept = [
        np.where(some.is_large, shares_of(some.draws) < share, spread_evenly(some.place, share))
        for some in blocks
    ]
    n_kept = sum(int(some.sum()) for some in kept)
    if n_kept in (0, sum(map(len, kept))):
        kept = [some.place == 0 for some in blocks]
    return [np.asarray(some) for some in kept]


def dealt_in_blocks(keys: Callable[[], Iterable[RowKeys]], folds: int, seed: int = 0) -> list[Ints]:
    """Return what `dealt` does, of rows that come block by block.

    >>> keys = RowKeys(np.array([0, 0, 1, 0, 1, 1]), np.arange(6, dtype=np.uint64))
    >>> blocks = [keys.take(np.arange(4)), keys.take(np.arange(4, 6))]
    >>> found = dealt_in_blocks(lambda: blocks, 3)
    >>> bool((np.concatenate(found) == dealt(keys, 3)).all())
    True
    """
    if not folds >= 2:
        raise ValueError(f"folds={folds!r} must be at least 2.")
    blocks = _places_in_blocks(keys, seed)
    n_folds = min(folds, max(2, sum(len(some.place) for some in blocks)))
    return [
        np.where(some.is_large, (some.draws % np.uint64(n_folds)).astype(np.int64), some.place % n_folds)
        for some in blocks
    ]


def spread_evenly(place: Ints, share: float) -> NDArray[np.bool_]:
    """Return, of places 0, 1, 2, ..., those where place * share passes a whole number.

    >>> spread_evenly(np.arange(8), 0.25).tolist()
    [False, False, False, True, False, False, False, True]
    """
    return np.asarray(np.floor((place + 1) * share) > np.floor(place * share))


def fold_numbers(folds: Any, n_rows: int) -> Ints:
    """Return the folds that somebody gave, one whole number or word per row, as 0, 1, 2, ...

    >>> fold_numbers([7, 3, 7], 3).tolist()
    [1, 0, 1]
    """
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


def places(keys: RowKeys, seed: int, purpose: int = FOLDS) -> Ints:
    """Return the place of each row when rows are sorted by group, and by their draws inside it.

    >>> keys = RowKeys(np.array([1, 0, 1, 0]), np.arange(4, dtype=np.uint64))
    >>> sorted(places(keys, seed=0)[[1, 3]].tolist())
    [0, 1]
    """
    draws = content_draws(seed, purpose, keys.digest, _copies(keys.digest))
    place = np.empty(len(draws), dtype=np.int64)
    place[np.lexsort((draws, keys.group))] = np.arange(len(draws))
    return place


def is_large(keys: RowKeys) -> NDArray[np.bool_]:
    """Return which rows are of a class so large that their hash alone counts.

    >>> is_large(RowKeys(np.array([0, 1]), np.arange(2, dtype=np.uint64))).tolist()
    [False, False]
    """
    return np.bincount(keys.group)[keys.group] > LARGEST_RANKED


def _copies(digest: Digests) -> Ints:
    """Return the number of each row among those that hold the same, in their order: 0, 1, 2, ..."""
    order = np.argsort(digest, kind="stable")
    ranked = digest[order]
    is_first = np.concatenate([[True], ranked[1:] != ranked[:-1]])[: len(ranked)]
    here = np.arange(len(ranked))
    number = np.empty(len(ranked), dtype=np.int64)
    number[order] = here - np.maximum.accumulate(np.where(is_first, here, 0))
    return number
