"""treewright as a program: Ctrl-C is answered from the first line on, before anything large is imported.

`treewright/__init__.py` imports this before all else: Python imports the package before it runs the command,
which takes most of the time until the command begins. For the same reason nothing is imported here that
Python has not loaded by itself.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from typing import NoReturn
else:
    import _signal as signal  # the part in C, there from the start: `signal` itself imports enum and more

INTERRUPTED = 130  # the customary number
_NAMES = ("treewright", "treewright.exe", "-mtreewright")


def is_program() -> bool:
    """Return whether this process was started as `treewright` or `python -m treewright`.

    >>> is_program()
    False
    """
    # sys.argv stands for the last words of the command line: first a script, or the module of -m.
    started = sys.orig_argv[-len(sys.argv) :][:1] if sys.argv else []
    return any(os.path.basename(word) in _NAMES for word in started)


def listen() -> None:
    """Let Ctrl-C end the program at once: so far nothing is begun that could be left behind."""
    signal.signal(signal.SIGINT, lambda _number, _frame: interrupted())


def interrupted() -> NoReturn:
    """Say so in one line, and leave."""
    try:
        os.write(2, b"Interrupted.\n")
    finally:
        leave()


def leave() -> NoReturn:
    """End the program without taking the interpreter apart: threads of libraries may be at work still."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # closed, or there is none
            continue
    os._exit(INTERRUPTED)


def done() -> None:
    """Let Ctrl-C be: all is written, and Python is only taking itself apart."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


if is_program():
    listen()
    # Busy waiting: threads that NumPy's OpenBLAS starts spin for 0.1 s before they sleep; here at once.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
