"""Dask as the engine: any number of workers, any of which may die."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import distributed
import pytest

from tests.distributed import dying
from tests.distributed.test_source import same
from tests.tables import table, target
from treewright.distributed import DaskRunner
from treewright.distributed.source import RunnerSource, shards_of
from treewright.growth.sourced import cut_into_parts

TABLES = ("adult", "hypothyroid", "abalone", "mushroom")


@contextmanager
def cluster(n_workers: int, *, processes: bool = False) -> Iterator[distributed.Client]:
    """Start a cluster on this machine, and stop it."""
    silent = {
        "n_workers": n_workers,
        "threads_per_worker": 1,
        "dashboard_address": ":0",
        "processes": processes,
    }
    with (
        distributed.LocalCluster(**silent, silence_logs=logging.CRITICAL) as here,
        distributed.Client(here, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def client() -> Iterator[distributed.Client]:
    with cluster(2) as found:
        yield found


@pytest.mark.parametrize("name", TABLES)
def test_the_same_tree(name: str, client: distributed.Client) -> None:
    same(table(name), target(name), DaskRunner(client), 5, gather_below=500, max_depth=4)


@pytest.mark.slow
@pytest.mark.parametrize("n_workers", [1, 2, 4])
def test_any_number_of_workers(n_workers: int) -> None:
    told: list[dict[str, Any]] = [
        {}, {"max_depth": 8}, {"criterion": "entropy", "min_leaf": 20}, {"splits": "multiway"},
    ]  # fmt: skip
    with cluster(n_workers, processes=True) as client:
        for name in TABLES:
            for some in told:
                if "criterion" in some and name == "abalone":
                    continue
                same(table(name), target(name), DaskRunner(client), 7, gather_below=1000, **some)


def test_tasks_are_few_and_all_is_given_back(client: distributed.Client) -> None:
    parts, question, chosen = cut_into_parts(table("iris"), "class", 9)
    with RunnerSource(DaskRunner(client), *shards_of(parts, question, chosen), fan_in=2) as source:
        assert len(source.handle.groups) == 4  # two groups a slot
        source.nothing()
        assert source.n_passes == 1
        assert 0 < source.bytes_down < 200
    _until(lambda: not client.run_on_scheduler(_tasks))


class _Counting:
    """A client that counts the tasks it is given."""

    def __init__(self, client: distributed.Client) -> None:
        self.client, self.n_tasks = client, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)

    def submit(self, *told: Any, **more: Any) -> Any:
        self.n_tasks += 1
        return self.client.submit(*told, **more)

    def map(self, function: Any, groups: Any, **more: Any) -> Any:
        self.n_tasks += len(groups)
        return self.client.map(function, groups, **more)


@pytest.mark.parametrize(("fan_in", "n_tasks"), [(2, 4 + 2 + 1), (3, 4 + 2 + 1), (8, 4 + 1)])
def test_a_pass_is_a_task_a_group_and_their_reduction(
    fan_in: int, n_tasks: int, client: distributed.Client
) -> None:
    parts, question, chosen = cut_into_parts(table("iris"), "class", 9)
    runner = DaskRunner(client)
    runner.client = counting = _Counting(client)
    with RunnerSource(runner, *shards_of(parts, question, chosen), fan_in=fan_in) as source:
        counting.n_tasks = 0
        source.nothing()
        assert counting.n_tasks == n_tasks


def _tasks(dask_scheduler: Any) -> list[str]:
    return sorted(map(str, dask_scheduler.tasks))


def _until(holds: Any, seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def test_a_runner_takes_a_client() -> None:
    with pytest.raises(TypeError, match="takes a distributed Client, not str"):
        DaskRunner("tcp://127.0.0.1:8786")


# ---- workers die ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["count"])
def test_a_worker_dies(step: str, tmp_path: Path) -> None:
    _kill_at([step], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "steps", [["place"], ["look"], ["squares"], ["combine"], ["gather"], ["place", "count", "combine"]]
)
def test_workers_die(steps: list[str], tmp_path: Path) -> None:
    _kill_at(steps, tmp_path)


def _kill_at(steps: list[str], folder: Path) -> None:
    """Kill a worker at each of these steps; the tree must not notice."""
    started = time.monotonic()
    name = "abalone" if "squares" in steps else "hypothyroid"
    with cluster(2, processes=True) as client:
        runner = dying.DyingRunner(client, folder, steps)
        same(table(name), target(name), runner, 5, gather_below=50, max_depth=4)
    assert sorted(path.name for path in folder.iterdir()) == sorted(steps)  # each killed one
    assert time.monotonic() - started < 60


@pytest.mark.slow
def test_shards_on_which_workers_die_are_named(tmp_path: Path) -> None:
    with cluster(1, processes=True) as client:
        runner = dying.DyingRunner(client, tmp_path, ["always"])
        with pytest.raises(RuntimeError, match="shards 0 to 1 of 5"):
            same(table("iris"), target("iris"), runner, 5)


# ---- Ctrl-C --------------------------------------------------------------------------------------------


def test_ctrl_c_stops_the_work(client: distributed.Client) -> None:
    parts, question, chosen = cut_into_parts(table("iris"), "class", 4)
    runner = dying.SlowRunner(client)
    with RunnerSource(runner, *shards_of(parts, question, chosen)) as source:
        source.nothing()
        dying.begun.clear()
        dying.ended.clear()

        def interrupt() -> None:
            assert dying.begun.wait(10)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            source.present(0, 0)
        stopped = time.monotonic()
        assert dying.ended.wait(1)
        assert time.monotonic() - stopped < 1
    _until(lambda: not client.run_on_scheduler(_tasks))
    same(table("iris"), "class", DaskRunner(client), 3)  # the cluster is as good as before
