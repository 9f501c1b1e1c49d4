"""Lecture 004: information theory, worked gains, cost of a tree, regression and classification trees."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from tests.lectures.conftest import Says
from tests.lectures.helpers import counts, fraction, gains, listed, n_in_common, n_wrong
from tests.oracle.optimal import Trial, least_cost

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


def test_exhaustive_search(says: Says, tennis: tw.Table) -> None:
    columns = [("nominal", tennis.column(name)[1].astype(float)) for name in tennis.names[:-1]]
    levels = [len(tennis.column(name)[0].categories) for name in tennis.names[:-1]]
    trial = Trial(columns, levels, tennis.column(PLAY)[1], 2, np.ones(14), splits="multiway")
    found = tw.optimal(tennis, PLAY, 2, splits="multiway").certificate
    assert found.is_proven
    says("004:81", f"{least_cost(trial, 2):g}, {found.upper:g}")


def test_the_least_cost_of_all_trees(says: Says) -> None:
    table = tw.example("restaurant")
    first = tw.optimal(table, "Wait", 1, criterion="entropy", splits="multiway").certificate
    says("004:334a", first.upper)
    greedy = tw.grow(table, "Wait", "id3", max_depth=2)
    leaves = [i for i in greedy.leaf_ids if greedy.weights[i] > 0]
    cost = sum(greedy.weights[i] * tw.measure.entropy(greedy.stats[i]) for i in leaves)
    found = tw.optimal(table, "Wait", 2, criterion="entropy", splits="multiway").certificate
    assert first.is_proven
    assert found.is_proven
    says("004:334b", f"{cost:g}, {found.upper:g}")


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


# ---- logistic regression, densities, what trees are said to be good at ----------------------------------


def test_two_gaussians(says: Says) -> None:
    x = np.linspace(-12, 13, 200_001)
    p, q = (np.exp(-((x - mean) ** 2) / 2) / np.sqrt(2 * np.pi) for mean in (0.0, 1.0))
    one, other = tw.measure.Gaussian(0, 1), tw.measure.Gaussian(1, 1)
    crossed = tw.measure.density_cross_entropy(one, other, base=np.e)
    assert crossed == pytest.approx(-np.trapezoid(p * np.log(q), x), abs=1e-6)
    says("004:138", crossed)
    apart = tw.measure.density_kl_divergence(one, other, base=np.e)
    assert apart == pytest.approx(np.trapezoid(p * np.log(p / q), x), abs=1e-6)
    assert apart == pytest.approx(crossed - tw.measure.density_entropy(one, base=np.e))
    says("004:150", round(apart, 9))


def test_one_value_and_both(says: Says) -> None:
    table = tw.example("tennis")
    x, y = table.labels("Outlook"), table.labels(PLAY)
    given = {
        value: tw.measure.specific_conditional_entropy(x, y, value)
        for value in ("Sunny", "Overcast", "Rainy")
    }
    for value, found in given.items():
        share = (y[x == value] == "Yes").mean()
        assert found == pytest.approx(
            0 if share in (0, 1) else -share * np.log2(share) - (1 - share) * np.log2(1 - share)
        )
    says("004:192", listed(given.values()))
    both = tw.measure.joint_entropy(x, y)
    pairs = np.array([np.sum((x == a) & (y == b)) for a in set(x) for b in set(y)])
    shares = pairs[pairs > 0] / 14
    assert both == pytest.approx(-(shares * np.log2(shares)).sum())
    says("004:200c", both)


def test_logistic_regression(says: Says) -> None:
    x, y, w = np.array([[1.0, 0], [1, 1], [1, 2], [1, 3]]), np.array([0, 1, 0, 1]), np.array([-1.5, 1.0])
    chance = tw.linear.sigma(x @ w)
    assert 1 - chance == pytest.approx(np.exp(-x @ w) / (1 + np.exp(-x @ w)))
    model = tw.LogisticRegression().fit(x[:, 1:], y)
    known = tw.linear.sigma(model.decision_function(x[:, 1:]))
    assert model.predict_proba(x[:, 1:])[:, 1] == pytest.approx(known)
    says("004:166", float(chance[3]))
    losses = -y * np.log(chance) - (1 - y) * np.log(1 - chance)
    assert losses.sum() == pytest.approx(-tw.linear.log_likelihood(x, y, w))
    says("004:174", float(losses[1]))
    rise = tw.linear.likelihood_gradient(x, y, w)
    for i in (0, 1):
        aside = np.eye(2)[i] * 1e-6
        ends = [tw.linear.log_likelihood(x, y, w + side * aside) for side in (1, -1)]
        assert rise[i] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-6)
    says("004:178", float(rise[1]))
    for update in tw.linear.one_by_one(x, y, w):
        w = w + (y[update.row] - 1 / (1 + np.exp(-x[update.row] @ w))) * x[update.row]
        assert update.weights == pytest.approx(tuple(w))
    says("004:182", f"({w[0]:.6f}, {w[1]:.6f})")
    slope = (tw.linear.sigma(2 + 1e-6) - tw.linear.sigma(2 - 1e-6)) / 2e-6
    found = float(tw.linear.sigma(2.0) * (1 - tw.linear.sigma(2.0)))
    assert found == pytest.approx(float(slope), abs=1e-9)
    says("004:184", found)


def test_nested_ifs(says: Says) -> None:
    ages, men, ratings = [15.0, 18, 25, 30, 25, 30], [1, 0, 1, 1, 0, 0], [2.8, 2.8, 4.8, 4.8, 4.1, 4.1]
    table = tw.Table.from_dict(
        {"Age": ages, "Gender": ["Male" if m else "Female" for m in men], "Rating": ratings}
    )
    text = tw.rules.nested(tw.grow(table, "Rating", splits="binary"))
    lines = [line.strip() for line in text.splitlines()]
    assert [len(line) - len(line.lstrip()) for line in text.splitlines()] == [0, 2, 0, 2, 4, 2, 4]
    says("004:611", "; ".join(lines))


def test_what_trees_do_not_mind(says: Says) -> None:
    rng = np.random.default_rng(8)
    x = {name: rng.uniform(0.1, 3.0, 200) for name in "abc"}
    y = np.where(x["a"] * x["b"] > 1.5, "yes", "no").tolist()
    plain = tw.grow(tw.Table.from_dict({**x, "y": y}), "y")
    for bend in (np.log, np.sqrt, lambda v: v**5, lambda v: 3 * v - 7):
        bent = {name: bend(values) for name, values in x.items()}
        other = tw.grow(tw.Table.from_dict({**bent, "y": y}), "y")
        same = other.leaves(tw.Table.from_dict(bent)) == plain.leaves(tw.Table.from_dict(x))
        assert same.all()
    says("004:629", int((~same).sum()))
    far = {name: values.copy() for name, values in x.items()}
    for values in far.values():
        values[values.argmax()] *= 1e9
    other = tw.grow(tw.Table.from_dict({**far, "y": y}), "y")
    says("004:628", int((other.leaves(tw.Table.from_dict(far)) != plain.leaves(tw.Table.from_dict(x))).sum()))
    more = {**x, **{f"useless{i}": rng.uniform(size=200) for i in range(10)}}
    first = tw.grow(tw.Table.from_dict({**more, "y": y}), "y")
    says("004:631", f"{first.node(0).question}, {plain.node(0).question}")


def test_the_illustration_of_entropy(says: Says) -> None:
    """The picture's curve is the formula; it is largest where both classes are alike."""
    curve = next(layer for layer in tw.draw.impurities().layers if layer.name.startswith("entropy"))
    p, bits = np.asarray(curve.x), np.asarray(curve.y)
    inside = (p > 0) & (p < 1)
    wanted = -(p[inside] * np.log2(p[inside]) + (1 - p[inside]) * np.log2(1 - p[inside]))
    assert bits[inside] == pytest.approx(wanted)
    assert bits[[0, -1]].tolist() == [0, 0]
    top = int(np.argmax(bits))
    says("004:122", f"{p[top]:g}, {bits[top]:g}")


def test_impurities_beside_the_error(says: Says) -> None:
    p = np.linspace(0, 1, 201)[1:-1]
    error = np.minimum(p, 1 - p)
    gini = 2 * p * (1 - p)
    half = -(p * np.log2(p) + (1 - p) * np.log2(1 - p)) / 2
    says("004:551", f"{np.abs(gini - error).max():.6f}, {np.abs(half - error).max():.6f}")
