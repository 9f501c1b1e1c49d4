"""What the pictures of the lectures show, as numbers read off our own: regions, shades, curves."""

from __future__ import annotations

import numpy as np

from treewright.draw.formulas import impurities, logistic_curve
from treewright.draw.partitions import first_splits, split_order
from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.points import HALF, circle
from treewright.paint import Chart, Line
from treewright.table import Table
from treewright.tree import Tree

GRID = 60  # points a side, at which regions are looked at


def pictures() -> Lesson:
    """Return what pictures show: regions after each split, the ratio behind points, impurities, the logistic.

    >>> [step.value for step in pictures().steps if step.what == "Regions after 0, 1, 2 and all splits"]
    ['1, 2, 3, 23']
    """
    about = (
        "Pictures of the slides, whose numbers were drawn and not printed. The same pictures are drawn by "
        "`treewright demo --pictures`; here is what can be read off them."
    )
    return Lesson("pictures", "What the pictures show", about, (*_regions(), *_curves()))


def ring() -> Table:
    """Return the circle of lecture 003, three hundred points of it.

    >>> ring().names
    ('x', 'y', 'colour')
    """
    return circle(300, seed=1)


def regions_that_are_rectangles(tree: Tree) -> tuple[int, int]:
    """Return how many regions a grid of points meets, and how many of these are rectangles of it.

    >>> regions_that_are_rectangles(grow(ring(), "colour", max_depth=2))
    (4, 4)
    """
    ends = np.linspace(-HALF, HALF, GRID)
    x, y = np.meshgrid(ends, ends, indexing="ij")
    leaf = tree.leaves(Table.from_dict({"x": x.ravel(), "y": y.ravel()})).reshape(GRID, GRID)
    found = np.unique(leaf)
    whole = 0
    for node in found.tolist():
        i, j = np.nonzero(leaf == node)
        whole += int(len(i) == (i.max() - i.min() + 1) * (j.max() - j.min() + 1))
    return len(found), whole


def _regions() -> list[Step]:
    tree = grow(ring(), "colour")
    order = split_order(tree)
    after = [first_splits(tree, order, n) for n in (0, 1, 2, len(order))]
    met, whole = regions_that_are_rectangles(tree)
    one = after[1]
    ratios = [one.node(child).shares[0] for child in one.children(0)]
    part = "The plane (000:138, 003:541, 003:553, 003:564)"
    return [
        Step(
            "Regions after 0, 1, 2 and all splits",
            "",
            "",
            ", ".join(str(t.n_leaves) for t in after),
            part=part,
            note="Each split divides one region of the picture before it.",
        ),
        Step("Regions that a grid meets, and those of them that are rectangles", "", "", f"{met}, {whole}",
             part=part),
        Step(
            "Ratio of the classes that shades the two sides of the first split",
            "",
            "",
            ", ".join(f"{ratio:.4f}" for ratio in ratios),
            part=part,
            note=f"The share of {tree.classes[0]} among the points of each side.",
        ),
    ]  # fmt: skip


def curves() -> dict[str, Line]:
    """Return the curves of the impurities of two classes, by name.

    >>> list(curves())
    ['half the entropy (bits)', 'Gini index', 'error']
    """
    return _lines(impurities(halved=True))


def _lines(chart: Chart) -> dict[str, Line]:
    return {layer.name: layer for layer in chart.layers if isinstance(layer, Line)}


def _curves() -> list[Step]:
    found = curves()
    whole = _lines(impurities())["entropy (bits)"]
    top = int(np.argmax(whole.y))
    half, gini, error = (np.asarray(line.y) for line in found.values())
    wave = _lines(logistic_curve())["σ(z)"]
    z, s = np.asarray(wave.x), np.asarray(wave.y)
    slope = np.gradient(s, z)[len(z) // 2]
    part = "Curves (004:122, 004:551, 003:784, 002:274)"
    return [
        Step("Where the entropy of two classes is largest, and how large", "", "",
             f"{whole.x[top]:g}, {whole.y[top]:g}", part=part),
        Step("Largest distance of half the entropy from the Gini index", "", "",
             round(float(np.abs(half - gini).max()), 6), part=part,
             note="Of curves that are 0.5 high: they are very similar."),
        Step("Largest distance of the Gini index from the error", "", "",
             round(float(np.abs(gini - error).max()), 6), part=part),
        Step("The logistic function at 0, and its slope there", "", "", f"{s[len(z) // 2]:g}, {slope:.4f}",
             part=part, note="The threshold jumps there; the curve is between 0 and 1 everywhere."),
    ]  # fmt: skip
