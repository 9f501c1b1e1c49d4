"""The tests that were considered at each node, if the tree kept a ledger."""

from __future__ import annotations

from typing import Any

from treewright.growth.ledger import ALL_VERDICTS, candidates_by_node
from treewright.tree import Tree

MOST = 12  # of a node; the others are counted
DIGITS = 6
_PLACES = {name: place for place, (name, _) in enumerate(ALL_VERDICTS)}


def candidates(tree: Tree) -> dict[str, Any] | None:
    """Return by node the tests considered, [column, verdict, score, gain] best first, and how many more.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3", ledger=True)
    >>> candidates(tree)["nodes"]["0"][0][:2]
    [[0, 0, 0.24675, 0.24675], [2, 1, 0.151836, 0.151836]]
    """
    if tree.ledger is None:
        return None
    place = {name: i for i, name in enumerate(tree.schema.names)}
    told = {}
    for node, found in candidates_by_node(tree).items():
        shown = [
            [place[c["column"]], _PLACES[c["verdict"]], _short(c["score"]), _short(c["gain"])]
            for c in found[:MOST]
        ]
        told[str(node)] = [shown, len(found) - len(shown)]
    return {"verdicts": [name.replace("_", " ") for name, _ in ALL_VERDICTS], "nodes": told}


def _short(figure: float | None) -> float | None:
    return None if figure is None else round(figure, DIGITS)
