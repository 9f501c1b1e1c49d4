"""A forest as a page: out-of-bag error, importances, partial dependence, and a tree that stands for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from treewright.base.numbers import percent
from treewright.base.progress import Watcher
from treewright.draw.plot import plot
from treewright.evaluate.answers import Answers
from treewright.evaluate.confusion import confusion
from treewright.evaluate.measures import scores
from treewright.explain.dependence import Dependence, partial_dependence
from treewright.forest import Forest, Importances, out_of_bag, permutation_importance, surrogate_tree
from treewright.forest.importance import impurity
from treewright.measure.intervals import number
from treewright.report.document import Part, bars, brief, curve, document, drawing, matrix, table
from treewright.table import Table

_COLUMNS, _CURVES, _CLASSES = 20, 6, 4
_LEAVES = 8
_FIRST = ("criterion", "max_columns", "max_depth", "min_leaf", "n_rows", "n_draws", "seed")  # of settings
_Z = 1.959963984540054  # two-sided, 95 %


def forest_page(
    forest: Forest,
    table_: Table | None = None,
    *,
    training: Table | None = None,
    title: str | None = None,
    weights: Any = None,
    n_jobs: int = 1,
    seed: int = 0,
    progress: Watcher | None = None,
) -> bytes:
    """Return a page about a forest; `training` is the table it was grown on, `table_` rows it has not seen.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> made = forest_page(tw.forest.grow(table, target="PlayTennis", n_trees=20), training=table)
    >>> b"Out-of-bag" in made and b"Partial dependence" in made
    True
    """
    rows = table_ if training is None else training
    worth = _worth(forest, training, weights, n_jobs, progress)
    parts = [_importance_part(worth, is_shuffled=training is not None and bool(forest.about["n_draws"]))]
    if rows is not None:
        parts += _dependence_parts(forest, rows, worth, seed)
        parts.append(_stand_part(forest, rows, table_ if training is not None else None, n_jobs))
    if table_ is not None:
        parts.append(_judged_part(forest, table_, n_jobs))
    parts.append(_origin_part(forest))
    if progress is not None:
        progress(1.0)
    tiles = [*_oob_tiles(forest, training, weights, n_jobs), *_test_tiles(forest, table_, n_jobs)]
    tiles += [
        ("Trees", f"{forest.n_trees:,}", f"{forest.n_leaves / max(1, forest.n_trees):,.0f} leaves each")
    ]
    return document(title or forest.target.name, "A random forest", _lead(forest, worth), tiles, parts)


def _lead(forest: Forest, worth: Importances) -> list[str]:
    names = [brief(worth.names[i]) for i in np.argsort(-worth.value, kind="stable")[:6]]
    more = f" and {len(worth.names) - 6} other columns" if len(worth.names) > 6 else ""
    classes = " / ".join(map(brief, forest.classes[:6])) + (" / \u2026" if len(forest.classes) > 6 else "")
    what = (
        f"{brief(forest.target.name)} ({classes})" if forest.classes else f"the number {forest.target.name}"
    )
    return [f"Predicts {what} from {', '.join(names)}{more}, by the vote of {forest.n_trees:,} trees."]


def _worth(
    forest: Forest, training: Table | None, weights: Any, n_jobs: int, progress: Watcher | None
) -> Importances:
    if training is None or not forest.about["n_draws"]:
        return impurity(forest)
    heard = None if progress is None else lambda share: progress(0.8 * share)
    return permutation_importance(forest, training, weights=weights, n_threads=n_jobs, progress=heard)


def _importance_part(worth: Importances, is_shuffled: bool) -> Part:
    order = np.argsort(-worth.value, kind="stable")[:_COLUMNS]
    rows = [
        (
            worth.names[i],
            float(worth.value[i]),
            float(worth.value[i] - _Z * worth.standard_error[i]),
            float(worth.value[i] + _Z * worth.standard_error[i]),
        )
        for i in order.tolist()
    ]
    about = (
        "How much worse trees get on rows they have not seen when a column is shuffled, with a 95 % interval "
        "over trees. An interval that reaches 0 says that the column may be worth nothing."
        if is_shuffled
        else "How much impurity each column takes off, with a 95 % interval over trees. It favours columns "
        "of many values; with the training rows the page shows permutation importance instead."
    )
    return Part("Importance", about, bars(rows, "Importance of columns with 95 % intervals"))


def _dependence_parts(forest: Forest, rows: Table, worth: Importances, seed: int) -> list[Part]:
    order = [worth.names[i] for i in np.argsort(-worth.value, kind="stable")[:_CURVES]]
    found = []
    for name in order:
        try:
            found.append(partial_dependence(forest, rows, name, seed=seed))
        except ValueError:  # a column without a value in these rows
            continue
    what = "How likely each class is on average" if forest.classes else "What the forest says on average"
    about = (
        f"{what} when one column of all rows is set to a value. It "
        "shows what the forest has learned, not what causes what. All have one scale."
    )
    lines = [_lines(forest, one) for one in found]
    values = [value for some in lines for _, line in some for value in line] or [0.0]
    scale = _round_scale(min(values), max(values))  # one for all: a column that does little looks so
    said = percent if forest.classes else number
    drawn = "".join(_curve(one, some, scale, said) for one, some in zip(found, lines, strict=True))
    return [Part("Partial dependence", about, f'<div class="figures">{drawn}</div>')] if found else []


def _round_scale(low: float, high: float) -> tuple[float, float]:
    """Return round ends about two numbers.

    >>> _round_scale(0.219, 0.748), _round_scale(7.3, 14.1)
    ((0.2, 0.8), (6.0, 16.0))
    """
    if not high > low:
        return low - 0.5, high + 0.5
    step = 10.0 ** math.floor(math.log10(high - low))
    step = step / 5 if (high - low) / step < 2 else step
    step = 2 * step if (high - low) / step > 6 else step
    return round(math.floor(low / step) * step, 12), round(math.ceil(high / step) * step, 12)


def _lines(forest: Forest, found: Dependence) -> list[tuple[str, list[float]]]:
    """Return the mean answer, or the probabilities of the classes that change most."""
    if not forest.classes:
        return [("mean answer", found.means[:, 0].tolist())]
    spread = found.means.max(axis=0) - found.means.min(axis=0)
    shown = [1] if len(forest.classes) == 2 else np.argsort(-spread, kind="stable")[:_CLASSES].tolist()
    return [(forest.classes[k], found.means[:, k].tolist()) for k in shown]


def _curve(
    found: Dependence,
    lines: list[tuple[str, list[float]]],
    scale: tuple[float, float],
    said: Callable[[float], str],
) -> str:
    values = found.values
    is_number = not isinstance(values[0], str)
    words = [number(float(f"{v:.4g}")) if is_number else str(v) for v in values]
    positions = None
    if is_number:
        low, high = float(values[0]), float(values[-1])
        positions = [(float(value) - low) / (high - low) if high > low else 0.5 for value in values]
    return curve(found.column, words, lines, positions, scale, said)


def _stand_part(forest: Forest, rows: Table, kept: Table | None, n_jobs: int) -> Part:
    stand = surrogate_tree(forest, rows, max_leaves=_LEAVES, validation=kept, n_threads=n_jobs)
    where = "rows kept back" if kept is not None else "the rows it was grown on, which flatters"
    how = (
        f"It says the same as the forest in {100 * stand.fidelity:.1f} % of {where}."
        if forest.classes
        else f"It explains {100 * stand.fidelity:.1f} % of the forest's answers on {where}."
    )
    about = f"A single tree of at most {_LEAVES} leaves that was grown to say what the forest says. {how}"
    return Part("Stand-in tree", about, drawing(plot(stand.tree, width=1100).to_svg()))


def _answers(forest: Forest, rows: Table, n_jobs: int) -> Answers:
    if not forest.classes:
        return Answers.of(rows.column(forest.target.name)[1], forest.predict(rows, n_threads=n_jobs))
    truth = rows.labels(forest.target.name)
    said = forest.predict(rows, n_threads=n_jobs)
    return Answers.of(truth, said)


def _test_tiles(forest: Forest, rows: Table | None, n_jobs: int) -> list[tuple[str, str, str]]:
    if rows is None:
        return []
    said = _answers(forest, rows, n_jobs)
    note = f"on {rows.n_rows:,} test rows"
    if forest.classes:
        found = scores(said, ("accuracy",))["accuracy"]
        return [("Accuracy", f"{100 * found.value:.1f} \u00b1 {100 * found.standard_error:.1f} %", note)]
    found = scores(said, ("rmse",))["rmse"]
    return [("Root mean squared error", f"{found.value:.4g} \u00b1 {found.standard_error:.2g}", note)]


def _oob_tiles(forest: Forest, rows: Table | None, weights: Any, n_jobs: int) -> list[tuple[str, str, str]]:
    if rows is None or not forest.about["n_draws"]:
        return []
    said = out_of_bag(forest, rows, weights=weights, n_threads=n_jobs)
    if forest.classes:
        labels = rows.labels(forest.target.name)
        top = max(forest.classes, key=lambda name: int((labels == name).sum()))
        baseline = float((labels == top).mean())
        words = f"{100 * said.error:.1f} \u00b1 {100 * said.standard_error:.1f} %"
        return [
            ("Out-of-bag error", words, "by trees that did not see the row"),
            (f"Always saying {brief(top)}", f"{100 * (1 - baseline):.1f} %", "error, training rows"),
        ]
    spread = float(np.std(rows.column(forest.target.name)[1]))
    root = math.sqrt(max(said.error, 0.0))
    return [
        (
            "Out-of-bag RMSE",
            f"{root:.4g} \u00b1 {said.standard_error / (2 * root or 1):.2g}",
            "by trees that did not see the row",
        ),
        ("Always saying the mean", f"{spread:.4g}", "RMSE, training rows"),
    ]


def _judged_part(forest: Forest, rows: Table, n_jobs: int) -> Part:
    said = _answers(forest, rows, n_jobs)
    if not forest.classes:
        found = scores(said, ("rmse", "mae", "r2"))
        lines = [[name, f"{one.value:.4g}", f"{one.standard_error:.2g}"] for name, one in found.items()]
        shown = table(["score", "value", "\u00b1"], lines, (1, 2))
        return Part("Scores", "On rows the forest has not seen.", shown)
    about = (
        "Each row is a true class, each column a class the forest gave. The stronger a cell is coloured, the "
        "larger its share of the row. Right answers are framed."
    )
    return Part("Mistakes", about, matrix(list(said.classes), confusion(said).counts))


def _origin_part(forest: Forest) -> Part:
    known = {name: str(v) for name, v in forest.about.items() if isinstance(v, (str, int, float, bool))}
    first = [[name, known.pop(name)] for name in _FIRST if name in known]
    rest = table(["setting", "value"], list(known.items()))
    more = f"<details><summary>All settings</summary>{rest}</details>"
    return Part("How it was made", "The settings of growth.", table(["setting", "value"], first), more)
