"""One shard in memory, answering for its rows: what a worker of a cluster holds."""

from __future__ import annotations

from dataclasses import replace

from treewright.growth.sourced import MemorySource
from treewright.table.files.duck import connected

from .plan import Plan
from .shard import Shard


def part(shard: Shard, plan: Plan) -> MemorySource:
    """Return a shard as a source; both arguments can be pickled, so that any machine can do it.

    >>> import treewright as tw
    >>> from treewright.growth.sourced import Together, grow_from
    >>> from treewright.shards import shards_of
    >>> from treewright.shards.layout import layout_of
    >>> from treewright.shards.plan import planned, summed_here
    >>> tennis = tw.example("tennis")
    >>> listing = shards_of([tennis.take(range(5)), tennis.take(range(5, 14))])
    >>> settings = tw.growth.Settings.of("plain")
    >>> plan = planned(layout_of(listing), "PlayTennis", settings, summed_here(listing.shards))
    >>> parts = [part(shard, plan) for shard in listing.shards]
    >>> grow_from(Together(parts), plan.question(), settings) == tw.grow(tennis, "PlayTennis")
    True
    """
    question = plan.question()
    with connected() as connection:
        held = plan.held(connection, shard, question.exponent)
    return MemorySource(replace(question, answers=held.answers, units=held.units), held.values, plan.settings)
