"""One source for all engines: questions go out as bytes, answers come back added up, and are checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np

from treewright.distributed import wire, worker
from treewright.distributed.checkpoint import Checkpoint
from treewright.distributed.runner import FAN_IN, Runner
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.growth.sourced import (
    Ask,
    Cells,
    Gathered,
    IntegrityError,
    MemorySource,
    Move,
    Stretches,
)
from treewright.growth.sourced.cells import MOST_ROWS
from treewright.growth.sourced.source import Draw, Ints, Keys
from treewright.shards.plan import Plan

MOST_NUMBERS = 1 << 23  # that one answer has, some 64 MB

Shard = tuple[Any, Any, Ints, Ints]  # values by column, answers, weights, the numbers of the rows


def shards_of(
    parts: Sequence[MemorySource], question: Question, settings: Settings
) -> tuple[list[Shard], worker.Terms]:
    """Return parts of a table as shards, and what they have in common."""
    terms = worker.Terms(
        question.schema, question.target, question.of_target, replace(settings, prune="none")
    )
    return [(part.values, part.target, part.weight, part.ordinals) for part in parts], terms


class RunnerSource:
    """A source whose shards an engine holds; it is closed at the end of a `with`."""

    def __init__(
        self,
        runner: Runner,
        shards: Sequence[Any],
        terms: worker.Terms | worker.Numbered | Plan,
        *,
        fan_in: int = FAN_IN,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        if not len(shards):
            raise ValueError("A source needs at least one shard; there are none.")
        self.runner, self.fan_in, self.checkpoint = runner, fan_in, checkpoint
        self.width = 6 if terms.target.is_numeric else 1 + len(terms.target.categories)
        self.n_shards, self.has_numbers = len(shards), not isinstance(terms, Plan)
        self.trail = worker.Trail()
        self.n_passes = self.bytes_down = self.bytes_up = 0
        self.handle = runner.place(shards, wire.pack(terms))

    def __enter__(self) -> RunnerSource:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up what the workers hold."""
        self.runner.release(self.handle)

    def start(self, lot: Draw | None = None) -> None:
        """Bring all rows back to the root: each as it is, or those that a draw says."""
        if lot is not None and not self.has_numbers:
            raise ValueError("Rows of these shards have no numbers to draw them by: ask tw.forest.grow.")
        self.trail = worker.Trail(lot)

    def count(self, asks: Sequence[Ask]) -> list[Cells]:
        """Return what lies in the cells of each ask."""
        found: list[Cells] = []
        for some in _batches(asks, [(len(ask.edges) + 2) * (self.width + 4) for ask in asks]):
            block = wire.unpack_block(self._pass("count", wire.pack_asks(some)))
            found += wire.cells_of(block)
        return found

    def look(self, asks: Sequence[Stretches]) -> list[Cells]:
        """Return a cell for each value in the stretches, ascending."""
        found: list[Cells] = []
        for some in _batches(asks, [MOST_ROWS * (self.width + 4) // 16 * len(ask.first) for ask in asks]):
            block = wire.unpack_block(self._pass("look", wire.pack_stretches(some)))
            found += wire.cells_of(block)
        return found

    def squares(self, asks: Sequence[tuple[int, int, int]]) -> list[int]:
        """Return the sum of squares of each ask."""
        return list(self._pass("squares", list(asks))) if asks else []

    def present(self, node: int, column: int) -> Keys:
        """Return the keys of a column in a node, ascending, each once."""
        return np.asarray(self._pass("present", (node, column)))

    def largest_at_most(self, column: int, x: float) -> float:
        """Return the greatest value of a column among all rows that is not above x; else -inf."""
        return float(self._pass("largest_at_most", (column, x)))

    def largest_of_each(self, asks: Sequence[tuple[int, float]]) -> list[float]:
        """Return `largest_at_most` of each column and number, all at once."""
        return [float(x) for x in self._pass("largest_of_each", list(asks))]

    def apply(self, moves: Sequence[Move]) -> None:
        """Divide nodes among their children: the next question says so."""
        if moves:
            self.trail = self.trail.with_moves(moves)

    def gather(self, nodes: Sequence[int]) -> list[Gathered]:
        """Return the rows of each node themselves."""
        return list(self._pass("gather", list(nodes)))

    def tally(self, moves: Sequence[Move], n_nodes: int) -> Ints:
        """Return the figures of each node of a tree (nodes x width)."""
        return np.asarray(self._pass("tally", (wire.pack_moves(moves), n_nodes)), dtype=np.int64)

    def nothing(self) -> None:
        """Ask nothing of all shards: what a pass costs by itself."""
        self._pass("nothing", None)

    def _pass(self, verb: str, body: Any) -> Any:
        """Return what all shards say together."""
        payload = wire.pack((self.trail, body))
        kept = self.checkpoint if verb != "gather" else None  # rows are asked for again
        question = verb.encode() + payload
        if kept is not None and (known := kept.answer(question)) is not None:
            return checked(known, verb, self.n_shards)
        data = self.runner.map_reduce(self.handle, verb, payload, self.fan_in)
        self.n_passes += 1
        self.bytes_down += len(payload)
        self.bytes_up += len(data)
        found = checked(data, verb, self.n_shards)
        if kept is not None:
            kept.keep(question, data)
        return found


def checked(data: bytes, verb: str, n_shards: int) -> Any:
    """Return what all shards say together, if each of them has said it once."""
    partial: worker.Partial = wire.unpack(data)
    signs = sum(map(worker.sign_of, range(n_shards))) % 2**64
    if (partial.verb, partial.n_shards, partial.signs) != (verb, n_shards, signs):
        raise IntegrityError(
            f"{partial.n_shards} shards of {n_shards} answered {verb!r}, or others than were asked: "
            "a partial answer was lost or counted twice on the cluster. Nothing was grown on it; "
            "grow again."
        )
    return partial.said


def _batches(asks: Sequence[Any], sizes: Sequence[int]) -> Iterator[list[Any]]:
    """Yield asks in order, as many at a time as one answer can hold, of one width of figures."""
    ends = (np.cumsum(np.asarray(sizes, dtype=np.int64)) // MOST_NUMBERS).tolist()
    for _, some in groupby(range(len(asks)), key=lambda i: (ends[i], asks[i].side is None)):
        yield [asks[i] for i in some]
