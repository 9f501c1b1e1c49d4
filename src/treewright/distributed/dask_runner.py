"""Dask as an engine: what workers hold are futures, all else are plain tasks on them.

Lost results are made again by Dask, from the tasks that made them. So nothing is pinned to a worker, nothing
is scattered, and no worker keeps what its tasks do not tell: any of that would be lost with it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from treewright.distributed import worker
from treewright.distributed.runner import FAN_IN, grouped


class Functions:
    """What the tasks do: functions of `worker`."""

    def place(self, numbers: Sequence[int], shards: Sequence[Any], payload: bytes) -> worker.Group:
        """Return what a worker holds of shards."""
        with while_wanted():
            return worker.place(numbers, shards, payload)

    def answer(self, group: worker.Group, verb: str, payload: bytes) -> bytes:
        """Return the partial of a group, as long as it is wanted."""
        with while_wanted():
            return worker.answer(verb, group, payload)

    def combine(self, partials: list[bytes]) -> bytes:
        """Return what partials amount to."""
        return worker.combine(partials)


class Placed:
    """Groups of shards on the cluster: a future each, and how many shards there are."""

    def __init__(self, groups: list[Any], shards: list[list[int]]) -> None:
        self.groups, self.shards = groups, shards


class DaskRunner:
    """Dask as the engine of a growth: `DaskRunner(client)`, with a `distributed.Client` of yours.

    >>> DaskRunner("tcp://127.0.0.1:8786")
    Traceback (most recent call last):
    TypeError: DaskRunner takes a distributed Client, not str: DaskRunner(distributed.Client(address)).
    """

    def __init__(self, client: Any) -> None:
        if not is_client(client):
            raise TypeError(
                f"DaskRunner takes a distributed Client, not {type(client).__name__}: "
                "DaskRunner(distributed.Client(address))."
            )
        self.client = client
        self.functions = Functions()

    def slots(self) -> int:
        """Return how many tasks can run at once, on the workers that are there now.

        >>> from distributed import Client
        >>> with Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0") as client:
        ...     DaskRunner(client).slots()
        2
        """
        return max(1, sum(int(n) for n in self.client.nthreads().values()))

    def place(self, shards: Sequence[Any], payload: bytes) -> Placed:
        """Return groups of shards as futures; shards may be futures themselves.

        >>> from distributed import Client
        >>> from treewright.distributed import wire
        >>> with Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as client:
        ...     DaskRunner(client).place([((), (), ())] * 5, wire.pack(None)).shards
        [[0, 1], [2, 3, 4]]
        """
        token = uuid.uuid4().hex
        groups = [tuple(zip(*some, strict=True)) for some in grouped(shards, 2 * self.slots())]
        futures = [
            self._submit(self.functions.place, f"place-{token}-{i}", list(numbers), list(held), payload)
            for i, (numbers, held) in enumerate(groups)
        ]
        return Placed(futures, [list(numbers) for numbers, _ in groups])

    def map_reduce(self, handle: Placed, verb: str, payload: bytes, fan_in: int = FAN_IN) -> bytes:
        """Return the answer of all groups; on Ctrl-C the cluster drops the work.

        >>> import treewright as tw
        >>> from distributed import Client
        >>> from treewright.distributed import wire
        >>> from treewright.distributed.source import shards_of
        >>> from treewright.growth.sourced import cut_into_parts
        >>> shards, terms = shards_of(*cut_into_parts(tw.example("tennis"), "PlayTennis", 5))
        >>> with Client(n_workers=1, processes=False, dashboard_address=":0") as client:
        ...     runner = DaskRunner(client)
        ...     handle = runner.place(shards, wire.pack(terms))
        ...     answer = runner.map_reduce(handle, "nothing", wire.pack((worker.Trail(), None)))
        >>> wire.unpack(answer).n_shards
        5
        """
        token = uuid.uuid4().hex
        keys = [f"treewright-{verb}-{token}-{i}" for i in range(len(handle.groups))]
        level = self.client.map(
            self.functions.answer, handle.groups, verb=verb, payload=payload, key=keys, pure=False
        )
        tasks = list(level)
        while len(level) > 1:
            few = [level[i : i + fan_in] for i in range(0, len(level), fan_in)]
            name = f"combine-{token}-{len(tasks)}"
            level = [self._submit(self.functions.combine, f"{name}-{i}", some) for i, some in enumerate(few)]
            tasks += level
        try:
            found: bytes = level[0].result()
            return found
        except BaseException as trouble:
            self.client.cancel(tasks, force=True)
            if type(trouble).__name__ == "KilledWorker":
                raise RuntimeError(_who_died(handle)) from trouble
            raise

    def release(self, handle: Placed) -> None:
        """Let the workers forget the groups.

        >>> handle = Placed([], [])
        >>> DaskRunner.release(None, handle)
        >>> handle.groups
        []
        """
        for future in handle.groups:
            future.release()
        handle.groups.clear()

    def frames(self, collection: Any) -> list[Any]:
        """Return the partitions of a Dask data frame as futures.

        >>> from types import SimpleNamespace as Any
        >>> DaskRunner.frames(Any(client=Any(compute=list)), Any(to_delayed=lambda: ["one", "two"]))
        ['one', 'two']
        """
        return list(self.client.compute(collection.to_delayed()))

    def _submit(self, function: Any, name: str, *told: Any) -> Any:
        return self.client.submit(function, *told, key=f"treewright-{name}", pure=False)


def is_client(engine: Any) -> bool:
    """Tell whether something is a client of Dask, without loading Dask for that."""
    kinds = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(engine).__mro__}
    return "distributed.client.Client" in kinds


def _who_died(handle: Placed) -> str:
    """Return what to say when workers die again and again, naming the shards that were never placed."""
    n = sum(map(len, handle.shards))
    both = zip(handle.shards, handle.groups, strict=True)
    lost = [f"shards {some[0]} to {some[-1]} of {n}" for some, group in both if group.status == "error"]
    where = ", ".join(lost) or f"one of {n} shards"
    return (
        f"Workers died again and again over {where}; most likely their memory does not hold them. "
        "Use more workers, workers with more memory, or smaller shards."
    )


@contextmanager
def while_wanted() -> Iterator[None]:
    """End the work inside as soon as its task is cancelled."""
    token = worker.is_stopped.set(_unwanted())
    try:
        yield
    finally:
        worker.is_stopped.reset(token)


def _unwanted() -> Any:
    """Return what tells whether the task that is running was cancelled."""
    from distributed import get_worker

    try:
        here = get_worker()
        key, tasks = here.get_current_task(), here.state.tasks
    except (ValueError, AttributeError):  # not on a worker, or one that keeps its books otherwise
        return None

    def is_cancelled() -> bool:
        task = tasks.get(key)
        return task is None or task.state == "cancelled"

    return is_cancelled
