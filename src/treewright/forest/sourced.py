"""Forests from rows that lie elsewhere: tree by tree, each on its own draw of rows and columns."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.progress import part_of, watched_by, watcher
from treewright.forest.draws import content_of
from treewright.forest.forest import Forest
from treewright.forest.grower import Trees
from treewright.forest.packing import packed
from treewright.growth import Settings
from treewright.growth.question import Question
from treewright.growth.sourced import Draw, Source, grown_from
from treewright.growth.sourced.source import Ask
from treewright.growth.sourced.units import copied
from treewright.tree import Tree

MOST_ROWS = 2**31 - 1  # that draws have numbers for


class Counted(NamedTuple):
    """The rows that a forest is grown on: how many, and the fingerprint of their answers in their order."""

    n_rows: int
    fingerprint: str


class Fingerprint:
    """The fingerprint of answers that come piece by piece: `draws.fingerprint` of all of them."""

    def __init__(self) -> None:
        self.n_rows = 0
        self._digest = hashlib.blake2b(digest_size=12)

    def add(self, answers: NDArray[Any]) -> None:
        """Take the next answers.

        >>> from treewright.forest.draws import fingerprint
        >>> answers, pieces = np.arange(5, dtype=np.int32), Fingerprint()
        >>> pieces.add(answers[:2])
        >>> pieces.add(answers[2:])
        >>> pieces.counted() == Counted(5, fingerprint(answers))
        True
        """
        self.n_rows += len(answers)
        self._digest.update(content_of(answers))

    def counted(self) -> Counted:
        """Return what was counted.

        >>> Fingerprint().counted().n_rows
        0
        """
        if self.n_rows > MOST_ROWS:
            raise ValueError(f"{self.n_rows} rows are more than a forest can draw from ({MOST_ROWS}).")
        return Counted(self.n_rows, self._digest.hexdigest())


def grow_from(
    source: Source,
    question: Question,
    settings: Settings,
    trees: Trees,
    counted: Counted,
    *,
    gather_below: int = 0,
) -> Forest:
    """Return the forest on the rows of a source, which have numbers to draw them by.

    >>> import treewright as tw
    >>> from treewright.forest.draws import fingerprint
    >>> from treewright.forest.grower import Trees
    >>> from treewright.growth.sourced import Together, cut_into_parts
    >>> iris, trees = tw.example("iris"), Trees(3, 0, lambda n: n)
    >>> parts, question, settings = cut_into_parts(iris, "class", 4, max_columns=2, min_leaf=1.0)
    >>> counted = Counted(150, fingerprint(iris.column("class")[1]))
    >>> forest = grow_from(Together(parts), question, settings, trees, counted)
    >>> forest == tw.forest.grow(iris, "class", 3)
    True
    """
    n_draws = trees.draws(counted.n_rows)
    gaps = _with_gaps(source, question)
    tell, found = watcher(), []
    for i in range(trees.n_trees):
        with watched_by(part_of(tell, i / trees.n_trees, (i + 1) / trees.n_trees)):
            found.append(_grown(source, question, settings, trees.first + i, counted, n_draws, gather_below))
    about = question.about | {
        "n_rows": counted.n_rows,
        "n_draws": n_draws,
        "first": trees.first,
        "rows": counted.fingerprint,
        "gaps": gaps,
    }
    about.pop("tree")
    if tell is not None:
        tell(1.0)
    return Forest.of_growth(question.schema, question.target, packed(found), about)


def _grown(
    source: Source,
    question: Question,
    settings: Settings,
    number: int,
    counted: Counted,
    n_draws: int,
    gather_below: int,
) -> Tree:
    """Return one tree of the forest."""
    core = copied(question.core)
    core.tree = number
    lot = Draw(settings.seed % 2**64, number, counted.n_rows, n_draws) if n_draws else None
    own = replace(question, core=core, about=dict(question.about))
    return grown_from(source, own, settings, gather_below=gather_below, lot=lot).finished()


def _with_gaps(source: Source, question: Question) -> list[str]:
    """Return the columns that lack a value in some row, drawn or not."""
    source.start()
    whole = np.zeros(0, dtype=np.uint64)
    counted = source.count([Ask(0, c, whole, is_rough=True) for c in range(len(question.schema))])
    return [
        name for name, cells in zip(question.schema.names, counted, strict=True) if cells.figures[-1, 0] > 0
    ]
