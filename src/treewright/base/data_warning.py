"""The warning about columns that should not be learned from."""

from __future__ import annotations


class DataWarning(UserWarning):
    """Warned of once for each fit whose table has columns that should not be learned from.

    >>> import warnings
    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"customer_id": range(100), "y": ["a", "b"] * 50})
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     tree = tw.grow(table, "y", max_depth=1)
    >>> print(heard[0].message)
    Column 'customer_id' numbers the rows. A tree on it learns rows by heart: table.drop(['customer_id']).
    """
