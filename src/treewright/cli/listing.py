"""A tree in the terminal, shortened where it is long, and the words for its size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treewright.tree.text import MOST_LINES, depth_for

from .terminal import is_ascii_only

if TYPE_CHECKING:
    import treewright as tw


def shortened(tree: tw.Tree, most: int = MOST_LINES) -> tuple[str, int | None]:
    """Return the tree as text of about so many lines at most, and the depth it was cut at, if it was.

    >>> from treewright.tree.example import tennis
    >>> text, depth = shortened(tennis(), most=5)
    >>> depth, len(text.splitlines())
    (1, 4)
    """
    depth = depth_for(tree, most)
    return tree.to_text(max_depth=depth, ascii=is_ascii_only()), depth


def size(tree: tw.Tree) -> str:
    """Return how large a tree is.

    >>> from treewright.tree.example import tennis
    >>> size(tennis())
    '5 leaves, depth 2'
    """
    return f"{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}, depth {tree.depth}"


def how_made(about: Any) -> str:
    """Return the recipe and the pruning that a model says it was made by.

    >>> how_made({"recipe": "c4.5", "prune": "error_based"}), how_made({"recipe": "id3"})
    ('c4.5, pruned by error_based', 'id3, not pruned')
    """
    prune = about.get("prune")
    return f"{about.get('recipe', 'unknown recipe')}, {f'pruned by {prune}' if prune else 'not pruned'}"
