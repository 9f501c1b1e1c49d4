"""Impurities scaled by weight, so that branches add up to compare with their parent (semantics 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

CLASS_CRITERIA = ("entropy", "gain_ratio", "gini", "error", "hellinger", "twoing")
NUMBER_CRITERIA = ("squared_error", "poisson", "gaussian_entropy", "absolute_error")


def class_weights(y: NDArray[Any], weights: NDArray[Any], n_classes: int) -> NDArray[np.float64]:
    """Return the weight of each class."""
    return np.bincount(np.asarray(y, dtype=np.int64), weights=weights, minlength=n_classes).astype(np.float64)


def impurity(
    criterion: str, y: NDArray[Any], weights: NDArray[Any], n_classes: int, root_variance: float = 1.0
) -> float:
    """Return the impurity of some rows times their weight (semantics 3.15 for the second round)."""
    total = float(np.sum(weights))
    if total <= 0.0:
        return 0.0
    if criterion not in NUMBER_CRITERIA:
        return impurity_of_counts(criterion, class_weights(y, weights, n_classes))
    mean = float(np.sum(weights * y)) / total
    squares = float(np.sum(weights * (y - mean) ** 2))
    if criterion == "poisson":
        return -total * mean * float(np.log(mean)) if mean > 0 else 0.0
    if criterion == "gaussian_entropy":
        return total * 0.5 * float(np.log(squares / total + 1e-9 * root_variance))
    if criterion == "absolute_error":
        return float(np.sum(weights * np.abs(y - lower_median(y, weights))))
    return squares


def lower_median(y: NDArray[Any], weights: NDArray[Any]) -> float:
    """Return the least value up to which lies half of the weight."""
    order = np.argsort(y, kind="stable")
    reached = np.cumsum(weights[order])
    return float(y[order][np.searchsorted(reached, 0.5 * reached[-1] * (1 - 1e-12))])


def answer_and_loss(criterion: str, y: NDArray[Any], weights: NDArray[Any]) -> tuple[float, float]:
    """Return what a node of numbers answers, and its loss on its own rows."""
    answer = float(np.sum(weights * y)) / float(np.sum(weights))
    if criterion == "absolute_error":
        answer = lower_median(y, weights)
        return answer, float(np.sum(weights * np.abs(y - answer)))
    if criterion == "poisson":
        some = y > 0
        logs = float(np.sum(weights[some] * y[some] * np.log(y[some] / answer))) if answer > 0 else 0.0
        return answer, 2 * (logs - float(np.sum(weights * (y - answer))))
    return answer, float(np.sum(weights * (y - answer) ** 2))


def twoing(side: NDArray[Any], node: NDArray[Any]) -> float:
    """Return how far apart the classes of two sides are, from the class weights of one and of both."""
    n, total = float(np.sum(side)), float(np.sum(node))
    if not 0 < n < total:
        return 0.0
    apart = float(np.sum(np.abs(side * total - node * n)))
    return apart**2 / (4 * total**2 * n * (total - n))


def impurity_of_counts(criterion: str, counts: NDArray[Any]) -> float:
    """Return the impurity of class weights times their sum; gain ratio is made of entropies."""
    total = float(np.sum(counts))
    if total <= 0.0:
        return 0.0
    if criterion == "gini":
        return total - float(np.sum(counts**2)) / total
    if criterion == "hellinger":
        return float(np.sqrt(counts[0] * counts[1]))
    if criterion == "error":
        return total - float(np.max(counts))
    if criterion in ("entropy", "gain_ratio"):
        present = counts[counts > 0.0]
        return float(-np.sum(present * np.log2(present / total)))
    known = CLASS_CRITERIA + NUMBER_CRITERIA
    raise ValueError(f"No criterion is called {criterion!r}; there are {known}.")


def split_information(branch_weights: Iterable[float]) -> float:
    """Return the entropy in bits of how weight falls into outcomes."""
    return impurity_of_counts("entropy", np.array(list(branch_weights), dtype=np.float64)) / max(
        sum(branch_weights), 1e-300
    )


def majority(counts: Sequence[float] | NDArray[Any]) -> int:
    """Return the class of most weight, the first on ties."""
    return int(np.argmax(np.asarray(counts)))
