"""One tree, several schools: the same tests asked with another policy for missing values.

A tree holds the share of every branch; what else a school needs is its own, or kept on request when it is
grown (`schools="sides"` or `"all"`): in `about["gap_sides"]` the branch of gaps at each node, by school, and
among its arrays the surrogates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, refusal
from treewright.base.names import choice
from treewright.tree.edit import GAP_SIDES as KEY
from treewright.tree.edit import alter
from treewright.tree.policy import GAPS

if TYPE_CHECKING:
    from treewright.tree.tree import Tree

Ints = NDArray[np.int32]


def with_policy(tree: Tree, school: str | None) -> Tree:
    """Return the tree with another policy for gaps; itself for None or its own.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4, None], "y": ["a", "a", "b", "b", "b"]})
    >>> tree = tw.grow(table, target="y")
    >>> with_policy(tree, "fractional").predict_proba({"x": [None]}).round(2).tolist()
    [[0.4, 0.6]]
    >>> with_policy(tree, "surrogate")
    Traceback (most recent call last):
    ValueError: This tree holds no surrogates; it was grown with missing='learned'. Grow ...
    """
    own = tree.about.get("missing", "error")
    if school is None or school == own:
        return tree
    choice("missing", school, tuple(GAPS))
    made: dict[str, Tree] = vars(tree).setdefault("_schools", {})
    if school not in made:
        missing = _NEEDS.get(school, _own_alone)(tree, school)
        made[school] = alter(tree, missing=missing, about={**tree.about, "missing": school})
    return made[school]


def schools_of(tree: Tree) -> tuple[str, ...]:
    """Return the policies that a tree can be asked with, its own first.

    >>> import treewright as tw
    >>> schools_of(tw.grow({"x": [1, 2, None], "y": ["a", "b", "b"]}, "y"))
    ('learned', 'fractional', 'error')
    """
    own = tree.about.get("missing", "error")
    return (own, *(school for school in _NEEDS if school != own and why_not(tree, school) is None))


def why_not(tree: Tree, school: str) -> str | None:
    """Return why a tree cannot be asked with a policy; None if it can.

    >>> import treewright as tw
    >>> tree = tw.grow({"x": [1, 2, None], "y": ["a", "b", "b"]}, "y")
    >>> why_not(tree, "fractional"), why_not(tree, "own_branch")
    (None, "Only a tree grown with missing='own_branch' can be asked so; this one was grown with 'learned'.")
    """
    try:
        with_policy(tree, school)
    except ValueError as reason:
        return str(reason)
    return None


def _nothing(tree: Tree, _: str) -> Ints:
    """Divided rows and refused ones need no branch of gaps."""
    return np.full(tree.n_nodes, -1, dtype=np.int32)


def _side(tree: Tree, school: str) -> Ints:
    kept: Mapping[str, Any] = tree.about.get(KEY, {})
    if school in kept:
        return np.array(kept[school], dtype=np.int32)
    if school == "learned" and _knew_all(tree):  # nothing to learn: gaps go the way of most rows
        return np.full(tree.n_nodes, -1, dtype=np.int32)
    own = tree.about.get("missing", "error")
    raise refusal(
        f"This tree does not know the branch of gaps under missing={school!r}; it was grown with ",
        ask("missing", own),
        ". Grow it with ",
        ask("schools", "sides"),
        ".",
    )


def _knew_all(tree: Tree) -> bool:
    """Return whether the rows that grew a tree had a value in every column that it asks about."""
    asked = {tree.schema.columns[column].name for column in tree.column[tree.column >= 0].tolist()}
    asked |= {tree.schema.columns[column].name for column in tree.term_column.tolist()}
    gaps = tree.about.get("gaps")
    return gaps is not None and not asked & set(gaps)


def _surrogates(tree: Tree, _: str) -> Ints:
    if tree.n_nodes > 1 and not len(tree.surrogate_column) and "surrogates" not in tree.about.get(KEY, {}):
        own = tree.about.get("missing", "error")
        raise refusal(
            "This tree holds no surrogates; it was grown with ",
            ask("missing", own),
            ". Grow it with ",
            ask("schools", "all"),
            ".",
        )
    return tree.largest  # where no surrogate has a value


def _own_alone(tree: Tree, school: str) -> Ints:
    own = tree.about.get("missing", "error")
    raise ValueError(
        f"Only a tree grown with missing={school!r} can be asked so; this one was grown with {own!r}."
    )


# What each school needs of a tree that was grown with another: the branch of gaps at each node.
_NEEDS: Mapping[str, Callable[[Tree, str], Ints]] = {
    "fractional": _nothing,
    "learned": _side,
    "surrogate": _surrogates,
    "most_common": _side,
    "error": _nothing,
}
SCHOOLS = (*_NEEDS, "own_branch")
