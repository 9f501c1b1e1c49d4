"""A page without a script: sections, tables, bars and curves, from values to one HTML file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from importlib import resources
from importlib.metadata import version

from treewright.base.numbers import number, percent
from treewright.report.html import HEAD, hash_of, printable

_PAGE = (
    HEAD
    + """\
<div id="report">
<header class="top">
<p class="over">{over}</p>
<h1>{title}</h1>
{lead}
{tiles}
</header>
<nav aria-label="Parts of the report">{links}</nav>
<main>
{parts}
</main>
<footer>Made by treewright {version}.
This file holds no training rows and asks nothing of the network.</footer>
</div>
</body>
</html>
"""
)


class Part:
    """A section of a page: its name, a sentence about it, and what it shows, as HTML."""

    def __init__(self, title: str, about: str, *content: str) -> None:
        self.title, self.about, self.content = title, about, content

    @property
    def place(self) -> str:
        """The name by which links find it."""
        return "-".join(self.title.lower().split())

    def html(self) -> str:
        """Return the section."""
        begin = f'<section id="{self.place}" aria-labelledby="{self.place}-title">'
        head = f'<h2 id="{self.place}-title">{text(self.title)}</h2><p class="about">{text(self.about)}</p>'
        return "\n".join([begin + head, *self.content, "</section>"])


def document(
    title: str, over: str, lead: Sequence[str], tiles: Iterable[tuple[str, str, str]], parts: Sequence[Part]
) -> bytes:
    """Return a page: what it is about, sentences, tiles with a name, a figure and a note, and its parts.

    >>> made = document("<y>", "A forest", ["It votes."], [("Trees", "10", "")], [Part("One", "About it.")])
    >>> made.startswith(b"<!doctype html>"), b"<y>" in made, b"<script" in made
    (True, False, False)
    """
    style = (resources.files(__package__) / "web" / "style.css").read_text(encoding="ascii")
    policy = (
        f"default-src 'none'; style-src {hash_of(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )
    page = _PAGE.format(
        policy=policy,
        version=text(version("treewright")),
        title=text(title),
        style=style,
        over=text(over),
        lead="\n".join(f'<p class="lead">{text(words)}</p>' for words in lead),
        tiles=_tiles(tiles),
        links="".join(f'<a href="#{part.place}">{text(part.title)}</a>' for part in parts),
        parts="\n".join(part.html() for part in parts),
    )
    return page.encode("ascii", errors="xmlcharrefreplace")


def text(words: str) -> str:
    """Return words that no browser takes for anything but words.

    >>> text("<b> & 'c'")
    '&lt;b&gt; &amp; &#x27;c&#x27;'
    """
    return escape(printable(str(words)))


def brief(name: str) -> str:
    """Return a name as it stands in a sentence: at most 60 letters.

    >>> brief("age"), len(brief("x" * 2000))
    ('age', 60)
    """
    return name if len(name) <= 60 else name[:59] + "\u2026"


def _tiles(tiles: Iterable[tuple[str, str, str]]) -> str:
    found = [
        f'<div class="tile{"" if i else " first"}"><span class="name">{text(name)}</span>'
        f'<span class="value">{text(value)}</span><span class="note">{text(note)}</span></div>'
        for i, (name, value, note) in enumerate(tiles)
    ]
    return f'<div class="tiles">{"".join(found)}</div>'


def table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = (), name: str = "Table"
) -> str:
    """Return a table; the first cell of a row is its name, `numbers` are the columns that stand on the right.

    >>> table(["a", "b"], [["x", "1"]], numbers=[1]).count("number")
    2
    """
    how = [' class="number"' if i in numbers else "" for i in range(len(heads))]
    head = "".join(f'<th scope="col"{how[i]}>{text(name)}</th>' for i, name in enumerate(heads))
    body = []
    for first, *rest in rows:
        cells = "".join(f"<td{how[i]}>{text(cell)}</td>" for i, cell in enumerate(rest, 1))
        body.append(f'<tr><th scope="row">{text(first)}</th>{cells}</tr>')
    label = text(f"{name}: {', '.join(heads[:4])}, {len(body)} rows")
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table class="plain">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


_MANY = 8  # classes from which on the names above a matrix stand upright


def matrix(names: Sequence[str], counts: Sequence[Sequence[float]]) -> str:
    """Return a confusion matrix: true classes down, given ones across; right answers are framed.

    >>> matrix(["a", "b"], [[3, 1], [0, 2]]).count("right")
    2
    """
    head = "".join(f'<th scope="col"><span>{text(name)}</span></th>' for name in names)
    body = []
    for i, (name, row) in enumerate(zip(names, counts, strict=True)):
        total = sum(row)
        cells = "".join(_cell(value, total, i == k) for k, value in enumerate(row))
        rows = f'<td class="soft">{number(total)}</td>'
        body.append(f'<tr><th scope="row" title="{text(name)}">{text(name)}</th>{cells}{rows}</tr>')
    corner = '<th scope="col">true \u2193 given \u2192</th>'
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Confusion matrix">'
        f'<table class="matrix{" many" if len(names) > _MANY else ""}"><thead><tr>{corner}{head}'
        f'<th scope="col"><span>rows</span></th></tr></thead><tbody>{"".join(body)}</tbody></table></div>'
    )


def _cell(value: float, total: float, is_right: bool) -> str:
    share = value / total if total > 0 else 0.0
    kinds = [*(["right"] if is_right else []), f"s{round(10 * share)}"]
    small = f"<small>{text(percent(share))}</small>" if value else ""
    shown = number(value) if value else '<span class="zero">\u00b7</span>'
    return f'<td class="{" ".join(kinds)}">{shown}{small}</td>'


def bars(rows: Sequence[tuple[str, float, float, float]], label: str) -> str:
    """Return bars from 0 to a value with an interval on each, if it is known: name, value, low, high.

    >>> bars([("x", 1.0, 0.5, 1.5)], "worth").count("<rect")
    1
    """
    if not rows:
        return ""
    known = [value for row in rows for value in row[1:] if not math.isnan(value)]
    low, high = min(0.0, *known), max(0.0, *known)
    span = high - low or 1.0

    def at(value: float) -> float:
        return round(200 + 420 * (value - low) / span, 1)

    shapes = []
    for i, (name, value, least, most) in enumerate(rows):
        y = 24 * i
        left, right = sorted((at(0), at(value)))
        words = name if len(name) <= 28 else name[:27] + "\u2026"
        has_interval = not math.isnan(least + most)
        shown = text(number(value, 3).replace("-", "\u2212"))
        ends = (at(least), at(most)) if has_interval else (left, right)
        caps = f"M{ends[0]} {y + 7}v9M{ends[1]} {y + 7}v9"
        interval = f'<path class="interval" d="M{ends[0]} {y + 11.5}H{ends[1]}{caps}"/>'
        shapes.append(
            f"<g><title>{text(name)}: {value:.4g}</title>"
            f'<text x="190" y="{y + 16}" text-anchor="end">{text(words)}</text>'
            f'<rect x="{left}" y="{y + 4}" width="{max(right - left, 0.5):.1f}" height="15" '
            f'class="bar-value"/>{interval if has_interval else ""}'
            f'<text x="{max(*ends, right) + 6:.1f}" y="{y + 16}">{shown}</text></g>'
        )
    axis = f'<line x1="{at(0)}" x2="{at(0)}" y1="0" y2="{24 * len(rows)}" class="axis"/>'
    return (
        f'<svg viewBox="0 0 700 {24 * len(rows) + 4}" class="chart" role="img" aria-label="{text(label)}">'
        f"{axis}{''.join(shapes)}</svg>"
    )


_DASHES = ("", "7 3", "2 3", "9 3 2 3")


def curve(
    title: str,
    xs: Sequence[str],
    series: Sequence[tuple[str, Sequence[float]]],
    positions: Sequence[float] | None,
    scale: tuple[float, float],
    words: Callable[[float], str] = number,
) -> str:
    """Return lines over some values, each with its name at its end; `words` writes the ends of the scale.

    `positions` are the places of numbers, from 0 to 1; without them values are categories, which are dots.

    >>> curve("x", ["1", "2"], [("y", [0.0, 1.0])], [0.0, 1.0], (0, 1)).count("<path")
    1
    >>> curve("x", ["a", "b"], [("y", [0.0, 1.0])], None, (0, 1)).count("<circle")
    2
    """
    low, high = scale
    span = high - low or 1.0
    last = max(1, len(xs) - 1)
    x = [
        round(58 + 450 * place, 1) for place in positions or [0.04 + 0.92 * i / last for i in range(len(xs))]
    ]
    shapes: list[str] = []
    ends: list[tuple[float, str]] = []
    for i, (name, line) in enumerate(series):
        y = [round(150 - 120 * (value - low) / span, 1) for value in line]
        points = list(zip(x, y, strict=True))
        dash = f' stroke-dasharray="{_DASHES[i % 4]}"' if i % 4 else ""
        path = "L".join(f"{a} {b}" for a, b in points)
        if positions is None:
            shapes += [f'<circle cx="{a}" cy="{b}" r="5" class="dot c{i % 4}"/>' for a, b in points]
        else:
            shapes.append(f'<path d="M{path}" class="dependence c{i % 4}"{dash}/>')
        ends.append((y[-1], name))
        if positions is None and len(series) == 1:  # stems: how far a category is from the lowest level
            shapes[:0] = [f'<line x1="{a}" x2="{a}" y1="{b}" y2="150" class="stem"/>' for a, b in points]
    names, above = "", -1e9
    for low_end, name in sorted(ends):  # moved apart where they would meet
        above = max(low_end, above + 14)
        names += f'<text x="516" y="{above + 4:.1f}">{text(name[:22])}</text>'
    ticks = _ticks(xs, x)
    return (
        f'<figure><figcaption>{text(title)}</figcaption><svg viewBox="0 0 680 186" class="chart" role="img" '
        f'aria-label="Partial dependence on {text(title)}">'
        f'<line x1="58" x2="508" y1="30" y2="30" class="grid"/>'
        f'<line x1="58" x2="508" y1="90" y2="90" class="grid"/>'
        f'<line x1="58" x2="508" y1="150" y2="150" class="axis"/>'
        f'<text x="52" y="34" text-anchor="end">{text(words(high))}</text>'
        f'<text x="52" y="94" text-anchor="end">{text(words((low + high) / 2))}</text>'
        f'<text x="52" y="154" text-anchor="end">{text(words(low))}</text>'
        f"{''.join(shapes)}{names}{ticks}</svg></figure>"
    )


def _ticks(xs: Sequence[str], x: Sequence[float]) -> str:
    """Return the values under an axis, as many as have room."""
    found, last = [], -1e9
    for words, place in zip(xs, x, strict=True):
        width = 7.0 * min(len(words), 12)
        if place - width / 2 < last + 6:
            continue
        last = place + width / 2
        found.append(f'<text x="{place}" y="172" text-anchor="middle">{text(words[:12])}</text>')
    return "".join(found)


def drawing(svg: str) -> str:
    """Return a picture that stands in a page: it scrolls where it is wide."""
    return (
        f'<div class="scroll drawing" tabindex="0" role="region" aria-label="Picture of the tree">{svg}</div>'
    )
