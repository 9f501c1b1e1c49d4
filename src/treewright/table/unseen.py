"""Categories that training never met: counted, named, and said once for all rows that are predicted."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence

import numpy as np

from treewright.base.data_warning import DataWarning, callers_level
from treewright.base.lines import harmless
from treewright.base.numbers import count

from .encode import UNSEEN
from .raw import Values
from .schema import Column
from .table import Table

_NAMED = 3  # columns and categories that are spelled out


def warn_unseen(
    table: Table | None,
    columns: Sequence[Column],
    values: Sequence[Values],
    used: Collection[int],
    sentence: str | None,
) -> None:
    """Warn of categories that a model has never met, in the columns that it looks at.

    `values` is the table in the codes of the model; `used`: the places of the columns it asks about;
    `sentence`: what it does with them, or None where it refuses them: the error says it. Without the table
    only the columns can be named.

    >>> wanted = [Column("colour", "nominal", ("blue", "red"))]
    >>> table = Table.from_dict({"colour": ["red", "mauve", "mauve"]})
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     warn_unseen(table, wanted, [np.array([1, -2, -2])], [0], "They go left.")
    >>> print(heard[0].message)
    2 of 3 rows hold categories that training never met: colour 'mauve' (2 rows). They go left.
    """
    hit = [i for i in used if values[i].dtype.kind == "i" and bool((values[i] == UNSEEN).any())]
    if not hit or sentence is None:
        return
    rows = np.zeros(len(values[hit[0]]), dtype=bool)
    for i in hit:
        rows |= values[i] == UNSEEN
    named = "; ".join(
        columns[i].name if table is None else _words(table, columns[i].name, values[i]) for i in hit[:_NAMED]
    )
    more = f"; {count(len(hit) - _NAMED, 'more column')}" if len(hit) > _NAMED else ""
    warnings.warn(
        harmless(
            f"{count(int(rows.sum()))} of {count(len(rows), 'row')} "
            f"{'holds' if rows.sum() == 1 else 'hold'} categories that training never met: {named}{more}. "
            f"{sentence}".rstrip()
        ),
        DataWarning,
        stacklevel=callers_level(),
    )


def _words(table: Table, name: str, values: Values) -> str:
    """Return the unknown categories of a column, the commonest first."""
    found, counts = np.unique(table.labels(name)[values == UNSEEN].astype(str), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    words = [f"{str(found[i])!r:.60} ({count(int(counts[i]), 'row')})" for i in order[:_NAMED]]
    more = f", {count(len(found) - _NAMED)} more" if len(found) > _NAMED else ""
    return f"{name} {', '.join(words)}{more}"
