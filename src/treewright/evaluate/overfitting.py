"""The overfitting curve: training and test error of trees from small to large."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import choice
from treewright.base.progress import Watcher
from treewright.base.work import each
from treewright.evaluate.curve import SHARES, Curve, Line
from treewright.evaluate.families import FAMILIES, Family, as_numbers
from treewright.evaluate.learner import Grower
from treewright.evaluate.parts import dealing_by_row, names_among, split
from treewright.evaluate.score import Score, mean_score
from treewright.growth.keywords import ForFolds, with_settings
from treewright.prune.dealing import units_by_name
from treewright.prune.heldout import losses
from treewright.prune.sample import Sample, sample_of
from treewright.table import Table, table_of, table_with_target
from treewright.tree import Tree
from treewright.tree.losses import TITLES, loss_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
N_POINTS = 40


@dataclass(frozen=True, eq=False, repr=False)
class OverfittingCurve(Curve):
    """Training and test error along the size of trees.

    `trees` are the trees of the points and `held_out` the rows that judged them; both are empty where the
    curve is cross-validated, for then there are as many trees as folds at every point.

    >>> import treewright as tw
    >>> curve = overfitting_curve(tw.example("vote"), "Class", points=4)
    >>> curve
    OverfittingCurve(4 points along size of the tree (number of nodes))
    >>> [tree.n_nodes for tree in curve.trees]
    [1, 5, 17, 49]
    """

    trees: tuple[Tree, ...] = ()
    training: Sample | None = None
    held_out: Sample | None = None


@with_settings
def overfitting_curve(
    table: Any,
    target: Any,
    against: str = "nodes",
    *,
    recipe: str = "plain",
    test: Table | float = 1 / 3,
    folds: Any = None,
    groups: Any = None,
    order: Any = None,
    values: Sequence[float] | None = None,
    points: int = N_POINTS,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    progress: Watcher | None = None,
    **settings: Unpack[ForFolds],
) -> OverfittingCurve:
    """Return training and test error of trees of one family, with standard errors; the lowest is marked.

    One tree is grown and cut back, except against leaf_size. An error is the share of wrong rows (their mean
    cost, where `costs` are given), or the mean loss of the criterion (squared error).

    Args:
        table: features and target.
        target: the column to predict.
        against: "nodes" (the tree grown best first, up to so many), "depth", "leaf_size" (`min_leaf`; of c4.5
            `min_branch`), "alpha" (the weakest-link sequence), "lambda" (the price of a leaf beside impurity)
            or "confidence" (C4.5's pruning).
        recipe: an algorithm by name; its own pruning is left out.
        test: the share of the rows kept back for judging, or a table of them.
        folds: judge by cross-validation instead: a number, one per row, or a column.
        groups: whose rows stay together, in folds or in the test rows: a column, or one value per row.
        order: of the rows in time, likewise: what is judged comes after what is learned from.
        values: of what varies; by default at most `points` of those that matter.
        points: how many values at most.
        weights: one number per row or the name of a column.
        seed: of the rows kept back, the folds, and growth.
        n_jobs: folds worked on at once.
        progress: called with the share that is done.
        settings: of the recipe, as in `tw.grow`.

    >>> import treewright as tw
    >>> print(overfitting_curve(tw.example("vote"), "Class", "depth", recipe="c4.5", values=[0, 1, 2, 8]))
    depth of the tree  nodes  leaves  training error    test error
                    0      1       1    38.6 % ± 2.9  38.6 % ± 4.0
                    1      3       2     4.8 % ± 1.3   3.4 % ± 1.5
                    2      5       3     4.8 % ± 1.3   3.4 % ± 1.5
                    8     11       6     2.8 % ± 1.0   2.8 % ± 1.4  lowest
    """
    table, target = table_with_target(table, target, "overfitting_curve")
    family = FAMILIES[choice("against", against, FAMILIES)]
    if settings.get("prune") not in (None, "none"):
        raise ValueError(f"prune={settings['prune']!r}: the curve cuts trees back itself; leave prune out.")
    options = {"weights": weights, "seed": seed, **settings, "prune": "none"}
    leave_out = names_among(folds, groups, order)
    grower = Grower.of(table, target, recipe, leave_out=leave_out, **options)
    everything = np.arange(table.n_rows)
    if folds is not None:
        dealing = dealing_by_row(table, target, folds, seed, weights, groups, order)
        tried = _values(family, values, points, lambda: grower.fit(everything))
        steps = [(dealing.rest(k), dealing.held(k)) for k in range(dealing.n_folds)]
        parts = each(lambda step: _part(grower, family, tried, *step), steps, n_jobs, progress)
        return _curve(against, family, tried, parts)
    blocks = units_by_name(table, groups, order)
    rows, held = kept_back(grower, test, seed, **blocks)
    named = weights if isinstance(weights, str) else None
    tried = _values(family, values, points, lambda: grower.fit(rows))
    part = each(lambda _: _part(grower, family, tried, rows, held, named), [0], 1, progress)[0]
    return _curve(against, family, tried, [part], part)


def kept_back(
    grower: Grower, test: Table | float, seed: int, groups: Any = None, order: Any = None
) -> tuple[Ints, Ints | Table]:
    """Return the rows to learn from, and those to judge by: a share of the table, or a table as it is.

    >>> import treewright as tw
    >>> rows, held = kept_back(Grower.of(tw.example("tennis"), "PlayTennis"), 0.25, seed=0)
    >>> len(rows), len(held)
    (10, 4)
    """
    if not isinstance(test, (int, float, np.integer, np.floating)):
        return np.arange(grower.table.n_rows), table_of(test, who="test")
    parts = split(
        grower.table, grower.target, test=test, weights=grower.weights, seed=seed, groups=groups, order=order
    )
    if not len(parts.rows[2]):
        raise ValueError(
            f"test={test!r} leaves no row to judge by; give a share, a number of rows, or a table."
        )
    return parts.rows[0], parts.rows[2]


@dataclass(frozen=True, eq=False)
class _Part:
    """The trees grown on one part of the rows, and the loss of each row under each tree."""

    trees: list[Tree]
    training: Sample
    held_out: Sample
    training_losses: list[Floats]
    test_losses: list[Floats]


def _part(
    grower: Grower,
    family: Family,
    values: Sequence[float],
    rows: Ints,
    held: Ints | Table,
    weights: str | None = None,
) -> _Part:
    trees = family.trees(grower, rows, values)
    training, judges = grower.sample(trees[0], rows), judges_of(grower, trees[0], held, weights)
    both = [[losses(tree, sample) for tree in trees] for sample in (training, judges)]
    return _Part(trees, training, judges, *both)


def judges_of(grower: Grower, tree: Tree, held: Ints | Table, weights: str | None = None) -> Sample:
    """Return the rows to judge by in a tree's codes: rows of the grower's table, or another table.

    >>> import treewright as tw
    >>> grower = Grower.of(tw.example("tennis"), "PlayTennis")
    >>> judges_of(grower, grower.fit(np.arange(14)), tw.example("tennis")).n_rows
    14
    """
    sample = sample_of(tree, held, weights) if isinstance(held, Table) else grower.sample(tree, held)
    if not float(sample.weights.sum()) > 0:
        raise ValueError("There are no rows with weight to judge by.")
    return sample


def _values(
    family: Family, values: Sequence[float] | None, points: int, grown: Callable[[], Tree]
) -> Sequence[float]:
    if values is not None:
        found = as_numbers(values)
    else:
        if isinstance(points, bool) or not isinstance(points, int) or points < 2:
            raise ValueError(f"points={points!r} must be a whole number of at least 2.")
        found = list(family.values(grown(), points))
    if not found or any(not value >= 0 for value in found):
        raise ValueError(f"values={values!r} must be numbers of at least 0, one or more.")
    return sorted(set(found))


def _curve(
    against: str, family: Family, values: Sequence[float], parts: Sequence[_Part], only: _Part | None = None
) -> OverfittingCurve:
    """Return the curve; with several parts their rows are pooled, and sizes are means."""
    lines = []
    for name in ("training", "test"):
        weights = np.concatenate(
            [getattr(p, "training" if name == "training" else "held_out").weights for p in parts]
        )
        found = [np.concatenate([getattr(p, f"{name}_losses")[i] for p in parts]) for i in range(len(values))]
        lines.append(Line(f"{name}_error", tuple(mean_score(loss, weights) for loss in found)))
    sizes = {
        name: [_mean([getattr(p.trees[i], name) for p in parts]) for i in range(len(values))]
        for name in ("n_nodes", "n_leaves", "depth")
    }
    tree = parts[0].trees[0]
    x = tuple(sizes["n_nodes"]) if against == "nodes" else tuple(values)
    x_name = "n_nodes" if against == "nodes" else against
    return OverfittingCurve(
        title="Training and test error",
        x_name=x_name,
        x_label=family.label,
        x=x,
        lines=tuple(lines),
        y_label=unit_of(tree.is_classifier, tree.about.get("costs") is not None, loss_of(tree)),
        columns={name: found for name, found in sizes.items() if name not in (x_name, "depth")},
        marks={"lowest": lowest(lines[1].scores, sizes["n_leaves"])},
        trees=tuple(only.trees) if only else (),
        training=only.training if only else None,
        held_out=only.held_out if only else None,
    )


def lowest(scores: Sequence[Score], n_leaves: Sequence[float]) -> int:
    """Return the place of the lowest error; of equal ones the smallest tree.

    >>> lowest([Score(0.3), Score(0.2), Score(0.2)], [1, 5, 3])
    2
    """
    return min(range(len(scores)), key=lambda i: (scores[i].value, n_leaves[i]))


def _mean(sizes: Sequence[int]) -> float:
    mean = float(np.mean(sizes))
    return int(mean) if mean == int(mean) else mean


def unit_of(is_classifier: bool, has_costs: bool = False, loss: str = "squared") -> str:
    """Return what errors are: a share of rows, a mean cost, or the mean loss of the criterion.

    >>> unit_of(True), unit_of(False)
    ('error (share of rows)', 'mean squared error')
    """
    if not is_classifier:
        return TITLES[loss]
    return "mean cost" if has_costs else SHARES
