"""Linear classifiers: separability with a proof beside HiGHS without one, the widest margin beside libsvm."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from sklearn.svm import SVC

import treewright as tw
from benchmarks.compare import Outcome, compare
from benchmarks.report import Result

Floats = NDArray[np.float64]
Sides = NDArray[np.bool_]


@dataclass(frozen=True)
class Sizes:
    """Rows of 20 normal columns, and how often each job is done."""

    rows: int
    rounds: int
    is_full: bool = False


FULL = Sizes(rows=50_000, rounds=3, is_full=True)
QUICK = Sizes(rows=5_000, rounds=2)
COLUMNS = 20


def main(quick: bool) -> list[Result]:
    return run(QUICK if quick else FULL)


def run(sizes: Sizes) -> list[Result]:
    return [row(sizes) for row in ROWS]


def table(n_rows: int, noise: float) -> tuple[Floats, Sides]:
    """Return normal rows on the two sides of a plane: 0.05 away from it, or with noise across it."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2 * n_rows, COLUMNS))
    score = x @ rng.normal(size=COLUMNS)
    kept = np.flatnonzero(np.abs(score) > 0.05)[:n_rows]
    return x[kept], score[kept] + noise * rng.normal(size=len(kept)) > 0


# ---- separability -----------------------------------------------------------------------------------


def separable(sizes: Sizes) -> Result:
    return _separability("separability, yes, 20 columns", *table(sizes.rows, 0.0), sizes)


def inseparable(sizes: Sizes) -> Result:
    return _separability("separability, no, 20 columns", *table(sizes.rows, 0.5), sizes)


def _separability(job: str, x: Floats, y: Sides, sizes: Sizes) -> Result:
    def ours() -> Outcome:
        found = tw.LinearSeparator().fit(x, y).separations_[0]
        return lambda: f"{found.verdict}, {found.proof} proof"

    return compare(
        f"{job}, {len(x):,} rows",
        {"treewright": ours, "bare HiGHS": lambda: bare(x, y)},
        job=job,
        is_judged=sizes.is_full,
        rounds=sizes.rounds,
        notes=("HiGHS alone: y (w x + b) >= 1 by scipy's linprog, no objective, no certificate, no check.",),
    )


def bare(x: Floats, y: Sides) -> Outcome:
    """The feasibility form as one would type it."""
    signed = np.where(y, 1.0, -1.0)[:, None] * np.column_stack([x, np.ones(len(x))])
    found = linprog(
        np.zeros(COLUMNS + 1), A_ub=-signed, b_ub=-np.ones(len(x)), bounds=(None, None), method="highs"
    )
    return lambda: {0: "feasible", 2: "infeasible"}.get(found.status, found.message)


# ---- margins ----------------------------------------------------------------------------------------


def margin(sizes: Sizes) -> Result:
    """The hard margin: with bounds that prove it, beside libsvm with a large C."""
    x, y = table(sizes.rows // 10, 0.0)

    def ours() -> Outcome:
        found = tw.MaxMarginClassifier().fit(x, y)
        return lambda: f"margin {found.bounds_[0]:.9f} to {found.bounds_[1]:.9f}"

    def theirs() -> Outcome:
        model = SVC(kernel="linear", C=1e6).fit(x, y)
        kept = np.where(y, 1, -1) * model.decision_function(x)
        return lambda: f"margin {kept.min() / np.linalg.norm(model.coef_):.9f}"

    return compare(
        f"hard margin, 20 columns, {len(x):,} rows",
        {"treewright": ours, "scikit-learn": theirs},
        job="hard margin, 20 columns",
        is_judged=sizes.is_full,
        rounds=sizes.rounds,
        notes=("libsvm has no hard margin: C = 1,000,000, its own tolerance; its margin is measured here.",),
    )


# A new row is a function here.
ROWS: tuple[Callable[[Sizes], Result], ...] = (separable, inseparable, margin)
