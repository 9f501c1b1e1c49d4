"""Signals while DuckDB works: nobody waits for ever."""

import contextlib
import signal
import subprocess
import sys

import pytest

from treewright.table.files import signals

PROGRAM = """
import os, signal, time
from treewright.table.files import signals

write = os.write


def slowly(place, content):
    if content == bytes([0]):  # the last word: whoever listens reads the second signal before it
        time.sleep(0.2)
    return write(place, content)


signals.os.write = slowly
signal.signal(signal.SIGINT, lambda number, frame: None)
with signals.listening(lambda: None):
    place = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(place)
    for _ in range(2):  # as the handlers in C write, without any in Python that says how it went on
        write(place, bytes([signal.SIGINT]))
        time.sleep(0.1)
print("over")
"""


def test_two_signals_in_a_hurry_do_not_keep_the_listener():
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, timeout=60, check=True)
    assert ran.stdout == b"over\n"


def test_what_a_handler_raised_is_heard_where_the_work_went_on():
    """DuckDB gives an interrupted statement a name of its own, and a second way may then succeed."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with (
            pytest.raises(KeyboardInterrupt),
            signals.listening(lambda: None),
            contextlib.suppress(KeyboardInterrupt),
        ):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
