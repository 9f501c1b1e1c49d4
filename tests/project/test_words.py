"""Functions are named after what they give or do, not by a participle that could mean anything."""

from __future__ import annotations

import ast
from pathlib import Path

import treewright as tw

SOURCE = Path(tw.__file__).parent
# Rooms that are clean; a room that is mended joins them.
CLEAN = (
    "base",
    "estimators",
    "evaluate",
    "explain",
    "export",
    "forest",
    "growth",
    "linear",
    "predict",
    "prune",
    "route",
    "rules",
    "tree",
)
RIDDLES = {"asked", "found", "given", "gone", "made", "met", "paid", "said", "shown", "taken", "told", "went"}


def riddles(source: str) -> list[str]:
    """Return the names of functions in which a word is a riddle."""
    return [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and not node.name.startswith("is_")  # a truth may be a participle
        and RIDDLES & set(node.name.split("_"))
    ]


def test_no_function_is_named_by_a_riddle() -> None:
    wrong = {
        f"{path.relative_to(SOURCE)}: {name}"
        for room in CLEAN
        for path in (SOURCE / room).rglob("*.py")
        for name in riddles(path.read_text(encoding="utf-8"))
    }
    assert not wrong


def test_a_riddle_is_found_wherever_it_stands_in_the_name() -> None:
    source = "def _told(): ...\ndef n_asked(): ...\nclass A:\n    def said_here(self): ...\ndef wasted(): ..."
    assert riddles(source) == ["_told", "n_asked", "said_here"]


def test_clean_rooms_are_rooms() -> None:
    assert [room for room in CLEAN if not (SOURCE / room / "__init__.py").exists()] == []
