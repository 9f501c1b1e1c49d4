"""A linear model as a page: its weights, how sure they are, and what a step of a column does to the odds."""

from __future__ import annotations

import math

from treewright.base.numbers import number
from treewright.linear.summary import BIAS, Summary, Weight
from treewright.report.document import Part, bars, document, table

_MOST = 6  # terms that are named in a sentence
_NAMES = {
    "n_rows": "Rows",
    "log_likelihood": "Log-likelihood",
    "null_log_likelihood": "Log-likelihood of the bias alone",
    "aic": "AIC",
}


def weights_page(summary: Summary, *, over: str = "A linear model", title: str | None = None) -> bytes:
    """Return a page about the weights of a linear model.

    >>> from treewright.linear.logistic import fit_logistic
    >>> from treewright.linear.summary import summary_of
    >>> fit = fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    >>> made = weights_page(summary_of(fit, ["x"], ["no", "yes"]))
    >>> b"Odds" in made and b"yes against no" in made
    True
    """
    figures = {name: float(value) for name, value in summary.figures.items()}
    terms = list(dict.fromkeys(weight.term for weight in summary.weights if weight.term != BIAS))
    tiles = [(_NAMES.get(name, name), number(value), "") for name, value in figures.items()]
    tiles = tiles or [
        (
            "Terms",
            f"{len(terms):,}",
            "and a bias" if any(weight.term == BIAS for weight in summary.weights) else "",
        )
    ]
    classes = list(dict.fromkeys(weight.class_ for weight in summary.weights))
    parts = [_part(summary, class_, len(classes) > 1) for class_ in classes]
    named = summary.title.rpartition(": ")[0] if figures else summary.title  # the figures are in the tiles
    return document(title or named, over, [_lead(terms), *summary.notes], tiles, parts)


def _lead(terms: list[str]) -> str:
    """Return what the model does, in a sentence.

    >>> _lead(["age", "height"])
    'It adds up weights times values of age and height, and says the class with the larger sum.'
    """
    shown = terms if len(terms) <= _MOST + 1 else [*terms[:_MOST], f"{len(terms) - _MOST:,} other terms"]
    names = " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown) or "nothing"
    return f"It adds up weights times values of {names}, and says the class with the larger sum."


def _part(summary: Summary, class_: str, is_one_of_many: bool) -> Part:
    mine = [weight for weight in summary.weights if weight.class_ == class_]
    has_errors = any(math.isfinite(weight.standard_error) for weight in mine)
    about = "The class is the likelier the larger the sum of weight times value."
    if has_errors:
        about += (
            f" Intervals hold {100 * summary.confidence:.0f} %. Odds: by what the odds are multiplied when "
            "the column rises by one."
        )
    drawn = [
        (weight.term, weight.estimate, weight.low, weight.high)
        for weight in mine
        if weight.term != BIAS and math.isfinite(weight.estimate)
    ]
    heads = ["term", "weight", "standard error", "p", "interval", "odds"]
    rows = [_row(weight) for weight in mine]
    if not has_errors:
        heads, rows = heads[:2], [row[:2] for row in rows]
    title = f"Weights of {class_}" if is_one_of_many else "Weights"
    return Part(
        title,
        about,
        bars(drawn, "Weights with intervals" if has_errors else "Weights"),
        table(heads, rows, range(1, len(heads)), title),
    )


def _row(weight: Weight) -> list[str]:
    interval = f"{_short(weight.low)} to {_short(weight.high)}" if math.isfinite(weight.low) else "\u2013"
    odds = (
        _short(math.exp(weight.estimate)) if abs(weight.estimate) < 300 and weight.term != BIAS else "\u2013"
    )
    return [
        weight.term,
        _short(weight.estimate),
        _short(weight.standard_error),
        "<0.0001" if weight.p < 0.0001 else _short(weight.p),
        interval,
        odds,
    ]


def _short(value: float) -> str:
    if math.isinf(value):
        return "\u221e" if value > 0 else "\u2212\u221e"
    return "\u2013" if math.isnan(value) else number(value).replace("-", "\u2212")
