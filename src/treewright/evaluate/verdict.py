"""Does a tree overfit? The definition of the lectures, checked on rows the tree has not seen."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.lines import figure
from treewright.base.notebook import Shown
from treewright.evaluate.overfitting import OverfittingCurve
from treewright.evaluate.score import Score, mean_score
from treewright.prune.compare import training_error
from treewright.prune.cost_complexity import cost_complexity_path
from treewright.prune.heldout import losses
from treewright.prune.sample import Sample, sample_of
from treewright.table import Table
from treewright.table.frame import frame_of
from treewright.tree import Tree
from treewright.tree.losses import counts_errors

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Overfitting(Shown):
    """A tree h and the rival h' that does best on held-out rows, of those with a larger training error.

    `is_overfitting` says whether h' errs less there. The rows are a sample: `p_value` is how likely a
    difference at least as large is if the two were equally good, and `p_adjusted` that times the number of
    rivals, since h' is the best of them on these very rows. `test` names how it was found.

    >>> import treewright as tw
    >>> train, _, test = tw.evaluate.split(tw.example("vote"), "Class", test=0.5)
    >>> report = is_overfitting(tw.grow(train, "Class"), test)
    >>> bool(report), report.rival.n_leaves
    (True, 2)
    """

    tree: Tree  # h
    rival: Tree | None  # h'; None where every rival fits the training rows as well
    n_rivals: int
    n_rows: int
    training_error: float
    rival_training_error: float
    error: Score
    rival_error: Score
    difference: Score  # error of h - error of h', row by row
    test: str
    p_value: float
    level: float

    @property
    def is_overfitting(self) -> bool:
        """Whether some h' has a larger training error and a smaller error on the held-out rows."""
        return self.rival is not None and self.difference.value > 0

    @property
    def p_adjusted(self) -> float:
        """The p-value times the number of rivals, at most 1 (Bonferroni)."""
        return min(1.0, self.p_value * max(self.n_rivals, 1))

    @property
    def is_significant(self) -> bool:
        """Whether it overfits and the adjusted p-value is at most the level."""
        return self.is_overfitting and self.p_adjusted <= self.level

    def __bool__(self) -> bool:
        return self.is_overfitting

    def to_dict(self) -> dict[str, list[Any]]:
        """Return h and h' as two lines of columns.

        >>> import treewright as tw
        >>> train, _, test = tw.evaluate.split(tw.example("vote"), "Class", test=0.5)
        >>> is_overfitting(tw.grow(train, "Class"), test).to_dict()["n_leaves"]
        [14, 2]
        """
        rival = self.rival
        return {
            "tree": ["h", "h'"],
            "n_leaves": [self.tree.n_leaves, None if rival is None else rival.n_leaves],
            "n_nodes": [self.tree.n_nodes, None if rival is None else rival.n_nodes],
            "training_error": [self.training_error, self.rival_training_error],
            "held_out_error": [self.error.value, self.rival_error.value],
            "held_out_error_se": [self.error.standard_error, self.rival_error.standard_error],
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """Return h and h' as a data frame of pandas, polars or pyarrow.

        >>> import treewright as tw
        >>> train, _, test = tw.evaluate.split(tw.example("vote"), "Class", test=0.5)
        >>> is_overfitting(tw.grow(train, "Class"), test).to_frame("pandas")["tree"].tolist()
        ['h', "h'"]
        """
        return frame_of(self.to_dict(), backend)

    def to_text(self) -> str:
        """Return the verdict in words.

        >>> import treewright as tw
        >>> train, _, test = tw.evaluate.split(tw.example("vote"), "Class", test=0.5)
        >>> print(is_overfitting(tw.grow(train, "Class"), test).to_text())
        The tree h (14 leaves) overfits on these rows: h' (2 leaves) errs more on the training rows (4.6 %
        against 0.0 %), but less on 218 others (4.1 % ± 1.3 against 8.3 % ± 1.9).
        The difference is 4.1 % ± 1.5. McNemar's test: p = 0.0117, for the best of 5 rivals p = 0.0586.
        So it may be chance, at the level 0.05.
        """
        return "\n".join(textwrap.fill(sentence, 100) for sentence in self._sentences())

    def _sentences(self) -> Iterator[str]:
        h = f"The tree h ({_leaves(self.tree)})"
        if self.rival is None:
            yield f"{h} has no rival that errs more on the training rows: by definition it does not overfit."
            return
        rival = f"h' ({_leaves(self.rival)})"
        fit, own = self.rival_training_error, self.training_error
        shown = partial(figure, is_share=counts_errors(self.tree))
        fits = f"errs more on the training rows ({shown(fit)} against {shown(own)})"
        errs = f"less on {self.n_rows} others ({shown(*self.rival_error)} against {shown(*self.error)})"
        if not self.is_overfitting:
            yield f"{h} does not overfit on these rows: of {_rivals(self.n_rivals)} none does better on them."
            yield f"The best of those that fit less well is {rival}: it {fits}, and no {errs}."
            return
        yield f"{h} overfits on these rows: {rival} {fits}, but {errs}."
        best = ""
        if self.n_rivals > 1:
            best = f", for the best of {self.n_rivals} rivals p = {self.p_adjusted:.3g}"
        yield f"The difference is {shown(*self.difference)}. {self.test}: p = {self.p_value:.3g}{best}."
        chance = "it is more than chance" if self.is_significant else "it may be chance"
        yield f"So {chance}, at the level {self.level:g}."

    def __str__(self) -> str:
        return self.to_text()


def is_overfitting(
    tree: Tree | OverfittingCurve,
    table: Table | None = None,
    *,
    rivals: Sequence[Tree] | None = None,
    training: Table | None = None,
    weights: Any = None,
    level: float = 0.05,
) -> Overfitting:
    """Return whether a tree overfits: whether some rival fits the training rows less well and others better.

    A hypothesis h overfits if there is an h' with error_train(h) < error_train(h') and
    error_D(h) > error_D(h'), D being all that may come. D is judged by rows held out.

    Args:
        tree: h; or an overfitting curve, whose tree of least training error is h and whose other trees are
            the rivals, judged by the rows the curve kept back.
        table: rows that h has not seen, with their answers. A curve brings its own.
        rivals: trees to compare with, by default all weakest-link prunings of h.
        training: the rows h was grown on, to count training errors; by default the trees' own statistics.
        weights: of the rows of `table`: a number each, or the name of a column.
        level: from which adjusted p-value on a difference counts as more than chance.

    Errors of classes are compared by McNemar's exact test on the rows where just one of the two errs;
    costs, weights and numbers by a z-test of the paired differences.

    >>> import treewright as tw
    >>> curve = tw.evaluate.overfitting_curve(tw.example("vote"), "Class", seed=1)
    >>> bool(is_overfitting(curve))
    True
    """
    if not 0 < level < 1:
        raise ValueError(f"level={level!r} must be between 0 and 1.")
    if isinstance(tree, OverfittingCurve):
        if table is not None or rivals is not None or training is not None:
            raise ValueError("A curve brings its own rows and rivals; give it alone.")
        if tree.held_out is None:
            raise ValueError("A cross-validated curve has other trees in every fold; make one without folds.")
        fits = list(tree.line("training_error").values)
        first = min(range(len(fits)), key=lambda i: (fits[i], -tree.trees[i].n_leaves))
        held = [tree.held_out] * len(fits)
        return _report(tree.trees[first], tree.trees, fits, fits[first], tree.held_out, held, level)
    if not isinstance(tree, Tree):
        raise TypeError(
            f"is_overfitting takes a treewright.Tree or an overfitting curve, not {type(tree).__name__}; "
            "of an estimator, its tree_."
        )
    if table is None:
        raise ValueError("is_overfitting needs rows that the tree has not seen: is_overfitting(tree, table).")
    others = _prunings(tree) if rivals is None else _checked_rivals(tree, rivals)
    own, held = _rows_of(tree, others, table, weights)
    if training is None:
        fits, own_fit = [training_error(other)[0] for other in others], training_error(tree)[0]
    else:
        own_rows, rows = _rows_of(tree, others, training)
        fits, own_fit = list(map(_fit, others, rows)), _fit(tree, own_rows)
    return _report(tree, others, fits, own_fit, own, held, level)


def _checked_rivals(tree: Tree, rivals: Sequence[Tree]) -> list[Tree]:
    found = list(rivals)
    for place, rival in enumerate(found):
        if not isinstance(rival, Tree):
            raise TypeError(f"rivals[{place}] is a {type(rival).__name__}; rivals are trees.")
        if (rival.target.name, rival.is_classifier) != (tree.target.name, tree.is_classifier):
            raise ValueError(
                f"rivals[{place}] predicts {rival.target.name!r} ({rival.target.kind}), but the tree "
                f"{tree.target.name!r} ({tree.target.kind}); rivals answer the same question."
            )
    return found


def _rows_of(
    tree: Tree, others: Sequence[Tree], table: Table, weights: Any = None
) -> tuple[Sample, list[Sample]]:
    """Return rows in the codes of a tree, and of each other: one grown elsewhere may have its own."""
    own = sample_of(tree, table, weights)
    is_alike = [(other.schema, other.target) == (tree.schema, tree.target) for other in others]
    return own, [
        own if alike else sample_of(other, table, weights)
        for other, alike in zip(others, is_alike, strict=True)
    ]


def _prunings(tree: Tree) -> list[Tree]:
    path = cost_complexity_path(tree)
    return [path.tree_at(alpha) for alpha in path.alpha]


def _fit(tree: Tree, rows: Sample) -> float:
    return mean_score(losses(tree, rows), rows.weights).value


def _report(
    tree: Tree,
    others: Sequence[Tree],
    fits: Sequence[float],
    own_fit: float,
    held: Sample,
    held_of: Sequence[Sample],  # the same rows, for each of the others
    level: float,
) -> Overfitting:
    if not float(held.weights.sum()) > 0:
        raise ValueError("There are no rows with weight to judge by.")
    own = losses(tree, held)
    slack = 1e-12 * (1 + abs(own_fit))
    chosen = [i for i, fit in enumerate(fits) if fit > own_fit + slack]
    if not chosen:
        none, nothing = Score(math.nan), math.nan
        error = mean_score(own, held.weights)
        return Overfitting(
            tree, None, 0, held.n_rows, own_fit, nothing, error, none, none, "none", 1.0, level
        )
    found = {i: losses(others[i], held_of[i]) for i in chosen}
    # The least error; of equal ones the smallest tree.
    best = min(chosen, key=lambda i: (mean_score(found[i], held.weights).value, others[i].n_leaves))
    name, p_value = paired_test(own, found[best], held.weights)
    return Overfitting(
        tree,
        others[best],
        len(chosen),
        held.n_rows,
        own_fit,
        fits[best],
        mean_score(own, held.weights),
        mean_score(found[best], held.weights),
        mean_score(own - found[best], held.weights),
        name,
        p_value,
        level,
    )


def paired_test(first: Floats, second: Floats, weights: Floats) -> tuple[str, float]:
    """Return the name and the two-sided p-value of a test that two models lose as much, row by row.

    >>> name, p_value = paired_test(np.array([1.0] * 6 + [0.0]), np.array([0.0] * 6 + [1.0]), np.ones(7))
    >>> name, round(p_value, 6)
    ("McNemar's test", 0.125)
    """
    both = np.concatenate([first, second])
    if bool(np.isin(both, (0.0, 1.0)).all()) and bool((weights == 1).all()):
        return "McNemar's test", mcnemar(int((first > second).sum()), int((first < second).sum()))
    difference = mean_score(first - second, weights)
    if not difference.standard_error > 0:
        return "z-test", 1.0 if difference.value == 0 else 0.0
    z = abs(difference.value) / difference.standard_error
    return "z-test", math.erfc(z / math.sqrt(2))


def mcnemar(n_first: int, n_second: int) -> float:
    """Return McNemar's exact two-sided p-value: rows that only the first, and only the second, gets wrong.

    If both are equally good each of these rows is a fair coin: twice the binomial tail, at most 1.

    >>> round(mcnemar(6, 1), 6), mcnemar(3, 3), mcnemar(0, 0)
    (0.125, 1.0, 1.0)
    """
    n, k = n_first + n_second, min(n_first, n_second)
    # From the likeliest term down: C(n, i - 1) = C(n, i) i / (n - i + 1).
    log_term = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)
    term, total = 1.0, 0.0
    for i in range(k, -1, -1):
        total += term
        term *= i / (n - i + 1)
        if term < 1e-17 * total:
            break
    return min(1.0, 2 * math.exp(log_term) * total)


def _rivals(n: int) -> str:
    return f"{n} rival{'' if n == 1 else 's'}"


def _leaves(tree: Tree) -> str:
    return f"{tree.n_leaves} leaves" if tree.n_leaves > 1 else "1 leaf"
