"""The nodes of a tree as short lists: enough to draw them, to read them, and to send a row down."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.report.numbers import plain
from treewright.rules.from_tree import conditions_by_node
from treewright.rules.text import in_words
from treewright.tree import Tree, losses, models, split
from treewright.tree.check import CUT, SUM
from treewright.tree.policy import gap_policy, unseen_policy
from treewright.tree.weights import ClassWeights

# Long sets are told in part; the page lists the categories of a branch in full where one looks closely.
STYLE = split.Style(most=12, longest=60)


def nodes(tree: Tree) -> dict[str, Any]:
    """Return the tree for the page: arrays by node, the words they point to, and how gaps are sent.

    >>> from treewright.tree.example import tennis
    >>> told = nodes(tennis())
    >>> [told["words"][i] for i in told["tree"]["answer"]][:3], told["ways"]["gap"]
    (['', '= Sunny', '= High'], 'refuse')
    """
    words = Words()
    about = tree.about
    return {
        "tree": _tests(tree) | _sums(tree) | _surrogates(tree) | _figures(tree) | _texts(tree, words),
        "words": words.texts,
        "ways": {
            "gap": gap_policy(about).way,
            "unseen": unseen_policy(about).way,
            "class_scale": about.get("class_scale"),
            "costs": about.get("costs"),
        },
    }


class Words:
    """Texts, each once; nodes hold their places.

    >>> words = Words()
    >>> words.place("a"), words.place("b"), words.place("a"), words.texts
    (0, 1, 0, ['a', 'b'])
    """

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        """Return the place of a text."""
        if text not in self._places:
            self._places[text] = len(self.texts)
            self.texts.append(text)
        return self._places[text]


def _tests(tree: Tree) -> dict[str, Any]:
    return {
        "end": tree.end.tolist(),
        "column": tree.column.tolist(),
        "kind": tree.kind.tolist(),
        "cut": plain(np.where(np.isin(tree.kind, (CUT, SUM)), tree.cut, 0.0)),
        "missing": tree.missing.tolist(),
        "largest": tree.largest.tolist(),
        "code_start": tree.code_start.tolist(),
        "code": tree.code.tolist(),
        "code_branch": tree.code_branch.tolist(),
    }


def _sums(tree: Tree) -> dict[str, Any]:
    """Return the sums that tests ask about, and those that models answer with; a tree without has no word."""
    told: dict[str, Any] = {}
    if tree.has_sums:
        told["sum"] = {
            "start": tree.term_start.tolist(),
            "column": tree.term_column.tolist(),
            "weight": plain(tree.term_weight),
        }
        if tree.has_conditions:
            told["sum"] |= {"form": tree.term_form.tolist(), "at": plain(tree.term_at)}
    if tree.has_models:
        told["model"] = {
            "start": tree.model_start.tolist(),
            "column": tree.model_column.tolist(),
            "weight": [plain(row) for row in tree.model_weight],
            "bias": [plain(row) for row in tree.model_bias],
            "loss": plain(tree.model_loss),
        }
        if tree.has_gap_terms:  # null: the node answers by itself
            told["model"]["gap"] = [None if np.isnan(row).any() else plain(row) for row in tree.model_gap]
    return told


def _surrogates(tree: Tree) -> dict[str, Any]:
    if not len(tree.surrogate_column):
        return {"surrogate": None}
    return {
        "surrogate": {
            "start": tree.surrogate_start.tolist(),
            "column": tree.surrogate_column.tolist(),
            "kind": tree.surrogate_kind.tolist(),
            "cut": plain(np.where(tree.surrogate_kind == CUT, tree.surrogate_cut, 0.0)),
            "flip": tree.surrogate_flip.astype(int).tolist(),
            "code_start": tree.surrogate_code_start.tolist(),
            "code": tree.surrogate_code.tolist(),
            "code_branch": tree.surrogate_code_branch.tolist(),
        }
    }


def _figures(tree: Tree) -> dict[str, Any]:
    told: dict[str, Any] = {
        "weight": plain(tree.weights),
        "rows": tree.n_rows.tolist(),
        "label": tree.label.tolist(),
        "gain": plain(tree.gain),
    }
    if tree.is_classifier:
        return told | {"classes": sparse(tree.stats)}
    return told | {"mean": plain(tree.stats[:, 1]), "spread": plain(losses.spread(tree))}


def sparse(weights: NDArray[np.float64]) -> dict[str, list[Any]]:
    """Return class weights by node without the zeros: where each node's begin, the classes, the weights.

    >>> sparse(np.array([[1.0, 2.0], [0.0, 2.5]]))
    {'start': [0, 2, 3], 'class': [0, 1, 1], 'weight': [1, 2, 2.5]}
    """
    held = weights if isinstance(weights, ClassWeights) else ClassWeights.of(weights)
    return {"start": held.start.tolist(), "class": held.label.tolist(), "weight": plain(held.weight)}


def _texts(tree: Tree, words: Words) -> dict[str, list[int]]:
    """Return the places of what each node asks, of the answer that leads to it, and of its condition.

    Where nodes answer with models, also of these.
    """
    questions, answers, conditions = [], [words.place("")] * tree.n_nodes, []
    for node, condition in enumerate(conditions_by_node(tree)):
        questions.append(words.place(split.question(tree, node, STYLE)))
        for child, answer in zip(tree.children(node), split.answers(tree, node, STYLE), strict=True):
            answers[child] = words.place(answer)
        if condition is not None:
            conditions.append(words.place(in_words(condition, tree.schema, tree.about, STYLE)))
        elif node:  # below a sum: what was asked, and the answer
            asked = words.texts[questions[int(tree.parents[node])]]
            conditions.append(words.place(f"{asked} {words.texts[answers[node]]}"))
        else:
            conditions.append(words.place(""))
    told = {"question": questions, "answer": answers, "condition": conditions}
    if tree.has_models:
        told["says"] = [words.place(models.words(tree, node, STYLE)) for node in range(tree.n_nodes)]
    return told
