"""The perceptron as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treewright.base.draws import row_draws
from treewright.estimators.linear_base import LinearModel
from treewright.estimators.pairs import questions
from treewright.estimators.parameters import PerceptronParameters
from treewright.estimators.unknown import explaining
from treewright.linear.perceptron import PerceptronFit, PerceptronFits, Update, fit_perceptron
from treewright.linear.proof import Certificate

Floats = NDArray[np.float64]
ORDERS = 2**32 - 20  # what draws for an order of rows are keyed by, beside those of `grow.draws`
LEAST = float(np.nextafter(0.0, 1.0))


@explaining
class Perceptron(PerceptronParameters, LinearModel):
    """The perceptron's learning rule, with a trace of every update and the bound on their number.

    Threshold(w·x) is the second class for w·x >= 0. A wrong row is added to the weights, or taken off. It
    stops after a pass without a mistake, or after `max_passes`. More than two classes: each against the rest.

    After `fit`: `mistakes_`; `trace_`, one `Update(n_pass, row, score, side, weights)` for each of the first
    `max_trace`; `bound_`, the largest number of mistakes possible, R²/γ² + 2|start|/γ with the widest margin
    γ (None without one); `converged_`; `consistent_` (no row is wrong) and `strict_` (and none lies on the
    plane). With more than two classes these are tuples with an item for each.

    Args:
        start: weights to begin with, and with a bias one more, the last, for it; None: zeros.
        bias: whether a column of ones is added.
        order: None (rows as they come), "random" (another order each pass), or the rows in the order wanted.
        max_passes: passes after which it gives up.
        variant: "last" weights, those of fewest mistakes ("pocket"), or the mean of all ("averaged").
        certify: where no clean pass came, ask the linear program: `separable_` and `certificate_`.
        max_trace: updates to keep.
        random_state: for `order="random"`.
        features: a feature map, as in `tw.LogisticRegression`.
        categorical_features: as in `tw.DecisionTreeClassifier`.
        ordinal: as in `tw.DecisionTreeClassifier`.

    >>> import treewright as tw
    >>> X, y = [[4, 3], [1, 3], [-2, 0], [2, 2]], [1, -1, -1, 1]
    >>> model = tw.Perceptron(start=[1, 1], bias=False).fit(X, y)
    >>> [update.weights for update in model.trace_], model.mistakes_
    ([(0.0, -2.0), (2.0, -2.0)], 2)
    >>> model.consistent_, model.strict_, round(model.bound_, 2)
    (True, False, 57.25)
    """

    fits_: PerceptronFits
    _values: ClassVar[Mapping[str, Any]] = {"fits_": PerceptronFits}

    def fit(self, X: Any, y: Any) -> Perceptron:
        """Return the estimator, fitted.

        >>> import treewright as tw
        >>> tw.Perceptron().fit([[1], [2], [3], [4]], ["a", "a", "b", "b"]).predict([[0], [9]]).tolist()
        ['a', 'b']
        """
        training = self._training(X, y)
        order = self._order(len(training.x))
        fits = [
            fit_perceptron(
                training.x,
                question.is_positive,
                self.start,
                bool(self.bias),
                order,
                self.max_passes,
                self.variant,
                self.certify,
                self.max_trace,
            )
            for question in questions(training.codes, self.classes_, "one_vs_rest")
        ]
        self.fits_ = PerceptronFits(tuple(fits))
        weights = np.array([fit.weights for fit in fits])
        n = training.x.shape[1]
        self.coef_ = weights[:, :n].copy()
        self.intercept_ = weights[:, n].copy() if self.bias else np.zeros(len(fits))
        return self

    def _check_values(self) -> None:
        super()._check_values()
        n_weights = len(self.terms_) + bool(self.bias)
        if len(self.fits_) != len(self.coef_) or any(len(f.weights) != n_weights for f in self.fits_):
            raise ValueError("The stored value 'fits_' must have one fit for each plane.")

    def _order(self, n_rows: int) -> Any:
        """Return the order of rows: as given, or for each pass another one by keyed draws."""
        if not isinstance(self.order, str):
            return self.order
        if self.order != "random":
            raise ValueError(f"order={self.order!r} must be None, 'random', or the rows in the order wanted.")
        seed = int(check_random_state(self.random_state).randint(2**31))
        return lambda n_pass: np.argsort(row_draws(seed, ORDERS, n_pass, n_rows), kind="stable")

    def decision_function(self, X: Any) -> Floats:
        """Return w·x + b of each row; for more than two classes a column for each.

        A row on the plane is of the second class, Threshold(0) = +1. scikit-learn takes scores above 0 for
        that, so its score is told as the least number above 0.

        >>> import treewright as tw
        >>> X, y = [[4, 3], [1, 3], [-2, 0], [2, 2]], [1, -1, -1, 1]
        >>> model = tw.Perceptron(start=[1, 1], bias=False).fit(X, y)
        >>> model.decision_function([[4, 3], [2, 2]]), model.predict([[2, 2]])
        (array([2.e+000, 5.e-324]), array([1]))
        """
        scores = super().decision_function(X)
        return np.where(scores == 0, LEAST, scores) if scores.ndim == 1 else scores

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = not self.bias  # a plane through the origin fits few tables
        return tags

    # ---- what came of it ------------------------------------------------------------------------------

    def _each(self, name: str) -> Any:
        """Return a fact of the fit; of several fits a tuple."""
        check_is_fitted(self, "fits_")
        found = tuple(getattr(fit, name) for fit in self.fits_)
        return found[0] if len(found) == 1 else found

    @property
    def mistakes_(self) -> Any:
        """How many updates there were."""
        return self._each("mistakes")

    @property
    def mistakes_by_pass_(self) -> Any:
        """The updates of each pass; the last is 0 where it converged."""
        return self._each("mistakes_by_pass")

    @property
    def n_iter_(self) -> int:
        """Passes, the clean one included; the most of any class."""
        check_is_fitted(self, "fits_")
        return max(fit.n_passes for fit in self.fits_)

    @property
    def trace_(self) -> tuple[Update, ...] | tuple[tuple[Update, ...], ...]:
        """The updates in order, with the weights after each."""
        found: tuple[Update, ...] | tuple[tuple[Update, ...], ...] = self._each("trace")
        return found

    @property
    def running_bounds_(self) -> Any:
        """The bound after each update of the trace, from the widest margin of the weights so far."""
        return self._each("running_bounds")

    @property
    def bound_(self) -> Any:
        """The most mistakes there could have been; None where no margin is known."""
        return self._each("bound")

    @property
    def converged_(self) -> Any:
        """Whether a pass was clean."""
        return self._each("is_converged")

    @property
    def consistent_(self) -> Any:
        """Whether every row is classified right, rows on the plane as the second class."""
        return self._each("is_consistent")

    @property
    def strict_(self) -> Any:
        """Whether every row is classified right and none lies on the plane."""
        return self._each("is_strict")

    @property
    def separable_(self) -> Any:
        """Whether a plane separates, strictly where there is a bias; None where that was not asked.

        With more than two classes a tuple with an item for each, which is never false itself: use `all`.
        """
        check_is_fitted(self, "fits_")
        found = tuple(_is_separable(fit) for fit in self.fits_)
        return found[0] if len(found) == 1 else found

    @property
    def certificate_(self) -> Certificate | None:
        """Why no plane separates, where that was asked (`certify=True`); of the first such class."""
        check_is_fitted(self, "fits_")
        known = (fit.separation for fit in self.fits_ if fit.separation is not None)
        return next((found.certificate for found in known if found.certificate is not None), None)


def _is_separable(fit: PerceptronFit) -> bool | None:
    return None if fit.separation is None else fit.separation.is_separable
