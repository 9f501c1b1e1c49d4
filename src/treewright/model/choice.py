"""`recipe="auto"`: C4.5 and CART, pruned by all prices, and the smallest tree within one standard error.

Every family is grown once on all rows and once on the rest of each fold; along the sequence of its
cost-complexity prunings the rows held out judge every size. C4.5's own pruning is judged by the same trees.
It is a race (`race.py`) in which nobody is out early.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright.base.advice import Reason, joined, refusal
from treewright.base.numbers import shortened
from treewright.base.progress import part_of, watched_by
from treewright.evaluate.answers import Answers
from treewright.evaluate.cross_validation import pooled
from treewright.fitting import grow_pruned
from treewright.growth.grower import Grown, grown
from treewright.growth.recipes import usual_recipes
from treewright.growth.shown import with_short_cuts
from treewright.model.race import Course, Found, Race, Ways, chosen_of
from treewright.model.rivals import Rival, Rivals
from treewright.model.space import Space, Trial
from treewright.model.task import Task, answers_of_rows, counted_rows, measure_of, repeats_for, sampled
from treewright.prune import CostComplexity, ErrorBased, Evidence
from treewright.prune.base import Method
from treewright.prune.cost_complexity import CostComplexityPath, cost_complexity_path, prices_between
from treewright.prune.method import pruned
from treewright.tree import Tree

GROWN = 0.1  # of the work, before the folds begin


@dataclass(frozen=True, eq=False)
class Family:
    """A recipe on all rows, and its sequence of prunings."""

    growth: Grown
    evidence: Evidence
    ways: Ways
    own: tuple[Tree, ...]  # of the ways that need no price

    @classmethod
    def of(cls, task: Task, recipe: str) -> Family:
        """Return what a recipe grows, and the ways to prune it: C4.5's own, and every price of a leaf."""
        settings = task.settings(recipe)
        sample = counted_rows(task.rows, settings, task)
        rows = task.rows.weighing(None if bool((sample.weights == 1.0).all()) else sample.weights)
        growth, evidence = grown(rows, settings, task.terms.without_weight()), Evidence(sample)
        path = cost_complexity_path(growth.tree)
        methods = (ErrorBased(),) if recipe == "c4.5" and not task.given.get("monotone") else ()
        own = tuple(pruned(growth.tree, method, evidence) for method in methods)
        leaves = np.array([*(tree.n_leaves for tree in own), *path.n_leaves], dtype=np.float64)
        priced = tuple(_at(path, place) for place in range(len(path)))
        return cls(growth, evidence, Ways(methods, prices_between(path), priced, leaves), own)

    def tree(self, method: Method) -> Tree:
        """Return the tree of all rows, pruned, before its surrogates are found."""
        if method in self.ways.methods:
            return self.own[self.ways.methods.index(method)]
        return pruned(self.growth.tree, method, self.evidence)


