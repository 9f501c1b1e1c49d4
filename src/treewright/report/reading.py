"""How a file was read, without any of its cells: a report is sent to people who may not see them."""

from __future__ import annotations

import os
from typing import Any

# What is told of a column; examples, extremes and reasons quote cells.
_OF_COLUMN = ("name", "kind", "distinct", "gaps")


def reading_facts(reading: Any) -> dict[str, Any] | None:
    """Return what was understood of a file: lines for people, and layout and columns as plain values.

    >>> import treewright as tw
    >>> from importlib.resources import files
    >>> found = reading_facts(tw.reading(files("treewright.table") / "data" / "temperature.csv"))
    >>> found["lines"][-1], found["columns"][1]
    ('Missing: 0 of 12 cells.', {'name': 'PlayTennis', 'kind': 'nominal', 'distinct': 2, 'gaps': 0})
    """
    if reading is None:
        return None
    if not callable(getattr(reading, "to_dict", None)) or not hasattr(reading, "lines"):
        raise TypeError(f"reading={reading!r:.80} must be what tw.reading(path) gives.")
    known = reading.to_dict()
    columns = [{name: column.get(name) for name in _OF_COLUMN} for column in known["columns"]]
    n_gaps = sum(column["gaps"] or 0 for column in columns)
    n_cells = known["n_rows"] * known["n_columns"]
    return {
        "lines": [*map(str, reading.lines[:2]), f"Missing: {n_gaps:,} of {n_cells:,} cells."],
        "file": os.path.basename(str(known["file"])),
        "format": known["format"],
        "layout": dict(known["layout"]),
        "ignored": list(known["ignored"]),
        "columns": columns,
    }
