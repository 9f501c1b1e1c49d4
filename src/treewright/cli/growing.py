"""Options of growing and pruning, for the commands that grow: one per setting, in the words of `tw.grow`."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from treewright.base.names import hint
from treewright.growth import RECIPES
from treewright.growth.recipes import usual_recipes
from treewright.growth.setting import SETTINGS, Setting
from treewright.prune.method import ALSO, METHODS, NONE

from .data import column_of
from .failure import Failure
from .numbers_by_name import class_weights_of, columns_of, costs_of, pairs_of
from .options import Read, Word, option

Command = TypeVar("Command", bound=Callable[..., Any])

AUTO = "auto"
GROWING = "How the tree is grown"
FOLDS = "How it is judged"
PRUNINGS = (NONE, *METHODS, *ALSO)


def pruning_of(text: str) -> Any:
    """Return the way to prune that a text means: an object of `tw.prune`, or "none".

    >>> pruning_of("error_based:confidence=0.1")
    ErrorBased(confidence=0.1, z='table', raising=True, slack=0.1)
    """
    from treewright.prune import find

    name, _, options = text.partition(":")
    if name not in PRUNINGS:
        way = hint(name, PRUNINGS) or "."
        raise ValueError(f"there is no way to prune {name!r}{way} There are: {', '.join(PRUNINGS)}.")
    if name == NONE and not options:
        return NONE
    return find(name, **dict(map(setting_of, filter(None, options.split(",")))))


PRUNING = Read("method", pruning_of)


def option_words(text: str) -> str:
    """Return what a tree says of its pruning as `--prune` takes it.

    >>> option_words("error_based(confidence=0.1, z='exact')"), option_words("mdl")
    ('error_based:confidence=0.1,z=exact', 'mdl')
    """
    name, _, options = text.partition("(")
    words = options.removesuffix(")").replace(", ", ",").replace("'", "")
    return f"{name}:{words}" if words else name


def setting_of(text: str) -> tuple[str, Any]:
    """Return the name and the value of "name=value"; numbers, true, false and none are what they look like.

    >>> setting_of("confidence=0.1"), setting_of("ties=order"), setting_of("use_once=true")
    (('confidence', 0.1), ('ties', 'order'), ('use_once', True))
    """
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise ValueError(f"{text!r} is not written as name=value.")
    word = value.strip()
    known = {"true": True, "false": False, "none": None}
    if word.lower() in known:
        return name.strip(), known[word.lower()]
    for kind in (int, float):
        try:
            return name.strip(), kind(word)
        except ValueError:
            continue
    return name.strip(), word


def _kind(setting: Setting) -> dict[str, Any]:
    """Return how click reads the value of a setting."""
    if setting.words:
        return {"type": Word(setting.words), "metavar": "WORD"}
    if setting.kind == "whole":
        return {"type": click.IntRange(int(setting.least), setting.most), "metavar": "N"}
    if setting.kind == "share":
        return {"type": click.FloatRange(0, 1), "metavar": "X"}
    if setting.kind == "number":
        is_free = setting.least == -math.inf
        return {"type": float if is_free else click.FloatRange(min=setting.least), "metavar": "X"}
    return (
        {"type": Read("columns", columns_of), "metavar": "COL=X,... or FILE"}
        if setting.kind == "by_column"
        else {"metavar": "WAY"}
    )


# Option, setting, how it is read, help.
_ROWS: tuple[tuple[str, str, dict[str, Any], str], ...] = (
    *(
        (row.option, row.name, _kind(row), row.sentence.format(", ".join(row.words)))
        for row in SETTINGS.values()
        if row.option
    ),
    (
        "--class-weight",
        "class_weight",
        {"type": Read("weights", class_weights_of), "metavar": "W"},
        "'balanced', or yes=5,no=1.",
    ),
    (
        "--priors",
        "priors",
        {"type": Read("priors", pairs_of), "metavar": "P"},
        "The share of each class: yes=0.1,no=0.9.",
    ),
    (
        "--costs",
        "costs",
        {"type": Read("costs", costs_of), "metavar": "FILE"},
        "Costs of mistakes: a matrix as CSV or JSON (row = true class), or yes:no=5.",
    ),
    (
        "--set",
        "more",
        {"type": Read("setting", setting_of), "metavar": "NAME=VALUE", "multiple": True},
        "Any other setting of tw.grow.",
    ),
)


def growing_options(command: Command) -> Command:
    """Give a command an option for each setting of growth; those that were given arrive as `settings`."""

    @functools.wraps(command)
    def with_settings(*args: Any, **given: Any) -> Any:
        settings = {row[1]: given.pop(f"setting_{row[1]}") for row in _ROWS}
        settings |= dict(settings.pop("more"))
        settings = {name: value for name, value in settings.items() if value is not None}
        return command(*args, settings=settings, **given)

    for word, name, kind, about in reversed(_ROWS):
        add = option(word, f"setting_{name}", section=GROWING, help=about, **kind)
        with_settings = add(with_settings)
    return with_settings  # type: ignore[return-value]


def recipe_option(command: Command) -> Command:
    """Give a command `--recipe`."""
    known = (AUTO, *RECIPES)
    words = (
        f"Algorithm (recipe): {', '.join(known)}. auto, the default, tries c4.5 and cart and takes the "
        "smallest tree within one standard error of the best."
    )
    return option("--recipe", type=Word(known), section=GROWING, help=words)(command)


def prune_option(command: Command) -> Command:
    """Give a command `--prune`."""
    known = ", ".join(PRUNINGS)
    words = f"How it is pruned: {known}. Default: as the recipe does. Options: error_based:confidence=0.1."
    return option("--prune", type=PRUNING, metavar="METHOD", section=GROWING, help=words)(command)


def processors() -> int:
    """Return how many processors this process may use: a container may have fewer than its machine.

    >>> processors() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads_option(command: Command) -> Command:
    """Give a command `--threads`; the tree is the same for any number."""
    return option(
        "--threads",
        type=click.IntRange(min=1),
        metavar="N",
        default=processors(),
        show_default="all processors",
        help="Threads to work with; the result is the same.",
    )(command)


