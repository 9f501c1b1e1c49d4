"""From files, or frames of an engine, to a tree: what workers are asked, in the order of the questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import accumulate
from typing import Any, NamedTuple

from numpy.typing import NDArray

from treewright.distributed import wire, worker
from treewright.distributed.checkpoint import Checkpoint, facts_of
from treewright.distributed.dask_runner import DaskRunner, is_client
from treewright.distributed.duckdb_source import DuckDBSource
from treewright.distributed.runner import Runner
from treewright.distributed.source import RunnerSource, checked
from treewright.distributed.spark_runner import SparkRunner, is_session
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.growth.sourced import Source, grown_from, in_whole_rows
from treewright.growth.sourced.finished import Grown
from treewright.shards.layout import Layout, laid_out
from treewright.shards.listing import shards_of
from treewright.shards.plan import Plan, planned
from treewright.shards.shard import Shard
from treewright.shards.summary import settled
from treewright.shards.way import Way
from treewright.table import NO_TERMS, ClassTerms

LEAST_GATHERED = 4096  # rows of a node whose subtree the driver grows


def runner_of(engine: Any) -> Runner:
    """Return the runner of an engine: a client of Dask, a session of Spark, or a runner itself.

    >>> runner_of("dask")
    Traceback (most recent call last):
    TypeError: engine='dask' is no engine: give a distributed.Client, a SparkSession, a connection of DuckDB,
    or a runner such as tw.distributed.LocalRunner().
    """
    if is_client(engine):
        return DaskRunner(engine)
    if is_session(engine):
        return SparkRunner(engine)
    if all(callable(getattr(engine, name, None)) for name in ("slots", "place", "map_reduce", "release")):
        runner: Runner = engine
        return runner
    raise TypeError(
        f"engine={engine!r:.60} is no engine: give a distributed.Client, a SparkSession, a connection of "
        "DuckDB, or a runner such as tw.distributed.LocalRunner()."
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

    def asked(_: Layout) -> Asked:
        return Asked(settings)

    more = {"weights": weights, "terms": terms, "checkpoint": checkpoint}
    with placed_on(engine, data, target, asked, **more) as placed:
        grown = grown_from(placed.source, placed.question, settings, gather_below=placed.gather_below)
        yield Grown(grown, placed.source, placed.n_rows)


class Asked(NamedTuple):
    """What is grown, once the columns are known: by which settings, and how many rows a tree may draw."""

    settings: Settings
    n_draws: int = 0
    is_forest: bool = False  # rows are numbered, and their answers brought together


class Placed(NamedTuple):
    """Rows that an engine holds: who answers for them, and what is asked.

    `answers` are those of the rows that count, shard by shard, where a forest draws them.
    """

    source: RunnerSource
    question: Question
    settings: Settings
    gather_below: int
    n_rows: int
    answers: Sequence[NDArray[Any]] = ()


@contextmanager
def placed_on(
    engine: Any,
    data: Any,
    target: str,
    asked: Callable[[Layout], Asked],
    *,
    weights: str | None = None,
    terms: ClassTerms = NO_TERMS,
    checkpoint: Any = None,
) -> Iterator[Placed]:
    """Give the rows of files, or of tables of an engine, while it holds them, and what is asked of them.

    >>> from treewright.distributed.runner import LocalRunner
    >>> import treewright as tw
    >>> pieces, settings = [tw.example("tennis")], Settings.of("plain")
    >>> with placed_on(LocalRunner(), pieces, "PlayTennis", lambda layout: Asked(settings)) as placed:
    ...     placed.n_rows, placed.question.target.name
    (14, 'PlayTennis')
    """
    runner = runner_of(engine)
    shards, way = _shards(runner, data)
    plan, answers = _planned(runner, shards, way, target, asked, weights, terms)
    question = plan.question()
    if plan.is_in_whole_rows:
        question = in_whole_rows(question, has_gaps=False)
    starts = tuple(accumulate(map(len, answers), initial=0))
    held = worker.Numbered(plan, starts) if answers else plan
    with ExitStack() as stack:
        kept, gather_below = None, _small(runner, question)
        if checkpoint is not None:
            lying = [shard if isinstance(shard, Shard) else shard[0] for shard in shards]
            kept = Checkpoint(checkpoint, facts_of(plan, lying, plan.settings), gather_below)
            gather_below = stack.enter_context(kept).gather_below
        source = stack.enter_context(closing(RunnerSource(runner, shards, held, checkpoint=kept)))
        yield Placed(source, question, plan.settings, gather_below, plan.layout.n_rows, answers)
        if kept is not None:
            kept.remove()


def engine_facts(source: Source, n_rows: int) -> dict[str, Any]:
    """Return what `about["growth"]` says of growth on an engine: it is no part of what the tree is.

    >>> from treewright.distributed.runner import LocalRunner
    >>> import treewright as tw
    >>> listing = shards_of([tw.example("tennis")])
    >>> settings = Settings.of("plain")
    >>> with grown_on(LocalRunner(), listing, "PlayTennis", settings) as growth:
    ...     facts = engine_facts(growth.source, growth.n_rows)
    >>> facts["engine"], facts["rows"], facts["shards"]
    ('LocalRunner', 14, 1)
    """
    if not isinstance(source, RunnerSource):
        return {"engine": "DuckDB", "rows": n_rows}
    return {
        "engine": type(source.runner).__name__,
        "rows": n_rows,
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
    asked: Callable[[Layout], Asked],
    weights: str | None,
    terms: ClassTerms,
) -> tuple[Plan, Sequence[NDArray[Any]]]:
    """Return the plan of growing, from two passes over the shards as they lie there, or a few more.

    And the answers of the rows of each shard that count, where a forest is grown.
    """
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
        settings, n_draws, is_forest = asked(layout)
        plan = planned(layout, target, settings, lambda plan: ask("amounts", plan), weights, terms, n_draws)
        answers = dict(ask("answers", plan)) if is_forest else {}
        return plan, [answers[number] for number in sorted(answers)]
    finally:
        runner.release(handle)


def _small(runner: Runner, question: Question) -> int:
    """Return how many rows cost no more to move than to be counted by all groups: n* of docs/cluster.md."""
    width = 6 if question.target.is_numeric else 1 + len(question.target.categories)
    bytes_of_column = 256 * (4 * width + 16)
    return max(LEAST_GATHERED, 2 * runner.slots() * bytes_of_column // 8)
