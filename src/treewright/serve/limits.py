"""What a request may cost: bytes, rows, numbers in the answer, seconds."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Limits:
    """How much one request may ask for; all else is refused before work is done on it.

    >>> Limits(n_rows=100).n_bytes
    10000000
    >>> Limits(n_rows=0)
    Traceback (most recent call last):
    ValueError: n_rows=0: a limit is a number above 0.
    """

    n_bytes: int = 10_000_000  # of the body
    n_rows: int = 10_000
    n_probabilities: int = 1_000_000  # rows x classes
    seconds: float = 10.0  # for each of: the head of a request, its body, a stop of the one who reads
    n_connections: int = 100  # at the same time

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
                raise ValueError(f"{field.name}={value!r}: a limit is a number above 0.")
