"""C4.5rules (Quinlan 1993): the leaves of an unpruned tree, made general, sifted, put in order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.progress import Watcher
from treewright.prune import Sample, UnsuitableError, extra_errors, sample_of
from treewright.rules.atom import conditions_of, leaves
from treewright.rules.bits import Code
from treewright.rules.from_tree import check_plain, lift
from treewright.rules.generalise import Candidate, Judge, class_sums, generalised
from treewright.rules.rule import NEVER_FIRES_ABOVE, Rule
from treewright.rules.ruleset import RuleSet
from treewright.rules.several import Pairs, Sums
from treewright.rules.subset import Choice, chosen
from treewright.table import Table, coded
from treewright.tree import Tree

Floats = NDArray[np.float64]
Tell = Callable[[float], object]
LEAST = 1 - 1e-9  # weight of a leaf that makes a rule: less than one row makes none


def c45rules(
    tree: Tree,
    table: Table | Sample,
    *,
    confidence: float = 0.25,
    z: str = "table",
    significance: float | None = None,
    weights: Any = None,
    seed: int = 0,
    progress: Watcher | None = None,
) -> RuleSet:
    """Return the rules that C4.5rules makes of a tree: the first that matches decides, else the default.

    Args:
        tree: an unpruned tree for classes: `tw.grow(..., recipe="c4.5", prune="none")`. Others do as well.
        table: the table it was grown on.
        confidence: of the error estimate, the program's -c; smaller makes rules more general.
        z: "table" as the program has it, or "exact"; see `tw.prune.error_based`.
        significance: take a condition away as well where Fisher's exact test has a p-value above this.
        weights: of the rows, as they were in growing: a number each, or the name of a column. A row of usual
            weight should weigh 1: leaves that weigh less than one row make no rule.
        seed: of the draws with which the choice among more than ten rules of a class begins.
        progress: called with the share of the work that is done.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="c4.5", prune="none")
    >>> print(tw.rules.c45rules(tree, table))  # doctest: +ELLIPSIS
    5 rules for PlayTennis; the first that matches decides
    ...
       OTHERWISE Yes
    """
    check_tree(tree, "c45rules")
    _check_options(significance, seed)
    extra_errors(1.0, 0.0, confidence=confidence, z=z)  # refuses what is no confidence
    sample = training_rows(tree, table, weights)

    def estimate(n: Floats, errors: Floats) -> Floats:
        return np.asarray((errors + extra_errors(n, errors, confidence=confidence, z=z)) / n)

    tell = Teller(progress)
    candidates = general_rules(
        tree, judge_of(tree, sample, estimate, significance), sample, tell.part(0.0, 0.7)
    )
    kept = _sifted(tree, sample, candidates, seed, tell.part(0.7, 0.95))
    ordered, default = ordered_rules(tree, sample, kept)
    stay = cleaned(sample, ordered, default)
    about = {"method": "c4.5rules", "confidence": float(confidence), "z": z, "significance": significance}
    about |= {"seed": int(seed), "n_candidates": len(candidates), "n_dropped": len(ordered) - len(stay)}
    found = as_ruleset(tree, sample, stay, default, "first", about)
    tell(1.0)
    return found


def check_tree(tree: Any, name: str) -> None:
    """Refuse what has no classes to make rules for."""
    if not isinstance(tree, Tree):
        raise TypeError(
            f"{name} takes a treewright.Tree, not {type(tree).__name__}; of an estimator, its tree_."
        )
    if not tree.is_classifier:
        raise UnsuitableError(
            f"{name} makes rules for classes; this tree predicts the number {tree.target.name!r}. "
            "For one rule per leaf use tw.rules.from_tree."
        )
    check_plain(tree, name)


def _check_options(significance: Any, seed: Any) -> None:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise ValueError(f"seed={seed!r} must be a whole number.")
    is_number = isinstance(significance, (int, float)) and not isinstance(significance, bool)
    if significance is not None and (not is_number or not 0 < significance <= 1):
        raise ValueError(f"significance={significance!r} must be above 0 and at most 1, or None.")


def training_rows(tree: Tree, table: Table | Sample, weights: Any) -> Sample:
    """Return the rows in the tree's codes; without weight they are no rows."""
    sample = sample_of(tree, table, weights)
    sample = replace(sample, columns=tuple(coded(tree.schema.columns, sample.columns)))
    if (sample.answers < 0).any():
        raise ValueError(
            f"The table has classes of {tree.target.name!r} that the tree never met; "
            "rules are made with the table the tree was grown on."
        )
    if not (sample.weights > 0).all():
        sample = sample.take(np.flatnonzero(sample.weights > 0))
    if not sample.n_rows:
        raise ValueError("The table has no rows; rules are made with the table the tree was grown on.")
    return sample


