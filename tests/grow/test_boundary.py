"""Boundary cuts give the same tree as all cuts; and where rows stop that lack a value, by rpart's rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import treewright as tw
from tests.amount import at_most
from tests.grow.test_invariance import with_target
from tests.oracle.strategies import Problem, problems
from tests.tables import table, target
from treewright.tree.fields import FIELDS

QUIET = settings(max_examples=at_most(15, 40), deadline=None, suppress_health_check=list(HealthCheck))


@QUIET
@given(problems(weights=("ones", "integers")))
def test_boundary_cuts_grow_the_tree_of_all_cuts(problem: Problem):
    whole = with_target(problem)
    if whole.column("y")[0].is_numeric:
        return
    for criterion in ("gini", "entropy"):
        more = {"weights": problem.weights, "criterion": criterion, "warns": False}
        exact = tw.grow(whole, "y", search="every", **more)
        found = tw.grow(whole, "y", cuts="boundary", **more)
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(found, name), getattr(exact, name), err_msg=name)


@pytest.mark.parametrize(
    ("given_settings", "words"),
    [
        ({"criterion": "gain_ratio"}, "best cut of gini and entropy only"),
        ({"min_leaf": 5}, "does not go with min_leaf=5"),
    ],
)
def test_where_boundary_cuts_are_not_proven_they_are_refused(given_settings, words):
    with pytest.raises(ValueError, match=words):
        tw.grow(table("iris"), "class", cuts="boundary", **given_settings)


def gappy() -> tw.Table:
    """Return rows of which some lack x alone, and some all columns."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    twin = x + 0.1 * rng.normal(size=200)
    y = np.where(x > 0.2, "p", "q")
    x[:20] = np.nan
    twin[10:20] = np.nan
    return tw.Table.from_dict({"x": x, "twin": twin, "y": y.tolist()})


@pytest.mark.parametrize(("rule", "n_stopping"), [(2, 0), (1, 10), (0, 20)])
def test_rules_of_surrogates(rule: int, n_stopping: int):
    """Of 20 rows that lack x, 10 have its twin: 2 places all, 1 those, 0 none."""
    whole = gappy()
    tree = tw.grow(whole, "y", missing="surrogate", surrogate_rule=rule, max_depth=1)
    below = int(tree.n_rows[1] + tree.n_rows[2])
    asked = "x" if tree.schema.names[tree.column[0]] == "x" else "twin"
    assert asked == "twin" or below == 200 - n_stopping
    stopping = int((tree.leaves(whole) == 0).sum())
    lacking = int(np.isnan(whole.column(asked)[1]).sum())
    other = int(np.isnan(whole.column(asked)[1]).sum() if rule == 0 else 10)
    assert stopping == {2: 0, 1: other, 0: lacking}[rule]
    assert below + stopping == 200
    assert (len(tree.surrogate_column) > 0) == (rule > 0)


def test_groups_refuse_what_they_do_not_go_with():
    with pytest.raises(ValueError, match="would judge the gaps with them"):
        tw.grow(table("labor"), target("labor"), splits="grouped")
    with pytest.raises(ValueError, match="does not go with the criterion 'twoing'"):
        tw.grow(table("vote"), target("vote"), splits="grouped", missing="drop", criterion="twoing")
