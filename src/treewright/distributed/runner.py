"""What an engine must do for growth, and the plainest one: groups of shards in this process, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Protocol, TypeVar

from treewright.distributed import worker

FAN_IN = 8
Some = TypeVar("Some")


class Runner(Protocol):
    """An engine: it keeps what functions of `worker` make of shards, and maps other functions over that.

    Functions are pure and may run twice, anywhere, in any order; partials may be combined in any shape. So an
    engine that loses a worker makes anew what was lost, and the tree does not notice.
    """

    def slots(self) -> int:
        """Return how many tasks can run at once."""
        ...

    def place(self, shards: Sequence[Any], payload: bytes) -> Any:
        """Return a handle of `worker.place(numbers, shards, payload)` of groups, one or two groups a slot.

        The number of a shard is its place in the sequence. A shard may be what the engine can resolve
        itself, such as a future.
        """
        ...

    def map_reduce(self, handle: Any, verb: str, payload: bytes, fan_in: int = FAN_IN) -> bytes:
        """Return the `worker.answer(verb, group, payload)` of all groups, put through `worker.combine`."""
        ...

    def release(self, handle: Any) -> None:
        """Give up what the workers hold."""
        ...


def grouped(shards: Sequence[Some], n_groups: int) -> list[list[tuple[int, Some]]]:
    """Return shards with their numbers in groups of about the same size.

    >>> grouped(["a", "b", "c"], 2)
    [[(0, 'a')], [(1, 'b'), (2, 'c')]]
    """
    numbered, n = list(enumerate(shards)), min(n_groups, len(shards))
    ends = [len(shards) * i // n for i in range(n + 1)]
    return [numbered[a:b] for a, b in pairwise(ends)]


class LocalRunner:
    """An engine without machines: it runs everything here, when it is asked to.

    >>> import treewright as tw
    >>> from treewright.distributed.source import RunnerSource, shards_of
    >>> from treewright.growth.sourced import cut_into_parts, grow_from
    >>> iris = tw.example("iris")
    >>> parts, question, settings = cut_into_parts(iris, "class", 5)
    >>> with RunnerSource(LocalRunner(), *shards_of(parts, question, settings)) as source:
    ...     grow_from(source, question, settings) == tw.grow(iris, "class")
    True
    """

    def __init__(self, n_slots: int = 1) -> None:
        self.n_slots = n_slots

    def slots(self) -> int:
        """Return how many tasks are thought to run at once.

        >>> LocalRunner(3).slots()
        3
        """
        return self.n_slots

    def place(self, shards: Sequence[Any], payload: bytes) -> list[worker.Group]:
        """Return the groups.

        >>> from treewright.distributed import wire
        >>> from treewright.shards.shard import Shard
        >>> handle = LocalRunner().place([Shard("a", i, "frame") for i in range(5)], wire.pack(None))
        >>> [len(group) for group in handle]
        [2, 3]
        """
        groups = (tuple(zip(*some, strict=True)) for some in grouped(shards, 2 * self.n_slots))
        return [worker.place(numbers, held, payload) for numbers, held in groups]

    def map_reduce(
        self, handle: list[worker.Group], verb: str, payload: bytes, fan_in: int = FAN_IN
    ) -> bytes:
        """Return the answer of all groups.

        >>> import treewright as tw
        >>> from treewright.distributed import wire
        >>> from treewright.distributed.source import shards_of
        >>> from treewright.growth.sourced import cut_into_parts
        >>> runner = LocalRunner()
        >>> shards, terms = shards_of(*cut_into_parts(tw.example("tennis"), "PlayTennis", 5))
        >>> handle = runner.place(shards, wire.pack(terms))
        >>> wire.unpack(runner.map_reduce(handle, "nothing", wire.pack((worker.Trail(), None)))).n_shards
        5
        """
        partials = [worker.answer(verb, group, payload) for group in handle]
        while len(partials) > 1:
            partials = [worker.combine(partials[i : i + fan_in]) for i in range(0, len(partials), fan_in)]
        return partials[0]

    def release(self, handle: list[worker.Group]) -> None:
        """Let go of the groups.

        >>> handle = [worker.Group()]
        >>> LocalRunner().release(handle)
        >>> handle
        []
        """
        handle.clear()
