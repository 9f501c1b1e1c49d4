"""Errors that speak of settings keep them as data: whoever shows one can write them in words of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Message = TypeVar("Message", bound=Exception)


@dataclass(frozen=True)
class Ask:
    """What a message speaks of, or asks for: a setting with a value, or with one of several.

    >>> str(Ask("recipe", ("plain", "cart")))
    "recipe='plain' or 'cart'"
    """

    name: str
    values: tuple[Any, ...]
    python: str = ""  # how Python's users write it, where that is not name=value

    def __str__(self) -> str:
        return self.python or f"{self.name}={self.either(repr)}"

    def either(self, write: Callable[[Any], str]) -> str:
        """Return the values in words: "a", "a or b", "a, b or c".

        >>> Ask("missing", ("learned", "drop", "error")).either(str)
        'learned, drop or error'
        """
        *others, last = map(write, self.values)
        return f"{', '.join(others)} or {last}" if others else last


def ask(name: str, *values: Any, python: str = "") -> Ask:
    """Return a setting to speak of.

    >>> str(ask("max_depth", 3)), str(ask("to_text", python="tree.to_text()"))
    ('max_depth=3', 'tree.to_text()')
    """
    return Ask(name, values, python)


def message(kind: type[Message], *parts: str | Ask) -> Message:
    """Return an error, or a warning, whose message is made of texts and of settings; `parts` keeps them.

    >>> error = message(ValueError, "Use ", ask("splits", "binary"), ".")
    >>> str(error), [part.name for part in error.parts if isinstance(part, Ask)]
    ("Use splits='binary'.", ['splits'])
    """
    error = kind("".join(map(str, parts)))
    error.parts = parts  # type: ignore[attr-defined]
    return error


def refusal(*parts: str | Ask) -> ValueError:
    """Return a ValueError made of texts and of settings.

    >>> str(refusal("Use ", ask("missing", "learned", "drop"), "."))
    "Use missing='learned' or 'drop'."
    """
    return message(ValueError, *parts)


class Reason(str):
    """The message of an error, to be kept when the error is gone; the settings it speaks of stay data.

    >>> reason = Reason.of(refusal("Use ", ask("splits", "binary"), "."))
    >>> reason, wording(reason, lambda ask: f"--{ask.name} {ask.either(str)}")
    ("Use splits='binary'.", 'Use --splits binary.')
    """

    __slots__ = ("parts",)
    parts: tuple[str | Ask, ...]

    @classmethod
    def of(cls, error: BaseException) -> Reason:
        """Return the message of an error."""
        reason = cls(error)
        reason.parts = getattr(error, "parts", (str(error),))
        return reason


def wording(error: BaseException | str, write: Callable[[Ask], str]) -> str:
    """Return the message of an error, or of a Reason, with its settings written by `write`.

    >>> wording(refusal("Use ", ask("splits", "binary"), "."), lambda ask: f"--{ask.name} {ask.either(str)}")
    'Use --splits binary.'
    >>> wording(ValueError("No."), str)
    'No.'
    """
    parts = getattr(error, "parts", None)
    if parts is None:
        return str(error.args[0]) if isinstance(error, BaseException) and error.args else str(error)
    return "".join(part if isinstance(part, str) else write(part) for part in parts)
