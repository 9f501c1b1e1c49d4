"""The learning curve: error against the number of rows learned from, over repeated draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import SUBSETS, row_draws
from treewright.base.progress import Watcher
from treewright.base.work import each
from treewright.evaluate.curve import Curve, Line
from treewright.evaluate.learner import Grower
from treewright.evaluate.overfitting import judges_of, kept_back, unit_of
from treewright.evaluate.parts import keys_of, names_among
from treewright.evaluate.score import Score, mean_score
from treewright.growth.keywords import ForFolds, with_settings
from treewright.growth.question import loss_for
from treewright.prune.dealing import units_by_name
from treewright.prune.folds import RowKeys, places
from treewright.prune.heldout import losses
from treewright.table import Table, table_with_target

if TYPE_CHECKING:
    from typing_extensions import Unpack

Ints = NDArray[np.int64]
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class LearningCurve(Curve):
    """Mean training and test error against the rows learned from; the spread is that of the draws.

    >>> import treewright as tw
    >>> learning_curve(tw.example("vote"), "Class", sizes=[50, 100], repeats=2)
    LearningCurve(2 points along training rows)
    """


@with_settings
def learning_curve(
    table: Any,
    target: Any,
    recipe: str = "plain",
    *,
    sizes: Sequence[float] = SHARES,
    repeats: int = 10,
    test: Table | float = 1 / 3,
    groups: Any = None,
    order: Any = None,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    progress: Watcher | None = None,
    **settings: Unpack[ForFolds],
) -> LearningCurve:
    """Return the error of trees grown on more and more rows: means over repeated draws, and their spread.

    Every repeat keeps rows back to judge by (a table given as `test` judges all repeats) and takes the
    others in an order of its own, classes in equal shares; a larger size adds rows to a smaller. The columns
    `..._sd` are the standard deviation between repeats, NaN for one.

    Args:
        table: features and target.
        target: the column to predict.
        recipe: an algorithm by name, with its pruning.
        sizes: numbers of rows, or shares (below 1; 1.0 is all) of those there are to learn from.
        repeats: how often rows are drawn.
        test: the share of the rows kept back, or a table to judge by.
        groups: whose rows are kept back together: a column, which is then no feature, or one value per row.
        order: of the rows in time, likewise: those kept back are the latest.
        weights: one number per row or the name of a column.
        seed: of the draws and of growth.
        n_jobs: repeats worked on at once.
        progress: called with the share that is done.
        settings: of the recipe, as in `tw.grow`.

    >>> import treewright as tw
    >>> print(learning_curve(tw.example("vote"), "Class", "c4.5", sizes=[10, 50, 1.0], repeats=5))
    training rows  leaves  training error   test error
               10       2     2.0 % ± 4.5  7.3 % ± 4.7
               50       2     4.8 % ± 1.1  4.1 % ± 0.8
              290     5.2     3.1 % ± 0.2  4.0 % ± 2.1
    """
    table, target = table_with_target(table, target, "learning_curve")
    if isinstance(repeats, bool) or not isinstance(repeats, int) or repeats < 1:
        raise ValueError(f"repeats={repeats!r} must be a whole number of at least 1.")
    leave_out, units = names_among(groups, order), units_by_name(table, groups, order)
    options = {"weights": weights, "seed": seed, **settings}
    grower = Grower.of(table, target, recipe, leave_out=leave_out, **options).among(table, **units)
    named = weights if isinstance(weights, str) else None
    n_train = len(kept_back(grower, test, seed, **units)[0])
    counts = _counts(sizes, n_train)
    seeds = row_draws(seed, SUBSETS, 0, repeats).tolist()
    keys = keys_of(grower.table, target, grower.weights)

    def repeat(key: int) -> list[tuple[int, float, float]]:
        rows, held = kept_back(grower, test, key, **units)
        order = rows[_interleaved(keys.take(rows), key)]
        found = []
        for count in counts:
            tree = grower.fit(np.sort(order[:count]))
            samples = grower.sample(tree, order[:count]), judges_of(grower, tree, held, named)
            errors = (mean_score(losses(tree, sample), sample.weights).value for sample in samples)
            found.append((tree.n_leaves, *errors))
        return found  # type: ignore[return-value]

    found = np.array(each(repeat, seeds, n_jobs, progress))  # repeats x sizes x (leaves, errors)
    return LearningCurve(
        title=f"Learning curve of {recipe} ({repeats} draws)",
        x_name="n_rows",
        x_label="training rows",
        x=tuple(map(float, counts)),
        lines=(Line("training_error", _spread(found[:, :, 1])), Line("test_error", _spread(found[:, :, 2]))),
        y_label=unit_of(
            grower.is_classifier, settings.get("costs") is not None, loss_for(settings.get("criterion"))
        ),
        spread_name="sd",
        columns={"n_leaves": found[:, :, 0].mean(axis=0).tolist()},
    )


def _counts(sizes: Sequence[float], n_rows: int) -> list[int]:
    """Return numbers of rows, rising; an error where one is not among the rows there are."""
    found = set()
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, (int, float, np.integer, np.floating)):
            raise ValueError(f"sizes has {size!r}; a size is a share above 0, or 1 to {n_rows} rows here.")
        is_share = isinstance(size, (float, np.floating)) and size <= 1
        count = max(1, round(size * n_rows)) if is_share else size
        if not size > 0 or count != int(count) or count > n_rows:
            raise ValueError(f"sizes has {size!r}; a size is a share above 0, or 1 to {n_rows} rows here.")
        found.add(int(count))
    if not found:
        raise ValueError("sizes is empty; give at least one.")
    return sorted(found)


def _interleaved(keys: RowKeys, seed: int) -> Ints:
    """Return rows in an order of which every beginning has the groups in nearly equal shares."""
    place = places(keys, seed, SUBSETS)
    _, code, sizes = np.unique(keys.group, return_inverse=True, return_counts=True)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    # The j-th of a group of m rows stands at (j + 1/2) / m of the way.
    way = (place - first[code] + 0.5) / sizes[code]
    return np.lexsort((place, way))


def _spread(errors: NDArray[np.float64]) -> tuple[Score, ...]:
    n = len(errors)
    spread = errors.std(axis=0, ddof=1).tolist() if n > 1 else [math.nan] * errors.shape[1]
    return tuple(Score(mean, sd) for mean, sd in zip(errors.mean(axis=0).tolist(), spread, strict=True))
