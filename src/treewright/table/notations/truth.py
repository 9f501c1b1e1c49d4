"""Truth values in words, of several languages: yes, no, ja, nein, oui, non, wahr, falsch, x."""

from __future__ import annotations

from collections.abc import Iterable

_TRUE = ("true t yes y 1 on wahr ja j vrai oui o sì sí si vero verdadero sim s tak da igen ano kyllä evet "
         "да истина 是 はい 예")  # fmt: skip
_FALSE = ("false f no n 0 off falsch nein faux non falso não nao nie ne nem ei hayır hayir нет ложь "
          "否 いいえ 아니요")  # fmt: skip
_TRUTHS = {**dict.fromkeys(_FALSE.split(), 0), **dict.fromkeys(_TRUE.split(), 1)}


def as_truth(text: str) -> int | None:
    """Return 1 or 0 for a text that spells a truth value, or None.

    >>> as_truth("TRUE"), as_truth("0"), as_truth("Nein"), as_truth("maybe")
    (1, 0, 0, None)
    """
    return _TRUTHS.get(text.strip().casefold())


def are_truths(texts: Iterable[str]) -> bool:
    """Return whether texts are truth values in words, both of them.

    >>> are_truths(["Yes", "no", "NO "]), are_truths(["yes"]), are_truths(["0", "1"])
    (True, False, False)
    """
    found = {text.strip().casefold() for text in texts}
    return {_TRUTHS.get(word) for word in found} == {0, 1} and not found <= {"0", "1"}
