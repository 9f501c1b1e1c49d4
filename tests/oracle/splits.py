"""Every test a column offers at a node, and what each is worth. Nothing is skipped, nothing is clever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, product

import numpy as np

from .criteria import class_weights, impurity, split_information, twoing
from .filters import costed, pays
from .missing import UNKNOWN, Branches, Test, filled_values, places
from .monotone import keeps_order
from .node import Pieces, Study, gaps_at, size_of
from .plain import kind_of

MOST_LEVELS = 12  # subsets are tried one and all up to here; the core promises no more for many classes


@dataclass(frozen=True)
class Scored:
    """A test and its worth. `tie` breaks equal scores (entropy gain under the error criterion)."""

    test: Test
    gain: float
    score: float
    tie: float
    split_info: float
    branches: Branches
    groups: tuple[Pieces, ...]
    weight: float  # of the node, as scores see it


def scored_tests(study: Study, pieces: Pieces, root: Pieces) -> list[Scored]:
    """Return every admissible test at a node with its score; of its price see `filters.paying`."""
    found = []
    for column in range(len(study.columns)):
        for test in tests_of(study, pieces, root, column):
            scored = score(study, pieces, root, test)
            if is_admissible(study, scored, is_priced=False):
                found.append(scored)
    return found


def is_cut(study: Study, column: int) -> bool:
    """Say whether a column is cut in two: numbers, ranks without a branch each, monotone columns."""
    kind, name = kind_of(study.columns[column]), study.columns[column].name
    is_monotone = name in (study.settings.monotone or ())
    return kind == "numeric" or is_monotone or (kind == "ordinal" and study.settings.splits != "multiway")


def tests_of(study: Study, pieces: Pieces, root: Pieces, column: int) -> Iterator[Test]:
    """Give the tests of one column, before any limit on sizes."""
    splits = study.settings.splits
    if is_cut(study, column):
        yield from cuts(study, pieces, root, column)
    elif column in pieces.used:
        return
    elif splits == "multiway":
        yield from each_value(study, pieces, root, column)
    elif splits == "one_vs_rest":
        yield from one_against_rest(study, pieces, root, column)
    else:
        yield from subsets(study, pieces, root, column)


def cut_between(low: float, high: float) -> float:
    """Return the cut between two neighbours: the middle, or the lower one where the middle is out of reach.

    >>> cut_between(1.0, 2.0), cut_between(-np.inf, 3.0), cut_between(3.0, np.inf)
    (1.5, -inf, 3.0)
    """
    if np.isinf(low) or np.isinf(high):
        return low
    middle = low + (high - low) / 2
    return low if middle >= high or np.isinf(middle) else middle


def cuts(study: Study, pieces: Pieces, root: Pieces, column: int) -> Iterator[Test]:
    """Give a cut between each two neighbouring values; gaps as the policy says."""
    values = filled_values(study, pieces, root, column)
    distinct = np.unique(values[~np.isnan(values)])
    gaps = bool(gaps_at(study, pieces, column).any())
    for low, high in pairwise(distinct):
        test = Test(column, 2, cut=cut_between(float(low), float(high)))
        yield from with_gaps(study, pieces, root, test, gaps)
    if study.settings.missing == "learned" and gaps and len(distinct):
        yield Test(column, 2, cut=np.inf, missing=1)
    if study.settings.missing == "own_branch" and gaps and len(distinct):
        yield Test(column, 2, cut=np.inf, missing=1, sure=False)  # known against missing: welcome, not due


def with_gaps(study: Study, pieces: Pieces, root: Pieces, test: Test, gaps: bool) -> Iterator[Test]:
    """Give the test once for each place its gaps may take."""
    policy = study.settings.missing
    if policy == "own_branch" and gaps:
        yield replace(test, n_branches=test.n_branches + 1, missing=test.n_branches)
    elif policy == "learned" and gaps:
        known = set(places(study, pieces, root, test).tolist())
        for branch in range(test.n_branches):
            yield replace(test, missing=branch, sure=branch in known)
    else:
        yield test


def levels(study: Study, pieces: Pieces, root: Pieces, column: int) -> list[int]:
    """Return the category codes present at the node, stand-ins included."""
    values = filled_values(study, pieces, root, column)
    return [int(value) for value in np.unique(values[~np.isnan(values)])]


def each_value(study: Study, pieces: Pieces, root: Pieces, column: int) -> Iterator[Test]:
    """Give the test with one branch per declared category."""
    n_categories = len(study.columns[column].categories)
    test = Test(column, n_categories, codes=tuple((code, code) for code in range(n_categories)))
    gaps = bool(gaps_at(study, pieces, column).any())
    only_one = len(levels(study, pieces, root, column)) < 2
    for placed in with_gaps(study, pieces, root, test, gaps):
        yield replace(placed, sure=placed.sure and not only_one)


def one_against_rest(study: Study, pieces: Pieces, root: Pieces, column: int) -> Iterator[Test]:
    """Give, for each category present, the test of it against all others; a gap is one more category."""
    present, gap = levels_and_gap(study, pieces, root, column)
    for chosen in present:
        codes = tuple((code, int(code != chosen)) for code in present)
        for branch in (0, 1) if gap else (UNKNOWN,):
            # With one category alone only the gaps can stand against it.
            yield Test(column, 2, codes=codes, missing=branch, sure=len(present) > 1)
    if gap and len(present) > 1:
        yield Test(column, 2, codes=tuple((code, 0) for code in present), missing=1, sure=False)


def subsets(study: Study, pieces: Pieces, root: Pieces, column: int) -> Iterator[Test]:
    """Give every way to send the categories present to two sides; a gap is one more category."""
    present, gap = levels_and_gap(study, pieces, root, column)
    n_levels = len(present) + gap
    if n_levels > MOST_LEVELS:
        yield from ordered_subsets(study, pieces, root, column)
        return
    for sides in product((0, 1), repeat=max(n_levels - 1, 0)):
        sides = (0, *sides)  # the first stays left: the mirror image is the same test
        if n_levels >= 2 and any(sides):
            codes = tuple(zip(present, sides[: len(present)], strict=True))
            yield Test(column, 2, codes=codes, missing=sides[-1] if gap else UNKNOWN)


def ordered_subsets(study: Study, pieces: Pieces, root: Pieces, column: int) -> Iterator[Test]:
    """Give the cuts in the order of the levels' means: enough for two classes and numbers (Breiman 1984)."""
    if study.n_classes > 2:
        return
    values = filled_values(study, pieces, root, column)
    present, gap = levels_and_gap(study, pieces, root, column)
    y, weights = study.y[pieces.rows].astype(np.float64), scoring_weights(study, pieces)
    groups = {code: values == code for code in present}
    if gap:
        groups[UNKNOWN] = np.isnan(values)
    order = sorted(groups, key=lambda code: float(np.average(y[groups[code]], weights=weights[groups[code]])))
    for n_left in range(1, len(order)):
        side = {code: int(place >= n_left) for place, code in enumerate(order)}
        codes = tuple((code, side[code]) for code in present)
        yield Test(column, 2, codes=codes, missing=side.get(UNKNOWN, UNKNOWN))


