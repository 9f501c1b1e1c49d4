"""Growing one tree: code the table once, let the core grow, give the arrays their names."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.grow import classes, fixed, ledger
from treewright.grow.binning import binned, unbinned
from treewright.grow.checks import any_gap, check_features, check_target, check_total, check_weights
from treewright.grow.progress import Watcher, watched_by, watcher
from treewright.grow.settings import Settings
from treewright.table import Column, Kind, Schema, Table
from treewright.tree import Tree

Floats = NDArray[np.float64]


def grow(
    table: Table,
    target: str,
    recipe: str = "plain",
    *,
    weights: Any = None,
    class_weight: Any = None,
    priors: Any = None,
    costs: Any = None,
    progress: Watcher | None = None,
    **settings: Any,
) -> Tree:
    """Return the tree that a recipe grows on a table, before any pruning (`tw.grow` grows and prunes).

    `recipe` is "plain", "id3", "c4.5", "cart" or "stump"; any setting of it can be given by name
    (`criterion`, `splits`, `missing`, `max_depth`, `min_leaf`, ...: see `treewright.grow.Settings`).
    `weights` is one number per row or the name of a column; `class_weight` ("balanced" or by class),
    `priors` and `costs` (row = true class) are by class name or in class order. `progress` is called now and
    then with the share of rows that have reached their leaf.

    >>> import treewright as tw
    >>> from treewright.grow import grow
    >>> grow(tw.example("tennis"), target="PlayTennis", recipe="c4.5").n_leaves
    6
    """
    if not isinstance(table, Table):
        raise TypeError(
            f"grow takes a treewright.Table, not {type(table).__name__}; make one with tw.Table.from_frame"
        )
    if settings.get("prune") not in (None, "none"):
        raise ValueError(f"prune={settings['prune']!r}: this only grows; tw.grow grows and prunes.")
    chosen = Settings.of(recipe, **settings)
    goal, answers = table.column(target)
    row_weights, features = read_weights(table, target, weights)
    with watched_by(progress or watcher()):
        return grow_columns(
            features.schema,
            features.values,
            goal,
            answers,
            chosen,
            weights=row_weights,
            class_weight=class_weight,
            priors=priors,
            costs=costs,
        )


def grow_columns(
    schema: Schema,
    values: tuple[NDArray[Any], ...],
    target: Column,
    answers: NDArray[Any],
    settings: Settings,
    *,
    weights: Floats | None = None,
    class_weight: Any = None,
    priors: Any = None,
    costs: Any = None,
) -> Tree:
    """Return the tree for coded columns and a coded target: what `grow` and the estimators share."""
    is_classifier = target.kind != Kind.numeric
    schema = unbinned(schema, values)
    check_target(settings, target, answers, class_weight, priors, costs)
    check_features(settings, schema, values)
    kept = counted_weights(schema, values, target, answers, settings, weights, class_weight)
    if kept is not None:
        check_total(kept, _why_no_row(settings))
        if not np.all(kept > 0):  # a row of weight 0 is no row: its values must not even place a cut
            rows = kept > 0
            kept, answers, values = kept[rows], answers[rows], tuple(column[rows] for column in values)
    schema, values = binned(schema, values, target, answers, kept, settings)
    about = _about(settings, settings.criterion_for(is_classifier))
    columns = _core_columns(schema, values, settings)
    if is_classifier:
        scales = classes.ClassScales(None, None, None)
        if priors is not None or costs is not None:
            totals = _class_totals(answers, kept, target)
            scales = classes.scales(priors, costs, target.categories, totals)
        arrays = _grow_classes(columns, target, answers, kept, settings, scales)
        about["class_scale"] = None if scales.label is None else scales.label.tolist()
        about["score_scale"] = None if scales.score is None else scales.score.tolist()
        about["costs"] = None if scales.costs is None else scales.costs.tolist()
    else:
        arrays = _grow_numbers(columns, answers, kept, settings)
    if (listener := watcher()) is not None:
        listener(1.0)
    about["gaps"] = [name for name, has_gaps in zip(schema.names, arrays["gaps"], strict=True) if has_gaps]
    return _tree(arrays, schema, target, about, settings.ledger)


def counted_weights(
    schema: Schema,
    values: tuple[NDArray[Any], ...],
    target: Column,
    answers: NDArray[Any],
    settings: Settings,
    weights: Floats | None,
    class_weight: Any,
) -> Floats | None:
    """Return what each row counts: its weight times its class's, 0 where a policy drops it; None: all 1."""
    kept = _row_weights(schema, values, settings, weights)
    if target.kind == Kind.numeric or class_weight is None:
        return kept
    kept = np.ones(len(answers)) if kept is None else kept
    factor = classes.class_weights(class_weight, target.categories, _class_totals(answers, kept, target))
    with np.errstate(over="ignore"):
        return np.asarray(kept * factor[answers])


