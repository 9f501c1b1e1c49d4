"""Which program a model becomes, by its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from treewright.base.verbs import kind_of
from treewright.export.code.of_forest import forest_program
from treewright.export.code.of_linear import linear_program
from treewright.export.code.of_rules import rules_program
from treewright.export.code.of_tree import tree_program
from treewright.export.code.program import Program

_KINDS: dict[str, Callable[[Any], Program]] = {
    "tree": tree_program,
    "forest": forest_program,
    "rules": rules_program,
    "linear": linear_program,
}


def program_of(model: Any) -> Program:
    """Return a model of any kind as a program.

    >>> import treewright as tw
    >>> program_of(tw.grow(tw.example("tennis"), "PlayTennis", "stump")).classes
    ('Yes', 'No')
    """
    return _KINDS[kind_of(model) or ""](model)
