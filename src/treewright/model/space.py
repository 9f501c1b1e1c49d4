"""What `tw.tune` tries: settings of growth, in an order drawn by the seed, and ways to prune."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import SETTINGS_TRIED, content_draws, item_named
from treewright.base.names import choice
from treewright.growth import RECIPES, Settings
from treewright.growth.setting import ON_SEVERAL, SETTINGS
from treewright.prune import MDL, CostComplexity, ErrorBased, MinimumError, Pessimistic
from treewright.prune.base import Method
from treewright.prune.method import find

RECIPES_TRIED = ("c4.5", "cart", "plain")
# What of a setting is tried; None is the recipe's own. C4.5's leaf size is that of two branches.
DEPTHS = (None, 3, 4, 5, 6, 8, 10, 12, 16)
SIZES = (None, 2, 5, 10, 20, 50, 100, 200)
CRITERIA = {"c4.5": (None, "entropy"), "cart": (None, "entropy"), "plain": (None, "entropy")}
_LEAST_LEAVES = 8  # a leaf size is tried where the table has room for so many leaves

# Each way to prune, with the strengths worth trying; cost-complexity has a grid of prices instead.
PRUNINGS: Mapping[str, tuple[Method, ...]] = {
    "cost_complexity": (),
    "error_based": tuple(ErrorBased(confidence=c) for c in (0.5, 0.25, 0.1, 0.05, 0.01)),
    "pessimistic": (Pessimistic(),),
    "mdl": (MDL(),),
    "minimum_error": tuple(MinimumError(m=m) for m in (2.0, 8.0, 32.0)),
}
_OF_NUMBERS = ("cost_complexity",)
_STEPS = 8  # prices of a leaf in a power of ten


class Trial(NamedTuple):
    """Settings of growth that are tried: a recipe, and what differs from it.

    >>> print(Trial("cart", (("max_depth", 6), ("min_leaf", 5))))
    cart, max_depth=6, min_leaf=5
    """

    recipe: str
    settings: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return ", ".join([self.recipe, *(f"{name}={value!r}" for name, value in self.settings)])


@dataclass(frozen=True)
class Space:
    """All that is tried: settings of growth in the order they are tried, and ways to prune.

    >>> space = Space.of(True, 435, {})
    >>> [str(trial) for trial in space.trials[:3]], len(space.trials) > 100, len(space.methods)
    (['c4.5', 'cart', 'plain'], True, 10)
    """

    trials: tuple[Trial, ...]
    methods: tuple[Method, ...]
    has_prices: bool  # whether cost-complexity pruning is among them

    @classmethod
    def of(
        cls,
        is_classifier: bool,
        n_rows: int,
        given: Mapping[str, Any],
        recipes: Iterable[str] | str | None = None,
        prunings: Iterable[Any] | str | Method | None = None,
        space: Mapping[str, Sequence[Any]] | None = None,
        seed: int = 0,
    ) -> Space:
        """Return what is tried for a target; what is `given` is tried nowhere else, `space` is instead."""
        task = "classes" if is_classifier else "numbers"
        named = _recipes(task, given, recipes)
        asked = given.get("prune") if given.get("prune") is not None else prunings
        methods, has_prices = _methods(is_classifier, asked)
        trials: dict[Trial, None] = dict.fromkeys(Trial(name) for name in named)
        drawn = [trial for name in named for trial in _grid(name, is_classifier, n_rows, given, space)]
        digests = np.array([item_named(str(trial)) for trial in drawn], dtype=np.uint64)
        order = np.argsort(content_draws(seed, SETTINGS_TRIED, digests), kind="stable")
        trials |= dict.fromkeys(drawn[place] for place in order.tolist())
        if space:  # what is named is tried, and nothing beside it
            trials = {trial: None for trial in trials if trial.settings or not drawn}
        for trial in trials:
            Settings.of(trial.recipe, **{**_settings_of(given), **dict(trial.settings)})
        return cls(tuple(trials), methods, has_prices)


def _settings_of(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name != "prune"}


def _recipes(task: str, given: Mapping[str, Any], recipes: Iterable[str] | str | None) -> tuple[str, ...]:
    if recipes is not None:
        named = _listed("recipes", recipes, "cart", str)
        for name in named:
            choice("recipe", name, tuple(RECIPES))
        if not named:
            raise ValueError("recipes is empty; name at least one, or leave it out.")
        return named
    is_plain = given.get("splits") not in ON_SEVERAL and given.get("leaves") in (None, "constant")
    return tuple(
        name
        for name in RECIPES_TRIED
        if task in RECIPES[name].get("tasks", (task,)) and (is_plain or name != "c4.5")
    )


def _listed(name: str, given: Any, such_as: str, kind: Any) -> tuple[Any, ...]:
    """Return one or several as a tuple; an error for what is neither."""
    if isinstance(given, kind):
        return (given,)
    if isinstance(given, Iterable) and not isinstance(given, (str, Mapping)):
        return tuple(given)
    raise TypeError(f"{name}={given!r:.60} must be a name or a list of them, such as {name}=[{such_as!r}].")


def _methods(is_classifier: bool, asked: Any) -> tuple[tuple[Method, ...], bool]:
    """Return the ways to prune, and whether the grid of prices is one of them."""
    if asked is None:
        names: tuple[Any, ...] = tuple(PRUNINGS) if is_classifier else _OF_NUMBERS
    else:
        names = _listed("prunings", asked, "mdl", (str, Method))
    methods: list[Method] = []
    for name in names:
        if isinstance(name, str) and name in PRUNINGS:
            methods += PRUNINGS[name]
        elif isinstance(name, str) and name == "none":
            methods.append(Unpruned())
        else:
            found = find("none" if name is None else name)
            if found is None or found.needs == "validation":
                raise ValueError(
                    f"prune={name!r} keeps rows of its own back; tune judges by folds. It tries "
                    f"{', '.join(PRUNINGS)}, 'none', and objects of tw.prune such as tw.prune.MDL()."
                )
            methods.append(found)
    has_prices = any(isinstance(name, str) and name == "cost_complexity" for name in names)
    if not methods and not has_prices:
        raise ValueError("prunings is empty; name at least one, or leave it out.")
    return tuple(methods), has_prices


class Unpruned(Method):
    """No pruning, among the ways to prune.

    >>> Unpruned().words()
    'none'
    """

    name = "none"

    def prune(self, tree: Any, evidence: Any) -> Any:  # noqa: ARG002
        """Return the tree.

        >>> Unpruned().prune("tree", None)
        'tree'
        """
        return tree


def _grid(recipe: str, is_classifier: bool, n_rows: int, given: Mapping[str, Any], space: Any) -> list[Trial]:
    """Return all settings of a recipe that are tried."""
    if space is not None:
        if not isinstance(space, Mapping):
            raise TypeError(
                f"space={space!r:.60} must be a dict: settings by name, each with the values to try, such as "
                "space={'max_depth': [2, 4, 8]}."
            )
        for name, values in space.items():
            choice("space", name, tuple(SETTINGS))
            if isinstance(values, str) or not isinstance(values, Iterable) or not list(values):
                raise ValueError(f"space[{name!r}] lists the values to try, such as [2, 4, 8].")
        tried: dict[str, Sequence[Any]] = dict(space)
    else:
        size = "min_branch" if recipe == "c4.5" else "min_leaf"
        sizes = [n for n in SIZES if n is None or n * _LEAST_LEAVES <= n_rows]
        tried = {"max_depth": DEPTHS, size: sizes}
        if is_classifier and recipe in CRITERIA:
            tried = {"criterion": CRITERIA[recipe], **tried}
    free = {name: values for name, values in tried.items() if name not in given}
    return [
        Trial(recipe, tuple((n, v) for n, v in zip(free, values, strict=True) if v is not None))
        for values in product(*free.values())
    ]


def prices(root_risk: float, weight: float) -> NDArray[np.float64]:
    """Return prices of a leaf in two digits, from a fifth of a row's worth up to all the root loses.

    >>> prices(0.4, 100.0).tolist()[:4], len(prices(0.4, 100.0)), prices(0.0, 10.0).tolist()
    ([0.0, 0.00075, 0.001, 0.0013], 24, [0.0])
    """
    if not root_risk > 0:
        return np.zeros(1)
    low = math.floor(_STEPS * math.log10(0.2 * root_risk / max(weight, 1.0)))
    high = math.ceil(_STEPS * math.log10(root_risk))
    grid = [float(f"{10 ** (k / _STEPS):.1e}") for k in range(low, high + 1)]
    return np.array([0.0, *dict.fromkeys(grid)])


def method_at(price: float) -> CostComplexity:
    """Return the pruning by a price of a leaf.

    >>> method_at(0.01).words()
    'cost_complexity(alpha=0.01)'
    """
    return CostComplexity(alpha=float(price))
