"""A row goes the same way in the page as in Python: same node, same parts, same answer."""

import itertools

import numpy as np
import pytest

import treewright as tw
from tests import tables
from tests.amount import IS_FULL
from tests.level import PRIMARIES, level_rows, level_tree
from tests.report.browserless import CASES, big, case, codes, needs_node, run, run_all, with_gaps
from treewright.predict import chances, route_table, values
from treewright.predict.vote import labels
from treewright.prune.cost_complexity import cost_complexity_path
from treewright.report import facts

pytestmark = needs_node


def told_of(tree, routed):
    if not tree.is_classifier:
        return values(tree, routed), None
    return labels(tree, routed), chances(tree, routed)


def compare(tree, table, found):
    routed = route_table(tree, table)
    assert [row[0] for row in found] == routed.node.tolist()
    said, shares = told_of(tree, routed)
    if shares is None:
        np.testing.assert_allclose([row[2] for row in found], said, rtol=1e-12)
    else:
        assert [row[2] for row in found] == said.tolist()
        np.testing.assert_allclose([row[3] for row in found], shares, rtol=1e-9, atol=1e-12)
    divided = [(place, *part) for place, row in enumerate(found) if len(row[1]) > 1 for part in row[1]]
    rows, nodes, weights = zip(*divided, strict=True) if divided else ((), (), ())
    assert rows == tuple(routed.part_row.tolist())
    assert nodes == tuple(routed.part_node.tolist())
    assert weights == tuple(routed.part_weight.tolist())  # bit for bit: the same sums in the same order


@pytest.mark.parametrize("name", CASES)
def test_every_row_reaches_the_same_leaf_with_the_same_answer(name):
    tree, table = case(name)
    table = table.take(range(min(table.n_rows, 3000)))
    (found,) = run(facts(tree), ("route", {"rows": codes(tree, table), "step": 0}))
    compare(tree, table, found)


def test_thousands_of_rows_down_a_large_tree():
    tree, table = big()
    table = table.take(range(6000))
    (found,) = run(facts(tree), ("route", {"rows": codes(tree, table), "step": 0}))
    compare(tree, table, found)


