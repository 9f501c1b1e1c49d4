"""Which table of a database file is meant."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.base.names import nearest

from .source import Source


def one_table(source: Source, names: Sequence[str]) -> str:
    """Return the table that is meant: the named one, or the only one."""
    if not names:
        raise ValueError(f"{source} holds no table.")
    shown = ", ".join(map(repr, names[:8])) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    if source.table is None:
        if len(names) == 1:
            return names[0]
        raise ValueError(
            f"{source} holds {len(names)} tables ({shown}); name one: {f'{names[0]}@{source.path}'!r}."
        )
    if source.table in names:
        return source.table
    near = nearest(source.table, names)
    hint = f"did you mean {near!r}? It" if near else "it"
    raise ValueError(f"{source} has no table {source.table!r}; {hint} holds {shown}.")
