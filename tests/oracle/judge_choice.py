"""Is a node's test one its column offers, is its score right, and is none better?"""

from __future__ import annotations

import numpy as np

from .c45 import stored_cut
from .filters import paying
from .grow import column_rank
from .missing import UNKNOWN, UNSEEN, Test, filled_values, fills, places
from .monotone import keeps_order
from .node import Pieces, Study
from .plain import is_numeric, kind_of
from .route import known_weights, send
from .splits import (
    MOST_LEVELS,
    Scored,
    cut_between,
    is_admissible,
    is_cut,
    levels_and_gap,
    score,
    scored_tests,
)
from .surrogate import surrogates
from .trial import SLACK, Trial, describe, expect, unrouted


def check_test(trial: Trial, node: int, pieces: Pieces, test: Test) -> None:
    """Check that the test is one its column can offer here, whatever it is worth."""
    study, tree = trial.study, trial.tree
    column = study.columns[test.column]
    kind, policy = kind_of(column), study.settings.missing
    cuts_here = is_cut(study, test.column)
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
        wanted = 3 if extra and cuts_here and test.cut != np.inf else 2
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
    if test.cut == np.inf and study.settings.missing in ("learned", "own_branch"):
        expect(bool(np.isnan(values).any()), node, "parts gaps from known values where there is no gap")
        return
    low, high = distinct[distinct <= test.cut], distinct[distinct > test.cut]
    expect(len(low) > 0 and len(high) > 0, node, f"cuts at {test.cut} with all known values on one side")
    if study.settings.recipe == "c4.5":
        wanted = stored_cut(study.table.values[test.column], float(low[-1]), float(high[0]), single=False)
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
        f"is marked as heuristic, yet {study.columns[test.column].name!r} can be searched exactly",
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
    """Return how a test parts the rows, whichever branch is which: equal partings have equal scores."""
    return frozenset(frozenset(group.rows.tolist()) for group in scored.groups if len(group.rows))


def must_tests(trial: Trial, pieces: Pieces, exact_column: int | None = None) -> list[Scored]:
    """Return the tests that growth must have looked at: those of every column searched exactly."""
    study = trial.study
    hazy = {
        column
        for column in range(len(study.columns))
        if column != exact_column and may_be_heuristic(study, pieces, trial.root, column)
    }
    tests = paying(study, scored_tests(study, pieces, trial.root))
    tests = lasting(study, pieces, trial.root, tests)
    return [scored for scored in tests if scored.test.sure and scored.test.column not in hazy]


def lasting(study: Study, pieces: Pieces, root: Pieces, tests: list[Scored]) -> list[Scored]:
    """Return the tests that keep a monotone order for certain.

    Where gaps take their branch only when rows are divided, that is asked again with all rows, of the best
    test of each column: if it fails, growth leaves the column out.
    """
    if not study.settings.monotone or study.n_classes == 1:
        return tests
    if not study.settings.divides:
        return [scored for scored in tests if keeps_order(study, scored.test, scored.groups, -1e-9)]
    found = []
    for column in {scored.test.column for scored in tests}:
        own = [scored for scored in tests if scored.test.column == column]
        top = max(scored.score for scored in own)
        best = [scored for scored in own if scored.score >= top - 1e-9 * (1 + abs(top))]
        if all(keeps_order_divided(study, pieces, root, scored) for scored in best):
            found += best
    return found


def keeps_order_divided(study: Study, pieces: Pieces, root: Pieces, scored: Scored) -> bool:
    """Say whether a test keeps the order with its known rows, and with all of them, for certain."""
    stand_ins = surrogates(study, pieces, root, scored.test) if study.settings.missing == "surrogate" else []
    sent = tuple(send(study, pieces, root, scored.test, stand_ins))
    return all(keeps_order(study, scored.test, groups, -1e-9) for groups in (scored.groups, sent))


def may_be_heuristic(study: Study, pieces: Pieces, root: Pieces, column: int) -> bool:
    """Say whether the best subset of a column's categories need not be found exactly (semantics 3.5).

    Two classes and numbers are exact by ordering the levels, unless a least leaf size or the gain ratio
    spoils the theorem; everything is exact while there are few levels.
    """
    settings = study.settings
    if settings.splits != "binary" or kind_of(study.columns[column]) not in ("nominal", "boolean"):
        return False
    present, gap = levels_and_gap(study, pieces, root, column)
    if len(present) + gap <= 2:
        return False
    if settings.criterion in ("poisson", "gaussian_entropy", "absolute_error"):
        return len(present) + gap > MOST_LEVELS  # up to there all subsets are tried
    certified = study.n_classes <= 2 and settings.criterion != "gain_ratio" and settings.min_leaf <= 1
    certified = certified and settings.min_branch <= 1 and not settings.monotone
    return not certified and (len(present) + gap > MOST_LEVELS or study.n_classes <= 2)
