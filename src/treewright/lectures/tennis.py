"""Will I play tennis today? ID3 with the arithmetic of every gain at every node."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.fitting import grow
from treewright.lectures.blackboard import counts_words, divided, entropy_step, gain_steps, rows_at, way_words
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide, shown
from treewright.table import Table, example
from treewright.tree import Tree

TARGET = "PlayTennis"

Slides = dict[str, dict[str, Slide]]

# What lecture 000 prints: at the root, and below Sunny; under each answer, "mean" and "gain".
ENTROPY = Slide("000:497", "0.94")
CHOSEN = Slide("000:757", "Outlook")
ROOT: Slides = {
    "Outlook": {
        "Sunny": Slide("000:521", "0.971"),
        "Overcast": Slide("000:547", "0"),
        "Rainy": Slide("000:593", "0.971"),
        "mean": Slide("000:597", "0.694", "(5/14)·0.971 + (4/14)·0 + (5/14)·0.971"),
        "gain": Slide("000:601", "0.246", "0.940 - 0.694"),
    },
    "Humidity": {
        "High": Slide("000:643", "0.985"),
        "Normal": Slide("000:673", "0.592"),
        "mean": Slide("000:677", "0.7885", "(7/14)·0.985 + (7/14)·0.592"),
        "gain": Slide("000:715", "0.1515", "0.940 - 0.7885"),
    },
}
LIST = {
    "Outlook": Slide("000:721", "0.246"),
    "Humidity": Slide("000:723", "0.151"),
    "Wind": Slide("000:725", "0.048"),
    "Temperature": Slide("000:727", "0.029"),
}
SUNNY: Slides = {
    "Humidity": {"gain": Slide("000:835", ".97", ".97 - (3/5)·0 - (2/5)·0")},
    "Temperature": {"gain": Slide("000:837", ".57", ".97 - 0 - (2/5)·1")},
    "Wind": {"gain": Slide("000:839", ".02", ".97 - (2/5)·1 - (3/5)·.92")},
}


def tennis() -> Lesson:
    """Return play tennis by ID3: 14 days, every gain at every node, and the tree.

    >>> lesson = tennis()
    >>> [shown(step.value) for step in lesson.steps if step.what.startswith("Gain of")][:4]
    ['0.246750', '0.029223', '0.151836', '0.048127']
    >>> lesson.tally()
    {'as printed': 2, 'from rounded numbers': 1, 'rounded': 12, 'truncated': 3}
    """
    table = example("tennis")
    tree = grow(table, TARGET, "id3", ledger=True)
    steps: list[Step] = []
    for node in range(tree.n_nodes):
        if not tree.is_leaf(node):
            steps += _at_node(tree, node, table)
    steps += _ending(tree, table)
    about = (
        "Fourteen days, four columns. ID3 asks first what tells most about the answer, makes a branch for "
        "each value, and goes on in each branch with the columns that are left. The slides cut their gains "
        "off after three digits (0.246750 is printed as 0.246)."
    )
    return Lesson("tennis", "Play tennis by ID3", about, tuple(steps))


def _at_node(tree: Tree, node: int, table: Table) -> Iterator[Step]:
    rows, here = rows_at(tree, node, table), tree.node(node)
    counts, classes = tree.stats[node].tolist(), tree.classes
    is_root, is_sunny = node == 0, node == tree.children(0)[0]
    slides: Slides = ROOT if is_root else SUNNY if is_sunny else {}
    part = f"Node {node}, {way_words(tree, node)}: {here.n_rows} rows, {counts_words(counts, classes)}"
    yield entropy_step(f"Entropy of {TARGET}", counts, ENTROPY if is_root else None, part)
    asked = {record["column"]: record for record in tree.candidates(node)}
    for name in tree.schema.names:
        if asked[name]["gain"] is not None:
            printed = slides.get(name, {})
            yield from gain_steps(
                divided(rows, name, TARGET), counts, asked[name]["gain"], classes, printed, part
            )
    if is_root:
        for name, slide in LIST.items():
            yield Step(f"{name}, in the list of all gains", "", "", asked[name]["gain"], slide, part=part)
    best = tree.candidates(node)[0]["column"]
    also = ", ".join(
        f"{c['column']} {shown(c['gain'])}" for c in tree.candidates(node) if c["gain"] is not None
    )
    yield Step(
        "Asked here: the column of the largest gain",
        "argmax gain",
        "",
        best,
        CHOSEN if is_root else None,
        also,
        part,
    )


def _ending(tree: Tree, table: Table) -> Iterator[Step]:
    part = "The tree"
    yield Step(
        "Each branch ends when all its rows agree, or no column is left", "", "", tree.to_text(), part=part
    )
    wrong = int((tree.predict(table) != table.labels(TARGET)).sum())
    yield Step("Days that the tree gets wrong", "", "", wrong, part=part)
    empty = next(i for i in tree.leaf_ids.tolist() if tree.node(i).is_empty)
    yield Step(
        f"{way_words(tree, empty)}: no day is like this",
        "the most common answer of the node above",
        "",
        str(tree.node(empty).prediction),
        part=part,
        note="Lecture 000 declares the value Low, which no row has.",
    )
