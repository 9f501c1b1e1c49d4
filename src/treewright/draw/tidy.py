"""Where the nodes of a tree lie beside each other: tidy for any number of branches and any sizes.

Reingold and Tilford's idea (1981): a subtree is laid out once, is rigid from then on, and siblings come as
close as their contours allow. Packing from the left leaves small subtrees at the left of a gap between large
ones, packing from the right at its right. Both packings keep all distances, distances are linear, so their
mean keeps them too: it is the same for a mirrored tree, and spreads small subtrees evenly.
"""

from __future__ import annotations

from collections.abc import Sequence

Contour = list[tuple[float, float]]  # level by level: how far a subtree reaches to either side of its root


def tidy(parents: Sequence[int], sizes: Sequence[float], gap: float) -> list[float]:
    """Return the middle of every node; the leftmost edge is 0, and nodes of a level stay a gap apart.

    `parents` is in preorder, -1 for the root; `sizes` is how much room each node takes along its level.

    >>> tidy([-1, 0, 0, 0], [10, 10, 20, 10], gap=2)
    [22.0, 5.0, 22.0, 39.0]
    >>> tidy([-1, 0, 1, 1, 0], [4, 4, 4, 4, 4], gap=2)   # the cousin is free to come near
    [8.0, 5.0, 2.0, 8.0, 11.0]
    """
    n = len(parents)
    children: list[list[int]] = [[] for _ in range(n)]
    for i in range(1, n):
        children[parents[i]].append(i)
    offset = [0.0] * n  # from the parent's middle
    contours: list[Contour] = [[] for _ in range(n)]
    for i in range(n - 1, -1, -1):
        own = (-sizes[i] / 2, sizes[i] / 2)
        places = _spread([contours[child] for child in children[i]], gap)
        middle = (places[0] + places[-1]) / 2 if places else 0.0
        for child, place in zip(children[i], places, strict=True):
            offset[child] = place - middle
        contours[i] = [own, *_merged([(offset[child], contours[child]) for child in children[i]])]
        for child in children[i]:
            contours[child] = []  # no longer needed
    middles = [-min(left for left, _ in contours[0])] + [0.0] * (n - 1)
    for i in range(1, n):
        middles[i] = middles[parents[i]] + offset[i]
    return middles


def _spread(contours: list[Contour], gap: float) -> list[float]:
    """Return places for subtrees side by side: the mean of the packings from the left and from the right."""
    left = _packed(contours, gap)
    mirrored = [[(-high, -low) for low, high in contour] for contour in reversed(contours)]
    right = [left[-1] - place for place in reversed(_packed(mirrored, gap))] if left else []
    return [(a + b) / 2 for a, b in zip(left, right, strict=True)]


def _packed(contours: list[Contour], gap: float) -> list[float]:
    """Return places for subtrees, each as far left as those before it allow; the first is at 0."""
    places: list[float] = []
    reach: list[float] = []  # level by level: how far those before reach to the right
    for contour in contours:
        place = max((r + gap - low for r, (low, _) in zip(reach, contour, strict=False)), default=0.0)
        places.append(place)
        for level, (_, high) in enumerate(contour):
            if level < len(reach):
                reach[level] = max(reach[level], place + high)
            else:
                reach.append(place + high)
    return places


def _merged(parts: list[tuple[float, Contour]]) -> Contour:
    """Return the contour of subtrees at their places."""
    found: Contour = []
    for place, contour in parts:
        for level, (low, high) in enumerate(contour):
            if level < len(found):
                found[level] = (min(found[level][0], place + low), max(found[level][1], place + high))
            else:
                found.append((place + low, place + high))
    return found
