"""Pictures: every plot is drawn, lines differ by more than colour, without matplotlib too."""

from __future__ import annotations

import sys

import pytest
from matplotlib.figure import Figure

import treewright as tw
from tests import tables
from tests.paint.looking import faults
from treewright.evaluate import cross_validate, learning_curve, overfitting_curve, pruning_curve, stability
from treewright.paint import Line

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


@pytest.mark.parametrize("name", list(PLOTS))
def test_it_is_drawn_with_words(name, tmp_path):
    value = PLOTS[name]()
    chart = value.plot(tmp_path / "chart.png")
    assert faults(chart) == []
    assert chart.x.label
    assert chart.title
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    own = Figure().add_subplot()
    value.plot(ax=own)
    assert (own.get_xlabel(), own.get_title()) == (chart.x.label, chart.title)
    assert chart.title in chart.to_text()


def test_lines_differ_by_dash_and_marker():
    lines = [Line("", (), (), look=i) for i in range(4)]
    assert len({line.ink for line in lines}) == len({line.dash for line in lines}) == 4
    assert {line.ink for line in lines} <= OKABE_ITO
    chart = PLOTS["alpha"]().plot()
    names = [layer.name for layer in chart.layers]
    assert names[:3] == ["training error ± SE", "validation error ± SE", "cv error ± SE"]
    assert any("1-SE" in name for name in names)
    drawn = [layer for layer in chart.layers if isinstance(layer, Line)]
    assert len({line.look for line in drawn}) == 3
    assert all(line.low and line.high for line in drawn)


def test_a_curve_lies_where_its_figures_are():
    found = PLOTS["depth, cross-validated"]()
    chart = found.plot()
    for layer, line in zip(chart.layers, found.lines, strict=False):
        order = sorted(range(len(found)), key=lambda i: found.x[i])
        assert list(layer.y) == [line.values[i] for i in order]
    assert chart.y.is_share


def test_nothing_is_installed_for_files(monkeypatch, tmp_path):
    curve = PLOTS["nodes"]()
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    for end in ("svg", "pdf", "png", "txt"):
        curve.plot(tmp_path / f"curve.{end}")
    assert len(list(tmp_path.iterdir())) == 4


def test_axes_in_the_place_of_a_path_are_told_where_they_belong():
    with pytest.raises(TypeError, match=r"plot\(ax=\.\.\.\)"):
        PLOTS["nodes"]().plot(Figure().add_subplot())


def test_what_was_not_scored_is_not_drawn():
    found = cross_validate(tw.example("tennis"), "PlayTennis", folds=2)
    with pytest.raises(ValueError, match="score='f1' was not asked for; there are accuracy"):
        found.plot(score="f1")
    with pytest.raises(ValueError, match="place=99"):
        stability(tw.example("tennis"), "PlayTennis", n_trees=2).plot(place=99)


def test_curves_are_frames_of_any_library():
    for make in (PLOTS["nodes"], PLOTS["alpha"], PLOTS["rows"], PLOTS["folds"]):
        value = make()
        for backend in ("pandas", "polars", "pyarrow"):
            assert len(value.to_frame(backend)) == len(next(iter(value.to_dict().values())))
    with pytest.raises(ValueError, match="not 'duckdb'"):
        value.to_frame("duckdb")
