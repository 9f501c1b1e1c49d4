"""What a node looks like: its prediction, a bar of its training rows, one of held-out rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.draw import chart
from treewright.draw.arrange import Placed, Sizes
from treewright.draw.classes import top_classes
from treewright.draw.view import Item
from treewright.draw.words import Words
from treewright.paint.colours import FAINT, INK, LINE, OTHER, PAPER, TRACK, Look, look, mixed, swatch
from treewright.paint.font import evenly_wrapped, fits, measure, shortened, wrapped
from treewright.paint.marks import Box, Mark, Shape, Text, rectangle, rounded
from treewright.tree import node as nodes
from treewright.tree.check import SUM

HEAD, FACT, ASK, ANSWER = 12.0, 10.0, 12.0, 11.0  # sizes of text; none may be under 9
_LINE = 1.25  # height of a line, in sizes
_PAD = 8.0
_SWATCH, _SWATCH_GAP = 10.0, 5.0
_BAR, _BAR_GAP, _BAR_LEAST = 7.0, 2.0, 64.0
_BETWEEN = 4.0  # from head to bars, and from bars to facts
_CATEGORIES = (8, 6, 5, 4, 3, 2, 1)  # of an answer, tried in turn until it fits into a few lines
_SUM_LINES = 8  # of a question about a sum
_BESIDE = 6.0  # from a bar to its fact, on a flat card
_STACK = 3.0  # by which the cards behind a folded one show


@dataclass(frozen=True)
class Limits:
    """How much room words have: widths beyond which they are cut or wrapped, lines, letters of a name."""

    head: float
    ask: float
    answer: float
    chart: float  # a chart with the names of its bars
    head_lines: int
    ask_lines: int
    answer_lines: int
    name: int


TIGHT = Limits(head=180, ask=160, answer=132, chart=180, head_lines=2, ask_lines=2, answer_lines=3, name=24)
# More room for names, the roomiest first: wider and higher, as wide as before but higher.
ROOMIER = (
    Limits(240, 220, 190, chart=420, head_lines=4, ask_lines=5, answer_lines=6, name=200),
    Limits(180, 160, 132, chart=240, head_lines=6, ask_lines=6, answer_lines=9, name=200),
)


@dataclass(frozen=True)
class Block:
    """An item ready to be drawn: its lines, cut to fit, and the sizes of its parts."""

    item: Item
    head: tuple[str, ...]
    share: str
    facts: tuple[str, ...]
    question: tuple[str, ...]
    answer: tuple[str, ...]
    is_gap: bool
    is_flat: bool  # facts stand beside their bars, not under them
    is_passed: bool  # by the row whose path is drawn
    is_cut: bool  # a name did not fit
    chart: chart.Chart | None
    sizes: Sizes


def block(words: Words, item: Item, is_flat: bool = False, limits: Limits = TIGHT) -> Block:
    """Return an item with its words measured.

    >>> from treewright.tree.example import tennis
    >>> root = block(Words(tennis()), Item(0, -1, "open", (0,)))
    >>> root.head, root.share, root.facts, root.question
    (('Yes',), '64 %', ('14 rows',), ('Outlook?',))
    >>> root.sizes.card
    (90.46, 54.5)
    """
    share, facts = words.share(item), _facts(words, item, limits.head)
    head = evenly_wrapped(words.head(item), limits.head, HEAD, bold=True, most=limits.head_lines)
    n_bars = _n_bars(words)
    beside = _BAR_LEAST + _BESIDE if is_flat else 0.0
    inner = max(
        _BAR_LEAST,
        *(measure(fact, FACT) + beside * (i < n_bars) for i, fact in enumerate(facts)),
        _lead(words, item) + max(measure(line, HEAD, bold=True) for line in head),
        _lead(words, item) + measure(head[-1], HEAD, bold=True) + (5 + measure(share, HEAD) if share else 0),
    )
    bars = len(facts) * FACT * _LINE
    bars += 0 if is_flat else n_bars * _BAR + (n_bars - 1) * _BAR_GAP + _BETWEEN
    stack = 2 * _STACK if item.how in ("folded", "bundle") else 0
    asking = max(limits.ask, inner)
    drawing = chart.chart(words.distribution(item), max(limits.chart, inner))
    question = wrapped(words.question(item), asking, ASK, bold=True, most=_lines_of(words, item, limits))
    answer = _answer(words, item, limits)
    asked = _area(question, ASK, bold=True, above=3)
    if drawing is not None:
        asked = (max(asked[0], drawing.width), asked[1] + drawing.height)
    sizes = Sizes(
        answer=_area(answer, ANSWER),
        card=(
            round(inner + 2 * _PAD, 2),
            round(len(head) * HEAD * _LINE + _BETWEEN + bars + 2 * _PAD - 4 + stack, 2),
        ),
        question=asked,
    )
    return Block(
        item=item,
        head=head,
        share=share,
        facts=facts,
        question=question,
        answer=answer,
        is_gap=words.is_gap(item),
        is_flat=is_flat,
        is_passed=words.is_passed(item),
        is_cut=any("…" in line for line in (*head, *question, *answer, *facts))
        or (drawing is not None and drawing.is_cut),
        chart=drawing,
        sizes=sizes,
    )


def _facts(words: Words, item: Item, room: float) -> tuple[str, ...]:
    """Return the lines below the bars: rows with their share of all, held-out rows, the next classes."""
    following = words.next_classes(item)
    n = next((n for n in range(len(following), 1, -1) if fits(", ".join(following[:n]), room, FACT)), 1)
    return (*words.facts(item), *([shortened(", ".join(following[:n]), room, FACT)] if following else []))


def _n_bars(words: Words) -> int:
    return 1 if words.held is None else 2


def _lines_of(words: Words, item: Item, limits: Limits) -> int:
    """Return how many lines a question may have: a sum is of no use without its last term."""
    return _SUM_LINES if words.tree.kind[item.node] == SUM else limits.ask_lines


def _lead(words: Words, item: Item) -> float:
    """Return the room that the swatch of the class takes before the head."""
    has_swatch = words.tree.is_classifier and item.how != "bundle" and not words.has_model(item)
    return _SWATCH + _SWATCH_GAP if has_swatch else 0.0


def _answer(words: Words, item: Item, limits: Limits) -> tuple[str, ...]:
    """Return the answer in a few lines: fewer categories where they are many, long names cut."""
    for most in _CATEGORIES:
        lines = wrapped(words.answer(item, most, max(60, limits.name)), limits.answer, ANSWER)
        if len(lines) <= limits.answer_lines:
            return lines
    return wrapped(words.answer(item, 1, limits.name), limits.answer, ANSWER, most=limits.answer_lines + 1)


def _area(lines: tuple[str, ...], size: float, bold: bool = False, above: float = 0) -> tuple[float, float]:
    if not lines:
        return (0.0, 0.0)
    return max(measure(line, size, bold) for line in lines), above + len(lines) * size * _LINE


# ---- drawing ------------------------------------------------------------------------------------------


def marks(words: Words, block: Block, place: Placed, side: float = 0.5) -> list[Mark]:
    """Return all that is drawn for an item: answer, card, question.

    `side` is where the lines of an answer stand in its box: 0 at the left, 0.5 in the middle, 1 at the right.
    """
    node = block.item.node if block.item.how != "bundle" else -1
    left, top, right, bottom = place.card
    if block.item.how in ("folded", "bundle"):
        bottom -= 2 * _STACK
    box = (left, top, right, bottom)
    found: list[Mark] = [*_frame(words, block, box, node)]
    y = top + _PAD - 2
    found += _head(words, block, box, y, node)
    found += _rows(words, block, box, y + len(block.head) * HEAD * _LINE + _BETWEEN, node)
    asked = place.question
    middle = min(side, 0.5)  # a question stands below the middle of its card, in an outline at the left
    if block.chart is not None:
        left, right = _inside(asked, block.chart.width, middle)
        found += chart.marks(words, block.chart, (left, asked[3] - block.chart.height, right, asked[3]), node)
        asked = (*asked[:3], asked[3] - block.chart.height)
    found += _lines(block.question, asked, ASK, True, node, middle, above=3)
    found += _lines(block.answer, place.answer, ANSWER, False, node, side)
    return found


def _inside(box: Box, width: float, side: float) -> tuple[float, float]:
    """Return the left and right end of something in a box, with its share of the free room at its left."""
    left = box[0] + (box[2] - box[0] - width) * side
    return left, left + width


def _frame(words: Words, block: Block, box: Box, node: int) -> list[Shape]:
    left, top, right, bottom = box
    how = _look(words, block.item)
    is_leaf = block.item.how == "leaf"
    shapes = []
    if block.item.how in ("folded", "bundle"):
        for behind in (2, 1):
            shift = behind * _STACK
            path = rounded(left + shift, top + shift, right - left - 2 * shift, bottom - top, 6)
            shapes.append(Shape(path, fill=PAPER, stroke=LINE, width=1, node=node))
    shapes.append(
        Shape(
            rounded(left, top, right - left, bottom - top, 6),
            fill=_ground(words, block.item) if is_leaf else PAPER,
            stroke=INK if block.is_passed else how.edge if is_leaf else LINE,
            width=2.5 if block.is_passed else 1.5 if is_leaf else 1.0,
            dash=(4, 3) if block.item.how in ("folded", "bundle") else (),
            node=node,
        )
    )
    return shapes


def _ground(words: Words, item: Item) -> str:
    """Return the ground of a leaf: a breath of its class's colour, or the darker the higher its mean."""
    if words.tree.is_classifier:
        return _look(words, item).tint
    share = words.on_scale(float(words.tree.stats[item.node, 1]))
    return mixed(look(0).colour, PAPER, 0.04 + 0.3 * share)


