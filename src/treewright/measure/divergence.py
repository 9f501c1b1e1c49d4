"""How far one distribution is from another."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.base.names import choice
from treewright.measure.given import GIVEN, Floats, cells, codes, column, gaps_refused
from treewright.measure.groups import along, shaped
from treewright.measure.logarithm import log


def cross_entropy(
    p: Any, q: Any, *, given: str | None = None, missing: str = "error", base: float = 2, axis: int = -1
) -> Any:
    """Return the cross entropy -sum p log q; infinite where q is 0 and p is not.

    `p` and `q` are counts or probabilities of the same outcomes, in the same order, divided by their sums; or
    two columns of labels, counted over the labels of both. Other axes are matched as NumPy does.

    >>> cross_entropy([0.5, 0.5], [0.25, 0.75]) > cross_entropy([0.5, 0.5], [0.5, 0.5])
    True
    >>> cross_entropy([1, 1], [1, 0]), cross_entropy([2, 0], [1, 1])
    (inf, 1.0)
    """
    first, second = _pair(p, q, given, missing, axis)
    return _summed(first, -log(second, base))


def kl_divergence(
    p: Any, q: Any, *, given: str | None = None, missing: str = "error", base: float = 2, axis: int = -1
) -> Any:
    """Return the Kullback-Leibler divergence sum p log(p / q); infinite where q is 0 and p is not.

    The arguments are those of `cross_entropy`.

    >>> kl_divergence([1, 0], [1, 1]), kl_divergence([3, 3], [1, 1]), kl_divergence([1, 1], [1, 0])
    (1.0, 0.0, inf)
    >>> kl_divergence(["a", "a"], ["a", "b"])
    1.0
    """
    first, second = _pair(p, q, given, missing, axis)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        ratio = log(first / second, base)
    found = _summed(first, ratio)
    return max(found, 0.0) if isinstance(found, float) else np.maximum(found, 0.0)


def _summed(p: Floats, terms: Floats) -> Any:
    total = np.where(p > 0, p * np.where(p > 0, terms, 0.0), 0.0).sum(axis=-1) + 0.0
    return shaped(np.atleast_1d(total).ravel(), total.shape)


def _pair(p: Any, q: Any, given: str | None, missing: str, axis: int) -> tuple[Floats, Floats]:
    if given is not None:
        choice("given", given, GIVEN)
    first, second = cells(p, "p"), cells(q, "q")
    are_labels = [given == "labels" or found.dtype.kind not in "iuf" for found in (first, second)]
    if any(are_labels) and given in (None, "labels"):
        if not all(are_labels):
            raise TypeError(
                "One of p and q is labels and the other numbers; give two columns of labels "
                "(given='labels' where they are numbers), or two rows of counts or probabilities."
            )
        return _counted(p, q, missing)
    shares = [_shares(along(found, name, given, axis)) for found, name in ((first, "p"), (second, "q"))]
    if shares[0].shape[-1] != shares[1].shape[-1]:
        raise ValueError(
            f"p has {shares[0].shape[-1]} outcomes and q has {shares[1].shape[-1]}; give the same ones."
        )
    try:
        left, right = np.broadcast_arrays(*shares)
    except ValueError:
        raise ValueError(
            f"p of the shape {first.shape} and q of the shape {second.shape} cannot be matched."
        ) from None
    return left, right


def _shares(sizes: Floats) -> Floats:
    return np.asarray(sizes / sizes.sum(axis=-1, keepdims=True))


def _counted(p: Any, q: Any, missing: str) -> tuple[Floats, Floats]:
    choice("missing", missing, ("error", "drop", "own_branch"))
    first, second = column(p, "p"), column(q, "q")
    kinds = {found.dtype.kind for found in (first, second)}
    if len(kinds) > 1:
        first, second = first.astype(object), second.astype(object)
    coded, n_labels = codes(np.concatenate([first, second]))
    found = []
    for name, part in (("p", coded[: len(first)]), ("q", coded[len(first) :])):
        if missing == "error" and (gaps := int((part < 0).sum())):
            raise gaps_refused(name, gaps, len(part), "missing='drop' or 'own_branch'")
        counted = np.bincount(part + 1, minlength=n_labels + 1).astype(np.float64)
        counted = counted if missing == "own_branch" else counted[1:]
        if not counted.any():
            raise ValueError(f"{name} holds gaps only: there is nothing to measure.")
        found.append(_shares(counted))
    return found[0], found[1]
