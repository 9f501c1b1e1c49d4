"""Axes to draw on, and how lines are told apart: by colour, dash and marker, never by colour alone."""

from __future__ import annotations

from typing import Any

# Okabe and Ito's colours, which most people can tell apart; blue, vermillion, green, orange, purple, black.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#000000")
_DASHES = ("-", "--", "-.", ":", (0, (5, 1)), "-")
_MARKERS = ("o", "s", "^", "D", "v", "x")


def axes_for(ax: Any = None) -> Any:
    """Return the axes that were given, or new ones; an error that names the extra without matplotlib.

    >>> axes_for("mine")
    'mine'
    """
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot as plt
    except ImportError as trouble:
        raise ImportError(
            "plot() draws with matplotlib, which is not installed: pip install 'treewright[plot]'. "
            "to_text() and to_frame() give the same figures without it."
        ) from trouble
    return plt.subplots(layout="constrained")[1]


def colours() -> tuple[str, ...]:
    """Return the colours of lines, in order.

    >>> colours()[0]
    '#0072B2'
    """
    return _COLOURS


def look(i: int) -> dict[str, Any]:
    """Return colour, dash and marker of line i.

    >>> look(1)["marker"]
    's'
    """
    i %= len(_COLOURS)
    return {"color": _COLOURS[i], "linestyle": _DASHES[i], "marker": _MARKERS[i], "markersize": 4}


def whole_ticks(axis: Any) -> None:
    """Put the ticks of an axis at whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))
