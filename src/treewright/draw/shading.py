"""What models answer over a picture, as colours: a class, the ratio of classes, the level of a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.numbers import number
from treewright.paint import Area, Shades
from treewright.paint.colours import PALETTE, PAPER, mixed
from treewright.paint.layers import Layer, class_colour

Floats = NDArray[np.float64]
_CLASS, _RATIO = 0.16, 0.5  # how much of a colour is on paper: of a class, of a chance of 100 %
_PARTS = 24  # so many mixtures of two classes are told apart
STEPS = 9  # colours of a level


@dataclass(frozen=True)
class Levels:
    """Numbers as colours: from the palest, the lowest, to the darkest.

    >>> Levels(0.0, 1.0).colour(0.0), Levels(0.0, 1.0).step(1.0)
    ('#ebf4f9', 8)
    """

    low: float
    high: float

    def step(self, value: float) -> int:
        """Return the number of the colour of a value: 0 to 8."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return int(np.clip(round(share * (STEPS - 1)), 0, STEPS - 1)) if share == share else 0

    def colour(self, value: float) -> str:
        """Return the colour of a value."""
        return level_colours()[self.step(value)]

    def layer(self, name: str) -> Shades:
        """Return the scale for the legend."""
        return Shades(name, number(self.low), number(self.high), level_colours())


def level_colours() -> tuple[str, ...]:
    """Return the colours of numbers, from the palest to the darkest.

    >>> len(level_colours())
    9
    """
    return tuple(mixed(PALETTE[0], PAPER, 0.08 + 0.72 * i / (STEPS - 1)) for i in range(STEPS))


def class_tint(code: int) -> str:
    """Return the colour behind rows of a class.

    >>> class_tint(0)
    '#d6e8f3'
    """
    return mixed(class_colour(code), PAPER, _CLASS)


def ratio_tint(chances: Sequence[float]) -> str:
    """Return the mixture of the colours of classes by their chances.

    >>> ratio_tint([1.0, 0.0]), ratio_tint([0.5, 0.5])
    ('#80b9d9', '#b9c4ac')
    """
    shares = np.rint(np.asarray(chances, dtype=np.float64) * _PARTS)
    shares = shares / max(float(shares.sum()), 1.0)
    inks = np.array([[int(class_colour(i)[k : k + 2], 16) for k in (1, 3, 5)] for i in range(len(shares))])
    red, green, blue = (int(v) for v in np.rint(shares @ inks))
    return mixed(f"#{red:02x}{green:02x}{blue:02x}", PAPER, _RATIO)


def ratio_key(classes: Sequence[Any]) -> list[Layer]:
    """Return what the legend says of mixtures.

    >>> [layer.name for layer in ratio_key(["no", "yes"])]
    ['chance of yes']
    """
    if len(classes) == 2:
        steps = [k / 8 for k in range(9)]
        return [
            Shades(f"chance of {classes[1]}", "0 %", "100 %", tuple(ratio_tint([1 - s, s]) for s in steps))
        ]
    eye = np.eye(len(classes))
    return [
        Area(f"chance of 100 %: {name}", (), (), ratio_tint(eye[i].tolist()), i % 5)
        for i, name in enumerate(classes)
    ]
