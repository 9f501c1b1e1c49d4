"""A tree as an indented listing that reads aloud."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from treewright.base.lines import harmless
from treewright.base.numbers import number
from treewright.tree import models, split, walk
from treewright.tree import node as nodes
from treewright.tree.certificate import Certificate
from treewright.tree.figures import amount as _amount
from treewright.tree.figures import count as _count
from treewright.tree.figures import percent as _percent

if TYPE_CHECKING:
    from treewright.tree.tree import Tree

_UNICODE = {"fork": "├─ ", "last": "└─ ", "rail": "│  ", "to": "→", "spread": "±", "dots": "…"}
_ASCII = {"fork": "|- ", "last": "`- ", "rail": "|  ", "to": "->", "spread": "+/-", "dots": "..."}
_GAP = "   "
_MOST = 5  # categories of a set that are spelled out
_LONGEST = 60  # letters of a name
_RAILS = 40  # levels drawn; deeper lines say how many are left out, so that a long chain stays readable


def to_text(
    tree: Tree,
    max_depth: int | None = None,
    ascii: bool = False,  # noqa: A002 (the word says it)
    full: bool = False,
) -> str:
    """Return the tree as an indented listing: question, answer by answer, down to what each leaf says.

    A leaf gives its class with the share and the errors where it is not pure, or mean ± standard deviation.
    Nodes at `max_depth` are shown as what they would say as leaves. With `ascii` nothing but ASCII is used.
    With `full` a test that has surrogates says how many, and rows that missing values divide are counted in
    parts; else in whole rows.

    >>> from treewright.tree.example import tennis
    >>> print(to_text(tennis(), max_depth=1, ascii=True))
    Outlook
    |- = Sunny -> ... No 60 %  (5 rows, 2 errors; 2 leaves below)
    |- = Overcast -> Yes  (4 rows)
    `- = Rain -> ... Yes 60 %  (5 rows, 2 errors; 2 leaves below)
    """
    if max_depth is not None and (type(max_depth) is not int or max_depth < 0):
        raise ValueError(f"max_depth must be None or a whole number from 0 up, found {max_depth!r}.")
    style = split.Style(ascii=ascii, most=_MOST, longest=_LONGEST, short=split.short_cuts(tree.about))
    return "\n".join(_lines(tree, max_depth, style, full))


MOST_LINES = 40


def depth_for(tree: Tree, most: int = MOST_LINES) -> int | None:
    """Return the depth down to which a listing has about so many lines; None where the whole tree has.

    >>> from treewright.tree.example import tennis
    >>> depth_for(tennis()), depth_for(tennis(), most=5)
    (None, 1)
    """
    if tree.n_nodes <= most:
        return None
    per_depth = np.cumsum(np.bincount(tree.depths))
    depth = max(1, int(np.searchsorted(per_depth, most, side="right")) - 1)
    return None if depth >= tree.depth else depth


def summary(tree: Tree, most: int = MOST_LINES) -> str:
    """Return what `print(tree)` shows: how large the tree is, and its listing, shortened where it is long.

    >>> from treewright.tree.example import tennis
    >>> print(summary(tennis(), most=5))
    Tree for Play: 5 leaves, depth 2, grown on 14 rows
    Outlook
    ├─ = Sunny → … No 60 %  (5 rows, 2 errors; 2 leaves below)
    ├─ = Overcast → Yes  (4 rows)
    └─ = Rain → … Yes 60 %  (5 rows, 2 errors; 2 leaves below)
    (shown to depth 1 of 2; tree.to_text() has all)
    """
    depth = depth_for(tree, most)
    size = f"{_count(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.depth}"
    rows = _count(int(tree.n_rows[0]), "row")
    head = harmless(f"Tree for {tree.target.name}: {size}, grown on {rows}")
    if (proof := Certificate.of(tree.about)) is not None:
        head += f"\n{proof}"
    head += _without_look_ahead(tree)
    last = "" if depth is None else f"\n(shown to depth {depth} of {tree.depth}; tree.to_text() has all)"
    return f"{head}\n{to_text(tree, max_depth=depth)}{last}"


def _without_look_ahead(tree: Tree) -> str:
    """Return the line about nodes that were too large to look ahead, where there are some."""
    n_greedy, limit = tree.about.get("lookahead_greedy"), tree.about.get("lookahead_rows")
    if type(n_greedy) is not int or type(limit) is not int:
        return ""
    what = "not polished" if tree.about.get("lookahead") == "polish" else "split without look-ahead"
    verb = "was" if n_greedy == 1 else "were"
    return f"\n{_count(n_greedy, 'node')} of more than {limit:,} rows {verb} {what}"


def _lines(tree: Tree, max_depth: int | None, style: split.Style, full: bool) -> Iterator[str]:
    signs = _ASCII if style.ascii else _UNICODE
    leaf_counts = walk.leaf_counts(tree.end)
    deepest = tree.n_nodes if max_depth is None else max_depth
    parents, depths, branches = tree.parents.tolist(), tree.depths.tolist(), tree.branches.tolist()
    end = tree.end.tolist()
    rails: list[str] = []  # what is drawn before the children of the last node seen at each depth
    answers: list[tuple[str, ...]] = []  # of the last node seen at each depth
    for i, depth in enumerate(depths):
        if depth > deepest:
            continue
        del rails[max(depth - 1, 0) :], answers[depth:]
        lead = ""
        if i:
            is_last = end[i] == end[parents[i]]
            hidden = max(0, depth - 1 - _RAILS)
            lead = (f"[{hidden} levels up] " if hidden else "") + "".join(rails[hidden:])
            lead += signs["last" if is_last else "fork"]
            lead += f"{answers[depth - 1][branches[i]]} {signs['to']} "
            rails.append(_GAP if is_last else signs["rail"])
        is_cut_off = depth == deepest and end[i] > i + 1
        if is_cut_off:
            yield f"{lead}{signs['dots']} {_answer(tree, i, signs, style, full, int(leaf_counts[i]))}"
        elif end[i] == i + 1:
            yield lead + _answer(tree, i, signs, style, full)
        else:
            answers.append(split.answers(tree, i, style))
            yield lead + _question(tree, i, style, full)


def _question(tree: Tree, i: int, style: split.Style, full: bool) -> str:
    """The words of a node that asks."""
    notes = [] if tree.exact[i] else ["heuristic subset"]
    if full and (n_surrogates := int(tree.surrogate_start[i + 1] - tree.surrogate_start[i])):
        notes.append(_count(n_surrogates, "surrogate"))
    return split.question(tree, i, style) + (f"  ({', '.join(notes)})" if notes else "")


def _answer(
    tree: Tree, i: int, signs: dict[str, str], style: split.Style, full: bool, n_below: int = 0
) -> str:
    """The words of a leaf, or of a node shown as one."""
    weight, facts = float(tree.weights[i]), _rows(tree, i, full)
    if not tree.is_classifier:
        said = number(float(tree.stats[i, 1]), 6)
        if (spread := nodes.spread(tree, i)) > 0:
            said += f" {signs['spread']} {number(spread, 3)}"
    else:
        said = split.name(tree.classes[int(tree.label[i])], style)
        if (errors := nodes.errors(tree, i)) > 0:
            share = _percent(float(nodes.shares(tree, i)[tree.label[i]]))
            said += f" ({share})" if _is_number(said) else f" {share}"
            errors = errors if full or not has_parts(tree) else round(errors)
            facts += [_count(errors, "error")] if errors else []
    if model := models.words(tree, i, style):
        said = model
        if not tree.is_classifier:
            facts.append(f"RMSE {number(models.root_mean_loss(tree, i), 3)}")
        else:
            facts = [fact for fact in facts if "error" not in fact]
            facts.append(_count(float(tree.model_loss[i]), "error"))
    words = ", ".join(facts) if weight > 0 else "empty: no training row came here"
    below = f"; {_count(n_below, 'leaf', 'leaves')} below" if n_below else ""
    return f"{said}  ({words}{below})"


def _rows(tree: Tree, i: int, full: bool) -> list[str]:
    """The rows of a node, and their weight where that says something else."""
    weight, n_rows = float(tree.weights[i]), int(tree.n_rows[i])
    if abs(weight - n_rows) <= 1e-9 * weight:
        return [_count(n_rows, "row")]
    if full or not has_parts(tree):
        return [_count(n_rows, "row"), f"weight {_amount(weight)}"]
    return [_count(max(1, round(weight)), "row")]


def has_parts(tree: Tree) -> bool:
    """Whether weights are rows and parts of rows: missing values divided them, and all rows count 1."""
    return abs(float(tree.weights[0]) - int(tree.n_rows[0])) <= 1e-9 * float(tree.weights[0])


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
