"""Least impurity, price of a split, costs of columns: against the twin, by hand, and from every search."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests.grow.engines import first_difference, general_engine
from tests.grow.test_twin import EXACT, POLICIES, QUIET, SPLITS, try_case
from tests.oracle.strategies import Problem, problems
from treewright.growth.setting import CHOICES
from treewright.growth.settings import Settings

CRITERIA = ("gini", "entropy", "gain_ratio", "error")


def fitting(splits: str, missing: str) -> str:
    """Return the form of splits that goes with a policy for gaps."""
    return "binary" if missing == "surrogate" and splits == "multiway" else splits


# ---- against the twin -------------------------------------------------------------------------------


@QUIET
@given(
    problems(weights=EXACT),
    st.sampled_from(CRITERIA),
    st.sampled_from(POLICIES),
    st.sampled_from(SPLITS),
    st.sampled_from([0.05, 0.3, 0.45, 0.5, 0.9, 1.0, 4.0]),
)
def test_least_impurity_against_the_twin(
    problem: Problem, criterion: str, missing: str, splits: str, least: float
) -> None:
    asked = {"criterion": criterion} if problem.n_classes else {}
    try_case(problem, missing=missing, splits=fitting(splits, missing), min_impurity=least, **asked)


@QUIET
@given(
    problems(weights=EXACT),
    st.sampled_from(CRITERIA),
    st.sampled_from(POLICIES),
    st.sampled_from(SPLITS),
    st.sampled_from([0.01, 0.3, 0.77, 1.3, 2.9, 11.3]),
)
def test_price_of_a_split_against_the_twin(
    problem: Problem, criterion: str, missing: str, splits: str, price: float
) -> None:
    asked = {"criterion": criterion} if problem.n_classes else {}
    try_case(problem, missing=missing, splits=fitting(splits, missing), split_price=price, **asked)


COSTS = st.fixed_dictionaries({}, optional={name: st.sampled_from([0.5, 1.0, 2.0, 10.0]) for name in "abcd"})


@QUIET
@given(
    problems(weights=EXACT),
    st.sampled_from(CRITERIA),
    st.sampled_from(POLICIES),
    st.sampled_from(SPLITS),
    COSTS,
    st.sampled_from(CHOICES["cost_form"]),
    st.sampled_from([0.0, 0.5, 1.0, 2.0]),
)
def test_costs_of_columns_against_the_twin(
    problem: Problem,
    criterion: str,
    missing: str,
    splits: str,
    costs: dict[str, float],
    form: str,
    power: float,
) -> None:
    names = [column.name for column in problem.table.schema.columns]
    asked: dict[str, Any] = {"criterion": criterion} if problem.n_classes else {}
    form = form if problem.n_classes else "idx"
    asked["column_costs"] = {name: cost for name, cost in costs.items() if name in names}
    try_case(
        problem,
        missing=missing,
        splits=fitting(splits, missing),
        cost_form=form,
        cost_power=power,
        **asked,
    )


# ---- from every search ------------------------------------------------------------------------------


def some_table(n_rows: int, n_classes: int, seed: int = 0) -> tw.Table:
    """Return numbers, whole numbers, categories and gaps, with a target that follows them."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, 3))
    signal = x[:, 0] + 0.5 * x[:, 1] ** 2 + rng.normal(size=n_rows)
    gaps = np.where(rng.random(n_rows) < 0.1, np.nan, x[:, 2])
    columns = {
        "x": x[:, 0],
        "whole": np.round(x[:, 1] * 3),
        "gaps": gaps,
        "word": rng.choice(list("abcde"), n_rows),
    }
    if n_classes == 0:
        return tw.Table.from_dict({**columns, "y": signal})
    edges = np.quantile(signal, np.linspace(0, 1, n_classes + 1)[1:-1])
    return tw.Table.from_dict({**columns, "y": [f"class {c}" for c in np.searchsorted(edges, signal)]})


