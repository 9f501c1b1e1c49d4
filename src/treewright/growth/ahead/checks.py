"""What look-ahead asks of the rows; an error names the column, what was found and the way out."""

from __future__ import annotations

import numpy as np

from treewright.base.advice import ask, refusal
from treewright.growth.checks import gaps_in
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.table import Rows
from treewright.tree.policy import GAPS

_WAYS = ("branch", "refuse", "stop")  # of policies: a row takes one branch, or there is none without a value


def check_rows(question: Question, rows: Rows, settings: Settings) -> None:
    """Refuse rows whose way down a search of subtrees cannot know, and shares of weights."""
    policy = GAPS[settings.missing]
    if policy.way not in _WAYS or policy.is_value:
        for column, values in zip(question.schema.columns, rows.columns, strict=True):
            if gaps := int(np.count_nonzero(gaps_in(column, values))):
                raise refusal(
                    ask("lookahead", settings.lookahead),
                    " does not go with ",
                    ask("missing", policy.name),
                    f" where values are missing (column {column.name!r}: {gaps} of {len(values)}): a row "
                    "must take one branch that the search may choose. Use ",
                    ask("missing", "learned", "own_branch"),
                    ".",
                )
    if settings.min_leaf_share > 0 and rows.weights is not None:
        raise refusal(
            ask("lookahead", settings.lookahead),
            " counts rows, not their weights: it does not go with ",
            ask("min_leaf_share", settings.min_leaf_share),
            ". Use ",
            ask("min_leaf", 5),
            ".",
        )
