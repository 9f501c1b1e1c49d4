"""Growing and pruning in one go on rows that lie in a spool: few of them are in memory at any time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from typing import Any

from treewright.base.advice import ask, refusal
from treewright.base.progress import Watcher, part_of, watched_by
from treewright.growth.sourced import grown_from
from treewright.growth.sourced.finished import Grown
from treewright.prune.base import Evidence, Method
from treewright.prune.blocks import Choice, RowsInBlocks
from treewright.prune.method import CostComplexity, ErrorComplexity, ReducedError, pruned
from treewright.shards.spool import Budget, SpoolSource, View
from treewright.tree import Tree
from treewright.tree.edit import alter


def grow_on_disk(
    view: View,
    budget: Budget,
    method: Method | None,
    tell: Watcher | None = None,
    gather_below: int | None = None,
) -> Tree:
    """Return the tree for the rows of a spool, pruned by a method; the one that growth in memory gives.

    `gather_below`: nodes of so many rows are grown in memory; None: of as many as memory holds.

    >>> import treewright as tw
    >>> from treewright.shards import shards_of
    >>> from treewright.shards.spool import spooled
    >>> iris, budget = tw.example("iris"), Budget.of("1GB")
    >>> with spooled(shards_of([iris]), budget) as spool:
    ...     view = View.of(spool, "class", tw.growth.Settings.of("plain"))
    ...     tree = grow_on_disk(view, budget, None, gather_below=20)
    >>> tree == tw.grow(iris, "class"), tree.about["growth"]["engine"]
    (True, 'spool')
    """
    way = "none" if method is None else _way(method)
    with watched_by(tell):
        tree, facts = _WAYS[way](view, budget, method, tell, gather_below)
    if tell is not None:
        tell(1.0)
    return alter(tree, about={**tree.about, "growth": growth_facts(view, budget, "spool", facts)})


Facts = dict[str, int]


def _way(method: Method) -> str:
    """Return by what a method judges; refuse one that needs all rows at once."""
    if method.needs == "nothing":
        return "nothing"
    is_served = isinstance(method, (CostComplexity, ErrorComplexity, ReducedError))
    asks_more = any(getattr(method, option, None) for option in ("backfit", "groups", "order"))
    if is_served and not asks_more:
        return method.needs
    raise refusal(
        ask("prune", method.name),
        " asks all rows at once, and there are more than memory holds: use ",
        ask("prune", "cv", "reduced_error", "pessimistic", "none"),
        *([", tw.prune.ErrorBased(raising=False)"] if method.name == "error_based" else []),
        ", or give more memory.",
    )


def _by_itself(
    view: View, budget: Budget, method: Method | None, _: Watcher | None, gather_below: int | None
) -> tuple[Tree, Facts]:
    """Grow on all rows; the tree itself says how it is pruned, if it is."""
    with _grown(view, budget, gather_below) as (growth, facts):
        tree = growth.finished(growth.tree if method is None else pruned(growth.tree, method))
    return tree, facts


def _with_folds(
    view: View, budget: Budget, method: Method | None, tell: Watcher | None, gather_below: int | None
) -> tuple[Tree, Facts]:
    """Grow on all rows, and on the rest of each fold, which judges."""
    assert method is not None, "who asks for folds is a method"
    first = 1 / (1 + getattr(method, "folds", 10) * getattr(method, "repeats", 1))
    simple = replace(view.plan.settings, ledger=False)
    with ExitStack() as stack:
        with watched_by(part_of(tell, 0.0, first)):
            growth, facts = stack.enter_context(_grown(view, budget, gather_below))

        def regrow(out: Choice) -> Tree:
            with _grown(view.only(out, simple), budget, gather_below) as (other, more):
                tree = other.grown.finished()
            _add(facts, more)
            return tree

        anew: Any = regrow  # it is told rows block by block
        evidence = Evidence(RowsInBlocks.of_view(view), regrow=anew, progress=part_of(tell, first, 1.0))
        tree = growth.finished(pruned(growth.tree, method, evidence))
    return tree, facts


def _with_holdout(
    view: View, budget: Budget, method: Method | None, _: Watcher | None, gather_below: int | None
) -> tuple[Tree, Facts]:
    """Grow on some rows and let the others judge."""
    share, seed = getattr(method, "holdout", 1 / 3), getattr(method, "seed", 0)
    assert method is not None, "who asks for rows kept back is a method"
    out = RowsInBlocks.of_view(view).held_out(share, seed)
    with _grown(view.only(out, view.plan.settings), budget, gather_below) as (growth, facts):
        judges = RowsInBlocks.of_view(view, out)
        tree = growth.finished(pruned(growth.grown.finished(), method, Evidence(judges)))
    return tree, facts


_WAYS = {"none": _by_itself, "nothing": _by_itself, "training": _with_folds, "validation": _with_holdout}


@contextmanager
def _grown(view: View, budget: Budget, gather_below: int | None) -> Iterator[tuple[Grown, Facts]]:
    """Give what growth makes of a view, and its passes, which are all told in the end."""
    facts: Facts = {}
    with closing(SpoolSource(view, budget)) as source:
        most = budget.for_rows // source.bytes_of_row if gather_below is None else gather_below
        grown = grown_from(source, source.question, view.plan.settings, gather_below=most)
        yield Grown(grown, source, view.spool.n_rows), facts
        _add(facts, {"passes": source.n_passes, "bytes_read": source.n_bytes})


def _add(facts: Facts, more: Facts) -> None:
    for name, number in more.items():
        facts[name] = facts.get(name, 0) + number


def growth_facts(view: View, budget: Budget, engine: str, facts: Facts | None = None) -> dict[str, Any]:
    """Return what `about["growth"]` says of growth from files: it is no part of what the tree is."""
    spool = view.spool
    found: dict[str, Any] = {
        "engine": engine,
        "rows": spool.n_rows,
        "blocks": spool.n_blocks,
        "spool_bytes": spool.n_rows * spool.bytes_of_row,
        "memory": budget.n_bytes,
    }
    found |= facts or {}
    if (peak := peak_memory()) is not None:
        found["peak_memory"] = peak
    return found


def peak_memory() -> int | None:
    """Return the most bytes that this process has had in memory, where the system tells.

    >>> peak_memory() is None or peak_memory() > 10**6
    True
    """
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
