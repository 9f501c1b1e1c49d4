"""Cross-validation for pruning: trees grown anew on the rest of each fold, and the rows held out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.grow.progress import Watcher
from treewright.prune.folds import folds_of
from treewright.prune.regrow import Regrow, regrow_from
from treewright.prune.sample import Sample, sample_of
from treewright.table import Table
from treewright.tree import Tree

N_FOLDS = 10


class Fold(NamedTuple):
    """One fold: the tree grown on the rest, the rest, the rows held out, and their numbers.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> [fold.held.n_rows for fold in cross_validation(tree, tw.example("tennis"), folds=4)]
    [4, 4, 3, 3]
    """

    tree: Tree
    rest: Sample
    held: Sample
    rows: NDArray[np.int64]


def cross_validation(
    tree: Tree,
    table: Table | Sample,
    *,
    folds: Any = N_FOLDS,
    weights: Any = None,
    seed: int = 0,
    regrow: Regrow | None = None,
    progress: Watcher | None = None,
) -> Iterator[Fold]:
    """Yield every fold of the table a tree was grown on, with the tree that the others grow.

    `folds` is a number (keyed by `seed` and row, classes in equal shares), one whole number per row, or the
    name of a column. `regrow` makes a tree from row numbers; None grows as the tree says it was grown.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> [fold.tree.weights[0].tolist() for fold in cross_validation(tree, table, folds=[0, 1] * 7)]
    [7.0, 7.0]
    """
    if isinstance(folds, str):
        if not isinstance(table, Table):
            raise ValueError(f"folds={folds!r} names a column, which needs a Table.")
        folds = table.column(folds)[1]
    sample = sample_of(tree, table, weights)
    if regrow is None:
        _check_same_rows(tree, sample)
        regrow = regrow_from(tree, sample)
    fold = folds_of(tree, sample, folds, seed)
    n_folds = int(fold.max()) + 1
    for k in range(n_folds):
        rest, held = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        yield Fold(regrow(rest), sample.take(rest), sample.take(held), held)
        if progress is not None:
            progress((k + 1) / n_folds)


def _check_same_rows(tree: Tree, sample: Sample) -> None:
    """Refuse rows that are not what the tree was grown on: it would be grown again in another way."""
    if tree.about.get("missing") == "drop":
        return  # which rows were dropped is not worth asking twice
    answers, weights = sample.answers, sample.weights
    if tree.is_classifier:
        root = tree.stats[0]
        found = np.bincount(answers[answers >= 0], weights[answers >= 0], len(root))
    else:
        root = tree.stats[0, :2]
        found = np.array([weights.sum(), np.average(answers, weights=weights)])
    if not np.allclose(root, found, rtol=1e-6, atol=1e-6 * float(np.abs(root).max())):
        raise ValueError(
            f"The tree was grown on other rows, or with other weights: its root holds {root.tolist()}, the "
            f"table {found.tolist()}. Give the training table with weights=, or regrow=, a function from row "
            "numbers to a tree."
        )
