"""Old names, kept for one release."""

from __future__ import annotations

import warnings
from typing import Any


def renamed(old: str, new: str) -> property:
    """Return a property that gives what is now called otherwise, and says so.

    >>> class Tree:
    ...     leaves = 3
    ...     tips = renamed("tips", "leaves")
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     Tree().tips, str(said[0].message)
    (3, 'Tree.tips is now called leaves; the old name goes with the next release.')
    """

    def value(self: Any) -> Any:
        warnings.warn(
            f"{type(self).__name__}.{old} is now called {new}; the old name goes with the next release.",
            DeprecationWarning,
            stacklevel=2,
        )
        return getattr(self, new)

    value.__doc__ = f"The old name of `{new}`."
    return property(value)
