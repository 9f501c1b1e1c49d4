"""`treewright lecture`: a walk on the terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from click.testing import CliRunner

import treewright as tw
from treewright.cli.main import main


def test_it_shows_a_walk() -> None:
    result = CliRunner().invoke(main, ["lecture", "tennis"])
    assert result.exit_code == 0, result.output
    assert result.output == tw.lectures.tennis().to_text() + "\n"


def test_it_lists_the_walks() -> None:
    result = CliRunner().invoke(main, ["lecture"])
    assert [line.split()[0] for line in result.output.splitlines()] == tw.lectures.names()


def test_an_unknown_name() -> None:
    result = CliRunner().invoke(main, ["lecture", "tenis"])
    assert result.exit_code == 2
    assert "No lesson is named 'tenis'; did you mean 'tennis'?" in result.output


def test_where_the_terminal_has_no_greek() -> None:
    for encoding in ("ascii", "cp437", "latin-1"):
        done = subprocess.run(
            [sys.executable, "-m", "treewright", "lecture", "regularised"],
            env={**os.environ, "PYTHONIOENCODING": encoding},
            capture_output=True,
            check=True,
            timeout=120,
        )
        assert done.stdout.decode(encoding).split() == tw.lectures.regularised().to_text(ascii=True).split()


def test_it_lists_what_the_slides_state() -> None:
    result = CliRunner().invoke(main, ["lecture", "--list"])
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [one.key for one in tw.lectures.statements()]
    assert CliRunner().invoke(main, ["lecture", "tennis", "--list"]).exit_code == 2
    plain = CliRunner().invoke(main, ["lecture", "--list", "--json"])
    assert len(json.loads(plain.output)) == len(lines) - 1
