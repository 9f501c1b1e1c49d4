"""Boundaries: what is on the axes is where the models change their minds."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest

import treewright as tw

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.collections import LineCollection

X = np.array([[1.0, 5], [1, 3], [3, 4], [3, 2]])
Y = np.array(["left", "left", "right", "right"])


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def lines_of(axes):
    """Return the points of all contours."""
    return [p.vertices for c in axes.collections if hasattr(c, "get_paths") and hasattr(c, "levels")
            for p in c.get_paths() if len(p.vertices) and not c.filled]  # fmt: skip


def words(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_the_margin_plane_of_the_lecture_is_drawn_where_it_is():
    model = tw.MaxMarginClassifier().fit(X, Y)
    axes = tw.draw.boundary(model, X, Y)
    places = sorted(float(np.round(line[:, 0].mean(), 6)) for line in lines_of(axes))
    assert places == pytest.approx([1.0, 2.0, 3.0], abs=1e-6)
    rings = [c for c in axes.collections if c.get_facecolors().size == 0 and not hasattr(c, "levels")]
    assert len(rings[-1].get_offsets()) == len(model.support_)
    assert words(axes) == ["left", "right", "MaxMarginClassifier", "margin", "support vectors"]


def test_a_boundary_is_where_the_scores_are_zero():
    model = tw.LogisticRegression(l2=0.1, features="squared_difference").fit(X, Y)
    axes = tw.draw.boundary(model, X, Y)
    (line,) = lines_of(axes)
    assert np.abs(model.decision_function(line)).max() < 1e-3


def test_rectangles_of_a_tree_are_its_cuts():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 2))
    y = (x[:, 0] > 0.3) & (x[:, 1] < 0.1)
    model = tw.DecisionTreeClassifier().fit(x, y)
    for shown in (model, model.tree_):
        axes = tw.draw.boundary(shown, x, y if shown is model else np.where(y, "True", "False"))
        (found,) = [c for c in axes.collections if isinstance(c, LineCollection)]
        cuts = model.tree_.cut[~model.tree_.leaf_mask]
        assert len(found.get_segments()) == len(cuts)
        ends = np.array(found.get_segments())
        is_level = ends[:, 0] == ends[:, 1]
        assert is_level.any(axis=1).all()
        assert {float(v) for v in ends[:, 0][is_level]} == {float(c) for c in cuts}


def test_many_classes_have_marks_and_colours_of_their_own():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(90, 2)) + np.repeat(np.arange(9), 10)[:, None]
    y = np.repeat(np.arange(9), 10)
    model = tw.LogisticRegression(l2=0.1).fit(x, y)
    axes = tw.draw.boundary([model, tw.DecisionTreeClassifier().fit(x, y)], x, y)
    handles = axes.get_legend().legend_handles[:9]
    assert len({(h.get_marker(), h.get_color()) for h in handles}) == 9
    assert [h.get_marker() for h in handles[:3]] == ["o", "s", "^"]


def test_the_steps_of_a_perceptron():
    x = np.array([[4.0, 3], [1, 3], [-2, 0], [2, 2]])
    y = np.array([1, -1, -1, 1])
    model = tw.Perceptron(start=[1.0, 1.0], bias=False).fit(x, y)
    assert [u.weights for u in model.trace_] == [(0.0, -2.0), (2.0, -2.0)]
    axes = tw.draw.boundary(model, x, y)
    (step,) = axes.lines
    assert np.abs(step.get_ydata()).max() == 0  # 0 x1 - 2 x2 = 0
    assert "its steps 1 to 1 of 2" in words(axes)
    assert not tw.draw.boundary(model, x, y, steps=False).lines


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, tw.Table.from_dict])
def test_frames_name_the_axes(library, recwarn):
    frame = library({"height": X[:, 0], "weight": X[:, 1]})
    models = [tw.LogisticRegression(l2=1.0).fit(frame, Y), tw.DecisionTreeClassifier().fit(frame, Y)]
    axes = tw.draw.boundary(models, frame, Y)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("height", "weight")
    assert not [w for w in recwarn if "feature names" in str(w.message)]


def test_foreign_models_take_part():
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    frame = pd.DataFrame(X, columns=["a", "b"])
    models = {"neighbour": KNeighborsClassifier(1).fit(frame, Y), "svc": SVC(kernel="linear").fit(frame, Y)}
    assert words(tw.draw.boundary(models, frame, Y)) == ["left", "right", "neighbour", "svc"]


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_pictures_are_saved(ending, tmp_path):
    path = tmp_path / f"picture.{ending}"
    tw.draw.boundary(tw.LinearSeparator().fit(X, Y), X, Y, path=path, title="AND")
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert path.read_bytes().startswith(start)


def test_axes_that_were_given_are_used():
    axes = plt.subplots()[1]
    assert tw.draw.boundary(tw.LinearSeparator().fit(X, Y), X, Y, ax=axes) is axes


@pytest.mark.parametrize(
    ("ask", "kind", "text"),
    [
        (lambda m: tw.draw.boundary(m, np.c_[X, X], Y), ValueError, "4 columns; a picture shows two"),
        (lambda m: tw.draw.boundary(m, X, Y[:3]), ValueError, "for 4 rows"),
        (lambda m: tw.draw.boundary(m, X, Y, path="a.gif"), ValueError, "not 'a.gif'"),
        (lambda m: tw.draw.boundary([], X, Y), ValueError, "No model"),
        (lambda m: tw.draw.boundary("tree", X, Y), TypeError, "does not predict"),
        (lambda m: tw.draw.boundary(tw.LinearSeparator(), X, Y), ValueError, "fit it first"),
        (lambda m: tw.draw.boundary(m, [["a", 1], ["b", 2]], Y[:2]), ValueError, "is nominal"),
        (lambda m: tw.draw.boundary(m, [[np.nan, 1], [1, 2]], Y[:2]), ValueError, "gaps"),
        (
            lambda m: tw.draw.boundary(tw.LogisticRegression(l2=1).fit(np.c_[X, X], Y), X, Y),
            ValueError,
            "fitted to 4 columns",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_said(ask, kind, text):
    with pytest.raises(kind, match=text):
        ask(tw.LogisticRegression(l2=1.0).fit(X, Y))
