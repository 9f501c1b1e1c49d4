"""Ctrl-C while a file is read is a KeyboardInterrupt, and any other handler's exception is its own."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import treewright as tw
from treewright.table.files import duck

# Hours of work in next to no memory.
LONG = "create or replace table t as select sum(hash(range) % 7) as n from range(100000000000)"


class AlarmError(Exception):
    """What the handler of a signal may raise."""


def ring(_number: int, _frame: object) -> None:
    raise AlarmError("time is up")


@pytest.fixture(params=["Ctrl-C", "alarm"])
def expected(request: pytest.FixtureRequest):
    number, handler, error = {
        "Ctrl-C": (signal.SIGINT, signal.default_int_handler, KeyboardInterrupt),
        "alarm": (signal.SIGALRM, ring, AlarmError),
    }[request.param]
    before = signal.signal(number, handler)
    yield number, error
    assert signal.getsignal(number) is handler  # as it was found
    signal.signal(number, before)


def alarm(seconds: float, number: int) -> threading.Timer:
    return threading.Timer(seconds, os.kill, (os.getpid(), number))


def later(seconds: float, number: int) -> None:
    alarm(seconds, number).start()


@pytest.mark.parametrize("watcher", [None, lambda share: None])
def test_a_statement_is_stopped(expected: tuple[int, type[BaseException]], watcher) -> None:
    number, error = expected
    with pytest.raises(error), duck.connected() as connection:  # noqa: PT012
        later(0.2, number)
        duck.run(connection, LONG, watcher=watcher)
    assert not [thread for thread in threading.enumerate() if thread.name == "treewright reading"]


def test_rows_on_their_way_are_stopped(expected: tuple[int, type[BaseException]]) -> None:
    number, error = expected
    with pytest.raises(error), duck.connected() as connection:  # noqa: PT012
        later(0.2, number)
        connection.execute("select length(md5(range::varchar))::tinyint a from range(50000000)").fetchnumpy()


def parquet(place: Path, n_rows: int) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(
            f"copy (select range a, (hash(range) % 1000)::varchar b, random() c from range({n_rows})) "
            f"to '{place}' (format parquet)"
        )


def csv(place: Path, n_rows: int) -> None:
    place.write_text("a,b,c\n" + "".join(f"{i},w{i % 999},{i / 7}\n" for i in range(n_rows)))


def json(place: Path, n_rows: int) -> None:
    place.write_text("".join(f'{{"a": {i}, "b": "w{i % 999}"}}\n' for i in range(n_rows)))


# A signal between `open` and its `with` leaves the file to the garbage collector, which says so: Python's
# way, for any program that is stopped at any moment.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("write", [csv, json, parquet])
def test_reading_is_stopped_at_any_moment(write: Callable[[Path, int], None], tmp_path: Path) -> None:
    """Whatever is under way: the name of the exception never changes."""
    place = tmp_path / f"long.{write.__name__}"
    write(place, 50_000)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    n_stopped = 0
    try:
        for after in np.linspace(0.005, 0.2, 12).tolist():
            timer = alarm(after, signal.SIGINT)
            try:
                timer.start()  # on a machine with much to do the signal may come before the next line
                while True:  # until it comes
                    tw.read(place)
            except KeyboardInterrupt:
                n_stopped += 1
            timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert n_stopped == 12


def test_a_watcher_stops_a_statement() -> None:
    def stop(_share: float) -> None:
        raise AlarmError("enough")

    with duck.connected() as connection, pytest.raises(AlarmError, match="enough"):
        duck.run(connection, LONG, watcher=stop)


def test_a_statement_runs_where_it_was_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """In another thread DuckDB may abort the program at its end: the main thread alone hears Ctrl-C."""
    threads = set()

    class Connection:
        def execute(self, query: str) -> None:
            threads.add(threading.current_thread())

        def query_progress(self) -> float:
            return 50.0

    duck.run(Connection(), "select 1", watcher=lambda share: None)  # type: ignore[arg-type]
    assert threads == {threading.current_thread()}
