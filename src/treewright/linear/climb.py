"""Three ways up a log-likelihood: Newton's steps, L-BFGS, and plain gradient ascent; each leaves a trace.

Does a maximum exist? Let a_i > 0 be the doubt left about row i (the probability of the other class). The
likelihood has a finite maximum if, and only if, positive numbers a_i exist with sum a_i y_i x_i = 0 (no
plane then has the classes on its two sides: its scores would sum to zero). The gradient is just this sum. A
Newton step d makes it zero to first order: a_i (1 - push_i) with push_i = (1 - a_i) y_i x_i.d, a sum that is
exactly zero. So if every push is below 1, the numbers are positive, and the maximum exists: proven, at the
price of nothing. Where there is none, every Newton step everywhere has a push of at least 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.linear.loss import Loss

Floats = NDArray[np.float64]
PROVEN = 0.99  # a push below this proves the maximum, rounding allowed for
HALVINGS = 40
FINISHING = 20  # Newton steps after L-BFGS, at most
Watch = Callable[[int], None]


@dataclass(frozen=True)
class Step:
    """One step of a climb: the log-likelihood (with penalty) where it began, how steep, how long it was.

    >>> Step(1, -9.7, 4.0, 1.0, np.zeros(2)).step
    1.0
    """

    iteration: int
    objective: float  # penalised log-likelihood before the step
    gradient: float  # the largest part of its gradient, absolute, in the columns that are climbed
    step: float  # what the direction was multiplied with
    theta: Floats  # where it began


@dataclass(frozen=True)
class Climb:
    """How a climb ended: where, how steep it still is, whether it converged and whether a maximum is proven.

    >>> Climb(np.zeros(1), np.zeros(3), 2.0, 0.0, (), True, True).is_proven
    True
    """

    theta: Floats
    scores: Floats
    value: float  # the loss
    gradient: float  # as in Step
    steps: tuple[Step, ...]
    is_converged: bool
    is_proven: bool  # a finite maximum exists
    hessian: Floats | None = None  # of the last Newton step


def newton(
    loss: Loss,
    start: Floats,
    *,
    scores: Floats | None = None,
    tolerance: float = 1e-8,
    close: float = 1e-6,
    max_iterations: int = 100,
    is_singular: bool = False,
    stop: Callable[[Climb], bool] | None = None,
    watch: Watch | None = None,
) -> Climb:
    """Return the climb by Newton's steps, halved until the likelihood rises enough.

    It converged when a step changes no score by more than `tolerance`, or by so little, `close`, that the
    next one will not: each is about the square of the one before. With `is_singular` directions in which
    nothing happens are left alone. `stop` may end it before. `scores`: those of the start, if known.
    """
    theta, z = start, loss.scores(start) if scores is None else scores
    value, steps, is_proven = loss.value(z, theta), [], False
    for iteration in range(1, max_iterations + 1):
        if watch is not None:
            watch(iteration)
        gradient, hessian = loss.derivatives(z, theta)
        steep = float(np.abs(gradient).max(initial=0.0))
        direction = -_solved(hessian, gradient, is_singular)
        move = loss.scores(direction)
        is_proven |= bool(loss.push(z, move) < PROVEN)
        fall = -float(gradient @ direction)
        length, reached = _halved(loss, (theta, z, value), (direction, move), fall)
        steps.append(Step(iteration, -value, steep, length, theta))
        if length == 0.0:  # rounding: nothing better can be seen from here
            return Climb(theta, z, value, steep, tuple(steps), True, is_proven, hessian)
        theta, z, value = theta + length * direction, z + length * move, reached
        largest = length * float(np.abs(move).max(initial=0.0))
        is_converged = largest <= tolerance or (largest <= close and largest**2 <= tolerance)
        now = Climb(theta, z, value, steep, tuple(steps), is_converged, is_proven, hessian)
        if now.is_converged or (stop is not None and stop(now)):
            return _settled(loss, now)
    return _settled(loss, now)


def stepped(loss: Loss, theta: Floats, hessian: Floats, size: float) -> tuple[Floats, Floats]:
    """Return where steps with one Hessian, about the right one, lead: to steps of a size or little help."""
    z = loss.scores(theta)
    value, last = loss.value(z, theta), np.inf
    for _ in range(10):
        gradient = loss.gradient(z, theta)
        direction = -_solved(hessian, gradient, is_singular=False)
        move = loss.scores(direction)
        largest = float(np.abs(move).max(initial=0.0))
        if largest > 0.5 * last:
            break
        length, value = _halved(loss, (theta, z, value), (direction, move), -float(gradient @ direction))
        theta, z, last = theta + length * direction, z + length * move, largest
        if largest <= size or length < 1.0:
            break
    return theta, z


def _settled(loss: Loss, climb: Climb) -> Climb:
    """Return the climb with the gradient where it ended."""
    steep = float(np.abs(loss.gradient(climb.scores, climb.theta)).max(initial=0.0))
    return replace(climb, gradient=steep)


def _halved(
    loss: Loss, at: tuple[Floats, Floats, float], way: tuple[Floats, Floats], fall: float
) -> tuple[float, float]:
    """Return how far to go along a direction, 1 or a half and so on, and the loss there; 0 if nowhere."""
    (theta, z, value), (direction, move) = at, way
    length = 1.0
    slack = 1e-14 * (1.0 + abs(value))  # of rounding in the value
    for _ in range(HALVINGS):
        reached = loss.value(z + length * move, theta + length * direction)
        if reached <= value - 1e-4 * length * fall + slack:
            return length, reached
        length /= 2
    return 0.0, value


def _solved(hessian: Floats, gradient: Floats, is_singular: bool) -> Floats:
    """Return the solution of hessian d = gradient; where it is not unique, the shortest one."""
    if not is_singular:
        size = np.sqrt(np.maximum(np.diag(hessian), 1e-300))
        try:
            factor = np.linalg.cholesky(hessian / size / size[:, None])
        except np.linalg.LinAlgError:
            pass
        else:
            from scipy.linalg import cho_solve

            if np.diag(factor).min(initial=1.0) > 1e-7:
                found: Floats = cho_solve((factor, True), gradient / size) / size
                return found
    return flat_inverse(hessian)[0] @ gradient


def flat_inverse(hessian: Floats) -> tuple[Floats, Floats]:
    """Return the inverse where there is one, zero elsewhere, and the directions where there is none.

    >>> inverse, flat = flat_inverse(np.array([[2.0, 0.0], [0.0, 0.0]]))
    >>> inverse.tolist(), np.abs(flat).tolist()
    ([[0.5, 0.0], [0.0, 0.0]], [[0.0], [1.0]])
    """
    values, vectors = np.linalg.eigh(hessian)
    is_flat = values <= 1e-12 * max(float(values[-1]) if len(values) else 0.0, 1e-300)
    up = vectors[:, ~is_flat]
    return (up / values[~is_flat]) @ up.T, vectors[:, is_flat]


# ---- many columns ---------------------------------------------------------------------------------


def lbfgs(
    loss: Loss,
    start: Floats,
    *,
    tolerance: float = 1e-8,
    max_iterations: int = 10_000,
    watch: Watch | None = None,
) -> Climb:
    """Return the climb by L-BFGS, finished by a few Newton steps: no Hessian is made, for many columns.

    L-BFGS ends where the values it compares no longer differ, at about half the digits. Conjugate gradients
    then give Newton's steps, and with them the rest of the digits and the proof. Convergence as in `newton`.
    """
    from scipy.optimize import minimize

    total = max(loss.total, 1e-300)
    steps: list[Step] = []

    def both(theta: Floats) -> tuple[float, Floats]:
        z = loss.scores(theta)
        return loss.value(z, theta) / total, loss.gradient(z, theta) / total

    def note(intermediate_result: Any) -> None:  # scipy looks at this name
        if watch is not None:
            watch(len(steps) + 1)
        theta = np.array(intermediate_result.x)
        steps.append(Step(len(steps) + 1, -float(intermediate_result.fun) * total, np.nan, 1.0, theta))

    options = {"maxiter": max_iterations, "maxfun": 10 * max_iterations, "gtol": 1e-6, "ftol": 0.0}
    options |= {"maxcor": 30, "maxls": 50}
    done = minimize(both, start, jac=True, method="L-BFGS-B", options=options, callback=note)
    return _finished(loss, done.x, steps, tolerance)


def _finished(loss: Loss, theta: Floats, steps: list[Step], tolerance: float) -> Climb:
    """Return the climb after a few Newton steps whose directions conjugate gradients give."""
    from scipy.sparse.linalg import LinearOperator, cg

    n, z = loss.n_parameters, loss.scores(theta)
    value, is_proven, is_converged = loss.value(z, theta), False, False
    for _ in range(FINISHING):
        gradient = loss.gradient(z, theta)
        steep = float(np.abs(gradient).max(initial=0.0))
        product = LinearOperator((n, n), matvec=_curvature(loss, z))
        direction, failed = cg(product, -gradient, rtol=1e-10, maxiter=min(10 * n, 1000))
        if failed:
            break
        move = loss.scores(direction)
        is_proven |= bool(loss.push(z, move) < PROVEN)
        length, reached = _halved(loss, (theta, z, value), (direction, move), -float(gradient @ direction))
        steps.append(Step(len(steps) + 1, -value, steep, length, theta))
        theta, z, value = theta + length * direction, z + length * move, reached
        is_converged = length * float(np.abs(move).max(initial=0.0)) <= tolerance
        if is_converged:
            break
    return _settled(loss, Climb(theta, z, value, 0.0, tuple(steps), is_converged, is_proven))


def _curvature(loss: Loss, z: Floats) -> Callable[[Any], Floats]:
    return lambda direction: loss.curvature(z, np.asarray(direction).ravel())


# ---- the teaching solver --------------------------------------------------------------------------


def ascent(
    loss: Loss,
    start: Floats,
    *,
    step: float | None = None,
    tolerance: float = 1e-8,
    max_iterations: int = 1000,
    watch: Watch | None = None,
) -> Climb:
    """Return the climb by gradient ascent: theta + step * sum (y - σ) x, as on the blackboard.

    With `step=None` the first trial is what the last step would have needed to end where the gradient is
    zero, were the likelihood a bowl (Barzilai and Borwein's rule); it is halved until the likelihood rises.
    Without it steps that fit the steepest direction creep along the flat ones for ever. A fixed step is taken
    as it is, wherever it leads. It converged when no part of the gradient, for a row of weight 1, is above
    `tolerance`.
    """
    theta, z = start, loss.scores(start)
    value, steps = loss.value(z, theta), []
    length = 1.0 if step is None else step
    before: tuple[Floats, Floats] | None = None
    is_converged = False
    for iteration in range(1, max_iterations + 1):
        if watch is not None:
            watch(iteration)
        gradient = loss.gradient(z, theta)
        if step is None and before is not None:
            length = _as_in_a_bowl(theta - before[0], gradient - before[1], length)
        before = theta, gradient
        steep = float(np.abs(gradient).max(initial=0.0))
        if steep <= tolerance * loss.total:
            is_converged = True
            break
        if step is None:
            length = _searched(loss, (theta, z, value), gradient, length)
        steps.append(Step(iteration, -value, steep, length, theta))
        if length == 0.0:
            break
        theta = theta - length * gradient
        z = loss.scores(theta)
        value = loss.value(z, theta)
        if not np.isfinite(value):
            break
    steep = float(np.abs(loss.gradient(z, theta)).max(initial=0.0))
    return Climb(theta, z, value, steep, tuple(steps), is_converged, False)


def _as_in_a_bowl(moved: Floats, turned: Floats, length: float) -> float:
    """Return the step of Barzilai and Borwein; twice the last where the gradient did not turn."""
    across = float(moved @ turned)
    found = float(moved @ moved) / across if across > 0 else 2 * length
    return found if np.isfinite(found) and found > 0 else 2 * length


def _searched(loss: Loss, at: tuple[Floats, Floats, float], gradient: Floats, length: float) -> float:
    theta, z, value = at
    move, fall = loss.scores(-gradient), float(gradient @ gradient)
    for _ in range(100):
        if loss.value(z + length * move, theta - length * gradient) <= value - 1e-4 * length * fall:
            return length
        length /= 2
    return 0.0
