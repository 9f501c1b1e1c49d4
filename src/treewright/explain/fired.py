"""Which rules of a set decide one row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treewright.base.notebook import Shown
from treewright.explain.row import columns_of, row_of
from treewright.explain.text import answer_words, percent
from treewright.rules import RuleSet
from treewright.rules.decide import decided
from treewright.rules.match import match
from treewright.rules.text import rule_in_words
from treewright.table import coded
from treewright.tree.split import Style, name

_MOST = 8  # rules that are told


@dataclass(frozen=True, repr=False)
class Fired(Shown):
    """The answer of rules to one row: the rule that decided, and all that match.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> rules = tw.rules.c45rules(tw.grow(table, target="PlayTennis", recipe="c4.5"), table)
    >>> found = explain_rules(rules, 0, table)
    >>> found.prediction, found.decider, found.matching
    ('No', 0, ((0, 1.0),))
    """

    rules: RuleSet
    row: Mapping[str, Any]
    prediction: str | float
    shares: tuple[float, ...]  # of each class; () for numbers
    decider: int | None  # the place of the rule that decided; None: the default
    matching: tuple[tuple[int, float], ...]  # places of rules that match, and the share of the row each has

    def to_text(self, ascii: bool = False) -> str:  # noqa: A002 (the word says it)
        """Return what decided, to read.

        >>> import treewright as tw
        >>> rules = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump").rules()
        >>> print(explain_rules(rules, 0, tw.example("tennis")))
        PlayTennis is No because of rule 1:
        <BLANKLINE>
        1. IF Humidity in {High, Low}
           THEN No  (7 rows, confidence 57 %, lift 1.600)
        """
        style = Style(ascii=ascii, longest=60)
        head = f"{name(self.rules.target.name, style)} is {answer_words(self.prediction, style)}"
        lines = [f"{head}{self._why()}"]
        every = (*self.rules.rules, *self.rules.fallbacks)
        for place, share in self.matching[:_MOST]:
            lines += ["", *rule_in_words(self.rules, every[place], f"{place + 1}. ", ascii)]
            lines += [f"   with {percent(share)} of the row"] if share < 1 else []
        if len(self.matching) > _MOST:
            lines += ["", f"and {len(self.matching) - _MOST} more."]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON types; rules are numbered from 1, as in their text.

        >>> import treewright as tw
        >>> rules = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump").rules()
        >>> explain_rules(rules, 0, tw.example("tennis")).to_dict()["rule"]
        1
        """
        return {
            "target": self.rules.target.name,
            "prediction": self.prediction,
            "row": dict(self.row),
            "rule": None if self.decider is None else self.decider + 1,
            "matching": [{"rule": place + 1, "share": share} for place, share in self.matching],
            "shares": dict(zip(self.rules.classes, self.shares, strict=True)),
        }

    def _why(self) -> str:
        if self.decider is None:
            return ": no rule matches, and that is the default." if not self.matching else ", the default:"
        if len(self.matching) == 1:
            return f" because of rule {self.decider + 1}:"
        how = {
            "shares": f"; the row is divided among {len(self.matching)} rules, most of it to rule",
            "first": f"; {len(self.matching)} rules match, and the first decides: rule",
            "vote": f" by the votes of {len(self.matching)} rules, most of all rule",
        }[self.rules.decision]
        return f"{how} {self.decider + 1}."


def explain_rules(rules: RuleSet, row: Any, table: Any = None) -> Fired:
    """Return which rules decide a row; the row as in `explain_row`.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "b"]}), target="y")
    >>> explain_rules(tree.rules(), {"x": 3}).decider
    1
    """
    given = row_of(rules, row, table)
    columns = columns_of(rules.schema, [given.cells])
    found = decided(rules, columns, 1)
    every = tuple(rule for rule in (*rules.rules, *rules.fallbacks) if rule.prediction is not None)
    met = match(every, rules.schema, coded(rules.schema.columns, columns), 1)
    pairs = zip(met.rule.tolist(), met.share.tolist(), strict=True)
    matching = tuple((place, share) for place, share in pairs if not every[place].is_silent)
    place = int(found.rule[0])
    return Fired(
        rules=rules,
        row=given.shown,
        prediction=rules.classes[int(found.labels[0])] if rules.is_classifier else float(found.values[0]),
        shares=tuple(found.chances[0].tolist()) if rules.is_classifier else (),
        decider=None if place < 0 else place,
        matching=matching,
    )
