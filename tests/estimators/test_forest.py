"""The forests as estimators: warm starts, out of bag, weights, storage, and scikit-learn beside them."""

import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

import treewright as tw
from tests import tables
from tests.amount import at_most
from tests.forest.samples import random_table

TABLE = random_table(3, 150, gaps=0.1)
X, Y = TABLE.drop("y"), TABLE.labels("y")
NUMBERS = random_table(3, 150, is_classes=False, gaps=0.1)
Z = NUMBERS.column("y")[1]


def test_the_forest_is_the_one_of_the_room():
    model = tw.RandomForestClassifier(8, random_state=5).fit(X, Y)
    assert model.forest_ == tw.forest.grow(TABLE, "y", n_trees=8, seed=5)
    numbers = tw.RandomForestRegressor(8, random_state=5).fit(NUMBERS.drop("y"), Z)
    assert (
        numbers.forest_.arrays["cut"].tolist()
        == tw.forest.grow(NUMBERS, "y", n_trees=8, seed=5).arrays["cut"].tolist()
    )
    np.testing.assert_array_equal(numbers.predict(NUMBERS), numbers.forest_.predict(NUMBERS))
    np.testing.assert_array_equal(model.predict_proba(X), model.forest_.predict_proba(X))


def test_a_warm_start_is_the_forest_grown_at_once():
    whole = tw.RandomForestClassifier(12, random_state=5, oob_score=True).fit(X, Y)
    model = tw.RandomForestClassifier(3, random_state=5, oob_score=True, warm_start=True).fit(X, Y)
    few = model.oob_score_
    for n in (5, 12):
        model.set_params(n_estimators=n, n_jobs=2).fit(X, Y)
    assert model.forest_ == whole.forest_
    assert model.oob_score_ == whole.oob_score_ != few
    with pytest.warns(UserWarning, match="grows no tree"):
        model.fit(X, Y)
    with pytest.raises(ValueError, match="n_estimators=4 must be larger or equal to the 12 trees"):
        model.set_params(n_estimators=4).fit(X, Y)
    with pytest.raises(ValueError, match=r"grown differently \(max_columns\)"):
        model.set_params(n_estimators=14, max_features=3).fit(X, Y)


def test_a_warm_start_without_a_seed_goes_on_with_its_own():
    model = tw.RandomForestClassifier(3, warm_start=True).fit(X, Y)
    first = model.forest_
    model.set_params(n_estimators=6).fit(X, Y)
    assert model.forest_.tree(2) == first.tree(2)


def test_out_of_bag_attributes():
    model = tw.RandomForestClassifier(40, random_state=1, oob_score=True).fit(X, Y)
    said = tw.forest.out_of_bag(model.forest_, TABLE)
    assert model.oob_score_ == said.score
    np.testing.assert_array_equal(model.oob_decision_function_, said.shares)
    assert model.n_never_out_ == 0
    few = tw.RandomForestClassifier(2, random_state=1, oob_score=True).fit(X, Y)
    assert few.n_never_out_ == np.isnan(few.oob_decision_function_[:, 0]).sum() > 0
    own = tw.RandomForestClassifier(40, random_state=1, oob_score=lambda true, said: (true != said).mean())
    assert own.fit(X, Y).oob_score_ == pytest.approx(1 - model.oob_score_)
    numbers = tw.RandomForestRegressor(40, random_state=1, oob_score=True).fit(X, Z)
    assert numbers.oob_prediction_.shape == (150,)
    assert 0.2 < numbers.oob_score_ < 1
    with pytest.raises(ValueError, match="only available if bootstrap=True"):
        tw.RandomForestClassifier(bootstrap=False, oob_score=True).fit(X, Y)
    model.set_params(oob_score=False).fit(X, Y)
    assert not hasattr(model, "oob_score_")


def test_out_of_bag_of_rows_that_count_nothing():
    weights = np.ones(150)
    weights[:10] = 0
    model = tw.RandomForestClassifier(30, random_state=1, oob_score=True).fit(X, Y, sample_weight=weights)
    assert np.isnan(model.oob_decision_function_[:10]).all()
    assert model.n_never_out_ == 0
    rest = tw.RandomForestClassifier(30, random_state=1, oob_score=True).fit(
        X.take(np.arange(10, 150)), Y[10:]
    )
    assert model.oob_score_ == rest.oob_score_


