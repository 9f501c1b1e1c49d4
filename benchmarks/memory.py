"""`python -m benchmarks.memory LIBRARY DEPTH FOLDER`: fit X.npy and y.npy in a process of its own.

It prints its resident memory before the fit and at the peak, as the kernel counts it since the process began.
(The peak of `getrusage` would not do: a process inherits it from the one that starts it.)
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.report import ROOT

STATUS = Path("/proc/self/status")


class Memory(NamedTuple):
    """Bytes: resident before the fit, resident at the peak, and of the array X."""

    before: int
    peak: int
    input: int

    @property
    def beyond(self) -> float:
        """What the fit took beyond its input, in multiples of it."""
        return (self.peak - self.before) / self.input


def is_measurable() -> bool:
    return STATUS.exists()


def memory_of_fit(library: str, depth: int | None, X: np.ndarray, y: np.ndarray) -> Memory:
    """Return what a fit takes, in a fresh process that holds nothing but the input."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "X.npy", X)
        np.save(Path(folder) / "y.npy", y)
        command = [sys.executable, "-m", "benchmarks.memory", library, str(depth), folder]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    before, peak = map(int, done.stdout.split()[-2:])
    return Memory(before, peak, X.nbytes)


def resident(name: str) -> int:
    """Return a figure of this process in bytes: VmRSS now, VmHWM at its highest."""
    lines = STATUS.read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


def _fit_here(library: str, depth: str, folder: str) -> None:
    from benchmarks import peers

    X, y = np.load(Path(folder) / "X.npy"), np.load(Path(folder) / "y.npy")
    ways = peers.LIBRARIES[library].ways
    ways(peers.Task(X[:100], y[:100], "gini", 2))()  # everything that is loaded on first use is loaded now
    grow = ways(peers.Task(X, y, "gini", None if depth == "None" else int(depth)))
    before = resident("VmRSS")
    kept = grow()
    print(before, resident("VmHWM"))
    del kept


if __name__ == "__main__":
    _fit_here(*sys.argv[1:])
