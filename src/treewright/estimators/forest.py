"""Random forests as scikit-learn estimators."""

from __future__ import annotations

import dataclasses
import inspect
import os
import warnings
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from treewright.base.progress import Watcher
from treewright.estimators import inputs, state, targets, words
from treewright.estimators.base import Grown, OfClasses, Training, become, numbers_target, still
from treewright.estimators.calibrating import Calibrating
from treewright.estimators.exported import Exported
from treewright.estimators.parameters import ClassParameters, ForestParameters
from treewright.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.estimators.unknown import explaining
from treewright.explain.votes import Votes, explain_votes
from treewright.forest import Forest, join
from treewright.forest.grower import LEAST_ROWS, Trees, draws_for, grow_rows
from treewright.forest.importance import impurity_shares
from treewright.forest.oob import OutOfBag, out_of_bag_columns
from treewright.forest.quantiles import Quantiles, interval_bounds, quantiles_of
from treewright.forest.vote import is_majority, labels
from treewright.forest.walker import Ballots, arrived, voted
from treewright.growth import Settings
from treewright.predict.calibration import calibrated
from treewright.report.write import PageOptions
from treewright.report.write import report as write_report
from treewright.table import ClassTerms, Schema, Table

Self = TypeVar("Self", bound="_RandomForest")


