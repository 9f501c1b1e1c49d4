"""Numbers cut into intervals, as scikit-learn transformers."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from treewright.estimators import binned_frames, inputs, targets
from treewright.growth.binning import edges_of
from treewright.measure import Discretiser, interval_names, intervals
from treewright.table.rows import check_weights

Self = TypeVar("Self", bound="_Intervals")


class _Intervals(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """What all ways to cut share: fit finds edges, transform puts numbers between them."""

    way: str  # its name in `treewright.measure.discretiser`
    edges_: dict[str, NDArray[np.float64]]
    intervals_: dict[str, tuple[str, ...]]

    @property
    def discretiser(self) -> Discretiser:
        """The way to cut and its options as a plain value: what `discretise=` of a tree takes.

        >>> import treewright as tw
        >>> tw.discretise.EqualWidth(bins=3).discretiser.to_plain()
        {'name': 'equal_width', 'bins': 3}
        """
        return Discretiser.by_name(self.way, **self.get_params(deep=False))

    def fit(self: Self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Return self, with the edges of every numeric column of X; y is looked at by the ways that need it.

        >>> import treewright as tw
        >>> tw.discretise.MDLP().fit([[1], [2], [3], [7], [8], [9]], list("aaabbb")).edges_
        {'x0': array([5.])}
        """
        way = self.discretiser
        if way.needs_classes and y is None:
            name = type(self).__name__
            raise ValueError(f"This {name} estimator requires y to be passed, but the target y is None.")
        data = inputs.checked(self, X, reset=True)
        n_rows = inputs.n_rows_of(data)
        answers = self._classes(y, n_rows) if way.needs_classes else np.zeros(n_rows, dtype=np.int32)
        weights = None if sample_weight is None else check_weights(sample_weight, n_rows)
        if weights is not None:
            if not weights.any():
                raise ValueError("All sample weights are zero: there is no row to cut by.")
            kept = weights > 0
            data, answers, weights = inputs.without(data, kept), answers[kept], weights[kept]
        schema, values = inputs.features(data, "from_dtype", None)
        self.edges_ = edges_of(way, schema, values, answers, weights)
        self._places = [i for i, name in enumerate(schema.names) if name in self.edges_]
        self.intervals_ = {name: interval_names(edges) for name, edges in self.edges_.items()}
        return self

    def _classes(self, y: Any, n_rows: int) -> NDArray[np.int32]:
        try:
            return targets.classes_of(y, n_rows, by_declared_order=False).answers
        except ValueError as trouble:
            if "Unknown label type" not in str(trouble):
                raise
            raise ValueError(
                f"{type(self).__name__} looks at classes, but y holds numbers with fractions. "
                "Use EqualWidth or EqualFrequency, which do not look at y, or cut y into classes first."
            ) from None

    def transform(self, X: Any) -> Any:
        """Return X with intervals in place of numbers; gaps stay gaps, other columns as they are.

        A data frame (or `set_output`) gets ordered categories with the intervals' names, a Table ordinal
        columns; an array gets the number of the interval, from 0 up, and NaN for a gap. Numbers beyond what
        `fit` met lie in the outer intervals.

        >>> import pandas
        >>> import treewright as tw
        >>> ages = pandas.DataFrame({"age": [12, 40, None, 71]})
        >>> tw.discretise.ByHand({"age": [18, 65]}).fit(ages).transform(ages)["age"].tolist()
        ['<= 18', '(18, 65]', nan, '> 65']
        >>> tw.discretise.ByHand([18, 65]).fit([[1]]).transform([[12], [40]]).tolist()
        [[0.0], [1.0]]
        """
        check_is_fitted(self, "edges_")
        data = inputs.checked(self, X, reset=False)
        names = list(self.edges_)
        numbers = inputs.numbers_of(data, self._places, names)
        found = {
            place: binned_frames.Binned(
                name, intervals(cells, self.edges_[name]), tuple(self.edges_[name].tolist())
            )
            for place, name, cells in zip(self._places, names, numbers, strict=True)
        }
        return binned_frames.replaced(data, found, self._container())

    def _container(self) -> str:
        """Return what `set_output` or scikit-learn's configuration asks for."""
        own = getattr(self, "_sklearn_output_config", {}).get("transform")
        return str(own or get_config()["transform_output"])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.target_tags.required = Discretiser.of(self.way).needs_classes  # type: ignore[union-attr]
        return tags


class EqualWidth(_Intervals):
    """Intervals of one width between the least and the largest number of each column.

    Fitted: `edges_`, by column its inner cut points, and `intervals_`, the names of the intervals.

    Args:
        bins: how many intervals.

    >>> import treewright as tw
    >>> tw.discretise.EqualWidth(bins=4).fit([[0], [1], [2], [10]]).edges_
    {'x0': array([2.5, 5. , 7.5])}
    """

    way = "equal_width"

    def __init__(self, bins: int = 10) -> None:
        self.bins = bins


class EqualFrequency(_Intervals):
    """Intervals that hold as nearly as possible one share of the rows each; equal numbers stay together.

    Where numbers repeat there may be fewer intervals than asked for.

    Args:
        bins: how many intervals.

    >>> import treewright as tw
    >>> tw.discretise.EqualFrequency(bins=2).fit([[0], [1], [2], [10]]).edges_
    {'x0': array([1.5])}
    """

    way = "equal_frequency"

    def __init__(self, bins: int = 10) -> None:
        self.bins = bins


class MDLP(_Intervals):
    """The intervals of Fayyad and Irani (1993): cut while that tells the classes in fewer bits.

    A column that no cut is worth has one interval, called "all".

    Args:
        encoding: what a cut costs to tell: "rows", log2(n - 1) as published, or "cuts", log2 of the number of
            possible cuts (Weka's "better encoding").

    >>> import treewright as tw
    >>> temperature = [[40], [48], [60], [70], [80], [90]]
    >>> tw.discretise.MDLP().fit(temperature, ["No", "No", "Yes", "Yes", "Yes", "No"]).intervals_
    {'x0': ('all',)}
    """

    way = "mdlp"

    def __init__(self, encoding: str = "rows") -> None:
        self.encoding = encoding


class Kononenko(_Intervals):
    """The intervals of Kononenko (1995): like MDLP, with another count of bits, exact for few rows.

    >>> import treewright as tw
    >>> tw.discretise.Kononenko().fit([[1], [2], [3], [7], [8], [9]], list("aaabbb")).edges_
    {'x0': array([5.])}
    """

    way = "kononenko"


class BoundaryPoints(_Intervals):
    """A cut wherever the class changes from one number to the next: the cuts a tree could ever prefer.

    >>> import treewright as tw
    >>> temperature = [[40], [48], [60], [70], [80], [90]]
    >>> tw.discretise.BoundaryPoints().fit(temperature, ["No", "No", "Yes", "Yes", "Yes", "No"]).edges_
    {'x0': array([54., 85.])}
    """

    way = "boundary_points"


class ByHand(_Intervals):
    """Intervals between given edges; a number equal to an edge belongs to the lower interval.

    Args:
        edges: a list for every numeric column, or a dict of lists by column name; numeric columns it does not
            name stay numbers.

    >>> import treewright as tw
    >>> tw.discretise.ByHand([18, 65]).fit([[3]]).intervals_
    {'x0': ('<= 18', '(18, 65]', '> 65')}
    """

    way = "by_hand"

    def __init__(self, edges: Any = ()) -> None:
        self.edges = edges
