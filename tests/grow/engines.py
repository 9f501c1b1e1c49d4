"""The same tree from both engines: the quick one where it serves, and the general one for everything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from treewright.growth.settings import Settings
from treewright.tree import Tree
from treewright.tree.fields import GROWN

_TO_CORE = Settings.to_core


def _without_quick_ways(self: Settings) -> Any:
    core = _TO_CORE(self)
    core.search = "every"
    return core


@contextmanager
def general_engine() -> Iterator[None]:
    """Grow with the general engine only, while this lasts."""
    with patch.object(Settings, "to_core", _without_quick_ways):
        yield


def differences(first: Tree, second: Tree) -> list[str]:
    """Return the names of all parts that are not the same, bit for bit."""
    parts = [name for name in GROWN if not _same_bits(getattr(first, name), getattr(second, name))]
    return parts + [
        name for name in ("schema", "target", "about", "ledger") if not _same(first, second, name)
    ]


def first_difference(first: Tree, second: Tree) -> str:
    """Return where two trees part, in words: the first node in which an array differs."""
    found = []
    for name in differences(first, second):
        if name not in GROWN:
            found.append(f"{name} is not the same")
            continue
        one, two = getattr(first, name), getattr(second, name)
        n = min(len(one), len(two))
        place = next((i for i in range(n) if not _same_bits(one[i : i + 1], two[i : i + 1])), n)
        words = f"{name}[{place}]: {one[place : place + 1].tolist()} and {two[place : place + 1].tolist()}"
        found.append(words if len(one) == len(two) else f"{words} ({len(one)} and {len(two)} long)")
    return "; ".join(found)


def _same_bits(first: Any, second: Any) -> bool:
    return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()


def _same(first: Tree, second: Tree, name: str) -> bool:
    one, two = getattr(first, name), getattr(second, name)
    if name == "about":  # how cuts are shown is found by `tw.grow` alone, from all rows; so is who grew it
        aside = ("short_cuts", "growth")
        one, two = ({k: v for k, v in about.items() if k not in aside} for about in (one, two))
    return repr(one) == repr(two)
