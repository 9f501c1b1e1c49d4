"""Cross-validation: beside a plain loop, beside scikit-learn's, and where tables are awkward."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treewright as tw
from tests import tables
from treewright.base.progress import watched_by
from treewright.evaluate import cross_validate
from treewright.prune import CostComplexity
from treewright.table import Table
from treewright.table.frame import typed_frame


@pytest.mark.parametrize(
    ("name", "recipe", "settings"),
    [
        ("vote", "c4.5", {}),
        ("kyphosis", "cart", {"costs": [[0, 1], [3, 0]]}),
        ("iris", "plain", {"max_depth": 3, "class_weight": "balanced"}),
        ("monk1", "id3", {}),
        ("abalone", "cart", {"prune": "none", "max_depth": 5}),
        ("vote", "plain", {"prune": "reduced_error"}),
    ],
)
def test_it_is_the_plain_loop(name, recipe, settings):
    rows, target = tables.table(name), tables.target(name)
    fold = np.arange(rows.n_rows) % 4
    found = cross_validate(rows, target, recipe, folds=fold, **settings)
    column, truth = rows.column(target)
    said = np.empty(rows.n_rows, dtype=object)
    for k in range(4):
        tree = tw.grow(rows.take(fold != k), target, recipe, **settings)
        said[fold == k] = tree.predict(rows.take(fold == k))
        assert found.fitted[k] == tree
        assert (found.folds[k].n_leaves, found.folds[k].depth) == (tree.n_leaves, tree.depth)
        assert (found.folds[k].n_train, found.folds[k].n_held) == ((fold != k).sum(), (fold == k).sum())
    assert found.fold.tolist() == fold.tolist()
    if column.is_numeric:
        wrong = (said.astype(float) - truth) ** 2
        assert found.overall["rmse"].value == pytest.approx(np.sqrt(wrong.mean()))
        per_fold = [np.sqrt(wrong[fold == k].mean()) for k in range(4)]
        values = [part.scores["rmse"].value for part in found.folds]
    else:
        right = said == rows.labels(target)
        assert found.overall["accuracy"].value == right.mean()
        assert found.overall["accuracy"].standard_error == pytest.approx(
            np.sqrt(right.mean() * (1 - right.mean()) / rows.n_rows)
        )
        per_fold = [right[fold == k].mean() for k in range(4)]
        values = [part.scores["accuracy"].value for part in found.folds]
        assert np.trace(found.confusion().array) == right.sum()
    np.testing.assert_allclose(values, per_fold)
    mean = found.mean["rmse" if column.is_numeric else "accuracy"]
    assert mean.value == pytest.approx(np.mean(per_fold))
    assert mean.standard_error == pytest.approx(np.std(per_fold, ddof=1) / 2)


@pytest.mark.parametrize(
    ("name", "model", "score", "scoring"),
    [
        ("iris", DecisionTreeClassifier(random_state=0), "accuracy", "accuracy"),
        ("iris", DecisionTreeClassifier(max_depth=2, random_state=0), "log_loss", "neg_log_loss"),
        ("iris", GaussianNB(), "balanced_accuracy", "balanced_accuracy"),
        ("kyphosis", tw.DecisionTreeClassifier(recipe="cart", prune="none"), "f1", "f1_macro"),
        (
            "abalone",
            DecisionTreeRegressor(max_depth=4, random_state=0),
            "rmse",
            "neg_root_mean_squared_error",
        ),
        ("abalone", tw.DecisionTreeRegressor(max_depth=4), "r2", "r2"),
    ],
)
def test_models_beside_cross_val_score(name, model, score, scoring):
    rows, target = tables.table(name), tables.target(name)
    if name == "abalone":
        rows = rows.drop("Sex" if "Sex" in rows.schema else rows.names[0])
    fold = np.arange(rows.n_rows) * 7 % 5
    found = cross_validate(rows, target, model=model, folds=fold, scores=score)
    column, values = rows.column(target)
    y = values if column.is_numeric else rows.labels(target)
    wanted = cross_val_score(
        model, typed_frame(rows.drop(target)), y, cv=PredefinedSplit(fold), scoring=scoring
    )
    ours = [part.scores[score].value for part in found.folds]
    np.testing.assert_allclose(ours, -wanted if scoring.startswith("neg_") else wanted, rtol=1e-9)


def test_a_recipe_and_its_estimator_agree():
    rows, target = tables.table("vote"), tables.target("vote")
    ours = cross_validate(rows, target, "c4.5", folds=5)
    model = cross_validate(rows, target, model=tw.DecisionTreeClassifier(recipe="c4.5"), folds=5)
    assert ours.to_dict() == model.to_dict()
    assert all(hasattr(fitted, "tree_") for fitted in model.fitted)


def test_truth_values_are_classes_too():
    rows = Table.from_dict({"x": [i / 7 for i in range(30)], "y": [i % 7 > 2 for i in range(30)]})
    ours = cross_validate(rows, "y", folds=3, scores=["accuracy", "log_loss"])
    model = cross_validate(
        rows, "y", model=tw.DecisionTreeClassifier(), folds=3, scores=["accuracy", "log_loss"]
    )
    assert ours.overall == model.overall
    other = cross_validate(rows, "y", model=DecisionTreeClassifier(random_state=0), folds=ours.fold)
    wanted = cross_val_score(
        DecisionTreeClassifier(random_state=0),
        typed_frame(rows.drop("y")),
        rows.column("y")[1],
        cv=PredefinedSplit(ours.fold),
    )
    assert [part.scores["accuracy"].value for part in other.folds] == pytest.approx(wanted.tolist())


def test_the_model_itself_is_not_fitted():
    model = tw.DecisionTreeClassifier()
    cross_validate(tw.example("tennis"), "PlayTennis", model=model, folds=2)
    assert not hasattr(model, "tree_")


def test_threads_change_nothing_and_who_watches_is_told():
    rows, target = tables.table("vote"), tables.target("vote")
    heard, ambient = [], []
    one = cross_validate(rows, target, "cart", folds=6, progress=heard.append)
    with watched_by(ambient.append):
        many = cross_validate(rows, target, "cart", folds=6, n_jobs=3)
    assert one.to_dict() == many.to_dict()
    assert heard == ambient == pytest.approx([k / 6 for k in range(1, 7)])


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_the_watcher_raises_ends_the_work(n_jobs):
    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cross_validate(tw.example("vote"), "Class", folds=50, n_jobs=n_jobs, progress=stop)
    assert threading.active_count() < 20


def test_a_column_of_folds_or_weights_is_no_feature():
    rows = tables.table("iris")
    fold = np.arange(150) % 3
    weight = np.arange(150) % 4 + 1.0
    extended = Table.of(
        {**{name: rows.to_dict()[name] for name in rows.names}, "part": fold, "heavy": weight}
    )
    named = cross_validate(extended, "class", folds="part", weights="heavy")
    given = cross_validate(rows, "class", folds=fold, weights=weight)
    assert named.to_dict() == given.to_dict()
    assert "part" not in named.fitted[0].schema
    right = given.answers.truth == given.answers.given
    assert given.overall["accuracy"].value == pytest.approx(np.average(right, weights=weight))
    model = cross_validate(extended, "class", model=DecisionTreeClassifier(), folds="part", weights="heavy")
    assert model.fitted[0].n_features_in_ == 4


def test_folds_of_pruning_given_row_by_row_go_with_the_rows():
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    inner = np.arange(81) % 5
    found = cross_validate(rows, target, "cart", folds=[0, 1] * 40 + [0], prune=CostComplexity(folds=inner))
    kept = np.arange(81) % 2 == 0
    wanted = tw.grow(rows.take(~kept), target, "cart", prune=CostComplexity(folds=inner[~kept]))
    assert (found.fitted[0].end == wanted.end).all()


def test_probabilities_are_smoothed_on_request():
    rows = tw.example("vote")
    raw, smooth = (
        cross_validate(rows, "Class", folds=5, scores="log_loss", probabilities=p).overall["log_loss"].value
        for p in ("raw", "laplace")
    )
    assert smooth < raw


# ---- awkward tables ---------------------------------------------------------------------------------


def test_one_class():
    found = cross_validate(Table.from_dict({"x": range(6), "y": ["a"] * 6}), "y", folds=3)
    assert found.overall["accuracy"] == found.overall["balanced_accuracy"] == (1.0, 0.0)


def test_a_class_that_only_one_fold_has():
    rows = Table.from_dict({"x": range(6), "y": list("aabbcc")})
    found = cross_validate(rows, "y", folds=[0, 0, 1, 1, 2, 2], scores=["accuracy", "f1", "log_loss"])
    assert found.overall["accuracy"].value == 0.0
    assert found.folds[0].scores["f1"].value == 0.0
    assert found.confusion().classes == ("a", "b", "c")
    with_model = cross_validate(
        rows, "y", model=DecisionTreeClassifier(), folds=[0, 0, 1, 1, 2, 2], scores=["accuracy", "log_loss"]
    )
    assert with_model.overall["accuracy"].value == 0.0


def test_two_rows():
    found = cross_validate(Table.from_dict({"x": [1, 2], "y": [1.0, 2.0]}), "y", folds=10)
    assert found.overall["rmse"].value == 1.0
    assert np.isnan(found.folds[0].scores["r2"].value)
    assert np.isnan(found.mean["r2"].value)
    assert "-" in found.to_text()


def test_a_model_without_probabilities():
    class Majority:
        def fit(self, X, y):
            self.said = max(set(y), key=list(y).count)

        def predict(self, X):
            return [self.said] * len(X)

    found = cross_validate(tw.example("vote"), "Class", model=Majority(), folds=5)
    assert found.overall["accuracy"].value == pytest.approx(267 / 435)
    assert found.to_dict()["n_leaves"] == [None] * 5
    assert "leaves" not in found.to_text()
    with pytest.raises(ValueError, match="log_loss judges probabilities, and these answers have none"):
        cross_validate(tw.example("vote"), "Class", model=Majority(), folds=5, scores="log_loss")


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ({"scores": "acuracy"}, ValueError, "did you mean 'accuracy'"),
        ({"scores": "rmse"}, ValueError, "does not judge classes"),
        ({"recipe": "c45"}, ValueError, "no recipe 'c45'"),
        ({"max_depht": 3}, ValueError, "did you mean 'max_depth'"),
        ({"n_jobs": 0}, ValueError, "n_jobs=0"),
        ({"model": "tree"}, TypeError, "has no fit"),
        ({"model": DecisionTreeClassifier}, TypeError, "has no fit"),
        ({"model": DecisionTreeClassifier(), "max_depth": 3}, ValueError, "max_depth would not reach it"),
        (
            {"model": DecisionTreeClassifier(), "probabilities": "laplace"},
            ValueError,
            "probabilities would not",
        ),
        ({"weights": [1, 2]}, ValueError, "14 rows"),
        ({"folds": "part"}, KeyError, "No column is named 'part'"),
        ({"target": "PlayTenis"}, KeyError, "did you mean 'PlayTennis'"),
    ],
)
def test_wrong_words_are_answered(arguments, kind, words):
    with pytest.raises(kind, match=words):
        cross_validate(**{"table": tw.example("tennis"), "target": "PlayTennis", "folds": 2} | arguments)


def test_missing_answers_and_no_table():
    with pytest.raises(ValueError, match="missing in 1 of 2 rows"):
        cross_validate(Table.from_dict({"x": [1, 2], "y": ["a", None]}), "y")
    with pytest.raises(TypeError, match=r"takes a treewright\.Table"):
        cross_validate(17, "y")


def test_frames_keep_kinds():
    rows = Table.from_dict(
        {
            "n": [1.5, None],
            "size": ["M", None],
            "flag": [True, None],
            "word": ["u", "v"],
            "sure": [True, False],
        },
        ordinal={"size": ["S", "M"]},
        categories={"word": ["v", "u", "w"]},
    )
    assert Table.from_frame(typed_frame(rows, "pandas")) == rows
    assert [c.kind for c in Table.from_frame(typed_frame(rows, "polars")).schema.columns] == [
        "numeric", "nominal", "boolean", "nominal", "boolean"
    ]  # fmt: skip


def test_models_take_polars_frames_where_pandas_is_absent(monkeypatch):
    rows, target = tables.table("vote"), tables.target("vote")
    model = tw.DecisionTreeClassifier(recipe="c4.5")
    wanted = cross_validate(rows, target, model=model, folds=4)
    monkeypatch.setattr("treewright.table.frame.find_spec", lambda name: name != "pandas" or None)
    found = cross_validate(rows, target, model=model, folds=4)
    assert type(found.to_frame()).__module__.startswith("polars")
    assert found.to_dict() == wanted.to_dict()
    monkeypatch.setattr("treewright.table.frame.find_spec", lambda name: None)
    with pytest.raises(ImportError, match="A frame needs one of pandas, polars, pyarrow; none is installed"):
        found.to_frame()
