"""The report of an optimal tree says what is proven."""

from __future__ import annotations

import treewright as tw
from tests import tables


def test_the_head_and_the_origin_tell_the_certificate() -> None:
    tree = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2, n_trees=4).tree
    told = tw.report.facts(tree, tw.example("tennis"))
    assert told["sentences"][0] == (
        "The tree is proven optimal: it costs 2 errors in training, and no tree of 2 levels costs less."
    )
    lines = dict(told["made"]["certificate"])
    assert lines["cost of the tree"] == "2 errors"
    assert lines["proven optimal"] == "yes"
    assert lines["different trees found"] == "4 (complete)"
    assert "certificate" not in told["made"]["more"]


def test_a_gap_is_told() -> None:
    tree = tw.optimal(tables.table("soybean"), "class", 3, work_limit=50, warns=False).tree
    told = tw.report.facts(tree)
    assert "no tree of 3 levels costs less than" in told["sentences"][0]
    lines = dict(told["made"]["certificate"])
    assert lines["proven optimal"].startswith("no: gap ")
    assert lines["ended by"] == "the limit of work"


def test_other_trees_have_none() -> None:
    told = tw.report.facts(tw.grow(tw.example("tennis"), "PlayTennis"))
    assert told["made"]["certificate"] is None
