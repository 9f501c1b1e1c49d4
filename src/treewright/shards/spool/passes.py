"""One pass over the blocks of a spool: each of several threads takes the next one, and adds up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import TypeVar

Sum = TypeVar("Sum")

PAUSE = 0.2  # seconds between two looks for Ctrl-C


def each_block(
    n_blocks: int, n_threads: int, begin: Callable[[], Sum], step: Callable[[Sum, int], None]
) -> list[Sum]:
    """Return what the threads added up: `begin` makes a sum, `step` adds a block to one.

    Ctrl-C, or what a step raises, ends the pass before the next block.

    >>> def add(into, block):
    ...     into.append(block)
    >>> sums = each_block(5, 2, list, add)
    >>> sorted(sum(sums, []))
    [0, 1, 2, 3, 4]
    """
    n_threads = max(1, min(n_threads, n_blocks))
    todo, lock, is_over = iter(range(n_blocks)), threading.Lock(), threading.Event()

    def work() -> Sum:
        found = begin()
        while not is_over.is_set():
            with lock:
                block = next(todo, -1)
            if block < 0:
                break
            try:
                step(found, block)
            except BaseException:
                is_over.set()
                raise
        return found

    if n_threads == 1:
        return [work()]
    pool = ThreadPoolExecutor(max_workers=n_threads, thread_name_prefix="treewright spool")
    try:
        futures = [pool.submit(copy_context().run, work) for _ in range(n_threads)]
        while wait(futures, timeout=PAUSE).not_done:
            pass
        return [future.result() for future in futures]
    finally:
        is_over.set()
        pool.shutdown()
