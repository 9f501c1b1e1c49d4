"""Lecture 004: information theory, worked gains, cost of a tree, regression and classification trees."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from tests.lectures.conftest import Says
from tests.lectures.helpers import counts, fraction, gains, listed, n_in_common, n_wrong

PLAY = "PlayTennis"

TABLE = """
Sunny Hot High Weak No
Sunny Hot High Strong No
Overcast Hot High Weak Yes
Rain Mild High Weak Yes
Rain Cool Normal Weak Yes
Rain Cool Normal Strong No
Overcast Cool Normal Strong Yes
Sunny Mild High Weak No
Sunny Cool Normal Weak Yes
Rain Mild Normal Weak Yes
Sunny Mild Normal Strong Yes
Overcast Mild High Strong Yes
Overcast Hot Normal Weak Yes
Rain Mild High Strong No
"""
# Yes and no of each group of the worked example, as its fractions say.
OUTLOOK = np.array([[2, 3], [4, 0], [1, 4]])
TEMPERATURE = np.array([[2, 2], [1, 3], [4, 2]])
Y = (1, 2, 1, 3, 2, 3, 8, 9, 8, 7, 9, 8)  # ours: the slide's twelve points have no numbers


@pytest.fixture(scope="module")
def tennis() -> tw.Table:
    return tw.example("tennis")


def test_the_table_of_lecture_004(says: Says, tennis: tw.Table) -> None:
    rows = [line.replace("Rain ", "Rainy ").split() for line in TABLE.split("\n") if line]
    says("004:41", n_in_common(tennis, rows))


def test_largest_entropy(says: Says) -> None:
    says("004:120", tw.measure.entropy([1] * 5))
    others = np.random.default_rng(0).dirichlet([1] * 5, size=100)
    assert (tw.measure.entropy(others) <= np.log2(5)).all()
    says("004:128", tw.measure.entropy([9, 5]))


def test_cross_entropy_and_divergence(says: Says) -> None:
    p, q = [9, 5], [7, 7]
    says("004:134", tw.measure.cross_entropy(p, q))
    says("004:142", tw.measure.kl_divergence(p, q))
    for p, q in zip(*np.random.default_rng(0).dirichlet([1] * 4, size=(2, 20)), strict=True):
        apart = tw.measure.cross_entropy(p, q) - tw.measure.entropy(p)
        assert tw.measure.kl_divergence(p, q) == pytest.approx(apart)


def test_mutual_information(says: Says, tennis: tw.Table) -> None:
    x, y = tennis.labels(PLAY), tennis.labels("Outlook")
    both = [f"{a} {b}" for a, b in zip(x, y, strict=True)]
    h = tw.measure.entropy
    says("004:200a", h(x) - tw.measure.conditional_entropy(y, x))
    says("004:200b", h(y) - tw.measure.conditional_entropy(x, y))
    says("004:209a", h(x) + h(y) - h(both))
    says("004:209b", h(both))
    assert tw.measure.mutual_information(x, y) == pytest.approx(h(x) + h(y) - h(both))


def grown(groups: np.ndarray, criterion: str = "entropy") -> dict[str, float]:
    """Return what the ledger says of a column with these groups."""
    rows = [
        (f"g{i}", c)
        for i, group in enumerate(groups)
        for c, n in zip("yn", group, strict=True)
        for _ in range(n)
    ]
    x, y = map(list, zip(*rows, strict=True))
    tree = tw.grow(tw.Table.from_dict({"x": x, "y": y}), "y", "id3", criterion=criterion, ledger=True)
    return tree.candidates(0)[0]


def test_worked_gain_of_outlook(says: Says) -> None:
    assert OUTLOOK.sum(axis=0).tolist() == [7, 7]
    says("004:228", tw.measure.entropy(OUTLOOK[0]))
    says("004:230", tw.measure.entropy(OUTLOOK[1]))
    says("004:232", tw.measure.entropy(OUTLOOK[2]))
    says("004:234", tw.measure.conditional_entropy(OUTLOOK))
    says("004:236a", tw.measure.entropy(OUTLOOK.sum(axis=0)))
    assert grown(OUTLOOK)["gain"] == pytest.approx(0.395400, abs=5e-7)
    says("004:236b", grown(OUTLOOK)["gain"])


def test_worked_gain_of_temperature(says: Says) -> None:
    assert TEMPERATURE.sum(axis=0).tolist() == [7, 7]
    says("004:240", tw.measure.entropy(TEMPERATURE[0]))
    says("004:242", tw.measure.entropy(TEMPERATURE[1]))
    says("004:244", tw.measure.entropy(TEMPERATURE[2]))
    says("004:246a", tw.measure.conditional_entropy(TEMPERATURE))
    says("004:246b", fraction(TEMPERATURE[2].sum(), TEMPERATURE.sum()))
    assert grown(TEMPERATURE)["gain"] == pytest.approx(0.088937, abs=5e-7)
    says("004:248", grown(TEMPERATURE)["gain"])


def test_worked_gains_are_not_of_the_table(says: Says, tennis: tw.Table) -> None:
    assert counts(tennis, "Outlook", PLAY)["Rainy"].tolist() == [3, 2]
    found = gains(tw.grow(tennis, PLAY, "id3", ledger=True))
    says("004:236c", found["Outlook"])
    says("004:248b", found["Temperature"])


def test_worked_ratios(says: Says) -> None:
    outlook, temperature = (grown(groups, "gain_ratio") for groups in (OUTLOOK, TEMPERATURE))
    assert outlook["split_info"] == pytest.approx(tw.measure.split_information(OUTLOOK))
    says("004:274", outlook["split_info"])
    says("004:276", outlook["score"])
    says("004:282", temperature["split_info"])
    says("004:284", temperature["score"])


def test_xor(says: Says) -> None:
    table = tw.example("and_or_xor")
    table = tw.Table.from_dict(
        {name: [str(int(v)) for v in table.column(name)[1]] for name in ("x1", "x2", "xor")}
    )
    on, stopped = tw.grow(table, "xor", "id3"), tw.grow(table, "xor", "id3", min_gain=0.001)
    assert n_wrong(on, table) == 0
    says("004:294", f"{on.n_leaves}, {stopped.n_leaves}")


def test_each_feature_once(says: Says) -> None:
    most = 0
    for name in ("tennis", "restaurant", "contact_lenses"):
        tree = tw.grow(tw.example(name), tw.example_target(name), "id3")
        for leaf in tree.leaf_ids.tolist():
            asked = [tree.node(i).question for i in tree.path_to(leaf)[:-1]]
            most = max(most, *(asked.count(column) for column in asked))
    says("004:303", most)


def test_a_leaf_for_each_instance(says: Says, tennis: tw.Table) -> None:
    dated = tw.Table.from_dict({"Date": [f"D{i}" for i in range(14)], **tennis.to_dict()})
    tree = tw.grow(dated, PLAY, "id3")
    says("004:315", f"{tree.n_leaves}, {n_wrong(tree, dated)}")


def test_regularised_cost(says: Says, tennis: tw.Table) -> None:
    tree = tw.grow(tennis, PLAY, "id3", max_depth=1)
    cost = sum(tree.weights[i] * tw.measure.entropy(tree.stats[i]) for i in tree.leaf_ids)
    says("004:323", cost)
    says("004:342", cost + 1 * tree.n_leaves)
    limit = float(14 * tree.gain[0] / (3 - 1))
    assert [tw.prune.regularised(tree, limit + step).n_leaves for step in (-1e-6, 1e-6)] == [3, 1]
    says("004:359", limit)


def test_cart_cuts(says: Says) -> None:
    tree = tw.grow(tw.example("temperature"), "PlayTennis", "plain", criterion="entropy")
    inner = [i for i in range(tree.n_nodes) if not tree.is_leaf(i)]
    says("004:377", listed(tree.cut[inner]))
    says("004:378", ", ".join(tree.node(i).question for i in inner))


def losses() -> dict[int, float]:
    """Return the squared deviations that each cut leaves, as the first formula has them."""
    y = np.array(Y, dtype=float)
    return {
        k: float(((y[:k] - y[:k].mean()) ** 2).sum() + ((y[k:] - y[k:].mean()) ** 2).sum())
        for k in range(1, 12)
    }


def test_squared_loss(says: Says) -> None:
    table = tw.Table.from_dict({"x": list(range(1, 13)), "y": list(Y)})
    tree = tw.grow(table, "y", max_depth=1)
    best = min(losses(), key=lambda k: losses()[k])
    assert min(losses(), key=lambda k: losses()[k] / 2) == best
    assert tree.cut[0] == best + 0.5
    regions = [[1 <= x <= 6, 7 <= x <= 12] for x in range(1, 13)]
    means = [np.mean(Y[:6]), np.mean(Y[6:])]
    assert tree.predict(table) == pytest.approx([np.dot(means, inside) for inside in regions])
    says("004:406", ", ".join({str(sum(inside)) for inside in regions}))
    says("004:410", tree.cut[0])
    says("004:414", tree.node(1).prediction)
    there = tw.Table.from_dict({"x": [float(tree.cut[0])]})
    says("004:423", tree.children(0).index(int(tree.leaves(there)[0])))


def test_running_sums(says: Says) -> None:
    found = {
        k: len(Y) * (tw.measure.variance(Y) - tw.measure.variance_reduction(np.arange(12) < k, Y))
        for k in range(1, 12)
    }
    assert found == pytest.approx(losses())
    says("004:458", found[6])
    says("004:472", found[6])
    says("004:484", found[6])
    says("004:486", found[7])
    before, after = ((sum(Y[:k]), sum(Y[k:])) for k in (6, 7))
    assert (after[0] - before[0], before[1] - after[1]) == (Y[6], Y[6])
    says("004:492", sum(a != b for a, b in zip(before, after, strict=True)))


def test_leaf_distribution(says: Says, tennis: tw.Table) -> None:
    tree = tw.grow(tennis, PLAY, "id3", max_depth=1)
    sunny = tree.node(tree.children(0)[0])
    says("004:510", listed(sunny.shares))
    assert tree.predict_proba(tennis)[0] == pytest.approx(sunny.shares)
    says("004:595", tree.predict(tennis)[0])


def test_one_category_against_the_rest(says: Says, tennis: tw.Table) -> None:
    tree = tw.grow(tennis, PLAY, splits="one_vs_rest", max_depth=1)
    root = tree.node(0)
    says("004:524", f"{root.question} {root.answers[0]}")
    left = {}
    for name in ("Outlook", "Temperature", "Humidity", "Wind"):
        for category, inside in counts(tennis, name, PLAY).items():
            two = [inside, np.array([9, 5]) - inside]
            left[f"{name} = {category}"] = sum(side.sum() / 14 * tw.measure.gini(side) for side in two)
    assert min(left, key=lambda test: left[test]) == "Outlook = Overcast"
    assert tw.measure.gini([9, 5]) - tree.gain[0] == pytest.approx(left["Outlook = Overcast"])
    says("004:566", left["Outlook = Overcast"])


def test_gini_of_two_classes(says: Says) -> None:
    says("004:535", tw.measure.gini([9, 5]))
    says("004:548", tw.measure.gini([9 / 14, 5 / 14]))


def test_stop_conditions(says: Says, tennis: tw.Table) -> None:
    trees = [
        tw.grow(tennis, PLAY, "id3", min_split=6),
        tw.grow(tennis, PLAY, "id3", criterion="gini", min_gain=0.12),
        tw.grow(tw.Table.from_dict({"x": ["1", "1"], "y": ["a", "b"]}), "y", "id3"),
    ]
    says("004:576", ", ".join(str(tree.n_leaves) for tree in trees))


def test_movie_rules(says: Says) -> None:
    ratings = {
        "Age": [12, 15, 18, 22, 30, 41, 25, 36],
        "Gender": ["Male", "Female", "Male", "Male", "Male", "Male", "Female", "Female"],
        "rating": [2.6, 2.8, 3.0, 4.7, 4.8, 4.9, 4.0, 4.2],
    }
    tree = tw.grow(tw.Table.from_dict(ratings), "rating", max_leaves=3)
    assert tree.node(0).question == "Age"
    says("004:612", tree.cut[0])
    asked = tw.Table.from_dict({"Age": [30, 30, 15], "Gender": ["Male", "Female", "Male"]})
    men, women, young = tree.predict(asked).tolist()
    says("004:614", men)
    says("004:616", women)
    says("004:618", young)
