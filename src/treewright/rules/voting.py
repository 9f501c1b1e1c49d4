"""Rules that vote, in the manner of C5.0: lighter to make, and every rule that matches has a say."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.progress import Watcher
from treewright.prune import Sample
from treewright.rules.c45rules import (
    as_ruleset,
    check_tree,
    default_class,
    general_rules,
    judge_of,
    training_rows,
)
from treewright.rules.generalise import Candidate
from treewright.rules.ruleset import RuleSet
from treewright.table import Table
from treewright.tree import Tree

Floats = NDArray[np.float64]
LEAST_LIFT = 0.95


def voting(
    tree: Tree, table: Table | Sample, *, weights: Any = None, progress: Watcher | None = None
) -> RuleSet:
    """Return rules that vote with (correct + 1) / (cover + 2), as C5.0's do; the default where none matches.

    Conditions are taken away while the error (e + 1) / (n + 2) does not rise. A rule stays if
    (correct + 1) / (cover + 2) is at least 0.95 times the share of its class. This is C5.0's way to vote,
    not its rule sets: whatever else that program does to choose among rules is left out.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="c4.5", prune="none")
    >>> rules = tw.rules.voting(tree, table)
    >>> rules
    RuleSet(PlayTennis: 5 rules, those that match vote, default Yes)
    >>> round(rules[0].vote, 3)
    0.833
    """
    check_tree(tree, "voting")
    sample = training_rows(tree, table, weights)
    judge = judge_of(tree, sample, lambda n, errors: (errors + 1) / (n + 2))
    candidates = general_rules(tree, judge, sample, progress or (lambda _: None))
    prior = judge.class_weights / judge.class_weights.sum()
    kept = [rule for rule in candidates if _vote(sample, rule) >= LEAST_LIFT * prior[rule.label] - 1e-12]
    is_covered = np.zeros(sample.n_rows, dtype=bool)
    for rule in kept:
        is_covered[rule.rows] = True
    kept.sort(key=lambda rule: (rule.label, rule.error))
    about = {"method": "voting", "n_candidates": len(candidates)}
    return as_ruleset(tree, sample, kept, default_class(tree, sample, is_covered), "vote", about)


def _vote(sample: Sample, rule: Candidate) -> float:
    held = sample.weights[rule.rows]
    correct = held[sample.answers[rule.rows] == rule.label].sum()
    return float((correct + 1) / (held.sum() + 2))
