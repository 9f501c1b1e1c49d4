"""What an estimator draws, and what a notebook shows of it."""

from __future__ import annotations

import pytest
import sklearn
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

import treewright as tw
from treewright.draw import Picture

X = [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0]]
Y = ["a", "a", "b", "b"]


@pytest.mark.parametrize("kind", [tw.DecisionTreeClassifier, tw.DecisionTreeRegressor])
def test_an_estimator_draws_its_tree(kind, tmp_path):
    y = Y if kind is tw.DecisionTreeClassifier else [1.0, 2.0, 5.0, 6.0]
    model = kind().fit(X, y)
    assert model.plot(tmp_path / "tree.svg") == model.tree_.plot()
    assert (tmp_path / "tree.svg").read_text("utf-8") == model.tree_.plot().to_svg()
    held = model.plot(X=X[:3], y=y[:3])
    assert any("3 held out" in text.words for text in held.texts)
    with pytest.raises(ValueError, match="give both X and y"):
        model.plot(X=X)


def test_weights_of_held_out_rows_count():
    model = tw.DecisionTreeClassifier().fit(X, Y)
    picture = model.plot(X=X, y=Y, sample_weight=[3, 1, 1, 1])
    assert "6 held out: 67 %" in [text.words for text in picture.texts]


def test_before_it_is_fitted_there_is_nothing_to_draw():
    with pytest.raises(NotFittedError):
        tw.DecisionTreeClassifier().plot()


def test_a_notebook_shows_the_box_and_the_picture():
    model = tw.DecisionTreeClassifier()
    assert "<svg xmlns" not in model._repr_html_()
    model.fit(X, Y)
    for html in (model._repr_html_(), model._repr_mimebundle_()["text/html"]):
        assert "sk-top-container" in html
        assert html.endswith(f"{model.tree_.plot().to_svg()}</div>")
    assert model._repr_mimebundle_()["text/plain"] == repr(model)


def test_the_picture_is_shown_only_where_scikit_learn_shows_a_box():
    model = tw.DecisionTreeClassifier().fit(X, Y)
    with sklearn.config_context(display="text"):
        assert "text/html" not in model._repr_mimebundle_()
        assert not hasattr(model, "_repr_html_")


def test_a_pipeline_is_shown_as_ever():
    model = make_pipeline(tw.DecisionTreeClassifier()).fit(X, Y)
    assert "Pipeline" in model._repr_html_()


def test_names_from_data_are_escaped_in_a_notebook():
    table = tw.Table.from_dict({"<script>alert(1)</script>": [1, 2], "y": ["<b>", "&"]})
    model = tw.DecisionTreeClassifier().fit(table.drop("y"), table.labels("y"))
    picture = model._repr_mimebundle_()["text/html"].partition("overflow-x:auto")[2]
    assert "<script" not in picture
    assert "<b>" not in picture
    assert "&lt;script&gt;" in picture


def test_a_tree_shows_itself_as_a_picture():
    model = tw.DecisionTreeClassifier().fit(X, Y)
    assert model.tree_._repr_svg_() == model.plot().to_svg()
    assert isinstance(model.plot(), Picture)
    assert model.plot()._repr_svg_() == model.plot().to_svg()
