"""How sure an answer is: what the training rows that came to the same place were."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright.base.lines import harmless
from treewright.base.notebook import Shown
from treewright.base.numbers import count, number, percent
from treewright.explain.cell import Part
from treewright.measure.wilson import wilson_interval
from treewright.predict import shares as class_shares
from treewright.tree import Tree, losses


@dataclass(frozen=True, repr=False)
class Certainty(Shown):
    """What is known of the training rows behind an answer; of a divided row, of its parts by their shares.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
    >>> sure = tree.explain(0, tw.example("tennis")).certainty
    >>> sure.prediction, sure.share, sure.n_rows, [round(bound, 2) for bound in sure.interval]
    ('No', 0.5714285714285714, 7.0, [0.25, 0.84])
    """

    prediction: str | float
    shares: tuple[float, ...]  # of each class, in the order of the tree's classes; () for numbers
    share: float | None  # of the class predicted; None for numbers
    spread: float | None  # standard deviation of the target; None for classes
    n_rows: float  # training rows; of a divided row, the mean over its parts
    weight: float  # their weight
    interval: tuple[float, float] | None  # 95 %: of the share (Wilson's), or of the mean; None where unknown

    def __str__(self) -> str:
        rows = count(self.n_rows, "training row")
        if self.share is not None:
            return harmless(f"{self.prediction}: {percent(self.share)} of {rows}")
        spread = "" if self.spread is None else f" ± {number(self.spread, 3)}"
        return f"{number(float(self.prediction))}{spread}, of {rows}"

    def to_dict(self, classes: Sequence[str] = ()) -> dict[str, Any]:
        """Return it as plain JSON types.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2], "y": [3.0, 5.0]}), target="y", max_depth=0)
        >>> tree.explain({}).certainty.to_dict()
        {'n_rows': 2.0, 'weight': 2.0, 'spread': 1.0, 'interval': [-8.706..., 16.706...]}
        """
        plain: dict[str, Any] = {"n_rows": self.n_rows, "weight": self.weight}
        if self.share is None:
            plain["spread"] = self.spread
        else:
            plain |= {"share": self.share, "shares": dict(zip(classes, self.shares, strict=True))}
        return {**plain, "interval": None if self.interval is None else list(self.interval)}


def certainty_of(tree: Tree, parts: Sequence[Part], prediction: str | float, probabilities: str) -> Certainty:
    """Return how sure the answer is that a row gets whose parts are these.

    The interval counts training rows; where they came in parts, or weigh less than one each, their weight.
    """
    nodes = np.array([node for node, _ in parts], dtype=np.int32)
    held = np.array([share for _, share in parts])
    held = held / held.sum()
    n_rows = float(held @ tree.n_rows[nodes])
    weight = float(held @ tree.weights[nodes])
    count = float(held @ np.minimum(tree.n_rows[nodes], tree.weights[nodes]))
    if not tree.is_classifier:
        spread, interval = _of_numbers(tree, nodes, held, count)
        return Certainty(prediction, (), None, spread, n_rows, weight, interval)
    found = held @ class_shares(tree, probabilities, nodes)
    label = tree.classes.index(str(prediction))
    raw = float(held @ class_shares(tree, "raw", nodes)[:, label])
    interval = wilson_interval(min(1.0, max(0.0, raw)), count) if count > 0 else None
    return Certainty(prediction, tuple(found.tolist()), float(found[label]), None, n_rows, weight, interval)


def _of_numbers(
    tree: Tree, nodes: Any, held: Any, count: float
) -> tuple[float | None, tuple[float, float] | None]:
    """Return the spread of the target, and Student's interval of its mean; None where there is too little.

    A median has no such interval.
    """
    means = tree.stats[nodes, 1]
    mean = float(held @ means)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        within = losses.spread(tree, nodes) ** 2
        variance = float(held @ (within + (means - mean) ** 2))
    if not math.isfinite(variance) or count <= 0:
        return None, None
    spread = math.sqrt(variance)
    if count <= 1 or losses.ANSWERS[losses.loss_of(tree)] == "median":
        return spread, None
    from scipy.special import stdtrit  # on first use: `import treewright` stays fast

    # variance * n / (n - 1) is the estimate for all rows; its mean varies with 1 / n of it
    half = float(stdtrit(count - 1, 0.975)) * spread / math.sqrt(count - 1)
    return spread, (mean - half, mean + half)
