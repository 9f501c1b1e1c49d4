"""What the core is asked, from a table and settings: codes, fixed-point weights, scales of classes.

One tree and a forest ask the same; only who grows differs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.progress import Watcher
from treewright.growth import classes, fixed
from treewright.growth.binning import binned, unbinned
from treewright.growth.checks import (
    any_gap,
    check_features,
    check_target,
    check_total,
    warn_of_idle_settings,
)
from treewright.growth.filters import check_filtered, set_filters
from treewright.growth.outside import Scorer
from treewright.growth.setting import CRITERIA
from treewright.growth.settings import Settings
from treewright.table import NO_TERMS, ClassTerms, Column, Kind, Rows, Schema
from treewright.tree.losses import DEGREES
from treewright.tree.policy import GAPS

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Question:
    """All that growth needs besides who listens to its progress."""

    schema: Schema  # numbers may have become intervals
    target: Column
    about: dict[str, Any]
    rows: NDArray[np.bool_] | None  # which rows of the table count; None: all
    columns: list[_core.Column]  # of the rows that count, as are all of the following
    answers: NDArray[Any]  # class numbers, or the target in its fixed-point unit
    of_target: int  # what the core must know of it: the number of classes, or how far squares are shifted
    units: NDArray[np.int64]  # the fixed-point weights
    criterion: str
    core: _core.Settings
    scorer: Scorer | None  # the caller's own criterion
    exponent: int = 0  # of the target's unit: the core works on y / 2**exponent
    degree: int = 2  # of the scores in that unit; those of the caller's own criterion have it already
    loss_degree: int = 2  # of what nodes get wrong

    @property
    def is_classifier(self) -> bool:
        """True when the target has classes."""
        return not self.target.is_numeric

    def put_to(self, core: Callable[..., Any], *listener: Watcher | None) -> Any:
        """Return what a function or class of the core makes of the question; `listener`: if it takes one."""
        of_rows = self.columns, self.answers, self.of_target, self.units
        return core(*of_rows, self.criterion, self.core, self.scorer, *listener)

    def check_scores(self) -> None:
        """Once grown: refuse a criterion of the caller's that has scored nothing."""
        if self.scorer is not None:
            self.scorer.check()


def question_of(rows: Rows, settings: Settings, terms: ClassTerms = NO_TERMS, n_draws: int = 0) -> Question:
    """Return what the core is asked about rows.

    `n_draws` rows are drawn with replacement for each tree of a forest; 0: all rows count once.
    """
    rows = replace(rows, schema=unbinned(rows.schema, rows.columns))
    check_target(settings, rows, terms)
    check_features(settings, rows.schema, rows.columns)
    check_filtered(settings, rows.schema, rows.target)
    warn_of_idle_settings(settings, rows.schema)
    rows, counting = _counting(rows.weighing(counted_weights(rows, settings, terms.class_weight)), settings)
    schema, values = binned(rows.schema, rows.columns, rows.target, rows.answers, rows.weights, settings)
    columns = core_columns(schema, values, settings)
    core, units = _core_settings(settings, rows.weights, rows.n_rows, n_draws)
    target, about = rows.target, _about(settings, rows.is_classifier)
    if not rows.is_classifier:
        most = max(int(units.sum()), n_draws * int(units.max()))  # that a tree's rows can weigh
        y = _of_numbers(core, most, rows.answers, settings, schema)
        return Question(schema, target, about, counting, columns, units=units, core=core, **y)
    scales = classes.ClassScales(None, None, None)
    if not terms.without_weight().is_empty:
        totals = _class_totals(rows.answers, rows.weights, target)
        scales = classes.scales(terms.priors, terms.costs, target.categories, totals)
    core.class_scale, core.label_scale = _listed(scales.score), _listed(scales.label)
    core.costs = _listed(None if scales.costs is None else scales.costs.ravel())
    labels, n_classes = np.ascontiguousarray(rows.answers, dtype=np.int32), len(target.categories)
    name, scorer = _criterion(settings, is_classifier=True, schema=schema)
    core.impurity, core.is_monotone = name, core.is_monotone and n_classes == 2
    about |= _plain_scales(scales)
    return Question(schema, target, about, counting, columns, labels, n_classes, units, name, core, scorer)


