"""Linear models read back from files, whichever of the classes it is."""

from __future__ import annotations

import os
from typing import Any

from treewright.estimators import linear_store
from treewright.estimators.linear_base import KIND, LinearModel
from treewright.estimators.logistic import LogisticRegression
from treewright.estimators.margin import MaxMarginClassifier
from treewright.estimators.perceptron import Perceptron
from treewright.estimators.separator import LinearSeparator
from treewright.tree import reader

_CLASSES: dict[str, type[LinearModel]] = {
    kind.__name__: kind for kind in (LinearSeparator, LogisticRegression, MaxMarginClassifier, Perceptron)
}


def load(path: str | os.PathLike[str]) -> LinearModel:
    """Return the linear model saved in a file; a damaged or foreign file is a ValueError that says why.

    >>> import os, tempfile
    >>> import treewright as tw
    >>> model = tw.Perceptron().fit([[0.0], [1.0]], ["a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(os.path.join(folder, "model.linear"))
    ...     load(os.path.join(folder, "model.linear")).predict([[5.0]]).tolist()
    ['b']
    """
    return reader.load(path, KIND, lambda file: _built(file.json()))


def _built(plain: Any) -> LinearModel:
    name = plain.get("model")
    if not isinstance(name, str) or name not in _CLASSES:
        raise ValueError(f"Not a linear model: there is no class {name!r:.60}.")
    KIND.check_digest(plain)  # of what the file says: a number that is not finite has a name there
    version = {"version": min(plain["version"], KIND.signed_from - 1)}
    body = {key: value for key, value in plain.items() if key != "digest"}
    model: LinearModel = _CLASSES[name].from_dict({**linear_store.decoded(body), **version})
    return model
