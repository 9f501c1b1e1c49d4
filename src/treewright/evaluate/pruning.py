"""The pruning curve: errors along the family of trees that one way to prune makes, and the choice in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import choice
from treewright.base.progress import Watcher, watcher
from treewright.base.work import count_of_jobs, each
from treewright.evaluate.curve import Curve, Line
from treewright.evaluate.families import CONFIDENCES, as_numbers, lambdas, thinned
from treewright.evaluate.learner import Grower
from treewright.evaluate.overfitting import judges_of, kept_back, lowest, unit_of
from treewright.evaluate.parts import dealing_by_row, names_among
from treewright.evaluate.score import Score, mean_score
from treewright.growth.keywords import ForFolds, with_settings
from treewright.prune.base import Method
from treewright.prune.cost_complexity import cost_complexity_path, cross_validated, validated
from treewright.prune.counts import need_classes
from treewright.prune.critical_value import CriticalValue, critical_value_path
from treewright.prune.dealing import Dealing, units_by_name
from treewright.prune.folds import fold_numbers, is_count
from treewright.prune.heldout import losses
from treewright.prune.method import CostComplexity, ErrorBased
from treewright.prune.minimum_error import GRID, MinimumError
from treewright.prune.regularised import Regularised
from treewright.prune.sample import Sample
from treewright.table import Table, table_with_target
from treewright.tree import Tree
from treewright.tree.losses import loss_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

Ints = NDArray[np.int64]
N_POINTS = 40


@dataclass(frozen=True)
class Way:
    """A way to prune and the option that makes its trees larger or smaller.

    >>> WAYS["minimum_error"].option
    'm'
    """

    method: Method
    option: str
    label: str
    values: Callable[[Tree, int], Sequence[float]]  # worth trying on a tree, so many at most

    def at(self, value: float) -> Method:
        """Return the way with its option set.

        >>> WAYS["error_based"].at(0.1).confidence
        0.1
        """
        return replace(self.method, **{self.option: value})


def _kappas(tree: Tree, most: int) -> Sequence[float]:
    kappa = critical_value_path(tree).kappa  # the last is infinite: one leaf
    kappa[-1] = 1.1 * kappa[-2] if len(kappa) > 1 else 0.0
    return [float(value) for value in thinned(kappa[::-1], most)]


WAYS: Mapping[str, Way] = MappingProxyType(
    {
        "cost_complexity": Way(
            CostComplexity(alpha=0.0),
            "alpha",
            "alpha",
            lambda tree, _: cost_complexity_path(tree).alpha.tolist(),
        ),
        "error_based": Way(ErrorBased(), "confidence", "confidence", lambda *_: CONFIDENCES),
        "minimum_error": Way(MinimumError(m=0.0), "m", "m", lambda *_: GRID),
        "critical_value": Way(CriticalValue(kappa=0.0), "kappa", "kappa", _kappas),
        "regularised": Way(Regularised(), "lambda_", "lambda", lambdas),
    }
)


@dataclass(frozen=True, eq=False, repr=False)
class PruningCurve(Curve):
    """Errors along the family of trees of one way to prune; "lowest" and "1-SE" are marked.

    "1-SE" is the smallest tree whose error is within one standard error of the lowest.

    >>> import treewright as tw
    >>> curve = pruning_curve(tw.example("vote"), "Class", folds=5)
    >>> curve.choice().n_leaves, curve.choice(one_se=False).n_leaves
    (2, 2)
    """

    trees: tuple[Tree, ...] = ()

    def choice(self, one_se: bool = True) -> Tree:
        """Return the tree at the mark "1-SE", or "lowest".

        >>> import treewright as tw
        >>> pruning_curve(tw.example("vote"), "Class", folds=5).choice().depth
        1
        """
        return self.trees[self.marks["1-SE" if one_se else "lowest"]]


@with_settings
def pruning_curve(
    table: Any,
    target: Any,
    method: str = "cost_complexity",
    *,
    recipe: str = "plain",
    validation: Table | float | None = None,
    folds: Any = 10,
    groups: Any = None,
    order: Any = None,
    values: Sequence[float] | None = None,
    points: int = N_POINTS,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    progress: Watcher | None = None,
    **settings: Unpack[ForFolds],
) -> PruningCurve:
    """Return training, validation and cross-validated error along the trees that one way to prune makes.

    The curve is marked by its cross-validated error if there are folds, else by the validation error.

    Args:
        table: features and target.
        target: the column to predict.
        method: "cost_complexity" (along the weakest-link sequence; cross-validated at the geometric means of
            its alphas), "error_based" (over confidence), "minimum_error" (over m), "critical_value" (over
            kappa) or "regularised" (over lambda).
        recipe: an algorithm by name; its own pruning is left out.
        validation: the share of the rows kept back from growing, or a table of others.
        folds: a number, one per row of `table`, a column, or None for no cross-validation.
        groups: whose rows stay together, in folds and in the validation rows: a column, or one value per row.
        order: of the rows in time, likewise: what is judged comes after what is learned from.
        values: of the option; by default at most `points` of those that matter.
        points: how many values at most; the weakest-link sequence is shown whole.
        weights: one number per row or the name of a column.
        seed: of the rows kept back, the folds, and growth.
        n_jobs: folds worked on at once.
        progress: called with the share of the folds that is done.
        settings: of the recipe, as in `tw.grow`.

    >>> import treewright as tw
    >>> print(pruning_curve(tw.example("tennis"), "PlayTennis", recipe="id3", folds=3))
      alpha  leaves  training error       cv error
          0       6     0.0 % ± 0.0  50.0 % ± 13.4
    0.07143       1   35.7 % ± 12.8  35.7 % ± 12.8  lowest, 1-SE
    """
    table, target = table_with_target(table, target, "pruning_curve")
    way = WAYS[choice("method", method, WAYS)]
    if validation is None and folds is None:
        raise ValueError(
            "Nothing to judge by: give folds=, or validation= (a share of the rows, or a table)."
        )
    if settings.get("prune") not in (None, "none"):
        raise ValueError(
            f"prune={settings['prune']!r}: the curve prunes by method={method!r}; leave prune out."
        )
    leave_out = names_among(folds, groups, order)
    options = {"weights": weights, "seed": seed, **settings, "prune": "none"}
    grower = Grower.of(table, target, recipe, leave_out=leave_out, **options)
    rows, held = np.arange(table.n_rows), None
    if validation is not None:
        rows, held = kept_back(grower, validation, seed, **units_by_name(table, groups, order))
    tree = grower.fit(rows)
    if method in ("error_based", "minimum_error"):
        need_classes(tree, method, "cost_complexity, critical_value or regularised")
    named = weights if isinstance(weights, str) else None
    judges = None if held is None else judges_of(grower, tree, held, named)
    fold = _folds(table, grower, folds, rows, seed, units_by_name(table, groups, order))
    work = _Work(grower, rows, tree, judges, fold, count_of_jobs(n_jobs), progress or watcher())
    if method == "cost_complexity" and values is None:
        return _weakest_link(way, work)
    tried = list(way.values(tree, points)) if values is None else as_numbers(values)
    return _along(way, work, sorted(set(tried)))


def _folds(
    table: Table, grower: Grower, folds: Any, rows: Ints, seed: int, units: dict[str, Ints]
) -> Dealing | None:
    """Return the folds of the rows that the tree is grown on; given ones are those of the whole table."""
    if folds is None:
        return None
    if not is_count(folds) and not units:
        of_table = dealing_by_row(table, grower.target, folds)
        return Dealing(fold_numbers(of_table.fold[rows], len(rows)))
    weights = None if grower.weights is None else grower.weights[rows]
    here = {name: values[rows] for name, values in units.items()}
    return dealing_by_row(grower.table.take(rows), grower.target, folds, seed, weights, **here)


@dataclass(frozen=True, eq=False)
class _Work:
    """What a curve is made from."""

    grower: Grower
    rows: Ints  # the tree's
    tree: Tree
    judges: Sample | None
    fold: Dealing | None  # of the tree's rows
    n_jobs: int
    progress: Watcher | None

    @property
    def sample(self) -> Sample:
        return self.grower.sample(self.tree, self.rows)

    def regrow(self, rows: Ints) -> Tree:
        return self.grower.fit(self.rows[rows])


def _weakest_link(way: Way, work: _Work) -> PruningCurve:
    path = cost_complexity_path(work.tree)
    trees = tuple(path.tree_at(alpha) for alpha in path.alpha)
    lines = [Line("training_error", _scores_of(trees, work.sample))]
    if work.judges is not None:
        judged = validated(path, work.judges)
        lines.append(Line("validation_error", _zipped(judged.error, judged.standard_error)))
    if work.fold is not None:
        judged = cross_validated(
            work.tree,
            work.sample,
            folds=work.fold,
            n_jobs=work.n_jobs,
            progress=work.progress,
            regrow=work.regrow,
        )
        lines.append(Line("cv_error", _zipped(judged.error, judged.standard_error)))
    return _curve(way, path.alpha.tolist(), trees, lines)


def _along(way: Way, work: _Work, values: Sequence[float]) -> PruningCurve:
    if not values:
        raise ValueError("values is empty; give at least one.")
    methods = [way.at(value) for value in values]
    sample = work.sample
    evidence = work.grower.evidence(work.tree, work.rows)
    trees = tuple(method(work.tree, evidence) for method in methods)
    lines = [Line("training_error", _scores_of(trees, sample))]
    if work.judges is not None:
        lines.append(Line("validation_error", _scores_of(trees, work.judges)))
    if work.fold is not None:
        lines.append(Line("cv_error", _cross_validated(work, sample, methods)))
    return _curve(way, values, trees, lines)


def _cross_validated(work: _Work, sample: Sample, methods: Sequence[Method]) -> tuple[Score, ...]:
    fold = work.fold
    assert fold is not None

    def judge(k: int) -> list[NDArray[np.float64]]:
        rest, held = fold.rest(k), sample.take(fold.held(k))
        tree = work.regrow(rest)
        evidence = work.grower.evidence(tree, work.rows[rest])
        return [losses(method(tree, evidence), held) for method in methods]

    steps = range(fold.n_folds)
    found = each(judge, steps, work.n_jobs, work.progress)
    weights = np.concatenate([sample.weights[fold.held(k)] for k in steps])
    return tuple(
        mean_score(np.concatenate([part[i] for part in found]), weights) for i in range(len(methods))
    )


def _scores_of(trees: Sequence[Tree], sample: Sample) -> tuple[Score, ...]:
    return tuple(mean_score(losses(tree, sample), sample.weights) for tree in trees)


def _zipped(values: Any, spreads: Any) -> tuple[Score, ...]:
    return tuple(Score(float(value), float(spread)) for value, spread in zip(values, spreads, strict=True))


def _curve(way: Way, values: Sequence[float], trees: tuple[Tree, ...], lines: list[Line]) -> PruningCurve:
    n_leaves = [tree.n_leaves for tree in trees]
    best = lowest(lines[-1].scores, n_leaves)
    return PruningCurve(
        title=f"Pruning by {way.method.name.replace('_', ' ')}",
        x_name=way.option,
        x_label=way.label,
        x=tuple(values),
        lines=tuple(lines),
        y_label=unit_of(trees[0].is_classifier, trees[0].about.get("costs") is not None, loss_of(trees[0])),
        columns={"n_leaves": n_leaves},
        marks={"lowest": best, "1-SE": within_one(lines[-1].scores, n_leaves)},
        trees=trees,
    )


def within_one(scores: Sequence[Score], n_leaves: Sequence[float]) -> int:
    """Return the place of the smallest tree within one standard error of the lowest; the lower on ties.

    >>> within_one([Score(0.2, 0.1), Score(0.25, 0.1), Score(0.4, 0.1)], [9, 4, 1])
    1
    """
    best = scores[lowest(scores, n_leaves)]
    bound = best.value + best.standard_error
    slack = 1e-12 * (1 + abs(bound))
    fitting = [i for i, score in enumerate(scores) if score.value <= bound + slack]
    return min(fitting, key=lambda i: (n_leaves[i], scores[i].value))