def _counting(rows: Rows, settings: Settings) -> tuple[Rows, NDArray[np.bool_] | None]:
    """Return the rows that count, and which these are; None: all."""
    if rows.weights is None:
        return rows, None
    check_total(rows.weights, _why_no_row(settings))
    if np.all(rows.weights > 0):
        return rows, None
    counting = rows.weights > 0  # a row of weight 0 is no row: its values must not even place a cut
    return rows.take(counting), counting


def _plain_scales(scales: classes.ClassScales) -> dict[str, Any]:
    return {
        "class_scale": None if scales.label is None else scales.label.tolist(),
        "score_scale": None if scales.score is None else scales.score.tolist(),
        "costs": None if scales.costs is None else scales.costs.tolist(),
    }


def _of_numbers(
    core: _core.Settings,
    most_units: int,
    answers: NDArray[Any],
    settings: Settings,
    schema: Schema,
) -> dict[str, Any]:
    """Return what a question about numbers says of its target; `core` is put into the target's unit."""
    y = fixed.fixed_target(np.asarray(answers, dtype=np.float64), most_units)
    units_of_y = np.ldexp(1.0, [0, y.exponent, 2 * y.exponent])  # of weight, sum and sum of squares
    name, scorer = _criterion(settings, is_classifier=False, schema=schema, scale=units_of_y)
    core.y_unit = 2.0**-fixed.TARGET_BITS
    degree = 0 if scorer is not None else CRITERIA[name]["degree"]
    loss_degree = DEGREES[loss_for(name)]
    gain_scale, loss_scale = (float(np.ldexp(1.0, -n * y.exponent)) for n in (degree, loss_degree))
    core.min_gain *= gain_scale  # the core scores y / 2**exponent
    core.split_price *= gain_scale
    core.min_impurity *= float(np.ldexp(1.0, -2 * y.exponent))
    core.collapse_margin *= loss_scale
    return {
        "answers": y.units,
        "of_target": y.coarse_shift,
        "criterion": name,
        "scorer": scorer,
        "exponent": y.exponent,
        "degree": degree,
        "loss_degree": loss_degree,
    }


def unscale_stats(stats: Floats, exponent: int, loss_degree: int) -> None:
    """Give answers and losses, three numbers a node, the target's own unit again."""
    rows = stats.reshape(-1, 3)
    rows[:, 1] = np.ldexp(rows[:, 1], exponent)
    rows[:, 2] = np.ldexp(rows[:, 2], loss_degree * exponent)


def loss_for(criterion: Any) -> str:
    """Return how nodes that answer numbers are judged: by the loss of a criterion for numbers, else squared.

    >>> loss_for("squared_error"), loss_for(None)
    ('squared', 'squared')
    """
    declared = CRITERIA.get(criterion, {}) if isinstance(criterion, str) else {}
    return str(declared.get("loss", "squared"))


def counted_weights(rows: Rows, settings: Settings, class_weight: Any = None) -> Floats | None:
    """Return what each row counts: its weight times its class's, 0 where a policy drops it; None: all 1."""
    kept = _row_weights(rows, settings)
    if not rows.is_classifier or class_weight is None:
        return kept
    kept = np.ones(rows.n_rows) if kept is None else kept
    totals = _class_totals(rows.answers, kept, rows.target)
    factor = classes.class_weights(class_weight, rows.target.categories, totals)
    with np.errstate(over="ignore"):
        return np.asarray(kept * factor[rows.answers])


def _core_settings(
    settings: Settings, weights: Floats | None, n_rows: int, n_draws: int
) -> tuple[_core.Settings, NDArray[np.int64]]:
    core = settings.to_core()
    divides = GAPS[settings.missing].way == "divide"
    if weights is None and not divides:
        core.min_leaf_weight = settings.min_leaf_share * n_rows
        return core, np.ones(n_rows, dtype=np.int64)
    given = np.ones(n_rows) if weights is None else weights
    total = float(n_rows) if weights is None else math.fsum(weights)
    units, core.weight_unit = fixed.fixed_weights(given, divides, n_draws, total)
    core.min_leaf_weight = settings.min_leaf_share * total
    return core, units


def _criterion(
    settings: Settings, is_classifier: bool, schema: Schema, scale: Floats | float = 1.0
) -> tuple[str, Scorer | None]:
    criterion = settings.criterion_for(is_classifier)
    if isinstance(criterion, str):
        return criterion, None
    names = schema.names
    by_rank = [names[i] for i in tie_order(names, settings.ties)]
    return "outside", Scorer(criterion, str(settings.criterion_name), by_rank, scale)


