"""Chances put right by rows held out, and the estimate of chances that does best on rows held out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import checked_seed
from treewright.base.lines import Words, aligned
from treewright.base.names import choice
from treewright.base.notebook import Shown
from treewright.base.numbers import count
from treewright.base.work import each
from treewright.evaluate.answers import Answers, answers
from treewright.evaluate.cross_validation import pooled
from treewright.evaluate.learner import Grower
from treewright.evaluate.measures import MEASURES
from treewright.evaluate.parts import dealing_by_row, names_among
from treewright.evaluate.score import Score
from treewright.growth.keywords import ForFolds, with_settings
from treewright.measure.isotonic import rising
from treewright.predict.calibration import KEY, LEAST, METHODS
from treewright.predict.smoothing import SMOOTHINGS, estimate_of
from treewright.table import table_of, table_with_target
from treewright.table.frame import frame_of
from treewright.tree import Tree
from treewright.tree.edit import alter

if TYPE_CHECKING:
    from typing_extensions import Unpack

Floats = NDArray[np.float64]

M_TRIED = (1, 2, 4, 8, 16, 32)
LAMBDAS_TRIED = (1, 5, 10, 25, 50, 100)
TRIED = (
    "raw",
    "laplace",
    "c5.0",
    *(f"m_estimate:{m}" for m in M_TRIED[1:]),
    *(f"hierarchical:{value}" for value in LAMBDAS_TRIED),
)
_STEPS = 100


def calibrate(
    model: Any,
    table: Any,
    method: str = "isotonic",
    *,
    probabilities: str | None = None,
    weights: Any = None,
) -> Any:
    """Return a tree or forest whose probabilities are put right by rows that it was not grown on.

    `predict_proba` gives them from then on, and the file of the model keeps them. Labels stay what they are.
    Of more than two classes each is put right by itself, and rows are divided by their sums.

    Args:
        model: a tree or a forest for classes.
        table: rows with their answers that the model has not seen; a few hundred at least.
        method: "isotonic", the rising curve nearest to what came, which needs many rows to be smooth; or
            "beta", a curve of three numbers (Kull, Silva Filho, Flach 2017), for fewer rows.
        probabilities: of a tree, the estimate that is put right: "raw", "laplace", "m_estimate:8", ...
        weights: one number per row or the name of a column.

    >>> import treewright as tw
    >>> votes = tw.example("vote")
    >>> parts = tw.evaluate.split(votes, "Class", test=0.4)
    >>> tree = calibrate(tw.grow(parts.train, "Class"), parts.test)
    >>> tree.about["calibration"]["method"], tree.predict_proba(parts.test).sum(axis=1).round(6).max().item()
    ('isotonic', 1.0)
    """
    choice("method", method, METHODS)
    if not getattr(model, "is_classifier", False):
        raise ValueError("Calibration is for probabilities of classes; this model predicts numbers.")
    about = {name: value for name, value in model.about.items() if name != KEY}
    is_tree = isinstance(model, Tree)
    if not is_tree and probabilities is not None:
        raise ValueError(f"probabilities={probabilities!r} is about leaves of a tree; leave it out here.")
    if is_tree:
        words = probabilities or str(about.get("probabilities", "raw"))
        estimate_of(words)
        about["probabilities"] = words
    plain = alter(model, about=about) if is_tree else replace(model, about=about)
    said = answers_of_any(plain, table, weights)
    kept = _kept(method, said, len(model.classes))
    whole = {**about, KEY: {**kept, "n_rows": said.n_rows}}
    return alter(model, about=whole) if is_tree else replace(model, about=whole)


def answers_of_any(model: Any, table: Any, weights: Any = None) -> Answers:
    """Return what a tree or a forest says about rows, beside the right answers.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), "PlayTennis", n_trees=3)
    >>> answers_of_any(forest, tw.example("tennis"))
    Answers(14 rows of 2 classes)
    """
    if isinstance(model, Tree):
        return answers(model, table, weights=weights)
    rows = table_of(table, model.schema.columns, "calibrate")
    if model.target.name not in rows.schema:
        raise ValueError(f"The table has no column {model.target.name!r}: the right answers.")
    counted = rows.column(weights)[1] if isinstance(weights, str) else weights
    return Answers.of(
        rows.labels(model.target.name),
        model.predict(rows),
        classes=model.classes,
        chances=model.predict_proba(rows),
        weights=counted,
    )


def _kept(method: str, said: Answers, n_classes: int) -> dict[str, Any]:
    if len(said.classes) > n_classes:
        raise ValueError(
            f"The rows have the class {said.classes[n_classes]!r}, which the model does not know."
        )
    assert said.chances is not None
    fit = {"isotonic": _isotonic, "beta": _beta}[method]
    curves = []
    for code in range(1 if n_classes == 2 else 0, n_classes):
        is_it = (said.truth == code).astype(np.float64)
        curves.append(fit(said.chances[:, code], is_it, said.weights))
    return {"method": method, "curves": curves}


def _isotonic(chance: Floats, is_it: Floats, weights: Floats) -> dict[str, list[float]]:
    """Return the ends of the rising curve's level pieces."""
    x, place = np.unique(chance, return_inverse=True)
    weight = np.bincount(place, weights)
    share = np.divide(np.bincount(place, weights * is_it), weight, out=np.zeros(len(x)), where=weight > 0)
    y = np.clip(rising(share[weight > 0], weight[weight > 0]), 0.0, 1.0)
    x = x[weight > 0]
    # Of a level piece the ends are enough.
    is_end = np.ones(len(x), dtype=bool)
    is_end[1:-1] = (y[1:-1] != y[:-2]) | (y[1:-1] != y[2:])
    return {"x": x[is_end].tolist(), "y": y[is_end].tolist()}