def _at(path: CostComplexityPath, place: int) -> CostComplexity:
    """Return the pruning that gives the tree at a place of the sequence, its price in few digits."""
    low = float(path.alpha[place])
    high = float(path.alpha[place + 1]) if place + 1 < len(path) else 2 * low + 1.0
    return CostComplexity(alpha=shortened((low + high) / 2, low, high))


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen, all that was tried, and what the folds said of the chosen one."""

    recipe: str
    method: Method
    tree: Tree
    rivals: Rivals
    answers: Answers  # of the rows held out, each once
    n_folds: int
    notes: tuple[str, ...] = ()


def chosen(task: Task) -> Choice:
    """Return the smallest tree within one standard error of the best, over the families and their sizes.

    >>> import treewright as tw
    >>> from treewright.table import ClassTerms, Rows
    >>> rows = Rows.of(tw.example("vote"), "Class")
    >>> found = chosen(Task(rows, ClassTerms(), {}))
    >>> found.recipe, found.tree.n_leaves, found.rivals.best.error < 0.06
    ('c4.5', 6, True)
    """
    whole = task
    task, notes = sampled(task)
    families, left_out = _families(task)
    race = Race(_course(task, families), left_out=left_out)
    race.run(task.n_threads, part_of(task.progress, GROWN, 1.0))
    found = race.found()
    choice = chosen_of(found, race.course.one_se)
    family = families[choice.trial]
    trees = {one: families[one.trial].tree(one.method) for one in _shown(found, choice)}
    small = trees[choice]
    measure = "error" if task.rows.is_classifier else measure_of(small)
    rivals = tuple(_rival(one, tree) for one, tree in trees.items())
    is_whole = not notes and not family.growth.settings.honest
    tree = family.growth.finished(small) if is_whole else _grown_again(whole, choice)
    tree = with_short_cuts(tree, whole.rows.columns)
    return Choice(
        choice.trial.recipe,
        choice.method,
        tree,
        Rivals(task.rows.target.name, rivals, dict(race.left_out), measure),
        _held_answers(race, choice),
        race.course.n_folds,
        notes,
    )


def _families(task: Task) -> tuple[dict[Trial, Family], dict[str, tuple[str, ...]]]:
    """Return the families that can be grown with these settings; and the reasons of others."""
    recipes = usual_recipes(task.rows.is_classifier, task.given)
    found: dict[Trial, Family] = {}
    left_out: dict[str, tuple[str, ...]] = {}
    for place, recipe in enumerate(recipes):
        share = GROWN / len(recipes)
        try:
            with watched_by(part_of(task.progress, place * share, (place + 1) * share)):
                found[Trial(recipe)] = Family.of(task, recipe)
        except ValueError as reason:
            if len(recipes) == 1:
                raise
            why = Reason.of(reason)
            left_out[why] = (*left_out.get(why, ()), recipe)
    if not found:
        raise refusal(*joined(" ", left_out).parts)
    return found, left_out


def _course(task: Task, families: Mapping[Trial, Family]) -> Course:
    """Return the course on which families of trees are judged: no fold is spared, no tree forgotten."""
    return Course(
        task,
        Space(tuple(families), (), has_prices=False),
        repeats_for(task.rows.n_rows),
        width=math.inf,
        known={trial: family.ways for trial, family in families.items()},
        keeps_trees=True,
    )


def _grown_again(task: Task, choice: Found) -> Tree:
    """Return the tree of all rows, made as a sample of them chose, or with honest leaves."""
    settings = task.settings(choice.trial.recipe)
    return grow_pruned(task.rows, replace(settings, prune=choice.method), task.terms)


def _shown(found: Sequence[Found], choice: Found) -> list[Found]:
    """Return what the table of rivals shows: of each family the best size, C4.5's own, and the chosen."""
    shown = [one for one in found if isinstance(one.method, ErrorBased)]
    for trial in dict.fromkeys(one.trial for one in found):
        sizes = [one for one in found if one.trial == trial and not isinstance(one.method, ErrorBased)]
        shown.append(min(sizes, key=lambda one: (one.error, one.leaves)))
    best = min(found, key=lambda one: (one.error, one.leaves))
    return list(dict.fromkeys([*shown, best, choice]))


def _rival(one: Found, tree: Tree) -> Rival:
    """Return the line of the table."""
    words = one.method.words()
    return Rival(one.trial.recipe, words, tree.n_leaves, tree.depth, one.error, one.standard_error)


def _held_answers(race: Race, choice: Found) -> Answers:
    """Return what the trees of the first folds, pruned like the chosen one, say of the rows held out."""
    course, task, parts = race.course, race.course.task, []
    fold = np.full(task.rows.n_rows, -1)
    trial = course.space.trials.index(choice.trial)
    settings = task.settings(choice.trial.recipe)
    sample = counted_rows(task.rows, settings, task)
    for k, heat in enumerate(course.heats[: course.n_folds]):
        if settings.honest:  # the race looked at trees whose leaves are not
            smaller = _grown_again(replace(task, rows=task.rows.take(heat.kept)), choice)
        else:
            grown_without = race.judged[trial][k].tree
            assert grown_without is not None, "this course keeps its trees"
            smaller = pruned(grown_without, choice.method, Evidence(sample.take(heat.kept)))
        parts.append(answers_of_rows(smaller, task.rows.take(heat.held)))
        fold[heat.held] = k
    return pooled(fold, parts)
