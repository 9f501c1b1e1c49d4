"""Charts: by their layout no two texts meet and none leaves the page; every form draws the same layers."""

from __future__ import annotations

import math
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import at_most
from tests.draw.looking import ODD_NAMES
from tests.paint.looking import faults
from treewright.paint import Area, Axis, Cells, Chart, Dots, Line, Note, Panels, Rule, Shades, axis_over

NAMES = st.sampled_from([*ODD_NAMES, "test", "training error ± SE", "a", "10,000", "yes"])
NUMBERS = st.lists(st.floats(-1e6, 1e6).map(lambda v: round(v, 4)), min_size=2, max_size=6, unique=True)


@st.composite
def charts(draw):
    x, is_names = sorted(draw(NUMBERS)), draw(st.booleans())
    y = draw(st.lists(st.floats(0, 1), min_size=len(x), max_size=len(x)))
    layers = [Line(draw(NAMES), x, y, i, has_dots=True) for i in range(draw(st.integers(1, 4)))]
    layers += [Dots(draw(NAMES), x, y, look=i) for i in range(draw(st.integers(0, 3)))]
    layers += [Note(draw(NAMES), a, b) for a, b in zip(x, y, strict=True)]
    layers += [
        Rule(draw(NAMES), x[0]),
        Area(draw(NAMES), (), (), "#aabbcc"),
        Shades(draw(NAMES), "0", "1", ("#ffffff",) * 3),
    ]
    across = axis_over(draw(NAMES), x)
    if is_names:
        names = draw(st.lists(NAMES, min_size=1, max_size=30))
        across = Axis.of_names("names", names)
        layers = [replace(one, x=range(len(x))) if isinstance(one, (Line, Dots)) else one for one in layers]
    return Chart(
        draw(NAMES), across, axis_over(draw(NAMES), y), tuple(layers),
        about=(draw(NAMES),), below=(draw(NAMES),),
        size=(draw(st.sampled_from([240.0, 400.0, 640.0, 1000.0])), draw(st.sampled_from([160.0, 420.0]))),
        legend=draw(st.sampled_from(["auto", "below", "none"])),
    )  # fmt: skip


@settings(max_examples=at_most(25, 60), deadline=None)
@given(charts())
def test_no_two_texts_meet_and_none_leaves_the_page(chart):
    assert faults(chart) == []
    for text in (chart.to_text(), chart.to_text(columns=40, rows=10, ascii=True)):
        assert all(len(line) <= 200 for line in text.splitlines())


@settings(max_examples=15, deadline=None)
@given(st.lists(charts(), min_size=1, max_size=5))
def test_nor_where_several_share_a_page(several):
    assert faults(Panels("several", tuple(several))) == []


LAYERS = (
    Cells(((0, 0, 1, 1),), ("#dddddd",), (1,)),
    Area("area", (0, 1, 1), (0, 0, 1), "#eeeecc", 2, "#000000"),
    Line("line", (0.0, 0.5, 1.0), (0.0, math.nan, 1.0), 0),
    Line("band", (0.0, 0.5, 1.0), (0.2, 0.5, 0.7), 1, (0.1, 0.4, 0.6), (0.3, 0.6, 0.8), has_dots=True),
    Line("stairs", (0.0, 0.5, 1.0), (0.9, 0.5, 0.1), 2, is_step=True),
    *(Dots(f"dots {i}", (0.1 * i,), (0.5,), look=i, spread=(0.1,)) for i in range(7)),
    Dots("ring", (0.5,), (0.5,), is_ring=True),
    Rule("rule", 0.5),
    Rule("level", 0.25, is_upright=False),
    Note("note", 0.5, 0.9),
    Note("cell", 0.5, 0.1, room=1.0),
    Shades("shades", "0 %", "100 %", ("#ffffff", "#000000")),
)  # fmt: skip


def everything() -> Chart:
    return Chart("Every layer", Axis("x"), Axis("y"), LAYERS, about=("about",), below=("below",))


