"""How a model was made: the settings that differ from the recipe's, all of them, and the versions."""

from __future__ import annotations

import platform
from dataclasses import fields
from importlib.metadata import version
from typing import Any

import numpy as np

from treewright.base.numbers import number, percent
from treewright.growth import RECIPES, Settings
from treewright.tree import Tree
from treewright.tree.certificate import KEY as CERTIFICATE
from treewright.tree.certificate import Certificate
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
    recipe, proof = about.pop("recipe", None), Certificate.of(tree.about)
    about.pop(CERTIFICATE, None)
    usual = _SETTINGS | dict(RECIPES.get(recipe, {}))
    usual["criterion"] = usual["criterion"] or ("gini" if tree.is_classifier else "squared_error")
    settings = [[name, encode(about.pop(name)), encode(usual[name])] for name in _SETTINGS if name in about]
    return {
        "recipe": recipe,
        "certificate": None if proof is None else _in_words(proof),
        "settings": settings,
        "more": {name: encode(value) for name, value in about.items()},
        "versions": {
            "treewright": version("treewright"),
            "Python": platform.python_version(),
            "NumPy": np.__version__,
        },
    }


def _in_words(proof: Certificate) -> list[list[str]]:
    """Return the certificate as lines of a table: what it is called, and what it says."""
    ended = {"proof": "the proof", "time_limit": "the time limit", "work_limit": "the limit of work"}
    lines = [
        ["cost of the tree", proof.cost_in_words()],
        ["least cost of any tree", f"{'' if proof.is_proven else 'at least '}{number(proof.lower, 6)}"],
        ["proven optimal", "yes" if proof.is_proven else f"no: gap {percent(proof.relative_gap, 1)}"],
        ["sub-problems solved", f"{proof.n_solved:,}"],
        ["ended by", ended.get(proof.ended_by, "an interrupt")],
    ]
    if proof.n_listed is not None:
        complete = "complete" if proof.is_list_complete else "not complete"
        lines.append(["different trees found", f"{proof.n_listed:,} ({complete})"])
    return lines
