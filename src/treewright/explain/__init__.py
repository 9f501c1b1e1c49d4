"""Looking into a tree: what each column is worth, the way a row takes, why it is answered so and what would change that."""

from treewright.explain.certainty import Certainty
from treewright.explain.change import Change
from treewright.explain.detour import Detour
from treewright.explain.explanation import Alternative, Explanation, NearMiss, Step, explain_row
from treewright.explain.fired import Fired, explain_rules
from treewright.explain.importance import impurity_decrease
from treewright.explain.path import paths
from treewright.explain.votes import Votes, explain_votes

__all__ = [
    "Alternative",
    "Certainty",
    "Change",
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
    "paths",
]
