"""What a model needs a format to say: its features, by name, for the table of formats and for refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright.base.verbs import kind_of
from treewright.rules.several import SumCondition
from treewright.table import Kind
from treewright.tree import Tree
from treewright.tree.policy import gap_policy, unseen_policy
from treewright.tree.terms import VALUE

# A row for each: its name, and what the model has, in words. A format refuses features by these names.
FEATURES: Mapping[str, str] = {
    "classes": "answers that are classes",
    "numbers": "answers that are numbers",
    "gaps branch": "missing values that take a branch",
    "gaps divide": "missing values that divide a row (fractional)",
    "gaps surrogate": "missing values that other columns stand in for (surrogates)",
    "gaps stop": "missing values that stop at a node",
    "gaps refuse": "missing values that are refused",
    "unseen branch": "new categories that take a branch",
    "unseen divide": "new categories that divide a row",
    "unseen stop": "new categories that stop at a node",
    "unseen refuse": "new categories that are refused",
    "unseen as_missing": "new categories that count as missing",
    "numeric": "numeric columns",
    "nominal": "columns of categories",
    "ordinal": "ordinal columns",
    "boolean": "boolean columns",
    "dates": "dates, times of day and durations",
    "intervals": "numbers cut into intervals",
    "sums": "tests on sums of several columns",
    "conditions": "tests that count conditions, or have categories in a sum",
    "models": "models in leaves",
    "model gaps": "models that count missing values",
    "many branches": "tests with more than two branches",
    "costs": "costs of errors",
    "calibrated": "probabilities that were calibrated, or are not the shares of the leaf",
    "forest": "many trees",
    "rules of a tree": "rules that share a row (those of a tree)",
    "rules in order": "rules of which the first that matches decides",
    "rules that vote": "rules that vote",
    "linear": "weighted sums of terms",
    "kernel": "kernels in place of weights",
    "feature function": "features made by a function of yours",
}

_RULES = {"shares": "rules of a tree", "first": "rules in order", "vote": "rules that vote"}


def features_of(model: Any) -> tuple[str, ...]:
    """Return the features that a model has, in the order of the table.

    >>> import treewright as tw
    >>> features_of(tw.grow(tw.example("tennis"), "PlayTennis", "id3"))
    ('classes', 'gaps refuse', 'unseen stop', 'nominal', 'many branches')
    """
    kind = kind_of(model)
    if kind is None:
        raise TypeError(f"A model is a tree, a forest, a set of rules or a linear model, not {model!r:.60}.")
    found = _FINDERS[kind](model)
    return tuple(name for name in FEATURES if name in found)


def _of_columns(columns: Any) -> set[str]:
    found = set()
    for column in columns:
        if column.is_temporal:
            found.add("dates")
        elif column.edges is not None:
            found.add("intervals")
        else:
            found.add("numeric" if column.is_numeric else column.kind.value)
    return found


def _of_target(model: Any) -> set[str]:
    found = {"classes" if model.is_classifier else "numbers"}
    kept = model.about
    is_calibrated = kept.get("calibration") is not None or kept.get("probabilities", "raw") != "raw"
    extras = {"costs": kept.get("costs") is not None, "calibrated": is_calibrated}
    return found | {name for name, is_there in extras.items() if is_there}


def _of_policies(model: Any, columns: Any) -> set[str]:
    gap, unseen = gap_policy(model.about).way, unseen_policy(model.about).way
    has_categories = any(c.kind in (Kind.nominal, Kind.ordinal) and c.edges is None for c in columns)
    return {f"gaps {gap}"} | ({f"unseen {unseen}"} if has_categories else set())


def _of_tree(tree: Tree) -> set[str]:
    columns = [tree.schema.columns[place] for place in tree.used_columns.tolist()]
    found = _of_target(tree) | _of_columns(columns) | (_of_policies(tree, columns) if columns else set())
    extras = {"sums": tree.has_sums, "conditions": tree.has_conditions, "models": tree.has_models}
    extras["model gaps"] = tree.has_gap_terms
    extras["many branches"] = bool((tree.branch_counts > 2).any())
    return found | {name for name, is_there in extras.items() if is_there}


def _of_forest(forest: Any) -> set[str]:
    columns = [forest.schema.columns[place] for place in forest.used_columns.tolist()]
    found = _of_target(forest) | _of_columns(columns) | (_of_policies(forest, columns) if columns else set())
    has_many = bool((np.asarray(forest.arrays["code_branch"]) > 1).any())
    has_many = has_many or bool((np.asarray(forest.arrays["missing"]) > 1).any())
    extras = {"many branches": has_many, "sums": forest.has_sums}
    extras["conditions"] = bool((np.asarray(forest.arrays["term_form"]) != VALUE).any())
    return found | {"forest"} | {name for name, is_there in extras.items() if is_there}


def _of_rules(rules: Any) -> set[str]:
    tests = [condition for rule in (*rules.rules, *rules.fallbacks) for condition in rule.conditions]
    asked = {name for condition in tests for name in condition.columns}
    columns = [column for column in rules.schema.columns if column.name in asked]
    found = _of_target(rules) | _of_columns(columns) | {_RULES[rules.decision]}
    sums = [condition for condition in tests if isinstance(condition, SumCondition)]
    found |= {"sums"} if sums else set()
    found |= {"conditions"} if any(term.has_condition for each in sums for term in each.terms) else set()
    if rules.decision == "shares" and columns:
        found |= _of_policies(rules, columns)
    return found


def _of_linear(model: Any) -> set[str]:
    found = {"classes", "linear"} | _of_columns(model.coding_.schema.columns)
    if getattr(model, "kernel", "linear") != "linear":
        found.add("kernel")
    if model.map_ is not None and hasattr(model.map_, "function"):
        found.add("feature function")
    return found


_FINDERS = {"tree": _of_tree, "forest": _of_forest, "rules": _of_rules, "linear": _of_linear}
