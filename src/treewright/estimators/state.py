"""Trees and forests as plain arrays, texts and numbers: what pickle, joblib and skops store."""

from __future__ import annotations

from typing import Any

from treewright.base import digest
from treewright.forest import Forest
from treewright.table import Column, Schema
from treewright.tree import Tree
from treewright.tree.archive import body
from treewright.tree.fields import FIELDS
from treewright.tree.plain import encode
from treewright.tree.weights import ClassWeights


def to_state(tree: Tree) -> dict[str, Any]:
    """Return the tree without any class of this package.

    >>> from treewright.tree.example import tennis
    >>> state = to_state(tennis())
    >>> state["target"]["kind"], state["arrays"]["end"].tolist()
    ('nominal', [8, 4, 3, 4, 5, 8, 7, 8])
    """
    return _signed(
        {
            "schema": tree.schema.to_dict(),
            "target": tree.target.to_dict(),
            "about": dict(tree.about),
            "ledger": None if tree.ledger is None else [dict(record) for record in tree.ledger],
            "arrays": {name: getattr(tree, name) for name in FIELDS},
        }
    )


def from_state(state: dict[str, Any]) -> Tree:
    """Return the tree that `to_state` took apart; the constructor checks that it is one.

    >>> from treewright.tree.example import tennis
    >>> from_state(to_state(tennis())) == tennis()
    True
    """
    tree = Tree(
        schema=Schema.from_dict(state["schema"]),
        target=Column.from_dict(state["target"]),
        about=state["about"],
        ledger=None if state["ledger"] is None else tuple(state["ledger"]),
        **state["arrays"],
    )
    _check(state, "a tree")
    return tree


def forest_to_state(forest: Forest) -> dict[str, Any]:
    """Return the forest without any class of this package.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=2)
    >>> forest_from_state(forest_to_state(forest)) == forest
    True
    """
    return _signed(
        {
            "schema": forest.schema.to_dict(),
            "target": forest.target.to_dict(),
            "about": dict(forest.about),
            "arrays": dict(forest.arrays),
        }
    )


def forest_from_state(state: dict[str, Any]) -> Forest:
    """Return the forest that `forest_to_state` took apart; the constructor checks that it is one."""
    forest = Forest(
        schema=Schema.from_dict(state["schema"]),
        target=Column.from_dict(state["target"]),
        about=state["about"],
        arrays=state["arrays"],
    )
    _check(state, "a forest")
    return forest


def _signed(state: dict[str, Any]) -> dict[str, Any]:
    """Return the state with its digest: pickle, joblib and skops notice no damage."""
    return {**state, digest.NAME: _digest(state)}


def _check(state: dict[str, Any], what: str) -> None:
    if digest.NAME in state and state[digest.NAME] != _digest(state):  # an older state has none
        raise ValueError(f"Not {what} as it was stored: something was changed or damaged since.")


def _digest(state: dict[str, Any]) -> str:
    arrays = state["arrays"]
    spelt = {name: value for name, value in state.items() if name != "arrays"}
    weights = arrays.get("stats")
    if isinstance(weights, ClassWeights):  # held without zeros
        parts = {"start": weights.start, "label": weights.label, "weight": weights.weight}
        arrays = {**arrays, **{f"stats.{name}": array for name, array in parts.items()}}
        del arrays["stats"]
    return digest.of(body(encode(spelt), arrays))
