"""The classic algorithms, as rows of one table.

A row says what an algorithm is made of; every field can be overridden by name in `tw.grow` and in the
estimators. A new algorithm is a new row.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from treewright.growth.setting import ON_SEVERAL

_ROWS: dict[str, dict[str, Any]] = {
    # Exact binary trees to purity: what scikit-learn grows, with categories and gaps as they are.
    "plain": {},
    # Quinlan 1986. Nominal columns only; one branch a category; each column once a path; no pruning.
    "id3": {
        "criterion": "entropy",
        "splits": "multiway",
        "missing": "error",
        "unseen": "stop_here",
        "numeric": "refuse",
        "use_once": True,
        "ties": "order",
        "tasks": ("classes",),
    },
    # Quinlan 1993, release 8. `min_branch` is the program's -m; its -c is the confidence of the pruning.
    "c4.5": {
        "criterion": "gain_ratio",
        "splits": "multiway",
        "missing": "fractional",
        "unseen": "fractional",
        "cuts": "c4.5",
        "choice": "average_gain",
        "min_branch": 2.0,
        "min_split": None,
        "collapse": 0.001,
        "use_once": True,
        "ties": "order",
        "tasks": ("classes",),
        "prune": "error_based",
    },
    # Breiman, Friedman, Olshen, Stone 1984, with rpart's sizes 20 and 7 and its depth of 30 (the root has 0);
    # a category that a node has not seen asks the surrogates, as a gap does; pruned by cross-validation.
    "cart": {
        "missing": "surrogate",
        "unseen": "missing",
        "max_depth": 30,
        "min_split": 20.0,
        "min_leaf": 7.0,
        "prune": "cost_complexity",
    },
    # Mehta, Agrawal, Rissanen 1996: gini and subsets of categories, pruned by description length.
    "sliq": {"tasks": ("classes",), "prune": "sliq"},
    # One test: the fewest errors, ties by entropy, then by column name.
    "stump": {"criterion": "error", "splits": "one_vs_rest", "max_depth": 1},
}

RECIPES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {name: MappingProxyType(row) for name, row in _ROWS.items()}
)

# Tried by itself where no recipe is named.
USUAL = ("c4.5", "cart")


def usual_recipes(is_classifier: bool, given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the recipes that suit a target and settings where none is named, the first one first.

    CART alone grows numbers, tests on several columns and models; look-ahead searches tests of two branches
    and takes gaps to either side, as plain does.

    >>> usual_recipes(True, {}), usual_recipes(False, {}), usual_recipes(True, {"splits": "linear"})
    (('c4.5', 'cart'), ('cart',), ('cart',))
    >>> usual_recipes(True, {"lookahead": 2})
    ('plain',)
    """
    asks_several = given.get("splits") in ON_SEVERAL
    if given.get("lookahead") not in (None, 1, "1") and not asks_several:
        return ("plain",)
    is_plain = not asks_several and given.get("leaves") in (None, "constant")
    return USUAL if is_classifier and is_plain else ("cart",)
