"""Money: amounts with the sign, code or short name of one currency, before or behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from treewright.base.advice import missing_word, sentence

from .amount import Amount, Parts
from .notation import plain

_SPELLINGS = {
    "€": "€ eur euro euros", "$": "$ usd us$ dollar dollars", "£": "£ gbp", "¥": "¥ jpy cny rmb 元 円",
    "CHF": "chf fr. fr sfr sfr.", "₹": "₹ inr rs rs.", "₽": "₽ rub руб руб.", "₩": "₩ krw", "₺": "₺ try tl",
    "zł": "zł pln", "Kč": "kč czk", "kr": "kr kr. sek nok dkk isk", "Ft": "ft huf", "lei": "lei ron",
    "R$": "r$ brl", "A$": "a$ aud", "C$": "c$ cad", "NZ$": "nz$ nzd", "HK$": "hk$ hkd", "S$": "s$ sgd",
    "MX$": "mx$ mxn", "R": "zar", "₪": "₪ ils", "฿": "฿ thb", "₫": "₫ vnd", "₱": "₱ php", "₴": "₴ uah грн",
    "AED": "aed", "SAR": "sar", "лв": "лв bgn",
}  # fmt: skip
_CURRENCY = {word: sign for sign, words in _SPELLINGS.items() for word in words.split()}


@dataclass(frozen=True)
class Money(Amount):
    """Amounts of money.

    >>> Money(decimal=".", grouping="'", units=("CHF",)).numbers(["CHF 12'000", "chf 7.50", "7.50"])
    [12000.0, 7.5, 7.5]
    """

    word: ClassVar[str] = "money"
    name: ClassVar[str] = "money"

    def number(self, text: str) -> float | None:
        """Return the sum that a text spells, or None; a dash beside the currency is nought."""
        size = super().number(text)
        return 0.0 if size is None and self._is_nought(text) else size

    def _is_nought(self, text: str) -> bool:
        """Whether a text is a currency and a dash: what spreadsheets show for 0 in the format of accounts."""
        sign = text.strip().removeprefix("-").removesuffix("-").strip()
        return "-" in text and bool(sign) and sign.casefold() in map(str.casefold, self.units)

    def doubts(self, texts: Sequence[str], counts: Sequence[int]) -> list[str]:
        """Return which cells are 0 without a digit, and whether some have no currency."""
        noughts = [i for i, text in enumerate(texts) if self._is_nought(plain(text))]
        found = super().doubts(texts, counts)
        if noughts:
            mark = texts[noughts[0]].strip()
            taken = f"{mark!r:.40} is taken as 0, as accounts show it; "
            found.append(sentence(taken, missing_word(mark), " makes it a gap"))
        return found


def find_money(texts: Sequence[str], decimal: str) -> Money | None:
    """Return how texts spell money, or None where most have no currency, or two of them.

    >>> find_money(["$1,234.56", "$7.00"], ".")
    Money(strays=(), decimal='.', grouping=',', units=('$',))
    >>> find_money(["5 €", "5 $"], ".") is None
    True
    """
    parts = Parts.of(texts)
    words = {word for word in parts.around if word.casefold() in _CURRENCY}
    if not words or len({_CURRENCY[word.casefold()] for word in words}) > 1:
        return None
    n_with = sum(parts.before[word] + parts.after[word] for word in words)
    if 2 * n_with < len(texts):
        return None
    signs = parts.signs(decimal, has_cents=True)
    return Money(decimal=signs[0], grouping=signs[1], units=tuple(sorted(words)))
