"""One rule: its conditions, what it says, and how well it did on the training rows."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.base.lines import harmless
from treewright.base.notebook import Shown
from treewright.base.numbers import number
from treewright.rules.condition import Condition
from treewright.rules.several import SumCondition
from treewright.table import Schema

NEVER_FIRES_ABOVE = 0.7  # C4.5rules: a rule that is expected to err more often than this is kept, and silent


@dataclass(frozen=True, repr=False)
class Rule(Shown):
    """IF all conditions hold THEN the prediction, with the training rows it is known by.

    `distribution` holds the weight of each class among the rows that match, in class order (for numbers:
    weight, mean and squared deviations). `lift` is the confidence divided by the share of the class in all
    rows. `error` is the error rate that is expected on new rows, where somebody has estimated one.

    >>> sunny = Condition("Outlook", categories=("Sunny",))
    >>> rule = Rule((sunny,), "No", (2.0, 3.0), support=5.0, errors=2.0, lift=1.68)
    >>> rule.confidence, rule.to_text()
    (0.6, 'IF Outlook = Sunny THEN No')
    """

    conditions: tuple[Condition | SumCondition, ...]
    prediction: str | float | None  # None, of a fallback: rows that match are refused
    distribution: tuple[float, ...] = ()
    support: float = 0.0  # training weight that matches
    errors: float | None = None  # of it, the weight of other classes; None for numbers
    lift: float | None = None  # None where no row matches
    error: float | None = None
    node: int | None = None  # of the tree it comes from

    def __post_init__(self) -> None:
        object.__setattr__(self, "conditions", tuple(self.conditions))
        object.__setattr__(self, "distribution", tuple(self.distribution))
        keys = [condition.key for condition in self.conditions]
        if len(set(keys)) < len(keys):
            twice = next(key for key in keys if keys.count(key) > 1)
            about = f"column {twice!r}" if isinstance(twice, str) else "the same sum of columns"
            raise ValueError(f"Two conditions of one rule are about {about}; make them one.")

    @property
    def confidence(self) -> float | None:
        """The share of the matching training weight that the rule gets right; None where nothing matches.

        >>> Rule((), "Yes", (5.0, 9.0), support=14.0, errors=5.0).confidence
        0.6428571428571429
        """
        if self.errors is None or not self.support > 0:
            return None
        return (self.support - self.errors) / self.support

    @property
    def spread(self) -> float | None:
        """The standard deviation of the numbers that match; None for classes.

        >>> Rule((), 4.0, (2.0, 4.0, 2.0), support=2.0).spread
        1.0
        """
        if self.errors is not None or len(self.distribution) != 3:
            return None
        return float((self.distribution[2] / self.support) ** 0.5) if self.support > 0 else 0.0

    @property
    def number(self) -> float:
        """The prediction of a rule for numbers.

        >>> Rule((), 7.5).number
        7.5
        """
        if not isinstance(self.prediction, (int, float)):
            raise TypeError(f"The rule says {self.prediction!r}, which is no number.")
        return float(self.prediction)

    @property
    def vote(self) -> float:
        """What the rule weighs where rules vote: (correct + 1) / (cover + 2).

        >>> Rule((), "Yes", (0.0, 4.0), support=4.0, errors=0.0).vote
        0.8333333333333334
        """
        return (self.support - (self.errors or 0.0) + 1) / (self.support + 2)

    @property
    def is_silent(self) -> bool:
        """True for a rule that never fires, because it is expected to err in more than 70 % of its rows.

        >>> Rule((), "Yes", error=0.75).is_silent
        True
        """
        return self.error is not None and self.error > NEVER_FIRES_ABOVE

    @property
    def n_tests(self) -> int:
        """The number of single tests; an interval with two bounds counts as two.

        >>> Rule((Condition("x", low=1.0, high=2.0), Condition("z", high=0.0)), "Yes").n_tests
        3
        """
        return sum(condition.n_tests for condition in self.conditions)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, schema: Schema | None = None) -> str:
        """Return the rule in one line, with all it says of gaps and new categories.

        `schema` puts numbers into the words of their column: dates as dates.

        >>> Rule((Condition("x", high=2.5, missing=1.0), Condition("z", low=1.0)), 7.5).to_text()
        'IF x <= 2.5 or missing AND z > 1 THEN 7.5'
        """
        said = harmless(answer_in_words(self.prediction))
        if not self.conditions:
            return f"ALWAYS {said}"
        tests = " AND ".join(condition.to_text(schema=schema) for condition in self.conditions)
        return f"IF {tests} THEN {said}"


def answer_in_words(prediction: str | float | None) -> str:
    """Return what a rule says.

    >>> answer_in_words("Yes"), answer_in_words(7.25), answer_in_words(None)
    ('Yes', '7.25', 'no answer')
    """
    if prediction is None:
        return "no answer"
    return prediction if isinstance(prediction, str) else number(prediction, 6)
