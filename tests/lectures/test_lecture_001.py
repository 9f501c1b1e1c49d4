"""Lecture 001: gain ratio, Gini, stopping and pruning, rules, cuts of numbers, forests."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

import treewright as tw
from tests.lectures.conftest import Says
from tests.lectures.helpers import gains, listed, n_in_common, n_wrong
from treewright.lectures.chess import overlapping, positions

PLAY = "PlayTennis"
COLUMNS = ("Outlook", "Humidity", "Wind", "Temperature")

DAYS = """
D1 Sunny Hot High Weak No
D2 Sunny Hot High Strong No
D3 Overcast Hot High Weak Yes
D4 Rainy Mild High Weak Yes
D5 Rainy Cool Normal Weak Yes
D6 Rainy Cool Normal Strong No
D7 Overcast Cool Normal Strong Yes
D8 Sunny Mild High Weak No
D9 Sunny Cool Normal Weak Yes
D10 Rainy Mild Normal Weak Yes
D11 Sunny Mild Normal Strong Yes
D12 Overcast Mild High Strong Yes
D13 Overcast Hot Normal Weak Yes
D14 Rainy Mild High Strong No
"""


def days() -> list[list[str]]:
    return [line.split() for line in DAYS.split("\n") if line]


@pytest.fixture(scope="module")
def tennis() -> tw.Table:
    return tw.example("tennis")


@pytest.fixture(scope="module")
def dated() -> tw.Table:
    names = ("Date", "Outlook", "Temperature", "Humidity", "Wind", PLAY)
    return tw.Table.from_dict(dict(zip(names, map(list, zip(*days(), strict=True)), strict=True)))


def test_date(says: Says, dated: tw.Table) -> None:
    tree = tw.grow(dated, PLAY, "id3", ledger=True)
    says("001:23a", tree.node(0).question)
    assert (n_wrong(tree, dated), tree.n_leaves) == (0, 14)
    assert tree.gain[0] == pytest.approx(tw.measure.entropy(dated.labels(PLAY)), abs=1e-12)
    says("001:23b", tree.gain[0])


def test_the_table_of_lecture_001(says: Says, tennis: tw.Table) -> None:
    says("001:27", n_in_common(tennis, [row[1:] for row in days()]))


def test_gain_ratio_and_date(says: Says, dated: tw.Table) -> None:
    """Gain ratio alone does not cure many values; two branches of two rows do."""
    tree = tw.grow(dated, PLAY, "id3", criterion="gain_ratio", ledger=True)
    best = tree.candidates(0)[0]
    assert (best["column"], best["split_info"]) == ("Date", pytest.approx(math.log2(14), abs=1e-12))
    by_name = {c["column"]: c["score"] for c in tree.candidates(0)}
    for column in ("Date", "Outlook"):
        assert by_name[column] == pytest.approx(
            tw.measure.gain_ratio(dated.labels(column), dated.labels(PLAY))
        )
    says("001:46", listed([by_name["Date"], by_name["Outlook"]]))
    faithful = tw.grow(dated, PLAY, "c4.5", ledger=True)
    assert faithful.candidates(0)[0]["column"] == "Outlook"
    assert (
        faithful.why_not("Date") == "Every test on Date would leave branches smaller than the settings allow."
    )


def test_gain_ratios(says: Says, tennis: tw.Table) -> None:
    tree = tw.grow(tennis, PLAY, "id3", criterion="gain_ratio", ledger=True)
    found = {c["column"]: c for c in tree.candidates(0)}
    answers = tennis.labels(PLAY)
    for name in COLUMNS:
        values = tennis.labels(name)
        assert found[name]["split_info"] == pytest.approx(tw.measure.split_information(values, answers))
        assert found[name]["score"] == pytest.approx(tw.measure.gain_ratio(values, answers))
    says("001:48", listed(found[name]["split_info"] for name in COLUMNS))
    says("001:50", listed(found[name]["score"] for name in COLUMNS))


def test_gini_forms(says: Says, tennis: tw.Table) -> None:
    says("001:63a", tw.measure.gini([9, 5]))
    says("001:63b", tw.measure.gini(tennis.labels(PLAY)))


def test_gini_extremes(says: Says) -> None:
    says("001:66", tw.measure.gini([14, 0]))
    says("001:67", max(range(15), key=lambda yes: tw.measure.gini([yes, 14 - yes])))


def test_gini_decreases(says: Says, tennis: tw.Table) -> None:
    tree = tw.grow(tennis, PLAY, "id3", criterion="gini", ledger=True)
    found = gains(tree)
    for name in COLUMNS:
        by_measure = tw.measure.gini_decrease(tennis.labels(name), tennis.labels(PLAY))
        assert found[name] == pytest.approx(by_measure)
    says("001:70", listed(found[name] for name in COLUMNS))


def test_best_subsets() -> None:
    """The golden table of the specification: {Overcast} against the rest, {Cool, Mild} against {Hot}."""
    tree = tw.grow(tw.example("tennis"), PLAY, "plain", ledger=True)
    figures = {"Outlook": 0.102041, "Humidity": 0.091837, "Wind": 0.030612, "Temperature": 0.016327}
    assert gains(tree) == pytest.approx(figures, abs=5e-7)
    assert "Overcast" in tree.node(0).answers[0] + tree.node(0).answers[1]


def test_chi_squares() -> None:
    """The golden table of the specification; at 5 % no column is more than chance."""
    tennis = tw.example("tennis")
    figures = {"Outlook": 3.5467, "Humidity": 2.8, "Wind": 0.9333, "Temperature": 0.5704}
    for name, statistic in figures.items():
        found = tw.measure.chi_square(tennis.labels(name), tennis.labels(PLAY))
        assert found.statistic == pytest.approx(statistic, abs=5e-5)
        assert found.p_value > 0.05
    assert tw.grow(tennis, PLAY, "id3", significance=0.05).n_leaves == 1


def test_when_a_node_is_a_leaf(says: Says, tennis: tw.Table) -> None:
    one = tw.Table.from_dict({"x": ["1", "2"], "y": ["a", "a"]}, categories={"y": ["a", "b"]})
    says("001:97", tw.grow(one, "y", "id3").n_leaves)
    same = tw.Table.from_dict({"x": ["1", "1", "1"], "y": ["a", "b", "a"]})
    tree = tw.grow(same, "y", "id3")
    assert tree.n_leaves == 1
    says("001:98", tree.node(0).prediction)
    tree = tw.grow(tennis, PLAY, "id3")
    empty = next(tree.node(i) for i in tree.leaf_ids if tree.node(i).n_rows == 0)
    assert empty.prediction == tree.node(empty.parent).prediction
    says("001:99", empty.prediction)


def noisy_circle(n: int, seed: int) -> tw.Table:
    """Points by NumPy's generator: not those of the walk, so that the claim does not hang on them."""
    draws = np.random.default_rng(seed)
    x, y = draws.uniform(-1.5, 1.5, size=(2, n))
    inside = (x * x + y * y <= 1) != (draws.uniform(size=n) < 0.1)
    return tw.Table.from_dict({"x": x, "y": y, "colour": np.where(inside, "blue", "red")})


