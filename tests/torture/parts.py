"""The parts: each tries a fault many times and returns what was counted; a find is an AssertionError."""

from __future__ import annotations

import contextlib
import errno
import functools
import locale
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import treewright as tw
from tests.torture import models
from tests.torture.faults import Fault, odd_clock

_OK, _MEMORY, _REFUSED, _OTHER, _WORDLESS = 0, 3, 4, 5, 7
_WORDS = {
    _OK: "went on",
    _MEMORY: "MemoryError",
    _REFUSED: "ValueError of memory",
    _WORDLESS: "NumPy's error without a word",
}


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Yield an empty folder."""
    with tempfile.TemporaryDirectory() as place:
        yield Path(place)


# ---- memory -------------------------------------------------------------------------------------------


def jobs(place: Path) -> dict[str, Callable[[], Any]]:
    """Return what is done while memory fails: all that the core does, and reading files."""
    table = models.rows()
    tree = tw.grow(table, "y", "cart", prune=None)
    forest = tw.forest.grow(table, "y", n_trees=3, seed=1)
    tree.save(place / "tree")
    forest.save(place / "forest")
    return {
        "grow": lambda: tw.grow(table, "y", "c4.5"),
        "grow with surrogates": lambda: tw.grow(table, "y", "cart", max_surrogates=2),
        "forest": lambda: tw.forest.grow(table, "y", n_trees=2, seed=1, n_threads=2),
        "prune": lambda: tree.prune("cost_complexity", alpha=0.01),
        "predict": lambda: (tree.predict(table), forest.predict(table, n_threads=2)),
        "load": lambda: (tw.load(place / "tree"), tw.load(place / "forest")),
    }


def allocations(n: int, source: random.Random) -> Counter[str]:
    """Let the k-th allocation fail, alone or with all that follow, for k all over each job."""
    counted: Counter[str] = Counter()
    with folder() as place:
        for name, job in jobs(place).items():
            job()  # all that is loaded on first use is loaded
            with Fault("allocation", 2**62) as all_of_it:
                job()
            for trial in range(n):
                k = source.randrange(1, all_of_it.calls + 1) if trial % 3 else 1 + trial // 3
                code = in_child(functools.partial(_without, job, k, trial % 4 == 3))
                assert code in _WORDS, f"{name}: allocation {k} of {all_of_it.calls} failed: {ended(code)}"
                counted[_WORDS[code]] += 1
            job()
    return counted


def _without(job: Callable[[], Any], k: int, for_ever: bool) -> int:
    with Fault("allocation", k, errno.ENOMEM, for_ever):
        return outcome(job)


def outcome(job: Callable[[], Any]) -> int:
    """Do something, and return how it went as an exit code."""
    try:
        job()
    except MemoryError:
        return _MEMORY
    except ValueError as refused:
        return _REFUSED if "memory" in str(refused) else _OTHER
    except SystemError:  # NumPy gives up without saying why; none of the core's functions does
        return _WORDLESS
    except Exception as error:
        os.write(2, repr(error).encode()[:500] + b"\n")
        return _OTHER
    return _OK


def in_child(job: Callable[[], int]) -> int:
    """Return the exit code of a job done in a process of its own; less than 0: the signal that ended it."""
    child = os.fork()
    if child == 0:
        code = _OTHER
        try:
            code = job()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def ended(code: int) -> str:
    """Return an exit code in words."""
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def limits(n: int, source: random.Random) -> Counter[str]:
    """Run the jobs under `ulimit -v`, at limits from too little to enough."""
    counted: Counter[str] = Counter()
    with folder() as place:
        table = tw.Table.from_dict({f"x{i}": [j * i % 997 / 7 for j in range(60_000)] for i in range(1, 9)})
        big = {
            "grow": lambda: tw.grow(table, "x8", "cart", prune=None),
            "forest": lambda: tw.forest.grow(table, "x8", n_trees=3, seed=1),
            **jobs(place),
        }
        names = sorted(big)
        for trial in range(n):
            name = names[trial % len(names)]
            more = int(2 ** source.uniform(14, 28))  # bytes beyond what the process has: 16 KiB to 256 MiB
            code = in_child(functools.partial(_limited, big[name], more))
            assert code in _WORDS, f"{name} with {more} bytes to spare: {ended(code)}"
            counted[_WORDS[code]] += 1
    return counted


def _limited(job: Callable[[], Any], more: int) -> int:
    has = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (has + more, resource.RLIM_INFINITY))
    code = outcome(job)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return code


# ---- disks --------------------------------------------------------------------------------------------


def writes(n: int, source: random.Random) -> Counter[str]:
    """Let the k-th write, fsync, rename and open of every save fail, until a save no longer has a k-th."""
    counted: Counter[str] = Counter()
    errors = [errno.ENOSPC, errno.EIO, errno.EDQUOT]
    with folder() as place:
        for name, kind in models.kinds(place).items():
            path = place / f"saved{models.suffix(name)}"
            kind.write[0](str(path))
            for call in ("write", "fsync", "rename", "open"):
                for k in range(1, n + 1):
                    fault, trouble = Fault(call, k, source.choice(errors)), None
                    with fault:
                        try:
                            kind.write[1](str(path))
                        except OSError as error:
                            trouble = error
                    if not fault.happened:
                        kind.write[0](str(path))
                        break
                    counted[f"{call} failed"] += 1
                    which = kind.which(path)
                    assert which is not None, f"{name}: {call} {k} failed and the file is damaged"
                    assert which == (trouble is None), f"{name}: {call} {k} failed: {trouble!r}, file {which}"
                    left = [entry for entry in os.listdir(place) if entry.endswith(".tmp")]
                    assert not left, f"{name}: {call} {k} failed and left {left}"
                    kind.write[0](str(path))
    return counted


def full_disks(n: int, source: random.Random) -> Counter[str]:
    """Save where files may have so many bytes and no more (RLIMIT_FSIZE): the old file stays whole."""
    counted: Counter[str] = Counter()
    with folder() as place:
        for name, kind in models.kinds(place).items():
            path = place / f"saved{models.suffix(name)}"
            for _ in range(max(2, n // 7)):
                kind.write[0](str(path))
                size = len((place / f"{name}1{models.suffix(name)}").read_bytes())
                code = in_child(
                    functools.partial(_short_of_room, kind.write[1], path, source.randrange(size + 9))
                )
                assert code in (_OK, _OTHER + 1), f"{name}: {ended(code)}"
                assert kind.which(path) == (code == _OK), f"{name}: the file is damaged, or another was told"
                counted["saved" if code == _OK else "refused, the old file whole"] += 1
    return counted


def _short_of_room(write: Callable[[str], Any], path: Path, room: int) -> int:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    try:
        write(str(path))
    except OSError:
        return _OTHER + 1
    return _OK


def kills(n: int, source: random.Random) -> Counter[str]:
    """Kill a process that saves without end, n times for each kind of file: old or new, never between."""
    counted: Counter[str] = Counter()
    with folder() as place:
        for name, kind in models.kinds(place).items():
            inner = place / name
            inner.mkdir()
            path = inner / f"saved{models.suffix(name)}"
            kind.write[0](str(path))
            for _ in range(n):
                which = killed(kind, path, source)
                assert which is not None, f"{name}: a killed save left a damaged file"
                counted["old" if which == 0 else "new"] += 1
                for spare in inner.glob(".treewright-*.tmp"):
                    counted["spare files, which a later save removes"] += 1
                    spare.unlink()
    return counted


def killed(kind: models.Saved, path: Path, source: random.Random) -> int | None:
    """Save in turns in a child, kill it at some moment, and return which file is there."""
    ready, begun = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            kind.write[1](str(path))
            os.write(begun, b".")
            turn = 0
            while True:
                kind.write[turn](str(path))
                turn = 1 - turn
        os._exit(1)
    os.close(begun)
    if source.random() < 0.8:
        os.read(ready, 1)
    os.close(ready)
    _wait_for_spare(path.parent) if source.random() < 0.5 else time.sleep(source.random() * 0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return kind.which(path)


def _wait_for_spare(place: Path) -> None:
    """Wait for the moment at which the file beside the other exists."""
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        if any(entry.startswith(".treewright-") for entry in os.listdir(place)):
            return


# ---- clocks and places --------------------------------------------------------------------------------


def clocks(n: int, source: random.Random) -> Counter[str]:
    """Turn the clock while growing and saving: the same trees, and whole files."""
    counted: Counter[str] = Counter()
    table = models.rows()
    expected = tw.grow(table, "y", "cart")
    with folder() as place:
        for _ in range(n):
            odd_clock(source.choice([-1, 1]) * source.randrange(1, 10**9))
            try:
                assert tw.grow(table, "y", "cart") == expected
                expected.save(place / "m")
            finally:
                odd_clock(0)
            assert tw.load(place / "m") == expected
            counted["clocks turned"] += 1
    return counted


_PLACES = ("C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_SA.UTF-8", "ja_JP.eucJP")
_ZONES = ("UTC", "Asia/Kathmandu", "Pacific/Kiritimati", "America/St_Johns", "Nowhere/None")
_SAYS = """
import hashlib, os, sys, tempfile, locale
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
import treewright as tw
days = [f"2024-0{1 + i % 9}-1{i % 7}" for i in range(40)]
cells = {"x": [i / 7 for i in range(40)], "d": days, "y": ["İi"[i % 2] for i in range(40)]}
table = tw.Table.from_dict(cells, kinds={"d": "date"})
tree = tw.grow(table, "y", "c4.5")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "m")
    tree.save(path)
    assert tw.load(path) == tree
    content = open(path, "rb").read() + tree.to_text().encode() + tree.export(format="sql").encode()