def _head(words: Words, block: Block, box: Box, y: float, node: int) -> list[Mark]:
    x, base = box[0] + _PAD, y + HEAD * 0.98
    found: list[Mark] = []
    if lead := _lead(words, block.item):
        found += swatch(x, base - _SWATCH + 0.5, _SWATCH, _SWATCH, _look(words, block.item), node)
        x += lead
    for i, line in enumerate(block.head):
        base = y + HEAD * (0.98 + _LINE * i)
        found.append(Text(x, base, line, HEAD, bold=True, node=node, inside=box))
    x += measure(block.head[-1], HEAD, bold=True) + 5
    if block.share:
        found.append(Text(x, base, block.share, HEAD, node=node, inside=box))
    return found


def _rows(words: Words, block: Block, box: Box, top: float, node: int) -> list[Mark]:
    """Return the bars and the facts: side by side on a flat card, else the facts below all bars."""
    left, right = box[0] + _PAD, box[2] - _PAD
    n, step = _n_bars(words), FACT * _LINE
    found: list[Mark] = []
    for i, fact in enumerate(block.facts):
        bar_top = top + i * (step if block.is_flat else _BAR + _BAR_GAP) + (2.5 if block.is_flat else 0)
        bar_right = left + _BAR_LEAST if block.is_flat else right
        if i < n:
            kind = ("trained", "held")[i]
            found += _bar(words, block.item, kind, (left, bar_top, bar_right, bar_top + _BAR), node)
        x = bar_right + _BESIDE if block.is_flat and i < n else left
        below = 0.0 if block.is_flat else n * _BAR + (n - 1) * _BAR_GAP + _BETWEEN
        base = top + below + i * step + FACT * 0.95
        found.append(Text(x, base, fact, FACT, colour=FAINT, node=node, inside=box))
    return found