@pytest.mark.parametrize("name", ["adult, divided", "crx, surrogates", "soybean", "abalone"])
def test_rows_go_down_the_tree_of_every_size_as_down_the_pruned_tree(name):
    tree, table = case(name)
    table = table.take(range(min(table.n_rows, 150)))
    told, path = facts(tree), cost_complexity_path(tree)
    steps = range(0, len(told["sizes"]["alpha"]), max(1, len(told["sizes"]["alpha"]) // 12))
    jobs = [("route", {"rows": codes(tree, table), "step": step}) for step in steps]
    answers = run(told, *jobs, *(("nodes", {"step": step}) for step in steps))
    first = len(told["sizes"]["alpha"]) - len(path)
    for step, found, nodes in zip(steps, answers, answers[len(jobs) :], strict=False):
        smaller = tree if step == 0 else path.tree_at(path.alpha[step - first])
        routed = route_table(smaller, table)
        assert [nodes.index(row[0]) for row in found] == routed.node.tolist()
        np.testing.assert_allclose([row[2] for row in found], told_of(smaller, routed)[0], rtol=1e-12)


MISSING = ("learned", "fractional", "surrogate", "own_branch", "most_common", "most_common_overall", "drop")
UNSEEN = ("most_common", "fractional", "stop_here", "missing")


def odd_table(draws, n_rows, n_categories):
    """Return a table of all kinds of columns with gaps; more categories than another may have met."""
    colours = tuple("abcdefgh"[:n_categories])
    columns = (
        tw.Column("number", tw.Kind.numeric),
        tw.Column("count", tw.Kind.numeric),
        tw.Column("colour", tw.Kind.nominal, colours),
        tw.Column("size", tw.Kind.ordinal, ("S", "M", "L", "XL")),
        tw.Column("is_new", tw.Kind.boolean),
        tw.Column("y", tw.Kind.nominal, ("no", "yes", "maybe")),
    )
    number, count = draws.normal(size=n_rows), draws.integers(0, 4, n_rows).astype(float)
    codes = [draws.integers(0, len(column.categories), n_rows).astype(np.int32) for column in columns[2:5]]
    answer = ((number > 0.2) + (codes[0] % 2) * (codes[1] > 1)).clip(0, 2).astype(np.int32)
    number[draws.random(n_rows) < 0.2] = np.nan
    count[draws.random(n_rows) < 0.5] = np.nan
    number[0] = np.inf
    for code in codes:
        code[draws.random(n_rows) < 0.15] = -1
    return tw.Table(tw.Schema(columns), (number, count, *codes, answer))


def test_every_policy_on_odd_tables():
    questions, wanted = [], []
    for seed, (missing, unseen) in enumerate(itertools.product(MISSING, UNSEEN)):
        if not IS_FULL and sum(divmod(seed, len(UNSEEN))) % 2:  # every other, as on a chessboard
            continue
        draws = np.random.default_rng(seed)
        splits = "binary" if missing == "surrogate" else ("binary", "multiway", "one_vs_rest")[seed % 3]
        more = {"discretise": "equal_width"} if seed % 5 == 0 else {}
        train = odd_table(draws, 160, 5)
        train = train.take(range(1, 160)) if more else train  # edges are found among finite numbers
        tree = tw.grow(train, target="y", missing=missing, unseen=unseen, splits=splits, **more)
        rows = odd_table(draws, 120, 8)
        questions.append((facts(tree), [("route", {"rows": codes(tree, rows), "step": 0})]))
        wanted.append((tree, rows))
    for (tree, rows), (found,) in zip(wanted, run_all(questions), strict=True):
        compare(tree, rows, found)


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("primary", PRIMARIES)
def test_rows_that_no_surrogate_places_stay_in_the_page_too(primary, task):
    tree, rows = level_tree(primary, task), level_rows()
    (found,) = run(facts(tree), ("route", {"rows": codes(tree, rows), "step": 0}))
    compare(tree, rows, found)
    assert 0 in [row[0] for row in found]


def test_a_tree_that_refuses_gaps_refuses_them_in_the_page_too():
    table = tw.Table.from_dict({"x": [1.0, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    tree = tw.grow(table, target="y", missing="error")
    (found,) = run(facts(tree), ("route", {"rows": [[None], [1]], "step": 0}))
    assert found[0][0] == -1
    assert found[0][2] is None
    assert found[1][0] == 1


def test_typed_texts_become_the_codes_of_the_tree():
    schema = tw.Schema(
        (
            tw.Column("number", tw.Kind.numeric),
            tw.Column("colour", tw.Kind.nominal, ("red", "blue", "")),
            tw.Column("degrees", tw.Kind.ordinal, edges=(54, 85)),
        )
    )
    told = {"tree": {"end": [1], "step": [0]}, "sizes": {"step": [0]}, "target": {"classes": []}}
    told |= {"columns": schema.to_dict()["columns"], "judged": None}
    texts = [
        ["1.5", "blue", "54"],
        ["1,5", "", "54.1"],
        ["", None, ""],
        [None, None, None],
        ["-2e3", "green", "999"],
        ["x", "red", "?"],
    ]
    (found,) = run(told, ("coded", {"texts": texts}))
    assert found == [
        [1.5, 1, 0],
        [1.5, 2, 1],
        [None, -1, -1],  # NaN is null in JSON
        [None, -1, -1],
        [-2000, -2, 2],
        [None, 0, None],
    ]


@pytest.mark.parametrize("name", ["adult, divided", "soybean", "credit_g, intervals", "mushroom", "abalone"])
def test_a_row_can_be_made_that_leads_to_a_leaf(name):
    tree, _ = case(name)
    leaves = [int(leaf) for leaf in tree.leaf_ids if tree.weights[leaf] > 0]
    (found,) = run(facts(tree), ("leading", {"nodes": leaves}))
    wrong = [leaf for leaf, (_, reached) in zip(leaves, found, strict=True) if leaf != reached]
    assert wrong == []


def test_columns_are_asked_for_in_the_order_in_which_they_are_met():
    tree, _ = case("crx, surrogates")
    (found,) = run(facts(tree), ("asked", {}))
    assert sorted(found) == tree.used_columns.tolist()
    assert found[0] == int(tree.column[0])


# ---- sums and models ----------------------------------------------------------------------------------


def answers_of(tree, table):
    if not tree.is_classifier:
        return tree.predict(table), None
    places = {name: place for place, name in enumerate(tree.classes)}
    return np.array([places[name] for name in tree.predict(table)]), tree.predict_proba(table)


def agree(tree, table, found):
    routed = route_table(tree, table)
    assert [row[0] for row in found] == routed.node.tolist()
    said, shares = answers_of(tree, table)
    np.testing.assert_allclose([row[2] for row in found], said, rtol=1e-9, atol=1e-9)
    if shares is not None:
        np.testing.assert_allclose([row[3] for row in found], shares, rtol=1e-9, atol=1e-12)


def linear_case(name, missing="learned", **settings):
    target = tables.target(name)
    parts = tw.evaluate.split(tables.table(name), target, test=1 / 3, seed=0)
    train = parts.train.take(range(min(parts.train.n_rows, 500)))
    grown = tw.grow(with_gaps(train, target, 0.05), target=target, missing=missing, **settings)
    return grown, with_gaps(parts.test, target, seed=1).take(range(min(parts.test.n_rows, 400)))


COUNTS = ("m_of_n", "conjunction")
SUMS = {"splits": "linear", "prune": "none", "linear_penalty": 0.0, "min_leaf": 5}
LINEAR = [
    ("iris", {**SUMS}),
    ("iris", {**SUMS, "missing": "own_branch"}),
    ("iris", {**SUMS, "missing": "fractional"}),
    ("iris", {**SUMS, "missing": "surrogate"}),
    ("credit_g", {**SUMS, "min_leaf": 30}),
    ("abalone", {**SUMS, "min_leaf": 40}),
    ("iris", {**SUMS, "splits": "m_of_n", "missing": "surrogate"}),
    ("credit_g", {**SUMS, "splits": "conjunction", "min_leaf": 20}),
    ("credit_g", {**SUMS, "linear_search": "fitted", "linear_categories": "impact", "min_leaf": 40}),
    ("iris", {"leaves": "logistic", "min_leaf": 20}),
    ("iris", {"leaves": "logistic", "min_leaf": 20, "missing": "fractional"}),
    ("abalone", {"leaves": "linear", "min_leaf": 60}),
    ("abalone", {**SUMS, "leaves": "linear", "min_leaf": 60, "missing": "fractional"}),
]


@pytest.mark.parametrize(("name", "settings"), LINEAR)
def test_sums_and_models_answer_as_in_python(name, settings):
    tree, table = linear_case(name, **settings)
    assert tree.has_sums == ("splits" in settings)
    assert tree.has_conditions == ("linear_categories" in settings or settings.get("splits") in COUNTS)
    assert tree.has_models == ("leaves" in settings)
    told = facts(tree, table)
    (found, asked) = run(told, ("route", {"rows": codes(tree, table), "step": 0}), ("asked", {}))
    agree(tree, table, found)
    assert sorted(asked) == tree.used_columns.tolist()
    last = len(told["sizes"]["alpha"]) - 1
    path = cost_complexity_path(tree)
    steps = [step for step in {1, last // 2, last} if step > 0]
    answers = run(told, *(("route", {"rows": codes(tree, table), "step": step}) for step in steps))
    first = len(told["sizes"]["alpha"]) - len(path)
    for step, rows in zip(steps, answers, strict=True):
        smaller = path.tree_at(path.alpha[step - first])
        np.testing.assert_allclose(
            [row[2] for row in rows], answers_of(smaller, table)[0], rtol=1e-9, atol=1e-9
        )


@pytest.mark.parametrize("name", ["iris", "abalone", "credit_g"])
def test_a_row_can_be_made_that_leads_past_sums(name):
    tree, _ = linear_case(name, **{**SUMS, "min_leaf": 20})
    leaves = [int(leaf) for leaf in tree.leaf_ids if tree.weights[leaf] > 0]
    (found,) = run(facts(tree), ("leading", {"nodes": leaves}))
    wrong = [leaf for leaf, (_, reached) in zip(leaves, found, strict=True) if leaf != reached]
    assert wrong == []


def test_each_sum_is_a_condition_of_its_own():
    tree, _ = linear_case("iris", **SUMS)
    told = facts(tree)
    (rules,) = run(told, ("rules", {"step": 0}))
    for rule in rules:
        way = tree.path_to(rule["node"])
        asked = [f"{tree.node(a).question} {tree.node(b).answer}"
                 for a, b in itertools.pairwise(way) if tree.kind[a] == 3]  # fmt: skip
        assert [words for words in asked if words not in rule["conditions"]] == []


def test_a_plain_tree_has_no_word_of_sums_and_models():
    told = facts(case("soybean")[0])
    assert "sum" not in told["tree"]
    assert "model" not in told["tree"]
    assert "says" not in told["tree"]


def test_dates_are_typed_and_proposed_as_dates():
    draws = np.random.default_rng(8)
    days = draws.integers(17_000, 18_500, 300)
    answers = np.where((days < 17_920) ^ (draws.random(300) < 0.1), "a", "b")
    table = tw.Table.from_dict({"joined": days.astype("M8[D]"), "z": draws.normal(size=300), "y": answers})
    tree = tw.grow(table, "y", max_leaves=8)
    texts = ["2019-01-24", "2019-01-24 12:00", "17920", "", "soon"]
    leaves = np.flatnonzero(tree.column < 0).tolist()
    coded, days_of, leading, routed = run(
        facts(tree),
        ("coded", {"texts": [{"0": text, "1": "0.5"} for text in texts]}),
        ("daysOf", {"list": ["2019-01-24", "2019-01-24 12:00"]}),
        ("leading", {"nodes": leaves}),
        ("route", {"rows": codes(tree, table), "step": 0}),
    )
    assert [row[0] for row in coded[:3]] == [17_920, 17_920.5, 17_920]
    assert [row[0] for row in coded[3:]] == [None, None]  # missing; no date
    assert days_of == [17_920, 17_920.5]
    assert [node for _, node in leading] == leaves
    proposed = [row["0"] for row, _ in leading if row.get("0")]
    assert proposed
    assert all(text[4] == text[7] == "-" and len(text) == 10 for text in proposed)
    compare(tree, table, routed)
