"""What growing from a source serves, and refusals that name the setting."""

from __future__ import annotations

from treewright.base.advice import ask, refusal
from treewright.growth.question import Question
from treewright.growth.settings import Settings

# The setting, what it may be, and the way out.
_SERVED: tuple[tuple[str, tuple[object, ...], str], ...] = (
    ("splits", ("binary", "one_vs_rest", "multiway"), "Sums of columns are searched for in memory."),
    ("cuts", ("exact", "c4.5"), "Random cuts are drawn in memory."),
    ("max_columns", (None,), "Columns are drawn in memory."),
    ("leaves", ("constant",), "Models are fitted in memory."),
    ("discretise", (None,), "Bin the table first."),
)
# Policies that sums can serve; rows are divided only where there are gaps.
_POLICIES = ("learned", "own_branch", "drop", "error", "fractional")


def check_served(settings: Settings, question: Question, has_gaps: bool) -> None:
    """Refuse settings that need the rows themselves in more than cells and values."""
    for name, served, way_out in _SERVED:
        if (found := getattr(settings, name)) not in served:
            raise refusal(
                ask(name, found),
                f" does not go with a source: {way_out} Grow in memory with tw.grow, or use ",
                ask(name, *served),
                ".",
            )
    missing = settings.missing
    if missing not in _POLICIES or (missing == "fractional" and has_gaps):
        why = "divides rows" if missing == "fractional" else "asks more of rows than cells tell"
        raise refusal(
            ask("missing", missing),
            f" does not go with a source: it {why}. Use ",
            ask("missing", "learned", "own_branch", "drop"),
            ", or grow in memory with tw.grow.",
        )
    if missing == "fractional" and not question.is_classifier:
        raise refusal(
            ask("missing", "fractional"),
            " does not go with a source of numbers; use ",
            ask("missing", "learned"),
            ".",
        )
    if question.scorer is not None:
        raise ValueError(
            "A criterion given as an object does not go with a source; name one, such as 'gini'."
        )
