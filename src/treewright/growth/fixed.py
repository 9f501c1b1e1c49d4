"""Real numbers as fixed point: integers that add up to the same sum in any order."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

WEIGHT_BITS = 52  # all weight together stays below 2**53, where float64 counts without gaps
TARGET_BITS = 60


class FixedWeights(NamedTuple):
    """Weights in whole units, and the unit (a power of two)."""

    units: NDArray[np.int64]
    unit: float


def fixed_weights(
    weights: NDArray[np.float64], divides: bool, n_draws: int = 0, total: float | None = None
) -> FixedWeights:
    """Return weights as whole numbers of a unit; whole weights keep 1 as their unit unless rows get divided.

    There is room for `n_draws` draws, were they all of the heaviest row. `total` is the exact sum of the
    weights, where it is known.

    >>> fixed_weights(np.array([1.0, 2.0]), divides=False)
    FixedWeights(units=array([1, 2]), unit=1.0)
    """
    total = max(math.fsum(weights) if total is None else total, n_draws * float(weights.max()))
    bits = weight_bits(total, divides, bool(np.array_equal(weights, np.rint(weights))))
    return FixedWeights(units_of(weights, bits), math.ldexp(1.0, -bits))


def weight_bits(total: float, divides: bool, is_whole: bool) -> int:
    """Return how many bits behind the point weights are kept with, whose exact sum is `total`.

    >>> weight_bits(3.0, divides=False, is_whole=True), weight_bits(3.0, divides=True, is_whole=True)
    (0, 50)
    """
    if not divides and total < 2.0**WEIGHT_BITS and is_whole:
        return 0
    return WEIGHT_BITS - math.frexp(total)[1]


def units_of(weights: NDArray[np.float64], bits: int) -> NDArray[np.int64]:
    """Return weights as whole numbers of 2**-bits; none but 0 becomes 0.

    >>> units_of(np.array([0.5, 1e-9, 0.0]), 2).tolist()
    [2, 1, 0]
    """
    units = np.rint(np.ldexp(weights, bits)).astype(np.int64)
    units[(units == 0) & (weights > 0)] = 1
    return units


class FixedTarget(NamedTuple):
    """Target values in whole units of 2**-TARGET_BITS times 2**exponent."""

    units: NDArray[np.int64]
    exponent: int
    coarse_shift: int  # units >> this: their squares, times all weight, fit 126 bits


def fixed_target(y: NDArray[np.float64], total_weight: int) -> FixedTarget:
    """Return y as whole numbers below 2**TARGET_BITS.

    >>> fixed_target(np.array([0.5, -1.0]), total_weight=2).units // 2**57
    array([ 2, -4])
    """
    exponent = math.frexp(float(np.abs(y).max(initial=0.0)))[1]
    room = (126 - int(total_weight).bit_length()) // 2
    return FixedTarget(target_units(y, exponent), exponent, max(0, TARGET_BITS + 1 - room))


def target_units(y: NDArray[np.float64], exponent: int) -> NDArray[np.int64]:
    """Return targets as whole numbers of 2**-TARGET_BITS times 2**exponent.

    >>> target_units(np.array([0.5]), 0) == 2**59
    array([ True])
    """
    return np.rint(np.ldexp(y, TARGET_BITS - exponent)).astype(np.int64)
