"""Lecture 003: stumps, 0-1 loss, Gini, information gain, overfitting."""

from __future__ import annotations

import math

import numpy as np
import pytest

import treewright as tw
from tests.lectures.conftest import Says
from tests.lectures.helpers import counts, gains, listed, n_wrong
from tests.lectures.statements import STATEMENTS
from treewright.draw.partitions import first_splits, split_order
from treewright.draw.shading import ratio_tint
from treewright.lectures.pictures import ring
from treewright.lectures.points import circle, sides
from treewright.lectures.stump import animals

PLAY = "PlayTennis"


def test_the_loop_of_the_stump(says: Says) -> None:
    """Two runs of the slide's loop: as printed, and with the line that is missing."""
    table = animals()
    answers = table.labels("meat") == "yes"
    ends = []
    for is_mended in (False, True):
        best, feature = 0.0, "teeth"
        for name in table.names[:-1]:
            for match in (False, True):
                accuracy = np.mean((np.array(table.to_dict()[name]) == match) == answers)
                if accuracy > best:
                    feature = name
                    best = accuracy if is_mended else best
        ends.append(feature)
    tree = tw.grow(table, "meat", "stump")
    assert ends == ["swims", "teeth"]
    says("003:408", tree.node(0).question)
    says("003:425", n_wrong(tree, table))


def test_a_stump_breaks_ties_by_entropy() -> None:
    tree = tw.grow(tw.example("tennis"), PLAY, "stump", ledger=True)
    assert tree.depth == 1
    scores = {c["column"]: round(c["score"] * 14) for c in tree.candidates(0)}
    assert scores == {"Outlook": 1, "Humidity": 1, "Wind": 0, "Temperature": 0}
    assert tree.candidates(0)[0]["column"] == "Humidity"


def test_identity_or_its_inverse(says: Says) -> None:
    x = [True, True, False, False, True]
    tables = [
        tw.Table.from_dict({"x": values, "y": ["a", "a", "b", "b", "a"]})
        for values in (x, [not v for v in x])
    ]
    said = [tw.grow(table, "y", "stump").predict(table).tolist() for table in tables]
    assert said[0] == ["a", "a", "b", "b", "a"]
    says("003:432", "same" if said[0] == said[1] else "not the same")


def test_a_point_on_the_split(says: Says) -> None:
    table = tw.Table.from_dict({"x": [1.0, 4.0], "y": ["a", "b"]})
    tree = tw.grow(table, "y", "stump")
    there = tw.Table.from_dict({"x": [float(tree.cut[0])]})
    says("003:448", tree.children(0).index(int(tree.leaves(there)[0])))


def test_accuracies_of_stumps(says: Says) -> None:
    """The points of the slide are a picture. Spread evenly over a square, ours do as well, within chance."""
    table = sides(1000)
    blue = table.labels("colour") == "blue"
    printed = {
        row.key: float(row.printed.rstrip("%")) / 100 for row in STATEMENTS if row.printed.endswith("%")
    }
    found = {}
    for key, column, split in (
        ("003:457", "y", 0.5),
        ("003:468", "y", 0.3),
        ("003:480", "x", -0.5),
        ("003:494", "x", 0.2),
        ("003:510", "x", 0.0),
    ):
        left = np.asarray(table.column(column)[1]) < split
        sides_right = [max(np.sum(blue & side), np.sum(~blue & side)) for side in (left, ~left)]
        found[key] = sum(sides_right) / 1000
        spread = math.sqrt(found[key] * (1 - found[key]) * (1 / 1000 + 1 / smallest_sample(printed.values())))
        assert abs(found[key] - printed[key]) <= 3 * spread
    says("003:457", found["003:457"])
    says("003:468", found["003:468"])
    says("003:480", found["003:480"])
    says("003:494", found["003:494"])
    says("003:510", found["003:510"])
    tree = tw.grow(table, "colour", "stump")
    assert n_wrong(tree, table) == 0
    says("003:509", tree.node(0).question)


