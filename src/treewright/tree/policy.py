"""Policies: what a tree does with a row that has no answer to its test, one row each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Policy(NamedTuple):
    """A policy by the name that settings, files and the core know it by.

    `way` is what becomes of a row on its way down: it takes a "branch", is asked a "surrogate" test, is
    divided ("divide"), ends there ("stop"), is refused ("refuse"), or counts "as_missing".
    `sentence` is the reason an explanation gives where it takes the branch that growth chose.
    """

    name: str
    way: str
    sentence: str = "it took the branch set for gaps"


# For missing values; the core's names, and its order.
GAPS: Mapping[str, Policy] = {
    row.name: row
    for row in (
        Policy("learned", "branch", "it took the branch that training found best for gaps"),
        Policy("fractional", "divide"),
        Policy("surrogate", "surrogate"),
        Policy("own_branch", "branch", "it took the branch that gaps have of their own"),
        Policy("most_common", "branch", "it counts as the most common value there"),
        Policy("most_common_overall", "branch", "it counts as the most common value of all rows"),
        Policy("drop", "stop"),
        Policy("error", "refuse"),
    )
}

# For categories that no training row had.
UNSEEN: Mapping[str, Policy] = {
    row.name: row
    for row in (
        Policy("most_common", "branch"),
        Policy("fractional", "divide"),
        Policy("stop_here", "stop"),
        Policy("error", "refuse"),
        Policy("missing", "as_missing"),
    )
}


def gap_policy(about: Mapping[str, Any]) -> Policy:
    """Return what a tree or forest does with missing values; one that says nothing refuses them.

    >>> gap_policy({"missing": "fractional"}).way, gap_policy({}).way
    ('divide', 'refuse')
    """
    return GAPS[about.get("missing", "error")]


def unseen_policy(about: Mapping[str, Any]) -> Policy:
    """Return what a tree or forest does with categories that training never had.

    >>> unseen_policy({"unseen": "missing"}).way, unseen_policy({}).way
    ('as_missing', 'refuse')
    """
    return UNSEEN[about.get("unseen", "error")]