def seed_option(command: Command) -> Command:
    """Give a command `--seed`."""
    return option(
        "--seed",
        type=int,
        default=0,
        show_default=True,
        help="Random seed, of parts, folds and trees.",
    )(command)


def weight_option(command: Command) -> Command:
    """Give a command `--weight`."""
    return option("--weight", metavar="COL", help="The column with the weights of the rows.")(command)


def units_options(command: Command) -> Command:
    """Give a command `--groups` and `--order`, by which folds are dealt."""
    groups = option(
        "--groups",
        metavar="COL",
        section=FOLDS,
        help="Keep rows with the same value together in folds and test rows, such as those of a patient.",
    )
    order = option(
        "--order",
        metavar="COL",
        section=FOLDS,
        help="Rows in time: what judges comes after what is learned from.",
    )
    return groups(order(command))


def checked_units(table: Any, groups: str | None, order: str | None) -> dict[str, Any]:
    """Return the columns that folds are dealt by, as keywords; both at once and unknown ones are refused.

    >>> import treewright as tw
    >>> checked_units(tw.example("tennis"), "Wind", None)
    {'groups': 'Wind'}
    """
    if groups and order:
        raise click.UsageError("--groups keeps groups together, --order keeps to time; give one of them.")
    given = {name: value for name, value in (("groups", groups), ("order", order)) if value}
    for name, value in given.items():
        column_of(table, value, f"--{name}")
    return given


def recipe_for(recipe: str | None, is_classifier: bool, settings: Mapping[str, Any] | None = None) -> str:
    """Return the recipe that was asked for, or the one that suits the target and the settings.

    >>> recipe_for(None, is_classifier=True), recipe_for(None, is_classifier=False), recipe_for("sliq", True)
    ('c4.5', 'cart', 'sliq')
    >>> recipe_for(None, True, {"splits": "linear"}), recipe_for(None, True, {"leaves": "logistic"})
    ('cart', 'cart')
    """
    usual = usual_recipes(is_classifier, settings or {})[0]
    chosen = usual if recipe in (None, AUTO) else str(recipe)
    tasks = RECIPES[chosen].get("tasks", ("classes", "numbers"))
    if not is_classifier and "numbers" not in tasks:
        raise Failure(
            f"--recipe {chosen} grows trees for classes, and the target is a number. "
            "Use --recipe cart or plain, or --classification if its numbers are names of classes."
        )
    return chosen
