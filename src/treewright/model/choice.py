"""`recipe="auto"`: C4.5 and CART, pruned by all prices, and the smallest tree within one standard error.

Every family is grown once on all rows and once on the rest of each fold; along the sequence of its
cost-complexity prunings the rows held out judge every size. C4.5's own pruning is judged by the same trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import Reason
from treewright.base.draws import PARTS, row_shares
from treewright.base.numbers import count, shortened
from treewright.base.progress import Watcher, part_of, watched_by
from treewright.evaluate.answers import Answers
from treewright.growth import Settings
from treewright.growth.grower import Grown, grown
from treewright.growth.question import counted_weights
from treewright.growth.recipes import usual_recipes
from treewright.growth.shown import with_short_cuts
from treewright.model.rivals import Rival, Rivals
from treewright.predict import chances, route_columns, values
from treewright.predict.vote import labels
from treewright.prune import CostComplexity, ErrorBased, Evidence
from treewright.prune.base import Method
from treewright.prune.cost_complexity import JudgedPath, cross_validated
from treewright.prune.cross_validation import dealings
from treewright.prune.dealing import Blocks, Dealing, dealing_of
from treewright.prune.folds import keys_in
from treewright.prune.heldout import losses, mean_loss
from treewright.prune.method import pruned
from treewright.prune.sample import Sample, sample_of_rows
from treewright.table import ClassTerms, Rows
from treewright.tree import Tree
from treewright.tree.losses import MEASURES, loss_of

Ints = NDArray[np.int64]

FOLDS = 10
MOST_ROWS = 200_000  # that the choice is made on
# Rows up to which folds are dealt twice: few rows make folds a matter of luck. All of it takes at most four
# times the work of C4.5 with its folds; more dealings choose no better (docs/pruning_study.md).
FEW_ROWS, DEALINGS = 5_000, 2


@dataclass(frozen=True, eq=False)
class Family:
    """A recipe on all rows, its sequence of prunings judged by folds, and the trees of the folds."""

    recipe: str
    growth: Grown
    sample: Sample
    judged: JudgedPath
    folds: tuple[tuple[Ints, Tree], ...]  # the rows a tree was grown on, and the tree; dealing by dealing
    n_dealings: int
    dealing: Dealing | None = None  # in order of time, where it is more than all others that judge

    def held(self, kept: Ints) -> Ints:
        """The rows that judge a tree grown on others."""
        if self.dealing is not None:
            return self.dealing.held_beside(kept)
        return np.delete(np.arange(self.sample.n_rows), kept)

    def at(self, place: int) -> CostComplexity:
        """The pruning that gives the tree at a place of the sequence, its price in few digits."""
        price = self.judged.path.alpha
        low = float(price[place])
        high = float(price[place + 1]) if place + 1 < len(price) else 2 * low + 1.0
        return CostComplexity(alpha=shortened((low + high) / 2, low, high))


@dataclass(frozen=True, eq=False)
class Candidate:
    """A family with one way to prune it, and how it did on rows held out."""

    family: Family
    n_leaves: int
    error: float
    standard_error: float
    place: int | None = None  # in the sequence of prunings; None: C4.5's own pruning

    @property
    def is_own(self) -> bool:
        """Whether it is C4.5's own pruning; of equal ones it goes first, for it needs no price."""
        return self.place is None

    @property
    def method(self) -> Method:
        """How it is pruned."""
        return ErrorBased() if self.place is None else self.family.at(self.place)

    @cached_property
    def tree(self) -> Tree:
        """The tree of all rows, before its surrogates are found."""
        return pruned(self.family.growth.tree, self.method, Evidence(self.family.sample))

    def rival(self) -> Rival:
        """Return the line of the table."""
        words = self.method.words()
        return Rival(
            self.family.recipe, words, self.n_leaves, self.tree.depth, self.error, self.standard_error
        )


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


@dataclass(frozen=True)
class Task:
    """What is to be chosen for: rows, what is said of classes, settings by name, folds, seed, threads."""

    rows: Rows
    terms: ClassTerms
    given: dict[str, Any]
    folds: int | Blocks = FOLDS
    seed: int = 0
    n_threads: int = 1
    progress: Watcher | None = None
    left_out: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def settings(self, recipe: str) -> Settings:
        """Return a recipe's settings, without its own pruning."""
        return Settings.of(recipe, **{**self.given, "prune": "none", "n_threads": self.n_threads})


