"""The setting `lookahead`: what may be said, its old name, and what it goes with."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.base.advice import Ask, ask, refusal
from treewright.growth.recipes import RECIPES
from treewright.tree.policy import GAPS

if TYPE_CHECKING:
    from treewright.growth.settings import Settings

POLISH = "polish"
LEVELS: tuple[int | str, ...] = (1, 2, 3, POLISH)

# What look-ahead does not go with: the setting, what it may be, and why.
_BESIDE: tuple[tuple[str, tuple[Any, ...], str], ...] = (
    ("splits", ("binary", "one_vs_rest"), "subtrees are searched of tests with two branches"),
    ("cuts", ("exact",), "every cut is tried"),
    ("choice", ("best",), "a test is chosen by what comes below it"),
    ("discretise", (None,), "subtrees are searched on numbers as they are"),
    ("max_columns", (None,), "subtrees ask any column"),
    ("collapse", (None,), "it is a part of C4.5"),
    ("min_gain", (None,), "a test that gains nothing by itself may be the best one"),
    ("split_price", (0.0,), "a test that gains nothing by itself may be the best one"),
    ("significance", (None,), "a test that tells nothing by itself may be the best one"),
    ("min_impurity", (0.0,), "it would end branches that the search divides"),
    ("majority_share", (1.0,), "it would end branches that the search divides"),
    ("column_costs", (None,), "subtrees ask several columns"),
    ("monotone", (None,), "the search keeps no order of branches"),
    (
        "missing",
        ("most_common", *(name for name in GAPS if not GAPS[name].is_value)),
        "a search knows the rows of a node alone",
    ),
)
_CRITERIA = {
    "twoing": "it compares two branches and is no sum over leaves",
    "absolute_error": "its medians need every value of a node, which growth by single steps does not keep",
    "gaussian_entropy": "it asks for the variance of all rows",
}


def levels_of(given: Any) -> int | str:
    """Return how far is looked, or "polish"; the command line says numbers in words.

    >>> levels_of("2"), levels_of("polish")
    (2, 'polish')
    >>> levels_of(4)
    Traceback (most recent call last):
    ValueError: lookahead=4 must be 1, 2, 3 or 'polish'.
    """
    said = int(given) if isinstance(given, str) and given.isdigit() else given
    is_count = isinstance(said, (int, np.integer)) and not isinstance(said, bool)
    if is_count and 1 <= said <= 3:
        return int(said)
    if isinstance(said, str) and said.lower() in (POLISH, "polished"):
        return POLISH
    raise refusal(ask("lookahead", given), " must be 1, 2, 3 or 'polish'.")


def by_new_name(lookahead: Any, linear_lookahead: Any) -> Any:
    """Return what is asked for, where the setting may have its old name.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     by_new_name(1, 2), str(said[0].message)
    (2, 'linear_lookahead is now called lookahead; the old name goes with the next release.')
    """
    if linear_lookahead is None:
        return lookahead
    warnings.warn(
        "linear_lookahead is now called lookahead; the old name goes with the next release.",
        DeprecationWarning,
        stacklevel=2,
    )
    if lookahead not in (1, linear_lookahead):
        raise refusal(
            ask("linear_lookahead", linear_lookahead),
            " is the old name of ",
            ask("lookahead", lookahead),
            ". Give the new one alone.",
        )
    return linear_lookahead


def check_levels(settings: Settings) -> None:
    """Refuse what look-ahead does not go with."""
    if settings.lookahead == 1:
        return
    if settings.splits == "linear":
        _check_sums(settings)
        return
    asked = ask("lookahead", settings.lookahead)
    for name, allowed, why in _BESIDE:
        if (found := getattr(settings, name)) not in allowed:
            said = ask(name, found.name if name == "discretise" else found)
            recipe, way = _way_out(settings, name, allowed)
            raise refusal(asked, " does not go with ", said, f"{recipe}: {why}. ", *way, ".")
    _check_criterion(settings)
    if settings.min_branch > 0 and GAPS[settings.missing].adds_branch:
        raise refusal(
            asked,
            " does not go with ",
            ask("min_branch", settings.min_branch),
            " beside ",
            ask("missing", settings.missing),
            ". Use ",
            ask("min_leaf", settings.min_branch),
            ".",
        )


def _way_out(settings: Settings, name: str, allowed: tuple[Any, ...]) -> tuple[str, tuple[str | Ask, ...]]:
    """Return whose setting it is, if it is the recipe's, and what to do."""
    if RECIPES[settings.recipe].get(name) == getattr(settings, name):
        return f" (recipe {settings.recipe!r})", ("Use ", ask("recipe", "plain", "cart"))
    return "", ("Use ", ask(name, *allowed)) if isinstance(allowed[0], str) else ("Leave it out",)


def _check_criterion(settings: Settings) -> None:
    """Refuse criteria that are no sums over leaves."""
    asked, criterion = ask("lookahead", settings.lookahead), settings.criterion
    if callable(criterion):
        raise refusal(
            asked,
            " needs a criterion by name, for the search adds it up over leaves. Use ",
            ask("criterion", "gini", "entropy", "squared_error"),
            ".",
        )
    if criterion in _CRITERIA:
        way = ("gini", "entropy") if criterion == "twoing" else ("squared_error",)
        raise refusal(
            asked,
            " does not go with ",
            ask("criterion", criterion),
            f": {_CRITERIA[criterion]}. Use ",
            ask("criterion", *way),
            ".",
        )


def _check_sums(settings: Settings) -> None:
    """Refuse what does not go with sums of columns."""
    asked, policy = ask("lookahead", settings.lookahead), GAPS[settings.missing]
    if settings.lookahead != 2:
        raise refusal(
            asked, " does not go with ", ask("splits", "linear"), ": a sum is judged together with the best "
            "tests of its branches, one level below. Use ", ask("lookahead", 2), ", or ",
            ask("splits", "binary"), ".",
        )  # fmt: skip
    if policy.way == "surrogate":
        raise refusal(
            asked, " does not go with ", ask("missing", policy.name), ". Use ", ask("missing", "learned"),
            ", or one level.",
        )  # fmt: skip