def smallest_sample(shares: object) -> int:
    """Return the least number of points for which all the percentages can be shares of points."""
    for n in range(1, 2000):
        if all(
            any(round(100 * k / n, 1) == round(100 * s, 1) for k in (math.floor(s * n), math.ceil(s * n)))
            for s in shares
        ):
            return n
    raise AssertionError("no number of points fits")


def test_half_way(says: Says) -> None:
    says("003:519", tw.grow(tw.Table.from_dict({"x": [1, 4], "y": ["a", "b"]}), "y", "stump").cut[0])


def test_a_binary_tree(says: Says) -> None:
    tree = tw.grow(circle(300, 0.1), "colour")
    assert tree.branch_counts[~tree.leaf_mask].tolist() == [2] * (tree.n_leaves - 1)
    says("003:582", tree.n_nodes - 2 * tree.n_leaves)


def test_errors_are_not_enough_in_a_tree(says: Says) -> None:
    table = circle(1000)
    trees = [tw.grow(table, "colour", criterion=c, max_leaves=8, min_gain=1e-9) for c in ("error", "gini")]
    wrong = [n_wrong(tree, table) for tree in trees]
    assert wrong[1] < wrong[0]
    says("003:691", ", ".join(map(str, wrong)))


def test_gini_as_a_probability(says: Says) -> None:
    answers = tw.example("tennis").labels(PLAY)
    pairs = sum(a != b for a in answers for b in answers)
    assert tw.measure.gini(answers) == pytest.approx(pairs / 14**2, abs=1e-15)
    says("003:709", pairs)
    says("003:710", tw.measure.gini([14]))
    says("003:711", tw.measure.gini([1] * 14))
    assert all(tw.measure.gini(np.diff([0, *cuts, 14])) <= 1 - 1 / 14 for cuts in ([3, 5], [7], [1, 2, 3, 9]))


def test_gini_formula(says: Says) -> None:
    says("003:718", tw.measure.gini([9, 5]))


def test_weighting_the_split(says: Says) -> None:
    tennis = tw.example("tennis")
    found = list(counts(tennis, "Wind", PLAY).values())
    left = sum(side.sum() / 14 * tw.measure.gini(side) for side in found)
    assert left == pytest.approx(tw.measure.gini([9, 5]) - tw.measure.gini_decrease(found))
    says("003:735", left)


def test_bits_and_nats(says: Says) -> None:
    says("003:763", tw.measure.entropy([9, 5]))
    says("003:766", tw.measure.entropy([9, 5], base=math.e))


def test_information_gain_of_two_branches(says: Says) -> None:
    tennis = tw.example("tennis")
    says("003:777", tw.measure.information_gain(tennis.labels("Wind"), tennis.labels(PLAY)))


def test_gini_and_gain_agree(says: Says) -> None:
    tennis = tw.example("tennis")
    orders = []
    for criterion in ("gini", "entropy"):
        found = gains(tw.grow(tennis, PLAY, "id3", criterion=criterion, ledger=True))
        orders.append(sorted(found, key=lambda name: -found[name]))
    says("003:783", "same" if orders[0] == orders[1] else "not the same")


def test_a_test_set_detects_overfitting(says: Says) -> None:
    training, test = circle(400, 0.1, seed=0), circle(1000, 0.1, seed=1)
    tree = tw.grow(training, "colour")
    says("003:834", listed(n_wrong(tree, rows) / rows.n_rows for rows in (training, test)))


def test_stopping_early_helps(says: Says) -> None:
    training, test = circle(400, 0.1, seed=0), circle(1000, 0.1, seed=1)
    full = n_wrong(tw.grow(training, "colour"), test)
    limited = {"003:840": {"max_depth": 5}, "003:841": {"min_leaf": 10}}
    lower = {
        key: n_wrong(tw.grow(training, "colour", **limit), test) < full for key, limit in limited.items()
    }
    says("003:840", "lower" if lower["003:840"] else "not lower")
    says("003:841", "lower" if lower["003:841"] else "not lower")


