"""Small tables of mixed columns with gaps, weights and costs, for the search and its twin."""

from __future__ import annotations

from typing import Any

import numpy as np

import treewright as tw
from tests.oracle.optimal import Trial

CLASS_CRITERIA = ("error", "error", "error", "gini", "entropy")
NUMBER_CRITERIA = ("squared_error", "squared_error", "poisson", "gaussian_entropy")


def trial_of(seed: int, most_rows: int = 24) -> Trial:
    """Return a random trial: rows, columns and what is asked depend on the seed alone."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, most_rows))
    n_classes = int(rng.choice([0, 2, 2, 3, 4]))
    splits = str(rng.choice(["binary", "binary", "one_vs_rest", "multiway"]))
    # above 8 levels the search tries the subsets that growth chose besides: the twin knows nothing of those
    many = 6 if splits == "binary" else 10
    columns, levels = [], []
    for _ in range(int(rng.integers(1, 5))):
        kind = str(rng.choice(["number", "ordered", "nominal", "nominal"]))
        k = int(rng.integers(2, 7)) if kind != "nominal" else int(rng.choice([2, 3, 4, 5, many]))
        values = rng.integers(0, k, n).astype(float)
        if kind == "number" and rng.random() < 0.5:
            values = rng.normal(size=n).round(2)
        if rng.random() < 0.5:
            values[rng.random(n) < 0.2] = np.nan
        columns.append((kind, values))
        levels.append(k)
    weights = np.ones(n) if rng.random() < 0.5 else rng.choice([1.0, 2.0, 0.5, 0.3], n)
    y = rng.integers(0, n_classes, n) if n_classes else rng.gamma(2.0, 3.0, n).round(1) + 0.1
    criterion = str(rng.choice(CLASS_CRITERIA if n_classes else NUMBER_CRITERIA))
    costs = None
    if n_classes and criterion == "error" and rng.random() < 0.4:
        costs = rng.integers(0, 6, (n_classes, n_classes)).astype(float) + 0.5
        np.fill_diagonal(costs, 0.0)
    price = float(rng.choice([0.0, 0.0, 0.3, 1.0]))
    missing = str(rng.choice(["learned", "learned", "own_branch"]))
    return Trial(columns, levels, y, n_classes, weights, criterion, costs, price, splits, missing)


def table_of(trial: Trial) -> tw.Table:
    """Return the trial as a table with the target "y"; categories and classes are declared."""
    columns: dict[str, Any] = {}
    ordered: dict[str, list[str]] = {}
    categories: dict[str, list[str]] = {}
    for i, ((kind, values), k) in enumerate(zip(trial.columns, trial.n_levels, strict=True)):
        name = f"x{i}"
        if kind == "number":
            columns[name] = values
            continue
        names = [f"level {j}" for j in range(k)]
        columns[name] = [None if np.isnan(v) else names[int(v)] for v in values]
        (ordered if kind == "ordered" else categories)[name] = names
    columns["y"] = trial.y
    if trial.n_classes:
        categories["y"] = [f"class {j}" for j in range(trial.n_classes)]
        columns["y"] = [categories["y"][c] for c in trial.y]
    return tw.Table.from_dict(columns, ordinal=ordered, categories=categories)


def solved(trial: Trial, depth: int, max_leaves: int | None = None, **more: Any) -> Any:
    """Return what `tw.optimal` finds for a trial."""
    return tw.optimal(
        table_of(trial),
        "y",
        max_depth=depth,
        max_leaves=max_leaves,
        leaf_price=trial.leaf_price,
        criterion=trial.criterion,
        splits=trial.splits,
        missing=trial.missing,
        weights=trial.weights,
        costs=trial.costs,
        min_leaf=trial.min_leaf,
        warns=False,
        **more,
    )
