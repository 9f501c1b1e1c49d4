"""Looking into a tree: what each column is worth, the way of a row, and what would change its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.base.first_use import names_of
from treewright.explain.certainty import Certainty
from treewright.explain.change import Change
from treewright.explain.dependence import Dependence, partial_dependence
from treewright.explain.detour import Detour
from treewright.explain.explanation import Alternative, Explanation, NearMiss, Step, explain_row
from treewright.explain.fired import Fired, explain_rules
from treewright.explain.importance import impurity_decrease
from treewright.explain.path import paths

if TYPE_CHECKING:
    from treewright.explain.votes import Votes, explain_votes

__all__ = [
    "Alternative",
    "Certainty",
    "Change",
    "Dependence",
    "Detour",
    "Explanation",
    "Fired",
    "NearMiss",
    "Step",
    "Votes",
    "explain_row",
    "explain_rules",
    "explain_votes",
    "impurity_decrease",
    "partial_dependence",
    "paths",
]


# Forests are loaded on first use: most models are single trees.
__getattr__ = names_of(
    "treewright.explain", dict.fromkeys(("Votes", "explain_votes"), "treewright.explain.votes")
)


def __dir__() -> list[str]:
    return sorted(__all__)
