"""What is fuzzed: a row for each target, whose `case(number)` raises where it finds a fault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.fuzz import files, growth, names, tables, twin

CORPUS = Path(__file__).parent / "corpus"


class Target(NamedTuple):
    """One target: its cases, and how many of them the normal run tries."""

    case: Callable[[int], None]
    n_short: int


TARGETS = {
    "files": Target(files.case, 250),  # model files of all kinds, damaged with knowledge of what they are
    "tables": Target(tables.case, 40),  # CSV, JSON and Parquet
    "twin": Target(twin.case, 40),  # settings x tables: the two engines
    "growth": Target(growth.case, 25),  # the verbs of growth, in any order of nodes, and misused
    "names": Target(names.case, 12),  # hostile names in every format of export
}


def past_finds(name: str) -> list[int]:
    """Return the cases that found something once."""
    path = CORPUS / f"{name}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [int(line.split()[0]) for line in lines if line and not line.startswith("#")]
