"""Tables that a command is given: read with the user's options, or as a model needs them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .failure import Failure, near
from .progress import progress

if TYPE_CHECKING:
    import treewright as tw


def read_data(path: str, reading: dict[str, Any]) -> tw.Table:
    """Return the table of a file; `reading` is what the options of reading say."""
    import treewright as tw

    with progress(f"Reading {os.path.basename(path)}"):
        return tw.read(path, **reading)


def column_of(table: tw.Table, name: str, option: str) -> str:
    """Return the name of a column that an option names; an unknown one is answered with the one meant."""
    if name not in table.names:
        known = ", ".join(table.names[:12]) + (", ..." if table.n_columns > 12 else "")
        raise Failure(
            f"{option} {name}: no column is named so{near(name, table.names)}The columns are: {known}."
        )
    return name
