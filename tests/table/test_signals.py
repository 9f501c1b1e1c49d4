"""Signals while DuckDB works: nobody waits for ever."""

import contextlib
import signal
import subprocess
import sys
import threading

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


@pytest.mark.parametrize("moment", ["taking", "giving back", "after"])
def test_a_signal_that_comes_while_handlers_are_changed_leaves_none_of_ours(monkeypatch, moment):
    """Ctrl-C between any two of the changes: all handlers are back, it is heard, nothing is left."""

    def raising(number, frame):
        raise KeyboardInterrupt(number)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)
    before = {number: signal.signal(number, raising) for number in numbers}
    change, changes = signal.signal, []

    def interrupted(number, handler):
        is_back = handler is raising
        changes.append((number, is_back))
        is_first = changes.count((number, is_back)) == 1
        if is_first and moment == ("giving back" if is_back else "taking"):
            signal.raise_signal(signal.SIGTERM)
        found = change(number, handler)
        if is_first and moment == "after" and is_back:
            signal.raise_signal(number)
        return found

    try:
        monkeypatch.setattr(signals.signal, "signal", interrupted)
        with pytest.raises(KeyboardInterrupt), signals.listening(lambda: None):
            pass
        monkeypatch.undo()
        assert {number: signal.getsignal(number) for number in numbers} == dict.fromkeys(numbers, raising)
        assert signal.set_wakeup_fd(-1) == -1
        assert [thread for thread in threading.enumerate() if thread.name == "treewright listening"] == []
        assert changes
    finally:
        monkeypatch.undo()
        for number, handler in before.items():
            signal.signal(number, handler)
