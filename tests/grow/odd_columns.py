"""Columns, targets and weights that are hard on a growth engine, each by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Random = np.random.Generator
Column = Callable[[Random, Floats], NDArray[Any]]  # of a generator and a signal, one number a row


# ---- columns: those of numbers, then those of categories --------------------------------------------


def normal(rng: Random, signal: Floats) -> NDArray[Any]:
    """All distinct, half signal and half noise."""
    return signal + rng.normal(size=len(signal))


def noise(rng: Random, signal: Floats) -> NDArray[Any]:
    """All distinct, nothing to find."""
    return rng.normal(size=len(signal))


def single(rng: Random, signal: Floats) -> NDArray[Any]:
    """Numbers of float32."""
    return np.float32(signal + rng.normal(size=len(signal)))


def whole(rng: Random, signal: Floats) -> NDArray[Any]:
    """Whole numbers, more of them than a byte counts."""
    return np.rint(signal * rng.choice([1, 30, 1000])).astype(np.int64)


def few(rng: Random, signal: Floats) -> NDArray[Any]:
    """A handful of values, many ties."""
    return rng.integers(0, int(rng.integers(2, 12)), len(signal)) / 3


def constant(rng: Random, signal: Floats) -> NDArray[Any]:
    """One value."""
    return np.full(len(signal), 0.1)


def last_bit(rng: Random, signal: Floats) -> NDArray[Any]:
    """Neighbours in float64: midpoints round to one of them."""
    start = np.float64(rng.choice([1.0, -3.7, 1e300, 1e-300]))
    steps = np.spacing(start) * np.rint(signal * 4 + rng.integers(0, 3, len(signal)))
    return start + steps


def single_neighbours(rng: Random, signal: Floats) -> NDArray[Any]:
    """Neighbours in float32: one and the same in a coarser comparison."""
    start = np.float32(rng.choice([1.0, 1e-3, -77.25, 1e30]))
    return (start + np.spacing(start) * np.rint(signal * 6).astype(np.float32)).astype(np.float32)


def magnitudes(rng: Random, signal: Floats) -> NDArray[Any]:
    """Huge and tiny numbers of both signs, subnormal ones among them."""
    return np.sign(signal) * 10.0 ** rng.integers(-320, 309, len(signal))


def signed_zeros(rng: Random, signal: Floats) -> NDArray[Any]:
    """Zeros of both signs, which are one value, and a few others."""
    return rng.choice([-0.0, 0.0, 5e-324, -5e-324, 1.0], len(signal), p=[0.4, 0.4, 0.1, 0.05, 0.05])


def infinities(rng: Random, signal: Floats) -> NDArray[Any]:
    """Infinities beside ordinary numbers."""
    at = rng.random(len(signal))
    return np.where(at < 0.1, -np.inf, np.where(at > 0.85, np.inf, signal))


def rare(rng: Random, signal: Floats) -> NDArray[Any]:
    """One value nearly everywhere, all others distinct: a sample sees one value."""
    others = rng.random(len(signal)) < rng.choice([0.001, 0.01, 0.1])
    return np.where(others, signal + rng.normal(size=len(signal)), 0.5)


def in_order(rng: Random, signal: Floats) -> NDArray[Any]:
    """In the order of the signal, all distinct."""
    return np.argsort(np.argsort(signal, kind="stable"), kind="stable").astype(float) * rng.choice([-1, 1])


def by_row(rng: Random, signal: Floats) -> NDArray[Any]:
    """The number of the row, backwards."""
    return np.arange(len(signal), dtype=float)[::-1]


def blocks(rng: Random, signal: Floats) -> NDArray[Any]:
    """Runs of one value, in the order of the rows."""
    return np.floor(np.arange(len(signal)) / max(1, len(signal) // 9))


def long_tail(rng: Random, signal: Floats) -> NDArray[Any]:
    """Half the rows within a hair of each other, the others far out: bins of equal width see one bin."""
    return np.exp(signal * 8) * (1 + rng.random(len(signal)) * 1e-12)


def words(prefix: str, codes: NDArray[Any]) -> NDArray[Any]:
    return np.array([f"{prefix}{code:03d}" for code in codes], dtype=object)


def two_levels(rng: Random, signal: Floats) -> NDArray[Any]:
    """Two categories that follow the signal."""
    return words("t", (signal + rng.normal(size=len(signal)) > 0).astype(int))


def some_levels(rng: Random, signal: Floats) -> NDArray[Any]:
    """From 3 to 12 categories: the most of which all subsets are tried."""
    n = int(rng.integers(3, 13))
    return words("s", (np.rint(signal * 2).astype(int) * 5 + rng.integers(0, 3, len(signal))) % n)


def many_levels(rng: Random, signal: Floats) -> NDArray[Any]:
    """From 13 to 300 categories, some of them rare."""
    n = int(rng.choice([13, 40, 255, 256, 257, 300]))
    return words("m", np.minimum(n - 1, rng.geometric(4 / n, len(signal)) - 1))


def even_levels(rng: Random, signal: Floats) -> NDArray[Any]:
    """Forty categories as they come."""
    return words("e", rng.integers(0, 40, len(signal)))


def truth(rng: Random, signal: Floats) -> NDArray[Any]:
    """True or false."""
    return signal * rng.choice([-1, 1]) > rng.normal(size=len(signal))


NUMBERS: dict[str, Column] = {
    f.__name__: f
    for f in (
        normal,
        noise,
        single,
        whole,
        few,
        constant,
        last_bit,
        single_neighbours,
        magnitudes,
        signed_zeros,
        infinities,
        rare,
        in_order,
        by_row,
        blocks,
        long_tail,
    )
}
CATEGORIES: dict[str, Column] = {
    f.__name__: f for f in (two_levels, some_levels, many_levels, even_levels, truth)
}


# ---- targets ----------------------------------------------------------------------------------------

N_CLASSES: dict[str, tuple[int, int]] = {
    "two": (2, 2),
    "several": (3, 7),
    "dozens": (8, 60),
    "hundreds": (300, 1000),
}


def classes(rng: Random, signal: Floats, amount: str) -> NDArray[Any]:
    """Return classes in the order of the signal, some, most or all of them drawn anew."""
    low, high = N_CLASSES[amount]
    n_classes = int(rng.integers(low, high + 1))
    edges = np.quantile(signal, np.sort(rng.random(n_classes - 1)))
    y = np.searchsorted(edges, signal)
    noisy = rng.random(len(signal)) < rng.choice([0.0, 0.1, 0.5, 1.0])
    return words("k", np.where(noisy, rng.integers(0, n_classes, len(signal)), y))


def smooth(rng: Random, signal: Floats) -> Floats:
    """The signal and some noise."""
    return signal + rng.normal(size=len(signal)) * rng.choice([0.01, 1.0])


def heavy(rng: Random, signal: Floats) -> Floats:
    """Noise without a variance."""
    return signal + rng.standard_cauchy(len(signal))


def outliers(rng: Random, signal: Floats) -> Floats:
    """A few rows lie 1e12 times as far out as usual."""
    y = signal.copy()
    y[rng.integers(0, len(y), 1 + len(y) // 500)] *= 1e12
    return y


def counts(rng: Random, signal: Floats) -> Floats:
    """Small whole numbers: many ties, many pure nodes."""
    return rng.poisson(np.exp(np.clip(signal, -3, 3))).astype(float)


def far_from_zero(rng: Random, signal: Floats) -> Floats:
    """A mean 1e9 times the spread."""
    return 1e9 + signal


def zero_or_one(rng: Random, signal: Floats) -> Floats:
    """Two numbers."""
    return (signal > rng.normal(size=len(signal))).astype(float)


TARGETS: dict[str, Callable[[Random, Floats], Floats]] = {
    f.__name__: f for f in (smooth, heavy, outliers, counts, far_from_zero, zero_or_one)
}

# ---- weights ----------------------------------------------------------------------------------------

WEIGHTS: dict[str, Callable[[Random, int], Floats | None]] = {
    "none": lambda rng, n: None,
    "ones": lambda rng, n: np.ones(n),
    "whole": lambda rng, n: rng.integers(1, 6, n).astype(float),
    "some_zero": lambda rng, n: np.maximum(rng.integers(0, 4, n), np.arange(n) % 2).astype(float),
    "eighths": lambda rng, n: rng.integers(1, 25, n) / 8,
    "real": lambda rng, n: rng.gamma(2.0, size=n) + 0.01,
    "spread": lambda rng, n: 10.0 ** rng.uniform(-5, 4, n),
}
