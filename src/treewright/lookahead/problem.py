"""What the search is asked: every column in codes with the tests that it may be put, what leaves cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.advice import ask, refusal
from treewright.growth.question import FORMS, Question, question_of, tie_order
from treewright.growth.settings import Settings
from treewright.table import ClassTerms, Column, Rows
from treewright.tree.policy import GAPS

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

MOST_LEVELS = 8  # of a column whose subsets are all tried; above, one category against the rest

# Criterion: the core's word for what a leaf costs, and its degree in the unit of the target.
LOSSES = {
    "error": ("error", 0),
    "gini": ("gini", 0),
    "entropy": ("entropy", 0),
    "hellinger": ("hellinger", 0),
    "squared_error": ("squared", 2),
    "poisson": ("poisson", 1),
    "gaussian_entropy": ("gaussian", 0),
}
_REASONS = {
    "gain_ratio": "a ratio is no sum over leaves",
    "twoing": "it compares two branches and is no sum over leaves",
    "absolute_error": "medians do not add up; the search needs costs that do",
}


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as the search sees it: ranks or categories from 0 up, -1 missing, and its tests."""

    form: str  # "cut", "sets" or "each"
    codes: Ints
    values: NDArray[Any]  # what each code stands for: numbers, or the codes of categories
    sets: list[list[int]]  # categories on the left

    def to_core(self) -> tuple[str, Ints, int, list[list[int]]]:
        """Return the column as the core takes it."""
        return self.form, self.codes, len(self.values), self.sets


@dataclass(frozen=True, eq=False)
class Asked:
    """A problem: rows that count, their question to growth, coded columns, and the solver of the core."""

    question: Question
    settings: Settings
    columns: tuple[NDArray[Any], ...]  # as in the table, of rows that count
    coded: tuple[Coded, ...]
    order: tuple[int, ...]  # of columns in the search: ties go to the first
    solver: _core.OptimalSolver
    weights: Floats  # as the objective counts them
    unit: float  # of costs: those of the core times this are in the target's unit
    leaf_price: float

    @property
    def n_rows(self) -> int:
        """The number of rows that count."""
        return len(self.weights)

    def cost(self, rows: Ints) -> float:
        """Return what rows cost as one leaf, without its price."""
        found = self.solver.best(rows, 0, 1, np.inf, None)
        return float(found["upper"]) * self.unit - self.leaf_price


def settings_for(
    criterion: str | None, splits: str, missing: str, max_depth: int | None, max_leaves: int | None
) -> Settings:
    """Return the settings of the trees that are compared, checked.

    >>> settings_for("error", "binary", "learned", 3, None).max_depth
    3
    """
    if criterion is not None and criterion in _REASONS:
        raise refusal(
            "An optimal tree needs a cost that is summed over leaves: ",
            ask("criterion", criterion),
            f" cannot be used, for {_REASONS[criterion]}. Use ",
            ask("criterion", *LOSSES),
            ".",
        )
    if max_depth is None:
        raise refusal(
            "An optimal tree needs a depth, such as ", ask("max_depth", 3), ": all trees are searched."
        )
    if splits == "linear":
        raise refusal("An optimal tree asks one column at a time; leave out ", ask("splits", "linear"), ".")
    given: dict[str, Any] = {"criterion": criterion, "splits": splits, "missing": missing}
    settings = Settings.of("plain", **given, max_depth=max_depth, max_leaves=max_leaves)
    if GAPS[settings.missing].way not in ("branch", "refuse", "stop") or GAPS[settings.missing].is_value:
        raise refusal(
            ask("missing", missing),
            " does not send a row down one branch that the search may choose. Use ",
            ask("missing", "learned", "own_branch", "drop", "error"),
            ".",
        )
    return settings