class _RandomForest(Exported, ForestParameters, Grown):
    """What forests for classes and for numbers share."""

    forest_: Forest
    quantiles_: Quantiles  # of numbers, where leaves are kept
    vote = "mean"  # of numbers; the classifier has a parameter of that name

    # ---- fit ------------------------------------------------------------------------------------------

    def _grow(self: Self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Check, call, store: nothing is stored until all trees are grown."""
        is_majority(self.vote)
        draws = draws_for(self.bootstrap, self.max_samples)
        if self.oob_score and not self.bootstrap:
            raise ValueError("Out of bag estimation only available if bootstrap=True, which leaves rows out.")
        n_trees = words.count_of("n_estimators", self.n_estimators)
        fitted = still(self)
        given = fitted._training(X, y, sample_weight)
        before: Forest | None = vars(self).get("forest_") if self.warm_start else None
        first = 0 if before is None else before.n_trees
        if first > n_trees:
            raise ValueError(
                f"n_estimators={n_trees} must be larger or equal to the {first} trees of the warm start."
            )
        with words.in_parameters():
            settings = fitted._settings(given, before)
            if first == n_trees and before is not None:
                warnings.warn(
                    "Warm-start fitting without increasing n_estimators grows no tree.", stacklevel=3
                )
                forest = before
            else:
                forest = self._grown(given, settings, n_trees - first, first, draws)
                forest = forest if before is None else join(before, forest)
        fitted._finish(forest, given)
        return become(self, fitted)

    def _settings(self, given: Training, before: Forest | None) -> Settings:
        chosen = words.settings_of(
            {**vars(self), "prune": "none"},
            given.rows.n_rows,
            len(given.rows.schema),
            always_draws=True,
            names=given.rows.schema.names,
        )
        if self.min_samples_leaf is None and self.recipe == "plain":
            least = LEAST_ROWS[not isinstance(self, RegressorMixin)]
            chosen = dataclasses.replace(chosen, min_leaf=least)
        if before is not None:  # more trees of the same forest
            chosen = dataclasses.replace(chosen, seed=before.about["seed"])
        return chosen

    @staticmethod
    def _grown(given: Training, settings: Settings, n_trees: int, first: int, draws: Any) -> Forest:
        return grow_rows(given.rows, settings, Trees(n_trees, first, draws), given.terms)

    def _finish(self, forest: Forest, given: Training) -> None:
        found: dict[str, Any] = {"forest_": forest}
        if self.oob_score:
            found |= self._out_of_bag(forest, given)
        if getattr(self, "keep_leaves", False):
            rows = given.rows
            weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
            found["quantiles_"] = quantiles_of(forest, rows.columns, rows.answers, weights, self._n_threads())
        for name in ("oob_score_", "oob_decision_function_", "oob_prediction_", "n_never_out_", "quantiles_"):
            self.__dict__.pop(name, None)
        self.__dict__.update(found)

    def _out_of_bag(self, forest: Forest, given: Training) -> dict[str, Any]:
        """Return the attributes about rows that trees have not seen."""
        rows = given.rows
        said = out_of_bag_columns(
            forest, rows.columns, rows.answers, rows.weights, vote=self.vote, n_threads=self._n_threads()
        )
        figure = said.score
        if callable(self.oob_score):
            voted_on = said.n_votes > 0
            figure = self.oob_score(
                self._answer_values(rows.answers[voted_on]), self._answer_values(said.predicted[voted_on])
            )
        spread = said if given.kept is None else said.among(given.kept)
        return {
            "oob_score_": float(figure),
            "n_never_out_": said.n_never_out,
            **self._oob_answers(spread),
        }

    def _oob_answers(self, said: OutOfBag) -> dict[str, Any]:
        raise NotImplementedError

    def _answer_values(self, answers: NDArray[Any]) -> NDArray[Any]:
        raise NotImplementedError

    # ---- predict --------------------------------------------------------------------------------------

    def _cells(self, X: Any) -> tuple[Any, int]:
        check_is_fitted(self, "forest_")
        data = inputs.checked(self, X, reset=False)
        cells = inputs.cells_for(self.forest_, data)
        inputs.warn_unseen_of(self.forest_, cells)
        return cells, inputs.n_rows_of(data)

    def _ballots(self, X: Any) -> Ballots:
        cells, n_rows = self._cells(X)
        return voted(self.forest_, cells, n_rows, self._n_threads(), is_majority(self.vote))

    def _n_threads(self) -> int:
        return words.threads_of(self.n_jobs)

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the node each row ends in, rows x trees: of tree i, a node of `forest_.tree(i)`.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4]], ["a", "a", "b", "b"]
        >>> tw.RandomForestClassifier(2, bootstrap=False).fit(X, y).apply([[0], [9]]).tolist()
        [[1, 1], [2, 2]]
        """
        model = still(self)
        cells, n_rows = model._cells(X)
        return arrived(model.forest_, cells, n_rows, model._n_threads()).astype(np.int64)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the impurity decrease, the mean over trees (see also `tw.forest`).

        >>> import treewright as tw
        >>> X, y = [[1, 0], [2, 0], [3, 0], [4, 0]], ["a", "a", "b", "b"]
        >>> tw.RandomForestClassifier(2, bootstrap=False).fit(X, y).feature_importances_
        array([1., 0.])
        """
        check_is_fitted(self, "forest_")
        return impurity_shares(self.forest_)

    @property
    def estimators_(self) -> list[Any]:
        """The trees as fitted estimators of their own, made anew from `forest_` whenever they are asked for.

        They predict classes as values of `classes_` (scikit-learn's predict the places of classes).

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4]], ["a", "a", "b", "b"]
        >>> model = tw.RandomForestClassifier(2, bootstrap=False).fit(X, y)
        >>> [tree.predict([[1]]).tolist() for tree in model.estimators_]
        [['a'], ['a']]
        """
        check_is_fitted(self, "forest_")
        return [self._tree_estimator(i) for i in range(self.forest_.n_trees)]

    def _tree_estimator(self, i: int) -> Any:
        kind = DecisionTreeRegressor if isinstance(self, RegressorMixin) else DecisionTreeClassifier
        same = inspect.signature(kind).parameters.keys() & self.get_params().keys()
        model = kind(**{name: getattr(self, name) for name in same}, prune="none")
        for name in ("n_features_in_", "feature_names_in_", "classes_", "_class_order"):
            if name in vars(self):
                setattr(model, name, vars(self)[name])
        model.tree_ = self.forest_.tree(i)
        return model

    def explain(self, row: Any, X: Any = None) -> Votes:
        """Return how the trees voted on a row, and what they asked; a forest has no single way to tell.

        Args:
            row: a dict by column name, a Series, a frame of one row, a list in the order of the columns; or
                a row number, from 0 up, with its `X`.
            X: where a row number is given.

        >>> import treewright as tw
        >>> X, y = [[1, 0], [2, 0], [3, 0], [4, 0]], ["a", "a", "b", "b"]
        >>> print(tw.RandomForestClassifier(2, bootstrap=False).fit(X, y).explain([1, 0]))
        y is a: 2 of 2 trees say so.
        ...
        """
        check_is_fitted(self, "forest_")
        return explain_votes(self.forest_, row, X, vote=self.vote)

    def report(
        self,
        path: Any,
        X: Any = None,
        y: Any = None,
        *,
        X_test: Any = None,
        y_test: Any = None,
        title: str | None = None,
        seed: int = 0,
        n_jobs: int = 1,
        progress: Watcher | None = None,
    ) -> None:
        """Write one HTML page about the forest: importance, partial dependence, a tree that stands for it.

        Args:
            path: of the page.
            X: the rows of training, for the out-of-bag error and permutation importance.
            y: their answers.
            X_test: rows the forest has not seen.
            y_test: their answers.
            title: of the page; by default the name of the target.
            seed: of the permutations.
            n_jobs: trees worked on at once.
            progress: called with the share that is done.

        >>> import os, tempfile
        >>> import treewright as tw
        >>> X, y = [[i, i % 3] for i in range(30)], ["a"] * 15 + ["b"] * 15
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tw.RandomForestClassifier(20).fit(X, y).report(os.path.join(folder, "forest.html"), X, y)
        ...     os.listdir(folder)
        ['forest.html']
        """
        check_is_fitted(self, "forest_")
        training, test = (self._with_answers(*pair) for pair in ((X, y), (X_test, y_test)))
        how: PageOptions = {"title": title, "seed": seed, "n_jobs": n_jobs, "progress": progress}
        write_report(self.forest_, path, test, training=training, **how)

    def _with_answers(self, X: Any, y: Any) -> Any:
        """Return rows and answers as one table in the columns of the forest; None where there are none."""
        if X is None or y is None:
            if (X is None) != (y is None):
                raise ValueError("Rows need their answers: give both X and y, or neither.")
            return None
        forest = self.forest_
        data = inputs.checked(self, X, reset=False)
        cells = inputs.columns_for(forest, data)
        if forest.is_classifier:
            n_rows = inputs.n_rows_of(data)
            known = targets.codes_among(y, n_rows, self.classes_, self._class_order).astype(np.int32)
        else:
            known = np.asarray(y, dtype=np.float64)
        return Table(Schema((*forest.schema.columns, forest.target)), (*cells, known))

    # ---- storage --------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the forest to a file, which `tw.load` reads back as a `treewright.forest.Forest`.

        >>> import os, tempfile
        >>> import treewright as tw
        >>> model = tw.RandomForestClassifier(2, random_state=0).fit([[1], [2], [3]], ["a", "b", "b"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(os.path.join(folder, "m.forest"))
        ...     tw.load(os.path.join(folder, "m.forest")) == model.forest_
        True
        """
        check_is_fitted(self, "forest_")
        self.forest_.save(path)

    def __getstate__(self) -> dict[str, Any]:
        plain = dict(super().__getstate__())
        if "forest_" in plain:
            plain["forest_"] = state.forest_to_state(plain["forest_"])
        if "quantiles_" in plain:
            plain["quantiles_"] = dict(vars(plain["quantiles_"]))
        return plain

    def __setstate__(self, plain: dict[str, Any]) -> None:
        if "forest_" in plain:
            plain = {**plain, "forest_": state.forest_from_state(plain["forest_"])}
        if "quantiles_" in plain:
            plain = {**plain, "quantiles_": Quantiles(**plain["quantiles_"])}
        super().__setstate__(plain)


