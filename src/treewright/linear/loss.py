"""Minus the penalised log-likelihood of two classes, and of several: value, gradient, Hessian.

A loss is asked at scores z = x theta, so that a line search need not look at the matrix again. `push` is the
heart of the proof that a maximum exists (see `climb.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BLOCK = 1024  # rows whose weighted copy stays in the cache


class Loss(Protocol):
    """What is climbed down."""

    @property
    def x(self) -> Floats:
        """The matrix."""

    @property
    def penalty(self) -> Floats:
        """What half a squared parameter costs."""

    @property
    def n_parameters(self) -> int:
        """The number of parameters."""

    @property
    def total(self) -> float:
        """The weight of all rows."""

    def scores(self, theta: Floats) -> Floats:
        """Return the scores of the rows: linear in theta."""

    def value(self, z: Floats, theta: Floats) -> float:
        """Return the loss."""

    def gradient(self, z: Floats, theta: Floats) -> Floats:
        """Return the gradient."""

    def derivatives(self, z: Floats, theta: Floats) -> tuple[Floats, Floats]:
        """Return the gradient and the Hessian."""

    def curvature(self, z: Floats, direction: Floats) -> Floats:
        """Return the Hessian times a direction."""

    def margins(self, z: Floats) -> Floats:
        """Return by how much each row's class is ahead of each other class."""

    def push(self, z: Floats, move: Floats) -> float:
        """Return the largest share of a row's doubt that a Newton step with these moves takes."""

    def part(self, rows: slice) -> Loss:
        """Return the loss of some of the rows."""


@dataclass(frozen=True)
class TwoClasses:
    """Minus the log-likelihood of a class of two, -sum ln σ(±z), plus half the penalised squares.

    >>> loss = TwoClasses(np.array([[1.0], [1.0]]), np.array([1.0, -1.0]), np.ones(2), np.zeros(1))
    >>> z = loss.scores(np.zeros(1))
    >>> round(loss.value(z, np.zeros(1)), 6), loss.gradient(z, np.zeros(1)).tolist()
    (1.386294, [0.0])
    """

    x: Floats
    sign: Floats  # +1 for the second class, -1 for the first
    weight: Floats
    penalty: Floats
    adds_bias: bool = False  # the last parameter belongs to a column of ones that x does not have

    @property
    def n_parameters(self) -> int:
        """One for each column."""
        return int(self.x.shape[1]) + self.adds_bias

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.weight.sum())

    def scores(self, theta: Floats) -> Floats:
        """Return x theta."""
        return self.x @ theta[:-1] + theta[-1] if self.adds_bias else self.x @ theta

    def _sums(self, row_weights: Floats) -> Floats:
        """Return the weighted sums of the columns."""
        sums = row_weights @ self.x
        return np.append(sums, row_weights.sum()) if self.adds_bias else sums

    def value(self, z: Floats, theta: Floats) -> float:
        """Return the loss; ln σ is computed so that no score, however large, overflows."""
        m = self.sign * z
        doubt = np.maximum(-m, 0.0) + np.log1p(np.exp(-np.abs(m)))
        return float(self.weight @ doubt) + _cost(self.penalty, theta)

    def gradient(self, z: Floats, theta: Floats) -> Floats:
        """Return the gradient: minus the sum of (y - σ) x, plus the penalty's."""
        pull = self.weight * self.sign * _doubt(self.sign * z)
        return self.penalty * theta - self._sums(pull)

    def derivatives(self, z: Floats, theta: Floats) -> tuple[Floats, Floats]:
        """Return gradient and Hessian: the sum of σ (1 - σ) x x'."""
        doubt = _doubt(self.sign * z)
        pull = self.weight * self.sign * doubt
        root = np.sqrt(self.weight * doubt * (1.0 - doubt))
        n = self.x.shape[1]
        gradient, hessian = self.penalty * theta, np.diag(self.penalty)
        for rows, part in _blocks(self.x):
            gradient[:n] -= pull[rows] @ part
            scaled = part * root[rows, None]
            hessian[:n, :n] += scaled.T @ scaled
            if self.adds_bias:
                hessian[n, :n] += root[rows] @ scaled
        if self.adds_bias:
            gradient[n] -= pull.sum()
            hessian[:n, n], hessian[n, n] = hessian[n, :n], hessian[n, n] + root @ root
        return gradient, hessian

    def curvature(self, z: Floats, direction: Floats) -> Floats:
        """Return the Hessian times a direction, without the Hessian."""
        doubt = _doubt(self.sign * z)
        bend = self.weight * doubt * (1.0 - doubt)
        return self.penalty * direction + self._sums(bend * self.scores(direction))

    def margins(self, z: Floats) -> Floats:
        """Return ±z: positive where a row is on its side."""
        return self.sign * z

    def push(self, z: Floats, move: Floats) -> float:
        """Return the largest share of a row's doubt that a Newton step takes."""
        m = self.sign * z
        return float((self.sign * move * (1.0 - _doubt(m))).max(initial=0.0))

    def part(self, rows: slice) -> TwoClasses:
        """Return the loss of some of the rows."""
        x = np.ascontiguousarray(self.x[rows])
        return TwoClasses(x, self.sign[rows], self.weight[rows], self.penalty, self.adds_bias)


