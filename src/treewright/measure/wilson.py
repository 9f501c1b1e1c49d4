"""How far a share of few rows may lie from the truth."""

from __future__ import annotations

Z95 = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations


def wilson_interval(share: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval (1927) for a share seen among n rows; it stays sane near 0 and 1.

    >>> [round(bound, 4) for bound in wilson_interval(1.0, 10)]
    [0.7225, 1.0]
    >>> wilson_interval(1.0, 27)[1]
    1.0
    >>> [round(bound, 4) for bound in wilson_interval(0.5, 4)]
    [0.15, 0.85]
    """
    middle = share + z * z / (2 * n)
    half = z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    scale = 1 + z * z / n
    # Of 0 and 1 one end is exact, which rounding must not hide.
    low = 0.0 if share == 0 else max(0.0, (middle - half) / scale)
    return low, 1.0 if share == 1 else min(1.0, (middle + half) / scale)
