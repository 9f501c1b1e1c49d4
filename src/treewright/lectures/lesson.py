"""A walk through an example of the lectures, as a value: steps with formula, numbers, result and verdict."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from treewright.base.lines import Words, aligned
from treewright.lectures.slide import Slide, Value, shown
from treewright.table.frame import frame_of

_WIDTH = 100
_LONGEST = 50  # letters of a value in a summary
_ASCII = str.maketrans(
    {"·": "*", "Σ": "sum", "≤": "<=", "≥": ">=", "²": "^2", "√": "sqrt", "→": "->", "±": "+/-", "…": "..."}
    | {"α": "alpha", "β": "beta", "γ": "gamma", "κ": "kappa", "λ": "lambda", "π": "pi", "Γ": "Gamma"}
    | {"σ": "sigma", "θ": "theta", "∂": "d", "∫": "integral", "Π": "product", "∧": "AND", "⇒": "=>"}
    | {"├": "|", "└": "`", "│": "|", "─": "-"}
)


@dataclass(frozen=True)
class Step:
    """One step of a walk: what is computed, how, with which numbers, what came out, and what a slide prints.

    >>> step = Step("H(S)", "-Σ p·log2(p)", "-9/14·log2(9/14) - 5/14·log2(5/14)", 0.940286,
    ...             Slide("000:497", "0.94"))
    >>> step.verdict
    'rounded'
    """

    what: str
    formula: str  # in letters
    filled: str  # the formula with the numbers filled in: arithmetic that can be worked out, or empty
    value: Value  # what the library computed
    slide: Slide | None = None
    note: str = ""
    part: str = ""  # the heading it stands under

    @property
    def verdict(self) -> str:
        """How our value and the slide agree; empty where no slide has the number."""
        return self.slide.verdict(self.value) if self.slide else ""

    def __str__(self) -> str:
        return "\n".join(_block(self))


@dataclass(frozen=True, repr=False)
class Lesson:
    """A walk through one example of the lectures. Print it, or take it as a frame, text or Markdown.

    >>> import treewright as tw
    >>> lesson = tw.lectures.temperature()
    >>> lesson
    Lesson(temperature: Where to cut a temperature, 12 steps)
    """

    name: str
    title: str
    about: str
    steps: tuple[Step, ...]

    def to_text(self, ascii: bool = False) -> str:  # noqa: A002 (the word says it)
        """Return the walk as text for a terminal; with `ascii` nothing but ASCII is used.

        >>> import treewright as tw
        >>> print(tw.lectures.temperature().to_text().splitlines()[0])
        Where to cut a temperature
        """
        text = "\n".join(self._lines())
        return text.translate(_ASCII) if ascii else text

    def to_markdown(self) -> str:
        """Return the walk as Markdown: a heading, and a table for each part.

        >>> import treewright as tw
        >>> tw.lectures.temperature().to_markdown().splitlines()[0]
        '# Where to cut a temperature'
        """
        return "\n".join(self._markdown())

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the steps as columns of plain values; `value` is the number as it is shown.

        >>> import treewright as tw
        >>> list(tw.lectures.temperature().to_dict())
        ['part', 'what', 'formula', 'filled', 'value', 'printed', 'verdict', 'place', 'note']
        """
        slides = [step.slide for step in self.steps]
        return {
            "part": [step.part for step in self.steps],
            "what": [step.what for step in self.steps],
            "formula": [step.formula for step in self.steps],
            "filled": [step.filled for step in self.steps],
            "value": [shown(step.value) for step in self.steps],
            "printed": [slide.printed if slide else "" for slide in slides],
            "verdict": [step.verdict for step in self.steps],
            "place": [slide.place if slide else "" for slide in slides],
            "note": [step.note for step in self.steps],
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the steps as a data frame: of pandas, polars or pyarrow, by name or what is installed.

        >>> import treewright as tw
        >>> tw.lectures.temperature().to_frame("pandas")["verdict"].tolist().count("as printed")
        3
        """
        return frame_of(self.to_dict(), backend)

    def only(self, start: str) -> Lesson:
        """Return the walk with the parts whose heading starts with these words.

        >>> import treewright as tw
        >>> [step.what for step in tw.lectures.temperature().only("Cuts").steps]
        ['Between No and Yes', 'Between Yes and No']
        """
        kept = tuple(step for step in self.steps if step.part.startswith(start))
        if not kept:
            known = "; ".join(dict.fromkeys(step.part for step in self.steps))
            raise ValueError(
                f"No part of lesson {self.name!r} starts with {start!r}; its parts are: {known}."
            )
        return replace(self, steps=kept)

    def summary(self) -> str:
        """Return one line per step: what, our value, what the slide prints, the verdict.

        >>> import treewright as tw
        >>> print(tw.lectures.temperature().only("Cuts").summary())
        step                ours  slide  verdict
        Between No and Yes    54  54     as printed
        Between Yes and No    85  85     as printed
        """
        columns = [
            Words("step", [step.what for step in self.steps], "<"),
            Words("ours", [_short(shown(step.value)) for step in self.steps]),
            Words("slide", [step.slide.printed if step.slide else "" for step in self.steps], "<"),
            Words("verdict", [step.verdict for step in self.steps], "<"),
        ]
        return "\n".join(aligned(columns))

    def tally(self) -> dict[str, int]:
        """Return how many numbers of the slides agree, and how; misprints under one word.

        >>> import treewright as tw
        >>> tw.lectures.temperature().tally()
        {'as printed': 3}
        """
        words = (step.verdict.partition(":")[0] for step in self.steps if step.slide)
        return dict(sorted(Counter(words).items()))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"Lesson({self.name}: {self.title}, {len(self.steps)} steps)"

    def _repr_markdown_(self) -> str:
        """Return what a notebook shows."""
        return self.to_markdown()

    def _lines(self) -> Iterator[str]:
        yield self.title
        yield "=" * len(self.title)
        yield from textwrap.wrap(self.about, _WIDTH)
        part = ""
        for step in self.steps:
            if step.part != part:
                part = step.part
                yield from ("", part, "-" * len(part))
            yield ""
            yield from ("  " + line for line in _block(step))
        yield ""
        yield f"Of the slides' numbers: {_counted(self.tally())}."

    def _markdown(self) -> Iterator[str]:
        yield f"# {self.title}"
        yield from ("", self.about)
        part = None
        for step in self.steps:
            if step.part != part:
                part = step.part
                yield from ("", f"## {part}") if part else ()
                yield from ("", "| what | formula | with numbers | ours | slide | verdict |")
                yield "|---|---|---|---|---|---|"
            what = step.what + (f" ({step.note})" if step.note else "")
            printed = f"{step.slide.printed} ({step.slide.place})" if step.slide else ""
            cells = (what, step.formula, step.filled, shown(step.value), printed, step.verdict)
            yield "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _block(step: Step) -> Iterator[str]:
    """Yield a step as lines: what it is, the formula, the numbers, the result with the verdict."""
    yield step.what
    ways = [way for way in (step.formula, step.filled) if way]
    for way in ways:
        lead = "  = " if way is not ways[0] else "    "
        yield from textwrap.wrap(
            way, _WIDTH, initial_indent=lead, subsequent_indent="      ", break_on_hyphens=False
        )
    value = shown(step.value)
    lead = "  = " if ways else "    "
    if "\n" in value:
        yield from ("    " + line for line in value.splitlines())
        value = ""
    compared = _compared(step)
    if value and compared:
        yield f"{lead}{value:<12}  [{compared}]"
    elif value or compared:
        yield f"{lead}{value}" if value else f"    [{compared}]"
    yield from textwrap.wrap(step.note, _WIDTH, initial_indent="    ", subsequent_indent="    ")


def _compared(step: Step) -> str:
    if step.slide is None:
        return ""
    is_told = step.slide.printed in (shown(step.value), step.formula)
    return f"slide: {step.verdict}" if is_told else f"slide: {step.slide.printed}, {step.verdict}"


def _short(value: str) -> str:
    """Return a value for a cell: the first line, and not too much of it."""
    first, *rest = value.split("\n")
    if len(first) > _LONGEST:
        return first[: _LONGEST - 1] + "…"
    return f"{first} …" if rest else first


def _counted(tally: dict[str, int]) -> str:
    return ", ".join(f"{n} {word}" for word, n in tally.items()) or "none"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")
