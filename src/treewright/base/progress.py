"""How far growth is, told to whoever watches: a command line draws a bar with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

Watcher = Callable[[float], object]

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched_by(watcher: Watcher | None) -> Iterator[None]:
    """Let `watcher` hear a few times a second what share of rows has reached its leaf, and 1.0 at the end.

    It holds for every tree grown inside, by `tw.grow` or by an estimator. What it raises stops growth.

    >>> import treewright as tw
    >>> heard = []
    >>> with watched_by(heard.append):
    ...     tree = tw.grow(tw.example("tennis"), target="PlayTennis")
    >>> heard[-1]
    1.0
    """
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def part_of(watcher: Watcher | None, low: float, high: float) -> Watcher | None:
    """Return who hears the share of a step as a share of the whole, of which the step is low to high.

    >>> heard = []
    >>> part_of(heard.append, 0.5, 1.0)(0.5)
    >>> heard
    [0.75]
    """
    if watcher is None:
        return None
    return lambda share: watcher(low + (high - low) * share)


class Stopper:
    """A watcher for trees that grow on other threads: it shows nothing, and ends them when it is told to.

    Growth hears Ctrl-C only through whoever watches, so a silent watcher is better than none.

    >>> import treewright as tw
    >>> stopper = Stopper()
    >>> with watched_by(stopper):
    ...     tree = tw.grow(tw.example("tennis"), target="PlayTennis")
    >>> stopper.stop()
    >>> stopper(0.5)
    Traceback (most recent call last):
    InterruptedError: Growth was stopped.
    """

    def __init__(self) -> None:
        self._is_over = Event()

    def stop(self) -> None:
        """End every growth that this watches, at its next word."""
        self._is_over.set()

    def __call__(self, _: float) -> None:
        """Hear a share; raise once the work is over."""
        if self._is_over.is_set():
            raise InterruptedError("Growth was stopped.")


def watcher() -> Watcher | None:
    """Return who watches, if anybody does.

    >>> watcher() is None
    True
    """
    return _watcher.get()
