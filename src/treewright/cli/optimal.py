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
TAKEN = (
    "max_depth",
    "max_leaves",
    "min_leaf",
    "criterion",
    "splits",
    "missing",
    "class_weight",
    "ledger",
)
DEPTH = 3
OPTIMAL, AHEAD = "optimal", ("lookahead", "polished")  # among recipes


@dataclass(frozen=True)
class Search:
    """What was asked of the search beside settings of growth."""

    leaf_price: float
    time_limit: float | None
    n_trees: int | None = None
    within: float | None = None

    def options(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of the search, those of growth checked."""
        if others := [name for name in settings if name not in TAKEN]:
            known = ", ".join(f"--{name.replace('_', '-')}" for name in TAKEN)
            raise Failure(f"--optimal does not go with {', '.join(others)}; it takes {known}.")
        given = {"leaf_price": self.leaf_price, "time_limit": self.time_limit, "max_depth": DEPTH}
        return given | {name: value for name, value in settings.items() if name != "ledger"}

    def run(
        self,
        table: tw.Table,
        target: str,
        settings: Mapping[str, Any],
        weight: str | None,
        seed: int,
        watch: Listener,
    ) -> Optimal:
        """Return the optimal tree for a table, with the others that were asked for."""
        import treewright as tw

        found: Optimal = tw.optimal(
            table,
            target,
            n_trees=self.n_trees,
            within=self.within,
            seed=seed,
            ledger=bool(settings.get("ledger")),
            weights=weight,
            progress=watch,
            warns=False,
            **self.options(settings),
        )
        return found

    def judge(
        self, table: tw.Table, target: str, settings: Mapping[str, Any], weight: str | None, **judging: Any
    ) -> Any:
        """Return what folds say of the search."""
        from treewright.model.searched import Searcher, judged_search

        searcher = Searcher.of(table, target, weights=weight, **self.options(settings))
        return judged_search(searcher, **judging)


def optimal_options(command: Command) -> Command:
    """Give a command `--optimal` and what belongs to it; they arrive as `search`, None without it."""

    @functools.wraps(command)
    def with_search(
        *args: Any,
        optimal: bool,
        leaf_price: float | None,
        time_limit: float | None,
        trees: int | None,
        within: float | None,
        **given: Any,
    ) -> Any:
        if not optimal and any(x is not None for x in (leaf_price, time_limit, trees, within)):
            raise click.UsageError("--leaf-price, --time-limit, --trees and --within belong to --optimal.")
        search = Search(leaf_price or 0.0, time_limit, trees, within) if optimal else None
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
        (
            "--trees",
            {"type": click.IntRange(min=1), "metavar": "N", "help": "List the N best different trees."},
        ),
        (
            "--within",
            {
                "type": click.FloatRange(min=0),
                "metavar": "SHARE",
                "help": "List all trees that cost at most this share more than the best, such as 0.01.",
            },
        ),
    )
    for word, kind in reversed(rows):
        with_search = option(word, section=SECTION, **kind)(with_search)
    return with_search  # type: ignore[return-value]


def check_search(recipe: str | None, prune: Any, forest: int | None) -> None:
    """Refuse what does not go with `--optimal`."""
    if recipe not in (None, AUTO) or prune not in (None, "none") or forest:
        raise click.UsageError(
            "--optimal searches all trees itself; leave out --recipe, --prune and --forest."
        )


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
