"""Optimal trees as scikit-learn estimators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from treewright.estimators import words
from treewright.estimators.base import become, still
from treewright.estimators.parameters import ClassParameters, OptimalParameters
from treewright.estimators.tree import OfTreeClasses, OfTreeNumbers
from treewright.estimators.tree_base import TreeEstimator
from treewright.estimators.unknown import explaining
from treewright.growth import Settings
from treewright.lookahead.asking import settings_for
from treewright.lookahead.search import Effort, optimal_tree
from treewright.predict.smoothing import estimate_of
from treewright.tree.certificate import Certificate


class OptimalTree(OptimalParameters, TreeEstimator):
    """What optimal trees for classes and for numbers share."""

    recipe = "plain"  # no parameter: what the recipe says where no word is given
    certificate_: Certificate
    _usual = "error"  # the criterion, where none is given
    prune = TreeEstimator.pruned

    def _search(self: Any, X: Any, y: Any, sample_weight: Any) -> Any:
        """Check, call, store."""
        fitted = still(self)
        given = fitted._training(X, y, sample_weight)
        with words.in_parameters():
            settings = fitted._settings(given.rows.n_rows, given.rows.schema.names)
            effort = Effort(fitted.time_limit, None, fitted.memory)
            found = optimal_tree(given.rows, settings, given.terms, fitted.leaf_price, effort)
        fitted.tree_, fitted.certificate_ = found.tree, found.certificate
        return become(self, fitted)

    def _settings(self, n_rows: int, names: Sequence[str]) -> Settings:  # noqa: ARG002
        criterion = self._usual if self.criterion is None else self.criterion
        least = words.size_of("min_samples_leaf", self.min_samples_leaf, n_rows, least=1) or 0
        limits = (self.max_depth, self.max_leaf_nodes, least)
        return settings_for(criterion, self.splits, self.missing, *limits)

    def _keep_pruning(self, word: Any) -> None:  # noqa: ARG002
        self.__dict__.pop("certificate_", None)  # it spoke of the whole tree


@explaining
@dataclass(eq=False, repr=False, kw_only=True)
class OptimalTreeClassifier(OfTreeClasses, ClassParameters, OptimalTree):
    """The tree for classes that no tree of its depth beats on the training rows; with the proof.

    The tree is `tree_`, what is proven of it `certificate_`: its cost, the least that any tree could have,
    and whether the two are equal. See `treewright.optimal`.

    Args:
        max_depth: the deepest a leaf may lie.
        max_leaf_nodes: leaves, at most.
        min_samples_leaf: rows every leaf must have; a float is a share of all rows.
        leaf_price: what each leaf costs, in the unit of the criterion (errors: weight of rows).
        criterion: what is least, summed over leaves: "error" (the default), "gini", "entropy" or "hellinger".
        splits: tests on categories: "binary" (every subset of up to 8 levels), "one_vs_rest" or "multiway".
        missing: "learned" (any branch), "own_branch", "drop" or "error".
        time_limit: seconds; the best tree so far is kept, and `certificate_.gap` says what may be left.
        memory: bytes for sub-problems that are remembered.
        class_weight: "balanced", or a weight per class by its value.
        priors: the share of each class, by its value or in the order of `classes_`.
        costs: of mistakes, row = true class: nested dicts by value, or a matrix in the order of `classes_`.
        categorical_features: "from_dtype", None, or the columns that are categories.
        ordinal: the order of values by column, `{"size": ["S", "M", "L"]}`.
        probabilities: "raw" (shares in the leaf), "laplace" or "m_estimate".
        n_jobs: threads of prediction.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> model = tw.OptimalTreeClassifier(max_depth=2)
    >>> model = model.fit(table.drop("PlayTennis"), table.labels("PlayTennis"))
    >>> model.certificate_.upper, model.certificate_.is_proven
    (2.0, True)
    """

    probabilities: str = "raw"

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> OptimalTreeClassifier:
        """Return self, with the optimal tree for X (frame, Table or array) and the classes y of any dtype.

        >>> import treewright as tw
        >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["even", "odd", "odd", "even"]
        >>> tw.OptimalTreeClassifier(max_depth=2).fit(X, y).score(X, y)
        1.0
        """
        estimate_of(self.probabilities)
        self._search(X, y, sample_weight)
        return self


@explaining
class OptimalTreeRegressor(OfTreeNumbers, OptimalTree):
    """The tree for numbers that no tree of its depth beats on the training rows; with the proof.

    The parameters are those of `OptimalTreeClassifier` without what is about classes; the criterion is
    "squared_error" (the default), "poisson" or "gaussian_entropy".

    >>> import treewright as tw
    >>> model = tw.OptimalTreeRegressor(max_depth=1).fit([[1], [2], [3], [4]], [5, 5, 7, 9])
    >>> model.predict([[0], [9]]), model.certificate_.upper
    (array([5., 8.]), 2.0)
    """

    _usual = "squared_error"

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> OptimalTreeRegressor:
        """Return self, with the optimal tree for X (frame, Table or array) and the numbers y.

        >>> import treewright as tw
        >>> tw.OptimalTreeRegressor(max_depth=1).fit([[1], [2], [3]], [5, 7, 7]).certificate_.is_proven
        True
        """
        self._search(X, y, sample_weight)
        return self
