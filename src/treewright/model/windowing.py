"""Windowing (Quinlan 1993): a tree from a part of the rows, which grows by those that the tree gets wrong.

The first window holds the classes in shares as equal as they allow. A tree is grown on it and asked about
all other rows; of those that it gets wrong some join the window, and a tree is grown again, until none is
wrong or the window no longer makes trees better. From several first windows come several trees; the one with
the fewest errors on all rows is the answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.progress import Watcher
from treewright.base.work import each
from treewright.fitting import grow
from treewright.growth.keywords import Keywords, with_settings
from treewright.prune.folds import places, row_keys
from treewright.table import Table, table_with_target
from treewright.tree import Tree
from treewright.tree.edit import alter

if TYPE_CHECKING:
    from typing_extensions import Unpack

Ints = NDArray[np.int64]


@with_settings
def windowed(
    table: Any,
    target: Any,
    recipe: str = "c4.5",
    *,
    window: float | int | None = None,
    increment: float | int | None = None,
    trials: int = 10,
    progress: Watcher | None = None,
    **settings: Unpack[Keywords],
) -> Tree:
    """Return the best of some trees for classes, each grown from a window of the rows.

    Args:
        table: the rows.
        target: the name of the column of classes, or its values.
        recipe: as in `tw.grow`, as are the settings by name.
        window: rows of the first window: a number, or a share below 1; None: a fifth of the rows, or twice
            their root where that is more. All rows: the tree is that of `tw.grow`.
        increment: rows that join in a round at most; None: a fifth of the first window.
        trials: first windows to start from, drawn by what rows hold and by the setting `seed`.
        progress: called with the share of trials that is done.

    What came of each trial stands in `about["windows"]`: rows of the first and the last window, rounds and
    errors on all rows.

    >>> import treewright as tw
    >>> tree = windowed(tw.example("iris"), "class", trials=3)
    >>> [(w["first"], w["errors"]) for w in tree.about["windows"]]
    [(30, 3), (30, 3), (30, 3)]
    >>> whole = windowed(tw.example("iris"), "class", window=150, trials=1)
    >>> whole.to_text() == tw.grow(tw.example("iris"), "class", "c4.5").to_text()
    True
    """
    table, target = table_with_target(table, target, "windowed")
    column, _ = table.column(target)
    if column.is_numeric:
        raise ValueError(
            f"Windowing is for classes: rows that are right or wrong; column {target!r} is numeric."
        )
    n = table.n_rows
    first = _size("window", window, n, max(math.ceil(0.2 * n), math.ceil(2 * math.sqrt(n))))
    most = _size("increment", increment, n, max(1, math.ceil(0.2 * first)))
    if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
        raise ValueError(f"trials={trials!r} must be a whole number of at least 1.")

    seed = int(settings.get("seed") or 0)

    def trial(number: int) -> tuple[Tree, dict[str, Any]]:
        return _grown_from(table, target, recipe, _drawn(table, target, seed + number), first, most, settings)

    n_needed = 1 if first >= n else trials  # all windows that hold everything are one
    found = each(trial, range(n_needed), 1, progress)
    best = min(range(len(found)), key=lambda i: (found[i][1]["errors"], found[i][0].n_leaves, i))
    tree = found[best][0]
    return alter(tree, about={**tree.about, "windows": [told for _, told in found]})


def _size(name: str, given: Any, n: int, otherwise: int) -> int:
    """Return a number of rows, where a share of all may be given."""
    if given is None:
        return min(otherwise, n)
    is_number = isinstance(given, (int, float, np.integer, np.floating)) and not isinstance(given, bool)
    if not is_number or not given > 0 or (given >= 1 and given != int(given)):
        raise ValueError(f"{name}={given!r} must be a number of rows, or a share of them below 1.")
    return min(n, int(given) if given >= 1 else max(1, math.ceil(given * n)))


def _drawn(table: Table, target: str, seed: int) -> Ints:
    """Return all rows, of each class in turn, in the order of draws that are keyed by what they hold."""
    columns = [table.column(name) for name in table.names if name != target]
    keys = row_keys(columns, table.column(target), np.ones(table.n_rows))
    order = np.argsort(places(keys, seed), kind="stable")
    group = keys.group[order]
    inside = np.arange(len(group)) - np.searchsorted(group, group, side="left")  # place within its class
    return np.asarray(order[np.lexsort((group, inside))])


def _grown_from(
    table: Table, target: str, recipe: str, drawn: Ints, first: int, most: int, settings: Any
) -> tuple[Tree, dict[str, Any]]:
    """Return the tree that a first window leads to, and what came of it."""
    windows = list(_windows(table, target, recipe, drawn, first, most, settings))
    sizes = [len(rows) for rows in windows]
    tree = grow(table.take(windows[-1].tolist()), target, recipe, warns=False, **settings)
    errors = int((tree.predict(table) != table.labels(target)).sum())
    return tree, {"first": sizes[0], "last": sizes[-1], "rounds": len(sizes), "errors": errors}


def _windows(
    table: Table, target: str, recipe: str, drawn: Ints, first: int, most: int, settings: Any
) -> Iterator[Ints]:
    """Yield window after window, until a tree gets all other rows right, or no longer gets better.

    Rows are looked at in the order in which they were drawn.
    """
    window = np.sort(drawn[:first])
    answers = table.labels(target)
    unpruned = {**settings, "prune": "none"}
    fewest, patience = math.inf, 2
    while True:
        yield window
        if len(window) >= table.n_rows:
            return
        tree = grow(table.take(window.tolist()), target, recipe, warns=False, **unpruned)
        outside = np.ones(table.n_rows, dtype=bool)
        outside[window] = False
        wrong = drawn[(outside & (tree.predict(table) != answers))[drawn]]
        if not len(wrong):
            return
        patience = 2 if len(wrong) < fewest else patience - 1
        fewest = min(fewest, len(wrong))
        if patience < 0:
            return
        window = np.sort(np.concatenate([window, wrong[:most]]))
