"""Real signatures: a function that hands keywords on shows those of the function they go to."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from treewright.base.names import hint
from treewright.base.verbs import Verb

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


def handing_on(target: Callable[[], Callable[..., Any]]) -> Callable[[Function], Function]:
    """Return a decorator like `handing_on_to`, for a function that is looked for when it is needed.

    Unknown options are told what is meant.

    >>> class Painter:
    ...     @handing_on(lambda: draw)
    ...     def plot(self, path, **options): return options
    >>> def draw(tree, *, width=None): return width
    >>> str(inspect.signature(Painter.plot)), Painter().plot("a.svg", width=3)
    ('(self, path, *, width=None)', {'width': 3})
    """

    def decorate(function: Function) -> Function:
        made = advising(function.__name__)
        return cast(Function, Verb(lambda: made(handing_on_to(target())(function))))

    return decorate


# Words of other functions, ours and other libraries', for an option: those in _SAME are taken.
_SAME: Mapping[str, str] = {"data": "table", "table": "data"}
_ELSEWHERE: Mapping[str, str] = {
    "sep": "separator",
    "delimiter": "separator",
    "na_values": "missing",
    "dtype": "kinds",
    "usecols": "columns",
    "skiprows": "skip",
    "depth": "max_depth",
    "threads": "n_threads",
    "target": "wanted",
    "train": "training",
    "cv": "folds",
}


def advising(name: str) -> Callable[[Function], Function]:
    """Return a decorator for a function that is called `name`: unknown options are told what is meant.

    >>> @advising("plot")
    ... def draw(tree, table=None, *, width=None): return table
    >>> draw(1, data="rows")
    'rows'
    >>> draw(1, widht=3)
    Traceback (most recent call last):
    TypeError: plot has no option 'widht'; did you mean 'width'?
    """

    def decorate(function: Function) -> Function:
        known = tuple(inspect.signature(function).parameters)

        @functools.wraps(function)
        def advised(*args: Any, **given: Any) -> Any:
            unknown = [word for word in given if word not in known]
            for word in unknown:
                if (ours := _SAME.get(word)) in known and ours not in given:
                    given[ours] = given.pop(word)
                else:
                    raise TypeError(f"{name} has no option {word!r}{_way(word, known)}")
            return function(*args, **given)

        return cast(Function, advised)

    return decorate


def _way(word: str, known: tuple[str, ...]) -> str:
    """Return what an unknown option is called here, or is meant to be, or what there is."""
    ours = _ELSEWHERE.get(word)
    if ours in known:
        return f"; here it is called {ours}."
    return hint(word, known) or f"; it has {', '.join(known)}."