def problem_of(
    rows: Rows,
    settings: Settings,
    terms: ClassTerms,
    leaf_price: float,
    memory: int,
    more_sets: Sequence[tuple[int, tuple[int, ...]]] = (),
) -> Asked:
    """Return the problem; `more_sets` are pairs of a column and categories whose test is tried besides."""
    question = question_of(rows, settings, terms)
    counting = slice(None) if question.rows is None else question.rows
    columns = tuple(column[counting] for column in rows.columns)
    schema = question.schema
    coded = tuple(
        _coded(column, values, FORMS.get((column.kind, settings.splits), "cut"))
        for column, values in zip(schema.columns, columns, strict=True)
    )
    for place, chosen in more_sets:
        if list(chosen) not in coded[place].sets:
            coded[place].sets.append(list(chosen))
    weights, cost = _class_weights(question) if question.is_classifier else (_weights(question), np.zeros(0))
    loss, degree = LOSSES[question.criterion]
    values = np.zeros(0) if question.is_classifier else _numbers(rows.answers[counting], weights, question)
    unit = 1.0 if question.is_classifier else float(np.ldexp(1.0, degree * question.exponent))
    order = tuple(tie_order(schema.names, settings.ties))
    solver = _core.OptimalSolver(
        [coded[i].to_core() for i in order],
        "own_branch" if settings.missing == "own_branch" else "any_branch",
        loss,
        question.answers if question.is_classifier else np.zeros(0, dtype=np.int32),
        question.of_target if question.is_classifier else 0,
        cost,
        values,
        weights,
        leaf_price / unit,
        memory,
    )
    return Asked(question, settings, columns, coded, order, solver, weights, unit, leaf_price)


def _coded(column: Column, values: NDArray[Any], form: str) -> Coded:
    if column.is_numeric:
        codes, found = _core.rank_values(np.ascontiguousarray(values, dtype=np.float64))
        return Coded("cut", codes, found, [])
    codes = np.ascontiguousarray(values, dtype=np.int32)
    present = np.unique(codes[codes >= 0])
    every = np.arange(len(column.categories))
    if form == "cut":
        return Coded("cut", codes, every, [])
    if form == "multiway":
        return Coded("each", codes, every, [])
    return Coded("sets", codes, every, category_sets(present.tolist(), form == "subset"))


def category_sets(present: Sequence[int], takes_subsets: bool) -> list[list[int]]:
    """Return the categories on the left of every two-way test: each subset once, or each category alone.

    >>> category_sets([0, 1, 2], takes_subsets=True), category_sets([0, 1], takes_subsets=False)
    ([[0], [1], [2]], [[0]])
    >>> len(category_sets(range(8), True)), len(category_sets(range(9), True))
    (127, 9)
    """
    n = len(present)
    if n < 2:
        return []
    if n == 2:
        return [[present[0]]]
    found = [[code] for code in present]
    if takes_subsets and n <= MOST_LEVELS:
        for size in range(2, n // 2 + 1):
            some = [list(chosen) for chosen in combinations(present, size)]
            found += some if 2 * size < n else [chosen for chosen in some if present[0] in chosen]
    return found


def _weights(question: Question) -> Floats:
    return np.ascontiguousarray(question.units * question.core.weight_unit, dtype=np.float64)


def _class_weights(question: Question) -> tuple[Floats, Floats]:
    """Return what rows weigh and what mistakes cost; none: all the same."""
    is_error = question.criterion == "error"
    scale = question.about["class_scale" if is_error else "score_scale"]
    weights = _weights(question)
    if scale is not None:
        weights = weights * np.asarray(scale)[question.answers]
    costs = question.about["costs"] if is_error else None
    if costs is None:
        return weights, np.zeros(0)
    matrix = np.asarray(costs, dtype=np.float64)
    if len(matrix) == 2:  # one mistake for each class: its price is a weight
        return weights * matrix.sum(axis=1)[question.answers], np.zeros(0)
    return weights, matrix.ravel()


def _numbers(answers: NDArray[Any], weights: Floats, question: Question) -> Floats:
    """Return the target below 1, about its mean unless the loss asks for the numbers themselves."""
    y = np.ldexp(np.asarray(answers, dtype=np.float64), -question.exponent)
    if question.criterion != "poisson":
        return np.asarray(y - np.average(y, weights=weights))
    if np.any(y == 0):
        raise refusal(
            "An optimal tree by ",
            ask("criterion", "poisson"),
            " needs numbers above 0: a leaf whose sum is 0 has no likelihood. Use ",
            ask("criterion", "squared_error"),
            ".",
        )
    return np.asarray(y)
