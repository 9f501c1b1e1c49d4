"""What stands on a picture, in words: predictions, shares, rows, questions and answers of its items."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright.draw.classes import MANY, OTHERS, top_classes
from treewright.draw.distribution import Distribution, Distributions
from treewright.draw.held import Held
from treewright.draw.row_path import NO_PATH, RowPath
from treewright.draw.view import Item
from treewright.measure.intervals import number
from treewright.paint.font import is_foreign
from treewright.prune.risk import node_risk, total_weight
from treewright.tree import Tree, losses, models, split, walk
from treewright.tree import node as nodes
from treewright.tree.check import VALUES
from treewright.tree.figures import percent
from treewright.tree.text import has_parts

# How a test's words begin in a listing, and how they begin on a branch, where the column stands above.
_SIGNS = (("<= ", "≤ "), ("!= ", "not "), ("= ", ""), ("is ", ""))
_SETS = (("not in {", "none of "), ("in {", ""))
_GAP = " or missing"
DIGITS = 5
_SHORT = 24  # letters of a model that are written out


@dataclass(frozen=True)
class Words:
    """All that is said of a tree's nodes; `held` adds what held-out rows say.

    `distributions` has rows to show at every test, `path` the way of one row.
    """

    tree: Tree
    held: Held | None = None
    distributions: Distributions | None = field(default=None, compare=False)
    path: RowPath = NO_PATH
    ascii: bool = False
    digits: int = DIGITS  # of a cut that is long when written in full

    @cached_property
    def leaf_counts(self) -> NDArray[np.int64]:
        """The number of leaves under every node."""
        return walk.leaf_counts(self.tree.end)

    def digits_for(self, shown: Iterable[int]) -> int:
        """Return how many digits tell the cuts of nodes apart, column by column; at least five.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": [1.0000001, 1.0000002, 1.0000003], "y": list("aba")})
        >>> Words(tw.grow(table, target="y")).digits_for([0, 2])
        8
        """
        cuts: dict[int, set[float]] = {}
        for node in shown:
            if math.isfinite(cut := float(self.tree.cut[node])):
                cuts.setdefault(int(self.tree.column[node]), set()).add(cut)
        for digits in range(DIGITS, 17):
            style = split.Style(digits=digits)
            if all(len({style.number(cut) for cut in found}) == len(found) for found in cuts.values()):
                return digits
        return 17

    @cached_property
    def decimals(self) -> int:
        """How many decimals a mean needs, from the spread of the target at the root: two digits of it."""
        spread = nodes.spread(self.tree, 0)
        return max(0, 1 - math.floor(math.log10(spread))) if 0 < spread < math.inf else 3

    @cached_property
    def scale(self) -> tuple[float, float]:
        """The lowest mean less its spread, and the highest mean with it: all nodes share this scale."""
        has_rows = self.tree.weights > 0
        if not has_rows.any():
            return (float(self.tree.stats[0, 1]),) * 2
        mean = self.tree.stats[has_rows, 1]
        with np.errstate(over="ignore"):
            spread = losses.spread(self.tree, has_rows)
            return float((mean - spread).min()), float((mean + spread).max())

    def on_scale(self, value: float) -> float:
        """Return where a number lies on the scale of all nodes, from 0 to 1."""
        low, high = self.scale
        with np.errstate(all="ignore"):
            share = (value / 2 - low / 2) / (high / 2 - low / 2) if high > low else 0.5  # halves: no overflow
        return min(1.0, max(0.0, share)) if share == share else 0.5

    @cached_property
    def has_foreign(self) -> bool:
        """Whether a name has a character that the font of the pictures lacks."""
        columns = [self.tree.schema.columns[i] for i in self.tree.used_columns.tolist()]
        names = [self.tree.target.name, *self.tree.classes, *(column.name for column in columns)]
        names += [category for column in columns for category in column.categories]
        return any(is_foreign(character) for character in set().union(*names))

    @cached_property
    def training_loss(self) -> float:
        """The mean loss of the training rows: of errors, or of the tree's own loss."""
        total = total_weight(self.tree)
        return float(node_risk(self.tree)[self.tree.leaf_ids].sum()) / total if total > 0 else math.nan

    def quality(self, kind: str, loss: float) -> str:
        """Return how good the tree is on rows of a kind, from its mean loss there; empty where unknown.

        >>> from treewright.tree.example import tennis
        >>> Words(tennis()).quality("test", 0.25)
        'test accuracy 75 %'
        """
        if loss != loss or self.tree.about.get("costs") is not None:
            return ""
        if self.tree.is_classifier:
            return f"{kind} accuracy {percent(1 - loss)}"
        name = losses.loss_of(self.tree)
        if name == "squared":
            return f"{kind} RMSE {self.spread(math.sqrt(loss))}"
        return f"{kind} {losses.TITLES[name]} {self.spread(loss)}"

    # ---- an item ----------------------------------------------------------------------------------

    def has_model(self, item: Item) -> bool:
        """Return whether an item is a leaf that answers with a model of some columns."""
        return item.how == "leaf" and self._n_terms(item.node) > 0

    def _n_terms(self, node: int) -> int:
        return int(self.tree.model_start[node + 1] - self.tree.model_start[node])

    def head(self, item: Item) -> str:
        """Return what the item predicts: a class, a mean, or a model; how many branches, for a bundle."""
        if item.how == "bundle":
            return counted(len(item.members), "branch", "branches")
        if self.has_model(item):
            told = models.words(self.tree, item.node, split.Style(ascii=self.ascii))
            if not self.tree.is_classifier and len(told) <= _SHORT:
                return told
            return f"model of {counted(self._n_terms(item.node), 'column')}"
        if self.tree.is_classifier:
            style = split.Style(ascii=self.ascii)
            return split.bare_name(self.tree.classes[int(self.tree.label[item.node])], style)
        return self.mean(float(self.tree.stats[item.node, 1]))

    def share(self, item: Item) -> str:
        """Return how sure that is: the share of the class, or the spread of the numbers."""
        tree, i = self.tree, item.node
        if item.how == "bundle" or tree.weights[i] == 0 or self.has_model(item):
            return ""
        if tree.is_classifier:
            return percent(float(nodes.shares(tree, i)[tree.label[i]]))
        spread = nodes.spread(tree, i)
        return f"{'+/-' if self.ascii else '±'} {self.spread(spread)}" if spread > 0 else ""

    def distribution(self, item: Item) -> Distribution | None:
        """Return what rows look like at the test of an open node, where this is asked for."""
        if self.distributions is None or item.how != "open":
            return None
        found: Distribution | None = self.distributions.at(item.node)
        return found

    def is_passed(self, item: Item) -> bool:
        """Return whether the row whose path is drawn comes through an item."""
        return any(node in self.path.shares for node in item.members) and item.how != "bundle"

    def next_classes(self, item: Item) -> tuple[str, ...]:
        """Return the second and third class of a node and the others with their shares, of many classes."""
        tree = self.tree
        if (
            not tree.is_classifier
            or len(tree.classes) <= MANY
            or item.how == "bundle"
            or self.has_model(item)
        ):
            return ()
        own = int(tree.label[item.node])
        shares = top_classes(nodes.shares(tree, item.node))
        style = split.Style(ascii=self.ascii)
        return tuple(
            f"{'others' if code == OTHERS else split.name(tree.classes[code], style)} {percent(share)}"
            for code, share in sorted(shares, key=lambda pair: (pair[0] == OTHERS, -pair[1]))
            if code != own
        )

    def part(self, item: Item) -> str:
        """Return the share of all training rows that an item has; empty for the root and what is folded."""
        total = float(self.tree.weights[0])
        own = float(self.tree.weights[list(item.members)].sum())
        if item.node == 0 or item.how in ("folded", "bundle") or not min(total, own) > 0:
            return ""
        return percent(min(1.0, own / total))

    def facts(self, item: Item, with_part: bool = True) -> tuple[str, ...]:
        """Return a line about the rows trained on, and what is folded, and one about the rows held out."""
        tree, members = self.tree, list(item.members)
        n_rows, weight = int(tree.n_rows[members].sum()), float(tree.weights[members].sum())
        is_divided = abs(weight - n_rows) > 1e-9 * weight
        if is_divided and has_parts(tree):
            n_rows = max(1, round(weight))
        rows = counted(n_rows, "row") if weight else "no rows"
        if item.how in ("folded", "bundle"):
            rows = f"+ {counted(int(self.leaf_counts[members].sum()), 'leaf', 'leaves')}, {rows}"
        if is_divided and not has_parts(tree):
            rows += f", weight {rounded(weight)}"
        if about := [words for words in (self.part(item) if with_part else "", self._wrong(item)) if words]:
            rows = " · ".join([rows, *about])
        return (rows,) if self.held is None else (rows, self._held_fact(self.held, item))

    def _wrong(self, item: Item) -> str:
        """Return how wrong the model of a leaf is on its training rows; empty where there is none."""
        if not self.has_model(item):
            return ""
        if not self.tree.is_classifier:
            return f"RMSE {models.root_mean_loss(self.tree, item.node):.3g}"
        return _errors(float(self.tree.model_loss[item.node]))

    def _held_fact(self, held: Held, item: Item) -> str:
        weight = float(held.weights[list(item.members)].sum())
        has_rows_alone = abs(float(held.weights[0]) - held.n_rows) <= 1e-9 * held.n_rows
        words = f"{rounded(max(1, round(weight)) if weight and has_rows_alone else weight)} held out"
        if not weight or item.how == "bundle":
            return words
        if self.has_model(item):
            loss = float(held.losses[item.node])
            wrong = _errors(loss) if self.tree.is_classifier else f"RMSE {math.sqrt(loss / weight):.3g}"
            return f"{words}: {wrong}"
        if self.tree.is_classifier:
            return f"{words}: {percent(float(held.stats[item.node, self.tree.label[item.node]] / weight))}"
        return f"{words}: {self.mean(float(held.stats[item.node, 1]))}"

    def question(self, item: Item) -> str:
        """Return the question of an open node; empty for others."""
        if item.how != "open":
            return ""
        words = split.question(self.tree, item.node, split.Style(ascii=self.ascii))
        words = words if words.endswith("?") else words + "?"
        return f"{words} {value}" if (value := self.path.values.get(item.node)) else words

    def answer(self, item: Item, most: int | None = None, longest: int | None = None) -> str:
        """Return the answer that leads to an item, with at most so many categories and letters of a name."""
        tree = self.tree
        if item.how == "bundle":
            return counted(len(item.members), "other answer")
        if item.node == 0:
            return ""
        style = split.Style(self.ascii, most, longest, self.digits)
        parent, branch = int(tree.parents[item.node]), int(tree.branches[item.node])
        words = on_branch(split.answers(tree, parent, style)[branch], self.ascii)
        name = self._only_name(parent, branch)
        quoted = split.name(name, style)
        bare = split.bare_name(name if longest is None else _first(name, longest, style.dots), style)
        return (
            words.replace(quoted, bare, 1) if name and words.startswith((quoted, f"not {quoted}")) else words
        )

    def _only_name(self, node: int, branch: int) -> str:
        """Return the category that alone leads down a branch, or keeps rows off it; else nothing."""
        tree = self.tree
        if tree.kind[node] != VALUES:
            return ""
        part = slice(*tree.code_start[node : node + 2].tolist())
        codes, branches = tree.code[part], tree.code_branch[part]
        for own in (branches == branch, branches != branch):
            if int(own.sum()) == 1:
                return tree.schema.columns[int(tree.column[node])].categories[int(codes[own][0])]
        return ""

    def is_gap(self, item: Item) -> bool:
        """Return whether missing values alone lead to an item."""
        tree = self.tree
        if item.node == 0 or item.how == "bundle":
            return False
        return (
            split.answers(tree, int(tree.parents[item.node]))[int(tree.branches[item.node])] == "is missing"
        )

    def hint(self, item: Item) -> str:
        """Return the item in full, nothing shortened: for a tooltip and for those who hear the picture."""
        tree, node = self.tree, item.node
        said = f"{self.head(item)} {self.share(item)}".strip()
        if self.has_model(item):
            said = models.words(tree, node)
        if item.how != "bundle" and node:
            parent = int(tree.parents[node])
            told = split.answers(tree, parent)[int(tree.branches[node])]
            said = f"{split.question(tree, parent)} {told}: {said}"
        ask = f". Asks: {split.question(tree, node)}" if item.how == "open" else ""
        return f"{said} ({'; '.join(self.facts(item))}){ask}"

    def mean(self, value: float) -> str:
        """Return a mean with the digits it needs."""
        if abs(value) >= 1e15:
            return f"{value:.4g}"
        return f"{value:,.{min(self.decimals, 12)}f}"

    def spread(self, value: float) -> str:
        """Return a standard deviation: like the means, or with two digits where it is smaller."""
        if value >= 0.95 * 10.0 ** (1 - self.decimals) and value < 1e15:
            return f"{value:,.{min(self.decimals, 12)}f}"
        return number(float(f"{value:.2g}"))


