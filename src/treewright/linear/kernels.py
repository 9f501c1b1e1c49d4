"""Kernels: scalar products after a map that need not be written out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LARGEST = 1e300  # of a variance, and of what one is divided by


class Kernel(Protocol):
    """A scalar product of rows."""

    def matrix(self, a: Floats, b: Floats) -> Floats:
        """Return the products of every row of a with every row of b."""


def _is_finite(value: Any) -> bool:
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    return is_number and bool(np.isfinite(value))


@dataclass(frozen=True)
class Radial:
    """exp(-gamma |a - b|^2): 1 for equal rows, 0 for distant ones.

    >>> Radial(gamma=0.5).matrix(np.array([[0.0]]), np.array([[0.0], [2.0]])).round(6)
    array([[1.      , 0.135335]])
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        if not (_is_finite(self.gamma) and self.gamma > 0):
            raise ValueError(f"gamma={self.gamma!r} must be a number above 0.")

    def matrix(self, a: Floats, b: Floats) -> Floats:
        """Return the products of every row of a with every row of b.

        >>> Radial().matrix(np.array([[1.0, 2.0]]), np.array([[1.0, 2.0]]))
        array([[1.]])
        """
        a, b = a - b.mean(axis=0), b - b.mean(axis=0)  # distances keep their digits near the origin
        squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)[None, :] - 2 * a @ b.T
        return np.asarray(np.exp(-self.gamma * np.maximum(squares, 0.0)))


@dataclass(frozen=True)
class PolynomialKernel:
    """(gamma a . b + constant)^degree: all products of up to `degree` columns.

    >>> PolynomialKernel(degree=2).matrix(np.array([[1.0, 2.0]]), np.array([[3.0, 1.0]]))
    array([[36.]])
    """

    degree: int = 3
    gamma: float = 1.0
    constant: float = 1.0

    def __post_init__(self) -> None:
        if isinstance(self.degree, bool) or not isinstance(self.degree, (int, np.integer)) or self.degree < 1:
            raise ValueError(f"degree={self.degree!r} must be a whole number from 1 on.")
        if not (_is_finite(self.gamma) and self.gamma > 0):
            raise ValueError(f"gamma={self.gamma!r} must be a number above 0.")
        if not (_is_finite(self.constant) and self.constant >= 0):
            raise ValueError(
                f"constant={self.constant!r} must be a number from 0 on; else it is no scalar product."
            )

    def matrix(self, a: Floats, b: Floats) -> Floats:
        """Return the products of every row of a with every row of b.

        >>> PolynomialKernel(degree=1, constant=0.0).matrix(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]]))
        array([[11.]])
        """
        return np.asarray((self.gamma * (a @ b.T) + self.constant) ** self.degree)


KERNELS: Mapping[str, type] = {"radial": Radial, "polynomial": PolynomialKernel}


def kernel_of(name: str, x: Floats, gamma: float | None, degree: int, constant: float) -> Kernel | None:
    """Return a kernel by its name; None for "linear". `gamma=None` is 1 / (columns * variance of all cells).

    >>> kernel_of("radial", np.array([[0.0], [2.0]]), None, 3, 1.0)
    Radial(gamma=1.0)
    >>> kernel_of("radiall", np.array([[0.0], [2.0]]), None, 3, 1.0)
    Traceback (most recent call last):
    ValueError: kernel='radiall' must be 'linear', 'radial' or 'polynomial'.
    """
    if name not in ("linear", *KERNELS):
        raise ValueError(f"kernel={name!r} must be 'linear', 'radial' or 'polynomial'.")
    if name == "linear":
        return None
    if gamma is None:
        with np.errstate(over="ignore", invalid="ignore"):
            variance = float(x.var()) if x.size else 0.0
        if not variance < LARGEST:
            raise ValueError("The cells are too large for their squares to be floats; scale the columns.")
        gamma = min(1.0 / (x.shape[1] * variance), LARGEST) if variance > 1 / LARGEST else 1.0
    settings: dict[str, Any] = {"gamma": gamma}
    if name == "polynomial":
        settings |= {"degree": degree, "constant": constant}
    kernel: Kernel = KERNELS[name](**settings)
    return kernel
