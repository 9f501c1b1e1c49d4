"""The tables of the study of pruning: the tests' tables, scikit-learn's, and made ones; and their folds."""

from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

import treewright as tw
from benchmarks.report import ROOT
from treewright.table import read_described

MOST_ROWS = 4000  # larger tables are a fixed sample of so many rows
GOALS = {
    "labor": "class", "kyphosis": "Kyphosis", "stagec": "progstat", "iris": "class", "vote": "Class",
    "monk3": "class", "monk1": "class", "monk2": "class", "soybean": "class", "crx": "class",
    "credit_g": "class", "hypothyroid": "class", "mushroom": "class", "adult": "income",
    "fertility": "morekids",
}  # fmt: skip
LOADED: dict[str, Callable[[], Any]] = {
    "wine": load_wine,
    "breast_cancer": load_breast_cancer,
    "digits": load_digits,
}


class Data(NamedTuple):
    """A table, and the column to predict."""

    table: tw.Table
    goal: str


@cache
def data(name: str) -> Data:
    """Return a table of the study; of a large one a fixed sample of its rows.

    >>> data("iris").table.n_rows, data("made_gaps").goal
    (150, 'y')
    """
    table, goal = _whole(name)
    rows = np.random.default_rng(0).permutation(table.n_rows)[:MOST_ROWS]
    return Data(table.take(np.sort(rows)), goal)


def names(among: Iterable[str] = ()) -> list[str]:
    """Return all tables, or some, the smallest first.

    >>> names(["wine", "iris", "kyphosis"])
    ['kyphosis', 'iris', 'wine']
    """
    some = set(among) or {*GOALS, *LOADED, *MADE}
    return sorted(some, key=lambda name: (data(name).table.n_rows * data(name).table.n_columns, name))


def not_looked_at() -> list[str]:
    """Return the two tables that have no part in choosing: those whose names hash lowest, a rule set before.

    >>> len(not_looked_at())
    2
    """
    return sorted([*GOALS, *LOADED, *MADE], key=lambda name: sha256(name.encode()).digest())[:2]


def folds(name: str, seed: int) -> NDArray[np.int64]:
    """Return the fold of each row, 0 to 9, classes in equal shares: the same for all methods.

    >>> np.bincount(folds("iris", 0)).tolist()
    [15, 15, 15, 15, 15, 15, 15, 15, 15, 15]
    """
    table, goal = data(name)
    order = np.random.default_rng(seed).permutation(table.n_rows)
    order = order[np.argsort(table.column(goal)[1][order], kind="stable")]
    fold = np.empty(table.n_rows, dtype=np.int64)
    fold[order] = np.arange(table.n_rows) % 10
    return fold


def _whole(name: str) -> Data:
    if name in MADE:
        return Data(MADE[name](np.random.default_rng(1984)), "y")
    if name in LOADED:
        bunch = LOADED[name]()
        cells = {str(n): column for n, column in zip(bunch.feature_names, bunch.data.T, strict=True)}
        return Data(tw.Table.from_dict({**cells, "y": [str(c) for c in bunch.target]}), "y")
    path = next((ROOT / "tests" / "data").glob(f"{name}.csv*"))
    return Data(read_described(path), GOALS[name])


# ---- made tables -----------------------------------------------------------------------------------


def _noise(rng: np.random.Generator) -> tw.Table:
    """Nothing to learn: the right tree is a leaf."""
    x = rng.normal(size=(300, 8))
    return _table(x, rng.random(300) < 0.4)


def _line(rng: np.random.Generator) -> tw.Table:
    """A sloping border, a tenth of the answers wrong."""
    x = rng.normal(size=(600, 6))
    return _table(x, _flipped(rng, x[:, 0] + x[:, 1] - x[:, 2] > 0, 0.1))


def _levels(rng: np.random.Generator) -> tw.Table:
    """Columns of 4 to 30 categories, two of which matter."""
    codes = {f"c{k}": rng.integers(0, k, 800) for k in (4, 8, 15, 30)}
    weight = rng.normal(size=30)
    y = _flipped(rng, (weight[codes["c30"]] > 0) ^ (codes["c4"] == 0), 0.1)
    cells = {name: [f"v{code:02d}" for code in column] for name, column in codes.items()}
    return tw.Table.from_dict({**cells, "y": np.where(y, "yes", "no").tolist()})


def _gaps(rng: np.random.Generator) -> tw.Table:
    """A quarter of the cells missing; in one column that is a sign of the answer."""
    x = rng.normal(size=(1000, 5))
    y = _flipped(rng, np.where(x[:, 0] > 0.3, x[:, 1] > 0, x[:, 2] > 0.5), 0.08)
    x[rng.random(x.shape) < 0.25] = np.nan
    x[(rng.random(1000) < 0.5) & y, 3] = np.nan
    return _table(x, y)


def _waves(rng: np.random.Generator) -> tw.Table:
    """Friedman's surface, cut into three classes."""
    x = rng.uniform(size=(2000, 8))
    score = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    score += 2 * rng.normal(size=2000)
    return _table(x, np.digitize(score, np.quantile(score, [0.4, 0.75])))


def _flipped(rng: np.random.Generator, y: NDArray[np.bool_], share: float) -> NDArray[np.bool_]:
    return np.asarray(y ^ (rng.random(len(y)) < share))


def _table(x: NDArray[np.float64], y: NDArray[Any]) -> tw.Table:
    cells = {f"x{i}": column for i, column in enumerate(x.T)}
    return tw.Table.from_dict({**cells, "y": [str(int(answer)) for answer in y]})


MADE: dict[str, Callable[[np.random.Generator], tw.Table]] = {
    "made_noise": _noise,
    "made_line": _line,
    "made_levels": _levels,
    "made_gaps": _gaps,
    "made_waves": _waves,
}
