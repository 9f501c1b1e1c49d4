"""The columns a likelihood is climbed in: centred, scaled, without those that others already say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DOUBT = 1e-8  # of a column's variance: what others leave unsaid, below which one looks twice
SAMPLE = 10_000  # rows that are looked at first
ROUNDING = 1e-11  # of a column's length: below this nothing is left unsaid


@dataclass(frozen=True)
class Basis:
    """How a matrix is climbed, and how what was found there is said in the matrix's own units.

    The work is done on (x - mean) / scale, times `rotation` where columns nearly say the same, with the bias
    as a last column of ones. Columns that say nothing new are not `kept`; `told_by` names who says it.

    >>> basis = basis_of(np.array([[1.0, 2.0], [3.0, 6.0], [5.0, 10.0]]))
    >>> basis.kept.tolist(), basis.told_by
    ([0], {1: (0,)})
    >>> basis.weights(np.array([2.0, 0.0])).round(6).tolist()  # 2 per standard deviation, about the mean
    [1.224745, 0.0, -3.674235]
    """

    mean: Floats
    scale: Floats
    kept: NDArray[np.intp]
    bias: bool
    rotation: Floats | None = None
    told_by: dict[int, tuple[int, ...]] = field(default_factory=dict)  # () is a constant

    @property
    def n_parameters(self) -> int:
        """The number of columns, the bias among them."""
        return len(self.kept) + self.bias

    @property
    def is_plain(self) -> bool:
        """True where columns are taken as they are."""
        is_all = len(self.kept) == len(self.mean) and self.rotation is None
        return is_all and not self.mean.any() and bool((self.scale == 1).all())

    def design(self, x: Floats) -> Floats:
        """Return the matrix that is climbed, in C order.

        >>> basis_of(np.array([[1.0], [3.0]])).design(np.array([[1.0], [3.0]]))
        array([[-1.,  1.],
               [ 1.,  1.]])
        """
        found = np.empty((len(x), self.n_parameters))
        part = found[:, : len(self.kept)]
        whole = x if len(self.kept) == x.shape[1] else x[:, self.kept]
        np.subtract(whole, self.mean[self.kept], out=part)
        part /= self.scale[self.kept]
        if self.rotation is not None:
            part[:] = part @ self.rotation
        if self.bias:
            found[:, -1] = 1.0
        return found

    def weights(self, theta: Floats) -> Floats:
        """Return weights of the matrix's columns and, last, of the bias (0 without one): by columns of theta.

        >>> basis_of(np.array([[1.0], [3.0]])).weights(np.array([1.0, 0.0]))
        array([ 1., -2.])
        """
        n = len(self.kept)
        found = np.zeros((len(self.mean) + 1, *theta.shape[1:]))
        part = theta[:n] if self.rotation is None else self.rotation @ theta[:n]
        found[self.kept] = (part.T / self.scale[self.kept]).T
        if self.bias:
            found[-1] = theta[n] - self.mean @ found[:-1]
        return found

    def covariance(self, of_theta: Floats) -> Floats:
        """Return the covariance of the weights, the bias last, from that of theta.

        >>> basis_of(np.array([[1.0], [3.0]])).covariance(np.eye(2))
        array([[ 1., -2.],
               [-2.,  5.]])
        """
        return self.weights(self.weights(of_theta).T)

    def penalty(self, l2: float) -> Floats:
        """Return what half a squared parameter costs so that half a squared weight costs `l2`; no bias does.

        >>> basis_of(np.array([[0.0], [4.0]]), l2=1.0).penalty(1.0)
        array([0.25, 0.  ])
        """
        cost = np.zeros(self.n_parameters)
        cost[: len(self.kept)] = l2 / self.scale[self.kept] ** 2
        return cost


def plain_basis(x: Floats, bias: bool = True) -> Basis:
    """Return the basis in which nothing is changed.

    >>> plain_basis(np.array([[1.0], [3.0]])).design(np.array([[1.0], [3.0]]))
    array([[1., 1.],
           [3., 1.]])
    """
    n = x.shape[1]
    return Basis(np.zeros(n), np.ones(n), np.arange(n), bias)


def basis_of(x: Floats, bias: bool = True, l2: float = 0.0) -> Basis:
    """Return the basis for a matrix. With a penalty all columns are kept: it settles who says what.

    >>> basis_of(np.array([[1.0, 7.0], [3.0, 7.0]])).told_by
    {1: ()}
    """
    if (every := len(x) // SAMPLE) > 1:
        sampled = basis_of(x[::every], bias, l2)
        if not sampled.told_by and sampled.rotation is None:
            if (np.abs(sampled.mean) < 3).all() and (np.abs(np.log10(sampled.scale)) < 1).all():
                return plain_basis(x, bias)  # columns that are good as they are need no copy
            return sampled  # what some rows tell apart, all rows do; the centre need not be exact
    n_columns = x.shape[1]
    mean = x.mean(axis=0) if bias and len(x) else np.zeros(n_columns)
    squares = _squares(x, mean)
    scale = np.sqrt(np.diag(squares))
    is_constant = scale <= 1e-13 * np.abs(mean)
    mean = np.where(is_constant & bias, x[0] if len(x) else 0.0, mean)
    scale = np.where(is_constant, 1.0, scale)
    whole = Basis(mean, scale, np.arange(n_columns), bias)
    if l2 > 0 or n_columns == 0:
        return whole
    return _independent(x, whole, is_constant, squares)


def _squares(x: Floats, mean: Floats) -> Floats:
    """Return the mean products of columns about the mean, a block of rows at a time."""
    total = np.zeros((x.shape[1], x.shape[1]))
    for start in range(0, len(x), 1024):
        away = x[start : start + 1024] - mean
        total += away.T @ away
    return total / max(len(x), 1)


def _independent(x: Floats, whole: Basis, is_constant: NDArray[np.bool_], squares: Floats) -> Basis:
    """Return the basis without columns that earlier ones, or the bias, already say."""
    varying = np.flatnonzero(~is_constant)
    told_by: dict[int, tuple[int, ...]] = {int(j): () for j in np.flatnonzero(is_constant)}
    scale = whole.scale[varying]
    gram = squares[np.ix_(varying, varying)] / scale / scale[:, None]
    if _least_left(gram) > DOUBT:
        return Basis(whole.mean, whole.scale, varying, whole.bias, None, told_by)
    z = Basis(whole.mean, whole.scale, varying, bias=False).design(x)
    offset = np.abs(whole.mean[varying]) / scale  # subtracting it cost digits
    chosen, q, r = _orthogonal(z, ROUNDING * (1.0 + offset.max(initial=0.0)))
    for j in sorted(set(range(z.shape[1])) - set(chosen)):
        told_by[int(varying[j])] = _tellers(z, j, [k for k in chosen if k < j], varying)
    rotation = None
    if _least_left(gram[np.ix_(chosen, chosen)]) <= DOUBT and len(chosen):
        from scipy.linalg import solve_triangular

        rotation = solve_triangular(r, np.eye(len(chosen))) * np.sqrt(len(q))
    return Basis(whole.mean, whole.scale, varying[chosen], whole.bias, rotation, told_by)


def _least_left(gram: Floats) -> float:
    """Return the smallest share of a column's variance that the columns before it leave unsaid; 0 if none."""
    try:
        return float(np.diag(np.linalg.cholesky(gram)).min(initial=1.0)) ** 2
    except np.linalg.LinAlgError:
        return 0.0


