"""Verbs that live in rooms above the model they belong to: given to its class, whichever is loaded first."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from types import MethodType

TYPE_CHECKING = False
if TYPE_CHECKING:  # `import treewright` loads this file: `typing` alone would take longer than all of it
    import inspect
    from collections.abc import Callable
    from typing import Any, TypeVar

    Class = TypeVar("Class", bound=type)


class Verb:
    """A method whose function is found on first use: it has that function's signature and text.

    >>> import inspect
    >>> from treewright.tree import Tree
    >>> "max_depth" in inspect.signature(Tree.plot).parameters
    True
    """

    def __init__(self, find: Callable[[], Callable[..., Any]]) -> None:
        self.find = find

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function itself; `import treewright` stays fast without it."""
        return self.find()

    @property
    def __signature__(self) -> inspect.Signature:
        import inspect

        return inspect.signature(self.function)

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        return self.function

    def __getattr__(self, name: str) -> Any:
        if name in ("__name__", "__qualname__", "__module__"):
            return getattr(self.function, name)
        raise AttributeError(name)

    def __get__(self, model: Any, owner: type | None = None) -> Any:
        return self if model is None else MethodType(self, model)

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call it."""
        return self.function(*args, **options)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self.function.__doc__


_classes: dict[str, type] = {}
_verbs: defaultdict[str, dict[str, Any]] = defaultdict(dict)


def kind_of_model(kind: str) -> Callable[[Class], Class]:
    """Let a class be a kind of model: it has the verbs that were given to the kind, or will be.

    >>> @kind_of_model("twig")
    ... class Twig:
    ...     n_leaves = 2
    >>> give("twig", {"double": lambda twig: 2 * twig.n_leaves})
    >>> Twig().double(), kind_of(Twig())
    (4, 'twig')
    """

    def decorate(cls: Class) -> Class:
        _classes[kind] = cls
        give(kind, {})
        return cls

    return decorate


def give(kind: str, verbs: dict[str, Any]) -> None:
    """Give a kind of model some verbs: functions of a model, by name."""
    _verbs[kind] |= verbs
    if kind in _classes:
        for name, verb in _verbs[kind].items():
            setattr(_classes[kind], name, verb)


def kind_of(model: Any) -> str | None:
    """Return the kind of a model; None for what is none.

    >>> import treewright as tw
    >>> kind_of(tw.grow(tw.example("tennis"), "PlayTennis")), kind_of(7)
    ('tree', None)
    """
    return next((kind for kind, cls in _classes.items() if isinstance(model, cls)), None)
