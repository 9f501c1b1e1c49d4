"""What groups of categories and boundary cuts do not go with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.base.advice import ask, refusal
from treewright.tree.policy import GAPS

if TYPE_CHECKING:
    from treewright.growth.settings import Settings

# Limits with which a cut between two values of one class can be the best after all.
_BESIDE_BOUNDARY = (("min_leaf", 1.0), ("min_branch", 1.0), ("min_leaf_share", 0.0))


def check_groups(settings: Settings) -> None:
    """Refuse what groups of categories do not go with."""
    if settings.splits != "grouped":
        return
    if GAPS[settings.missing].way == "surrogate" or settings.missing in ("learned", "own_branch"):
        raise refusal(
            ask("splits", "grouped"),
            " makes groups of the known values; ",
            ask("missing", settings.missing),
            " would judge the gaps with them. Use ",
            ask("missing", "fractional", "most_common"),
            ".",
        )
    if callable(settings.criterion) or settings.is_two_way:
        raise refusal(
            ask("splits", "grouped"),
            f" does not go with the criterion {settings.criterion_name!r}. Use ",
            ask("criterion", "gain_ratio"),
            ".",
        )


def check_boundary_cuts(settings: Settings) -> None:
    """Refuse what boundary cuts are not proven for: other criteria, and limits on the size of a side."""
    if settings.cuts != "boundary":
        return
    if settings.criterion not in (None, "gini", "entropy"):
        raise refusal(
            ask("cuts", "boundary"),
            " holds the best cut of gini and entropy only, not of ",
            ask("criterion", settings.criterion_name),
            ". Use ",
            ask("cuts", "exact"),
            ".",
        )
    for name, most in _BESIDE_BOUNDARY:
        if (found := getattr(settings, name)) > most:
            raise refusal(
                ask("cuts", "boundary"),
                " does not go with ",
                ask(name, found),
                ": a limit on sizes may rule out all of them. Use ",
                ask("cuts", "exact"),
                ".",
            )
