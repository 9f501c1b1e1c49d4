"""Cross-validation: every row is judged once, by what was learned from the other folds."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import paint
from treewright.base.lines import Words, aligned
from treewright.base.notebook import Shown
from treewright.base.numbers import count
from treewright.base.progress import Watcher
from treewright.base.work import each
from treewright.evaluate.answers import Answers
from treewright.evaluate.confusion import Confusion, confusion
from treewright.evaluate.learner import Grower, Learner, Outsider
from treewright.evaluate.measures import Measure, find_measures
from treewright.evaluate.parts import dealing_by_row, names_among
from treewright.evaluate.score import Score, Share
from treewright.growth.keywords import ForFolds, with_settings
from treewright.growth.question import loss_for
from treewright.paint import Axis, Chart, axis_over
from treewright.paint.files import delivered
from treewright.prune.dealing import Dealing
from treewright.table import Table, table_with_target
from treewright.table.frame import frame_of
from treewright.tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Unpack

Ints = NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class FoldScores(Shown):
    """How one fold came out: rows learned from, rows judged, the size of the tree, and the scores.

    >>> FoldScores(90, 10, 7, 3, {"accuracy": Score(0.9, 0.1)}).scores["accuracy"].value
    0.9
    """

    n_train: int
    n_held: int
    n_leaves: int | None  # None where what was learned is no tree
    depth: int | None
    scores: Mapping[str, Score]

    def __str__(self) -> str:
        size = "" if self.n_leaves is None else f", {count(self.n_leaves, 'leaf', 'leaves')}"
        scores = ", ".join(f"{name} {score}" for name, score in self.scores.items())
        return f"{count(self.n_train, 'row')} learned from, {count(self.n_held)} judged{size}: {scores}"


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Shown):
    """What cross-validation found: fold by fold, and over all rows.

    `overall` pools the rows: each was judged once, and the standard error is that of as many rows. `mean`
    is the mean of the folds' scores with their spread / sqrt(folds), as others report it; folds where a
    score is undefined are left out of it. `fold` is row by row
    (-1: never judged), `answers` are those of the judged rows, `fitted` fold by fold.

    >>> import treewright as tw
    >>> print(cross_validate(tw.example("tennis"), "PlayTennis", "id3", folds=2, scores="accuracy"))
    fold           train  rows  leaves  depth       accuracy
    0                  7     7       4      2  57.1 % ± 18.7
    1                  7     7       5      2  71.4 % ± 17.1
    all rows                14                 64.3 % ± 12.8
    mean of folds                               64.3 % ± 7.1
    """

    folds: tuple[FoldScores, ...]
    overall: Mapping[str, Score]
    mean: Mapping[str, Score]
    answers: Answers
    fold: Ints
    fitted: tuple[Any, ...]

    def confusion(self) -> Confusion:
        """Return how often each class was taken for each, over all rows.

        >>> import treewright as tw
        >>> cross_validate(tw.example("tennis"), "PlayTennis", "id3", folds=2).confusion().counts
        ((8.0, 1.0), (4.0, 1.0))
        """
        return confusion(self.answers)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the folds as columns: fold, n_train, n_held, n_leaves, depth, and each score with its error.

        >>> import treewright as tw
        >>> cross_validate(tw.example("tennis"), "PlayTennis", "id3", folds=2).to_dict()["n_held"]
        [7, 7]
        """
        columns: dict[str, list[Any]] = {"fold": list(range(len(self.folds)))}
        for name in ("n_train", "n_held", "n_leaves", "depth"):
            columns[name] = [getattr(fold, name) for fold in self.folds]
        for name in self.overall:
            columns[name] = [fold.scores[name].value for fold in self.folds]
            columns[f"{name}_se"] = [fold.scores[name].standard_error for fold in self.folds]
        return columns

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the folds as a data frame of pandas, polars or pyarrow.

        >>> import treewright as tw
        >>> found = cross_validate(tw.example("tennis"), "PlayTennis", "id3", folds=2)
        >>> found.to_frame("pandas")["accuracy"].round(3).tolist()
        [0.571, 0.714]
        """
        return frame_of(self.to_dict(), backend)

    def to_text(self) -> str:
        """Return the folds, all rows and the mean of the folds as lines.

        >>> import treewright as tw
        >>> found = cross_validate(tw.example("tennis"), "PlayTennis", "id3", folds=2)
        >>> found.to_text().splitlines()[-2].split()[:3]
        ['all', 'rows', '14']
        """
        k = len(self.folds)
        columns = [
            Words("fold", [*map(str, range(k)), "all rows", "mean of folds"], "<"),
            Words("train", [*(str(fold.n_train) for fold in self.folds), "", ""]),
            Words("rows", [*(str(fold.n_held) for fold in self.folds), str(self.answers.n_rows), ""]),
        ]
        if all(fold.n_leaves is not None for fold in self.folds):
            columns.append(Words("leaves", [*(str(fold.n_leaves) for fold in self.folds), "", ""]))
            columns.append(Words("depth", [*(str(fold.depth) for fold in self.folds), "", ""]))
        for name, overall in self.overall.items():
            scores = [*(fold.scores[name] for fold in self.folds), overall, self.mean[name]]
            columns.append(Words(name, list(map(str, scores))))
        return "\n".join(aligned(columns))

    def __str__(self) -> str:
        return self.to_text()

    def in_short(self) -> str:
        """Return the number of folds and the scores over all rows.

        >>> import treewright as tw
        >>> cross_validate(tw.example("tennis"), "PlayTennis", "id3", folds=2, scores="accuracy")
        CrossValidation(2 folds: accuracy 64.3 % ± 12.8)
        """
        scores = ", ".join(f"{name} {score}" for name, score in self.overall.items())
        return f"{count(len(self.folds), 'fold')}: {scores}"

    def plot(
        self, path: str | os.PathLike[str] | None = None, *, score: str | None = None, ax: Any = None
    ) -> Chart:
        """Return one score as a chart: a point per fold, and a line with its band for all rows.

        Args:
            path: where to save it: .svg, .pdf, .png or .txt.
            score: the name of a score; the first if not given.
            ax: matplotlib's axes to draw on as well.

        >>> import treewright as tw
        >>> cross_validate(tw.example("tennis"), "PlayTennis", "id3", folds=2).plot()
        Chart(Cross-validation, 640 x 420 px)
        """
        name = next(iter(self.overall)) if score is None else score
        if name not in self.overall:
            raise ValueError(f"score={score!r} was not asked for; there are {', '.join(self.overall)}.")
        found = [fold.scores[name] for fold in self.folds]
        all_rows, ends = self.overall[name], (-0.5, len(found) - 0.5)
        spread = all_rows.standard_error if all_rows.standard_error == all_rows.standard_error else 0.0
        low, high = ([all_rows.value + side * spread] * 2 for side in (-1, 1))
        layers = (
            paint.Line(f"all rows: {all_rows}", ends, (all_rows.value,) * 2, 1, low, high),
            paint.Dots(
                "one fold ± SE",
                range(len(found)),
                [one.value for one in found],
                spread=[one.standard_error for one in found],
                size=4.5,
            ),
        )
        near = [
            *low,
            *high,
            *(v for one in found for v in (one.value - one.standard_error, sum(one), one.value)),
        ]
        chart = Chart(
            "Cross-validation",
            Axis.of_names("fold", range(len(found))),
            axis_over(name.replace("_", " "), near, is_share=isinstance(all_rows, Share)),
            layers,
        )
        return delivered(chart, path, ax)  # type: ignore[no-any-return]


@with_settings
def cross_validate(
    table: Any,
    target: Any,
    recipe: str = "plain",
    *,
    model: Any = None,
    folds: Any = 10,
    groups: Any = None,
    order: Any = None,
    scores: str | Iterable[str] | None = None,
    weights: Any = None,
    probabilities: str = "raw",
    seed: int = 0,
    n_jobs: int | None = 1,
    progress: Watcher | None = None,
    **settings: Unpack[ForFolds],
) -> CrossValidation:
    """Return how well a recipe, or a model, does on rows it has not seen: fold by fold, and over all rows.

    For each fold the whole way, growing and pruning, is gone on the rows of the others.

    Args:
        table: features and target; rows without an answer are refused.
        target: the column to predict.
        recipe: an algorithm by name; `settings` are its settings, `prune` and `class_weight`, `priors`,
            `costs` included, as in `tw.grow`.
        model: instead of a recipe an object with `fit(X, y)` and `predict(X)`, such as an estimator of
            treewright or scikit-learn. It is copied; X is a data frame, y are the class names or numbers.
        folds: a number (classes in equal shares, keyed by `seed` and what rows hold; no more than rows), one
            whole number per row, or the name of a column, which is then no feature.
        groups: whose rows stay in one fold, such as patients: a column, which is then no feature, or one
            value per row. Pruning by folds keeps to them too.
        order: of the rows in time, likewise: each of the folds is judged by what came before it; the first
            rows are never judged.
        scores: names from `MEASURES`; by default accuracy and balanced_accuracy, or the loss of
            the criterion (rmse, mae, poisson_deviance) and r2.
        weights: one number per row or the name of a column; for learning and for judging.
        probabilities: how log_loss and brier see leaves: "raw", "laplace" or "m_estimate".
        seed: of the folds and of growth.
        n_jobs: folds worked on at once.
        progress: called with the share that is done.
        settings: of the recipe.

    >>> import treewright as tw
    >>> found = cross_validate(tw.example("vote"), "Class", "c4.5")
    >>> print(found.overall["accuracy"])
    96.6 % ± 0.9
    """
    table, target = table_with_target(table, target, "cross_validate")
    leave_out = names_among(folds, groups, order)
    dealing = dealing_by_row(table, target, folds, seed, weights, groups, order)
    learner: Learner
    if model is not None:
        usual = {"recipe": "plain", "probabilities": "raw"}
        given = {"recipe": recipe, "probabilities": probabilities} | settings
        lost = ", ".join(name for name, value in given.items() if value != usual.get(name))
        if lost:
            raise ValueError(f"A model brings its own settings; {lost} would not reach it.")
        learner = Outsider.of(table, target, model, weights=weights, leave_out=leave_out)
    else:
        learner = Grower.of(
            table,
            target,
            recipe,
            weights=weights,
            leave_out=leave_out,
            probabilities=probabilities,
            seed=seed,
            **settings,
        ).among(table, groups, order)
    loss = loss_for(settings.get("criterion"))
    return cross_validate_learner(
        learner, table, target, folds=dealing, scores=scores, loss=loss, n_jobs=n_jobs, progress=progress
    )


def cross_validate_learner(
    learner: Learner,
    table: Table,
    target: str,
    *,
    folds: Any = 10,
    scores: str | Iterable[str] | None = None,
    loss: str = "squared",
    weights: Any = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    progress: Watcher | None = None,
) -> CrossValidation:
    """Return how well a learner does on rows it has not seen; the rest is as in `cross_validate`.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> learner = Grower.of(table, "PlayTennis", "id3")
    >>> cross_validate_learner(learner, table, "PlayTennis", folds=2, scores="accuracy")
    CrossValidation(2 folds: accuracy 64.3 % ± 12.8)
    """
    dealing = dealing_by_row(table, target, folds, seed, weights)
    measures = find_measures(scores, not table.column(target)[0].is_numeric, loss)

    def judge(k: int) -> tuple[Any, Answers]:
        fitted = learner.fit(dealing.rest(k))
        return fitted, learner.answers(fitted, dealing.held(k))

    fitted, said = zip(*each(judge, range(dealing.n_folds), n_jobs, progress), strict=True)
    return _put_together(dealing, fitted, said, measures)


def _put_together(
    dealing: Dealing, fitted: tuple[Any, ...], said: tuple[Answers, ...], measures: tuple[Measure, ...]
) -> CrossValidation:
    found = []
    for k, (model, held) in enumerate(zip(fitted, said, strict=True)):
        tree = model if isinstance(model, Tree) else getattr(model, "tree_", None)
        leaves, depth = (tree.n_leaves, tree.depth) if isinstance(tree, Tree) else (None, None)
        scores = MappingProxyType({measure.name: measure.of(held) for measure in measures})
        found.append(FoldScores(len(dealing.rest(k)), held.n_rows, leaves, depth, scores))
    everything = pooled(dealing.fold, said)
    overall = {measure.name: measure.of(everything) for measure in measures}
    mean = {
        name: _mean_of([part.scores[name].value for part in found], type(score))
        for name, score in overall.items()
    }
    return CrossValidation(
        tuple(found), MappingProxyType(overall), MappingProxyType(mean), everything, dealing.fold, fitted
    )


def pooled(fold: Ints, said: Sequence[Answers]) -> Answers:
    """Return the answers of all folds in the order of the rows; those of fold -1 were not asked.

    >>> parts = [Answers.of([fold], [fold], classes=[0, 1]) for fold in (0, 1)]
    >>> pooled(np.array([1, -1, 0]), parts).truth.tolist()
    [1, 0]
    """
    judged = fold[fold >= 0]
    back = np.argsort(np.argsort(judged, kind="stable"), kind="stable")
    parts = {
        name: np.concatenate([getattr(part, name) for part in said])[back]
        for name in ("truth", "given", "weights")
    }
    chances = None
    if all(part.chances is not None for part in said):
        chances = np.concatenate([part.chances for part in said])[back]
    return Answers(**parts, classes=said[0].classes, chances=chances, loss=said[0].loss)


def _mean_of(values: list[float], kind: type[Score]) -> Score:
    """Return the mean of the folds and its standard error from their spread."""
    known = np.array([value for value in values if not math.isnan(value)])
    if not len(known):
        return kind(math.nan)
    if len(known) < 2 or not np.isfinite(known).all():
        return kind(float(known.mean()))
    return kind(float(known.mean()), float(known.std(ddof=1)) / math.sqrt(len(known)))
