"""Where models change their minds: rows of two columns, and the lines at which the predicted class changes.

Any classifier that predicts takes part. Of those that have more to show, it is shown: the margins and support
vectors of the widest margin, the perceptron's steps, the rectangles of a tree.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.files import write_whole
from treewright.draw.cuts import cuts
from treewright.evaluate.picture import axes_for
from treewright.table import Table
from treewright.table.frame import frame_of
from treewright.tree import Tree

Floats = NDArray[np.float64]
Model = Any
FORMATS = (".png", ".svg", ".pdf")
GRID = 300  # points along each side
MOST_STEPS = 8  # of the perceptron that are drawn

# Okabe and Ito's colours. A class has a colour and a mark of its own, a model a colour and a dash.
_CLASSES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442")
_MARKS = ("o", "s", "^", "D", "v", "P", "X")
_MODELS = ("#000000", "#7A3E9D", "#8C510A", "#525252")
_DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))


class _View(NamedTuple):
    """What is drawn on: the rows, their classes, the names of the two columns, and the part of the plane."""

    points: Floats
    codes: NDArray[np.intp]
    classes: list[Any]
    names: tuple[str, str]
    low: Floats
    high: Floats

    def grid(self) -> tuple[Floats, Floats]:
        """Return the two coordinates of a grid over the part of the plane that is shown."""
        x, y = (np.linspace(a, b, GRID) for a, b in zip(self.low, self.high, strict=True))
        across, up = np.meshgrid(x, y)
        return across, up


def boundary(
    model: Model | Sequence[Model] | Mapping[str, Model],
    X: Any,
    y: Any,
    *,
    ax: Any = None,
    path: str | os.PathLike[str] | None = None,
    steps: bool = True,
    title: str | None = None,
) -> Any:
    """Return matplotlib axes with rows of two columns and the boundaries of one or several fitted models.

    Args:
        model: a fitted classifier, a `Tree`, or several of them: a list, or a mapping from names to show. The
            regions of the first are tinted; each has a line of its own colour and dash.
        X: the rows, with the two columns the models were fitted to.
        y: the classes of the rows.
        ax: axes to draw on; None: new ones.
        path: where to save the picture as well: .png, .svg or .pdf.
        steps: whether the planes of a perceptron before its last are drawn too, the older the fainter.
        title: above the picture.

    A class is told by colour and mark. A maximum margin has dashed lines at its margins and rings around its
    support vectors; a tree is drawn as the rectangles of its leaves.

    >>> import treewright as tw
    >>> X, y = [[1, 5], [1, 3], [3, 4], [3, 2]], ["left", "left", "right", "right"]
    >>> margin, tree = tw.MaxMarginClassifier().fit(X, y), tw.DecisionTreeClassifier().fit(X, y)
    >>> axes = tw.draw.boundary([margin, tree], X, y)
    >>> axes.get_xlabel(), [text.get_text() for text in axes.get_legend().get_texts()]
    ('x0', ['left', 'right', 'MaxMarginClassifier', 'margin', 'support vectors', 'DecisionTreeClassifier'])
    """
    models = _named(model)
    _check_path(path)
    view = _view(models, X, y)
    axes = axes_for(ax)
    _tint(axes, next(iter(models.values())), view)
    for number, one in enumerate(models.values()):
        style = {"colors": _MODELS[number % len(_MODELS)], "linestyles": [_DASHES[number % len(_DASHES)]]}
        # A later line lies over an earlier one, which shows between its dashes.
        _draw(axes, one, view, {**style, "zorder": 3 + number / 100}, steps)
    _draw_points(axes, view)
    for number, one in enumerate(models.values()):
        _draw_support(axes, one, view, _MODELS[number % len(_MODELS)])
    axes.set(xlim=(view.low[0], view.high[0]), ylim=(view.low[1], view.high[1]))
    axes.set(xlabel=view.names[0], ylabel=view.names[1], title=title or "")
    _add_legend(axes, models, view, steps, is_own=ax is None)
    if path is not None:
        drawn = io.BytesIO()
        axes.figure.savefig(drawn, dpi=150, format=os.path.splitext(os.fspath(path))[1][1:].lower())
        write_whole(path, drawn.getvalue())
    return axes


# ---- what is asked --------------------------------------------------------------------------------


def _named(given: Any) -> dict[str, Model]:
    """Return the models by the names under which they are shown."""
    if isinstance(given, Mapping):
        models = {str(name): one for name, one in given.items()}
    else:
        listed = list(given) if isinstance(given, (list, tuple)) else [given]
        models = {}
        for one in listed:
            name = type(one).__name__
            same = sum(known.split(" (")[0] == name for known in models)
            models[f"{name} ({same + 1})" if same else name] = one
    if not models:
        raise ValueError("No model was given; boundary draws at least one.")
    for name, one in models.items():
        if isinstance(one, type) or not hasattr(one, "predict"):
            raise TypeError(f"{name!r} is no fitted classifier: a {type(one).__name__} does not predict.")
        if isinstance(one, Tree):
            if not one.is_classifier:
                raise ValueError(f"{name!r} predicts numbers; boundary draws where classes change.")
        elif not hasattr(one, "classes_"):
            raise ValueError(f"{name!r} has no classes: fit it first, and to classes, not numbers.")
    return models


def _check_path(path: Any) -> None:
    if path is not None and not str(path).lower().endswith(FORMATS):
        raise ValueError(f"A picture is saved as {', '.join(FORMATS)}, not {os.fspath(path)!r}.")


def _view(models: Mapping[str, Model], X: Any, y: Any) -> _View:
    table = Table.of(X)
    if table.n_columns != 2:
        raise ValueError(
            f"X has {table.n_columns} columns; a picture shows two. Fit the model to two columns."
        )
    for column in table.schema.columns:
        if not column.is_numeric:
            raise ValueError(
                f"Column {column.name!r} is {column.kind}; a picture needs two columns of numbers."
            )
    points = np.column_stack(table.values)
    if not np.isfinite(points).all():
        raise ValueError(
            "X holds gaps or infinite numbers, which have no place in a picture; leave them out."
        )
    for name, one in models.items():
        count = len(one.schema) if isinstance(one, Tree) else getattr(one, "n_features_in_", 2)
        if count != 2:
            raise ValueError(f"{name!r} was fitted to {count} columns; a picture shows two.")
    answers = np.asarray(y)
    if answers.shape != (len(points),):
        raise ValueError(f"y has the shape {answers.shape} for {len(points)} rows; give one class per row.")
    classes = _classes(models, answers)
    place = {value: i for i, value in enumerate(classes)}
    codes = np.array([place[value] for value in answers.tolist()], dtype=np.intp)
    first, last = points.min(axis=0), points.max(axis=0)
    room = np.where(last > first, 0.12 * (last - first), 0.5)
    return _View(points, codes, classes, (table.names[0], table.names[1]), first - room, last + room)


def _classes(models: Mapping[str, Model], answers: NDArray[Any]) -> list[Any]:
    """Return all classes that rows or models have, those of the first model first."""
    found: list[Any] = []
    for one in models.values():
        known = list(one.classes) if isinstance(one, Tree) else one.classes_.tolist()
        found += [value for value in known if value not in found]
    return found + sorted({value for value in answers.tolist() if value not in found}, key=str)


# ---- what models say ------------------------------------------------------------------------------


def _as_given(model: Model, points: Floats, names: tuple[str, str]) -> Any:
    """Return points as the model takes them: under the names it was fitted to, where it has some."""
    if isinstance(model, Tree):
        names = (model.schema.names[0], model.schema.names[1])
    elif (known := getattr(model, "feature_names_in_", None)) is None:
        return points
    else:
        names = (str(known[0]), str(known[1]))
    cells = {name: np.ascontiguousarray(points[:, i]) for i, name in enumerate(names)}
    is_ours = isinstance(model, Tree) or type(model).__module__.startswith("treewright.")
    return Table.from_dict(cells) if is_ours else frame_of(cells)


def _predicted(model: Model, points: Floats, view: _View) -> NDArray[np.intp]:
    place = {value: i for i, value in enumerate(view.classes)}
    said = model.predict(_as_given(model, points, view.names))
    return np.array([place[value] for value in np.asarray(said).tolist()], dtype=np.intp)


def _scores(model: Model, points: Floats, view: _View) -> Floats | None:
    """Return scores: one that changes sign where the class changes, or one for each class; or None.

    Votes are whole numbers and tie over whole regions; they are no scores.
    """
    score = getattr(model, "decision_function", None)
    if score is None:
        return None
    scores = np.asarray(score(_as_given(model, points, view.names)), dtype=np.float64)
    is_smooth = scores.ndim == 1 or np.array_equal(
        np.asarray(model.classes_)[scores.argmax(axis=1)],
        np.asarray(model.predict(_as_given(model, points, view.names))),
    )
    return scores if is_smooth else None


def _tree_of(model: Model) -> Tree | None:
    """Return the tree where a model is one that cuts its two columns, else None."""
    tree = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    if not isinstance(tree, Tree) or hasattr(model, "rules_"):
        return None
    return tree if all(column.is_numeric for column in tree.schema.columns) else None


# ---- marks ----------------------------------------------------------------------------------------


def _colour(code: int) -> str:
    return _CLASSES[code % len(_CLASSES)]


def _mark(code: int) -> str:
    # Beyond the seven colours marks are counted on, so that pairs of both are used once.
    return _MARKS[(code + code // len(_CLASSES)) % len(_MARKS)]


def _tint(axes: Any, model: Model, view: _View) -> None:
    """Fill the regions of a model, each with a breath of the colour of its class."""
    across, up = view.grid()
    codes = _predicted(model, np.column_stack([across.ravel(), up.ravel()]), view).reshape(across.shape)
    shown = np.unique(codes).tolist()
    edges = [*(code - 0.5 for code in shown), shown[-1] + 0.5]
    axes.contourf(across, up, codes, levels=edges, colors=[_colour(c) for c in shown], alpha=0.13, zorder=0)


def _draw(axes: Any, model: Model, view: _View, style: Mapping[str, Any], steps: bool) -> None:
    """Draw the line at which a model changes its mind, and what else it has to show."""
    tree = _tree_of(model)
    if tree is not None and (found := cuts(tree, view.low, view.high)) is not None:
        from matplotlib.collections import LineCollection

        axes.add_collection(LineCollection(found, linewidths=1.4, **style))
        return
    across, up = view.grid()
    points = np.column_stack([across.ravel(), up.ravel()])
    scores = _scores(model, points, view)
    if scores is None:
        codes = _predicted(model, points, view)
        scores = np.column_stack([(codes == code) - 0.5 for code in np.unique(codes)])
    if scores.ndim == 2:
        for ahead in _ahead(scores).T:
            _contour(axes, across, up, ahead.reshape(across.shape), 0.0, linewidths=1.6, **style)
        return
    z = scores.reshape(across.shape)
    if steps:
        _draw_steps(axes, model, view, style["colors"])
    _contour(axes, across, up, z, 0.0, linewidths=1.8, **style)
    if _has_margin(model):
        for level in (-1.0, 1.0):
            faint = {**style, "linestyles": [(0, (3, 3))]}
            _contour(axes, across, up, z, level, linewidths=1.0, **faint)


def _ahead(scores: Floats) -> Floats:
    """Return by how much each score is above the best of the others: zero where two are best."""
    best = np.sort(scores, axis=1)
    return scores - np.where(scores == best[:, -1:], best[:, -2:-1], best[:, -1:])


def _contour(axes: Any, across: Floats, up: Floats, z: Floats, level: float, **style: Any) -> None:
    if z.min() < level < z.max():  # else there is no line here, of which matplotlib would warn
        axes.contour(across, up, z, levels=[level], **style)


def _has_margin(model: Model) -> bool:
    return getattr(model, "margin_", None) is not None and getattr(model, "support_", None) is not None


def _draw_steps(axes: Any, model: Model, view: _View, colour: str) -> None:
    """Draw the planes that a perceptron had before its last, the older the fainter, with their numbers."""
    planes = _steps(model)
    shown = planes[-MOST_STEPS:]
    for i, (number, (a, b, c)) in enumerate(shown):
        ends = _clipped(a, b, c, view)
        if ends is None:
            continue
        strength = 0.25 + 0.5 * (i + 1) / len(shown)
        axes.plot(*ends.T, color=colour, alpha=strength, linewidth=0.8, zorder=1.5)
        first, last = ends[np.argsort(ends[:, 1], kind="stable")][:: 1 if i % 2 else -1]
        inside = first + 0.04 * (last - first)  # numbers stand at the two ends by turns
        axes.annotate(
            str(number), inside, color=colour, alpha=min(1.0, strength + 0.25), fontsize=8, zorder=1.6,
            ha="center", va="center",
            bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.8},
        )  # fmt: skip


def _steps(model: Model) -> list[tuple[int, tuple[float, float, float]]]:
    """Return number and plane (a, b, c) of a perceptron's updates but the last; none without a trace."""
    trace = getattr(model, "trace_", ())
    is_planes = len(trace) > 1 and all(hasattr(update, "weights") for update in trace)
    if not is_planes or getattr(model, "map_", None) is not None:
        return []
    planes = []
    for number, update in enumerate(trace[:-1], start=1):
        a, b, *c = update.weights
        planes.append((number, (float(a), float(b), float(c[0]) if c else 0.0)))
    return planes


