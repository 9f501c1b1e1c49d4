"""Pieces of rows down one test, and rows down a whole tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .missing import UNKNOWN, Branches, Test, places
from .node import Pieces, Study
from .reading import children, surrogates_at, test_at
from .surrogate import Surrogate, bigger_side, side_of


def known_weights(pieces: Pieces, branches: Branches, n_branches: int) -> NDArray[np.float64]:
    """Return the weight each branch holds before gaps are placed."""
    return np.array([pieces.weights[branches == branch].sum() for branch in range(n_branches)])


def send(
    study: Study, pieces: Pieces, root: Pieces, test: Test, stand_ins: list[Surrogate] | None = None
) -> list[Pieces]:
    """Return the pieces of each branch, gaps divided or sent as the policy says."""
    branches = places(study, pieces, root, test)
    held = known_weights(pieces, branches, test.n_branches)
    unknown = branches == UNKNOWN
    if study.settings.missing == "surrogate":
        bigger = bigger_side(held)  # UNKNOWN: the row goes to neither
        ways = [
            side_of(study, int(row), stand_ins or [], bigger) if gap else int(branch)
            for row, branch, gap in zip(pieces.rows, branches, unknown, strict=True)
        ]
        return [pieces.part(np.array(ways, dtype=np.int64) == branch) for branch in range(test.n_branches)]
    if study.settings.missing != "fractional":
        return [pieces.part(branches == branch) for branch in range(test.n_branches)]
    sent = []
    for branch in range(test.n_branches):
        mine = branches == branch
        take = (mine | unknown) if mine.any() else mine
        share = held[branch] / held.sum() if held.sum() > 0 else 0.0
        weights = np.where(unknown, pieces.weights * share, pieces.weights)
        sent.append(replace(pieces, rows=pieces.rows[take], weights=weights[take]))
    return sent


def vote(tree: Any, study: Study, row: int, node: int = 0) -> NDArray[np.float64]:
    """Return the class shares (or the mean) a tree gives one row of `study.table`.

    Gaps and unseen categories divide by branch weight under the fractional policy, follow surrogates or the
    stored branch under the others, and else the largest branch.
    """
    test = test_at(tree, node)
    if test is None:
        return leaf_vote(tree, study, node)
    below = children(tree, node)
    value = study.table.values[test.column][row]
    branch = UNKNOWN if is_gap(study, row, test.column) else test.branch_of(float(value))
    if branch < 0 and study.settings.missing == "fractional":
        held = np.array([weight_of(tree, study, child) for child in below])
        shares = held / held.sum()
        parts = [w * vote(tree, study, row, child) for w, child in zip(shares, below, strict=True) if w > 0]
        return np.asarray(np.sum(parts, axis=0))
    if branch < 0 and study.settings.missing == "surrogate":
        # as in growing: where no surrogate knows, the side with more known weight, which the test has stored;
        # where both weigh the same the row stops, and the node answers (ruling 3.14.5)
        branch = side_of(study, row, surrogates_at(tree, node), test.missing)
        if branch < 0:
            return leaf_vote(tree, study, node)
    elif branch < 0:
        branch = test.missing
    return vote(tree, study, row, below[branch if branch >= 0 else int(tree.largest[node])])


def n_errors(tree: Any, study: Study) -> int:
    """Return how many rows a classification tree predicts wrongly; the first of equal classes wins."""
    guesses = [int(np.argmax(np.round(vote(tree, study, row), 9))) for row in range(len(study.y))]
    return int(np.sum(np.array(guesses) != study.y))


def is_gap(study: Study, row: int, column: int) -> bool:
    """Say whether a row has no value in a column."""
    value = study.table.values[column][row]
    return bool(np.isnan(value)) if study.table.values[column].dtype.kind == "f" else bool(value == UNKNOWN)


def weight_of(tree: Any, study: Study, node: int) -> float:
    """Return the training weight of a node."""
    return float(np.sum(tree.stats[node]) if study.n_classes else tree.stats[node][0])


def leaf_vote(tree: Any, study: Study, node: int) -> NDArray[np.float64]:
    """Return a leaf's class shares, all for its label when it is empty; for numbers its mean."""
    stats = np.asarray(tree.stats[node], dtype=np.float64)
    if not study.n_classes:
        return np.array([stats[1]])
    if stats.sum() <= 0:
        return np.asarray(np.eye(study.n_classes)[int(tree.label[node])])
    return np.asarray(stats / stats.sum())
