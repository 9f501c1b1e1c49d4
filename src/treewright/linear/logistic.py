"""Logistic regression: the weights that make the classes of the rows most likely, or why none do."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import choice
from treewright.base.notebook import Shown
from treewright.base.numbers import count, number
from treewright.linear import stored
from treewright.linear.basis import Basis, basis_of, plain_basis
from treewright.linear.climb import Climb, Step, ascent, flat_inverse, lbfgs, newton, stepped
from treewright.linear.limit import Divided, Limit, Rows, all_weights, is_in_doubt, limit_of, stand_in
from treewright.linear.loss import Loss
from treewright.linear.squares import check_squares

Floats = NDArray[np.float64]
SOLVERS = ("newton", "lbfgs", "gradient")
MOST_NEWTON = 2000  # parameters; beyond this a Hessian takes longer than many steps of L-BFGS
WARM_ROWS = 20_000  # with more rows than this, the first steps look at a part of them


@dataclass(frozen=True, repr=False)
class LogisticFit(Shown):
    """A fitted likelihood: weights, how they were found, how sure they are, and whether a maximum exists.

    `coef` and `intercept` have a row for each class; that of the reference class is zero. For two classes
    this is the usual model of the other class. `covariance` is that of the weights of all classes but the
    reference, one class after the other, each with its bias last; None with a penalty, and where it is too
    large. A weight without a finite value has NaN there.

    >>> fit = fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    >>> fit.coef.round(3).tolist(), fit.standard_errors.round(3).tolist()
    ([[0.0], [0.908]], [[1.085, 1.975]])
    """

    coef: Floats
    intercept: Floats
    reference: int
    bias: bool
    l2: float
    solver: str  # who did the work
    n_rows: int
    total: float  # weight of the rows
    log_likelihood: float  # without the penalty; where there is no maximum, what it tends to
    null_log_likelihood: float  # of a bias alone
    gradient: float  # the largest part of the gradient where the climb ended
    is_converged: bool
    is_proven: bool  # a finite maximum exists
    separation: Divided | None = None
    told_by: Mapping[int, tuple[int, ...]] = field(
        default_factory=dict
    )  # columns left out: who says the same
    covariance: Floats | None = None
    steps: tuple[Step, ...] = ()  # of which theta is the weights, as in `covariance`

    def __str__(self) -> str:
        steps, alone = count(self.n_iterations, "step"), number(self.null_log_likelihood, 6)
        head = f"Logistic fit of {count(self.n_rows, 'row')} by {self.solver}, {steps}: log-likelihood "
        lines = [f"{head}{number(self.log_likelihood, 6)} ({alone} by a bias alone)"]
        for k in self.others:
            weights = ", ".join(number(value) for value in self.coef[k, :8].tolist())
            more = f" and {self.coef.shape[1] - 8} more" if self.coef.shape[1] > 8 else ""
            lines.append(f"class {k}: weights {weights}{more}; bias {number(float(self.intercept[k]))}")
        if not self.is_proven:
            lines.append("No maximum: the classes can be separated, so some weights grow without end.")
        elif not self.is_converged:
            lines.append("It has not converged: the weights are where it stopped.")
        return "\n".join(lines)

    @property
    def n_iterations(self) -> int:
        """The number of steps."""
        return len(self.steps)

    @property
    def others(self) -> list[int]:
        """The classes that have weights."""
        return [k for k in range(len(self.coef)) if k != self.reference]

    @property
    def standard_errors(self) -> Floats | None:
        """The standard errors of the weights, a row for each class but the reference, the bias last."""
        if self.covariance is None:
            return None
        return np.sqrt(np.diag(self.covariance)).reshape(len(self.others), -1)

    @property
    def n_parameters(self) -> int:
        """The number of weights that were free, biases among them."""
        return len(self.others) * (int(self.coef.shape[1]) - len(self.told_by) + self.bias)

    def to_dict(self) -> dict[str, Any]:
        """Return the fit as plain JSON values.

        >>> fit = fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
        >>> LogisticFit.from_dict(fit.to_dict()).n_rows
        4
        """
        plain = {name: getattr(self, name) for name in _PLAIN}
        return plain | {
            "coef": self.coef.tolist(),
            "intercept": self.intercept.tolist(),
            "separation": None if self.separation is None else self.separation.to_dict(),
            "told_by": [[int(j), list(by)] for j, by in self.told_by.items()],
            "covariance": None if self.covariance is None else self.covariance.tolist(),
            "steps": [[s.iteration, s.objective, s.gradient, s.step, s.theta.tolist()] for s in self.steps],
        }

    @classmethod
    def from_dict(cls, plain: Any) -> LogisticFit:
        """Return the fit that `to_dict` wrote.

        >>> fit = fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
        >>> bool((LogisticFit.from_dict(fit.to_dict()).coef == fit.coef).all())
        True
        """
        found = stored.entries(plain, {**_PLAIN, **_OTHER}, "a logistic fit")
        covariance, separation = found["covariance"], found["separation"]
        fit = cls(
            **{name: found[name] for name in _PLAIN},
            coef=stored.floats(found["coef"], 2, "the weights of a logistic fit"),
            intercept=stored.floats(found["intercept"], 1, "the biases of a logistic fit"),
            separation=None if separation is None else Divided.from_dict(separation),
            told_by={int(j): tuple(map(int, by)) for j, by in found["told_by"]},
            covariance=None if covariance is None else stored.floats(covariance, 2, "the covariance"),
            steps=tuple(map(_step, found["steps"])),
        )
        fit._check()
        return fit

    def _check(self) -> None:
        """Refuse parts that do not go together; a fit that was stored may have been changed since."""
        n_classes, n_terms = self.coef.shape
        places = {*self.told_by, *(j for by in self.told_by.values() for j in by)}
        free = len(self.others) * (n_terms + 1)
        shapes = {None, (free, free), (free - len(self.others),) * 2}
        if (
            not (0 <= self.reference < n_classes == len(self.intercept))
            or any(not 0 <= j <= n_terms for j in places)  # the bias is the last
            or (None if self.covariance is None else self.covariance.shape) not in shapes
            or (self.separation is not None and self.separation.directions[0].shape[0] != n_classes)
        ):
            raise ValueError("The parts of a stored logistic fit do not go together.")


def _step(plain: Any) -> Step:
    is_list = isinstance(plain, (list, tuple))
    if not is_list or [stored.is_of(x, stored.NUMBER) for x in plain[:4]] != [True] * 4:
        raise ValueError(f"A step of a climb is stored as a list; found {plain!r:.60}.")
    i, value, steep, step, at = plain
    return Step(i, value, steep, step, stored.floats(at, 1, "the weights of a step"))


_PLAIN = {
    "reference": stored.WHOLE, "bias": stored.TRUTH, "l2": stored.NUMBER, "solver": stored.TEXT,
    "n_rows": stored.WHOLE, "total": stored.NUMBER, "log_likelihood": stored.NUMBER,
    "null_log_likelihood": stored.NUMBER, "gradient": stored.NUMBER, "is_converged": stored.TRUTH,
    "is_proven": stored.TRUTH,
}  # fmt: skip
_OTHER = {
    "coef": stored.LIST, "intercept": stored.LIST, "separation": stored.or_none((dict,)),
    "told_by": stored.LIST, "covariance": stored.or_none(stored.LIST), "steps": stored.LIST,
}  # fmt: skip


def fit_logistic(
    x: Any,
    y: Any,
    weight: Any = None,
    l2: float = 0.0,
    *,
    solver: str = "newton",
    bias: bool = True,
    reference: int = 0,
    n_classes: int | None = None,
    tolerance: float = 1e-8,
    max_iterations: int | None = None,
    step: float | None = None,
    progress: Callable[[float], None] | None = None,
) -> LogisticFit:
    """Return the weights that maximise the log-likelihood minus l2/2 times their squares; biases are free.

    `y` are class codes 0, 1, ... (truth values for two); with more than two classes the model is softmax,
    and `reference` the class without weights. Without a penalty the fit says whether a finite maximum
    exists: where a plane divides classes there is none, `separation` holds the directions in which the
    likelihood rises for ever, and the weights stand for the limit. Columns that others already say are left
    out, the later ones, and named in `told_by`.

    Newton's steps are taken in centred and scaled columns, and L-BFGS instead where there are more than 2,000
    parameters. `solver="gradient"` is the blackboard's ascent in the columns as they are, with `step` as its
    fixed step, or a line search; its weights are what it reached.

    >>> fit = fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    >>> fit.coef[1].round(4).tolist(), fit.intercept[1].round(4).tolist(), fit.is_proven
    ([0.9082], -1.3623, True)
    >>> fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).separation.kind
    'complete'
    """
    rows = _checked(x, y, weight, bias, reference, n_classes)
    check_squares(rows.x)
    _check_settings(l2, solver, tolerance, max_iterations, step)
    basis = plain_basis(rows.x, bias) if solver == "gradient" else basis_of(rows.x, bias, l2)
    if solver == "newton" and basis.n_parameters * len(rows.others) > MOST_NEWTON:
        solver = "lbfgs"
    loss = rows.loss(basis, l2)
    watch = None if progress is None else _iteration_watcher(progress)
    climb, limit = _climbed(rows, basis, loss, l2, solver, tolerance, max_iterations, step, watch)
    if progress is not None:
        progress(1.0)
    return _fit(rows, basis, loss, climb, limit, l2, solver)


def _climbed(
    rows: Rows,
    basis: Basis,
    loss: Loss,
    l2: float,
    solver: str,
    tolerance: float,
    max_iterations: int | None,
    step: float | None,
    watch: Callable[[int], None] | None,
) -> tuple[Climb, Limit | None]:
    """Return where the climb ended and, where there is no maximum, the limit."""
    start = np.zeros(loss.n_parameters)
    if solver == "gradient":
        climb = ascent(
            loss, start, step=step, tolerance=tolerance, max_iterations=max_iterations or 1000, watch=watch
        )
    elif solver == "lbfgs":
        climb = lbfgs(loss, start, tolerance=tolerance, max_iterations=max_iterations or 10_000, watch=watch)
    else:
        most = max_iterations or 100
        doubt = is_in_doubt(loss) if l2 == 0 else None
        start, scores = _warm(loss, l2)
        climb = newton(
            loss,
            start,
            scores=scores,
            tolerance=tolerance,
            close=1e-6 if scores is None else 1e-4,  # of many rows the Hessian there is exact enough
            max_iterations=most,
            stop=doubt,
            watch=watch,
        )
    if l2 > 0 or climb.is_proven or not np.isfinite(climb.value):
        return climb, None
    return _in_doubt(rows, basis, loss, climb, solver, tolerance, max_iterations, watch)


def _in_doubt(
    rows: Rows,
    basis: Basis,
    loss: Loss,
    climb: Climb,
    solver: str,
    tolerance: float,
    max_iterations: int | None,
    watch: Callable[[int], None] | None,
) -> tuple[Climb, Limit | None]:
    """Return the climb after it was settled whether there is a maximum."""
    here = climb
    if solver != "newton" and loss.n_parameters <= MOST_NEWTON:
        if solver == "gradient":
            basis = basis_of(rows.x, rows.bias)
            loss = rows.loss(basis, 0.0)
        here = newton(loss, np.zeros(loss.n_parameters), stop=is_in_doubt(loss), watch=watch)
        if here.is_proven:
            return replace(climb, is_proven=True), None
    limit = limit_of(rows, basis, here, watch)
    if limit is not None:
        return climb, limit
    if solver == "newton" and not climb.is_converged:
        most = (max_iterations or 100) - len(climb.steps)
        more = newton(loss, climb.theta, tolerance=tolerance, max_iterations=max(most, 1), watch=watch)
        climb = replace(more, steps=climb.steps + more.steps)
    return climb, None


def _warm(loss: Loss, l2: float, size: float = 5e-4) -> tuple[Floats, Floats | None]:
    """Return where to start: zeros or, with many rows, so near the end that steps have this size; its scores.

    A fifth of the rows has nearly the same maximum and nearly the same Hessian as all of them. Steps with
    that Hessian cost two looks at the matrix each and bring more than a digit.
    """
    start = np.zeros(loss.n_parameters)
    if len(loss.x) < max(WARM_ROWS, 80 * loss.n_parameters):
        return start, None
    part = loss.part(slice(None, None, 5))
    near, scores = _warm(part, l2, size=1e-2)
    climb = newton(part, near, scores=scores, tolerance=1e-2, max_iterations=15)
    if climb.hessian is None or not (climb.is_proven or l2 > 0):
        return start, None
    free = climb.hessian - np.diag(part.penalty)
    hessian = free * (loss.total / part.total) + np.diag(loss.penalty)
    return stepped(loss, climb.theta, hessian, size)


def _fit(
    rows: Rows, basis: Basis, loss: Loss, climb: Climb, limit: Limit | None, l2: float, solver: str
) -> LogisticFit:
    """Return the fit in the units of the matrix."""
    weights = all_weights(rows, basis, climb.theta)
    separation, log_likelihood = None, 0.5 * float(loss.penalty @ climb.theta**2) - climb.value
    if limit is not None:
        separation = limit.divided
        log_likelihood = -limit.climb.value
        if solver != "gradient":
            weights = stand_in(limit, all_weights(limit.rows, limit.basis, limit.climb.theta))
    others = rows.others
    return LogisticFit(
        coef=weights[:, :-1],
        intercept=weights[:, -1],
        reference=rows.reference,
        bias=rows.bias,
        l2=float(l2),
        solver=solver,
        n_rows=len(rows.x),
        total=float(rows.weight.sum()),
        log_likelihood=log_likelihood,
        null_log_likelihood=_null(rows),
        gradient=climb.gradient,
        is_converged=climb.is_converged or limit is not None,
        is_proven=climb.is_proven,
        separation=separation,
        told_by=dict(basis.told_by),
        covariance=_covariance(rows, basis, loss, climb, limit, l2),
        steps=tuple(
            Step(
                s.iteration,
                s.objective,
                s.gradient,
                s.step,
                all_weights(rows, basis, s.theta)[others].ravel(),
            )
            for s in climb.steps
        ),
    )


def _covariance(
    rows: Rows, basis: Basis, loss: Loss, climb: Climb, limit: Limit | None, l2: float
) -> Floats | None:
    """Return the inverse Hessian in the units of the matrix; NaN for weights without a finite value."""
    n_others = len(rows.others)
    if l2 > 0 or basis.n_parameters * n_others > MOST_NEWTON:
        return None
    if limit is not None:
        rows, basis, climb = limit.rows, limit.basis, limit.climb
        loss = rows.loss(basis, 0.0)
    elif not climb.is_proven or not climb.is_converged:
        return None
    if not rows.open_rows().any():
        flat = np.eye(basis.n_parameters * n_others)
        inverse = np.zeros_like(flat)
    else:
        # Newton's last Hessian is that of weights which no score can tell from the final ones.
        hessian = climb.hessian
        if hessian is None:
            hessian = loss.derivatives(climb.scores, climb.theta)[1]
        inverse, flat = flat_inverse(hessian)
    found = _in_units(basis, inverse, n_others)
    if flat.shape[1]:
        loose = np.abs(_weights_of(basis, flat, n_others)).max(axis=1) > 1e-9
        found[loose], found[:, loose] = np.nan, np.nan
    silent = _silent(rows, basis, n_others)
    found[silent], found[:, silent] = np.nan, np.nan
    return found


def _silent(rows: Rows, basis: Basis, n_others: int) -> NDArray[np.bool_]:
    """Return which weights were not fitted: of columns left out, and of a bias that is not there."""
    one = np.ones(rows.x.shape[1] + 1, dtype=bool)
    one[basis.kept] = False
    one[-1] = not rows.bias
    return np.tile(one, n_others)


def _weights_of(basis: Basis, theta: Floats, n_others: int) -> Floats:
    """Return columns of parameters as columns of weights, class after class."""
    q, m = basis.n_parameters, theta.shape[1]
    parts = [basis.weights(theta[k * q : (k + 1) * q]) for k in range(n_others)]
    return np.concatenate(parts).reshape(-1, m)


def _in_units(basis: Basis, of_theta: Floats, n_others: int) -> Floats:
    return _weights_of(basis, _weights_of(basis, of_theta, n_others).T, n_others)


def _null(rows: Rows) -> float:
    total = float(rows.weight.sum())
    if not rows.bias:
        return -total * math.log(rows.n_classes)
    shares = np.bincount(rows.codes, rows.weight, rows.n_classes)
    return float(sum(w * math.log(w / total) for w in shares.tolist() if w > 0))


def _iteration_watcher(progress: Callable[[float], None]) -> Callable[[int], None]:
    # How many steps it takes is not known: each halves what is left.
    return lambda iteration: progress(1.0 - 0.5 ** (iteration - 1) if iteration < 50 else 0.999)


# ---- what was asked -------------------------------------------------------------------------------


def _checked(x: Any, y: Any, weight: Any, bias: bool, reference: int, n_classes: int | None) -> Rows:
    """Return the rows that count; rows of weight 0 do not."""
    matrix = np.ascontiguousarray(x, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"x must have two dimensions, rows and columns; found the shape {matrix.shape}.")
    if not np.isfinite(matrix).all():
        row, column = np.argwhere(~np.isfinite(matrix))[0].tolist()
        raise ValueError(
            f"x holds {matrix[row, column]} in row {row}, column {column}; finite numbers are needed."
        )
    codes = np.asarray(y)
    if codes.shape != (len(matrix),):
        raise ValueError(f"y has the shape {codes.shape} for {len(matrix)} rows; give one class per row.")
    if codes.dtype.kind not in "biu" or (codes.dtype.kind == "i" and codes.min(initial=0) < 0):
        raise ValueError(f"y must be class codes 0, 1, ... or truth values; found {codes.dtype}.")
    codes = codes.astype(np.intp)
    weights = np.ones(len(matrix)) if weight is None else np.asarray(weight, dtype=np.float64)
    if weights.shape != (len(matrix),) or not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("weight must hold one finite number per row, none below 0.")
    if not (kept := weights > 0).all():
        matrix, codes, weights = matrix[kept], codes[kept], weights[kept]
    n = max(2, int(codes.max(initial=-1)) + 1) if n_classes is None else n_classes
    absent = np.flatnonzero(np.bincount(codes, minlength=n)[:n] == 0).tolist()
    if absent or codes.max(initial=-1) >= n:
        raise ValueError(
            f"No row is of class {absent[0] if absent else n}; every class needs a row that counts."
        )
    if not 0 <= reference < n:
        raise ValueError(f"reference={reference!r} must be a class code from 0 to {n - 1}.")
    return Rows(matrix, codes, weights, n, reference, bias)


def _check_settings(l2: Any, solver: Any, tolerance: Any, max_iterations: Any, step: Any) -> None:
    if not _is_number(l2) or not 0 <= l2 < math.inf:
        raise ValueError(f"l2={l2!r} must be a finite number, 0 or more.")
    choice("solver", solver, SOLVERS)
    if not _is_number(tolerance) or not 0 < tolerance < math.inf:
        raise ValueError(f"The tolerance {tolerance!r} must be a finite number above 0.")
    is_whole = isinstance(max_iterations, (int, np.integer)) and not isinstance(max_iterations, bool)
    if max_iterations is not None and not (is_whole and max_iterations >= 1):
        raise ValueError(
            f"The most iterations, {max_iterations!r}, must be a whole number, 1 or more, or None."
        )
    if step is not None:
        if solver != "gradient":
            raise ValueError(f"step={step!r} is for solver='gradient'; {solver!r} finds its own.")
        if not _is_number(step) or not 0 < step < math.inf:
            raise ValueError(f"step={step!r} must be a finite number above 0, or None for a line search.")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