def _clipped(a: float, b: float, c: float, view: _View) -> Floats | None:
    """Return the two ends of the line a x + b y + c = 0 in the part that is shown; None outside."""
    (x0, y0), (x1, y1) = view.low, view.high
    found = []
    if b != 0:
        found += [(x, y) for x in (x0, x1) if y0 <= (y := -(a * x + c) / b) <= y1]
    if a != 0:
        found += [(x, y) for y in (y0, y1) if x0 <= (x := -(b * y + c) / a) <= x1]
    if len(found) < 2:
        return None
    ends = np.array(sorted(found))
    return ends[[0, -1]]


def _draw_points(axes: Any, view: _View) -> None:
    for code in range(len(view.classes)):
        rows = view.points[view.codes == code]
        size = 42 if len(view.points) <= 200 else 14
        axes.scatter(
            *rows.T,
            s=size,
            marker=_mark(code),
            color=_colour(code),
            edgecolors="white",
            linewidths=0.6,
            zorder=4,
        )


def _draw_support(axes: Any, model: Model, view: _View, colour: str) -> None:
    if _has_margin(model):
        rows = [row for row in np.asarray(model.support_).tolist() if row < len(view.points)]
        axes.scatter(
            *view.points[rows].T, s=150, facecolors="none", edgecolors=colour, linewidths=1.3, zorder=5
        )


