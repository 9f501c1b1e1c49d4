"""Points in a square, by keyed draws: the same on every machine, whatever was drawn before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import row_shares
from treewright.evaluate.corrupt import corrupt
from treewright.table import Table

# The key of these draws, beside those of growth, folds and evaluation.
LECTURES = 2**32 - 101

X, Y = 0, 1
HALF = 1.5  # the square reaches from -1.5 to 1.5


def square(n: int, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the coordinates of points spread evenly over the square.

    >>> x, y = square(1000)
    >>> bool((abs(x) <= 1.5).all()), abs(float(y.mean())) < 0.1
    (True, True)
    """
    x, y = ((2 * row_shares(seed, LECTURES, item, n) - 1) * HALF for item in (X, Y))
    return x, y


def sides(n: int, seed: int = 0) -> Table:
    """Return points that are blue where x is at least 0, and red elsewhere.

    >>> sides(1000).names
    ('x', 'y', 'colour')
    """
    x, y = square(n, seed)
    return _coloured(x, y, x >= 0)


def circle(n: int, noise: float = 0.0, seed: int = 0) -> Table:
    """Return points that are blue inside the unit circle; a share `noise` of them has the other colour.

    >>> table = circle(1000)
    >>> bool(abs((table.labels("colour") == "blue").mean() - 3.14159 / 9) < 0.05)
    True
    """
    x, y = square(n, seed)
    table = _coloured(x, y, x * x + y * y <= 1)
    return corrupt(table, "colour", label_noise=noise, seed=seed)


def _coloured(x: NDArray[np.float64], y: NDArray[np.float64], is_blue: NDArray[np.bool_]) -> Table:
    colours = np.where(is_blue, "blue", "red").tolist()
    return Table.from_dict({"x": x, "y": y, "colour": colours}, categories={"colour": ["red", "blue"]})
