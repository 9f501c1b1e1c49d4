"""Formulas of the lectures as curves: impurities of two classes, the logistic function, two Gaussians."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from treewright.base.numbers import number
from treewright.linear.chance import sigma
from treewright.measure import Gaussian, density_kl_divergence, entropy, error, gini
from treewright.paint import Area, Axis, Chart, Dots, Line, Panels, Rule
from treewright.paint.colours import OTHER, PALETTE, PAPER, mixed
from treewright.paint.files import delivered

_POINTS = 201
_REACH = 4.0  # standard deviations that are shown of a Gaussian


def impurities(path: str | os.PathLike[str] | None = None, *, halved: bool = False, ax: Any = None) -> Chart:
    """Return entropy, Gini index and error of two classes against the share of one of them.

    Args:
        path: where to save it: .svg, .pdf, .png or .txt.
        halved: whether half the entropy is drawn, which lies near the Gini index.
        ax: matplotlib's axes to draw on as well.

    >>> [layer.name for layer in impurities().layers]
    ['entropy (bits)', 'Gini index', 'error']
    """
    p = np.linspace(0.0, 1.0, _POINTS)
    both = np.column_stack([p, 1 - p])
    bits = np.asarray(entropy(both)) / (2 if halved else 1)
    layers = (
        Line("half the entropy (bits)" if halved else "entropy (bits)", p.tolist(), bits.tolist(), 0),
        Line("Gini index", p.tolist(), np.asarray(gini(both)).tolist(), 1),
        Line("error", p.tolist(), np.asarray(error(both)).tolist(), 2),
    )
    top = 0.55 if halved else 1.05
    chart = Chart(
        "How mixed two classes are",
        Axis("p, the share of one of two classes"),
        Axis("impurity", 0.0, top),
        layers,
    )
    return delivered(chart, path, ax)  # type: ignore[no-any-return]


def logistic_curve(
    path: str | os.PathLike[str] | None = None,
    *,
    model: Any = None,
    X: Any = None,
    y: Any = None,
    ax: Any = None,
) -> Chart:
    """Return the logistic function 1 / (1 + e^-z); with a model and rows, where these lie on it.

    Args:
        path: where to save it: .svg, .pdf, .png or .txt.
        model: a fitted `LogisticRegression` of two classes.
        X: rows for it.
        y: their classes: a row lies at the foot or at the top.
        ax: matplotlib's axes to draw on as well.

    >>> logistic_curve().y.label
    'σ(z) = 1 / (1 + e^-z)'
    """
    z, dots = 6.0, []
    if model is not None:
        if X is None or y is None:
            raise TypeError("logistic_curve draws the rows of a model: give X and y too.")
        scores = np.asarray(model.decision_function(X), dtype=np.float64)
        classes = np.asarray(model.classes_).tolist()
        if scores.ndim != 1 or len(classes) != 2:
            raise ValueError(f"The logistic curve is of two classes; the model has {len(classes)}.")
        z = max(z, float(np.abs(scores).max()))
        answers = np.asarray(y)
        for code, name in enumerate(classes):
            rows = answers == name
            height = [float(code)] * int(rows.sum())
            dots.append(Dots(str(name), scores[rows].tolist(), height, code, colour=PALETTE[code]))
    x = np.linspace(-z, z, _POINTS)
    curve = Line(
        "chance of the second class" if dots else "σ(z)", x.tolist(), sigma(x).tolist(), 6, is_plain=True
    )
    threshold = Line("threshold", [-z, 0.0, 0.0, z], [0.0, 0.0, 1.0, 1.0], 2, colour=OTHER, width=1.2)
    chart = Chart(
        "The logistic function beside the threshold",
        Axis("z = w·x + w0", -1.03 * z, 1.03 * z),
        Axis("σ(z) = 1 / (1 + e^-z)", -0.05, 1.05),
        (threshold, curve, *dots),
    )
    return delivered(chart, path, ax)  # type: ignore[no-any-return]


def gaussians(
    p: Gaussian, q: Gaussian, path: str | os.PathLike[str] | None = None, *, ax: Any = None
) -> Panels:
    """Return two Gaussians, and what their divergence is the area of: p log2(p / q), above 0 less below.

    Args:
        p: the first.
        q: the second, from which the first diverges.
        path: where to save it: .svg, .pdf, .png or .txt.
        ax: matplotlib's axes to draw on as well.

    >>> from treewright.measure import Gaussian
    >>> pages = gaussians(Gaussian(0, 1), Gaussian(1, 1.5))
    >>> [chart.title for chart in pages.charts]
    ['The two densities', 'p log2(p / q): its area is the divergence, 0.5048 bits']
    """
    for name, one in (("p", p), ("q", q)):
        if not isinstance(one, Gaussian):
            raise TypeError(
                f"{name} must be a Gaussian, such as tw.measure.Gaussian(0, 1); found {one!r:.60}."
            )
    low = min(one.mean - _REACH * one.sd for one in (p, q))
    high = max(one.mean + _REACH * one.sd for one in (p, q))
    x = np.linspace(low, high, 2 * _POINTS)
    first, second = p.density(x), q.density(x)
    top = 1.08 * float(max(first.max(), second.max()))
    axis = Axis("x", low, high)
    names = [f"{name}: mean {number(one.mean)}, sd {number(one.sd)}" for name, one in (("p", p), ("q", q))]
    curves = (Line(names[0], x.tolist(), first.tolist(), 0), Line(names[1], x.tolist(), second.tolist(), 1))
    gap = -0.5 * ((x - p.mean) / p.sd) ** 2 + 0.5 * ((x - q.mean) / q.sd) ** 2 + np.log(q.sd / p.sd)
    part = first * gap / np.log(2)
    ends = 1.1 * float(np.abs(part).max()) or 1.0
    areas = [
        Area(name, [low, *x.tolist(), high], [0.0, *side.tolist(), 0.0], mixed(PALETTE[i], PAPER, 0.4), i)
        for i, (name, side) in enumerate(
            (("adds to it", np.maximum(part, 0.0)), ("takes from it", np.minimum(part, 0.0)))
        )
    ]
    line = Line("p log2(p / q)", x.tolist(), part.tolist(), 6, is_plain=True)
    words = f"p log2(p / q): its area is the divergence, {number(density_kl_divergence(p, q))} bits"
    charts = (
        Chart("The two densities", axis, Axis("density", 0.0, top), curves),
        Chart(
            words,
            axis,
            Axis("bits for each unit of x", -ends, ends),
            (*areas, line, Rule("", 0.0, False, 0, OTHER)),
        ),
    )
    return delivered(Panels("How far p diverges from q", charts, n_columns=2), path, ax)  # type: ignore[no-any-return]
