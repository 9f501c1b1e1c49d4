"""Rules as a scikit-learn classifier."""

from __future__ import annotations

import inspect
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from treewright.base.names import choice
from treewright.base.signature import with_parameters
from treewright.estimators import inputs, state, targets, words
from treewright.estimators.base import become, still
from treewright.estimators.exported import Exported
from treewright.estimators.tree import DecisionTreeClassifier
from treewright.estimators.unknown import with_advice
from treewright.explain import Fired, explain_rules
from treewright.rules import Overlap, RuleSet, c45rules, from_tree, to_sql, voting
from treewright.rules.decide import Decision, decided
from treewright.rules.overlap import overlap_of
from treewright.rules.plain import KIND
from treewright.tree import Tree

METHODS = ("c4.5rules", "leaves", "voting")


class RuleClassifier(Exported, ClassifierMixin, BaseEstimator):
    """IF-THEN rules for classes: grown as a tree, made general, sifted and ordered, as scikit-learn has it.

    Args:
        method: "c4.5rules" (general rules in order, the first that matches decides), "leaves" (one rule per
            leaf, the tree's own answers) or "voting" (general rules that vote, in the manner of C5.0).
        recipe: of the tree; it is not pruned, unless `estimator` says so.
        discretise: cut numbers into intervals first, as in `DecisionTreeClassifier`.
        estimator: a `DecisionTreeClassifier` with all its settings, to grow the tree with instead.
        confidence: of C4.5rules' error estimate; smaller makes rules more general.
        significance: Fisher's exact test as a further reason to take a condition away; None: not asked.
        categorical_features: as in `DecisionTreeClassifier`.
        ordinal: as in `DecisionTreeClassifier`.
        random_state: of the draws with which the choice among many rules begins.
        n_jobs: threads to grow the tree with.

    The rules are `rules_`, a frozen `treewright.rules.RuleSet`; the tree they were made of is `tree_`.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> model = tw.RuleClassifier().fit(table.drop("PlayTennis"), table.labels("PlayTennis"))
    >>> len(model.rules_), model.predict(table)[:4].tolist()
    (5, ['No', 'No', 'Yes', 'Yes'])
    >>> print(model.rules_)  # doctest: +ELLIPSIS
    5 rules for y; the first that matches decides
    ...
    """

    classes_: NDArray[Any]
    rules_: RuleSet
    tree_: Tree

    @with_advice
    def __init__(
        self,
        *,
        method: str = "c4.5rules",
        recipe: str = "c4.5",
        discretise: Any = None,
        estimator: Any = None,
        confidence: float = 0.25,
        significance: float | None = None,
        categorical_features: Any = "from_dtype",
        ordinal: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.method = method
        self.recipe = recipe
        self.discretise = discretise
        self.estimator = estimator
        self.confidence = confidence
        self.significance = significance
        self.categorical_features = categorical_features
        self.ordinal = ordinal
        self.random_state = random_state
        self.n_jobs = n_jobs

    # ---- fit ------------------------------------------------------------------------------------------

    def fit(
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None, *, progress: Any = None
    ) -> RuleClassifier:
        """Return self, with rules made from X (frame, Table or array) and the classes y.

        `progress` is called with the share of the work on rules that is done.

        >>> import treewright as tw
        >>> model = tw.RuleClassifier(method="leaves", recipe="plain").fit([[1], [2], [3]], ["a", "b", "b"])
        >>> print(model.rules_)
        2 rules for y, one for each leaf of the tree
        <BLANKLINE>
        1. IF x0 <= 1.5
           THEN a  (1 row, confidence 100 %, lift 3.000)
        2. IF x0 > 1.5
           THEN b  (2 rows, confidence 100 %, lift 1.500)
        """
        self._check()
        if y is None:
            name = type(self).__name__
            raise ValueError(f"This {name} estimator requires y to be passed, but the target y is None.")
        grown = self._grower().fit(X, y, sample_weight)
        return become(self, still(self)._store_rules(grown, X, y, sample_weight, progress))

    @classmethod
    def from_tree(
        cls,
        model: DecisionTreeClassifier | Tree,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        *,
        progress: Any = None,
        **settings: Any,
    ) -> RuleClassifier:
        """Return a fitted classifier with the rules of a fitted tree; all methods but "leaves" need X and y.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4], [5], [6]], ["a", "a", "a", "b", "b", "b"]
        >>> tree = tw.DecisionTreeClassifier().fit(X, y)
        >>> tw.RuleClassifier.from_tree(tree, method="leaves").predict([[0], [9]]).tolist()
        ['a', 'b']
        >>> len(tw.RuleClassifier.from_tree(tree, X, y).rules_)
        2
        """
        if isinstance(model, Tree):
            model = _estimator_of(model)
        if not isinstance(model, DecisionTreeClassifier):
            raise TypeError(
                f"from_tree takes a fitted DecisionTreeClassifier or a Tree, not {type(model).__name__}."
            )
        check_is_fitted(model, "tree_")
        made = cls(estimator=model, **settings)
        made._check()
        if made.method != "leaves" and (X is None or y is None):
            raise ValueError(
                f"method={made.method!r} judges rules by the rows of training: give X and y. "
                "method='leaves' needs none."
            )
        return made._store_rules(model, X, y, sample_weight, progress)

    def _check(self) -> None:
        choice("method", self.method, METHODS)
        if self.estimator is not None and not isinstance(self.estimator, DecisionTreeClassifier):
            raise TypeError(
                f"estimator must be a DecisionTreeClassifier, not {type(self.estimator).__name__}."
            )

    def _grower(self) -> DecisionTreeClassifier:
        if self.estimator is not None:
            copy: DecisionTreeClassifier = clone(self.estimator)
            return copy
        return DecisionTreeClassifier(
            recipe=self.recipe,
            prune="none",
            discretise=self.discretise,
            categorical_features=self.categorical_features,
            ordinal=self.ordinal,
            n_jobs=self.n_jobs,
        )

    def _store_rules(
        self, grown: DecisionTreeClassifier, X: Any, y: Any, sample_weight: Any, progress: Any
    ) -> RuleClassifier:
        """Store what the tree knows of columns and classes, and the rules."""
        for name in ("n_features_in_", "feature_names_in_", "classes_", "_class_order", "tree_"):
            if name in vars(grown):
                setattr(self, name, getattr(grown, name))
            else:
                self.__dict__.pop(name, None)  # of an earlier fit
        if self.method == "leaves":
            self.rules_ = from_tree(self.tree_)
            return self
        rows = grown._judges(X, y, sample_weight, is_training=True)
        if self.method == "voting":
            self.rules_ = voting(self.tree_, rows, progress=progress)
            return self
        self.rules_ = c45rules(
            self.tree_,
            rows,
            confidence=self.confidence,
            significance=self.significance,
            seed=words.seed_of(self.random_state),
            progress=progress,
        )
        return self

    # ---- predict --------------------------------------------------------------------------------------

    def _decided(self, X: Any) -> Decision:
        check_is_fitted(self, "rules_")
        data = inputs.checked(self, X, reset=False)
        with words.in_parameters():
            columns = inputs.all_columns_for(self.tree_, data)
        inputs.warn_unseen_of(self.tree_, columns)
        return decided(self.rules_, columns, inputs.n_rows_of(data))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class of each row, as a value of `classes_`.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4], [5], [6]], [True, True, True, False, False, False]
        >>> tw.RuleClassifier().fit(X, y).predict([[0], [9]])
        array([ True, False])
        """
        model = still(self)
        labels = model._decided(X).labels
        return model.classes_[model._class_order].take(labels)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return class probabilities, columns in the order of `classes_`; see `RuleSet.predict_proba`.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4], [5], [6]], ["a", "a", "a", "b", "b", "b"]
        >>> tw.RuleClassifier().fit(X, y).predict_proba([[0], [9]])
        array([[0.8, 0.2],
               [0.2, 0.8]])
        """
        model = still(self)
        found = model._decided(X).chances
        sorted_as_classes = np.empty_like(found)
        sorted_as_classes[:, model._class_order] = found
        return sorted_as_classes

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the place in `rules_` of the rule that decides each row; -1 is the default.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4], [5], [6]], ["a", "a", "a", "b", "b", "b"]
        >>> tw.RuleClassifier().fit(X, y).apply([[0], [9]]).tolist()
        [0, 1]
        """
        return still(self)._decided(X).rule.astype(np.int64)

    def explain(self, row: Any, X: Any = None) -> Fired:
        """Return which rules decide a row: a dict, a Series, a frame of one row, a list, or a number with X.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4], [5], [6]], ["a", "a", "a", "b", "b", "b"]
        >>> print(tw.RuleClassifier().fit(X, y).explain([5]))
        y is b because of rule 2:
        ...
        """
        check_is_fitted(self, "rules_")
        return explain_rules(self.rules_, row, X)

    def to_sql(self, dialect: str | None = None) -> str:
        """Return the rules as an SQL expression for a database; see `treewright.rules.to_sql`.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4], [5], [6]], ["a", "a", "a", "b", "b", "b"]
        >>> print(tw.RuleClassifier().fit(X, y).to_sql("duckdb"))
        CASE
          ...
        """
        check_is_fitted(self, "rules_")
        return to_sql(self.rules_, dialect=dialect)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rules to a file, which `tw.load` reads back as a `treewright.rules.RuleSet`.

        >>> import os, tempfile
        >>> import treewright as tw
        >>> model = tw.RuleClassifier().fit([[1], [2], [3], [4]], ["a", "a", "b", "b"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(os.path.join(folder, "m.rules"))
        ...     tw.load(os.path.join(folder, "m.rules")) == model.rules_
        True
        """
        check_is_fitted(self, "rules_")
        self.rules_.save(path)

    def overlap(self, X: Any, y: Any = None) -> Overlap:
        """Return how the rules share rows: how many match each, which contradict, who has the default alone.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4], [5], [6]], ["a", "a", "a", "b", "b", "b"]
        >>> print(tw.RuleClassifier().fit(X, y).overlap(X, y))
        rules that match  rows  share  conflicting  errors
                       1     6  100 %            0       0
        0 rows have the default alone.
        No rules contradict each other.
        """
        check_is_fitted(self, "rules_")
        data = inputs.checked(self, X, reset=False)
        n_rows = inputs.n_rows_of(data)
        with words.in_parameters():
            columns = inputs.all_columns_for(self.tree_, data)
        answers = None if y is None else targets.codes_among(y, n_rows, self.classes_, self._class_order)
        return overlap_of(self.rules_, columns, n_rows, answers)

    # ---- scikit-learn and storage ---------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        of_tree = self._grower().__sklearn_tags__() if self.method in METHODS else tags
        tags.input_tags.allow_nan = of_tree.input_tags.allow_nan
        tags.input_tags.categorical = of_tree.input_tags.categorical
        return tags

    def __getstate__(self) -> dict[str, Any]:
        plain = dict(super().__getstate__())
        if "rules_" in plain:
            plain |= {
                "tree_": state.to_state(plain["tree_"]),
                "rules_": KIND.signed(plain["rules_"].to_dict()),
            }
        return plain

    def __setstate__(self, plain: dict[str, Any]) -> None:
        if "rules_" in plain:
            tree, rules = state.from_state(plain["tree_"]), RuleSet.from_dict(plain["rules_"])
            plain = {**plain, "tree_": tree, "rules_": rules}
        super().__setstate__(plain)


_own = dict(inspect.signature(RuleClassifier).parameters)
del _own["estimator"]  # the tree that is given
with_parameters(RuleClassifier.from_tree.__func__, _own.values())  # type: ignore[attr-defined]  # a class method


def _estimator_of(tree: Tree) -> DecisionTreeClassifier:
    """Return a fitted estimator that has this tree; its classes are their names."""
    if not tree.is_classifier:
        raise ValueError(
            f"The tree predicts the number {tree.target.name!r}; a RuleClassifier is for classes. "
            "Its rules for numbers are tree.rules()."
        )
    model = DecisionTreeClassifier(
        recipe=tree.about.get("recipe", "plain"),
        prune="none",
        missing=tree.about.get("missing"),
        unseen=tree.about.get("unseen"),
    )
    model.tree_ = tree
    model.classes_, model._class_order = np.unique(np.array(tree.classes), return_inverse=True)
    model.feature_names_in_ = np.array(tree.schema.names, dtype=object)
    model.n_features_in_ = len(tree.schema)
    return model
