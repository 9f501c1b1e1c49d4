"""All notations: which are tried on the words of a column, in order, and how a stored one comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.table.kind import Kind

from .clock import Clock, find_clock
from .date import Date, find_date
from .duration import Duration, find_duration
from .grouped import Grouped, find_grouped
from .money import Money, find_money
from .notation import Notation, plain
from .percent import Percent, find_percent
from .temporal import Temporal
from .unit import WithUnit, find_unit

Finder = Callable[[Sequence[str], str], Notation | None]  # distinct texts, the file's decimal sign

# In the order in which they are tried; the class says which kind of column comes of it.
FINDERS: tuple[tuple[type[Notation], Finder], ...] = (
    (Notation, lambda texts, decimal: Notation() if decimal == "." else None),  # noqa: ARG005
    (Date, find_date),
    (Clock, find_clock),
    (Money, find_money),
    (Percent, find_percent),
    (Duration, find_duration),
    (Grouped, find_grouped),
    (WithUnit, find_unit),
)
NOTATIONS = {kind.word: kind for kind, _ in FINDERS}

_SAMPLE = 200  # distinct words that a notation is chosen by
_LONGEST, _CUT = 400, " \u2702"  # letters of a number or a date, and how a longer word ends
_FEW_WORDS, _FEW = 3, 0.005  # stray words, and the share of cells that have one
_SHARE_OF_GAPS = 0.2  # of cells with a word for "nothing"
# Words that mean a gap where all the rest are numbers or dates.
_WORDS = """- -- --- . .. ... / unknown unk unbekannt inconnu desconocido sconosciuto missing fehlt fehlend
n.a. n/a na n.v. k.a. none nil nix tbd tba #n/a #na #nv #div/0! #ref! #value! #wert! #bezug! #name? #num!
#zahl! #null! #überlauf! #spill! #calc! null (null) (blank) (leer) leer blank empty ? ?? n.d. nd nan
nat s/d n.c. nc k/a onbekend okänd saknas ukendt nieznane entfällt kein keine refused -.- -,- •"""
_PHRASES = (
    "k. a.", "n. a.", "keine angabe", "keine angaben", "nicht bekannt", "nicht angegeben", "nicht verfügbar",
    "not available", "not applicable", "no data", "not known", "no answer", "not specified", "not provided",
    "not reported", "prefer not to say", "non renseigné", "non renseignée", "non disponible",
    "non connu", "sin datos", "no disponible", "no aplica", "sem dados", "não informado", "non disponibile",
    "non applicabile", "brak danych", "нет данных", "не указано",
)  # fmt: skip
_NOTHING = frozenset((*_WORDS.split(), *_PHRASES))


@dataclass(frozen=True)
class Match:
    """A notation that reads a column, the number of each distinct word, and where the stray words are."""

    notation: Notation
    numbers: NDArray[np.float64]
    strays: tuple[int, ...]


def find(
    texts: Sequence[str], counts: NDArray[np.int64], decimal: str = ".", kinds: Sequence[Kind] = ()
) -> Match | None:
    """Return the first notation that reads all words but a few stray ones; None where none does.

    `counts` are the cells of each word, `kinds` those that may come of it (all by default).

    >>> match = find(["31.01.2020", "01.02.2020"], np.array([1, 1]))
    >>> match.notation, match.numbers.tolist()
    (Date(strays=(), resolution='day', order='dmy'), [18292.0, 18293.0])
    """
    sample = _legible(texts if len(texts) <= _SAMPLE else [texts[i] for i in _places(len(texts))])
    for kind, finder in FINDERS:
        if kinds and kind.kind not in kinds:
            continue
        notation = finder(sample, decimal)
        if notation is None or not _reads_most(notation, sample):
            continue
        if (match := match_by(notation, texts, counts)) is not None:
            return match
    return None


def match_by(notation: Notation, texts: Sequence[str], counts: NDArray[np.int64]) -> Match | None:
    """Return what a notation makes of all words; None where it leaves more than a few stray ones."""
    numbers = notation.numbers(_legible(texts))
    strays = [place for place, size in enumerate(numbers) if size is None]
    if strays and not _are_few([texts[i] for i in strays], counts[strays], int(counts.sum())):
        return None
    values = np.array([np.nan if size is None else size for size in numbers])
    if isinstance(notation, Temporal) and len(texts) > _SAMPLE:
        notation = notation.fine(values)
    return Match(notation.with_strays([texts[i] for i in strays]), values, tuple(strays))


def nearly(texts: Sequence[str], decimal: str = ".") -> tuple[Notation, NDArray[np.bool_]] | None:
    """Return the notation that reads most words, though not all, and which it does not read; None for none.

    >>> notation, is_odd = nearly(["5 €", "7 €", "9 €", "a lot"])
    >>> notation.word, is_odd.tolist()
    ('money', [False, False, False, True])
    """
    sample = _legible(texts if len(texts) <= _SAMPLE else [texts[i] for i in _places(len(texts))])
    for _, finder in FINDERS:
        notation = finder(sample, decimal)
        if notation is None:
            continue
        is_odd = np.array([size is None for size in notation.numbers(_legible(texts))], dtype=bool)
        if 10 * np.count_nonzero(is_odd) <= 3 * len(texts):
            return notation, is_odd
    return None


def _legible(texts: Sequence[str]) -> Sequence[str]:
    """Return the texts; long ones, on which patterns take seconds, end as nothing that is read does."""
    if max(map(len, texts), default=0) <= _LONGEST:
        return texts
    return [text if len(text) <= _LONGEST else text[:_LONGEST] + _CUT for text in texts]


def _places(n: int) -> list[int]:
    return [i * (n - 1) // (_SAMPLE - 1) for i in range(_SAMPLE)]


def _reads_most(notation: Notation, sample: Sequence[str]) -> bool:
    n_read = sum(size is not None for size in notation.numbers(sample))
    return 10 * n_read >= 7 * len(sample) or len(sample) - n_read <= _FEW_WORDS


def _are_few(strays: Sequence[str], counts: NDArray[np.int64], n_cells: int) -> bool:
    """Return whether stray words are to be taken as gaps: few, and without any digit."""
    is_nothing = np.array([plain(word).casefold() in _NOTHING for word in strays])
    odd = [word for word, nothing in zip(strays, is_nothing.tolist(), strict=True) if not nothing]
    if any(sign.isdigit() for word in odd for sign in word):
        return False
    n_odd, n_nothing = int(counts[~is_nothing].sum()), int(counts[is_nothing].sum())
    if n_nothing > _SHARE_OF_GAPS * n_cells:
        return False
    return n_odd <= _FEW * n_cells and int(np.count_nonzero(~is_nothing)) <= _FEW_WORDS


def notation_from(stored: Any) -> Notation:
    """Return the notation that `to_dict` wrote; anything else is a ValueError.

    >>> notation_from({"word": "date", "order": "dmy"})
    Date(strays=(), resolution='day', order='dmy')
    """
    word = stored.get("word") if isinstance(stored, Mapping) else None
    if not isinstance(word, str) or word not in NOTATIONS:
        raise ValueError(f"A notation is stored as an object with 'word'; found {stored!r:.100}.")
    return NOTATIONS[word].from_dict(stored)
