"""Models that a command is given: a file made by treewright, or a clear word about what it is instead."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

from .failure import Failure, near

if TYPE_CHECKING:
    import treewright as tw

_ENDS = (".csv", ".tsv", ".parquet", ".jsonl", ".json", ".gz", ".arrow", ".duckdb")


def load_model(path: str) -> Any:
    """Return the Tree, Forest or RuleSet that a file holds."""
    import treewright as tw

    if not os.path.exists(path):
        raise Failure(
            f"There is no file {path!r}{near(path, _models_beside(path))}"
            f"A model is made by: treewright fit DATA --target COL -o {shlex.quote(path)}"
        )
    try:
        return tw.load(path)
    except ValueError as reason:
        hint = " A model is made by: treewright fit DATA --target COL -o FILE"
        if path.endswith(_ENDS):
            hint = " It looks like data; the model comes first: treewright COMMAND MODEL DATA."
        raise Failure(f"{str(reason).rstrip('.')}.{hint}") from None


def _models_beside(path: str) -> list[str]:
    """Return the paths of the files in the same folder that do not look like data."""
    folder = os.path.dirname(path)
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names if not name.endswith(_ENDS)]


def load_tree(path: str) -> tw.Tree:
    """Return the tree that a file holds; a forest or rules are refused with a way to a tree."""
    import treewright as tw

    model = load_model(path)
    if not isinstance(model, tw.Tree):
        what = "a forest" if type(model).__name__ == "Forest" else "a set of rules"
        raise Failure(
            f"{path!r} holds {what}; this command is about a single tree. Grow one: treewright fit DATA"
        )
    return model
