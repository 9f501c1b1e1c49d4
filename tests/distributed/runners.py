"""Engines for tests: one as narrow as Spark is, and ones that lose or double a partial."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from typing import Any

from treewright.distributed import LocalRunner, worker
from treewright.distributed.runner import FAN_IN, grouped


class BlocksRunner:
    """An engine with the restrictions of data frames of another world, such as Spark's.

    What it holds are blocks of bytes: nothing is shared between two tasks, not even an object, and a task is
    told its verb and its payload only. Tasks run twice now and then, and partials meet in any order.
    """

    def __init__(self, n_slots: int = 2, seed: int = 0) -> None:
        self.n_slots, self.random = n_slots, random.Random(seed)

    def slots(self) -> int:
        return self.n_slots

    def place(self, shards: Sequence[Any], payload: bytes) -> list[bytes]:
        groups = [pickle.dumps(tuple(zip(*g, strict=True))) for g in grouped(shards, 2 * self.n_slots)]
        return [pickle.dumps(worker.place(*pickle.loads(group), payload)) for group in groups]

    def map_reduce(self, handle: list[bytes], verb: str, payload: bytes, fan_in: int = FAN_IN) -> bytes:
        partials = []
        for block in handle:
            first = worker.answer(verb, pickle.loads(block), payload)
            again = self.random.random() < 0.2
            partials.append(worker.answer(verb, pickle.loads(block), payload) if again else first)
        while len(partials) > 1:
            self.random.shuffle(partials)
            n = self.random.randint(2, min(fan_in, len(partials)))
            partials = [worker.combine(partials[:n]), *partials[n:]]
        return partials[0]

    def release(self, handle: list[bytes]) -> None:
        handle.clear()


class FaultyRunner(LocalRunner):
    """An engine that goes wrong at one pass: a partial is dropped, doubled, or takes another's place."""

    def __init__(self, fault: str, at_pass: int) -> None:
        super().__init__(2)
        self.fault, self.left = fault, at_pass

    def map_reduce(
        self, handle: list[worker.Group], verb: str, payload: bytes, fan_in: int = FAN_IN
    ) -> bytes:
        self.left -= 1
        wrong = {"drop": handle[1:], "double": [*handle, handle[0]], "swap": [handle[0], *handle[:-1]]}
        return super().map_reduce(wrong[self.fault] if self.left == 0 else handle, verb, payload, fan_in)
