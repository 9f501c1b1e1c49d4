"""Forests from files that memory does not hold, or that the machines of a cluster read."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from treewright.base.progress import Watcher, watched_by
from treewright.fitting import check_names, opened
from treewright.forest.forest import Forest
from treewright.forest.grower import Wanted, grow_rows
from treewright.forest.sourced import Fingerprint, grow_from
from treewright.growth import Settings
from treewright.prune.on_disk import growth_facts
from treewright.shards.spool import Budget, Spool, SpoolSource, View


def grow_elsewhere(
    data: Any,
    target: Any,
    wanted: Wanted,
    places: Mapping[str, Any],
    weights: Any,
    progress: Watcher | None,
) -> Forest:
    """Return the forest for rows in files or on an engine, whichever `places` names.

    >>> import treewright as tw
    >>> iris = tw.example("iris")
    >>> tw.forest.grow([iris], "class", 2, memory="1GB") == tw.forest.grow(iris, "class", 2)
    True
    """
    engine, memory = places["engine"], places["memory"]
    if engine is not None:
        return grow_on_engine(engine, data, target, wanted, weights, places["checkpoint"], progress)
    if places["checkpoint"] is not None:
        raise ValueError("checkpoint=... goes with engine=...: growth from files keeps none.")
    n_threads = Settings.of(wanted.recipe, n_threads=wanted.given.get("n_threads", 1)).n_threads
    return grow_from_files(data, target, wanted, memory, weights, places["spool"], progress, n_threads)


def grow_from_files(
    data: Any,
    target: Any,
    wanted: Wanted,
    memory: Any,
    weights: Any = None,
    spool: Any = None,
    progress: Watcher | None = None,
    n_threads: int = 1,
) -> Forest:
    """Return the forest for the rows of files, in about so much memory; `tw.forest.grow(..., memory=...)`.

    >>> import treewright as tw
    >>> from treewright.forest.grower import Trees, Wanted
    >>> from treewright.table import ClassTerms
    >>> iris = tw.example("iris")
    >>> pieces = [iris.take(range(75)), iris.take(range(75, 150))]
    >>> wanted = Wanted(Trees(3, 0, lambda n: n), "plain", None, {}, ClassTerms())
    >>> grow_from_files(pieces, "class", wanted, "1GB") == tw.forest.grow(iris, "class", 3)
    True
    """
    with opened(data, target, memory, weights, spool, progress, n_threads) as (rows, budget, tell):
        view = _view(rows, target, wanted, weights, budget)
        if view.fits(budget, is_judged=False):
            with watched_by(tell):
                forest = grow_rows(view.rows(), view.plan.settings, wanted.trees, wanted.terms)
            return _with_facts(forest, growth_facts(view, budget, "memory"))
        return _on_disk(view, wanted, budget, tell)


def _view(rows: Spool, target: str, wanted: Wanted, weights: str | None, budget: Budget) -> View:
    goal = rows.layout.coding(target).column
    n_columns = len(set(rows.layout.schema.names) - {target, weights})
    settings, most = wanted.settings(goal, n_columns), wanted.trees.draws(rows.n_rows)
    view = View.of(rows, target, settings, weights, wanted.terms, budget.n_threads, most)
    view.question()  # refuses what cannot be grown
    return view


def _on_disk(view: View, wanted: Wanted, budget: Budget, tell: Watcher | None) -> Forest:
    """Return the forest whose trees are grown from the spool; nodes that memory holds are grown there."""
    found = Fingerprint()
    for answers in view.kept_answers():
        found.add(answers)
    with closing(SpoolSource(view, budget)) as source, watched_by(tell):
        forest = grow_from(
            source,
            source.question,
            view.plan.settings,
            wanted.trees,
            found.counted(),
            gather_below=budget.for_rows // source.bytes_of_row,
        )
        facts = {"passes": source.n_passes, "bytes_read": source.n_bytes}
    return _with_facts(forest, growth_facts(view, budget, "spool", facts))


def grow_on_engine(
    engine: Any,
    data: Any,
    target: Any,
    wanted: Wanted,
    weights: Any = None,
    checkpoint: Any = None,
    progress: Watcher | None = None,
) -> Forest:
    """Return the forest for rows that an engine holds; `tw.forest.grow(..., engine=...)`.

    >>> import treewright as tw
    >>> from treewright.forest.grower import Trees, Wanted
    >>> from treewright.table import ClassTerms
    >>> iris = tw.example("iris")
    >>> pieces = [iris.take(range(75)), iris.take(range(75, 150))]
    >>> wanted = Wanted(Trees(3, 0, lambda n: n), "plain", None, {}, ClassTerms())
    >>> forest = grow_on_engine(tw.distributed.LocalRunner(), pieces, "class", wanted)
    >>> forest == tw.forest.grow(iris, "class", 3)
    True
    """
    from treewright.distributed.growing import Asked, engine_facts, is_connection, placed_on  # on first use

    if is_connection(engine):
        raise ValueError(
            "Rows of a table inside DuckDB have no order to draw them by: grow the forest in memory, from "
            "files (memory=...) or on a cluster. A single tree is grown there by tw.grow."
        )
    check_names("engine", target, weights)

    def wishes(layout: Any) -> Asked:
        goal = layout.coding(target).column
        n_columns = len(set(layout.schema.names) - {target, weights})
        return Asked(wanted.settings(goal, n_columns), wanted.trees.draws(layout.n_rows), is_forest=True)

    more = {"weights": weights, "terms": wanted.terms, "checkpoint": checkpoint}
    with watched_by(progress), placed_on(engine, data, target, wishes, **more) as placed:
        found = Fingerprint()
        for answers in placed.answers:
            found.add(answers)
        forest = grow_from(
            placed.source,
            placed.question,
            placed.settings,
            wanted.trees,
            found.counted(),
            gather_below=placed.gather_below,
        )
        facts = engine_facts(placed.source, placed.n_rows)
    return _with_facts(forest, facts)


def _with_facts(forest: Forest, facts: dict[str, Any]) -> Forest:
    """Return the forest with what is said of its growth."""
    about = {**forest.about, "growth": facts}
    return Forest.of_growth(forest.schema, forest.target, dict(forest.arrays), about)
