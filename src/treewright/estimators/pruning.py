"""One name, two things: the parameter `prune`, and the verb that prunes a fitted estimator."""

from __future__ import annotations

from typing import Any


class Pruning:
    """What `estimator.prune` is: shows and compares as the parameter's value, and prunes when called."""

    __slots__ = ("_act", "value")

    def __init__(self, act: Any, value: Any) -> None:
        self._act = act
        self.value = value

    def __call__(self, *given: Any, **options: Any) -> Any:
        """Return a new fitted estimator with the pruned tree; see `DecisionTreeClassifier.pruned`."""
        return self._act(*given, **options)

    def __repr__(self) -> str:
        return repr(self.value)

    def __eq__(self, other: object) -> bool:
        return bool(self.value == (other.value if isinstance(other, Pruning) else other))

    def __hash__(self) -> int:
        return hash(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)


class PruneWord:
    """A data descriptor: setting stores the parameter, getting gives something that can be called.

    The parameter lies in the instance's own dictionary like any other, where `get_params`, pickle and clone
    find it as it was given.
    """

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return owner.pruned if owner is not None and hasattr(owner, "pruned") else self
        try:
            return Pruning(instance.pruned, vars(instance)["prune"])
        except KeyError:
            raise AttributeError(f"{type(instance).__name__} has no parameter 'prune' yet") from None

    def __set__(self, instance: Any, value: Any) -> None:
        vars(instance)["prune"] = value.value if isinstance(value, Pruning) else value
