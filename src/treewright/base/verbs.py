"""Verbs that live in rooms above the model they belong to: given to its class, whichever is loaded first."""

from __future__ import annotations

from collections import defaultdict

TYPE_CHECKING = False
if TYPE_CHECKING:  # `import treewright` loads this file: `typing` alone would take longer than all of it
    from collections.abc import Callable
    from typing import Any, TypeVar

    Class = TypeVar("Class", bound=type)

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