def _orthogonal(z: Floats, tolerance: float) -> tuple[list[int], Floats, Floats]:
    """Return the columns that say something new, an orthonormal basis of them, and their parts in it.

    Gram and Schmidt, each column twice, which is enough: z[:, chosen] = q r with a triangular r.
    """
    q = np.empty((len(z), min(z.shape)), order="F")
    r = np.zeros((min(z.shape), min(z.shape)))
    chosen: list[int] = []
    for j in range(z.shape[1]):
        rest, length, n = z[:, j].copy(), float(np.linalg.norm(z[:, j])), len(chosen)
        part = np.zeros(n)
        for _ in range(2):
            more = q[:, :n].T @ rest
            rest -= q[:, :n] @ more
            part += more
        left = float(np.linalg.norm(rest))
        if n == q.shape[1] or left <= tolerance * length:
            continue
        q[:, n], r[:n, n], r[n, n] = rest / left, part, left
        chosen.append(j)
    return chosen, q[:, : len(chosen)], r[: len(chosen), : len(chosen)]


def _tellers(z: Floats, j: int, before: list[int], names: NDArray[np.intp]) -> tuple[int, ...]:
    """Return the columns whose sum column j is, by their places in the whole matrix."""
    share: Any = np.linalg.lstsq(z[:, before], z[:, j], rcond=None)[0]
    return tuple(int(names[k]) for k, part in zip(before, share.tolist(), strict=True) if abs(part) > 1e-6)
