"""The figures of the README are those of the benchmarks; its lines are typed in tests/cli/test_page.py."""

import re
from pathlib import Path

import pytest

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
