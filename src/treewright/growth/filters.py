"""Settings that judge tests beside their score: impurity of a node, price of a split, costs, directions.

The core applies them to what the columns of a node offer (`cpp/include/treewright/filters`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright import _core
from treewright.base.advice import Ask, ask, refusal
from treewright.base.names import hint
from treewright.table import Column, Kind, Schema

if TYPE_CHECKING:
    from treewright.growth.settings import Settings

# The criteria whose impurity of a node, per unit of weight, means something on its own.
MEASURED = ("gini", "entropy", "gain_ratio", "error", "squared_error")
MEANS = ("squared_error", "gaussian_entropy", "poisson")  # leaves of numbers answer with their mean
IN_BITS = ("entropy", "gain_ratio", "gini", "error")  # gains between 0 and log2 k, as EG2 takes them


# ---- when settings are made -------------------------------------------------------------------------


def costs_by_name(given: Any, form: str) -> dict[str, float] | None:
    """Return the costs of columns as floats; None where there are none.

    >>> costs_by_name({"blood": 5}, "idx")
    {'blood': 5.0}
    >>> costs_by_name({"blood": 0}, "idx")
    Traceback (most recent call last):
    ValueError: column_costs={'blood': 0}: cost_form='idx' divides by the cost, which must be above 0. Use \
cost_form='eg2' for columns that cost nothing.
    """
    if given is None:
        return None
    costs = {name: float(cost) for name, cost in _by_name("column_costs", given, "a number", _is_number)}
    for name, cost in costs.items():
        said = f"column_costs={{{name!r}: {given[name]!r}}}"
        if not (math.isfinite(cost) and cost >= 0):
            raise ValueError(f"{said}: a cost must be finite and at least 0.")
        if cost == 0 and form != "eg2":
            raise refusal(
                f"{said}: ",
                ask("cost_form", form),
                " divides by the cost, which must be above 0. Use ",
                ask("cost_form", "eg2"),
                " for columns that cost nothing.",
            )
    return costs or None


def directions_by_name(given: Any) -> dict[str, int] | None:
    """Return the directions of columns as +1 or -1; None where there are none. 0 asks for nothing.

    >>> directions_by_name({"age": 1, "debt": -1, "zip": 0})
    {'age': 1, 'debt': -1}
    """
    if given is None:
        return None
    directions = dict(_by_name("monotone", given, "+1, -1 or 0", _is_direction))
    return {name: int(sign) for name, sign in directions.items() if sign != 0} or None


def _by_name(setting: str, given: Any, what: str, is_right: Callable[[Any], bool]) -> list[tuple[str, Any]]:
    if not isinstance(given, Mapping):
        raise TypeError(
            f"{setting}={given!r:.80} must map names of columns to numbers, such as {{'age': 1}}, "
            f"not be of the type {type(given).__name__}."
        )
    for name, value in given.items():
        if not isinstance(name, str):
            raise TypeError(f"{setting}: {name!r:.80} is not the name of a column.")
        if not is_right(value):
            raise ValueError(f"{setting}={{{name!r}: {value!r:.80}}} must be {what}.")
    return list(given.items())


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def _is_direction(value: Any) -> bool:
    return _is_number(value) and value in (-1, 0, 1)


def check_filters(settings: Settings) -> None:
    """Refuse settings that contradict each other; those that depend on the data are looked at later."""
    if settings.min_impurity > 0 and callable(settings.criterion):
        raise refusal(
            _least(settings),
            ": a criterion given as an object scores cuts and has no impurity of a node. "
            "Use min_gain, or a criterion by name.",
        )
    if settings.column_costs and settings.cost_form == "eg2" and callable(settings.criterion):
        raise refusal(
            ask("cost_form", "eg2"),
            " takes gains in bits; a criterion given as an object has a unit of its own. Use ",
            ask("cost_form", "idx"),
            ".",
        )
    if settings.monotone and settings.leaves != "constant":
        raise refusal(
            "monotone bounds what leaves say, and ",
            ask("leaves", settings.leaves),
            " say something else for every row. Use ",
            ask("leaves", "constant"),
            ".",
        )


def _least(settings: Settings) -> Ask:
    return ask("min_impurity", settings.min_impurity, python=f"min_impurity={settings.min_impurity:g}")


# ---- when data are there ----------------------------------------------------------------------------


def check_filtered(settings: Settings, schema: Schema, target: Column) -> None:
    """Refuse names that the table does not have, and data that the filters cannot judge."""
    for setting in ("column_costs", "monotone"):
        for name in getattr(settings, setting) or ():
            if name not in schema.names:
                raise ValueError(
                    f"{setting} names the column {name!r}, which is not among the {len(schema)} that the "
                    f"tree may use{hint(name, schema.names) or '.'}"
                )
    is_classifier = not target.is_numeric
    criterion = settings.criterion_for(is_classifier)
    if settings.min_impurity > 0 and criterion not in MEASURED:
        raise refusal(
            _least(settings),
            ": ",
            ask("criterion", criterion),
            " has no impurity of a node. Use min_gain, or another criterion.",
        )
    if settings.column_costs and settings.cost_form == "eg2" and criterion not in IN_BITS:
        raise refusal(
            ask("cost_form", "eg2"),
            " takes gains in bits; those of ",
            ask("criterion", criterion),
            " are in a unit of their own. Use ",
            ask("cost_form", "idx"),
            ".",
        )
    if settings.monotone:
        if not is_classifier and isinstance(criterion, str) and criterion not in MEANS:
            raise refusal(
                "monotone bounds the means of leaves, and ",
                ask("criterion", criterion),
                " says something else. Use ",
                ask("criterion", "squared_error"),
                ".",
            )
        _check_monotone(settings.monotone, schema, target)


def _check_monotone(monotone: Mapping[str, int], schema: Schema, target: Column) -> None:
    if not target.is_numeric and len(target.categories) > 2:
        raise ValueError(
            f"monotone is about the share of one class of two, or about a number; column {target.name!r} has "
            f"{len(target.categories)} classes. Grow one tree for each class against the rest."
        )
    for name in monotone:
        column = schema.columns[schema.index(name)]
        if column.kind == Kind.nominal:
            raise ValueError(
                f"monotone names column {name!r}, which is nominal: its categories have no order. "
                f"Read it with ordinal={{{name!r}: [...]}}, or leave it out of monotone."
            )


def set_filters(columns: list[_core.Column], settings: Settings, schema: Schema) -> None:
    """Give the core's columns their costs and directions."""
    for name, column in zip(schema.names, columns, strict=True):
        column.cost = (settings.column_costs or {}).get(name, 1.0)
        column.direction = (settings.monotone or {}).get(name, 0)
