"""DuckDB: a connection that never fetches anything from elsewhere, and work on it that can be watched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Watcher = Callable[[float], object]

_PAUSE = 0.1  # seconds between two looks at the progress


@contextmanager
def connected() -> Iterator[DuckDBPyConnection]:
    """Open an empty database in memory; extensions are neither looked for nor downloaded."""
    import duckdb

    connection = duckdb.connect(
        config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    )
    # DuckDB would draw a bar of its own, to standard output, when a statement takes long.
    # Our statements repeat nothing that is worth finding, and looking for it takes long with many columns.
    settings = (
        "enable_progress_bar = false",
        "enable_progress_bar_print = false",
        "TimeZone = 'UTC'",
        "disabled_optimizers = 'common_subexpressions'",
    )
    try:
        for setting in settings:
            connection.execute(f"set {setting}")
        yield connection
    finally:
        connection.close()


def run(connection: DuckDBPyConnection, query: str, watcher: Watcher | None = None) -> None:
    """Run a statement; `watcher` hears the share that is done, and what it raises stops the statement."""
    if watcher is None:
        connection.execute(query)
        return
    for setting in ("enable_progress_bar = true", "progress_bar_time = 0"):
        connection.execute(f"set {setting}")
    work = _Work(connection, query)
    work.start()
    try:
        while work.is_alive():
            work.join(_PAUSE)
            watcher(min(max(connection.query_progress() / 100, 0.0), 1.0))
    except BaseException:
        while work.is_alive():  # an interrupt is lost on a statement that has not begun
            connection.interrupt()
            work.join(_PAUSE)
        raise
    if work.error is not None:
        raise work.error


class _Work(Thread):
    """A statement in a thread of its own; what it raises is kept."""

    def __init__(self, connection: DuckDBPyConnection, query: str) -> None:
        super().__init__(name="treewright reading")
        self._connection, self._query = connection, query
        self.error: BaseException | None = None

    def run(self) -> None:
        """Run the statement."""
        try:
            self._connection.execute(self._query)
        except BaseException as error:
            self.error = error
