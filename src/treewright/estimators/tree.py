"""Decision trees as scikit-learn estimators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, RegressorMixin

from treewright.estimators import targets
from treewright.estimators.base import OfClasses, numbers_target, still
from treewright.estimators.calibrating import Calibrating
from treewright.estimators.from_files import FromFiles
from treewright.estimators.parameters import ClassParameters
from treewright.estimators.tree_base import DecisionTree
from treewright.estimators.unknown import explaining
from treewright.predict import values
from treewright.predict.smoothing import estimate_of
from treewright.predict.vote import labels, own_chances
from treewright.table import ClassTerms


class OfTreeClasses(OfClasses, Calibrating, ClassifierMixin):
    """What a tree for classes answers."""

    _model_name = "tree_"

    def _coded_answers(self, y: Any, n_rows: int) -> NDArray[Any]:
        return targets.codes_among(y, n_rows, self.classes_, self._class_order)

    def _class_weight_by_name(self, answers: NDArray[Any]) -> Any:
        known = targets.Classes(self.tree_.target, answers, self.classes_, self._class_order)
        return targets.by_class_name("class_weight", self.class_weight, known)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class of each row, as a value of `classes_`.

        >>> import treewright as tw
        >>> tw.DecisionTreeClassifier().fit([[1], [2], [3]], [True, False, False]).predict([[0], [9]])
        array([ True, False])
        """
        model = still(self)
        routed, cells = model._routed(X)
        return model._named(labels(model.tree_, routed, cells))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return class probabilities, columns in the order of `classes_`, made as `probabilities` says.

        >>> import treewright as tw
        >>> model = tw.DecisionTreeClassifier(probabilities="laplace").fit([[1], [2], [3]], ["a", "b", "b"])
        >>> model.predict_proba([[9]])
        array([[0.25, 0.75]])
        """
        model = still(self)
        routed, cells = model._routed(X)
        wanted = None if model._is_calibrated() else model.probabilities
        return model._in_order(own_chances(model.tree_, routed, wanted, cells))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the natural logarithm of the class probabilities; -inf where a class cannot be.

        >>> import treewright as tw
        >>> tw.DecisionTreeClassifier().fit([[1], [2]], ["a", "b"]).predict_log_proba([[9]])
        array([[-inf,   0.]])
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class OfTreeNumbers(RegressorMixin):
    """What a tree for numbers answers."""

    def _target(self, y: Any, n_rows: int) -> tuple[targets.Numbers, ClassTerms]:
        return numbers_target(self, y, n_rows)

    def _coded_answers(self, y: Any, n_rows: int) -> NDArray[Any]:
        return targets.numbers_of(y, n_rows).answers

    def _class_weight_by_name(self, answers: NDArray[Any]) -> Any:  # noqa: ARG002
        return None

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the predicted number of each row: the mean of its leaf.

        >>> import treewright as tw
        >>> tw.DecisionTreeRegressor().fit([[1], [2], [3]], [5, 7, 7]).predict([[0], [9]])
        array([5., 7.])
        """
        model = still(self)
        routed, cells = model._routed(X)
        return values(model.tree_, routed, cells)


