"""Runners of Dask whose workers die, or take their time."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treewright.distributed import DaskRunner, dask_runner, worker

begun, ended = threading.Event(), threading.Event()


class DyingRunner(DaskRunner):
    """The first worker that comes to one of the steps is killed there, once; at "always" each one is."""

    def __init__(self, client: Any, folder: Path, steps: Sequence[str]) -> None:
        super().__init__(client)
        self.functions = _Dying(folder, steps)


class _Dying(dask_runner.Functions):
    def __init__(self, folder: Path, steps: Sequence[str]) -> None:
        self.folder, self.steps = folder, tuple(steps)

    def _maybe_die(self, step: str) -> None:
        if "always" in self.steps and step == "place":
            os.kill(os.getpid(), signal.SIGKILL)
        if step in self.steps:
            try:
                (self.folder / step).touch(exist_ok=False)
            except FileExistsError:
                return
            os.kill(os.getpid(), signal.SIGKILL)

    def place(self, *told: Any) -> worker.Group:
        self._maybe_die("place")
        return super().place(*told)

    def answer(self, group: worker.Group, verb: str, payload: bytes) -> bytes:
        self._maybe_die(verb)
        return super().answer(group, verb, payload)

    def combine(self, partials: list[bytes]) -> bytes:
        self._maybe_die("combine")
        return super().combine(partials)


class SlowRunner(DaskRunner):
    """Its workers look at a column for half a minute, unless they are stopped."""

    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.functions = _Slow()


class _Slow(dask_runner.Functions):
    def answer(self, group: worker.Group, verb: str, payload: bytes) -> bytes:
        with dask_runner.while_wanted():
            if verb == "present":
                begun.set()
                try:
                    for _ in range(3000):
                        worker.go_on()
                        time.sleep(0.01)
                finally:
                    ended.set()
            return worker.answer(verb, group, payload)