print(hashlib.sha256(content).hexdigest())
"""


def places(n: int, source: random.Random) -> Counter[str]:
    """Grow, save and write under other locales and zones of time: the same bytes."""
    counted: Counter[str] = Counter()
    known = set()
    pairs = [(place, zone) for place in _PLACES for zone in _ZONES]
    for place, zone in source.sample(pairs, min(n, len(pairs))):
        words = {**os.environ, "LC_ALL": place, "TZ": zone, "LD_PRELOAD": ""}
        said = subprocess.run(
            [sys.executable, "-c", _SAYS], env=words, capture_output=True, text=True, check=False
        )
        assert said.returncode == 0, (place, zone, said.stderr[-500:])
        known.add(said.stdout)
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_ALL, place)
            counted["locales that this system has"] += 1
        locale.setlocale(locale.LC_ALL, "C.UTF-8")
        counted["tried"] += 1
    assert len(known) == 1
    return counted


PARTS: dict[str, tuple[Callable[[int, random.Random], Counter[str]], int, int]] = {
    # part: what is done, how often in the short form, how often in the long one
    "allocations": (allocations, 12, 600),
    "limits": (limits, 10, 300),
    "writes": (writes, 4, 60),
    "full_disks": (full_disks, 14, 350),
    "kills": (kills, 3, 300),
    "clocks": (clocks, 3, 100),
    "places": (places, 3, 30),
}


def run(name: str, is_long: bool, seed: int) -> bool:
    """Do one part; print what was counted, and say whether it found something."""
    part, few, many = PARTS[name]
    begin = time.monotonic()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            counted = part(many if is_long else few, random.Random(seed))
    except AssertionError as find:
        print(f"{name}: {find}", flush=True)
        return True
    said = ", ".join(f"{count} {what}" for what, count in sorted(counted.items()))
    print(f"{name}: {said}; no find, {time.monotonic() - begin:.0f} s", flush=True)
    return False
