"""treewright: decision trees you can read. Grow them exactly, look into them, hand them over.

>>> import treewright as tw
>>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
>>> tree.n_leaves
6
"""

from __future__ import annotations

from treewright import _program  # noqa: F401  isort: skip  (first: the command is to hear Ctrl-C from here on)

from treewright import verbs as _verbs  # noqa: F401  (gives Tree its predict, candidates, ...)
from treewright.base.first_use import names_of as _names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from treewright import (
        discretise,
        distributed,
        draw,
        evaluate,
        explain,
        export,
        forest,
        lectures,
        linear,
        measure,
        prune,
        report,
        rules,
    )
    from treewright.base.data_warning import DataWarning
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
    from treewright.fitting import grow
    from treewright.lookahead import optimal
    from treewright.model import Model, Tuning, compare, fit, tune, windowed
    from treewright.table import Column, Kind, Schema, Table, example, example_names, example_target
    from treewright.table.read import read
    from treewright.table.reading import Reading, reading
    from treewright.tree import Tree
    from treewright.verbs import load

# Where a name comes from. All is loaded on first use: `import treewright` stays fast, and a program pays
# for the rooms that it uses. Estimators alone need scikit-learn. A name that is not listed is a room.
_PLACES = {
    name: f"treewright.{place}"
    for place, names in {
        "base.data_warning": "DataWarning",
        "estimators": "DecisionTreeClassifier DecisionTreeRegressor LinearSeparator LogisticRegression "
        "MaxMarginClassifier OptimalTreeClassifier OptimalTreeRegressor Perceptron RandomForestClassifier "
        "RandomForestRegressor RuleClassifier",
        "fitting": "grow",
        "lookahead": "optimal",
        "model": "Model Tuning compare fit tune windowed",
        "table": "Column Kind Reading Schema Table example example_names example_target read reading",
        "tree": "Tree",
        "verbs": "load",
    }.items()
    for name in names.split()
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
    "Tuning",
    "compare",
    "discretise",
    "distributed",
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
    "tune",
    "windowed",
]

# Rooms that are within reach, but not of everybody's concern.
_BELOW = (
    "base",
    "cli",
    "estimators",
    "fitting",
    "growth",
    "model",
    "predict",
    "route",
    "serve",
    "table",
    "tree",
)

_found = _names_of("treewright", {name: f"treewright.{name}" for name in (*__all__, *_BELOW)} | _PLACES)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("treewright")
    return _found(name)


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})
