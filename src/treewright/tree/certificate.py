"""The certificate of an optimal tree: how low its cost is, and how low any tree's could be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from treewright.base.numbers import count, number

KEY = "certificate"  # in a tree's `about`
WORDS = {
    "error": "errors",
    "cost": "cost of errors",
    "squared_error": "squared error",
    "absolute_error": "absolute error",
    "gini": "weight x gini",
    "entropy": "weight x entropy (bits)",
    "hellinger": "Hellinger cost",
    "poisson": "half the Poisson deviance",
    "gaussian_entropy": "weight x Gaussian entropy (nats)",
}
_NEEDED = {
    "upper": (float, int),
    "lower": (float, int),
    "is_proven": (bool,),
    "n_solved": (int,),
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
    seconds: float | None = field(default=None, compare=False)  # not in a file: it says nothing of the tree
    objective: str = "error"
    leaf_price: float = 0.0
    max_depth: int | None = None
    max_leaves: int | None = None
    ended_by: str = "proof"  # or "time_limit", "work_limit", "interrupt"
    n_listed: int | None = None  # different trees that were found, where more than one was asked for
    is_list_complete: bool | None = None  # whether these are all, or the best, that were asked for

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
        """Return the certificate in the `about` of a tree, if it has a whole one.

        >>> Certificate.of({}) is None, Certificate.of({"certificate": {"upper": "low"}}) is None
        (True, True)
        """
        said = about.get(KEY)
        if not isinstance(said, Mapping):
            return None
        given = {f.name: said[f.name] for f in fields(cls) if f.name in said}
        is_whole = all(type(given.get(name)) in kinds for name, kinds in _NEEDED.items())
        return cls(**given) if is_whole else None

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as plain values, without the time it took: the same tree, the same file.

        >>> found = Certificate(1.0, 1.0, True, 1, 0.1).to_dict()
        >>> found["is_proven"], "seconds" in found
        (True, False)
        """
        return {name: value for name, value in asdict(self).items() if name != "seconds"}

    def cost_in_words(self) -> str:
        """Return the cost with its unit, and the price of leaves where there is one.

        >>> Certificate(1.0, 1.0, True, 1).cost_in_words()
        '1 error'
        >>> Certificate(5.5, 5.5, True, 1, leaf_price=1).cost_in_words()
        '5.5 errors with 1 a leaf'
        """
        words = WORDS.get(self.objective, self.objective)
        if self.upper == 1 and self.objective == "error":
            words = "error"
        price = f" with {number(self.leaf_price, 6)} a leaf" if self.leaf_price else ""
        return f"{number(self.upper, 6)} {words}{price}"

    def in_short(self) -> str:
        """Return in a few words whether the tree is the best of its kind.

        >>> Certificate(58.0, 58.0, True, 10).in_short(), Certificate(58.0, 55.0, False, 10).in_short()
        ('proven optimal: 58 errors', 'not proven optimal: 58 errors, at least 55')
        """
        if self.is_proven:
            return f"proven optimal: {self.cost_in_words()}"
        return f"not proven optimal: {self.cost_in_words()}, at least {number(self.lower, 6)}"

    def sentence(self) -> str:
        """Return what is known in a sentence.

        >>> print(Certificate(58.0, 58.0, True, 10, max_depth=3).sentence())
        The tree is proven optimal: it costs 58 errors in training, and no tree of 3 levels costs less.
        >>> print(Certificate(58.0, 55.0, False, 10, max_depth=3).sentence())
        The tree costs 58 errors in training; no tree of 3 levels costs less than 55 (gap 5.2 %).
        """
        kind = "no tree of its kind"
        if self.max_depth is not None:
            kind = f"no tree of {count(self.max_depth, 'level')}"
        if self.max_leaves is not None:
            kind += f" and at most {count(self.max_leaves, 'leaf', 'leaves')}"
        costs = f"it costs {self.cost_in_words()} in training"
        if self.is_proven:
            return f"The tree is proven optimal: {costs}, and {kind} costs less."
        gap = f"{self.relative_gap:.1%}".replace("%", " %")
        return f"The tree{costs[2:]}; {kind} costs less than {number(self.lower, 6)} (gap {gap})."

    def __str__(self) -> str:
        cost = self.cost_in_words()
        work = f"{self.n_solved:,} sub-problems"
        if self.seconds is not None:
            work += f" in {self.seconds:.3g} s"
        if self.n_listed is not None:
            listed = "a tree" if self.n_listed == 1 else f"{self.n_listed:,} trees"
            work += f"; list of {listed} {'proven' if self.is_list_complete else 'not'} complete"
        if self.is_proven:
            return f"{cost}: proven optimal, {work}"
        if self.n_listed is not None and self.ended_by == "proof":  # one of the others
            return f"{cost}: the best tree has {number(self.lower, 6)}, {work}"
        less = f"any tree has at least {number(self.lower, 6)}"
        gap = f"gap {number(self.gap, 6)}, {self.relative_gap:.1%}".replace("%", " %")
        return f"{cost}; {less} ({gap}): not proven optimal, {work}"
