"""`treewright compare`: algorithms and prunings side by side, by cross-validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from treewright.growth import RECIPES

from .contest import Contest, contest_arguments, contest_options
from .failure import in_options
from .growing import (
    PRUNING,
    PRUNINGS,
    option_words,
)
from .optimal import AHEAD, OPTIMAL
from .options import Sectioned, Word, json_option, option
from .output import head, show, show_json, talk
from .progress import progress
from .proposal import proposed

if TYPE_CHECKING:
    from treewright.model import Rivals

    from .target import Target

USUAL = ("none", "error_based", "cv", "cost_complexity", "reduced_error", "pessimistic", "mdl")
GROWING = "What is compared"
FOREST = "forest"
WAYS = (*RECIPES, OPTIMAL, *AHEAD)
WORDS = {
    "error": "share of wrong answers",
    "mse": "root mean squared error (RMSE)",
    "mae": "mean absolute error",
}


EXAMPLES = (
    "treewright compare data.csv --target income",
    "treewright compare data.csv --target income --recipe c4.5 --recipe cart --prune none --prune cv",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@contest_arguments
@option("--recipe", "recipes", type=Word(WAYS), multiple=True, section=GROWING,
        help=f"One of {', '.join(WAYS)}; repeatable. Default: all that fit.")  # fmt: skip
@option("--prune", "prunings", type=PRUNING, metavar="METHOD", multiple=True, section=GROWING,
        help=f"Of {', '.join(PRUNINGS)}; repeatable. Default: {', '.join(USUAL)}.")  # fmt: skip
@option("--cv", type=click.IntRange(min=2), default=10, show_default=True, metavar="K", help="Folds.")
@option("--no-forest", is_flag=True, section=GROWING, help="Without the forest of 100 trees beside them.")
@contest_options
@json_option
def compare(
    contest: Contest,
    recipes: tuple[str, ...],
    prunings: tuple[Any, ...],
    cv: int,
    as_json: bool,
    no_forest: bool,
) -> None:
    """Try algorithms and ways to prune on a file, side by side.

    Every row is predicted by trees that were grown, and pruned, without it. The folds are the same for all.
    """
    import treewright as tw

    found = contest.read()
    with progress("Comparing") as watch:
        rivals = tw.compare(
            found.table,
            found.name,
            recipes,
            prunings,
            progress=watch,
            **contest.keywords(found) | {"folds": cv, "n_jobs": contest.threads, "forest": not no_forest},
        )
    choice = rivals.choice
    if as_json:
        show_json(_plain(found, rivals, cv))
    else:
        _show(found, rivals, cv)
    talk("\nNext:", style="bold")
    chosen: tuple[str, ...] = ("--recipe", choice.recipe, "--prune", option_words(choice.prune))
    if choice.recipe == OPTIMAL:
        chosen = ("--optimal",)
    elif choice.recipe in AHEAD:
        chosen = _with_look_ahead(choice.recipe, option_words(choice.prune), contest.settings)
    chosen = (*chosen, "-o", "model.treewright")
    talk(f"  {proposed('fit', *chosen, without=('--recipe', '--prune', '--cv', '--lookahead'))}")


def _with_look_ahead(recipe: str, pruning: str, settings: dict[str, Any]) -> tuple[str, ...]:
    """Return the options of a way with look-ahead, which is no recipe."""
    from treewright.model.contest import grower_of

    grower, more = grower_of(recipe, {})
    words = [word for name, value in more.items() if name not in settings or name == "lookahead"
             for word in (f"--{name.replace('_', '-')}", str(value))]  # fmt: skip
    return ("--recipe", grower, "--prune", pruning, *words)


def _plain(found: Target, rivals: Rivals, folds: int) -> dict[str, Any]:
    columns = rivals.to_dict()
    lines = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    for line in lines:
        if line["recipe"] != OPTIMAL:
            line["prune"] = option_words(line["prune"])
    forest = next((line for line in lines if line["recipe"] == FOREST), None)
    left_out = {way: in_options(reason) for reason, ways in rivals.left_out.items() for way in ways}
    return {
        "target": found.name,
        "folds": folds,
        "rows": found.table.n_rows,
        "measure": rivals.measure,
        "ways": [line for line in lines if line is not forest],
        "forest": forest,
        "left_out": left_out,
    }


def _show(found: Target, rivals: Rivals, folds: int) -> None:
    what = WORDS.get(rivals.measure, rivals.measure.replace("_", " "))
    head(f"{found.name}: {what}, {folds} folds, the best first")
    for line in rivals.to_text(in_options).splitlines():
        show(f"  {line}")
