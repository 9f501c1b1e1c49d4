"""`calibrate` of classifiers: the same as of their trees and forests, in the order of `classes_`."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import treewright as tw

MODELS = [
    tw.DecisionTreeClassifier(min_samples_leaf=5),
    tw.DecisionTreeClassifier(recipe="c4.5", probabilities="laplace"),
    tw.RandomForestClassifier(15, random_state=0),
    tw.OptimalTreeClassifier(max_depth=2),
]


def rows(n_classes: int = 2, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 3))
    place = np.clip(np.rint(X[:, 0] + rng.normal(size=300)) + n_classes // 2, 0, n_classes - 1)
    return X, np.array(["c", "a", "b"])[place.astype(int)]


@pytest.mark.parametrize("method", ["isotonic", "beta"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("estimator", MODELS, ids=lambda model: type(model).__name__)
def test_probabilities_are_those_of_the_calibrated_model(
    estimator: Any, n_classes: int, method: str, tmp_path: Path
) -> None:
    X, y = rows(n_classes)
    held, truth = rows(n_classes, seed=1)
    model = clone(estimator).fit(X, y)
    before = model.predict_proba(held)
    sober = model.calibrate(held, truth, method)
    inner = sober.forest_ if hasattr(sober, "forest_") else sober.tree_
    names = list(inner.classes)
    wanted = inner.predict_proba(held)[:, [names.index(str(name)) for name in sober.classes_]]
    assert np.allclose(sober.predict_proba(held), wanted)
    assert np.array_equal(model.predict_proba(held), before)  # the first one stays as it is
    assert not np.allclose(sober.predict_proba(held), before)
    assert np.array_equal(sober.predict(held), model.predict(held))
    assert np.array_equal(pickle.loads(pickle.dumps(sober)).predict_proba(held), sober.predict_proba(held))
    sober.save(tmp_path / "model.treewright")
    assert tw.load(tmp_path / "model.treewright") == inner
    place = np.searchsorted(sober.classes_, truth)
    each = [np.log(np.clip(p[np.arange(300), place], 1e-6, 1)).mean() for p in (before, wanted)]
    assert each[1] > each[0]


def test_weights_count_as_rows_do() -> None:
    X, y = rows()
    model = tw.DecisionTreeClassifier(min_samples_leaf=20).fit(X, y)
    held, truth = rows(seed=1)
    twice = np.concatenate([np.arange(300), np.arange(100)])
    weights = np.where(np.arange(300) < 100, 2.0, 1.0)
    one = model.calibrate(held, truth, sample_weight=weights).predict_proba(held)
    assert one == pytest.approx(model.calibrate(held[twice], truth[twice]).predict_proba(held))


def test_what_is_refused() -> None:
    X, y = rows()
    with pytest.raises(NotFittedError):
        tw.DecisionTreeClassifier().calibrate(X, y)
    model = tw.RandomForestClassifier(3).fit(X, y)
    with pytest.raises(ValueError, match="y has the class 'odd', which the model does not know"):
        model.calibrate(X[:2], ["a", "odd"])
    with pytest.raises(ValueError, match="method='isotonc' is not one of"):
        model.calibrate(X, y, "isotonc")
    assert not hasattr(tw.RandomForestRegressor(3), "calibrate")


def test_a_forest_reports_on_arrays_of_floats(tmp_path: Path) -> None:
    X, y = rows()
    tw.RandomForestClassifier(3).fit(X, y).report(tmp_path / "forest.html", X, y)
    assert (tmp_path / "forest.html").stat().st_size > 1000
