"""Logistic regression for the blackboard: one row after the other; separation as one linear program."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import linprog


def log_likelihood(x, codes, weight, coef, intercept, l2=0.0):
    """Return sum of ln p(class) minus l2/2 times the squared weights, row by row."""
    total = -l2 / 2 * float((np.asarray(coef) ** 2).sum())
    for row, code, w in zip(x, codes, weight, strict=True):
        scores = [float(np.dot(row, c)) + b for c, b in zip(coef, intercept, strict=True)]
        top = max(scores)
        total += w * (scores[code] - top - math.log(sum(math.exp(s - top) for s in scores)))
    return total


def gradient(x, codes, weight, coef, intercept, l2=0.0):
    """Return the gradient by weights and by biases: the sum of (y - p) x, row by row, minus the penalty's."""
    by_coef, by_bias = -l2 * np.asarray(coef, dtype=float), np.zeros(len(intercept))
    for row, code, w in zip(x, codes, weight, strict=True):
        scores = np.array([float(np.dot(row, c)) + b for c, b in zip(coef, intercept, strict=True)])
        grown = np.exp(scores - scores.max())
        p = grown / grown.sum()
        for k in range(len(intercept)):
            away = w * ((k == code) - p[k])
            by_coef[k] = by_coef[k] + away * np.asarray(row)
            by_bias[k] += away
    return by_coef, by_bias


def separation(x, codes, n_classes):
    """Return "none", "quasi-complete" or "complete": the most pairs of row and class that planes divide.

    Maximise the sum of s over pairs with 0 <= s <= 1 and (w_class - w_other) . (x, 1) >= s (Konis 2007).
    """
    whole = np.column_stack([x, np.ones(len(x))])
    q = whole.shape[1]
    pairs = [(i, k) for i, code in enumerate(codes) for k in range(n_classes) if k != code]
    rows = np.zeros((len(pairs), n_classes * q))
    for at, (i, k) in enumerate(pairs):
        rows[at, codes[i] * q : (codes[i] + 1) * q] = -whole[i]
        rows[at, k * q : (k + 1) * q] += whole[i]
    bounds = [(None, None)] * (n_classes * q) + [(0, 1)] * len(pairs)
    cost = np.concatenate([np.zeros(n_classes * q), -np.ones(len(pairs))])
    done = linprog(cost, A_ub=np.hstack([rows, np.eye(len(pairs))]), b_ub=np.zeros(len(pairs)), bounds=bounds)
    divided = round(-float(done.fun))
    return {0: "none", len(pairs): "complete"}.get(divided, "quasi-complete")
