"""What growing from a source serves, and refusals that name the setting."""

from __future__ import annotations

from treewright.base.advice import ask, refusal
from treewright.growth.question import Question
from treewright.growth.settings import Settings

# The setting, what it may be, and the way out.
_SERVED: tuple[tuple[str, tuple[object, ...], str], ...] = (
    ("splits", ("binary", "one_vs_rest", "multiway"), "Sums of columns are searched for in memory."),
    ("cuts", ("exact", "c4.5"), "Other cuts are found in memory."),
    ("leaves", ("constant",), "Models are fitted in memory."),
    ("discretise", (None,), "Bin the table first."),
    ("monotone", (None,), "Directions are kept in memory."),
    ("lookahead", (1,), "Subtrees are searched in memory."),
)
# Criteria for numbers that sums of weights and targets cannot tell.
NOT_SERVED = ("absolute_error", "gaussian_entropy", "poisson")


def check_served(settings: Settings, question: Question) -> None:
    """Refuse settings that need the rows themselves in more than cells and values."""
    for name, served, way_out in _SERVED:
        if (found := getattr(settings, name)) not in served:
            raise refusal(
                ask(name, found),
                f" does not go with a source: {way_out} Grow in memory with tw.grow, or use ",
                ask(name, *served),
                ".",
            )
    if settings.max_columns is not None and settings.ledger:
        raise refusal(
            ask("max_columns", settings.max_columns),
            " does not go with a source and ",
            ask("ledger", settings.ledger),
            ": which columns a node did not draw is kept in memory. Leave one out.",
        )
    if question.criterion in NOT_SERVED:
        raise refusal(
            ask("criterion", question.criterion),
            " does not go with a source: it needs the rows one by one. Grow in memory with tw.grow, or use ",
            ask("criterion", "squared_error"),
            ".",
        )
    if question.scorer is not None:
        raise ValueError(
            "A criterion given as an object does not go with a source; name one, such as 'gini'."
        )
