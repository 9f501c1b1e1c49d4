"""The judge of a grown tree: every node is checked against what the twin makes of the same rows.

    judge(tree, table, y, weights, {"recipe": "cart", "min_leaf": 2})

raises AssertionError with the node and the reason, or returns the number of nodes it looked at. It follows the tree's
own tests (so one odd choice does not make all nodes below look wrong) and asks at each node: are the statistics those
of the rows that get here, is the recorded score right, is the test allowed, is none better, has a leaf a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .c45 import EPSILON, C45Test, average_gain, c45_tests, eligible
from .grow import column_rank, grow_node, stop_reason, used_up
from .missing import UNKNOWN, UNSEEN, Test, filled_values, fills, places
from .node import Pieces, Study, all_pieces, stats_of
from .plain import is_numeric, kind_of
from .reading import children, surrogates_at, test_at
from .route import known_weights, send
from .settings import Settings, as_settings
from .splits import MOST_LEVELS, Scored, cut_between, is_admissible, levels_and_gap, score, scored_tests
from .surrogate import measured, surrogates

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

    `y` holds class codes (regression: numbers); `n_classes` is read from the width of the statistics and the criterion
    unless it is given.
    """
    settings = as_settings(settings)
    if n_classes is None:
        n_classes = 0 if settings.criterion == "squared_error" else int(np.asarray(tree.stats).shape[1])
    study = Study(table, np.asarray(y), n_classes, settings)
    root = all_pieces(study, weights)
    stats = stats_of(study, root)
    scale = 1.0 if n_classes else (float(stats[2] / stats[0]) if len(root.rows) else 1.0)
    trial = Trial(tree, study, root, tolerance, scale)
    end = len(tree.end)
    expect(int(tree.end[0]) == end, 0, f"the root ends at {tree.end[0]} in a tree of {end} nodes")
    parent_stats = stats if len(root.rows) else np.zeros_like(stats)
    return judge_node(trial, 0, root, 0, 0, parent_stats)


def expect(truth: bool, node: int, message: str) -> None:
    """Raise AssertionError, naming the node, unless something is so."""
    if not truth:
        raise AssertionError(f"node {node}: {message}")


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
    check_largest(trial, node, pieces, test, sent)
    used = pieces.used | ({test.column} if used_up(study, test) else frozenset())
    below = children(trial.tree, node)
    seen = 1
    for child, part in zip(below, sent, strict=True):
        label, stats = int(trial.tree.label[node]), np.asarray(trial.tree.stats[node])
        seen += judge_node(trial, child, replace(part, used=used), depth + 1, label, stats)
    return seen


def unrouted(study: Study, test: Test) -> Test:
    """Return the test without its branch for gaps where the policy places gaps by other means."""
    return replace(test, missing=UNKNOWN) if study.settings.divides else test


# ---------------------------------------------------------------------------------------------- statistics


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
    exact = not study.settings.sized_by_weight
    expect(
        merit[label] >= merit.max() - 1e-7 and (label == best or not exact),
        node,
        f"is labelled {label}; class weights {wanted.tolist()} say {best}",
    )


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


# ---------------------------------------------------------------------------------------------- leaves


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


# ---------------------------------------------------------------------------------------------- tests


def check_test(trial: Trial, node: int, pieces: Pieces, test: Test) -> None:
    """Check that the test is one its column can offer here, whatever it is worth."""
    study, tree = trial.study, trial.tree
    column = study.columns[test.column]
    kind, policy = kind_of(column), study.settings.missing
    cuts_here = kind == "numeric" or (kind == "ordinal" and study.settings.splits != "multiway")
    expect(
        (test.codes is None) == cuts_here,
        node,
        f"has a test of kind {tree.kind[node]} on {kind} {column.name!r}",
    )
    gaps = np.isnan(filled_values(study, pieces, trial.root, test.column))
    if test.codes is None:
        check_cut(trial, node, pieces, test)
    else:
        codes = [code for code, _ in test.codes]
        expect(codes == sorted(set(codes)), node, f"lists category codes {codes}, not ascending")
        branches = places(study, pieces, trial.root, test)
        expect(UNSEEN not in branches, node, "has no branch for a category that training rows have here")
    extra = policy == "own_branch" and bool(gaps.any())
    if study.settings.splits == "multiway" and test.codes is not None:
        wanted = len(column.categories) + extra
    else:
        wanted = 3 if extra and cuts_here else 2
    expect(test.n_branches == wanted, node, f"has {test.n_branches} branches; {wanted} were due")
    check_missing_branch(trial, node, pieces, test)


