"""Class weights, priors and costs: what the user says about classes, as arrays in class order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import nearest

Floats = NDArray[np.float64]


class ClassScales(NamedTuple):
    """Multipliers on class weights: for scoring splits, and for labels and probabilities; and the costs."""

    score: Floats | None
    label: Floats | None
    costs: Floats | None


def by_class(name: str, given: Any, classes: Sequence[str]) -> Floats:
    """Return one number per class from a mapping by class name or a sequence in class order.

    >>> by_class("priors", {"no": 0.4, "yes": 0.6}, ["yes", "no"])
    array([0.6, 0.4])
    """
    if isinstance(given, Mapping):
        words = {str(key): value for key, value in given.items()}
        for word in words:
            if word not in classes:
                near = nearest(word, classes)
                hint = f"; did you mean {near!r}?" if near else ""
                raise ValueError(f"{name} names the class {word!r}; the classes are {_listed(classes)}{hint}")
        if name != "class_weight" and (absent := [c for c in classes if c not in words]):
            raise ValueError(f"{name} leaves out the class {absent[0]!r}; give every class its number")
        given = [words.get(c, 1.0) for c in classes]
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as trouble:
        raise ValueError(f"{name}={given!r} is not a number per class") from trouble
    if values.ndim != 1:
        raise ValueError(f"{name}={given!r} is not a number per class; the classes are {_listed(classes)}")
    if values.shape != (len(classes),):
        raise ValueError(
            f"{name} has {values.size} numbers; there are {len(classes)} classes: {_listed(classes)}"
        )
    if not np.all(np.isfinite(values)) or np.any(values < 0):
        raise ValueError(f"{name}={given!r} must be numbers of at least 0")
    return values


def class_weights(given: Any, classes: Sequence[str], totals: Floats) -> Floats:
    """Return the weight of each class; "balanced" gives all classes the same total."""
    if isinstance(given, str):
        if given != "balanced":
            raise ValueError(f"class_weight={given!r} must be 'balanced' or a weight per class")
        present = totals > 0
        return np.where(present, totals.sum() / (present.sum() * np.where(present, totals, 1.0)), 1.0)
    return by_class("class_weight", given, classes)


def scales(priors: Any, costs: Any, classes: Sequence[str], totals: Floats) -> ClassScales:
    """Return what priors and costs multiply class weights by (semantics: altered priors, for scores only).

    `totals` is the training weight of each class. A prior of 0.5 on a class with a tenth of the weight makes
    each of its rows count five times as much.
    """
    if priors is None and costs is None:
        return ClassScales(None, None, None)
    share = totals / totals.sum()
    prior = share
    if priors is not None:
        prior = by_class("priors", priors, classes)
        if np.any((prior > 0) & (totals == 0)):
            absent = classes[int(np.flatnonzero((prior > 0) & (totals == 0))[0])]
            raise ValueError(f"priors gives the class {absent!r} a share, but no row has it")
        if prior.sum() <= 0:
            raise ValueError("priors are all 0")
        prior = prior / prior.sum()
    safe = np.where(share > 0, share, 1.0)
    label = None if priors is None else prior / safe
    matrix = None if costs is None else cost_matrix(costs, classes)
    if matrix is None:
        return ClassScales(label, label, None)
    altered = prior * matrix.sum(axis=1)
    if altered.sum() <= 0:
        raise ValueError("costs are all 0 for the classes at hand; give at least one mistake a price")
    return ClassScales(altered / altered.sum() / safe, label, matrix)


def cost_matrix(costs: Any, classes: Sequence[str]) -> Floats:
    """Return the k x k matrix of costs, row = true class, from nested mappings or a square array.

    >>> cost_matrix({"sick": {"well": 10}, "well": {"sick": 1}}, ["sick", "well"])
    array([[ 0., 10.],
           [ 1.,  0.]])
    """
    k = len(classes)
    if isinstance(costs, Mapping):
        by_class(
            "costs",
            dict.fromkeys(costs, 0.0) | dict.fromkeys(set(classes) - set(map(str, costs)), 0.0),
            classes,
        )
        rows = {str(true): row for true, row in costs.items()}
        matrix = np.zeros((k, k))
        for i, true in enumerate(classes):
            if not isinstance(rows.get(true, {}), Mapping):
                raise ValueError(
                    f"costs[{true!r}]={rows[true]!r} must be the cost of each wrong answer, by class"
                )
            row = {c: 0.0 if c == true else 1.0 for c in classes} | {
                str(p): v for p, v in rows.get(true, {}).items()
            }
            matrix[i] = by_class("costs", row, classes)
    else:
        try:
            matrix = np.asarray(costs, dtype=np.float64)
        except (TypeError, ValueError) as trouble:
            raise ValueError(f"costs={costs!r} is not a matrix of numbers") from trouble
        if matrix.shape != (k, k):
            raise ValueError(
                f"costs has the shape {matrix.shape}; {k} classes need {k} x {k} (row = true class)"
            )
        if not np.all(np.isfinite(matrix)) or np.any(matrix < 0):
            raise ValueError("costs must be numbers of at least 0")
    if np.any(np.diag(matrix) != 0):
        raise ValueError("costs on the diagonal must be 0: a right answer costs nothing")
    return matrix


def _listed(classes: Sequence[str]) -> str:
    shown = ", ".join(map(repr, classes[:8]))
    return shown + (f" and {len(classes) - 8} more" if len(classes) > 8 else "")
