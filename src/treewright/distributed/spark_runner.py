"""Spark as an engine, by its DataFrame API alone: what is held are data frames of binary blocks.

No RDD, no broadcast and no accumulator, so that sessions of Spark Connect can serve, too. A block is a row
with the bytes of a group of shards; a question is a `mapInArrow` over the blocks, and its reduction another
one after the partials were brought together, a few in each partition. What Spark loses it makes anew from the
files, as `worker` says.
"""

from __future__ import annotations

import pickle
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from treewright.distributed import worker
from treewright.distributed.runner import FAN_IN, grouped

BLOCKS = "number long, block binary"
MOST_REMEMBERED = 16  # groups, in a process of Python that serves several tasks

Task = Callable[[int, bytes], bytes]


class SparkHeld(NamedTuple):
    """Blocks that Spark holds: the data frame, by which they are known, and how many they are."""

    frame: Any
    token: str
    n_blocks: int


class SparkRunner:
    """Spark as the engine of a growth: `SparkRunner(session)`, with a SparkSession of yours.

    treewright must be installed on the executors. `n_slots` is how many tasks run at once; None: as many as
    Spark makes partitions of its own accord.

    >>> SparkRunner("local[2]")
    Traceback (most recent call last):
    TypeError: SparkRunner takes a SparkSession, not str: SparkRunner(SparkSession.builder.getOrCreate()).
    """

    def __init__(self, session: Any, n_slots: int | None = None) -> None:
        if not is_session(session):
            raise TypeError(
                f"SparkRunner takes a SparkSession, not {type(session).__name__}: "
                "SparkRunner(SparkSession.builder.getOrCreate())."
            )
        self.session, self._n_slots = session, n_slots

    def slots(self) -> int:
        """Return how many tasks run at once.

        >>> from types import SimpleNamespace as Any
        >>> SparkRunner.slots(Any(_n_slots=3))
        3
        """
        if self._n_slots is None:
            from pyspark.sql.functions import spark_partition_id

            rows = self.session.range(0, 4096).select(spark_partition_id().alias("part")).distinct()
            self._n_slots = max(1, int(rows.count()))
        return self._n_slots

    def place(self, shards: Sequence[Any], payload: bytes) -> SparkHeld:
        """Return the groups of shards as a data frame of blocks, which Spark keeps.

        >>> from types import SimpleNamespace as Any
        >>> frame = Any(persist=lambda: "a data frame")
        >>> frames = {"_frame": lambda blocks, n: blocks, "_mapped": lambda *_: frame}
        >>> runner = Any(slots=lambda: 1, _partials=lambda _: [], **frames)
        >>> SparkRunner.place(runner, ["a", "b", "c"], b"").n_blocks
        2
        """
        groups = [pickle.dumps(tuple(zip(*some, strict=True))) for some in grouped(shards, 2 * self.slots())]
        told = self._frame(list(enumerate(groups)), len(groups))
        frame = self._mapped(told, _Place(payload)).persist()
        held = SparkHeld(frame, uuid.uuid4().hex, len(groups))
        self._partials(self._mapped(frame, _Nothing()))  # read now, so that what is odd is told now
        return held

    def map_reduce(self, handle: SparkHeld, verb: str, payload: bytes, fan_in: int = FAN_IN) -> bytes:
        """Return the answer of all groups.

        >>> from types import SimpleNamespace as Any
        >>> from treewright.distributed import wire
        >>> payload, groups = wire.pack((worker.Trail(), None)), [[worker.Held(i, None)] for i in range(2)]
        >>> partials = [worker.answer("nothing", worker.Group(group), payload) for group in groups]
        >>> runner = Any(_mapped=lambda frame, task: frame, _partials=lambda frame: frame)
        >>> found = SparkRunner.map_reduce(runner, SparkHeld(partials, "", 2), "nothing", payload)
        >>> wire.unpack(found).n_shards
        2
        """
        frame, n = self._mapped(handle.frame, _Answer(handle.token, verb, payload)), handle.n_blocks
        while n > fan_in:
            n = -(-n // fan_in)
            frame = self._combined(frame.repartition(n))
        return worker.combine(self._partials(frame))

    def release(self, handle: SparkHeld) -> None:
        """Let Spark forget the blocks.

        >>> from types import SimpleNamespace as Any
        >>> SparkRunner.release(None, SparkHeld(Any(unpersist=lambda: print("given back")), "", 0))
        given back
        """
        handle.frame.unpersist()

    # ---- data frames of blocks -------------------------------------------------------------------------

    def _frame(self, blocks: Sequence[tuple[int, bytes]], n_parts: int) -> Any:
        """Return blocks as a data frame, one in each partition."""
        frame = self.session.createDataFrame([(i, bytearray(_FINE + block)) for i, block in blocks], BLOCKS)
        return frame.repartitionByRange(n_parts, "number")

    def _mapped(self, frame: Any, task: Task) -> Any:
        return frame.mapInArrow(_Each(task), BLOCKS)

    def _combined(self, frame: Any) -> Any:
        return frame.mapInArrow(_Combine(), BLOCKS)

    def _partials(self, frame: Any) -> list[bytes]:
        """Return the blocks of a data frame; what went wrong on the way there is raised here."""
        tag = f"treewright-{uuid.uuid4().hex}"
        can_stop = hasattr(self.session, "interruptTag")
        try:
            if can_stop:
                self.session.addTag(tag)
            rows = frame.collect()
        except BaseException:
            if can_stop:
                with suppress(Exception):
                    self.session.interruptTag(tag)
            raise
        finally:
            if can_stop:
                self.session.removeTag(tag)
        return [_opened(bytes(row["block"])) for row in rows]


def is_session(engine: Any) -> bool:
    """Tell whether something is a session of Spark, without loading Spark for that.

    >>> is_session("local[2]")
    False
    """
    return any(
        kind.__name__ == "SparkSession" and kind.__module__.startswith("pyspark.")
        for kind in type(engine).__mro__
    )


# ---- what runs on the executors ------------------------------------------------------------------------


class _Each:
    """Does a task for each block; what it raises travels as a block, so that the driver can say it."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for number, block in _blocks(batches):
            yield _batch(number, _closed(partial(self._done, number, block)))

    def _done(self, number: int, block: bytes) -> bytes:
        return self.task(number, _opened(block))


class _Combine:
    """Brings the partials of a partition together."""

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        blocks = list(_blocks(batches))
        if blocks:
            number = min(number for number, _ in blocks)
            yield _batch(number, _closed(lambda: worker.combine([_opened(block) for _, block in blocks])))


class _Place:
    def __init__(self, payload: bytes) -> None:
        self.payload = payload

    def __call__(self, _number: int, block: bytes) -> bytes:
        numbers, shards = pickle.loads(block)
        return pickle.dumps(worker.place(numbers, shards, self.payload))


class _Nothing:
    """Says no more than that a block is there."""

    def __call__(self, _number: int, _block: bytes) -> bytes:
        return b""


class _Answer:
    """Answers for a block; a process that has answered for it before knows how far its rows were sent."""

    def __init__(self, token: str, verb: str, payload: bytes) -> None:
        self.token, self.verb, self.payload = token, verb, payload

    def __call__(self, number: int, block: bytes) -> bytes:
        group = _remembered.pop(self.token, number) or pickle.loads(block)
        answer = worker.answer(self.verb, group, self.payload)
        _remembered.keep(self.token, number, group)
        return answer


class _Memory:
    """The groups that this process answered for last."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[str, int], worker.Group] = OrderedDict()
        self._lock = threading.Lock()

    def pop(self, token: str, number: int) -> worker.Group | None:
        with self._lock:
            return self._held.pop((token, number), None)

    def keep(self, token: str, number: int, group: worker.Group) -> None:
        with self._lock:
            for key in [key for key in self._held if key[0] != token]:  # of a growth that is over
                del self._held[key]
            self._held[token, number] = group
            while len(self._held) > MOST_REMEMBERED:
                self._held.popitem(last=False)


_remembered = _Memory()
_FINE, _WRONG = b"+", b"-"


def _closed(task: Callable[[], bytes]) -> bytes:
    """Return what a task gives, or what it raises, marked as that."""
    try:
        return _FINE + task()
    except Exception as trouble:
        return _WRONG + _pickled(trouble)


def _pickled(trouble: Exception) -> bytes:
    try:
        return pickle.dumps(trouble)
    except Exception:
        return pickle.dumps(RuntimeError(f"{type(trouble).__name__}: {trouble}"))


def _opened(block: bytes) -> bytes:
    """Return what a task gave; raise what it raised."""
    if block[:1] == _WRONG:
        raise pickle.loads(block[1:])
    return block[1:]


def _blocks(batches: Iterator[Any]) -> Iterator[tuple[int, bytes]]:
    for batch in batches:
        yield from zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True)


def _batch(number: int, block: bytes) -> Any:
    import pyarrow as pa

    return pa.RecordBatch.from_arrays(
        [pa.array([number], pa.int64()), pa.array([block], pa.binary())], names=["number", "block"]
    )
