"""Lecture 002, its half on trees: the restaurants, a biased coin, ten days of weather."""

from __future__ import annotations

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
