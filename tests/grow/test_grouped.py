"""Groups of categories: as on the blackboard, told and used as any other test."""

from __future__ import annotations

import random

import pytest

import treewright as tw
from tests.oracle.grouping import grouped, worth
from tests.tables import table, target

ALONE = {"splits": "grouped", "prune": "none", "max_depth": 1, "collapse": 1e-9}


@pytest.mark.parametrize("has_gaps", [False, True])
def test_groups_are_those_of_the_blackboard(has_gaps: bool):
    n_tests = 0
    for seed in range(60):
        draw = random.Random(seed)
        names = "abcdefg"[: draw.randrange(3, 8)]
        values = [draw.choice(names) for _ in range(40)]
        answers = [draw.choice("pq" if v in names[:2] else "pqqr") for v in values]
        values = [None if has_gaps and draw.random() < 0.15 else v for v in values]
        tree = tw.grow(tw.Table.from_dict({"x": values, "y": answers}), "y", "c4.5", **ALONE)
        if tree.n_leaves == 1:
            continue
        n_tests += 1
        words = tree.schema.columns[0].categories
        found: dict[int, set[str]] = {}
        for code, branch in zip(tree.code.tolist(), tree.code_branch.tolist(), strict=True):
            found.setdefault(branch, set()).add(words[code])
        expected = grouped(values, answers, 2)
        ours = [group for group in found.values() if group & set(values)]
        # ties may be settled otherwise: what must agree is the ratio
        assert worth(ours, values, answers)[1] == pytest.approx(worth(expected, values, answers)[1], abs=1e-9)
        assert float(tree.gain[0]) == pytest.approx(worth(ours, values, answers)[0], abs=1e-9)
    assert n_tests > 30


def test_a_tree_of_groups_is_kept_told_and_explained(tmp_path):
    rows, goal = table("monk1"), target("monk1")
    tree = tw.grow(rows, goal, "c4.5", splits="grouped")
    tree.save(tmp_path / "groups.treewright")
    assert tw.load(tmp_path / "groups.treewright") == tree
    assert " in {" in tree.to_text()
    assert tree.explain(0, rows).prediction == tree.predict(rows)[0]
    assert (tree.rules().predict(rows) == tree.predict(rows)).all()
    assert tree.about["splits"] == "grouped"
    order = list(range(rows.n_rows))[::-1]
    assert tw.grow(rows.take(order), goal, "c4.5", splits="grouped") == tree


def test_a_column_is_asked_again_and_impossible_branches_go():
    rows, goal = table("monk1"), target("monk1")
    grown = tw.grow(rows, goal, "c4.5", splits="grouped", prune="none")
    tree = tw.grow(rows, goal, "c4.5", splits="grouped")
    assert any(
        grown.column[node] == grown.column[above]
        for node in range(grown.n_nodes)
        for above in grown.path_to(node)[:-1]
        if grown.column[node] >= 0
    )
    empty = [node for node in tree.leaf_ids if tree.weights[node] == 0]
    for node in empty:  # an empty leaf that is left may still be met
        path = tree.path_to(node)
        above = [n for n in path[:-1] if tree.column[n] == tree.column[path[-2]]]
        assert len(above) == 1
