"""Which pruning a monotone tree allows: a node's own value lies inside its bounds, other rows' may not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.base.advice import Ask, ask, message
from treewright.prune.counts import UnsuitableError


def need_free(monotone: Mapping[str, int] | None, doing: str, *way_out: str | Ask) -> None:
    """Refuse what gives nodes other rows than they were grown on, where the tree promises an order.

    >>> need_free(None, "Raising branches", "...")
    >>> need_free({"age": 1}, "Raising branches", "Use raising=False.")
    Traceback (most recent call last):
    treewright.prune.counts.UnsuitableError: Raising branches gives leaves other rows, and the tree is \
monotone along 'age': the order could break. Use raising=False.
    """
    if monotone:
        names = ", ".join(map(repr, monotone))
        raise message(
            UnsuitableError,
            f"{doing} gives leaves other rows, and the tree is monotone along {names}: "
            "the order could break. ",
            *way_out,
        )


RAISING: tuple[Any, ...] = (
    "error_based with raising=True",
    "Use ",
    ask("prune", "error_based:raising=false", python="prune=tw.prune.ErrorBased(raising=False)"),
    ", or another way to prune.",
)
