"""Errors that speak of settings keep them as data: whoever shows one can write them in words of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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


class ReadingAsk(Ask):
    """An argument of `tw.read` to speak of: what is said of a file and its columns.

    >>> str(read_with("header", False)), str(read_with("missing", "n/a", python="missing=[..., 'n/a']"))
    ('header=False', "missing=[..., 'n/a']")
    """


def read_with(name: str, value: Any, python: str = "") -> ReadingAsk:
    """Return an argument of `tw.read` to speak of.

    >>> str(read_with("ignore", ["name"]))
    "ignore=['name']"
    """
    return ReadingAsk(name, (value,), python)


def missing_word(word: str) -> ReadingAsk:
    """Return what adds a word to those that mean a missing value.

    >>> str(missing_word("n/a"))
    "missing=[..., 'n/a']"
    """
    return read_with("missing", [f"{word:.38}"], python=f"missing=[..., {word!r:.40}]")


class Reason(str):
    """A message whose settings stay data, also when the error that brought it is gone.

    >>> reason = Reason.of(refusal("Use ", ask("splits", "binary"), "."))
    >>> reason, wording(reason, lambda ask: f"--{ask.name} {ask.either(str)}")
    ("Use splits='binary'.", 'Use --splits binary.')
    """

    __slots__ = ("parts",)
    parts: tuple[str | Ask, ...]

    @classmethod
    def of(cls, error: BaseException) -> Reason:
        """Return the message of an error."""
        return sentence(*_parts(error))


def sentence(*parts: str | Ask) -> Reason:
    """Return a message made of texts, of settings and of other messages.

    >>> note = sentence("The first line is left out (", read_with("trim", False), ").")
    >>> wording(sentence("Note: ", note), lambda ask: "--no-trim")
    'Note: The first line is left out (--no-trim).'
    """
    flat = tuple(piece for part in parts for piece in ((part,) if isinstance(part, Ask) else _parts(part)))
    made = Reason("".join(map(str, flat)))
    made.parts = flat
    return made


def joined(between: str, messages: Iterable[str]) -> Reason:
    """Return messages as one.

    >>> joined(" ", [sentence(read_with("header", True)), "Or not."])
    'header=True Or not.'
    """
    parts = [part for one in messages for part in (between, one)]
    return sentence(*parts[1:])


def cleaned(message: str, clean: Callable[[str], str]) -> Reason:
    """Return a message whose texts went through `clean`; its settings stay.

    >>> cleaned(sentence("a-b: ", read_with("trim", False)), lambda text: text.replace("-", "_"))
    'a_b: trim=False'
    """
    return sentence(*(clean(part) if isinstance(part, str) else part for part in _parts(message)))


def wording(error: BaseException | str, write: Callable[[Ask], str]) -> str:
    """Return the message of an error, or of a Reason, with its settings written by `write`.

    >>> wording(refusal("Use ", ask("splits", "binary"), "."), lambda ask: f"--{ask.name} {ask.either(str)}")
    'Use --splits binary.'
    >>> wording(ValueError("No."), str)
    'No.'
    """
    return "".join(part if isinstance(part, str) else write(part) for part in _parts(error))


def _parts(message: BaseException | str) -> tuple[str | Ask, ...]:
    """Return texts and settings of a message, or of an error whose message it is."""
    parts: tuple[str | Ask, ...] | None = getattr(message, "parts", None)
    if parts is not None:
        return parts
    if isinstance(message, str):
        return (str(message),)
    return _parts(message.args[0]) if message.args and isinstance(message.args[0], str) else (str(message),)
