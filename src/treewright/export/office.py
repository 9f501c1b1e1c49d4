"""Workbooks worked out by LibreOffice: cells are filled row by row, and answers read."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from treewright.export.cells import Cells, is_number
from treewright.export.format import MissingToolError
from treewright.export.sheet_words import EPOCH, is_day

_PYTHON = "/usr/bin/python3"  # the one that LibreOffice's own bridge is installed for


class Question(NamedTuple):
    """A workbook, where its inputs and outputs stand on the first sheet (row, column), and rows to put in."""

    file: bytes
    inputs: list[tuple[int, int]]
    outputs: list[tuple[int, int]]
    cells: Cells


def answers_of_office(asked: Sequence[Question]) -> list[list[list[Any]]]:
    """Return what stands in the outputs for each row: a number, a text, None where there is an error."""
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if office is None:
        raise MissingToolError("soffice", "LibreOffice", "libreoffice-calc-nogui")
    if subprocess.run([_PYTHON, "-c", "import uno"], capture_output=True, check=False).returncode:
        raise MissingToolError("import uno", "LibreOffice's bridge to Python", "python3-uno")
    with tempfile.TemporaryDirectory() as folder:
        given = []
        for i, question in enumerate(asked):
            path = Path(folder) / f"{i}.xlsx"
            path.write_bytes(question.file)
            given.append(
                {
                    "file": path.as_uri(),
                    "inputs": question.inputs,
                    "outputs": question.outputs,
                    "rows": [_row(question.cells, n) for n in range(question.cells.n_rows)],
                }
            )
        (Path(folder) / "given.json").write_text(json.dumps(given))
        script = Path(__file__).with_name("office_script.py")
        command = [_PYTHON, str(script), office, folder]
        done = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
        if done.returncode:
            raise RuntimeError(f"LibreOffice did not answer: {done.stderr[-500:]}")
        found: list[list[list[Any]]] = json.loads((Path(folder) / "found.json").read_text())
        return found


def _row(cells: Cells, n: int) -> list[Any]:
    found: list[Any] = []
    for column, cell in zip(cells.columns, cells.row(n), strict=True):
        shifts = cell is not None and is_number(column) and is_day(column)
        found.append(cell + EPOCH if shifts else cell)
    return found