@explaining
@dataclass(eq=False, repr=False, kw_only=True)
class DecisionTreeClassifier(OfTreeClasses, FromFiles, ClassParameters, DecisionTree):
    """A decision tree for classes: scikit-learn's contract, with categories and gaps as they are.

    Frames may hold numbers, text, truth values and categories; missing cells of any sort are allowed.
    None means: what the recipe says. The tree itself is `tree_`, a frozen `treewright.Tree`.

    Args:
        recipe: "plain" (exact binary gini tree, like scikit-learn's), "id3", "c4.5", "cart" or "stump".
        criterion: "gini", "entropy", "gain_ratio", "error", "twoing", "hellinger" (two classes), or an object
            that scores all cuts of a column.
        splits: tests on categories: "binary" (best subset), "multiway" or "one_vs_rest"; "linear" is binary,
            and tests sums of several columns too; "conjunction" tests that two or three conditions hold at
            once, "m_of_n" that so many of several do.
        linear_attributes: columns in such a sum, or conditions in such a test, at most.
        linear_search: how sums are found: "fitted", "random", "coordinate", or "all" three; or "separator",
            "perceptron" or "margin".
        linear_categories: how categories enter sums: "none", "indicator" or "impact".
        linear_penalty: the share of its score that each column beyond the first costs a test.
        linear_tries: random sums at a node.
        linear_lookahead: the old name of `lookahead`.
        lookahead: 2 or 3: a test is chosen by the best subtree of so many levels that begins with it;
            "polish": subtrees of the finished tree give way to the best of two levels with no more leaves.
        lookahead_rows: nodes with more rows are split without look-ahead.
        leaves: what nodes answer with: "constant" (a class), or "logistic", a model in every node.
        leaf_attributes: columns in such a model, at most.
        missing: "learned", "fractional", "surrogate", "own_branch", "most_common", "most_common_overall",
            "drop" or "error".
        unseen: unknown categories: "most_common", "fractional", "stop_here", "missing" or "error".
        discretise: cut numbers into intervals first: "mdlp", "kononenko", "boundary_points", "equal_width",
            "equal_frequency", or an object such as `tw.discretise.EqualWidth(bins=5)`.
        prune: "none", a name ("error_based", "cost_complexity", "reduced_error", "error_complexity"), "cv"
            (cost-complexity by cross-validation), or an object such as `tw.prune.ErrorBased(confidence=0.1)`.
            None is what the recipe says; with tests on several columns "cv", where it says nothing.
            Of a fitted model `model.prune(...)` gives a new one, pruned.
        max_depth: the deepest a leaf may lie.
        min_samples_split: rows a node needs to be split; a float is a share of all rows.
        min_samples_leaf: rows every branch needs; a float is a share of all rows.
        min_samples_branch: rows that at least two branches need (C4.5's -m).
        min_weight_fraction_leaf: the share of all weight that every branch needs.
        max_leaf_nodes: a budget of leaves, spent on the best splits first.
        min_gain: the least score of a test: impurity decrease per row of the node, or gain ratio.
        min_impurity_decrease: the same per row of the table, as scikit-learn counts it.
        min_impurity: a node of less impurity (gini, bits, variance: the criterion's own) is a leaf.
        split_price: what a test must take off for each branch beyond the first: weight x impurity.
        column_costs: what it costs to know a column, by name, `{"blood": 5.0}`; others cost 1.
        cost_form: how columns of different cost are compared: "idx" (gain / cost), "eg2" or "cs_id3".
        cost_power: the power of the cost in that form.
        monotone: columns along which predictions rise (+1) or fall (-1), `{"age": 1}`, or a direction for
            each column, `[1, 0, -1]`; two classes only. `monotonic_cst` is taken for it.
        schools: what the tree keeps for policies for gaps beside its own (`tree_.predict(X, missing=...)`):
            "own" (nothing), "sides" (the side of gaps by node) or "all" (surrogates too).
        honest: the share of the rows that fill the leaves of what the others grow and prune; None is 0, all
            rows do both.
        majority_share: stop where one class has more than this share.
        significance: stop where the chi-square test of the split is not significant at this level.
        max_features: columns drawn at every node: a number, a share, "sqrt" or "log2".
        splitter: "best", or "random" for cuts drawn at random.
        class_weight: "balanced", or a weight per class by its value.
        priors: the share of each class, by its value or in the order of `classes_`.
        costs: of mistakes, row = true class: nested dicts by value, or a matrix in the order of `classes_`.
        categorical_features: "from_dtype" (text, categories and truth values), None (all are numbers), or the
            columns that are categories: names, places or a mask; all others are then numbers.
        ordinal: the order of values by column, `{"size": ["S", "M", "L"]}`.
        probabilities: "raw" (shares in the leaf), "laplace" or "m_estimate".
        ledger: keep every test that was considered: `tree_.why_not("Humidity")`.
        random_state: a whole number, a RandomState or None; only `max_features`, `splitter="random"`,
            `splits="linear"` and `honest` draw.
        n_jobs: threads; None is 1, -1 all cores. The tree does not depend on it.

    Rows are counted one by one in `min_samples_...`; with missing="fractional" (C4.5) they are counted by
    weight, so that weights far below 1 stop growth: scale them first.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> model = tw.DecisionTreeClassifier(recipe="id3")
    >>> model = model.fit(table.drop("PlayTennis"), table.labels("PlayTennis"))
    >>> model.predict(table)[:4].tolist()
    ['No', 'No', 'Yes', 'Yes']
    >>> model.classes_.tolist(), model.get_n_leaves()
    (['No', 'Yes'], 6)
    """

    majority_share: float | None = None
    significance: float | None = None
    probabilities: str = "raw"

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> DecisionTreeClassifier:
        """Return self, with the tree grown on X (frame, Table or array) and the classes y of any dtype.

        >>> import treewright as tw
        >>> print(tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"]).tree_.to_text())
        x0
        ├─ <= 1.5 → a  (1 row)
        └─ > 1.5 → b  (2 rows)
        """
        estimate_of(self.probabilities)
        if self.monotone and self.probabilities != "raw":
            raise ValueError(
                f"probabilities={self.probabilities!r} moves the shares of small leaves more than those of "
                "large ones, which breaks the order that monotone promises. Use probabilities='raw'."
            )
        return self._grow(X, y, sample_weight)


@explaining
class DecisionTreeRegressor(OfTreeNumbers, FromFiles, DecisionTree):
    """A decision tree for numbers: scikit-learn's contract, with categories and gaps as they are.

    The parameters are those of `DecisionTreeClassifier` without what is about classes; the criterion is
    "squared_error", "poisson", "gaussian_entropy", "absolute_error" or an object; the recipe "plain",
    "cart" or "stump", leaves "constant" (a mean) or "linear".

    >>> import treewright as tw
    >>> model = tw.DecisionTreeRegressor(max_depth=1).fit([[1], [2], [3], [4]], [5, 5, 7, 9])
    >>> model.predict([[0], [9]])
    array([5., 8.])
    """

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> DecisionTreeRegressor:
        """Return self, with the tree grown on X (frame, Table or array) and the numbers y.

        >>> import treewright as tw
        >>> print(tw.DecisionTreeRegressor().fit([[1], [2], [3]], [5, 7, 7]).tree_.to_text())
        x0
        ├─ <= 1.5 → 5  (1 row)
        └─ > 1.5 → 7  (2 rows)
        """
        return self._grow(X, y, sample_weight)