def test_class_weights_and_sample_weights_move_the_answer():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(400, 3))
    b = (A[:, 0] + rng.normal(size=400) > 1.5).astype(int)
    plain = tw.RandomForestClassifier(60, random_state=0, min_samples_leaf=10).fit(A, b)
    fair = tw.RandomForestClassifier(60, random_state=0, min_samples_leaf=10, class_weight="balanced").fit(
        A, b
    )
    heavy = tw.RandomForestClassifier(60, random_state=0, min_samples_leaf=10).fit(
        A, b, sample_weight=1 + 9 * b
    )
    assert plain.predict(A).sum() < fair.predict(A).sum()
    assert plain.predict(A).sum() < heavy.predict(A).sum()
    drawn = tw.RandomForestClassifier(
        60, random_state=0, min_samples_leaf=10, class_weight="balanced_subsample"
    ).fit(A, b)
    assert plain.predict(A).sum() < drawn.predict(A).sum()


@pytest.mark.parametrize("vote", ["mean", "majority"])
def test_votes(vote):
    model = tw.RandomForestClassifier(9, vote=vote, min_samples_leaf=10, random_state=0).fit(X, Y)
    wanted = model.forest_.votes(X) / 9 if vote == "majority" else model.forest_.predict_proba(X)
    np.testing.assert_allclose(model.predict_proba(X), wanted)
    assert model.predict(X).tolist() == model.classes_[wanted.argmax(axis=1)].tolist()


@pytest.mark.parametrize("recipe", ["plain", "id3", "c4.5", "cart", "stump"])
def test_any_recipe_grows_a_forest(recipe):
    cells = {
        name: TABLE.labels(name) if name in ("k", "size") else TABLE.column(name)[1] for name in ("k", "size")
    }
    frame = pd.DataFrame(cells).fillna("none")
    model = tw.RandomForestClassifier(20, recipe=recipe, random_state=0).fit(frame, Y)
    assert model.score(frame, Y) > 0.45


def test_random_cuts_differ_from_the_best():
    best = tw.RandomForestClassifier(5, random_state=0).fit(X, Y)
    random = tw.RandomForestClassifier(5, random_state=0, splitter="random").fit(X, Y)
    assert random.forest_ != best.forest_
    assert random.forest_.about["cuts"] == "random"


def test_frames_and_tables_give_the_same_forest():
    frame = pd.DataFrame({"x": TABLE.column("x")[1], "k": TABLE.labels("k"), "z": TABLE.column("z")[1]})
    model = tw.RandomForestClassifier(10, random_state=0).fit(frame, Y)
    table = tw.Table.from_frame(frame)
    again = tw.RandomForestClassifier(10, random_state=0).fit(table, Y)
    np.testing.assert_array_equal(model.predict_proba(frame), again.predict_proba(table))
    np.testing.assert_array_equal(model.predict_proba(table), model.predict_proba(frame))
    categorical = frame.assign(k=frame["k"].astype("category"))
    np.testing.assert_array_equal(model.predict_proba(categorical), model.predict_proba(frame))


def test_intervals_of_a_regressor():
    model = tw.RandomForestRegressor(30, random_state=0, keep_leaves=True).fit(X, Z)
    low, high = model.predict_interval(X, 0.8).T
    assert ((low <= Z) & (high >= Z)).mean() > 0.8
    known = tw.forest.Quantiles.of(model.forest_, NUMBERS)
    np.testing.assert_array_equal(
        model.predict_quantiles(X, [0.3]), known.predict(model.forest_, NUMBERS, [0.3])
    )
    plain = tw.RandomForestRegressor(3).fit(X, Z)
    with pytest.raises(ValueError, match="keep_leaves=True"):
        plain.predict_interval(X)


STORES = {
    "pickle": lambda model, folder: pickle.loads(pickle.dumps(model)),
    "deepcopy": lambda model, folder: copy.deepcopy(model),
    "joblib": lambda model, folder: joblib.load(joblib.dump(model, folder / "m.joblib")[0]),
    "skops": lambda model, folder: skops.io.loads(
        skops.io.dumps(model), trusted=skops.io.get_untrusted_types(data=skops.io.dumps(model))
    ),
}


@pytest.mark.parametrize("store", STORES)
def test_a_stored_model_says_the_same(store, tmp_path):
    for model, y in (
        (tw.RandomForestClassifier(4, oob_score=True, random_state=0), Y),
        (tw.RandomForestRegressor(4, keep_leaves=True, random_state=0), Z),
    ):
        model.fit(X, y)
        again = STORES[store](model, tmp_path)
        assert again.forest_ == model.forest_
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.predict_interval(X), model.predict_interval(X))


