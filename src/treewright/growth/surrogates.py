"""Surrogates found after growth: stand-in tests for rows that training did not have.

Growth finds the surrogates of a test only where rows of training lack its value. Those of other tests are for
rows to come, and are found when it is settled which tests stay: when the tree is pruned. Rows that judge a
tree on the way there (of a fold, or kept back) get the surrogates that they need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.progress import Watcher, watcher
from treewright.growth.question import Question, core_columns
from treewright.growth.settings import Settings
from treewright.table import coded
from treewright.tree import Tree
from treewright.tree.edit import alter
from treewright.tree.fields import ROUTED
from treewright.tree.policy import GAPS


def with_every_surrogate(tree: Tree, question: Question, settings: Settings) -> Tree:
    """Return the tree with the surrogates of every test, found on the rows of the question.

    The tree was grown on these rows, and may have been pruned since. Where the policy for gaps asks no
    surrogates it is returned as it is.
    """
    if not asks_surrogates(tree, settings):
        return tree
    found = _core.every_surrogate(_tests(tree), question.columns, question.units, question.core, _listener())
    return _with(tree, found)


def with_needed_surrogates(
    tree: Tree, question: Question, settings: Settings, rows: Sequence[NDArray[Any]]
) -> Tree:
    """Return the tree with the surrogates that its own rows and the given ones ask: columns of the table."""
    if not asks_surrogates(tree, settings):
        return tree
    schema = question.schema
    visitors = core_columns(schema, coded(schema.columns, list(rows)), settings)
    found = _core.needed_surrogates(
        _tests(tree),
        question.columns,
        question.units,
        question.core,
        visitors,
        settings.unseen == "missing",
        _listener(),
    )
    return tree if found is None else _with(tree, found)


def asks_surrogates(tree: Tree, settings: Settings) -> bool:
    """Return whether rows with gaps ask surrogates of a tree."""
    # Of sums of columns they are found while growing, one node at a time.
    return GAPS[settings.missing].way == "surrogate" and not settings.asks_several and tree.n_nodes > 1


def _tests(tree: Tree) -> dict[str, Any]:
    return {name: getattr(tree, name) for name in ROUTED}


def _with(tree: Tree, found: dict[str, Any]) -> Tree:
    return alter(tree, **found | {"surrogate_flip": found["surrogate_flip"].astype(np.bool_)})


def _listener() -> Watcher | None:
    """Return who may stop the search; growth is over, so nothing else is told."""
    heard = watcher()
    return None if heard is None else lambda _: heard(1.0)
