"""Figures of the lectures (semantics 3.0) and of Weka 3.6.14 (tests/data/weka_scores.csv)."""

import pytest

from tests import tables
from treewright import measure

# gain, split information, gain ratio, Gini decrease, chi-square (semantics 3.0)
TENNIS = {
    "Outlook": (0.246750, 1.577406, 0.156428, 0.116327, 3.5467),
    "Humidity": (0.151836, 1.000000, 0.151836, 0.091837, 2.8000),
    "Wind": (0.048127, 0.985228, 0.048849, 0.030612, 0.9333),
    "Temperature": (0.029223, 1.556657, 0.018773, 0.018707, 0.5704),
}


@pytest.mark.parametrize("name", TENNIS)
def test_the_lecture_table(name):
    table = tables.table("tennis")
    x, y = table.labels(name), table.labels("PlayTennis")
    found = (
        measure.information_gain(x, y),
        measure.split_information(x, y),
        measure.gain_ratio(x, y),
        measure.gini_decrease(x, y),
    )
    assert found == pytest.approx(TENNIS[name][:4], abs=5e-7)
    assert measure.chi_square(x, y).statistic == pytest.approx(TENNIS[name][4], abs=5e-5)


def test_the_classes_of_the_lecture_table():
    y = tables.table("tennis").labels("PlayTennis")
    found = measure.entropy(y), measure.gini(y), measure.error(y)
    assert found == pytest.approx((0.940286, 0.459184, 0.357143), abs=5e-7)


def test_gain_ratio_alone_does_not_stop_a_date():
    y = tables.table("tennis").labels("PlayTennis")
    dates = list(range(14))
    found = (
        measure.information_gain(dates, y),
        measure.split_information(dates, y),
        measure.gain_ratio(dates, y),
    )
    assert found == pytest.approx((0.940286, 3.807355, 0.246966), abs=5e-7)


def test_the_weighted_entropy_example():
    """The ruling on lecture 004: 7/7 classes, gains 0.395400 and 0.088937; its ratios 0.2507 and 0.0571."""
    weather, temperature = [[2, 3], [4, 0], [1, 4]], [[2, 2], [3, 1], [2, 4]]
    assert measure.information_gain([weather, temperature]) == pytest.approx([0.395400, 0.088937], abs=5e-7)
    assert measure.gain_ratio([weather, temperature]) == pytest.approx([0.2507, 0.0571], abs=5e-5)


def test_the_small_weather_table():
    table = tables.table("section10_weather")
    y = table.labels("Play")
    found = [measure.information_gain(table.labels(name), y) for name in ("Weather", "Temperature")]
    assert found == pytest.approx([0.400000, 0.114525], abs=5e-7)