def test_the_ecosystem_takes_it():
    frame = pd.DataFrame({"x": TABLE.column("x")[1], "z": TABLE.column("z")[1]})
    found = GridSearchCV(tw.RandomForestClassifier(5, random_state=0), {"max_depth": [1, 4]}, cv=3).fit(
        frame, Y
    )
    assert found.best_params_["max_depth"] in (1, 4)
    assert clone(tw.RandomForestRegressor(7, keep_leaves=True)).get_params()["keep_leaves"]
    assert len(cross_val_score(make_pipeline(tw.RandomForestClassifier(5)), frame, Y, cv=3)) == 3


@pytest.mark.parametrize(
    ("words", "error", "text"),
    [
        ({"n_estimators": 0}, ValueError, "n_estimators=0 must be at least 1"),
        ({"n_estimators": "many"}, TypeError, "n_estimators='many' must be a whole number"),
        ({"n_estimators": None}, TypeError, "n_estimators=None must be a whole number"),
        ({"vote": "median"}, ValueError, "vote='median' is not one of"),
        ({"max_features": "half"}, ValueError, "max_features='half' is not one of 'sqrt', 'log2'"),
        ({"max_samples": 2.0}, ValueError, "max_samples=2.0 is a float"),
        ({"splitter": "worst"}, ValueError, "splitter='worst'"),
        ({"recipe": "cort"}, ValueError, "There is no recipe 'cort'"),
        ({"n_jobs": 0}, ValueError, "n_jobs=0"),
    ],
)
def test_wrong_words_are_refused_and_leave_nothing(words, error, text):
    model = tw.RandomForestClassifier(**words)
    with pytest.raises(error, match=text):
        model.fit(X, Y)
    assert not hasattr(model, "forest_")


def test_a_recipe_for_classes_is_refused_for_numbers():
    with pytest.raises(ValueError, match=r"recipe='c4.5' grows classes.*use RandomForestClassifier"):
        tw.RandomForestRegressor(recipe="c4.5").fit(X, Z)


# ---- beside scikit-learn ---------------------------------------------------------------------------------


def folds_of(name, n_rows):
    lines = (tables.FOLDER / "folds.csv").read_text().splitlines()
    digits = (
        dict(line.split(",") for line in lines)[name]
        if any(x.startswith(name + ",") for x in lines)
        else None
    )
    if digits is None or len(digits) != n_rows:
        return np.random.default_rng(0).integers(0, 10, n_rows)
    return np.array([int(d) for d in digits])


def as_numbers(rows):
    """Return a table as scikit-learn's forests take it: categories by their place, gaps as NaN."""
    columns = zip(rows.schema.columns, rows.values, strict=True)
    return np.column_stack([v if c.is_numeric else np.where(v < 0, np.nan, v) for c, v in columns])


@pytest.mark.parametrize("name", ["credit_g", "soybean", "hypothyroid", "adult", "abalone"])
def test_as_accurate_as_scikit_learn_on_the_same_folds(name):
    whole, goal = tables.table(name), tables.target(name)
    if name == "adult":
        whole = whole.take(np.random.default_rng(0).permutation(whole.n_rows)[:6000])
    folds = folds_of(name, whole.n_rows)
    features, (target, answers) = whole.drop(goal), whole.column(goal)
    is_classes = not target.is_numeric
    numbers = as_numbers(features)
    ours, theirs = [], []
    for fold in range(3 if name in ("adult", "abalone", "hypothyroid") else at_most(4, 10)):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        mine = (tw.RandomForestClassifier if is_classes else tw.RandomForestRegressor)(
            60, random_state=fold, n_jobs=2
        )
        other = (
            RandomForestClassifier(60, random_state=fold)
            if is_classes
            else RandomForestRegressor(60, random_state=fold, max_features=1 / 3, min_samples_leaf=5)
        )
        mine.fit(features.take(train), answers[train])
        other.fit(numbers[train], answers[train])
        for model, rows, into in ((mine, features.take(test), ours), (other, numbers[test], theirs)):
            said = model.predict(rows)
            into.append((said != answers[test]) if is_classes else (said - answers[test]) ** 2)
    mine, other = np.concatenate(ours).astype(float), np.concatenate(theirs).astype(float)
    away = mine - other
    spread = away.std() / np.sqrt(len(away))
    assert away.mean() < 2.5 * spread + 1e-12, f"{mine.mean():.4f} and {other.mean():.4f}"
