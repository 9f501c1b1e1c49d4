"""scikit-learn's words, translated once into treewright's settings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeGuard

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state

from treewright.base.advice import Ask, wording
from treewright.base.names import choice
from treewright.growth import Settings
from treewright.growth.setting import ON_SEVERAL, SETTINGS

# Words that mean the same on both sides.
SAME = tuple(row.name for row in SETTINGS.values() if row.elsewhere == row.name and row.kind != "truth")
CRITERIA = {"log_loss": "entropy"}  # scikit-learn's second name for it
SPLITTERS = {"best": None, "random": "random"}  # -> cuts; None: the recipe's own
SHARES_OF_COLUMNS = {"sqrt": math.sqrt, "log2": math.log2}


def settings_of(
    words: Mapping[str, Any],
    n_rows: int,
    n_columns: int,
    always_draws: bool = False,
    names: Sequence[str] = (),
) -> Settings:
    """Return the settings that an estimator's parameters stand for on a table of this size.

    Where nothing is drawn, nothing is taken from `random_state`, unless rows are (`always_draws`). `names`
    are those of the columns, which `monotone` may speak of by their places.

    >>> settings_of({"min_samples_leaf": 0.1, "max_features": "sqrt", "random_state": 7}, 25, 16)
    ...     # doctest: +ELLIPSIS
    Settings(recipe='plain', ... min_leaf=3.0, ... max_columns=4, ... seed=7, ...)
    """
    splitter = words.get("splitter", "best")
    given = {name: words.get(name) for name in SAME}
    given["monotone"] = _directions(given["monotone"], names)
    if isinstance(criterion := given.get("criterion"), str):
        given["criterion"] = CRITERIA.get(criterion, criterion)
    given["cuts"] = SPLITTERS[choice("splitter", splitter, SPLITTERS)]
    given["min_split"] = size_of("min_samples_split", words.get("min_samples_split"), n_rows, least=2)
    given["min_leaf"] = size_of("min_samples_leaf", words.get("min_samples_leaf"), n_rows, least=1)
    given["min_branch"] = size_of("min_samples_branch", words.get("min_samples_branch"), n_rows, least=1)
    given["min_leaf_share"] = _share("min_weight_fraction_leaf", words.get("min_weight_fraction_leaf"))
    given["max_leaves"] = _count("max_leaf_nodes", words.get("max_leaf_nodes"))
    given["max_columns"] = _columns(words.get("max_features"), n_columns)
    given["n_threads"] = threads_of(words.get("n_jobs"))
    given["ledger"] = bool(words.get("ledger", False))
    is_random = always_draws or splitter == "random" or (given["max_columns"] or n_columns) < n_columns
    # Sums and honest leaves draw, but None is no wish for another tree each time: it is the seed 0.
    keyed = words.get("splits") in ON_SEVERAL or words.get("honest")
    is_random = is_random or (bool(keyed) and words.get("random_state") is not None)
    given["seed"] = _seed(words.get("random_state"), is_random)
    return Settings.of(words.get("recipe", "plain"), **given, **_gain(words))


@contextmanager
def in_parameters() -> Iterator[None]:
    """Let the rooms below raise; what they advise is said in the estimators' words.

    >>> from treewright.base.advice import ask, refusal
    >>> with in_parameters():
    ...     raise refusal("Read it as categories with ", ask("kinds", {"x0": "nominal"}), ".")
    Traceback (most recent call last):
    ValueError: Read it as categories with categorical_features=['x0'].
    """
    try:
        yield
    except (TypeError, ValueError) as trouble:
        advice = wording(trouble, _parameter)
        if advice == str(trouble):
            raise
        raise type(trouble)(advice) from None


def _parameter(asked: Ask) -> str:
    """Return how a setting is given to an estimator."""
    kinds = asked.values[0] if asked.name == "kinds" else {}
    if set(kinds.values()) != {"nominal"}:
        return str(asked)
    return f"categorical_features={list(kinds)!r}"


def _directions(given: Any, names: Sequence[str]) -> Any:
    """Return the directions by column; scikit-learn's list has one for each, 0 for none.

    >>> _directions([1, 0, -1], ["age", "size", "debt"]), _directions({"age": 1}, ["age"])
    ({'age': 1, 'debt': -1}, {'age': 1})
    """
    if given is None or isinstance(given, (str, Mapping)) or not np.iterable(given):
        return given
    listed = [int(sign) if sign in (-1, 0, 1) else sign for sign in np.asarray(given).ravel().tolist()]
    odd = next((sign for sign in listed if sign not in (-1, 0, 1)), None)
    if odd is not None:
        raise ValueError(f"monotone has {odd!r}; a direction is 1 (rises), -1 (falls) or 0 (either).")
    if len(listed) != len(names):
        raise ValueError(
            f"monotone lists {len(listed)} directions for {len(names)} columns: one for each, 0 for "
            "none; or name the columns: monotone={'age': 1}."
        )
    return {name: sign for name, sign in zip(names, listed, strict=True) if sign} or None


def _gain(words: Mapping[str, Any]) -> dict[str, Any]:
    """Return the smallest gain: per row of the node, or of the table, as scikit-learn counts it."""
    of_node, of_table = words.get("min_gain"), words.get("min_impurity_decrease")
    if of_table is None:
        return {"min_gain": of_node}
    if of_node is not None:
        raise ValueError(
            f"min_gain={of_node!r} (per row of the node) and min_impurity_decrease={of_table!r} (per row of "
            "the table) are two forms of one rule; give one of them."
        )
    if not _is_number(of_table) or not of_table >= 0:
        raise ValueError(f"min_impurity_decrease={of_table!r} must be a number of at least 0.")
    return {"min_gain": float(of_table), "gain_of": "table"}


def size_of(name: str, value: Any, n_rows: int, least: int) -> float | None:
    """Return a number of rows: a whole number as it is, a float in (0, 1) as a share, rounded up."""
    if value is None:
        return None
    if _is_whole(value):
        if value < least:
            raise ValueError(f"{name}={value!r} must be at least {least}, or a share of the rows in (0, 1).")
        return float(value)
    if not _is_number(value):
        raise TypeError(f"{name}={value!r} must be a number, not {type(value).__name__}.")
    if not (0 < value < 1 or (value == 1 and least == 2)):
        raise ValueError(
            f"{name}={value!r} is a float: a share of the rows, which must lie between 0 and 1. "
            f"For a number of rows give a whole number such as {max(least, int(value) if value > 0 else 0)}."
        )
    return float(max(least, math.ceil(value * n_rows)))


def _share(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if not _is_number(value) or not 0 <= value <= 0.5:
        raise ValueError(f"{name}={value!r} must be a share of all weight between 0 and 0.5.")
    return float(value)


def _count(name: str, value: Any) -> int | None:
    return None if value is None else count_of(name, value)


def count_of(name: str, value: Any) -> int:
    """Return a whole number of at least 1."""
    if not _is_whole(value):
        raise TypeError(f"{name}={value!r} must be a whole number, not {type(value).__name__}.")
    if value < 1:
        raise ValueError(f"{name}={value!r} must be at least 1.")
    return int(value)


def _columns(max_features: Any, n_columns: int) -> int | None:
    """Return how many columns are drawn at a node; None: all."""
    if isinstance(max_features, str):
        if max_features not in SHARES_OF_COLUMNS:
            raise ValueError(f"max_features={max_features!r} is not one of 'sqrt', 'log2', nor a number.")
        return max(1, int(SHARES_OF_COLUMNS[max_features](n_columns)))
    if _is_number(max_features) and not _is_whole(max_features):
        if not 0 < max_features <= 1:
            raise ValueError(f"max_features={max_features!r} is a float: a share of the columns in (0, 1].")
        return max(1, int(max_features * n_columns))
    return _count("max_features", max_features)


def threads_of(n_jobs: Any) -> int:
    """Return the number of threads that scikit-learn's `n_jobs` means."""
    if n_jobs is None:
        return 1
    if not _is_whole(n_jobs) or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r} must be a whole number other than 0; -1 means all cores.")
    return int(effective_n_jobs(n_jobs))


def seed_of(random_state: Any) -> int:
    """Return the seed that a `random_state` means; None is 0: the same data give the same result.

    >>> seed_of(None), seed_of(7)
    (0, 7)
    """
    return 0 if random_state is None else _seed(random_state, is_random=True)


def _seed(random_state: Any, is_random: bool) -> int:
    """Return the seed; where nothing is random, nothing is drawn from `random_state`."""
    if _is_whole(random_state):
        return int(random_state)
    source = check_random_state(random_state)
    return int(source.randint(2**31 - 1)) if is_random else 0


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_number(value: Any) -> TypeGuard[float]:
    return _is_whole(value) or isinstance(value, (float, np.floating))
