"""Second opinions on logistic regression: statsmodels' figures (make_logistic.py), scikit-learn's weights."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import treewright as tw
from tests.tables import FOLDER

GOLDEN = json.loads((Path(__file__).parent / "logistic.json").read_text("utf-8"))
TARGETS = {"kyphosis": "Kyphosis", "credit_g": "class", "abalone": "Type"}


def frame_of(name):
    frame = pd.read_csv(FOLDER / f"{name}.csv", keep_default_na=False)
    return frame.drop(columns=TARGETS[name]), frame[TARGETS[name]]


@pytest.fixture(scope="module", params=list(TARGETS))
def case(request):
    X, y = frame_of(request.param)
    return GOLDEN[request.param], tw.LogisticRegression().fit(X, y), X, y


def test_statsmodels_says_the_same(case):
    golden, model, _, _ = case
    assert model.classes_.tolist() == golden["classes"]
    assert list(model.terms_) == golden["terms"]
    params = np.column_stack([model.intercept_, model.coef_])[-len(golden["params"]) :]
    np.testing.assert_allclose(params, golden["params"], rtol=1e-6, atol=1e-6)
    errors = np.roll(model.fits_[0].standard_errors, 1, axis=1)
    np.testing.assert_allclose(errors, golden["standard_errors"], rtol=1e-5)
    assert model.fits_[0].log_likelihood == pytest.approx(golden["log_likelihood"], rel=1e-9)
    columns = model.summary().to_dict()
    np.testing.assert_allclose(columns["p"], np.ravel(golden["p_values"]), rtol=1e-5, atol=1e-8)
    assert columns["term"][: len(golden["terms"]) + 1] == ["(bias)", *golden["terms"]]


def test_scikit_learn_says_the_same(case):
    _, model, X, y = case
    x = model.coding_.matrix(tw.Table.from_frame(X))
    scaler = StandardScaler().fit(x)
    theirs = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000, solver="newton-cg").fit(
        scaler.transform(x), y
    )
    coef = theirs.coef_ / scaler.scale_
    intercept = theirs.intercept_ - coef @ scaler.mean_
    if len(coef) > 1:  # theirs has weights for each class; the first is our reference
        coef, intercept = coef - coef[0], intercept - intercept[0]
    np.testing.assert_allclose(model.coef_, coef, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(model.intercept_, intercept, rtol=1e-6, atol=1e-6)
