"""What a search for trees is asked: every column in codes with the tests it may be put, what leaves cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.advice import ask, refusal
from treewright.growth.question import FORMS, Question, question_of, tie_order
from treewright.growth.settings import Settings
from treewright.table import ClassTerms, Column, Rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

MEMORY = 1 << 27  # bytes for sub-problems that are remembered
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
    "absolute_error": ("absolute", 1),
}
LOSS_OF_RATIOS = {"gain_ratio": "entropy"}  # a ratio is no sum over leaves: the gain it divides is

# What becomes of a row without a value, by policy, in the words of the core; else it may take any branch.
GAP_WAYS = {
    "own_branch": "own_branch",
    "surrogate": "heavier",  # surrogates are found for tests that stay, not for all that are tried
    "most_common": "common",
    "fractional": "divided",
}
DIVIDED = "divided"


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as the search sees it: ranks or categories from 0 up, -1 missing, and its tests."""

    form: str  # "cut", "sets" or "each"
    codes: Ints
    values: NDArray[Any]  # what each code stands for: numbers, or the codes of categories
    sets: list[list[int]]  # categories on the left
    is_number: bool = False

    def to_core(self) -> tuple[str, Ints, int, list[list[int]], bool]:
        """Return the column as the core takes it."""
        return self.form, self.codes, len(self.values), self.sets, self.is_number


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
    numbers: Floats  # the target as the solver sees it; none of classes
    labels: Ints  # the classes; none of numbers
    mass: Floats  # what rows weigh when branches are compared
    told: tuple[Any, ...]  # what else the solver is told: of the loss, and of the search
    unit: float  # of costs: those of the core times this are in the target's unit
    leaf_price: float

    @property
    def n_rows(self) -> int:
        """The number of rows that count."""
        return len(self.weights)

    def cost(self, rows: Ints) -> float:
        """Return what rows cost as one leaf, without its price."""
        return self.solver.leaf(rows) * self.unit

    @property
    def divides(self) -> bool:
        """True when rows may be at a node in part."""
        return self.gap_way == DIVIDED

    @property
    def gap_way(self) -> str:
        """What becomes of rows without a value."""
        return GAP_WAYS.get(self.settings.missing, "any_branch")

    @property
    def mass_step(self) -> float:
        """What masses have been rounded to; 0: they are as they were given."""
        unit = self.question.core.weight_unit
        return 0.0 if unit == 1 else float(unit)

    def of_part(self, rows: Ints, units: NDArray[np.int64]) -> Asked:
        """Return the same problem for some rows that weigh so much there."""
        share = units / self.question.units[rows]
        part = replace(
            self,
            coded=tuple(replace(coded, codes=coded.codes[rows]) for coded in self.coded),
            weights=self.weights[rows] * share,
            numbers=self.numbers[rows] if len(self.numbers) else self.numbers,
            labels=self.labels[rows] if len(self.labels) else self.labels,
            mass=self.mass[rows] * share,
        )
        return replace(part, solver=_solver(part))


def problem_of(rows: Rows, settings: Settings, terms: ClassTerms, *search: Any, **more: Any) -> Asked:
    """Return the problem for coded rows; what follows them is what `problem_of_question` takes besides."""
    return problem_of_question(question_of(rows, settings, terms), rows, settings, *search, **more)


def problem_of_question(
    question: Question,
    rows: Rows,
    settings: Settings,
    leaf_price: float = 0.0,
    memory: int = MEMORY,
    more_sets: Sequence[tuple[int, tuple[int, ...]]] = (),
    keeps_twins: bool = False,
    most_solved: int | None = None,
) -> Asked:
    """Return the problem that belongs to a question; `more_sets` are tests of categories that are tried too.

    Such a test is a column and the categories on the left. With `keeps_twins` tests of two columns that
    divide all rows alike are both tried. A search ends after `most_solved` sub-problems.
    """
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
    loss, degree = LOSSES[LOSS_OF_RATIOS.get(question.criterion, question.criterion)]
    values = np.zeros(0) if question.is_classifier else _numbers(rows.answers[counting], weights, question)
    unit = 1.0 if question.is_classifier else float(np.ldexp(1.0, degree * question.exponent))
    has_rule = GAP_WAYS.get(settings.missing) in ("heavier", "common")
    asked = Asked(
        question,
        settings,
        columns,
        coded,
        tuple(tie_order(schema.names, settings.ties)),
        solver=None,  # type: ignore[arg-type]  # made of the rest
        weights=weights,
        numbers=values,
        labels=question.answers if question.is_classifier else np.zeros(0, dtype=np.int32),
        mass=_weights(question),
        told=(loss, cost, memory, most_solved or 0, keeps_twins or has_rule),
        unit=unit,
        leaf_price=leaf_price,
    )
    return replace(asked, solver=_solver(asked))


def _solver(asked: Asked) -> _core.OptimalSolver:
    question, settings = asked.question, asked.settings
    loss, cost, memory, most_solved, keeps_twins = asked.told
    min_leaf, min_split = _least_sizes(settings, len(question.units))
    return _core.OptimalSolver(
        [asked.coded[i].to_core() for i in asked.order],
        asked.gap_way,
        loss,
        asked.labels,
        question.of_target if question.is_classifier else 0,
        cost,
        asked.numbers,
        asked.weights,
        asked.leaf_price / asked.unit,
        memory,
        most_solved,
        keeps_twins,
        math.ceil(min_leaf),
        math.ceil(min_split),
        asked.mass,
        asked.mass_step,
        min_leaf,
        min_split,
    )


def _least_sizes(settings: Settings, n_rows: int) -> tuple[float, float]:
    """Return how many rows a branch must have, and a node that is split; weights, where rows are divided."""
    least = max(settings.min_leaf, settings.min_branch, settings.min_leaf_share * n_rows * (1 - 1e-9))
    split = 2 * settings.min_branch if settings.min_split is None else settings.min_split
    return float(least), float(split)


def _coded(column: Column, values: NDArray[Any], form: str) -> Coded:
    if column.is_numeric:
        codes, found = _core.rank_values(np.ascontiguousarray(values, dtype=np.float64))
        return Coded("cut", codes, found, [], is_number=True)
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
            "A search for trees by ",
            ask("criterion", "poisson"),
            " needs numbers above 0: a leaf whose sum is 0 has no likelihood. Use ",
            ask("criterion", "squared_error"),
            ".",
        )
    return np.asarray(y)
