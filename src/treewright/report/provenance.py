"""How a model was made: the settings that differ from the recipe's, all of them, and the versions."""

from __future__ import annotations

import platform
from dataclasses import fields
from importlib.metadata import version
from typing import Any

import numpy as np

from treewright.growth import RECIPES, Settings
from treewright.tree import Tree
from treewright.tree.plain import encode

_SETTINGS = {field.name: field.default for field in fields(Settings)}


def provenance(tree: Tree) -> dict[str, Any]:
    """Return recipe, settings with what is usual, what was done after growth, and versions.

    >>> import treewright as tw
    >>> found = provenance(tw.grow(tw.example("tennis"), target="PlayTennis", recipe="c4.5", min_branch=1))
    >>> found["recipe"], [row for row in found["settings"] if row[0] == "min_branch"]
    ('c4.5', [['min_branch', 1.0, 2.0]])
    """
    about = dict(tree.about)
    recipe = about.pop("recipe", None)
    usual = _SETTINGS | dict(RECIPES.get(recipe, {}))
    usual["criterion"] = usual["criterion"] or ("gini" if tree.is_classifier else "squared_error")
    settings = [[name, encode(about.pop(name)), encode(usual[name])] for name in _SETTINGS if name in about]
    return {
        "recipe": recipe,
        "settings": settings,
        "more": {name: encode(value) for name, value in about.items()},
        "versions": {
            "treewright": version("treewright"),
            "Python": platform.python_version(),
            "NumPy": np.__version__,
        },
    }
