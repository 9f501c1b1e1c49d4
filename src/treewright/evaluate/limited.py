"""Where rows are few: reduced-error pruning without a set kept back, and how many rows a tree needs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.base.work import each
from treewright.evaluate.families import by_nodes
from treewright.evaluate.learner import Grower
from treewright.evaluate.parts import dealing_by_row, names_among
from treewright.growth.keywords import ForFolds, with_settings
from treewright.prune.reduced_error import reduced_error
from treewright.table import table_with_target
from treewright.tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Unpack


@with_settings
def reduced_error_by_folds(
    table: Any,
    target: Any,
    recipe: str = "plain",
    *,
    folds: Any = 10,
    groups: Any = None,
    order: Any = None,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    **settings: Unpack[ForFolds],
) -> Tree:
    """Return a tree grown on all rows, as large as reduced-error pruning finds right, with no row kept back.

    For each fold a tree is grown on the others and pruned by the fold; the median of the shares of nodes that
    stay is the size to which the tree of all rows is cut back, its best tests first. So every row grows, and
    every row prunes.

    Args:
        table: features and target.
        target: the column to predict.
        recipe: an algorithm by name; its own pruning is left out.
        folds: how many folds, or the fold of each row.
        groups: whose rows stay in one fold: a column, which is then no feature, or one value per row.
        order: of the rows in time, likewise: each fold is judged by what came before it.
        weights: one number per row or the name of a column.
        seed: of the folds and of growth.
        n_jobs: folds worked on at once.
        settings: of the recipe, as in `tw.grow`.

    >>> import treewright as tw
    >>> votes = tw.example("vote")
    >>> reduced_error_by_folds(votes, "Class").n_leaves, tw.grow(votes, "Class", prune="none").n_leaves
    (3, 27)
    """
    table, target = table_with_target(table, target, "reduced_error_by_folds")
    plain: dict[str, Any] = {**settings, "prune": "none"}
    apart = names_among(groups, order)
    grower = Grower.of(table, target, recipe, weights=weights, seed=seed, leave_out=apart, **plain)
    dealing = dealing_by_row(table, target, folds, seed, weights, groups, order)

    def share(number: int) -> float:
        tree = grower.fit(dealing.rest(number))
        kept = reduced_error(tree, grower.sample(tree, dealing.held(number)))
        return (kept.n_leaves - 1) / max(tree.n_leaves - 1, 1)

    shares = each(share, range(dealing.n_folds), n_jobs)
    whole = grower.fit(np.arange(table.n_rows))
    part = float(np.median(shares))
    n_nodes = 1 + round(part * (whole.n_nodes - 1))
    return by_nodes(whole, [n_nodes])[0]


def rows_needed(
    n_leaves: int, n_columns: int, *, n_classes: int = 2, error: float = 0.1, confidence: float = 0.95
) -> int:
    """Return a number of rows that is enough: a tree without a training error then errs on few others.

    The bound for a learner that fits its rows (Blumer et al. 1987): (ln |H| + ln 1/d) / e rows, where H are
    all trees of so many leaves over columns of two values, e is the error and 1 - d the confidence. |H| is
    counted from above: 2 signs a node for its shape, a column for each test, a class for each leaf. It is a
    worst case; a learning curve shows what the rows at hand need.

    >>> rows_needed(6, 4), rows_needed(6, 4, error=0.05)
    (218, 435)
    """
    for word, value, least in (
        ("n_leaves", n_leaves, 1),
        ("n_columns", n_columns, 1),
        ("n_classes", n_classes, 2),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ValueError(f"{word}={value!r} must be a whole number of at least {least}.")
    for word, part in (("error", error), ("confidence", confidence)):
        if not 0 < part < 1:
            raise ValueError(f"{word}={part!r} must lie between 0 and 1.")
    n_tests = n_leaves - 1
    size = (n_tests + n_leaves) * math.log(2) + n_tests * math.log(n_columns) + n_leaves * math.log(n_classes)
    return math.ceil((size - math.log(1 - confidence)) / error)
