"""Entropy, cross entropy and divergence of densities: in closed form for Gaussians, else by integration."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treewright.measure.given import Floats
from treewright.measure.logarithm import log

_POINTS = 20  # of Gauss's rule in each piece
_FIRST, _MOST = 32, 8192  # pieces
_CLOSE = 1e-11  # of two integrals, one with twice the pieces
_WHOLE = 1e-6  # what a density may miss of 1
Density = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Gaussian:
    """The normal distribution with a mean and a standard deviation.

    >>> Gaussian(0.0, 1.0).density(np.array([0.0])).round(6).tolist()
    [0.398942]
    """

    mean: float
    sd: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.mean) and math.isfinite(self.sd) and self.sd > 0):
            raise ValueError(
                f"A Gaussian has a finite mean and an sd above 0; found mean={self.mean!r}, sd={self.sd!r}."
            )

    def density(self, x: Floats) -> Floats:
        """Return the density at points.

        >>> Gaussian(2.0, 0.5).density(np.array([2.0, 2.5])).round(6).tolist()
        [0.797885, 0.483941]
        """
        z = (np.asarray(x, dtype=np.float64) - self.mean) / self.sd
        found: Floats = np.exp(-z * z / 2) / (self.sd * math.sqrt(2 * math.pi))
        return found


def density_entropy(
    p: Gaussian | Density, *, low: float | None = None, high: float | None = None, base: float = 2
) -> float:
    """Return the entropy of a density, -∫ p log p.

    `p` is a `Gaussian`, or a function from an array of points to densities with the ends `low` and `high`
    between which all of it lies.

    >>> round(density_entropy(Gaussian(0.0, 1.0)), 6)
    2.047096
    >>> round(density_entropy(lambda x: np.full(len(x), 0.25), low=0, high=4), 9)
    2.0
    """
    return density_cross_entropy(p, p, low=low, high=high, base=base)


def density_cross_entropy(
    p: Gaussian | Density,
    q: Gaussian | Density,
    *,
    low: float | None = None,
    high: float | None = None,
    base: float = 2,
) -> float:
    """Return the cross entropy of two densities, -∫ p log q; infinite where q is 0 and p is not.

    The arguments are those of `density_entropy`.

    >>> round(density_cross_entropy(Gaussian(0.0, 1.0), Gaussian(1.0, 1.0)), 6)
    2.768443
    """
    unit = float(log(np.array([math.e]), base)[0])
    if isinstance(p, Gaussian) and isinstance(q, Gaussian) and low is None and high is None:
        spread = (p.sd**2 + (p.mean - q.mean) ** 2) / (2 * q.sd**2)
        return unit * (math.log(q.sd * math.sqrt(2 * math.pi)) + spread)
    return _integral(p, q, low, high, lambda _, log_q: -unit * log_q)


def density_kl_divergence(
    p: Gaussian | Density,
    q: Gaussian | Density,
    *,
    low: float | None = None,
    high: float | None = None,
    base: float = 2,
) -> float:
    """Return the Kullback-Leibler divergence of two densities, ∫ p log(p / q): never below 0.

    The arguments are those of `density_entropy`.

    >>> round(density_kl_divergence(Gaussian(0.0, 1.0), Gaussian(1.0, 1.0)), 6)
    0.721348
    >>> flat, half = lambda x: np.full(len(x), 0.5), lambda x: x / 2
    >>> round(density_kl_divergence(half, flat, low=0, high=2, base=np.e), 6)
    0.193147
    """
    if isinstance(p, Gaussian) and isinstance(q, Gaussian) and low is None and high is None:
        return max(density_cross_entropy(p, q, base=base) - density_entropy(p, base=base), 0.0)

    unit = float(log(np.array([math.e]), base)[0])
    return max(_integral(p, q, low, high, lambda a, log_q: unit * (np.log(a) - log_q)), 0.0)


def _integral(
    p: Gaussian | Density,
    q: Gaussian | Density,
    low: float | None,
    high: float | None,
    term: Callable[[Floats, Floats], Floats],
) -> float:
    """Return ∫ p term(p, ln q): in twice as many pieces until it no longer changes."""
    low, high = _ends(p, low, high)
    nodes, weights = np.polynomial.legendre.leggauss(_POINTS)
    before = math.nan
    n = _FIRST
    while True:
        step = (high - low) / n
        x = (low + step * (np.arange(n)[:, None] + (nodes + 1) / 2)).ravel()
        a, log_q = _densities(p, x, "p"), _logarithms(q, x)
        each = np.tile(weights, n) * step / 2
        whole = float(each @ a)
        terms = np.where(a > 0, a * np.where(a > 0, term(np.where(a > 0, a, 1.0), log_q), 0.0), 0.0)
        found = float(each @ terms)
        if math.isinf(found) or abs(found - before) <= _CLOSE * max(1.0, abs(found)) or n >= _MOST:
            break
        before, n = found, 2 * n
    if abs(whole - 1) > _WHOLE:
        raise ValueError(
            f"p has {whole:.6g} of its area from {low:g} to {high:g}; a density has 1. Move low and high, or "
            "divide p by its area."
        )
    return found + 0.0


def _ends(p: Gaussian | Density, low: float | None, high: float | None) -> tuple[float, float]:
    if isinstance(p, Gaussian):
        reach = 12 * p.sd
        low, high = p.mean - reach if low is None else low, p.mean + reach if high is None else high
    if low is None or high is None:
        raise TypeError("A density that is no Gaussian needs its ends: low= and high=.")
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(f"low={low!r} and high={high!r}: two finite ends, the lower one first.")
    return float(low), float(high)


def _densities(p: Gaussian | Density, x: Floats, name: str) -> Floats:
    found = np.asarray(p.density(x) if isinstance(p, Gaussian) else p(x), dtype=np.float64)
    if found.shape != x.shape or not (found >= 0).all():
        raise ValueError(f"{name} must give a density, 0 or more, for each of the points it is handed.")
    return found


def _logarithms(q: Gaussian | Density, x: Floats) -> Floats:
    """Return ln q: of a Gaussian also where its density is below any float."""
    if isinstance(q, Gaussian):
        z = (x - q.mean) / q.sd
        return np.asarray(-z * z / 2 - math.log(q.sd * math.sqrt(2 * math.pi)))
    return log(_densities(q, x, "q"), math.e)
