"""How good it is to say always the same: the score that a tree must beat."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.prune.sample import Sample
from treewright.report.numbers import one
from treewright.tree import Tree


def baseline(tree: Tree, judges: Sample | None) -> dict[str, Any]:
    """Return what the root alone says and how good that is: the share of right rows, or the RMSE.

    Judged by the rows given; without them by the training rows.

    >>> import treewright as tw
    >>> found = baseline(tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3"), None)
    >>> found["says"], round(found["value"], 4), found["by"]
    ('Yes', 0.6429, 'training')
    """
    says = tree.classes[int(tree.label[0])] if tree.is_classifier else one(float(tree.stats[0, 1]))
    if judges is None:
        weight = float(tree.weights[0])
        lost = weight - float(tree.stats[0, tree.label[0]]) if tree.is_classifier else float(tree.stats[0, 2])
    else:
        weight = float(judges.weights.sum())
        if tree.is_classifier:
            lost = float(judges.weights[judges.answers != int(tree.label[0])].sum())
        else:
            lost = float((judges.weights * (judges.answers - float(tree.stats[0, 1])) ** 2).sum())
    mean = lost / weight if weight > 0 else np.nan
    value = 1 - mean if tree.is_classifier else float(np.sqrt(mean))
    return {"says": says, "value": one(value), "by": "training" if judges is None else "test"}
