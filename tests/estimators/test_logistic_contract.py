"""scikit-learn's own suite over logistic regression, with and without a penalty."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import treewright as tw

ESTIMATORS = [
    tw.LogisticRegression(),
    tw.LogisticRegression(l2=1.0),
    tw.LogisticRegression(l2=0.1, solver="lbfgs", class_weight="balanced"),
    tw.LogisticRegression(l2=1.0, multi_class="one_vs_rest", features="interactions"),
]


# Some of the suite's tables are divided by a plane or have columns that say the same.
@pytest.mark.filterwarnings("ignore::treewright.linear.SeparationWarning")
@pytest.mark.filterwarnings("ignore::treewright.linear.CollinearWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