def test_overfitting(says: Says) -> None:
    training, other = noisy_circle(400, 1), noisy_circle(2000, 2)
    full, small = (tw.grow(training, "colour", max_leaves=n) for n in (None, 8))
    errors = [[n_wrong(tree, rows) / rows.n_rows for rows in (training, other)] for tree in (full, small)]
    assert errors[0][0] < errors[1][0]
    assert errors[0][1] > errors[1][1]
    found = tw.evaluate.is_overfitting(full, other, rivals=[small])
    assert (found.training_error, found.error.value) == pytest.approx(errors[0])
    says("001:121", "yes" if found else "no")


def test_thresholds(says: Says, tennis: tw.Table) -> None:
    def leaves(**limit: float) -> int:
        return tw.grow(tennis, PLAY, "id3", **limit).n_leaves

    says("001:134", ", ".join(str(leaves(majority_share=a)) for a in (0.64, 9 / 14, 0.65)))
    gain = float(tw.grow(tennis, PLAY, "id3").gain[0])
    says("001:135", ", ".join(str(leaves(min_gain=b)) for b in (0.24, gain, 0.25)))


def test_the_root_stays(says: Says) -> None:
    table = tw.Table.from_dict({"x": ["1", "2"], "y": ["a", "b"]})
    tree = tw.grow(table, "y", "id3")
    wrong = tw.Table.from_dict({"x": ["1", "2"], "y": ["b", "a"]})
    assert tw.prune.reduced_error(tree, wrong).n_leaves == 1
    says("001:170", tw.prune.reduced_error(tree, wrong, strategy="greedy").n_leaves)


