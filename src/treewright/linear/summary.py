"""A fitted model as a small table: each weight with its standard error, z, p-value and interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from statistics import NormalDist
from typing import Any

import numpy as np

from treewright.base.lines import Words, aligned, harmless
from treewright.base.notebook import Shown
from treewright.linear.logistic import LogisticFit
from treewright.table.frame import frame_of

BIAS = "(bias)"


@dataclass(frozen=True)
class Weight:
    """One line of a summary: a weight and how sure it is. NaN where that is not known.

    >>> Weight("yes", "humidity", -0.04).term
    'humidity'
    """

    class_: str  # the class whose score it adds to
    term: str
    estimate: float
    standard_error: float = math.nan
    z: float = math.nan
    p: float = math.nan
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, repr=False)
class Summary(Shown):
    """The weights of a logistic regression: a table to read, and columns for a data frame.

    An estimate is infinite where the likelihood has no maximum and the weight runs away. `notes` say what
    else is to be known.

    >>> from treewright.linear.logistic import fit_logistic
    >>> fit = fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    >>> print(summary_of(fit, ["x"], ["no", "yes"]))
    yes against no: 4 rows, log-likelihood -2.347 (bias alone -2.773), AIC 8.695
    term    estimate  standard error       z      p  95 % interval
    (bias)    -1.362           1.975  -0.690  0.490  -5.233 to 2.508
    x          0.908           1.085   0.837  0.403  -1.219 to 3.035
    """

    title: str
    weights: tuple[Weight, ...]
    confidence: float
    notes: tuple[str, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the table as columns of plain values.

        >>> from treewright.linear.logistic import fit_logistic
        >>> fit = fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
        >>> summary_of(fit, ["x"], ["no", "yes"]).to_dict()["term"]
        ['(bias)', 'x']
        """
        named = {f.name: [getattr(weight, f.name) for weight in self.weights] for f in fields(Weight)}
        return {("class" if name == "class_" else name): cells for name, cells in named.items()}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the table as a data frame: of pandas, polars or pyarrow, by name or what is installed.

        >>> from treewright.linear.logistic import fit_logistic
        >>> fit = fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
        >>> summary_of(fit, ["x"], ["no", "yes"]).to_frame("pandas")["p"].round(3).tolist()
        [0.49, 0.403]
        """
        return frame_of(self.to_dict(), backend)

    def __str__(self) -> str:
        return harmless("\n".join([self.title, *_lines(self), *self.notes]))


def summary_of(
    fit: LogisticFit, terms: Sequence[str], classes: Sequence[str], confidence: float = 0.95
) -> Summary:
    """Return the summary of a fit with the names of its terms and classes.

    >>> from treewright.linear.logistic import fit_logistic
    >>> fit = fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> print(summary_of(fit, ["x"], ["no", "yes"]))
    yes against no: 4 rows, log-likelihood 0.000 (bias alone -2.773), AIC 4.000
    term    estimate  standard error  z  p  95 % interval
    (bias)      -inf               -  -  -  -
    x            inf               -  -  -  -
    No finite maximum exists: a plane divides the classes (complete separation, 4 rows).
    """
    if not (isinstance(confidence, (int, float)) and 0 < confidence < 1):
        raise ValueError(f"confidence={confidence!r} must be between 0 and 1, such as 0.95.")
    spread = NormalDist().inv_cdf(0.5 + confidence / 2)
    errors, infinite = fit.standard_errors, None if fit.separation is None else fit.separation.signs
    lines = []
    for i, k in enumerate(fit.others):
        values = [fit.intercept[k], *fit.coef[k]]
        spreads = [math.nan] * len(values) if errors is None else [errors[i, -1], *errors[i, :-1]]
        signs = [0] * len(values) if infinite is None else [infinite[k, -1], *infinite[k, :-1]]
        for j, name in enumerate([BIAS, *terms]):
            if (j == 0 and not fit.bias) or j - 1 in fit.told_by:
                continue
            value = math.copysign(math.inf, signs[j]) if signs[j] else float(values[j])
            lines.append(_weight(classes[k], name, value, float(spreads[j]), spread))
    aic = 2 * fit.n_parameters - 2 * fit.log_likelihood
    figures = {
        "n_rows": fit.n_rows,
        "log_likelihood": fit.log_likelihood,
        "null_log_likelihood": fit.null_log_likelihood,
        "aic": aic,
    }
    return Summary(_title(fit, classes, aic), tuple(lines), confidence, _notes(fit, terms), figures)


def _weight(class_: str, term: str, value: float, error: float, spread: float) -> Weight:
    if not (math.isfinite(value) and math.isfinite(error) and error > 0):
        return Weight(class_, term, value)
    z = value / error
    return Weight(
        class_,
        term,
        value,
        error,
        z,
        math.erfc(abs(z) / math.sqrt(2)),
        value - spread * error,
        value + spread * error,
    )


def _title(fit: LogisticFit, classes: Sequence[str], aic: float) -> str:
    others = ", ".join(classes[k] for k in fit.others)
    start = f"{others} against {classes[fit.reference]}: {fit.n_rows} rows"
    start += f", log-likelihood {fit.log_likelihood + 0.0:.3f} (bias alone {fit.null_log_likelihood:.3f})"
    return start + (f", AIC {aic:.3f}" if fit.l2 == 0 else f", l2 {fit.l2:g}")


def _notes(fit: LogisticFit, terms: Sequence[str]) -> tuple[str, ...]:
    notes = []
    if fit.separation is not None:
        what = f"{fit.separation.kind} separation, {fit.separation.rows} rows"
        notes.append(f"No finite maximum exists: a plane divides the classes ({what}).")
    notes += [f"{terms[j]} is left out: {why_collinear(terms, by)}." for j, by in fit.told_by.items()]
    if fit.l2 > 0:
        notes.append("With a penalty (l2) weights have no standard errors.")
    elif fit.covariance is None:
        why = "is too large" if fit.is_converged else "did not come to an end"
        notes.append(f"No standard errors: the fit {why}.")
    return tuple(notes)


def why_collinear(terms: Sequence[str], by: tuple[int, ...]) -> str:
    """Return why a term says nothing new.

    >>> why_collinear(["a", "b", "c"], (0, 1)), why_collinear(["a"], ())
    ('a and b say the same', 'it is constant')
    """
    names = [terms[j] for j in by[:8]] + ([f"{len(by) - 8} others"] if len(by) > 8 else [])
    if not names:
        return "it is constant"
    return (
        f"{names[0]} says the same"
        if len(names) == 1
        else f"{', '.join(names[:-1])} and {names[-1]} say the same"
    )


def _lines(summary: Summary) -> list[str]:
    weights = summary.weights
    columns = [
        Words("term", [w.term for w in weights], "<"),
        Words("estimate", [_number(w.estimate) for w in weights]),
        Words("standard error", [_number(w.standard_error) for w in weights]),
        Words("z", [_number(w.z) for w in weights]),
        Words("p", [_number(w.p) if not w.p < 0.0005 else "<0.001" for w in weights]),
        Words(f"{100 * summary.confidence:g} % interval", [_interval(w) for w in weights], "<"),
    ]
    if len({w.class_ for w in weights}) > 1:
        columns.insert(0, Words("class", [w.class_ for w in weights], "<"))
    return list(aligned(columns))


def _number(value: float) -> str:
    if math.isnan(value):
        return "-"
    if math.isinf(value) or value == 0:
        return "0" if value == 0 else f"{value:g}"
    return f"{value:.3f}" if 0.001 <= abs(value) < 10_000 else f"{value:.3g}"


def _interval(weight: Weight) -> str:
    if np.isnan(weight.low):
        return "-"
    return f"{_number(weight.low)} to {_number(weight.high)}"
