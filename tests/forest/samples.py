"""Random tables for forests: numbers, categories, gaps, classes or numbers to predict."""

from __future__ import annotations

import numpy as np

import treewright as tw


def random_table(seed: int, n_rows: int, is_classes: bool = True, gaps: float = 0.0) -> tw.Table:
    """Return a table whose target `y` follows its columns, more or less."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n_rows).round(1)
    z = rng.integers(0, 5, n_rows).astype(float)
    k = rng.choice(["p", "q", "r", "s"], n_rows)
    size = rng.choice(["S", "M", "L"], n_rows)
    signal = x + z / 2 + (k == "q") - (size == "L") + rng.normal(size=n_rows) * 0.5
    if is_classes:
        y = np.array(["a", "b", "c"])[np.searchsorted(np.quantile(signal, [0.4, 0.8]), signal)]
    else:
        y = 1.0 + (signal - signal.min()) / (np.ptp(signal) + 1e-9) * 0.99  # between 1 and 2
    columns = {"x": x, "z": z, "k": k, "size": size, "noise": rng.random(n_rows).round(2)}
    cells = {
        name: [None if gap else v for v, gap in zip(column.tolist(), rng.random(n_rows) < gaps, strict=True)]
        for name, column in columns.items()
    }
    return tw.Table.from_dict(
        {**cells, "y": y.tolist()},
        kinds={"x": "numeric", "z": "numeric", "k": "nominal", "noise": "numeric"},
        ordinal={"size": ["S", "M", "L"]},
    )
