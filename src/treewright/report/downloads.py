"""Files that the reader of a page may want: picture, rules, SQL and model, packed to be small."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable

from treewright.draw import plot
from treewright.prune import UnsuitableError
from treewright.prune.sample import Sample
from treewright.rules.from_tree import from_tree
from treewright.tree import Tree

MOST_NODES = 3000  # of a tree whose rules and SQL are carried along


def downloads(tree: Tree, judges: Sample | None = None) -> list[dict[str, str]]:
    """Return the files by their names, each as gzip in base64; what a tree cannot be written as is left out.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> [file["name"] for file in downloads(tree)]
    ['tree.svg', 'rules.md', 'rules.sql', 'model.treewright']
    """
    found = []
    for name, label, form, write in _FILES:
        try:
            text = write(tree, judges)
        except (
            UnsuitableError,
            ValueError,
        ):  # rules of a tree with sums or models, SQL without a dialect for it
            continue
        if text is not None:
            found.append({"name": name, "label": label, "form": form, "data": packed(text)})
    return found


def packed(text: str) -> str:
    """Return a text as gzip in base64, the same each time.

    >>> gzip.decompress(base64.b64decode(packed("one leaf")))
    b'one leaf'
    """
    return base64.b64encode(gzip.compress(text.encode("utf-8"), 9, mtime=0)).decode("ascii")


def _svg(tree: Tree, judges: Sample | None) -> str | None:
    return plot(tree, table=judges).to_svg()


def _rules(tree: Tree, judges: Sample | None) -> str | None:  # noqa: ARG001
    return from_tree(tree).to_text("md") if tree.n_nodes <= MOST_NODES else None


def _sql(tree: Tree, judges: Sample | None) -> str | None:  # noqa: ARG001
    return from_tree(tree).to_text("sql") if tree.n_nodes <= MOST_NODES else None


def _model(tree: Tree, judges: Sample | None) -> str | None:  # noqa: ARG001
    """Return the tree as it is saved, but without the categories of columns it never asks about.

    They may be names of people, and the model answers the same without them.
    """
    state = tree.to_dict()
    asked = set(tree.used_columns.tolist())
    for place, column in enumerate(state["schema"]["columns"]):
        if place not in asked and "categories" in column:
            column["categories"] = []
    return json.dumps(state, separators=(",", ":"))


_FILES: tuple[tuple[str, str, str, Callable[[Tree, Sample | None], str | None]], ...] = (
    ("tree.svg", "Picture (SVG)", "image/svg+xml", _svg),
    ("rules.md", "Rules (Markdown)", "text/markdown", _rules),
    ("rules.sql", "SQL", "application/sql", _sql),
    ("model.treewright", "Model (JSON)", "application/json", _model),
)
