"""Sums by chance: sparse random projections, of a few columns with weights of ±1."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.base.draws import PROJECTIONS, row_draws
from treewright.growth.projected.field import Field, Sum


def sparse_sums(
    field: Field, names: tuple[str, ...], n_tries: int, most: int, seed: int, path: int
) -> Iterator[Sum]:
    """Yield `n_tries` sums of two to `most` columns, scaled, with weights of ±1.

    Draws are hashes of the seed, the node's path and the place of the column by name: a table with its
    columns in another order gives the same sums.

    >>> from treewright.growth.projected.field import field_of
    >>> from treewright.table import Column, Kind, Schema
    >>> schema = Schema((Column("a", Kind.numeric), Column("b", Kind.numeric)))
    >>> cells = [np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0, 1.0])]
    >>> field = field_of(schema, cells, np.arange(4), np.ones(4, dtype=np.int64))
    >>> {len(s) for s in sparse_sums(field, schema.names, 3, 4, seed=0, path=1)}
    {2}
    """
    n = len(field.terms)
    if n < 2:
        return
    name = [names[term.column].encode("utf-8", "surrogatepass") for term in field.terms]
    by_name = sorted(range(n), key=lambda i: (name[i], field.terms[i][1:]))
    for attempt in range(n_tries):
        bits = row_draws(seed, PROJECTIONS, (path + 0x9E3779B97F4A7C15 * (attempt + 1)) % 2**64, n + 1)
        size = 2 + int(bits[n] % np.uint64(max(1, min(most, n) - 1)))
        chosen = np.argsort(bits[:n], kind="stable")[:size]
        weights = np.zeros(n)
        for k in chosen.tolist():
            weights[by_name[k]] = 1.0 if int(bits[k]) & 1 else -1.0
        if (found := field.in_units(weights)) is not None:
            yield found
