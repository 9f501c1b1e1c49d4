"""What `./dev sanitize` rests on, without building: its lists, its guard, and how lines are told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sanitize import lines
from tests.sanitize.kinds import KINDS, ROOT


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_chosen_is_there(kind: str) -> None:
    chosen = {*KINDS[kind].chosen, *KINDS[kind].brief}
    assert chosen
    assert [name for name in chosen if not (ROOT / name).exists()] == []


def test_the_core_of_another_build_is_refused(tmp_path: Path) -> None:
    """Tests of the usual core would be green and say nothing."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.sanitize.plugin",
        "tests/project/test_promises.py",
        "-q",
    ]
    for place, code in ((tmp_path, 3), (Path(_core_file()).parent, 0)):
        told = {**os.environ, "TREEWRIGHT_SANITIZED": str(place), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command, cwd=ROOT, env=told, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == code, done.stdout + done.stderr


def _core_file() -> str:
    from treewright import _core

    return _core.__file__


def test_lines_that_did_not_run_are_told_in_stretches() -> None:
    assert lines._stretches([]) == ""
    assert lines._stretches([3, 4, 5, 9, 11, 12]) == "3-5 9 11-12"


def test_every_suppression_says_why() -> None:
    text = (ROOT / "tests" / "sanitize" / "thread.supp").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(text):
        if line and not line.startswith("#"):
            assert text[number - 1].startswith("#"), line
