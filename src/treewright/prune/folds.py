"""Cross-validation for pruning: folds from keys, trees grown anew on each rest, held-out losses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.grow import Settings, grow
from treewright.prune.heldout import answers
from treewright.table import Table
from treewright.tree import Tree

Grow = Callable[[Table], Tree]
Progress = Callable[[int, int], Any]  # folds done, folds in all
FOLD_PATH = 0xF01D  # keeps these draws apart from those of growth
N_FOLDS = 10


def keyed_folds(
    n_rows: int, n_folds: int, seed: int = 0, strata: NDArray[Any] | None = None
) -> NDArray[np.int64]:
    """Return the fold of every row: dealt in turn inside each stratum, in the order of keyed draws.

    A draw depends on the seed and the row's number only, so the same folds come out whatever ran before.

    >>> keyed_folds(6, 3, seed=1, strata=np.array([0, 0, 0, 1, 1, 1])).tolist()
    [2, 0, 1, 1, 2, 0]
    """
    keys = np.array([_core.draw(seed % 2**64, 0, FOLD_PATH, row) for row in range(n_rows)], dtype=np.uint64)
    order = np.argsort(keys, kind="stable")
    if strata is not None:
        order = order[np.argsort(strata[order], kind="stable")]
    fold = np.empty(n_rows, dtype=np.int64)
    fold[order] = np.arange(n_rows) % n_folds
    return fold


def checked_folds(
    tree: Tree, table: Table, folds: int | Sequence[int] | NDArray[Any], seed: int
) -> NDArray[np.int64]:
    """Return the fold of every row: as given, or so many keyed folds, with equal shares of the classes.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> checked_folds(tree, tw.example("tennis"), [0, 1] * 7, seed=0)[:4].tolist()
    [0, 1, 0, 1]
    """
    if isinstance(folds, (int, np.integer)):
        if not 2 <= folds <= table.n_rows:
            raise ValueError(f"folds={folds} must be from 2 to the number of rows, {table.n_rows}")
        return keyed_folds(
            table.n_rows, int(folds), seed, answers(tree, table) if tree.is_classifier else None
        )
    given = np.asarray(folds)
    if given.shape != (table.n_rows,) or given.dtype.kind not in "iu":
        raise ValueError(
            f"folds must be a number, or one whole number per row ({table.n_rows}); "
            f"found {given.dtype} of shape {given.shape}"
        )
    found = np.unique(given, return_inverse=True)[1].reshape(-1)
    if found.max(initial=0) == 0:
        raise ValueError("All rows are in one fold, so none is left to grow on; give at least two folds")
    return np.asarray(found, dtype=np.int64)


def parts(
    table: Table, fold: NDArray[np.int64], progress: Progress | None
) -> Iterator[tuple[Table, Table, NDArray[np.int64]]]:
    """Yield for every fold the rest, the rows held out, and their numbers; tell `progress` when it is done.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3]})
    >>> [(rest.n_rows, rows.tolist()) for rest, _, rows in parts(table, np.array([0, 1, 0]), None)]
    [(1, [0, 2]), (2, [1])]
    """
    n_folds = int(fold.max()) + 1
    for k in range(n_folds):
        rows = np.flatnonzero(fold == k)
        yield table.take(fold != k), table.take(rows), rows
        if progress is not None:
            progress(k + 1, n_folds)


def regrow(tree: Tree, table: Table) -> Grow:
    """Return a function that grows on other rows as this tree was grown on this table.

    The tree says how, but it does not keep row weights. Where it was grown with some, or by a
    criterion that was an object, pass `grow=` instead: a function from a table to a tree.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> regrow(tree, table)(table) == tree
    True
    """
    about = tree.about
    target = tree.target.name
    names = {f.name for f in fields(Settings)} - {"tasks", "n_threads", "ledger"}
    told = {name: about[name] for name in names if about.get(name) is not None}
    if "recipe" not in told:
        raise ValueError(
            "This tree does not say how it was grown; pass grow=, a function from a table to a tree"
        )
    _check_same_rows(tree, table)
    more: dict[str, Any] = {}
    if about.get("class_scale") is not None:
        more["priors"] = (tree.stats[0] / tree.weights[0] * np.asarray(about["class_scale"])).tolist()
    if about.get("costs") is not None:
        more["costs"] = np.asarray(about["costs"], dtype=np.float64)
    columns = [*tree.schema.names, target]
    return lambda rows: grow(rows.select(columns), target, **more, **told)


def _check_same_rows(tree: Tree, table: Table) -> None:
    """Refuse a table that is not what the tree was grown on, every row counting one."""
    if tree.about.get("missing") == "drop":
        return  # which rows were dropped is not worth asking twice
    truth = answers(tree, table)
    if tree.is_classifier:
        root = tree.stats[0]
        found = np.bincount(truth[truth >= 0], minlength=len(root)).astype(np.float64)
    else:
        root = tree.stats[0, :2]
        found = np.array([table.n_rows, truth.mean()])
    if not np.allclose(root, found, rtol=1e-9, atol=1e-9 * np.abs(truth).max(initial=0)):
        raise ValueError(
            f"This tree was grown on other rows, or with weights: its root holds {root.tolist()}, the table "
            f"{found.tolist()}. Give the training table, or pass grow=, a function from a table to a tree."
        )