def _grow_classes(
    columns: list[_core.Column],
    target: Column,
    answers: NDArray[Any],
    weights: Floats | None,
    settings: Settings,
    scales: classes.ClassScales,
) -> dict[str, Any]:
    core, units = _core_settings(settings, weights, len(answers))
    core.class_scale, core.label_scale = _listed(scales.score), _listed(scales.label)
    core.costs = _listed(None if scales.costs is None else scales.costs.ravel())
    labels = np.ascontiguousarray(answers, dtype=np.int32)
    name, outside = _criterion(settings, is_classifier=True)
    return _core.grow_classes(columns, labels, len(target.categories), units, name, core, outside, watcher())


def _grow_numbers(
    columns: list[_core.Column], answers: NDArray[Any], weights: Floats | None, settings: Settings
) -> dict[str, Any]:
    core, units = _core_settings(settings, weights, len(answers))
    y = fixed.fixed_target(np.asarray(answers, dtype=np.float64), int(units.sum()))
    units_of_y = np.ldexp(1.0, [0, y.exponent, 2 * y.exponent])  # of weight, sum and sum of squares
    name, outside = _criterion(settings, is_classifier=False, scale=units_of_y)
    core.y_unit = 2.0**-fixed.TARGET_BITS
    scale = 0.25**y.exponent  # the core scores y / 2**exponent
    if outside is None:
        core.min_gain *= scale
    core.collapse_margin *= scale
    arrays = _core.grow_numbers(columns, y.units, y.coarse_shift, units, name, core, outside, watcher())
    _unscale(arrays, y.exponent, is_outside=outside is not None)
    return arrays


def _core_settings(
    settings: Settings, weights: Floats | None, n_rows: int
) -> tuple[_core.Settings, NDArray[np.int64]]:
    core = settings.to_core()
    divides = settings.missing == "fractional"
    if weights is None and not divides:
        core.min_leaf_weight = settings.min_leaf_share * n_rows
        return core, np.ones(n_rows, dtype=np.int64)
    given = np.ones(n_rows) if weights is None else weights
    units, core.weight_unit = fixed.fixed_weights(given, divides)
    core.min_leaf_weight = settings.min_leaf_share * math.fsum(given)
    return core, units


def _criterion(
    settings: Settings, is_classifier: bool, scale: Floats | float = 1.0
) -> tuple[str, Callable[[Any, Any], Floats] | None]:
    criterion = settings.criterion_for(is_classifier)
    return (criterion, None) if isinstance(criterion, str) else ("outside", _scorer(criterion, scale))


def _class_totals(answers: NDArray[Any], weights: Floats | None, target: Column) -> Floats:
    if weights is None:
        return np.bincount(answers, minlength=len(target.categories)).astype(np.float64)
    # Added up in the order of their size: the sum must not depend on the order of the rows.
    order = np.argsort(weights, kind="stable")
    totals = np.bincount(answers[order], weights[order], len(target.categories))
    return np.asarray(totals, dtype=np.float64)


def _row_weights(
    schema: Schema, values: tuple[NDArray[Any], ...], settings: Settings, weights: Floats | None
) -> Floats | None:
    """Return the weights, with rows that the policy drops at 0; None where all rows count one."""
    if settings.missing != "drop":
        return weights
    gaps = any_gap(schema, values, len(values[0]) if values else 0)
    return np.where(gaps, 0.0, 1.0 if weights is None else weights)


def _why_no_row(settings: Settings) -> str:
    if settings.missing == "drop":
        return "every row has a missing value and missing='drop' leaves them all out"
    return "all weights are 0"


