"""treewright: decision trees you can read. Grow them exactly, look into them, hand them over.

>>> import treewright as tw
>>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
>>> tree.n_leaves
6
"""

from __future__ import annotations

from treewright import _program  # noqa: F401  isort: skip  (first: the command is to hear Ctrl-C from here on)

from importlib import import_module
from typing import TYPE_CHECKING, Any

from treewright import measure, prune
from treewright import verbs as _verbs  # noqa: F401  (gives Tree its predict, candidates, ...)
from treewright.fitting import grow
from treewright.table import (
    Column,
    DataWarning,
    Kind,
    Reading,
    Schema,
    Table,
    example,
    example_names,
    example_target,
    read,
    reading,
)
from treewright.tree import Tree
from treewright.verbs import load

if TYPE_CHECKING:
    from treewright import (
        discretise,
        draw,
        evaluate,
        explain,
        export,
        forest,
        lectures,
        linear,
        report,
        rules,
    )
    from treewright.estimators import (
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        LinearSeparator,
        LogisticRegression,
        MaxMarginClassifier,
        OptimalTreeClassifier,
        OptimalTreeRegressor,
        Perceptron,
        RandomForestClassifier,
        RandomForestRegressor,
        RuleClassifier,
    )
    from treewright.lookahead import optimal
    from treewright.model import Model, compare, fit

# Rooms that are loaded on first use, so that `import treewright` stays fast.
_ROOMS = (
    "discretise",
    "draw",
    "evaluate",
    "explain",
    "export",
    "forest",
    "lectures",
    "linear",
    "report",
    "rules",
)
# Loaded on first use: estimators need scikit-learn, which `import treewright` and `tw.load` do not.
_LAZY = {
    "Model": "treewright.model",
    "compare": "treewright.model",
    "fit": "treewright.model",
    "optimal": "treewright.lookahead",
    "DecisionTreeClassifier": "treewright.estimators",
    "DecisionTreeRegressor": "treewright.estimators",
    "LinearSeparator": "treewright.estimators",
    "LogisticRegression": "treewright.estimators",
    "MaxMarginClassifier": "treewright.estimators",
    "OptimalTreeClassifier": "treewright.estimators",
    "OptimalTreeRegressor": "treewright.estimators",
    "Perceptron": "treewright.estimators",
    "RandomForestClassifier": "treewright.estimators",
    "RandomForestRegressor": "treewright.estimators",
    "RuleClassifier": "treewright.estimators",
}

__all__ = [
    "Column",
    "DataWarning",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "Kind",
    "LinearSeparator",
    "LogisticRegression",
    "MaxMarginClassifier",
    "Model",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "Perceptron",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "Reading",
    "RuleClassifier",
    "Schema",
    "Table",
    "Tree",
    "compare",
    "discretise",
    "draw",
    "evaluate",
    "example",
    "example_names",
    "example_target",
    "explain",
    "export",
    "fit",
    "forest",
    "grow",
    "lectures",
    "linear",
    "load",
    "measure",
    "optimal",
    "prune",
    "read",
    "reading",
    "report",
    "rules",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("treewright")
    if name in _ROOMS:
        return import_module(f"treewright.{name}")
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    from treewright.base.names import hint

    raise AttributeError(f"module 'treewright' has no attribute {name!r}{hint(name, __all__)}")


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})
