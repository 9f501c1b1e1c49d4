"""`tw.compare`: recipes and prunings side by side on the same folds, with a forest for comparison."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.base.advice import Reason
from treewright.base.numbers import percent
from treewright.base.progress import Watcher, part_of
from treewright.evaluate.answers import Answers
from treewright.evaluate.cross_validation import cross_validate
from treewright.evaluate.measures import scores
from treewright.evaluate.parts import names_among
from treewright.fitting import grow
from treewright.forest.grower import grow as grow_forest
from treewright.forest.oob import out_of_bag
from treewright.growth import RECIPES, Settings
from treewright.growth.keywords import ForFolds, with_settings
from treewright.growth.question import loss_for
from treewright.model.rivals import Rival, Rivals
from treewright.model.searched import AHEAD, DEPTH, WORK, Searcher, judged_search
from treewright.model.searched import NAME as OPTIMAL
from treewright.model.target import Goal, goal_of, without_suspects
from treewright.prune.base import Method
from treewright.prune.dealing import units_by_name
from treewright.prune.method import among_blocks
from treewright.tree.certificate import Certificate
from treewright.tree.losses import MEASURES

if TYPE_CHECKING:
    from typing_extensions import Unpack

PRUNINGS = ("none", "error_based", "cv", "cost_complexity", "reduced_error", "pessimistic", "mdl")
FOREST_TREES = 100
# Recipes that are tried with their own pruning only: sliq grows what plain grows, a stump is not pruned, the
# depth of the last ones is limited.
_ONCE = {"sliq": "sliq", "stump": "none", OPTIMAL: "none", **dict.fromkeys(AHEAD, "none")}


@with_settings
def compare(
    data: Any,
    target: Any,
    recipes: Iterable[str] | None = None,
    prunings: Iterable[Any] | None = None,
    *,
    folds: Any = 10,
    groups: Any = None,
    order: Any = None,
    forest: bool = True,
    task: str | None = None,
    keep: Iterable[str] | str = (),
    weights: Any = None,
    class_weight: Any = None,
    priors: Any = None,
    costs: Any = None,
    seed: int = 0,
    n_jobs: int = 1,
    progress: Watcher | None = None,
    **settings: Unpack[ForFolds],
) -> Rivals:
    """Return recipes and prunings side by side: error on rows held out, size and seconds, the best first.

    Every row is predicted by trees that were grown, and pruned, without it; the folds are the same for all.

    Args:
        data: as in `tw.fit`.
        target: the column to predict: its name, its place, or one answer per row.
        recipes: algorithms by name; "optimal" for the best tree of `max_depth` (3) within a fixed amount of
            work, "lookahead" and "polished" for trees of that depth that grow with look-ahead or are polished
            (`lookahead` in `tw.grow`); all that fit the target unless given.
        prunings: names such as "cv", objects of `tw.prune`, or "none"; the usual ones unless given.
        folds: a number, one whole number per row, or the name of a column.
        groups: whose rows stay in one fold: a column, which is then no feature, or one value per row.
        order: of the rows in time, likewise: each fold is judged by what came before it.
        forest: whether a forest of 100 trees stands in the table too, judged by its out-of-bag rows.
        task: "classes" or "numbers", where the target could be either.
        keep: columns to learn from though they look like identifiers or free text, as in `tw.fit`.
        weights: one number per row or the name of a column.
        class_weight: "balanced", or a weight for each class by name.
        priors: the share of each class.
        costs: of mistakes, row = true class.
        seed: of folds and growth.
        n_jobs: folds worked on at once.
        progress: called with the share that is done.
        settings: those of `tw.grow`.

    >>> import treewright as tw
    >>> found = compare(tw.example("vote"), "Class", ["c4.5", "cart"], ["none", "cv"], forest=False)
    >>> len(found), found.choice.leaves
    (4, 6)
    """
    goal = without_suspects(goal_of(data, target, task), keep, weights, groups, order)
    recipes = [recipes] if isinstance(recipes, str) else recipes
    prunings = [prunings] if isinstance(prunings, (str, Method)) else prunings
    _check(settings, recipes)
    ways = ways_for(goal.is_classifier, recipes, prunings)
    said = {"class_weight": class_weight, "priors": priors, "costs": costs, "weights": weights, "seed": seed}
    options = {name: value for name, value in (dict(settings) | said).items() if value is not None}
    loss = loss_for(options.get("criterion"))
    measure = "error" if goal.is_classifier else {"squared": "mse"}.get(loss, MEASURES[loss])
    n_steps = len(ways) + bool(forest)
    rows: list[Rival] = []
    refused: dict[tuple[str, str], str] = {}  # recipe and pruning: why
    for place, (recipe, method) in enumerate(ways):
        watch = part_of(progress, place / n_steps, (place + 1) / n_steps)
        try:
            judging = {"folds": folds, "n_jobs": n_jobs, "progress": watch, "groups": groups, "order": order}
            rows.append(_judged(goal, recipe, method, measure, options, judging))
        except ValueError as reason:
            refused[recipe, words_of(method)] = Reason.of(reason)
    if forest and (groups is not None or order is not None):
        refused["forest", ""] = "its out-of-bag rows keep neither to groups nor to an order"
    elif forest:
        watch = part_of(progress, len(ways) / n_steps, 1.0)
        rows += _forest_row(goal, measure, options, n_jobs, watch)
    if not any(row.is_tree for row in rows):
        raise ValueError(f"Nothing could be compared. {' '.join(dict.fromkeys(refused.values()))}")
    return Rivals(goal.name, tuple(rows), left_out_of(refused, ways), measure)


def _check(settings: Mapping[str, Any], recipes: Iterable[str] | None) -> None:
    """Refuse what would fail for every way, before any work is done."""
    for word, ours in (("recipe", "recipes"), ("prune", "prunings"), ("pruning", "prunings")):
        if word in settings:
            raise TypeError(
                f"compare has no option {word!r}; give {ours}=[...], which are tried side by side."
            )
    for recipe in recipes or ("plain",):
        if recipe == OPTIMAL or recipe in AHEAD:
            continue
        Settings.of(recipe, **{name: value for name, value in settings.items() if name != "criterion"})


def ways_for(
    is_classifier: bool, recipes: Iterable[str] | None, prunings: Iterable[Any] | None
) -> list[tuple[str, Any]]:
    """Return the pairs of recipe and pruning that are tried; stumps and optimal trees are not pruned.

    >>> ways_for(False, ["cart", "optimal"], None)[-2:]
    [('cart', 'mdl'), ('optimal', 'none')]
    >>> [recipe for recipe, _ in ways_for(False, None, ["none"])]
    ['plain', 'cart', 'stump', 'optimal', 'lookahead', 'polished']
    """
    task = "classes" if is_classifier else "numbers"
    grown = [name for name in RECIPES if task in RECIPES[name].get("tasks", (task,))]
    fitting = [*grown, OPTIMAL, *AHEAD]
    chosen: Sequence[str] = tuple(recipes or ()) or [name for name in fitting if name not in _ONCE]
    methods = tuple(prunings or ()) or PRUNINGS
    ways = [
        (recipe, method)
        for recipe in chosen
        for method in (methods if recipe != OPTIMAL else (_ONCE[OPTIMAL],))
    ]
    return ways if recipes else ways + [(name, _ONCE[name]) for name in fitting if name in _ONCE]


def words_of(method: Any) -> str:
    """Return a way to prune in words.

    >>> from treewright.prune import ErrorBased
    >>> words_of("cv"), words_of(ErrorBased(confidence=0.1))
    ('cv', 'error_based(confidence=0.1)')
    """
    return str(method.words()) if isinstance(method, Method) else str(method)


def _judged(
    goal: Goal, recipe: str, method: Any, measure: str, options: dict[str, Any], judging: dict[str, Any]
) -> Rival:
    if recipe == OPTIMAL:
        return _searched(goal, measure, options, judging)
    started = time.perf_counter()
    grower, options = grower_of(recipe, options)
    found = cross_validate(goal.table, goal.name, grower, prune=method, scores=measure, **judging, **options)
    units = units_by_name(goal.table, judging["groups"], judging["order"])
    among = among_blocks(method, None, units.get("groups"), units.get("order"))
    table = goal.table.drop(names_among(judging["folds"], judging["groups"], judging["order"]))
    tree = grow(table, goal.name, grower, prune=among, n_threads=judging["n_jobs"], **options)
    score, seconds = found.overall[measure], time.perf_counter() - started
    size = (tree.n_leaves, tree.depth)
    return Rival(recipe, words_of(method), *size, score.value, score.standard_error, seconds)


def grower_of(recipe: str, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return what `tw.grow` takes for a recipe that is compared: ways with look-ahead are no recipes there.

    >>> grower_of("polished", {})
    ('plain', {'max_depth': 3, 'lookahead': 'polish', 'lookahead_rows': 5000})
    """
    if recipe not in AHEAD:
        return recipe, dict(options)
    return "plain", {"max_depth": DEPTH} | {
        **AHEAD[recipe],
        **options,
        "lookahead": AHEAD[recipe]["lookahead"],
    }