def read_weights(table: Table, target: str, weights: Any) -> tuple[Floats | None, Table]:
    """Return the row weights, and the table of features without target and weights."""
    if weights is None:
        return None, table.drop([target])
    if isinstance(weights, str):
        column, values = table.column(weights)
        if column.kind != Kind.numeric:
            raise ValueError(
                f"Column {weights!r} holds the weights but is {column.kind}; weights must be numbers."
            )
        return check_weights(values, table.n_rows), table.drop([target, weights])
    return check_weights(weights, table.n_rows), table.drop([target])


# ---- to the core and back -------------------------------------------------------------------------

# Kind of category and settings.splits: the form of its test. Numbers are cut.
FORMS: dict[tuple[Kind, str], str] = {
    (Kind.ordinal, "binary"): "cut",
    (Kind.ordinal, "multiway"): "multiway",
    (Kind.ordinal, "one_vs_rest"): "cut",
    (Kind.nominal, "binary"): "subset",
    (Kind.nominal, "multiway"): "multiway",
    (Kind.nominal, "one_vs_rest"): "one_vs_rest",
    (Kind.boolean, "binary"): "subset",
    (Kind.boolean, "multiway"): "multiway",
    (Kind.boolean, "one_vs_rest"): "one_vs_rest",
}


def _core_columns(schema: Schema, values: tuple[NDArray[Any], ...], settings: Settings) -> list[_core.Column]:
    names = schema.names
    order = (
        sorted(range(len(names)), key=lambda i: names[i].encode())
        if settings.ties == "name"
        else range(len(names))
    )
    rank = {i: place for place, i in enumerate(order)}
    found = []
    for i, (column, column_values) in enumerate(zip(schema.columns, values, strict=True)):
        if column.kind == Kind.numeric:
            found.append(_core.Column.of_numbers(_as_numbers(column_values), rank[i]))
        else:
            codes = np.ascontiguousarray(column_values, dtype=np.int32)
            form = FORMS[column.kind, settings.splits]
            found.append(_core.Column.of_codes(codes, len(column.categories), form, rank[i]))
    return found


def _as_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Return float32 and float64 as they are, in steps too; any other number as float64."""
    is_plain = values.dtype in (np.float32, np.float64) and values.strides[0] % values.itemsize == 0
    return values if is_plain else np.array(values, dtype=np.float64)


def _scorer(criterion: Callable[[Any, Any], Any], scale: Floats | float) -> Callable[[Any, Any], Floats]:
    def score(left: Floats, right: Floats) -> Floats:
        scores = np.asarray(criterion(left * scale, right * scale), dtype=np.float64)
        return np.ascontiguousarray(scores.reshape(-1))

    return score


def _listed(array: Floats | None) -> list[float]:
    return [] if array is None else [float(x) for x in array]


def _unscale(arrays: dict[str, Any], exponent: int, is_outside: bool) -> None:
    """Give means and squared errors the target's own unit again; the core works on |y| < 1."""
    stats = arrays["stats"].reshape(-1, 3)
    stats[:, 1] = np.ldexp(stats[:, 1], exponent)
    stats[:, 2] = np.ldexp(stats[:, 2], 2 * exponent)
    if not is_outside:
        for name in ("score", "gain", "ledger_score", "ledger_gain"):
            arrays[name] = np.ldexp(arrays[name], 2 * exponent)


def _about(settings: Settings, criterion: Any) -> dict[str, Any]:
    name = criterion if isinstance(criterion, str) else settings.criterion_name
    return settings.to_dict() | {"criterion": name}


def _tree(
    arrays: Mapping[str, Any], schema: Schema, target: Column, about: dict[str, Any], keeps_ledger: bool
) -> Tree:
    fields = {k: v for k, v in arrays.items() if not k.startswith("ledger_") and k not in ("n_stats", "gaps")}
    arrays["stats"].setflags(write=False)
    fields["stats"] = arrays["stats"].reshape(-1, arrays["n_stats"])
    for name in ("exact", "surrogate_flip"):
        fields[name] = arrays[name].astype(bool)
    records = ledger.records(arrays, schema) if keeps_ledger else None
    return Tree.of_growth(schema=schema, target=target, about=about, ledger=records, **fields)
