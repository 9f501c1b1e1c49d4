"""The likeliest plane between two groups of rows, on a few columns: Newton's steps with nothing around them.

The same climb as `linear.climb.newton`, which tells of every step and proves that there is a maximum; a node
asks for hundreds of planes, and is told where each ends.
"""

from __future__ import annotations

import numpy as np

from treewright.growth.projected.field import Floats

MOST_STEPS = 12
CLOSE = 1e-3  # of a score: no step changes one by more, then it is done
HALVINGS = 40
LEAST_FALL = 1e-4  # of what the slope promises


def likeliest(x: Floats, sign: Floats, weight: Floats, penalty: Floats, start: Floats) -> Floats:
    """Return the weights of a logistic fit; `sign` is +1 or -1 by row, `penalty` is on half the squares.

    >>> x = np.array([[-1.0, 1.0], [0.0, 1.0], [0.0, 1.0], [1.0, 1.0]])
    >>> found = likeliest(x, np.array([-1.0, -1.0, 1.0, 1.0]), np.ones(4), np.array([0.5, 0.0]), np.zeros(2))
    >>> (found.round(4) + 0.0).tolist()
    [1.0426, 0.0]
    """
    theta, z = start, x @ start
    value, small, margin = _value(sign * z, weight, penalty, theta)
    for _ in range(MOST_STEPS):
        doubt = np.where(margin >= 0, small, 1.0) / (1.0 + small)
        pull = weight * doubt
        gradient = penalty * theta - (pull * sign) @ x
        scaled = x * np.sqrt(pull * (1.0 - doubt))[:, None]
        hessian = scaled.T @ scaled
        hessian.flat[:: len(theta) + 1] += penalty
        direction = _solved(hessian, gradient)
        move = x @ direction
        fall, length, before = -float(gradient @ direction), 1.0, value
        for _ in range(HALVINGS):
            value, small, margin = _value(
                sign * (z + length * move), weight, penalty, theta + length * direction
            )
            if value <= before - LEAST_FALL * length * fall + 1e-14 * (1.0 + abs(before)):
                break
            length /= 2
        else:
            return theta
        theta, z = theta + length * direction, z + length * move
        if length * float(np.abs(move).max()) <= CLOSE:
            break
    return theta


def _value(margin: Floats, weight: Floats, penalty: Floats, theta: Floats) -> tuple[float, Floats, Floats]:
    """Return the loss, e to the power of minus each distance from the plane, and the distances."""
    small = np.exp(-np.abs(margin))
    loss = float(weight @ (np.maximum(-margin, 0.0) + np.log1p(small)))
    return loss + 0.5 * float(penalty @ (theta * theta)), small, margin


def _solved(hessian: Floats, gradient: Floats) -> Floats:
    """Return where the step leads; where that is not one place, the nearest."""
    try:
        found = np.linalg.solve(hessian, -gradient)
    except np.linalg.LinAlgError:
        found = np.full(len(gradient), np.nan)
    if np.isfinite(found).all():
        return np.asarray(found)
    return np.asarray(np.linalg.lstsq(hessian, -gradient, rcond=None)[0])
