"""The least change, judged by brute force over the grid of all that a row can become."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.oracle import counterfactual as oracle
from tests.oracle.strategies import problems, to_treewright
from treewright.explain.cell import Cells, walked
from treewright.explain.prices import axes_of
from treewright.explain.row import row_of
from treewright.growth.grower import grow_rows
from treewright.growth.settings import Settings
from treewright.predict import route_table
from treewright.table import Column, Kind, Rows

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

MISSING = ["learned", "fractional", "surrogate", "own_branch", "most_common", "most_common_overall", "drop"]
UNSEEN = ["most_common", "fractional", "stop_here", "missing", "error"]


@st.composite
def cases(draw, **words):
    """A small tree of any sort and a row for it: with gaps, and categories that no training row had."""
    problem = draw(problems(max_columns=3, **words))
    table = to_treewright(problem)
    policy = {"missing": draw(st.sampled_from(MISSING)), "unseen": draw(st.sampled_from(UNSEEN))}
    if policy["missing"] != "surrogate":
        policy["splits"] = draw(st.sampled_from(["binary", "multiway", "one_vs_rest"]))
    target = Column("y", Kind(problem.target.kind), problem.target.categories)
    try:
        tree = grow_rows(
            Rows(table.schema, table.values, target, problem.y, problem.weights), Settings(**policy)
        )
    except ValueError:
        assume(False)
    cells = table.take([draw(st.integers(0, table.n_rows - 1))]).to_dict()
    row = {name: cell[0] for name, cell in cells.items()}
    for column in table.schema.columns:
        odd = draw(st.sampled_from(["", "", "", "gap", "new"]))
        if odd == "gap":
            row[column.name] = None
        elif odd == "new" and column.kind is Kind.nominal:
            row[column.name] = "new"
        elif odd == "new" and column.is_numeric:
            row[column.name] = draw(st.sampled_from([-7.0, 0.3, 2.5, 40.0]))
    row = {name: str(cell) if isinstance(cell, bool) else cell for name, cell in row.items()}
    assume(oracle.answers(tree, [row])[0] is not None)
    return tree, row


def judged(tree, row, is_wanted, fixed=(), costs=None, **words):
    found = tree.explain(row, fixed=fixed, costs=costs, whole=[], **words)
    asked = {tree.schema.names[place] for place in tree.used_columns}
    own = {name: cell for name, cell in row.items() if name in asked}
    best = oracle.least(tree, own, is_wanted, fixed=tuple(fixed), costs=costs or {})
    if best is None:
        assert found.alternatives == ()
    else:
        assert found.alternatives[0].cost == pytest.approx(best, rel=1e-12, abs=1e-300)
    assert found.is_proven
    for alternative in found.alternatives:
        changed = {**own, **{change.column: change.after for change in alternative.changes}}
        assert oracle.answers(tree, [changed]) == [alternative.prediction]
        assert is_wanted(alternative.prediction)
        assert not {change.column for change in alternative.changes} & set(fixed)
        assert oracle.cost(tree, own, changed, costs or {}) == pytest.approx(alternative.cost, rel=1e-12)
    prices = [alternative.cost for alternative in found.alternatives]
    assert prices == sorted(prices)
    return found


@settings(max_examples=at_most(100, 250), deadline=None)
@given(case=cases(task="classes"), data=st.data())
def test_no_change_is_cheaper(case, data):
    tree, row = case
    said = oracle.answers(tree, [row])[0]
    fixed = data.draw(st.lists(st.sampled_from(tree.schema.names), unique=True, max_size=1))
    wanted = data.draw(st.sampled_from([None, *tree.classes]))
    takes = (lambda answer: answer != said) if wanted is None else (lambda answer: answer == wanted)
    found = judged(tree, row, takes, fixed, wanted=wanted)
    assert found.prediction == said


@settings(max_examples=at_most(60, 150), deadline=None)
@given(case=cases(task="classes"), data=st.data())
def test_with_prices_of_ones_own(case, data):
    tree, row = case
    said = oracle.answers(tree, [row])[0]
    price = st.sampled_from([0.25, 1.0, 3.0])
    costs = data.draw(st.dictionaries(st.sampled_from(tree.schema.names), price))
    judged(tree, row, lambda answer: answer != said, costs=costs)


@settings(max_examples=at_most(60, 150), deadline=None)
@given(
    case=cases(task="numbers"),
    ends=st.tuples(st.sampled_from([-3.0, 0.0, 1.0, 2.0]), st.sampled_from([2.0, 4.0, 8.0])),
)
def test_numbers_between_two_ends(case, ends):
    tree, row = case
    judged(tree, row, lambda answer: ends[0] <= answer <= ends[1], wanted=ends)


@settings(max_examples=at_most(60, 150), deadline=None)
@given(case=cases())
def test_the_way_is_that_of_predict(case):
    tree, row = case
    given_row = row_of(tree, row)
    cell, events = walked(Cells(tree, axes_of(tree, given_row, whole=[])))
    table = oracle.table_of(tree, [row])
    routed = route_table(tree, table)
    if len(routed.part_row):
        assert [node for node, _ in cell.parts] == routed.part_node.tolist()
        assert [share for _, share in cell.parts] == routed.part_weight.tolist()
    else:
        assert cell.parts == ((int(routed.node[0]), 1.0),)
    found = tree.explain(row)
    assert {step.node for step in found.steps} | {n for n, _ in cell.parts} == {
        node for end, _ in cell.parts for node in tree.path_to(end)
    }
    assert len(found.detours) == sum(event.way != "test" for event in events)
    if tree.is_classifier:
        np.testing.assert_allclose(found.certainty.shares, tree.predict_proba(table)[0], atol=1e-15)
        assert found.prediction == tree.predict(table)[0]
    else:
        assert found.prediction == tree.predict(table)[0]
    assert found.to_text(ascii=True).isascii()


@settings(max_examples=at_most(40, 100), deadline=None)
@given(case=cases(task="classes"))
def test_near_misses_are_what_a_step_beyond_gives(case):
    tree, row = case
    found = tree.explain(row, whole=[])
    for miss in found.near_misses:
        after = {**row, miss.change.column: miss.change.after}
        assert oracle.answers(tree, [after]) == [miss.prediction]
        if miss.change.move is not None:  # it does leave; half of the way there, nothing has happened yet
            assert tree.explain(after, most=0).parts != found.parts
            half = {**row, miss.change.column: row[miss.change.column] + miss.change.move / 2}
            assume(half[miss.change.column] != miss.change.after)
            assert tree.leaves(oracle.table_of(tree, [half])) == tree.leaves(oracle.table_of(tree, [row]))


@settings(max_examples=at_most(25, 60), deadline=None)
@given(seed=st.integers(0, 10_000))
def test_whole_numbers_move_by_whole_numbers(seed):
    rng = np.random.default_rng(seed)
    table = tw.Table.from_dict(
        {"a": rng.integers(0, 9, 30), "b": rng.integers(0, 5, 30), "y": rng.integers(0, 3, 30).astype(str)}
    )
    tree = tw.grow(table, target="y", max_leaves=8)
    row = {"a": int(rng.integers(0, 9)), "b": int(rng.integers(0, 5))}
    found = tree.explain(row)
    asked = {name: row[name] for name in row if name in found.row}
    assert set(found.whole) == set(asked)
    best = oracle.least(tree, asked, lambda answer: answer != found.prediction, whole=("a", "b"))
    assert (found.alternatives[0].cost if found.alternatives else None) == (
        best if best is None else pytest.approx(best)
    )
    assert all(type(c.after) is int for a in found.alternatives for c in a.changes)


def test_alternatives_are_not_on_the_way_to_one_another():
    table = tw.Table.from_dict({"x": range(6), "y": list("abbcca")})
    tree = tw.grow(table, target="y")
    found = tree.explain({"x": 0}, most=9)
    assert [a.to_text() for a in found.alternatives] == ["x from 0 to 1 (up to 2) (+1)"]  # 3 is beyond 1
    assert [a.prediction for a in tree.explain({"x": 3}, most=9).alternatives] == ["b", "a"]
    assert [a.prediction for a in tree.explain({"x": 3}, most=1).alternatives] == ["b"]
    assert tree.explain({"x": 3}, most=0).alternatives == ()


def test_no_change_can_do_it():
    table = tw.Table.from_dict({"age": [20, 30, 40, 50], "job": list("ppqq"), "y": list("aabb")})
    tree = tw.grow(table.drop("job"), target="y")
    found = tree.explain({"age": 20}, fixed=["age"])
    assert found.alternatives == ()
    assert found.is_proven
    assert "No change of the other columns can do it." in found.to_text()


def test_rows_that_stop_at_an_inner_node_count():
    tree = tw.grow(tw.Table.from_dict({"x": [1, 2], "y": [0.0, 10.0]}), target="y", missing="drop")
    found = tree.explain({"x": None}, wanted=(4, 6))  # no leaf says 5, the root does
    assert [(a.cost, a.prediction) for a in found.alternatives] == [(0.0, 5.0)]
    table = tw.Table.from_dict({"a": list("uuvv"), "c": list("pqpr"), "y": [0.0, 10.0, 100.0, 100.0]})
    tree = tw.grow(table, target="y", unseen="stop_here")
    found = tree.explain({"a": "u", "c": "p"}, wanted=(4, 6))  # r is a category that no row with a = u had
    assert [(a.to_text(), a.prediction) for a in found.alternatives] == [("c from p to r", 5.0)]


def test_a_stand_in_that_runs_the_other_way():
    x, z = [1, 2, 3, 4, 5, 6, 7, 8], [80, 70, 60, 50, 40, 30, 20, 11]
    tree = tw.grow(
        tw.Table.from_dict({"x": x, "z": z, "y": list("aaaabbbb")}),
        target="y",
        missing="surrogate",
        max_depth=1,
    )
    assert tree.schema.names[int(tree.column[0])] == "x"
    assert tree.surrogate_flip.tolist() == [True]
    found = tree.explain({"x": None, "z": 50})
    assert found.prediction == "a"
    assert found.detours[0].words == (
        "x is missing: z > 45 stood in (x <= 4.5), which agrees on 100 % of the training rows."
    )
    assert [a.to_text() for a in found.alternatives] == [
        "z from 50 to 45 (-5)",
        "x from missing to more than 4.5",
    ]


def test_what_is_so_already_costs_nothing():
    tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    found = tree.explain(0, tw.example("tennis"), wanted="No")
    assert [a.cost for a in found.alternatives] == [0.0]
    assert "no change: it is so already" in found.to_text()


def test_a_table_of_prices():
    table = tw.example("tennis")
    tree = tw.grow(table, target="PlayTennis", recipe="id3")
    only = {"Outlook": {"Sunny": {"Rainy": 0.5}}, "Humidity": 2}
    found = tree.explain(0, table, costs=only)
    assert [(a.to_text(), a.cost) for a in found.alternatives][:2] == [
        ("Outlook from Sunny to Rainy", 0.5),
        ("Humidity from High to Normal", 2.0),
    ]
    matrix = [[0, 9, 9], [9, 0, 9], [9, 9, 0]]
    assert (
        tree.explain(0, table, costs={"Outlook": matrix}).alternatives[0].to_text()
        == "Humidity from High to Normal"
    )


def test_a_cut_is_passed_by_one_float():
    table = tw.Table.from_dict({"x": [0.1, 0.2, 0.7], "y": list("aab")})
    tree = tw.grow(table, target="y")
    up = tree.explain({"x": 0.2}).alternatives[0]
    cut = float(tree.cut[0])
    assert up.changes[0].after == math.nextafter(cut, math.inf)
    assert cut == 0.44999999999999996
    assert up.changes[0].words == "more than 0.45"  # few digits, on the side that the change leads to
    down = tree.explain({"x": 0.7}).alternatives[0]
    assert (down.changes[0].after, down.changes[0].words) == (cut, "0.4499 or less")


def test_a_search_that_is_too_long_says_so(monkeypatch):
    monkeypatch.setattr("treewright.explain.search.MOST_CELLS", 1)
    table = tw.example("hypothyroid")
    tree = tw.grow(table, target="class", recipe="c4.5")
    found = tree.explain(dict.fromkeys(tree.schema.names))
    assert not found.is_proven
    assert "stopped before all was tried" in found.to_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"wanted": "Maybe"}, "wanted='Maybe' is no class of 'PlayTennis'; the classes are 'Yes', 'No'"),
        ({"wanted": "yes"}, "did you mean 'Yes'"),
        ({"fixed": ["outlok"]}, "fixed: No column is named 'outlok'; did you mean 'Outlook'"),
        ({"costs": {"Wnid": 1}}, "costs: No column is named 'Wnid'; did you mean 'Wind'"),
        ({"costs": {"Wind": -1}}, r"costs\['Wind'\] must be a number of at least 0"),
        ({"costs": {"Wind": math.inf}}, "belongs in fixed="),
        ({"costs": {"Outlook": {"Sunyn": {}}}}, "no category 'Sunyn'; did you mean 'Sunny'"),
        ({"costs": {"Outlook": [[1, 2], [3, 4]]}}, "3 x 3 prices"),
        ({"costs": {"Outlook": {"Sunny": 3}}}, "must say {from: {to: price}}"),
        ({"whole": ["Winds"]}, "whole: No column is named 'Winds'; did you mean 'Wind'"),
        ({"most": -1}, "most must be a whole number from 0 up, found -1"),
    ],
)
def test_bad_wishes_are_refused_in_words(words, message):
    table = tw.example("tennis")
    tree = tw.grow(table, target="PlayTennis", recipe="id3")
    with pytest.raises(ValueError, match=message):
        tree.explain(0, table, **words)


@pytest.mark.parametrize("wanted", [5, "much", (1,), (None, None), (3, 2), (float("nan"), 1)])
def test_a_number_is_wanted_between_two_ends(wanted):
    tree = tw.grow(tw.Table.from_dict({"x": [1, 2], "y": [3.0, 5.0]}), target="y")
    with pytest.raises(ValueError, match="wanted="):
        tree.explain({"x": 1}, wanted=wanted)
