"""The judge of a grown tree: every node is checked against what the twin makes of the same rows.

    judge(tree, table, y, weights, {"recipe": "cart", "min_leaf": 2})

raises AssertionError with the node and the reason, or returns the number of nodes it looked at. It follows
the tree's own tests (so one odd choice does not make all nodes below look wrong) and asks at each node: are
the statistics those of the rows that get here, is the recorded score right, is the test allowed, is none
better, has a leaf a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .criteria import NUMBER_CRITERIA
from .grow import stop_reason, used_up
from .judge_c45 import check_c45_choice, check_c45_leaf
from .judge_choice import check_choice, check_test, must_tests
from .judge_surrogate import check_surrogates
from .missing import Test, places
from .monotone import keeps_order, with_bounds
from .node import Pieces, Study, all_pieces, stats_of, variance_of
from .reading import children, surrogates_at, test_at
from .route import known_weights, send
from .settings import Settings, as_settings
from .splits import is_admissible
from .trial import SLACK, Trial, describe, expect, unrouted


def judge(
    tree: Any,
    table: Any,
    y: NDArray[Any],
    weights: NDArray[Any] | None,
    settings: Settings | Mapping[str, Any],
    *,
    n_classes: int | None = None,
    tolerance: float = 1e-9,
) -> int:
    """Check a tree node by node; return how many nodes there were.

    `y` holds class codes (regression: numbers); `n_classes` is read from the statistics and the criterion
    unless it is given.
    """
    settings = as_settings(settings)
    if n_classes is None:
        n_classes = 0 if settings.criterion in NUMBER_CRITERIA else int(np.asarray(tree.stats).shape[1])
    study = Study(table, np.asarray(y), n_classes, settings)
    root = all_pieces(study, weights)
    study = replace(study, total_weight=root.weight, root_variance=variance_of(study, root))
    stats = stats_of(study, root)
    scale = study.root_variance
    trial = Trial(tree, study, root, tolerance, scale)
    end = len(tree.end)
    expect(int(tree.end[0]) == end, 0, f"the root ends at {tree.end[0]} in a tree of {end} nodes")
    parent_stats = stats if len(root.rows) else np.zeros_like(stats)
    return judge_node(trial, 0, root, 0, 0, parent_stats)


def judge_node(
    trial: Trial, node: int, pieces: Pieces, depth: int, parent_label: int, parent_stats: NDArray[Any]
) -> int:
    """Check a node and all below it; return how many nodes that were."""
    check_stats(trial, node, pieces, parent_label, parent_stats)
    test = test_at(trial.tree, node)
    if test is None:
        check_leaf(trial, node, pieces, depth)
        return 1
    study = trial.study
    reason = stop_reason(study, pieces, depth)
    near = study.settings.sized_by_weight and reason == "size"
    expect(not reason or near, node, f"is split although it should stop: {reason}")
    expect(len(pieces.rows) > 0, node, "is split although no row gets here")
    check_test(trial, node, pieces, test)
    if study.settings.recipe == "c4.5":
        check_c45_choice(trial, node, pieces, test)
    else:
        check_choice(trial, node, pieces, test)
    stand_ins = surrogates_at(trial.tree, node) if study.settings.missing == "surrogate" else []
    if study.settings.missing == "surrogate":
        check_surrogates(trial, node, pieces, test)
    sent = send(study, pieces, trial.root, unrouted(study, test), stand_ins)
    expect(keeps_order(study, test, tuple(sent)), node, "breaks the monotone order with all its rows")
    sent = with_bounds(study, pieces, test, sent)
    check_largest(trial, node, pieces, test, sent)
    used = pieces.used | ({test.column} if used_up(study, test) else frozenset())
    below = children(trial.tree, node)
    seen = 1
    for child, part in zip(below, sent, strict=True):
        label, stats = int(trial.tree.label[node]), np.asarray(trial.tree.stats[node])
        seen += judge_node(trial, child, replace(part, used=used), depth + 1, label, stats)
    return seen


def check_stats(
    trial: Trial, node: int, pieces: Pieces, parent_label: int, parent_stats: NDArray[Any]
) -> None:
    """Check rows, statistics and label against the pieces that reach the node."""
    tree, study = trial.tree, trial.study
    expect(
        int(tree.n_rows[node]) == len(pieces.rows),
        node,
        f"records {tree.n_rows[node]} rows; {len(pieces.rows)} get here: {pieces.rows[:20].tolist()}",
    )
    wanted = stats_of(study, pieces)
    found = np.asarray(tree.stats[node], dtype=np.float64)
    if len(pieces.rows) == 0 and not study.n_classes:
        wanted = np.array([0.0, parent_stats[1], 0.0])  # an empty leaf repeats its parent's mean
    allowed = max(trial.tolerance, 1e-9) * (1.0 + np.abs(wanted) + (0 if study.n_classes else trial.scale))
    expect(
        bool(np.all(np.abs(found - wanted) <= allowed)),
        node,
        f"records statistics {found.tolist()}; its rows have {wanted.tolist()}",
    )
    if not study.n_classes:
        return
    label = int(tree.label[node])
    if len(pieces.rows) == 0:
        expect(
            label == parent_label,
            node,
            f"is empty and labelled {label}; its parent is labelled {parent_label}",
        )
        return
    merit = label_merit(trial, wanted)
    best = int(np.argmax(np.round(merit, 9)))
    exact = not study.settings.sized_by_weight and is_dyadic(pieces.weights)
    expect(
        merit[label] >= merit.max() - 1e-7 and (label == best or not exact),
        node,
        f"is labelled {label}; class weights {wanted.tolist()} say {best}",
    )


def is_dyadic(weights: NDArray[Any]) -> bool:
    """Say whether weights are multiples of 1/64, so that equal sums are equal on any machine."""
    return bool(np.all(weights * 64 == np.round(weights * 64)))


def label_merit(trial: Trial, stats: NDArray[Any]) -> NDArray[np.float64]:
    """Return how good each label is: its weight after priors, or what it saves of the costs."""
    about = getattr(trial.tree, "about", {})
    scale, costs = about.get("class_scale"), about.get("costs")
    weights = stats * np.array(scale) if scale is not None else stats
    return np.asarray(-(weights @ np.array(costs)) if costs is not None else weights)


def check_largest(trial: Trial, node: int, pieces: Pieces, test: Test, sent: list[Pieces]) -> None:
    """Check the branch of most weight, with or without the gaps sent on."""
    held = known_weights(
        pieces, places(trial.study, pieces, trial.root, unrouted(trial.study, test)), test.n_branches
    )
    whole = np.array([part.weight for part in sent])
    largest = int(trial.tree.largest[node])
    expect(0 <= largest < test.n_branches, node, f"has largest branch {largest} of {test.n_branches}")
    fine = any(weights[largest] >= weights.max() - 1e-9 * weights.sum() for weights in (held, whole))
    expect(fine, node, f"records branch {largest} as the largest; weights are {whole.tolist()}")


def check_leaf(trial: Trial, node: int, pieces: Pieces, depth: int) -> None:
    """Check that a leaf has a reason to be one."""
    study = trial.study
    expect(int(trial.tree.end[node]) == node + 1, node, "is a leaf with nodes below it")
    expect(int(trial.tree.column[node]) == -1, node, f"is a leaf that tests column {trial.tree.column[node]}")
    if len(pieces.rows) == 0 or study.settings.budgeted or stop_reason(study, pieces, depth):
        return
    if study.settings.recipe == "c4.5":
        check_c45_leaf(trial, node, pieces, depth)
        return
    rivals = [rival for rival in must_tests(trial, pieces) if is_admissible(study, rival, -SLACK)]
    if not rivals:
        return
    best = max(rivals, key=lambda rival: rival.score)
    least = study.settings.min_gain
    stops = least is not None and best.score < least + trial.tolerance * (trial.scale + abs(least))
    expect(stops, node, f"is a leaf without a reason; {describe(trial, best)} could split it")
