"""Logistic regression as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from treewright.base.names import choice
from treewright.estimators import words
from treewright.estimators.linear_base import Floats, LinearModel, LinearTraining
from treewright.estimators.parameters import LogisticParameters
from treewright.estimators.unknown import explaining
from treewright.linear.climb import Step
from treewright.linear.fit_warnings import CollinearWarning, SeparationWarning
from treewright.linear.limit import Divided
from treewright.linear.logistic import LogisticFit, fit_logistic
from treewright.linear.squares import check_squares
from treewright.linear.summary import Summary, summary_of, why_collinear
from treewright.table.raw import label

MULTI_CLASS = ("softmax", "one_vs_rest")


@explaining
class LogisticRegression(LogisticParameters, LinearModel):
    """Class probabilities from a weighted sum of terms, by maximum likelihood.

    Args:
        l2: what half a squared weight costs; the bias costs nothing. 0: no penalty, and standard errors.
        solver: "newton" (L-BFGS takes over where there are more than 2,000 weights), "lbfgs", or "gradient",
            the blackboard's gradient ascent.
        multi_class: with more than two classes "softmax" (one model, each class against a reference class) or
            "one_vs_rest" (one model for each class, probabilities brought to the sum 1).
        reference_class: the class of softmax that has no weights; None: the first of `classes_`.
        bias: whether there is one.
        features: more terms from the terms: "polynomial", "interactions", "squared_difference", a map such as
            `tw.linear.Polynomial(3)`, or a function from a matrix to a matrix or to a dict of columns.
        reference: the category of a nominal column that has no term: "first", a mapping from column names to
            categories, or None (every category has a term; for l2 above 0).
        class_weight: what a row of a class counts: a mapping, "balanced" or None.
        strict: refuse data with no finite maximum and columns that say the same, instead of warning.
        step: of `solver="gradient"`: fixed, or None for a line search.
        tol: the most that a last step may change a score; of "gradient" the largest part of the gradient,
            divided by the number of rows, with which it may end.
        max_iter: the most steps; None: 100 for "newton", 10,000 for "lbfgs", 1,000 for "gradient".
        categorical_features: as in `DecisionTreeClassifier`.
        ordinal: as in `DecisionTreeClassifier`.

    Where a plane divides classes and l2 is 0, no finite weights are best: a `SeparationWarning` says so,
    `separation_` has the proof, and the weights given stand for the limit, in which the divided rows have
    their classes for certain. The fit is `fits_`; `trace_` its steps.

    >>> import treewright as tw
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], ["no", "yes", "no", "yes", "yes"]
    >>> model = tw.LogisticRegression().fit(X, y)
    >>> print(model.summary())
    yes against no: 5 rows, log-likelihood -2.422 (bias alone -3.365), AIC 8.844
    term    estimate  standard error       z      p  95 % interval
    (bias)    -2.649           2.806  -0.944  0.345  -8.148 to 2.851
    x0         1.090           0.975   1.119  0.263  -0.820 to 3.001
    >>> model.predict_proba([[3.0]]).round(3)
    array([[0.349, 0.651]])
    """

    fits_: tuple[LogisticFit, ...]

    _zero_is_second: ClassVar[bool] = False  # ties go to the first class, as in the columns of predict_proba
    _stored: ClassVar[tuple[str, ...]] = ("coef_", "intercept_", "n_iter_")
    _values: ClassVar[dict[str, Any]] = {"fits_": LogisticFit}

    # ---- fit ------------------------------------------------------------------------------------------

    def fit(
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None, *, progress: Any = None
    ) -> LogisticRegression:
        """Return self, fitted to X (frame, Table or array) and the classes y.

        A row of weight 2 counts as two rows. `progress` is called with the share of the work that is done.

        >>> import treewright as tw
        >>> table = tw.example("tennis")
        >>> X, y = table.select(["Outlook", "Wind"]), table.labels("PlayTennis")
        >>> model = tw.LogisticRegression(l2=1.0).fit(X, y)
        >>> model.terms_
        ('Outlook=Overcast', 'Outlook=Rainy', 'Wind=Weak')
        """
        choice("multi_class", self.multi_class, MULTI_CLASS)
        given = self._training(X, y, sample_weight)
        check_squares(given.x, self.terms_)
        reference = self._reference_place()
        weights = self._row_weights(given)
        with words.in_parameters():
            self.fits_ = tuple(self._fitted(given, weights, reference, progress))
        self._take_weights()
        self.n_iter_ = np.array([fit.n_iterations for fit in self.fits_])
        self._tell()
        return self

    def _check_values(self) -> None:
        fits, n, n_terms = self.fits_, len(self.classes_), len(self.terms_)
        shape = (n, n_terms) if isinstance(fits, tuple) and len(fits) == 1 else (2, n_terms)
        is_right = isinstance(fits, tuple) and len(fits) in (1, n)
        if not is_right or any(not isinstance(f, LogisticFit) or f.coef.shape != shape for f in fits):
            raise ValueError("The stored value 'fits_' must be one fit, or one for each class.")

    def _reference(self) -> Any:
        return self.reference

    def _reference_place(self) -> int:
        if self.reference_class is None:
            return 0
        found = np.flatnonzero(self.classes_ == self.reference_class)
        if len(found) != 1:
            shown = ", ".join(map(repr, self.classes_.tolist()[:8]))
            raise ValueError(
                f"reference_class={self.reference_class!r} is no class; the classes are {shown}."
            )
        if len(self.classes_) > 2 and self.multi_class == "one_vs_rest":
            raise ValueError("reference_class is for multi_class='softmax'; one against the rest has none.")
        if len(self.classes_) == 2 and found[0] == 1:
            raise ValueError(
                f"reference_class={self.reference_class!r}: with two classes the weights are those of the "
                f"second, {self.classes_.tolist()[1]!r}, and the first is the reference. Turn the signs."
            )
        return int(found[0])

    def _row_weights(self, given: LinearTraining) -> Floats | None:
        if self.class_weight is None:
            return given.weights
        weights = np.ones(len(given.codes)) if given.weights is None else given.weights
        return np.asarray(weights * self._class_weights(given.codes, weights)[given.codes])

    def _class_weights(self, codes: NDArray[np.intp], weights: Floats) -> Floats:
        """Return what a row of each class counts: as told, or so that all classes count the same together."""
        known = self.classes_.tolist()
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            return np.asarray(weights.sum() / (len(known) * np.bincount(codes, weights, len(known))))
        if not isinstance(self.class_weight, Mapping):
            raise ValueError(f"class_weight={self.class_weight!r} must be a mapping, 'balanced' or None.")
        if strange := [key for key in self.class_weight if key not in known]:
            raise ValueError(f"class_weight names {strange[0]!r}; the classes are {known!s:.100}.")
        found = np.array([self.class_weight.get(key, 1.0) for key in known], dtype=np.float64)
        if not np.isfinite(found).all() or (found <= 0).any():
            raise ValueError(f"class_weight={self.class_weight!r}: weights must be finite and above 0.")
        return found

    def _fitted(
        self, given: LinearTraining, weights: Floats | None, reference: int, progress: Any
    ) -> Iterator[LogisticFit]:
        """Yield the one fit, or one for each class against the rest."""
        settings: dict[str, Any] = {
            "solver": self.solver,
            "bias": bool(self.bias),
            "tolerance": self.tol,
            "max_iterations": self.max_iter,
            "step": self.step,
        }
        if len(self.classes_) == 2 or self.multi_class == "softmax":
            yield fit_logistic(
                given.x, given.codes, weights, self.l2, reference=reference, progress=progress, **settings
            )
            return
        for k in range(len(self.classes_)):
            yield fit_logistic(given.x, given.codes == k, weights, self.l2, **settings)
            if progress is not None:
                progress((k + 1) / len(self.classes_))

    def _take_weights(self) -> None:
        """Set `coef_` and `intercept_`: one row for two classes, else one for each class."""
        if len(self.fits_) == 1 and len(self.classes_) > 2:
            self.coef_, self.intercept_ = self.fits_[0].coef, self.fits_[0].intercept
        else:
            self.coef_ = np.array([fit.coef[1] for fit in self.fits_])
            self.intercept_ = np.array([fit.intercept[1] for fit in self.fits_])

    # ---- what is to be said ---------------------------------------------------------------------------

    def _tell(self) -> None:
        """Warn, or with `strict` refuse, where weights are not what they seem."""
        said = [
            (CollinearWarning, self._collinear_columns()),
            (SeparationWarning, self._separated()),
            (ConvergenceWarning, self._unfinished()),
        ]
        for kind, text in said:
            if text and self.strict and kind is not ConvergenceWarning:
                for name in ("coef_", "intercept_", "fits_", "n_iter_"):
                    self.__dict__.pop(name, None)  # what is refused is not fitted
                raise ValueError(text)
            if text:
                warnings.warn(text, kind, stacklevel=3)

    def _collinear_columns(self) -> str:
        told_by = self.fits_[0].told_by
        if not told_by:
            return ""
        terms = self.terms_
        shown = [
            f"{terms[j]!r} ({why_collinear([repr(t) for t in terms], by)})"
            for j, by in list(told_by.items())[:5]
        ]
        more = f" and {len(told_by) - 5} more" if len(told_by) > 5 else ""
        return (
            f"{'Columns say' if len(told_by) > 1 else 'A column says'} nothing new, so that the weights are "
            f"not determined: {'; '.join(shown)}{more}. Left out, with weight 0. Drop such columns or use "
            "l2 above 0."
        )

    def _separated(self) -> str:
        found = [(i, fit) for i, fit in enumerate(self.fits_) if fit.separation is not None]
        if not found:
            return ""
        place, fit = found[0]
        divided: Any = fit.separation
        whom = (
            "the classes"
            if len(self.fits_) == 1
            else f"class {self.classes_.tolist()[place]!r} from the rest"
        )
        signs = divided.signs
        running = [t for j, t in enumerate(self.terms_) if signs[:, j].any()]
        shown = ", ".join(map(repr, running[:5])) + (
            f" and {len(running) - 5} more" if len(running) > 5 else ""
        )
        stand = "what the climb reached" if self.solver == "gradient" else "stand for the limit"
        return (
            f"No finite maximum exists: a plane divides {whom} ({divided.kind} separation, {divided.rows} of "
            f"{fit.n_rows} rows). The weights of {shown or 'the bias'} run to infinity; those given {stand}. "
            "Use l2 above 0 (such as l2=1.0), leave such columns out, or take the plane itself: "
            "LinearSeparator, MaxMarginClassifier."
        )

    def _unfinished(self) -> str:
        open_ones = [fit for fit in self.fits_ if not fit.is_converged]
        if not open_ones:
            return ""
        fit = open_ones[0]
        out = "a smaller step, step=None" if self.step is not None else "scale the columns"
        return (
            f"solver={fit.solver!r} stopped after {fit.n_iterations} steps with a gradient of "
            f"{fit.gradient:.3g}. Raise max_iter, {out}"
            + ("." if fit.solver == "newton" else ", or use solver='newton'.")
        )

    @property
    def separation_(self) -> Divided | dict[Any, Divided] | None:
        """Why no finite maximum exists, with the proof; None where one does. By class for one_vs_rest."""
        check_is_fitted(self, "fits_")
        if len(self.fits_) == 1:
            return self.fits_[0].separation
        pairs = zip(self.classes_.tolist(), self.fits_, strict=True)
        return {c: fit.separation for c, fit in pairs if fit.separation is not None} or None

    @property
    def trace_(self) -> tuple[Step, ...] | tuple[tuple[Step, ...], ...]:
        """The steps of the climb, each with the weights where it began; by class for one against the rest."""
        check_is_fitted(self, "fits_")
        return self.fits_[0].steps if len(self.fits_) == 1 else tuple(fit.steps for fit in self.fits_)

    def summary(self, confidence: float = 0.95) -> Summary:
        """Return the weights with standard errors, z, p-values and intervals: it prints, and gives a frame.

        Only without a penalty have weights standard errors. They take a row of weight 2 for two rows.

        >>> import treewright as tw
        >>> model = tw.LogisticRegression().fit([[1], [2], [3], [4], [5]], [0, 1, 0, 1, 1])
        >>> [round(p, 3) for p in model.summary().to_dict()["p"]]
        [0.345, 0.263]
        """
        check_is_fitted(self, "fits_")
        names = [label(value) for value in self.classes_.tolist()]
        if len(self.fits_) == 1:
            return summary_of(self.fits_[0], self.terms_, names, confidence)
        parts = [
            summary_of(fit, self.terms_, ["the rest", name], confidence)
            for name, fit in zip(names, self.fits_, strict=True)
        ]
        return _joined(parts, names)

    # ---- predict --------------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> Floats:
        """Return class probabilities, columns in the order of `classes_`.

        >>> import treewright as tw
        >>> model = tw.LogisticRegression().fit([[1], [2], [3], [4], [5]], [0, 1, 0, 1, 1])
        >>> model.predict_proba([[3]]).round(3)
        array([[0.349, 0.651]])
        """
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of class probabilities; they are finite also where a probability rounds to 0.

        >>> import treewright as tw
        >>> model = tw.LogisticRegression().fit([[1], [2], [3], [4], [5]], [0, 1, 0, 1, 1])
        >>> model.predict_log_proba([[-2000]]).round(0)
        array([[    0., -2183.]])
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([_log_sigmoid(-scores), _log_sigmoid(scores)])
        if len(self.fits_) > 1:
            scores = _log_sigmoid(scores)
        top = scores - scores.max(axis=1, keepdims=True)
        return np.asarray(top - np.log(np.exp(top).sum(axis=1, keepdims=True)))


def _log_sigmoid(z: Floats) -> Floats:
    return np.asarray(np.minimum(z, 0.0) - np.log1p(np.exp(-np.abs(z))))


def _joined(parts: Sequence[Summary], names: Sequence[str]) -> Summary:
    """Return one summary of several models, one for each class against the rest."""
    first = parts[0]
    title = f"each class against the rest: {int(first.figures['n_rows'])} rows"
    notes = tuple(f"{name}: {note}" for name, part in zip(names, parts, strict=True) for note in part.notes)
    lines = tuple(line for part in parts for line in part.weights)
    return Summary(title, lines, first.confidence, notes, {"n_rows": first.figures["n_rows"]})
