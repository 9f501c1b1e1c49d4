"""What must be true of every picture of the painter, found from its layout alone."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from treewright.paint.marks import Box, meets

SLACK = 0.02  # coordinates are rounded to hundredths
_SMALLEST = 9.0


def faults(picture: Any) -> list[str]:
    """Return in words what is wrong with the texts of a picture; an empty list is a good picture."""
    return [*small_or_outside(picture), *overlapping(picture)]


def shrunk(box: Box, by: float = SLACK) -> Box:
    """Return a box that is a little smaller on every side."""
    return (box[0] + by, box[1] + by, box[2] - by, box[3] - by)


def small_or_outside(picture: Any) -> list[str]:
    """Return texts too small to be read, and those that leave the page or their box."""
    found = []
    page = (0.0, 0.0, picture.width, picture.height)
    for text in picture.texts:
        if text.size < _SMALLEST:
            found.append(f"{text.words!r} is {text.size} px high")
        for name, room in (("the page", page), ("its box", text.inside)):
            box = shrunk(text.box, 2 * SLACK)
            if room is not None and not (
                box[0] >= room[0] and box[1] >= room[1] and box[2] <= room[2] and box[3] <= room[3]
            ):
                found.append(f"{text.words!r} at {text.box} leaves {name} {room}")
    return found


def overlapping(picture: Any) -> list[str]:
    """Return pairs of texts that have more than an edge in common."""
    boxes = sorted(((text.box, text.words) for text in picture.texts), key=lambda found: found[0][1])
    return [
        f"{words!r} {a} meets {others!r} {b}"
        for (a, words), (b, others) in combinations(boxes, 2)
        if b[1] < a[3] and meets(shrunk(a), shrunk(b))
    ]