@explaining
@dataclasses.dataclass(eq=False, repr=False, kw_only=True)
class RandomForestClassifier(OfClasses, Calibrating, ClassifierMixin, ClassParameters, _RandomForest):
    """A random forest for classes: scikit-learn's contract, with categories and gaps as they are.

    Words that a tree has mean the same here (see `DecisionTreeClassifier`). The forest itself is `forest_`,
    a frozen `treewright.forest.Forest`. Trees are not pruned.

    Args:
        n_estimators: how many trees.
        recipe: "plain", or any other whose way to grow (not to prune) is wanted.
        criterion: "gini", "entropy", "gain_ratio", "error", "twoing", "hellinger" (two classes), or an object
            that scores all cuts of a column.
        splits: tests on categories: "binary" (best subset), "multiway" or "one_vs_rest".
        missing: as in a tree.
        unseen: as in a tree.
        max_depth: the deepest a leaf may lie; None: until leaves are pure.
        min_samples_split: rows a node needs to be split; a float is a share of all rows.
        min_samples_leaf: rows every branch needs; None is 1.
        min_weight_fraction_leaf: the share of all weight that every branch needs.
        max_leaf_nodes: a budget of leaves, spent on the best splits first.
        min_impurity_decrease: per row of the table.
        min_impurity: as in a tree.
        split_price: as in a tree.
        column_costs: as in a tree.
        cost_form: as in a tree.
        cost_power: as in a tree.
        monotone: as in a tree: every tree is monotone, and so is their mean.
        honest: the share of each tree's rows, drawn anew for each tree, that fill its leaves while the others
            choose its tests.
        max_features: columns drawn at every node: a number, a share, "sqrt", "log2", or None for all.
        splitter: "best", or "random" for cuts drawn at random (extremely randomised trees).
        bootstrap: draw rows with replacement for each tree; else every tree sees all rows.
        max_samples: how many draws: a number, or a share of the rows; None: as many as there are rows.
        oob_score: judge by the trees that have not seen a row: `oob_score_` (accuracy, or what a function of
            true and predicted classes gives), `oob_decision_function_`, `n_never_out_`.
        vote: "mean" of the leaves' probabilities, or "majority": one vote a tree.
        class_weight: "balanced", "balanced_subsample" (among the rows of each tree), or a weight per class by
            its value.
        priors: the share of each class, by its value or in the order of `classes_`.
        costs: of mistakes, row = true class.
        categorical_features: as in a tree.
        ordinal: as in a tree.
        warm_start: keep the trees there are and grow only the others: the same forest as at once.
        random_state: a whole number, a RandomState or None.
        n_jobs: threads; None is 1, -1 all cores. The forest does not depend on it.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> model = tw.RandomForestClassifier(50, random_state=0)
    >>> model = model.fit(table.drop("PlayTennis"), table.labels("PlayTennis"))
    >>> model.predict(table)[:4].tolist()
    ['No', 'No', 'Yes', 'Yes']
    """

    max_features: Any = "sqrt"
    vote: str = "mean"

    _model_name = "forest_"

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> RandomForestClassifier:
        """Return self, with the forest grown on X (frame, Table or array) and the classes y of any dtype.

        >>> import treewright as tw
        >>> tw.RandomForestClassifier(3).fit([[1], [2], [3]], ["a", "b", "b"]).forest_
        Forest(y by x0: 3 trees)
        """
        return self._grow(X, y, sample_weight)

    def _oob_answers(self, said: OutOfBag) -> dict[str, Any]:
        return {"oob_decision_function_": self._in_order(said.shares)}

    def _answer_values(self, answers: NDArray[Any]) -> NDArray[Any]:
        return self._named(answers)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class of each row, as a value of `classes_`.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4]], [True, True, False, False]
        >>> tw.RandomForestClassifier(5, bootstrap=False).fit(X, y).predict([[0], [9]])
        array([ True, False])
        """
        model = still(self)
        ballots = model._ballots(X)
        return model._named(labels(model.forest_, ballots.mean))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return class probabilities, columns in the order of `classes_`; by majority, the shares of votes.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4]], ["a", "a", "b", "b"]
        >>> tw.RandomForestClassifier(5, bootstrap=False).fit(X, y).predict_proba([[0], [9]])
        array([[1., 0.],
               [0., 1.]])
        """
        model = still(self)
        ballots = model._ballots(X)
        return model._in_order(calibrated(model.forest_.about, ballots.mean))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the natural logarithm of the class probabilities; -inf where a class cannot be.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4]], ["a", "a", "b", "b"]
        >>> tw.RandomForestClassifier(5, bootstrap=False).fit(X, y).predict_log_proba([[9]])
        array([[-inf,   0.]])
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


