"""A bar with the time that is left, on standard error, while long work goes on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .terminal import console

Watcher = Callable[[float], object]


@contextmanager
def progress(title: str) -> Iterator[Watcher]:
    """Yield what long work is to call with the share (0 to 1) that is done; it moves a bar on the terminal.

    Where standard error is no terminal nothing is drawn. Pass the watcher on in any case: work that calls
    it can be stopped by Ctrl-C. Until its first call the bar only shows that something goes on.

    >>> with progress("Growing") as watch:   # no terminal here
    ...     watch(0.5)
    """
    if not is_drawn():
        yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=console(sys.stderr), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda share: bar.update(task, completed=float(share), total=1.0)


def is_drawn() -> bool:
    """Return whether a bar would be seen: standard error is a terminal that can move its cursor."""
    import os

    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
