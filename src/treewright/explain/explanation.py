"""Why a tree answers one row as it does, how sure it is, and what would change the answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

import numpy as np

from treewright.base.advice import ask, refusal
from treewright.base.lines import harmless
from treewright.base.notebook import Shown
from treewright.explain import text
from treewright.explain.axis import Axis, Codes, Numbers
from treewright.explain.cell import Cell, Cells, Event, walked
from treewright.explain.certainty import Certainty, certainty_of
from treewright.explain.change import Change, any_of, before_of, cell_words, change_to
from treewright.explain.detour import Detour, detour_of
from treewright.explain.modelled import Modelled, answers_of, certainty_by, models_of
from treewright.explain.polytope import crossings
from treewright.explain.prices import axes_of, fixed_among
from treewright.explain.row import Row, columns_of, row_of
from treewright.explain.search import Answers, Found, Wanted, cheapest
from treewright.predict import route_columns
from treewright.predict.vote import labels, values
from treewright.route.gaps import GapCounts, gap_counts
from treewright.rules.condition import Condition
from treewright.table import Kind, Schema, Table
from treewright.tree import Tree, split
from treewright.tree.check import SUM
from treewright.tree.schools import with_policy

NO_BOXES = (
    "near misses and least changes are told of trees whose leaves say one thing each; this one answers with "
    "models."
)


@dataclass(frozen=True, repr=False)
class Step(Shown):
    """One test on the way: the node, what it asks, the answer, and the share of the row that was there.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> [(step.question, step.answer) for step in tree.explain(0, tw.example("tennis")).steps]
    [('Outlook', '= Sunny'), ('Humidity', '= High')]
    """

    node: int
    question: str
    answer: str
    share: float = 1.0

    def __str__(self) -> str:
        return harmless(f"{self.question} {self.answer}")


@dataclass(frozen=True, repr=False)
class NearMiss(Shown):
    """The smallest move of one column alone that leaves the row's box, and the answer on the other side.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"age": [20, 30, 40, 50], "y": list("aabb")}), target="y")
    >>> miss = tree.explain({"age": 30}).near_misses[0]
    >>> miss.change.to_text(), miss.prediction
    ('age from 30 to 36 (+6)', 'b')
    """

    change: Change
    prediction: str | float

    def __str__(self) -> str:
        return harmless(f"{self.change}: {cell_words(self.prediction)}")

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON types.

        >>> NearMiss(Change("Wind", "Weak", "Strong", None, 1.0, "Strong"), "No").to_dict()["prediction"]
        'No'
        """
        return {**self.change.to_dict(), "prediction": self.prediction}


