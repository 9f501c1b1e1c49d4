"""Every result prints itself in words, and shows the same in a notebook."""

import math

import numpy as np
import pytest

import treewright as tw

TABLE = tw.example("vote")
TREE = tw.grow(TABLE, "Class", "c4.5")
FOREST = tw.forest.grow(TABLE, "Class", n_trees=5)
NUMBERS = tw.Table.from_dict({"x": range(60), "z": [1, 2, 3] * 20, "y": [float(x**2) for x in range(60)]})
POINTS, SIDES = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1]
MIXED = [0, 1, 0, 1]


def numbers_forest():
    return tw.forest.grow(NUMBERS, "y", n_trees=30)


@pytest.mark.parametrize(
    ("made", "begins"),
    [
        (lambda: FOREST, "Forest for Class: 5 trees of "),
        (lambda: tw.forest.out_of_bag(FOREST, TABLE), "Out-of-bag error "),
        (lambda: tw.forest.out_of_bag(numbers_forest(), NUMBERS), "Out-of-bag error (mean loss) "),
        (lambda: tw.forest.nearest_tree(FOREST, TABLE), "Tree "),
        (
            lambda: tw.forest.surrogate_tree(FOREST, TABLE),
            "A tree grown to say what the forest says: it agrees",
        ),
        (lambda: tw.prune.cost_complexity_path(TREE), "   alpha  leaves  training risk\n"),
        (lambda: tw.prune.cross_validated(TREE, TABLE), "   alpha  leaves  training risk  error held out\n"),
        (
            lambda: tw.explain.partial_dependence(TREE, TABLE, "immigration"),
            "immigration  democrat  republican\n",
        ),
        (lambda: tw.explain.partial_dependence(numbers_forest(), NUMBERS.to_pandas(), "z"), "z "),
        (lambda: tw.linear.fit_logistic(POINTS, MIXED), "Logistic fit of 4 rows by newton, "),
        (lambda: tw.linear.fit_perceptron(POINTS, SIDES), "Perceptron: "),
        (lambda: tw.linear.max_margin(POINTS, SIDES), "Widest margin 0.5, held by 2 support rows."),
        (lambda: tw.linear.max_margin(POINTS, MIXED), "No margin: not separable"),
    ],
)
def test_results_print_in_words_and_show_themselves(made, begins):
    result = made()
    text = str(result)
    assert text.startswith(begins), text
    assert "array(" not in text
    assert "e+" not in text
    assert text.splitlines()[0].strip() in result._repr_html_().replace("&#x27;", "'")


def test_the_error_of_a_forest_for_numbers_has_its_root_beside_it():
    said = tw.forest.out_of_bag(numbers_forest(), NUMBERS)
    assert f"root {math.sqrt(said.error):.4g}"[:8] in str(said).replace(",", "")


def test_a_table_shows_its_numbers_whole():
    assert "41,215.13" in str(tw.Table.from_dict({"income": [41215.13]}))
