"""The certificate of an optimal tree: how low its cost is, and how low any tree's could be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from treewright.base.numbers import number

KEY = "certificate"  # in a tree's `about`
WORDS = {
    "error": "errors",
    "cost": "cost of errors",
    "squared_error": "squared error",
    "gini": "weight x gini",
    "entropy": "weight x entropy (bits)",
    "hellinger": "Hellinger cost",
    "poisson": "half the Poisson deviance",
    "gaussian_entropy": "weight x Gaussian entropy (nats)",
}


@dataclass(frozen=True)
class Certificate:
    """What is known of a tree: its cost (`upper`), and that no tree of its kind costs less than `lower`.

    The cost is summed over leaves, in the unit of weights (errors: rows), with `leaf_price` for each.

    >>> proof = Certificate(upper=58.0, lower=55.0, is_proven=False, n_solved=10, seconds=1.5)
    >>> proof.gap, round(proof.relative_gap, 4)
    (3.0, 0.0517)
    >>> print(proof)
    58 errors; any tree has at least 55 (gap 3, 5.2 %): not proven optimal, 10 sub-problems in 1.5 s
    """

    upper: float
    lower: float
    is_proven: bool
    n_solved: int
    seconds: float
    objective: str = "error"
    leaf_price: float = 0.0
    max_depth: int | None = None
    max_leaves: int | None = None
    ended_by: str = "proof"  # or "time_limit", "interrupt"

    @property
    def gap(self) -> float:
        """How much less a tree could cost, at most."""
        return max(0.0, self.upper - self.lower)

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the cost; 0 where that is 0."""
        return self.gap / self.upper if self.upper > 0 else 0.0

    @classmethod
    def of(cls, about: Mapping[str, Any]) -> Certificate | None:
        """Return the certificate in the `about` of a tree, if it has one.

        >>> Certificate.of({}) is None
        True
        """
        return cls(**about[KEY]) if KEY in about else None

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as plain values.

        >>> Certificate(1.0, 1.0, True, 1, 0.1).to_dict()["is_proven"]
        True
        """
        return asdict(self)

    def __str__(self) -> str:
        cost = f"{number(self.upper, 6)} {WORDS.get(self.objective, self.objective)}"
        if self.leaf_price:
            cost += f" with {number(self.leaf_price, 6)} a leaf"
        work = f"{self.n_solved:,} sub-problems in {self.seconds:.3g} s"
        if self.is_proven:
            return f"{cost}: proven optimal, {work}"
        less = f"any tree has at least {number(self.lower, 6)}"
        gap = f"gap {number(self.gap, 6)}, {self.relative_gap:.1%}".replace("%", " %")
        return f"{cost}; {less} ({gap}): not proven optimal, {work}"