@dataclass(frozen=True)
class SeveralClasses:
    """Minus the log-likelihood of softmax: the reference class has the score 0, the others a row of weights.

    `theta` holds these rows one after the other. `allowed` (rows x classes) is False where a row cannot be of
    a class; None: everything may be.

    >>> loss = SeveralClasses(np.ones((3, 1)), np.array([0, 1, 2]), np.ones(3), np.zeros(2), 3, 0)
    >>> z = loss.scores(np.zeros(2))
    >>> round(loss.value(z, np.zeros(2)), 6)
    3.295837
    >>> loss.gradient(z, np.zeros(2)).round(6) + 0.0
    array([0., 0.])
    """

    x: Floats
    codes: NDArray[np.intp]
    weight: Floats
    penalty: Floats  # for each parameter
    n_classes: int
    reference: int
    allowed: NDArray[np.bool_] | None = None

    @property
    def n_parameters(self) -> int:
        """One for each column and each class but the reference."""
        return int(self.x.shape[1]) * (self.n_classes - 1)

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.weight.sum())

    @property
    def others(self) -> list[int]:
        """The classes that have weights, in order."""
        return [k for k in range(self.n_classes) if k != self.reference]

    def scores(self, theta: Floats) -> Floats:
        """Return the scores of all classes, 0 for the reference."""
        z = np.zeros((len(self.x), self.n_classes))
        z[:, self.others] = self.x @ theta.reshape(self.n_classes - 1, -1).T
        return z

    def _chances(self, z: Floats) -> Floats:
        z = z if self.allowed is None else np.where(self.allowed, z, -np.inf)
        grown = np.exp(z - z.max(axis=1, keepdims=True))
        return np.asarray(grown / grown.sum(axis=1, keepdims=True))

    def value(self, z: Floats, theta: Floats) -> float:
        """Return the loss; the largest score is taken off before e to its power is."""
        z = z if self.allowed is None else np.where(self.allowed, z, -np.inf)
        top = z.max(axis=1)
        doubt = np.log(np.exp(z - top[:, None]).sum(axis=1)) + top - z[np.arange(len(z)), self.codes]
        return float(self.weight @ doubt) + _cost(self.penalty, theta)

    def _pull(self, chances: Floats) -> Floats:
        """Return what pulls at each score: minus (y - p), weighted, for the classes with weights."""
        pull = chances * self.weight[:, None]
        pull[np.arange(len(pull)), self.codes] -= self.weight
        return pull[:, self.others]

    def gradient(self, z: Floats, theta: Floats) -> Floats:
        """Return the gradient."""
        pull = self._pull(self._chances(z))
        return self.penalty * theta + (pull.T @ self.x).ravel()

    def derivatives(self, z: Floats, theta: Floats) -> tuple[Floats, Floats]:
        """Return gradient and Hessian, the latter in blocks p_k (1[k = l] - p_l) x x' for classes k and l."""
        chances = self._chances(z)
        pull, p = self._pull(chances), chances[:, self.others]
        n, q = p.shape[1], self.x.shape[1]
        gradient = (self.penalty * theta).reshape(n, q)
        hessian = np.zeros((n, n, q, q))
        for rows, part in _blocks(self.x):
            gradient += pull[rows].T @ part
            for k in range(n):
                bent = part * (self.weight[rows] * p[rows, k])[:, None]
                hessian[k, k] += bent.T @ part
                for j in range(k + 1):
                    hessian[k, j] -= (bent * p[rows, j, None]).T @ part
        for k in range(n):
            for j in range(k):
                hessian[j, k] = hessian[k, j].T
        flat = hessian.transpose(0, 2, 1, 3).reshape(n * q, n * q)
        return gradient.ravel(), flat + np.diag(self.penalty)

    def curvature(self, z: Floats, direction: Floats) -> Floats:
        """Return the Hessian times a direction, without the Hessian."""
        chances, move = self._chances(z), self.scores(direction)
        bent = chances * (move - (chances * move).sum(axis=1, keepdims=True)) * self.weight[:, None]
        return np.asarray(self.penalty * direction + (bent[:, self.others].T @ self.x).ravel())

    def margins(self, z: Floats) -> Floats:
        """Return by how much the class of a row is ahead of each other; infinite where it cannot be."""
        ahead = z[np.arange(len(z)), self.codes][:, None] - z
        ahead[np.arange(len(z)), self.codes] = np.inf
        return ahead if self.allowed is None else np.where(self.allowed, ahead, np.inf)

    def push(self, z: Floats, move: Floats) -> float:
        """Return the largest share of a row's doubt about some class that a Newton step takes."""
        chances = self._chances(z)
        away = (chances * move).sum(axis=1, keepdims=True) - move
        away[np.arange(len(z)), self.codes] = 0.0
        if self.allowed is not None:
            away[~self.allowed] = 0.0
        return float(away.max(initial=0.0))

    def part(self, rows: slice) -> SeveralClasses:
        """Return the loss of some of the rows."""
        allowed = None if self.allowed is None else self.allowed[rows]
        x = np.ascontiguousarray(self.x[rows])
        return SeveralClasses(
            x, self.codes[rows], self.weight[rows], self.penalty, self.n_classes, self.reference, allowed
        )


def _doubt(margin: Floats) -> Floats:
    """Return σ(-margin), the probability of the other class."""
    small = np.exp(-np.abs(margin))
    return np.where(margin >= 0, small, 1.0) / (1.0 + small)


def _cost(penalty: Floats, theta: Floats) -> float:
    return 0.5 * float(penalty @ (theta * theta))


def _blocks(x: Floats) -> Iterator[tuple[slice, Floats]]:
    for start in range(0, len(x), BLOCK):
        rows = slice(start, start + BLOCK)
        yield rows, x[rows]