@dataclass(frozen=True, repr=False)
class Alternative(Shown):
    """A changed row that gets a wanted answer: the changes, their cost, the answer and how sure it is.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> best = tree.explain(0, tw.example("tennis")).alternatives[0]
    >>> best.to_text(), best.cost, best.certainty.prediction
    ('Outlook from Sunny to Overcast', 1.0, 'Yes')
    """

    changes: tuple[Change, ...]
    cost: float
    certainty: Certainty
    nodes: tuple[int, ...]  # the leaf; several where the row is divided

    @property
    def prediction(self) -> str | float:
        """The answer to the changed row."""
        return self.certainty.prediction

    def __str__(self) -> str:
        return harmless(f"{self.to_text()}: {cell_words(self.prediction)}")

    def to_text(self, style: split.Style = split.FULL) -> str:
        """Return the changes in words.

        >>> Alternative((), 0.0, None, (0,)).to_text()
        'no change: it is so already'
        """
        return " and ".join(change.to_text(style) for change in self.changes) or "no change: it is so already"

    def to_dict(self, classes: Iterable[str] = ()) -> dict[str, Any]:
        """Return it as plain JSON types.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
        >>> tree.explain(0, tw.example("tennis")).alternatives[0].to_dict(tree.classes)["cost"]
        1.0
        """
        return {
            "changes": [change.to_dict() for change in self.changes],
            "cost": self.cost,
            "prediction": self.prediction,
            "nodes": list(self.nodes),
            "certainty": self.certainty.to_dict(tuple(classes)),
        }


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
    """Why a tree answers one row as it does; made by `tree.explain(row)`. Printed, it reads aloud.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> print(tree.explain({"Outlook": "Sunny", "Humidity": "High", "Wind": "Weak"}))
    PlayTennis is No because Outlook = Sunny and Humidity = High.
    <BLANKLINE>
    How sure: 3 of 3 training rows there are No, 100 % (95 % interval 43.9 to 100 %).
    ...
    """

    target: str
    classes: tuple[str, ...]  # () for numbers
    schema: Schema
    row: Mapping[str, Any]  # by column, of those the tree asks about
    steps: tuple[Step, ...]
    conditions: tuple[Condition, ...]  # what holds of the row on the way, one for each column
    detours: tuple[Detour, ...]
    parts: tuple[tuple[int, float], ...]  # where the row ends: a node, or several with their shares
    answers: tuple[str | float, ...]  # what each of these nodes says
    certainty: Certainty
    near_misses: tuple[NearMiss, ...]  # nearest first
    wanted: str | None  # the wish in words; None where nothing was asked
    fixed: tuple[str, ...]
    whole: tuple[str, ...]  # columns that move by whole numbers
    alternatives: tuple[Alternative, ...]  # cheapest first
    is_proven: bool  # whether no cheaper alternative can exist
    sums: tuple[str, ...] = ()  # what holds of the row on the way of sums of columns, in words
    models: tuple[Modelled, ...] = ()  # of the nodes where the row ended, of those that have one
    left_out: str = ""  # what is not told of a tree with sums or models, and why
    short: Mapping[float, float] = field(default_factory=dict)  # cuts, and how they are shown
    gaps: GapCounts | None = None  # of the table the row came from: how many rows met a missing value

    @property
    def prediction(self) -> str | float:
        """The answer to the row."""
        return self.certainty.prediction

    def to_text(self, ascii: bool = False) -> str:  # noqa: A002 (the word says it)
        """Return the explanation to read; with `ascii` nothing but ASCII is used.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
        >>> print(tree.explain(0, tw.example("tennis")).to_text())
        PlayTennis is No because Humidity = High.
        <BLANKLINE>
        How sure: 4 of 7 training rows there are No, 57.1 % (95 % interval 25 to 84.2 %).
        ...
        """
        return text.to_text(self, ascii)

    def __str__(self) -> str:
        return text.to_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain JSON types.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
        >>> plain = tree.explain(0, tw.example("tennis")).to_dict()
        >>> plain["prediction"], plain["because"], plain["alternatives"][0]["changes"][0]["to"]
        ('No', ['Outlook = Sunny', 'Humidity = High'], 'Overcast')
        """
        return {
            "target": self.target,
            "prediction": self.prediction,
            "row": dict(self.row),
            "because": text.because(self),
            "steps": [dict(vars(step)) for step in self.steps],
            "detours": [detour.to_dict() for detour in self.detours],
            **({} if self.gaps is None else {"gaps": self.gaps._asdict()}),
            "parts": [
                {"node": node, "share": share, "prediction": said}
                for (node, share), said in zip(self.parts, self.answers, strict=True)
            ],
            "certainty": self.certainty.to_dict(self.classes),
            "near_misses": [miss.to_dict() for miss in self.near_misses],
            "wanted": self.wanted,
            "fixed": list(self.fixed),
            "whole": list(self.whole),
            "alternatives": [alternative.to_dict(self.classes) for alternative in self.alternatives],
            "is_proven": self.is_proven,
            **({"models": [found.to_dict() for found in self.models]} if self.models else {}),
            **({"left_out": self.left_out} if self.left_out else {}),
        }


class ExplainOptions(TypedDict, total=False):
    """The options of `explain_row` by name, for functions that hand them on."""

    wanted: Any
    fixed: Iterable[str]
    costs: Mapping[str, Any] | None
    whole: Iterable[str] | None
    most: int
    probabilities: str
    missing: str | None


def explain_row(
    tree: Tree,
    row: Any,
    table: Any = None,
    *,
    wanted: Any = None,
    fixed: Iterable[str] = (),
    costs: Mapping[str, Any] | None = None,
    whole: Iterable[str] | None = None,
    most: int = 3,
    probabilities: str = "raw",
    missing: str | None = None,
) -> Explanation:
    """Return why a tree answers a row as it does, how sure it is, and the least change to another answer.

    Of a tree that answers with models no change is searched for. Where it tests sums of columns, the least
    change is the optimum of a linear program over the polytopes of its leaves.

    Args:
        tree: the tree.
        row: a dict by column name, a Series, a frame or Table of one row, a list in the order of the columns;
            or a row number, from 0 up, with its `table`. Columns that nothing asks about may be absent.
        table: where a row number is given: a Table, a frame, a dict of columns or an array.
        wanted: the answer that is wished for: a class or several; for a tree of numbers a pair of ends, such
            as (200, None). Without it, any other class; of numbers nothing is searched for.
        fixed: columns that must stay as they are.
        costs: by column: of numbers the price of one unit, of ordered categories that of one step, of others
            that of any change, or a table of prices: {"from": {"to": price}} (what is not in it is not
            allowed), or lists in the order of the categories. Else as in docs/explanations.md.
        whole: columns that move by whole numbers. By default those whose value is whole and whose cuts in the
            tree all lie at, or half-way between, whole numbers.
        most: how many alternatives to give at most; 0 for none.
        probabilities: as in `predict_proba`.
        missing: another policy for missing values than the tree's own, as in `predict`.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> found = explain_row(tree, 0, tw.example("tennis"), fixed=["Outlook"])
    >>> found.prediction, [alternative.to_text() for alternative in found.alternatives]
    ('No', ['Humidity from High to Normal'])
    """
    tree = with_policy(tree, missing)
    has_boxes = _has_boxes(tree)
    if wanted is not None and not has_boxes:
        raise refusal(
            f"wanted={wanted!r}: {NO_BOXES} Leave it out to see the way and the answer, or grow a tree with ",
            ask("leaves", "constant"),
            ".",
        )
    if type(most) is not int or most < 0:
        raise ValueError(f"most must be a whole number from 0 up, found {most!r}.")
    given = row_of(tree, row, table)
    axes = axes_of(tree, given, costs, whole)
    places = fixed_among(fixed, tree.schema)
    columns = columns_of(tree.schema, [given.cells])
    routed = route_columns(tree, columns, 1)  # refuses what the tree refuses
    own_label = int(labels(tree, routed, columns)[0]) if tree.is_classifier else 0
    wish = Wanted.of(tree, wanted, own_label) if has_boxes else None
    found = Found([], True)
    if wish is not None and most:
        own = {place: axes[place].own for place in places if place in axes}
        found = cheapest(Cells(tree, axes), wish, own, most)
    style = split.Style(most=8, longest=60, short=split.short_cuts(tree.about))
    explanation = Explanation(
        target=tree.target.name,
        classes=tree.classes,
        schema=tree.schema,
        row=given.shown,
        wanted=None if wish is None else text.wish(tree, wish, wanted is None),
        fixed=tuple(tree.schema.columns[place].name for place in places),
        whole=tuple(a.column.name for a in axes.values() if isinstance(a, Numbers) and a.is_whole),
        alternatives=_alternatives(tree, given, axes, found.cells, style, probabilities),
        is_proven=found.is_proven and has_boxes,
        left_out="" if has_boxes else NO_BOXES,
        short=_true_of(given, style.short),
        **_way(tree, given, axes, style, probabilities),
    )
    is_at_gap = any(detour.found == "missing" for detour in explanation.detours)
    return replace(explanation, gaps=_gaps_in(tree, table)) if is_at_gap else explanation


def _gaps_in(tree: Tree, table: Any) -> GapCounts | None:
    """Return how many rows of the row's table met a missing value; None where columns are absent."""
    if not isinstance(table, Table) or any(name not in table.schema for name in tree.schema.names):
        return None
    return gap_counts(tree, table)


