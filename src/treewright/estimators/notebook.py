"""What a notebook shows of a fitted estimator: scikit-learn's box, and the picture below it."""

from __future__ import annotations

from typing import Any

from treewright.draw import plot


def box_with_picture(box: str, estimator: Any) -> str:
    """Return scikit-learn's box with the picture of the tree below it; the box alone before it is fitted."""
    tree = vars(estimator).get("tree_")
    if tree is None:
        return box
    # It scrolls rather than shrinks: shrunken words cannot be read.
    return f'{box}<div style="overflow-x:auto">{plot(tree).to_svg()}</div>'
