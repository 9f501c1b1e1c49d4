"""Honest trees of a forest: some of a tree's rows choose its tests, the others fill its leaves.

What a leaf says was then not chosen for being pure (Athey, Imbens 2016; Wager, Athey 2018). Each tree divides
the rows it has drawn anew, by a hash of its number and theirs; a row that was drawn twice stays on one side.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, refusal
from treewright.base.draws import HONEST, row_shares
from treewright.forest.forest import Forest
from treewright.forest.packing import packed
from treewright.growth import Settings
from treewright.prune.order import need_free
from treewright.prune.reduced_error import refilled
from treewright.prune.sample import sample_of_rows
from treewright.table import Rows

Floats = NDArray[np.float64]


def check_honest(settings: Settings) -> None:
    """Refuse shares that leave no rows to grow on, and what honest leaves would break.

    >>> check_honest(Settings.of("plain", honest=1.5))
    Traceback (most recent call last):
    ValueError: honest=1.5 must be a share of the rows below 1.
    """
    if not settings.honest < 1:
        raise refusal(ask("honest", settings.honest), " must be a share of the rows below 1.")
    need_free(settings.monotone, "honest growth", "Grow it without.")


def fills_leaves(settings: Settings, number: int, weights: Floats) -> NDArray[np.bool_]:
    """Return which rows fill the leaves of a tree, of those that count; there is one on each side.

    >>> chosen = Settings.of("plain", honest=0.5)
    >>> fills_leaves(chosen, 0, np.ones(1000)).sum().item() in range(450, 550)
    True
    >>> fills_leaves(chosen, 0, np.array([1.0, 0.0, 1.0])).sum().item()
    1
    """
    drawn = np.flatnonzero(weights > 0)
    share = row_shares(settings.seed, HONEST, number, len(weights))[drawn]
    fills = share < settings.honest
    fills[np.argmin(share)] = True
    if len(drawn) > 1:
        fills[np.argmax(share)] = False
    found = np.zeros(len(weights), dtype=bool)
    found[drawn[fills]] = True
    return found


def with_leaves_of(forest: Forest, rows: Rows, weights: Floats) -> Forest:
    """Return a forest of one tree whose leaves hold these rows alone; tests that leave a branch empty go.

    Importances stay those of the rows that chose the tests.
    """
    counts = np.flatnonzero(weights > 0)
    sample = sample_of_rows(rows.take(counts).weighing(weights[counts]))
    tree = refilled(forest.tree(0), sample)
    arrays = packed([tree]) | {"importance": forest.arrays["importance"]}
    return Forest.of_growth(forest.schema, forest.target, arrays, dict(forest.about))
