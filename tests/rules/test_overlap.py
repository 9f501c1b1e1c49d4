"""Where rules overlap, counted again by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import treewright as tw
from tests.rules.samples import grown, mixed_table
from treewright.rules.match import match
from treewright.table import align


@pytest.mark.parametrize("how", ["c45rules", "voting"])
def test_against_plain_counting(how: str) -> None:
    rows = mixed_table(n_rows=300).drop("score")
    tree = tw.grow(rows, target="label", recipe="c4.5", prune="none")
    rules = getattr(tw.rules, how)(tree, rows)
    found = tw.rules.overlap(rules, rows)
    matches = match(rules.rules, rules.schema, align(rows, rules.schema.columns), rows.n_rows)
    sets = [set(matches.rule[matches.row == row].tolist()) for row in range(rows.n_rows)]
    truth, said = rows.labels("label"), rules.predict(rows)
    for count in found.counts:
        mine = [row for row in range(rows.n_rows) if len(sets[row]) == count.n_rules]
        assert count.n_rows == len(mine)
        assert count.share == pytest.approx(len(mine) / 300)
        assert count.errors == sum(truth[row] != said[row] for row in mine)
        assert count.n_conflicting == sum(len({rules[r].prediction for r in sets[row]}) > 1 for row in mine)
    assert sum(count.n_rows for count in found.counts) == 300
    expected = {}
    for a, b in combinations(range(len(rules)), 2):
        both = [row for row in range(300) if {a, b} <= sets[row]]
        if both and rules[a].prediction != rules[b].prediction:
            right = tuple(sum(truth[row] == rules[r].prediction for row in both) for r in (a, b))
            expected[a + 1, b + 1] = (len(both), *right)
    assert {(c.rule, c.other): (c.n_rows, c.right, c.other_right) for c in found.conflicts} == expected
    assert [c.n_rows for c in found.conflicts] == sorted((n for n, *_ in expected.values()), reverse=True)
    assert found.n_default_only == sum(not mine for mine in sets)
    decider = rules.decide(rows).rule
    for use in found.uses[:-1]:
        assert use.n_matched == sum(use.rule - 1 in mine for mine in sets)
        assert use.n_decided == np.sum(decider == use.rule - 1)
    assert sum(use.n_decided for use in found.uses) == 300
    assert sum(use.errors or 0 for use in found.uses) == np.sum(truth != said)


def test_without_answers() -> None:
    golf = tw.example("tennis")
    rules = tw.rules.c45rules(tw.grow(golf, target="PlayTennis", recipe="c4.5", prune="none"), golf)
    found = tw.rules.overlap(rules, golf.drop("PlayTennis"))
    assert [count.errors for count in found.counts] == [None, None]
    assert "errors" not in str(found)
    assert found.conflicts[0].right is None


def test_frames_and_text() -> None:
    rows = mixed_table(n_rows=300).drop("score")
    rules = tw.rules.voting(tw.grow(rows, target="label", recipe="c4.5", prune="none"), rows)
    found = tw.rules.overlap(rules, rows)
    assert found.to_frame("counts", "pandas")["n_rows"].sum() == 300
    assert len(found.to_frame("conflicts", "polars")) == len(found.conflicts)
    assert found.to_frame("uses", "pyarrow").num_rows == len(rules) + 1
    assert f"... {len(found.conflicts) - 10} more" in str(found)
    with pytest.raises(ValueError, match="part='rules' is not one of"):
        found.to_frame("rules")


def test_rules_of_a_tree_exclude_each_other() -> None:
    tree = grown("classes", missing="learned")
    found = tw.rules.overlap(tree.rules(), mixed_table())
    assert [(count.n_rules, count.n_rows) for count in found.counts] == [(1, 400)]
    assert found.conflicts == ()
    assert "No rules contradict each other." in str(found)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="for the number 'score'"):
        tw.rules.overlap(grown("numbers", max_depth=1).rules(), mixed_table())
    with pytest.raises(TypeError, match=r"takes a treewright\.Table"):
        tw.rules.overlap(grown("classes", max_depth=1).rules(), 17)
