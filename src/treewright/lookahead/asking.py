"""The settings of the trees that `tw.optimal` compares, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.base.advice import ask, refusal
from treewright.growth.ahead.problem import LOSSES
from treewright.growth.setting import ON_SEVERAL
from treewright.growth.settings import Settings
from treewright.tree.policy import GAPS

MOST_DEPTH = 60  # that the core takes
_REASONS = {
    "gain_ratio": "a ratio is no sum over leaves",
    "twoing": "it compares two branches and is no sum over leaves",
}


def settings_for(
    criterion: str | None,
    splits: str,
    missing: str,
    max_depth: int | None,
    max_leaves: int | None,
    min_leaf: float = 0,
) -> Settings:
    """Return the settings of the trees that are compared, checked.

    >>> settings_for("error", "binary", "learned", 3, None).max_depth
    3
    """
    if criterion is not None and criterion in _REASONS:
        raise refusal(
            "An optimal tree needs a cost that is summed over leaves: ",
            ask("criterion", criterion),
            f" cannot be used, for {_REASONS[criterion]}. Use ",
            ask("criterion", *LOSSES),
            ".",
        )
    if max_depth is None:
        raise refusal(
            "An optimal tree needs a depth, such as ", ask("max_depth", 3), ": all trees are searched."
        )
    if isinstance(max_depth, (int, np.integer)) and max_depth > MOST_DEPTH:
        raise refusal(
            ask("max_depth", max_depth),
            f": no tree of more than {MOST_DEPTH} tests on a way is searched; few are proven beyond 5. Use ",
            ask("max_depth", 4),
            ".",
        )
    if splits in ON_SEVERAL:
        raise refusal("An optimal tree asks one column at a time; leave out ", ask("splits", splits), ".")
    given: dict[str, Any] = {"criterion": criterion, "splits": splits, "missing": missing}
    limits = {"max_depth": max_depth, "max_leaves": max_leaves, "min_leaf": min_leaf}
    settings = Settings.of("plain", **given, **limits)
    if GAPS[settings.missing].way not in ("branch", "refuse", "stop") or GAPS[settings.missing].is_value:
        raise refusal(
            ask("missing", missing),
            " does not send a row down one branch that the search may choose. Use ",
            ask("missing", "learned", "own_branch", "drop", "error"),
            ".",
        )
    return settings
