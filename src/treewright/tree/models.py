"""The models of nodes in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from treewright.tree import split, terms

if TYPE_CHECKING:
    from treewright.tree.tree import Tree

DIGITS = 4  # of weights that are shown; all are stored
_MOST_CLASSES = 3  # whose sums are spelled out


def words(tree: Tree, node: int, style: split.Style = split.FULL) -> str:
    """Return what the model of a node says; empty where it has none, or one without columns.

    For numbers it is the sum itself; for classes the log odds of each against the first, of those that
    training rows of the node have.

    >>> from treewright.tree.example import tennis
    >>> words(tennis(), 2)
    ''
    """
    if not tree.has_models:
        return ""
    span = slice(int(tree.model_start[node]), int(tree.model_start[node + 1]))
    if span.start == span.stop:
        return ""
    names = split.summed(tree, tree.model_column[span], style)
    weights, bias, gaps = tree.model_weight[span], tree.model_bias[node], tree.model_gap[span]
    if not tree.is_classifier:
        return _sum(names, weights[:, 0].tolist(), float(bias[0]), gaps[:, 0].tolist())
    weights, gaps = (np.concatenate([np.zeros((len(names), 1)), own], axis=1) for own in (weights, gaps))
    bias = np.concatenate([[0.0], bias])
    present = np.flatnonzero(tree.stats[node]).tolist()
    first, *others = present if len(present) > 1 else range(len(tree.classes))
    classes = [split.name(name, style) for name in tree.classes]
    shown = [
        f"{classes[k]}:{classes[first]} = "
        + _sum(names, *((own[..., k] - own[..., first]).tolist() for own in (weights, bias, gaps)))
        for k in others[:_MOST_CLASSES]
    ]
    if len(others) > _MOST_CLASSES:
        shown.append(f"{style.dots} {len(others) - _MOST_CLASSES} more")
    return f"log odds {'; '.join(shown)}"


def _sum(names: list[str], weights: list[float], bias: float, gaps: list[float]) -> str:
    """Return a sum in words; a term whose missing values count says what they add."""
    there = [
        (name if gap != gap else f"{name} ({gap:.{DIGITS}g} if missing)", w)
        for name, w, gap in zip(names, weights, gaps, strict=True)
        if w != 0
    ]
    alone = [
        f"{gap:.{DIGITS}g} if {name} is missing"
        for name, w, gap in zip(names, weights, gaps, strict=True)
        if w == 0 and gap == gap and gap != 0
    ]
    base = " + ".join([f"{bias:.{DIGITS}g}", *alone])
    if not there:
        return base
    told = terms.words([name for name, _ in there], [w for _, w in there], DIGITS)
    return f"{base} - {told[1:]}" if told.startswith("-") else f"{base} + {told}"


def root_mean_loss(tree: Tree, node: int) -> float:
    """Return the root mean squared error of the model of a node on the rows it was fitted on."""
    weight = float(tree.weights[node])
    return math.sqrt(float(tree.model_loss[node]) / weight) if weight > 0 else 0.0
