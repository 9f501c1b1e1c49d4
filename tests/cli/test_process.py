"""The program from outside: streams, pipes, Ctrl-C, codes, terminals, what is imported."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.running import DATA, finished, process

VOTE = DATA / "vote.csv"


def many_rows(place: Path, n_rows: int) -> Path:
    """Write a table of numbers that takes a while to grow on."""
    import numpy as np

    X = np.random.default_rng(1).random((n_rows, 8)).round(4)
    y = (X.sum(axis=1) + np.random.default_rng(2).normal(size=n_rows) > 4).astype(int)
    head = ",".join([f"x{i}" for i in range(8)] + ["y"])
    np.savetxt(place, np.column_stack([X, y]), "%g", ",", header=head, comments="")
    return place


def test_codes():
    assert finished("fit", VOTE, "--target", "Class", "--cv", 0)[0] == 0
    assert finished("fit", VOTE, "--target", "Klass")[0] == 1
    assert finished("fit", VOTE, "--nonsense")[0] == 2


def test_standard_output_is_clean_json():
    code, out, err = finished("fit", VOTE, "--target", "Class", "--json", "--cv", 2)
    assert code == 0
    assert json.loads(out)["leaves"] > 1
    assert "Target Class" in err
    assert "\x1b" not in out + err  # no terminal: no bar, no colours


def test_an_ascii_terminal_gets_ascii():
    code, out, err = finished("fit", VOTE, "--target", "Class", "--cv", 0, PYTHONIOENCODING="ascii")
    assert code == 0
    assert (out + err).isascii()
    assert "|- " in out


def test_a_closed_pipe_is_no_trouble(vote):
    with process("predict", vote, VOTE, "--rule") as program:
        program.stdout.readline()
        program.stdout.close()
        said = program.stderr.read().decode()
        program.wait(timeout=60)
    assert said == ""
    assert program.returncode in (0, 141)


def test_a_pipe_that_is_closed_before_anything_is_written(vote):
    with process("predict", vote, *[VOTE]) as program:
        program.stdout.close()
        said = program.stderr.read().decode()
        program.wait(timeout=60)
    assert said == ""
    assert program.returncode in (0, 141)


def test_ctrl_c_leaves_nothing_behind(tmp_path):
    data = many_rows(tmp_path / "many.csv", 30_000)
    place = tmp_path / "m.treewright"
    words = ("--target", "y", "--recipe", "cart", "--cv", 10, "-o", place)
    with process("fit", data, *words) as program:
        for line in program.stderr:
            if line.startswith(b"Target y"):
                break
        time.sleep(0.3)  # it is growing now
        program.send_signal(signal.SIGINT)
        said = program.stderr.read().decode()
        program.wait(timeout=60)
    assert program.returncode == 130
    assert said == "Interrupted.\n"
    assert os.listdir(tmp_path) == ["many.csv"]


def test_a_terminal_sees_a_bar_with_the_time_that_is_left(tmp_path):
    data = many_rows(tmp_path / "many.csv", 20_000)
    mine, its = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "treewright", "fit", str(data), "--target", "y", "--cv", "3", "--json"],
        stdout=subprocess.PIPE,
        stderr=its,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(its)
    seen = b""
    while program.poll() is None or select.select([mine], [], [], 0)[0]:
        if select.select([mine], [], [], 0.2)[0]:
            try:
                seen += os.read(mine, 65536)
            except OSError:  # the other end is closed
                break
    out = program.communicate(timeout=60)[0]
    os.close(mine)
    assert program.returncode == 0
    assert json.loads(out)["leaves"] > 1
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode())
    assert "Reading many.csv" in shown
    assert "Cross-validating, 3 folds" in shown
    assert re.search(r"\d+%", shown)


HEAVY = ("sklearn", "pandas", "matplotlib", "polars", "scipy.stats")


@pytest.mark.parametrize(
    ("words", "never"),
    [
        (["--help"], (*HEAVY, "rich", "duckdb", "scipy")),
        (["fit", "--help"], (*HEAVY, "rich", "duckdb", "scipy")),
        (["fit", str(VOTE), "--target", "Class", "--cv", "2"], HEAVY),
        (["fit", str(VOTE), "--target", "Class", "--forest", "2"], HEAVY),
        (["compare", str(VOTE), "--target", "Class", "--cv", "2", "--recipe", "c4.5"], HEAVY),
    ],
)
def test_what_is_imported(words, never):
    code = (
        "import sys\nfrom treewright.cli.main import main\n"
        f"try:\n    main({words!r})\nexcept SystemExit:\n    pass\n"
        "print('modules', *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    loaded = set(done.stderr.splitlines()[-1].split())
    assert loaded & set(never) == set()
