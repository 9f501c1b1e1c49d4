"""Where the cells of a column of numbers begin: told by a sample, for they decide no tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_EDGES = 254  # so that a cell is a byte, and one byte is left for gaps


def sampled_edges(sample: Floats) -> Floats:
    """Return at most 254 edges between cells of about as many rows each; frequent values have their own.

    >>> sampled_edges(np.array([3.0, 1.0, 2.0, 1.0, np.nan])).tolist()
    [2.0, 3.0]
    >>> many = np.concatenate([np.zeros(5000), np.arange(1.0, 5001.0)])
    >>> edges = sampled_edges(many)
    >>> 100 < len(edges) <= 254, edges[:2].tolist()
    (True, [5e-324, 1.0])
    """
    values, counts = np.unique(sample[~np.isnan(sample)] + 0.0, return_counts=True)
    if len(values) <= MOST_EDGES + 1:
        return np.asarray(values[1:], dtype=np.float64)
    n_cells = MOST_EDGES
    while True:
        share = counts.sum() / n_cells
        place = np.floor((np.cumsum(counts) - counts) / share)
        begins = values[1:][np.diff(place) > 0]
        heavy = values[counts >= share]
        edges = np.unique(np.concatenate([begins, heavy, np.nextafter(heavy, np.inf)]))
        edges = edges[edges > values[0]]
        if len(edges) <= MOST_EDGES:
            return np.asarray(edges, dtype=np.float64)
        n_cells = n_cells * 4 // 5
