"""Pruning one large tree: the weakest-link path beside scikit-learn's loop, C4.5's pruning beside growing."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import ccp_pruning_path

import treewright as tw
from benchmarks.compare import Job, Outcome, Verdict, compare
from benchmarks.data import cover
from benchmarks.report import Result


@dataclass(frozen=True)
class Sizes:
    """Rows of `cover`; 400,000 give a tree of 200,000 nodes."""

    cover: int
    rounds: int
    is_full: bool = False


FULL = Sizes(cover=400_000, rounds=3, is_full=True)
QUICK = Sizes(cover=20_000, rounds=3)


def main(quick: bool) -> list[Result]:
    return run(QUICK if quick else FULL)


def run(sizes: Sizes) -> list[Result]:
    X, y = cover(sizes.cover)
    return [path(X, y, sizes), error_based(X, y, sizes)]


@dataclass(frozen=True)
class Path:
    """The last alpha of a path: what the root is worth."""

    alphas: NDArray[np.float64]

    def __call__(self) -> str:
        return f"{self.alphas[-1]:.6f}"


def path(X: NDArray[np.float32], y: NDArray[np.int32], sizes: Sizes) -> Result:
    """The whole sequence of a tree that is there already, by impurity."""
    ours = tw.DecisionTreeClassifier().fit(X, y).tree_
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y).tree_
    ways: dict[str, Job] = {
        "treewright": lambda: Path(tw.prune.cost_complexity_path(ours, "impurity").alpha),
        "scikit-learn": lambda: Path(ccp_pruning_path(theirs)["ccp_alphas"]),
    }
    return compare(
        f"weakest-link path, cover, {ours.n_nodes:,} nodes",
        ways,
        job="weakest-link path, cover",
        is_judged=sizes.is_full,
        rounds=sizes.rounds,
        result="last alpha",
        check=_same_end,
    )


def _same_end(outcomes: Mapping[str, Outcome]) -> Verdict | None:
    """The trees differ below ties, but the first cuts of both are worth the same."""
    last = [found.alphas[-1] for found in outcomes.values() if isinstance(found, Path)]
    if len(last) < 2:
        return None
    is_same = abs(last[0] - last[1]) < 1e-9
    return Verdict("last alpha: the same" if is_same else "last alpha: NOT the same", is_failure=not is_same)


def error_based(X: NDArray[np.float32], y: NDArray[np.int32], sizes: Sizes) -> Result:
    """C4.5's pruning of a fitted tree, raising included, from arrays; and how long the tree took to grow."""
    model = tw.DecisionTreeClassifier().fit(X, y)

    def prune() -> Outcome:
        smaller = model.prune("error_based", X, y).tree_
        return lambda: f"{smaller.n_nodes:,}"

    def grow() -> Outcome:
        grown = tw.DecisionTreeClassifier().fit(X, y).tree_
        return lambda: f"{grown.n_nodes:,}"

    return compare(
        f"error-based pruning, cover, {len(X):,} rows",
        {"pruning": prune, "growing": grow},
        job="error-based pruning, cover",
        is_judged=sizes.is_full,
        rounds=sizes.rounds,
        result="nodes",
    )