def check_missing_branch(trial: Trial, node: int, pieces: Pieces, test: Test) -> None:
    """Check the branch kept for gaps."""
    study, policy = trial.study, trial.study.settings.missing
    gaps = np.isnan(filled_values(study, pieces, trial.root, test.column))
    if policy == "fractional":
        expect(test.missing == UNKNOWN, node, f"sends gaps to branch {test.missing}; they are to be divided")
    elif policy in ("most_common", "most_common_overall"):
        fill = fills(study, pieces, trial.root, test.column)
        wanted = UNKNOWN if fill is None else test.branch_of(fill)
        expect(
            test.missing == wanted or wanted < 0,
            node,
            f"sends gaps to branch {test.missing}; the common value {fill} goes to {wanted}",
        )
    elif policy in ("learned", "own_branch"):
        expect(
            0 <= test.missing < test.n_branches or (policy == "own_branch" and not gaps.any()),
            node,
            f"has no branch for gaps ({test.missing})",
        )
        if policy == "learned" and not gaps.any():
            held = known_weights(pieces, places(study, pieces, trial.root, test), test.n_branches)
            expect(
                held[test.missing] >= held.max() - 1e-9 * held.sum(),
                node,
                f"saw no gap and sends gaps to branch {test.missing}, not to the biggest of {held.tolist()}",
            )


def check_cut(trial: Trial, node: int, pieces: Pieces, test: Test) -> None:
    """Check that a cut lies in the middle of two neighbouring values (C4.5: on a training value below it)."""
    study = trial.study
    values = filled_values(study, pieces, trial.root, test.column)
    distinct = np.unique(values[~np.isnan(values)])
    if test.cut == np.inf and study.settings.missing == "learned":
        expect(bool(np.isnan(values).any()), node, "parts gaps from known values where there is no gap")
        return
    low, high = distinct[distinct <= test.cut], distinct[distinct > test.cut]
    expect(len(low) > 0 and len(high) > 0, node, f"cuts at {test.cut} with all known values on one side")
    if study.settings.recipe == "c4.5":
        everywhere = np.unique(study.table.values[test.column])
        middle = cut_between(float(low[-1]), float(high[0]))
        wanted = everywhere[everywhere <= middle].max()
        expect(
            test.cut == wanted,
            node,
            f"cuts at {test.cut!r}; the largest training value up to the middle is {wanted!r}",
        )
    elif is_numeric(study.columns[test.column]):
        wanted = cut_between(float(low[-1]), float(high[0]))
        expect(
            test.cut == wanted,
            node,
            f"cuts at {test.cut!r}; between {low[-1]} and {high[0]} it is {wanted!r}",
        )


def check_choice(trial: Trial, node: int, pieces: Pieces, test: Test) -> None:
    """Check the recorded score and that no admissible test beats it."""
    study, tree = trial.study, trial.tree
    chosen = score(study, pieces, trial.root, unrouted(study, test))
    expect(
        is_admissible(study, chosen, SLACK if study.settings.sized_by_weight else 0.0),
        node,
        f"uses {describe(trial, chosen)}, which breaks a minimum size: "
        f"{[len(group.rows) for group in chosen.groups]} rows, "
        f"{[round(group.weight, 6) for group in chosen.groups]} weight",
    )
    expect(
        trial.close(float(tree.gain[node]), chosen.gain),
        node,
        f"records gain {tree.gain[node]!r}; {describe(trial, chosen)}",
    )
    expect(
        trial.close(float(tree.score[node]), chosen.score),
        node,
        f"records score {tree.score[node]!r}; {describe(trial, chosen)}",
    )
    least = study.settings.min_gain
    expect(
        least is None or chosen.score >= least - trial.tolerance * (trial.scale + abs(least)),
        node,
        f"has a score under the least gain {least}: {describe(trial, chosen)}",
    )
    expect(
        bool(tree.exact[node]) or may_be_heuristic(study, pieces, trial.root, test.column),
        node,
        f"is marked as heuristic, yet the best test of {study.columns[test.column].name!r} can be found exactly",
    )
    rivals = must_tests(trial, pieces, exact_column=test.column if bool(tree.exact[node]) else None)
    for rival in rivals:
        compare(trial, node, chosen, rival)


def compare(trial: Trial, node: int, chosen: Scored, rival: Scored) -> None:
    """Check that a rival does not beat the chosen test: by score, by tie value, by column."""
    if not is_admissible(trial.study, rival, -SLACK if trial.study.settings.sized_by_weight else 0.0):
        return
    worse = f"chose {describe(trial, chosen)}; {describe(trial, rival)} "
    same_score = trial.close(chosen.score, rival.score)
    expect(chosen.score >= rival.score or same_score, node, worse + "scores better")
    if not same_score:
        return
    same_tie = trial.close(chosen.tie, rival.tie)
    expect(
        chosen.tie >= rival.tie or same_tie,
        node,
        worse + f"is as good but gains more entropy ({rival.tie:.12g})",
    )
    columns = [scored.test.column for scored in (chosen, rival)]
    if columns[0] != columns[1] and parting(chosen) == parting(rival):
        ranks = [column_rank(trial.study, column) for column in columns]
        expect(ranks[0] <= ranks[1], node, worse + "parts the rows in the same way and comes first")


