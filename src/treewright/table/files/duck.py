"""DuckDB: a connection that never fetches anything from elsewhere, and work on it that can be watched."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from .signals import held_back, listening

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Watcher = Callable[[float], object]

_PAUSE = 0.1  # seconds between two looks at the progress


@contextmanager
def connected() -> Iterator[DuckDBPyConnection]:
    """Open an empty database in memory; extensions are neither looked for nor downloaded.

    Ctrl-C stops a statement with a KeyboardInterrupt, or with whatever else the handler of a signal raises.
    """
    with held_back():
        import duckdb

    connection = duckdb.connect(
        config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    )
    # Our statements repeat nothing that is worth finding, and looking for it takes long with many columns.
    settings = ("TimeZone = 'UTC'", "disabled_optimizers = 'common_subexpressions'")
    try:
        with listening(connection.interrupt):
            # DuckDB would draw a bar of its own, to standard output, when a statement takes long.
            _set_bar(connection, "enable_progress_bar = false", "enable_progress_bar_print = false")
            for setting in settings:
                connection.execute(f"set {setting}")
            yield connection
    finally:
        connection.close()


def _set_bar(connection: DuckDBPyConnection, *settings: str) -> None:
    """Change the progress bar. In a notebook without ipywidgets DuckDB has none, and refuses to change it."""
    from duckdb import InvalidInputException

    for setting in settings:
        try:
            connection.execute(f"set {setting}")
        except InvalidInputException:
            return


def run(connection: DuckDBPyConnection, query: str, watcher: Watcher | None = None) -> None:
    """Run a statement; `watcher` hears the share that is done, and what it raises stops the statement.

    The statement runs in this thread, where DuckDB looks for signals; the watcher is called from another.
    (The other way round the end of the program may meet DuckDB's threads, and abort.)
    """
    if watcher is None:
        connection.execute(query)
        return
    _set_bar(connection, "enable_progress_bar = true", "progress_bar_time = 0")
    with _Watch(connection, watcher):
        connection.execute(query)


class _Watch(threading.Thread):
    """Tells a watcher how far the statement of a connection is; what it raises is raised at the end."""

    def __init__(self, connection: DuckDBPyConnection, watcher: Watcher) -> None:
        super().__init__(name="treewright reading")
        self._connection, self._watcher = connection, watcher
        self._is_over = threading.Event()
        self._error: BaseException | None = None

    def run(self) -> None:
        """Look from time to time."""
        try:
            while not self._is_over.wait(_PAUSE):
                self._watcher(min(max(self._connection.query_progress() / 100, 0.0), 1.0))
        except BaseException as error:
            self._error = error
            while not self._is_over.wait(_PAUSE):  # an interrupt is lost on a statement that has not begun
                self._connection.interrupt()

    def __enter__(self) -> None:
        self.start()

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        try:
            self.join()
        except BaseException:  # Ctrl-C: who watches must be gone before the connection is
            self.join()
            raise
        if self._error is not None:
            raise self._error from None