def place_and_colour() -> tuple[tw.Table, tw.Table]:
    """Rows to grow on, and rows kept back, on which the loop of the slide ends too early."""
    grown, kept = [], []
    for colour, usual, other in (("red", "Yes", "No"), ("green", "Yes", "No"), ("blue", "No", "Yes")):
        grown += [("in", colour, "big", usual)] * 8 + [("in", colour, "small", other)] * 2
        grown += [("out", colour, "small" if colour == "green" else "big", "No")] * 20
        kept += [("in", colour, "small", usual)] * 3 + [("in", colour, "small", other)]
    names = ("place", "colour", "size", "y")
    tables = [dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) for rows in (grown, kept)]
    return tw.Table.from_dict(tables[0]), tw.Table.from_dict(tables[1])


def test_greedy_against_bottom_up(says: Says) -> None:
    grown, kept = place_and_colour()
    tree = tw.grow(grown, "y", "id3")
    greedy = tw.prune.reduced_error(tree, kept, strategy="greedy")
    best = tw.prune.reduced_error(tree, kept)
    says("001:174", ", ".join(str(n_wrong(t, kept)) for t in (tree, greedy, best)))


def test_error_complexity(says: Says) -> None:
    grown, kept = place_and_colour()
    tree = tw.grow(grown, "y", "id3")
    smaller = tw.prune.error_complexity(tree, kept, 0.1)

    def price(one: tw.Tree) -> float:
        return n_wrong(one, kept) / kept.n_rows + 0.1 * one.n_leaves

    inner = [i for i in range(1, smaller.n_nodes) if not smaller.is_leaf(i)]
    assert all(price(smaller.collapse(i)) > price(smaller) for i in inner)
    assert price(smaller) < price(tree)
    says("001:189", price(smaller))


def three_leaves(errors: int) -> tw.Tree:
    """Three leaves with 2 errors in 20 rows; as a leaf it makes so many."""
    rows = [("a", "no")] * (19 - errors) + [("a", "yes"), ("b", "no"), ("b", "yes"), ("b", "yes")]
    rows += [("c", "yes")] * (errors - 3)
    x, y = map(list, zip(*rows, strict=True))
    return tw.grow(tw.Table.from_dict({"x": x, "y": y}), "y", "id3")


def test_pessimistic(says: Says) -> None:
    tree = three_leaves(4)
    figures = tw.prune.pessimistic_errors(tree)
    assert (tree.n_leaves, tree.weights[0]) == (3, 20)
    says("001:202a", figures.as_leaf[0])
    says("001:202b", figures.as_subtree[0])
    assert figures.standard_error[0] == pytest.approx(1.699265, abs=5e-7)
    forms = [tw.prune.pessimistic(tree, standard_errors=n).n_leaves for n in (0, 1)]
    says("001:202c", ", ".join(map(str, forms)))
    five = three_leaves(5)
    assert [tw.prune.pessimistic(five, standard_errors=n).n_leaves for n in (0, 1)] == [3, 3]


def test_pruned_nodes_take_their_descendants(says: Says, tennis: tw.Table) -> None:
    tree = tw.grow(tennis, PLAY, "id3")
    pruned = tw.prune.pessimistic(tree, standard_errors=10)
    says("001:205", pruned.n_nodes - 1)


def test_the_best_sequence_of_tests(says: Says) -> None:
    for key, n_columns in (("001:231", 2), ("001:318", 3)):
        rows = [row for row in product((0, 1), repeat=n_columns) for _ in range(8)]
        odd = [sum(row) % 2 for row in rows]
        columns = {f"x{i}": [row[i] for row in rows] for i in range(n_columns)}
        columns |= {f"weak{k}": [bit ^ (i * (k + 2) % 11 < 3) for i, bit in enumerate(odd)] for k in range(6)}
        table = tw.Table.from_dict({**columns, "y": ["odd" if bit else "even" for bit in odd]})
        trees = [tw.grow(table, "y", lookahead=levels) for levels in (1, n_columns)]
        assert [n_wrong(tree, table) for tree in trees] == [0, 0]
        says(key, ", ".join(str(tree.n_leaves) for tree in trees))


def test_several_attributes_per_test(says: Says) -> None:
    """Two of four signs are one test where a test may count them, and a slanted line is one sum."""
    rows = list(product((0, 1), repeat=6))
    signs = {f"sign{i}": [row[i] for row in rows] for i in range(6)}
    count = tw.Table.from_dict({**signs, "y": ["ill" if sum(row[:4]) >= 2 else "well" for row in rows]})
    both = tw.Table.from_dict({**signs, "y": ["ill" if all(row[:3]) else "well" for row in rows]})
    grid = list(product(range(8), repeat=2))
    line = tw.Table.from_dict({"a": [a for a, _ in grid], "b": [b for _, b in grid],
                               "y": ["far" if a + b > 7 else "near" for a, b in grid]})  # fmt: skip
    for key, table, splits in (
        ("001:233", count, "m_of_n"),
        ("001:320", both, "conjunction"),
        ("001:359", line, "linear"),
    ):
        trees = [tw.grow(table, "y", splits=kind, prune="none") for kind in ("binary", splits)]
        assert [n_wrong(tree, table) for tree in trees] == [0, 0]
        says(key, ", ".join(str(tree.n_leaves) for tree in trees))