@pytest.mark.parametrize("power", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("min_gain", [0.0, 0.01])
@pytest.mark.parametrize(
    ("n_classes", "criterion", "form"),
    [
        (0, "squared_error", "idx"),
        (2, "gini", "idx"),
        (2, "entropy", "eg2"),
        (2, "gain_ratio", "cs_id3"),
        (5, "entropy", "cs_id3"),
    ],
)
@pytest.mark.parametrize("n_rows", [400, 6000])
def test_costs_of_columns_from_every_search(
    n_classes: int, criterion: str, form: str, min_gain: float, power: float, n_rows: int
) -> None:
    # A cheap column that gains too little for min_gain must not keep out a dear one that gains enough.
    costs = {"x": 30.0, "whole": 7.0, "gaps": 1e-3, "word": 2.0}
    asked: dict[str, Any] = {"criterion": criterion, "cost_form": form, "cost_power": power}
    asked |= {"column_costs": costs, "min_gain": min_gain, "missing": "learned", "max_depth": 6}
    table = some_table(n_rows, n_classes)
    tree = tw.grow(table, target="y", **asked)
    with general_engine():
        assert first_difference(tree, tw.grow(table, target="y", **asked)) == ""


@pytest.mark.parametrize("n_classes", [0, 2, 5])
@pytest.mark.parametrize(
    "asked",
    [
        {"min_impurity": 0.3},
        {"min_impurity": 0.3, "max_leaves": 20},
        {"min_impurity": 0.2, "max_columns": 2, "seed": 3},
        {"split_price": 2.5},
        {"split_price": 2.5, "max_leaves": 20, "min_gain": 0.001},
        {"split_price": 1.5, "max_columns": 2, "seed": 3},
        {"split_price": 1.5, "priors": "given"},
        {"min_impurity": 0.2, "priors": "given"},
    ],
    ids=str,
)
@pytest.mark.parametrize("n_rows", [400, 6000])
def test_all_searches_stop_alike(n_classes: int, asked: dict[str, Any], n_rows: int) -> None:
    table = some_table(n_rows, n_classes)
    if asked.get("priors"):
        if not n_classes:
            pytest.skip("priors are for classes")
        asked = asked | {"priors": np.arange(1, n_classes + 1) / 10}
    for criterion in ("gini", "entropy") if n_classes else ("squared_error",):
        quick = tw.grow(table, target="y", criterion=criterion, n_threads=2, **asked)
        with general_engine():
            general = tw.grow(table, target="y", criterion=criterion, **asked)
        assert first_difference(quick, general) == ""
    assert quick.n_leaves > 1


@pytest.mark.parametrize("asked", [{"min_impurity": 0.3}, {"split_price": 2.0}], ids=str)
def test_forests_stop_alike(asked: dict[str, Any]) -> None:
    table = some_table(900, 2)
    table = table.drop(["gaps", "word"])  # numbers without gaps: the search that draws by ranks would serve
    forest = tw.forest.grow(table, target="y", n_trees=4, seed=1, **asked)
    with general_engine():
        general = tw.forest.grow(table, target="y", n_trees=4, seed=1, **asked)
    for i in range(4):
        assert first_difference(forest.tree(i), general.tree(i)) == ""
        assert forest.tree(i).n_leaves < tw.forest.grow(table, target="y", n_trees=4, seed=1).tree(i).n_leaves


# ---- least impurity ---------------------------------------------------------------------------------


def leaf_impurities(tree: tw.Tree, criterion: str) -> list[float]:
    """Return the impurity per unit of weight of inner nodes."""
    found = []
    for node in range(tree.n_nodes):
        if tree.is_leaf(node):
            continue
        if criterion == "squared_error":
            found.append(float(tree.stats[node, 2] / tree.stats[node, 0]))
        else:
            p = tree.stats[node] / tree.stats[node].sum()
            found.append(float(1 - (p**2).sum()))
    return found


def test_no_node_below_the_least_impurity_asks() -> None:
    for n_classes, criterion in ((2, "gini"), (0, "squared_error")):
        table = some_table(500, n_classes)
        free = tw.grow(table, target="y", criterion=criterion)
        tree = tw.grow(table, target="y", criterion=criterion, min_impurity=0.4)
        assert min(leaf_impurities(tree, criterion)) >= 0.4
        assert min(leaf_impurities(free, criterion)) < 0.4


def test_a_node_on_the_limit_is_split() -> None:
    table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": ["a", "b", "a", "b"]})
    for criterion, most in (("gini", 0.5), ("entropy", 1.0), ("error", 0.5), ("gain_ratio", 1.0)):
        assert tw.grow(table, target="y", criterion=criterion, min_impurity=most).n_leaves > 1
        assert tw.grow(table, target="y", criterion=criterion, min_impurity=most + 1e-6).n_leaves == 1


def test_the_unit_of_the_target_is_the_unit_of_its_variance() -> None:
    y = np.array([0.0, 0.0, 10.0, 10.0, 40.0, 44.0])
    for scale in (1e-6, 1.0, 1e6):
        table = tw.Table.from_dict({"x": range(6), "y": y * scale})
        assert tw.grow(table, target="y", min_impurity=4.1 * scale**2).n_leaves == 3
        assert tw.grow(table, target="y", min_impurity=3.9 * scale**2).n_leaves == 4


# ---- price of a split -------------------------------------------------------------------------------


@QUIET
@given(problems(task="classes", weights=EXACT, gaps=False), st.sampled_from([0.1, 0.77, 1.3, 3.1]))
def test_one_lambda_for_growing_and_pruning(problem: Problem, price: float) -> None:
    """Ruling 3.14.13: of a single test, growing asks the price that the regularised pruner takes."""
    from tests.grow.test_twin import grown

    for criterion in ("entropy", "gini"):
        free = grown(problem, criterion=criterion, max_depth=1)
        priced = grown(problem, criterion=criterion, max_depth=1, split_price=price)
        pruned = tw.prune.regularised(free, price, impurity=criterion)
        assert priced.n_nodes == pruned.n_nodes


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_a_tree_grown_at_a_price_has_no_pair_of_leaves_to_prune(n_classes: int) -> None:
    """What growth keeps at a price, the pruner of the same lambda keeps: no test costs more than it saves."""
    table, criterion = some_table(600, n_classes), "entropy" if n_classes else "squared_error"
    price = 3.0
    tree = tw.grow(table, target="y", criterion=criterion, split_price=price)
    assert tree.n_leaves > 2
    assert tw.prune.regularised(tree, price).n_leaves == tree.n_leaves


def test_branches_are_paid_one_by_one() -> None:
    """Tennis by ID3: Outlook takes 14 x 0.246750 = 3.4545 bits off with three branches, so two prices."""
    table = tw.example("tennis")
    for price, n_nodes in ((3.4545 / 2 - 1e-3, 4), (3.4545 / 2 + 1e-3, 1)):
        tree = tw.grow(table, target="PlayTennis", recipe="id3", split_price=price, max_depth=1)
        assert tree.n_nodes == n_nodes


def test_a_test_that_does_not_pay_leaves_the_field_to_others() -> None:
    """Three branches take off 3.0 bits, 1.5 for each beyond the first; two take off 1.7451."""
    table = tw.Table.from_dict(
        {
            "three": list("aabbccaab"),
            "two": list("xxyyyyxxy"),
            "y": ["n", "n", "j", "j", "j", "n", "n", "j", "j"],
        }
    )
    asked: dict[str, Any] = {"target": "y", "criterion": "entropy", "splits": "multiway", "max_depth": 1}
    gains = {r["column"]: 9 * r["gain"] for r in tw.grow(table, **asked, ledger=True).candidates(0)}
    assert gains["three"] > gains["two"] > gains["three"] / 2
    price = (gains["two"] + gains["three"] / 2) / 2
    tree = tw.grow(table, **asked, split_price=price, ledger=True)
    assert tree.schema.names[tree.column[0]] == "two"
    assert tree.why_not("three").startswith("three takes off too little to pay split_price: gain ")


# ---- costs of columns -------------------------------------------------------------------------------

GAINS = {"Outlook": 0.246750, "Humidity": 0.151836, "Wind": 0.048127, "Temperature": 0.029223}


@pytest.mark.parametrize(
    ("form", "worth"),
    [
        ("idx", lambda gain, cost: gain / cost),
        ("eg2", lambda gain, cost: (2**gain - 1) / (cost + 1)),
        ("cs_id3", lambda gain, cost: gain**2 / cost),
    ],
)
def test_the_published_forms_on_tennis(form: str, worth: Any) -> None:
    costs = {"Outlook": 5.0, "Humidity": 1.0, "Wind": 0.25, "Temperature": 3.0}
    tree = tw.grow(tw.example("tennis"), "PlayTennis", "id3", column_costs=costs, cost_form=form, ledger=True)
    found = {record["column"]: record for record in tree.candidates(0)}
    for name, gain in GAINS.items():
        assert found[name]["gain"] == pytest.approx(gain, abs=1e-6)
        assert found[name]["score"] == pytest.approx(worth(gain, costs[name]), rel=1e-4)
    best = max(GAINS, key=lambda name: worth(GAINS[name], costs[name]))
    assert tree.candidates(0)[0]["column"] == best == tree.schema.names[tree.column[0]]
    assert best != "Outlook"
    assert f"a score for its cost of {found[best]['score']:.6f}" in tree.why_not("Outlook")


def test_equal_costs_change_no_test() -> None:
    table = some_table(400, 3)
    free = tw.grow(table, target="y")
    same = tw.grow(table, target="y", column_costs=dict.fromkeys(("x", "whole", "gaps", "word"), 2.0))
    for name in ("column", "cut", "stats", "gain", "missing"):
        np.testing.assert_array_equal(getattr(free, name), getattr(same, name))
    np.testing.assert_allclose(same.score, free.score / 2)


def test_a_cheap_test_must_reach_the_least_gain_itself() -> None:
    costs = {"Temperature": 0.001}
    cheap = tw.grow(tw.example("tennis"), "PlayTennis", "id3", column_costs=costs, max_depth=1)
    assert cheap.schema.names[cheap.column[0]] == "Temperature"
    kept = tw.grow(
        tw.example("tennis"), "PlayTennis", "id3", column_costs=costs, min_gain=0.03, ledger=True, max_depth=1
    )
    assert kept.schema.names[kept.column[0]] == "Outlook"
    assert kept.why_not("Temperature").startswith("Temperature is below min_gain, so its cost was not")


def test_c45_divides_its_ratio_by_the_cost() -> None:
    tennis = tw.example("tennis")
    tree = tw.grow(tennis, "PlayTennis", "c4.5", column_costs={"Outlook": 2.0}, ledger=True, prune="none")
    free = tw.grow(tennis, "PlayTennis", "c4.5", ledger=True, prune="none")
    scores = [{r["column"]: r["score"] for r in t.candidates(0)} for t in (tree, free)]
    assert scores[0]["Outlook"] == pytest.approx(scores[1]["Outlook"] / 2)
    assert scores[0]["Humidity"] == pytest.approx(scores[1]["Humidity"])
    assert tree.schema.names[tree.column[0]] == "Humidity"


# ---- refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"min_impurity": -1.0}, "min_impurity=-1.0 must be a number of at least 0"),
        ({"split_price": math.nan}, "split_price=nan must be a number"),
        ({"cost_power": "w"}, "cost_power='w' must be a number"),
        ({"cost_form": "weka"}, "cost_form='weka' is not one of"),
        ({"column_costs": [1, 2]}, "column_costs=.* must map names of columns to numbers"),
        ({"column_costs": {"Wind": -1}}, "a cost must be finite and at least 0"),
        ({"column_costs": {"Wind": "dear"}}, r"column_costs=\{'Wind': 'dear'\} must be a number"),
        ({"column_costs": {1: 2.0}}, "1 is not the name of a column"),
        ({"column_costs": {"Wint": 2.0}}, "names the column 'Wint', .* did you mean 'Wind'"),
        ({"column_costs": {"PlayTennis": 2.0}}, "names the column 'PlayTennis', which is not among the 4"),
        ({"min_impurity": 0.1, "criterion": lambda left, right: left[:, 0]}, "has no impurity of a node"),
        ({"min_impurity": 0.1, "splits": "linear"}, "splits='linear' does not go with min_impurity=0.1"),
        ({"split_price": 0.1, "splits": "linear"}, "splits='linear' does not go with split_price=0.1"),
        ({"column_costs": {"Wind": 2.0}, "splits": "linear"}, "does not go with column_costs="),
        ({"min_impurity_split": 0.1}, "here it is called min_impurity"),
    ],
)
def test_what_cannot_be_is_refused_by_name(asked: dict[str, Any], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        tw.grow(tw.example("tennis"), target="PlayTennis", **asked)


def test_eg2_is_for_gains_in_bits() -> None:
    with pytest.raises(ValueError, match="cost_form='eg2' takes gains in bits"):
        tw.grow(some_table(50, 0), target="y", column_costs={"x": 2.0}, cost_form="eg2")


def test_nothing_named_is_nothing_asked() -> None:
    assert Settings.of(column_costs={}).column_costs is None
    assert Settings.of(monotone={"x": 0}).monotone is None
