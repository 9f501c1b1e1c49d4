"""All that runs on workers: functions of (what a worker holds, a payload of bytes) that give bytes.

A worker holds a **group** of shards. It answers for them together, as one **partial**; `combine` adds up
partials in any order and any shape of reduction. A partial says which shards it is about, so that the driver
notices one that was lost or counted twice.

Answers are functions of the shards and the payload alone: a payload has all moves that were made so far, the
**trail**, so where the rows of a shard are follows from it. That a worker remembers how far it has sent them
saves time and decides nothing: another one that takes over begins at the root.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright.distributed import wire
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.growth.sourced import MemorySource
from treewright.growth.sourced.source import Draw, Ints
from treewright.growth.sourced.together import put_together
from treewright.shards.plan import Plan
from treewright.shards.shard import Shard
from treewright.shards.summary import summary
from treewright.table import Column, Schema
from treewright.table.files.duck import connected

AT_ONCE = 32  # asks
Some = TypeVar("Some")

# What ends the work of a task that nobody waits for any more; a runner sets it.
is_stopped: ContextVar[Callable[[], bool] | None] = ContextVar("is_stopped", default=None)


class StoppedError(RuntimeError):
    """Raised in a worker whose answer nobody waits for any more."""


def go_on() -> None:
    """Raise StoppedError where the answer is not wanted any more; it stands between small steps."""
    asked = is_stopped.get()
    if asked is not None and asked():
        raise StoppedError("The answer is not wanted any more.")


# ---- what a worker holds -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Terms:
    """What all shards have in common: the columns, the target and its unit, the settings."""

    schema: Schema
    target: Column
    of_target: int
    settings: Settings


@dataclass(frozen=True, eq=False)
class Coded:
    """The rows of a shard in the codes of the schema, targets and weights in whole units."""

    terms: Terms
    values: tuple[NDArray[Any], ...]
    answers: NDArray[Any]
    weight: Ints
    ordinals: Ints  # the numbers of the rows in the whole table, by which forests draw them

    def source(self) -> MemorySource:
        """Return a source with all rows in its root."""
        terms = self.terms
        question = Question(
            terms.schema,
            terms.target,
            {},
            None,
            [],
            self.answers,
            terms.of_target,
            self.weight,
            "",
            terms.settings.to_core(),
            None,
        )
        source = MemorySource(question, self.values, terms.settings)
        source.ordinals = self.ordinals
        return source


class Numbered(NamedTuple):
    """A plan, and the number of the first row of each shard among all that count."""

    plan: Plan
    starts: tuple[int, ...]

    @property
    def target(self) -> Column:
        """The target of the plan."""
        return self.plan.target


class Trail(NamedTuple):
    """Which rows began at the root, and all moves since, in the batches in which they were made.

    Each batch signs those before it, too.
    """

    lot: Draw | None = None
    batches: tuple[bytes, ...] = ()
    signs: tuple[bytes, ...] = ()

    def with_moves(self, moves: Sequence[Any]) -> Trail:
        """Return the trail with one more batch."""
        batch = wire.pack(wire.pack_moves(moves))
        before = self.signs[-1] if self.signs else b""
        sign = hashlib.blake2b(before + batch, digest_size=16).digest()
        return Trail(self.lot, (*self.batches, batch), (*self.signs, sign))


class Held:
    """A shard on a worker: its number, its rows, and how far they have been sent down the tree."""

    def __init__(self, number: int, rows: Any) -> None:
        self.number, self.rows = number, rows
        self._lock = threading.Lock()
        self._source: MemorySource | None = None
        self._lot: Draw | None = None
        self._signs: list[bytes] = []

    def __reduce__(self) -> tuple[Any, ...]:
        return Held, (self.number, self.rows)

    def __sizeof__(self) -> int:
        """Return the bytes of the rows, as a scheduler wants to know them."""
        rows = self.rows
        if not isinstance(rows, Coded):
            return 256
        held = sum(values.nbytes for values in rows.values) + rows.answers.nbytes + rows.weight.nbytes
        return 256 + held + 8 * len(rows.weight) * (len(rows.values) + 1)  # and what a source makes of it

    @contextmanager
    def at(self, trail: Trail) -> Iterator[MemorySource]:
        """Give the source with its rows where the trail has sent them; nobody else moves them meanwhile."""
        with self._lock:
            source, n = self._source or self.rows.source(), len(self._signs)
            if self._source is None or self._lot != trail.lot or tuple(self._signs) != trail.signs[:n]:
                self._source, self._signs = None, []  # until all is well again
                source.start(trail.lot)
                self._lot = trail.lot
            for batch, sign in list(zip(trail.batches, trail.signs, strict=True))[len(self._signs) :]:
                go_on()
                self._source = None
                source.apply(wire.unpack_moves(wire.unpack(batch)))
                self._signs.append(sign)
            self._source = source
            yield source


class Group(tuple[Held, ...]):
    """Shards that a worker answers for together."""

    __slots__ = ()

    def __sizeof__(self) -> int:
        """Return the bytes of what they hold."""
        return 64 + sum(held.__sizeof__() for held in self)


# ---- what is asked -------------------------------------------------------------------------------------


class Verb(NamedTuple):
    """A question: what answers of several shards amount to, and what one answers.

    `of_source` is told the rows where the trail has sent them, `of_shard` the shard as it lies there, and
    `of_numbered` its number, too.
    """

    add: Callable[[list[Any]], Any]
    of_source: Callable[[MemorySource, Any], Any] | None = None
    of_shard: Callable[[Any, Any], Any] | None = None
    of_numbered: Callable[[Any, int, Any], Any] | None = None


def _count(source: MemorySource, body: Any) -> Any:
    answers = []
    for asks in _some(wire.unpack_asks(body)):
        go_on()
        answers += source.count(asks)
    return wire.pack_block(wire.block_of(answers, source.width))


def _look(source: MemorySource, body: Any) -> Any:
    answers = []
    for asks in _some(wire.unpack_stretches(body)):
        go_on()
        answers += source.look(asks)
    return wire.pack_block(wire.block_of(answers, source.width))


def _some(asks: Sequence[Some]) -> Iterator[Sequence[Some]]:
    """Yield few asks at a time: between them a worker hears that its answer is not wanted any more."""
    yield from (asks[i : i + AT_ONCE] for i in range(0, len(asks), AT_ONCE))


def _add_counts(parts: list[Any]) -> Any:
    return wire.pack_block(wire.add_blocks([wire.unpack_block(part) for part in parts]))


def _join_looks(parts: list[Any]) -> Any:
    return wire.pack_block(wire.join_blocks([wire.unpack_block(part) for part in parts]))


def _put_together(parts: list[Any]) -> Any:
    return [put_together(rows) for rows in zip(*parts, strict=True)]


def _tally(source: MemorySource, body: Any) -> Any:
    moves, n_nodes = body
    return source.tally(wire.unpack_moves(moves), n_nodes)


def _merged(parts: list[Any]) -> Any:
    return reduce(lambda one, two: one.merged(two), parts)


def _amounts(shard: Shard, plan: Plan) -> Any:
    with connected() as connection:
        return plan.amounts_of(connection, shard)


def _answers(shard: Shard, number: int, plan: Plan) -> Any:
    with connected() as connection:
        return [(number, plan.answers_of(connection, shard))]


def _sums(parts: list[list[int]]) -> list[int]:
    return [sum(own) for own in zip(*parts, strict=True)]


VERBS: dict[str, Verb] = {
    "summary": Verb(_merged, of_shard=lambda shard, body: summary([shard], *body)),
    "amounts": Verb(_merged, of_shard=_amounts),
    "answers": Verb(lambda parts: list(chain.from_iterable(parts)), of_numbered=_answers),
    "count": Verb(_add_counts, _count),
    "look": Verb(_join_looks, _look),
    "squares": Verb(_sums, lambda source, body: source.squares(body)),
    "present": Verb(lambda parts: reduce(np.union1d, parts), lambda source, body: source.present(*body)),
    "largest_at_most": Verb(max, lambda source, body: source.largest_at_most(*body)),
    "largest_of_each": Verb(
        lambda parts: np.max(parts, axis=0).tolist(),
        lambda source, body: [source.largest_at_most(*ask) for ask in body],
    ),
    "gather": Verb(_put_together, lambda source, body: source.gather(body)),
    "tally": Verb(lambda parts: np.sum(parts, axis=0, dtype=np.int64), _tally),
    "nothing": Verb(lambda _: None, of_shard=lambda *_: None),
}


# ---- the three functions that a runner calls -----------------------------------------------------------


def place(numbers: Sequence[int], shards: Sequence[Any], payload: bytes) -> Group:
    """Return what a worker holds of shards.

    By Terms their rows, which come in codes; by a Plan their rows, put into codes here; by nothing the
    shards as they lie there. A frame that the engine has comes as a pair with its shard.
    """
    way = wire.unpack(payload)
    held = []
    for number, given in zip(numbers, shards, strict=True):
        go_on()
        held.append(Held(number, _rows(number, given, way)))
    return Group(held)


def _rows(number: int, given: Any, way: Terms | Plan | Numbered | None) -> Any:
    if isinstance(way, Terms):
        return Coded(way, *given)
    shard = given if isinstance(given, Shard) else replace(given[0], held=given[1])
    if way is None:
        return shard
    plan, first = (way.plan, way.starts[number]) if isinstance(way, Numbered) else (way, 0)
    question = plan.question()
    with connected() as connection:
        rows = plan.held(connection, shard, question.exponent)
    units = rows.units
    if plan.settings.missing == "fractional" and plan.is_in_whole_rows:
        units = np.ones_like(units)
    terms = Terms(question.schema, question.target, question.of_target, replace(plan.settings, prune="none"))
    ordinals = np.arange(first, first + len(rows.answers), dtype=np.int64)
    return Coded(terms, tuple(rows.values), rows.answers, units, ordinals)


class Partial(NamedTuple):
    """The answer of some shards: to what, how many they are, the sum of their signs, and what they say."""

    verb: str
    n_shards: int
    signs: int
    said: Any


def sign_of(number: int) -> int:
    """Return what a shard adds to the sum of signs: 64 bits that hardly any other shards add up to."""
    return int.from_bytes(hashlib.blake2b(b"%d" % number, digest_size=8).digest(), "little")


def answer(verb: str, group: Group, payload: bytes) -> bytes:
    """Return the partial of a group of shards."""
    trail, body = wire.unpack(payload)
    asked = VERBS[verb]
    said: list[Any] = []
    for held in group:
        go_on()
        if asked.of_numbered is not None:
            said.append(asked.of_numbered(held.rows, held.number, body))
        elif asked.of_source is None:
            assert asked.of_shard is not None
            said.append(asked.of_shard(held.rows, body))
        else:
            with held.at(trail) as source:
                said.append(asked.of_source(source, body))
        if len(said) == 2:
            said = [asked.add(said)]
    signs = sum(sign_of(held.number) for held in group) % 2**64
    return wire.pack(Partial(verb, len(group), signs, said[0]))


def combine(partials: Sequence[bytes]) -> bytes:
    """Return what partials amount to: in any order, in any shape of reduction."""
    parts: list[Partial] = [wire.unpack(partial) for partial in partials]
    said = VERBS[parts[0].verb].add([part.said for part in parts])
    signs = sum(part.signs for part in parts) % 2**64
    return wire.pack(Partial(parts[0].verb, sum(part.n_shards for part in parts), signs, said))
