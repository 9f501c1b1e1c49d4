"""Names of a package that are loaded on first use, so that its import stays fast (PEP 562)."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` alone would take longer than all of this
    from collections.abc import Callable, Mapping
    from typing import Any


def names_of(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package: where each name comes from, by name.

    A place is the module that defines the name, or the module itself. A name must not be that of another
    module of the package, which would take its place as soon as it is loaded.

    >>> find = names_of("treewright.tree", {"Tree": "treewright.tree.tree", "walk": "treewright.tree.walk"})
    >>> find("Tree").__name__, find("walk").__name__
    ('Tree', 'treewright.tree.walk')
    >>> find("Teer")
    Traceback (most recent call last):
    AttributeError: module 'treewright.tree' has no attribute 'Teer'; did you mean 'Tree'?
    """

    def find(name: str) -> Any:
        place = places.get(name)
        if place is None:
            raise AttributeError(
                f"module {package!r} has no attribute {name!r}{_way(name, places)}", name=name
            )
        found = import_module(place)
        if place != f"{package}.{name}":
            found = getattr(found, name)
            setattr(sys.modules[package], name, found)  # from now on it is a name like others
        return found

    return find


def _way(name: str, places: Mapping[str, str]) -> str:
    """Return what was meant by a name; nothing of _names, which programs ask for, not people."""
    if name.startswith("_"):
        return ""
    from treewright.base.names import hint

    return hint(name, places)
