"""A tree small enough to check by hand, for examples and tests."""

from __future__ import annotations

import numpy as np

from treewright.table.schema import Column, Kind, Schema
from treewright.tree.tree import Tree


def tennis() -> Tree:
    """Return the ID3 tree of the 14-day play-tennis table.

    >>> print(tennis().to_text())
    Outlook
    ├─ = Sunny → Humidity
    │  ├─ = High → No  (3 rows)
    │  └─ = Normal → Yes  (2 rows)
    ├─ = Overcast → Yes  (4 rows)
    └─ = Rain → Wind
       ├─ = Strong → No  (2 rows)
       └─ = Weak → Yes  (3 rows)
    """
    nan = float("nan")
    columns = (
        Column("Outlook", Kind.nominal, ("Sunny", "Overcast", "Rain")),
        Column("Temperature", Kind.nominal, ("Hot", "Mild", "Cool")),
        Column("Humidity", Kind.nominal, ("High", "Normal")),
        Column("Wind", Kind.nominal, ("Strong", "Weak")),
    )
    gain = np.array([0.24674981977443933, 0.9709505944546686, nan, nan, nan, 0.9709505944546686, nan, nan])
    return Tree(
        schema=Schema(columns),
        target=Column("Play", Kind.nominal, ("No", "Yes")),
        end=np.array([8, 4, 3, 4, 5, 8, 7, 8], dtype=np.int32),
        column=np.array([0, 2, -1, -1, -1, 3, -1, -1], dtype=np.int32),
        kind=np.array([2, 2, 0, 0, 0, 2, 0, 0], dtype=np.uint8),
        cut=np.full(8, nan),
        missing=np.full(8, -1, dtype=np.int32),
        largest=np.array([0, 0, -1, -1, -1, 1, -1, -1], dtype=np.int32),
        code_start=np.array([0, 3, 5, 5, 5, 5, 7, 7, 7]),
        code=np.array([0, 1, 2, 0, 1, 0, 1], dtype=np.int32),
        code_branch=np.array([0, 1, 2, 0, 1, 0, 1], dtype=np.int32),
        score=gain,
        gain=gain,
        exact=np.ones(8, dtype=np.bool_),
        n_rows=np.array([14, 5, 3, 2, 4, 5, 2, 3]),
        stats=np.array([[5.0, 9], [3, 2], [3, 0], [0, 2], [0, 4], [2, 3], [2, 0], [0, 3]]),
        label=np.array([1, 0, 0, 1, 1, 1, 0, 1], dtype=np.int32),
        about={"recipe": "id3", "criterion": "entropy", "missing": "error", "unseen": "most_common"},
    )
