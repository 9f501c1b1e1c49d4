"""The compiled core on trial: random small tables, every criterion x split form x missing policy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.amount import at_most
from treewright.growth.grower import grow_rows
from treewright.growth.settings import Settings as CoreSettings
from treewright.table import Rows
from treewright.table.schema import Column, Kind

from .judge import judge
from .node import Study, all_pieces
from .plain import PlainColumn, PlainSchema, PlainTable
from .settings import settings_for
from .strategies import Problem, problems, to_treewright

POLICIES = ["learned", "fractional", "surrogate", "own_branch", "most_common", "most_common_overall", "drop"]
EXAMPLES = at_most(25, 60)
QUICK = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def core_tree(one: Problem, recipe: str, words: dict[str, Any]) -> Any:
    """Return the tree the core grows."""
    table = to_treewright(one)
    target = Column(one.target.name, Kind(one.target.kind), one.target.categories)
    chosen = CoreSettings.of(recipe, **words)
    return grow_rows(Rows(table.schema, table.values, target, one.y, one.weights), chosen)


def words_for(data: st.DataObject, policy: str, regression: bool) -> dict[str, Any]:
    """Draw settings that the core and the twin both know."""
    forms = ["binary", "one_vs_rest"] if policy == "surrogate" else ["binary", "multiway", "one_vs_rest"]
    words: dict[str, Any] = {
        "missing": policy,
        "splits": data.draw(st.sampled_from(forms), "splits"),
        "min_leaf": data.draw(st.sampled_from([1.0, 2.0, 3.0]), "min_leaf"),
        "min_branch": data.draw(st.sampled_from([0.0, 2.0]), "min_branch"),
        "min_split": data.draw(st.sampled_from([2.0, 5.0]), "min_split"),
        "max_depth": data.draw(st.sampled_from([None, 1, 3]), "max_depth"),
    }
    if not regression:
        names = ["gini", "entropy", "gain_ratio", "error"]
        words["criterion"] = data.draw(st.sampled_from(names), "criterion")
        words["majority_share"] = data.draw(st.sampled_from([1.0, 0.7]), "majority_share")
        words["min_gain"] = data.draw(st.sampled_from([None, 0.1]), "min_gain")
    return words


@pytest.mark.parametrize("policy", POLICIES)
def test_no_better_test_was_missed(policy: str) -> None:
    @QUICK
    @given(st.data())
    def trial(data: st.DataObject) -> None:
        one = data.draw(problems())
        words = words_for(data, policy, one.n_classes == 0)
        how = settings_for("plain", regression=one.n_classes == 0, **words)
        assume(len(all_pieces(Study(one.table, one.y, one.n_classes, how), one.weights).rows) > 0)
        judge(core_tree(one, "plain", words), one.table, one.y, one.weights, how)

    trial()


@QUICK
@given(problems(task="classes"), st.sampled_from([1.0, 2.0, 3.0]), st.sampled_from(["gain_ratio", "entropy"]))
def test_c45_chooses_as_the_rules_say(one: Problem, m: float, criterion: str) -> None:
    words: dict[str, Any] = {"min_branch": m, "criterion": criterion}
    tree = core_tree(one, "c4.5", words)
    judge(tree, one.table, one.y, one.weights, settings_for("c4.5", **words))


@QUICK
@given(problems(task="classes", kinds=("nominal", "boolean", "ordinal"), gaps=False))
def test_id3_chooses_as_the_rules_say(one: Problem) -> None:
    judge(core_tree(one, "id3", {}), one.table, one.y, one.weights, settings_for("id3"))


def test_least_gain_is_in_the_unit_of_the_target() -> None:
    table = PlainTable(PlainSchema((PlainColumn("x", "numeric"),)), (np.array([0.0, 0.0, 1.0, 1.0]),))
    one = Problem(table, PlainColumn("y", "numeric"), np.array([0.0, 0.0, 4.0, 4.0]), np.ones(4))
    how = settings_for("plain", regression=True, min_gain=3.9)  # the split gains 4
    tree = core_tree(one, "plain", {"min_gain": 3.9})
    assert judge(tree, one.table, one.y, None, how) == 3
