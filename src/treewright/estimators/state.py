"""Trees and forests as plain arrays, texts and numbers: what pickle, joblib and skops store."""

from __future__ import annotations

from typing import Any

from treewright.forest import Forest
from treewright.table import Column, Schema
from treewright.tree import Tree
from treewright.tree.fields import FIELDS


def to_state(tree: Tree) -> dict[str, Any]:
    """Return the tree without any class of this package.

    >>> from treewright.tree.example import tennis
    >>> state = to_state(tennis())
    >>> state["target"]["kind"], state["arrays"]["end"].tolist()
    ('nominal', [8, 4, 3, 4, 5, 8, 7, 8])
    """
    return {
        "schema": tree.schema.to_dict(),
        "target": tree.target.to_dict(),
        "about": dict(tree.about),
        "ledger": None if tree.ledger is None else [dict(record) for record in tree.ledger],
        "arrays": {name: getattr(tree, name) for name in FIELDS},
    }


def from_state(state: dict[str, Any]) -> Tree:
    """Return the tree that `to_state` took apart; the constructor checks that it is one.

    >>> from treewright.tree.example import tennis
    >>> from_state(to_state(tennis())) == tennis()
    True
    """
    return Tree(
        schema=Schema.from_dict(state["schema"]),
        target=Column.from_dict(state["target"]),
        about=state["about"],
        ledger=None if state["ledger"] is None else tuple(state["ledger"]),
        **state["arrays"],
    )


def forest_to_state(forest: Forest) -> dict[str, Any]:
    """Return the forest without any class of this package.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=2)
    >>> forest_from_state(forest_to_state(forest)) == forest
    True
    """
    return {
        "schema": forest.schema.to_dict(),
        "target": forest.target.to_dict(),
        "about": dict(forest.about),
        "arrays": dict(forest.arrays),
    }


def forest_from_state(state: dict[str, Any]) -> Forest:
    """Return the forest that `forest_to_state` took apart; the constructor checks that it is one."""
    return Forest(
        schema=Schema.from_dict(state["schema"]),
        target=Column.from_dict(state["target"]),
        about=state["about"],
        arrays=state["arrays"],
    )