def parting(scored: Scored) -> frozenset[frozenset[int]]:
    """Return how a test parts the rows, whichever branch is which: equal partings are exactly equal in score."""
    return frozenset(frozenset(group.rows.tolist()) for group in scored.groups if len(group.rows))


def must_tests(trial: Trial, pieces: Pieces, exact_column: int | None = None) -> list[Scored]:
    """Return the tests that growth must have looked at: those of every column searched exactly."""
    study = trial.study
    hazy = {
        column
        for column in range(len(study.columns))
        if column != exact_column and may_be_heuristic(study, pieces, trial.root, column)
    }
    tests = scored_tests(study, pieces, trial.root)
    return [scored for scored in tests if scored.test.sure and scored.test.column not in hazy]


def may_be_heuristic(study: Study, pieces: Pieces, root: Pieces, column: int) -> bool:
    """Say whether the best subset of a column's categories need not be found exactly (semantics 3.5).

    Two classes and numbers are exact by ordering the levels, unless a least leaf size or the gain ratio spoils the
    theorem; everything is exact while there are few levels.
    """
    settings = study.settings
    if settings.splits != "binary" or kind_of(study.columns[column]) not in ("nominal", "boolean"):
        return False
    present, gap = levels_and_gap(study, pieces, root, column)
    if len(present) + gap <= 2:
        return False
    certified = study.n_classes <= 2 and settings.criterion != "gain_ratio" and settings.min_leaf <= 1
    certified = certified and settings.min_branch <= 1
    return not certified and (len(present) + gap > MOST_LEVELS or study.n_classes <= 2)


def describe(trial: Trial, scored: Scored) -> str:
    """Return a test in words, with its score."""
    test = scored.test
    name = trial.study.columns[test.column].name
    way = (
        f"<= {test.cut!r}" if test.codes is None else "{" + ", ".join(f"{c}:{b}" for c, b in test.codes) + "}"
    )
    return f"[{name!r} {way}, gaps to {test.missing}: score {scored.score:.12g}, gain {scored.gain:.12g}]"


# ---------------------------------------------------------------------------------------------- C4.5


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
        f"records gain {tree.gain[node]!r}; {name!r} has {chosen.gain:.12g} ({chosen.raw_gain:.12g} uncharged)",
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
    average = average_gain(study, [found for found in many if found.gain > -EPSILON], False)
    return any(abs(found.gain - average + EPSILON) < 1e-9 for found in many)


# ---------------------------------------------------------------------------------------------- surrogates


def check_surrogates(trial: Trial, node: int, pieces: Pieces, test: Test) -> None:
    """Check each surrogate's agreement, their order, and that no column had a better one."""
    study, tolerance = trial.study, max(trial.tolerance, 1e-9)
    kept = surrogates_at(trial.tree, node)
    primary = unrouted(study, test)
    best = {
        option.test.column: option
        for option in surrogates(
            replace(study, settings=replace(study.settings, max_surrogates=len(study.columns))),
            pieces,
            trial.root,
            primary,
        )
    }
    expect(
        len(kept) == min(len(best), study.settings.max_surrogates),
        node,
        f"keeps {len(kept)} surrogates; {len(best)} columns have one that helps",
    )
    last = 1.0 + tolerance
    for option in kept:
        name = study.columns[option.test.column].name
        real = measured(study, pieces, trial.root, primary, option)
        expect(
            abs(option.agreement - real.agreement) <= tolerance,
            node,
            f"surrogate {name!r} records agreement {option.agreement!r}; it is {real.agreement!r}",
        )
        expect(
            abs(option.adjusted - real.adjusted) <= 1e3 * tolerance,
            node,
            f"surrogate {name!r} records adjusted agreement {option.adjusted!r}; it is {real.adjusted!r}",
        )
        expect(
            option.test.column in best, node, f"surrogate {name!r} does not help (adjusted {real.adjusted!r})"
        )
        expect(
            real.agreement >= best[option.test.column].agreement - tolerance,
            node,
            f"surrogate {name!r} agrees {real.agreement!r}; that column can do {best[option.test.column].agreement!r}",
        )
        expect(option.agreement <= last + tolerance, node, f"surrogate {name!r} stands behind a worse one")
        last = option.agreement
        del best[option.test.column]
    for column, option in best.items():
        expect(
            option.agreement <= last + tolerance,
            node,
            f"leaves out surrogate {study.columns[column].name!r} (agreement {option.agreement!r})",
        )
