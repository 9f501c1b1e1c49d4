"""scikit-learn's own suite over both estimators and the recipes that take numbers."""

import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import treewright as tw

# Rows are counted one by one in min_samples_leaf, by scikit-learn and by us: a row of weight 2 is one row.
COUNTED = "check_sample_weight_equivalence_on_dense_data"
CART = {"min_samples_split": 20, "min_samples_leaf": 7}  # what recipe="cart" says

ESTIMATORS = [
    tw.DecisionTreeClassifier(),
    tw.DecisionTreeClassifier(categorical_features=None),
    tw.DecisionTreeClassifier(recipe="cart"),
    tw.DecisionTreeClassifier(recipe="cart", min_samples_split=2, min_samples_leaf=1, prune="none"),
    tw.DecisionTreeClassifier(prune="error_based"),
    tw.DecisionTreeClassifier(prune=tw.prune.CostComplexity(alpha=0.01)),
    tw.DecisionTreeClassifier(recipe="c4.5"),
    tw.DecisionTreeClassifier(recipe="id3", discretise="mdlp", missing="fractional"),
    tw.DecisionTreeClassifier(criterion="entropy", splitter="random", max_features="sqrt", n_jobs=2),
    tw.DecisionTreeRegressor(),
    tw.DecisionTreeRegressor(categorical_features=None),
    tw.DecisionTreeRegressor(recipe="cart"),
    tw.DecisionTreeRegressor(recipe="cart", min_samples_split=2, min_samples_leaf=1, prune="none"),
    tw.DecisionTreeRegressor(max_features=0.5, max_leaf_nodes=30),
]


def expected_failures(estimator):
    counts_rows = estimator.recipe == "cart" and estimator.min_samples_leaf is None
    return {COUNTED: "scikit-learn's trees of the same leaf size fail it too"} if counts_rows else {}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.EstimatorCheckFailedWarning")
@pytest.mark.parametrize("theirs", [DecisionTreeClassifier(**CART), DecisionTreeRegressor(**CART)])
def test_the_one_expected_failure_is_scikit_learns_too(theirs):
    results = check_estimator(theirs, on_fail="warn", on_skip=None)
    assert COUNTED in {r["check_name"] for r in results if r["status"] == "failed"}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (tw.DecisionTreeClassifier(), DecisionTreeClassifier()),
        (tw.DecisionTreeRegressor(), DecisionTreeRegressor()),
    ],
)
def test_tags_claim_what_scikit_learns_claim(ours, theirs):
    mine, other = ours.__sklearn_tags__(), theirs.__sklearn_tags__()
    assert mine.input_tags.allow_nan == other.input_tags.allow_nan
    assert mine.target_tags.required
    assert not mine.non_deterministic
    assert mine.estimator_type == other.estimator_type
    assert tw.DecisionTreeClassifier(recipe="id3").__sklearn_tags__().input_tags.allow_nan is False