class Teller:
    """Tells a watcher about one part of a job, by the share of the whole that this part is."""

    def __init__(self, watcher: Watcher | None, begin: float = 0.0, end: float = 1.0) -> None:
        self._watcher, self._begin, self._end = watcher, begin, end

    def part(self, begin: float, end: float) -> Teller:
        """Return who tells about a part of this part."""
        length = self._end - self._begin
        return Teller(self._watcher, self._begin + begin * length, self._begin + end * length)

    def __call__(self, share: float) -> None:
        """Tell that a share of this part is done."""
        if self._watcher is not None:
            self._watcher(self._begin + (self._end - self._begin) * share)


# ---- making candidates ----------------------------------------------------------------------------


def judge_of(tree: Tree, sample: Sample, estimate: Any, significance: float | None = None) -> Judge:
    """Return who judges rules by the training rows."""
    labels = np.asarray(sample.answers, dtype=np.int32)
    held = class_sums(labels, sample.weights, len(tree.classes))
    return Judge(labels, sample.weights, held, estimate, significance)


def general_rules(tree: Tree, judge: Judge, sample: Sample, tell: Tell) -> list[Candidate]:
    """Return the general rules of the leaves that hold at least one row; equal rules once."""
    found: dict[Any, Candidate] = {}
    sums = Sums.of(tree)
    for leaf in leaves(tree, sums.values(sample.columns), sums):
        if tree.weights[leaf.node] >= LEAST:
            rule = generalised(leaf, int(tree.label[leaf.node]), judge)
            if rule is not None:
                found.setdefault((rule.label, frozenset(rule.atoms)), rule)
        tell((leaf.node + 1) / tree.n_nodes)
    return list(found.values())


# ---- sifting --------------------------------------------------------------------------------------


def _sifted(
    tree: Tree, sample: Sample, candidates: Sequence[Candidate], seed: int, tell: Teller
) -> list[list[Candidate]]:
    """Return for each class the rules that are worth their bits."""
    sums = Sums.of(tree)
    code = Code.of(sums.columns, sums.values(sample.columns), sample.weights)
    kept: list[list[Candidate]] = []
    begin = 0.0
    for label in range(len(tree.classes)):
        mine = [rule for rule in candidates if rule.label == label]
        share = len(mine) / max(1, len(candidates))
        choice = Choice(
            [rule.rows for rule in mine],
            np.array([code.rule(rule.atoms) for rule in mine]),
            (sample.answers == label).astype(np.float64),
            sample.weights,
        )
        kept.append([mine[i] for i in chosen(choice, seed, label, tell.part(begin, begin + share))])
        begin += share
    return kept


# ---- order, default class -------------------------------------------------------------------------


def ordered_rules(tree: Tree, sample: Sample, kept: list[list[Candidate]]) -> tuple[list[Candidate], int]:
    """Return the rules class by class, fewest false positives among rows not yet covered first."""
    covers = [_covered(rules, sample.n_rows) for rules in kept]
    is_covered = np.zeros(sample.n_rows, dtype=bool)
    waiting = [label for label, rules in enumerate(kept) if rules]
    found: list[Candidate] = []
    while waiting:
        wrong = [_weight(sample, covers[c] & ~is_covered & (sample.answers != c)) for c in waiting]
        label = waiting.pop(int(np.argmin(wrong)))
        found += sorted(kept[label], key=lambda rule: rule.error)
        is_covered |= covers[label]
    return found, default_class(tree, sample, is_covered)


