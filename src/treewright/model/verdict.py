"""One line in words about a model: whether it helps, whether it learned by heart, what to do about it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from treewright.base.lines import harmless
from treewright.base.numbers import count, number, percent
from treewright.evaluate.answers import Answers
from treewright.evaluate.measures import accuracy, mae, r2, rmse
from treewright.evaluate.score import Score
from treewright.tree import Tree

FEW_ROWS = 30
FEW_OF_A_CLASS = 5
RARE = 0.1  # share of a class that makes a table unbalanced
BY_HEART = 0.1  # how much better on rows that were seen, from which on it is said
LESS = "Prune it more, or grow it less (max_leaves, min_leaf)."
DECIDES = 0.99  # share of right answers that one column alone is not expected to give


def verdict(tree: Tree, parts: Mapping[str, Answers]) -> str:
    """Return what the scores of a tree mean, in one line: the last part judges it, the first is training.

    >>> import treewright as tw
    >>> table = tw.example("vote")
    >>> tree = tw.grow(table, "Class", max_depth=1)
    >>> training, test = tw.evaluate.answers(tree, table), tw.evaluate.answers(tree, table)
    >>> verdict(tree, {"training": training, "test": test})
    'Right for 95.6 % of the rows held out; always saying democrat would be right for 61.4 %.'
    """
    every = list(parts.values())
    training, judged = every[0], every[-1]
    is_judged = judged is not training
    main = _of_classes if tree.is_classifier else _of_numbers
    by_heart = _by_heart(tree, training, every[1:])
    return harmless(" ".join([*main(tree, judged, is_judged), *by_heart, *_about_rows(judged)]))


def _by_heart(tree: Tree, training: Answers, held: Sequence[Answers]) -> Iterator[str]:
    """Say where a tree is far better on rows it has seen than on all others."""
    score, least = (accuracy, BY_HEART) if tree.is_classifier else (r2, 2 * BY_HEART)
    seen = score(training).value
    others = [score(part) for part in held]
    if (
        tree.n_leaves > 1
        and others
        and all(seen - one.value > max(least, 2 * _spread(one)) for one in others)
    ):
        yield f"It learns by heart: {percent(seen, 1)} on the rows it has seen. {LESS}"


def _of_classes(tree: Tree, judged: Answers, is_judged: bool) -> Iterator[str]:
    right = accuracy(judged)
    share, name = _largest(judged)
    where = "of the rows held out" if is_judged else "of the training rows, which it has seen"
    baseline = f"always saying {name}"
    if share == 1:
        yield f"Every row is {name}: there is nothing to tell apart."
    elif tree.n_leaves == 1:
        yield (
            f"No better than guessing: no tree is surely better than {baseline}, "
            f"which is right for {percent(share, 1)}."
        )
    elif is_judged and right.value <= share + _spread(right):
        yield (
            f"No better than guessing: right for {percent(right.value, 1)} {where}, "
            f"{baseline} for {percent(share, 1)}."
        )
    else:
        yield (
            f"Right for {percent(right.value, 1)} {where}; {baseline} would be right for {percent(share, 1)}."
        )
    yield from _leak(tree, right)
    yield from _unbalanced(tree, judged)


def _of_numbers(tree: Tree, judged: Answers, is_judged: bool) -> Iterator[str]:
    explained = r2(judged)
    where = "of the rows held out" if is_judged else "of the training rows, which it has seen"
    off, usual = number(rmse(judged).value), number(mae(judged).value)
    mean = number(_spread_of_truth(judged))
    sizes = f"off by {off} (RMSE; {usual} on average), the mean alone by {mean}"
    if tree.n_leaves == 1 or (is_judged and not explained.value > _spread(explained)):
        yield f"No better than guessing the mean: {sizes}."
    else:
        yield f"Explains {percent(explained.value, 1)} of the variance {where}: {sizes}."
    yield from _leak(tree, explained)


def _leak(tree: Tree, score: Score) -> Iterator[str]:
    """Say where one column decides everything."""
    asked = {int(column) for column in tree.column if column >= 0}
    if len(asked) == 1 and len(tree.schema) > 1 and score.value >= DECIDES:
        column = tree.schema.columns[asked.pop()].name
        yield f"One column decides all: {column}. Is it known before the answer is? If not, leave it out."


def _unbalanced(tree: Tree, judged: Answers) -> Iterator[str]:
    """Say where a rare class is hardly ever found."""
    counts = np.bincount(judged.truth[judged.truth >= 0], minlength=len(judged.classes))
    rare = int(np.where(counts > 0, counts, counts.max() + 1).argmin())
    share = counts[rare] / max(1, counts.sum())
    is_it = judged.truth == rare
    found = float((judged.given[is_it] == rare).mean()) if is_it.any() else 1.0
    if share < RARE and found < 0.5 and counts[rare] >= FEW_OF_A_CLASS and "class_weight" not in tree.about:
        yield (
            f"The classes are unbalanced: {judged.classes[rare]} is {percent(share, 1)} of the rows, and "
            f"{percent(found)} of it is found; class_weight='balanced' makes classes count alike."
        )


def _about_rows(judged: Answers) -> Iterator[str]:
    if judged.n_rows < FEW_ROWS:
        yield f"Too few rows to be sure: {count(judged.n_rows)}."
    elif judged.is_classes:
        counts = np.bincount(judged.truth[judged.truth >= 0], minlength=len(judged.classes))
        small = [judged.classes[i] for i in range(len(counts)) if 0 < counts[i] < FEW_OF_A_CLASS]
        if small:
            yield f"Too few rows of {', '.join(small[:3])}{' and others' if len(small) > 3 else ''}."


def _largest(answers: Answers) -> tuple[float, str]:
    weights = np.bincount(answers.truth, answers.weights, len(answers.classes))
    best = int(weights.argmax())
    return float(weights[best] / weights.sum()), answers.classes[best]


def _spread(score: Score) -> float:
    return 0.0 if math.isnan(score.standard_error) else score.standard_error


def _spread_of_truth(answers: Answers) -> float:
    middle = float(np.average(answers.truth, weights=answers.weights))
    return float(np.sqrt(np.average((answers.truth - middle) ** 2, weights=answers.weights)))