def test_rules(says: Says, tennis: tw.Table) -> None:
    found = [rule.to_text() for rule in tw.rules.from_tree(tw.grow(tennis, PLAY, "id3"))]
    assert len(found) == 6
    says("001:244", found[0])
    says("001:245", found[1])
    says("001:246", found[3])


def test_temperature_cuts(says: Says) -> None:
    table = tw.example("temperature")
    degrees, answers = table.column("Temperature")[1], table.labels("PlayTennis")
    middle = (degrees[1:] + degrees[:-1]) / 2
    gain = {cut: tw.measure.information_gain(degrees <= cut, answers) for cut in middle.tolist()}
    golden = {44.0: 0.190875, 54.0: 0.459148, 65.0: 0.081704, 75.0: 0.0, 85.0: 0.190875}
    assert gain == pytest.approx(golden, abs=5e-7)
    first, second = middle[answers[1:] != answers[:-1]].tolist()
    says("001:277a", first)
    says("001:277b", second)
    says("001:301", listed([gain[first], gain[second]]))
    tree = tw.grow(table, "PlayTennis", criterion="entropy")
    assert tree.gain[0] == pytest.approx(max(gain.values()))
    assert tree.cut[0] == max(gain, key=lambda cut: gain[cut])
    says("001:267", tree.cut[0])


def test_rules_exclude_each_other(says: Says, tennis: tw.Table) -> None:
    tree = tw.grow(tennis, PLAY, "id3")
    rules = tw.rules.from_tree(tree)
    names = tree.schema.names
    rows = [
        dict(zip(names, row, strict=True)) for row in product(*(c.categories for c in tree.schema.columns))
    ]
    assert len(rows) == 54
    holding = {
        sum(all(row[c.column] in c.categories for c in rule.conditions) for rule in rules) for row in rows
    }
    says("001:338", ", ".join(map(str, holding)))
    says("001:339", sum("Outlook" in [c.column for c in rule.conditions] for rule in rules))


def test_the_tree_of_the_slide(says: Says, tennis: tw.Table) -> None:
    tree = tw.grow(tennis, PLAY, "id3")
    assert [tree.node(i).question for i in (0, *tree.children(0))] == ["Outlook", "Humidity", "", "Wind"]
    leaves = [tree.node(i) for i in tree.leaf_ids]
    says("001:347", " ".join(leaf.prediction for leaf in leaves if leaf.n_rows))


def test_instability(says: Says, tennis: tw.Table) -> None:
    def asked(tree: tw.Tree) -> list[str]:
        return [tree.node(i).question for i in range(tree.n_nodes)]

    whole = asked(tw.grow(tennis, PLAY, "id3"))
    others = [asked(tw.grow(tennis.take(np.arange(14) != day), PLAY, "id3")) for day in range(14)]
    says("001:361", sum(other != whole for other in others))


def test_bootstrap_samples(says: Says) -> None:
    draws = np.random.default_rng(0).integers(0, 1000, size=(200, 1000))
    share = np.mean([len(np.unique(sample)) for sample in draws]) / 1000
    assert share == pytest.approx(1 - (1 - 1 / 1000) ** 1000, abs=0.005)
    says("001:370", listed([1 - (1 - 1 / 14) ** 14, 1 - (1 - 1 / 1000) ** 1000, 1 - math.exp(-1)]))


def votes_in_two() -> tuple[tw.Table, tw.Table]:
    votes = tw.example("vote")
    held = np.arange(votes.n_rows) % 3 == 2
    return votes.take(~held), votes.take(held)


def test_few_rows(says: Says) -> None:
    learn, judge = votes_in_two()
    few = learn.take(np.arange(learn.n_rows) % 4 == 0)
    kept_back = tw.grow(few, "Class", prune="reduced_error")
    by_folds = tw.evaluate.reduced_error_by_folds(few, "Class")
    assert by_folds.weights[0] == few.n_rows > kept_back.weights[0]  # every row grows
    says("001:176", n_wrong(by_folds, judge))
    says("001:194", n_wrong(kept_back, judge))