def chosen(task: Task) -> Choice:
    """Return the smallest tree within one standard error of the best, over the families and their sizes.

    >>> import treewright as tw
    >>> rows = Rows.of(tw.example("vote"), "Class")
    >>> found = chosen(Task(rows, ClassTerms(), {}))
    >>> found.recipe, found.tree.n_leaves, found.rivals.best.error < 0.06
    ('c4.5', 6, True)
    """
    whole = task
    task, notes = sampled(task)
    recipes = usual_recipes(task.rows.is_classifier, task.given)
    families = list(_families(task, recipes))
    if not families:
        raise ValueError(" ".join(task.left_out))
    candidates = [one for family in families for one in _candidates(task, family)]
    best = min(candidates, key=lambda one: (one.error, one.n_leaves, not one.is_own))
    bound = best.error + best.standard_error + 1e-12 * (1 + abs(best.error))
    near = [one for one in candidates if one.error <= bound]
    choice = min(near, key=lambda one: (one.n_leaves, one.error, not one.is_own))
    rivals = Rivals(
        task.rows.target.name,
        tuple(one.rival() for one in _shown(candidates, best, choice)),
        dict(task.left_out),
        "error" if task.rows.is_classifier else measure_of(choice.tree),
    )
    if not notes:
        tree = choice.family.growth.finished(choice.tree)
    else:
        tree = _grown_again(whole, choice)
    tree = with_short_cuts(tree, whole.rows.columns)
    answers = _held_answers(task, choice)
    n_folds = len(choice.family.folds) // choice.family.n_dealings
    return Choice(choice.family.recipe, choice.method, tree, rivals, answers, n_folds, notes)


def measure_of(tree: Tree) -> str:
    """Return what the losses of a tree for numbers are called.

    >>> import treewright as tw
    >>> measure_of(tw.grow({"x": [1, 2], "y": [0.5, 1.5]}, "y"))
    'mse'
    """
    loss = loss_of(tree)
    return {"squared": "mse"}.get(loss, MEASURES[loss])


def sampled(task: Task) -> tuple[Task, tuple[str, ...]]:
    """Return the task on at most so many of its rows, drawn by their numbers, and the sentence about it.

    >>> import treewright as tw
    >>> sampled(Task(Rows.of(tw.example("tennis"), "PlayTennis"), ClassTerms(), {}))[1]
    ()
    """
    if task.rows.n_rows <= MOST_ROWS:
        return task, ()
    n_rows = task.rows.n_rows
    drawn = row_shares(task.seed, PARTS, 0, n_rows)
    kept = np.sort(np.argpartition(drawn, MOST_ROWS)[:MOST_ROWS])
    said = (
        f"Recipe and size were chosen on {count(MOST_ROWS)} of {count(n_rows, 'row')}, drawn by the seed; "
        "the tree is grown on all."
    )
    folds = task.folds.take(kept) if isinstance(task.folds, Blocks) else task.folds
    return replace(task, rows=task.rows.take(kept), folds=folds), (said,)


def _grown_again(task: Task, choice: Candidate) -> Tree:
    """Return the tree of all rows, made as the sample chose."""
    settings = task.settings(choice.family.recipe)
    growth = grown(task.rows, settings, task.terms)
    return growth.finished(
        pruned(growth.tree, choice.method, Evidence(counted_rows(task.rows, settings, task)))
    )


def _families(task: Task, recipes: tuple[str, ...]) -> Iterator[Family]:
    """Yield the families that can be grown with these settings; the reasons of others are kept."""
    for place, recipe in enumerate(recipes):
        watch = part_of(task.progress, place / len(recipes), (place + 1) / len(recipes))
        try:
            yield _family(task, recipe, watch)
        except ValueError as reason:
            if len(recipes) == 1:
                raise
            why = Reason.of(reason)
            task.left_out[why] = (*task.left_out.get(why, ()), recipe)


def counted_rows(rows: Rows, settings: Settings, task: Task) -> Sample:
    """Return rows as pruning takes them: with what each counts in growth.

    >>> import treewright as tw
    >>> task = Task(Rows.of(tw.example("tennis"), "PlayTennis"), ClassTerms("balanced"), {})
    >>> counted_rows(task.rows, task.settings("cart"), task).weights[:2].round(2).tolist()
    [1.4, 1.4]
    """
    counted = counted_weights(rows, settings, task.terms.class_weight)
    return sample_of_rows(rows.weighing(counted))


def _family(task: Task, recipe: str, progress: Watcher | None) -> Family:
    settings = task.settings(recipe)
    sample = counted_rows(task.rows, settings, task)
    weights = None if bool((sample.weights == 1.0).all()) else sample.weights
    rows, terms = task.rows.weighing(weights), task.terms.without_weight()
    with watched_by(part_of(progress, 0.0, 0.1)):
        growth = grown(rows, settings, terms)
    simple = replace(settings, n_threads=1, ledger=False)
    trees: list[tuple[Ints, Tree]] = []

    def regrow(kept: NDArray[Any]) -> Tree:
        tree = grown(rows.take(kept), simple, terms).for_all_but(kept, sample)
        trees.append((kept, tree))
        return tree

    folds = task.folds if isinstance(task.folds, Blocks) else min(task.folds, rows.n_rows)
    n_dealings = dealings(folds, repeats_for(rows.n_rows))
    is_ordered = isinstance(folds, Blocks) and folds.is_ordered
    dealing = dealing_of(folds, rows.n_rows, lambda: keys_in(growth.tree, sample)) if is_ordered else None
    judged = cross_validated(
        growth.tree,
        sample,
        folds=folds if dealing is None else dealing,
        repeats=n_dealings,
        seed=task.seed,
        n_jobs=task.n_threads,
        regrow=regrow,
        progress=part_of(progress, 0.1, 1.0),
    )
    of_folds = _in_order(trees, n_dealings)
    return Family(recipe, growth, sample, judged, of_folds, n_dealings, dealing)


