"""What a row holds, as one number: for any order of rows and columns, any codes, any source the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.draws import item_named
from treewright.table import Column

Digests = NDArray[np.uint64]

GAP = 0x7FF8_0000_0000_0000  # the bits of NaN: one gap for all kinds of columns


def digests(
    columns: Iterable[tuple[Column, NDArray[Any]]],
    target: tuple[Column, NDArray[Any]] | None,
    weights: NDArray[Any],
) -> Digests:
    """Return 64 bits for each row, from what it holds: its columns, by name in byte order, target and weight.

    Every cell is a word of 64 bits, and words are chained by Philox: digest = draw(0, word's upper half,
    digest, word's lower half), from 0 on. Names are not part of it, only their order is. Different
    rows share a digest with a chance of 2**-64.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 1], "Wind": ["Weak", None, "Weak"], "y": list("aba")})
    >>> def found(rows, *names):
    ...     return digests([rows.column(name) for name in names], rows.column("y"), np.ones(3))
    >>> first = found(table, "x", "Wind")
    >>> bool(first[0] == first[2] != first[1]), bool((found(table, "Wind", "x") == first).all())
    (True, True)
    >>> bool((found(table.take([1, 0, 2]), "x", "Wind") == first[[1, 0, 2]]).all())
    True
    """
    ordered = sorted(columns, key=lambda pair: pair[0].name.encode("utf-8", "surrogatepass"))
    found = np.zeros(len(weights), dtype=np.uint64)
    for column, values in ordered if target is None else [*ordered, target]:
        found = _core.draws_each(0, found, words(column, values))
    return _core.draws_each(0, found, _of_numbers(weights))


def words(column: Column, values: NDArray[Any]) -> NDArray[np.uint64]:
    """Return each cell as 64 bits: a number as float64, a category by its bytes; all gaps are alike.

    >>> from treewright.table import Kind
    >>> number = words(Column("x", Kind.numeric), np.array([0.0, -0.0, np.nan], dtype=np.float32))
    >>> number.tolist() == [0, 0, GAP]
    True
    >>> colour = words(Column("colour", Kind.nominal, ("red", "blue")), np.array([0, 1, -1]))
    >>> colour.tolist() == [item_named("red"), item_named("blue"), GAP]
    True
    """
    if values.dtype.kind == "f" or column.is_numeric:
        return _of_numbers(values)
    of_code = [
        *map(item_named, column.categories),
        GAP,
        GAP,
    ]  # -1 a gap, -2 a category the column does not know
    return np.asarray(np.array(of_code, dtype=np.uint64)[values])


def _of_numbers(values: NDArray[Any]) -> NDArray[np.uint64]:
    numbers = np.asarray(values, dtype=np.float64) + 0.0  # a copy, in which -0 is 0
    numbers[np.isnan(numbers)] = np.nan  # one NaN of many
    return numbers.view(np.uint64)
