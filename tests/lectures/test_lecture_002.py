"""Lecture 002: restaurants, a biased coin, ten days of weather; planes, perceptron, the widest margin."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import treewright as tw
from tests.lectures.conftest import Says
from tests.lectures.helpers import counts, fraction, gains, n_in_common

RESTAURANTS = """
Y N N Y Some $$$ N Y French 0-10 Y
Y N N Y Full $ N N Thai 30-60 N
N Y N N Some $ N N Burger 0-10 Y
Y N Y Y Full $ Y N Thai 10-30 Y
Y N Y N Full $$$ N Y French >60 N
N Y N Y Some $$ Y Y Italian 0-10 Y
N Y N N None $ Y N Burger 0-10 N
N N N Y Some $$ Y Y Thai 0-10 Y
N Y Y N Full $ Y N Burger >60 N
Y Y Y Y Full $$$ N Y Italian 0-30 N
N N N N None $ N N Thai 0-10 N
Y Y Y Y Full $ N N Burger 30-60 Y
"""
WEATHER = """
Sunny Hot High Weak No
Cloudy Hot High Weak Yes
Sunny Mild Normal Strong Yes
Cloudy Mild High Strong Yes
Rainy Mild High Strong No
Rainy Cool Normal Strong No
Rainy Mild High Weak Yes
Sunny Hot High Strong No
Cloudy Hot Normal Weak Yes
Rainy Mild High Strong No
"""


def rows_of(text: str) -> list[list[str]]:
    return [line.split() for line in text.split("\n") if line]


@pytest.fixture(scope="module")
def restaurant() -> tw.Table:
    return tw.example("restaurant")


@pytest.fixture(scope="module")
def weather() -> tw.Table:
    return tw.example("section10_weather")


def test_the_restaurants(says: Says, restaurant: tw.Table) -> None:
    says("002:21", n_in_common(restaurant, rows_of(RESTAURANTS)))
    says("002:32", restaurant.labels("Est")[9])


def test_some_and_none(says: Says, restaurant: tw.Table) -> None:
    found = counts(restaurant, "Pat", "Wait")
    says("002:36a", fraction(found["None"][1], found["None"].sum()))
    says("002:36b", fraction(found["Some"][0], found["Some"].sum()))


def test_plurality(says: Says) -> None:
    tree = tw.grow(tw.example("tennis"), "PlayTennis", "id3")
    empty = next(tree.node(i) for i in tree.leaf_ids if tree.node(i).n_rows == 0)
    parent = tree.stats[empty.parent]
    assert empty.prediction == tree.classes[parent.argmax()]
    says("002:50", empty.prediction)
    same = tw.Table.from_dict({"x": ["1", "1", "1"], "y": ["b", "a", "a"]})
    says("002:58", tw.grow(same, "y", "id3").node(0).prediction)


def test_biased_coin(says: Says) -> None:
    says("002:92", tw.measure.entropy([0.99, 0.01]))


def test_remainder_and_gain(says: Says, restaurant: tw.Table) -> None:
    says("002:100", tw.measure.entropy(restaurant.labels("Wait")))
    says("002:104", tw.measure.conditional_entropy(restaurant.labels("Pat"), restaurant.labels("Wait")))
    says("002:108", gains(tw.grow(restaurant, "Wait", "id3", ledger=True))["Pat"])


def test_the_ten_days(says: Says, weather: tw.Table) -> None:
    says("002:112", n_in_common(weather, rows_of(WEATHER)))


def shares(says: Says, table: tw.Table, column: str, keys: str, answers: tuple[str, ...]) -> None:
    """Check the share of each answer (a, b, c), then the share of yes in it (d, e, f)."""
    found = counts(table, column, "Play")
    for letter, answer in zip("abc", answers, strict=True):
        says(f"{keys}{letter}", fraction(found[answer].sum(), table.n_rows))
    for letter, answer in zip("def", answers, strict=True):
        says(f"{keys}{letter}", fraction(found[answer][0], found[answer].sum()))


def test_gain_of_weather(says: Says, weather: tw.Table) -> None:
    # 002:130a 002:130b 002:130c 002:130d 002:130e 002:130f
    shares(says, weather, "Weather", "002:130", ("Sunny", "Cloudy", "Rainy"))
    says("002:132a", tw.measure.entropy(weather.labels("Play")))
    gain = gains(tw.grow(weather, "Play", "id3", ledger=True))["Weather"]
    assert gain == pytest.approx(
        tw.measure.information_gain(weather.labels("Weather"), weather.labels("Play"))
    )
    says("002:132b", gain)


def test_gain_of_temperature(says: Says, weather: tw.Table) -> None:
    # 002:134a 002:134b 002:134c 002:134d 002:134e 002:134f
    shares(says, weather, "Temperature", "002:134", ("Hot", "Mild", "Cool"))
    found = gains(tw.grow(weather, "Play", "id3", ledger=True))
    says("002:136a", found["Temperature"])
    # The terms of the second gain are worth the gain of Temperature, not that of Weather.
    worth = 1 - (0.4 * 1 + 0.5 * tw.measure.entropy([3, 2]) + 0.1 * 0)
    name = next(name for name, gain in found.items() if gain == pytest.approx(worth))
    says("002:136b", f"Gain({name.lower()})")


def test_splitting_on_weather(says: Says, weather: tw.Table) -> None:
    says("002:138", tw.grow(weather, "Play", "id3").node(0).question)


# ---- planes -----------------------------------------------------------------------------------------

BITS = """
1 1 1 1 0
1 0 0 1 1
0 1 0 1 1
0 0 0 0 0
"""
X = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
OUTPUTS = {"and": [1, 0, 0, 0], "or": [1, 1, 1, 0], "xor": [0, 1, 1, 0]}


def test_the_truth_tables(says: Says) -> None:
    table = tw.example("and_or_xor")
    rows = [
        [f"{float(value):g}" for value in row]
        for row in zip(*(table.labels(n) for n in table.names), strict=True)
    ]
    says("002:168", sum(a == b for a, b in zip(rows, rows_of(BITS), strict=True)))


def test_threshold(says: Says) -> None:
    model = tw.Perceptron(bias=False, max_passes=1).fit(X[:2], [1, 0])  # from (0, 0): the first score is 0
    assert [update.row for update in model.trace_] == [
        1
    ]  # right for the positive row, wrong for the negative
    says("002:156", int(model.predict([[0.0, 0.0]])[0]))


def test_the_linear_program(says: Says) -> None:
    ones = np.column_stack([np.ones(4), X])
    found = [tw.LinearSeparator(bias=False).fit(ones, OUTPUTS[name]).separable_ for name in OUTPUTS]
    says("002:160", ", ".join("yes" if is_so else "no" for is_so in found))


def scores(name: str, w1: float, w2: float, w0: float) -> list[float]:
    found = X @ [w1, w2] + w0
    assert ((found >= 0) == OUTPUTS[name]).all()
    model = tw.LinearSeparator().fit(X, OUTPUTS[name])
    np.testing.assert_allclose(model.decision_function(X), 2 * found)  # our plane is twice the lecture's
    return [float(value) for value in found]


def test_the_plane_of_and(says: Says) -> None:
    found = scores("and", 1, 1, -3 / 2)
    assert found[1] == found[2]
    for key, value in zip("abc", (found[0], found[1], found[3]), strict=True):
        says(f"002:196{key}", value)


def test_the_plane_of_or(says: Says) -> None:
    found = scores("or", 1, 1, -1 / 2)
    assert found[1] == found[2]
    for key, value in zip("abc", (found[0], found[1], found[3]), strict=True):
        says(f"002:202{key}", value)


def test_xor_has_no_plane(says: Says) -> None:
    model = tw.LinearSeparator().fit(X, OUTPUTS["xor"])
    assert not model.separable_
    says("002:208", f"({', '.join(str(value) for value in model.certificate_.exact_point)})")


def test_xor_after_the_map(says: Says) -> None:
    model = tw.LinearSeparator(features=tw.linear.SquaredDifference()).fit(X, OUTPUTS["xor"])
    z = (X[:, 0] - X[:, 1]) ** 2
    assert z[0] == z[3]
    assert z[1] == z[2]
    says("002:260a", float(z[0]))
    says("002:260b", float(z[1]))
    says("002:260c", "yes" if model.separable_ else "no")


DATA = Path(__file__).parents[1] / "data"
POINTS, SIDES = np.array([[4.0, 3.0], [1.0, 3.0], [-2.0, 0.0], [2.0, 2.0]]), [1, -1, -1, 1]


def test_the_four_points(says: Says) -> None:
    table = tw.read(DATA / "perceptron.csv")
    ours = np.column_stack([table.labels(name).astype(float) for name in table.names])
    says("002:226", int((ours == np.column_stack([POINTS, SIDES])).all(axis=1).sum()))


def test_the_trace_of_the_perceptron(says: Says) -> None:
    model = tw.Perceptron(start=[1, 1], bias=False).fit(POINTS, SIDES)
    first, second = model.trace_
    says("002:232a", float(POINTS[0] @ [1, 1]))
    says("002:232b", first.score)
    says("002:232c", f"({first.weights[0]:g}, {first.weights[1]:g})")
    says("002:232d", second.score)
    says("002:232e", f"({second.weights[0]:g}, {second.weights[1]:g})")
    says("002:232f", float(POINTS[3] @ second.weights))
    right = (model.predict(POINTS) == SIDES).sum()
    says("002:232g", f"{right}, {(POINTS @ model.coef_[0] == 0).sum()}")


def test_the_bound_on_mistakes(says: Says) -> None:
    """Multiplied points make the same mistakes: R/γ stays, so a bound must be a power of it."""
    large, small = (tw.Perceptron(bias=False).fit(k * POINTS, SIDES).fits_[0] for k in (1, 0.01))
    assert large.mistakes == small.mistakes == 5
    assert small.mistakes > small.radius**2 / small.margin
    assert large.bound == pytest.approx((large.radius / large.margin) ** 2) == pytest.approx(small.bound)
    says("002:218", "R²/γ²" if large.mistakes <= large.bound else "")


def test_the_widest_margin(says: Says) -> None:
    x = np.array([[1.0, 5.0], [1.0, 3.0], [3.0, 4.0], [3.0, 2.0]])
    for key, (a, b) in zip("ab", ((0, 2), (1, 3)), strict=True):
        middle = (x[a] + x[b]) / 2
        says(f"002:248{key}", f"({middle[0]:g}, {middle[1]:g})")
    model = tw.MaxMarginClassifier().fit(x, [0, 0, 1, 1])
    assert model.margin_ == pytest.approx(1)
    for key, value in zip("cde", (*model.coef_[0], *model.intercept_), strict=True):
        says(f"002:248{key}", float(value))


def test_scaled_weights(says: Says) -> None:
    x = np.random.default_rng(0).uniform(0, 6, size=(100, 2))
    model = tw.MaxMarginClassifier().fit([[1, 5], [1, 3], [3, 4], [3, 2]], [0, 0, 1, 1])
    plain = x @ model.coef_[0] + model.intercept_[0] >= 0
    other = [x @ (k * model.coef_[0]) + k * model.intercept_[0] >= 0 for k in (0.01, 3, 1000)]
    says("002:250", ", ".join(str((signs != plain).sum()) for signs in other))


# ---- logistic regression ----------------------------------------------------------------------------

FOUR, ANSWERS, START = (
    np.array([[1.0, 0], [1, 1], [1, 2], [1, 3]]),
    np.array([0, 1, 0, 1]),
    np.array([-1.5, 1.0]),
)


def test_margins_of_given_planes(says: Says) -> None:
    x, y = np.array([[1.0, 5.0], [1.0, 3.0], [3.0, 4.0], [3.0, 2.0]]), np.array([-1, -1, 1, 1])
    found = []
    for a, b, c in ((1, 0, -2), (1, 0, -1.5), (1, -0.2, -1.3)):
        distance = y * (x @ [a, b] + c) / np.hypot(a, b)
        assert tw.linear.plane_margin(x, y, [a, b], c) == pytest.approx(distance.min())
        found.append(float(distance.min()))
    assert found[0] == max(found) == pytest.approx(tw.MaxMarginClassifier().fit(x, y).margin_)
    says("002:238", f"{found[0]:g}, {found[1]:g}, {found[2]:.6f}")
    model = tw.MaxMarginClassifier().fit(x, y)
    assert np.abs(model.decision_function(x)) == pytest.approx(1)
    says("002:236", len(model.support_))


def test_the_logistic_function(says: Says) -> None:
    z = np.linspace(-30, 30, 601)
    assert tw.linear.sigma(z) == pytest.approx(1 / (1 + np.exp(-z)), abs=1e-15)
    says("002:272", float(tw.linear.sigma(2.0)))


def test_the_likelihood(says: Says) -> None:
    chance = 1 / (1 + np.exp(-FOUR @ START))
    own = np.where(ANSWERS == 1, chance, 1 - chance)
    says("002:278", float(own.prod()))
    found = tw.linear.log_likelihood(FOUR, ANSWERS, START)
    assert found == pytest.approx(np.log(own).sum()) == pytest.approx(np.log(own.prod()))
    says("002:282", found)


def test_steps_until_a_maximum_is_reached(says: Says) -> None:
    fit = tw.linear.fit_logistic(FOUR[:, 1:], ANSWERS, solver="gradient", tolerance=1e-10)
    assert fit.is_converged
    gradient = tw.linear.likelihood_gradient(FOUR, ANSWERS, [fit.intercept[1], fit.coef[1][0]])
    assert np.abs(gradient).max() < 1e-8
    objective = [step.objective for step in fit.steps]
    assert objective == sorted(objective)
    # The columns of kyphosis are of very different sizes; the steps of a fixed rule crept on them.
    table = tw.read(DATA / "kyphosis.csv")
    x = np.column_stack([table.labels(name).astype(float) for name in ("Age", "Number", "Start")])
    y = table.labels("Kyphosis") == "present"
    climbed = tw.linear.fit_logistic(x, y, solver="gradient", max_iterations=5000)
    assert climbed.log_likelihood == pytest.approx(tw.linear.fit_logistic(x, y).log_likelihood, abs=1e-4)
    says("002:284", fit.log_likelihood)


def test_the_logistic_curve(says: Says) -> None:
    """The curve of the picture is the function, and lies strictly between 0 and 1."""
    curve = next(layer for layer in tw.draw.logistic_curve().layers if layer.name == "σ(z)")
    z, s = np.asarray(curve.x), np.asarray(curve.y)
    assert s == pytest.approx([1 / (1 + math.exp(-v)) for v in z])
    assert 0 < s.min() < s.max() < 1
    middle = len(z) // 2
    slope = (s[middle + 1] - s[middle - 1]) / (z[middle + 1] - z[middle - 1])
    says("002:270", f"{np.abs(s - (z > 0)).max():g}")
    says("002:274", f"{s[middle]:g}, {slope:.4f}, {s[0]:.4f}, {s[-1]:.4f}")
