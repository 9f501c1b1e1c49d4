"""Policies: what a tree does with a row that has no answer to its test, one row each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Policy(NamedTuple):
    """A policy by the name that settings, files and the core know it by.

    `way` is what becomes of a row on its way down: it takes a "branch", is asked a "surrogate" test, is
    divided ("divide"), ends there ("stop"), is refused ("refuse"), or counts "as_missing".
    `sentence` is what users read: of gaps, the reason an explanation gives where a row takes the branch that
    growth chose; of categories, what prediction says when it meets new ones.
    """

    name: str
    way: str
    sentence: str | None = None
    core: str | None = None  # the core's word, where it has another
    is_value: bool = False  # a gap counts as a value, also where training had no gap
    adds_branch: bool = False  # gaps may have a branch of their own, so tests have more than two
    drops_rows: bool = False  # training rows with a gap are left out
    not_with_sums: str = ""  # why it does not go with sums of columns


# What is said where a policy has no branch of its own to speak of.
PLAIN = "it took the branch set for gaps"

# For missing values; the core's names, and its order.
GAPS: Mapping[str, Policy] = {
    row.name: row
    for row in (
        Policy("learned", "branch", "it took the branch that training found best for gaps"),
        Policy("fractional", "divide"),
        Policy("surrogate", "surrogate"),
        Policy(
            "own_branch",
            "branch",
            "it took the branch that gaps have of their own",
            adds_branch=True,
        ),
        Policy(
            "most_common",
            "branch",
            "it counts as the most common value there",
            is_value=True,
        ),
        Policy(
            "most_common_overall",
            "branch",
            "it counts as the most common value of all rows",
            is_value=True,
            not_with_sums="a sum has no common value before it is found",
        ),
        Policy("drop", "stop", core="none", drops_rows=True),
        Policy("error", "refuse", core="none"),
    )
}

# For categories that no training row had.
UNSEEN: Mapping[str, Policy] = {
    row.name: row
    for row in (
        Policy("most_common", "branch", "They go down the largest branch."),
        Policy("fractional", "divide", "They go down every branch, in parts."),
        Policy("stop_here", "stop", "They stop at the node that asks."),
        Policy("error", "refuse"),
        Policy("missing", "as_missing", "They are taken as missing."),
    )
}


def gap_policy(about: Mapping[str, Any]) -> Policy:
    """Return what a tree or forest does with missing values; one that says nothing refuses them.

    >>> gap_policy({"missing": "fractional"}).way, gap_policy({}).way
    ('divide', 'refuse')
    """
    return _row(GAPS, "missing", about)


def unseen_policy(about: Mapping[str, Any]) -> Policy:
    """Return what a tree or forest does with categories that training never had.

    >>> unseen_policy({"unseen": "missing"}).way, unseen_policy({}).way
    ('as_missing', 'refuse')
    """
    return _row(UNSEEN, "unseen", about)


def _row(rows: Mapping[str, Policy], name: str, about: Mapping[str, Any]) -> Policy:
    word = about.get(name, "error")
    if isinstance(word, str) and word in rows:
        return rows[word]
    raise ValueError(f"The model says {name}={word!r:.60}, which is none of {', '.join(rows)}.")
