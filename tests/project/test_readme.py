"""The README: its figures are those of the benchmarks; tests/cli/test_page.py types its lines."""

import re
from pathlib import Path

import pytest

from treewright.cli.growing import NONE, PRUNINGS
from treewright.growth.recipes import RECIPES
from treewright.growth.setting import CHOICES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
FIGURES = re.findall(
    r"^\| (.*?) \| ([\d.x /]+) \|$", README.partition("## Speed")[2].partition("##")[0], re.MULTILINE
)


@pytest.mark.parametrize(("job", "figure"), FIGURES)
def test_figures_of_speed_are_those_of_the_benchmarks(job, figure):
    benchmarks = (ROOT / "benchmarks" / "README.md").read_text("utf-8")
    assert figure.strip() in benchmarks


def test_there_are_figures():
    assert len(FIGURES) == 5


def row(name):
    """The cells of a row of the table beside others."""
    return re.search(rf"^\| {name} \|(.*)\|$", README, re.MULTILINE).group(1).split("|")


def test_the_table_beside_others_is_whole():
    table = README.partition("## Beside others")[2].partition("\n\n## ")[0]
    widths = {line.count("|") for line in table.splitlines() if line.startswith("|")}
    assert widths == {8}


def test_counts_are_those_of_the_program():
    words = {8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}
    ways = words[len([name for name in PRUNINGS if name != NONE])]
    assert row("ways to prune")[0].strip() == ways
    assert f"{ways} ways to [prune]" in README
    assert row("missing values")[0].strip() == f"{words[len(CHOICES['missing'])]} policies"
    assert [name for name in RECIPES if f"`{name}`" not in README] == []


def test_the_first_screen_has_a_sentence_the_report_and_lines_to_type():
    before = README.partition("\n## A first tree")[0].split("\n\n")
    assert len(before) == 3
    assert "docs/pictures/report.png" in before[2]
    assert README.index("$ treewright fit") < README.index("## In Python") < README.index("## Install")
