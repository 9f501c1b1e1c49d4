"""C4.5's own choices on trial: its best ratio, its leaves, and where both hang on rounding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .c45 import EPSILON, C45Test, average_gain, c45_tests, eligible
from .grow import grow_node, used_up
from .missing import Test
from .node import Pieces
from .route import send
from .splits import score
from .trial import SLACK, Trial, describe, expect


def check_c45_choice(trial: Trial, node: int, pieces: Pieces, test: Test) -> None:
    """Check C4.5's choice: the best ratio (or gain) among the tests its rules let compete."""
    study, tree = trial.study, trial.tree
    tests = c45_tests(study, pieces)
    mine = [found for found in tests if found.test.column == test.column]
    if not mine and is_touchy(trial, pieces):
        return
    name = study.columns[test.column].name
    expect(bool(mine), node, f"tests {name!r}, which C4.5 may not test here")
    chosen = mine[0]
    near = 1e-5 if study.settings.single else trial.tolerance
    if test.codes is None and test.cut != chosen.test.cut:
        raw = score(study, pieces, trial.root, test).gain
        expect(
            abs(raw - chosen.raw_gain) <= max(near, 1e-9) * (1 + raw) or is_touchy(trial, pieces),
            node,
            f"cuts {name!r} at {test.cut} (gain {raw:.12g}); {chosen.test.cut} gains {chosen.raw_gain:.12g}",
        )
    if is_touchy(trial, pieces):
        return
    loose = max(near, 1e-9)
    gains = [chosen.gain, chosen.raw_gain]
    expect(
        any(abs(float(tree.gain[node]) - gain) <= loose * (1 + gain) for gain in gains),
        node,
        f"records gain {tree.gain[node]!r}; {name!r} has {gains} with and without the charge",
    )
    expect(
        abs(float(tree.score[node]) - chosen.score)
        <= loose * (1 + chosen.score / max(chosen.split_info, 1e-9)),
        node,
        f"records score {tree.score[node]!r}; {name!r} has {chosen.score:.12g}",
    )
    may = eligible(study, tests)
    expect(
        any(found.test.column == test.column for found in may),
        node,
        f"tests {name!r} with gain {chosen.gain:.12g} under the average, or no split information",
    )
    for rival in may:
        far = rival.score - chosen.score
        expect(
            far <= loose * (1 + abs(rival.score)),
            node,
            f"tests {name!r} (score {chosen.score:.12g}); {study.columns[rival.test.column].name!r} "
            f"scores {rival.score:.12g}",
        )


def is_touchy(trial: Trial, pieces: Pieces) -> bool:
    """Say whether C4.5's choice hangs on rounding: a size or a gain within rounding of one of its limits."""
    study, m = trial.study, trial.study.settings.min_branch

    def outline(tests: list[C45Test]) -> list[tuple[int, int]]:
        return [(found.test.column, found.n_cuts) for found in tests]

    few, many = c45_tests(study, pieces, m * (1 + SLACK)), c45_tests(study, pieces, m * (1 - SLACK))
    if outline(few) != outline(many) or abs(pieces.weight - 2 * m) < SLACK:
        return True
    if study.settings.criterion != "gain_ratio":
        return False
    limit = 0.3 * trial.root.weight
    if any(0 < abs(len(column.categories) - limit) < SLACK for column in study.columns):
        return True
    possible = [found for found in many if found.gain > -EPSILON]
    average = average_gain(study, possible, False)
    if possible and average is None:
        return True  # every possible test is on a column of very many values: the notes leave open what then
    return any(abs(found.gain - (average or 0.0) + EPSILON) < 1e-9 for found in many)


def check_c45_leaf(trial: Trial, node: int, pieces: Pieces, depth: int) -> None:
    """Check that C4.5's leaf has no test or gives its subtree up, allowing for sizes at the limit."""
    if is_touchy(trial, pieces):
        return
    grown = grow_node(trial.study, pieces, trial.root, depth, 0, float("nan"))
    if grown["test"] is not None:
        about = describe(trial, grown["scored"])
        own = float(np.sum(grown["stats"]) - np.max(grown["stats"]))
        expect(
            touchy_subtree(trial, grown, pieces),
            node,
            f"is a leaf; C4.5 would split it by {about} and not collapse it (leaf errors {own:.6g})",
        )


def touchy_subtree(trial: Trial, grown: dict[str, Any], pieces: Pieces) -> bool:
    """Say whether some node of a subtree hangs on rounding, so that collapsing it proves nothing."""
    if is_touchy(trial, pieces):
        return True
    if grown["test"] is None:
        return False
    used = pieces.used | ({grown["test"].column} if used_up(trial.study, grown["test"]) else frozenset())
    parts = send(trial.study, pieces, trial.root, grown["test"])
    return any(
        touchy_subtree(trial, child, replace(part, used=used))
        for child, part in zip(grown["children"], parts, strict=True)
    )
