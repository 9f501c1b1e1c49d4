"""Linear classifiers beside their peers: separability with a proof, widest margin, logistic regression."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from sklearn.linear_model import LogisticRegression
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


# ---- logistic regression ----------------------------------------------------------------------------


def logistic_normal(sizes: Sizes) -> Result:
    """Independent columns of one size, the best case of L-BFGS."""
    return _logistic("logistic regression, independent columns", logistic_table(sizes, is_tied=False), sizes)


def logistic_tied(sizes: Sizes) -> Result:
    """Columns of different units that hang together, as tables have them."""
    return _logistic("logistic regression, tied columns", logistic_table(sizes, is_tied=True), sizes)


def logistic_table(sizes: Sizes, is_tied: bool) -> tuple[Floats, Sides]:
    """Return 200,000 rows of 50 columns (a tenth when quick) and classes drawn from a logistic model."""
    rng = np.random.default_rng(0)
    n_rows, n_columns = 4 * sizes.rows, 50
    x = rng.normal(size=(n_rows, n_columns))
    if is_tied:
        for j in range(1, n_columns):
            x[:, j] = 0.7 * x[:, j - 1] + 0.7 * x[:, j]
        x = x * 10.0 ** rng.uniform(-0.5, 0.5, n_columns) + rng.normal(size=n_columns)
    score = (x - x.mean(axis=0)) / x.std(axis=0) @ rng.normal(size=n_columns) / 5
    return x, score + rng.logistic(size=n_rows) > 0


def _logistic(job: str, data: tuple[Floats, Sides], sizes: Sizes) -> Result:
    x, y = data

    def told(model: object) -> Outcome:
        coef, intercept = model.coef_[0], model.intercept_[0]  # type: ignore[attr-defined]
        away = 1 / (1 + np.exp(-(x @ coef + intercept))) - y
        steep = np.abs(np.append(away @ x, away.sum())).max() / len(x)
        return lambda: f"gradient {steep:.1e}, {int(np.max(model.n_iter_))} steps"  # type: ignore[attr-defined]

    def theirs(tol: float) -> Callable[[], Outcome]:
        def fitted() -> Outcome:
            model = LogisticRegression(C=np.inf, tol=tol, max_iter=2000).fit(x, y)
            return lambda: told(model)()

        return fitted

    def ours() -> Outcome:
        model = tw.LogisticRegression().fit(x, y)
        return lambda: told(model)()

    return compare(
        f"{job}, {len(x):,} rows x {x.shape[1]}",
        {"treewright": ours, "scikit-learn": theirs(1e-8), "scikit-learn, tol 1e-4": theirs(1e-4)},
        job=job,
        is_judged=sizes.is_full,
        rounds=sizes.rounds,
        notes=(
            "No penalty. scikit-learn: L-BFGS, its default, with tol=1e-8 and with its own 1e-4.",
            "The gradient: its largest part, for one row. treewright gives standard errors and a proof, too.",
        ),
    )


# A new row is a function here.
ROWS: tuple[Callable[[Sizes], Result], ...] = (separable, inseparable, margin, logistic_normal, logistic_tied)
