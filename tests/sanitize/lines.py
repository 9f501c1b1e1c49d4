"""Which lines of C++ ran, from what gcov says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.sanitize.kinds import ROOT

_LEAST = 95.0  # per cent of all lines


def forget(place: Path) -> None:
    """Forget what ran before."""
    for counted in (place / "cmake").rglob("*.gcda"):
        counted.unlink()


def counted(place: Path) -> dict[str, dict[int, int]]:
    """Return how often each line of our files ran; a line of a template counts in any of its forms."""
    gcov = os.environ.get("GCOV") or shutil.which("gcov")
    if gcov is None:
        sys.exit("sanitize: there is no gcov on this machine; it comes with GCC (package gcc)")

    def read(notes: Path) -> list[tuple[str, int, int]]:
        command = [gcov, "--json-format", "--stdout", notes.name]
        said = subprocess.run(command, cwd=notes.parent, capture_output=True, check=True).stdout
        found = []
        for file in json.loads(said)["files"]:
            path = (notes.parent / file["file"]).resolve()
            if path.is_relative_to(ROOT / "cpp") or path.is_relative_to(ROOT / "bindings"):
                name = str(path.relative_to(ROOT))
                found += [(name, line["line_number"], line["count"]) for line in file["lines"]]
        return found

    ran: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for part in pool.map(read, sorted((place / "cmake").rglob("*.gcno"))):
            for name, line, count in part:
                ran[name][line] += count
    return ran


def report(place: Path) -> bool:
    """Print the share of each file and the lines that did not run; say whether it is enough in all."""
    ran = counted(place)
    rows = []
    for name, lines in sorted(ran.items()):
        missed = sorted(line for line, count in lines.items() if count == 0)
        rows.append((name, len(lines), missed))
    for name, n, missed in rows:
        share = 100 * (1 - len(missed) / n)
        print(f"{share:6.1f} %  {n - len(missed):5d} of {n:5d}  {name}  {_stretches(missed)}")
    n_all, n_missed = sum(n for _, n, _ in rows), sum(len(missed) for _, _, missed in rows)
    share = 100 * (1 - n_missed / max(n_all, 1))
    print(f"{share:6.2f} % of {n_all} lines in {len(rows)} files; at least {_LEAST} are asked", flush=True)
    return share >= _LEAST


def _stretches(missed: list[int]) -> str:
    """Return lines in a row as one stretch: 3-5 9."""
    found: list[list[int]] = []
    for line in missed:
        if found and line == found[-1][1] + 1:
            found[-1][1] = line
        else:
            found.append([line, line])
    return " ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in found)
