"""The library that lets calls fail: compiled when needed, loaded before all others, spoken to by ctypes."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

KINDS = {"allocation": 1, "write": 2, "fsync": 3, "rename": 4, "open": 5}
_SOURCE = Path(__file__).with_name("failing.c")
_BUILT = Path(__file__).parents[2] / "build" / "torture" / "failing.so"


def compiler() -> str | None:
    """Return a C compiler, if there is one."""
    return next(
        (name for name in (os.environ.get("CC"), "cc", "gcc", "clang") if name and shutil.which(name)), None
    )


def library() -> Path:
    """Return the library, built if its source is newer."""
    if not _BUILT.exists() or _BUILT.stat().st_mtime < _SOURCE.stat().st_mtime:
        _BUILT.parent.mkdir(parents=True, exist_ok=True)
        spare = _BUILT.with_suffix(f".{os.getpid()}")
        words = [
            str(compiler()),
            "-O1",
            "-shared",
            "-fPIC",
            "-fno-builtin",
            str(_SOURCE),
            "-o",
            str(spare),
            "-ldl",
        ]
        subprocess.run(words, check=True)
        spare.replace(_BUILT)
    return _BUILT


def with_library() -> None:
    """Start this program again with the library in it, unless it is there already."""
    if str(library()) not in os.environ.get("LD_PRELOAD", ""):
        preloaded = " ".join([str(library()), os.environ.get("LD_PRELOAD", "")]).strip()
        fresh = {"LD_PRELOAD": preloaded, "OPENBLAS_NUM_THREADS": "1", "PYTHONFAULTHANDLER": "1"}
        os.execve(sys.executable, [sys.executable, *_words()], {**os.environ, **fresh})


def _words() -> list[str]:
    return ["-m", "tests.torture", *sys.argv[1:]]


class Fault:
    """While it lasts, the n-th call of a kind fails."""

    def __init__(self, kind: str, n: int, error: int = errno.ENOSPC, for_ever: bool = False) -> None:
        self.words = KINDS[kind], ctypes.c_long(n), -error if for_ever else error
        self.hook = ctypes.CDLL(None)
        self.calls = 0

    def __enter__(self) -> Fault:
        self.hook.torture_arm(*self.words)
        return self

    def __exit__(self, *_: object) -> None:
        self.calls = self.hook.torture_disarm()

    @property
    def happened(self) -> bool:
        """Whether there was an n-th call."""
        return self.calls >= int(self.words[1].value)


def odd_clock(seconds: int) -> None:
    """Let the clock of the wall be off, and by more at each look; 0: let it be right."""
    ctypes.CDLL(None).torture_clock(ctypes.c_long(seconds))
