"""The least change that the page finds is the one that Python proves; filters and the icicle on their own."""

import math

import numpy as np
import pytest

import treewright as tw
from tests import tables
from tests.amount import at_most
from tests.report.browserless import case, codes, needs_node, run
from treewright.draw.classes import top_classes
from treewright.prune.cost_complexity import cost_complexity_path
from treewright.report import facts

pytestmark = needs_node

EXACT = {
    "crx": {"recipe": "plain"},
    "adult": {"recipe": "plain", "max_leaves": 300},
    "iris": {"recipe": "cart"},
    "credit_g": {"recipe": "plain", "max_depth": 8},
    "vote": {"recipe": "plain"},
}


def known(table, target):
    """Return the rows without gaps in their features."""
    gaps = np.zeros(table.n_rows, dtype=bool)
    for column, values in zip(table.schema.columns, table.values, strict=True):
        gaps |= np.isnan(values) if column.is_numeric else values < 0
    return table.take(np.flatnonzero(~gaps)[: at_most(20, 60)])


def costs_by_python(tree, table):
    found = []
    for row in range(table.n_rows):
        told = tree.explain(row, table)
        assert told.is_proven if hasattr(told, "is_proven") else True
        found.append(told.alternatives[0].cost if told.alternatives else None)
    return found


@pytest.mark.parametrize("name", EXACT)
def test_the_least_change_costs_what_python_says(name):
    whole = tables.table(name)
    target = tables.target(name)
    tree = tw.grow(whole, target=target, **EXACT[name])
    table = known(whole, target)
    (found,) = run(facts(tree), ("changes", {"rows": codes(tree, table), "step": 0}))
    wanted = costs_by_python(tree, table)
    assert [one and one["isLeast"] for one in found] == [None if cost is None else True for cost in wanted]
    assert [one and one["cost"] for one in found] == pytest.approx(wanted)
    assert any(cost is not None for cost in wanted)


@pytest.mark.parametrize("name", ["crx, learned", "crx, own branch", "crx, most common"])
def test_rows_with_gaps_change_as_in_python_where_gaps_go_one_way(name):
    tree, table = case(name)
    table = table.take(range(at_most(20, 60)))
    (found,) = run(facts(tree), ("changes", {"rows": codes(tree, table), "step": 0}))
    wanted = costs_by_python(tree, table)
    assert [one and one["cost"] for one in found] == pytest.approx(wanted)


@pytest.mark.parametrize("name", ["crx, surrogates", "adult, divided", "soybean", "credit_g, intervals"])
def test_what_is_shown_gives_another_answer_and_is_never_called_least_without_proof(name):
    tree, table = case(name)
    table = table.take(range(at_most(30, 80)))
    told = facts(tree)
    (found,) = run(told, ("changes", {"rows": codes(tree, table), "step": 0}))
    wanted = costs_by_python(tree, table)
    shown = [(place, one) for place, one in enumerate(found) if one]
    assert shown
    rows = [one["row"] for _, one in shown]
    before, after = run(
        told, ("route", {"rows": codes(tree, table), "step": 0}), ("route", {"rows": rows, "step": 0})
    )
    for (place, one), went in zip(shown, after, strict=True):
        assert went[2] == one["label"] != before[place][2]
        if one["isLeast"]:
            assert one["cost"] == pytest.approx(wanted[place])
        elif wanted[place] is not None and name != "credit_g, intervals":
            assert one["cost"] >= wanted[place] - 1e-9


def test_the_least_change_follows_the_size_of_the_tree():
    table = known(tables.table("crx"), tables.target("crx"))
    tree = tw.grow(tables.table("crx"), target=tables.target("crx"))
    told = facts(tree)
    path = cost_complexity_path(tree)
    step = len(told["sizes"]["alpha"]) // 2
    smaller = path.tree_at(told["sizes"]["alpha"][step])
    (found,) = run(told, ("changes", {"rows": codes(tree, table), "step": step}))
    assert [one and one["cost"] for one in found] == pytest.approx(costs_by_python(smaller, table))


def test_the_next_number_above_is_that_of_python():
    values = [0.0, 1.0, -1.0, 2.5, 1e300, -1e-300, 5e-324, math.inf]
    told = facts(tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3"))
    (found,) = run(told, ("after", {"list": [str(v) if v != math.inf else "Infinity" for v in values]}))
    assert [float(text) for text in found] == [math.nextafter(v, math.inf) for v in values]


def test_filters_keep_leaves_and_what_is_above_them():
    tree = tw.grow(tables.table("crx"), target=tables.target("crx"))
    told = facts(tree)
    shares = tree.stats / tree.stats.sum(axis=1, keepdims=True)
    sure = shares[np.arange(tree.n_nodes), tree.label]
    jobs = [
        {"label": None, "rows": 10, "share": 0},
        {"label": 1, "rows": 0, "share": 0},
        {"label": 0, "rows": 3, "share": 0.95},
        {"label": None, "rows": 0, "share": 0},
    ]
    *found, none = run(told, *(("kept", {"filter": job}) for job in jobs))
    assert none is None
    for job, kept in zip(jobs, found, strict=False):
        leaves = [
            leaf
            for leaf in tree.leaf_ids.tolist()
            if tree.weights[leaf] >= job["rows"]
            and sure[leaf] >= job["share"]
            and job["label"] in (None, int(tree.label[leaf]))
        ]
        assert kept == sorted({int(node) for leaf in leaves for node in tree.path_to(leaf)})


def test_the_icicle_shares_width_by_rows():
    tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    (found,) = run(facts(tree), ("icicle", {"root": 0, "width": 1400}))
    widths = {box["node"]: box["width"] for box in found}
    assert widths == pytest.approx(
        {node: 100 * weight for node, weight in enumerate(tree.weights.tolist()) if weight > 0}
    )
    (found,) = run(facts(tree), ("icicle", {"root": 1, "width": 100}))
    assert found[0] == {"node": 1, "x": 0, "width": 100, "depth": 0}


def test_many_classes_are_the_top_three_and_others_as_in_the_pictures():
    draws = np.random.default_rng(0)
    lists = [
        draws.integers(0, 6, size=size).astype(float).tolist()
        for size in (2, 3, 8, 9, 12, 26)
        for _ in range(5)
    ]
    (found,) = run(facts(tw.grow(tw.example("tennis"), target="PlayTennis")), ("top", {"list": lists}))
    assert [[tuple(pair) for pair in one] for one in found] == [top_classes(np.array(w)) for w in lists]
