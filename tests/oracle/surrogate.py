"""Stand-in tests for rows whose tested value is missing (semantics 3.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .missing import UNKNOWN, UNSEEN, Test, places
from .node import Pieces, Study, gaps_at, values_at
from .plain import kind_of
from .splits import cut_between

LEAST_CASES = 2  # on each side of a surrogate


@dataclass(frozen=True)
class Surrogate:
    """A test that repeats another's left and right; `flip` sends x <= cut to branch 1."""

    test: Test
    flip: bool = False
    agreement: float = 0.0
    adjusted: float = 0.0

    def branch_of(self, value: float) -> int:
        """Return the branch of a known value, UNSEEN for a category it does not know."""
        branch = self.test.branch_of(value)
        return 1 - branch if self.flip and branch >= 0 else branch


def surrogates(study: Study, pieces: Pieces, root: Pieces, primary: Test) -> list[Surrogate]:
    """Return the best surrogate of each other column that helps, best first, as many as are kept."""
    found = []
    for column in range(len(study.columns)):
        if column != primary.column and not is_directed(study, column):
            options = [
                measured(study, pieces, root, primary, option)
                for option in options_of(study, pieces, root, primary, column)
            ]
            best = max(options, key=lambda option: option.agreement, default=None)
            if best is not None and best.adjusted > 1e-12:
                found.append(best)
    found.sort(key=lambda option: -option.agreement)
    return found[: study.settings.max_surrogates]


def is_directed(study: Study, column: int) -> bool:
    """Say whether a column is monotone: it stands in for no other, lest rows part by it elsewhere."""
    return study.columns[column].name in (study.settings.monotone or ())


def options_of(study: Study, pieces: Pieces, root: Pieces, primary: Test, column: int) -> list[Surrogate]:
    """Return what one column can propose: cuts in both directions, or each category to its majority side.

    Cuts lie between neighbours among all rows of the node that have a value there (ruling 3.14.4).
    """
    sides = places(study, pieces, root, primary)
    is_there = ~gaps_at(study, pieces, column) & (pieces.weights > 0)
    neighbours = values_at(study, pieces, column)[is_there]
    usable = (sides >= 0) & is_there
    values, sides, weights = values_at(study, pieces, column)[usable], sides[usable], pieces.weights[usable]
    if kind_of(study.columns[column]) in ("numeric", "ordinal"):
        distinct = np.unique(neighbours.astype(np.float64))
        cuts = [cut_between(float(low), float(high)) for low, high in pairwise(distinct)]
        every = [Surrogate(Test(column, 2, cut=cut), flip) for cut in cuts for flip in (False, True)]
    else:
        codes = []
        for code in np.unique(values):
            right = float(weights[(values == code) & (sides == 1)].sum())
            left = float(weights[(values == code) & (sides == 0)].sum())
            codes.append((int(code), int(right > left)))
        every = [Surrogate(Test(column, 2, codes=tuple(codes)))]
    return [option for option in every if has_cases(option, values)]


def has_cases(option: Surrogate, values: NDArray[np.generic]) -> bool:
    """Say whether both sides hold enough cases."""
    found = np.array([option.branch_of(float(value)) for value in values], dtype=np.int64)
    return int((found == 0).sum()) >= LEAST_CASES and int((found == 1).sum()) >= LEAST_CASES


def measured(study: Study, pieces: Pieces, root: Pieces, primary: Test, option: Surrogate) -> Surrogate:
    """Return the surrogate with its agreement; rows without a surrogate value count as disagreement."""
    sides = places(study, pieces, root, primary)
    known = sides >= 0
    total = float(pieces.weights[known].sum())
    column = option.test.column
    gaps, values = gaps_at(study, pieces, column), values_at(study, pieces, column)
    mine = np.array(
        [UNKNOWN if gap else option.branch_of(float(v)) for v, gap in zip(values, gaps, strict=True)],
        dtype=np.int64,
    )
    agreement = float(pieces.weights[known & (mine == sides)].sum()) / total
    bigger = max(float(pieces.weights[sides == side].sum()) for side in (0, 1)) / total
    adjusted = (agreement - bigger) / (1.0 - bigger) if bigger < 1.0 else 0.0
    return replace(option, agreement=agreement, adjusted=adjusted)


def bigger_side(held: NDArray[np.float64]) -> int:
    """Return the side of more known weight; UNKNOWN where both weigh the same (ruling 3.14.5)."""
    if abs(held[0] - held[1]) <= 1e-9 * float(held.sum()):
        return UNKNOWN
    return int(np.argmax(held))


def side_of(study: Study, row: int, stand_ins: list[Surrogate], bigger: int) -> int:
    """Return the branch of a row with a gap: that of the first surrogate that knows, else the bigger."""
    for option in stand_ins:
        value = study.table.values[option.test.column][row]
        gap = np.isnan(value) if kind_of(study.columns[option.test.column]) == "numeric" else value < 0
        if not gap and (branch := option.branch_of(float(value))) != UNSEEN:
            return branch
    return bigger
