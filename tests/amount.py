"""How much of what is tried in bulk the short run tries; `./dev test --all` tries all of it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

IS_FULL = "TREEWRIGHT_EXAMPLES" in os.environ


def every(step: int, values: Iterable[Any]) -> list[Any]:
    """Return values to parametrise with; all but each `step`-th wait for the long run."""
    return [_slow(value) if i % step else value for i, value in enumerate(values)]


def at_most(few: int, all_of_them: int) -> int:
    """Return how many are tried: few in the short run."""
    return all_of_them if IS_FULL else few


def first(few: int, values: Iterable[Any]) -> list[Any]:
    """Return values to parametrise with; all but the first few wait for the long run."""
    return [_slow(value) if i >= few else value for i, value in enumerate(values)]


def _slow(value: Any) -> Any:
    return pytest.param(*value if isinstance(value, tuple) else (value,), marks=pytest.mark.slow)