def _class_totals(answers: NDArray[Any], weights: Floats | None, target: Column) -> Floats:
    if weights is None:
        return np.bincount(answers, minlength=len(target.categories)).astype(np.float64)
    # Exact sums, rounded once: they must depend neither on the order of the rows nor on where these lie.
    order = np.argsort(answers, kind="stable")
    starts = np.searchsorted(answers[order], np.arange(1, len(target.categories)))
    return np.array([math.fsum(some) for some in np.split(weights[order], starts)])


def _row_weights(rows: Rows, settings: Settings) -> Floats | None:
    """Return the weights, with rows that the policy drops at 0; None where all rows count one."""
    if not GAPS[settings.missing].drops_rows:
        return rows.weights
    gaps = any_gap(rows.schema, rows.columns, rows.n_rows)
    return np.where(gaps, 0.0, 1.0 if rows.weights is None else rows.weights)


def _why_no_row(settings: Settings) -> str:
    if GAPS[settings.missing].drops_rows:
        return f"every row has a missing value and missing={settings.missing!r} leaves them all out"
    return "all weights are 0"


# ---- to the core -------------------------------------------------------------------------

# Kind of category and settings.splits: the form of its test. Numbers are cut.
FORMS: dict[tuple[Kind, str], str] = {
    (Kind.ordinal, "binary"): "cut",
    (Kind.ordinal, "multiway"): "multiway",
    (Kind.ordinal, "one_vs_rest"): "cut",
    (Kind.nominal, "binary"): "subset",
    (Kind.nominal, "multiway"): "multiway",
    (Kind.nominal, "one_vs_rest"): "one_vs_rest",
    (Kind.ordinal, "linear"): "cut",
    (Kind.nominal, "linear"): "subset",
    (Kind.ordinal, "grouped"): "multiway",
    (Kind.nominal, "grouped"): "multiway",
    (Kind.boolean, "grouped"): "multiway",
    (Kind.boolean, "linear"): "subset",
    (Kind.ordinal, "conjunction"): "cut",
    (Kind.nominal, "conjunction"): "subset",
    (Kind.boolean, "conjunction"): "subset",
    (Kind.ordinal, "m_of_n"): "cut",
    (Kind.nominal, "m_of_n"): "subset",
    (Kind.boolean, "m_of_n"): "subset",
    (Kind.boolean, "binary"): "subset",
    (Kind.boolean, "multiway"): "multiway",
    (Kind.boolean, "one_vs_rest"): "one_vs_rest",
}


def tie_order(names: Sequence[str], ties: str) -> Sequence[int]:
    """Return the places of columns in the order that settles ties: by name, or as in the table.

    >>> list(tie_order(["b", "a"], "name")), list(tie_order(["b", "a"], "order"))
    ([1, 0], [0, 1])
    """
    places = range(len(names))
    return (
        sorted(places, key=lambda i: names[i].encode("utf-8", "surrogatepass")) if ties == "name" else places
    )


def core_columns(schema: Schema, values: Sequence[NDArray[Any]], settings: Settings) -> list[_core.Column]:
    """Return columns in the codes of a schema as the core takes them."""
    rank = {i: place for place, i in enumerate(tie_order(schema.names, settings.ties))}
    found = []
    for i, (column, column_values) in enumerate(zip(schema.columns, values, strict=True)):
        if column.is_numeric:
            found.append(_core.Column.of_numbers(as_numbers(column_values), rank[i]))
        else:
            codes = np.ascontiguousarray(column_values, dtype=np.int32)
            is_cut = column.name in (settings.monotone or ())  # in two, whatever the form of other tests
            form = "cut" if is_cut else FORMS[column.kind, settings.splits]
            found.append(_core.Column.of_codes(codes, len(column.categories), form, rank[i]))
    set_filters(found, settings, schema)
    return found


def as_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Return float32 and float64 as they are, in steps too; any other number as float64."""
    is_plain = values.dtype in (np.float32, np.float64) and values.strides[0] % values.itemsize == 0
    return values if is_plain else np.array(values, dtype=np.float64)


def _listed(array: Floats | None) -> list[float]:
    return [] if array is None else [float(x) for x in array]


def _about(settings: Settings, is_classifier: bool) -> dict[str, Any]:
    criterion = settings.criterion_for(is_classifier)
    name = criterion if isinstance(criterion, str) else settings.criterion_name
    loss = loss_for(name)
    return settings.to_dict() | {"criterion": name} | ({} if loss == "squared" else {"loss": loss})
