"""Pictures: every plot is drawn, lines differ by more than colour; without matplotlib the extra is named."""

from __future__ import annotations

import io
import sys

import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import treewright as tw
from tests import tables
from treewright.evaluate import cross_validate, learning_curve, overfitting_curve, pruning_curve, stability
from treewright.evaluate.picture import colours, look

OKABE_ITO = {"#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#000000"}


def rows():
    return tables.table("kyphosis")


PLOTS = {
    "nodes": lambda: overfitting_curve(rows(), "Kyphosis"),
    "depth, cross-validated": lambda: overfitting_curve(rows(), "Kyphosis", "depth", folds=3),
    "leaf size": lambda: overfitting_curve(tables.table("abalone"), "Rings", "leaf_size", points=5),
    "alpha": lambda: pruning_curve(rows(), "Kyphosis", validation=0.3, folds=3),
    "m": lambda: pruning_curve(rows(), "Kyphosis", "minimum_error", folds=3),
    "kappa": lambda: pruning_curve(rows(), "Kyphosis", "critical_value", folds=3, points=6),
    "rows": lambda: learning_curve(rows(), "Kyphosis", repeats=2, sizes=[10, 30]),
    "one repeat": lambda: learning_curve(rows(), "Kyphosis", repeats=1, sizes=[10]),
    "folds": lambda: cross_validate(rows(), "Kyphosis", folds=3),
    "columns": lambda: stability(rows(), "Kyphosis", n_trees=5),
}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.mark.parametrize("name", list(PLOTS))
def test_it_is_drawn_with_words(name):
    value = PLOTS[name]()
    axes = value.plot()
    assert axes.get_xlabel()
    assert axes.get_title()
    picture = io.BytesIO()
    axes.figure.savefig(picture, format="png")
    assert picture.getvalue().startswith(b"\x89PNG")
    own = Figure().add_subplot()
    assert value.plot(ax=own) is own


def test_lines_differ_by_dash_and_marker():
    looks = [look(i) for i in range(4)]
    for part in ("color", "linestyle", "marker"):
        assert len({str(one[part]) for one in looks}) == 4
    assert set(colours()) <= OKABE_ITO
    axes = PLOTS["alpha"]().plot()
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    assert words[:3] == ["training error ± SE", "validation error ± SE", "cv error ± SE"]
    assert any("1-SE" in word for word in words)
    drawn = [line for line in axes.get_lines() if line.get_marker() not in ("None", None, "")]
    assert len({line.get_marker() for line in drawn}) == len({line.get_linestyle() for line in drawn}) == 3


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    curve = PLOTS["nodes"]()
    for name in ("matplotlib", "matplotlib.pyplot"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install 'treewright\[plot\]'"):
        curve.plot()
    assert curve.to_text()


def test_what_was_not_scored_is_not_drawn():
    found = cross_validate(tw.example("tennis"), "PlayTennis", folds=2)
    with pytest.raises(ValueError, match="score='f1' was not asked for; there are accuracy"):
        found.plot("f1")
    with pytest.raises(ValueError, match="place=99"):
        stability(tw.example("tennis"), "PlayTennis", n_trees=2).plot(place=99)


def test_curves_are_frames_of_any_library():
    for make in (PLOTS["nodes"], PLOTS["alpha"], PLOTS["rows"], PLOTS["folds"]):
        value = make()
        for backend in ("pandas", "polars", "pyarrow"):
            assert len(value.to_frame(backend)) == len(next(iter(value.to_dict().values())))
    with pytest.raises(ValueError, match="not 'duckdb'"):
        value.to_frame("duckdb")
