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

from tests.cli.running import DATA, finished, good, process
from treewright.cli.main import COMMANDS

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
    """What goes well is 0: see the tests below."""
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


def test_answers_that_standard_output_cannot_hold_are_refused(tmp_path):
    """An escape in a CSV file would be another class."""
    lines = ["x,y", *(f"{i},{'größer' if i > 20 else 'b'}" for i in range(40))]
    (tmp_path / "data.csv").write_text("\n".join(lines), "utf-8")
    place = tmp_path / "m.treewright"
    good("fit", tmp_path / "data.csv", "--target", "y", "--cv", 0, "-o", place)
    code, out, err = finished("predict", place, tmp_path / "data.csv", PYTHONIOENCODING="ascii")
    assert (code, out) == (1, "")
    assert "ascii only" in err
    assert "-o answers.csv" in err
    lines = finished("predict", place, tmp_path / "data.csv", "--json", PYTHONIOENCODING="ascii")
    assert lines[0] == 0


@pytest.mark.parametrize("word", ["lecture", "demo"])
def test_a_closed_pipe_is_no_bad_input(word):
    with process(word) as program:
        program.stdout.close()
        said = program.stderr.read().decode()
        program.wait(timeout=60)
    assert (program.returncode, said) == (141, "")


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
    try:
        mine, its = pty.openpty()
    except OSError as error:
        pytest.skip(f"the machine gives no pseudo-terminal: {error}")
    data = many_rows(tmp_path / "many.csv", 20_000)
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
    assert "Choosing a tree" in shown
    assert re.search(r"\d+%", shown)


HEAVY = ("sklearn", "pandas", "matplotlib", "polars", "scipy.stats")
LINES = """\
check VOTE
fit VOTE --target Class --cv 2
fit VOTE --target Class --forest 2
compare VOTE --target Class --cv 2 --recipe c4.5 --prune none
tune VOTE --target Class --fits 4
calibrate MODEL --data VOTE -o FOLDER/calibrated.treewright
predict MODEL VOTE --rule
evaluate MODEL VOTE
show MODEL --stats
prune MODEL --method mdl
rules MODEL
explain MODEL VOTE --row 3
plot MODEL FOLDER/tree.svg
report MODEL -o FOLDER/r.html
export MODEL --to sql
demo -o FOLDER/demo
example tennis
lecture tennis"""

SPY = """\
import sys
from treewright.cli.main import main
for line in sys.argv[2:]:
    try:
        main(line.split())
    except SystemExit as end:
        assert not end.code, line
    found = set(sys.argv[1].split()) & set(sys.modules)
    assert not found, (line, found)
"""


def spied(never: tuple[str, ...], *lines: str) -> None:
    """Run commands in one new process; after each, none of these modules may be there."""
    done = subprocess.run(
        [sys.executable, "-c", SPY, " ".join(never), *lines], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_help_imports_next_to_nothing():
    spied((*HEAVY, "rich", "duckdb", "scipy"), "--help", "fit --help")


def test_no_command_imports_scikit_learn(vote, tmp_path):
    lines = LINES.replace("VOTE", str(VOTE)).replace("MODEL", str(vote)).replace("FOLDER", str(tmp_path))
    spied(HEAVY, *lines.splitlines())
    assert {line.split()[0] for line in lines.splitlines()} >= set(COMMANDS) - {
        "separable",
        "serve",
    }  # they have tests of their own
