"""The modules of the page against Python: sizes, rules, mistakes; and layout, folds, search on their own."""

import numpy as np
import pytest

import treewright as tw
from tests.report.browserless import big, case, needs_node, run
from treewright.evaluate import answers, confusion
from treewright.prune.cost_complexity import cost_complexity_path
from treewright.report import facts
from treewright.report.nodes import STYLE
from treewright.rules.text import in_words
from treewright.tree.walk import leaf_counts

pytestmark = needs_node


def trees_by_step(tree, told):
    path = cost_complexity_path(tree)
    first = len(told["sizes"]["alpha"]) - len(path)
    return [tree, *(path.tree_at(alpha) for alpha in path.alpha[1 - first :])]


@pytest.mark.parametrize(
    "name", ["adult, divided", "crx, learned", "soybean", "abalone", "crx, divided with gaps"]
)
def test_every_position_of_the_slider_is_a_tree_of_the_path(name):
    tree, _ = case(name)
    told = facts(tree)
    trees = trees_by_step(tree, told)
    assert [smaller.n_leaves for smaller in trees] == told["sizes"]["leaves"]
    jobs = [(job, {"step": step}) for step in range(len(trees)) for job in ("nodes", "leaves", "counts")]
    found = run(told, *jobs)
    for step, smaller in enumerate(trees):
        nodes, leaves, counts = found[3 * step : 3 * step + 3]
        assert tree.stats[nodes].tolist() == smaller.stats.tolist()
        assert [nodes.index(leaf) for leaf in leaves] == smaller.leaf_ids.tolist()
        assert [counts[node] for node in nodes] == leaf_counts(smaller.end).tolist()


