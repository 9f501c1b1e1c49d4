"""From matching rules to answers: by shares of a row, by the first that matches, or by votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, refusal
from treewright.rules.match import Columns, Matches, Reader, match
from treewright.rules.rule import Rule
from treewright.table import coded

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet

Floats = NDArray[np.float64]
WHOLE = 1 - 1e-9  # a row is decided when its shares add up to this
ALIKE = 1e-12  # votes that are equal but for rounding are equal: the first class wins


@dataclass(frozen=True, repr=False)
class Decision:
    """The answer to each row: the rule that decided, and labels and probabilities, or numbers.

    `rule` is a place in `rules` (behind them come the fallbacks that answer); -1 is the default. Of a divided
    row it is the rule with the largest share.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "b"]}), target="y")
    >>> found = tree.rules().decide(tw.Table.from_dict({"x": [0, 9]}))
    >>> found.rule.tolist(), found.labels.tolist(), found.chances.tolist()
    ([0, 1], [0, 1], [[1.0, 0.0], [0.0, 1.0]])
    """

    rule: NDArray[np.intp]
    labels: NDArray[np.intp]  # class numbers; empty for numbers
    chances: Floats  # rows x classes; empty for numbers
    values: Floats  # empty for classes

    def __repr__(self) -> str:
        return f"Decision({len(self.rule)} rows, by {len(np.unique(self.rule))} rules)"


def decided(rules: RuleSet, columns: Columns, n_rows: int) -> Decision:
    """Return the answers to rows, given the columns of the schema in its codes, or numbers for intervals."""
    return _WAYS[rules.decision](rules, coded(rules.schema.columns, columns), n_rows)


# ---- by shares: the rules of a tree ---------------------------------------------------------------


def _by_shares(rules: RuleSet, columns: Columns, n_rows: int) -> Decision:
    every = tuple(rule for rule in (*rules.rules, *rules.fallbacks) if rule.prediction is not None)
    _check_answerable(rules, columns, n_rows)
    found = match(every, rules.schema, columns, n_rows)
    total = np.bincount(found.row, found.share, n_rows)
    if n_rows and total.min() < WHOLE:
        raise ValueError(f"No rule takes row {int(np.argmax(total < WHOLE))}, or all of it.")
    by_row = np.lexsort((found.rule, found.row))
    row, rule, share = found.row[by_row], found.rule[by_row], found.share[by_row]
    heaviest = _heaviest(row, rule, share, n_rows)
    is_divided = found.per_row > 1
    part = is_divided[row]
    if not rules.is_classifier:
        mean = np.array([rule.number for rule in every])
        values = mean[heaviest]
        values[is_divided] = 0
        np.add.at(values, row[part], mean[rule[part]] * share[part])
        return Decision(heaviest, np.zeros(0, dtype=np.intp), np.zeros((0, 0)), values)
    of_rule = tree_shares(rules, every)
    chances = of_rule[heaviest]
    chances[is_divided] = 0
    np.add.at(chances, row[part], of_rule[rule[part]] * share[part, None])
    labels = class_numbers(rules, every)[heaviest]
    labels[is_divided] = _most(chances[is_divided], rules.about.get("costs"))
    return Decision(heaviest, labels, chances, np.zeros(0))


def _heaviest(row: NDArray[Any], rule: NDArray[Any], share: Floats, n_rows: int) -> NDArray[np.intp]:
    """Return the rule with the largest share of each row, the first on ties."""
    order = np.lexsort((-rule, share, row))
    found = np.full(n_rows, -1, dtype=np.intp)
    found[row[order]] = rule[order]  # of equal rows the last one stays
    return found


def tree_shares(rules: RuleSet, every: tuple[Rule, ...]) -> Floats:
    """Return the class probabilities of each rule; one that no row matched is sure of its class."""
    nothing = (0.0,) * len(rules.classes)
    counts = np.array([rule.distribution or nothing for rule in every], dtype=np.float64)
    scale = rules.about.get("class_scale")
    if scale is not None:
        counts *= np.asarray(scale, dtype=np.float64)
    total = counts.sum(axis=1, keepdims=True)
    empty = total[:, 0] == 0
    counts[empty, class_numbers(rules, every)[empty]] = 1
    total[empty] = 1
    return np.asarray(counts / total)


def _most(chances: Floats, costs: Any) -> NDArray[np.intp]:
    votes = chances if costs is None else -(chances @ np.asarray(costs, dtype=np.float64))
    if not len(votes):
        return np.zeros(0, dtype=np.intp)
    return np.asarray(np.argmax(votes >= votes.max(axis=1, keepdims=True) - ALIKE, axis=1))


def class_numbers(rules: RuleSet, every: tuple[Rule, ...]) -> NDArray[np.intp]:
    """Return the class that each rule speaks for, as a number."""
    place: dict[Any, int] = {name: i for i, name in enumerate(rules.classes)}
    return np.array([place[rule.prediction] for rule in every], dtype=np.intp)


def _check_answerable(rules: RuleSet, columns: Columns, n_rows: int) -> None:
    """Refuse the first row that the tree of these rules refuses."""
    refusals = [rule for rule in rules.fallbacks if rule.prediction is None]
    found = match(refusals, rules.schema, columns, n_rows)
    if not len(found.row):
        return
    first = np.lexsort((found.rule, found.row))[0]
    row, test = int(found.row[first]), refusals[int(found.rule[first])].conditions[-1]
    place, is_gap = _without_value(rules, test.columns, columns, row)
    name = rules.schema.names[place]
    if is_gap:
        raise refusal(
            f"Column {name!r} is missing in row {row}, and the tree of these rules was grown with ",
            ask("missing", "error"),
            ". Fill the gap, or grow the tree with another policy, such as ",
            ask("missing", "learned"),
            ".",
        )
    raise refusal(
        f"Column {name!r} has a category in row {row} that the tree of these rules does not know, and ",
        ask("unseen", "error"),
        ". Grow the tree with ",
        ask("unseen", "most_common", "stop_here"),
        " to let such rows through.",
    )


def _without_value(rules: RuleSet, names: tuple[str, ...], columns: Columns, row: int) -> tuple[int, bool]:
    """Return the first of some columns that a row has no known value of, and whether it is missing there."""
    for name in names:
        place = rules.schema.index(name)
        value = columns[place][row]
        if rules.schema.columns[place].is_numeric:
            if np.isnan(value):
                return place, True
        elif value < 0 or len(names) == 1:
            return place, bool(value == -1)
    return rules.schema.index(names[0]), True  # endless values that cancel


# ---- by the first rule, by votes ------------------------------------------------------------------


def _by_first(rules: RuleSet, columns: Columns, n_rows: int) -> Decision:
    decider = np.full(n_rows, -1, dtype=np.intp)
    reader = Reader(rules.schema, columns, n_rows)
    left = np.arange(n_rows)
    for place, rule in enumerate(rules.rules):
        if rule.is_silent or not len(left):
            continue
        decider[reader.matching(rule.conditions, left)[0]] = place
        left = left[decider[left] < 0]
    if not rules.is_classifier:
        means = [rule.number for rule in rules.rules]
        values = np.array([*means, float(rules.default or 0.0)])[decider]
        return Decision(decider, np.zeros(0, dtype=np.intp), np.zeros((0, 0)), values)
    labels = np.append(class_numbers(rules, rules.rules), rules.classes.index(str(rules.default)))[decider]
    spread = [*(rule.distribution for rule in rules.rules), rules.default_distribution]
    chances = np.array([laplace(rules, weights) for weights in spread])[decider]
    return Decision(decider, labels, chances, np.zeros(0))


def laplace(rules: RuleSet, weights: tuple[float, ...]) -> Floats:
    """Return class probabilities with one row added per class."""
    counts = np.asarray(weights or np.zeros(len(rules.classes)), dtype=np.float64)
    return np.asarray((counts + 1) / (counts.sum() + len(counts)))


def _by_votes(rules: RuleSet, columns: Columns, n_rows: int) -> Decision:
    found: Matches = match(rules.rules, rules.schema, columns, n_rows)
    weight = np.array([0.0 if rule.is_silent else rule.vote for rule in rules.rules])
    label = class_numbers(rules, rules.rules)
    votes = np.zeros((n_rows, len(rules.classes)))
    np.add.at(votes, (found.row, label[found.rule]), weight[found.rule] * found.share)
    silent = votes.sum(axis=1) == 0
    chances = votes / np.where(silent, 1.0, votes.sum(axis=1))[:, None]
    chances[silent] = laplace(rules, rules.default_distribution)
    labels = _most(votes, None)
    labels[silent] = rules.classes.index(str(rules.default))
    by_weight = np.lexsort((-found.rule, weight[found.rule], found.row))
    agreeing = by_weight[label[found.rule[by_weight]] == labels[found.row[by_weight]]]
    decider = np.full(n_rows, -1, dtype=np.intp)
    decider[found.row[agreeing]] = found.rule[agreeing]  # the heaviest of those on the winning side
    decider[silent] = -1
    return Decision(decider, labels, chances, np.zeros(0))


_WAYS = {"shares": _by_shares, "first": _by_first, "vote": _by_votes}
