"""Rules as a calculation: what each asks of a row, and how they decide together."""

from __future__ import annotations

import math

from treewright.export.branching import among, present, weighted
from treewright.export.expression import (
    ALWAYS,
    NEVER,
    Calculation,
    Case,
    Cell,
    Class,
    Compare,
    Gap,
    Largest,
    Nothing,
    Number,
    Other,
    Quotient,
    Step,
    Truth,
    Value,
    best_of,
    both,
    case,
    either,
    product,
    total,
)
from treewright.rules.condition import Condition, Proxy, StandIn
from treewright.rules.decide import ALIKE, WHOLE, class_numbers, tree_shares
from treewright.rules.rule import Rule
from treewright.rules.ruleset import RuleSet
from treewright.rules.several import SumCondition
from treewright.table import Column
from treewright.tree.terms import VALUE


def of_rules(rules: RuleSet) -> Calculation:
    """Return rules as a calculation.

    >>> import treewright as tw
    >>> rules = tw.grow(tw.example("tennis"), "PlayTennis", "stump").rules()
    >>> of_rules(rules).label.whens[0][1]
    Class(place=1)
    """
    return RuleWords(rules).calculation()


class RuleWords:
    """The rules of one set, and their columns by name."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.places = {name: i for i, name in enumerate(rules.schema.names)}
        self.steps: list[tuple[str, Value]] = []

    def calculation(self) -> Calculation:
        """Return the rules as a calculation."""
        rules = self.rules
        if rules.decision == "first":
            label, chances = self.by_first()
        elif rules.decision == "vote":
            label, chances = self.by_votes()
        elif rules.divides:
            label, chances = self.by_shares()
        else:
            label, chances = self.by_leaf()
        return Calculation(rules.schema.columns, rules.classes, tuple(self.steps), label, chances, None)

    def answer_of(self, prediction: str | float | None) -> Value:
        """Return what a rule says."""
        if prediction is None:
            return Nothing()
        if self.rules.is_classifier:
            return Class(self.rules.classes.index(str(prediction)))
        return Number(float(prediction))

    def chosen(
        self, listed: list[Rule], chances: list[list[float]], rest: list[float]
    ) -> tuple[Value, tuple[Value, ...]]:
        """Return the answers where one rule decides; `rest` are the probabilities of a row without one."""
        truths = [self.matches(rule) for rule in listed]
        default = self.answer_of(self.rules.default)
        label = case(
            [(t, self.answer_of(rule.prediction)) for t, rule in zip(truths, listed, strict=True)], default
        )
        if not self.rules.is_classifier:
            return label, ()
        otherwise: list[Value] = [Number(p) for p in rest] if rest else [Nothing()] * len(self.rules.classes)
        return label, tuple(
            case([(t, Number(p[c])) for t, p in zip(truths, chances, strict=True)], otherwise[c])
            for c in range(len(self.rules.classes))
        )

    def by_first(self) -> tuple[Value, tuple[Value, ...]]:
        """Return label and probabilities where the first rule that holds decides."""
        listed = [rule for rule in self.rules.rules if not rule.is_silent]
        chances = [self.laplace(rule.distribution) for rule in listed]
        return self.chosen(listed, chances, self.laplace(self.rules.default_distribution))

    def by_leaf(self) -> tuple[Value, tuple[Value, ...]]:
        """Return label and probabilities of the rules of a tree, of which one holds."""
        listed = [rule for rule in (*self.rules.rules, *self.rules.fallbacks) if rule.prediction is not None]
        chances = (
            tree_shares(self.rules, tuple(listed)).tolist()
            if self.rules.is_classifier
            else [[]] * len(listed)
        )
        return self.chosen(listed, chances, [])

    def laplace(self, weights: tuple[float, ...]) -> list[float]:
        """Return the probabilities of rows with these class weights, one row added per class."""
        if not self.rules.is_classifier:
            return []
        counts = list(weights) or [0.0] * len(self.rules.classes)
        return [(count + 1) / (sum(counts) + len(counts)) for count in counts]

    def by_votes(self) -> tuple[Value, tuple[Value, ...]]:
        """Return label and probabilities where all rules that hold vote."""
        rules = self.rules
        listed = [rule for rule in rules.rules if not rule.is_silent]
        weights: list[list[Value]] = [[] for _ in rules.classes]
        for rule, c in zip(listed, class_numbers(rules, tuple(listed)).tolist(), strict=True):
            weights[c].append(case([(self.matches(rule), Number(rule.vote))], Number(0.0)))
        for c, parts in enumerate(weights):
            self.steps.append((f"votes{c}", total(parts)))
        votes: list[Value] = [Step(f"votes{c}") for c in range(len(rules.classes))]
        self.steps.append(("all_votes", total(votes)))
        self.steps.append(("most_votes", Largest(tuple(votes))))
        some = Compare(Step("all_votes"), ">", Number(0.0))
        label = Case(
            ((some, best_of(votes, Class, ALIKE, Step("most_votes"))),), self.answer_of(rules.default)
        )
        rest = self.laplace(rules.default_distribution)
        return label, tuple(
            Case(((some, Quotient(vote, Step("all_votes"))),), Number(p))
            for vote, p in zip(votes, rest, strict=True)
        )

    def by_shares(self) -> tuple[Value, tuple[Value, ...]]:
        """Return the answers of rules of a tree that divides rows among them."""
        rules = self.rules
        listed = [rule for rule in (*rules.rules, *rules.fallbacks) if rule.prediction is not None]
        shares: list[Value] = []
        for i, rule in enumerate(listed):
            self.steps.append((f"rule{i}", product(*map(self.share, rule.conditions))))
            shares.append(Step(f"rule{i}"))
        self.steps.append(("whole", total(shares)))
        is_whole = Compare(Step("whole"), ">=", Number(WHOLE))
        if not rules.is_classifier:
            parts = [product(share, Number(rule.number)) for share, rule in zip(shares, listed, strict=True)]
            return Case(((is_whole, total(parts)),), Nothing()), ()
        chances = tree_shares(rules, tuple(listed)).tolist()
        names = [f"p{c}" for c in range(len(rules.classes))]
        for c, name in enumerate(names):
            self.steps.append(
                (name, total([product(s, Number(p[c])) for s, p in zip(shares, chances, strict=True)]))
            )
        winner = self.winner([Step(name) for name in names])
        one = tuple(
            (Compare(share, ">=", Number(1.0)), self.answer_of(rule.prediction))
            for share, rule in zip(shares, listed, strict=True)
        )
        label = Case(((is_whole, Case(one, winner)),), Nothing())
        return label, tuple(Case(((is_whole, Step(name)),), Nothing()) for name in names)

    def winner(self, chances: list[Value]) -> Value:
        """Return the class of most probability, or of least cost."""
        worths, costs = chances, self.rules.about.get("costs")
        if costs is not None:
            worths = []
            for c in range(len(chances)):
                parts = [product(Number(-float(row[c])), p) for row, p in zip(costs, chances, strict=True)]
                self.steps.append((f"worth{c}", total(parts)))
                worths.append(Step(f"worth{c}"))
        self.steps.append(("best", Largest(tuple(worths))))
        return best_of(worths, Class, ALIKE, Step("best"))

    # ---- what a rule asks -------------------------------------------------------------------------

    def matches(self, rule: Rule) -> Truth:
        """Return the truth that a rule holds for a row in whole."""
        return both(*map(self.holds, rule.conditions)) if rule.conditions else ALWAYS

    def holds(self, condition: Condition | SumCondition) -> Truth:
        """Return the truth that a condition passes a row in whole."""
        if isinstance(condition, SumCondition):
            known, gap, unseen = self.of_sum(condition)
            whole = [known, gap if condition.missing == 1 else NEVER]
            return either(*(w for w in (*whole, unseen if condition.unseen == 1 else NEVER) if w != NEVER))
        place, column = self.places[condition.column], self.rules.schema[condition.column]
        asked = {c for proxy in condition.proxies for c in proxy.categories}
        ways: list[Truth] = []
        if condition.categories is None:
            ways.append(self.between(place, condition))
        else:
            sure = [c for c in condition.categories if c not in asked]
            ways.append(among(place, self.codes(column, sure), column))
            for category in sorted(asked & set(condition.categories)):
                asking = [proxy for proxy in condition.proxies if category in proxy.categories]
                ways.append(
                    both(among(place, self.codes(column, [category]), column), *map(self.proxy, asking))
                )
        if condition.unseen == 1 and column.edges is None:
            asking = [proxy for proxy in condition.proxies if proxy.unseen]
            ways.append(both(self.unknown(place, column), *map(self.proxy, asking)))
        if condition.missing == 1:
            asking = [proxy for proxy in condition.proxies if proxy.missing]
            ways.append(both(Gap(place), *map(self.proxy, asking)))
        return either(*(way for way in ways if way != NEVER))

    def of_sum(self, condition: SumCondition) -> tuple[Truth, Truth, Truth]:
        """Return when a sum lies between its bounds, and when a gap or a new category lets a row pass."""
        pairs = tuple(term.in_schema(self.rules.schema) for term in condition.terms)
        columns = self.rules.schema.columns
        there, value = present(pairs, columns), weighted(pairs, columns)
        is_number = Compare(value, "<=", Number(math.inf))  # endless values that cancel are none
        bounds = [] if condition.low is None else [Compare(value, ">", Number(condition.low))]
        bounds.append(is_number if condition.high is None else Compare(value, "<=", Number(condition.high)))
        known = both(there.known, *bounds) if condition.has_known else NEVER
        gap = there.gap
        if sum(term.form == VALUE and columns[term.column].is_numeric for term, _ in pairs) > 1:
            no_number = Compare(Case(((is_number, Number(0.0)),), Number(1.0)), ">=", Number(1.0))
            gap = either(gap, both(there.known, no_number))
        asking = [[p for p in condition.proxies if asks(p)] for asks in (_of_gaps, _of_news)]
        gap, unseen = (
            both(truth, *map(self.proxy, proxies)) if truth != NEVER else NEVER
            for truth, proxies in zip((gap, there.unseen), asking, strict=True)
        )
        return known, gap, unseen

    def share(self, condition: Condition | SumCondition) -> Value:
        """Return the share of a row that passes a condition."""
        if isinstance(condition, SumCondition):
            _, gap, unseen = self.of_sum(condition)
            shares = [(gap, Number(condition.missing)), (unseen, Number(condition.unseen))]
            parts = [(truth, share) for truth, share in shares if 0 < share.value < 1]
            return case([(self.holds(condition), Number(1.0)), *parts], Number(0.0))
        place, column = self.places[condition.column], self.rules.schema[condition.column]
        whens: list[tuple[Truth, Value]] = [(self.holds(condition), Number(1.0))]
        for category, share in condition.partly:
            asking = [proxy for proxy in condition.proxies if category in proxy.categories]
            truth = both(among(place, self.codes(column, [category]), column), *map(self.proxy, asking))
            whens.append((truth, Number(share)))
        if 0 < condition.missing < 1:
            asking = [proxy for proxy in condition.proxies if proxy.missing]
            whens.append((both(Gap(place), *map(self.proxy, asking)), Number(condition.missing)))
        if 0 < condition.unseen < 1 and column.edges is None:
            asking = [proxy for proxy in condition.proxies if proxy.unseen]
            whens.append(
                (both(self.unknown(place, column), *map(self.proxy, asking)), Number(condition.unseen))
            )
        return case(whens, Number(0.0))

    def unknown(self, place: int, column: Column) -> Truth:
        """Return the truth that a cell holds a category nobody knows."""
        return Other(place, tuple(range(len(column.categories))))

    def codes(self, column: Column, categories: list[str]) -> tuple[int, ...]:
        """Return the places of categories."""
        return tuple(sorted(column.categories.index(category) for category in categories))

    def between(self, place: int, condition: Condition) -> Truth:
        """Return the truth that a number lies between the bounds of a condition."""
        low, high = condition.low, condition.high
        if low == math.inf:
            return NEVER
        bounds: list[Truth] = [] if low is None else [Compare(Cell(place), ">", Number(low))]
        if high is not None and high != math.inf:
            bounds.append(Compare(Cell(place), "<=", Number(high)))
        return both(*bounds) if bounds else Other(place, ())

    def proxy(self, proxy: Proxy) -> Truth:
        """Return the truth that the first stand-in with an answer lets the row pass."""
        found: Truth = ALWAYS if proxy.otherwise else NEVER
        for test in reversed(proxy.tests):
            passes, silent = self.stand_in(test)
            found = either(passes, both(silent, found))
        return found

    def stand_in(self, test: StandIn) -> tuple[Truth, Truth]:
        """Return when a stand-in passes a row, and when it says nothing."""
        place, column = self.places[test.column], self.rules.schema[test.column]
        if test.cut is not None:
            known = Other(place, ())
            if test.cut == math.inf:
                return (known if test.is_below else NEVER), Gap(place)
            return Compare(Cell(place), "<=" if test.is_below else ">", Number(test.cut)), Gap(place)
        passing, failing = self.codes(column, list(test.passing)), self.codes(column, list(test.failing))
        silent: Truth = Gap(place)
        if column.edges is None:
            silent = either(silent, Other(place, tuple(sorted((*passing, *failing)))))
        elif len(passing) + len(failing) < len(column.categories):
            left = sorted(set(range(len(column.categories))) - {*passing, *failing})
            silent = either(silent, among(place, tuple(left), column))
        return among(place, passing, column), silent


def _of_gaps(proxy: Proxy) -> bool:
    return proxy.missing


def _of_news(proxy: Proxy) -> bool:
    return proxy.unseen