def _in_order(trees: list[tuple[Ints, Tree]], n_dealings: int) -> tuple[tuple[Ints, Tree], ...]:
    """Return the trees dealing by dealing, each in the order of its rows: threads finish in any order."""
    n = len(trees) // n_dealings
    deals = [trees[k * n : (k + 1) * n] for k in range(n_dealings)]
    return tuple(pair for deal in deals for pair in sorted(deal, key=lambda pair: pair[0].tobytes()))


def repeats_for(n_rows: int) -> int:
    """Return how often folds are dealt.

    >>> repeats_for(150), repeats_for(100_000)
    (2, 1)
    """
    return DEALINGS if n_rows <= FEW_ROWS else 1


def _candidates(task: Task, family: Family) -> Iterator[Candidate]:
    """Yield every size of a family; of C4.5 also what its own pruning makes of it."""
    judged = family.judged
    facts = zip(judged.path.n_leaves, judged.error, judged.standard_error, strict=True)
    for place, (leaves, error, spread) in enumerate(facts):
        yield Candidate(family, int(leaves), float(error), float(spread), place)
    if family.recipe == "c4.5" and not task.given.get("monotone"):
        yield _by_estimates(family)


def _by_estimates(family: Family) -> Candidate:
    """Return C4.5 as its author pruned it, judged by the trees of the same folds."""
    method, sample = ErrorBased(), family.sample
    lost, weights = [], []
    for kept, tree in family.folds:
        held = sample.take(family.held(kept))
        lost.append(losses(pruned(tree, method, Evidence(sample.take(kept))), held))
        weights.append(held.weights)
    # The standard error stays that of one dealing, for the rows are the same.
    error, spread = mean_loss(np.concatenate(lost), np.concatenate(weights))
    n_leaves = pruned(family.growth.tree, method, Evidence(sample)).n_leaves
    return Candidate(family, n_leaves, error, spread * float(np.sqrt(family.n_dealings)))


def _shown(candidates: list[Candidate], best: Candidate, choice: Candidate) -> list[Candidate]:
    """Return what the table of rivals shows: of each family the best size, C4.5's own, and the chosen."""
    found = [one for one in candidates if one.place is None]
    for family in dict.fromkeys(one.family for one in candidates):
        sizes = [one for one in candidates if one.family is family and one.place is not None]
        found.append(min(sizes, key=lambda one: (one.error, one.n_leaves)))
    return list(dict.fromkeys([*found, best, choice]))


def _held_answers(task: Task, choice: Candidate) -> Answers:
    """Return what the trees of the first folds, pruned like the chosen one, say of the rows held out."""
    family, parts, order = choice.family, [], []
    for kept, tree in family.folds[: len(family.folds) // family.n_dealings]:
        held = family.held(kept)
        smaller = pruned(tree, choice.method, Evidence(family.sample.take(kept)))
        parts.append(answers_of_rows(smaller, task.rows.take(held)))
        order.append(held)
    back = np.argsort(np.concatenate(order), kind="stable")
    joined = {
        name: np.concatenate([getattr(part, name) for part in parts])[back]
        for name in ("truth", "given", "weights")
    }
    shares = None
    if parts[0].chances is not None:
        shares = np.concatenate([part.chances for part in parts])[back]
    return Answers(**joined, classes=parts[0].classes, chances=shares, loss=parts[0].loss)


def answers_of_rows(tree: Tree, rows: Rows) -> Answers:
    """Return what a tree says about coded rows, beside the right answers.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> answers_of_rows(tw.grow(table, "PlayTennis"), Rows.of(table, "PlayTennis"))
    Answers(14 rows of 2 classes)
    """
    columns = list(rows.columns)
    routed = route_columns(tree, columns, rows.n_rows)
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    if not tree.is_classifier:
        return Answers(rows.answers, values(tree, routed, columns), weights, loss=loss_of(tree))
    given = labels(tree, routed, columns).astype(np.int64)
    shares = chances(tree, routed, "raw", columns)
    return Answers(rows.answers.astype(np.int64), given, weights, tree.classes, shares)
