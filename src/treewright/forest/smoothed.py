"""A forest whose leaves hold estimates of probabilities in place of shares: Laplace, m, along the path."""

from __future__ import annotations

import numpy as np

from treewright.forest.compact import LEAF, joined
from treewright.forest.forest import Forest
from treewright.forest.packing import packed
from treewright.predict.calibration import KEY
from treewright.predict.smoothing import estimate_of, shares
from treewright.tree.edit import alter


def with_probabilities(forest: Forest, probabilities: str) -> Forest:
    """Return a forest that votes with an estimate of each leaf's probabilities; it knows its shares no more.

    The mean of the trees, and so a label, may change.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), "PlayTennis", 20)
    >>> sober = with_probabilities(forest, "m_estimate:4")
    >>> spread = [abs(one.predict_proba(tw.example("tennis")) - 0.5).mean() for one in (forest, sober)]
    >>> bool(spread[1] < spread[0]), sober.about["probabilities"]
    (True, 'm_estimate:4')
    """
    estimate_of(probabilities)
    if not forest.is_classifier:
        raise ValueError("Estimates of probabilities are for classes; this forest predicts numbers.")
    if "probabilities" in forest.about:
        raise ValueError(
            f"The leaves of this forest hold estimates already ({forest.about['probabilities']}); begin with "
            "the forest as it was grown."
        )
    scale = forest.about.get("class_scale")
    prior = np.ones(len(forest.classes)) if scale is None else np.asarray(scale, dtype=np.float64)
    parts = []
    for number in range(forest.n_trees):
        tree = forest.tree(number)
        leaf = np.flatnonzero(tree.kind == LEAF)
        weight = np.asarray(tree.stats)[leaf].sum(axis=1, keepdims=True)
        chances = shares(tree, probabilities)[leaf]  # with the priors in them, which votes put in again
        found = np.divide(chances, prior, out=np.zeros_like(chances), where=prior > 0)
        stats = np.array(tree.stats)
        stats[leaf] = found * (weight / found.sum(axis=1, keepdims=True))
        parts.append(packed([alter(tree, stats=stats)]))
    about = {name: value for name, value in forest.about.items() if name != KEY}
    told = {**about, "probabilities": probabilities}
    arrays = joined(parts) | {"importance": forest.arrays["importance"]}  # of the shares, as it was
    return Forest.of_growth(forest.schema, forest.target, arrays, told)
