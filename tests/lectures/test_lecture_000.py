"""Lecture 000: entropy, information gain, restaurant and play tennis by ID3."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import treewright as tw
from tests.lectures.conftest import Says
from tests.lectures.helpers import LETTERS, TENNIS, counts, fraction, gains, n_in_common, n_wrong
from treewright.lectures.pictures import ring

PLAY = "PlayTennis"


@pytest.fixture(scope="module")
def tennis() -> tw.Table:
    return tw.example("tennis")


@pytest.fixture(scope="module")
def tree(tennis: tw.Table) -> tw.Tree:
    return tw.grow(tennis, PLAY, "id3", ledger=True)


def test_a_branch_for_each_value(says: Says, tree: tw.Tree) -> None:
    inner = [i for i in range(tree.n_nodes) if not tree.is_leaf(i)]
    assert all(len(tree.children(i)) == len(tree.schema[tree.node(i).question].categories) for i in inner)
    says("000:111", ", ".join(str(len(tree.children(i))) for i in inner))


def test_the_smallest_tree_of_the_restaurant(says: Says) -> None:
    table = tw.example("restaurant")
    greedy = tw.grow(table, "Wait", "id3")
    found = tw.optimal(table, "Wait", 4, leaf_price=0.01, splits="multiway")
    assert found.certificate.is_proven
    assert (n_wrong(greedy, table), n_wrong(found.tree, table)) == (0, 0)
    says("000:308", f"{greedy.n_leaves}, {found.tree.n_leaves}")


def test_greedy_trees_need_not_be_the_smallest(says: Says) -> None:
    rows = [("0", "0", "n"), ("0", "1", "y"), ("1", "0", "y"), ("1", "1", "n")]
    rows += [("0", "0", "n"), ("0", "1", "n"), ("1", "0", "y"), ("1", "1", "y")]
    columns = {name: [row[i] for row in rows] for i, name in enumerate(("x1", "x2", "hint"))}
    table = tw.Table.from_dict({**columns, "y": ["y" if a != b else "n" for a, b, _ in rows]})
    greedy = tw.grow(table, "y", "id3")
    best = tw.optimal(table, "y", 3, leaf_price=0.01, splits="multiway").tree
    assert (n_wrong(greedy, table), n_wrong(best, table)) == (0, 0)
    says("000:312", f"{greedy.n_leaves}, {best.n_leaves}")


def test_any_boolean_function(says: Says) -> None:
    rows = list(product((False, True), repeat=3))
    right = 0
    for answers in product("01", repeat=8):
        if len(set(answers)) == 1:  # a constant: the tree is a leaf
            right += 1
            continue
        table = tw.Table.from_dict(
            {**{f"x{i}": [str(row[i]) for row in rows] for i in range(3)}, "y": list(answers)}
        )
        right += tw.grow(table, "y", "id3").predict(table).tolist() == list(answers)
    says("000:144", right)


def test_values_of_the_features(says: Says, tennis: tw.Table) -> None:
    says("000:191", ", ".join(str(len(c.categories)) for c in tennis.schema.columns[:4]))


def test_the_table_in_letters(says: Says, tennis: tw.Table) -> None:
    rows = [
        [words[letter] for words, letter in zip(LETTERS, line.split(), strict=True)]
        for line in TENNIS.split("\n")
        if line
    ]
    says("000:202", n_in_common(tennis, rows))


def test_the_tree(tree: tw.Tree) -> None:
    assert tree.to_text().splitlines() == [
        "Outlook",
        "├─ = Sunny → Humidity",
        "│  ├─ = High → No  (3 rows)",
        "│  ├─ = Normal → Yes  (2 rows)",
        "│  └─ = Low → No  (empty: no training row came here)",
        "├─ = Overcast → Yes  (4 rows)",
        "└─ = Rainy → Wind",
        "   ├─ = Strong → No  (2 rows)",
        "   └─ = Weak → Yes  (3 rows)",
    ]


def test_an_empty_branch(says: Says, tree: tw.Tree) -> None:
    empty = [tree.node(i) for i in range(tree.n_nodes) if tree.node(i).n_rows == 0]
    assert [(node.answer, node.parent) for node in empty] == [("= Low", tree.children(0)[0])]
    says("000:291", empty[0].prediction)


def test_entropy_of_the_extremes(says: Says) -> None:
    says("000:372", tw.measure.entropy([7, 0]))
    says("000:374", tw.measure.entropy([0.5, 0.5]))


def test_patrons(says: Says) -> None:
    table = tw.example("restaurant")
    found = counts(table, "Pat", "Wait")
    says("000:399a", len(found))
    for key, answer in (("000:409", "None"), ("000:413a", "Some"), ("000:417", "Full")):
        says(key, tw.measure.entropy(found[answer]))
    says("000:413b", fraction(found["Some"][1], found["Some"].sum()))
    for key, answer in (("000:425a", "None"), ("000:425b", "Some"), ("000:425c", "Full")):
        says(key, fraction(found[answer].sum(), table.n_rows))
    left = tw.measure.conditional_entropy(table.labels("Pat"), table.labels("Wait"))
    assert left == pytest.approx(tw.measure.conditional_entropy(list(found.values())))
    says("000:399b", left)
    says("000:425d", left)


def test_type(says: Says) -> None:
    table = tw.example("restaurant")
    says("000:401", tw.measure.conditional_entropy(table.labels("Type"), table.labels("Wait")))


def test_patrons_over_type(says: Says) -> None:
    tree = tw.grow(tw.example("restaurant"), "Wait", "id3", ledger=True)
    found = gains(tree)
    assert found["Pat"] > found["Type"]
    assert found["Type"] == pytest.approx(0, abs=1e-12)
    says("000:403", tree.node(0).question)


def test_the_root(says: Says, tennis: tw.Table, tree: tw.Tree) -> None:
    yes, no = (int((tennis.labels(PLAY) == c).sum()) for c in ("Yes", "No"))
    assert tree.stats[0].tolist() == [yes, no]
    says("000:489", fraction(yes, 14))
    says("000:491", fraction(no, 14))
    says("000:497", tw.measure.entropy([yes, no]))


def test_outlook(says: Says, tennis: tw.Table, tree: tw.Tree) -> None:
    found = counts(tennis, "Outlook", PLAY)
    for (size, p, n, h), answer in (
        (("000:519", "000:521a", "000:521b", "000:521c"), "Sunny"),
        (("000:545", "000:547a", "000:547b", "000:547c"), "Overcast"),
        (("000:591", "000:593a", "000:593b", "000:593c"), "Rainy"),
    ):
        yes, no = found[answer].tolist()
        says(size, f"{yes + no} of {tennis.n_rows}")
        says(p, fraction(yes, yes + no))
        says(n, fraction(no, yes + no) if no else 0)
        says(h, tw.measure.entropy([yes, no]))
    says("000:597", tw.measure.conditional_entropy(list(found.values())))
    says("000:601", tree.gain[0])


def test_humidity(says: Says, tennis: tw.Table, tree: tw.Tree) -> None:
    found = counts(tennis, "Humidity", PLAY)
    for (p, n, h), answer in (
        (("000:641a", "000:641b", "000:643"), "High"),
        (("000:671a", "000:671b", "000:673"), "Normal"),
    ):
        yes, no = found[answer].tolist()
        says(p, fraction(yes, yes + no))
        says(n, fraction(no, yes + no))
        says(h, tw.measure.entropy([yes, no]))
    says("000:677", tw.measure.conditional_entropy(tennis.labels("Humidity"), tennis.labels(PLAY)))
    says("000:715", gains(tree)["Humidity"])


def test_all_gains(says: Says, tennis: tw.Table, tree: tw.Tree) -> None:
    for key, name in (
        ("000:721", "Outlook"),
        ("000:723", "Humidity"),
        ("000:725", "Wind"),
        ("000:727", "Temperature"),
    ):
        by_measure = tw.measure.information_gain(tennis.labels(name), tennis.labels(PLAY))
        assert gains(tree)[name] == pytest.approx(by_measure, abs=1e-12)
        says(key, by_measure)
    says("000:757", tree.node(0).question)


def test_where_it_ends(says: Says, tree: tw.Tree) -> None:
    leaves = [tree.stats[i] for i in tree.leaf_ids]
    says("000:812", sum(np.count_nonzero(counted) <= 1 for counted in leaves))


def test_below_sunny(says: Says, tennis: tw.Table, tree: tw.Tree) -> None:
    sunny = tennis.labels("Outlook") == "Sunny"
    below = gains(tree, tree.children(0)[0])
    answers = tennis.labels(PLAY)[sunny]
    says("000:835a", tw.measure.entropy(answers))
    humidity = counts(tennis, "Humidity", PLAY, sunny)
    says("000:835b", fraction(humidity["High"].sum(), 5))
    says("000:835c", fraction(humidity["Normal"].sum(), 5))
    says("000:835d", below["Humidity"])
    says("000:837a", tw.measure.entropy(counts(tennis, "Temperature", PLAY, sunny)["Mild"]))
    says("000:837b", below["Temperature"])
    says("000:839a", tw.measure.entropy(counts(tennis, "Wind", PLAY, sunny)["Weak"]))
    says("000:839b", below["Wind"])
    for name, gain in below.items():
        assert tw.measure.information_gain(tennis.labels(name)[sunny], answers) == pytest.approx(gain)


def test_days_of_sunny(says: Says, tennis: tw.Table, tree: tw.Tree) -> None:
    sunny = tree.children(0)[0]
    leaves = tree.leaves(tennis)
    here = np.flatnonzero((leaves >= sunny) & (leaves < tree.end[sunny]))
    says("000:841", ", ".join(str(row + 1) for row in here))


def test_the_tree_as_one_formula(says: Says) -> None:
    rows = [("blue", "triangle", "B"), ("blue", "square", "A"), ("blue", "circle", "C")]
    rows += [(c, s, a) for c, a in (("red", "B"), ("green", "A")) for s in ("triangle", "square", "circle")]
    colour, shape, label = (list(cells) for cells in zip(*rows, strict=True))
    tree = tw.grow(tw.Table.from_dict({"Color": colour, "Shape": shape, "Label": label}), "Label", "id3")
    text = tw.rules.formula(tree, ascii=True)
    found = 0
    for row in rows:
        known = dict(zip(("Color", "Shape", "Label"), row, strict=True))
        # Every implication, worked out by itself: a test that fails, or an answer that holds.
        parts = [part.strip("()").split(" => ") for part in text.split(" AND\n")]
        found += all(
            known["Label"] == answer.partition(" = ")[2]
            or any(
                known[test.partition(" = ")[0]] != test.partition(" = ")[2] for test in tests.split(" AND ")
            )
            for tests, answer in parts
        )
    says("000:166", f"{len(parts)}, {found}")


def test_noisy_data(says: Says) -> None:
    votes = tw.example("vote")
    held = np.arange(votes.n_rows) % 3 == 2
    learn, judge = votes.take(~held), votes.take(held)
    found = []
    for noise in ({"label_noise": 0.2}, {"attribute_noise": 0.2}):
        noisy = tw.evaluate.corrupt(learn, "Class", **noise)
        found += [n_wrong(tw.grow(noisy, "Class", "c4.5", prune=p), judge) for p in ("none", "error_based")]
    assert found[1] < found[0]
    assert found[3] < found[2]
    says("000:174", ", ".join(map(str, found)))


def test_how_many_rows_are_enough(says: Says) -> None:
    # Trees of 3 leaves over 2 columns: 2^5 shapes at most, 2 columns for 2 tests, 2 classes for 3 leaves.
    size = 2**5 * 2**2 * 2**3
    assert tw.evaluate.rows_needed(3, 2) == int(np.ceil((np.log(size) + np.log(20)) / 0.1))
    says("000:52", tw.evaluate.rows_needed(6, 4))


def test_regions_are_rectangles(says: Says) -> None:
    """Every leaf of a tree is a rectangle: a box of the points of a grid that come there."""
    tree = tw.grow(ring(), "colour")
    ends = np.linspace(-1.5, 1.5, 60)
    grid = [(a, b) for a in ends for b in ends]
    leaf = tree.leaves(tw.Table.from_dict({"x": [a for a, _ in grid], "y": [b for _, b in grid]}))
    whole = 0
    for node in set(leaf.tolist()):
        mine = {point for point, at in zip(grid, leaf.tolist(), strict=True) if at == node}
        across, along = {a for a, _ in mine}, {b for _, b in mine}
        box = [p for p in grid if min(across) <= p[0] <= max(across) and min(along) <= p[1] <= max(along)]
        whole += len(box) == len(mine)
    says("000:138", f"{len(set(leaf.tolist()))}, {whole}")
