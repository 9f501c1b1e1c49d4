"""Ctrl-C while many rows go down a tree or a forest: heard in the core, between blocks of rows."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import treewright as tw
from treewright.forest import walker
from treewright.route.router import router

LONG = 0.15  # seconds that a call takes, by the rows it is given
OFTEN = 0.01  # seconds between two signals
N_TREES = 40


@pytest.fixture
def alarm() -> Iterator[Callable[[Callable[[], object]], int]]:
    """Return a function that does something under a hail of signals, and says how many came through."""
    n_heard = 0

    def hear(_number: int, _frame: object) -> None:
        nonlocal n_heard
        n_heard += 1

    def heard_during(work: Callable[[], object]) -> int:
        nonlocal n_heard
        n_heard = 0
        signal.setitimer(signal.ITIMER_REAL, OFTEN, OFTEN)
        try:
            work()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return n_heard

    before = signal.signal(signal.SIGALRM, hear)
    yield heard_during
    signal.signal(signal.SIGALRM, before)


def small_table(is_classes: bool, has_words: bool) -> tw.Table:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1000, 4))
    y = x[:, 0] + rng.normal(size=1000)
    columns: dict[str, Any] = {f"x{i}": x[:, i] for i in range(4)}
    if has_words:
        columns["k"] = rng.choice(list("abcdefg"), 1000).tolist()
    return tw.Table.from_dict({**columns, "y": np.where(y > 0, "p", "q").tolist() if is_classes else y})


def cells_of(table: tw.Table, n_rows: int, gaps: bool) -> list[Any]:
    """Return the columns of a table over and over again, in their own codes."""
    found = [np.ascontiguousarray(np.resize(values, n_rows)) for values in table.values[:-1]]
    if gaps:
        found[0][::2] = np.nan
    return found


def long_enough(ready: Callable[[int], Callable[[], object]], n_threads: int) -> Callable[[], object]:
    """Return a call on so many rows that it takes a while; making the rows ready is not part of it.

    Where others use the machine too, time passes without work: the call is as long as its work, not longer.
    """
    n_rows, took = 2_000, 0.0
    while took < LONG / 10:
        n_rows *= 4
        call = ready(n_rows)
        begun, worked = time.monotonic(), time.process_time()
        call()
        took = min(time.monotonic() - begun, (time.process_time() - worked) / n_threads)
    return ready(int(n_rows * LONG / took))


FORESTS = {
    "numbers only": (True, False, {}),
    "numbers to predict": (False, False, {}),
    "with categories": (True, True, {}),
    "rows are divided": (True, True, {"missing": "fractional"}),
}


@cache
def forest_of(kind: str) -> tuple[tw.Table, tw.Forest]:
    is_classes, has_words, settings = FORESTS[kind]
    table = small_table(is_classes, has_words)
    return table, tw.forest.grow(table, target="y", n_trees=N_TREES, **settings)


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("verb", ["mean", "majority", "out of bag", "leaves"])
@pytest.mark.parametrize("kind", FORESTS)
def test_rows_down_a_forest(kind: str, verb: str, n_threads: int, alarm: Any) -> None:
    """All that a forest says goes through these two calls."""
    table, forest = forest_of(kind)
    has_gaps = "missing" in FORESTS[kind][2]
    (chunk,) = walker.chunks(forest, [])

    def ready(n_rows: int) -> Callable[[], object]:
        cells = cells_of(table, n_rows, has_gaps)
        if verb == "leaves":
            node = np.empty(n_rows * N_TREES, np.int32)
            return lambda: chunk.walker.leaves(cells, n_rows, n_threads, node)
        out = np.ones(n_rows * N_TREES if verb == "out of bag" else 0, np.uint8)
        sums, counts = np.zeros(n_rows * max(1, len(forest.classes))), np.zeros(n_rows, np.int32)
        return lambda: chunk.walker.vote(cells, n_rows, n_threads, verb == "majority", out, sums, counts)

    assert alarm(long_enough(ready, n_threads)) >= 3  # one comes through at the end in any case


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("missing", ["learned", "fractional", "surrogate"])
def test_rows_down_a_tree(missing: str, n_threads: int, alarm: Any) -> None:
    table = small_table(True, True)
    ways = router(tw.grow(table, target="y", missing=missing))

    def ready(n_rows: int) -> Callable[[], object]:
        cells = cells_of(table, n_rows, True)
        return lambda: ways.route(cells, n_rows, n_threads)

    assert alarm(long_enough(ready, n_threads)) >= 3


@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_prediction_is_stopped_and_the_next_is_right(n_threads: int) -> None:
    """The exception of the handler comes out, whichever thread waits for whom, and nothing is half done."""
    table = small_table(True, False)
    forest = tw.forest.grow(table, target="y", n_trees=20)
    right = forest.predict(table)
    many = table.take(np.resize(np.arange(table.n_rows), 400_000))

    def stop(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        for after in (0.001, 0.06, 0.1, 0.15):
            with pytest.raises(KeyboardInterrupt):  # noqa: PT012
                signal.setitimer(signal.ITIMER_REAL, after)
                while True:
                    forest.predict_proba(many, n_threads=n_threads)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert forest.predict(table).tolist() == right.tolist()
