"""The linear program as an estimator: a separating plane, or the proof that there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright.estimators.linear_base import LinearModel
from treewright.estimators.pairs import questions, votes
from treewright.estimators.parameters import SeparatorParameters
from treewright.estimators.unknown import explaining
from treewright.linear.discriminant import discriminant
from treewright.linear.proof import Certificate, Separation, Separations
from treewright.linear.scores import divides
from treewright.linear.separation import separate
from treewright.linear.slacks import least_slacks

Floats = NDArray[np.float64]
OTHERWISE = ("discriminant", "slacks", "refuse")


class Paired(LinearModel):
    """A classifier that asks about two classes at a time, and keeps what was proven of each pair."""

    separations_: Separations | None
    _values: ClassVar[Mapping[str, Any]] = {"separations_": Separations}

    def _check_values(self) -> None:
        if self.separations_ is not None or getattr(self, "C", None) is None:  # with a C nothing is asked
            super()._check_values()

    def _proven(self) -> Separations:
        check_is_fitted(self, "separations_")
        return Separations((), ()) if self.separations_ is None else self.separations_

    @property
    def separable_(self) -> bool | None:
        """Whether planes separate all classes: every two, or each from the rest. None: it was not asked."""
        found = [part.is_separable for part in self._proven()]
        return all(found) if found else None

    @property
    def certificate_(self) -> Certificate | None:
        """Why not: a point in both hulls, with one weight a row, of the first pair without a plane."""
        return next((part.certificate for part in self._proven() if part.certificate is not None), None)

    @property
    def verdict_(self) -> str | None:
        """'separable', or of the first pair that is not 'touch', 'overlap', 'meet' or 'undecided'."""
        found = [part.verdict for part in self._proven()]
        return next((word for word in found if word != "separable"), "separable" if found else None)

    @property
    def _way_out(self) -> str:
        return "Fit with otherwise='discriminant', or a margin with a C, to predict."

    def _check_planes(self) -> None:
        check_is_fitted(self, "separations_")
        if self.coef_ is None:
            raise ValueError(
                f"No plane separates the classes ({self.verdict_}; see certificate_), and there is no other "
                f"to predict with. {self._way_out}"
            )

    def decision_function(self, X: Any) -> Floats:
        """Return w·x + b of each row; for more than two classes a column for each, votes of pairs or scores.

        >>> import treewright as tw
        >>> tw.LinearSeparator().fit([[1.0], [3.0]], ["a", "b"]).decision_function([[4.0]])
        array([2.])
        """
        self._check_planes()
        scores = super().decision_function(X)
        n = len(self.classes_)
        return votes(scores, n) if n > 2 and self.multi_class == "pairwise" else scores


@explaining
class LinearSeparator(SeparatorParameters, Paired):
    """A separating plane by linear programming, or the proof that none exists.

    `separable_` says which. If True, `coef_` and `intercept_` are a plane with all rows on their sides. If
    False, `certificate_` has one weight a row: convex weights, in each class of sum 1, of a point that lies
    in the hulls of both classes; `verdict_` says whether the hulls overlap or only touch. Both are proven
    without rounding before they are returned; see `separations_` for fractions and kinds of proof, and the
    guide (docs/linear.md).

    Args:
        bias: whether the plane may miss the origin. False is the lecture's program, w·x >= 0 and w·x <= -eps.
        objective: "feasibility" (any separating plane, midway between the classes) or "slacks" (the least sum
            of slacks, each class counting the same: Bennett and Mangasarian).
        otherwise: what `predict` uses if no plane separates: Fisher's "discriminant" (quick; or the plane on
            which hulls touch, if that is wrong on fewer rows), the plane of the least "slacks", or "refuse".
        multi_class: for more than two classes, planes between every two ("pairwise") or each class and the
            others ("one_vs_rest").
        features: a feature map, as in `tw.LogisticRegression`.
        categorical_features: as in `tw.DecisionTreeClassifier`.
        ordinal: as in `tw.DecisionTreeClassifier`.

    >>> import treewright as tw
    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> both = tw.LinearSeparator().fit(corners, [0, 0, 0, 1])
    >>> both.separable_, both.coef_, both.intercept_
    (True, array([[2., 2.]]), array([-3.]))
    >>> either = tw.LinearSeparator().fit(corners, [0, 1, 1, 0])
    >>> either.separable_, either.certificate_.weights, either.certificate_.point
    (False, array([0.5, 0.5, 0.5, 0.5]), array([0.5, 0.5]))
    """

    def fit(self, X: Any, y: Any) -> LinearSeparator:
        """Return the estimator, fitted.

        >>> import treewright as tw
        >>> tw.LinearSeparator().fit([[1], [2], [3]], ["a", "b", "c"]).predict([[0], [2], [9]]).tolist()
        ['a', 'b', 'c']
        """
        if self.objective not in ("feasibility", "slacks"):
            raise ValueError(f"objective={self.objective!r} must be 'feasibility' or 'slacks'.")
        check_otherwise(self.otherwise)
        training = self._training(X, y)
        asked = questions(training.codes, self.classes_, self.multi_class)
        n = len(training.x)
        found = [separate(training.x[q.rows], q.is_positive, self.bias).among(q.rows, n) for q in asked]
        self.separations_ = Separations(tuple(q.name for q in asked), tuple(found))
        pairs = zip(asked, found, strict=True)
        planes = [self._plane(training.x[q.rows], q.is_positive, part) for q, part in pairs]
        self.coef_, self.intercept_ = stacked(planes)
        return self

    def _plane(self, x: Floats, is_positive: NDArray[np.bool_], part: Separation) -> Plane | None:
        if not part.is_separable and (self.otherwise == "refuse" or self.objective == "feasibility"):
            return stand_in(x, is_positive, part, self.otherwise, self.bias)
        if self.objective == "slacks":
            found = least_slacks(x, is_positive, self.bias)
            # The solver's tolerance may be wider than the gap between the classes; the proven plane is not.
            if not part.is_separable or divides(x, is_positive, found.coef, found.intercept):
                return found.coef, found.intercept
        assert part.coef is not None
        assert part.intercept is not None
        return part.coef, part.intercept

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = not self.bias  # a plane through the origin fits few tables
        return tags


Plane = tuple[Floats, float]


def check_otherwise(otherwise: Any) -> None:
    """Refuse other words for what is done where no plane separates."""
    if otherwise not in OTHERWISE:
        raise ValueError(f"otherwise={otherwise!r} must be 'discriminant', 'slacks' or 'refuse'.")


def stand_in(
    x: Floats, is_positive: NDArray[np.bool_], part: Separation, otherwise: str, bias: bool
) -> Plane | None:
    """Return a plane to predict with where none separates, or None where that is to be refused."""
    if otherwise == "refuse":
        return None
    if otherwise == "slacks":
        found = least_slacks(x, is_positive, bias)
        return found.coef, found.intercept
    fisher = discriminant(x, is_positive, bias)
    if part.verdict == "touch" and part.coef is not None and part.intercept is not None:
        with np.errstate(over="ignore", invalid="ignore"):
            n_wrong = int(((x @ part.coef + part.intercept >= 0) != is_positive).sum())
        if n_wrong < fisher.n_wrong:
            return part.coef, part.intercept
    return fisher.coef, fisher.intercept


def stacked(planes: list[Plane | None]) -> tuple[Any, Any]:
    """Return the weights as rows and the biases; None and None where a plane is missing."""
    known = [plane for plane in planes if plane is not None]
    if len(known) < len(planes):
        return None, None
    return np.array([plane[0] for plane in known]), np.array([plane[1] for plane in known])
