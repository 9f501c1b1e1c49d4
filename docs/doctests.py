"""Examples in docstrings as blocks of code: without this the site would take `>>>` for a quotation."""

from __future__ import annotations

from typing import Any

import griffe


def fenced(text: str) -> str:
    """Return a docstring in which every example, from `>>>` to the next empty line, is a block of code."""
    found: list[str] = []
    is_inside = False
    for line in text.splitlines():
        if not is_inside and line.lstrip().startswith(">>> "):
            found.append("```pycon")
            is_inside = True
        elif is_inside and not line.strip():
            found.append("```")
            is_inside = False
        found.append(line.strip() if is_inside and line.lstrip().startswith((">>> ", "... ")) else line)
    return "\n".join([*found, "```"] if is_inside else found)


class Doctests(griffe.Extension):
    """Mends the docstring of every object when it is loaded."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Put fences around the examples of an object."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
