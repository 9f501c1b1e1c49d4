"""Is C4.5rules' climb weak? Other searches for the rules of a class on adult, by the bits that they reach.

`./dev python -m benchmarks.study_climb` prints the table in docs/rules.md, "How good is the climb". Minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import treewright as tw
from treewright.base.draws import RULES, row_shares
from treewright.prune import Sample, extra_errors
from treewright.rules.bits import Code
from treewright.rules.c45rules import (
    as_ruleset,
    cleaned,
    general_rules,
    judge_of,
    ordered_rules,
    training_rows,
)
from treewright.rules.generalise import Candidate
from treewright.rules.subset import N_STARTS, Choice, Climber

Subset = NDArray[np.bool_]
Search = Callable[["OfClass"], Subset]


@dataclass(frozen=True)
class OfClass:
    """The rules of one class to choose from."""

    label: int
    rules: list[Candidate]
    choice: Choice
    climber: Climber

    def climbed(self, starts: list[Subset]) -> Subset:
        """Return the best end of several climbs."""
        ends = [self.climber.climbed(start) for start in starts]
        return min(ends, key=lambda end: end[1])[0]

    def eleven(self) -> Subset:
        """Return what c45rules keeps."""
        keys = [(start, self.label * N_STARTS + start) for start in range(N_STARTS)]
        n = len(self.rules)
        return self.climbed([row_shares(0, RULES, key, n) < start / (N_STARTS - 1) for start, key in keys])

    def cost(self, subset: Subset) -> float:
        """Return the bits of a subset."""
        return float(self.choice.costs(subset[None])[0])


def sixty(one: OfClass) -> Subset:
    """Return the best of sixty climbs from rules drawn with any probability."""
    rng = np.random.default_rng(one.label)
    return one.climbed([rng.random(len(one.rules)) < rng.random() for _ in range(60)])


def shaken(one: OfClass, n_times: int = 1000) -> Subset:
    """Return where climbs from the best known subset lead, a few rules of which are changed each time."""
    rng, best = np.random.default_rng(one.label), one.eleven()
    cost = one.cost(best)
    for _ in range(n_times):
        start = best.copy()
        start[rng.choice(np.flatnonzero(best), rng.integers(1, 6), replace=False)] = False
        start[rng.choice(np.flatnonzero(~best), rng.integers(1, 8), replace=False)] = True
        end, its_cost = one.climber.climbed(start)
        if its_cost < cost:
            best, cost = end, its_cost
    return best


def with_more(n_more: int) -> Search:
    """Return a search that adds rules to what c45rules keeps: the cheapest first, whatever they cost."""

    def search(one: OfClass) -> Subset:
        subset = one.eleven()
        for _ in range(n_more):
            out = np.flatnonzero(~subset)
            tried = np.tile(subset, (len(out), 1))
            tried[np.arange(len(out)), out] = True
            subset = tried[int(np.argmin(one.choice.costs(tried)))]
        return subset

    return search


SEARCHES: dict[str, Search] = {
    "eleven climbs: `c45rules`": OfClass.eleven,
    "sixty climbs": sixty,
    "eleven, then 1,000 climbs from the best, shaken": shaken,
    "eleven, and 25 more rules a class": with_more(25),
    "eleven, and 75 more rules a class": with_more(75),
    "all rules": lambda one: np.ones(len(one.rules), dtype=bool),
}


def classes_of(tree: tw.Tree, sample: Sample) -> list[OfClass]:
    """Return what there is to choose from, class by class."""

    def estimate(n: NDArray[np.float64], errors: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((errors + extra_errors(n, errors)) / n)

    candidates = general_rules(tree, judge_of(tree, sample, estimate), sample, lambda _: None)
    code = Code.of(tree.schema.columns, sample.columns, sample.weights)
    found = []
    for label in range(len(tree.classes)):
        rules = [rule for rule in candidates if rule.label == label]
        is_class = (sample.answers == label).astype(np.float64)
        bits = np.array([code.rule(rule.atoms) for rule in rules])
        choice = Choice([rule.rows for rule in rules], bits, is_class, sample.weights)
        found.append(OfClass(label, rules, choice, Climber(choice)))
    return found


def main() -> None:
    """Print the table."""
    from tests.tables import table, target  # adult is not shipped

    rows, goal = table("adult"), target("adult")
    tree = tw.grow(rows, goal, "c4.5", prune="none")
    sample = training_rows(tree, rows, None)
    each = classes_of(tree, sample)
    print(f"candidates: {[len(one.rules) for one in each]} of {rows.n_rows:,} rows")
    print(
        "| search | "
        + " | ".join(f"bits, {c}" for c in tree.classes)
        + " | rules | after clean-up | errors |"
    )
    for name, search in SEARCHES.items():
        subsets = [search(one) for one in each]
        kept = [[one.rules[i] for i in np.flatnonzero(s)] for one, s in zip(each, subsets, strict=True)]
        rules, default = ordered_rules(tree, sample, kept)
        stay = cleaned(sample, rules, default)
        said = as_ruleset(tree, sample, stay, default, "first", {}).predict(rows)
        bits = " | ".join(f"{one.cost(s):,.1f}" for one, s in zip(each, subsets, strict=True))
        n_wrong = int((said != rows.labels(goal)).sum())
        print(f"| {name} | {bits} | {len(rules):,} | {len(stay):,} | {n_wrong:,} |", flush=True)


if __name__ == "__main__":
    main()
