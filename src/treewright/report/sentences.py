"""A tree summed up in a few sentences: what it asks first, where it is sure and where it is not."""

from __future__ import annotations

import itertools

import numpy as np

from treewright.explain import impurity_decrease
from treewright.rules.from_tree import conditions_by_node
from treewright.table import Kind
from treewright.tree import Tree, split
from treewright.tree.certificate import Certificate
from treewright.tree.figures import percent
from treewright.tree.node import shares

_FEW = 0.02  # of all rows: a leaf with less is no news
_SURE, _UNSURE = 0.9, 0.65
_NAMES = 3
MOST_LEAVES = 2000


def sentences(tree: Tree) -> list[str]:
    """Return what a reader should know first, in sentences; of a single leaf, that it is one.

    >>> import treewright as tw
    >>> for words in sentences(tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")):
    ...     print(words)
    The most telling columns are Humidity, Wind and Outlook (37 %, 37 % and 26 % of what the tree gains).
    It is surest where Outlook = Overcast: Yes in 100 % of 4 rows.
    """
    proof = Certificate.of(tree.about)
    proven = [] if proof is None else [proof.sentence()]
    if tree.n_leaves == 1:
        return [
            *proven,
            "No question is worth asking: the tree is one leaf and gives every row the same answer.",
        ]
    found = [*proven, _columns(tree)]
    if not tree.has_models and not tree.has_sums and tree.n_leaves <= MOST_LEAVES:
        found += _leaves_of_classes(tree) if tree.is_classifier else _leaves_of_numbers(tree)
    return found


def _columns(tree: Tree) -> str:
    worth = impurity_decrease(tree)
    order = [int(i) for i in np.argsort(-worth, kind="stable") if worth[i] > 0][:_NAMES]
    names = [split.name(tree.schema.names[i], split.Style(longest=60)) for i in order]
    if not names:
        return "No column takes off any impurity."
    parts = _listed([percent(float(worth[i])) for i in order])
    verb = "column is" if len(names) == 1 else "columns are"
    others = ", surrogates included" if tree.surrogate_start[-1] > 0 else ""
    return f"The most telling {verb} {_listed(names)} ({parts} of what the tree gains{others})."


def _leaves_of_classes(tree: Tree) -> list[str]:
    """Return the surest leaf among those with some rows, and the one that is least sure."""
    leaves = [i for i in tree.leaf_ids.tolist() if tree.weights[i] >= _FEW * tree.weights[0]]
    sure = {i: float(shares(tree, i)[tree.label[i]]) for i in leaves}
    if not sure:
        return []
    best = max(leaves, key=lambda i: (sure[i], tree.weights[i], -i))
    worst = min(leaves, key=lambda i: (sure[i], -tree.weights[i], i))
    found = []
    if sure[best] >= _SURE:
        found.append(f"It is surest where {_where(tree, best)}: {_says(tree, best, sure[best])}.")
    if sure[worst] < _UNSURE and worst != best:
        found.append(f"It is unsure where {_where(tree, worst)}: {_says(tree, worst, sure[worst])}.")
    return found


def _leaves_of_numbers(tree: Tree) -> list[str]:
    leaves = [i for i in tree.leaf_ids.tolist() if tree.weights[i] >= _FEW * tree.weights[0]]
    if len(leaves) < 2:
        return []
    top, bottom = (pick(leaves, key=lambda i: float(tree.stats[i, 1])) for pick in (max, min))
    return [
        f"It answers highest where {_mean(tree, top)}.",
        f"It answers lowest where {_mean(tree, bottom)}.",
    ]


def _mean(tree: Tree, leaf: int) -> str:
    value = split.Style(digits=4).number(float(tree.stats[leaf, 1]))
    return f"{_where(tree, leaf)}: {value} ({_rows(tree, leaf)})"


def _says(tree: Tree, leaf: int, share: float) -> str:
    name = split.name(tree.classes[int(tree.label[leaf])], split.Style(longest=60))
    return f"{name} in {percent(share)} of {_rows(tree, leaf)}"


def _rows(tree: Tree, leaf: int) -> str:
    n = round(float(tree.weights[leaf]))
    return f"{n:,} {'row' if n == 1 else 'rows'}"


def _where(tree: Tree, leaf: int) -> str:
    """Return the conditions of a leaf in words: for each column the last on the way, nothing of gaps."""
    way = [int(i) for i in tree.path_to(leaf)]
    met = conditions_by_node(tree)
    last = {int(tree.column[parent]): met[node] for parent, node in itertools.pairwise(way)}
    known = [(tree.schema.columns[place], condition) for place, condition in last.items() if condition]
    style = split.Style(most=3, longest=40, digits=5, short=split.short_cuts(tree.about))
    return " and ".join(
        condition.to_text(
            style,
            says_missing=not condition.has_known,
            says_unseen=not condition.has_known,
            order=column.categories if column.kind is Kind.ordinal else (),
            edges=column.edges,
        )
        for column, condition in known
    )


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
