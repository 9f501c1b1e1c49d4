"""What look-ahead asks of the rows; an error names what was found and the way out."""

from __future__ import annotations

from treewright.base.advice import ask, refusal
from treewright.growth.settings import Settings
from treewright.table import Rows


def check_rows(rows: Rows, settings: Settings) -> None:
    """Refuse shares of weights."""
    if settings.min_leaf_share > 0 and rows.weights is not None:
        raise refusal(
            ask("lookahead", settings.lookahead),
            " counts rows, not their weights: it does not go with ",
            ask("min_leaf_share", settings.min_leaf_share),
            ". Use ",
            ask("min_leaf", 5),
            ".",
        )
