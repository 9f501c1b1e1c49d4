"""Filters beside the score, the plain way: impurity of a node, price of a split, cost of a column."""

from __future__ import annotations

from typing import Any

import numpy as np

from .criteria import impurity
from .node import Pieces, Study

NEAR = 1e-9  # figures this near to a limit may fall on either side of it


def is_pure_enough(study: Study, pieces: Pieces) -> bool:
    """Say whether a node's impurity per unit of weight is below the least that is split."""
    least = study.settings.min_impurity
    if least == 0 or pieces.weight <= 0:
        return False
    y, weights = study.y[pieces.rows], scaled(study, pieces)
    found = impurity(study.settings.criterion, y, weights, study.n_classes) / float(weights.sum())
    return bool(found < least * (1 - NEAR))


def scaled(study: Study, pieces: Pieces) -> Any:
    """Return the weights that scores see."""
    scale = study.settings.score_scale
    return pieces.weights if scale is None else pieces.weights * np.array(scale)[study.y[pieces.rows]]


def pays(study: Study, scored: Any, slack: float = 0.0) -> bool:
    """Say whether a test takes off more than the price of its branches; `slack` < 0: clearly more."""
    price = study.settings.split_price * (scored.test.n_branches - 1)
    if price == 0:
        return True
    near = NEAR if slack >= 0 else -NEAR
    return bool(scored.gain * scored.weight > price * (1 - near))


def paying(study: Study, tests: list[Any]) -> list[Any]:
    """Return the tests of columns whose best test pays for certain: others are out with all their tests."""
    if study.settings.split_price == 0:
        return tests
    found = []
    for column in {scored.test.column for scored in tests}:
        own = [scored for scored in tests if scored.test.column == column]
        top = max(scored.score for scored in own)
        if all(pays(study, one, -1.0) for one in own if one.score >= top - 1e-9 * (1 + abs(top))):
            found += own
    return found


def costed(study: Study, column: int, score: float) -> float:
    """Return a score for its column's cost: IDX, EG2 or CS-ID3."""
    settings = study.settings
    if not settings.column_costs:
        return score
    cost, power = settings.column_costs.get(study.columns[column].name, 1.0), settings.cost_power
    if settings.cost_form == "eg2":
        return float((2.0**score - 1) / (cost + 1) ** power)
    top = score if settings.cost_form == "idx" else score * abs(score)
    return float(top / cost**power)
