"""What must be true of every picture, found from its layout alone; and odd trees to draw."""

from __future__ import annotations

import numpy as np

import treewright as tw
from tests.paint.looking import overlapping, shrunk, small_or_outside
from treewright.draw import Picture
from treewright.paint.marks import Shape
from treewright.tree import Tree


def faults(picture: Picture) -> list[str]:
    """Return in words all that is wrong with a picture; an empty list is a good picture."""
    return [
        *small_or_outside(picture),
        *_shapes_outside(picture),
        *overlapping(picture),
        *_branches_over_words(picture),
        *_wrong_counts(picture),
    ]


def _shapes_outside(picture):
    for shape in picture.shapes:
        values = [np.array(step[1:], dtype=float).reshape(-1, 2) for step in shape.path if len(step) > 1]
        points = np.concatenate(values)
        if (points < -3).any() or (points > [picture.width + 3, picture.height + 3]).any():
            yield f"a shape leaves the page: {shape}"


def _branches_over_words(picture):
    """A branch ends where its answer begins, and comes near no other word or card."""
    boxes = [shrunk(text.box, 1.0) for text in picture.texts]
    for band in bands(picture):
        points = np.array([step[1:] for step in band.path if len(step) == 3], dtype=float)
        # Also points between: long straight pieces have only two.
        points = np.concatenate(
            [points, *(points[:-1] + (points[1:] - points[:-1]) * t for t in (0.25, 0.5, 0.75))]
        )
        for text, (left, top, right, bottom) in zip(picture.texts, boxes, strict=True):
            inside = (
                (points[:, 0] > left)
                & (points[:, 0] < right)
                & (points[:, 1] > top)
                & (points[:, 1] < bottom)
            )
            if inside.any():
                yield f"a branch runs through {text.words!r} at {text.box}"


def _wrong_counts(picture):
    tree = picture.words.tree
    leaf_counts = picture.words.leaf_counts
    ends = [item for item in picture.items if item.how != "open"]
    members = [node for item in ends for node in item.members]
    if int(leaf_counts[members].sum()) != tree.n_leaves:
        yield f"{int(leaf_counts[members].sum())} leaves are shown or folded, the tree has {tree.n_leaves}"
    covered = np.zeros(tree.n_nodes, dtype=int)
    for node in members:
        covered[node : tree.end[node]] += 1
    if (covered[tree.leaf_mask] != 1).any():
        yield "a leaf is in no item, or in two"


def bands(picture: Picture) -> list[Shape]:
    """Return the branches."""
    return [shape for shape in picture.shapes if shape.node < 0 and len(shape.path) > 20]


def many_nodes(n_rows: int = 7000, seed: int = 5) -> Tree:
    """Return a tree of more than 5,000 nodes: nothing can be learned, so every row is learned by heart."""
    source = np.random.default_rng(seed)
    columns = {f"measure {i}": source.normal(size=n_rows) for i in range(4)}
    columns["town"] = source.choice([f"town {i}" for i in range(40)], n_rows)
    columns["answer"] = source.choice(["yes", "no", "perhaps"], n_rows)
    return tw.grow(tw.Table.from_dict(columns), target="answer")


ODD_NAMES = (
    "a very long name of a category that no card can hold in one line, with commas, and more",
    "<script>alert('x')</script>",
    "日本語の長い名前がここにあります、とても長い",
    'emoji 🌳🌲 & "quotes"',
    "zeile\nzwei\ttab",
    "nul\x00 and \x1b escape",
    "",
    " ",
    "Straße · Ελλάδα · Россия · Việt Nam",
    "é combined",
    "supercalifragilisticexpialidocious_without_any_space_at_all_in_it",
)


def odd_tree() -> Tree:
    """Return a tree in which all names are odd: of columns, categories and classes."""
    n = len(ODD_NAMES)
    rows = [(i, j) for i in range(n) for j in range(3)]
    table = tw.Table.from_dict(
        {
            ODD_NAMES[0]: [ODD_NAMES[i] for i, _ in rows],
            ODD_NAMES[1]: [float(j) for _, j in rows],
            "class <b>": [ODD_NAMES[(i + j) % n] + "!" for i, j in rows],
        }
    )
    return tw.grow(table, target="class <b>", splits="multiway")
