"""Made tables for benchmarks: any number of rows, the same for the same seed."""

import numpy as np
from numpy.typing import NDArray

Arrays = tuple[NDArray[np.float32], NDArray[np.int32]]


def wide(n_rows: int, seed: int = 0) -> Arrays:
    """n_rows x 28 numbers, all distinct, two classes, noisy (a stand-in for HIGGS)."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 28)).astype(np.float32)
    X[:, 20:] = np.abs(X[:, 20:] * X[:, :8] + 0.5 * X[:, 8:16])
    score = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + 0.7 * X[:, 21] - 0.5 * X[:, 24] * X[:, 3]
    score = score + 0.8 * rng.normal(size=n_rows)
    return X, (score > np.median(score)).astype(np.int32)


def cover(n_rows: int, seed: int = 0) -> Arrays:
    """n_rows x 54 numbers (10 whole, 44 zero or one), seven classes (a stand-in for Covertype)."""
    rng = np.random.default_rng(seed)
    numbers = np.round(
        np.stack(
            [
                rng.normal(2900, 280, n_rows),
                rng.uniform(0, 360, n_rows),
                rng.gamma(3, 5, n_rows),
                rng.gamma(2, 130, n_rows),
                rng.normal(46, 58, n_rows),
                rng.gamma(2, 1100, n_rows),
                rng.normal(212, 27, n_rows),
                rng.normal(223, 20, n_rows),
                rng.normal(142, 38, n_rows),
                rng.gamma(2, 990, n_rows),
            ],
            axis=1,
        )
    )
    area, soil = rng.integers(0, 4, n_rows), np.minimum(39, rng.gamma(3, 4, n_rows).astype(int))
    flags = np.zeros((n_rows, 44))
    flags[np.arange(n_rows), area] = 1
    flags[np.arange(n_rows), 4 + soil] = 1
    scores = [
        -((numbers[:, 0] - mean) ** 2) / (2 * 200**2)
        + 0.3 * np.sin(numbers[:, 1] / 57 + k)
        + 0.2 * (soil % 7 == k)
        + 0.3 * (numbers[:, 5] / 3000) * (k - 3) / 3
        + 0.4 * rng.gumbel(size=n_rows)
        for k, mean in enumerate([3100, 2900, 2400, 2200, 2750, 2450, 3350])
    ]
    y = np.stack(scores, axis=1).argmax(axis=1).astype(np.int32)
    return np.hstack([numbers, flags]).astype(np.float32), y
