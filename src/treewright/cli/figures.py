"""How good a model is, in lines and in JSON: each figure with its 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from treewright.base.lines import Words, aligned
from treewright.base.numbers import number, percent
from treewright.measure import wilson
from treewright.tree.losses import MEASURES

if TYPE_CHECKING:
    from treewright.evaluate import Answers, Score

CLASSES = ("accuracy", "balanced_accuracy", "f1", "log_loss", "brier")
NUMBERS = ("r2", "mae", "rmse")
SHARES = ("accuracy", "balanced_accuracy", "f1")
TITLES = {"r2": "R2", "mae": "MAE", "rmse": "RMSE", "poisson_deviance": "deviance"}


def judged(answers: Answers) -> dict[str, Score]:
    """Return the scores that are told of answers: of classes, or of numbers."""
    from treewright import evaluate

    if not answers.is_classes:
        return evaluate.scores(answers, numbers_of(answers))
    return evaluate.scores(answers, CLASSES if answers.chances is not None else CLASSES[:3])


def numbers_of(answers: Answers) -> tuple[str, ...]:
    """Return the scores that are told of numbers: the loss of the criterion is among them.

    >>> from treewright.evaluate import Answers
    >>> numbers_of(Answers.of([1.0], [2.0]))
    ('r2', 'mae', 'rmse')
    """
    return tuple(dict.fromkeys((*NUMBERS, MEASURES[answers.loss])))


def interval(name: str, score: Score, answers: Answers) -> tuple[float, float]:
    """Return the 95 % interval of a score: Wilson's for shares of rows, else 1.96 standard errors.

    >>> from treewright.evaluate import Answers, accuracy
    >>> said = Answers.of(list("aabb"), list("abbb"))
    >>> [round(bound, 3) for bound in interval("accuracy", accuracy(said), said)]
    [0.301, 0.954]
    """
    if math.isnan(score.value):
        return math.nan, math.nan
    if name == "accuracy" and bool((answers.weights == 1).all()):
        return wilson_interval(round(score.value * answers.n_rows), answers.n_rows)
    half = wilson.Z95 * score.standard_error
    low, high = score.value - half, score.value + half
    if name in SHARES:
        return max(0.0, low), min(1.0, high)
    return (low, min(1.0, high)) if name == "r2" else (max(0.0, low), high)


def wilson_interval(n_right: int, n_rows: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for so many rows of so many.

    >>> [round(bound, 4) for bound in wilson_interval(10, 10)]
    [0.7225, 1.0]
    """
    return wilson.wilson_interval(n_right / n_rows, n_rows)


def figures_table(parts: Mapping[str, Answers]) -> list[str]:
    """Return lines: a row for each part (training, test, ...), the main scores with their intervals.

    >>> from treewright.evaluate import Answers
    >>> figures_table({"test": Answers.of(list("aabb"), list("abbb"))})[1]
    'test     4    75.0 %  30.1 to 95.4 %'
    """
    from treewright import evaluate

    columns = [
        Words("", list(parts), "<"),
        Words("rows", [f"{answers.n_rows:,}" for answers in parts.values()]),
    ]
    first = next(iter(parts.values()))
    for name in ("accuracy",) if first.is_classes else numbers_of(first):
        scores = {part: evaluate.scores(answers, name)[name] for part, answers in parts.items()}
        bounds = [interval(name, scores[part], answers) for part, answers in parts.items()]
        title = TITLES.get(name, name)
        columns.append(Words(title, [_shown(name, score.value) for score in scores.values()]))
        columns.append(Words("95 % interval", [_range(name, *pair) for pair in bounds], "<"))
    return list(aligned(columns))


def _shown(name: str, value: float) -> str:
    if math.isnan(value):
        return "-"
    if name in SHARES:
        return percent(value, 1)
    return f"{value:.3f}" if name == "r2" else number(value)


def _range(name: str, low: float, high: float) -> str:
    if math.isnan(low):
        return "-"
    if name in SHARES:
        return f"{100 * low:.1f} to {100 * high:.1f} %"
    return f"{_shown(name, low)} to {_shown(name, high)}"


def baseline(answers: Answers) -> str:
    """Return what is right without any tree: the largest class, or the mean."""
    if not answers.is_classes:
        return ""
    import numpy as np

    weights = np.bincount(answers.truth, answers.weights, len(answers.classes))
    best = int(weights.argmax())
    return f"(always saying {answers.classes[best]}: {percent(weights[best] / weights.sum(), 1)})"


def plain_figures(answers: Answers) -> dict[str, Any]:
    """Return the scores of answers for JSON."""
    told: dict[str, Any] = {"rows": answers.n_rows}
    for name, score in judged(answers).items():
        low, high = interval(name, score, answers)
        told[name] = {"value": score.value, "standard_error": score.standard_error, "interval": [low, high]}
    return told


def listed_scores(answers: Answers) -> list[str]:
    """Return every score as a line, with its interval."""
    scores = judged(answers)
    titles = TITLES | {"f1": "F1 (mean of classes)", "log_loss": "log loss"}
    names = [titles.get(name, name.replace("_", " ")) for name in scores]
    bounds: Sequence[tuple[float, float]] = [interval(name, score, answers) for name, score in scores.items()]
    columns = [
        Words("", names, "<"),
        Words("", [_shown(name, score.value) for name, score in scores.items()]),
        Words("95 % interval", [_range(name, *pair) for name, pair in zip(scores, bounds, strict=True)], "<"),
    ]
    return list(aligned(columns))
