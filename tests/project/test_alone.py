"""The examples of any single file run alone: `./dev test src/treewright/<room>/<file>.py`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import treewright as tw

SOURCE = Path(tw.__file__).parent
ROOT = SOURCE.parents[1]
EVERY = [path for path in sorted(SOURCE.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]

# Each file in a process of its own, forked from one that knows pytest and nothing of treewright.
SCRIPT = """\
import os, sys
import pytest
assert "treewright" not in sys.modules
for path in sys.argv[1:]:
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os._exit(pytest.main(["-q", "-p", "no:cacheprovider", path]))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        print(path, code)
"""


def alone(files: list[Path]) -> list[str]:
    """Return the files whose examples fail when they run alone."""
    words = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *(str(path.relative_to(ROOT)) for path in files)],
        cwd=ROOT, env=words, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()


def test_files_whose_classes_others_know_run_alone() -> None:
    assert alone([SOURCE / "rules/ruleset.py"]) == []


@pytest.mark.slow
@pytest.mark.parametrize("room", sorted({path.relative_to(SOURCE).parts[0] for path in EVERY}))
def test_files_of_every_room_run_alone(room: str) -> None:
    of_room = [path for path in EVERY if path.relative_to(SOURCE).parts[0] == room]
    most_classes = sorted(of_room, key=lambda path: path.read_text(encoding="utf-8").count("\nclass "))
    assert alone(most_classes[-3:]) == []


def test_a_failure_is_noticed() -> None:
    wrong = ROOT / "build" / "wrong_example.py"
    wrong.parent.mkdir(exist_ok=True)
    wrong.write_text('"""\n>>> 1 + 1\n3\n"""\n')
    try:
        assert alone([wrong]) == ["build/wrong_example.py 1"]
    finally:
        wrong.unlink()
