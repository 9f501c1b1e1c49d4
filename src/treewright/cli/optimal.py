"""`treewright fit --optimal`: its options, and a bar that shows the gap."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from treewright.base.numbers import number

from .failure import Failure
from .growing import AUTO
from .options import option
from .progress import is_drawn
from .terminal import console

if TYPE_CHECKING:
    import treewright as tw
    from treewright.lookahead import Optimal
    from treewright.tree.certificate import Certificate

Command = TypeVar("Command", bound=Callable[..., Any])
Listener = Callable[["Certificate"], object]

SECTION = "Optimal trees"
# Settings of growth that the search understands.
TAKEN = ("max_depth", "max_leaves", "criterion", "splits", "missing", "class_weight")
DEPTH = 3


@dataclass(frozen=True)
class Search:
    """What was asked of the search beside settings of growth."""

    leaf_price: float
    time_limit: float | None

    def run(
        self, table: tw.Table, target: str, settings: Mapping[str, Any], weight: str | None, watch: Listener
    ) -> Optimal:
        """Return the optimal tree for a table."""
        import treewright as tw

        if others := [name for name in settings if name not in TAKEN]:
            known = ", ".join(f"--{name.replace('_', '-')}" for name in TAKEN)
            raise Failure(f"--optimal does not go with {', '.join(others)}; it takes {known}.")
        found: Optimal = tw.optimal(
            table,
            target,
            leaf_price=self.leaf_price,
            time_limit=self.time_limit,
            weights=weight,
            progress=watch,
            warns=False,
            **({"max_depth": DEPTH} | dict(settings)),
        )
        return found


def optimal_options(command: Command) -> Command:
    """Give a command `--optimal` and what belongs to it; they arrive as `search`, None without it."""

    @functools.wraps(command)
    def with_search(
        *args: Any, optimal: bool, leaf_price: float | None, time_limit: float | None, **given: Any
    ) -> Any:
        if not optimal and (leaf_price is not None or time_limit is not None):
            raise click.UsageError("--leaf-price and --time-limit belong to --optimal.")
        search = Search(leaf_price or 0.0, time_limit) if optimal else None
        return command(*args, search=search, **given)

    rows: tuple[tuple[str, dict[str, Any]], ...] = (
        (
            "--optimal",
            {
                "is_flag": True,
                "flag_value": True,
                "help": f"Find the best tree of --max-depth ({DEPTH}), with proof.",
            },
        ),
        (
            "--leaf-price",
            {"type": click.FloatRange(min=0), "metavar": "X", "help": "What each leaf costs, in errors."},
        ),
        (
            "--time-limit",
            {"type": click.FloatRange(min=0), "metavar": "SECONDS", "help": "End with the best tree so far."},
        ),
    )
    for word, kind in reversed(rows):
        with_search = option(word, section=SECTION, **kind)(with_search)
    return with_search  # type: ignore[return-value]


def check_search(recipe: str | None, prune: Any, forest: int | None, cv: int | None) -> None:
    """Refuse what does not go with `--optimal`."""
    if recipe not in (None, AUTO) or prune not in (None, "none") or forest:
        raise click.UsageError(
            "--optimal searches all trees itself; leave out --recipe, --prune and --forest."
        )
    if cv:
        raise click.UsageError("--optimal is judged by rows kept back: use --test 0.3 instead of --cv.")


@contextmanager
def gap_bar(title: str) -> Iterator[Listener]:
    """Yield what hears certificates; it shows the best cost, the bound and the gap on the terminal.

    >>> with gap_bar("Searching") as watch:   # no terminal here
    ...     watch(None)
    """
    if not is_drawn():
        yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(sys.stderr), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def hear(proof: Certificate) -> None:
            share = proof.lower / proof.upper if proof.upper > 0 else 1.0
            cost, bound = number(proof.upper, 6), number(proof.lower, 6)
            words = f"{title}: {cost}, at least {bound} (gap {proof.relative_gap:.1%})"
            bar.update(task, description=words, completed=share, total=1.0)

        yield hear
