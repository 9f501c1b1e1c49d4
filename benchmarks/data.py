"""Tables for benchmarks: made ones of any size, the same for the same seed; and one of the tests' tables."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import treewright as tw

Arrays = tuple[NDArray[np.float32], NDArray[np.int32]]
ADULT = Path(__file__).parents[1] / "tests" / "data" / "adult.csv.gz"


def wide(n_rows: int, seed: int = 0) -> Arrays:
    """n_rows x 28 numbers, hardly one twice in a column, two classes, noisy (a stand-in for HIGGS)."""
    X, score = wide_numbers(n_rows, seed)
    return X, (score > np.median(score)).astype(np.int32)


def wide_numbers(n_rows: int, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """The columns of `wide`, and the number that its classes are made from."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 28)).astype(np.float32)
    X[:, 20:] = np.abs(X[:, 20:] * X[:, :8] + 0.5 * X[:, 8:16])
    score = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + 0.7 * X[:, 21] - 0.5 * X[:, 24] * X[:, 3]
    return X, score + 0.8 * rng.normal(size=n_rows)


def classes_around(n_rows: int, n_classes: int, seed: int = 0) -> Arrays:
    """n_rows x 28 numbers around a centre for each of many classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    X = rng.normal(size=(n_classes, 28))[y] + rng.normal(size=(n_rows, 28))
    return X.astype(np.float32), y.astype(np.int32)


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


def with_gaps(X: NDArray[np.float32], share: float, seed: int = 0) -> NDArray[np.float32]:
    """The same numbers with a share of the cells of every column missing."""
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.float32(np.nan), X)


LEVELS = (2, 3, 5, 8, 12, 20, 40, 80, 200, 500)


def nominal(n_rows: int, seed: int = 0) -> tuple[list[NDArray[np.int32]], NDArray[np.int32]]:
    """Ten columns of 2 to 500 categories, as codes, and three classes that some of them tell of, noisy."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, n, n_rows).astype(np.int32) for n in LEVELS]
    worth = [rng.normal(size=n) for n in LEVELS]
    score = sum(w[code] for w, code in zip(worth, codes, strict=True)) + rng.normal(size=n_rows)
    edges = np.quantile(score, (1 / 3, 2 / 3))
    return codes, np.searchsorted(edges, score).astype(np.int32)


def many_classes(n_rows: int, n_classes: int, seed: int = 0) -> Arrays:
    """The columns of `wide`, and its number cut into as many classes."""
    X, score = wide_numbers(n_rows, seed)
    edges = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    return X, np.searchsorted(edges, score).astype(np.int32)


def adult(n_rows: int) -> tw.Table:
    """The first rows of the census table: 6 numeric and 7 nominal columns with gaps; income, two classes."""
    table = tw.read(ADULT)
    return table.take(np.arange(min(n_rows, table.n_rows)))


def cells(table: tw.Table, gap: str | None) -> dict[str, NDArray[np.generic]]:
    """A table as plain arrays: float64, or text with `gap` where there is none."""

    def of(column: tw.Column, values: NDArray[np.generic]) -> NDArray[np.generic]:
        return values if column.is_numeric else np.array([*column.categories, gap], dtype=object)[values]

    columns = zip(table.schema.columns, table.values, strict=True)
    return {column.name: of(column, values) for column, values in columns}
