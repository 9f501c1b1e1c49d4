"""The way out: columns of plain values as a data frame of whatever is installed."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any

KNOWN = ("pandas", "polars", "pyarrow")


def frame_of(columns: Mapping[str, Sequence[Any]], backend: str | None = None) -> Any:
    """Return a data frame of pandas, polars or pyarrow: by name, or what is installed.

    >>> frame_of({"rule": [1, 2]}, "polars").shape
    (2, 1)
    """
    import narwhals

    if backend is None:
        backend = next((name for name in KNOWN if importlib.util.find_spec(name)), None)
    if backend not in KNOWN:
        raise ValueError(f"A frame is made by {', '.join(KNOWN)}, not {backend!r}; or use to_dict()")
    return narwhals.from_dict(dict(columns), backend=importlib.import_module(backend)).to_native()
