"""`treewright compare`: algorithms and prunings side by side, by cross-validation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from treewright.base.lines import Words, aligned, figure
from treewright.growth import RECIPES
from treewright.growth.question import loss_for
from treewright.tree.losses import MEASURES, TITLES

from .data import column_of, read_data
from .failure import Failure, in_options, is_refusal
from .growing import (
    PRUNINGS,
    Pruning,
    growing_options,
    pruning_words,
    seed_option,
    threads_option,
    weight_option,
)
from .options import DATA, Sectioned, Word, json_option, option, reading_options
from .output import head, show, show_json, talk
from .progress import progress
from .proposal import proposed
from .target import Target, for_target, kind_options, target_of, target_option

if TYPE_CHECKING:
    import treewright as tw

USUAL = ("none", "error_based", "cost_complexity", "reduced_error", "pessimistic", "mdl", "minimum_error")
GROWING = "What is compared"


@dataclass(frozen=True)
class Line:
    """One way: a recipe and a pruning, the tree they make of all rows, and the error on rows held out."""

    recipe: str
    prune: str
    leaves: int
    depth: int
    error: float
    standard_error: float


EXAMPLES = (
    "treewright compare data.csv --target income",
    "treewright compare data.csv --target income --recipe c4.5 --recipe cart --prune none --prune cv",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("data", type=DATA)
@target_option
@kind_options
@option("--recipe", "recipes", type=Word(tuple(RECIPES)), multiple=True, section=GROWING,
        help=f"Of {', '.join(RECIPES)}; repeatable. Else all that fit.")  # fmt: skip
@option("--prune", "prunings", type=Pruning(), metavar="METHOD", multiple=True, section=GROWING,
        help=f"Of {', '.join(PRUNINGS)}; repeatable. Else {', '.join(USUAL)}.")  # fmt: skip
@option("--cv", type=click.IntRange(min=2), default=10, show_default=True, metavar="K", help="Folds.")
@growing_options
@weight_option
@threads_option
@seed_option
@reading_options
@json_option
def compare(
    data: str,
    target: str | None,
    wish: str | None,
    recipes: tuple[str, ...],
    prunings: tuple[Any, ...],
    cv: int,
    settings: dict[str, Any],
    weight: str | None,
    threads: int,
    seed: int,
    reading: dict[str, Any],
    as_json: bool,
) -> None:
    """Try algorithms and ways to prune on a file, side by side.

    Every row is predicted by trees that were grown, and pruned, without it. The folds are the same for all.
    """
    read = read_data(data, for_target(reading, target, wish))
    found = target_of(read.table, target, wish, data)
    for line in found.lines:
        talk(line)
    if weight:
        column_of(found.table, weight, "--weight")
    ways = _ways(found, recipes, prunings)
    options = settings | {"folds": cv, "weights": weight, "seed": seed, "n_jobs": threads}
    lines, left_out = _compared(found, ways, options)
    if not lines:
        reasons = " ".join(f"{way}: {why}" for way, why in left_out.items())
        raise Failure(f"Nothing could be compared. {reasons}")
    best = min(lines, key=lambda line: line.error)
    near = [line for line in lines if line.error <= best.error + (best.standard_error or 0.0)]
    smallest = min(near, key=lambda line: (line.leaves, line.error))
    if as_json:
        told = [asdict(line) | {"is_best": line is best, "is_choice": line is smallest} for line in lines]
        show_json(
            {
                "target": found.name,
                "folds": cv,
                "rows": found.table.n_rows,
                "ways": told,
                "left_out": left_out,
            }
        )
    else:
        _show(found, lines, left_out, best, smallest, cv, loss_for(options.get("criterion")))
    talk("\nNext:", style="bold")
    chosen = ("--recipe", smallest.recipe, "--prune", smallest.prune, "-o", "model.treewright")
    talk(f"  {proposed('fit', *chosen, without=('--recipe', '--prune', '--cv'))}")


def _ways(found: Target, recipes: tuple[str, ...], prunings: tuple[Any, ...]) -> list[tuple[str, Any]]:
    task = "classes" if found.is_classifier else "numbers"
    fitting = [name for name in RECIPES if task in RECIPES[name].get("tasks", ("classes", "numbers"))]
    chosen = recipes or tuple(name for name in fitting if name != "stump")
    methods = prunings or USUAL
    ways: list[tuple[str, Any]] = []
    for recipe in chosen:
        ways += [(recipe, method) for method in methods]
        if "stump" not in chosen and not recipes and recipe == chosen[-1]:
            ways.append(("stump", "none"))
    return ways


def _compared(
    found: Target, ways: list[tuple[str, Any]], options: dict[str, Any]
) -> tuple[list[Line], dict[str, str]]:
    """Return a line for each way that can be gone, and why the others cannot."""
    import treewright as tw

    loss = loss_for(options.get("criterion"))
    score = "error" if found.is_classifier else {"squared": "mse"}.get(loss, MEASURES[loss])
    lines, left_out = [], {}
    with progress("Comparing") as watch:
        for place, (recipe, method) in enumerate(ways):
            word = pruning_words(method)

            def tell(share: float, done: int = place) -> None:
                watch((done + share) / len(ways))

            try:
                judged = tw.evaluate.cross_validate(
                    found.table, found.name, recipe, prune=method, scores=score, progress=tell, **options
                )
                tree = _grown(found, recipe, method, options)
            except (ValueError, TypeError) as reason:
                if not is_refusal(reason):
                    raise
                left_out[f"{recipe}, {word}"] = in_options(reason)
                continue
            overall = judged.overall[score]
            lines.append(Line(recipe, word, tree.n_leaves, tree.depth, overall.value, overall.standard_error))
    return lines, left_out


def _grown(found: Target, recipe: str, method: Any, options: dict[str, Any]) -> tw.Tree:
    import treewright as tw

    growing = {name: value for name, value in options.items() if name not in ("folds", "n_jobs")}
    return tw.grow(found.table, found.name, recipe, prune=method, n_threads=options["n_jobs"], **growing)


def _show(
    found: Target,
    lines: list[Line],
    left_out: dict[str, str],
    best: Line,
    smallest: Line,
    folds: int,
    loss: str,
) -> None:
    what = "share of wrong answers" if found.is_classifier else TITLES[loss]
    head(f"{found.name}: {what}, {folds} folds")
    notes = [", ".join(_notes(line, best, smallest)) for line in lines]
    title = "error" if found.is_classifier else TITLES[loss].removeprefix("mean ")
    columns = [
        Words("recipe", [line.recipe for line in lines], "<"),
        Words("pruning", [line.prune for line in lines], "<"),
        Words("leaves", [f"{line.leaves:,}" for line in lines]),
        Words("depth", [str(line.depth) for line in lines]),
        Words(title, [_figure(line) for line in lines]),
        Words("", notes, "<"),
    ]
    for text in aligned(columns):
        show(f"  {text}")
    for way, reason in left_out.items():
        show(f"  left out: {way} ({reason})")


def _figure(line: Line) -> str:
    return figure(line.error, math.nan if line.standard_error is None else line.standard_error)


def _notes(line: Line, best: Line, smallest: Line) -> Iterator[str]:
    if line is best:
        yield "best"
    if line is smallest:
        yield "smallest within one standard error of it"