def _look(words: Words, item: Item) -> Look:
    if item.how == "bundle" or (words.tree.is_classifier and words.has_model(item)):
        return Look(OTHER, "plain")
    return look(int(words.tree.label[item.node])) if words.tree.is_classifier else look(0)


def _bar(words: Words, item: Item, kind: str, box: Box, node: int) -> list[Mark]:
    if words.tree.is_classifier:
        return _class_bar(_class_weights(words, item, kind), box, node)
    return _number_bar(words, item, kind, box, node)


def _class_weights(words: Words, item: Item, kind: str) -> NDArray[np.float64]:
    members = list(item.members)
    if kind == "held" and words.held is not None:
        return np.asarray(words.held.stats[members].sum(axis=0))
    if len(members) == 1:
        return nodes.shares(words.tree, members[0])
    return np.asarray(words.tree.stats[members].sum(axis=0))


def _class_bar(weights: NDArray[np.float64], box: Box, node: int) -> list[Mark]:
    """Return a bar in which every class has its share, in class order; an empty frame where no row came."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    total = float(weights.sum())
    if not total > 0:
        return [Shape(rectangle(*box[:2], width, height), stroke=LINE, width=0.75, dash=(2, 2), node=node)]
    found: list[Mark] = []
    x = left
    shown = [(code, width * weight / total) for code, weight in top_classes(weights)]
    for code, part in shown:
        found += swatch(x, top, part, height, look(code), node)
        x += part
    x = left
    for _, part in shown[:-1]:  # a thin gap between classes
        x += part
        found.append(Shape((("M", x, top), ("L", x, bottom)), stroke=PAPER, width=0.75, node=node))
    return found


def _number_bar(words: Words, item: Item, kind: str, box: Box, node: int) -> list[Mark]:
    """Return mean and spread on the scale that all nodes share: a band, and a tick at the mean."""
    left, top, right, bottom = box
    found: list[Mark] = [Shape(rectangle(left, top, right - left, bottom - top), fill=TRACK, node=node)]
    how = look(0 if kind == "trained" else 1)
    for member in item.members:
        if kind == "held" and words.held is not None:
            weight, mean, spread = words.held.stats[member].tolist()
        else:
            weight, mean = words.tree.stats[member, :2].tolist()
            spread = nodes.spread(words.tree, member)
        if not weight > 0:
            continue
        at = [left + (right - left) * words.on_scale(v) for v in (mean - spread, mean, mean + spread)]
        band = rectangle(at[0], top + 1.5, max(at[2] - at[0], 0.5), bottom - top - 3)
        found.append(Shape(band, fill=mixed(how.colour, PAPER, 0.55), node=node))
        tick = rectangle(min(max(at[1] - 1, left), right - 2), top - 0.5, 2, bottom - top + 1)
        found.append(Shape(tick, fill=mixed(how.colour, INK, 0.7), node=node))
    return found


def _lines(
    lines: tuple[str, ...], box: Box, size: float, bold: bool, node: int, side: float = 0.5, above: float = 0
) -> list[Mark]:
    """Return lines in their box, each with its share of the free room at its left."""
    found: list[Mark] = []
    for i, line in enumerate(lines):
        x = box[0] + (box[2] - box[0] - measure(line, size, bold)) * side
        base = box[1] + above + size * (_LINE * i + 0.95)
        found.append(Text(x, base, line, size, bold, INK, node, inside=box))
    return found
