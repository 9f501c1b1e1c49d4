"""Who learns and who judges in each fold: rows at random, whole groups, or the past before the future.

`Blocks` are rows that hang together, as they are asked for; a `Dealing` is what comes of it, row by row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import GROUPS, content_draws
from treewright.base.numbers import count
from treewright.prune.folds import RowKeys, dealt, fold_numbers, is_count
from treewright.table import Table

Ints = NDArray[np.int64]


class Dealing(NamedTuple):
    """The fold of each row, -1: it only learns; in order of time all before a fold learn for it.

    >>> Dealing(np.array([0, 1, 0])).rest(0).tolist(), Dealing(np.array([-1, 0, 1]), True).rest(1).tolist()
    ([1], [0, 1])
    """

    fold: Ints
    is_ordered: bool = False

    @property
    def n_folds(self) -> int:
        """How many folds there are."""
        return int(self.fold.max()) + 1

    def rest(self, k: int) -> Ints:
        """Return the rows that are learned from, to be judged by fold k."""
        return np.flatnonzero(self.fold < k if self.is_ordered else self.fold != k)

    def held(self, k: int) -> Ints:
        """Return the rows that judge.

        >>> Dealing(np.array([0, 1, 0])).held(0).tolist()
        [0, 2]
        """
        return np.flatnonzero(self.fold == k)

    def held_beside(self, kept: Ints) -> Ints:
        """Return the rows that judge what was learned from these.

        >>> Dealing(np.array([-1, 0, 1]), True).held_beside(np.array([0])).tolist()
        [1]
        """
        if self.is_ordered:
            return self.held(int(self.fold[kept].max()) + 1)
        return np.delete(np.arange(len(self.fold)), kept)


@dataclass(frozen=True, eq=False)
class Blocks:
    """Rows that hang together: by group, or by a place in time; and how many folds are made of them.

    >>> Blocks(np.array([5, 5, 7, 9]), 3)
    Blocks(3 groups in 3 folds)
    """

    units: Ints  # the group of each row, or its place in time
    n_folds: int = 10
    is_ordered: bool = False

    def __repr__(self) -> str:
        what = "times" if self.is_ordered else "groups"
        return f"Blocks({len(np.unique(self.units))} {what} in {self.n_folds} folds)"

    def take(self, rows: NDArray[Any]) -> Blocks:
        """Return what is known of some rows.

        >>> Blocks(np.array([5, 5, 7])).take(np.array([0, 2])).units.tolist()
        [5, 7]
        """
        return replace(self, units=self.units[rows])

    def dealt(self, keys: RowKeys, seed: int = 0) -> Dealing:
        """Return the fold of each row; of groups, classes in shares as equal as whole groups allow.

        >>> keys = RowKeys(np.array([0, 0, 1, 1]), np.arange(4, dtype=np.uint64))
        >>> Blocks(np.array([0, 0, 1, 1]), 2).dealt(keys).fold.tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
        True
        >>> Blocks(np.array([3, 1, 2, 2]), 2, is_ordered=True).dealt(keys).fold.tolist()
        [1, -1, 0, 0]
        """
        if not self.n_folds >= 2:
            raise ValueError(f"folds={self.n_folds!r} must be at least 2, or the fold of each row.")
        if self.is_ordered:
            return Dealing(_ordered(self.units, self.n_folds), True)
        return Dealing(_grouped(self.units, keys.group, self.n_folds, seed))


def dealing_of(folds: Any, n_rows: int, keys: Callable[[], RowKeys], seed: int = 0) -> Dealing:
    """Return the folds of rows: of a number of them, of blocks, or as given row by row.

    >>> keys = RowKeys(np.array([0, 0, 0, 0]), np.arange(4, dtype=np.uint64))
    >>> dealing_of([1, 0, 1, 0], 4, lambda: keys).fold.tolist(), dealing_of(2, 4, lambda: keys).n_folds
    ([1, 0, 1, 0], 2)
    """
    if isinstance(folds, Dealing):
        return folds
    if isinstance(folds, Blocks):
        return folds.dealt(keys(), seed)
    if is_count(folds):
        return Dealing(dealt(keys(), folds, seed))
    return Dealing(fold_numbers(folds, n_rows))


def is_dealt_anew(folds: Any) -> bool:
    """Return whether another seed gives other folds.

    >>> is_dealt_anew(10), is_dealt_anew([0, 1]), is_dealt_anew(Blocks(np.arange(3), is_ordered=True))
    (True, False, False)
    """
    return is_count(folds) or (isinstance(folds, Blocks) and not folds.is_ordered)


def requested_folds(
    table: Table | None, n_rows: int, folds: Any, groups: Any = None, order: Any = None
) -> Any:
    """Return folds as they were asked for: with `groups` or `order` (a column or one value per row), blocks.

    >>> import treewright as tw
    >>> requested_folds(tw.example("tennis"), 14, 3, groups="Outlook")
    Blocks(3 groups in 3 folds)
    """
    if groups is None and order is None:
        return folds
    if groups is not None and order is not None:
        raise ValueError(
            "groups= keeps a group in one fold, order= learns from the past alone; give one of them."
        )
    name, given = ("groups", groups) if order is None else ("order", order)
    if not is_count(folds):
        raise ValueError(f"{name}= deals the folds, so folds= is their number, not {folds!r:.60}.")
    units = units_of(table, n_rows, name, given)
    return Blocks(units, int(folds), name == "order")


def folds_in(table: Any, folds: Any, groups: Any = None, order: Any = None) -> Any:
    """Return the folds of a Table or Sample as they were asked for; names of columns are looked up.

    >>> import treewright as tw
    >>> folds_in(tw.example("tennis"), 3, groups="Outlook")
    Blocks(3 groups in 3 folds)
    >>> folds_in(tw.example("tennis"), "Wind")[:3].tolist()
    [1, 0, 1]
    """
    whole = table if isinstance(table, Table) else None
    if isinstance(folds, str) and whole is not None:
        folds = whole.column(folds)[1]
    return requested_folds(whole, table.n_rows, folds, groups, order)


def units_of(table: Table | None, n_rows: int, name: str, given: Any) -> Ints:
    """Return the number of each row's group, or of its time: of a column, or of one value per row.

    >>> import treewright as tw
    >>> units_of(None, 3, "groups", ["b", "a", "b"]).tolist()
    [1, 0, 1]
    >>> units_of(tw.example("tennis"), 14, "order", "Outlook")
    Traceback (most recent call last):
    ValueError: order='Outlook' is a nominal column; time takes numbers, dates or ordinal categories.
    """
    if isinstance(given, str):
        if table is None:
            raise ValueError(f"{name}={given!r} names a column, which needs a Table.")
        column, values = table.column(given)
        if name == "order" and not column.is_numeric and column.kind != "ordinal":
            raise ValueError(
                f"order={given!r} is a {column.kind} column; time takes numbers, dates or ordinal categories."
            )
        missing = np.isnan(values) if column.is_numeric else values < 0
        said = f"{name}={given!r}"
    else:
        values = np.asarray(given)
        said = name
        if values.shape != (n_rows,):
            raise ValueError(f"{name} has the shape {values.shape}; {n_rows} rows need one value each.")
        missing = _missing(values)
        if name == "order" and values.dtype.kind not in "iufM":
            raise ValueError("order takes one number or date per row, or the name of a column.")
        values = values if values.dtype.kind in "biufMU" else np.array([str(value) for value in values])
    if missing.any():
        raise ValueError(
            f"{said} is missing in {count(int(missing.sum()), 'row')}, the first of them row "
            f"{int(np.argmax(missing))}; leave those rows out first."
        )
    codes = np.unique(values, return_inverse=True)[1].astype(np.int64)
    if codes.max(initial=0) < 1:
        raise ValueError(f"{said} is the same in all rows; cross-validation needs at least two.")
    return codes


def check_not_target(target: str, groups: Any = None, order: Any = None) -> None:
    """Refuse the target as the column of groups or of the order.

    >>> check_not_target("y", groups="y")
    Traceback (most recent call last):
    ValueError: groups='y' is the target itself; name another column.
    """
    for name, given in (("groups", groups), ("order", order)):
        if isinstance(given, str) and given == target:
            raise ValueError(f"{name}={given!r} is the target itself; name another column.")


def units_by_name(table: Table, groups: Any = None, order: Any = None) -> dict[str, Ints]:
    """Return groups or order as one number per row, by name; nothing where neither is given.

    >>> import treewright as tw
    >>> units_by_name(tw.example("tennis")), list(units_by_name(tw.example("tennis"), groups="Wind"))
    ({}, ['groups'])
    """
    given = {"groups": groups, "order": order}
    return {name: units_of(table, table.n_rows, name, of) for name, of in given.items() if of is not None}


def _missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind == "M":
        return np.asarray(np.isnat(values))
    if values.dtype.kind != "O":
        return np.zeros(len(values), dtype=bool)
    return np.array([value is None or value != value for value in values], dtype=bool)  # NaN


def _ordered(units: Ints, n_folds: int) -> Ints:
    """Return folds of equal size in order of time; the first block of rows, -1, is never judged."""
    # rows by time   a a b c c c d e     2 folds: blocks of 8 / 3 rows
    # middle         1 1 2 4 4 4 6 7     of the rows of that time: one time is in one block
    # fold          -1-1-1 0 0 0 1 1
    ranked = np.sort(units)
    twice = np.searchsorted(ranked, units) + np.searchsorted(ranked, units, side="right")
    block = twice * (n_folds + 1) // (2 * max(1, len(units)))
    _, fold = np.unique(block, return_inverse=True)
    if fold.max(initial=0) < 1:
        raise ValueError("order= leaves nothing to learn from: nearly all rows are of the first time.")
    return np.asarray(fold, dtype=np.int64) - 1


def _grouped(units: Ints, classes: Ints, n_folds: int, seed: int) -> Ints:
    """Return folds of whole groups: the largest first, each to the fold that has least of its classes."""
    _, unit = np.unique(units, return_inverse=True)
    n_units, n_classes = int(unit.max(initial=-1)) + 1, int(classes.max(initial=0)) + 1
    if n_units < 2:
        raise ValueError("All rows are of one group; cross-validation needs at least two.")
    # Beside the rows of each class all rows, so that folds are of like size.
    held = np.zeros((n_units, n_classes + 1))
    np.add.at(held, (unit, classes), 1.0)
    held[:, -1] = held.sum(axis=1)
    names = np.zeros(n_units, dtype=np.uint64)
    names[unit] = units.astype(np.uint64)
    order = np.lexsort((content_draws(seed, GROUPS, names), -held[:, -1]))
    # What the sum of squared shares rises by when a group comes to a fold, but for what is the same for all.
    price = held / np.maximum(held.sum(axis=0), 1.0) ** 2
    have, fold_of = np.zeros((min(n_folds, n_units), n_classes + 1)), np.zeros(n_units, dtype=np.int64)
    for k in order.tolist():
        fold_of[k] = best = int(np.argmin(have @ price[k]))
        have[best] += held[k]
    return np.asarray(fold_of[unit])