def _beta(chance: Floats, is_it: Floats, weights: Floats) -> dict[str, float]:
    """Return a, b, c of the greatest likelihood with a and b at least 0."""
    inside = np.clip(chance, LEAST, 1.0 - LEAST)
    columns = np.column_stack([np.log(inside), -np.log1p(-inside), np.ones(len(inside))])
    free = [0, 1, 2]
    while True:
        theta = np.zeros(3)
        theta[free] = _newton(columns[:, free], is_it, weights)
        below = [k for k in free[:-1] if theta[k] < 0]
        if not below:
            return {name: float(value) for name, value in zip("abc", theta, strict=True)}
        free.remove(min(below, key=lambda k: theta[k]))


def _newton(columns: Floats, is_it: Floats, weights: Floats) -> Floats:
    """Return the weights of the greatest likelihood, held in by a faint pull towards 0 (1e-6 of a row)."""
    theta, pull = np.zeros(columns.shape[1]), 1e-6 * np.eye(columns.shape[1])

    def loss(at: Floats) -> float:
        score = columns @ at
        return float(weights @ (np.logaddexp(0.0, score) - is_it * score)) + 0.5e-6 * float(at @ at)

    now = loss(theta)
    for _ in range(_STEPS):
        share = 1.0 / (1.0 + np.exp(-np.clip(columns @ theta, -700.0, 700.0)))
        slope = columns.T @ (weights * (share - is_it)) + 1e-6 * theta
        bend = (columns * (weights * share * (1.0 - share))[:, None]).T @ columns + pull
        step = np.linalg.solve(bend, slope)
        size = 1.0
        while (after := loss(theta - size * step)) > now and size > 1e-8:
            size /= 2.0
        if not after < now - 1e-12 * (1.0 + abs(now)):
            break
        theta, now = theta - size * step, after
    return theta


@dataclass(frozen=True, eq=False, repr=False)
class Smoothing(Shown):
    """Estimates of probabilities side by side, the best first; `choice` is the one with the least loss.

    >>> import treewright as tw
    >>> found = choose_probabilities(tw.example("vote"), "Class", tried=("raw", "laplace"), folds=3)
    >>> found.choice in ("raw", "laplace")
    True
    """

    rows: tuple[tuple[str, dict[str, Score]], ...]
    score: str

    @property
    def choice(self) -> str:
        """The estimate with the least loss."""
        return self.rows[0][0]

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the estimates as columns.

        >>> import treewright as tw
        >>> found = choose_probabilities(tw.example("vote"), "Class", tried=("raw", "laplace"), folds=3)
        >>> list(found.to_dict())
        ['probabilities', 'log_loss', 'log_loss_se', 'brier', 'brier_se', 'is_choice']
        """
        found: dict[str, list[Any]] = {"probabilities": [name for name, _ in self.rows]}
        for name in self.rows[0][1]:
            found[name] = [scores[name].value for _, scores in self.rows]
            found[f"{name}_se"] = [scores[name].standard_error for _, scores in self.rows]
        return found | {"is_choice": [place == 0 for place in range(len(self.rows))]}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the same as a data frame of pandas, polars or pyarrow.

        >>> import treewright as tw
        >>> found = choose_probabilities(tw.example("vote"), "Class", tried=("raw", "laplace"), folds=3)
        >>> len(found.to_frame("pandas"))
        2
        """
        return frame_of(self.to_dict(), backend)

    def __str__(self) -> str:
        names = list(self.rows[0][1])
        columns = [Words("probabilities", [name for name, _ in self.rows], "<")]
        columns += [Words(n.replace("_", " "), [str(scores[n]) for _, scores in self.rows]) for n in names]
        return "\n".join(aligned(columns))

    def in_short(self) -> str:
        """Return the choice and how many were tried.

        >>> import treewright as tw
        >>> choose_probabilities(tw.example("vote"), "Class", tried=["raw"], folds=3)
        Smoothing(raw, the best of 1 by log_loss)
        """
        return f"{self.choice}, the best of {count(len(self.rows))} by {self.score}"


