"""Real signatures: a function that hands keywords on shows those of the function they go to."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def with_parameters(function: Function, more: Iterable[inspect.Parameter]) -> Function:
    """Return a function whose signature has these parameters in place of its `**options`.

    >>> def plot(path, **options): return options
    >>> width = inspect.Parameter("width", inspect.Parameter.KEYWORD_ONLY, default=None)
    >>> str(inspect.signature(with_parameters(plot, [width])))
    '(path, *, width=None)'
    """
    signature = inspect.signature(function)
    own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    others = [each for each in more if each.name not in signature.parameters]
    function.__signature__ = signature.replace(parameters=[*own, *others])  # type: ignore[attr-defined]
    return function


def handing_on_to(target: Callable[..., Any]) -> Callable[[Function], Function]:
    """Return a decorator for functions whose `**options` are the keyword-only arguments of another.

    >>> def draw(tree, *, width=None): return width
    >>> @handing_on_to(draw)
    ... def plot(path, **options): return options
    >>> str(inspect.signature(plot))
    '(path, *, width=None)'
    """
    parameters = inspect.signature(target).parameters.values()
    named = [each for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY]
    return lambda function: with_parameters(function, named)
