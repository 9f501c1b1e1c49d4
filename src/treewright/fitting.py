"""Growing and pruning in one go: what a recipe means as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, refusal
from treewright.base.progress import Watcher, part_of, watched_by, watcher
from treewright.base.work import count_of_jobs
from treewright.growth import Settings
from treewright.growth.grower import Grown, grown
from treewright.growth.keywords import Keywords, with_settings
from treewright.growth.question import counted_weights
from treewright.growth.shown import with_short_cuts
from treewright.prune.base import Evidence, Method
from treewright.prune.dealing import units_of
from treewright.prune.folds import RowKeys, held_out, row_keys
from treewright.prune.method import find, pruned
from treewright.prune.order import RAISING, need_free
from treewright.prune.reduced_error import refilled
from treewright.prune.sample import Sample, sample_of_rows
from treewright.table import NO_TERMS, ClassTerms, Rows, Table, findings, table_with_target, warn_of
from treewright.tree import Tree
from treewright.tree.edit import alter

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.shards.layout import Layout
    from treewright.shards.spool import Budget, Spool

Floats = NDArray[np.float64]
SPOOLING = 0.4  # of the time that growth from files takes, until they are coded


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
    engine: Any = None,
    checkpoint: Any = None,
    memory: Any = None,
    spool: Any = None,
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

    `engine`, a client of Dask or a runner, grows the same tree on the machines of a cluster: `table` is then
    a path, a folder, a pattern or a list of files that all machines can read, or a data frame of Dask, and
    `target` and `weights` are names of columns. `checkpoint` names a file that keeps what was learnt until
    the tree is there: called again with it, growth goes on where it was cut short. An engine may also be a
    connection of DuckDB, `table` the name of a table or a query there; then SQL counts.

    `memory`, such as "2GB", grows the same tree on this machine from more rows than that holds: `table` is a
    path, a folder, a pattern, a list of files, or frames in pieces; rows are coded once into files (a spool)
    and read from there. `spool` is a folder to keep these in, for the next tree on the same rows; without
    it they lie where temporary files do, and are gone in the end. `tree.about["growth"]` tells the passes.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> print(tree.to_text())  # doctest: +ELLIPSIS
    Outlook
    ...
    """
    if engine is not None:
        return _grow_elsewhere(
            engine,
            table,
            target,
            weights,
            Settings.of(recipe, **settings),
            ClassTerms(class_weight, priors, costs),
            checkpoint,
            progress,
        )
    if checkpoint is not None:
        raise ValueError("checkpoint=... goes with engine=...: growth in memory keeps nothing.")
    if memory is not None:
        chosen, terms = Settings.of(recipe, **settings), ClassTerms(class_weight, priors, costs)
        said = {"weights": weights, "spool": spool, "progress": progress, "n_threads": chosen.n_threads}
        return grow_from_files(table, target, lambda _: (chosen, terms), memory, **said)
    if spool is not None:
        raise ValueError("spool=... goes with memory=...: growth in memory writes no files.")
    table, target = table_with_target(table, target, "grow")
    chosen = _with_folds(Settings.of(recipe, **settings), table)
    terms = ClassTerms(class_weight, priors, costs)
    rows = Rows.of(_without_units(table, settings.get("prune")), target, weights)
    if warns:
        warn_of(findings(rows))
    return grow_pruned(rows, chosen, terms, progress)


def _grow_elsewhere(
    engine: Any,
    data: Any,
    target: Any,
    weights: Any,
    settings: Settings,
    terms: ClassTerms,
    checkpoint: Any,
    tell: Watcher | None,
) -> Tree:
    """Return the tree on rows that an engine holds."""
    from treewright.distributed.growing import engine_facts, grown_on  # on first use

    check_names("engine", target, weights)
    method = find(settings.prune)
    if method is not None and method.needs != "nothing":
        raise refusal(
            ask("prune", settings.prune if isinstance(settings.prune, str) else method.name),
            " asks rows, which lie elsewhere with engine=...: grow with ",
            ask("prune", "none"),
            ", and prune the tree with rows kept back; or use ",
            ask("prune", "pessimistic", "mdl"),
            ".",
        )
    more = {"weights": weights, "terms": terms, "checkpoint": checkpoint}
    tell = tell or watcher()
    with watched_by(tell), grown_on(engine, data, target, settings, **more) as growth:
        tree = growth.finished(growth.tree if method is None else pruned(growth.tree, method))
        facts = engine_facts(growth.source, growth.n_rows)
    if tell is not None:
        tell(1.0)
    return alter(tree, about={**tree.about, "growth": facts})


def check_names(option: str, target: Any, weights: Any) -> None:
    """Refuse a target or weights that are not columns by name, where rows are not in memory.

    >>> check_names("memory", "class", None)
    """
    for name, given in (("target", target), ("weights", "" if weights is None else weights)):
        if not isinstance(given, str):
            raise TypeError(
                f"With {option}=..., {name} is the name of a column, not a {type(given).__name__}."
            )