def _true_of(row: Row, short: Mapping[float, float]) -> dict[float, float]:
    """Return the cuts that can be shown by a short number: no value of the row lies between the two."""
    values = [cell for cell in row.cells if isinstance(cell, float)]
    ends = {cut: (min(cut, shown), max(cut, shown)) for cut, shown in short.items()}
    return {
        cut: shown
        for cut, shown in short.items()
        if not any(ends[cut][0] < value <= ends[cut][1] for value in values)
    }


def _way(
    tree: Tree, row: Row, axes: Mapping[int, Axis], style: split.Style, probabilities: str
) -> dict[str, Any]:
    """Return what there is to say of the row as it is, by the names of the Explanation's fields."""
    cells = Cells(tree, {place: _continuous(axis) for place, axis in axes.items()})
    cell, events = walked(cells)
    columns = columns_of(tree.schema, [row.cells])
    sure = certainty_of(tree, cell.parts, _predicted(tree, [row.cells])[0], probabilities)
    found = tuple(models_of(tree, columns, cell.parts, style))
    if any(model.is_used for model in found):
        sure = certainty_by(tree, columns, cell.parts, sure, probabilities)
        said = answers_of(tree, columns, cell.parts)
    else:
        said = [Answers(tree).of([part]) for part in cell.parts]
    return {
        "steps": tuple(_step(tree, event, style) for event in events),
        "conditions": tuple(_conditions(tree, cells.axes, cell)),
        "detours": tuple(detour_of(cells, row, event, style) for event in events if event.way != "test"),
        "parts": cell.parts,
        "answers": tuple(_answer(tree, one) for one in said),
        "certainty": sure,
        "near_misses": _near_misses(tree, row, axes, cell, style) if _has_boxes(tree) else (),
        "sums": tuple(_sums(tree, events, style)),
        "models": found,
    }


