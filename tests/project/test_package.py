"""The package as a whole: one version, a fast import, and the core reached from few places."""

import ast
import importlib
import pickle
import re
import subprocess
import sys
from functools import cache
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
    return set(printed(f"import sys\n{code}\nprint(*sys.modules)").splitlines()[-1].split())


def printed(code):
    run = [sys.executable, "-c", code]
    return subprocess.run(run, capture_output=True, text=True, check=True, timeout=120).stdout


HEAVY = {"matplotlib", "sklearn", "scipy", "pandas", "polars", "pyarrow", "duckdb", "rich", "narwhals"}


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


HELP = """
import runpy, sys
sys.argv = ["treewright", {word!r}]
try:
    runpy.run_module("treewright", run_name="__main__")
except SystemExit as end:
    assert not end.code
"""


@pytest.mark.parametrize(
    "code",
    [
        "import treewright",
        "import treewright as tw; dir(tw)",
        *(HELP.format(word=w) for w in ("--help", "--version")),
    ],
)
def test_the_package_and_its_help_load_next_to_nothing(code):
    loaded = modules_after(code)
    assert {"numpy", "typing_extensions", "treewright._core", *HEAVY} & loaded == set()
    rooms = {name.split(".")[1] for name in loaded if name.startswith("treewright.")}
    assert rooms <= {"_program", "base", "cli", "verbs", "__main__"}
    if code == "import treewright":
        assert {"inspect", "dataclasses"} & loaded - modules_after("") == set()


def test_growing_and_fitting_load_no_linear_models_and_no_scipy():
    for verb in ("grow", "fit"):
        loaded = modules_after(f"import treewright as tw; tw.{verb}(tw.example('tennis'), 'PlayTennis')")
        assert {"treewright.linear", "treewright.growth.projected", *HEAVY} & loaded == set()


def test_a_pickled_tree_has_its_verbs_in_a_process_that_has_loaded_nothing_else(tmp_path):
    tree = tw.grow(tw.example("tennis"), "PlayTennis", recipe="id3")
    place = tmp_path / "tree.pickle"
    place.write_bytes(pickle.dumps(tree))
    row = {"Outlook": ["Sunny"], "Temperature": ["Hot"], "Humidity": ["High"], "Wind": ["Weak"]}
    code = f"tree = pickle.load(open({str(place)!r}, 'rb')); print(tree.predict({row!r})[0], tree.n_leaves)"
    assert printed(f"import pickle; {code}").split() == ["No", "6"]
    assert (
        printed("from treewright.tree import Tree; print('predict' in dir(Tree), callable(Tree.plot))")
        == "True True\n"
    )


def test_a_star_brings_every_public_name():
    names = printed("from treewright import *; print(*(name for name in dir() if not name.startswith('_')))")
    assert names.split() == sorted(tw.__all__)


def test_the_places_of_names_are_those_that_type_checkers_read():
    block = next(
        node for node in ast.parse((SOURCE / "__init__.py").read_text()).body if isinstance(node, ast.If)
    )
    read = {
        alias.name: f"{node.module}.{alias.name}"
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module.startswith("treewright")
        for alias in node.names
    }
    assert sorted(read) == sorted(tw.__all__)
    for name, place in read.items():
        room, _, last = place.rpartition(".")
        assert getattr(tw, name) is getattr(importlib.import_module(room), last), name


@cache
def imports():
    """Return every import of the package: room, and the dotted name that is imported."""
    return tuple(read_imports())


def read_imports():
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
        "shards",
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
