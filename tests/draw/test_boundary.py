"""Boundaries: what is in the chart is where models change their minds."""

import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.figure import Figure

import treewright as tw
from tests.paint.looking import faults
from treewright.draw import shading
from treewright.draw.partitions import first_splits, split_order
from treewright.paint import Area, Cells, Dots, Line, Rule

X = np.array([[1.0, 5], [1, 3], [3, 4], [3, 2]])
Y = np.array(["left", "left", "right", "right"])


def lines(chart, name):
    """Return the points of the lines of a name, without the gaps between them."""
    points = [
        p
        for one in chart.layers
        if isinstance(one, Line) and one.name == name
        for p in zip(one.x, one.y, strict=True)
    ]
    return np.array([p for p in points if p[0] == p[0]])


def names(chart):
    return list(dict.fromkeys(one.name for one in chart.layers if getattr(one, "name", "")))


def test_the_margin_plane_of_the_lecture_is_drawn_where_it_is():
    model = tw.MaxMarginClassifier().fit(X, Y)
    chart = tw.draw.boundary(model, X, Y)
    assert lines(chart, "MaxMarginClassifier")[:, 0] == pytest.approx(2.0)
    assert sorted(set(lines(chart, "margin")[:, 0].round(6).tolist())) == [1.0, 3.0]
    (rings,) = [one for one in chart.layers if isinstance(one, Dots) and one.is_ring]
    assert len(rings.x) == len(model.support_) == 4  # every row on the margin: problem 6 of lecture 002
    assert names(chart) == ["left", "right", "MaxMarginClassifier", "margin", "support vectors"]
    assert faults(chart) == []


def test_a_boundary_is_where_the_scores_are_zero():
    model = tw.LogisticRegression(l2=0.1, features="squared_difference").fit(X, Y)
    points = lines(tw.draw.boundary(model, X, Y), "LogisticRegression")
    assert len(points) > 50
    assert np.abs(model.decision_function(points)).max() < 1e-3


