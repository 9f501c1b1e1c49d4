"""What an explanation says: the sentence, how sure, and what became of gaps under every policy."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import treewright as tw
from tests import tables
from tests.level import PRIMARIES, level_rows, level_tree
from treewright.explain import explain_rules, explain_votes
from treewright.measure.wilson import wilson_interval
from treewright.predict import route_table

GAPS = tw.Table.from_dict(
    {
        "x": [1, 2, 3, 4, 5, 6, None, None],
        "colour": ["red", "red", "red", "red", "blue", "blue", "blue", "red"],
        "y": ["a", "a", "a", "b", "b", "b", "b", "b"],
    }
)


def grown(**settings):
    return tw.grow(GAPS, target="y", max_depth=1, **settings)


# What each policy does with a missing x is worked out in docs/missing.md.
WORDS = {
    "learned": "x is missing: it took the branch that training found best for gaps (x > 3.5 or missing).",
    "fractional": "x is missing: the row was divided as the training rows were, "
    "50 % along <= 3.5, 50 % along > 3.5.",
    "surrogate": "x is missing: colour = red stood in (x <= 3.5), "
    "which agrees on 83.3 % of the training rows.",
    "own_branch": "x is missing: it took the branch that gaps have of their own (x is missing).",
    "most_common": "x is missing: it counts as the most common value there (x > 2.5 or missing).",
    "most_common_overall": "x is missing: it counts as the most common value of all rows "
    "(x > 2.5 or missing).",
    "drop": "x is missing: the row stopped there, and the answer is that of all rows that came there.",
}


@pytest.mark.parametrize("policy", WORDS)
def test_what_happened_to_a_gap_is_said(policy):
    tree = grown(missing=policy)
    found = tree.explain({"x": None, "colour": "red"})
    assert [detour.words for detour in found.detours] == [WORDS[policy]]
    assert found.detours[0].policy == f"missing={policy!r}"
    assert WORDS[policy] in found.to_text()
    row = tw.Table.from_dict({"x": [None], "colour": ["red"]}, kinds={"x": "numeric"})
    assert found.prediction == tree.predict(row)[0]


def test_a_gap_that_is_refused_is_refused():
    tree = tw.grow(GAPS.take(range(6)), target="y", missing="error")
    with pytest.raises(
        ValueError, match="Column 'x' is missing in row 0, and the tree was grown with missing='error'"
    ):
        tree.explain({"x": None})


def test_no_stand_in_has_a_value():
    # The left side weighs more: with equal sides the row would stop (ruling 3.14.5, the test below).
    found = grown(missing="surrogate", weights=[2, 1, 1, 1, 1, 1, 1, 1]).explain({"x": None, "colour": None})
    assert found.detours[0].words == (
        "x is missing: no stand-in had a value to answer with, "
        "so it went with most of the training rows (x <= 3.5)."
    )


@pytest.mark.parametrize("primary", PRIMARIES)
def test_no_stand_in_has_a_value_and_both_sides_weigh_the_same(primary):
    found = level_tree(primary).explain({"x": None, "z": None, "colour": None})
    (detour,) = found.detours
    assert detour.way == "stop"
    assert detour.words == (
        f"{primary} is missing: no stand-in had a value to answer with and both branches weigh the same, so "
        "the row stopped there, and the answer is that of all rows that came there."
    )
    assert found.certainty.shares == (0.5, 0.5)
    alone = level_tree(primary, max_surrogates=0).explain({"x": None, "z": None, "colour": None})
    assert "there is no stand-in and both branches weigh the same" in alone.detours[0].words


@pytest.mark.parametrize("primary", PRIMARIES)
def test_every_row_is_explained_where_it_ends(primary):
    tree, rows = level_tree(primary), level_rows()
    node = route_table(tree, rows).node
    for row in range(rows.n_rows):
        assert tree.explain(row, rows).certainty.n_rows == tree.n_rows[node[row]]
        assert tree.explain(row, rows).prediction == tree.node(int(node[row])).prediction


def test_training_had_no_gap():
    tree = tw.grow(GAPS.take([0, 1, 3, 4, 5]), target="y")
    found = tree.explain({"x": None})
    assert found.detours[0].words == (
        "x is missing: training had no gap there, so it went with most of the training rows (x > 3)."
    )


PLANS = tw.Table.from_dict(
    {"plan": ["free", "free", "free", "paid", "paid"], "stays": ["no", "no", "no", "yes", "yes"]}
)
UNSEEN = {
    "most_common": "it went with most of the training rows (plan = free).",
    "fractional": "the row was divided as the training rows were, 60 % along = free, 40 % along = paid.",
    "stop_here": "the row stopped there, and the answer is that of all rows that came there.",
    "missing": "training had no gap there, so it went with most of the training rows (plan = free).",
}


@pytest.mark.parametrize("policy", UNSEEN)
def test_what_happened_to_an_unseen_category_is_said(policy):
    tree = tw.grow(PLANS, target="stays", unseen=policy)
    found = tree.explain({"plan": "gold"})
    assert found.detours[0].words == f"plan is gold, which training never had: {UNSEEN[policy]}"
    assert found.detours[0].found == "unseen"
    assert found.row == {"plan": "gold"}
    assert found.alternatives[0].to_text() == "plan from gold to paid"


def test_a_category_that_only_this_node_has_not_met():
    table = tw.Table.from_dict({"a": list("uuuuvvv"), "c": list("ppqqpqr"), "y": list("1122333")})
    tree = tw.grow(table, target="y", unseen="stop_here")
    found = tree.explain({"a": "u", "c": "r"})
    assert str(found).startswith("y is 1 because a = u and c = r.")
    assert [(detour.found, detour.words) for detour in found.detours] == [
        (
            "unknown here",
            f"c is r, which no training row that came there had: {UNSEEN['stop_here']}",
        )
    ]


def test_a_divided_row_tells_its_parts():
    tree = grown(missing="fractional")
    found = tree.explain({"x": None, "colour": "red"})
    assert found.parts == ((1, 0.5), (2, 0.5))
    assert found.certainty.shares == (0.375, 0.625)  # as in docs/missing.md
    assert found.certainty.share == 0.625
    assert "50 % at node 1: a\n  50 % at node 2: b" in found.to_text()
    assert found.to_text().startswith("y is b: no test was answered")


def test_conditions_on_one_column_are_merged():
    table = tw.Table.from_dict({"x": range(8), "y": list("abbbbcca")})
    tree = tw.grow(table, target="y")
    found = tree.explain({"x": 5})
    assert len(found.steps) > len(found.conditions) == 1
    assert str(found).startswith("y is c because 4.5 < x <= 6.5.")


def test_names_that_could_be_misread_are_quoted():
    table = tw.Table.from_dict({"a, b": ["x", "y -> z"], "t": ["1", "2"]})
    found = tw.grow(table, target="t").explain({"a, b": "y -> z"})
    assert str(found).startswith("t is 2 because 'a, b' = 'y -> z'.")
    assert "'a, b' from 'y -> z' to x: 1" in str(found)


def test_ordinal_columns_are_told_by_their_order():
    sizes = ["S", "M", "L", "XL"]
    table = tw.Table.from_dict(
        {"size": sizes * 3, "y": ["low", "low", "high", "high"] * 3}, ordinal={"size": sizes}
    )
    tree = tw.grow(table, target="y")
    found = tree.explain({"size": "M"})
    assert str(found).startswith("y is low because size <= M.")
    assert [(miss.change.to_text(), miss.prediction) for miss in found.near_misses] == [
        ("size from M to L", "high")
    ]
    assert found.alternatives[0].cost == pytest.approx(1 / 3)  # one step of three
    assert found.alternatives[0].to_text() == "size from M to L"
    far = tree.explain({"size": "S"})
    assert far.alternatives[0].cost == pytest.approx(2 / 3)
    assert tree.explain({"size": "S"}, costs={"size": 5}).alternatives[0].cost == 10


@pytest.mark.parametrize("recipe", ["plain", "id3"])
def test_numbers_cut_into_intervals_are_told_as_numbers(recipe):
    rng = np.random.default_rng(1)
    x = rng.uniform(0, 100, 200).round(1)
    table = tw.Table.from_dict({"degrees": x, "y": np.where((x > 54) & (x <= 85), "yes", "no")})
    tree = tw.grow(table, target="y", recipe=recipe, discretise="mdlp")
    edges = tree.schema.columns[0].edges
    found = tree.explain({"degrees": 40.0})
    assert found.row == {"degrees": 40}
    low, high = (repr(edge) for edge in edges)
    assert str(found).startswith(f"y is no because degrees <= {low}.")
    change = found.alternatives[0].changes[0]
    assert change.words == f"more than {low}, at most {high}"
    assert change.after == np.nextafter(edges[0], np.inf)
    assert change.cost == pytest.approx((edges[0] - 40) / (edges[1] - edges[0]))
    down = tree.explain({"degrees": 99.0}).alternatives[0].changes[0]
    assert (down.after, down.words) == (edges[1], f"{high} or less, more than {low}")
    assert tree.explain({"degrees": 40.0}, costs={"degrees": 2}).alternatives[0].cost == pytest.approx(
        2 * (edges[0] - 40)
    )
    named = tree.explain({"degrees": tree.schema.columns[0].categories[0]})
    assert named.prediction == "no"
    assert named.alternatives[0].prediction == "yes"


def test_how_sure_by_hand():
    table = tw.Table.from_dict({"x": [1, 1, 1, 1, 2, 2], "y": list("aaabbb")})
    found = tw.grow(table, target="y").explain({"x": 1})
    sure = found.certainty
    assert (sure.share, sure.n_rows, sure.weight) == (0.75, 4, 4)
    # (0.75 + z^2/8 -+ z sqrt(0.75 * 0.25 / 4 + z^2/64)) / (1 + z^2/4) with z = 1.96
    assert sure.interval == pytest.approx((0.300642, 0.954413), abs=1e-5)
    assert "How sure: 3 of 4 training rows there are a, 75 % (95 % interval 30.1 to 95.4 %)." in str(found)


def test_how_sure_of_a_number_by_hand():
    table = tw.Table.from_dict({"x": [1, 1, 1, 9, 9], "y": [2.0, 4.0, 6.0, 20.0, 20.0]})
    found = tw.grow(table, target="y", max_depth=1).explain({"x": 1})
    sure = found.certainty
    assert found.prediction == 4
    assert sure.spread == pytest.approx((8 / 3) ** 0.5)
    half = 4.302652729911275 * 2 / 3**0.5  # Student's t of 2 degrees; the sample's deviation is 2
    assert sure.interval == pytest.approx((4 - half, 4 + half))
    assert found.wanted is None
    assert found.alternatives == ()
    text = found.to_text(ascii=True)
    assert text.startswith(
        "y is 4 because x <= 5.\n\nHow sure: the mean of 3 training rows there, which spread by +/- 1.63"
    )
    wished = tw.grow(table, target="y", max_depth=1).explain({"x": 1}, wanted=(10, None))
    assert "Least change for at least 10:\n  1. x from 1 to 6 (+5): 20" in wished.to_text()


def test_an_empty_leaf_says_so():
    table = tw.Table.from_dict(
        {"c": ["p", "p", "q", "q"], "y": list("1122")}, categories={"c": ["p", "q", "never"]}
    )
    tree = tw.grow(table, target="y", recipe="id3")
    found = tree.explain({"c": "never"})
    assert "How sure: no training row came there; the answer is that of the node above." in str(found)
    assert found.certainty.interval is None


def test_weights_and_priors_are_shares():
    table = tw.Table.from_dict({"x": [1, 1, 1, 2], "y": list("aabb")})
    tree = tw.grow(table, target="y", priors={"a": 0.2, "b": 0.8})
    row = tw.Table.from_dict({"x": [1]})
    found = tree.explain({"x": 1})
    assert found.certainty.shares == pytest.approx(tree.predict_proba(row)[0].tolist())
    assert tree.explain({"x": 1}, probabilities="laplace").certainty.shares == pytest.approx(
        tree.predict_proba(row, "laplace")[0].tolist()
    )


def test_a_single_leaf():
    found = tw.grow(tw.Table.from_dict({"x": [1, 2], "y": list("aa")}), target="y").explain({})
    assert str(found).startswith("y is always a: the tree asks nothing, and most training rows are a.")
    assert "No change of the columns can do it." in str(found)


def test_plain_json_all_the_way():
    for name, recipe in (("hypothyroid", "c4.5"), ("iris", "cart"), ("vote", "plain")):
        table = tw.example(name)
        tree = tw.grow(table, target=tw.example_target(name), recipe=recipe)
        plain = tree.explain(3, table).to_dict()
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_soybean_with_19_classes():
    table, target = tables.table("soybean"), tables.target("soybean")
    tree = tw.grow(table, target=target, recipe="c4.5")
    said = tree.predict(table)
    for i in range(0, table.n_rows, 97):
        found = tree.explain(i, table)
        assert found.prediction == said[i]
        assert found.alternatives
        assert found.alternatives[0].prediction != said[i]


# ---- estimators, forests, rules -------------------------------------------------------------------


def test_estimators_take_frames_rows_and_numbers():
    table = tw.example("tennis")
    frame = pd.DataFrame(table.to_dict()).drop(columns="PlayTennis")
    model = tw.DecisionTreeClassifier(recipe="id3").fit(frame, table.labels("PlayTennis"))
    first = model.explain(0, frame)
    same = [
        frame.iloc[0],
        frame.iloc[[0]],
        frame.iloc[0].to_dict(),
        frame.iloc[0].tolist(),
        frame.iloc[0].to_numpy(),
    ]
    assert all(str(model.explain(row)) == str(first) for row in same)
    assert str(model.explain(0, pl.from_pandas(frame))) == str(first)
    assert str(model.explain(-14, frame)) == str(first)
    assert first.prediction == model.predict(frame)[0]


def test_estimators_of_arrays():
    X = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 1.0], [4.0, 1.0]])
    model = tw.DecisionTreeClassifier(probabilities="laplace").fit(X, [True, True, False, False])
    for row in (X[0], X[:1], list(X[0]), [list(X[0])], pd.Series(X[0])):
        assert model.explain(row).prediction == "True"
    assert model.explain(0, X).certainty.shares == pytest.approx((0.25, 0.75))
    assert model.explain(0, X, wanted=False).alternatives[0].prediction == "False"
    number = tw.DecisionTreeRegressor().fit(X, [1.0, 1.0, 2.0, 2.0])
    assert number.explain(X[3]).prediction == 2.0


def test_a_forest_tells_its_votes():
    table = tw.example("iris")
    target = tw.example_target("iris")
    forest = tw.forest.grow(table, target=target, n_trees=40, seed=3)
    found = explain_votes(forest, 100, table)
    assert found.votes == tuple(forest.votes(table)[100].tolist())
    assert found.shares == tuple(forest.predict_proba(table)[100].tolist())
    assert found.prediction == forest.predict(table)[100]
    assert found.disagreement == pytest.approx(tw.forest.disagreement(forest, table)[100])
    nodes = forest.leaves(table)[100]
    count = dict.fromkeys(forest.schema.names, 0)
    for i, node in enumerate(nodes.tolist()):
        tree = forest.tree(i)
        for column in {int(tree.column[n]) for n in tree.path_to(node)[:-1]}:
            count[forest.schema.names[column]] += 1
    assert dict(found.asked) == {name: n for name, n in count.items() if n}
    assert "A forest has no single way to an answer" in str(found)
    model = tw.RandomForestClassifier(40, random_state=3).fit(table.drop(target), table.labels(target))
    assert sum(model.explain(100, table).votes) == 40


def test_a_forest_of_numbers():
    rng = np.random.default_rng(0)
    table = tw.Table.from_dict({"x": rng.normal(size=80), "z": rng.normal(size=80), "y": rng.normal(size=80)})
    forest = tw.forest.grow(table, target="y", n_trees=30)
    found = explain_votes(forest, 7, table)
    assert found.prediction == pytest.approx(forest.predict(table)[7])
    assert found.disagreement == pytest.approx(tw.forest.disagreement(forest, table)[7])
    low, high = found.middle
    assert low < found.prediction < high
    assert "the mean of 30 trees" in found.to_text(ascii=True)


@pytest.mark.parametrize("method", ["leaves", "c45rules", "voting"])
def test_rules_tell_which_fired(method):
    table = tw.example("labor")
    target = tw.example_target("labor")
    tree = tw.grow(table, target=target, recipe="c4.5")
    make = {"leaves": lambda: tree.rules(), "c45rules": lambda: tw.rules.c45rules(tree, table)}
    rules = make.get(method, lambda: tw.rules.voting(tree, table))()
    said, decided = rules.predict(table), rules.decide(table).rule
    for i in range(0, table.n_rows, 5):
        found = explain_rules(rules, i, table)
        assert found.prediction == said[i]
        assert found.decider == (None if decided[i] < 0 else decided[i])
        assert found.decider is None or found.decider in dict(found.matching)
        assert str(found).startswith(f"{target} is {said[i]}")
    json.dumps(explain_rules(rules, 0, table).to_dict())


def test_wilson_stays_sane():
    assert wilson_interval(0.0, 5)[0] == 0
    assert wilson_interval(1.0, 5)[1] == 1
    low, high = wilson_interval(0.5, 100)
    assert low + high == pytest.approx(1)


def test_cuts_are_shown_as_in_the_listing_where_that_is_true_of_the_row():
    table = tw.Table.from_dict({"x": [7.8, 7.83, 9.0], "y": ["a", "b", "b"]})
    tree = tw.grow(table, "y")
    assert float(tree.cut[0]) == 7.8149999999999995
    assert "└─ > 7.81 →" in tree.to_text()
    assert str(tree.explain({"x": 9.0})).startswith("y is b because x > 7.81.\n")
    assert str(tree.explain({"x": 7.812})).startswith("y is a because x <= 7.8149999999999995.\n")
    assert "x from 9 to 7.81 or less (-1.185): a" in str(tree.explain({"x": 9.0}))
    assert "x from 7.8 to more than 7.815 (+0.015): b" in str(tree.explain({"x": 7.8}))


def test_a_tree_of_one_leaf_asks_nothing():
    tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "b"]}), "y", max_depth=0)
    said = "y is always b: the tree asks nothing, and most training rows are b."
    assert str(tree.explain({"x": 1})).startswith(said)


def test_moves_have_no_power_of_ten():
    tree = tw.grow(tw.Table.from_dict({"x": [0, 3_000_000], "y": ["a", "b"]}), "y")
    assert "(+1500001)" in str(tree.explain({"x": 0}))
