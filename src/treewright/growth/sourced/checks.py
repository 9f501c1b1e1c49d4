"""What growing from a source serves, and refusals that name the setting."""

from __future__ import annotations

from treewright.base.advice import ask, refusal
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.tree.policy import GAPS

# The setting, what it may be, and the way out.
_SERVED: tuple[tuple[str, tuple[object, ...], str], ...] = (
    ("splits", ("binary", "one_vs_rest", "multiway"), "Sums of columns are searched for in memory."),
    ("cuts", ("exact", "c4.5"), "Random cuts are drawn in memory."),
    ("max_columns", (None,), "Columns are drawn in memory."),
    ("leaves", ("constant",), "Models are fitted in memory."),
    ("discretise", (None,), "Bin the table first."),
)


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
    _check_policy(settings, question, has_gaps)
    if question.scorer is not None:
        raise ValueError(
            "A criterion given as an object does not go with a source; name one, such as 'gini'."
        )


def _check_policy(settings: Settings, question: Question, has_gaps: bool) -> None:
    """Refuse what growth would ask rows; where there is no gap, nothing is divided."""
    policy = GAPS[settings.missing]
    divides = policy.way == "divide"
    if policy.needs_rows and (has_gaps or not divides):
        why = "divides rows" if divides else "asks more of rows than cells tell"
        served = [row.name for row in GAPS.values() if not row.needs_rows and row.way != "refuse"]
        raise refusal(
            ask("missing", policy.name),
            f" does not go with a source: it {why}. Use ",
            ask("missing", *served),
            ", or grow in memory with tw.grow.",
        )
    if divides and not question.is_classifier:
        raise refusal(
            ask("missing", policy.name),
            " does not go with a source of numbers; use ",
            ask("missing", "learned"),
            ".",
        )
