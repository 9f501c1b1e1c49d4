"""Calibrated probabilities: what a model says, put right by a curve that rows held out have given.

The curve is kept in the model's `about["calibration"]`, and so in its file. Labels stay what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

KEY = "calibration"  # in `about`: method, probabilities, and a curve for each class but the first of two
METHODS = ("isotonic", "beta")
LEAST = 1e-6  # a chance below it is taken for it, by beta calibration


def calibrated(about: Mapping[str, Any], chances: Floats) -> Floats:
    """Return probabilities as a model's calibration has them; as they are where it has none.

    Of two classes the curve is about the second. Of more each class has its own, and the row is divided by
    its sum.

    >>> curve = {"x": [0.0, 1.0], "y": [0.25, 0.75]}
    >>> about = {"calibration": {"method": "isotonic", "curves": [curve]}}
    >>> calibrated(about, np.array([[1.0, 0.0], [0.5, 0.5]])).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    kept = about.get(KEY)
    if kept is None:
        return chances
    n_classes = chances.shape[1]
    try:
        curves = list(kept["curves"])
        if len(curves) != (1 if n_classes == 2 else n_classes) or kept["method"] not in METHODS:
            raise ValueError
        first = n_classes - len(curves)  # of two classes, the second
        found = [_put_right(kept["method"], curve, chances[:, first + k]) for k, curve in enumerate(curves)]
    except (KeyError, TypeError, ValueError) as trouble:
        raise ValueError("The calibration in the model is damaged; calibrate it again.") from trouble
    if n_classes == 2:
        return np.column_stack([1.0 - found[0], found[0]])
    whole = np.column_stack(found)
    total = whole.sum(axis=1, keepdims=True)
    return np.where(total > 0, np.divide(whole, total, out=np.zeros_like(whole), where=total > 0), chances)


def _put_right(method: str, curve: Mapping[str, Any], chance: Floats) -> Floats:
    if method == "isotonic":
        x, y = (np.asarray(list(curve[name]), dtype=np.float64) for name in ("x", "y"))
        is_curve = len(x) == len(y) > 0 and (np.diff(x) > 0).all() and (np.diff(y) >= 0).all()
        if not is_curve or not ((y >= 0) & (y <= 1)).all() or not np.isfinite(x).all():
            raise ValueError
        return np.asarray(np.interp(chance, x, y))
    weights = np.array([float(curve[name]) for name in "abc"])
    if not np.isfinite(weights).all() or (weights[:2] < 0).any():
        raise ValueError
    return beta_curve(weights, chance)


def beta_curve(weights: Floats, chance: Floats) -> Floats:
    """Return 1 / (1 + exp(-(a ln p - b ln(1 - p) + c))): beta calibration (Kull, Silva Filho, Flach 2017).

    >>> beta_curve(np.array([1.0, 1.0, 0.0]), np.array([0.2, 0.5])).round(6).tolist()
    [0.2, 0.5]
    """
    a, b, c = weights
    inside = np.clip(chance, LEAST, 1.0 - LEAST)
    score = a * np.log(inside) - b * np.log1p(-inside) + c
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(score, -700.0, 700.0))))
