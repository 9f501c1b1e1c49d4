"""The settings of growth as keywords: what editors complete, type checkers check and `help` shows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypedDict, TypeVar

from treewright.base.signature import with_parameters
from treewright.growth.settings import Settings

Function = TypeVar("Function", bound=Callable[..., Any])


class Common(TypedDict, total=False):
    """Settings by name; None, or left out, is what the recipe says. `Settings` has what each means."""

    criterion: str | Callable[[Any, Any], Any] | None
    splits: str | None
    linear_attributes: int | None
    linear_search: str | None
    linear_categories: str | None
    linear_penalty: float | None
    linear_tries: int | None
    linear_lookahead: int | None
    lookahead: int | str | None
    lookahead_rows: int | None
    leaves: str | None
    leaf_attributes: int | None
    missing: str | None
    unseen: str | None
    schools: str | None
    honest: float | None
    cuts: str | None
    choice: str | None
    ties: str | None
    numeric: str | None
    discretise: Any
    use_once: bool | None
    collapse: float | None
    max_depth: int | None
    min_split: float | None
    min_leaf: float | None
    min_leaf_share: float | None
    min_branch: float | None
    majority_share: float | None
    min_gain: float | None
    gain_of: str | None
    min_impurity: float | None
    split_price: float | None
    column_costs: Mapping[str, float] | None
    cost_form: str | None
    cost_power: float | None
    monotone: Mapping[str, int] | None
    significance: float | None
    significance_test: str | None
    prune: Any
    max_surrogates: int | None
    surrogate_rule: int | None
    surrogate_style: str | None
    tree: int | None
    ledger: bool | None
    search: str | None


class ForFolds(Common, total=False):
    """Those of functions that draw parts of the rows by a `seed` of their own."""

    max_leaves: int | None
    max_columns: int | None
    n_threads: int | None


class ForForests(Common, total=False):
    """Those of forests, which have words of their own for the columns drawn at a node."""

    max_leaves: int | None
    n_threads: int | None
    seed: int | None


class Keywords(ForFolds, total=False):
    """Every setting."""

    seed: int | None


TYPES: Mapping[str, str] = {
    field.name: str(field.type) for field in fields(Settings) if field.name not in ("recipe", "tasks")
}


def with_settings(function: Function) -> Function:
    """Return a function whose signature names every setting that its `**settings` takes.

    >>> def grow(table, **settings): return sorted(settings)
    >>> shown = inspect.signature(with_settings(grow))
    >>> "max_depth" in shown.parameters, "settings" in shown.parameters
    (True, False)
    """
    keyword = inspect.Parameter.KEYWORD_ONLY
    return with_parameters(
        function, [inspect.Parameter(n, keyword, default=None, annotation=t) for n, t in TYPES.items()]
    )


with_settings(Settings.of.__func__)  # type: ignore[attr-defined]  # of a class method
