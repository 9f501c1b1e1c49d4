"""The one place where models meet the rooms above them: verbs that need these rooms are bound here.

`import treewright` loads this file, and no model yet: whichever class of models is loaded later, also by
pickle, is given its verbs from here. So nothing is imported that takes time.
"""

from __future__ import annotations

import os
from functools import cached_property
from importlib import import_module
from types import MethodType

from treewright.base.verbs import give

TYPE_CHECKING = False
if TYPE_CHECKING:
    import inspect
    from collections.abc import Callable
    from typing import Any

    from treewright.tree import Tree

_CALLED = {
    "explain_row": "explain",
    "explain_votes": "explain",
    "explain_rules": "explain",
    "from_tree": "rules",
}


class Verb:
    """A method of Tree that lives in a room above: loaded on first use, with that room's signature and text.

    >>> import inspect
    >>> from treewright.tree import Tree
    >>> "max_depth" in inspect.signature(Tree.plot).parameters
    True
    """

    def __init__(self, room: str, name: str) -> None:
        self.room, self.name = room, name

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function itself; `import treewright` stays fast without it."""
        from treewright.base.signature import advising

        found: Callable[..., Any] = getattr(import_module(self.room), self.name)
        return advising(_CALLED.get(self.name, self.name))(found)

    @property
    def __signature__(self) -> inspect.Signature:
        import inspect

        return inspect.signature(self.function)

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        return self.function

    def __getattr__(self, name: str) -> Any:
        if name in ("__name__", "__qualname__", "__module__"):
            return getattr(self.function, name)
        raise AttributeError(name)

    def __get__(self, tree: Tree | None, owner: type[Tree] | None = None) -> Any:
        return self if tree is None else MethodType(self, tree)

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call it."""
        return self.function(*args, **options)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self.function.__doc__


plot = Verb("treewright.draw.plot", "plot")


def _repr_svg_(tree: Tree) -> str:
    """Return the picture that a notebook shows."""
    picture: str = plot(tree).to_svg()
    return picture


def export(
    model: Any,
    path: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002 (the command line's word)
    **options: Any,
) -> Any:
    """Write a tree or rules in another format, or return the text; see `treewright.export.FORMATS`.

    The end of the path decides the format, or `format`; options are those of the format.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
    >>> print(tree.export(format="text", ascii=True))   # tree.export("tennis.txt") writes a file
    Humidity
    |- = High -> No 57 %  (7 rows, 3 errors)
    `- = Normal -> Yes 86 %  (7 rows, 1 error)
    """
    from treewright.export.export import export as write  # on first use

    return write(model, path, format, **options)


def rules_text(rules: Any, format: str = "text", **options: Any) -> str:  # noqa: A002 (the command line's word)
    """Return rules to read: as "text" or "md", or as "json", "sql", ... for other programs.

    Options are those of the format: `full=True` also tells what gaps and new categories do that training
    never met; `ascii` (text). For SQL see `treewright.rules.to_sql`.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
    >>> print(tree.rules().to_text("md"))
    2 rules for PlayTennis, one for each leaf of the tree
    ...
    """
    written: str = export(rules, None, format, **options)
    return written


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
    from treewright.tree import load as load_tree

    return load_tree(path)


VERBS: dict[str, Any] = {
    "predict": Verb("treewright.predict.vote", "predict"),
    "predict_proba": Verb("treewright.predict.vote", "predict_proba"),
    "leaves": Verb("treewright.predict.vote", "leaves"),
    "candidates": Verb("treewright.growth.ledger", "candidates"),
    "why_not": Verb("treewright.growth.ledger", "why_not"),
    "prune": Verb("treewright.prune.method", "prune"),
    "plot": plot,
    "rules": Verb("treewright.rules.from_tree", "from_tree"),
    "explain": Verb("treewright.explain.explanation", "explain_row"),
    "report": Verb("treewright.report.write", "report"),
    "export": export,
}
RULE_VERBS: dict[str, Any] = {
    "export": export,
    "to_text": rules_text,
    "explain": Verb("treewright.explain.fired", "explain_rules"),
    "report": VERBS["report"],
}
FOREST_VERBS: dict[str, Any] = {
    "explain": Verb("treewright.explain.votes", "explain_votes"),
    "report": VERBS["report"],
}

give("tree", {**VERBS, "_repr_svg_": _repr_svg_})
give("rules", RULE_VERBS)
give("forest", FOREST_VERBS)