def test_every_layer_is_in_every_form(tmp_path):
    chart = everything()
    words = {text.words for text in chart.texts}
    names = {layer.name for layer in LAYERS if getattr(layer, "name", "")}
    assert names | {"note", "cell", "about", "below", "Every layer"} <= words
    assert {e.text for e in ET.fromstring(chart.to_svg()).iter("{http://www.w3.org/2000/svg}text")} == words
    text = chart.to_text()
    assert all(name in text for name in names | {"note", "cell", "about", "below"})
    assert text.isascii() is False
    assert all(name in chart.to_text(ascii=True) for name in names)
    for end, begin in (("svg", b"<svg"), ("pdf", b"%PDF-"), ("png", b"\x89PNG"), ("txt", b"Every layer")):
        path = tmp_path / f"chart.{end}"
        chart.save(path)
        assert path.read_bytes().startswith(begin)


def test_matplotlibs_axes_hold_lines_and_points_of_their_own():
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    everything().draw_on(ax)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("x", "y", "Every layer")
    assert [round(v, 6) for v in ax.lines[1].get_ydata()] == [0.2, 0.5, 0.7]
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert {"line", "band", "ring", "rule", "shades: 0 %", "shades: 100 %"} <= set(words)
    other = Figure().add_subplot()
    Chart("", Axis("rows", 0, 100, "log from 0", first_above=1), Axis.of_names("c", "ab"), ()).draw_on(other)
    assert other.get_xscale() == "symlog"
    assert [tick.get_text() for tick in other.get_yticklabels()] == ["a", "b"]
    with pytest.raises(TypeError, match="no matplotlib axes"):
        everything().draw_on("axes")


def test_lines_are_cut_at_the_frame():
    chart = Chart(
        "",
        Axis("x"),
        Axis("y"),
        (Line("out", (-5, 0.5, 5), (0.5, 3.0, 0.5), 0), Area("", (-9, 9, 9, -9), (-9, -9, 9, 9), "#dddddd")),
    )
    points = [p for shape in chart.shapes for step in shape.path if len(step) == 3 for p in [step[1:]]]
    assert all(0 <= x <= chart.width and 0 <= y <= chart.height for x, y in points)


def test_values_lie_where_the_ticks_say():
    axis = axis_over("alpha", [0.0, 0.001, 0.5])
    places = [axis.place(value) for value in (0.0, 0.001, 0.01, 0.1, 0.5)]
    assert places == sorted(places)
    assert places[0] == 0
    for low, high in ((0.0, 1.0), (3.0, 4.7), (-120.0, 80.0), (1e-7, 3e-7), (5e8, 6e9)):
        ticks = [value for value, _ in Axis("x", low, high).ticks(6)]
        assert 2 <= len(ticks) <= 8
        steps = np.diff(ticks)
        assert steps == pytest.approx(np.full(len(steps), steps[0]), rel=1e-6)
        assert low - 1e-9 <= ticks[0]
        assert ticks[-1] <= high * (1 + 1e-9) + 1e-9
    assert [words for _, words in axis_over("n", [1, 2, 3]).ticks(9)] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (lambda: Axis("x", 1, 1), ValueError, "two finite ends"),
        (lambda: Axis("x", 0, math.inf), ValueError, "two finite ends"),
        (lambda: Axis("x", 0, 1, "log"), ValueError, "begins above 0"),
        (lambda: Axis("x", scale="logg"), ValueError, "scale='logg'"),
        (lambda: Chart("", Axis("x"), Axis("y"), (), size=(100, 100)), ValueError, "240 x 160 is the least"),
        (lambda: Chart("", Axis("x"), Axis("y"), (), legend="left"), ValueError, "legend='left'"),
        (lambda: Chart("", Axis("x"), Axis("y"), ()).save("a.gif"), ValueError, "found 'a.gif'"),
    ],
)
def test_what_cannot_be_drawn_is_said(make, kind, words):
    with pytest.raises(kind, match=words):
        make()


def test_the_same_chart_gives_the_same_bytes():
    assert everything().to_png() == everything().to_png()
    assert everything().to_pdf() == everything().to_pdf()
    assert everything().to_svg() == everything().to_svg()
