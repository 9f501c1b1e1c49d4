"""What the site adds to the pages: the API from the docstrings, and words for links that leave the folder."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.structure.files import File

import treewright as tw

ROOT = Path(__file__).parents[1]
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((\.\./[^)]*)\)")


def _home(thing: Any) -> str | None:
    """Return where a function or class is written, such as treewright.fitting.grow; None for other values."""
    thing = getattr(thing, "__func__", thing)  # a class method
    while hasattr(thing, "__wrapped__"):
        thing = thing.__wrapped__
    is_ours = str(getattr(thing, "__module__", "")).startswith("treewright.")
    is_named = inspect.isroutine(thing) or inspect.isclass(thing)
    return f"{thing.__module__}.{thing.__qualname__}" if is_ours and is_named else None


def _public(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield the public functions and classes of a module, each with its home."""
    for name in sorted(module.__all__, key=str.lower):
        home = _home(getattr(module, name))
        if home is not None:
            yield name, home


def _verbs() -> Iterator[tuple[str, str]]:
    """Yield the verbs that a Tree has from other rooms."""
    for name in sorted(vars(tw.Tree)):
        home = None if name.startswith("_") else _home(vars(tw.Tree)[name])
        if home is not None and not home.startswith("treewright.tree."):
            yield name, home


def _entries(names: Iterator[tuple[str, str]], before: str) -> list[str]:
    return [
        f"::: {home}\n    options:\n      heading: {before}{name}\n      toc_label: {name}"
        for name, home in names
    ]


def _pages() -> dict[str, tuple[str, list[str]]]:
    """Return the pages of the API: title and entries of each, for every public name there is."""
    rooms = {name: getattr(tw, name) for name in tw.__all__ if inspect.ismodule(getattr(tw, name))}
    top = list(_public(tw))
    estimators = [(name, home) for name, home in top if home.startswith("treewright.estimators.")]
    tree = [(name, home) for name, home in top if name == "Tree"]
    others = [entry for entry in top if entry not in estimators and entry not in tree]
    first = (
        "fit",
        "grow",
        "compare",
        "read",
        "example",
        "load",
    )  # the doors, in the order in which one meets them
    others.sort(key=lambda entry: (first.index(entry[0]) if entry[0] in first else len(first), entry[0]))
    return {
        "treewright": ("treewright", _entries(iter(others), "tw.")),
        "tree": ("Tree", _entries(iter(tree), "tw.") + _entries(_verbs(), "Tree.")),
        "estimators": ("scikit-learn estimators", _entries(iter(estimators), "tw.")),
        **{name: (f"tw.{name}", _entries(_public(room), f"tw.{name}.")) for name, room in rooms.items()},
    }


def on_config(config: Any) -> Any:
    """Put the pages of the lectures and of the API into the navigation."""
    lectures = sorted(p.name for p in (ROOT / "docs" / "lectures").glob("*.md") if p.name != "README.md")
    filled = {
        "LECTURES": ["lectures/README.md", *(f"lectures/{name}" for name in lectures)],
        "API": [{title: f"api/{page}.md"} for page, (title, _) in _pages().items()],
    }

    def walked(part: Any) -> Any:
        if isinstance(part, list):
            return [walked(one) for one in part]
        if isinstance(part, dict):
            return {name: walked(one) for name, one in part.items()}
        return filled.get(part, part)

    config.nav = walked(config.nav)
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages of the API."""
    for page, (title, entries) in _pages().items():
        content = f"# {title}\n\n" + "\n\n".join(entries) + "\n"
        files.append(File.generated(config, f"api/{page}.md", content=content))
    return files


def _home_page(index: str) -> str:
    """Return the first page: the README of the project, and below it the index of the documents."""
    readme = (ROOT / "README.md").read_text("utf-8").replace("](docs/README.md)", "](#the-documents)")
    readme = re.sub(r"\]\(docs/", "](", readme)
    outward = re.sub(r"(?<!!)\]\((?=[A-Z][A-Z]+[.)]|benchmarks/|\.github/)", "](../", readme)
    return outward + "\n" + re.sub(r"^# ", "## ", index, flags=re.MULTILINE)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return a page in which links out of the folder are words: on the site they would lead nowhere."""
    folder = (ROOT / "docs" / page.file.src_uri).parent
    if page.file.src_uri == "README.md":
        markdown = _home_page(markdown)

    def shown(found: re.Match[str]) -> str:
        target = (folder / found[2].partition("#")[0]).resolve()
        inside = target.is_relative_to(ROOT / "docs")
        path = str(target.relative_to(ROOT))
        return found[0] if inside else found[1] if found[1].strip("`/") in path else f"{found[1]} (`{path}`)"

    return _LINK.sub(shown, markdown)
