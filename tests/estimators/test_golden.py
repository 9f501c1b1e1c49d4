"""`plain` beside scikit-learn's trees, on real tables: numbers as they are, categories as they are."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treewright as tw

from .conftest import DATA
from .twins import impurity, partings, sklearn_impurity

DEPTHS = range(1, 11)


def numbers_of(file, target):
    table = tw.read(DATA / file)
    names = [c.name for c in table.schema.columns if c.is_numeric and c.name != target]
    column, values = table.column(target)
    return np.column_stack(
        [table.column(n)[1] for n in names]
    ), values if column.is_numeric else table.labels(target)


CLASSES = {
    "iris": lambda: load_iris(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "breast_cancer": lambda: load_breast_cancer(return_X_y=True),
    "digits": lambda: load_digits(return_X_y=True),
    "kyphosis": lambda: numbers_of("kyphosis.csv", "Kyphosis"),
    "adult": lambda: numbers_of("adult.csv.gz", "income"),
}
NUMBERS = {
    "diabetes": lambda: load_diabetes(return_X_y=True),
    "abalone": lambda: numbers_of("abalone.csv", "Rings"),
}


def judge(ours, theirs, X, y, criterion):
    """Return whether both leave the same impurity; if not, every parting must be a tie or ours the better."""
    mine, other = impurity(ours.tree_, criterion), sklearn_impurity(theirs.tree_)
    if mine == pytest.approx(other, rel=1e-12, abs=1e-14):
        return True
    slack = 1e-9 if criterion == "entropy" else 0  # the other two are exact fractions
    apart = list(partings(ours, theirs, X, y, criterion))
    assert apart
    for my_cost, their_cost in apart:
        assert my_cost <= their_cost + slack
    return False


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", list(CLASSES))
def test_classes(name, criterion):
    X, y = CLASSES[name]()
    same = []
    for depth in DEPTHS:
        ours = tw.DecisionTreeClassifier(criterion=criterion, max_depth=depth).fit(X, y)
        theirs = DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=0).fit(X, y)
        same.append(judge(ours, theirs, X, y, criterion))
    assert sum(same) >= 9  # scikit-learn breaks ties by chance; below a tie the subtrees differ


@pytest.mark.parametrize("name", list(NUMBERS))
def test_numbers(name):
    X, y = NUMBERS[name]()
    same = []
    for depth in DEPTHS:
        ours = tw.DecisionTreeRegressor(max_depth=depth).fit(X, y)
        theirs = DecisionTreeRegressor(max_depth=depth, random_state=0).fit(X, y)
        same.append(judge(ours, theirs, X, y, "squared_error"))
    assert sum(same) >= 6


# Greedy growth may lose below what it won above: here scikit-learn's tree on codes ends slightly purer.
OVERTAKEN = {("credit_g", "gini"): {6}, ("mushroom", "gini"): {6, 7}}


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize(
    ("name", "file", "target"),
    [
        ("adult", "adult.csv.gz", "income"),
        ("credit_g", "credit_g.csv", "class"),
        ("mushroom", "mushroom.csv.gz", "class"),
    ],
)
def test_categories_as_they_are_beat_codes(name, file, target, criterion):
    table = tw.read(DATA / file)
    features, y = table.drop(target), table.labels(target)
    codes = np.column_stack(
        [np.where(v < 0, np.nan, v) if v.dtype.kind == "i" else v for v in features.values]
    )
    gaps = []
    for depth in DEPTHS:
        ours = tw.DecisionTreeClassifier(criterion=criterion, max_depth=depth).fit(features, y)
        theirs = DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=0).fit(codes, y)
        gaps.append(impurity(ours.tree_, criterion) - sklearn_impurity(theirs.tree_))
    worse = {depth for depth, gap in zip(DEPTHS, gaps, strict=True) if gap > 1e-12}
    assert gaps[0] <= 1e-12  # the root offers every test that codes offer, and more
    assert worse <= OVERTAKEN.get((name, criterion), set())
    assert max(gaps) < 1e-3
    assert sum(gaps) < 0
