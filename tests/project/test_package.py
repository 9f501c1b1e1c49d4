"""The package as a whole: one version, a fast import, and the core reached from few places."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import treewright
import treewright as tw

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


HEAVY = {"matplotlib", "sklearn", "scipy", "pandas", "polars", "pyarrow", "duckdb", "rich"}


@pytest.mark.parametrize(
    "code",
    [
        "import treewright",
        "import treewright.cli.main",
        "import treewright as tw; print(tw.lectures.tennis())",
        "import treewright as tw; tw.grow(tw.example('tennis'), target='PlayTennis', recipe='id3').to_dict()",
    ],
)
def test_heavy_packages_are_loaded_only_when_used(code):
    assert HEAVY & modules_after(code) == set()


def imports():
    """Every import of the package: room, and the dotted name that is imported."""
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((room, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield from ((room, f"{node.module}.{alias.name}") for alias in node.names)


def test_only_rooms_that_need_it_reach_into_the_core():
    assert {room for room, name in imports() if name.startswith("treewright._core")} <= {
        "base",
        "forest",
        "growth",
        "lookahead",
        "measure",
        "predict",
        "prune",
        "route",
    }


def test_no_room_but_the_command_line_uses_the_list_of_public_names():
    rooms = {path.name for path in SOURCE.iterdir()} | {"_core", "_program", "discretise", "fitting", "verbs"}
    public = re.compile(r"treewright(\.(?!_core$)\w+)?")
    found = {(room, name) for room, name in imports() if public.fullmatch(name)}
    assert {(room, name) for room, name in found if name.removeprefix("treewright.") not in rooms} <= {
        ("cli", "treewright")
    }


def test_the_map_shows_every_room_and_is_short():
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = [path.parent.name for path in SOURCE.glob("*/__init__.py")]
    assert [name for name in rooms if f"| `{name}` |" not in page] == []
    assert len(page.encode()) <= 12 * 1024


def test_the_map_names_files_that_exist():
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:\w+/)+\w+\.(?:py|hpp|cpp|md|csv|js))\b", page)
    places = (ROOT, SOURCE, ROOT / "src", ROOT / "cpp/include/treewright")
    assert len(named) > 20
    assert [name for name in named if not any((place / name).exists() for place in places)] == []


def test_the_page_of_the_core_names_every_header():
    page = (ROOT / "cpp/README.md").read_text(encoding="utf-8")
    headers = sorted((ROOT / "cpp/include/treewright").rglob("*.hpp"))
    assert len(headers) > 100
    assert [path.name for path in headers if not is_named(path, page)] == []


def is_named(path: Path, page: str) -> bool:
    """Whether a page names a header: itself, its folder with a star, or all of its kind."""
    name = path.name
    return name in page or f"`{path.parent.name}/`" in page or f"{name.split('_')[0]}*.hpp" in page


def test_dir_shows_public_names_only():
    shown = dir(treewright)
    assert shown == sorted({*treewright.__all__, "__version__"})
    assert all(hasattr(treewright, name) for name in shown)
