"""Impurities scaled by weight, so that branches add up to compare with their parent (semantics 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

CLASS_CRITERIA = ("entropy", "gain_ratio", "gini", "error")


def class_weights(y: NDArray[Any], weights: NDArray[Any], n_classes: int) -> NDArray[np.float64]:
    """Return the weight of each class."""
    return np.bincount(np.asarray(y, dtype=np.int64), weights=weights, minlength=n_classes).astype(np.float64)


def impurity(criterion: str, y: NDArray[Any], weights: NDArray[Any], n_classes: int) -> float:
    """Return the impurity of some rows times their weight."""
    total = float(np.sum(weights))
    if total <= 0.0:
        return 0.0
    if criterion == "squared_error":
        mean = float(np.sum(weights * y)) / total
        return float(np.sum(weights * (y - mean) ** 2))
    return impurity_of_counts(criterion, class_weights(y, weights, n_classes))


def impurity_of_counts(criterion: str, counts: NDArray[Any]) -> float:
    """Return the impurity of class weights times their sum; gain ratio is made of entropies."""
    total = float(np.sum(counts))
    if total <= 0.0:
        return 0.0
    if criterion == "gini":
        return total - float(np.sum(counts**2)) / total
    if criterion == "error":
        return total - float(np.max(counts))
    if criterion in ("entropy", "gain_ratio"):
        present = counts[counts > 0.0]
        return float(-np.sum(present * np.log2(present / total)))
    raise ValueError(f"No criterion is called {criterion!r}; there are {CLASS_CRITERIA} and squared_error.")


def split_information(branch_weights: Iterable[float]) -> float:
    """Return the entropy in bits of how weight falls into outcomes."""
    return impurity_of_counts("entropy", np.array(list(branch_weights), dtype=np.float64)) / max(
        sum(branch_weights), 1e-300
    )


def majority(counts: Sequence[float] | NDArray[Any]) -> int:
    """Return the class of most weight, the first on ties."""
    return int(np.argmax(np.asarray(counts)))
