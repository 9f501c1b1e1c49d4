"""What the two-class solvers are given: a matrix of finite numbers, and which rows are positive."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Rows(NamedTuple):
    """Rows of two classes."""

    x: NDArray[np.float64]
    is_positive: NDArray[np.bool_]

    @property
    def side(self) -> NDArray[np.float64]:
        """1 for positive rows, -1 for the others."""
        return np.where(self.is_positive, 1.0, -1.0)

    @property
    def order(self) -> NDArray[np.intp]:
        """The rows sorted by all that they hold, so that their order in the table cannot matter."""
        return np.lexsort((self.is_positive, *self.x.T[::-1]))


def twins(x: NDArray[np.float64], is_positive: NDArray[np.bool_]) -> int | None:
    """Return the first of the sorted rows that is equal to the next, of the other class; None: there is none.

    >>> twins(np.array([[1.0], [2.0], [2.0]]), np.array([False, False, True]))
    1
    """
    is_twin = (x[1:] == x[:-1]).all(axis=1) & (is_positive[1:] != is_positive[:-1])
    return int(is_twin.argmax()) if is_twin.any() else None


def checked_rows(x: Any, y: Any) -> Rows:
    """Return the rows, or say what is wrong with them.

    >>> checked_rows([[1], [2]], [-1, 1]).side.tolist()
    [-1.0, 1.0]
    >>> checked_rows([[1], [2]], [1, 1])
    Traceback (most recent call last):
    ValueError: All 2 rows are of one class; there is nothing to separate. Give rows of two classes.
    """
    matrix = np.ascontiguousarray(x, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"x has {matrix.ndim} dimensions; give a matrix of rows and columns.")
    is_positive = _sides(np.asarray(y), len(matrix))
    bad = np.argwhere(~np.isfinite(matrix))
    if bad.size:
        row, column = (int(i) for i in bad[0])
        raise ValueError(
            f"x[{row}, {column}] is {matrix[row, column]} ({len(bad)} cells are not finite); a plane needs "
            "finite numbers. Fill the gaps or leave those rows out."
        )
    n_positive = int(is_positive.sum())
    if n_positive in (0, len(matrix)):
        raise ValueError(
            f"All {len(matrix)} rows are of one class; there is nothing to separate. "
            "Give rows of two classes."
        )
    return Rows(matrix + 0.0, is_positive)  # no negative zeros: equal numbers are equal bits


def _sides(y: NDArray[Any], n_rows: int) -> NDArray[np.bool_]:
    if y.shape != (n_rows,):
        raise ValueError(f"y has the shape {y.shape} for {n_rows} rows; give one class a row.")
    if y.dtype.kind == "b":
        return y
    found = set(np.unique(y).tolist()) if y.dtype.kind in "iuf" else set(y.tolist())
    if not (found <= {0, 1} or found <= {-1, 1}):
        shown = ", ".join(map(repr, sorted(map(str, found))[:5]))
        raise ValueError(f"y holds {shown}; give truth values, 1 and 0, or 1 and -1.")
    return np.asarray(y > 0)
