"""Parts of a table: training, validation and test rows, and folds, keyed by a seed and what rows hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import PARTS, content_draws, shares_of
from treewright.growth.checks import gaps_in
from treewright.prune.dealing import Dealing, check_not_target, dealing_of, requested_folds, units_of
from treewright.prune.folds import RowKeys, dealt, fold_numbers, is_count, is_large, places, row_keys
from treewright.table import Column, Table, table_of
from treewright.table.rows import row_weights

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Parts:
    """A table in three parts, each in the order of the table, and the numbers of their rows.

    >>> import treewright as tw
    >>> parts = split(tw.example("tennis"), "PlayTennis", validation=3, test=4)
    >>> parts
    Parts(train 7, validation 3, test 4 rows)
    >>> train, validation, test = parts
    >>> train.n_rows
    7
    """

    train: Table
    validation: Table
    test: Table
    rows: tuple[Ints, Ints, Ints]

    def __iter__(self) -> Any:
        return iter((self.train, self.validation, self.test))

    def __repr__(self) -> str:
        sizes = (part.n_rows for part in self)
        return "Parts(train {}, validation {}, test {} rows)".format(*sizes)


def split(
    table: Table,
    target: str | None = None,
    *,
    train: float | None = None,
    validation: float = 0,
    test: float = 0.25,
    weights: Any = None,
    groups: Any = None,
    order: Any = None,
    seed: int = 0,
) -> Parts:
    """Return a table in three parts, every class in equal shares if a target is given.

    A size is a share of the rows (a number below 1) or a number of rows; `train=None` takes what is left.
    Which part a row is in depends on `seed` and on what it and the other rows hold, not on their order:
    columns by name, target and weight (`weights`: one number per row, or the name of a column). Classes of
    more than 2**20 rows have their sizes on average, and there copies of a row stay together.

    With `groups`, a column or one value per row, whole groups are drawn, and sizes are met as nearly as they
    allow. With `order` the parts follow in time: training first, then validation, then test.

    >>> import treewright as tw
    >>> parts = split(tw.example("vote"), "Class", test=1 / 3)
    >>> [round(float((part.labels("Class") == "democrat").mean()), 2) for part in (parts.train, parts.test)]
    [0.61, 0.61]
    """
    table = table_of(table, who="split")
    if table.n_rows == 0:
        raise ValueError("The table has no rows to split.")
    keys = keys_of(table, target, weights)
    n = table.n_rows
    sizes = _counts({"test": test, "validation": validation} | ({} if train is None else {"train": train}), n)
    left = n - sizes["test"] - sizes["validation"]
    sizes.setdefault("train", left)
    if sizes["train"] < 1 or sizes["train"] > left:
        asked = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise ValueError(f"The table has {n} rows; that is not enough for {asked}, and training needs one.")
    if groups is None and order is None:
        found = _parted(keys, sizes, seed)
    else:
        found = _parted_by_units(table, sizes, groups, order, seed)
    rows = (found["train"], found["validation"], found["test"])
    return Parts(table.take(rows[0]), table.take(rows[1]), table.take(rows[2]), rows)


def _parted(keys: RowKeys, sizes: dict[str, int], seed: int) -> dict[str, Ints]:
    """Return the rows of each part: evenly along their places; those of a large class by their draws."""
    n, drawn = len(keys.group), is_large(keys)
    order = np.argsort(places(keys, seed, PARTS))  # class by class, by their draws inside it
    order = order[~drawn[order]]
    n_ranked = len(order)
    way = np.where(drawn, shares_of(content_draws(seed, PARTS, keys.digest)), np.inf)
    found, first = {}, 0
    for name, size in sizes.items():
        is_in = _evenly(len(order), min(len(order), (size * n_ranked + n // 2) // n))
        by_draw = np.flatnonzero((way >= first / n) & (way < (first + size) / n))
        found[name], order = np.sort(np.concatenate([order[is_in], by_draw])), order[~is_in]
        first += size
    return found


def _parted_by_units(
    table: Table, sizes: dict[str, int], groups: Any, order: Any, seed: int
) -> dict[str, Ints]:
    """Return the rows of each part: whole groups as they are drawn, or one after the other in time."""
    requested_folds(table, table.n_rows, 2, groups, order)  # not both
    name, given = ("groups", groups) if order is None else ("order", order)
    units = units_of(table, table.n_rows, name, given)
    drawn = content_draws(seed, PARTS, units.astype(np.uint64))
    way = np.lexsort((units, drawn)) if order is None else np.argsort(units, kind="stable")
    # Backwards in time: what is tested with is the latest.
    way = way if order is None else way[::-1]
    unit = units[way]
    starts = np.flatnonzero(np.concatenate([[True], unit[1:] != unit[:-1]]))
    ends = np.append(starts[1:], len(unit))
    found, first = {}, 0
    for part, size in sizes.items():
        near = ends[ends > first]
        last = int(near[np.argmin(np.abs(near - (first + size)))]) if size and len(near) else first
        if part == "train" and sum(sizes.values()) == len(unit):
            last = len(unit)  # what whole groups left over
        found[part] = np.sort(way[first:last])
        first = last
    if not len(found["train"]):
        raise ValueError(f"{name}= leaves no whole {'group' if order is None else 'time'} to learn from.")
    return found


def _counts(sizes: dict[str, Any], n_rows: int) -> dict[str, int]:
    """Return numbers of rows; of shares the sums so far are rounded, so that they leave what they should."""
    found, total, taken = {}, 0.0, 0
    for name, size in sizes.items():
        is_number = isinstance(size, (int, float, np.integer, np.floating)) and not isinstance(size, bool)
        if not is_number or not 0 <= size < np.inf or (size >= 1 and size != int(size)):
            raise ValueError(
                f"{name}={size!r} must be a share of the rows (at least 0, below 1) or a number of rows."
            )
        if size >= 1:
            found[name] = int(size)
            continue
        total += float(size)
        found[name] = max(int(size > 0), round(total * n_rows) - taken)
        taken += found[name]
    return found


def _evenly(n: int, count: int) -> NDArray[np.bool_]:
    """Return which of n places are taken when `count` of them are, as evenly spread as they go."""
    # place    0 1 2 3 4 5 6         n = 7, count = 3
    # step   0 0 1 1 2 2 3 3         the nearest whole number to place * count / n
    # taken    . x . x . x .         where it rises
    step = (np.arange(n + 1, dtype=np.int64) * count + n // 2) // max(n, 1)
    return np.asarray(np.diff(step) > 0)


def folds_by_row(table: Table, target: str, folds: Any, seed: int = 0, weights: Any = None) -> Ints:
    """Return the fold of each row: of a number of folds, classes in equal shares; or as given.

    `folds` is a number, one whole number or word per row, or the name of a column. A number of folds is dealt
    by `seed` and what rows hold: columns by name, target and weight.

    >>> import treewright as tw
    >>> np.bincount(folds_by_row(tw.example("tennis"), "PlayTennis", 4)).tolist()
    [4, 4, 3, 3]
    """
    answers_of(table, target)
    if isinstance(folds, str):
        described, values = table.column(folds)
        if folds == target:
            raise ValueError(f"folds={folds!r} is the target itself; name another column, or a number.")
        n_gaps = int(np.count_nonzero(gaps_in(described, values)))
        if n_gaps:
            raise ValueError(f"Column {folds!r} holds the folds and is missing in {n_gaps} rows.")
        folds = values
    if not is_count(folds):
        return fold_numbers(folds, table.n_rows)
    if table.n_rows < 2:
        raise ValueError(f"The table has {table.n_rows} rows; cross-validation needs at least 2.")
    return dealt(keys_of(table, target, weights), folds, seed)


def dealing_by_row(
    table: Table,
    target: str,
    folds: Any,
    seed: int = 0,
    weights: Any = None,
    groups: Any = None,
    order: Any = None,
) -> Dealing:
    """Return which rows learn and which judge in each fold: by groups or order where one is given.

    `groups` and `order` are the name of a column, or one value per row. Rows of one group are in one fold,
    classes in shares as equal as whole groups allow. With `order` the rows are cut into folds + 1 blocks of
    equal size in that order; each block but the first is judged by what all before it taught.

    >>> import treewright as tw
    >>> tennis = tw.example("tennis")
    >>> dealing_by_row(tennis, "PlayTennis", 3, groups="Outlook").n_folds
    3
    >>> dealing_by_row(tennis, "PlayTennis", 3, order=list(range(14))).fold.tolist()
    [-1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2]
    """
    if isinstance(folds, Dealing):
        return folds
    check_not_target(target, groups, order)
    asked = requested_folds(table, table.n_rows, folds, groups, order)
    if asked is folds:
        return Dealing(folds_by_row(table, target, folds, seed, weights))
    answers_of(table, target)
    return dealing_of(asked, table.n_rows, lambda: keys_of(table, target, weights), seed)


def names_among(*given: Any) -> tuple[str, ...]:
    """Return those of folds, groups and order that are names of columns, which are then no features.

    >>> names_among(10, "patient", None)
    ('patient',)
    """
    return tuple(one for one in given if isinstance(one, str))


def keys_of(table: Table, target: str | None, weights: Any = None) -> RowKeys:
    """Return what the rows of a table are dealt by; the columns of target and weights are no features.

    >>> import treewright as tw
    >>> keys_of(tw.example("tennis"), "PlayTennis").group[:4].tolist()  # "No", "No", "Yes", "Yes"
    [0, 0, 1, 1]
    """
    goal = None if target is None else answers_of(table, target)
    counted = row_weights(table, weights)
    left_out = {target, weights if isinstance(weights, str) else None}
    features = [table.column(name) for name in table.names if name not in left_out]
    return row_keys(features, goal, np.ones(table.n_rows) if counted is None else counted)


def answers_of(table: Table, target: str) -> tuple[Column, NDArray[Any]]:
    """Return the target's description and values; an error if some are missing, or there are no rows.

    >>> import treewright as tw
    >>> answers_of(tw.Table.from_dict({"x": [1, 2], "y": ["a", None]}), "y")
    Traceback (most recent call last):
    ValueError: Column 'y' is the target and is missing in 1 of 2 rows; leave those rows out first.
    """
    column, values = table.column(target)
    if table.n_rows == 0:
        raise ValueError("The table has no rows; there is nothing to learn from or to judge by.")
    n_gaps = int(np.count_nonzero(gaps_in(column, values)))
    if n_gaps:
        raise ValueError(
            f"Column {target!r} is the target and is missing in {n_gaps} of {table.n_rows} rows; "
            "leave those rows out first."
        )
    return column, values
