"""Cross-validation for pruning: trees grown anew on the rest of each fold, and the rows held out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from treewright.base.progress import Watcher
from treewright.base.work import each
from treewright.prune.base import Evidence
from treewright.prune.dealing import dealing_of, is_dealt_anew, requested_folds
from treewright.prune.folds import is_count, keys_in
from treewright.prune.regrow import Regrow, regrow_from
from treewright.prune.sample import Sample, rows_for, sample_of
from treewright.table import Table
from treewright.tree import Tree
from treewright.tree.losses import ANSWERS, loss_of
from treewright.tree.policy import gap_policy

N_FOLDS = 10

Found = TypeVar("Found")


@runtime_checkable
class Folding(Protocol):
    """Rows that are never together in memory, and find their folds themselves (`blocks.RowsInBlocks`)."""

    def cross_validation(
        self, judge: Any, regrow: Any, folds: Any, seed: int, progress: Watcher | None
    ) -> list[Any]:
        """Return what `judge` says of every fold."""
        ...


@dataclass(frozen=True, eq=False)
class Fold:
    """One fold: the tree grown on the rest, the rest, the rows held out, and their numbers.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> cross_validation(lambda fold: fold.held.n_rows, tree, table, folds=4)
    [4, 4, 3, 3]
    """

    tree: Tree
    sample: Sample
    kept: NDArray[np.int64]  # the numbers of the rest
    rows: NDArray[np.int64]

    @cached_property
    def rest(self) -> Sample:
        """The rows that the tree was grown on."""
        return self.sample.take(self.kept)

    @cached_property
    def held(self) -> Sample:
        """The rows held out."""
        return self.sample.take(self.rows)


def cross_validation(
    judge: Callable[[Fold], Found],
    tree: Tree,
    table: Table | Sample,
    *,
    folds: Any = N_FOLDS,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int = 1,
    regrow: Regrow | None = None,
    progress: Watcher | None = None,
) -> list[Found]:
    """Return what `judge` says of every fold of the table a tree was grown on, in the order of the folds.

    `folds` is a number (keyed by `seed` and what rows hold, classes in equal shares), one whole number per
    row, or the name of a column; or what `requested_folds` makes of groups or an order. `regrow` makes a tree
    from row numbers; None grows as the tree says it was.
    `n_jobs` folds are grown and judged at once; `progress` is called with the share that is done.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> cross_validation(lambda fold: fold.tree.weights[0].item(), tree, table, folds=[0, 1] * 7)
    [7.0, 7.0]
    """
    if isinstance(folds, str):
        if not isinstance(table, Table):
            raise ValueError(f"folds={folds!r} names a column, which needs a Table.")
        folds = table.column(folds)[1]
    sample = sample_of(tree, table, weights)
    if isinstance(sample, Folding):
        assert regrow is not None, "rows in blocks come with how to grow on some of them"
        return sample.cross_validation(judge, regrow, folds, seed, progress)
    if regrow is None:
        _check_same_rows(tree, sample)
        regrow = regrow_from(tree, sample)
    dealing = dealing_of(folds, sample.n_rows, lambda: keys_in(tree, sample), seed)

    def verdict(k: int) -> Found:
        rest, held = dealing.rest(k), dealing.held(k)
        return judge(Fold(regrow(rest), sample, rest, held))

    return each(verdict, range(dealing.n_folds), n_jobs, progress)


def folds_for(method: Any, tree: Tree, evidence: Evidence) -> Any:
    """Return the folds of a way to prune, with what it says of groups and order in the rows it is given.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> folds_for(tw.prune.CostComplexity(folds=3, groups="Outlook"), tree, Evidence(table))
    Blocks(3 groups in 3 folds)
    """
    if isinstance(method.folds, str) and isinstance(evidence.table, Table):
        return evidence.table.column(method.folds)[1]
    given = rows_for(tree, evidence.rows)
    table = given if isinstance(given, Table) else None
    return requested_folds(table, given.n_rows, method.folds, method.groups, method.order)


def dealings(folds: Any, repeats: int) -> int:
    """Return how often folds are dealt; those that were given are used once.

    >>> dealings(10, 3), dealings([0, 1] * 7, 3)
    (3, 1)
    """
    if not is_count(repeats) or repeats < 1:
        raise ValueError(f"repeats={repeats!r} must be a whole number of at least 1.")
    return int(repeats) if is_dealt_anew(folds) else 1


class Losses(NamedTuple):
    """The losses of held-out rows and their squares, summed for each candidate; and the weight of the rows.

    >>> Losses(np.array([2.0, 3.0]), np.array([2.0, 3.0]), 14.0).weight
    14.0
    """

    total: NDArray[np.float64]
    squares: NDArray[np.float64]
    weight: float


def losses_over_folds(
    judge: Callable[[Fold], tuple[NDArray[np.float64], NDArray[np.float64]]],
    tree: Tree,
    table: Table | Sample,
    **more: Any,
) -> Losses:
    """Return the losses that `judge` finds for every candidate, summed over the folds; options as above.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> none = np.zeros(2)
    >>> losses_over_folds(lambda fold: (none, none), tree, table, folds=4)
    Losses(total=array([0., 0.]), squares=array([0., 0.]), weight=14.0)
    """

    def weighed(fold: Fold) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        return *judge(fold), float(fold.held.weights.sum())

    total, squares, weight = zip(*cross_validation(weighed, tree, table, **more), strict=True)
    return Losses(np.sum(total, axis=0), np.sum(squares, axis=0), float(np.sum(weight)))


def _check_same_rows(tree: Tree, sample: Sample) -> None:
    """Refuse rows that are not what the tree was grown on: it would be grown again in another way."""
    if gap_policy(tree.about).drops_rows:
        return  # which rows were dropped is not worth asking twice
    answers, weights = sample.answers, sample.weights
    if tree.is_classifier:
        root = tree.stats[0]
        found = np.bincount(answers[answers >= 0], weights[answers >= 0], len(root))
    else:
        is_mean = ANSWERS[loss_of(tree)] == "mean"
        root = tree.stats[0, : 1 + is_mean]
        found = np.array([weights.sum(), np.average(answers, weights=weights)])[: 1 + is_mean]
    if not np.allclose(root, found, rtol=1e-6, atol=1e-6 * float(np.abs(root).max())):
        raise ValueError(
            f"The tree was grown on other rows, or with other weights: its root holds {root.tolist()}, the "
            f"table {found.tolist()}. Give the training table with weights=, or regrow=, a function from row "
            "numbers to a tree."
        )
