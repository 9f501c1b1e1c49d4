"""One tree asked with several policies for gaps: each as its twin, and as a tree that was grown with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.oracle import schools as twin
from treewright.evaluate import gaps
from treewright.route import gap_counts
from treewright.tree.schools import schools_of

QUIET = settings(max_examples=at_most(15, 40), deadline=None)


def table(n: int = 200, seed: int = 0, missing: float = 0.2) -> tw.Table:
    rng = np.random.default_rng(seed)
    x, z = rng.integers(0, 9, (2, n)).astype(float)
    k = rng.integers(0, 4, n)
    y = ((x > 4) ^ (rng.random(n) < 0.15)) | (k == 2)
    holes = rng.random((3, n)) < missing
    columns: dict[str, Any] = {
        "x": np.where(holes[0], np.nan, x),
        "z": np.where(holes[1], np.nan, (x + z) / 2),
        "k": [None if hole else f"k{i}" for hole, i in zip(holes[2], k, strict=True)],
        "y": np.where(y, "yes", "no"),
    }
    return tw.Table.from_dict(columns)


def plain_rows(tree: tw.Tree, data: tw.Table) -> list[tuple[Any, ...]]:
    columns = [data.column(column.name)[1].tolist() for column in tree.schema.columns]
    return list(zip(*columns, strict=True))


@QUIET
@given(seed=st.integers(0, 999), grown=st.sampled_from(["learned", "fractional", "surrogate", "drop"]))
def test_the_sides_of_gaps_are_those_of_the_blackboard(seed: int, grown: str) -> None:
    data = table(60, seed)
    tree = tw.grow(data, "y", missing=grown, schools="sides", max_depth=4)
    if tree.n_nodes == 1:
        return
    rows = plain_rows(tree, data)
    answers = data.column("y")[1].tolist()
    kept = np.ones(len(rows), dtype=bool)
    if grown == "drop":
        kept = np.array([not any(cell != cell or cell == -1 for cell in row) for row in rows])
    some = np.flatnonzero(kept).tolist()
    for school in ("learned", "most_common"):
        wanted = twin.sides(tree, [rows[i] for i in some], [answers[i] for i in some], school)
        for side, allowed in zip(tree.about["gap_sides"][school], wanted, strict=True):
            assert (side in allowed) if allowed else side == -1


@QUIET
@given(seed=st.integers(0, 999), school=st.sampled_from(["fractional", "learned", "most_common"]))
def test_rows_end_where_the_blackboard_says(seed: int, school: str) -> None:
    data = table(60, seed)
    tree = tw.grow(data, "y", "c4.5", schools="sides", prune="none")
    found = tree.predict_proba(data, missing=school)
    held = tree.stats / tree.stats.sum(axis=1, keepdims=True).clip(1e-300)
    for row, chances in zip(plain_rows(tree, data), found, strict=True):
        ends = twin.shares(tree, row, school)
        if all(tree.weights[end] > 0 for end in ends):
            assert chances == pytest.approx(sum(share * held[end] for end, share in ends.items()))


@pytest.mark.parametrize("school", ["fractional", "surrogate", "most_common", "learned"])
@pytest.mark.parametrize("grown", ["fractional", "surrogate", "most_common", "learned"])
def test_a_tree_without_gaps_in_training_is_what_the_school_itself_would_have_grown(
    school: str, grown: str
) -> None:
    whole, holes = table(300, 1, missing=0.0), table(200, 2)
    own = tw.grow(whole, "y", missing=school, max_depth=5)
    other = tw.grow(whole, "y", missing=grown, max_depth=5, schools="all")
    assert other.n_nodes == own.n_nodes
    # Where both sides weigh the same, a tree grown with surrogates stops the row.
    same = other.predict_proba(holes, missing=school) == own.predict_proba(holes)
    assert same.all() or (school == "surrogate" and (own.missing[own.kind > 0] < 0).any())


def test_the_own_policy_by_name_is_the_tree_itself() -> None:
    data = table()
    for policy in ("learned", "fractional", "surrogate", "own_branch", "most_common"):
        tree = tw.grow(data, "y", missing=policy)
        assert (tree.predict(data, missing=policy) == tree.predict(data)).all()
        assert (tree.leaves(data, missing=policy) == tree.leaves(data)).all()


def test_what_is_kept_survives_pruning_and_files(tmp_path: Path) -> None:
    data = table()
    tree = tw.grow(data, "y", schools="all")
    smaller = tree.prune("cost_complexity", alpha=0.01)
    assert 1 < smaller.n_nodes < tree.n_nodes
    again = tw.grow(data, "y", schools="all", prune=tw.prune.CostComplexity(alpha=0.01))
    for school in ("fractional", "learned", "surrogate", "most_common"):
        assert (
            smaller.predict_proba(data, missing=school) == again.predict_proba(data, missing=school)
        ).all()
    smaller.save(tmp_path / "m.treewright")
    loaded = tw.load(tmp_path / "m.treewright")
    assert loaded == smaller
    assert (loaded.predict(data, missing="surrogate") == smaller.predict(data, missing="surrogate")).all()


def test_what_a_tree_does_not_hold_is_refused_with_the_way_out() -> None:
    data = table()
    tree = tw.grow(data, "y", missing="fractional")
    assert schools_of(tree) == ("fractional", "error")
    for school, words in (
        ("learned", "schools='sides'"),
        ("surrogate", "schools='all'"),
        ("own_branch", "Only a tree grown with missing='own_branch'"),
        ("lerned", "did you mean 'learned'"),
    ):
        with pytest.raises(ValueError, match=words):
            tree.predict(data, missing=school)
    with pytest.raises(ValueError, match="missing in row"):
        tree.predict(data, missing="error")
    with pytest.raises(ValueError, match="two branches"):
        tw.grow(data, "y", splits="multiway", missing="fractional", schools="all")


def test_rows_are_counted_by_what_became_of_them() -> None:
    data = table()
    tree = tw.grow(data, "y", schools="all", max_depth=3)
    counted = {
        school: gap_counts(tree if school == "learned" else tree_under(tree, school), data)
        for school in ("learned", "fractional", "surrogate", "error")
    }
    met = {counts.met for counts in counted.values()}
    assert len(met) == 1
    n = met.pop()
    assert 0 < n < data.n_rows
    assert counted["learned"].by_branch == n
    assert counted["fractional"].divided <= n
    assert counted["surrogate"].by_surrogate + counted["surrogate"].by_branch == n
    assert counted["surrogate"].by_surrogate > 0
    assert counted["error"].refused == n
    dropped = tw.grow(data, "y", missing="drop", max_depth=2)
    assert gap_counts(dropped, data).stopped == gap_counts(dropped, data).met > 0


def tree_under(tree: tw.Tree, school: str) -> tw.Tree:
    from treewright.tree.schools import with_policy

    return with_policy(tree, school)


def test_the_table_of_schools() -> None:
    train, test = table(seed=3), table(seed=4)
    tree = tw.grow(train, "y", schools="all")
    found = gaps(tree, test)
    assert [row.missing for row in found.rows] == ["learned", "fractional", "surrogate", "most_common"]
    for row in found.rows:
        wrong = tree.predict(test, missing=row.missing) != test.labels("y")
        assert row.score.value == pytest.approx(wrong.mean())
    assert "own_branch" in found.left_out
    assert gaps(tree, test, "fractional").rows[0].counts.divided > 0
    with pytest.raises(ValueError, match="own_branch"):
        gaps(tree, test, ["own_branch"])
    numbers = tw.Table.from_dict({"x": [1.0, 2, None, 4, 5, 6], "y": [1.0, 1, 2, 5, 5, 6]})
    assert gaps(tw.grow(numbers, "y"), numbers).measure == "rmse"


def test_explanations_and_reports_tell_what_became_of_rows_with_gaps() -> None:
    from treewright.report.facts import facts

    data = table()
    tree = tw.grow(data, "y", schools="all", max_depth=3)
    row = int(np.flatnonzero(np.isnan(data.column(tree.schema.names[int(tree.column[0])])[1]))[0])
    told = tree.explain(row, data)
    assert told.gaps == gap_counts(tree, data)
    assert f"In the table: {told.gaps}" in str(told)
    assert told.to_dict()["gaps"]["met"] == told.gaps.met
    divided = tree.explain(row, data, missing="fractional")
    assert divided.gaps is not None
    assert divided.gaps.divided > 0
    assert len(divided.parts) > 1
    found = facts(tree, data)
    assert found["gaps"]["met"] == told.gaps.met
    assert str(told.gaps) in found["sentences"]


def test_a_tree_that_met_no_gap_knows_the_learned_side_without_being_asked() -> None:
    whole, holes = table(300, 1, missing=0.0), table(200, 2)
    kept = tw.grow(whole, "y", "cart", schools="sides")
    bare = tw.grow(whole, "y", "cart")
    assert np.array_equal(
        bare.predict_proba(holes, missing="learned"), kept.predict_proba(holes, missing="learned")
    )
    assert "learned" in schools_of(bare)
    met = tw.grow(table(300, 1), "y", "cart")
    with pytest.raises(ValueError, match=r"Grow it with schools='sides'"):
        met.predict(holes, missing="learned")


def test_surrogates_for_tests_of_many_branches_are_refused_before_growing() -> None:
    with pytest.raises(ValueError, match=r"schools='all' keeps surrogates.*Use schools='sides'"):
        tw.grow(table(), "y", "c4.5", schools="all")
    model = tw.fit(table(), "y", schools="all")
    assert model.tree.about["recipe"] == "cart"
    assert any("schools='sides'" in reason for reason in model.rivals.left_out)