def _has_boxes(tree: Tree) -> bool:
    """Whether all rows of a leaf have one answer: only there are changes searched for."""
    return not tree.has_models


def _sums(tree: Tree, events: Iterable[Event], style: split.Style) -> Iterable[str]:
    """Yield what sums of columns answered on the way."""
    for event in events:
        if tree.kind[event.node] == SUM and event.way == "test":
            step = _step(tree, event, style)
            yield f"{step.question} {step.answer}"


def _continuous(axis: Axis) -> Axis:
    """Return an axis on which cuts are what they are, whole numbers or not."""
    return replace(axis, is_whole=False) if isinstance(axis, Numbers) else axis


def _step(tree: Tree, event: Event, style: split.Style) -> Step:
    answers = split.answers(tree, event.node, style)
    words = (
        answers[event.branch] if event.branch >= 0 else {"divide": "divided", "stop": "stopped"}[event.way]
    )
    return Step(event.node, split.question(tree, event.node, style), words, event.share)


def _conditions(tree: Tree, axes: Mapping[int, Axis], cell: Cell) -> Iterable[Condition]:
    """Yield what is known to hold of the row: one condition for each column with a value."""
    for place, region in cell.box.items():
        axis, name = axes[place], tree.schema.columns[place].name
        if not axis.is_known:
            continue
        if isinstance(axis, Numbers):
            low, high, _ = region
            if low == -math.inf and high == math.inf:
                continue  # of a sum: its value is there, no more
            cut = before_of(low)
            yield Condition(name, None if math.isinf(cut) else cut, None if math.isinf(high) else high)
        else:
            codes = [code for code in range(len(axis.prices)) if region >> code & 1]
            if axis.column.kind is not Kind.ordinal:
                codes.sort(key=lambda code: code != axis.code)  # the row's own first: a long list is cut
            yield Condition(name, categories=tuple(axis.column.categories[code] for code in codes))


# ---- near misses and alternatives -------------------------------------------------------------------