def plane(n=80, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    return x, (x[:, 0] > 0.3) & (x[:, 1] < 0.1)


def test_lines_of_a_tree_lie_at_its_cuts_and_divide_its_leaves():
    x, y = plane()
    model = tw.DecisionTreeClassifier().fit(x, y)
    tree = model.tree_
    for shown in (model, tree):
        chart = tw.draw.boundary(shown, x, y if shown is model else np.where(y, "True", "False"))
        points = lines(chart, type(shown).__name__).reshape(-1, 2, 2)
        is_level = points[:, 0] == points[:, 1]
        assert is_level.any(axis=1).all()
        assert {float(v) for v in points[:, 0][is_level]} == {float(c) for c in tree.cut[~tree.leaf_mask]}
        for a, b in points:
            middle, aside = (a + b) / 2, np.where(a == b, 1e-9, 0.0)
            given = [
                {n: [v] for n, v in zip(tree.schema.names, middle + s * aside, strict=True)} for s in (-1, 1)
            ]
            assert tree.leaves(given[0])[0] != tree.leaves(given[1])[0]


def cells_of(chart):
    (cells,) = [one for one in chart.layers if isinstance(one, Cells)]
    return cells


def test_the_ground_is_the_ratio_of_the_classes_of_each_leaf():
    x, y = plane()
    y = y ^ (np.arange(len(y)) % 5 == 0)
    model = tw.DecisionTreeClassifier(max_depth=2, min_samples_leaf=9).fit(x, y)
    cells = cells_of(tw.draw.boundary(model, x, y))
    middles = np.array([((a + c) / 2, (b + d) / 2) for a, b, c, d in cells.boxes])
    chances = model.predict_proba(middles)
    assert cells.colours == [shading.ratio_tint(row) for row in chances.round(3).tolist()]
    assert len(set(cells.colours)) > 2
    by_class = cells_of(tw.draw.boundary(model, x, y, background="class"))
    codes = model.predict(middles).astype(int)
    assert by_class.colours == [shading.class_tint(code) for code in codes]
    assert not any(isinstance(one, Cells) for one in tw.draw.boundary(model, x, y, background="none").layers)


def test_a_grid_is_shaded_where_there_are_no_leaves():
    x, y = plane()
    model = tw.LogisticRegression(l2=0.1).fit(x, y)
    chart = tw.draw.boundary(model, x, y, background="ratio")
    assert len(set(cells_of(chart).colours)) > 10
    assert "chance of True" in names(chart)


def test_regression_trees_are_levels():
    rng = np.random.default_rng(3)
    table = tw.Table.from_dict({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    y = np.asarray(table.values[0]) * 2
    tree = tw.DecisionTreeRegressor(max_depth=2).fit(table, y)
    chart = tw.draw.boundary(tree, table, y)
    cells = cells_of(chart)
    for (left, low, right, high), colour in zip(cells.boxes, cells.colours, strict=True):
        value = tree.predict(tw.Table.from_dict({"a": [(left + right) / 2], "b": [(low + high) / 2]}))[0]
        assert shading.Levels(y.min(), y.max()).colour(value) == colour
    assert "predicted, and of rows" in names(chart)
    assert sum(len(one.x) for one in chart.layers if isinstance(one, Dots)) == 60
    one = tw.draw.boundary(
        tw.DecisionTreeRegressor(max_depth=1).fit(table.select(["a"]), y), table.select(["a"]), y
    )
    (line,) = [layer for layer in one.layers if isinstance(layer, Line)]
    assert len(set(np.round(line.y, 9))) == 2
    assert faults(one) == faults(chart) == []


def test_categories_have_a_place_each():
    tennis = tw.example("tennis")
    table = tennis.select(["Outlook", "Humidity"])
    tree = tw.grow(tennis.select(["Outlook", "Humidity", "PlayTennis"]), "PlayTennis", "id3")
    chart = tw.draw.boundary(tree, table, tennis.labels("PlayTennis"))
    assert chart.x.names == table.schema["Outlook"].categories
    points = [
        (x, y) for one in chart.layers if isinstance(one, Dots) for x, y in zip(one.x, one.y, strict=True)
    ]
    assert len(points) == len(set(points)) == 14  # no row hides another
    assert sorted(round(x) for x, _ in points) == sorted(table.values[0].tolist())
    boxes = cells_of(chart).boxes
    assert len(boxes) == 3 * 3
    wide = tw.Table.from_dict({"Outlook": table.labels("Outlook"), "n": range(14)})
    answers = tennis.labels("PlayTennis")
    mixed = tw.draw.boundary(tw.DecisionTreeClassifier().fit(wide, answers), wide, answers)
    assert mixed.y.names == ()
    assert faults(chart) == faults(mixed) == []


def test_one_column_is_a_strip():
    table = tw.Table.from_dict({"t": [40.0, 48, 60, 72, 80, 90], "y": list("nnyyyn")})
    tree = tw.grow(table, "y")
    chart = tw.draw.boundary(tree, table.select(["t"]), table.labels("y"))
    assert sorted(one.at for one in chart.layers if isinstance(one, Rule)) == [54.0, 85.0]
    assert faults(chart) == []


def test_mapped_xor_in_three_dimensions():
    from treewright.draw import cube
    from treewright.draw.plane import side_of

    table = tw.Table.from_dict({"x1": [0.0, 0, 1, 1], "x2": [0.0, 1, 0, 1], "(x1 - x2)²": [0.0, 1, 1, 0]})
    y = [0, 1, 1, 0]
    model = tw.MaxMarginClassifier().fit(table, y)
    chart = tw.draw.boundary(model, table, y)
    (area,) = [one for one in chart.layers if isinstance(one, Area) and one.name]
    weights, bias = cube.plane_of(model, [side_of(table, i) for i in range(3)])
    points = np.column_stack(table.values)
    assert points @ weights + bias == pytest.approx(model.decision_function(table))
    assert len(area.x) == 4  # a level plane meets the four upright edges
    dots = {one.name: one for one in chart.layers if isinstance(one, Dots)}
    assert min(dots["1"].y) > max(dots["0"].y)
    assert faults(chart) == []
    tree = tw.draw.boundary(tw.DecisionTreeClassifier().fit(table, y), table, y)
    assert "DecisionTreeClassifier has no plane: only the rows are drawn." in tree.below


def test_many_classes_have_marks_and_colours_of_their_own():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(90, 2)) + np.repeat(np.arange(9), 10)[:, None]
    y = np.repeat(np.arange(9), 10)
    model = tw.LogisticRegression(l2=0.1).fit(x, y)
    chart = tw.draw.boundary([model, tw.DecisionTreeClassifier().fit(x, y)], x, y)
    dots = [one for one in chart.layers if isinstance(one, Dots) and one.name][:9]
    assert len({(one.marker, one.ink) for one in dots}) == 9
    assert faults(chart) == []


def test_the_steps_of_a_perceptron():
    x = np.array([[4.0, 3], [1, 3], [-2, 0], [2, 2]])
    y = np.array([1, -1, -1, 1])
    model = tw.Perceptron(start=[1.0, 1.0], bias=False).fit(x, y)
    chart = tw.draw.boundary(model, x, y)
    assert np.abs(lines(chart, "its step 1 of 2")[:, 1]).max() == 0  # 0 x1 - 2 x2 = 0
    assert not [name for name in names(tw.draw.boundary(model, x, y, steps=False)) if "steps" in name]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, tw.Table.from_dict])
