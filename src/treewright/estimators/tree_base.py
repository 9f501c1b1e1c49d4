"""What estimators of one tree share: fit, prune, predict, explain, draw, report, state."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from treewright.base.signature import advising, handing_on_to
from treewright.draw import Picture, plot
from treewright.estimators import inputs, state, words
from treewright.estimators.base import Grown, become, still
from treewright.estimators.exported import Exported
from treewright.estimators.notebook import box_with_picture
from treewright.estimators.parameters import TreeParameters
from treewright.estimators.pruning import PruneWord
from treewright.explain import Explanation, explain_row, impurity_decrease, paths
from treewright.fitting import grow_pruned
from treewright.growth import Settings
from treewright.growth.question import counted_weights
from treewright.predict import Routed, route_columns
from treewright.prune import Evidence, Sample, find, pruned
from treewright.prune.method import with_every_option
from treewright.prune.sample import sample_of_rows
from treewright.report import report
from treewright.rules import RuleSet, from_tree, to_sql
from treewright.table import Rows
from treewright.table.rows import check_weights
from treewright.tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.draw.plot import PlotOptions
    from treewright.explain.explanation import ExplainOptions
    from treewright.report.write import PageOptions

Self = TypeVar("Self", bound="TreeEstimator")
Tree_ = TypeVar("Tree_", bound="DecisionTree")


class TreeEstimator(Exported, Grown):
    """What estimators with one tree share, however it is found."""

    tree_: Tree

    def _settings(self, n_rows: int, names: Sequence[str]) -> Settings:
        raise NotImplementedError

    def _keep_pruning(self, word: Any) -> None:
        """Keep what was asked for; called on the estimator that has the pruned tree."""

    # ---- prune ----------------------------------------------------------------------------------------

    @with_every_option
    def pruned(
        self: Self,
        method: Any,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        progress: Any = None,
        **options: Any,
    ) -> Self:
        """Return a new fitted estimator with the pruned tree; this one stays as it is. Called as `prune`.

        Args:
            method: a name ("reduced_error", "cost_complexity", ...) or an object of `tw.prune`.
            X: the rows the method needs, if it needs any: those of `fit`, or rows kept back. It says so.
            y: their answers.
            sample_weight: their weights.
            progress: called with the share that is done, where a method takes long.
            **options: of the method.

        >>> import treewright as tw
        >>> X, y = [[i] for i in range(8)], list("aabaabbb")
        >>> model = tw.DecisionTreeClassifier().fit(X, y)
        >>> smaller = model.prune("cost_complexity", alpha=0.1)
        >>> model.get_n_leaves(), smaller.get_n_leaves()
        (4, 2)
        >>> model.prune("reduced_error", [[2], [3], [7]], ["a", "a", "b"]).get_n_leaves()
        2
        """
        check_is_fitted(self, "tree_")
        options = {name: value for name, value in options.items() if value is not None}
        chosen = find(method, **options)
        smaller = type(self).__new__(type(self))
        smaller.__dict__.update(self.__dict__)
        smaller._keep_pruning(chosen if options else method)
        if chosen is None:
            return smaller
        if (X is None) != (y is None):
            raise ValueError("Rows that judge a tree need their answers: give both X and y, or neither.")
        rows = None if X is None else self._judges(X, y, sample_weight, chosen.needs == "training")
        evidence = Evidence(rows, n_jobs=words.threads_of(self.n_jobs), progress=progress)
        smaller.tree_ = pruned(self.tree_, chosen, evidence)
        return smaller

    def _judges(self, X: Any, y: Any, sample_weight: Any, is_training: bool) -> Sample:
        """Return rows in the tree's own codes; those of training count as they did in growing."""
        data = inputs.checked(self, X, reset=False)
        n_rows = inputs.n_rows_of(data)
        with words.in_parameters():
            columns = inputs.all_columns_for(self.tree_, data)
        answers = self._coded_answers(y, n_rows)
        weights = None if sample_weight is None else check_weights(sample_weight, n_rows)
        rows = Rows(self.tree_.schema, tuple(columns), self.tree_.target, answers, weights)
        if is_training:
            settings = self._settings(n_rows, self.tree_.schema.names)
            rows = rows.weighing(counted_weights(rows, settings, self._class_weight_by_name(answers)))
        return sample_of_rows(rows)

    def _coded_answers(self, y: Any, n_rows: int) -> NDArray[Any]:
        raise NotImplementedError

    def _class_weight_by_name(self, answers: NDArray[Any]) -> Any:
        raise NotImplementedError

    # ---- predict --------------------------------------------------------------------------------------

    def _routed(self, X: Any) -> tuple[Routed, Any]:
        """Return where rows end, and their cells, which models look at again."""
        check_is_fitted(self, "tree_")
        data = inputs.checked(self, X, reset=False)
        cells = inputs.cells_for(self.tree_, data)
        inputs.warn_unseen_of(self.tree_, cells)
        n_rows, n_threads = inputs.n_rows_of(data), words.threads_of(self.n_jobs)
        return route_columns(self.tree_, cells, n_rows, n_threads), cells

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the node each row ends in: a leaf of `tree_`, or where an unseen category stopped it.

        A row that a missing value divides counts for its heaviest part.

        >>> import treewright as tw
        >>> tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"]).apply([[0], [9]]).tolist()
        [1, 2]
        """
        return still(self)._routed(X)[0].node.astype(np.int64)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return a sparse matrix, rows x nodes: 1 at every node a row passes, also with a part of it.

        >>> import treewright as tw
        >>> model = tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"])
        >>> model.decision_path([[0], [9]]).toarray().tolist()
        [[1, 1, 0], [1, 0, 1]]
        """
        model = still(self)
        routed, _ = model._routed(X)
        return paths(model.tree_, routed)

    # ---- what the tree is -----------------------------------------------------------------------------

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the total impurity decrease; all 0 for a single leaf.

        >>> import treewright as tw
        >>> tw.DecisionTreeClassifier().fit([[1, 0], [2, 0], [3, 0]], ["a", "b", "b"]).feature_importances_
        array([1., 0.])
        """
        check_is_fitted(self, "tree_")
        return impurity_decrease(self.tree_)

    def get_depth(self) -> int:
        """Return the depth of the deepest leaf; a single leaf has 0.

        >>> import treewright as tw
        >>> tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "a"]).get_depth()
        2
        """
        check_is_fitted(self, "tree_")
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves.

        >>> import treewright as tw
        >>> tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "a"]).get_n_leaves()
        3
        """
        check_is_fitted(self, "tree_")
        return self.tree_.n_leaves

    def rules(self) -> RuleSet:
        """Return the rules of the tree, one per leaf; they answer every row as the tree does.

        For rules that are more general than leaves, see `tw.RuleClassifier` and `tw.rules`.

        >>> import treewright as tw
        >>> print(tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"]).rules())
        2 rules for y, one for each leaf of the tree
        <BLANKLINE>
        1. IF x0 <= 1.5
           THEN a  (1 row, confidence 100 %, lift 3.000)
        2. IF x0 > 1.5
           THEN b  (2 rows, confidence 100 %, lift 1.500)
        """
        check_is_fitted(self, "tree_")
        return from_tree(self.tree_)

    def to_sql(self, dialect: str | None = None) -> str:
        """Return the tree as an SQL expression for a database; see `treewright.rules.to_sql`.

        >>> import treewright as tw
        >>> print(tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"]).to_sql("duckdb"))
        CASE
          WHEN "x0" <= 1.5e0 THEN 'a'
          WHEN ("x0" > 1.5e0 OR "x0" IS NULL) THEN 'b'
        END
        """
        return to_sql(self.rules(), dialect=dialect)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tree to a file, which `tw.load` reads back as a `treewright.Tree`.

        >>> import os, tempfile
        >>> import treewright as tw
        >>> model = tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(os.path.join(folder, "m.treewright"))
        ...     tw.load(os.path.join(folder, "m.treewright")) == model.tree_
        True
        """
        check_is_fitted(self, "tree_")
        self.tree_.save(path)

    @advising("plot")
    @handing_on_to(plot)
    def plot(
        self,
        path: Any = None,
        X: Any = None,
        y: Any = None,
        *,
        sample_weight: Any = None,
        **options: Unpack[PlotOptions],
    ) -> Picture:
        """Return the picture of the tree, saved where a path is given: .svg, .pdf, .png or .txt.

        Args:
            path: where to save it.
            X: rows that were not trained on: a second bar in every node.
            y: their answers.
            sample_weight: their weights.
            **options: of `treewright.draw.plot`: row, distributions, ax, width, height, max_depth, direction,
                title.

        >>> import treewright as tw
        >>> tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"]).plot()
        Picture(304 x 288 px, down: 2 of 2 leaves)
        """
        check_is_fitted(self, "tree_")
        if (X is None) != (y is None):
            raise ValueError("Rows for the second bar need their answers: give both X and y, or neither.")
        rows = None if X is None else self._judges(X, y, sample_weight, is_training=False)
        return plot(self.tree_, path, rows, **options)

    @advising("explain")
    @handing_on_to(explain_row)
    def explain(self, row: Any, X: Any = None, **options: Unpack[ExplainOptions]) -> Explanation:
        """Return why the tree answers a row as it does, how sure it is, and the least change to another.

        Args:
            row: a dict by column name, a Series, a frame of one row, a list in the order of the columns; or
                a row number, from 0 up, with its `X`.
            X: where a row number is given.
            **options: `wanted`, `fixed`, `costs`, `whole` and `most`, see `tw.explain.explain_row`.

        >>> import treewright as tw
        >>> model = tw.DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "a", "b", "b"])
        >>> print(model.explain([2]))
        y is a because x0 <= 2.5.
        <BLANKLINE>
        How sure: 2 of 2 training rows there are a, 100 % (95 % interval 34.2 to 100 %).
        <BLANKLINE>
        Near misses, one column alone:
          x0 from 2 to 3 (+1): b
        <BLANKLINE>
        Least change for another answer:
          1. x0 from 2 to 3 (+1): b
             (cost 0.4; 2 of 2 training rows there are b, 100 %)
        """
        check_is_fitted(self, "tree_")
        options.setdefault("probabilities", getattr(self, "probabilities", "raw"))
        return explain_row(self.tree_, row, X, **options)

    @advising("report")
    @handing_on_to(report)
    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        training: tuple[Any, Any] | None = None,
        **options: Unpack[PageOptions],
    ) -> None:
        """Write one HTML page about the tree that opens offline and holds no rows.

        Args:
            path: of the page.
            X: rows that were not used for fitting, to judge the tree by.
            y: their answers.
            sample_weight: their weights.
            training: X and y of `fit`, for `folds=10`, which cross-validates the sizes of the tree.
            **options: `title`, `folds`, `reading`, `seed`, `n_jobs`, `progress` as in `tw.Tree.report`.

        >>> import os, tempfile
        >>> import treewright as tw
        >>> model = tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.report(os.path.join(folder, "model.html"), [[0], [9]], ["a", "b"])
        ...     os.listdir(folder)
        ['model.html']
        """
        check_is_fitted(self, "tree_")
        if (X is None) != (y is None):
            raise ValueError("Rows that judge a tree need their answers: give both X and y, or neither.")
        rows = None if X is None else self._judges(X, y, sample_weight, is_training=False)
        grown_on = None if training is None else self._judges(*training, None, is_training=True)
        report(self.tree_, path, rows, training=grown_on, **options)

    # ---- scikit-learn and storage ---------------------------------------------------------------------

    def _repr_html_inner(self) -> str:
        return box_with_picture(super()._repr_html_inner(), self)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        found: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in found:
            found["text/html"] = box_with_picture(found["text/html"], self)
        return found

    def __getstate__(self) -> dict[str, Any]:
        plain = dict(super().__getstate__())
        if "tree_" in plain:
            plain["tree_"] = state.to_state(plain["tree_"])
        return plain

    def __setstate__(self, plain: dict[str, Any]) -> None:
        if "tree_" in plain:
            plain = {**plain, "tree_": state.from_state(plain["tree_"])}
        super().__setstate__(plain)


class DecisionTree(TreeParameters, TreeEstimator):
    """What trees that a recipe grows share, for classes and for numbers."""

    prune = PruneWord()  # a parameter, and a verb of a fitted estimator

    def _grow(self: Tree_, X: Any, y: Any, sample_weight: Any) -> Tree_:
        """Check, call, store."""
        fitted = still(self)
        given = fitted._training(X, y, sample_weight)
        with words.in_parameters():
            settings = fitted._settings(given.rows.n_rows, given.rows.schema.names)
            fitted.tree_ = grow_pruned(given.rows, settings, given.terms)
        return become(self, fitted)

    def _settings(self, n_rows: int, names: Sequence[str]) -> Settings:
        return words.settings_of(vars(self), n_rows, len(names), names=names)

    def _keep_pruning(self, word: Any) -> None:
        self.prune = word

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters as they were given.

        >>> import treewright as tw
        >>> tw.DecisionTreeClassifier(prune="cv").get_params()["prune"]
        'cv'
        """
        return {**super().get_params(deep), "prune": vars(self)["prune"]}