def _near_misses(
    tree: Tree, row: Row, axes: Mapping[int, Axis], cell: Cell, style: split.Style
) -> tuple[NearMiss, ...]:
    """Return the ways out of the row's box by one column alone, cheapest first."""
    found = []
    ways = [
        (place, beyond) for place, region in cell.box.items() for beyond in _ways_out(axes[place], region)
    ]
    across = [(place, (x, x, False)) for plane in cell.planes for place, x in crossings(axes, plane)]
    for place, beyond in ways + across:
        change, value = change_to(axes[place], row, beyond, style, (place, beyond) in across)
        if math.isfinite(change.cost):
            found.append((change, _with(row, {place: value})))
    said = _predicted(tree, [cells for _, cells in found])
    alike: dict[tuple[Any, ...], list[Change]] = {}  # categories that cost the same and have one answer
    for (change, _), answer in zip(found, said, strict=True):
        if answer is not None:
            side = change.after if change.move is not None else None
            alike.setdefault((change.cost, change.column, side, answer), []).append(change)
    misses = [NearMiss(_any(changes, style), key[-1]) for key, changes in alike.items()]
    return tuple(sorted(misses, key=lambda miss: miss.change.cost))


def _any(changes: list[Change], style: split.Style) -> Change:
    """Return changes of one column to several categories as one."""
    return replace(changes[0], words=any_of([change.words for change in changes], style))


def _ways_out(axis: Axis, region: Any) -> Iterable[Any]:
    """Yield the values just beyond a region that holds the row's own, each as a region."""
    if not axis.is_known:
        return
    if isinstance(axis, Codes):
        outside = [code for code in range(len(axis.prices)) if not region >> code & 1]
        if axis.column.kind is Kind.ordinal:
            below = [code for code in outside if code < axis.code]
            outside = below[-1:] + [code for code in outside if code > axis.code][:1]
        least = min((axis.prices[code] for code in outside), default=0.0)
        is_ranked = axis.column.kind is Kind.ordinal
        yield from (1 << code for code in outside if is_ranked or axis.prices[code] == least)
        return
    low, high, _ = region
    if math.isfinite(low):
        before = axis.up_to(before_of(low))
        yield (before, before, False)
    if math.isfinite(high) and (after := axis.after(high)) is not None:
        yield (after, after, False)


def _alternatives(
    tree: Tree, row: Row, axes: Mapping[int, Axis], found: list[Cell], style: split.Style, probabilities: str
) -> tuple[Alternative, ...]:
    """Return boxes as changes of the row; each is tried on the tree before it is told."""
    made = []
    for cell in found:
        points = {term.column for plane in cell.planes for term, _ in plane.terms}
        moves = {
            place: change_to(axes[place], row, cell.box[place], style, place in points)
            for place in sorted(cell.moved)
        }
        changed = _with(row, {place: value for place, (_, value) in moves.items()})
        made.append((tuple(change for change, _ in moves.values()), changed))
    said = _predicted(tree, [changed for _, changed in made])
    answers = Answers(tree)
    alternatives = []
    for cell, (changes, _), answer in zip(found, made, said, strict=True):
        if answer != _answer(tree, answers.of(cell.parts)):
            raise RuntimeError(f"The changed row is answered {answer!r}, which its box {cell.parts} is not.")
        sure = certainty_of(tree, cell.parts, answer, probabilities)
        alternatives.append(Alternative(changes, cell.cost, sure, tuple(node for node, _ in cell.parts)))
    return tuple(alternatives)


def _with(row: Row, cells: Mapping[int, Any]) -> tuple[Any, ...]:
    return tuple(cells.get(place, cell) for place, cell in enumerate(row.cells))


def _predicted(tree: Tree, rows: list[tuple[Any, ...]]) -> list[Any]:
    """Return what the tree says to rows in its codes; None where it refuses one."""
    if not rows:
        return []
    columns = columns_of(tree.schema, rows)
    try:
        routed = route_columns(tree, columns, len(rows))
    except ValueError:
        if len(rows) == 1:
            return [None]
        return [_predicted(tree, [row])[0] for row in rows]
    said = labels(tree, routed, columns) if tree.is_classifier else values(tree, routed, columns)
    return [_answer(tree, one) for one in np.asarray(said).tolist()]


def _answer(tree: Tree, said: Any) -> str | float:
    return tree.classes[said] if tree.is_classifier else float(said)
