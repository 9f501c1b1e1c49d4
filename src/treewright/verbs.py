"""The one place where Tree meets the rooms above it: verbs that need more than the tree are bound here."""

from __future__ import annotations

import os
from typing import Any

from treewright.growth.ledger import candidates, why_not
from treewright.predict.vote import leaves, predict, predict_proba
from treewright.prune.method import prune
from treewright.table import Table
from treewright.tree import Tree
from treewright.tree import load as load_tree


def rules(tree: Tree) -> Any:
    """Return the rules of a tree, one per leaf; see `treewright.rules.from_tree`.

    >>> import treewright as tw
    >>> tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3").rules()
    RuleSet(PlayTennis: 6 rules, of a tree)
    """
    from treewright.rules.from_tree import from_tree  # on first use: `import treewright` stays fast

    return from_tree(tree)


def plot(
    tree: Tree, path: str | os.PathLike[str] | None = None, table: Table | None = None, **options: Any
) -> Any:
    """Return the picture of a tree, saved where a path is given; see `treewright.draw.plot` for the options.

    A file is .svg, .pdf, .png (with matplotlib) or .txt. `table`: rows that were not trained on, for a second
    bar in every node. Options: row (one whose path is drawn), distributions (rows for a histogram at every
    test), ax, width, height, max_depth, direction, title.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> tree.plot()   # tree.plot("tree.svg") saves it
    Picture(541 x 395 px, down: 6 of 6 leaves)
    """
    from treewright.draw import plot as draw  # on first use

    return draw(tree, path, table, **options)


def _repr_svg_(tree: Tree) -> str:
    """Return the picture that a notebook shows."""
    found: str = plot(tree).to_svg()
    return found


def explain(tree: Tree, row: Any, table: Any = None, **options: Any) -> Any:
    """Return why the tree answers a row as it does, how sure it is, and the least change to another answer.

    The row is a dict, a Series, a frame of one row, a list, or a row number with its table. Options are
    `wanted`, `fixed`, `costs`, `whole` and `most`; see `treewright.explain.explain_row`.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> found = tw.grow(table, target="PlayTennis", recipe="id3").explain(0, table)
    >>> found.prediction, found.alternatives[0].to_text()
    ('No', 'Outlook from Sunny to Overcast')
    """
    from treewright.explain.explanation import explain_row  # on first use

    return explain_row(tree, row, table, **options)


def report(tree: Tree, path: str | os.PathLike[str], table: Any = None, **options: Any) -> None:
    """Write one HTML page about a tree that opens offline; options as in `treewright.report.report`.

    >>> import os, tempfile
    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "tennis.html")
    ...     tw.grow(table, target="PlayTennis", recipe="id3").report(path, table)
    ...     os.listdir(folder)
    ['tennis.html']
    """
    from treewright.report.write import report as write  # on first use: `import treewright` stays fast

    write(tree, path, table, **options)


def load(path: str | os.PathLike[str]) -> Any:
    """Return the tree, the forest or the rules saved in a file; a damaged or foreign file is a ValueError.

    >>> import os, tempfile
    >>> from treewright.tree.example import tennis
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "tennis.treewright")
    ...     tennis().save(path)
    ...     load(path) == tennis()
    True
    """
    if os.path.isfile(path):
        with open(path, "rb") as file:
            begin = file.read(100)
        if begin.startswith(b"PK\x03\x04"):
            from treewright.forest import load as load_forest  # on first use

            return load_forest(path)
        if b'"treewright rules"' in begin:
            from treewright.rules.ruleset import load as load_rules  # on first use

            return load_rules(path)
    return load_tree(path)


VERBS: dict[str, Any] = {
    "predict": predict,
    "predict_proba": predict_proba,
    "leaves": leaves,
    "candidates": candidates,
    "why_not": why_not,
    "prune": prune,
    "rules": rules,
    "plot": plot,
    "explain": explain,
    "report": report,
}

for _name, _verb in VERBS.items():
    setattr(Tree, _name, _verb)
Tree._repr_svg_ = _repr_svg_
