"""Rules: a Tree in, IF-THEN rules out, as values that predict, that are read and that are stored."""

from treewright.rules.c45rules import c45rules
from treewright.rules.condition import Condition, Proxy, StandIn
from treewright.rules.decide import Decision
from treewright.rules.formula import formula, nested
from treewright.rules.from_tree import from_tree
from treewright.rules.overlap import Conflict, Count, Overlap, Use, overlap
from treewright.rules.rule import Rule
from treewright.rules.ruleset import RuleSet, load
from treewright.rules.several import SumCondition, SumTerm
from treewright.rules.sql import to_sql
from treewright.rules.voting import voting

__all__ = [
    "Condition",
    "Conflict",
    "Count",
    "Decision",
    "Overlap",
    "Proxy",
    "Rule",
    "RuleSet",
    "StandIn",
    "SumCondition",
    "SumTerm",
    "Use",
    "c45rules",
    "formula",
    "from_tree",
    "load",
    "nested",
    "overlap",
    "to_sql",
    "voting",
]


def __dir__() -> list[str]:
    return sorted(__all__)
