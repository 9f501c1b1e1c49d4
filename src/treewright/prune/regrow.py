"""Growing again as a tree was grown, on some of its rows: what cross-validation asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.growth import RECIPES, Settings
from treewright.growth.grower import grown
from treewright.prune.sample import Sample
from treewright.table import ClassTerms, Rows
from treewright.tree import Tree

Regrow = Callable[[NDArray[Any]], Tree]  # the numbers of the rows to grow on -> a tree


def settings_of(tree: Tree) -> Settings:
    """Return the settings that a tree says it was grown with.

    >>> import treewright as tw
    >>> settings_of(tw.grow(tw.example("tennis"), target="PlayTennis", recipe="c4.5")).min_branch
    2.0
    """
    recipe = tree.about.get("recipe")
    if not isinstance(recipe, str) or recipe not in RECIPES:
        raise ValueError(
            f"The tree does not say how it was grown (its recipe is {recipe!r}), so it cannot be grown again "
            "on a part of the rows. Give alpha, or a validation table."
        )
    given = {f.name: tree.about[f.name] for f in fields(Settings) if f.name in tree.about}
    given.pop("prune", None)  # in a tree it is what was done, not what is to be done
    return Settings(**given | {"tasks": tuple(RECIPES[recipe].get("tasks", ("classes", "numbers")))})


def regrow_from(tree: Tree, sample: Sample) -> Regrow:
    """Return a function from row numbers to the tree that the same settings grow on those rows.

    It has the surrogates that the other rows of the sample ask, which are there to judge it.

    >>> import treewright as tw
    >>> from treewright.prune.sample import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> regrow_from(tree, sample_of(tree, table))(np.arange(14)) == tree
    True
    """
    settings = settings_of(tree)
    terms = ClassTerms(priors=_priors(tree), costs=tree.about.get("costs"))

    def regrow(rows: NDArray[Any]) -> Tree:
        part = sample.take(rows)
        is_plain = bool((part.weights == 1.0).all())
        weights = None if is_plain else part.weights
        rows_here = Rows(tree.schema, tuple(part.columns), tree.target, part.answers, weights)
        return grown(rows_here, settings, terms).for_all_but(rows, sample)

    return regrow


def _priors(tree: Tree) -> list[float] | None:
    scale = tree.about.get("class_scale")
    if scale is None:
        return None
    prior = tree.stats[0] * np.asarray(scale)
    return [float(share) for share in prior / prior.sum()]
