"""Tests on several columns: judged as any other test, paid for, and the same whatever the order of rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.grow.test_invariance import with_target
from tests.oracle import sums as blackboard
from tests.oracle.strategies import Problem, problems
from tests.rules.samples import mixed_table
from tests.tables import table, target
from treewright.growth.projected.judge import Judge
from treewright.growth.projected.likely import likeliest
from treewright.growth.question import question_of
from treewright.growth.settings import Settings
from treewright.linear.climb import newton
from treewright.linear.loss import TwoClasses
from treewright.table import Kind, Rows
from treewright.tree.check import SUM
from treewright.tree.fields import FIELDS

QUIET = settings(max_examples=at_most(12, 80), deadline=None, suppress_health_check=list(HealthCheck))
SEARCHES = ("fitted", "random", "coordinate", "separator", "perceptron", "margin", "all")


def same(one: Any, other: Any) -> None:
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def board(n: int, cells: int, degrees: float = 30.0, seed: int = 0) -> tw.Table:
    """Return a checkerboard, turned."""
    points = np.random.default_rng(seed).uniform(0, cells, (n, 2))
    colour = np.floor(points).sum(axis=1) % 2
    turn = np.deg2rad(degrees)
    x = points @ np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return tw.Table.from_dict(
        {"x1": x[:, 0], "x2": x[:, 1], "y": np.where(colour > 0, "black", "white").tolist()}
    )


def stripe(n: int = 200, seed: int = 1) -> tw.Table:
    """Return rows of two classes with the plane 2 a + b = 1 between them, beside a column of noise."""
    x = np.random.default_rng(seed).uniform(0, 1, (n, 3))
    y = np.where(2 * x[:, 0] + x[:, 1] <= 1, "low", "high")
    return tw.Table.from_dict({"a": x[:, 0], "b": x[:, 1], "noise": x[:, 2], "y": y.tolist()})


# ---- judged like any other test --------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["learned", "own_branch", "surrogate", "most_common", "drop"])
def test_where_no_sum_can_win_the_tree_is_the_binary_one(missing: str):
    @QUIET
    @given(problems(weights=("ones", "integers", "eighths")))
    def run(problem: Problem) -> None:
        whole = with_target(problem)
        more = {"weights": problem.weights, "missing": missing}
        try:
            binary = tw.grow(whole, "y", **more)
        except ValueError:
            return  # no row without a gap
        same(tw.grow(whole, "y", splits="linear", prune="none", linear_penalty=1.0, **more), binary)

    run()


@QUIET
@given(
    problems(kinds=("numeric",), gaps=False, extremes=False, weights=("ones", "integers", "eighths")),
    st.data(),
)
def test_the_core_judges_sums_as_the_blackboard_does(problem: Problem, data: st.DataObject):
    whole = with_target(problem)
    rows = Rows.of(whole, "y", problem.weights)
    chosen = Settings.of("plain", splits="linear")
    if not rows.is_classifier and len(set(rows.answers.tolist())) == 1:
        return
    question = question_of(rows, chosen)
    judge = Judge(question, rows.columns, chosen)
    n = rows.n_rows
    weights = [Fraction(int(u)) for u in judge.units]
    y = [
        Fraction(int(t), 1 if question.is_classifier else 2**60) for t in judge.target
    ]  # as the core has them
    columns = [cells.tolist() for cells in judge.cells]
    sums = []
    for _ in range(3):
        drawn = data.draw(
            st.lists(st.sampled_from([1.0, -1.0, 0.5, 2.0]), min_size=len(columns), max_size=len(columns))
        )
        sums.append(blackboard.sum_of(columns, drawn))
    found = judge.worth(np.arange(n), judge.units, [np.array(s) for s in sums])
    for k, values in enumerate(sums):
        best = blackboard.best_gain(values, y, weights, question.is_classifier)
        if best is None or len(set(y)) == 1:
            assert not np.isfinite(found.score[k])
            continue
        assert float(found.gain[k]) == pytest.approx(float(best), abs=1e-12)
        left = [v <= found.cut[k] for v in values]
        again = blackboard.gain(left, y, weights, question.is_classifier)
        assert float(again) == pytest.approx(float(best), abs=1e-12)


def test_the_chosen_sum_is_worth_its_columns():
    for whole, goal in (
        (stripe(), "y"),
        (table("iris"), target("iris")),
        (table("kyphosis"), target("kyphosis")),
    ):
        tree = tw.grow(whole, goal, splits="linear", prune="none")
        features = whole.drop(goal)
        answers = whole.column(goal)[1].tolist()
        rows_of = {0: list(range(whole.n_rows))}
        for node in range(tree.n_nodes):
            rows = rows_of[node]
            if tree.is_leaf(node):
                continue
            part = whole.take(rows)
            went = _branches(tree, node, features, rows)
            for branch, child in enumerate(tree.children(node)):
                rows_of[child] = [r for r, b in zip(rows, went, strict=True) if b == branch]
            y = [answers[r] for r in rows]
            gain = blackboard.gain([b == 0 for b in went], y, [Fraction(1)] * len(y), True)
            assert float(tree.gain[node]) == pytest.approx(float(gain), abs=1e-12)
            axis = tw.grow(part, goal, max_depth=1)
            if tree.kind[node] == SUM and axis.n_leaves > 1:
                n_more = int(np.diff(tree.term_start)[node]) - 1
                paid = float(gain) * (1 - n_more * 0.1 * (1 + 100 / len(rows)))
                assert paid > float(axis.gain[0])


def _branches(tree: Any, node: int, features: tw.Table, rows: list[int]) -> list[int]:
    """Return the branch each row takes at a node, one row at a time."""
    from tests.oracle.reading import test_at
    from tests.predict.plainly import answer

    test = test_at(tree, node)
    cells = [values[rows] for values in features.values]
    found = [answer(tree, test, [column[i] for column in cells]) for i in range(len(rows))]
    return [b if b >= 0 else int(tree.missing[node]) for b in found]


# ---- what it finds ---------------------------------------------------------------------------------


@pytest.mark.parametrize("search", SEARCHES)
def test_a_plane_is_found(search: str):
    tree = tw.grow(stripe(), "y", splits="linear", prune="none", linear_search=search, linear_tries=60)
    if search == "random":
        assert tree.n_leaves < tw.grow(stripe(), "y").n_leaves
        return
    assert tree.n_leaves <= (3 if search == "coordinate" else 2)
    assert tree.schema.names[tree.column[0]] == "a"
    assert tree.term_column.tolist()[:2] == [0, 1]
    ratio = tree.term_weight[1] / tree.term_weight[0]
    assert ratio == pytest.approx(0.5, abs=0.11)


def test_a_plane_in_words():
    text = tw.grow(stripe(), "y", splits="linear", prune="none").to_text().splitlines()
    assert text == ["a + 0.57 b", "├─ <= 0.529 → low  (53 rows)", "└─ > 0.529 → high  (147 rows)"]


@pytest.mark.parametrize("cells", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_turned_checkerboard_takes_less_than_a_third_of_the_leaves(cells: int):
    whole = board(1500 if cells == 3 else 600, cells)
    alone = tw.grow(whole, "y")
    tree = tw.grow(whole, "y", splits="linear", prune="none", lookahead=2)
    assert (tree.predict(whole) == whole.labels("y")).all()
    assert 3 * tree.n_leaves < alone.n_leaves


def test_a_sum_for_numbers():
    x = np.random.default_rng(0).uniform(0, 1, (300, 2))
    whole = tw.Table.from_dict({"a": x[:, 0], "b": x[:, 1], "y": np.where(x[:, 0] + x[:, 1] <= 1, 1.0, 5.0)})
    tree = tw.grow(whole, "y", splits="linear", prune="none")
    assert tree.n_leaves == 2
    assert tree.kind[0] == SUM
    np.testing.assert_allclose(tree.predict(whole), whole.column("y")[1])


def test_a_sum_over_ranks_and_truths():
    rng = np.random.default_rng(0)
    size, wet = rng.integers(0, 5, 400), rng.integers(0, 2, 400)
    sizes = tw.Column("size", Kind.ordinal, ("XS", "S", "M", "L", "XL"))
    schema = tw.Schema((sizes, tw.Column("wet", Kind.boolean), tw.Column("y", Kind.nominal, ("a", "b"))))
    y = (size + 2 * wet > 3).astype(np.int32)
    whole = tw.Table(schema, (size.astype(np.int32), wet.astype(np.int32), y))
    tree = tw.grow(whole, "y", splits="linear", prune="none")
    assert tree.n_leaves == 2
    assert "rank(size)" in tree.to_text()
    assert "wet" in tree.to_text()


# ---- limits, gaps, order ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limit",
    [{"max_depth": 2}, {"min_leaf": 15}, {"max_leaves": 4}, {"min_gain": 0.05}, {"min_split": 50},
     {"min_leaf_share": 0.1}, {"majority_share": 0.8}, {"min_gain": 0.02, "gain_of": "table"},
     {"significance": 0.01}],
)  # fmt: skip
def test_limits_hold(limit: dict[str, Any]):
    whole = board(300, 3)
    tree = tw.grow(whole, "y", splits="linear", prune="none", **limit)
    inner = ~tree.leaf_mask
    assert tree.n_leaves > 1
    assert tree.n_leaves <= tw.grow(whole, "y", splits="linear", prune="none").n_leaves
    assert tree.depth <= limit.get("max_depth", 99)
    assert tree.n_leaves <= limit.get("max_leaves", 99)
    assert (tree.n_rows >= max(limit.get("min_leaf", 0), 300 * limit.get("min_leaf_share", 0))).all()
    assert (tree.n_rows[inner] >= limit.get("min_split", 0)).all()
    share = tree.n_rows[inner] / 300 if limit.get("gain_of") else 1.0
    assert (tree.gain[inner] * share >= limit.get("min_gain", 0) - 1e-12).all()


@pytest.mark.parametrize(
    "missing", ["learned", "own_branch", "surrogate", "most_common", "fractional", "drop"]
)
def test_gaps(missing: str):
    whole = stripe(300)
    values = [column.copy() for column in whole.values]
    holes = np.random.default_rng(0).random((2, 300)) < 0.1
    values[0][holes[0]], values[1][holes[1]] = np.nan, np.nan
    gappy = tw.Table(whole.schema, tuple(values))
    tree = tw.grow(gappy, "y", splits="linear", prune="none", missing=missing, min_leaf=5)
    assert tree.has_sums
    known = ~holes.any(axis=0)
    right = tree.predict(gappy) == gappy.labels("y")
    assert right[known].mean() > 0.95
    assert right.mean() > 0.85
    node = int(np.flatnonzero(tree.kind == SUM)[0])
    if missing == "own_branch" and tree.missing[node] == 2:
        assert tree.branch_counts[node] == 3
    if missing == "surrogate":
        assert tree.surrogate_start[node + 1] > tree.surrogate_start[node]
    # The stats that growth wrote are those of the rows that the walk sends there.
    if missing not in ("fractional", "drop"):
        at = np.bincount(tree.leaves(gappy), minlength=tree.n_nodes)[tree.leaf_ids]
        assert at.tolist() == tree.n_rows[tree.leaf_ids].tolist()


def test_a_refused_gap_names_the_column_that_has_it():
    tree = tw.grow(stripe(), "y", splits="linear", prune="none", missing="error")
    rows = tw.Table.from_dict({"a": [0.5], "b": [float("nan")], "noise": [0.5]})
    with pytest.raises(ValueError, match="Column 'b' is missing in row 0"):
        tree.predict(rows)


@settings(QUIET, max_examples=at_most(8, 60))
@given(problems(weights=("ones", "integers"), max_rows=40, extremes=False), st.randoms())
def test_row_order(problem: Problem, chance: Any):
    whole = with_target(problem)
    order = list(range(whole.n_rows))
    chance.shuffle(order)
    more = {"splits": "linear", "prune": "none", "linear_penalty": 0.01}
    first = tw.grow(whole, "y", weights=problem.weights, **more)
    same(first, tw.grow(whole.take(order), "y", weights=problem.weights[order], **more))


def test_row_order_column_order_threads_and_seed():
    whole = board(250, 3)
    more = {"splits": "linear", "prune": "none", "lookahead": 2, "max_depth": 2}
    first = tw.grow(whole, "y", **more)
    order = np.random.default_rng(5).permutation(250)
    same(first, tw.grow(whole.take(order), "y", **more))
    same(first, tw.grow(whole, "y", n_threads=3, **more))
    turned = tw.grow(whole.select(["x2", "y", "x1"]), "y", **more)
    assert (turned.predict(whole) == first.predict(whole)).mean() > 0.99
    assert tw.grow(whole, "y", seed=1, **more).n_leaves > 1


def test_weights_count_as_rows():
    whole = board(150, 2)
    weights = np.random.default_rng(0).integers(1, 4, 150)
    heavy = tw.grow(whole, "y", splits="linear", prune="none", weights=weights)
    often = tw.grow(whole.take(np.repeat(np.arange(150), weights)), "y", splits="linear", prune="none")
    assert (heavy.predict(whole) == often.predict(whole)).all()
    assert heavy.n_leaves == often.n_leaves


def test_attributes_and_penalty():
    x = np.random.default_rng(0).normal(size=(400, 6))
    y = np.where(x.sum(axis=1) > 0, "p", "q")
    whole = tw.Table.from_dict({f"c{i}": x[:, i] for i in range(6)} | {"y": y.tolist()})
    for most in (1, 2, 3, 6):
        tree = tw.grow(
            whole, "y", splits="linear", prune="none", linear_attributes=most, linear_penalty=0.0, max_depth=2
        )
        assert np.diff(tree.term_start).max() <= (most if most > 1 else 0)
    cheap = tw.grow(whole, "y", splits="linear", prune="none", linear_attributes=6, linear_penalty=0.0)
    dear = tw.grow(whole, "y", splits="linear", prune="none", linear_attributes=6, linear_penalty=0.4)
    assert len(cheap.term_column) / max(1, (cheap.kind == SUM).sum()) > len(dear.term_column) / max(
        1, (dear.kind == SUM).sum()
    )
    assert not tw.grow(whole, "y", splits="linear", prune="none", linear_penalty=1.0).has_sums


def test_priors_costs_and_criteria():
    whole = stripe()
    costs = {"low": {"low": 0, "high": 5}, "high": {"low": 1, "high": 0}}
    for more in ({"priors": {"low": 0.5, "high": 0.5}}, {"costs": costs}, {"class_weight": "balanced"},
                 {"criterion": "entropy"}, {"criterion": "gain_ratio"}, {"criterion": "error"},
                 {"criterion": _gini_from_outside}):  # fmt: skip
        tree = tw.grow(whole, "y", splits="linear", prune="none", **more)
        assert tree.has_sums
        assert (tree.predict(whole) == whole.labels("y")).all()


def _gini_from_outside(left: Any, right: Any) -> Any:
    def rest(side: Any) -> Any:
        total = side.sum(axis=1)
        return total - (side**2).sum(axis=1) / np.maximum(total, 1e-300)

    return -(rest(left) + rest(right)) / (left + right).sum(axis=1)


def test_the_ledger_tells_of_the_columns():
    tree = tw.grow(stripe(), "y", splits="linear", prune="none", ledger=True)
    assert {c["column"] for c in tree.candidates(0)} == {"a", "b", "noise"}
    assert tree.why_not("noise").startswith("noise scored lower than")


def test_the_ledger_leaves_out_a_sum_that_did_not_gain_enough():
    tree = tw.grow(stripe(), "y", splits="linear", prune="none", ledger=True, min_gain=0.6)
    assert tree.n_leaves == 1
    assert {c["column"] for c in tree.candidates(0)} == {"a", "b", "noise"}
    assert tree.why_not("noise").startswith("noise scored lower than a sum of columns: ")


def test_progress_and_about():
    heard: list[float] = []
    tree = tw.grow(stripe(), "y", splits="linear", prune="none", progress=heard.append)
    assert heard[-1] == 1.0
    assert heard == sorted(heard)
    assert tree.about["splits"] == "linear"
    assert tree.about["linear_attributes"] == 4


@pytest.mark.parametrize(
    ("given_settings", "words"),
    [
        ({"recipe": "c4.5"}, "does not go with cuts='c4.5'"),
        ({"recipe": "id3"}, "does not go with numeric='refuse'"),
        ({"discretise": "mdlp"}, "does not go with discretise='mdlp'"),
        ({"missing": "most_common_overall"}, "most_common_overall"),
        ({"linear_lookahead": 3}, "must be 1 or 2"),
        ({"lookahead": 3}, "one level below"),
        ({"lookahead": "polish"}, "one level below"),
        ({"lookahead": 2, "missing": "surrogate"}, "lookahead=2"),
        ({"linear_search": "fited"}, "did you mean 'fitted'"),
        ({"linear_attributes": 0}, "linear_attributes=0"),
    ],
)
def test_settings_that_do_not_go_together(given_settings: dict[str, Any], words: str):
    recipe = given_settings.pop("recipe", "plain")
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        tw.grow(stripe(), "y", recipe, splits="linear", **given_settings)


def test_odd_tables():
    one = tw.Table.from_dict({"a": [1.0, 1.0], "b": [2.0, 2.0], "y": ["p", "q"]})
    assert tw.grow(one, "y", splits="linear", prune="none").n_leaves == 1
    words = tw.Table.from_dict({"w": ["u", "v", "u", "v"], "y": ["p", "q", "p", "q"]})
    same(tw.grow(words, "y", splits="linear", prune="none"), tw.grow(words, "y"))
    huge = tw.Table.from_dict({"a": [1e300, -1e300, np.inf, 0.0] * 5, "b": [5e-324, 1.0, 2.0, -np.inf] * 5,
                               "y": ["p", "q", "p", "q"] * 5})  # fmt: skip
    tree = tw.grow(huge, "y", splits="linear", prune="none", linear_penalty=0.0)
    assert (tree.predict(huge) == huge.labels("y")).all()


def test_pruning_works_on_sums():
    whole = board(400, 3)
    fresh = board(300, 3, seed=9)
    tree = tw.grow(whole, "y", splits="linear", prune="none")
    ways = (
        tw.prune.reduced_error(tree, fresh), tw.prune.cost_complexity(tree, 0.01), tw.prune.pessimistic(tree),
        tw.prune.error_based(tree, whole), tw.prune.mdl(tree, whole), tw.prune.mdl(tree, code="sliq"),
        tw.prune.mdl(tree, code="quinlan_rivest"), tw.prune.minimum_error(tree),
        tw.prune.critical_value(tree, 0.05),
        tw.prune.regularised(tree, 3.0), tw.prune.merge(tree), tw.prune.error_complexity(tree, fresh, 0.01),
    )  # fmt: skip
    for pruned in ways:
        assert pruned.n_leaves <= tree.n_leaves
        assert len(pruned.predict(fresh)) == 300
    assert "cost_complexity" in str(tw.prune.compare(tree, whole, validation=fresh))
    # Each further column is more to tell: description length prefers a cut of one column.
    dear = tw.prune.mdl(tree, whole)
    assert dear.n_leaves <= tw.prune.cost_complexity(tree, 0.0).n_leaves


# ---- real tables -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["iris", "kyphosis", "labor", "stagec"])
def test_not_worse_than_single_columns_on_real_tables(name: str):
    whole, goal = table(name), target(name)
    more = {"folds": 5, "min_leaf": 5}
    alone = tw.evaluate.cross_validate(whole, goal, "plain", **more)
    both = tw.evaluate.cross_validate(whole, goal, "plain", splits="linear", prune="none", **more)
    a, b = (found.overall["accuracy"] for found in (alone, both))
    assert b.value >= a.value - a.standard_error


# ---- what is spared ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_likeliest_plane_is_where_the_patient_climb_ends(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 80, 1 + seed % 4
    x = np.column_stack([rng.normal(size=(n, k)), np.ones(n)])
    sign = np.where(x[:, 0] + rng.normal(size=n) * (seed > 2) > 0.3, 1.0, -1.0)  # some are separable
    weight, penalty = rng.uniform(0.2, 3, n), np.append(np.full(k, 0.01), 0.0)
    patient = newton(TwoClasses(x, sign, weight, penalty), np.zeros(k + 1), tolerance=1e-10)
    for start in (np.zeros(k + 1), rng.normal(size=k + 1)):
        found = likeliest(x, sign, weight, penalty, start)
        np.testing.assert_allclose(found, patient.theta, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio"])
@pytest.mark.parametrize("words", [{"splits": "linear", "linear_search": "fitted"}, {"splits": "m_of_n"}])
def test_no_tree_changes_by_what_is_not_searched(monkeypatch, criterion: str, words: dict[str, Any]) -> None:
    mixed = mixed_table(n_rows=100).drop("score")
    asked = {**words, "criterion": criterion, "missing": "fractional", "prune": "none"}
    spared = tw.grow(mixed, "label", **asked, priors=[0.7, 0.2, 0.1])
    monkeypatch.setattr(Judge, "may_beat", lambda *_: True)
    assert tw.grow(mixed, "label", **asked, priors=[0.7, 0.2, 0.1]) == spared


def test_numbers_are_spared_as_well(monkeypatch) -> None:
    mixed = mixed_table(n_rows=150).drop("label")
    asked = {"splits": "linear", "linear_search": "fitted", "prune": "none", "min_leaf": 3}
    n_asked = [0, 0]

    def counting(judge: Judge, alone: Any, units: Any) -> bool:
        found = may_beat(judge, alone, units)
        n_asked[found] += 1
        return found

    may_beat = Judge.may_beat
    with monkeypatch.context() as patch:
        patch.setattr(Judge, "may_beat", counting)
        spared = tw.grow(mixed, "score", **asked)
        patch.setattr(Judge, "may_beat", lambda *_: True)
        assert tw.grow(mixed, "score", **asked) == spared
    assert n_asked[0] > 5  # and it does spare nodes
    assert n_asked[1] > 5
