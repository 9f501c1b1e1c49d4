"""The maximum margin as an estimator: hard by our own quadratic program, soft by libsvm or liblinear."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright.estimators.pairs import Question, questions, votes
from treewright.estimators.parameters import MarginParameters
from treewright.estimators.separator import Paired, Plane, check_otherwise, stacked, stand_in
from treewright.estimators.soft_margin import SOLVERS, soft_margin
from treewright.estimators.unknown import explaining
from treewright.linear.kernels import Kernel, kernel_of
from treewright.linear.margin import Margin, NoMargin, max_margin
from treewright.linear.proof import Separations
from treewright.linear.squares import check_squares

Floats = NDArray[np.float64]


@explaining
class MaxMarginClassifier(MarginParameters, Paired):
    """The plane with the widest margin, with its support rows, multipliers and duality gap.

    `C=None` is the hard margin: no row within it. If no plane separates the classes, `separable_` is False
    and `certificate_` is the proof, as in `tw.LinearSeparator`; `margin_` is then 0. A number `C` is the soft
    margin, the price of a row's slack.

    After `fit`: `coef_` and `intercept_`, scaled so that the nearest rows have the scores 1 and -1;
    `margin_`, 1/|w|; `bounds_`, between which the widest margin lies; `support_`, rows on the margin (or
    within it); `dual_`, their multipliers; `gap_`, primal less dual. With more than two classes `margin_`,
    `bounds_` and `gap_` have an item for each plane, and `dual_` a row.

    Args:
        C: the price of slack; None: no slack.
        kernel: "linear", "radial" or "polynomial".
        gamma: of the kernel; None: 1 / (columns x variance of all cells).
        degree: of the polynomial kernel.
        constant: of the polynomial kernel.
        solver: for a soft margin: "libsvm" (any kernel), or "liblinear" (many rows, linear; the gap says how
            good).
        tol: for a soft margin: when the solver stops.
        otherwise: what `predict` uses if there is no hard margin, as in `tw.LinearSeparator`.
        multi_class: for more than two classes, planes between every two ("pairwise") or each class and the
            others ("one_vs_rest").
        features: a feature map, as in `tw.LogisticRegression`.
        categorical_features: as in `tw.DecisionTreeClassifier`.
        ordinal: as in `tw.DecisionTreeClassifier`.

    >>> import treewright as tw
    >>> model = tw.MaxMarginClassifier().fit([[1, 5], [1, 3], [3, 4], [3, 2]], ["red", "red", "blue", "blue"])
    >>> model.coef_.round(9) + 0.0, model.intercept_.round(9), round(model.margin_, 9)
    (array([[-1.,  0.]]), array([2.]), 1.0)
    >>> tw.MaxMarginClassifier().fit([[0], [1], [2]], [0, 1, 0]).certificate_.weights
    array([0.5, 1. , 0.5])
    """

    _stored: ClassVar[tuple[str, ...]] = (
        "coef_",
        "intercept_",
        "margin_",
        "bounds_",
        "gap_",
        "support_",
        "support_vectors_",
        "dual_coef_",
        "gamma_",
    )

    def fit(self, X: Any, y: Any) -> MaxMarginClassifier:
        """Return the estimator, fitted.

        >>> import treewright as tw
        >>> ring = tw.MaxMarginClassifier(kernel="radial").fit([[0], [1], [2]], ["out", "in", "out"])
        >>> ring.predict([[0.9], [5]]).tolist(), ring.separable_
        (['in', 'out'], True)
        """
        self._check_settings()
        training = self._training(X, y)
        if self.C is not None:
            check_squares(training.x, self.terms_)
        kernel = kernel_of(self.kernel, training.x, self.gamma, self.degree, self.constant)
        self.gamma_ = getattr(kernel, "gamma", None)
        asked = questions(training.codes, self.classes_, self.multi_class)
        found = [self._one(training.x[q.rows], q, kernel) for q in asked]
        n = len(training.x)
        known = [(q, part.separation) for q, part in zip(asked, found, strict=True)]
        parts = tuple(said.among(q.rows, n) for q, said in known if said is not None)
        self.separations_ = Separations(tuple(q.name for q in asked), parts) if self.C is None else None
        self._store(training.x, asked, found)
        if kernel is None:
            planes = [self._plane(training.x, q, part) for q, part in zip(asked, found, strict=True)]
            self.coef_, self.intercept_ = stacked(planes)
        else:
            biases = [part.intercept if isinstance(part, Margin) else np.nan for part in found]
            is_whole = all(isinstance(part, Margin) for part in found)
            self.coef_ = np.zeros((len(found), 0)) if is_whole else None  # type: ignore[assignment]
            self.intercept_ = np.array(biases)
        return self

    @property
    def _way_out(self) -> str:
        if self.kernel == "linear":
            return super()._way_out
        return "Give a C (soft margin), or another kernel or gamma."

    def _check_settings(self) -> None:
        check_otherwise(self.otherwise)
        if self.C is not None and not (np.isreal(self.C) and np.isfinite(self.C) and self.C > 0):
            raise ValueError(f"C={self.C!r} must be None (no slack) or a number above 0.")
        if self.solver not in SOLVERS:
            raise ValueError(f"solver={self.solver!r} must be 'libsvm' or 'liblinear'.")
        if self.solver == "liblinear" and self.kernel != "linear":
            raise ValueError(f"solver='liblinear' has no kernel={self.kernel!r}; use solver='libsvm'.")

    def _one(self, x: Floats, question: Question, kernel: Kernel | None) -> Margin | NoMargin:
        if self.C is None:
            return max_margin(x, question.is_positive, kernel)
        return soft_margin(x, question.is_positive, float(self.C), kernel, self.solver, self.tol)

    def _plane(self, x: Floats, question: Question, part: Margin | NoMargin) -> Plane | None:
        if isinstance(part, Margin):
            assert part.coef is not None
            return part.coef, part.intercept
        rows = x[question.rows]
        return stand_in(rows, question.is_positive, part.separation, self.otherwise, bias=True)

    def _store(self, x: Floats, asked: list[Question], found: list[Margin | NoMargin]) -> None:
        """Keep margins, gaps, and the multipliers of all rows that support some plane."""
        n = len(x)
        signed = np.zeros((len(found), n))
        is_support = np.zeros(n, dtype=bool)
        for row, question, part in zip(signed, asked, found, strict=True):
            if isinstance(part, Margin):
                side = np.where(question.is_positive, 1.0, -1.0)
                row[question.rows[part.support]] = part.multipliers * side[part.support]
                is_support[question.rows[part.support]] = True
        self.support_ = np.flatnonzero(is_support)
        self.dual_coef_ = signed[:, self.support_]
        self.support_vectors_ = x[self.support_]
        bounds = np.array([part.bounds if isinstance(part, Margin) else (0.0, 0.0) for part in found])
        gap = np.array([part.gap if isinstance(part, Margin) else np.inf for part in found])
        is_one = len(found) == 1
        self.bounds_ = bounds[0] if is_one else bounds
        margin = np.array([part.margin if isinstance(part, Margin) else 0.0 for part in found])
        self.margin_ = float(margin[0]) if is_one else margin
        self.gap_ = float(gap[0]) if is_one else gap

    @property
    def dual_(self) -> Floats:
        """The multipliers of the rows in `support_`; of several planes a row for each."""
        check_is_fitted(self, "dual_coef_")
        found = np.abs(self.dual_coef_)
        return found[0] if len(found) == 1 else found

    def decision_function(self, X: Any) -> Floats:
        """Return the score of each row; for more than two classes a column for each.

        >>> import treewright as tw
        >>> tw.MaxMarginClassifier().fit([[1.0], [3.0]], ["a", "b"]).decision_function([[4.0]])
        array([2.])
        """
        self._check_planes()
        if self.kernel == "linear":
            return super().decision_function(X)
        kernel = kernel_of(self.kernel, self.support_vectors_, self.gamma_, self.degree, self.constant)
        assert kernel is not None
        scores = kernel.matrix(self._matrix(X), self.support_vectors_) @ self.dual_coef_.T + self.intercept_
        if scores.shape[1] == 1:
            return np.asarray(scores[:, 0])
        return votes(scores, len(self.classes_)) if self.multi_class == "pairwise" else np.asarray(scores)
