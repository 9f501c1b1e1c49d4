"""`treewright separable`: a plane, or rows with one mean in both classes."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np

import treewright as tw
from tests.cli.running import DATA, good, refused, run

BITS = DATA / "and_or_xor.csv"


def table_of(name: str, others: str) -> tuple[str, ...]:
    return ("separable", BITS, "--target", name, "--ignore", others)


def test_xor_is_told_with_its_point_and_rows():
    shown = good(*table_of("xor", "and,or"))
    assert "0 and 1: no, their hulls overlap" in shown.stdout
    assert "checked without rounding" in shown.stdout
    assert shown.stdout.count("0.5") == 6  # two coordinates and four rows
    assert "row 4, 0  0.5" in shown.stdout
    assert "Target xor: 2 classes, 0 and 1" in shown.stderr


def test_and_has_its_plane():
    shown = good(*table_of("and", "or,xor"))
    assert "0 and 1: yes, a plane separates them" in shown.stdout
    lines = [line.split() for line in shown.stdout.splitlines()]
    assert ["(bias)", "-3"] in lines
    assert ["x1", "+2"] in lines


def test_xor_after_a_map():
    shown = good(*table_of("xor", "and,or"), "--polynomial", 2)
    assert "yes, a plane separates them" in shown.stdout


def test_json_has_fractions_and_every_weight():
    told = json.loads(good(*table_of("xor", "and,or"), "--json").stdout)
    assert (told["separable"], told["columns"], told["rows"]) == (False, ["x1", "x2"], [1, 2, 3, 4])
    (answer,) = told["answers"]
    assert answer["classes"] == "0 and 1"
    assert {Fraction(w) for w in answer["certificate"]["exact_weights"].values()} == {Fraction(1, 2)}


def test_three_classes_pair_by_pair_and_each_against_the_rest():
    iris = tw.read(DATA / "iris.csv")
    model = tw.LinearSeparator().fit(iris.drop("class"), iris.labels("class"))
    shown = good("separable", DATA / "iris.csv", "--target", "class")
    assert [part.is_separable for part in model.separations_] == [True, True, False]
    assert shown.stdout.count("yes, a plane separates them") == 2 * 2  # in the list and below
    assert shown.stdout.count("no, their hulls overlap") == 2
    rest = good("separable", DATA / "iris.csv", "--target", "class", "--each", "one_vs_rest")
    assert "Iris-setosa and the rest" in rest.stdout


def test_rows_are_those_of_the_file(tmp_path):
    file = tmp_path / "gaps.csv"
    file.write_text("x,y\n1,a\n,a\n2,\n3,b\n0,b\n")
    shown = good("separable", file, "--target", "y")
    assert "1 rows have gaps; they are left out." in shown.stderr
    told = json.loads(good("separable", file, "--target", "y", "--json").stdout)
    assert told["rows"] == [1, 4, 5]
    weights = np.array(told["answers"][0]["certificate"]["weights"])
    np.testing.assert_allclose(weights, [1, 1 / 3, 2 / 3])
    assert "row 5, b" in shown.stdout


def test_a_check_has_its_exit_code():
    assert run(*table_of("xor", "and,or"), "--check").exit_code == 3
    assert run(*table_of("or", "and,xor"), "--check").exit_code == 0


def test_what_cannot_be_separated_is_refused_in_words(tmp_path):
    assert "did you mean 'xor'" in refused("separable", BITS, "--target", "xorr")
    file = tmp_path / "gaps.csv"
    file.write_text("x,y\n1,a\n2,a\n,b\n")
    assert "Rows without gaps are of 1 classes of y" in refused("separable", file, "--target", "y")
    assert "there is no 'both'" in refused(*table_of("xor", "and"), "--each", "both", code=2)


def test_categories_are_columns_of_zeros_and_ones():
    shown = good("separable", DATA / "tennis.csv", "--target", "PlayTennis")
    assert "No and Yes: yes, a plane separates them" in shown.stdout
    assert "Outlook=Overcast" in shown.stdout