def test_overlapping_rules_are_fewer(says: Says) -> None:
    bits = np.array(list(product([0, 1], repeat=6)))
    y = (bits[:, ::2] & bits[:, 1::2]).any(axis=1)
    columns = {f"x{k}": ["no", "yes"][0:0] or [("no", "yes")[v] for v in bits[:, k]] for k in range(6)}
    tree = tw.grow(tw.Table.from_dict({**columns, "y": [("no", "yes")[int(v)] for v in y]}), "y", "id3")
    rules = tree.rules()
    says("001:340", f"{sum(rule.prediction == 'yes' for rule in rules)} of {tree.n_leaves}, 3")


def test_a_forest(says: Says) -> None:
    learn, judge = votes_in_two()
    noisy = tw.evaluate.corrupt(learn, "Class", label_noise=0.1)
    forest = tw.forest.grow(noisy, "Class", 60, seed=1)
    trees = [forest.tree(i) for i in range(60)]
    roots = {tree.node(0).question for tree in trees}
    says("001:372", len(roots))
    said = np.stack([tree.predict(judge) for tree in trees])
    first = (said == forest.classes[0]).sum(axis=0)
    by_vote = np.where(first > 30, forest.classes[0], forest.classes[1])
    answers = forest.predict(judge)
    says("001:375", int(((answers == by_vote) | (first == 30)).sum()))
    wrong = (said != judge.labels("Class")).sum(axis=1).mean()
    says("001:381", f"{(answers != judge.labels('Class')).sum()}, {wrong:.2f}")


def test_forests_are_stable(says: Says) -> None:
    from treewright.lectures.claims import samples

    learn, judge = votes_in_two()
    some = samples(tw.evaluate.corrupt(learn, "Class", label_noise=0.1))
    trees = [tw.grow(rows, "Class").predict(judge) for rows in some]
    forests = [tw.forest.grow(rows, "Class", 60, seed=1).predict(judge) for rows in some]
    found = [
        np.mean([(a == b).mean() for i, a in enumerate(answers) for b in answers[:i]])
        for answers in (trees, forests)
    ]
    assert found[1] > found[0]
    says("001:382", f"{found[1]:.4f}, {found[0]:.4f}")


def test_stopping_at_thresholds(says: Says) -> None:
    votes = tw.example("vote")
    held = np.arange(votes.n_rows) % 3 == 2
    learn, judge = votes.take(~held), votes.take(held)
    wrong, leaves = [], []
    for least in (0.0, 0.01, 0.03, 0.1, 0.3, 0.8):
        tree = tw.grow(learn, "Class", criterion="entropy", min_gain=least)
        gains = tree.gain[~tree.leaf_mask]
        assert not len(gains) or gains.min() >= least
        wrong.append(int((tree.predict(judge) != judge.labels("Class")).sum()))
        leaves.append(tree.n_leaves)
    assert leaves == sorted(leaves, reverse=True)
    says("001:137", ", ".join(map(str, wrong)))
    says("001:138", ", ".join(map(str, leaves)))


def test_no_stopping_rule_helps_xor(says: Says) -> None:
    xor = tw.Table.from_dict(
        {"a": ["0", "0", "1", "1"], "b": ["0", "1", "0", "1"], "y": ["n", "y", "y", "n"]}
    )
    ways = ({"min_gain": 0.01}, {"significance": 0.05}, {})
    trees = [tw.grow(xor, "y", "id3", **how) for how in ways]
    assert (trees[-1].predict(xor) == xor.labels("y")).all()
    says("001:139", ", ".join(str(tree.n_leaves) for tree in trees))


def test_pruning_without_a_threshold(says: Says) -> None:
    votes = tw.example("vote")
    held = np.arange(votes.n_rows) % 3 == 2
    tree = tw.grow(votes.take(~held), "Class", criterion="entropy", prune="cv")
    judge = votes.take(held)
    says("001:147", int((tree.predict(judge) != judge.labels("Class")).sum()))


def test_a_chess_end_game(says: Says) -> None:
    """Every position judged by hand; the rules, the tree and this agree."""
    table, rules = positions(), overlapping()
    cells = table.to_dict()
    ways = ("file", "rank")
    for i in range(0, table.n_rows, 7):
        king, rook, black = (
            [cells[f"{piece} {way}"][i] for way in ways] for piece in ("king", "rook", "black")
        )
        is_near = all(abs(a - b) <= 1 for a, b in zip(king, black, strict=True))
        is_taken = is_near or any(a == b for a, b in zip(rook, black, strict=True))
        assert cells["taken"][i] == ("yes" if is_taken else "no")
    tree = tw.grow(table, "taken")
    for said in (tree.predict(table), rules.predict(table)):
        assert (said == table.labels("taken")).all()
    says("001:341", f"{tree.n_leaves}, {len(rules)}")
