"""`tree.plot`: the verb that makes a picture, checks what it is asked, and saves or draws it where wanted."""

from __future__ import annotations

import math
import os
from typing import Any, TypedDict

from treewright.base.names import nearest
from treewright.draw.arrange import DIRECTIONS
from treewright.draw.distribution import Distributions
from treewright.draw.held import held
from treewright.draw.layout import NARROWEST, layout
from treewright.draw.picture import Picture
from treewright.draw.row_path import NO_PATH, is_row_number, row_path
from treewright.draw.words import Words
from treewright.paint.axes import room_on
from treewright.paint.files import delivered, form_of
from treewright.prune.sample import Sample
from treewright.table import Table
from treewright.tree import Tree


class PlotOptions(TypedDict, total=False):
    """The options of `plot` by name, for functions that hand them on."""

    row: Any
    distributions: Any
    ax: Any
    width: float | None
    height: float | None
    max_depth: int | None
    direction: str
    title: str | None


WIDTH, HEIGHT = 1400.0, 1600.0  # a picture that a screen shows without zooming, and a page takes


def plot(
    tree: Tree,
    path: str | os.PathLike[str] | None = None,
    table: Table | Sample | None = None,
    *,
    row: Any = None,
    distributions: Table | Sample | None = None,
    ax: Any = None,
    width: float | None = None,
    height: float | None = None,
    max_depth: int | None = None,
    direction: str = "auto",
    title: str | None = None,
) -> Picture:
    """Return the picture of a tree; saved where a path is given, drawn on axes where these are.

    Args:
        tree: the tree.
        path: where to save it: .svg, .pdf, .png or .txt.
        table: rows that were not trained on, with the target in it: a second bar in every node.
        row: one row whose path is drawn: a dict, a Series, a frame of one row, or a row number of `table`.
        distributions: rows, with the target, whose values are drawn at every test: a histogram with the
            threshold in it, or a bar for each category; by class, or tinted by the mean answer.
        ax: matplotlib's axes to draw on; the picture is made for their size.
        width: the widest it may be, in pixels; 1400 if not given. What does not fit is folded.
        height: the highest it may be; 1600 if not given. `math.inf` for both shows all of any tree.
        max_depth: the deepest nodes to show.
        direction: "down", "right", "outline", or "auto" for the one that shows most.
        title: instead of the name of the target.

    >>> from treewright.tree.example import tennis
    >>> plot(tennis())
    Picture(449 x 406 px, down: 5 of 5 leaves)
    >>> plot(tennis(), max_depth=1)
    Picture(447 x 298 px, down: 1 of 5 leaves)
    >>> plot(tennis(), row={"Outlook": "Rain", "Humidity": "High", "Wind": "Weak"}).words.path.values
    {0: 'Rain', 5: 'Weak'}
    >>> plot(tennis(), direction="left")
    Traceback (most recent call last):
    ValueError: direction='left' is not one of 'auto', 'down', 'right', 'outline'.
    """
    if path is not None:
        form_of(path)  # refused before the work
    _check(max_depth, direction, title)
    room = (WIDTH, HEIGHT) if ax is None else room_on(ax)
    picture = layout(
        Words(
            tree,
            None if table is None else held(tree, table),
            None if distributions is None else Distributions(tree, distributions),
            NO_PATH if row is None else row_path(tree, row, table if is_row_number(row) else None),
        ),
        width=_room("width", width, room[0]),
        height=_room("height", height, room[1]),
        max_depth=max_depth,
        direction=direction,
        title=title,
    )
    return delivered(picture, path, ax)  # type: ignore[no-any-return]


def _check(max_depth: Any, direction: Any, title: Any) -> None:
    if max_depth is not None and (type(max_depth) is not int or max_depth < 0):
        raise ValueError(f"max_depth must be None or a whole number from 0 up, found {max_depth!r}.")
    known = ("auto", *DIRECTIONS)
    if direction not in known:
        near = nearest(direction, known)
        hint = f" Did you mean {near!r}?" if near else ""
        raise ValueError(f"direction={direction!r} is not one of {', '.join(map(repr, known))}.{hint}")
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be text; found {title!r:.100}.")


def _room(name: str, given: Any, usual: float) -> float:
    """Return a width or a height that a picture can have; axes may be smaller than the least of them."""
    if given is None:
        return max(usual, NARROWEST)
    if isinstance(given, bool) or not isinstance(given, (int, float)) or math.isnan(given):
        raise TypeError(f"{name} must be a number of pixels; found {given!r:.100}.")
    if given < NARROWEST:
        raise ValueError(f"{name}={given!r}: a picture needs at least {NARROWEST:.0f} pixels to be read.")
    return float(given)
