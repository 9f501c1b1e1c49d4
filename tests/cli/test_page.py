"""docs/command_line.md: every line that it shows is run, and what it shows is what comes."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.cli.running import DATA
from treewright.cli.growing import PRUNINGS
from treewright.cli.main import COMMANDS, main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "command_line.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
FILES = ("iris.csv", "abalone.csv")
LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def commands(page: str) -> list[tuple[str, str]]:
    """Return the lines that are typed, in the order of the page, each with what is shown after it."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = part.partition("\n")
            found.append((line, shown))
    return found


def typed(line: str, folder: Path) -> str:
    """Run a line as a shell would (`> file`, `; echo $?`), and return what is seen."""
    line, _, code = line.partition("; echo $")
    words, _, place = line.partition(" > ")
    result = CliRunner().invoke(main, shlex.split(words)[1:], prog_name="treewright")
    if place:
        (folder / place).write_text(result.stdout, "utf-8")
    return (result.stderr if place else result.output) + (f"{result.exit_code}\n" if code else "")


def squeezed(text: str) -> str:
    return "".join(f"{line}\n" for line in text.splitlines() if line.strip())


@pytest.mark.parametrize("page", [PAGE, README], ids=["command_line.md", "README.md"])
def test_what_the_page_shows_is_what_comes(tmp_path, monkeypatch, page):
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        (tmp_path / name).write_bytes((DATA / name).read_bytes())
    lines = commands(page)
    assert lines
    for line, shown in lines:
        said = typed(line, tmp_path)
        assert doctest.OutputChecker().check_output(squeezed(shown), squeezed(said), LOOSE), (line, said)


def test_the_page_has_every_command_and_every_way_to_prune():
    assert [word for word in COMMANDS if f"`{word}`" not in PAGE] == []
    assert [word for word in PRUNINGS if f"`{word}`" not in PAGE] == []