def grow_from_files(
    data: Any,
    target: Any,
    terms_of: Callable[[Layout], tuple[Settings, ClassTerms]],
    memory: Any,
    weights: Any = None,
    spool: Any = None,
    progress: Watcher | None = None,
    n_threads: int = 1,
) -> Tree:
    """Return the tree for the rows of files, in about so much memory; `tw.grow(..., memory=...)`.

    `terms_of` gives the settings and what is said of classes, once columns and classes are known.

    >>> import treewright as tw
    >>> pieces = [tw.example("iris").take(range(first, 150, 3)) for first in range(3)]
    >>> plain = Settings.of("plain"), ClassTerms()
    >>> tree = grow_from_files(pieces, "class", lambda layout: plain, "1GB")
    >>> tree == tw.grow(tw.example("iris"), "class")
    True
    """
    from treewright.prune.on_disk import grow_on_disk, growth_facts  # on first use
    from treewright.shards.spool import View

    with opened(data, target, memory, weights, spool, progress, n_threads) as (rows, budget, growing):
        settings, terms = terms_of(rows.layout)
        method = find(settings.prune)
        view = View.of(rows, target, settings, weights, terms, budget.n_threads)
        view.question()  # refuses what cannot be grown
        if not view.fits(budget, is_judged=method is not None):
            return grow_on_disk(view, budget, method, growing)
        tree = grow_pruned(view.rows(), settings, terms, growing)
        return alter(tree, about={**tree.about, "growth": growth_facts(view, budget, "memory")})


@contextmanager
def opened(
    data: Any,
    target: Any,
    memory: Any,
    weights: Any = None,
    spool: Any = None,
    progress: Watcher | None = None,
    n_threads: int = 1,
) -> Iterator[tuple[Spool, Budget, Watcher | None]]:
    """Give the rows of files as a spool, the memory that growth may take, and who hears of its progress.

    >>> import treewright as tw
    >>> with opened([tw.example("iris")], "class", "1GB") as (rows, budget, _):
    ...     rows.n_rows, budget.n_bytes
    (150, 1000000000)
    """
    from treewright.shards import shards_of  # on first use
    from treewright.shards.spool import Budget, spooled
    from treewright.shards.summary import check_names as check_listed

    check_names("memory", target, weights)
    budget, tell = Budget.of(memory, threads_for_files(n_threads)), progress or watcher()
    listing = shards_of(data)
    check_listed(listing, [target] if weights is None else [target, weights])
    with spooled(listing, budget, spool, part_of(tell, 0.0, SPOOLING)) as rows:
        yield rows, budget, part_of(tell, SPOOLING, 1.0)


def threads_for_files(n_threads: int) -> int:
    """Return on how many threads files are read and counted: two at least, one reads while the other counts.

    >>> threads_for_files(8) == 8, threads_for_files(1) <= 2
    (True, True)
    """
    return max(count_of_jobs(n_threads), min(2, count_of_jobs(-1)))


def _with_folds(settings: Settings, table: Table) -> Settings:
    """Return settings in which folds, groups and order named as a column are the values of that column."""
    method = settings.prune
    given = {name: getattr(method, name, None) for name in ("folds", "groups", "order")}
    values = {
        name: table.column(of)[1] if name == "folds" else units_of(table, table.n_rows, name, of)
        for name, of in given.items()
        if isinstance(of, str)
    }
    return replace(settings, prune=replace(method, **values)) if values else settings


def _without_units(table: Table, method: Any) -> Table:
    """Return the table without the columns of groups and order, which are no features."""
    return table.drop(
        [of for name in ("groups", "order") if isinstance(of := getattr(method, name, None), str)]
    )


def grow_pruned(
    rows: Rows, settings: Settings, terms: ClassTerms = NO_TERMS, progress: Watcher | None = None
) -> Tree:
    """Return the tree for coded rows, pruned as the settings say; its cuts can be shown with few digits."""
    grow = _grow_honestly if settings.honest else _grow_pruned
    return with_short_cuts(grow(rows, settings, terms, progress), rows.columns)


def _grow_honestly(rows: Rows, settings: Settings, terms: ClassTerms, progress: Watcher | None) -> Tree:
    """Return a tree whose tests are those of some rows and whose figures are those of the others."""
    if not settings.honest < 1:
        raise ValueError(f"honest={settings.honest!r} must be a share of the rows below 1.")
    need_free(settings.monotone, "honest growth", "Grow it without.")
    if rows.n_rows < 2:  # a single row does both
        return _grow_pruned(rows, settings, terms, progress)
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    columns = zip(rows.schema.columns, rows.columns, strict=True)
    is_out = held_out(row_keys(columns, (rows.target, rows.answers), weights), settings.honest, settings.seed)
    tree = _grow_pruned(rows.take(~is_out), settings, terms, progress)
    judges = rows.take(is_out)
    return refilled(
        tree, sample_of_rows(judges.weighing(counted_weights(judges, settings, terms.class_weight)))
    )


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
