"""`treewright tune`: depth, leaf size, criterion, algorithm and pruning chosen in one go, and judged."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from treewright.base.numbers import number
from treewright.growth import RECIPES

from .contest import Contest, contest_arguments, contest_options
from .failure import in_options
from .files import check_place
from .fit import saved_form
from .growing import (
    FOLDS,
    PRUNING,
    PRUNINGS,
    option_words,
)
from .listing import how_made, shortened, size
from .options import Sectioned, Word, json_option, option
from .output import head, show, show_json, talk
from .progress import is_drawn
from .proposal import proposed
from .terminal import console

if TYPE_CHECKING:
    from treewright.model import Standing, Tuning

    from .target import Target

SEARCH = "What is tried, and how long"

EXAMPLES = (
    "treewright tune data.csv --target income --seconds 60 -o income.treewright",
    "treewright tune data.csv --target income --recipe cart --max-depth 6 --fits 500",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@contest_arguments
@option(
    "-o", "--output", type=click.Path(), metavar="FILE", help="Save the model here, such as m.treewright."
)
@option("--seconds", type=click.FloatRange(min=0, min_open=True), metavar="S", section=SEARCH,
        help="How long to search; 60 unless --fits is given.")  # fmt: skip
@option("--fits", type=click.IntRange(min=1), metavar="N", section=SEARCH,
        help="Trees to grow at most instead: the same result on any machine.")  # fmt: skip
@option("--recipe", "recipes", type=Word(tuple(RECIPES)), multiple=True, section=SEARCH,
        help=f"One of {', '.join(RECIPES)}; repeatable. Default: c4.5, cart, plain.")  # fmt: skip
@option("--prune", "prunings", type=PRUNING, metavar="METHOD", multiple=True, section=SEARCH,
        help=f"Of {', '.join(PRUNINGS)}; repeatable. Default: the usual, in several strengths.")  # fmt: skip
@option(
    "--cv",
    type=click.IntRange(min=2),
    default=5,
    show_default=True,
    metavar="K",
    section=FOLDS,
    help="Folds.",
)
@option("--outer", type=click.IntRange(min=0), default=5, show_default=True, metavar="K", section=FOLDS,
        help="Folds that judge the whole search (0: none, which is six times quicker).")  # fmt: skip
@option("--one-se", type=click.FloatRange(min=0), default=1.0, show_default=True, metavar="X", section=FOLDS,
        help="The smallest tree within so many standard errors of the best; 0 is the best.")  # fmt: skip
@contest_options
@json_option
def tune(
    contest: Contest,
    output: str | None,
    seconds: float | None,
    fits: int | None,
    recipes: tuple[str, ...],
    prunings: tuple[Any, ...],
    cv: int,
    outer: int,
    one_se: float,
    as_json: bool,
) -> None:
    """Choose algorithm, depth and pruning, and judge the choice.

    Settings race by cross-validation; what cannot win is out early. The whole search is repeated without each
    outer fold, which judges it. Settings that are given are the same for all that is tried.
    """
    import treewright as tw

    if output:
        check_place(output, [contest.data])
    found = contest.read()
    with _standing_bar("Tuning") as watch:
        result = tw.tune(
            found.table,
            found.name,
            seconds,
            n_fits=fits,
            recipes=recipes or None,
            prunings=list(prunings) or None,
            folds=cv,
            outer=outer,
            one_se=True if one_se == 1 else one_se,
            n_threads=contest.threads,
            progress=watch,
            **contest.keywords(found),
        )
    if output:
        saved_form(result.tree, contest.settings, contest.reading).save(output)
    if as_json:
        show_json(_plain(result, found, output))
    else:
        _show(result)
    _say_next(result, output)


@contextmanager
def _standing_bar(title: str) -> Iterator[Callable[[Standing], object]]:
    """Yield what hears how far the search is; it shows the share done and the best so far.

    >>> with _standing_bar("Tuning") as watch:   # no terminal here
    ...     watch(None)
    """
    if not is_drawn():
        yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(sys.stderr), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def hear(standing: Standing) -> None:
            best = f"{number(standing.error, 3)}, {number(round(standing.leaves))} leaves"
            words = f"{title}: {standing.n_settings} settings, best so far {best} ({standing.way})"
            bar.update(task, description=words, completed=standing.share, total=1.0)

        yield hear


def _show(result: Tuning) -> None:
    tree = result.tree
    text, depth = shortened(tree)
    head(f"Tree ({how_made(tree.about)}; {size(tree)})")
    show(text)
    if depth is not None:
        left_out = f"{tree.n_leaves:,} leaves in all; treewright show MODEL has them"
        show(f"  (shown to depth {depth} of {tree.depth}: {left_out})")
    head("What was tried (error on rows held out)")
    for line in result.table.to_text().splitlines():
        show(f"  {line.replace('to_frame()', '--json')}")
    for reason, ways in result.left_out.items():
        show(f"  left out: {', '.join(ways)} ({in_options(reason)})")
    head("How good it is")
    for line in (*result.sentences(), *map(in_options, result.notes)):
        show(f"  {line}")


def _plain(result: Tuning, found: Target, output: str | None) -> dict[str, Any]:
    columns = result.table.to_dict()
    ways = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return {
        "target": found.name,
        "task": "classification" if found.is_classifier else "regression",
        "measure": result.table.measure,
        "error": result.error.value,
        "standard_error": result.error.standard_error,
        "outer_folds": [fold.__dict__ for fold in result.outer],
        "ways": ways,
        "leaves": result.tree.n_leaves,
        "depth": result.tree.depth,
        "tree": result.tree.to_text(),
        "fits": result.n_fits,
        "settings": result.n_settings,
        "seconds": round(result.seconds, 3),
        "again": result.repeat,
        "search_again": result.search,
        "saved": output,
    }


def _say_next(result: Tuning, output: str | None) -> None:
    talk()
    if output:
        talk(f"Saved: {output} ({os.path.getsize(output) / 1024:,.0f} KiB)")
    talk("Next:", style="bold")
    if output:
        talk(f"  {proposed('show', arguments=[output])}")
    trial, method = result.table.choice, result.table.rows[result.table.choice_at].method
    words = [word for name, value in trial.settings for word in (f"--{name.replace('_', '-')}", str(value))]
    chosen = ("--recipe", trial.recipe, "--prune", option_words(method.words()), *words)
    free = ("--recipe", "--prune", "--cv", "--outer", "--one-se", "--seconds", "--fits", "-o", "--output")
    talk(f"  {proposed('fit', *chosen, without=free)}      to grow this tree again")
    again = proposed("tune", "--fits", str(result.n_fits), without=("--seconds", "--fits"))
    talk(f"  {again}      to go through this search again")
