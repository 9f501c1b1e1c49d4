"""The blackboard version of rules from trees: C4.5rules step by step (specification 3.11).

Rules are plain lists of tests; every subset, every removal and every change is tried by counting all rows
anew.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .error_based import extra
from .reading import children, test_at

Mask = NDArray[np.bool_]
Test = tuple[int, str, Any]  # column, "<=", ">", "in" or "missing", and the cut or the codes


@dataclass
class PlainRule:
    """A conjunction of tests, the class it speaks for, and the error expected of it."""

    tests: list[Test]
    label: int
    error: float = 1.0
    number: int = 0
    mask: Any = field(default=None, repr=False)


@dataclass
class PlainRules:
    """Rules in the order in which they are asked, those dropped in the end, and the default class."""

    rules: list[PlainRule]
    dropped: list[PlainRule]
    default: int


def leaf_rules(tree: Any, node: int = 0, tests: tuple[Test, ...] = ()) -> list[PlainRule]:
    """Return one rule per leaf, by recursion."""
    test = test_at(tree, node)
    if test is None:
        is_held = tree.weights[node] >= 1 - 1e-9  # the program makes no rule of a leaf below one row
        return [PlainRule(list(tests), int(tree.label[node]))] if is_held else []
    found: list[PlainRule] = []
    for branch, child in enumerate(children(tree, node)):
        about = tree.schema.columns[test.column]
        last = math.inf if about.is_numeric else len(about.categories) - 1
        if is_for_gaps(test, branch, last):
            mine: Test = (test.column, "missing", None)
        elif not math.isnan(test.cut):
            mine = (test.column, "<=" if branch == 0 else ">", test.cut)
        else:
            mine = (test.column, "in", frozenset(code for code, to in test.codes if to == branch))
        found += leaf_rules(tree, child, (*tests, mine))
    return found


def is_for_gaps(test: Any, branch: int, last: float) -> bool:
    """Whether no known value leads to a branch."""
    if math.isnan(test.cut):
        return all(to != branch for _, to in test.codes)
    return branch > 1 or (branch == 1 and test.missing == 1 and test.cut >= last)


def holds(test: Test, columns: list[Any]) -> Mask:
    """Return the rows that satisfy a test; a gap satisfies none."""
    column, sign, wanted = test
    values = columns[column]
    if sign == "in":
        return np.isin(values, sorted(wanted))
    known = ~np.isnan(values) if values.dtype.kind == "f" else values >= 0
    if sign == "missing":
        return ~known
    with np.errstate(invalid="ignore"):
        return np.asarray(known & ((values <= wanted) if sign == "<=" else (values > wanted)))


def matched(tests: list[Test], columns: list[Any]) -> Mask:
    """Return the rows that satisfy all tests."""
    found = np.ones(len(columns[0]), dtype=bool)
    for test in tests:
        found &= holds(test, columns)
    return found


class C45Rules:
    """The six steps on one table."""

    def __init__(self, tree: Any, columns: list[Any], labels: Any, confidence: float = 0.25) -> None:
        self.tree, self.columns, self.labels = tree, columns, np.asarray(labels)
        self.n, self.confidence = len(labels), confidence
        self.n_classes = len(tree.classes)
        self.class_counts = np.bincount(self.labels, minlength=self.n_classes)
        self.branch_bits, self.column_bits = self.condition_bits()
        self.leaves = leaf_rules(tree)

    # ---- removal of conditions

    def judged(self, tests: list[Test], label: int) -> tuple[float, float]:
        """Return the pessimistic and the plain error of a rule."""
        mask = matched(tests, self.columns)
        n, e = int(mask.sum()), int((mask & (self.labels != label)).sum())
        if n == 0:
            return self.default_error(label), self.default_error(label)
        return (e + extra(n, e, self.confidence, "table")) / n, e / n

    def default_error(self, label: int) -> float:
        return 1 - (self.class_counts[label] + 1) / (self.n + 2)

    def generalised(self, rule: PlainRule) -> PlainRule | None:
        tests = list(rule.tests)
        while True:
            here = self.judged(tests, rule.label)
            without = [self.judged(tests[:d] + tests[d + 1 :], rule.label) for d in range(len(tests))]
            if not any(p <= here[0] + 1e-12 or plain <= here[1] + 1e-12 for p, plain in without):
                break
            least = min(p for p, _ in without)
            del tests[max(d for d, (p, _) in enumerate(without) if p <= least + 1e-12)]
        mask = matched(tests, self.columns)
        if not tests or not mask.any() or here[0] >= self.default_error(rule.label) - 1e-12:
            return None
        return PlainRule(tests, rule.label, here[0], mask=mask)

    def candidates(self) -> list[PlainRule]:
        found: list[PlainRule] = []
        for leaf in self.leaves:
            rule = self.generalised(leaf)
            if rule is None:
                continue
            twin = next((r for r in found if r.label == rule.label and set(r.tests) == set(rule.tests)), None)
            if twin is None:
                rule.number = len(found) + 1
                found.append(rule)
        return found

    # ---- choice of a subset

    def condition_bits(self) -> tuple[list[float], float]:
        """Return the bits of a branch by column, and of naming a column."""
        branch_bits = []
        for values in self.columns:
            if values.dtype.kind == "f":
                distinct = len(np.unique(values[~np.isnan(values)]))
                branch_bits.append(1 + 0.5 * math.log2(distinct) if distinct else 0.0)
            else:
                counts = np.bincount(values[values >= 0])
                p = counts[counts > 0] / max(1, (values >= 0).sum())
                branch_bits.append(float(-(p * np.log2(p)).sum()))
        total = sum(branch_bits)
        shares = [b / total for b in branch_bits if b > 0]
        return branch_bits, -sum(s * math.log2(s) for s in shares)

    def rule_bits(self, rule: PlainRule) -> float:
        q = len(rule.tests)
        bits = 0.0
        for column, sign, wanted in rule.tests:
            is_group = sign == "in" and len(wanted) != 1
            n_values = len(self.tree.schema.columns[column].categories)
            bits += self.column_bits + (n_values if is_group else self.branch_bits[column])
        return bits + math.log2(q) - math.log2(math.factorial(q))

    def cost(self, chosen: list[PlainRule], label: int) -> float:
        fires = np.zeros(self.n, dtype=bool)
        for rule in chosen:
            fires |= rule.mask
        is_class = self.labels == label
        f, p, q = int(fires.sum()), int((fires & ~is_class).sum()), int((~fires & is_class).sum())
        bits = sum(map(self.rule_bits, chosen)) - math.log2(math.factorial(len(chosen)))
        return 0.5 * bits + exception_bits(self.n, f, p, q)

    def subset(self, rules: list[PlainRule], label: int) -> list[PlainRule]:
        if len(rules) <= 10:
            tries = [
                list(some) for size in range(len(rules) + 1) for some in itertools.combinations(rules, size)
            ]
            costs = [self.cost(some, label) for some in tries]
            return tries[next(i for i, c in enumerate(costs) if c <= min(costs) + 1e-9)]
        return self.climbed(rules, label)

    def climbed(self, rules: list[PlainRule], label: int) -> list[PlainRule]:
        """Return the best of eleven climbs; each changes one rule at a time while that lowers the cost."""
        best: list[PlainRule] = []
        best_cost = math.inf
        for start in range(11):
            chosen = [self.is_drawn(label, start, i) for i in range(len(rules))]
            cost = self.cost([r for r, c in zip(rules, chosen, strict=True) if c], label)
            while True:
                costs = []
                for i in range(len(rules)):
                    tried = [c != (i == j) for j, c in enumerate(chosen)]
                    costs.append(self.cost([r for r, c in zip(rules, tried, strict=True) if c], label))
                change = next(i for i, c in enumerate(costs) if c <= min(costs) + 1e-9)
                if costs[change] >= cost - 1e-9:
                    break
                chosen[change] = not chosen[change]
                cost = costs[change]
            if cost < best_cost - 1e-9:
                best, best_cost = [r for r, c in zip(rules, chosen, strict=True) if c], cost
        return best

    # ---- order, default class, clean-up

    def ordered(self, chosen: dict[int, list[PlainRule]]) -> tuple[list[PlainRule], int]:
        """Return the rules class by class, and the default class."""
        open_classes = [label for label, rules in chosen.items() if rules]
        covered = np.zeros(self.n, dtype=bool)
        found: list[PlainRule] = []
        while open_classes:
            wrong = []
            for label in open_classes:
                fires = np.zeros(self.n, dtype=bool)
                for rule in chosen[label]:
                    fires |= rule.mask
                wrong.append(int((fires & ~covered & (self.labels != label)).sum()))
            label = open_classes.pop(wrong.index(min(wrong)))
            found += sorted(chosen[label], key=lambda rule: rule.error)
            for rule in chosen[label]:
                covered |= rule.mask
        left = np.bincount(self.labels[~covered], minlength=self.n_classes)
        default = max(range(self.n_classes), key=lambda c: (left[c], self.class_counts[c], -c))
        return found, default

    def says(self, rules: list[PlainRule], default: int, row: int, after: PlainRule | None = None) -> int:
        """Return the class that the rules (those behind `after`) give one row."""
        place = 0 if after is None else next(i for i, r in enumerate(rules) if r is after) + 1
        for rule in rules[place:]:
            if rule.error <= 0.7 and rule.mask[row]:
                return rule.label
        return default

    def decider(self, rules: list[PlainRule], row: int) -> PlainRule | None:
        return next((r for r in rules if r.error <= 0.7 and r.mask[row]), None)

    def advantage(self, rules: list[PlainRule], default: int) -> list[int]:
        """Return for each rule how many rows more it gets right than what would decide without it."""
        worth = {id(rule): 0 for rule in rules}
        for row in range(self.n):
            rule = self.decider(rules, row)
            if rule is not None:
                true, other = int(self.labels[row]), self.says(rules, default, row, after=rule)
                worth[id(rule)] += int(rule.label == true) - int(other == true)
        return [worth[id(rule)] for rule in rules]

    def cleaned(self, rules: list[PlainRule], default: int) -> tuple[list[PlainRule], list[PlainRule]]:
        """Return the rules that stay, and those that did more harm than good, one at a time."""
        dropped: list[PlainRule] = []
        while True:
            worth = self.advantage(rules, default)
            harmful = next((i for i, w in enumerate(worth) if w < 0), None)
            if harmful is None:
                return rules, dropped
            dropped.append(rules[harmful])
            rules = rules[:harmful] + rules[harmful + 1 :]

    def run(self) -> PlainRules:
        """Return the rules that stay, those dropped in the end, and the default class."""
        candidates = self.candidates()
        chosen = {
            label: self.subset([r for r in candidates if r.label == label], label)
            for label in range(self.n_classes)
        }
        rules, default = self.ordered(chosen)
        kept, dropped = self.cleaned(rules, default)
        return PlainRules(kept, dropped, default)

    @staticmethod
    def is_drawn(label: int, start: int, rule: int) -> bool:
        """Return whether a climb begins with a rule: drawn with probability 0, 0.1, ... 1."""
        from treewright import _core

        return bool((_core.draw(0, 2**32 - 7, label * 11 + start, rule) >> 11) / 2**53 < start / 10)


def exception_bits(n: float, fires: float, wrong: float, absent: float) -> float:
    """Return the bits that name false positives among the rows that fire, false negatives among the rest."""
    half = (wrong + absent) / 2
    x, y = (half, absent) if fires > n / 2 else (wrong, half)
    return math.log2(n) + biased(fires, wrong, x) + biased(n - fires, absent, y)


def biased(n: float, e: float, expected: float) -> float:
    """Return the bits that say which e of n are errors when about `expected` are thought of."""
    if n == 0:
        return 0.0
    share = expected / n
    if share < 1e-9:
        return 0.0 if e == 0 else 1e6
    if share > 1 - 1e-9:
        return 0.0 if e >= n - 1e-9 else 1e6
    return -e * math.log2(share) - (n - e) * math.log2(1 - share)
