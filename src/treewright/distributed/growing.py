"""From files, or frames of an engine, to a tree: what workers are asked, in the order of the questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Any

from treewright.distributed import wire, worker
from treewright.distributed.checkpoint import Checkpoint, facts_of
from treewright.distributed.dask_runner import DaskRunner, is_client
from treewright.distributed.duckdb_source import DuckDBSource
from treewright.distributed.runner import Runner
from treewright.distributed.source import RunnerSource, checked
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.growth.sourced import grown_from, in_whole_rows
from treewright.growth.sourced.finished import Grown
from treewright.shards.layout import laid_out
from treewright.shards.listing import shards_of
from treewright.shards.plan import Plan, planned
from treewright.shards.shard import Shard
from treewright.shards.summary import settled
from treewright.shards.way import Way
from treewright.table import NO_TERMS, ClassTerms

LEAST_GATHERED = 4096  # rows of a node whose subtree the driver grows


def runner_of(engine: Any) -> Runner:
    """Return the runner of an engine: a client of Dask, or a runner itself.

    >>> runner_of("dask")
    Traceback (most recent call last):
    TypeError: engine='dask' is no engine: give a distributed.Client, a connection of DuckDB, or a runner
    such as tw.distributed.LocalRunner().
    """
    if is_client(engine):
        return DaskRunner(engine)
    if all(callable(getattr(engine, name, None)) for name in ("slots", "place", "map_reduce", "release")):
        runner: Runner = engine
        return runner
    raise TypeError(
        f"engine={engine!r:.60} is no engine: give a distributed.Client, a connection of DuckDB, or a runner "
        "such as tw.distributed.LocalRunner()."
    )


@contextmanager
def grown_on(
    engine: Any,
    data: Any,
    target: str,
    settings: Settings,
    *,
    weights: str | None = None,
    terms: ClassTerms = NO_TERMS,
    checkpoint: Any = None,
) -> Iterator[Grown]:
    """Give the tree grown on the rows of files, or of tables of the engine, while the engine holds them.

    A `checkpoint` is a file that keeps what was learnt, until the tree is there.
    """
    if is_connection(engine):
        if checkpoint is not None:
            raise ValueError("checkpoint=... is for clusters; a table inside DuckDB is counted anew.")
        with closing(DuckDBSource(engine, data, target, settings, weights=weights, terms=terms)) as table:
            yield Grown(grown_from(table, table.question, settings), table, table.n_rows)
        return
    runner = runner_of(engine)
    shards, way = _shards(runner, data)
    plan = _planned(runner, shards, way, target, settings, weights, terms)
    question = plan.question()
    if plan.is_in_whole_rows:
        question = in_whole_rows(question, has_gaps=False)
    with ExitStack() as stack:
        kept, gather_below = None, _small(runner, question)
        if checkpoint is not None:
            lying = [shard if isinstance(shard, Shard) else shard[0] for shard in shards]
            kept = Checkpoint(checkpoint, facts_of(plan, lying, settings), gather_below)
            gather_below = stack.enter_context(kept).gather_below
        source = stack.enter_context(closing(RunnerSource(runner, shards, plan, checkpoint=kept)))
        grown = grown_from(source, question, settings, gather_below=gather_below)
        yield Grown(grown, source, plan.layout.n_rows)
        if kept is not None:
            kept.remove()


def engine_facts(growth: Grown) -> dict[str, Any]:
    """Return what `about["growth"]` says of growth on an engine: it is no part of what the tree is.

    >>> from treewright.distributed.runner import LocalRunner
    >>> import treewright as tw
    >>> listing = shards_of([tw.example("tennis")])
    >>> settings = Settings.of("plain")
    >>> with grown_on(LocalRunner(), listing, "PlayTennis", settings) as growth:
    ...     facts = engine_facts(growth)
    >>> facts["engine"], facts["rows"], facts["shards"]
    ('LocalRunner', 14, 1)
    """
    source = growth.source
    if not isinstance(source, RunnerSource):
        return {"engine": "DuckDB", "rows": growth.n_rows}
    return {
        "engine": type(source.runner).__name__,
        "rows": growth.n_rows,
        "shards": source.n_shards,
        "passes": source.n_passes,
        "bytes_down": source.bytes_down,
        "bytes_up": source.bytes_up,
    }


def is_connection(engine: Any) -> bool:
    """Tell whether something is a connection of DuckDB, without loading DuckDB for that.

    >>> is_connection("duckdb")
    False
    """
    return type(engine).__name__ == "DuckDBPyConnection"


def _shards(runner: Runner, data: Any) -> tuple[Sequence[Any], Way]:
    """Return shards as the runner places them: those of files, or frames, each with its place."""
    if hasattr(data, "to_delayed") and hasattr(data, "npartitions"):
        frames = getattr(runner, "frames", None)
        if frames is None:
            raise TypeError("A Dask collection goes with engine=client, the client of the cluster it is on.")
        return [(Shard("frame", i, "frame"), frame) for i, frame in enumerate(frames(data))], Way()
    listing = shards_of(data)
    return listing.shards, listing.way


def _planned(
    runner: Runner,
    shards: Sequence[Any],
    way: Way,
    target: str,
    settings: Settings,
    weights: str | None,
    terms: ClassTerms,
) -> Plan:
    """Return the plan of growing, from two passes over the shards as they lie there, or a few more."""
    handle = runner.place(shards, wire.pack(None))
    try:

        def ask(verb: str, body: Any) -> Any:
            payload = wire.pack((worker.Trail(), body))
            return checked(runner.map_reduce(handle, verb, payload), verb, len(shards))

        found = settled(lambda some, names: ask("summary", (some, names)), way)
        if target not in found.names:
            raise ValueError(
                f"The data have no column {target!r}; they have {', '.join(map(repr, found.names))}."
            )
        layout = laid_out(found, way)
        return planned(layout, target, settings, lambda plan: ask("amounts", plan), weights, terms)
    finally:
        runner.release(handle)


def _small(runner: Runner, question: Question) -> int:
    """Return how many rows cost no more to move than to be counted by all groups: n* of docs/cluster.md."""
    width = 6 if question.target.is_numeric else 1 + len(question.target.categories)
    bytes_of_column = 256 * (4 * width + 16)
    return max(LEAST_GATHERED, 2 * runner.slots() * bytes_of_column // 8)
