"""Bootstrap samples, and how much a tree changes when its data change a little."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from treewright.grow.draws import row_draws
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.points import LECTURES
from treewright.prune.grown import grow
from treewright.table import example

TARGET = "PlayTennis"
N_TREES = 500  # the slide's example
SAMPLES = 1000  # draws for trees are numbered from here, apart from those of the points


def forest() -> Lesson:
    """Return what a bootstrap sample holds, and how unstable the tree of play tennis is.

    >>> [round(step.value, 3) for step in forest().steps if step.what.startswith("Share of rows")]
    [0.646, 0.632, 0.632]
    """
    about = (
        "A forest grows each tree on N rows drawn with replacement from N (lecture 001, which takes 500 trees as its example). "
        "Some rows come twice, others not at all. Single trees change a lot with such samples; that is why many of them vote."
    )
    return Lesson("forest", "Bootstrap samples", about, (*_shares(), *_trees()))


def sample(n: int, tree: int) -> np.ndarray:
    """Return the rows of one bootstrap sample: n draws with replacement.

    >>> bool((sample(14, 0) < 14).all()), len(sample(14, 0))
    (True, 14)
    """
    return (row_draws(0, LECTURES, SAMPLES + tree, n) % np.uint64(n)).astype(np.int64)


def _shares() -> list[Step]:
    part = "How many rows a sample holds"
    steps = [
        Step(f"Share of rows that a sample of {n} holds, on average", "1 − (1 − 1/N)^N", f"1 − (1 − 1/{n})^{n}", 1 - (1 - 1 / n) ** n, part=part)
        for n in (14, 1000)
    ]
    limit = Step("Share of rows for ever more rows", "1 − 1/e", "1 − 1/2.718281828", 1 - 1 / math.e, part=part)
    drawn = [len(np.unique(sample(14, tree))) / 14 for tree in range(N_TREES)]
    found = Step(
        f"Distinct rows in {N_TREES} samples of 14 rows, mean share", "", "", float(np.mean(drawn)), part=part,
        note=f"From {min(drawn) * 14:.0f} to {max(drawn) * 14:.0f} of 14 rows.",
    )  # fmt: skip
    return [*steps, limit, found]


def _trees() -> list[Step]:
    part = "How much the tree changes"
    table = example("tennis")
    whole = grow(table, TARGET, "id3").to_dict()
    left_out = [grow(table.take(np.arange(14) != row), TARGET, "id3") for row in range(14)]
    shape = [_tests(tree.to_dict()) for tree in left_out]
    n_other = sum(tests != _tests(whole) for tests in shape)
    grown = [grow(table.take(sample(14, tree)), TARGET, "id3") for tree in range(N_TREES)]
    roots = Counter(tree.node(0).question or "a leaf" for tree in grown)
    words = ", ".join(f"{name} {n}" for name, n in roots.most_common())
    return [
        Step("Trees that ask otherwise when one of 14 days is left out", "", "", n_other, part=part),
        Step(f"Different trees among {N_TREES}, each grown on a sample", "", "", len({_tests(t.to_dict()) for t in grown}), part=part),
        Step("What they ask first", "", "", words, part=part),
    ]


def _tests(tree: dict[str, object]) -> str:
    """Return the tests of a tree alone, as text to compare."""
    kept = ("end", "column", "code", "code_branch")
    return repr({name: tree[name] for name in kept if name in tree})
