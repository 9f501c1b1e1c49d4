"""Growing and pruning in one go: what a recipe means as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.progress import Watcher, part_of, watched_by, watcher
from treewright.growth import Settings
from treewright.growth.grower import Grown, grown
from treewright.growth.keywords import Keywords, with_settings
from treewright.growth.question import counted_weights
from treewright.growth.shown import with_short_cuts
from treewright.prune.base import Evidence, Method
from treewright.prune.folds import RowKeys, held_out, row_keys
from treewright.prune.method import find, pruned
from treewright.prune.order import RAISING, need_free
from treewright.prune.sample import Sample, sample_of_rows
from treewright.table import NO_TERMS, ClassTerms, Rows, Table, findings, table_with_target, warn_of
from treewright.tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Unpack

Floats = NDArray[np.float64]


@with_settings
def grow(
    table: Any,
    target: Any,
    recipe: str = "plain",
    *,
    weights: Any = None,
    class_weight: Any = None,
    priors: Any = None,
    costs: Any = None,
    progress: Watcher | None = None,
    warns: bool = True,
    **settings: Unpack[Keywords],
) -> Tree:
    """Return the tree that a recipe grows and prunes: for classes, or for numbers if the target is numeric.

    `recipe` is "plain", "id3", "c4.5", "cart" or "stump"; any setting of it can be given by name
    (`criterion`, `splits`, `missing`, `max_depth`, `min_leaf`, ...: see `treewright.growth.Settings`).
    `prune` is a setting too: a name such as "error_based", "cv", an object such as
    `tw.prune.ErrorBased(confidence=0.1)`, or "none". c4.5 and cart prune unless told not to. A way to prune
    that needs rows of its own keeps them back from growing. `progress` is called with the share of the rows
    that have reached their leaf or, where pruning grows other trees to judge by, of those trees.

    `weights` is one number per row or the name of a column; `class_weight` ("balanced" or by class),
    `priors` and `costs` (row = true class) are by class name or in class order. Columns that should not be
    learned from, such as identifiers, are a `treewright.DataWarning`, unless `warns=False`.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> print(tree.to_text())  # doctest: +ELLIPSIS
    Outlook
    ...
    """
    table, target = table_with_target(table, target, "grow")
    chosen = _with_folds(Settings.of(recipe, **settings), table)
    terms = ClassTerms(class_weight, priors, costs)
    rows = Rows.of(table, target, weights)
    if warns:
        warn_of(findings(rows))
    return grow_pruned(rows, chosen, terms, progress)


def _with_folds(settings: Settings, table: Table) -> Settings:
    """Return settings in which folds named as a column are the values of that column."""
    folds = getattr(settings.prune, "folds", None)
    if not isinstance(folds, str):
        return settings
    return replace(settings, prune=replace(settings.prune, folds=table.column(folds)[1]))


def grow_pruned(
    rows: Rows, settings: Settings, terms: ClassTerms = NO_TERMS, progress: Watcher | None = None
) -> Tree:
    """Return the tree for coded rows, pruned as the settings say; its cuts can be shown with few digits."""
    return with_short_cuts(_grow_pruned(rows, settings, terms, progress), rows.columns)


def _grow_pruned(rows: Rows, settings: Settings, terms: ClassTerms, progress: Watcher | None) -> Tree:
    method = find(settings.prune)
    if method is not None and method.moves_branches:
        need_free(settings.monotone, *RAISING)
    tell = progress or watcher()
    if method is None or method.needs == "nothing":
        with watched_by(tell):
            growth = grown(rows, settings, terms)
            return growth.finished(growth.tree if method is None else pruned(growth.tree, method))
    rows = rows.weighing(counted_weights(rows, settings, terms.class_weight))
    terms = terms.without_weight()

    def on(some: NDArray[Any] | None, growing: Settings) -> Grown:
        return grown(rows if some is None else rows.take(some), growing, terms)

    judges = sample_of_rows(rows)
    if method.needs != "validation":
        return _with_training_rows(method, judges, on, settings, tell)
    with watched_by(tell):
        columns = zip(rows.schema.columns, rows.columns, strict=True)
        keys = row_keys(columns, (rows.target, rows.answers), judges.weights)
        return _with_holdout(method, judges, keys, lambda kept: on(kept, settings))


def _with_training_rows(
    method: Method,
    rows: Sample,
    on: Callable[[NDArray[Any] | None, Settings], Grown],
    settings: Settings,
    tell: Watcher | None,
) -> Tree:
    """Grow on all rows, and prune by the same rows or by trees that are grown on parts of them."""
    first = 1 / (1 + _n_folds(method))  # of the work: the tree itself; the trees of folds are the rest
    # Folds share the threads: each grows on one, and nobody reads its ledger.
    simple = replace(settings, n_threads=1, ledger=False)
    with watched_by(part_of(tell, 0.0, first)):
        growth = on(None, settings)
        tree = growth.finished() if method.moves_branches else growth.tree
    others = part_of(tell, first, 1.0)
    evidence = Evidence(
        rows,
        regrow=lambda kept: on(kept, simple).for_all_but(kept, rows),
        n_jobs=settings.n_threads,
        progress=others,
    )
    found = pruned(tree, method, evidence)
    if tell is not None:
        tell(1.0)  # a tree of one leaf needs no folds
    with watched_by(part_of(tell, 1.0, 1.0)):
        return found if method.moves_branches else growth.finished(found)


def _n_folds(method: Method) -> int:
    """Return how many trees a method grows besides, as far as its options say."""
    folds = getattr(method, "folds", 0)
    return folds * getattr(method, "repeats", 1) if isinstance(folds, int) else 10


def _with_holdout(
    method: Method, rows: Sample, keys: RowKeys, grow_on: Callable[[NDArray[Any]], Grown]
) -> Tree:
    """Grow on some rows and let the others judge."""
    share, seed = getattr(method, "holdout", 1 / 3), getattr(method, "seed", 0)
    is_out = held_out(keys, share, seed)
    growth, judges = grow_on(np.flatnonzero(~is_out)), rows.take(np.flatnonzero(is_out))
    return growth.finished(pruned(growth.for_rows(judges.columns), method, Evidence(judges)))