@pytest.mark.parametrize(
    "name", ["adult, divided", "crx, own branch", "soybean", "credit_g, intervals", "abalone"]
)
def test_rules_are_those_of_the_tree_at_every_size(name):
    tree, _ = case(name)
    told = facts(tree)
    trees = trees_by_step(tree, told)
    steps = [0, len(trees) // 2, len(trees) - 1]
    for step, found in zip(steps, run(told, *(("rules", {"step": step}) for step in steps)), strict=True):
        wanted = trees[step].rules()
        assert len(found) == len(wanted)
        for rule, expected in zip(found, wanted, strict=True):
            words = [in_words(c, tree.schema, tree.about, STYLE) for c in expected.conditions]
            assert rule["conditions"] == words
            assert rule["weight"] == pytest.approx(expected.support)
            assert rule["confidence"] == pytest.approx(expected.confidence)
            assert rule["lift"] == pytest.approx(expected.lift)
            said = rule["said"]["text"] if tree.is_classifier else rule["said"]["mean"]
            assert said == expected.prediction


@pytest.mark.parametrize("name", ["crx, learned", "mushroom", "crx, stop", "crx, surrogates"])
def test_the_confusion_matrix_follows_the_size(name):
    tree, table = case(name)
    told = facts(tree, table)
    assert not told["judged"]["is_divided"]
    trees = trees_by_step(tree, told)
    found = run(told, *(("confusion", {"step": step}) for step in range(len(trees))))
    for smaller, matrix in zip(trees, found, strict=True):
        assert matrix == confusion(answers(smaller, table)).array.tolist()


def test_where_rows_are_divided_the_matrix_is_that_of_the_whole_tree_alone():
    tree, table = case("soybean")
    told = facts(tree, table)
    whole, smaller = run(told, ("confusion", {"step": 0}), ("confusion", {"step": 1}))
    assert whole == confusion(answers(tree, table)).array.tolist()
    assert smaller is None


# ---- layout -------------------------------------------------------------------------------------------


def judge_layout(tree, found, n_shown):
    assert found["texts"] == []
    assert found["boxes"] == []
    assert found["outside"] == 0
    assert len(found["order"]) == n_shown
    place = {entry["node"]: entry for entry in found["order"]}
    for node, entry in place.items():
        children = [place[child]["x"] for child in tree.children(node) if child in place]
        if children:
            assert children == sorted(children)  # branches stand in their order
            assert entry["x"] == pytest.approx((children[0] + children[-1]) / 2)  # above the middle
            assert all(place[child]["y"] > entry["y"] for child in tree.children(node))


@pytest.mark.parametrize("name", ["soybean", "adult, divided", "mushroom", "abalone"])
def test_no_two_texts_meet_when_everything_is_unfolded(name):
    tree, table = case(name)
    told = facts(tree, table)
    last = len(told["sizes"]["alpha"]) - 1
    whole, root = run(told, ("everything", {"step": 0}), ("everything", {"step": last}))
    judge_layout(tree, whole, tree.n_nodes)
    assert root["texts"] == []


def test_no_two_texts_meet_in_five_thousand_nodes():
    tree, _ = big()
    (found,) = run(facts(tree), ("everything", {"step": 0}))
    assert found["n"] > 10000
    judge_layout(tree, found, tree.n_nodes)


@pytest.mark.parametrize("seed", range(6))
def test_no_two_texts_meet_however_it_is_folded(seed):
    tree, _ = case("soybean")
    draws = np.random.default_rng(seed)
    opened = [0, *np.flatnonzero((draws.random(tree.n_nodes) < 0.3 + 0.1 * seed) & (tree.kind > 0)).tolist()]
    found, shown = run(facts(tree), ("layout", {"open": opened}), ("shown", {"open": opened}))
    judge_folded(tree, set(opened), shown)
    assert found["texts"] == found["boxes"] == []
    assert [entry["node"] for entry in found["order"]] == shown


def judge_folded(tree, opened, shown):
    wanted = [n for n in range(tree.n_nodes) if all(a in opened for a in tree.path_to(n)[:-1])]
    assert shown == wanted


def test_wide_names_do_not_meet():
    names = {
        f"a very long name of a column that goes on and on, number {k}": [k % 2, 1, 0, k % 3]
        for k in range(6)
    }
    table = tw.Table.from_dict({**names, "y": ["the first of two classes with a long name", "b", "c", "d"]})
    tree = tw.grow(table, target="y")
    (found,) = run(facts(tree), ("everything", {"step": 0}))
    judge_layout(tree, found, tree.n_nodes)


# ---- folds, search, words --------------------------------------------------------------------------------


def test_a_large_tree_starts_folded_with_the_heaviest_branches_open():
    tree, _ = big()
    (found,) = run(facts(tree), ("start", {"most": 40}))
    assert 15 <= len(found["shown"]) <= 40
    assert 0 in found["open"]
    judge_folded(tree, set(found["open"]), found["shown"])


def test_folding_and_unfolding_by_levels():
    tree, _ = case("soybean")
    (found,) = run(facts(tree), ("folding", {}))
    by_depth = lambda most: [n for n in range(tree.n_nodes) if tree.depths[n] <= most]  # noqa: E731
    assert found["none"] == [0]
    assert found["one"] == found["back"] == by_depth(1)
    assert found["two"] == by_depth(2)
    assert tree.n_nodes - 1 in found["to"]
    assert found["toggled"] == []


def test_search_finds_columns_answers_classes_and_numbers_of_nodes():
    table = tw.example("tennis")
    tree = tw.grow(table, target="PlayTennis", recipe="id3")
    texts = [
        "humid",
        "= HIGH",
        "yes",
        "#2",
        "node 0",
        "#99",
        "",
        "  ",
        "nothing of this kind",
        "wind = strong",
    ]
    humid, high, yes, two, root, *others, strong = run(
        facts(tree), *(("search", {"text": text}) for text in texts)
    )
    inner = [n for n in range(tree.n_nodes) if tree.node(n).question == "Humidity"]
    assert humid == sorted([*inner, *(child for n in inner for child in tree.children(n))])
    assert high == [n for n in range(tree.n_nodes) if tree.node(n).answer == "= High"]
    assert yes == [n for n in range(tree.n_nodes) if tree.is_leaf(n) and tree.node(n).prediction == "Yes"]
    assert two == [2]
    assert root == [0]
    assert others == [[]] * 4
    assert [tree.node(n).answer for n in strong] == ["= Strong"]


def test_search_looks_only_at_the_tree_of_the_size_shown():
    tree, _ = case("soybean")
    told = facts(tree)
    last = len(told["sizes"]["alpha"]) - 1
    everywhere, nowhere = run(
        told, ("search", {"text": "leaf"}), ("search", {"text": "mildew", "step": last})
    )
    assert len(everywhere) > 10
    assert nowhere == []


def test_numbers_are_written_as_people_read_them():
    told = facts(tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3"))
    cases = {
        "count": [([1234567], "1,234,567"), ([2.5], "2.5"), ([0], "0"), ([1e-3], "0.001")],
        "counted": [([1, "row"], "1 row"), ([2, "leaf", "leaves"], "2 leaves")],
        "figure": [([0.1 + 0.2], "0.3"), ([123456.7], "123,457"), ([None], "\u2013"), ([-0.5], "\u22120.5"),
                   ([1.5e-7], "1.5e\u22127"), ([1e12], "1,000,000,000,000"), ([1e15], "1e+15")],
        "percent": [([0.999], ">99 %"), ([1], "100 %"), ([0.001], "<1 %"), ([0], "0 %"), ([0.5], "50 %"),
                    ([0.745], "74 %"), ([0.255], "26 %")],
        "errorWords": [([0.1234, 0.01, "error (share of rows)"], "12.3 \u00b1 1.0 %"),
                       ([6.25, 0.5, "mean squared error"], "2.5 \u00b1 0.1"),
                       ([6.6547, 0.49, "mean absolute error"], "6.655 \u00b1 0.49"),
                       ([None, None, "x"], "\u2013")],
        "shortened": [(["abcdef", 4], "abc\u2026"), (["abc", 4], "abc")],
        "sentence": [([["a"]], "a"), ([["a", "b", "c"]], "a, b and c")],
    }  # fmt: skip
    jobs = [("words", {"name": name, "list": [given for given, _ in rows]}) for name, rows in cases.items()]
    for found, (name, rows) in zip(run(told, *jobs), cases.items(), strict=True):
        assert found == [text for _, text in rows], name


def test_examples_inside_an_interval_and_ticks_of_an_axis():
    told = facts(tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3"))
    bounds = [("-Infinity", 6849), (6849, "Infinity"), (0.30000000000000004, 0.30000000000000010), (1.5, 2.5),
              ("-Infinity", -3.25), (5e-324, 1e-323), ("-Infinity", "Infinity"), (-1e300, 1e300)]  # fmt: skip
    texts, numbers, ticks = run(
        told,
        ("inside", {"list": bounds}),
        ("numberOf", {"list": ["1.5", "1,5", "-3", "1e5", "", "abc", "1.2.3", "0x10", "Infinity", ".5"]}),
        ("ticks", {"list": [[1, 1, False], [1, 9, False], [1, 400, True]]}),
    )
    for (low, high), text in zip(bounds, texts, strict=True):
        assert float(low) < float(text) <= float(high)
    assert numbers == [1.5, 1.5, -3, 100000, None, None, None, None, None, 0.5]
    assert ticks == [[1], [2, 4, 6, 8], [1, 2, 5, 10, 20, 50, 100, 200]]
