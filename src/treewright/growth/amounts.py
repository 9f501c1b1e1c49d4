"""What rows come to that are never together in memory: sums and ends that merge, and a question from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.growth import classes, question
from treewright.growth.checks import check_features, check_target, check_total, warn_of_idle_settings
from treewright.growth.filters import check_filtered
from treewright.growth.fixed import units_of, weight_bits
from treewright.growth.question import Question, core_columns
from treewright.growth.settings import Settings
from treewright.table import NO_TERMS, ClassTerms, Column, Rows, Schema
from treewright.tree.policy import GAPS

_POINT = 1126  # bits behind the point: all numbers of 64 bits are whole numbers of this unit


def exact_sum(values: NDArray[np.float64]) -> int:
    """Return the exact sum of finite numbers in units of 2**-1126: such sums add up in any order.

    >>> exact_sum(np.array([0.1] * 10)) == 10 * exact_sum(np.array([0.1]))
    True
    """
    mantissa, exponent = np.frexp(values)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    total = 0
    for power in np.unique(exponent).tolist():
        some = whole[exponent == power]
        part = (int((some >> 26).sum()) << 26) + int((some & ((1 << 26) - 1)).sum())
        shift = power - 53 + _POINT  # below 0 the last digits are zeros
        total += part << shift if shift >= 0 else part >> -shift
    return total


def rounded(exact: int) -> float:
    """Return an exact sum as the nearest number.

    >>> rounded(exact_sum(np.array([0.1] * 10)))
    1.0
    """
    return float(Fraction(exact, 1 << _POINT))


@dataclass(frozen=True)
class Amounts:
    """Rows that count, their weights (of each class, exact; None: all 1) and the ends of a numeric target."""

    n_rows: int
    of_class: tuple[int, ...]  # rows, or exact weight; one entry for numbers
    is_weighted: bool = False
    is_whole: bool = True
    heaviest: float = 0.0
    lightest: float = np.inf
    least: float = np.inf
    greatest: float = -np.inf
    n_without: int = 0  # rows whose target is missing
    units: int | None = None  # all weight in fixed-point units, once these are settled

    @classmethod
    def of(cls, target: Column, answers: NDArray[Any], weights: NDArray[np.float64] | None) -> Amounts:
        """Return the amounts of rows in codes; rows of weight 0 do not count.

        >>> import treewright as tw
        >>> goal, answers = tw.example("tennis").column("PlayTennis")
        >>> Amounts.of(goal, answers, None).of_class
        (9, 5)
        """
        is_gap = np.isnan(answers) if target.is_numeric else answers < 0
        counting = ~is_gap if weights is None else ~is_gap & (weights > 0)
        some = answers[counting]
        n_classes = 1 if target.is_numeric else len(target.categories)
        place = np.zeros(len(some), dtype=np.intp) if target.is_numeric else some
        ends = (
            (float(some.min(initial=np.inf)), float(some.max(initial=-np.inf)))
            if target.is_numeric
            else (np.inf, -np.inf)
        )
        if weights is None:
            counts = np.bincount(place, minlength=n_classes).tolist()
            return cls(len(some), tuple(counts), least=ends[0], greatest=ends[1], n_without=int(is_gap.sum()))
        kept = weights[counting]
        return cls(
            len(some),
            tuple(exact_sum(kept[place == c]) for c in range(n_classes)),
            True,
            bool(np.array_equal(kept, np.rint(kept))),
            float(kept.max(initial=0.0)),
            float(kept.min(initial=np.inf)),
            *ends,
            int(is_gap.sum()),
        )

    def merged(self, other: Amounts) -> Amounts:
        """Return what both come to together."""
        return Amounts(
            self.n_rows + other.n_rows,
            tuple(a + b for a, b in zip(self.of_class, other.of_class, strict=True)),
            self.is_weighted or other.is_weighted,
            self.is_whole and other.is_whole,
            max(self.heaviest, other.heaviest),
            min(self.lightest, other.lightest),
            min(self.least, other.least),
            max(self.greatest, other.greatest),
            self.n_without + other.n_without,
            None if self.units is None or other.units is None else self.units + other.units,
        )

    @property
    def weight(self) -> float:
        """All weight."""
        return rounded(sum(self.of_class)) if self.is_weighted else float(sum(self.of_class))

    @property
    def totals(self) -> NDArray[np.float64]:
        """The weight of each class."""
        return np.array([rounded(exact) if self.is_weighted else float(exact) for exact in self.of_class])

    def with_class_weight(self, factor: NDArray[np.float64]) -> Amounts:
        """Return the amounts of rows that count 1 each, once each counts what its class does."""
        assert not self.is_weighted
        present = np.array(self.of_class) > 0
        used = factor[present & (factor > 0)]
        exact = tuple(
            n * exact_sum(np.array([w])) for n, w in zip(self.of_class, factor.tolist(), strict=True)
        )
        n_rows = sum(n for n, w in zip(self.of_class, factor.tolist(), strict=True) if w > 0)
        return replace(
            self,
            n_rows=n_rows,
            of_class=exact,
            is_weighted=True,
            is_whole=bool(np.array_equal(used, np.rint(used))),
            heaviest=float(used.max(initial=0.0)),
            lightest=float(used.min(initial=np.inf)),
        )

    def bits(self, settings: Settings, n_draws: int = 0) -> int:
        """Return how many bits behind the point weights are kept with; `n_draws` of rows find room."""
        divides = GAPS[settings.missing].way == "divide"
        if not self.is_weighted and not divides:
            return 0
        heaviest = self.heaviest if self.is_weighted else 1.0
        return weight_bits(max(self.weight, n_draws * heaviest), divides, self.is_whole)

    def most_units(self, bits: int, n_draws: int) -> int:
        """Return the most units that all rows of a tree may weigh, whichever are drawn."""
        units = self.units if self.units is not None else int(np.ldexp(self.weight, bits))
        heaviest = units_of(np.array([self.heaviest if self.is_weighted else 1.0]), bits)
        return max(units, n_draws * int(heaviest[0]))


def question_from(
    schema: Schema,
    target: Column,
    amounts: Amounts,
    has_gaps: Sequence[bool],
    settings: Settings,
    terms: ClassTerms = NO_TERMS,
    n_draws: int = 0,
) -> Question:
    """Return what is asked of rows that come to these amounts: the question of them all, without its rows.

    `terms` without a class weight, which the amounts have in them. The answer is that of `question_of`.
    """
    _check(schema, target, amounts, has_gaps, settings, terms)
    bits = amounts.bits(settings, n_draws)
    core = settings.to_core()
    core.weight_unit = 2.0**-bits
    core.min_leaf_weight = settings.min_leaf_share * amounts.weight
    about = question._about(settings, not target.is_numeric)
    columns = core_columns(schema, [_no_rows(column) for column in schema.columns], settings)
    nothing = np.zeros(0, dtype=np.int64)
    if target.is_numeric:
        most = np.array([max(abs(amounts.least), abs(amounts.greatest))])
        y = question._of_numbers(core, amounts.most_units(bits, n_draws), most, settings, schema)
        y["answers"] = nothing
        return Question(schema, target, about, None, columns, units=nothing, core=core, **y)
    scales = classes.ClassScales(None, None, None)
    if not terms.without_weight().is_empty:
        scales = classes.scales(terms.priors, terms.costs, target.categories, amounts.totals)
    core.class_scale, core.label_scale = question._listed(scales.score), question._listed(scales.label)
    core.costs = question._listed(None if scales.costs is None else scales.costs.ravel())
    n_classes = len(target.categories)
    name, scorer = question._criterion(settings, is_classifier=True, schema=schema)
    core.impurity, core.is_monotone = name, core.is_monotone and n_classes == 2
    about |= question._plain_scales(scales)
    labels = np.zeros(0, dtype=np.int32)
    return Question(schema, target, about, None, columns, labels, n_classes, nothing, name, core, scorer)


def _check(
    schema: Schema,
    target: Column,
    amounts: Amounts,
    has_gaps: Sequence[bool],
    settings: Settings,
    terms: ClassTerms,
) -> None:
    """Refuse what growth in memory refuses, by a few rows that stand for all."""
    n_all = amounts.n_rows + amounts.n_without
    if amounts.n_without:
        raise ValueError(
            f"Column {target.name!r} is the target and is missing in {amounts.n_without} of {n_all} rows; "
            "leave those rows out first."
        )
    if not amounts.n_rows:
        raise ValueError(f"There is no row to grow on: {question._why_no_row(settings)}.")
    if target.is_numeric:
        answers: NDArray[Any] = np.array([amounts.least, amounts.greatest])
    else:
        answers = np.flatnonzero(np.array(amounts.of_class)).astype(np.int32)
    values = tuple(
        _stand_in(column, gaps, len(answers)) for column, gaps in zip(schema.columns, has_gaps, strict=True)
    )
    rows = Rows(schema, values, target, answers)
    check_target(settings, rows, terms)
    check_features(settings, schema, values)
    check_filtered(settings, schema, target)
    warn_of_idle_settings(settings, schema)
    if settings.discretise is not None:
        raise ValueError("discretise=... needs all rows in memory; bin the table first, or grow in memory.")
    if amounts.is_weighted:
        check_total(
            np.array([amounts.lightest, max(amounts.weight - amounts.lightest, amounts.heaviest)]), ""
        )


def _stand_in(column: Column, has_gaps: bool, n: int) -> NDArray[Any]:
    values = np.zeros(n, dtype=np.float64 if column.is_numeric else np.int32)
    if has_gaps:
        values[0] = np.nan if column.is_numeric else -1
    return values


def _no_rows(column: Column) -> NDArray[Any]:
    return np.zeros(0, dtype=np.float64 if column.is_numeric else np.int32)


def units_for(weights: NDArray[np.float64] | None, n_rows: int, bits: int) -> NDArray[np.int64]:
    """Return the weights of some rows in the unit of all; None: each counts 1."""
    return units_of(np.ones(n_rows) if weights is None else weights, bits)
