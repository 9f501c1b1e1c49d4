"""Signals while a library works that seldom looks for them and renames what their handlers raise."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]

_PAUSE = 0.05  # seconds: so long a library may take to notice by itself
_END = 0  # is no signal


@contextmanager
def listening(interrupt: Callable[[], object]) -> Iterator[None]:
    """Call `interrupt` when Ctrl-C comes during long work; raise what the handlers of signals raise.

    Python runs handlers in its main thread, and only when a library lets it. DuckDB looks for signals between
    its tasks, which may take long; it makes a RuntimeError of whatever a handler raises, and before it raises
    that it waits for the tasks of its other threads, unless these are interrupted.

    >>> before = signal.signal(signal.SIGINT, signal.default_int_handler)
    >>> try:
    ...     with listening(lambda: None):
    ...         signal.raise_signal(signal.SIGINT)
    ... except KeyboardInterrupt:
    ...     "heard"
    'heard'
    >>> _ = signal.signal(signal.SIGINT, before)
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals belong to the main thread
        return
    heard = _Heard()
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    ours = {number: _noting(given, heard) for number, given in handlers.items() if callable(given)}
    try:
        for number, handler in ours.items():
            signal.signal(number, handler)
        with _watched(interrupt, heard):
            try:
                heard.is_working = True
                heard.deliver()
                yield
            finally:
                heard.is_working = False
    except Exception:
        if heard.raised:
            raise heard.raised[-1] from None
        raise
    else:
        if heard.raised:  # and the work went on in another way
            raise heard.raised[-1]
    finally:
        _give_back(ours, handlers)
        heard.deliver()


class _Heard:
    """What handlers raised during the work, and the calls of handlers that wait because none is under way."""

    def __init__(self) -> None:
        self.raised: list[BaseException] = []
        self.goes_on = threading.Event()
        self.is_working = False  # else the handlers are being changed, and nothing may come between
        self.waiting: list[Callable[[], Any]] = []

    def deliver(self) -> None:
        """Call the handlers of signals that came while handlers were changed."""
        while self.waiting:
            self.waiting.pop(0)()


def _give_back(ours: dict[Any, Handler], handlers: dict[Any, Any]) -> None:
    """Let the handlers be what they were: all of them, whatever one that is back already raises meanwhile.

    Ctrl-C, which nearly always raises, comes last.
    """
    left = sorted(ours, key=lambda number: number == signal.SIGINT, reverse=True)
    late: list[BaseException] = []
    while left:
        try:
            while left:
                if signal.getsignal(left[-1]) is ours[left[-1]]:
                    signal.signal(left[-1], handlers[left[-1]])
                left.pop()
        except BaseException as error:
            late.append(error)
    if late:
        raise late[-1]


@contextmanager
def held_back() -> Iterator[None]:
    """Let Ctrl-C wait until the work is done: a library's core that is interrupted while it is loaded aborts.

    >>> before = signal.signal(signal.SIGINT, signal.default_int_handler)
    >>> try:
    ...     with held_back():
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("done")
    ... except KeyboardInterrupt:
    ...     print("heard")
    done
    heard
    >>> _ = signal.signal(signal.SIGINT, before)
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            handler(*came[-1])


def _noting(handler: Handler, heard: _Heard) -> Handler:
    def noted(number: int, frame: FrameType | None) -> None:
        if not heard.is_working:
            heard.waiting.append(lambda: noted(number, frame) if heard.is_working else handler(number, frame))
            return
        try:
            handler(number, frame)
        except BaseException as error:
            heard.raised.append(error)
            raise
        heard.goes_on.set()

    return noted


@contextmanager
def _watched(interrupt: Callable[[], object], heard: _Heard) -> Iterator[None]:
    """Let a thread wait for signals; it hears of them at once, whatever the main thread does."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    others = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    seen, is_over = bytearray(), threading.Event()

    def wait() -> None:
        while _END not in (came := os.read(reader, 64)):
            seen.extend(came)
            # of two signals in a hurry the first takes `goes_on` away
            while not heard.goes_on.wait(_PAUSE) and not is_over.is_set():
                if heard.raised or signal.SIGINT in came:
                    interrupt()  # again and again: it is lost between two statements
            heard.goes_on.clear()

    thread = threading.Thread(target=wait, name="treewright listening")
    try:
        thread.start()
        yield
    finally:
        signal.set_wakeup_fd(others)
        is_over.set()
        heard.goes_on.set()
        os.write(writer, bytes([_END]))
        thread.join()
        os.close(reader)
        os.close(writer)
        if others >= 0 and seen:
            with contextlib.suppress(OSError):
                os.write(others, bytes(seen))