def _searched(goal: Goal, measure: str, options: dict[str, Any], judging: dict[str, Any]) -> Rival:
    """Return the line of optimal trees: searched on each fold's rows, within a limit that knows no clock."""
    started = time.perf_counter()
    seed, folds = options["seed"], judging["folds"]
    others = ("seed", "lookahead", "lookahead_rows")  # all levels are looked at
    of_search = {name: value for name, value in options.items() if name not in others}
    leave_out = names_among(folds, judging["groups"], judging["order"])
    searcher = Searcher.of(goal.table, goal.name, leave_out=leave_out, **of_search).within(WORK)
    loss = loss_for(options.get("criterion"))
    found = judged_search(searcher, seed=seed, scores=measure, loss=loss, **judging)
    tree = searcher.fit(np.arange(goal.table.n_rows))
    proof, score = Certificate.of(tree.about), found.overall[measure]
    gap = "" if proof is None or proof.is_proven else f", gap {percent(proof.relative_gap, 1)}"
    words = f"depth {searcher.options['max_depth']}{gap}"
    seconds = time.perf_counter() - started
    return Rival(OPTIMAL, words, tree.n_leaves, tree.depth, score.value, score.standard_error, seconds)


def _forest_row(
    goal: Goal, measure: str, options: dict[str, Any], n_jobs: int, watch: Watcher | None
) -> list[Rival]:
    """Return the line of a forest; none where the settings are not for forests."""
    started, weights = time.perf_counter(), options.get("weights")
    if {"splits", "leaves", "max_leaves", "monotone"} & set(options):
        return []
    try:
        forest = grow_forest(goal.table, goal.name, FOREST_TREES, n_threads=n_jobs, progress=watch, **options)
        said = out_of_bag(forest, goal.table, weights=weights, n_threads=n_jobs)
    except ValueError:
        return []
    rows = said.n_votes > 0
    if isinstance(weights, str):
        weights = goal.table.column(weights)[1]
    counted = None if weights is None else np.asarray(weights)[rows]
    if goal.is_classifier:
        truth = goal.table.labels(goal.name)[rows]
        judged = Answers.of(truth, said.labels[rows], classes=forest.classes, weights=counted)
    else:
        judged = Answers.of(goal.table.column(goal.name)[1][rows], said.predicted[rows], weights=counted)
    score = scores(judged, measure)[measure]
    seconds = time.perf_counter() - started
    size = (forest.n_leaves, 0)
    words = f"{FOREST_TREES} trees"
    return [Rival("forest", words, *size, score.value, score.standard_error, seconds, is_tree=False)]


def left_out_of(
    refused: Mapping[tuple[str, str], str], ways: Sequence[tuple[str, Any]]
) -> dict[str, tuple[str, ...]]:
    """Return what was left out by reason, each once; a recipe that nothing goes with stands there alone.

    >>> left_out_of({("id3", "none"): "numbers", ("id3", "cv"): "numbers!"}, [("id3", "none"), ("id3", "cv")])
    {'numbers': ('id3',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    for recipe in dict.fromkeys(recipe for recipe, _ in refused):
        reasons = {method: why for (name, method), why in refused.items() if name == recipe}
        if len(reasons) == sum(name == recipe for name, _ in ways):
            reasons = {"": next(iter(reasons.values()))}  # folds word it with figures of their own
        for method, why in reasons.items():
            found[why] = (*found.get(why, ()), f"{recipe}, {method}" if method else recipe)
    return found
