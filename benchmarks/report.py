"""What a benchmark hands over: a table to print, figures to judge, and failures that must not pass unseen."""

import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

BEGIN, END = "<!-- figures begin -->", "<!-- figures end -->"
LIBRARIES = ("numpy", "scikit-learn", "ydf", "xgboost", "lightgbm")
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Table:
    """A titled table of words, and remarks under it."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the table for a terminal: the first column to the left, the last as it comes.

        >>> print(Table("apples", ("kind", "n"), (("red", "12"), ("green", "3"))).text())
        apples
          kind    n
          red    12
          green   3
        """
        widths = [max(map(len, cells)) for cells in zip(self.header, *self.rows, strict=True)]
        lines = [self._line(row, widths) for row in (self.header, *self.rows)]
        return "\n".join([self.title, *lines, *(f"  > {note}" for note in self.notes)])

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        first, *rest = [
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  " + "  ".join([first, *rest]).rstrip()

    def markdown(self) -> str:
        """Return the table for a document.

        >>> print(Table("apples", ("kind", "n"), (("red", "12"),), ("All fresh.",)).markdown())
        **apples**
        <BLANKLINE>
        | kind | n |
        | --- | ---: |
        | red | 12 |
        <BLANKLINE>
        - All fresh.
        """
        rule = ("---", *["---:"] * (len(self.header) - 1))
        lines = [f"| {' | '.join(row)} |" for row in (self.header, rule, *self.rows)]
        notes = ["", *(f"- {note}" for note in self.notes)] if self.notes else []
        return "\n".join([f"**{self.title}**", "", *lines, *notes])


@dataclass(frozen=True)
class Result:
    """What one job came to."""

    table: Table
    figures: Mapping[tuple[str, str], float] = field(default_factory=dict)  # (job, peer) -> figure
    failures: tuple[str, ...] = ()


def show(result: Result) -> Result:
    """Print a result as soon as it is there, and hand it on."""
    print(f"\n{result.table.text()}", flush=True)
    for failure in result.failures:
        print(f"  FAILED: {failure}", flush=True)
    return result


def circumstances(command: str) -> str:
    """Return where and with what figures were taken: command, commit, machine, versions."""
    return (
        f"`{command}`, commit {_commit()}, {_processor()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f} at the start, Python {platform.python_version()}, {_versions()}"
    )


def _commit() -> str:
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _versions() -> str:
    def said(name: str) -> str:
        try:
            return f"{name} {version(name)}"
        except PackageNotFoundError:
            return f"no {name}"

    return ", ".join(map(said, LIBRARIES))


def write_markdown(path: Path, measured: str, tables: Sequence[Table]) -> None:
    """Write the tables to a file; in a file that has the two marks, only what stands between them changes."""
    part = "\n\n".join([BEGIN, f"Measured by {measured}.", *(table.markdown() for table in tables), END])
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    path.write_text(f"{before}{part}{after}" if begin and end else f"{part}\n", encoding="utf-8")
