"""The one place where Tree meets the rooms above it: verbs that need more than the tree are bound here."""

from __future__ import annotations

from typing import Any

from treewright.grow.ledger import candidates, why_not
from treewright.predict.vote import leaves, predict, predict_proba
from treewright.tree import Tree


def rules(tree: Tree) -> Any:
    """Return the rules of a tree, one per leaf; see `treewright.rules.from_tree`.

    >>> import treewright as tw
    >>> tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3").rules()
    RuleSet(PlayTennis: 6 rules, of a tree)
    """
    from treewright.rules.from_tree import from_tree  # on first use: `import treewright` stays fast

    return from_tree(tree)


VERBS: dict[str, Any] = {
    "predict": predict,
    "predict_proba": predict_proba,
    "leaves": leaves,
    "candidates": candidates,
    "why_not": why_not,
    "rules": rules,
}

for _name, _verb in VERBS.items():
    setattr(Tree, _name, _verb)
