"""Hostile names of columns, categories, classes, targets in every format: what is written still answers."""

from __future__ import annotations

import html.parser
import json
import os
import re
import tempfile
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np

import treewright as tw
from treewright.base.verbs import kind_of
from treewright.export.format import MissingPackageError
from treewright.export.formats import FORMATS
from treewright.export.proof import verify

Rng = np.random.Generator

_PARTS = [
    "'", '"', "`", "''", '""', "\\", "\\'", "; DROP TABLE t; --", "' OR 1=1 --", "/*", "*/",
    "--", "]]>", "<!--", "</script>", "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "&amp;", "&#x3c;", "${x}", "{{x}}", "{%", "%s", "%n",
    "$(id)", "`id`", "\n", "\r\n", "\t", "\u2028", "\x1b[2J", "\x07", "\u202e", "\u200b",
    "\ufeff", "é", "日本", "🌳", "\U0001f468\u200d\U0001f469", "\\input{x}", "\\end{document}",
    "#", "_", "^", "~", "|", "[x](y)", "NULL", "nan", "True", "1", "-0", "", " ", ".", "a b",
    "select", "class", "=cmd|' /C calc'!A0", "x" * 300,
]  # fmt: skip
_STEERING = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_RUN = ("sql",)


def case(number: int) -> None:
    """Grow on names that are drawn, write every format, run those that run."""
    rng = np.random.default_rng([number, 4])
    table, target = table_of(rng)
    try:
        tree = tw.grow(table, target, str(rng.choice(["id3", "c4.5", "cart"])), min_leaf=1)
    except ValueError as refused:
        _told(refused)
        return
    forest = tw.forest.grow(table, target, n_trees=2, seed=1)
    for model in (tree, tree.rules(), forest):
        written(model, table)
    shown(tree, table)


def _told(refused: ValueError) -> None:
    """Check that an error says something, and nothing that steers a terminal."""
    assert str(refused)
    assert not _STEERING.search(str(refused)), str(refused)


def name_of(rng: Rng) -> str:
    """Return a name made of one to three parts."""
    return "".join(str(part) for part in rng.choice(_PARTS, int(rng.integers(1, 4))))


def distinct(rng: Rng, n: int) -> list[str]:
    """Return names that differ, also without blanks and in small letters."""
    found: dict[str, str] = {}
    while len(found) < n:
        name = name_of(rng)
        found.setdefault(name.strip().lower(), name)
    return list(found.values())


def table_of(rng: Rng) -> tuple[tw.Table, str]:
    """Return 40 rows of a number and two columns of texts, and the target's name."""
    number, first, second, target = distinct(rng, 4)
    texts, classes = distinct(rng, 4), distinct(rng, 3)
    x, a = rng.integers(0, 9, 40), rng.integers(0, 4, 40)
    y = (x > 4).astype(int) + (a > 1)
    cells = {
        number: x.astype(float).tolist(),
        first: [texts[i] for i in a],
        second: [texts[i] for i in rng.integers(0, 4, 40)],
        target: [classes[i] for i in y],
    }
    kinds = {first: "nominal", second: "nominal", target: "nominal"}
    return tw.Table.from_dict(cells, kinds=kinds), target


def written(model: Any, table: tw.Table) -> None:
    """Write a model in every format that carries it."""
    for name, form in FORMATS.items():
        if kind_of(model) not in form.writers:
            continue
        try:
            text = tw.export.export(model, format=name)
        except MissingPackageError:
            continue  # a package that few have
        except ValueError as refused:
            _told(refused)
            continue
        if name == "json":
            assert json.loads(text)
        elif isinstance(text, str) and name in ("text", "md"):
            assert not _STEERING.search(text), (name, _STEERING.search(text))
        if name in _RUN:
            said = verify(model, name, table, n_rows=60, dialect="duckdb")
            assert said or said.refused, str(said)


def shown(tree: tw.Tree, table: tw.Table) -> None:
    """Look at what is printed, drawn and reported: no name steers a terminal or makes an element."""
    for text in (str(tree), repr(tree), tree.to_text(), str(tree.rules()), str(tree.explain(0, table))):
        assert not _STEERING.search(text)
    svg = tree.plot().to_svg()
    tags = {element.tag for element in ET.fromstring(svg).iter()}
    assert not [tag for tag in tags if re.search("script|img|foreignObject", str(tag), re.IGNORECASE)], tags
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "r.html")
        tree.report(path, table)
        with open(path, encoding="utf-8") as file:
            seen = Elements(file.read())
        assert not seen.handlers, seen.handlers
        assert seen.tags.get("img", 0) == 0
        assert seen.tags["html"] == seen.tags["body"] == 1
        assert seen.tags["script"] == usual_scripts(), seen.tags


def usual_scripts() -> int:
    """Return how many scripts the report of a harmless tree has."""
    if not _USUAL:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.html")
            table = tw.example("tennis")
            tw.grow(table, "PlayTennis").report(path, table)
            with open(path, encoding="utf-8") as file:
                _USUAL.append(Elements(file.read()).tags["script"])
    return _USUAL[0]


_USUAL: list[int] = []


class Elements(html.parser.HTMLParser):
    """The elements of a page, and the attributes that would run something."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: dict[str, int] = {}
        self.handlers: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
