"""Artefacts in programming languages, run: rows go into a process as lines, answers come back as lines."""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from treewright.export.cells import Cells, is_number
from treewright.export.code.program import Field, Program
from treewright.export.format import Answers, Job, MissingToolError
from treewright.table import Kind

SECONDS = 1800  # after which a compiler or an artefact is taken to hang

# A line for each row, with a cell for each field: numbers in decimal, texts as "t" and the bytes in hex.
GAP = "-"


class Prepared(NamedTuple):
    """A job as it is run: the name of its module, its program, its source, the file of its rows."""

    module: str
    program: Program
    source: str
    rows: Path
    options: Any


Build = Callable[[Path, list[Prepared]], list[str]]


def needed(command: str, what: str, package: str) -> str:
    """Return where a command is; it is missing: `MissingToolError`."""
    found = shutil.which(command)
    if found is None:
        raise MissingToolError(command, what, package)
    return found


def answers_by(
    jobs: Sequence[Job],
    program_of: Callable[..., Program],
    build: Build,
    number: Callable[[float], str] = repr,
    has_module: bool = True,
) -> list[Answers]:
    """Return the answers of all jobs, which are compiled and run together.

    `build` writes files into a folder and returns the command that is run there: it prints a line for each
    row of each job, with label, node and numbers; "refused" where there is no answer.
    """
    with tempfile.TemporaryDirectory(prefix="treewright-") as name:
        folder = Path(name)
        prepared = []
        for i, job in enumerate(jobs):
            module = f"m{i}"
            program = program_of(job.model)
            rows = folder / f"{module}.rows"
            rows.write_text("".join(_lines(program.fields, job.cells, number)), encoding="ascii")
            source = str(job.write(**({"module": module} if has_module else {})))
            prepared.append(Prepared(module, program, source, rows, job.options))
        lines = run(build(folder, prepared), folder).splitlines()
    found, first = [], 0
    for job, each in zip(jobs, prepared, strict=True):
        found.append(_answers(each.program, lines[first : first + job.cells.n_rows]))
        first += job.cells.n_rows
    return found


def run(command: list[str], folder: Path) -> str:
    """Return what a command prints; one that fails is an error with its last words."""
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=False)
    if done.returncode:
        words = (done.stderr or done.stdout).decode(errors="replace").strip()
        raise RuntimeError(f"{Path(command[0]).name} ended with {done.returncode}: {words[:2000]}")
    return done.stdout.decode("ascii")


def _lines(fields: Sequence[Field], cells: Cells, number: Callable[[float], str]) -> list[str]:
    columns = [[_cell(field, cell, number) for cell in cells.values[field.place]] for field in fields]
    if not columns:
        return ["\n"] * cells.n_rows
    return [f"{' '.join(row)}\n" for row in zip(*columns, strict=True)]


def _cell(field: Field, cell: Any, number: Callable[[float], str]) -> str:
    if cell is None:
        return GAP
    if field.kind == "number":
        return number(float(cell))
    if field.kind == "truth":
        return str(int(cell == "True"))
    return f"t{str(cell).encode().hex()}"


def _answers(program: Program, lines: Sequence[str]) -> Answers:
    labels: list[Any] = []
    chances = np.full((len(lines), program.numbers), np.nan)
    leaves = np.full(len(lines), -1, dtype=np.int32)
    for i, line in enumerate(lines):
        if line == "refused":
            labels.append(None)
            continue
        label, node, *numbers = line.split()
        chances[i] = [float(x) for x in numbers]
        leaves[i] = int(node)
        labels.append(program.classes[int(label)] if program.classes else float(numbers[0]))
    refused = np.array([label is None for label in labels], dtype=bool)
    has_chances = program.classes and program.has_chances
    return Answers(labels, chances if has_chances else None, leaves if program.node else None, refused)


def representable(cells: Cells, options: Mapping[str, Any]) -> Cells:
    """Return rows as typed languages are given them: a truth is one of two, a number has the type of numbers.

    >>> from treewright.table import Column, Kind
    >>> columns = (Column("windy", Kind.boolean), Column("x", Kind.numeric))
    >>> representable(Cells(columns, (["True", "maybe"], [0.1, 1e300])), {"number": "fixed"}).values
    (['True', None], [0.0999908447265625, None])
    """
    number, fraction = options.get("number", "double"), options.get("fraction", 16)
    found = []
    for column, values in zip(cells.columns, cells.values, strict=True):
        if is_number(column) and number != "double":
            found.append([_narrowed(cell, number, fraction) for cell in values])
        elif column.kind is Kind.boolean:
            found.append([cell if cell in ("True", "False") else None for cell in values])
        else:
            found.append(values)
    return Cells(cells.columns, tuple(found))


def _narrowed(cell: float | None, number: str, fraction: int) -> float | None:
    """Return a number as a float of 32 bits, or as fixed point: there is none beyond its range."""
    if cell is None:
        return None
    if number == "float":
        with np.errstate(over="ignore"):
            return float(np.float32(cell))
    if not abs(cell) < 2.0 ** (31 - fraction) - 1:
        return None
    return math.ldexp(math.floor(math.ldexp(cell, fraction)), -fraction)
