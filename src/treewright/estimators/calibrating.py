"""`calibrate` of classifiers: probabilities put right by rows that the model has not seen."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright.estimators import inputs, targets
from treewright.estimators.base import still
from treewright.evaluate.calibration import calibrate
from treewright.predict.calibration import KEY
from treewright.table import Schema, Table

Self = TypeVar("Self", bound="Calibrating")


class Calibrating:
    """What classifiers with one tree or forest share: a new estimator with calibrated probabilities."""

    classes_: NDArray[Any]
    _class_order: NDArray[np.intp]
    _model_name: str  # the attribute that holds the tree or the forest

    def calibrate(self: Self, X: Any, y: Any, method: str = "isotonic", *, sample_weight: Any = None) -> Self:
        """Return a new fitted estimator whose probabilities are put right; this one stays as it is.

        Args:
            X: rows that were not used in `fit`; a few hundred at least.
            y: their classes.
            method: "isotonic" for many rows, "beta" for fewer; see `tw.evaluate.calibrate`.
            sample_weight: one number per row.

        >>> import treewright as tw
        >>> X, y = [[1], [2], [3], [4]], ["a", "a", "b", "b"]
        >>> model = tw.DecisionTreeClassifier().fit(X, y)
        >>> sober = model.calibrate([[1], [1], [4], [4]], ["a", "b", "b", "b"])
        >>> model.predict_proba([[1]]).tolist(), sober.predict_proba([[1]]).tolist()
        ([[1.0, 0.0]], [[0.5, 0.5]])
        """
        check_is_fitted(self, self._model_name)
        better = still(self)
        model = vars(better)[self._model_name]
        rows = table_with_classes(better, model, X, y)
        words = getattr(better, "probabilities", None)
        found = calibrate(model, rows, method, probabilities=words, weights=sample_weight)
        setattr(better, self._model_name, found)
        return better

    def _is_calibrated(self) -> bool:
        return KEY in vars(self)[self._model_name].about


def table_with_classes(estimator: Any, model: Any, X: Any, y: Any) -> Table:
    """Return rows and their classes as one table in the columns of a fitted tree or forest."""
    data = inputs.checked(estimator, X, reset=False)
    cells = inputs.columns_for(model, data)
    codes = targets.codes_among(y, inputs.n_rows_of(data), estimator.classes_, estimator._class_order)
    if (codes < 0).any():
        odd = np.asarray(y).tolist()[int(np.argmax(codes < 0))]
        raise ValueError(f"y has the class {odd!r}, which the model does not know.")
    return Table(Schema((*model.schema.columns, model.target)), (*cells, codes.astype(np.int32)))