@explaining
@dataclasses.dataclass(eq=False, repr=False, kw_only=True)
class RandomForestRegressor(RegressorMixin, _RandomForest):
    """A random forest for numbers: scikit-learn's contract, with categories and gaps as they are.

    The parameters are those of `RandomForestClassifier` without what is about classes. A third of the columns
    is drawn at every node, and a leaf holds at least five rows (Breiman 2001), unless told otherwise.

    Args:
        keep_leaves: keep which training row lies in which leaf, for `predict_interval` and
            `predict_quantiles`: about five bytes a row and tree.

    >>> import treewright as tw
    >>> X, y = [[i] for i in range(20)], [0.0] * 10 + [8.0] * 10
    >>> tw.RandomForestRegressor(20, random_state=0).fit(X, y).predict([[1], [18]]).round(1)
    array([0.1, 8. ])
    """

    max_features: Any = 1 / 3
    keep_leaves: bool = False

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> RandomForestRegressor:
        """Return self, with the forest grown on X (frame, Table or array) and the numbers y.

        >>> import treewright as tw
        >>> tw.RandomForestRegressor(3).fit([[1], [2], [3]], [5, 7, 7]).forest_
        Forest(y by x0: 3 trees)
        """
        return self._grow(X, y, sample_weight)

    def _target(self, y: Any, n_rows: int) -> tuple[targets.Numbers, ClassTerms]:
        return numbers_target(self, y, n_rows)

    def _oob_answers(self, said: OutOfBag) -> dict[str, Any]:
        return {"oob_prediction_": said.predicted}

    def _answer_values(self, answers: NDArray[Any]) -> NDArray[Any]:
        return answers

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the predicted number of each row: the mean of what the trees say.

        >>> import treewright as tw
        >>> X, y = [[i] for i in range(20)], [0.0] * 10 + [8.0] * 10
        >>> tw.RandomForestRegressor(5, bootstrap=False).fit(X, y).predict([[0], [19]])
        array([0., 8.])
        """
        return np.asarray(still(self)._ballots(X).mean[:, 0])

    def predict_quantiles(self, X: Any, quantiles: ArrayLike = (0.05, 0.5, 0.95)) -> NDArray[np.float64]:
        """Return quantiles of the target for each row, rows x quantiles (needs `keep_leaves=True`).

        >>> import treewright as tw
        >>> X, y = [[0]] * 10, list(range(10))
        >>> model = tw.RandomForestRegressor(2, bootstrap=False, keep_leaves=True).fit(X, y)
        >>> model.predict_quantiles([[0]], [0.1, 0.5, 1.0]).tolist()
        [[0.0, 4.0, 9.0]]
        """
        check_is_fitted(self, "forest_")
        if "quantiles_" not in vars(self):
            raise ValueError(
                "Quantiles need the training rows' leaves: fit RandomForestRegressor(keep_leaves=True)."
            )
        model = still(self)
        cells, n_rows = model._cells(X)
        return model.quantiles_.of_cells(model.forest_, cells, n_rows, quantiles, model._n_threads())

    def predict_interval(self, X: Any, coverage: float = 0.9) -> NDArray[np.float64]:
        """Return bounds between which new answers lie with this probability, rows x 2.

        >>> import treewright as tw
        >>> X, y = [[0]] * 10, list(range(10))
        >>> model = tw.RandomForestRegressor(2, bootstrap=False, keep_leaves=True).fit(X, y)
        >>> model.predict_interval([[0]], coverage=0.6).tolist()
        [[1.0, 7.0]]
        """
        return self.predict_quantiles(X, interval_bounds(coverage))
