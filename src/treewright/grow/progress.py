"""How far growth is, told to whoever watches: a command line draws a bar with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

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


def watcher() -> Watcher | None:
    """Return who watches, if anybody does.

    >>> watcher() is None
    True
    """
    return _watcher.get()
