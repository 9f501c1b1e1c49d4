"""scikit-learn's own suite over the forests."""

import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

import treewright as tw

# A row of weight 2 is drawn as often as one of weight 1, by scikit-learn and by us: it is not two rows.
DRAWN = "check_sample_weight_equivalence_on_dense_data"

ESTIMATORS = [
    tw.RandomForestClassifier(),
    tw.RandomForestClassifier(bootstrap=False, vote="majority", max_features=None),
    tw.RandomForestClassifier(splitter="random", criterion="entropy", oob_score=True, n_jobs=2),
    tw.RandomForestClassifier(recipe="c4.5", max_samples=0.8),
    tw.RandomForestRegressor(),
    tw.RandomForestRegressor(bootstrap=False, min_samples_leaf=1, max_features=None),
    tw.RandomForestRegressor(oob_score=True, keep_leaves=True, categorical_features=None),
]


def expected_failures(estimator):
    draws = estimator.bootstrap or estimator.splitter == "random"
    return {DRAWN: "scikit-learn's forests, which draw rows, fail it too"} if draws else {}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (tw.RandomForestClassifier(), RandomForestClassifier()),
        (tw.RandomForestRegressor(), RandomForestRegressor()),
    ],
)
def test_tags_claim_what_scikit_learns_claim(ours, theirs):
    mine, other = ours.__sklearn_tags__(), theirs.__sklearn_tags__()
    assert mine.input_tags.allow_nan == other.input_tags.allow_nan
    assert mine.target_tags.required
    assert mine.estimator_type == other.estimator_type
    assert mine.non_deterministic == other.non_deterministic
