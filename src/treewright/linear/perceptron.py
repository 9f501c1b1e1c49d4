"""The perceptron's learning rule, mistake by mistake, and how many mistakes it can make at most.

Threshold(z) is +1 for z >= 0 and -1 for z < 0. A row whose class is not Threshold(w . x) is a mistake, and
then w becomes w + y x. The bias is the weight of a column of ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.notebook import Shown
from treewright.base.numbers import count, number
from treewright.linear import stored
from treewright.linear.exact import fractions_of, signs
from treewright.linear.margin import Margin, max_margin
from treewright.linear.proof import Floats, Separation
from treewright.linear.separation import separate
from treewright.linear.two_classes import Rows, checked_rows

VARIANTS = ("last", "pocket", "averaged")
BLOCK = 256  # rows whose scores are computed at once, in the hope that none is a mistake
POCKET_EVERY = 2_000  # rows up to which the pocket looks at all weights; beyond, at those that last longest


def threshold(scores: Any) -> NDArray[np.int64]:
    """Return +1 for scores from 0 on and -1 below: the class that a row is given.

    >>> threshold([0.5, 0.0, -0.5]).tolist()
    [1, 1, -1]
    """
    return np.where(np.asarray(scores) >= 0, 1, -1)


class Update(NamedTuple):
    """A mistake, and the weights after it."""

    n_pass: int  # from 1 on
    row: int
    score: float  # w . x before
    side: int  # the class of the row: 1 or -1
    weights: tuple[float, ...]  # after; the bias is the last, where there is one


@dataclass(frozen=True, repr=False)
class PerceptronFit(Shown):
    """What the rule came to. `weights` has the bias last, where there is one.

    `is_consistent`: Threshold(w . x) is right on all rows; `is_strict`: and no row has the score 0. Both are
    checked without rounding. `bound` is the largest number of mistakes that a separable table allows from
    this start, R^2/gamma^2 + 2|start|/gamma, with the largest `radius` R and the widest `margin` gamma of
    rows with the column of ones; None where no margin is known. `separation` is there where it was asked for,
    or needed. `running_bounds` are the same bound after each update of the trace, from the widest margin that
    the weights had had by then: None until some weights separate the rows. They are kept for tables of at
    most 2,000 rows.

    >>> fit_perceptron([[1], [3]], [0, 1]).mistakes_by_pass
    (2, 1, 2, 1, 1, 0)
    """

    weights: Floats
    has_bias: bool
    mistakes: int
    mistakes_by_pass: tuple[int, ...]
    is_converged: bool
    is_consistent: bool
    is_strict: bool
    trace: tuple[Update, ...]
    radius: float
    margin: float | None
    bound: float | None
    separation: Separation | None = None
    running_bounds: tuple[float | None, ...] = ()

    def __str__(self) -> str:
        made = f"{count(self.mistakes, 'mistake')} in {count(self.n_passes, 'pass', 'passes')}"
        end = "the last one clean" if self.is_converged else "stopped before a clean one"
        values = ", ".join(number(value) for value in self.weights[:8].tolist())
        more = f" and {len(self.weights) - 8} more" if len(self.weights) > 8 else ""
        bias = ", the bias last" if self.has_bias else ""
        bound = "" if self.bound is None else f"\nAt most {number(self.bound)} mistakes are possible."
        return f"Perceptron: {made}, {end}.\nWeights {values}{more}{bias}.{bound}"

    @property
    def n_passes(self) -> int:
        """How often the rows were gone through, the clean pass included."""
        return len(self.mistakes_by_pass)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values.

        >>> fit = fit_perceptron([[1], [3]], [0, 1])
        >>> PerceptronFit.from_dict(fit.to_dict()).trace == fit.trace
        True
        """
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        return plain | {
            "weights": self.weights.tolist(),
            "mistakes_by_pass": list(self.mistakes_by_pass),
            "trace": [[*update[:4], list(update.weights)] for update in self.trace],
            "running_bounds": list(self.running_bounds),
            "separation": None if self.separation is None else self.separation.to_dict(),
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> PerceptronFit:
        """Return what `to_dict` wrote.

        >>> fit = fit_perceptron([[1], [3]], [0, 1])
        >>> PerceptronFit.from_dict(fit.to_dict()).mistakes == fit.mistakes
        True
        """
        found = stored.entries(plain, _PLAIN, "a fit of a perceptron")
        separation, passes = found["separation"], found["mistakes_by_pass"]
        if not passes or not all(type(n) is int for n in passes):
            raise ValueError("'mistakes_by_pass' of a fit of a perceptron is a list of whole numbers.")
        known = {
            "weights": stored.floats(found["weights"], 1, "the weights of a perceptron"),
            "mistakes_by_pass": tuple(passes),
            "running_bounds": _bounds(plain.get("running_bounds", [])),
            "trace": tuple(map(_update, found["trace"])),
            "separation": None if separation is None else Separation.from_dict(separation),
        }
        return cls(**{**found, **known})


def _bounds(plain: Any) -> tuple[float | None, ...]:
    """Return the bounds after updates; a file of an older version has none."""
    if not isinstance(plain, (list, tuple)) or not all(
        stored.is_of(x, stored.or_none(stored.NUMBER)) for x in plain
    ):
        raise ValueError(
            f"'running_bounds' of a fit of a perceptron is a list of numbers, not {plain!r:.60}."
        )
    return tuple(plain)


def _update(plain: Any) -> Update:
    if (
        not isinstance(plain, (list, tuple))
        or [stored.is_of(x, stored.NUMBER) for x in plain[:4]] != [True] * 4
    ):
        raise ValueError(f"An update of a perceptron is stored as a list; found {plain!r:.60}.")
    n_pass, row, score, side, weights = plain
    after = stored.floats(weights, 1, "the weights after an update")
    return Update(n_pass, row, score, side, tuple(after.tolist()))


_PLAIN = {
    "weights": stored.LIST, "has_bias": stored.TRUTH, "mistakes": stored.WHOLE,
    "mistakes_by_pass": stored.LIST, "is_converged": stored.TRUTH, "is_consistent": stored.TRUTH,
    "is_strict": stored.TRUTH, "trace": stored.LIST, "radius": stored.NUMBER,
    "margin": stored.or_none(stored.NUMBER), "bound": stored.or_none(stored.NUMBER),
    "separation": stored.or_none((dict,)),
}  # fmt: skip


@dataclass(frozen=True)
class PerceptronFits:
    """Several fits: of two classes one, of more one for each class against the rest."""

    parts: tuple[PerceptronFit, ...]

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[PerceptronFit]:
        return iter(self.parts)

    def __getitem__(self, i: int) -> PerceptronFit:
        return self.parts[i]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {"parts": [part.to_dict() for part in self.parts]}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> PerceptronFits:
        """Return what `to_dict` wrote."""
        found = stored.entries(plain, {"parts": stored.LIST}, "several fits of a perceptron")
        return cls(tuple(PerceptronFit.from_dict(part) for part in found["parts"]))


def fit_perceptron(
    x: Any,
    y: Any,
    start: Sequence[float] | Floats | None = None,
    bias: bool = True,
    order: Any = None,
    max_passes: int = 1000,
    variant: str = "last",
    certify: bool = False,
    max_trace: int = 10_000,
) -> PerceptronFit:
    """Return the weights after the first pass without a mistake, or after `max_passes`.

    `start` has a weight for each column and, with a bias, may have one more for it, the last. `order` is None
    (rows as they come), the rows in the order wanted, or a function from the number of a pass to that.
    `variant` is what is returned: the "last" weights, those with the fewest mistakes on all rows ("pocket"),
    or the average over all rows gone through ("averaged"). `certify` asks the linear program where no clean
    pass came.

    >>> points, y = [[4, 3], [1, 3], [-2, 0], [2, 2]], [1, -1, -1, 1]
    >>> fit = fit_perceptron(points, y, start=[1, 1], bias=False)
    >>> [update.weights for update in fit.trace], fit.mistakes_by_pass
    ([(0.0, -2.0), (2.0, -2.0)], (2, 0))
    >>> fit.is_consistent, fit.is_strict, fit_perceptron(points, y, bias=False).mistakes
    (True, False, 5)
    """
    rows = checked_rows(x, y)
    _check_settings(max_passes, variant)
    matrix = np.column_stack([rows.x, np.ones(len(rows.x))]) if bias else rows.x
    first = _start(start, rows.x.shape[1], bias)
    exponent = _exponent(matrix, first)
    run = _Run(np.ldexp(matrix, -exponent), rows.side, np.ldexp(first, -exponent), max_trace, variant)
    for n_pass in range(1, max_passes + 1):
        if run.go_through(_order(order, len(matrix), n_pass), n_pass) == 0:
            break
    return _fit_of(rows, matrix, run, exponent, certify)


def _exponent(matrix: Floats, start: Floats) -> int:
    """Return a power of two to divide rows and weights by, which leaves the run the same; 0 if all is well.

    Scores, which are products of the two, must not leave the range of floats.
    """
    size = int(np.frexp(max(np.abs(matrix).max(initial=0.0), np.abs(start).max(initial=0.0)))[1])
    return size if abs(size) > 300 else 0


def _check_settings(max_passes: int, variant: str) -> None:
    if isinstance(max_passes, bool) or not isinstance(max_passes, (int, np.integer)) or max_passes < 1:
        raise ValueError(f"max_passes={max_passes!r} must be a whole number from 1 on.")
    if variant not in VARIANTS:
        raise ValueError(f"variant={variant!r} must be 'last', 'pocket' or 'averaged'.")


def _start(start: Any, n_columns: int, bias: bool) -> Floats:
    if start is None:
        return np.zeros(n_columns + bias)
    found = np.array(start, dtype=np.float64)
    if bias and found.shape == (n_columns,):
        found = np.append(found, 0.0)
    if found.shape != (n_columns + bias,) or not np.isfinite(found).all():
        more = f" or {n_columns + 1} (the bias last)" if bias else ""
        raise ValueError(
            f"start must be {n_columns} finite numbers{more}, one for each column; found {start!r:.80}."
        )
    return found


def _order(order: Any, n_rows: int, n_pass: int) -> NDArray[np.intp]:
    if order is None:
        return np.arange(n_rows)
    found = np.asarray(order(n_pass) if callable(order) else order)
    is_whole = found.dtype.kind in "iu" and found.ndim == 1
    if not is_whole or not np.array_equal(np.sort(found), np.arange(n_rows)):
        raise ValueError(
            f"order must name each of the {n_rows} rows once, from 0 to {n_rows - 1}; found {order!r:.60}."
        )
    return found.astype(np.intp)


class _Run:
    """The weights on their way, and what is counted of them."""

    def __init__(self, matrix: Floats, side: Floats, start: Floats, max_trace: int, variant: str) -> None:
        self.matrix, self.side, self.start, self.variant = matrix, side, start, variant
        self.w = start.copy()
        self.max_trace = max_trace
        self.trace: list[Update] = []
        self.by_pass: list[int] = []
        self.total, self.n_visits = np.zeros_like(start), 0
        self.pocket, self.pocket_right = start.copy(), self._n_right()
        self.longest, self.streak = 0, 0
        self.widest = 0.0  # margin of any weights so far
        self.running: list[float | None] = []

    def go_through(self, order: NDArray[np.intp], n_pass: int) -> int:
        """Visit all rows once and return the mistakes."""
        mistakes, place = 0, 0
        while place < len(order):
            rows = order[place : place + BLOCK]
            # Row by row the same sum wherever the block begins, unlike a product of matrices.
            scores = (self.matrix[rows] * self.w).sum(axis=1)
            wrong = np.flatnonzero(threshold(scores) != self.side[rows])
            n_right = int(wrong[0]) if wrong.size else len(rows)
            self._keep(n_right)
            place += n_right
            if wrong.size:
                self._mistake(int(rows[n_right]), float(scores[n_right]), n_pass)
                mistakes, place = mistakes + 1, place + 1
        self.by_pass.append(mistakes)
        return mistakes

    def _keep(self, n_rows: int) -> None:
        """Count rows that left the weights as they are."""
        if n_rows == 0:
            return
        self.total += n_rows * self.w
        self.n_visits += n_rows
        self.streak += n_rows
        if self.streak > self.longest:
            self.longest = self.streak
            self._try_pocket()  # Gallant's ratchet (1990)

    def _try_pocket(self) -> None:
        if self.variant == "pocket" and (right := self._n_right()) > self.pocket_right:
            self.pocket, self.pocket_right = self.w.copy(), right

    def _mistake(self, row: int, score: float, n_pass: int) -> None:
        self.w = self.w + self.side[row] * self.matrix[row]
        self.total += self.w
        self.n_visits += 1
        self.streak = 0
        if len(self.matrix) <= POCKET_EVERY:
            self._try_pocket()
        if len(self.trace) < self.max_trace:
            self.trace.append(Update(n_pass, row, score, int(self.side[row]), tuple(self.w.tolist())))
            if len(self.matrix) <= POCKET_EVERY:
                self.running.append(self._bound_so_far())

    def _bound_so_far(self) -> float | None:
        """Return the bound on mistakes that the widest margin of the weights so far proves."""
        length = float(np.sqrt((self.w**2).sum()))
        if length > 0:
            self.widest = max(self.widest, float((self.side * (self.matrix @ self.w)).min()) / length)
        return mistake_bound(self.matrix, self.start, self.widest) if self.widest > 0 else None

    def _n_right(self) -> int:
        return int((threshold(self.matrix @ self.w) == self.side).sum())

    def weights(self) -> Floats:
        """Return the weights of the variant asked for."""
        if self.variant == "averaged":
            return self.total / self.n_visits
        if self.variant == "pocket" and self._n_right() <= self.pocket_right:
            return self.pocket
        return self.w


def _fit_of(rows: Rows, matrix: Floats, run: _Run, exponent: int, certify: bool) -> PerceptronFit:
    weights = _in_range(run.weights(), exponent)
    bias = matrix.shape[1] > rows.x.shape[1]
    is_converged = run.by_pass[-1] == 0
    found = signs(matrix, fractions_of(weights)) * rows.side
    is_consistent = bool(((found > 0) | ((found == 0) & rows.is_positive)).all())
    separation, margin = None, None
    if certify or is_converged:
        separation, margin = _judged(rows, matrix, bias)
    bound = None
    with np.errstate(over="ignore"):  # what is no float is infinite
        radius = float(np.ldexp(np.sqrt((run.matrix**2).sum(axis=1).max()), exponent))
    if margin is not None and margin.bounds[0] > 0:
        bound = mistake_bound(run.matrix, run.start, np.ldexp(margin.bounds[0], -exponent))
    return PerceptronFit(
        weights=weights,
        has_bias=bias,
        mistakes=sum(run.by_pass),
        mistakes_by_pass=tuple(run.by_pass),
        is_converged=is_converged,
        is_consistent=is_consistent,
        is_strict=bool((found > 0).all()),
        trace=tuple(_unscaled(update, exponent) for update in run.trace),
        radius=radius,
        margin=None if margin is None else margin.bounds[0],
        bound=bound,
        separation=separation,
        running_bounds=tuple(run.running),
    )


def mistake_bound(matrix: Any, start: Any, margin: float) -> float:
    """Return R^2/gamma^2 + 2|start|/gamma: how many mistakes rows of this margin allow at most (Novikoff).

    >>> mistake_bound([[3.0, 4.0]], [0.0, 0.0], 0.5)
    100.0
    """
    near = np.sqrt((np.asarray(matrix, dtype=np.float64) ** 2).sum(axis=1).max())
    with np.errstate(over="ignore", divide="ignore"):  # what is no float is infinite
        length = np.sqrt((np.asarray(start, dtype=np.float64) ** 2).sum())
        return float((near / margin) ** 2 + 2 * length / margin)


def _in_range(weights: Floats, exponent: int) -> Floats:
    with np.errstate(over="ignore"):
        found = np.ldexp(weights, exponent)
    if not np.isfinite(found).all():
        raise ValueError("The weights left the range of floats; scale the columns first.")
    return found


def _unscaled(update: Update, exponent: int) -> Update:
    if exponent == 0:
        return update
    with np.errstate(all="ignore"):
        weights = tuple(np.ldexp(update.weights, exponent).tolist())
        return update._replace(score=float(np.ldexp(update.score, 2 * exponent)), weights=weights)


def _judged(rows: Rows, matrix: Floats, bias: bool) -> tuple[Separation | None, Margin | None]:
    """Return what the linear program says, and the widest margin of planes through the origin."""
    margin = max_margin(matrix, rows.is_positive, bias=False)
    if not isinstance(margin, Margin):
        # With a column of ones a plane through the origin is any plane; the certificate is told without it.
        return (separate(rows.x, rows.is_positive) if bias else margin.separation), None
    return margin.separation, margin
