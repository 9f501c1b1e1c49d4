"""The lines of the README work as they are typed."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from treewright.cli.main import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
LINES = re.findall(r"^\$ (treewright .*)$", README, re.MULTILINE)


def test_the_commands_work_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert len(LINES) >= 5
    for line in LINES:
        words, _, place = line.partition(" > ")
        done = CliRunner().invoke(main, shlex.split(words)[1:])
        assert done.exit_code == 0, (line, done.output)
        if place:
            Path(place).write_text(done.stdout, "utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {
        "titanic.csv",
        "titanic.treewright",
        "titanic.html",
        "titanic.svg",
    }


FIGURES = re.findall(
    r"^\| (.*?) \| ([\d.x /]+) \|$", README.partition("## Speed")[2].partition("##")[0], re.MULTILINE
)


@pytest.mark.parametrize(("job", "figure"), FIGURES)
def test_figures_of_speed_are_those_of_the_benchmarks(job, figure):
    benchmarks = (ROOT / "benchmarks" / "README.md").read_text("utf-8")
    assert figure.strip() in benchmarks


def test_there_are_figures():
    assert len(FIGURES) == 5
