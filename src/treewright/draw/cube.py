"""Three columns of numbers in one picture: rows in a box seen from above, and the plane between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.numbers import number
from treewright.draw import answering
from treewright.draw.plane import Side
from treewright.paint import Area, Axis, Chart, Dots, Line, Note
from treewright.paint.colours import INK, LINE, PALETTE, PAPER, TRACK, mixed
from treewright.paint.layers import Layer

Floats = NDArray[np.float64]
_TURN, _TILT = np.deg2rad(-58.0), np.deg2rad(24.0)
_SIZE = (640.0, 520.0)
_FLAT = 1e-7  # a score that is off a plane by less, of its size, is one


def chart(
    models: Mapping[str, Any], sides: Sequence[Side], points: Floats, dots: Sequence[Layer], title: str
) -> Chart:
    """Return rows of three columns in a box, and the planes of models that have one.

    `dots` are the rows by class, in the order of the rows of `points` within each.

    >>> import treewright as tw
    >>> X, y = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], [0, 1, 1, 0]
    >>> tw.draw.boundary(tw.LinearSeparator().fit(X, y), X, y)
    Chart(x2 by x0, 640 x 437 px)
    """
    for side in sides:
        if not side.is_numbers:
            raise ValueError(
                f"Column {side.name!r} is {side.column.kind}; a picture of three columns needs numbers."
            )
    box = np.array([[side.low, side.high] for side in sides])
    layers: list[Layer] = list(_floor(box))
    without = []
    for i, (name, one) in enumerate(models.items()):
        plane = plane_of(one, sides)
        if plane is None:
            without.append(name)
        else:
            layers += _plane_layers(name, plane, box, i)
    layers += _stems_and_rows(points, dots, box)
    layers += _edges(box)
    layers += _names(sides, box, points)
    below = tuple(f"{name} has no plane: only the rows are drawn." for name in without)
    x, y = Axis(sides[0].name, -0.98, 0.98, "none"), Axis(sides[2].name, -0.82, 0.82, "none")
    return Chart(title, x, y, tuple(layers), below=below, size=_SIZE, is_level=True)


def seen(places: Floats, box: Floats) -> Floats:
    """Return where points of the box lie in the picture: the box from -1/2 to 1/2, turned and tilted.

    >>> seen(np.array([[0.5, 0.5, 0.5]]), np.array([[0.0, 1.0]] * 3)).tolist()
    [[0.0, 0.0]]
    """
    a, b, c = ((places - box[:, 0]) / (box[:, 1] - box[:, 0]) - 0.5).T
    right = a * np.cos(_TURN) - b * np.sin(_TURN)
    away = a * np.sin(_TURN) + b * np.cos(_TURN)
    return np.column_stack([right, c * np.cos(_TILT) + away * np.sin(_TILT)])


def plane_of(model: Any, sides: Sequence[Side]) -> tuple[Floats, float] | None:
    """Return weights and bias where the score of a model is a plane; else None.

    >>> import treewright as tw
    >>> from treewright.draw.plane import side_of
    >>> X = tw.Table.from_dict({"a": [0.0, 0, 1], "b": [0.0, 1, 0], "c": [0.0, 1, 1]})
    >>> w, b = plane_of(tw.LinearSeparator().fit(X, [0, 1, 1]), [side_of(X, i) for i in range(3)])
    >>> bool(w @ [0, 0, 0] + b < 0 < w @ [0, 1, 1] + b)
    True
    """
    low, high = (np.array([getattr(side, end) for side in sides]) for end in ("low", "high"))
    probes = np.vstack([low, low + np.diag(high - low), (0.3 * low + 0.7 * high), high])
    scores = answering.scores_at(model, probes, sides)
    if scores is None or scores.ndim != 1:
        return None
    weights = (scores[1:4] - scores[0]) / (high - low)
    bias = float(scores[0] - weights @ low)
    size = float(np.abs(scores).max())
    if not size > 0 or np.abs(probes @ weights + bias - scores).max() > _FLAT * size:
        return None
    return weights, bias


def _plane_layers(name: str, plane: tuple[Floats, float], box: Floats, number: int) -> Iterator[Layer]:
    """Yield the piece of a plane in the box: its corners are where it meets the edges, in order around it."""
    weights, bias = plane
    corners = np.array(list(product(*box)))
    found = []
    for i, j in combinations(range(8), 2):
        if (corners[i] != corners[j]).sum() != 1:
            continue
        a, b = (float(corners[k] @ weights + bias) for k in (i, j))
        if a * b < 0:
            found.append(corners[i] + (corners[j] - corners[i]) * a / (a - b))
        elif a == 0 or b == 0:
            found.append(corners[i if a == 0 else j])
    if len(found) < 3:
        return
    flat = seen(np.array(found), box)
    middle = flat.mean(axis=0)
    order = np.argsort(np.arctan2(*(flat - middle).T[::-1]))
    ink = PALETTE[(5, 4, 6)[number % 3]]
    ring = flat[order]
    yield Area(
        name, ring[:, 0].tolist(), ring[:, 1].tolist(), mixed(ink, PAPER, 0.3), 1, mixed(ink, INK, 0.7)
    )


def _stems_and_rows(points: Floats, dots: Sequence[Layer], box: Floats) -> Iterator[Layer]:
    """Yield a line from each row down to the floor, then the rows, those further back first."""
    feet = points.copy()
    feet[:, 2] = box[2, 0]
    tops, floor = seen(points, box), seen(feet, box)
    place = {(float(a), float(b)): [] for a, b in points[:, :2].tolist()}  # type: ignore[var-annotated]
    for i, (a, b) in enumerate(points[:, :2].tolist()):
        place[a, b].append(i)
    x, y = [], []
    for top, foot in zip(tops.tolist(), floor.tolist(), strict=True):
        x += [top[0], foot[0], np.nan]
        y += [top[1], foot[1], np.nan]
    yield Line("", x, y, 2, colour=LINE, width=0.8)
    for layer in dots:
        assert isinstance(layer, Dots)
        rows = []
        for a, b in zip(layer.x, layer.y, strict=True):
            rows.append(place[float(a), float(b)].pop(0))
        yield replace(layer, x=tops[rows, 0].tolist(), y=tops[rows, 1].tolist(), size=layer.size + 1.5)


def _floor(box: Floats) -> Iterator[Layer]:
    low = box[2, 0]
    corners = np.array([[box[0, i], box[1, j], low] for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
    flat = seen(corners, box)
    yield Area("", flat[:, 0].tolist(), flat[:, 1].tolist(), mixed(TRACK, PAPER, 0.45), 0, LINE)


def _edges(box: Floats) -> Iterator[Layer]:
    """Yield the edges of the box: those of the three axes dark, the others pale."""
    corners = list(product((0, 1), repeat=3))
    for a, b in (
        (a, b)
        for a in corners
        for b in corners
        if a < b and sum(p != q for p, q in zip(a, b, strict=True)) == 1
    ):
        ends = seen(np.array([[box[k, c[k]] for k in range(3)] for c in (a, b)]), box)
        is_axis = _is_axis(a, b)
        yield Line("", ends[:, 0].tolist(), ends[:, 1].tolist(), 0, colour=INK if is_axis else TRACK,
                   width=1.2 if is_axis else 0.7)  # fmt: skip


def _is_axis(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return (a, b) in (((0, 0, 0), (1, 0, 0)), ((1, 0, 0), (1, 1, 0)), ((0, 0, 0), (0, 0, 1)))


def _names(sides: Sequence[Side], box: Floats, points: Floats) -> Iterator[Layer]:
    """Yield the names of the axes, amid their edges or at the top, and the ends of their values."""
    low, high = box[:, 0], box[:, 1]
    corner = np.array([[low, low], [[high[0], low[1], low[2]]] * 2, [low, low]])
    shifts = ((-0.05, -0.05), (0.05, -0.05), (0.0, 0.06))
    for k, (side, start, shift) in enumerate(zip(sides, corner[:, 0], shifts, strict=True)):
        ends = np.repeat(start[None, :], 3, axis=0)
        known = float(points[:, k].min()), float(points[:, k].max())
        ends[:, k] = (*known, high[k] if k == 2 else (low[k] + high[k]) / 2)
        flat = seen(ends, box)
        name = flat[2] + np.array(shift)
        for value, place in zip(known, flat[:2].tolist(), strict=True):
            yield Note(
                number(value, 3), place[0] - (0.1 if k == 2 else 0.0), place[1] - (0.0 if k == 2 else 0.05)
            )
        yield Note(side.name, float(name[0]), float(name[1]), colour=INK, is_bold=True)
