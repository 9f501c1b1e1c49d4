"""A chart on matplotlib's axes: lines and points become the axes' own, so that they can be worked on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from treewright.paint.axis import Axis
from treewright.paint.layers import MARKERS, Area, Cells, Dots, Line, Note, Rule, Shades

if TYPE_CHECKING:
    from treewright.paint.chart import Chart

_MARKERS = dict(zip(MARKERS, ("o", "s", "^", "D", "v", "X", "P"), strict=True))


def draw_on(ax: Any, chart: Chart) -> None:
    """Draw a chart on axes: their labels, ends, scales and legend are set; what they hold stays.

    >>> from matplotlib.figure import Figure
    >>> from treewright.paint import Axis, Chart
    >>> ax = Figure().add_subplot()
    >>> draw_on(ax, Chart("", Axis("rows", 1, 100, "log"), Axis("error"), ()))
    >>> ax.get_xscale(), ax.get_ylabel()
    ('log', 'error')
    """
    if not hasattr(ax, "set_xlim"):
        raise TypeError(f"ax={ax!r:.100} is no matplotlib axes.")
    for side, axis in (("x", chart.x), ("y", chart.y)):
        _side(ax, side, axis)
    labels: set[str] = set()
    for order, layer in enumerate(chart.layers):
        name = getattr(layer, "name", "")
        label = name if name and name not in labels else None
        labels.add(name)
        _DRAWN[type(layer)](ax, layer, label, 2 + order / 1000)
    if chart.is_level:
        ax.set_aspect("equal", adjustable="box")
    if chart.x.scale == "none":
        ax.set_axis_off()
    if chart.title:
        ax.set_title(chart.title)
    if chart.legend != "none" and ax.get_legend_handles_labels()[1]:
        ax.legend()


def _side(ax: Any, side: str, axis: Axis) -> None:
    set_ = {name: getattr(ax, f"set_{side}{name}") for name in ("label", "lim", "scale", "ticks")}
    set_["label"](axis.label)
    if axis.scale == "log":
        set_["scale"]("log")
    elif axis.scale == "log from 0":
        set_["scale"]("symlog", linthresh=axis.first_above, linscale=0.5)
    set_["lim"](axis.low, axis.high)
    if axis.scale != "none":
        ticks = [(value, words) for value, words in axis.ticks(8) if axis.low <= value <= axis.high]
        set_["ticks"]([value for value, _ in ticks], [words for _, words in ticks])
        if axis.scale.startswith("log"):
            set_["ticks"]([], minor=True)


def _dash(dash: tuple[float, ...], width: float) -> Any:
    return (0, tuple(length / width for length in dash)) if dash else "-"


def _line(ax: Any, layer: Line, label: str | None, order: float) -> None:
    if len(layer.low):
        ax.fill_between(
            layer.x, layer.low, layer.high, color=layer.ink, alpha=0.16, linewidth=0, zorder=order - 1
        )
    marker = _MARKERS[MARKERS[layer.look % len(MARKERS)]] if layer.has_dots else None
    ax.plot(
        layer.x, layer.y, color=layer.ink, linestyle=_dash(layer.dash, layer.width), linewidth=layer.width,
        marker=marker, markersize=4, drawstyle="steps-post" if layer.is_step else "default", label=label,
        zorder=order,
    )  # fmt: skip


def _dots(ax: Any, layer: Dots, label: str | None, order: float) -> None:
    if len(layer.spread):
        ax.errorbar(
            layer.x, layer.y, yerr=layer.spread, fmt="none", ecolor=layer.ink, capsize=3, zorder=order
        )
    size = (2 * layer.size * 0.75) ** 2
    if layer.is_ring:
        ax.scatter(
            layer.x, layer.y, s=size, facecolors="none", edgecolors=layer.ink, label=label, zorder=order
        )
    else:
        ax.scatter(
            layer.x, layer.y, s=size, marker=_MARKERS[layer.marker], color=layer.ink, edgecolors=layer.edge,
            linewidths=0.6, label=label, zorder=order,
        )  # fmt: skip


def _area(ax: Any, layer: Area, label: str | None, order: float) -> None:
    ax.fill(
        list(layer.x) or [float("nan")], list(layer.y) or [float("nan")], facecolor=layer.colour or "none",
        edgecolor=layer.edge or "none", label=label, zorder=order,
    )  # fmt: skip


def _cells(ax: Any, layer: Cells, _: str | None, order: float) -> None:
    from matplotlib.collections import PolyCollection

    corners = [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)] for x0, y0, x1, y1 in layer.boxes]
    edges = layer.edge or list(layer.colours)
    ax.add_collection(
        PolyCollection(
            corners, facecolors=list(layer.colours), edgecolors=edges, linewidths=0.5, zorder=order
        ),
        autolim=False,
    )


def _rule(ax: Any, layer: Rule, label: str | None, order: float) -> None:
    draw = ax.axvline if layer.is_upright else ax.axhline
    draw(
        layer.at,
        color=layer.colour,
        linestyle=_dash(layer.dash, 1.2),
        linewidth=1.2,
        label=label,
        zorder=order,
    )


def _note(ax: Any, layer: Note, _: str | None, order: float) -> None:
    weight = "bold" if layer.is_bold else "normal"
    where: dict[str, Any] = {"ha": "center", "va": "center"}
    if not layer.room:
        where = {"xytext": (4, 3), "textcoords": "offset points"}
    ax.annotate(layer.words, (layer.x, layer.y), color=layer.colour, fontweight=weight, zorder=order, **where)


def _shades(ax: Any, layer: Shades, _: str | None, __: float) -> None:
    for words, colour in ((layer.low, layer.colours[0]), (layer.high, layer.colours[-1])):
        ax.fill([float("nan")], [float("nan")], facecolor=colour, label=f"{layer.name}: {words}")


_DRAWN: dict[type, Callable[[Any, Any, str | None, float], None]] = {
    Line: _line,
    Dots: _dots,
    Area: _area,
    Cells: _cells,
    Rule: _rule,
    Note: _note,
    Shades: _shades,
}