def _covered(rules: Sequence[Candidate], n_rows: int) -> NDArray[np.bool_]:
    found = np.zeros(n_rows, dtype=bool)
    for rule in rules:
        found[rule.rows] = True
    return found


def _weight(sample: Sample, rows: NDArray[np.bool_]) -> float:
    return float(sample.weights[rows].sum())


def default_class(tree: Tree, sample: Sample, is_covered: NDArray[np.bool_]) -> int:
    """Return the most frequent class of the rows that no rule covers; on ties that of all rows."""
    n_classes = len(tree.classes)
    left = class_sums(sample.answers[~is_covered], sample.weights[~is_covered], n_classes)
    overall = class_sums(sample.answers, sample.weights, n_classes)
    return int(np.lexsort((np.arange(n_classes), -overall, -left))[0])


# ---- clean-up -------------------------------------------------------------------------------------


def cleaned(sample: Sample, rules: list[Candidate], default: int) -> list[Candidate]:
    """Return the rules without those that do more harm than good, the first such one again and again."""
    rules = list(rules)
    while True:
        worth = advantages(sample, rules, default)
        harmful = np.flatnonzero(worth < -1e-9)
        if not len(harmful):
            return rules
        del rules[int(harmful[0])]


def advantages(sample: Sample, rules: Sequence[Candidate], default: int) -> Floats:
    """Return by rule the weight it gets right where the next rule to match errs, less the other way round."""
    first = np.full(sample.n_rows, -1, dtype=np.intp)
    second = np.full(sample.n_rows, default, dtype=np.int64)  # what would be said without the first
    is_open = np.zeros(sample.n_rows, dtype=bool)  # rows that have their first rule and wait for a second
    for place, rule in enumerate(rules):
        if rule.error > NEVER_FIRES_ABOVE:
            continue
        rows = rule.rows
        next_ones = rows[is_open[rows]]
        second[next_ones] = rule.label
        is_open[next_ones] = False
        fresh = rows[first[rows] < 0]
        first[fresh] = place
        is_open[fresh] = True
    decided = np.flatnonzero(first >= 0)
    label = np.array([rule.label for rule in rules], dtype=np.int64)
    said = label[first[decided]] if len(rules) else second[decided]
    right = (said == sample.answers[decided]).astype(np.float64)
    other = (second[decided] == sample.answers[decided]).astype(np.float64)
    return class_sums(first[decided], sample.weights[decided] * (right - other), len(rules))


# ---- as rules -------------------------------------------------------------------------------------


def as_ruleset(
    tree: Tree, sample: Sample, rules: Sequence[Candidate], default: int, decision: str, about: dict[str, Any]
) -> RuleSet:
    """Return candidates as a set of rules, with their figures on the training rows."""
    overall = class_sums(sample.answers, sample.weights, len(tree.classes))
    left = ~_covered([rule for rule in rules if rule.error <= NEVER_FIRES_ABOVE], sample.n_rows)
    uncovered = class_sums(sample.answers[left], sample.weights[left], len(tree.classes))
    kept = {key: tree.about[key] for key in ("recipe", "gaps") if key in tree.about}
    sums = Sums.of(tree).pairs
    return RuleSet(
        rules=tuple(_rule(tree, sample, rule, overall, sums) for rule in rules),
        schema=tree.schema,
        target=tree.target,
        decision=decision,
        default=tree.classes[default],
        default_distribution=tuple(uncovered.tolist()),
        about={**about, **kept},
    )


def _rule(tree: Tree, sample: Sample, rule: Candidate, overall: Floats, sums: tuple[Pairs, ...]) -> Rule:
    held = class_sums(sample.answers[rule.rows], sample.weights[rule.rows], len(tree.classes))
    support = float(held.sum())
    correct = float(held[rule.label])
    return Rule(
        conditions_of(rule.atoms, tree.schema, sums),
        tree.classes[rule.label],
        tuple(held.tolist()),
        support,
        math.fsum([support, -correct]),
        lift(correct, support, float(overall[rule.label]), float(overall.sum())),
        rule.error,
        rule.node,
    )
