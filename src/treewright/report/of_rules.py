"""Rules as a page: each with its conditions, what it says, its rows and how sure it is."""

from __future__ import annotations

from treewright.evaluate.answers import Answers
from treewright.evaluate.measures import scores
from treewright.report.document import Part, document, table, text
from treewright.rules.ruleset import RuleSet
from treewright.rules.text import in_words
from treewright.table import Table
from treewright.tree.figures import count, percent
from treewright.tree.split import Style

_MOST = 1000
_HOW = {
    "shares": "Exactly one rule holds for every row.",
    "first": "The first rule that matches decides.",
    "vote": "All rules that match vote.",
}


def rules_page(rules: RuleSet, table_: Table | None = None, *, title: str | None = None) -> bytes:
    """Return a page about rules; `table_` are rows that judge them.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> rules = tw.rules.c45rules(tw.grow(table, target="PlayTennis", recipe="c4.5", prune="none"), table)
    >>> made = rules_page(rules, table)
    >>> b"Outlook = Sunny" in made and b"Otherwise" in made
    True
    """
    n_tests = sum(len(rule.conditions) for rule in rules) / max(1, len(rules))
    tiles = [*_judged(rules, table_), ("Rules", f"{len(rules):,}", f"{n_tests:.1f} conditions each")]
    default = "" if rules.default is None else f" Otherwise the answer is {rules.default}."
    lead = [f"Predicts {rules.target.name} by {len(rules):,} rules. {_HOW[rules.decision]}{default}"]
    parts = [
        Part("Rules", _about(rules), _listed(rules)),
        Part("Columns", "How many rules ask about each column.", _columns(rules)),
    ]
    return document(title or rules.target.name, "A set of rules", lead, tiles, parts)


def _about(rules: RuleSet) -> str:
    if len(rules) > _MOST:
        return f"The first {_MOST:,} of {len(rules):,}; rules.to_text() has all."
    return "In the order in which they are asked. Confidence: the share of matching rows that are right."


def _listed(rules: RuleSet) -> str:
    style = Style(most=12, longest=60)
    found = []
    for rule in rules.rules[:_MOST]:
        tests = [text(in_words(c, rules.schema, rules.about, style)) for c in rule.conditions] or ["always"]
        facts = [_rows(rule.support)]
        if rule.confidence is not None:
            facts.append(f"confidence {percent(rule.confidence)}")
        if rule.lift is not None:
            facts.append(f"lift {rule.lift:.2f}")
        if rule.error is not None:
            facts.append(f"expected error {percent(rule.error)}")
        said = rule.prediction if isinstance(rule.prediction, str) else f"{rule.prediction:.5g}"
        joined = '<span class="soft"> and </span>'.join(tests)
        known = text(" \u00b7 ".join(facts))
        found.append(
            f'<li><p><span class="soft">If </span>{joined}</p><p><span class="soft">then </span>'
            f'<b>{text(str(said))}</b><span class="soft"> \u00b7 {known}</span></p></li>'
        )
    if rules.default is not None:
        found.append(f'<li><p><span class="soft">Otherwise </span><b>{text(str(rules.default))}</b></p></li>')
    return f'<ol class="rules">{"".join(found)}</ol>'


def _rows(support: float) -> str:
    """Return how many rows a rule has: whole ones, also where missing values divide rows.

    >>> _rows(2241.51), _rows(0.4), _rows(0)
    ('2,242 rows', '1 row', '0 rows')
    """
    return count(max(1, round(support)) if support > 0 else 0, "row")


def _columns(rules: RuleSet) -> str:
    counts: dict[str, int] = {}
    for rule in rules:
        for condition in rule.conditions:
            for name in condition.columns:
                counts[name] = counts.get(name, 0) + 1
    rows = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return table(["column", "rules"], [[name, f"{n:,}"] for name, n in rows], numbers=[1])


def _judged(rules: RuleSet, rows: Table | None) -> list[tuple[str, str, str]]:
    if rows is None:
        return []
    note = f"on {rows.n_rows:,} test rows"
    if not rules.is_classifier:
        found = scores(Answers.of(rows.column(rules.target.name)[1], rules.predict(rows)), ("rmse",))["rmse"]
        return [("Root mean squared error", f"{found.value:.4g} \u00b1 {found.standard_error:.2g}", note)]
    found = scores(Answers.of(rows.labels(rules.target.name), rules.predict(rows)), ("accuracy",))["accuracy"]
    return [("Accuracy", f"{100 * found.value:.1f} \u00b1 {100 * found.standard_error:.1f} %", note)]
