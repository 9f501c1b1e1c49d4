"""Soft margins by scikit-learn's libsvm and liblinear, with the duality gap worked out from what they return.

    primal   |w|^2 / 2 + C sum max(0, 1 - y (w . x + b))
    dual     sum multipliers - |sum multiplier y x|^2 / 2,   0 <= multipliers <= C,   sum multiplier y = 0

The dual of any multipliers is below the primal of any plane, so the difference says how good both are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import lsq_linear
from sklearn.svm import SVC, LinearSVC

from treewright.linear.kernels import Kernel
from treewright.linear.margin import Margin

Floats = NDArray[np.float64]
SOLVERS = ("libsvm", "liblinear")


def soft_margin(
    x: Floats,
    is_positive: NDArray[np.bool_],
    C: float,
    kernel: Kernel | None,
    solver: str,
    tol: float,
) -> Margin:
    """Return the plane of the soft margin; both `bounds` are 1/|w|, which most rows keep.

    >>> found = soft_margin(np.array([[1.0], [3.0]]), np.array([False, True]), 10.0, None, "libsvm", 1e-6)
    >>> found.coef.round(6), round(found.intercept, 6), found.multipliers.round(6)
    (array([1.]), -2.0, array([0.5, 0.5]))
    """
    side = np.where(is_positive, 1.0, -1.0)
    if solver == "liblinear":
        return _by_liblinear(x, side, C, tol)
    return _by_libsvm(x, side, C, kernel, tol)


def _by_libsvm(x: Floats, side: Floats, C: float, kernel: Kernel | None, tol: float) -> Margin:
    model = SVC(C=C, tol=tol, kernel="linear" if kernel is None else _product(kernel), cache_size=500)
    model.fit(x, side)
    support = model.support_.astype(np.intp)
    signed = model.dual_coef_[0].astype(np.float64)
    b = float(model.intercept_[0])
    if kernel is None:
        w = signed @ x[support]
        return _margin_of(x @ w, side, C, float(w @ w), w, b, support, np.abs(signed))
    scores = kernel.matrix(x, x[support]) @ signed
    return _margin_of(scores, side, C, float(signed @ scores[support]), None, b, support, np.abs(signed))


def _product(kernel: Kernel) -> Any:
    return lambda a, b: kernel.matrix(np.asarray(a), np.asarray(b))


def _margin_of(
    scores: Floats,
    side: Floats,
    C: float,
    square: float,
    w: Floats | None,
    b: float,
    support: NDArray[np.intp],
    multipliers: Floats,
) -> Margin:
    b = _best_bias(scores, side, b)
    primal = square / 2 + C * float(np.maximum(0.0, 1 - side * (scores + b)).sum())
    gap = primal - (float(multipliers.sum()) - square / 2)
    margin = float(1 / np.sqrt(square)) if square > 0 else np.inf
    kept = multipliers > 0
    return Margin(w, b, (margin, margin), support[kept], multipliers[kept], gap, 0)


def _best_bias(scores: Floats, side: Floats, given: float) -> float:
    """Return the bias with the least sum of slacks for these scores; the given one where it is no worse.

    The sum is convex and bends where a row reaches the score 1: at -score + side. The best is a bend.
    """
    bends = np.sort(side - scores)
    # Slope right of a bend: negative rows that pay, less positive rows that pay. Bends of either sort raise
    # it by one.
    slope = -int((side > 0).sum())
    place = min(-slope, len(bends) - 1)
    low, high = float(bends[max(place - 1, 0)]), float(bends[place])
    found = min(max(given, low), high)

    def cost(b: float) -> float:
        return float(np.maximum(0.0, 1 - side * (scores + b)).sum())

    return given if cost(given) <= cost(found) else found


def _by_liblinear(x: Floats, side: Floats, C: float, tol: float) -> Margin:
    """Return liblinear's weights, with bias (which it shrinks) and multipliers made anew."""
    model = LinearSVC(
        C=C, loss="hinge", dual=True, tol=tol, max_iter=100_000, intercept_scaling=10.0, random_state=0
    )
    model.fit(x, side)
    w = model.coef_[0].astype(np.float64)
    scores = x @ w
    b = _best_bias(scores, side, float(model.intercept_[0]))
    reach = side * (scores + b)
    primal = float(w @ w) / 2 + C * float(np.maximum(0.0, 1 - reach).sum())
    # Which rows lie on the margin is known up to rounding only: of several guesses the best dual counts.
    guesses = [_multipliers(x, side, C, w, reach, near) for near in (1e-9, 1e-7, 1e-5, 1e-3, 1e-1)]
    multipliers = max(guesses, key=lambda found: _dual(x, side, found))
    support = np.flatnonzero(multipliers > 0)
    margin = float(1 / np.linalg.norm(w)) if w.any() else np.inf
    gap = primal - _dual(x, side, multipliers)
    return Margin(w, b, (margin, margin), support, multipliers[support], gap, 0)


def _dual(x: Floats, side: Floats, multipliers: Floats) -> float:
    w = (multipliers * side) @ x
    return float(multipliers.sum() - w @ w / 2)


def _multipliers(x: Floats, side: Floats, C: float, w: Floats, reach: Floats, near: float) -> Floats:
    """Return multipliers of a plane: C inside the margin, 0 outside, on it what fits best."""
    found = np.where(reach < 1, C, 0.0)
    free = np.flatnonzero(np.abs(reach - 1) <= near)
    free = free[np.argsort(np.abs(reach[free] - 1), kind="stable")[: 4 * x.shape[1] + 4]]
    found[free] = 0.0
    signed = side[:, None] * np.column_stack([x, np.full(len(x), np.abs(x).max(initial=1.0))])
    rest = np.append(w, 0.0) - found @ signed
    if len(free):
        found[free] = np.clip(lsq_linear(signed[free].T, rest, bounds=(0, C)).x, 0.0, C)
    # Both classes must weigh the same: the heavier one is made lighter, which keeps all within 0 and C.
    of_positive, of_negative = found[side > 0].sum(), found[side < 0].sum()
    least = min(of_positive, of_negative)
    found[side > 0] *= least / of_positive if of_positive > 0 else 0.0
    found[side < 0] *= least / of_negative if of_negative > 0 else 0.0
    return np.asarray(found)