def _add_legend(axes: Any, models: Mapping[str, Model], view: _View, steps: bool, is_own: bool) -> None:
    """Say which mark is which class and which line which model: beside the picture where it is our own."""
    from matplotlib.lines import Line2D

    plain: dict[str, Any] = {"linestyle": "none", "markeredgecolor": "white", "markersize": 7}
    lines = [
        Line2D([], [], marker=_mark(i), color=_colour(i), label=str(value), **plain)
        for i, value in enumerate(view.classes)
    ]
    for number, (name, one) in enumerate(models.items()):
        colour, dash = _MODELS[number % len(_MODELS)], _DASHES[number % len(_DASHES)]
        lines.append(Line2D([], [], color=colour, linestyle=dash, linewidth=1.6, label=name))
        if steps and (planes := _steps(one)[-MOST_STEPS:]):
            label = f"its steps {planes[0][0]} to {planes[-1][0]} of {len(one.trace_)}"
            lines.append(Line2D([], [], color=colour, alpha=0.5, linewidth=0.8, label=label))
        if _has_margin(one):
            lines.append(Line2D([], [], color=colour, linestyle=(0, (3, 3)), linewidth=1.0, label="margin"))
            ring: dict[str, Any] = {
                "marker": "o",
                "markersize": 10,
                "markerfacecolor": "none",
                "markeredgecolor": colour,
            }
            lines.append(Line2D([], [], linestyle="none", label="support vectors", **ring))
    beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0, "frameon": False}
    axes.legend(handles=lines, **(beside if is_own else {"loc": "best"}))
