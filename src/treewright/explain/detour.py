"""Gaps and unknown categories on the way: what the policy did with the row, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright.base.names import nearest
from treewright.explain.axis import GAP
from treewright.explain.cell import Cells, Event
from treewright.explain.row import Row
from treewright.rules.from_tree import stand_in
from treewright.table import Column
from treewright.tree import Tree, split
from treewright.tree.check import SUM
from treewright.tree.policy import PLAIN, gap_policy, unseen_policy
from treewright.tree.split import FULL, Style


@dataclass(frozen=True)
class Detour:
    """A test on the way that the row could not answer, and what happened instead.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> stopped = tree.explain({"Outlook": "Foggy", "Humidity": "High", "Wind": "Weak"}).detours[0]
    >>> stopped.column, stopped.found, stopped.policy, stopped.way
    ('Outlook', 'unseen', "unseen='stop_here'", 'stop')
    >>> print(stopped.words)
    Outlook is Foggy, which training never had: the row stopped there, and the answer is that of all rows
    that came there.
    """

    node: int
    column: str
    found: str  # "missing"; "unseen": training never had it; "unknown here": no training row there had it
    policy: str  # the setting that decided
    way: str  # "branch", "surrogate", "divide" or "stop"
    words: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON types.

        >>> Detour(0, "x", "missing", "missing='drop'", "stop", "x is missing: ...").to_dict()["way"]
        'stop'
        """
        return dict(vars(self))


def detour_of(cells: Cells, row: Row, event: Event, style: Style = FULL) -> Detour:
    """Return what happened at a node whose test the row could not answer."""
    tree = cells.tree
    column = tree.schema.columns[_unanswered(tree, row, event.node)]
    is_gap = event.answer == GAP
    known = row.shown[column.name] if not is_gap else None
    found = "missing" if is_gap else "unknown here" if known in column.categories else "unseen"
    missing, unseen = (tree.about.get(word, "error") for word in ("missing", "unseen"))
    policy = f"missing={missing!r}" if is_gap else f"unseen={unseen!r}"
    if not is_gap and unseen == "missing":
        policy += f", missing={missing!r}"
    value = split.name(str(known), style)
    what = {
        "missing": "is missing",
        "unseen": f"is {value}, which training never had{_meant(known, column, style)}",
        "unknown here": f"is {value}, which no training row that came there had",
    }[found]
    deed = _DEEDS[event.way](tree, event, style)
    words = f"{split.name(column.name, style)} {what}: {deed}"
    return Detour(event.node, column.name, found, policy, event.way, words)


def _columns_of_test(tree: Tree, node: int) -> list[int]:
    """Return the places of the columns that a node asks about: one, or those of a sum."""
    if tree.kind[node] != SUM:
        return [int(tree.column[node])]
    return [int(c) for c in tree.term_column[int(tree.term_start[node]) : int(tree.term_start[node + 1])]]


def _unanswered(tree: Tree, row: Row, node: int) -> int:
    """Return the place of the column, the first of a sum, that has no value which the node could use."""
    asked = _columns_of_test(tree, node)
    gone = [c for c in asked if row.cells[c] != row.cells[c] or _is_no_code(tree, row, c)]
    return (gone or asked)[0]


def _is_no_code(tree: Tree, row: Row, place: int) -> bool:
    return not tree.schema.columns[place].is_numeric and row.cells[place] < 0


def _meant(known: Any, column: Column, style: Style) -> str:
    near = nearest(known, column.categories)
    return "" if near is None else f" (did you mean {split.name(near, style)}?)"


def _stopped(tree: Tree, event: Event, _style: Style) -> str:
    stops = "the row stopped there, and the answer is that of all rows that came there."
    return (
        f"{_no_stand_in(tree, event)} and both branches weigh the same, so {stops}"
        if _asks(tree, event)
        else stops
    )


def _asks(tree: Tree, event: Event) -> bool:
    """Whether stand-ins are asked where a row has no answer."""
    return _is_gap(tree, event) and gap_policy(tree.about).way == "surrogate"


def _is_gap(tree: Tree, event: Event) -> bool:
    """Whether a row counts as one without a value: it has none, or a category that counts as none."""
    return event.answer == GAP or unseen_policy(tree.about).way == "as_missing"


def _no_stand_in(tree: Tree, event: Event) -> str:
    n = int(tree.surrogate_start[event.node + 1] - tree.surrogate_start[event.node])
    return "no stand-in had a value to answer with" if n else "there is no stand-in"


def _divided(tree: Tree, event: Event, style: Style) -> str:
    answers = split.answers(tree, event.node, style)
    weights = [float(tree.weights[child]) for child in tree.children(event.node)]
    total = sum(weights)
    parts = [f"{100 * w / total:.3g} % along {a}" for w, a in zip(weights, answers, strict=True) if w > 0]
    return f"the row was divided as the training rows were, {', '.join(parts)}."


def _branched(tree: Tree, event: Event, style: Style) -> str:
    return f"{_why(tree, event)} ({_answer(tree, event, style)})."


def _why(tree: Tree, event: Event) -> str:
    """Return why one branch is taken; `tree.missing` is what growth chose where it met gaps."""
    policy = gap_policy(tree.about)
    names = [tree.schema.columns[place].name for place in _columns_of_test(tree, event.node)]
    gaps = tree.about.get("gaps")
    largest = "it went with most of the training rows"
    if not _is_gap(tree, event) or tree.missing[event.node] < 0:
        return largest
    if policy.is_value:
        return policy.sentence or PLAIN
    if event.branch == tree.largest[event.node] and gaps is not None and not set(names) & set(gaps):
        return f"training had no gap there, so {largest}"
    has_own = split.answers(tree, event.node)[event.branch] == "is missing"
    return (policy.sentence if has_own or not policy.adds_branch else None) or PLAIN


def _stood_in(tree: Tree, event: Event, style: Style) -> str:
    answer = f" ({_answer(tree, event, style)})"
    if event.surrogate < 0:
        return f"{_no_stand_in(tree, event)}, so it went with most of the training rows{answer}."
    test = stand_in(tree, event.surrogate, event.branch, is_detour=False)
    agreement = 100 * float(tree.surrogate_agreement[event.surrogate])
    words = test.to_text(style, tree.schema)
    return f"{words} stood in{answer}, which agrees on {agreement:.3g} % of the training rows."


def _answer(tree: Tree, event: Event, style: Style) -> str:
    words = split.answers(tree, event.node, style)[event.branch]
    return f"{split.question(tree, event.node, style)} {words}"


_DEEDS = {"stop": _stopped, "divide": _divided, "branch": _branched, "surrogate": _stood_in}
