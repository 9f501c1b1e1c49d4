"""The scores by name: one table, each a function from answers to a figure with its standard error."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from treewright.base.names import hint
from treewright.evaluate.answers import Answers, check_answers
from treewright.evaluate.confusion import confusion, macro_f1, need_classes
from treewright.evaluate.score import Score, Share, mean_score, share_score
from treewright.tree.losses import MEASURES as LOSS_MEASURES
from treewright.tree.losses import row_losses

LEAST = 2.0**-52  # a probability is not taken for less in log_loss: 36.04 for a row thought impossible


def accuracy(answers: Answers) -> Score:
    """Return the share of right answers; standard error sqrt(a (1 - a) / n).

    >>> print(accuracy(Answers.of(list("aabb"), list("abbb"))))
    75.0 % ± 21.7
    """
    need_classes(answers, "accuracy")
    right = answers.truth == answers.given
    return share_score(float(answers.weights[right].sum()), float(answers.weights.sum()))


def error(answers: Answers) -> Score:
    """Return the share of wrong answers; standard error sqrt(e (1 - e) / n).

    >>> print(error(Answers.of(list("aabb"), list("abbb"))))
    25.0 % ± 21.7
    """
    need_classes(answers, "error")
    wrong = answers.truth != answers.given
    return share_score(float(answers.weights[wrong].sum()), float(answers.weights.sum()))


def balanced_accuracy(answers: Answers) -> Score:
    """Return the mean recall of the classes that occur; their standard errors add up as independent.

    >>> print(balanced_accuracy(Answers.of(list("aaab"), list("aaaa"))))
    50.0 % ± 0.0
    """
    found = [c.recall for c in confusion(answers).per_class() if c.support > 0]
    squares = sum(recall.standard_error**2 for recall in found)
    return Share(sum(recall.value for recall in found) / len(found), math.sqrt(squares) / len(found))


def f1(answers: Answers) -> Score:
    """Return the mean F1 of the classes that occur or were given; standard error by the delta method.

    >>> print(f1(Answers.of(list("aabb"), list("abbb"))))
    73.3 % ± 22.8
    """
    return macro_f1(confusion(answers))


def log_loss(answers: Answers, least: float = LEAST) -> Score:
    """Return the mean of -ln p, p the probability given to the true class; standard error of that mean.

    A probability below `least` is taken for `least`; with `least=0` one row thought impossible makes the
    loss infinite. Trees grown to purity say 0 and 1 all the time: smooth their probabilities first
    (`probabilities="laplace"`).

    >>> shares = [[0.5, 0.5], [0.25, 0.75]]
    >>> log_loss(Answers.of(["a", "b"], ["a", "b"], chances=shares)).value.__round__(4)
    0.4904
    """
    chances = _chances(answers, "log_loss")
    own = chances[np.arange(len(chances)), answers.truth]
    with np.errstate(divide="ignore"):
        losses = -np.log(np.maximum(own, least))
    return mean_score(losses + 0.0, answers.weights)  # + 0.0: no minus zero


def brier(answers: Answers) -> Score:
    """Return Brier's score in its first form (1950): the mean of sum over classes of (p - [true])^2.

    It goes from 0 to 2; for two classes it is twice the form that looks at one class only.

    >>> shares = [[0.5, 0.5], [0.25, 0.75]]
    >>> brier(Answers.of(["a", "b"], ["a", "b"], chances=shares)).value
    0.3125
    """
    chances = _chances(answers, "brier")
    wanted = np.eye(chances.shape[1])[answers.truth]
    return mean_score(((chances - wanted) ** 2).sum(axis=1), answers.weights)


def calibration_error(answers: Answers, bins: int = 10) -> Score:
    """Return how far the chance of the class that was given is from how often it is right: in bins, by rows.

    Rows are put into bins by that chance, about as many into each; the score is the mean over rows of |mean
    chance - share right| of their bin. Chance alone makes it larger than 0. The standard error takes bins as
    independent.

    >>> shares = [[0.9, 0.1], [0.1, 0.9], [0.6, 0.4], [0.6, 0.4]]
    >>> print(calibration_error(Answers.of(list("abab"), list("abaa"), chances=shares), bins=2))
    10.0 % ± 17.7
    """
    chances, weights = _chances(answers, "calibration_error"), answers.weights
    chance = chances[np.arange(len(chances)), answers.given]
    right = (answers.truth == answers.given).astype(np.float64)
    _, place = np.unique(chance, return_inverse=True)  # rows of one chance are never divided
    heavy = np.bincount(place, weights)
    middle = np.cumsum(heavy) - heavy / 2
    which = np.minimum((middle * bins / weights.sum()).astype(np.int64), bins - 1)[place]
    weight = np.bincount(which, weights, bins)
    some = weight > 0
    said, came = (
        np.bincount(which, weights * values, bins)[some] / weight[some] for values in (chance, right)
    )
    share = weight[some] / weights.sum()
    spread = share**2 * came * (1.0 - came) / weight[some]
    return Share(float(share @ np.abs(said - came)), math.sqrt(float(spread.sum())))


def mse(answers: Answers) -> Score:
    """Return the mean squared error; standard error of that mean.

    >>> print(mse(Answers.of([1.0, 2.0], [1.0, 4.0])))
    2.000 ± 1.414
    """
    _need_numbers(answers, "mse")
    return mean_score((answers.truth - answers.given) ** 2, answers.weights)


def rmse(answers: Answers) -> Score:
    """Return the root of the mean squared error; its standard error is that of mse / 2 rmse, to first order.

    >>> print(rmse(Answers.of([1.0, 2.0], [1.0, 4.0])))
    1.414 ± 0.500
    """
    squared = mse(answers)
    root = math.sqrt(squared.value)
    return Score(root, squared.standard_error / (2 * root) if root > 0 else 0.0)


def mae(answers: Answers) -> Score:
    """Return the mean absolute error; standard error of that mean.

    >>> print(mae(Answers.of([1.0, 2.0], [1.0, 4.0])))
    1.000 ± 0.707
    """
    _need_numbers(answers, "mae")
    return mean_score(np.abs(answers.truth - answers.given), answers.weights)


def poisson_deviance(answers: Answers) -> Score:
    """Return the mean Poisson deviance, 2 (y ln(y / answer) - y + answer); standard error of that mean.

    >>> print(poisson_deviance(Answers.of([1.0, 0.0], [1.0, 2.0])))
    2.000 ± 1.414
    """
    _need_numbers(answers, "poisson_deviance")
    losses = row_losses("poisson", answers.truth, answers.given)
    if not np.isfinite(losses[answers.weights > 0]).all():  # a rate of 0 where something happened
        return Score(math.inf)
    return mean_score(losses, answers.weights)


def r2(answers: Answers) -> Score:
    """Return 1 - squared errors / squared deviations from the mean; NaN where all right answers are equal.

    Delta method: with q the ratio, e the error and d the deviation of a row and D the mean of d^2, the
    standard error is sqrt(mean of (e^2 - q d^2)^2 / n) / D.

    >>> r2(Answers.of([1.0, 2.0, 3.0], [1.0, 2.0, 4.0])).value
    0.5
    """
    _need_numbers(answers, "r2")
    weights = answers.weights / answers.weights.sum()
    errors = (answers.truth - answers.given) ** 2
    deviations = (answers.truth - (weights * answers.truth).sum()) ** 2
    total = float((weights * deviations).sum())
    if np.ptp(answers.truth[weights > 0]) == 0 or not total > 0:  # rounding may leave something of nothing
        return Score(math.nan)
    ratio = float((weights * errors).sum()) / total
    spread = float((weights * (errors - ratio * deviations) ** 2).sum())
    return Score(1 - ratio, math.sqrt(spread / float(answers.weights.sum())) / total)


@dataclass(frozen=True)
class Measure:
    """A score as a row of the table: what it is called, what it needs, and which way is better."""

    name: str
    of: Callable[[Answers], Score]
    needs: str  # "classes", "chances" or "numbers"
    is_loss: bool


_ROWS = (
    Measure("accuracy", accuracy, "classes", is_loss=False),
    Measure("error", error, "classes", is_loss=True),
    Measure("balanced_accuracy", balanced_accuracy, "classes", is_loss=False),
    Measure("f1", f1, "classes", is_loss=False),
    Measure("log_loss", log_loss, "chances", is_loss=True),
    Measure("brier", brier, "chances", is_loss=True),
    Measure("calibration_error", calibration_error, "chances", is_loss=True),
    Measure("mse", mse, "numbers", is_loss=True),
    Measure("rmse", rmse, "numbers", is_loss=True),
    Measure("mae", mae, "numbers", is_loss=True),
    Measure("poisson_deviance", poisson_deviance, "numbers", is_loss=True),
    Measure("r2", r2, "numbers", is_loss=False),
)
MEASURES: Mapping[str, Measure] = MappingProxyType({row.name: row for row in _ROWS})
USUAL = ("accuracy", "balanced_accuracy")  # of classes; of numbers the tree's own loss, and r2


def scores(answers: Answers, names: str | Iterable[str] | None = None) -> dict[str, Score]:
    """Return scores by name: those asked for, or the usual ones.

    >>> said = Answers.of(list("aabb"), list("abbb"))
    >>> {name: str(score) for name, score in scores(said, ["accuracy", "f1"]).items()}
    {'accuracy': '75.0 % ± 21.7', 'f1': '73.3 % ± 22.8'}
    """
    check_answers(answers, "scores")
    return {
        measure.name: measure.of(answers)
        for measure in find_measures(names, answers.is_classes, answers.loss)
    }


def find_measures(
    names: str | Iterable[str] | None, is_classes: bool, loss: str = "squared"
) -> tuple[Measure, ...]:
    """Return the scores of these names, or the usual ones; an error where a name is unknown or does not fit.

    Numbers are usually told by the loss of the criterion.

    >>> [measure.name for measure in find_measures(None, is_classes=False)]
    ['rmse', 'r2']
    >>> find_measures("acuracy", is_classes=True)
    Traceback (most recent call last):
    ValueError: There is no score 'acuracy'; did you mean 'accuracy'?
    """
    task = "classes" if is_classes else "numbers"
    usual = USUAL if is_classes else (LOSS_MEASURES[loss], "r2")
    wanted = usual if names is None else (names,) if isinstance(names, str) else tuple(names)
    if not wanted:
        raise ValueError("No score is asked for; name at least one, or leave scores out.")
    found = []
    for name in wanted:
        if name not in MEASURES:
            way = hint(name, MEASURES) or f"; there are {', '.join(MEASURES)}."
            raise ValueError(f"There is no score {name!r}{way}")
        if (MEASURES[name].needs == "numbers") == is_classes:
            fitting = [row.name for row in _ROWS if (row.needs == "numbers") != is_classes]
            raise ValueError(f"The score {name!r} does not judge {task}; use one of {', '.join(fitting)}.")
        found.append(MEASURES[name])
    return tuple(found)


def _chances(answers: Answers, who: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    need_classes(answers, who)
    if answers.chances is None:
        raise ValueError(f"{who} judges probabilities, and these answers have none.")
    return answers.chances


def _need_numbers(answers: Answers, who: str) -> None:
    if answers.is_classes:
        raise ValueError(f"{who} is for numbers; these answers are classes. Use accuracy, log_loss or f1.")
