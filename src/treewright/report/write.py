"""The report as a file."""

from __future__ import annotations

import os
from typing import Any

from treewright.base.files import write_whole
from treewright.base.progress import Watcher
from treewright.prune.sample import rows_for
from treewright.report.facts import facts
from treewright.report.html import page
from treewright.tree import Tree


def report(
    tree: Tree,
    path: str | os.PathLike[str],
    table: Any = None,
    *,
    training: Any = None,
    folds: Any = None,
    reading: Any = None,
    title: str | None = None,
    weights: Any = None,
    training_weights: Any = None,
    seed: int = 0,
    n_jobs: int = 1,
    progress: Watcher | None = None,
) -> None:
    """Write one HTML page about a tree: it opens offline, asks nothing of the network and holds no rows.

    The same input gives the same bytes. On any error an older file of that name stays whole.

    Args:
        tree: for classes or for numbers.
        path: of the page.
        table: rows that were not used for growing, with the target: test error, mistakes, overfitting.
        training: the rows of growth; only their fingerprint is kept.
        folds: cross-validate the sizes of the tree on `training`: a number, one per row, or a column.
        reading: what `tw.reading` gives, to tell how the file was read.
        title: of the page; by default the name of the target.
        weights: of the rows of `table`: a number each, or the name of a column.
        training_weights: of the rows of `training`.
        seed: of the folds.
        n_jobs: folds grown at once.
        progress: called with the share that is done.

    >>> import os, tempfile
    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3", ledger=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report(tree, os.path.join(folder, "tennis.html"), table)
    ...     os.listdir(folder)
    ['tennis.html']
    """
    told = facts(
        tree,
        rows_for(tree, table) if isinstance(tree, Tree) else table,
        training=rows_for(tree, training) if isinstance(tree, Tree) else training,
        folds=folds,
        reading=reading,
        title=title,
        weights=weights,
        training_weights=training_weights,
        seed=seed,
        n_jobs=n_jobs,
        progress=progress,
    )
    write_whole(path, page(told))
