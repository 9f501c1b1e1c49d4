import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import skops.io

import treewright as tw

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

FRAME = pd.DataFrame({
    "sky": ["s", "s", "r", "r", None, "o", "o", "s"],
    "degrees": [1.0, 2, 3, 4, 5, 6, 7, np.nan],
    "windy": [True, False, True, False, True, False, True, True],
})  # fmt: skip
WORDS = np.array(["yes", "no", "yes", "no", "no", "yes", "no", "no"])

MODELS = {
    "plain": (tw.DecisionTreeClassifier(), WORDS),
    "c4.5": (tw.DecisionTreeClassifier(recipe="c4.5"), pd.Categorical(WORDS, categories=["yes", "no"])),
    "cart": (
        tw.DecisionTreeClassifier(recipe="cart", min_samples_split=2, min_samples_leaf=1),
        WORDS == "yes",
    ),
    "ledger": (tw.DecisionTreeClassifier(ledger=True, costs=[[0, 1], [5, 0]]), WORDS),
    "numbers": (tw.DecisionTreeRegressor(), np.arange(8.0)),
    "objects": (tw.DecisionTreeClassifier(ordinal={"sky": ["s", "o", "r"]}), WORDS.astype(object)),
}


def by_pickle(model, folder):
    return pickle.loads(pickle.dumps(model))


def by_deepcopy(model, folder):
    return copy.deepcopy(model)


def by_joblib(model, folder):
    joblib.dump(model, folder / "model.joblib")
    return joblib.load(folder / "model.joblib")


def by_mapped_joblib(model, folder):
    joblib.dump(model, folder / "model.joblib")
    return joblib.load(folder / "model.joblib", mmap_mode="r")


def by_skops(model, folder):
    data = skops.io.dumps(model)
    return skops.io.loads(data, trusted=skops.io.get_untrusted_types(data=data))


@pytest.mark.parametrize("way", [by_pickle, by_deepcopy, by_joblib, by_mapped_joblib, by_skops])
@pytest.mark.parametrize("name", list(MODELS))
def test_round_trips(name, way, tmp_path):
    estimator, y = MODELS[name]
    model = copy.deepcopy(estimator).fit(FRAME, y)
    other = way(model, tmp_path)
    assert type(other) is type(model)
    assert other.tree_ == model.tree_
    assert other.feature_names_in_.tolist() == model.feature_names_in_.tolist()
    np.testing.assert_array_equal(other.predict(FRAME), model.predict(FRAME))
    if name != "numbers":
        assert other.classes_.dtype == model.classes_.dtype
        np.testing.assert_array_equal(other.predict_proba(FRAME), model.predict_proba(FRAME))
    if name == "ledger":
        assert other.tree_.why_not("windy") == model.tree_.why_not("windy")
    other.fit(FRAME, y)
    assert other.tree_ == model.tree_


def test_only_the_estimator_itself_is_foreign_to_skops():
    data = skops.io.dumps(tw.DecisionTreeClassifier().fit(FRAME, WORDS))
    assert skops.io.get_untrusted_types(data=data) == ["treewright.estimators.tree.DecisionTreeClassifier"]


PLAIN = (dict, list, str, int, float, bool, type(None), np.ndarray)


def parts(value):
    yield value
    for part in (
        (*value.keys(), *value.values())
        if isinstance(value, dict)
        else value
        if isinstance(value, list)
        else ()
    ):
        yield from parts(part)


@pytest.mark.parametrize("name", list(MODELS))
def test_the_state_is_plain(name):
    estimator, y = MODELS[name]
    state = copy.deepcopy(estimator).fit(FRAME, y).__getstate__()
    assert {type(part) for part in parts(state)} <= set(PLAIN)


def test_unfitted_estimators_are_stored_too():
    model = pickle.loads(pickle.dumps(tw.DecisionTreeClassifier(max_depth=3)))
    assert model.get_params() == tw.DecisionTreeClassifier(max_depth=3).get_params()


def test_a_damaged_state_is_refused():
    model = tw.DecisionTreeClassifier().fit(FRAME, WORDS)
    state = model.__getstate__()
    end = state["tree_"]["arrays"]["end"].copy()
    end[1] = 10**6
    state["tree_"]["arrays"]["end"] = end
    with pytest.raises(ValueError, match="Not a tree: field 'end'"):
        tw.DecisionTreeClassifier().__setstate__(state)