def levels_and_gap(study: Study, pieces: Pieces, root: Pieces, column: int) -> tuple[list[int], bool]:
    """Return the categories present, and whether gaps count as one more."""
    gaps = bool(gaps_at(study, pieces, column).any())
    return levels(study, pieces, root, column), gaps and study.settings.missing in ("learned", "own_branch")


def scoring_weights(study: Study, pieces: Pieces) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the weights a score sees: those of the pieces, times a factor per class where there is one."""
    scale = study.settings.score_scale
    return pieces.weights if scale is None else pieces.weights * np.array(scale)[study.y[pieces.rows]]


def score(study: Study, pieces: Pieces, root: Pieces, test: Test) -> Scored:
    """Return what a test is worth: the drop of impurity per unit of node weight (over split information)."""
    branches = places(study, pieces, root, test)
    weights, y = scoring_weights(study, pieces), study.y[pieces.rows]
    total = float(weights.sum())

    def drop(criterion: str) -> float:
        known = branches != UNKNOWN
        if criterion == "twoing":
            side, node = (class_weights(y[at], weights[at], study.n_classes) for at in (branches == 0, known))
            return twoing(side, node) * float(weights[known].sum()) / total

        def cost(at: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
            return impurity(criterion, y[at], weights[at], study.n_classes, study.root_variance)

        return (cost(known) - sum(cost(branches == j) for j in range(test.n_branches))) / total

    criterion = study.settings.criterion
    gain = drop(criterion)
    sizes = [float(weights[branches == j].sum()) for j in range(UNKNOWN, test.n_branches)]
    split_info = split_information(sizes)
    value = gain / split_info if criterion == "gain_ratio" and split_info > 0 else gain
    tie = drop("entropy") if criterion == "error" else 0.0
    groups = tuple(pieces.part(branches == j) for j in range(test.n_branches))
    return Scored(test, gain, costed(study, test.column, value), tie, split_info, branches, groups, total)


def is_admissible(study: Study, scored: Scored, slack: float = 0.0, is_priced: bool = True) -> bool:
    """Say whether a test parts the rows at all, respects both minimum sizes and, if asked, pays its price."""
    groups = [study.y[group.rows] for group in scored.groups if len(group.rows)]
    if study.settings.criterion == "poisson" and not all(np.any(y > 0) for y in groups):
        return False
    sizes = [size_of(study, group) for group in scored.groups if len(group.rows)]
    settings = study.settings
    if (is_priced and not pays(study, scored, slack)) or not keeps_order(study, scored.test, scored.groups):
        return False
    if len(sizes) < 2 or min(sizes) < settings.min_leaf - slack:
        return False
    return sum(size >= settings.min_branch - slack for size in sizes) >= 2
