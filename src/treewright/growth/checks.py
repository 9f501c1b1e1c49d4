"""What growth asks of its data; an error names the column, what was found and the way out."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, message, refusal
from treewright.growth.setting import CRITERIA
from treewright.growth.settings import Settings
from treewright.table import ClassTerms, Column, Rows, Schema
from treewright.tree.policy import GAPS
from treewright.tree.terms import is_ordered

Floats = NDArray[np.float64]
LARGEST, SMALLEST = 1e100, 1e-100  # squares, times weights, must stay finite and apart from 0
FINEST = 2.0**-50  # targets and weights are kept in steps of their largest; finer ones would be lost


def check_target(settings: Settings, rows: Rows, terms: ClassTerms) -> None:
    """Refuse a target that the settings cannot grow."""
    target, answers = rows.target, rows.answers
    n, is_classifier = rows.n_rows, rows.is_classifier
    check_leaves(settings, target)
    if n == 0:
        raise ValueError("The table has no rows; a tree needs at least one.")
    if ("classes" if is_classifier else "numbers") not in settings.tasks:
        raise refusal(
            f"Column {target.name!r} is numeric; recipe {settings.recipe!r} grows classes. Use ",
            ask("recipe", "cart"),
            ", or read the column as categories with ",
            ask("kinds", {target.name: "nominal"}),
            ".",
        )
    gaps = np.count_nonzero(answers < 0) if is_classifier else np.count_nonzero(np.isnan(answers))
    if gaps:
        raise ValueError(
            f"Column {target.name!r} is the target and is missing in {gaps} of {n} rows; "
            "leave those rows out first."
        )
    _check_criterion(settings, target, answers)
    if not is_classifier:
        _check_number_settings(settings, target, terms)
        _check_numbers(target, answers)
    elif callable(settings.criterion) and not terms.without_weight().is_empty:
        raise ValueError(
            "A criterion given as an object scores class weights as they are; priors and costs "
            "would not reach it. Use a criterion by name, or class_weight."
        )


def _check_criterion(settings: Settings, target: Column, answers: NDArray[Any]) -> None:
    """Refuse a target that the criterion does not score."""
    is_classifier = not target.is_numeric
    criterion = settings.criterion_for(is_classifier)
    if not isinstance(criterion, str):
        return
    row, classes = CRITERIA[criterion], target.categories
    if row["max_classes"] and len(classes) > row["max_classes"]:
        names = ", ".join(map(repr, classes[:5])) + ", ..." * (len(classes) > 5)
        raise refusal(
            ask("criterion", criterion),
            f" is for {row['max_classes']} classes; column {target.name!r} has {len(classes)}: {names}. Use ",
            ask("criterion", "gini", "entropy"),
            ".",
        )
    if is_classifier:
        return
    if settings.leaves != "constant" and row["loss"] != "squared":
        raise refusal(
            ask("leaves", settings.leaves),
            " are fitted by least squares; ",
            ask("criterion", criterion),
            " has another loss. Use ",
            ask("criterion", "squared_error"),
            ", or ",
            ask("leaves", "constant"),
            ".",
        )
    if row["loss"] != "poisson":
        return
    least = int(np.argmin(answers))
    if answers[least] < 0:
        raise refusal(
            ask("criterion", criterion),
            f" is for counts and rates; column {target.name!r} is {answers[least]:g} in row {least}. Use ",
            ask("criterion", "squared_error"),
            ", or leave out what is below 0.",
        )
    if not np.any(answers > 0):
        raise refusal(
            ask("criterion", criterion),
            f" needs a value above 0; column {target.name!r} is 0 in every row.",
        )


def check_leaves(settings: Settings, target: Column) -> None:
    """Refuse models that do not fit the target.

    >>> from treewright.table import Kind
    >>> check_leaves(Settings(leaves="linear"), Column("y", Kind.nominal, ("a", "b")))
    Traceback (most recent call last):
    ValueError: leaves='linear' is for numbers; column 'y' is nominal. Use leaves='logistic'.
    """
    is_classifier = not target.is_numeric
    if settings.leaves == ("linear" if is_classifier else "logistic"):
        raise refusal(
            ask("leaves", settings.leaves),
            f" is for {'numbers' if is_classifier else 'classes'}; "
            f"column {target.name!r} is {target.kind}. Use ",
            ask("leaves", "logistic" if is_classifier else "linear"),
            ".",
        )


def _check_number_settings(settings: Settings, target: Column, terms: ClassTerms) -> None:
    if not terms.is_empty:
        raise ValueError(
            f"class_weight, priors and costs are for classes; column {target.name!r} is numeric."
        )
    if settings.significance is not None or settings.majority_share < 1:
        raise ValueError(
            f"significance and majority_share are for classes; column {target.name!r} is numeric."
        )
    if settings.cuts == "c4.5":
        raise refusal(
            ask("cuts", "c4.5"), f" charges cuts in bits, for classes; column {target.name!r} is numeric."
        )


def _check_numbers(target: Column, answers: Floats) -> None:
    worst = answers[int(np.argmax(np.abs(answers)))]
    if not (abs(worst) <= LARGEST and (worst == 0 or abs(worst) >= SMALLEST)):
        raise ValueError(
            f"Column {target.name!r} is the target and its largest value is {worst}; scale it so that this "
            f"is between {SMALLEST:g} and {LARGEST:g}."
        )
    away = np.abs(answers - np.median(answers))
    usual = np.median(away[away > 0]) if np.any(away > 0) else 0.0
    if usual < abs(worst) * FINEST and np.any(away > 0):
        raise ValueError(
            f"Column {target.name!r} is the target and holds {worst}, while its values usually lie {usual:g} "
            "apart: too far to tell both. Is it a mark for something missing? Leave such rows out, clip or "
            "shift the values."
        )


def check_features(settings: Settings, schema: Schema, values: tuple[NDArray[Any], ...]) -> None:
    """Refuse columns that the settings cannot take."""
    if settings.discretise is None:  # else numbers are looked at once they are cut into intervals
        check_kinds(settings, schema, values)
    check_gaps(settings, schema, values)


def warn_of_idle_settings(settings: Settings, schema: Schema) -> None:
    """Say that a look ahead was asked for, and why there is none.

    >>> import warnings
    >>> from treewright.table import Column, Kind
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     asked = Settings(splits="linear", lookahead=2)
    ...     warn_of_idle_settings(asked, Schema((Column("x", Kind.numeric),)))
    >>> print(told[0].message)  # doctest: +ELLIPSIS
    lookahead=2 has no effect: it judges sums of two or more columns ..., and only 'x' is one. ...
    """
    if settings.lookahead == 1 or settings.splits != "linear":
        return
    has_categories = settings.linear_categories != "none"
    ordered = [column.name for column in schema.columns if has_categories or is_ordered(column)]
    if len(ordered) > 1:
        return
    there = f"only {ordered[0]!r} is one" if ordered else f"none of the {len(schema)} columns is one"
    why = (
        "it judges sums of two or more columns of numbers or ordered categories, ",
        f"and {there}. The tree asks about one column at a time; ",
        ask("linear_categories", "indicator"),
        " adds up categories too.",
    )
    idle = ask("lookahead", settings.lookahead)
    warnings.warn(message(UserWarning, idle, " has no effect: ", *why), stacklevel=2)


def check_kinds(settings: Settings, schema: Schema, values: tuple[NDArray[Any], ...]) -> None:
    """Refuse numbers where the settings grow on categories only."""
    if settings.numeric != "refuse":
        return
    for column, column_values in zip(schema.columns, values, strict=True):
        if column.is_numeric:
            distinct = len(np.unique(column_values[~np.isnan(column_values)]))
            raise refusal(
                f"Column {column.name!r} is numeric ({distinct} values); {settings.recipe.upper()} "
                "branches on categories. Cut it into intervals with ",
                ask("discretise", "mdlp"),
                ", read it as categories with ",
                ask("kinds", {column.name: "nominal"}),
                ", or use ",
                ask("recipe", "c4.5"),
                ".",
            )


def check_gaps(settings: Settings, schema: Schema, values: tuple[NDArray[Any], ...]) -> None:
    """Refuse gaps where the settings have no policy for them."""
    if GAPS[settings.missing].way != "refuse":
        return
    for column, column_values in zip(schema.columns, values, strict=True):
        if gaps := int(np.count_nonzero(gaps_in(column, column_values))):
            raise refusal(
                f"Column {column.name!r} is missing in {gaps} of {len(column_values)} rows, and ",
                ask("missing", "error"),
                ". Choose a policy, for example ",
                ask("missing", "learned"),
                " or ",
                ask("missing", "fractional"),
                ".",
            )


def gaps_in(column: Column, values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return where a column is missing."""
    is_numbers = column.is_numeric or (column.edges is not None and values.dtype.kind == "f")
    return np.isnan(values) if is_numbers else values < 0


def any_gap(schema: Schema, values: tuple[NDArray[Any], ...], n_rows: int) -> NDArray[np.bool_]:
    """Return which rows have a gap in any column."""
    found = np.zeros(n_rows, dtype=bool)
    for column, column_values in zip(schema.columns, values, strict=True):
        found |= gaps_in(column, column_values)
    return found


def check_total(weights: Floats, why_none: str) -> None:
    """Refuse weights that leave no row, or that fixed point cannot hold side by side."""
    if not np.any(weights > 0):
        raise ValueError(f"There is no row to grow on: {why_none}.")
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not SMALLEST < total < LARGEST:
        raise ValueError(
            f"The weights (with class_weight) add up to {total:g}; scale them so that the sum is between "
            f"{SMALLEST:g} and {LARGEST:g}."
        )
    lightest = weights[weights > 0].min()
    if lightest < total * 2.0**-50:
        row = int(np.flatnonzero(weights == lightest)[0])
        raise ValueError(
            f"The weight of row {row} is {lightest:g} (with class_weight) beside a total of {total:g}: "
            "too light to count. Give it weight 0, or bring the weights closer together."
        )
