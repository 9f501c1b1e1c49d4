"""Where models change their minds: rows of one, two or three columns, and what models answer between them.

Any model that predicts takes part. Of those that have more to show, it is shown: the margins and support
vectors of the widest margin, the perceptron's steps, the regions of a tree.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import choice
from treewright.draw import answering, cube, shading
from treewright.draw.answering import Model
from treewright.draw.contours import contour
from treewright.draw.plane import Side, places_of, side_of
from treewright.paint import Axis, Cells, Chart, Dots, Line, Note, Rule, axis_over
from treewright.paint.colours import INK, PAPER, mixed
from treewright.paint.files import delivered, form_of
from treewright.paint.layers import Layer, class_colour, class_look
from treewright.table import Table
from treewright.tree import Tree

Floats = NDArray[np.float64]
GRID = 240  # points along each side for lines
TILES = 72  # cells along each side for shading
MOST_CELLS = 40_000
BACKGROUNDS = ("auto", "ratio", "class", "none")
SIZE = (640.0, 480.0)
STRIP = (640.0, 220.0)
# A class has a colour and a mark of its own, a model a colour and a dash.
_MODELS = (INK, "#7A3E9D", "#8C510A", "#525252")


@dataclass(frozen=True)
class View:
    """What is drawn on: the axes, where the rows lie, their classes or numbers, and all classes."""

    sides: tuple[Side, ...]
    points: Floats
    codes: NDArray[np.intp]
    values: Floats  # of numbers to predict; empty for classes
    classes: list[Any]
    levels: shading.Levels

    @property
    def is_classes(self) -> bool:
        """Whether classes are predicted, not numbers."""
        return bool(self.classes)


def boundary(
    model: Model | Sequence[Model] | Mapping[str, Model],
    X: Any,
    y: Any,
    *,
    path: str | os.PathLike[str] | None = None,
    ax: Any = None,
    background: str = "auto",
    steps: bool = True,
    title: str | None = None,
) -> Chart:
    """Return a chart with rows and what one or several fitted models answer between them.

    Two columns are a plane, one is a strip, three are a cube. Columns may hold numbers or categories; models
    may predict classes or numbers.

    Args:
        model: a fitted model, a `Tree`, or several of them: a list, or a mapping from names to show. The
            ground is that of the first; each has a line of its own colour and dash.
        X: the rows, with the columns the models were fitted to: one, two or three.
        y: the classes or the numbers of the rows.
        path: where to save it: .svg, .pdf, .png or .txt.
        ax: matplotlib's axes to draw on as well.
        background: "ratio": the mixture of the colours of classes by their chances; "class": a tint of the
            class; "none"; "auto": ratio for trees, else class. Of numbers it is their level, or none.
        steps: whether the planes of a perceptron before its last are drawn too, the older the fainter.
        title: above the picture.

    A class is told by colour and mark. A maximum margin has dashed lines at its margins and rings around its
    support vectors; a tree has a line wherever two of its leaves meet.

    >>> import treewright as tw
    >>> X, y = [[1, 5], [1, 3], [3, 4], [3, 2]], ["left", "left", "right", "right"]
    >>> margin, tree = tw.MaxMarginClassifier().fit(X, y), tw.DecisionTreeClassifier().fit(X, y)
    >>> chart = tw.draw.boundary([margin, tree], X, y)
    >>> chart.x.label, [layer.name for layer in chart.layers if getattr(layer, "name", "")][:4]
    ('x0', ['left', 'right', 'MaxMarginClassifier', 'margin'])
    """
    if path is not None:
        form_of(path)
    background = choice("background", background, BACKGROUNDS)
    models = answering.named_models(model)
    table = Table.of(X)
    if not 1 <= table.n_columns <= 3:
        raise ValueError(f"X has {table.n_columns} columns; a picture shows one, two or three of them.")
    answering.check_columns(models, table)
    view = view_of(models, table, y)
    if table.n_columns == 3:
        chart = cube.chart(models, view.sides, view.points, _point_layers(view), title or "")
    else:
        draw = _plane if table.n_columns == 2 else _strip
        chart = draw(models, view, background, steps, title or "")
    return delivered(chart, path, ax)  # type: ignore[no-any-return]


def view_of(models: Mapping[str, Model], table: Table, y: Any) -> View:
    """Return what is drawn on; a ValueError where rows and answers do not fit the models.

    >>> import treewright as tw
    >>> X, y = tw.Table.from_dict({"a": [1.0, 2.0]}), ["n", "p"]
    >>> view_of({"tree": tw.DecisionTreeClassifier().fit(X, y)}, X, y).classes
    ['n', 'p']
    """
    sides = tuple(side_of(table, i) for i in range(table.n_columns))
    answers = np.asarray(y)
    if answers.shape != (table.n_rows,):
        raise ValueError(f"y has the shape {answers.shape} for {table.n_rows} rows; give one answer per row.")
    kinds = {answering.predicts_classes(one) for one in models.values()}
    if len(kinds) > 1:
        raise ValueError("Some models predict classes and some numbers; draw them in two pictures.")
    points = places_of(sides, table)
    none = np.empty(0)
    if kinds == {True}:
        classes = answering.classes_of(models, answers)
        number = {value: i for i, value in enumerate(classes)}
        codes = np.array([number[value] for value in answers.tolist()], dtype=np.intp)
        return View(sides, points, codes, none, classes, shading.Levels(0.0, 1.0))
    try:
        values = answers.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError("The models predict numbers; y holds something else.") from None
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    return View(sides, points, np.zeros(0, np.intp), values, [], shading.Levels(low, high))


# ---- two columns --------------------------------------------------------------------------------------


def _plane(models: Mapping[str, Model], view: View, background: str, steps: bool, title: str) -> Chart:
    first = next(iter(models.values()))
    ground, key = ground_of(first, view, background)
    lines: list[Layer] = []
    notes: list[Note] = []
    for number, (name, one) in enumerate(models.items()):
        if steps and all(side.is_numbers for side in view.sides):
            for layer in _step_layers(one, view, _MODELS[number % len(_MODELS)]):
                (notes if isinstance(layer, Note) else lines).append(layer)  # type: ignore[arg-type]
        lines += _lines(name, one, view, number)
    layers = (*ground, *_keys(view), *lines, *_point_layers(view, is_named=False), *_rings(models, view))
    x, y = (side.axis() for side in view.sides)
    return Chart(title, x, y, (*layers, *notes, *key), size=SIZE)


def ground_of(model: Model, view: View, background: str) -> tuple[list[Layer], list[Layer]]:
    """Return the ground of a picture, and what the legend says of it.

    >>> import treewright as tw
    >>> X, y = tw.Table.from_dict({"a": [1.0, 2.0]}), ["n", "p"]
    >>> tree = tw.DecisionTreeClassifier().fit(X, y)
    >>> cells, key = ground_of(tree, view_of({"tree": tree}, X, y), "ratio")
    >>> [layer.name for layer in key]
    ['chance of p']
    """
    if background == "none":
        return [], []
    tree = answering.tree_of(model)
    edges = [side.edges(0 if tree else TILES, cuts_of(tree, i)) for i, side in enumerate(view.sides)]
    if np.prod([len(edge) for edge in edges]) > MOST_CELLS:
        edges = [side.edges(TILES) for side in view.sides]
    middles = [(edge[:-1] + edge[1:]) / 2 for edge in edges]
    places = np.stack(np.meshgrid(*middles), axis=-1).reshape(-1, len(edges))
    ups = edges[1] if len(edges) == 2 else np.array([0.0, 1.0])
    boxes = [(a, c, b, d) for c, d in pairwise(ups.tolist()) for a, b in pairwise(edges[0].tolist())]
    if not view.is_classes:
        found = np.asarray(model.predict(answering.as_given(model, places, view.sides)), dtype=np.float64)
        values = found.tolist()
        colours = [view.levels.colour(value) for value in values]
        shades = [view.levels.step(value) * 5 // shading.STEPS - 1 for value in values]
        return [Cells(boxes, colours, shades)], []
    chances = None
    if background == "ratio" or (background == "auto" and tree is not None):
        chances = answering.chances_at(model, places, view.sides, view.classes)
    codes = answering.codes_at(model, places, view.sides, view.classes)
    shades = [int(code) % 5 for code in codes]
    if chances is None:
        return [Cells(boxes, [shading.class_tint(int(code)) for code in codes], shades)], []
    tints = {row: shading.ratio_tint(row) for row in {tuple(row) for row in chances.round(3).tolist()}}
    colours = [tints[tuple(row)] for row in chances.round(3).tolist()]
    return [Cells(boxes, colours, shades)], shading.ratio_key(view.classes)


def cuts_of(tree: Tree | None, column: int) -> list[float]:
    """Return the thresholds of a tree on one column.

    >>> import treewright as tw
    >>> cuts_of(tw.grow(tw.Table.from_dict({"a": [1.0, 2.0], "y": ["n", "p"]}), "y"), 0)
    [1.5]
    """
    if tree is None:
        return []
    asks = (tree.column == column) & (tree.kind == 1)
    return sorted({float(cut) for cut in tree.cut[asks].tolist()})


# ---- lines of models ----------------------------------------------------------------------------------


def _lines(name: str, model: Model, view: View, number: int) -> Iterator[Layer]:
    """Yield the lines at which a model changes its mind."""
    ink, look = _MODELS[number % len(_MODELS)], number % 4
    tree = answering.tree_of(model)
    if tree is not None:
        x, y = _joined(list(_borders(tree, view)))
        yield Line(name, x, y, look, colour=ink, width=1.4)
        return
    if not view.is_classes or not all(side.is_numbers for side in view.sides):
        yield from () if not view.is_classes else _tile_lines(name, model, view, look, ink)
        return
    across, up, z = _fields(model, view)
    lines = [line for field in z for line in contour(across, up, field)]
    x, y = _joined(lines)
    yield Line(name, x, y, look, colour=ink, width=1.8)
    if answering.has_margin(model) and len(z) == 1:
        for level in (-1.0, 1.0):
            x, y = _joined(contour(across, up, z[0], level))
            yield Line("margin", x, y, 4, colour=ink, width=1.0)


def _fields(model: Model, view: View) -> tuple[Floats, Floats, list[Floats]]:
    """Return the grid, and functions on it that are 0 where the class changes."""
    across, up = (np.linspace(side.low, side.high, GRID + 1) for side in view.sides)
    places = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    scores = answering.scores_at(model, places, view.sides)
    if scores is None:
        codes = answering.codes_at(model, places, view.sides, view.classes)
        scores = np.column_stack([(codes == code) - 0.5 for code in np.unique(codes)])
        scores = scores[:, :1] if scores.shape[1] == 2 else scores
    elif scores.ndim == 2:
        scores = _ahead(scores)
    shape = (len(up), len(across))
    return across, up, [field.reshape(shape) for field in np.atleast_2d(scores.T)]


def _ahead(scores: Floats) -> Floats:
    """Return by how much each score is above the best of the others: zero where two are best."""
    best = np.sort(scores, axis=1)
    ahead: Floats = scores - np.where(scores == best[:, -1:], best[:, -2:-1], best[:, -1:])
    return ahead


def _borders(tree: Tree, view: View) -> Iterator[Floats]:
    """Yield the lines between leaves, each as long as two leaves meet along it."""
    edges = [side.edges(0, cuts_of(tree, i)) for i, side in enumerate(view.sides)]
    if np.prod([len(edge) for edge in edges]) > MOST_CELLS:
        return
    middles = [(edge[:-1] + edge[1:]) / 2 for edge in edges]
    places = np.stack(np.meshgrid(*middles), axis=-1).reshape(-1, 2)
    leaf = np.asarray(tree.leaves(answering.as_given(tree, places, view.sides)))
    leaf = leaf.reshape(len(middles[1]), len(middles[0]))
    for axis in (0, 1):  # upright lines between columns of cells, level lines between rows
        grid = leaf if axis == 0 else leaf.T
        along = edges[1 - axis]
        for i in np.flatnonzero((grid[:, 1:] != grid[:, :-1]).any(axis=0)).tolist():
            differs = np.concatenate([[False], grid[:, i + 1] != grid[:, i], [False]])
            turns = np.flatnonzero(differs[1:] != differs[:-1])
            for first, last in zip(turns[::2], turns[1::2], strict=True):
                ends = np.array([[edges[axis][i + 1], along[first]], [edges[axis][i + 1], along[last]]])
                yield ends if axis == 0 else ends[:, ::-1]


def _tile_lines(name: str, model: Model, view: View, look: int, ink: str) -> Iterator[Layer]:
    """Yield lines between tiles of different classes: of a model with a column of categories."""
    edges = [side.edges(TILES) for side in view.sides]
    middles = [(edge[:-1] + edge[1:]) / 2 for edge in edges]
    places = np.stack(np.meshgrid(*middles), axis=-1).reshape(-1, 2)
    codes = answering.codes_at(model, places, view.sides, view.classes)
    grid = codes.reshape(len(middles[1]), len(middles[0]))
    found = []
    for axis in (0, 1):
        turned, along = (grid, edges[1]) if axis == 0 else (grid.T, edges[0])
        for row, column in np.argwhere(turned[:, 1:] != turned[:, :-1]).tolist():
            at = edges[axis][column + 1]
            ends = np.array([[at, along[row]], [at, along[row + 1]]])
            found.append(ends if axis == 0 else ends[:, ::-1])
    x, y = _joined(found)
    yield Line(name, x, y, look, colour=ink, width=1.6, is_plain=True)


def _joined(lines: Sequence[Floats]) -> tuple[list[float], list[float]]:
    """Return lines as one, with a gap between each two."""
    x: list[float] = []
    y: list[float] = []
    for line in lines:
        x += [*line[:, 0].tolist(), np.nan]
        y += [*line[:, 1].tolist(), np.nan]
    return x, y


def _step_layers(model: Model, view: View, ink: str) -> Iterator[Layer]:
    """Yield the planes that a perceptron had before its last, the older the fainter, with their numbers."""
    planes = answering.perceptron_steps(model)
    for i, (number, (a, b, c)) in enumerate(planes):
        ends = _clipped(a, b, c, view)
        if ends is None:
            continue
        pale = mixed(ink, PAPER, 0.25 + 0.5 * (i + 1) / len(planes))
        first, last = planes[0][0], planes[-1][0]
        name = f"its steps {first} to {last}" if last > first else f"its step {first}"
        name = f"{name} of {len(model.trace_)}"
        yield Line(name, ends[:, 0].tolist(), ends[:, 1].tolist(), 0, colour=pale, width=0.9)
        one, other = ends[np.argsort(ends[:, 1], kind="stable")][:: 1 if i % 2 else -1]
        inside = one + 0.06 * (other - one)  # numbers stand at the two ends by turns
        yield Note(str(number), float(inside[0]), float(inside[1]), colour=pale)


def _clipped(a: float, b: float, c: float, view: View) -> Floats | None:
    """Return the two ends of the line a x + b y + c = 0 in the part that is shown; None outside."""
    (x0, x1), (y0, y1) = ((side.low, side.high) for side in view.sides)
    found = []
    if b != 0:
        found += [(x, y) for x in (x0, x1) if y0 <= (y := -(a * x + c) / b) <= y1]
    if a != 0:
        found += [(x, y) for y in (y0, y1) if x0 <= (x := -(b * y + c) / a) <= x1]
    if len(found) < 2:
        return None
    ends = np.array(sorted(found))
    return ends[[0, -1]]


# ---- one column ---------------------------------------------------------------------------------------


def _strip(models: Mapping[str, Model], view: View, background: str, steps: bool, title: str) -> Chart:  # noqa: ARG001
    """Return one column as a strip: the ground is the answer, and rows lie in it; numbers are a line."""
    side = view.sides[0]
    first = next(iter(models.values()))
    if not view.is_classes:
        return _staircase(models, view, title)
    ground, key = ground_of(first, view, background)
    rules = [
        Rule(name, at, look=i % 4, colour=_MODELS[i % len(_MODELS)])
        for i, (name, one) in enumerate(models.items())
        for at in _turns(one, view)
    ]
    heights = _heights(view)
    points = [
        Dots("", view.points[rows, 0].tolist(), heights[rows].tolist(), class_look(code),
             size=_dot_size(view), colour=class_colour(code))
        for code in range(len(view.classes)) if (rows := view.codes == code).any()
    ]  # fmt: skip
    layers = (*ground, *_keys(view), *rules, *points, *key)
    return Chart(title, side.axis(), Axis("", 0.0, 1.0, names=("",)), layers, size=STRIP)


def _heights(view: View) -> Floats:
    """Return how high rows lie in a strip: each class in a lane of its own, so that all are seen."""
    k = max(len(view.classes), 1)
    return np.asarray(1.0 - (view.codes + 0.5) / k, dtype=np.float64)


def _turns(model: Model, view: View) -> list[float]:
    """Return where along a strip the answer of a model changes."""
    side = view.sides[0]
    tree = answering.tree_of(model)
    edges = side.edges(0 if tree else 2000, cuts_of(tree, 0))
    middles = ((edges[:-1] + edges[1:]) / 2)[:, None]
    if tree is not None:
        found = np.asarray(tree.leaves(answering.as_given(tree, middles, view.sides)), dtype=np.intp)
    else:
        found = answering.codes_at(model, middles, view.sides, view.classes)
    return [float(at) for at in edges[1:-1][found[1:] != found[:-1]]]


def _staircase(models: Mapping[str, Model], view: View, title: str) -> Chart:
    """Return numbers over one column: rows as points, answers as lines."""
    side = view.sides[0]
    layers: list[Layer] = [
        Dots(
            "rows",
            view.points[:, 0].tolist(),
            view.values.tolist(),
            0,
            size=_dot_size(view),
            colour="#9aa5b1",
        )
    ]
    near = view.values.tolist()
    for i, (name, one) in enumerate(models.items()):
        tree = answering.tree_of(one)
        edges = side.edges(0 if tree else 400, cuts_of(tree, 0))
        middles = (edges[:-1] + edges[1:]) / 2
        found = np.asarray(
            one.predict(answering.as_given(one, middles[:, None], view.sides)), dtype=np.float64
        )
        x = (
            np.column_stack([edges[:-1], edges[1:]]).ravel()
            if tree is not None or not side.is_numbers
            else middles
        )
        y = np.repeat(found, 2) if len(x) != len(found) else found
        layers.append(Line(name, x.tolist(), y.tolist(), i, width=2.2))
        near += y.tolist()
    return Chart(
        title, side.axis(), axis_over("number", near, is_log=False), tuple(layers), size=(640.0, 380.0)
    )


# ---- rows ---------------------------------------------------------------------------------------------


def _dot_size(view: View) -> float:
    return 4.5 if len(view.points) <= 200 else 2.6


def _keys(view: View) -> list[Layer]:
    """Return the legend of the rows: a mark for each class, or the scale of the numbers."""
    if not view.is_classes:
        return [view.levels.layer("predicted, and of rows")]
    return [
        Dots(str(value), (), (), class_look(code), size=4.5, colour=class_colour(code))
        for code, value in enumerate(view.classes)
    ]


def _point_layers(view: View, is_named: bool = True) -> list[Layer]:
    """Return the rows: those of a class with its mark, or of about one number with its colour."""
    size = _dot_size(view)
    if view.is_classes:
        return [
            Dots(str(value) if is_named else "", view.points[rows, 0].tolist(), view.points[rows, 1].tolist(),
                 class_look(code), size=size, colour=class_colour(code))
            for code, value in enumerate(view.classes) if (rows := view.codes == code).any() or is_named
        ]  # fmt: skip
    steps = np.array([view.levels.step(value) for value in view.values.tolist()], dtype=int)
    layers: list[Layer] = []
    for step in np.unique(steps).tolist():
        x, y = (view.points[steps == step, i].tolist() for i in (0, 1))
        layers.append(Dots("", x, y, 0, size=size, colour=shading.level_colours()[step], edge=INK))
    return layers


def _rings(models: Mapping[str, Model], view: View) -> Iterator[Layer]:
    """Yield rings around the support vectors of a margin."""
    for number, one in enumerate(models.values()):
        if answering.has_margin(one):
            rows = [row for row in np.asarray(one.support_).tolist() if row < len(view.points)]
            x, y = (view.points[rows, i].tolist() for i in (0, 1))
            yield Dots("support vectors", x, y, size=8.0, is_ring=True, colour=_MODELS[number % len(_MODELS)])
