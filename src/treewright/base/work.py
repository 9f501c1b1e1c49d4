"""Many like steps, one after the other or on threads, told to whoever watches; Ctrl-C stops them all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, TypeVar

from treewright.base.progress import Stopper, Watcher, watched_by, watcher

Item = TypeVar("Item")
Result = TypeVar("Result")


def each(
    step: Callable[[Item], Result],
    items: Iterable[Item],
    n_jobs: int | None = 1,
    progress: Watcher | None = None,
) -> list[Result]:
    """Return the results of a step for every item, in their order.

    `n_jobs` items are worked on at once (-1: one for each processor). `progress` hears the share that is
    done. What it raises, what a step raises, and Ctrl-C end the work: what has not begun is not begun. Of
    several steps that raise, the first in the order of items is heard, whichever was quicker.

    >>> heard = []
    >>> each(lambda x: x * x, [1, 2, 3], n_jobs=2, progress=heard.append), heard[-1]
    ([1, 4, 9], 1.0)
    """
    todo, tell = list(items), progress or watcher()
    n_threads = min(count_of_jobs(n_jobs), max(1, len(todo)))

    stopper = Stopper()

    def quietly(item: Item) -> Result:
        with watched_by(stopper):  # who watches hears about the items, not about each tree
            return step(item)

    if n_threads == 1:
        found = []
        for item in todo:
            found.append(quietly(item))
            if tell is not None:
                tell(len(found) / len(todo))
        return found
    pool = ThreadPoolExecutor(max_workers=n_threads)
    try:
        futures = [pool.submit(quietly, item) for item in todo]
        needed = set(futures)  # those that may still fail before all others
        for n_done, future in enumerate(as_completed(futures), 1):
            needed.discard(future)
            if future.exception() is not None:
                needed &= set(futures[: futures.index(future)])
            elif tell is not None:
                tell(n_done / len(todo))
            if not needed:
                break
        return [future.result() for future in futures]
    except BaseException:
        stopper.stop()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def count_of_jobs(n_jobs: Any) -> int:
    """Return how many threads are meant: None is one, -1 all processors.

    >>> count_of_jobs(None), count_of_jobs(3)
    (1, 3)
    """
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or (n_jobs < 1 and n_jobs != -1):
        raise ValueError(f"n_jobs={n_jobs!r} must be a whole number of at least 1, or -1 for all processors.")
    return n_jobs if n_jobs > 0 else os.cpu_count() or 1
