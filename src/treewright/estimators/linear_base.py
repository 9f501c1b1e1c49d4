"""What the linear classifiers share: the same tables as the trees in, a matrix with names to compute on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from treewright.base import digest
from treewright.base.verbs import kind_of_model
from treewright.estimators import inputs, linear_store, targets, words
from treewright.estimators.exported import Exported
from treewright.linear import maps
from treewright.linear.coding import Coding
from treewright.linear.scores import scores_of
from treewright.linear.summary import BIAS, Summary, Weight
from treewright.report.write import report as write_report
from treewright.table import Table
from treewright.table.raw import label
from treewright.table.rows import check_weights
from treewright.tree.plain import encode
from treewright.tree.reader import Kind

Floats = NDArray[np.float64]
FORMAT = "treewright linear model"
VERSION = 2  # 2 is 1 with a digest: what `save` writes
KIND = Kind(FORMAT, "a linear model", newest=VERSION, signed_from=2)


class LinearTraining(NamedTuple):
    """What a linear classifier was given to fit: checked, coded, mapped."""

    x: Floats  # rows x terms, C order
    codes: NDArray[np.intp]  # the class of each row, its place in `classes_`
    weights: Floats | None  # None: every row counts 1
    kept: NDArray[np.bool_] | None  # which rows of X count; None: all

    @property
    def signs(self) -> Floats:
        """+1 for rows of the second class, -1 for those of the first."""
        return np.where(self.codes == 1, 1.0, -1.0)


class _Asker(NamedTuple):
    """A coding as `inputs` wants it: a schema of which every column is asked for."""

    schema: Any
    used_columns: NDArray[np.intp]


@kind_of_model("linear")
class LinearModel(Exported, ClassifierMixin, BaseEstimator):
    """A classifier with a weight for each term. Subclasses fit; this reads tables and keeps names.

    A subclass has the settings `features`, `categorical_features` and `ordinal`, calls `_training` in `fit`,
    and sets `coef_` (one row, or one for each class) and `intercept_`.
    """

    classes_: NDArray[Any]
    coding_: Coding
    map_: maps.Mapped | None
    coef_: Floats
    intercept_: Floats

    _is_binary_only: ClassVar[bool] = False
    _zero_is_second: ClassVar[bool] = True  # the lectures' Threshold(0) = +1
    _stored: ClassVar[tuple[str, ...]] = ("coef_", "intercept_")  # arrays and plain values of a fit
    _values: ClassVar[Mapping[str, Any]] = {}  # frozen values of a fit: classes with to_dict and from_dict

    # ---- fit ------------------------------------------------------------------------------------------

    def _reference(self) -> Any:
        """Return which category of a nominal column has no term; None: all have one."""
        return None

    def _training(self, X: Any, y: Any, sample_weight: Any = None) -> LinearTraining:
        """Return what is fitted, and set `classes_`, `coding_`, `map_` and `terms_`.

        A row of weight 0 is no row: neither its class nor its categories count.
        """
        if y is None:
            name = type(self).__name__
            raise ValueError(f"This {name} estimator requires y to be passed, but the target y is None.")
        data = inputs.checked(self, X, reset=True)
        target = targets.classes_of(y, inputs.n_rows_of(data), by_declared_order=False)
        codes, kept = target.answers.astype(np.intp), None
        weights = None if sample_weight is None else check_weights(sample_weight, len(codes))
        if weights is not None and not weights.any():
            raise ValueError("All sample weights are zero: there is no row to fit.")
        if weights is not None and not weights.all():
            kept = weights > 0
            data, codes, weights = inputs.without(data, kept), codes[kept], weights[kept]
        self._set_classes(target.sorted, codes)
        if len(self.classes_) < len(target.sorted):
            codes = np.unique(codes, return_inverse=True)[1].astype(np.intp)
        return LinearTraining(self._fitted_matrix(data), codes, weights, kept)

    def _set_classes(self, known: NDArray[Any], codes: NDArray[np.intp]) -> None:
        self.classes_ = known[np.flatnonzero(np.bincount(codes, minlength=len(known)))]
        name, n = type(self).__name__, len(self.classes_)
        if n < 2:
            raise ValueError(
                f"{name} needs rows of at least two classes; found one class: {self.classes_.tolist()[0]!r}."
            )
        if n > 2 and self._is_binary_only:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"{name} divides two classes, found {n}. "
                f"Try sklearn.multiclass.OneVsRestClassifier({name}())."
            )

    def _fitted_matrix(self, data: Any) -> Floats:
        with words.in_parameters():
            schema, columns = inputs.features(data, self.categorical_features, self.ordinal)
        self.coding_ = Coding.of_columns(schema, columns, self._reference())
        self.map_ = None
        x = self._coded(data, columns)
        if self.features is not None:
            self.map_ = maps.map_of(self.features).on(self.coding_.terms, self.coding_.groups)
            x = self.map_.matrix(x)
        return x

    @property
    def terms_(self) -> tuple[str, ...]:
        """The names of the terms, one for each weight."""
        check_is_fitted(self, "coding_")
        return self.coding_.terms if self.map_ is None else self.map_.terms

    def report(self, path: Any, title: str | None = None) -> None:
        """Write one HTML page about the weights, with their intervals where they have some.

        >>> import os, tempfile
        >>> import treewright as tw
        >>> model = tw.LogisticRegression().fit([[1], [2], [3], [4], [5]], [0, 1, 0, 1, 1])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.report(os.path.join(folder, "model.html"))
        ...     os.listdir(folder)
        ['model.html']
        """
        check_is_fitted(self, "coef_")
        summary = getattr(self, "summary", self._weights)
        write_report(summary(), path, title=title)

    def _weights(self) -> Summary:
        """Return the weights alone, of a model that knows nothing of their errors."""
        names = [label(value) for value in self.classes_.tolist()]
        coef, intercept = np.atleast_2d(self.coef_), np.atleast_1d(self.intercept_)
        rows = names if len(coef) == len(names) else names[1 : len(coef) + 1]
        rows = rows if len(rows) == len(coef) else [f"plane {i + 1}" for i in range(len(coef))]
        found = [
            Weight(row, term, float(value))
            for row, weights, bias in zip(rows, coef, intercept, strict=True)
            for term, value in zip((BIAS, *self.terms_), (bias, *weights), strict=True)
        ]
        return Summary(f"{type(self).__name__}: {' / '.join(names)}", tuple(found), 0.95)

    # ---- predict --------------------------------------------------------------------------------------

    def _matrix(self, X: Any) -> Floats:
        """Return the terms of rows given after fit."""
        check_is_fitted(self, "coef_")
        data = inputs.checked(self, X, reset=False)
        x = self._coded(data, None)
        return x if self.map_ is None else self.map_.matrix(x)

    def _coded(self, data: Any, columns: Any) -> Floats:
        """Return checked data as a matrix; `columns` where they have been read already."""
        schema = self.coding_.schema
        cells = inputs.cells_for(_Asker(schema, np.arange(len(schema))), data) if columns is None else columns
        whole = inputs._whole(data) if columns is not None and self.coding_.is_numeric else cells
        if isinstance(whole, np.ndarray) and whole.dtype in (np.float32, np.float64):
            x: Floats = np.require(whole, np.float64, ["C", "A"])
            if np.isfinite(x).all():
                return x
        if isinstance(cells, np.ndarray):
            cells = list(cells.T)
        return self.coding_.matrix_of(cells, lambda name, row: _cell(data, schema.index(name), row))

    def decision_function(self, X: Any) -> Floats:
        """Return w·x + b of each row; for more than two classes a column for each.

        >>> import treewright as tw
        >>> model = tw.LogisticRegression(l2=1.0).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"])
        >>> model.decision_function([[1.5]]).round(9) + 0.0
        array([0.])
        """
        scores = scores_of(self._matrix(X), self.coef_, self.intercept_)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class of each row, as a value of `classes_`.

        >>> import treewright as tw
        >>> model = tw.LogisticRegression(l2=1.0).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"])
        >>> model.predict([[0.0], [3.0]]).tolist()
        ['a', 'b']
        """
        scores = self.decision_function(X)
        if scores.ndim == 2:
            return np.asarray(self.classes_[scores.argmax(axis=1)])
        is_second = scores >= 0 if self._zero_is_second else scores > 0
        return np.asarray(self.classes_[is_second.astype(np.intp)])

    # ---- scikit-learn and storage ---------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = self.categorical_features is not None
        tags.classifier_tags.multi_class = not self._is_binary_only
        return tags

    def __getstate__(self) -> dict[str, Any]:
        plain = dict(super().__getstate__())
        for name in {"coding_", *self._values} & set(plain):
            plain[name] = _value_to_dict(plain[name])
        if plain.get("map_") is not None and not isinstance(plain["map_"], maps.OfFunction):
            plain["map_"] = plain["map_"].to_dict()
        return {**plain, digest.NAME: self._digest(plain)} if "coef_" in plain else plain

    def __setstate__(self, plain: dict[str, Any]) -> None:
        plain = dict(plain)
        given = plain.pop(
            digest.NAME, None
        )  # pickle, joblib and skops notice no damage; older ones have none
        if given is not None and given != self._digest(plain):
            raise ValueError(
                f"Not a {type(self).__name__} as it was stored: it was changed or damaged since."
            )
        for name, kind in {"coding_": Coding, **self._values}.items():
            plain |= {name: _value_from(kind, plain[name])} if name in plain else {}
        if isinstance(plain.get("map_"), dict):
            plain["map_"] = maps.from_dict(plain["map_"])
        super().__setstate__(plain)

    def _digest(self, plain: Mapping[str, Any]) -> str:
        """Return the digest of what a fit has found, in the form in which it is stored."""
        found = {
            name: _plain(plain[name]) for name in ("coding_", *self._stored, *self._values) if name in plain
        }
        return digest.of(encode(found))

    def to_dict(self) -> dict[str, Any]:
        """Return the fitted model as plain JSON values: coding, map, classes, weights, settings.

        Features made by a function of yours are code, which cannot be written down: that is a ValueError.

        >>> import treewright as tw
        >>> model = tw.LogisticRegression(l2=1.0).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"])
        >>> tw.LogisticRegression.from_dict(model.to_dict()).predict([[3.0]]).tolist()
        ['b']
        """
        check_is_fitted(self, "coef_")
        settings = {**self.get_params(deep=False), "features": maps.spec_to_dict(self.features)}
        inner = ("n_features_in_", "feature_names_in_", "classes_", *self._stored)
        return {
            "format": FORMAT,
            "version": 1,
            "model": type(self).__name__,
            "settings": {name: _plain(value) for name, value in settings.items()},
            "coding": self.coding_.to_dict(),
            "map": None if self.map_ is None else self.map_.to_dict(),
            "fit": {name: _plain(vars(self)[name]) for name in inner if name in vars(self)},
            "values": {name: _value_to_dict(vars(self)[name]) for name in self._values if name in vars(self)},
        }

    @classmethod
    def from_dict(cls, plain: Any) -> Any:
        """Return the model that `to_dict` wrote; anything else is a ValueError.

        >>> import treewright as tw
        >>> tw.LogisticRegression.from_dict({"model": "Perceptron"})
        Traceback (most recent call last):
        ValueError: A LogisticRegression is stored as an object with 'format', ...
        """
        wanted = {"format", "version", "model", "settings", "coding", "map", "fit", "values"}
        if not isinstance(plain, Mapping) or not wanted <= set(plain):
            raise ValueError(
                f"A {cls.__name__} is stored as an object with 'format', 'version', 'model', 'settings', "
                f"'coding', 'map', 'fit' and 'values'; found {plain!r:.100}."
            )
        KIND.check_header(plain)
        if plain["model"] != cls.__name__:
            raise ValueError(f"This is no {cls.__name__}, but a {plain['model']!r:.60}.")
        with linear_store.nonsense_refused(cls.__name__):
            model = cls._rebuilt(plain)
            linear_store.check_fit(model)
            model._check_values()
        KIND.check_digest(plain)
        return model

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file as JSON with a digest, whole or not at all; `tw.load` reads it back.

        >>> import os, tempfile
        >>> import treewright as tw
        >>> model = tw.LogisticRegression(l2=1.0).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(os.path.join(folder, "model.linear"))
        ...     tw.load(os.path.join(folder, "model.linear")).predict([[3.0]]).tolist()
        ['b']
        """
        linear_store.save(KIND.signed(encode(self.to_dict())), path)

    def _check_values(self) -> None:
        """Refuse frozen values of a fit that do not go with its classes and terms."""
        for name, kind in self._values.items():
            if not isinstance(getattr(self, name), kind):
                raise ValueError(f"The stored value '{name}' is no {kind.__name__}.")

    @classmethod
    def _rebuilt(cls, plain: Mapping[str, Any]) -> Any:
        settings = {name: _from_plain(value) for name, value in plain["settings"].items()}
        known = set(cls._get_param_names())
        if set(settings) - known:
            raise ValueError(f"{cls.__name__} has no settings {sorted(set(settings) - known)}.")
        model = cls(**{**settings, "features": maps.spec_from_dict(settings.get("features"))})
        model.coding_ = Coding.from_dict(plain["coding"])
        model.map_ = None if plain["map"] is None else maps.from_dict(plain["map"])
        for name in {"n_features_in_", "feature_names_in_", "classes_", *cls._stored} & set(plain["fit"]):
            setattr(model, name, _from_plain(plain["fit"][name]))
        for name, kind in cls._values.items():
            setattr(model, name, _value_from(kind, plain["values"][name]))
        return model


def _value_to_dict(value: Any) -> Any:
    """Return a frozen value, or several, as plain values."""
    if value is None:
        return None
    return [one.to_dict() for one in value] if isinstance(value, tuple) else value.to_dict()


def _value_from(kind: Any, plain: Any) -> Any:
    """Return what `_value_to_dict` took apart; what is no plain value is left as it is."""
    if isinstance(plain, list):
        return tuple(kind.from_dict(one) for one in plain)
    return kind.from_dict(plain) if isinstance(plain, dict) else plain


def _cell(data: Any, place: int, row: int) -> str:
    """Return the text of one cell, for an error."""
    if isinstance(data, Table):
        return str(data.labels(data.names[place])[row])
    if isinstance(data, np.ndarray):
        return str(data[row, place])
    import narwhals.stable.v2 as nw

    return str(nw.from_native(data, eager_only=True)[:, place].to_list()[row])


def _plain(value: Any) -> Any:
    """Return a value as JSON values; arrays keep their dtype."""
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "dtype": value.dtype.str if value.dtype != object else "object"}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {"mapping": [[_plain(key), _plain(cell)] for key, cell in value.items()]}
    if isinstance(value, (list, tuple)):
        return [_plain(cell) for cell in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise ValueError(f"{value!r:.60} ({type(value).__name__}) has no plain form.")


def _from_plain(plain: Any) -> Any:
    if isinstance(plain, Mapping):
        if set(plain) == {"array", "dtype"}:
            return linear_store.array_of(plain["array"], plain["dtype"])
        if set(plain) == {"mapping"}:
            return {_from_plain(key): _from_plain(cell) for key, cell in plain["mapping"]}
        return plain
    return [_from_plain(cell) for cell in plain] if isinstance(plain, list) else plain
