"""Random and real tables as samples for the exhaustive judge, and their trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import treewright as tw
from tests.oracle.exhaustive import Sample
from treewright.growth.fixed import fixed_weights
from treewright.growth.grower import grow_rows
from treewright.growth.settings import Settings
from treewright.table import Column, Kind, Rows, Schema, Table

Floats = NDArray[np.float64]


def random_columns(rng: np.random.Generator, n_rows: int) -> list[Floats]:
    """Return columns of numbers that float32 holds and that lie more than 1e-4 apart or are equal."""
    found: list[Floats] = []
    for _ in range(int(rng.integers(1, 13))):
        continuous = np.float32(rng.normal(size=n_rows) * 4096).astype(np.float64)
        makers = [
            lambda x=continuous: x.round(2),
            lambda x=continuous: np.float32(np.exp(x / 1024)).astype(np.float64).round(3),
            lambda: rng.permutation(n_rows).astype(np.float64),
            lambda: rng.integers(-40, 40, n_rows).astype(np.float64),
            lambda: rng.integers(0, 4, n_rows) / 4,
            lambda: np.full(n_rows, 7.25),
        ]
        maker = makers[rng.choice(6, p=[0.35, 0.1, 0.15, 0.2, 0.15, 0.05])]
        found.append(np.float32(maker()).astype(np.float64))
    return found


def random_weights(rng: np.random.Generator, n_rows: int) -> Floats:
    """Return weights: all one, whole numbers or real numbers, as growth will keep them."""
    kinds = [np.ones(n_rows), rng.integers(1, 6, n_rows).astype(float), rng.gamma(2.0, size=n_rows) + 0.01]
    return kept_weights(kinds[rng.integers(0, 3)])


def kept_weights(weights: Floats) -> Floats:
    """Return weights as growth keeps them: real ones in steps of 2**-52 or so of their sum."""
    fixed = fixed_weights(weights, divides=False)
    return np.asarray(fixed.units * fixed.unit)


def random_classes(rng: np.random.Generator, signal: Floats, n_classes: int) -> NDArray[np.int64]:
    """Return classes that follow the signal, more or less."""
    edges = np.quantile(signal, np.linspace(0, 1, n_classes + 1)[1:-1])
    y = np.searchsorted(edges, signal)
    noisy = rng.random(len(signal)) < rng.choice([0.0, 0.1, 0.4, 1.0])
    return np.where(noisy, rng.integers(0, n_classes, len(signal)), y)


def random_numbers(rng: np.random.Generator, signal: Floats) -> Floats:
    """Return numbers that follow the signal, with tails from light to very heavy."""
    spread = signal.std() or 1.0
    noise = rng.standard_t(rng.choice([1.0, 2.0, 5.0, 100.0]), size=len(signal))
    return signal / spread + noise * rng.choice([0.01, 1.0]) + rng.choice([0.0, 1000.0])


def random_sample(seed: int) -> Sample:
    """Return the table of a seed: every third for numbers, every fourth with gaps."""
    rng = np.random.default_rng([seed, 200])
    n_rows = int(np.exp(rng.uniform(np.log(2), np.log(3000))))
    columns = random_columns(rng, n_rows)
    signal = sum(rng.normal() * column / (column.std() or 1.0) for column in columns) + np.zeros(n_rows)
    is_numbers = seed % 3 == 2
    n_classes = 0 if is_numbers else int(rng.integers(2, 13))
    y = random_numbers(rng, signal) if is_numbers else random_classes(rng, signal, n_classes)
    weights = random_weights(rng, n_rows)
    if seed % 4 == 3:
        columns = [np.where(rng.random(n_rows) < rng.choice([0, 0.1, 0.5]), np.nan, c) for c in columns]
    no_category = tuple(False for _ in columns)
    criterion = "squared_error" if is_numbers else "gini"
    return Sample(tuple(columns), no_category, y, weights, n_classes, criterion)


def sample_of(rows: Table, goal: str, criterion: str, **limits: Any) -> Sample:
    """Return a table as the judge reads it."""
    target, answers = rows.column(goal)
    features = rows.drop([goal])
    columns = tuple(
        values if column.kind == Kind.numeric else np.where(values < 0, np.nan, values.astype(np.float64))
        for column, values in zip(features.schema.columns, features.values, strict=True)
    )
    is_nominal = tuple(column.kind in (Kind.nominal, Kind.boolean) for column in features.schema.columns)
    ones = np.ones(rows.n_rows)
    return Sample(columns, is_nominal, answers, ones, len(target.categories), criterion, **limits)


def tree_of(sample: Sample, **more: Any) -> tw.Tree:
    """Return the tree that the core grows on a sample of numeric columns."""
    schema = Schema(tuple(Column(f"x{i:02d}", Kind.numeric) for i in range(len(sample.columns))))
    if sample.n_classes:
        target = Column("y", Kind.nominal, tuple(f"k{i:02d}" for i in range(sample.n_classes)))
    else:
        target = Column("y", Kind.numeric)
    asked = {"criterion": sample.criterion, "max_depth": sample.max_depth, "min_leaf": sample.min_leaf}
    settings = Settings.of("plain", **(asked | more))
    y = sample.y.astype(np.int32) if sample.n_classes else sample.y
    return grow_rows(Rows(schema, sample.columns, target, y, sample.weights), settings)


def grow(table: tw.Table, target: str, recipe: str = "plain", **settings: Any) -> tw.Tree:
    """Return the tree that a recipe grows, before any pruning."""
    return tw.grow(table, target, recipe, **({"prune": "none"} | settings))
