"""The call that grows a tree again, as it is written in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from treewright.model.target import Goal


class Own:
    """Values of one's own in a call: a name stands for them.

    >>> Own("groups")
    groups
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


class Again(NamedTuple):
    """How the call that repeats a fit begins, and what prepares the rows once more.

    `tw.grow` learns from all rows and columns; `tw.fit` leaves out columns, keeps rows back, and takes
    numbers as classes.
    """

    target: str
    needs_fit: bool
    words: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        whole: Goal,
        goal: Goal,
        target: Any,
        task: str | None,
        test: Any,
        keep: Any,
        units: Mapping[str, Any],
    ) -> Again:
        """Return what prepares the rows once more: the target alone where `tw.grow` learns from them all.

        >>> goal = Goal(None, "y", ())
        >>> Again.of(goal, goal, "y", None, None, (), {"groups": None})
        Again(target="'y'", needs_fit=False, words={})
        """
        words: dict[str, Any] = {}
        is_share = isinstance(test, (int, float)) and bool(test)
        if whole.notes or task is not None:
            words["task"] = "classes" if goal.is_classifier else "numbers"
        if is_share:
            words["test"] = test
        words |= {name: own_or_named(name, of) for name, of in units.items() if of is not None}
        needs_fit = bool(words) or bool(goal.left_out)
        if needs_fit and keep:
            words["keep"] = [keep] if isinstance(keep, str) else list(keep)
        is_named = isinstance(target, (str, int, np.integer))
        return cls(repr(goal.name) if is_named else "target", needs_fit, words)


def own_or_named(name: str, given: Any) -> Any:
    """Return what stands in a call for a column or values of one's own.

    >>> own_or_named("weights", "w"), own_or_named("weights", [1, 2])
    ('w', weights)
    """
    return given if isinstance(given, str) else Own(name)


def call_of(again: Again, recipe: str, words: Mapping[str, Any], prune: Any, weights: Any, seed: int) -> str:
    """Return the call that gives a tree again; `data`, and answers or weights of one's own, by name.

    >>> call_of(Again("'y'", False, {}), "cart", {"max_depth": 3}, "none", None, 0)
    "tw.grow(data, 'y', 'cart', max_depth=3, prune='none')"
    """
    options = {**again.words, **words}
    said = [f"{name}={value!r}" for name, value in options.items() if name not in ("prune", "n_threads")]
    if weights is not None:
        said.append(f"weights={own_or_named('weights', weights)!r}")
    if seed:
        said.append(f"seed={seed!r}")
    if prune is not None:
        said.append(f"prune={prune!r}" if isinstance(prune, str) else f"prune={method_call(prune)}")
    if again.needs_fit:
        said.append("folds=0")
    call = ", ".join(["data", again.target, repr(recipe), *said])
    return f"tw.fit({call}).tree" if again.needs_fit else f"tw.grow({call})"


def method_call(method: Any) -> str:
    """Return a way to prune as it is written in Python: only what is not as usual.

    >>> from treewright.prune import ErrorBased
    >>> method_call(ErrorBased(confidence=0.1)), method_call(ErrorBased())
    ('tw.prune.ErrorBased(confidence=0.1)', 'tw.prune.ErrorBased()')
    """
    words = str(method.words()) if hasattr(method, "words") else repr(method)
    name, _, options = words.partition("(")
    if name == "none":
        return repr(name)
    return f"tw.prune.{type(method).__name__}({options or ')'}" if name else repr(method)