def rounded(weight: float) -> str:
    """Return a sum of weights with no more digits than a picture needs.

    >>> rounded(10854.0), rounded(58.152), rounded(0.0123)
    ('10,854', '58.2', '0.012')
    """
    if weight < 1e15 and abs(weight - round(weight)) < 1e-6:
        return f"{round(weight):,}"
    return f"{weight:,.1f}" if 1 <= weight < 1e15 else f"{weight:.2g}"


def _first(name: str, longest: int, dots: str) -> str:
    return name if len(name) <= longest else name[: longest - 1] + dots


def _errors(weight: float) -> str:
    return "no errors" if weight == 0 else "1 error" if weight == 1 else f"{rounded(weight)} errors"


def counted(n: int, one: str, many: str | None = None) -> str:
    """Return a whole number with its noun; thousands are set apart.

    >>> counted(1, "row"), counted(32561, "row"), counted(2, "leaf", "leaves")
    ('1 row', '32,561 rows', '2 leaves')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def on_branch(words: str, ascii: bool = False) -> str:  # noqa: A002
    """Return the words of an answer as they stand on a branch: without what the question has said.

    >>> [on_branch(words) for words in ("= Sunny", "<= 2.5", "!= Sunny", "in {a, b}", "is missing")]
    ['Sunny', '≤ 2.5', 'not Sunny', 'a, b', 'missing']
    >>> on_branch("not in {a, b} or missing")
    'none of a, b or missing'
    """
    gap = _GAP if words.endswith(_GAP) else ""
    words = words.removesuffix(_GAP)
    for sign, written in _SETS:
        if words.startswith(sign) and words.endswith("}"):
            return written + words[len(sign) : -1] + gap
    for sign, written in _SIGNS:
        if words.startswith(sign) and not (ascii and sign == "<= "):
            return written + words[len(sign) :] + gap
    return words + gap