@with_settings
def choose_probabilities(
    table: Any,
    target: Any,
    recipe: str = "plain",
    *,
    tried: Iterable[str] = TRIED,
    score: str = "log_loss",
    folds: Any = 10,
    groups: Any = None,
    order: Any = None,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    **settings: Unpack[ForFolds],
) -> Smoothing:
    """Return how well estimates of probabilities do on rows held out: m, lambda and the others.

    Args:
        table: features and target.
        target: the column to predict, of classes.
        recipe: an algorithm by name; `settings` are its settings.
        tried: estimates as `predict_proba` takes them: "laplace", "m_estimate:8", "hierarchical:25", ...
        score: "log_loss" or "brier", by which the best is chosen.
        folds: a number, one whole number per row, or the name of a column.
        groups: whose rows stay in one fold, as in `cross_validate`.
        order: of the rows in time, as in `cross_validate`.
        weights: one number per row or the name of a column.
        seed: of the folds and of growth.
        n_jobs: folds worked on at once.
        settings: of the recipe.

    >>> import treewright as tw
    >>> found = choose_probabilities(tw.example("vote"), "Class", folds=5)
    >>> found.choice.partition(":")[0] in ("laplace", "c5.0", "m_estimate", "hierarchical")
    True
    """
    choice("score", score, ("log_loss", "brier"))
    words = tuple(tried)
    if not words:
        raise ValueError(f"tried is empty; name at least one of {', '.join(SMOOTHINGS)}.")
    for one in words:
        estimate_of(one)
    table, target = table_with_target(table, target, "choose_probabilities")
    dealing = dealing_by_row(table, target, folds, seed, weights, groups, order)
    options: dict[str, Any] = {"weights": weights, "seed": checked_seed(seed), **settings}
    leave_out = names_among(folds, groups, order)
    grower = Grower.of(table, target, recipe, leave_out=leave_out, **options).among(table, groups, order)
    if not grower.is_classifier:
        raise ValueError(f"The target {target!r} is numbers; probabilities are for classes.")

    def judge(k: int) -> list[Answers]:
        tree, held = grower.fit(dealing.rest(k)), dealing.held(k)
        return [replace(grower, probabilities=one).answers(tree, held) for one in words]

    parts = each(judge, range(dealing.n_folds), n_jobs)
    rows = []
    for place, one in enumerate(words):
        said = pooled(dealing.fold, [part[place] for part in parts])
        names = dict.fromkeys((score, "log_loss", "brier"))
        rows.append((one, {name: MEASURES[name].of(said) for name in names}))
    rows.sort(key=lambda row: row[1][score].value)
    return Smoothing(tuple(rows), score)


def with_probabilities(tree: Tree, probabilities: str) -> Tree:
    """Return a tree that gives its probabilities by another estimate unless it is told otherwise.

    >>> import treewright as tw
    >>> tree = with_probabilities(tw.grow({"x": [1, 2, 3], "y": ["a", "b", "b"]}, "y"), "laplace")
    >>> tree.predict_proba({"x": [1]}).round(3).tolist()
    [[0.667, 0.333]]
    """
    estimate_of(probabilities)
    about = {name: value for name, value in tree.about.items() if name != KEY}
    return alter(tree, about={**about, "probabilities": probabilities})