def test_frames_name_the_axes(library, recwarn):
    frame = library({"height": X[:, 0], "weight": X[:, 1]})
    models = [tw.LogisticRegression(l2=1.0).fit(frame, Y), tw.DecisionTreeClassifier().fit(frame, Y)]
    chart = tw.draw.boundary(models, frame, Y)
    assert (chart.x.label, chart.y.label) == ("height", "weight")
    assert not [w for w in recwarn if "feature names" in str(w.message)]


def test_foreign_models_take_part():
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
    from sklearn.svm import SVC

    frame = pd.DataFrame(X, columns=["a", "b"])
    models = {"neighbour": KNeighborsClassifier(1).fit(frame, Y), "svc": SVC(kernel="linear").fit(frame, Y)}
    assert names(tw.draw.boundary(models, frame, Y)) == ["left", "right", "neighbour", "svc"]
    number = tw.draw.boundary(KNeighborsRegressor(1).fit(frame, [1.0, 2, 3, 4]), frame, [1.0, 2, 3, 4])
    assert len(set(cells_of(number).colours)) == 4


def test_after_every_split_one_region_is_divided():
    x, y = plane(200)
    table = tw.Table.from_dict({"a": x[:, 0], "b": x[:, 1]})
    model = tw.DecisionTreeClassifier().fit(table, y)
    pages = tw.draw.partitions(model, table, y, splits=range(5))
    assert [chart.title for chart in pages.charts] == [
        "no split",
        "1 split",
        "2 splits",
        "3 splits",
        "4 splits",
    ][: len(pages.charts)]
    order = split_order(model.tree_)
    for n in range(len(order) + 1):
        assert first_splits(model.tree_, order, n).n_leaves == n + 1
    assert all(order.index(node) > order.index(int(model.tree_.node(node).parent)) for node in order if node)
    assert faults(pages) == []
    with pytest.raises(TypeError, match="LogisticRegression is none"):
        tw.draw.partitions(tw.LogisticRegression(l2=1).fit(x, y), x, y)
    with pytest.raises(ValueError, match="splits="):
        tw.draw.partitions(model, table, y, splits=[-1])


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "txt"])
def test_pictures_are_saved_without_matplotlib(ending, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    path = tmp_path / f"picture.{ending}"
    tw.draw.boundary(tw.LinearSeparator().fit(X, Y), X, Y, path=path, title="AND")
    start = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "txt": b"AND"}[ending]
    assert path.read_bytes().startswith(start)


def test_axes_that_were_given_are_drawn_on():
    axes = Figure().add_subplot()
    tw.draw.boundary(tw.LinearSeparator().fit(X, Y), X, Y, ax=axes)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x0", "x1")
    assert axes.get_lines()


@pytest.mark.parametrize(
    ("ask", "kind", "text"),
    [
        (lambda m: tw.draw.boundary(m, np.c_[X, X], Y), ValueError, "4 columns; a picture shows"),
        (lambda m: tw.draw.boundary(m, X, Y[:3]), ValueError, "for 4 rows"),
        (lambda m: tw.draw.boundary(m, X, Y, path="a.gif"), ValueError, "found 'a.gif'"),
        (lambda m: tw.draw.boundary(m, X, Y, background="red"), ValueError, "background='red'"),
        (lambda m: tw.draw.boundary([], X, Y), ValueError, "No model"),
        (lambda m: tw.draw.boundary("tree", X, Y), TypeError, "does not predict"),
        (lambda m: tw.draw.boundary(tw.LinearSeparator(), X, Y), ValueError, "fit it first"),
        (lambda m: tw.draw.boundary(m, [[np.nan, 1], [1, 2]], Y[:2]), ValueError, "gaps"),
        (
            lambda m: tw.draw.boundary(tw.LogisticRegression(l2=1).fit(np.c_[X, X[:, :1]], Y), X, Y),
            ValueError,
            "fitted to 3 columns; X has 2",
        ),
        (
            lambda m: tw.draw.boundary([m, tw.DecisionTreeRegressor().fit(X, [1.0, 2, 3, 4])], X, Y),
            ValueError,
            "draw them in two pictures",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_said(ask, kind, text):
    with pytest.raises(kind, match=text):
        ask(tw.LogisticRegression(l2=1.0).fit(X, Y))
