"""Try inputs for minutes: ./dev fuzz [target ...] --minutes 5 --seed 1 [--at-once 2]

Each case is made from its number alone. At the first find its number is printed, with the command that
repeats it: write it with a word about it into tests/fuzz/corpus/<target>.txt when it is mended, and it stays
a test.
"""

from __future__ import annotations

import argparse
import faulthandler
import subprocess
import sys
import time
import traceback
import warnings
from concurrent.futures import ThreadPoolExecutor

from tests.fuzz.targets import TARGETS

_LONGEST = 120  # seconds that one case may take: what hangs is shown where it hangs


def run(name: str, minutes: float, seed: int, n_cases: int | None = None) -> bool:
    """Try cases until the time is up; say whether one of them found something."""
    begin, number = time.monotonic(), 1_000_000 * seed
    first = number
    while time.monotonic() - begin < 60 * minutes and (n_cases is None or number - first < n_cases):
        if (number - first) % 200 == 0:
            print(f"{name}: case {number} ...", file=sys.stderr, flush=True)  # where to look after a crash
        if found(name, number):
            return True
        number += 1
    print(f"{name}: {number - first} cases in {time.monotonic() - begin:.0f} s, no find", flush=True)
    return False


def found(name: str, number: int) -> bool:
    """Try one case; print what it found."""
    faulthandler.dump_traceback_later(_LONGEST, exit=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            TARGETS[name].case(number)
    except Exception:
        traceback.print_exc()
        print(f"{name}: case {number} found something; again: ./dev fuzz {name} --case {number}", flush=True)
        return True
    finally:
        faulthandler.cancel_dump_traceback_later()
    return False


def beside(names: list[str], minutes: float, seed: int, n_at_once: int) -> list[bool]:
    """Try the targets, some at once, each in a process of its own; say of each whether it found something."""

    def tried(name: str) -> bool:
        words = [sys.executable, "-m", "tests.fuzz", name, "--minutes", str(minutes), "--seed", str(seed)]
        return subprocess.run(words, check=False).returncode != 0

    with ThreadPoolExecutor(n_at_once) as pool:
        return list(pool.map(tried, names))


def main() -> int:
    """Read the words and run; a find in one target does not keep the others from their time."""
    faulthandler.enable()
    words = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__)
    words.add_argument("target", nargs="*", help=f"of {', '.join(TARGETS)}; all, if none is named")
    words.add_argument("--minutes", type=float, default=1.0, help="for each target")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--case", type=int, help="this one only")
    words.add_argument("--at-once", type=int, default=1, help="so many targets beside each other")
    given = words.parse_args()
    unknown = [name for name in given.target if name not in TARGETS]
    if unknown:
        words.error(f"there is no target {unknown[0]!r}; the targets are {', '.join(TARGETS)}")
    chosen = given.target or list(TARGETS)
    if given.case is not None:
        finds = [found(name, given.case) for name in chosen]
    elif given.at_once > 1:
        finds = beside(chosen, given.minutes, given.seed, given.at_once)
    else:
        finds = [run(name, given.minutes, given.seed) for name in chosen]
    return int(any(finds))


if __name__ == "__main__":
    sys.exit(main())
