"""The package as a whole: one version, a fast import, and the core reached from few places."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import treewright as tw
from treewright.grow import RECIPES

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "treewright"
VERSION = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE).group(1)


def test_the_version_stands_in_one_place():
    assert tw.__version__ == VERSION
    assert [
        p.name for p in SOURCE.rglob("*.py") if re.search(rf"['\"]{re.escape(VERSION)}['\"]", p.read_text())
    ] == []


def modules_after(code):
    report = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, check=True, timeout=120
    )
    return set(done.stdout.split())


HEAVY = {"sklearn", "scipy", "pandas", "polars", "pyarrow", "duckdb", "rich"}


@pytest.mark.parametrize(
    "code",
    [
        "import treewright",
        "import treewright.cli.main",
        "import treewright as tw; tw.grow(tw.example('tennis'), target='PlayTennis', recipe='id3').to_dict()",
    ],
)
def test_heavy_packages_are_loaded_only_when_used(code):
    assert HEAVY & modules_after(code) == set()


def test_only_growing_and_predicting_reach_into_the_core():
    rooms = {
        path.relative_to(SOURCE).parts[0]
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (
            isinstance(node, ast.ImportFrom)
            and node.module == "treewright"
            and any(a.name == "_core" for a in node.names)
        )
        or (isinstance(node, ast.ImportFrom) and node.module == "treewright._core")
        or (isinstance(node, ast.Import) and any(a.name == "treewright._core" for a in node.names))
    }
    assert rooms <= {"grow", "predict"}


def test_the_map_shows_every_recipe_and_every_room():
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = [path.parent.name for path in SOURCE.glob("*/__init__.py")]
    assert [name for name in [*RECIPES, *rooms] if f"| `{name}` |" not in page] == []
