"""The one place where models meet the rooms above them: verbs that need these rooms are bound here.

`import treewright` loads this file, and no model yet: whichever class of models is loaded later, also by
pickle, is given its verbs from here. So nothing is imported that takes time.
"""

from __future__ import annotations

import os
from importlib import import_module

from treewright.base.verbs import Verb, give

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from treewright.tree import Tree

_CALLED = {
    "explain_row": "explain",
    "explain_votes": "explain",
    "explain_rules": "explain",
    "from_tree": "rules",
}


def verb(room: str, name: str) -> Verb:
    """Return a function of a room above as a verb; unknown options are told what is meant.

    >>> verb("treewright.draw.plot", "plot").function.__name__
    'plot'
    """

    def find() -> Callable[..., Any]:
        from treewright.base.signature import advising

        found: Callable[..., Any] = getattr(import_module(room), name)
        return advising(_CALLED.get(name, name))(found)

    return Verb(find)


plot = verb("treewright.draw.plot", "plot")


def _repr_svg_(tree: Tree) -> str:
    """Return the picture that a notebook shows."""
    picture: str = plot(tree).to_svg()
    return picture


def load(path: str | os.PathLike[str]) -> Any:
    """Return the model saved in a file, of whichever kind; a damaged or foreign file is a ValueError.

    >>> import os, tempfile
    >>> from treewright.tree.example import tennis
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "tennis.treewright")
    ...     tennis().save(path)
    ...     load(path) == tennis()
    True
    """
    begin = b""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            begin = file.read(100)
    place = next((place for sign, place in _LOADERS.items() if sign in begin), "treewright.tree")
    return import_module(place).load(path)  # on first use


# What the first bytes of a file hold -> the room whose `load` reads it; trees are told by all else.
_LOADERS = {
    b"PK\x03\x04": "treewright.forest",
    b'"treewright rules"': "treewright.rules.ruleset",
    b'"treewright linear model"': "treewright.estimators.linear_file",
}

VERBS: dict[str, Any] = {
    "predict": verb("treewright.predict.vote", "predict"),
    "predict_proba": verb("treewright.predict.vote", "predict_proba"),
    "leaves": verb("treewright.predict.vote", "leaves"),
    "candidates": verb("treewright.growth.ledger", "candidates"),
    "why_not": verb("treewright.growth.ledger", "why_not"),
    "prune": verb("treewright.prune.method", "prune"),
    "plot": plot,
    "rules": verb("treewright.rules.from_tree", "from_tree"),
    "explain": verb("treewright.explain.explanation", "explain_row"),
    "report": verb("treewright.report.write", "report"),
    "export": verb("treewright.export.export", "export"),
}
RULE_VERBS: dict[str, Any] = {
    "export": VERBS["export"],
    "to_text": verb("treewright.export.export", "to_text"),
    "explain": verb("treewright.explain.fired", "explain_rules"),
    "report": VERBS["report"],
}
GOOD_TREES_VERBS: dict[str, Any] = {"plot": verb("treewright.draw.good_trees", "plot")}
FOREST_VERBS: dict[str, Any] = {
    "explain": verb("treewright.explain.votes", "explain_votes"),
    "export": VERBS["export"],
    "report": VERBS["report"],
}

give("tree", {**VERBS, "_repr_svg_": _repr_svg_})
give("rules", RULE_VERBS)
give("forest", FOREST_VERBS)
give("good trees", GOOD_TREES_VERBS)
