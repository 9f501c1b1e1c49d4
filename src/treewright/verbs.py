"""The one place where Tree meets the rooms above it: verbs that need more than the tree are bound here."""

from __future__ import annotations

from typing import Any

from treewright.grow.ledger import candidates, why_not
from treewright.predict.vote import leaves, predict, predict_proba
from treewright.rules.from_tree import from_tree
from treewright.tree import Tree

VERBS: dict[str, Any] = {
    "predict": predict,
    "predict_proba": predict_proba,
    "leaves": leaves,
    "candidates": candidates,
    "why_not": why_not,
    "rules": from_tree,
}

for _name, _verb in VERBS.items():
    setattr(Tree, _name, _verb)