def test_the_loss_of_every_split(says: Says) -> None:
    iris = tw.example("iris")
    x, y = iris.labels("petalwidth").astype(float), iris.labels("class")
    found = tw.measure.cut_losses(x, y)
    values = np.unique(x)
    assert found.cuts == pytest.approx((values[:-1] + values[1:]) / 2)
    for cut, loss in zip(found.cuts, found.losses, strict=True):
        sides = [y[x <= cut], y[x > cut]]
        gini = [1 - sum((side == c).mean() ** 2 for c in set(y)) for side in sides]
        assert loss == pytest.approx(sum(len(side) * g for side, g in zip(sides, gini, strict=True)) / len(y))
    stump = tw.grow(iris.select(["petalwidth", "class"]), "class", max_depth=1, criterion="gini")
    assert found.best == float(stump.cut[0])
    says("003:520", f"{len(found.cuts)}, {found.losses.min():.6f}, {found.best:g}")


def test_useless_columns_are_ignored(says: Says) -> None:
    from treewright.lectures.claims import drawn

    table = drawn()
    with_them = tw.grow(table, "colour", max_depth=1)
    without = tw.grow(table.select(["x", "y", "colour"]), "colour", max_depth=1)
    says("003:854", int((with_them.predict(table) != without.predict(table.select(["x", "y"]))).sum()))


def test_the_ratio_behind_the_points(says: Says) -> None:
    """What shades a side of the first split is the share of red among its points, counted here."""
    table = ring()
    stump = tw.grow(table, "colour", max_depth=1)
    column, cut = stump.schema.names[int(stump.column[0])], float(stump.cut[0])
    is_left = np.asarray(table.to_dict()[column]) <= cut
    red = table.labels("colour") == "red"
    shares = [red[side].mean() for side in (is_left, ~is_left)]
    x, y = table.drop("colour"), table.labels("colour")
    cells = tw.draw.boundary(stump, x, y, background="ratio").layers[0]
    tints = dict(zip([box[0] < cut - 1e-9 for box in cells.boxes], cells.colours, strict=True))
    left, right = (ratio_tint([share, 1 - share]) for share in shares)
    assert (tints[True], tints[False]) == (left, right)
    says("003:541", ", ".join(f"{share:.4f}" for share in shares))


def test_regions_after_each_split(says: Says) -> None:
    table = ring()
    tree = tw.grow(table, "colour")
    n = tree.n_leaves - 1
    order = split_order(tree)
    assert sorted(order) == np.flatnonzero(~tree.leaf_mask).tolist()
    assert all(order.index(int(tree.parents[node])) < order.index(node) for node in order[1:])
    pages = tw.draw.partitions(tree, table.drop("colour"), table.labels("colour"), splits=[0, 1, 2, n])
    assert [chart.title for chart in pages.charts] == ["no split", "1 split", "2 splits", f"{n} splits"]
    says("003:553", ", ".join(str(first_splits(tree, order, k).n_leaves) for k in (0, 1, 2, n)))


def test_curves_of_impurity(says: Says) -> None:
    p = np.linspace(0, 1, 201)[1:-1]
    half = -(p * np.log2(p) + (1 - p) * np.log2(1 - p)) / 2
    says("003:784", round(float(np.abs(half - 2 * p * (1 - p)).max()), 6))


def test_hyperparameters_are_optimised_too(says: Says) -> None:
    votes = tw.example("vote")
    found = {}
    for criterion in ("gini", "entropy"):
        for depth in (1, 3, 5):
            judged = tw.evaluate.cross_validate(votes, "Class", folds=5, criterion=criterion, max_depth=depth)
            wrong = (judged.answers.given != judged.answers.truth).mean()
            found[f"{criterion}, depth {depth}"] = round(float(wrong), 6)
    says("003:848", len(found))
    best = min(found, key=found.__getitem__)
    says("003:850", f"{best}, {found[best]:.6f}")
