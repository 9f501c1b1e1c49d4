"""One tree on trial, and how a complaint about it is made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from .missing import UNKNOWN, Test
from .node import Pieces, Study
from .splits import Scored

SLACK = 1e-6  # sizes this near to a limit may fall on either side of it when weights are divided


@dataclass(frozen=True)
class Trial:
    """One tree on trial: the tree, what it was grown from, how close numbers must be."""

    tree: Any
    study: Study
    root: Pieces
    tolerance: float
    scale: float  # the size of impurity at the root, for comparing differences of impurities

    def close(self, found: float, wanted: float) -> bool:
        """Say whether two scores agree."""
        return bool(abs(found - wanted) <= self.tolerance * (self.scale + abs(wanted)))


def expect(truth: bool, node: int, message: str) -> None:
    """Raise AssertionError, naming the node, unless something is so."""
    if not truth:
        raise AssertionError(f"node {node}: {message}")


def unrouted(study: Study, test: Test) -> Test:
    """Return the test without its branch for gaps where the policy places gaps by other means."""
    return replace(test, missing=UNKNOWN) if study.settings.divides else test


def describe(trial: Trial, scored: Scored) -> str:
    """Return a test in words, with its score."""
    test = scored.test
    name = trial.study.columns[test.column].name
    way = (
        f"<= {test.cut!r}" if test.codes is None else "{" + ", ".join(f"{c}:{b}" for c, b in test.codes) + "}"
    )
    return f"[{name!r} {way}, gaps to {test.missing}: score {scored.score:.12g}, gain {scored.gain:.12g}]"
