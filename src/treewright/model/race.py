"""The race of settings: judged fold by fold, and out as soon as they cannot win any more.

One search is a row of steps. A step is one fold of a few settings, four at most. After it those go whose
error is so far above the best that the folds to come will not bring them near. What a step holds depends on
the steps before it alone, never on a clock, so that as many steps make the same choice again.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import Reason
from treewright.base.draws import BLOCKS, content_draws
from treewright.growth.grower import grown
from treewright.model.choice import Task, counted_rows
from treewright.model.space import Space, Trial, method_at, prices
from treewright.prune.base import Evidence, Method
from treewright.prune.cost_complexity import cost_complexity_path, losses_by_block
from treewright.prune.cross_validation import dealings
from treewright.prune.dealing import Blocks, dealing_of
from treewright.prune.folds import RowKeys, row_keys
from treewright.prune.heldout import losses
from treewright.prune.sample import Sample

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

N_BLOCKS = 16  # of held-out rows, by which two settings are compared
BATCH = 4  # settings that race side by side
WIDTH = 2.0  # standard errors of a difference beyond which settings are out


class Heat(NamedTuple):
    """One fold of one dealing: rows that learn, rows that judge, and the blocks these are in."""

    kept: Ints
    held: Ints
    block: Ints


class Judged(NamedTuple):
    """What one fold says of all prunings of one tree: losses by block, their squares, and their sizes."""

    total: Floats  # prunings x blocks; NaN: the way to prune does not suit the tree
    squares: Floats  # prunings
    weight: Floats  # blocks
    leaves: Floats  # prunings


@dataclass(frozen=True, eq=False)
class Standing:
    """What all folds so far say of the prunings of one trial: mean losses, standard errors, sizes."""

    trial: int
    n_heats: int
    error: Floats
    standard_error: Floats
    leaves: Floats


class Found(NamedTuple):
    """One way that was tried, and how it did on rows held out."""

    trial: Trial
    method: Method
    leaves: float  # mean over the folds
    error: float
    standard_error: float
    n_heats: int
    is_whole: bool  # judged by all folds


@dataclass(frozen=True, eq=False)
class Course:
    """Rows on which settings race: the folds that judge them, and the ways to prune.

    >>> import treewright as tw
    >>> from treewright.table import ClassTerms, Rows
    >>> task = Task(Rows.of(tw.example("vote"), "Class"), ClassTerms(), {}, folds=5)
    >>> course = Course(task, Space.of(True, 435, {}), repeats=2)
    >>> len(course.heats), len(course.heats[0].kept)
    (10, 348)
    """

    task: Task
    space: Space
    repeats: int = 1
    one_se: float = 1.0

    @cached_property
    def heats(self) -> tuple[Heat, ...]:
        """The folds, dealing by dealing."""
        return tuple(self._heats())

    def _heats(self) -> Iterator[Heat]:
        task, rows = self.task, self.task.rows
        folds = task.folds if isinstance(task.folds, Blocks) else min(task.folds, rows.n_rows)
        block = self._blocks(folds)
        for k in range(dealings(folds, self.repeats)):
            dealing = dealing_of(folds, rows.n_rows, lambda: self.keys, task.seed + k)
            for fold in range(dealing.n_folds):
                held = dealing.held(fold)
                yield Heat(dealing.rest(fold), held, block[held])

    @cached_property
    def keys(self) -> RowKeys:
        """What the rows are dealt by."""
        rows = self.task.rows
        weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
        columns = zip(rows.schema.columns, rows.columns, strict=True)
        return row_keys(columns, (rows.target, rows.answers), weights)

    def _blocks(self, folds: Any) -> Ints:
        """Return the block of each row: whole groups, or stretches of time, where rows hang together."""
        digest = folds.units.astype(np.uint64) if isinstance(folds, Blocks) else self.keys.digest
        drawn = content_draws(self.task.seed, BLOCKS, digest)
        return (drawn % np.uint64(N_BLOCKS)).astype(np.int64)

    @cached_property
    def alphas(self) -> Floats:
        """The prices of a leaf that are tried."""
        if not self.space.has_prices:
            return np.empty(0)
        settings = replace(self.task.settings("plain"), max_depth=0)
        sample = counted_rows(self.task.rows, settings, self.task)
        root = grown(self.task.rows, settings, self.task.terms).tree
        return prices(cost_complexity_path(root).root_risk, float(sample.weights.sum()))

    @cached_property
    def methods(self) -> tuple[Method, ...]:
        """The ways to prune, in the order of what a fold says of them."""
        return (*(method_at(alpha) for alpha in self.alphas), *self.space.methods)

    def task_of(self, trial: Trial) -> Task:
        """Return the task with the settings of a trial."""
        return replace(self.task, given={**self.task.given, **dict(trial.settings)})

    def judge(self, trial: Trial, heat: Heat) -> Judged:
        """Return what the rows held out say of a tree that the others grew, and of its prunings."""
        task = self.task_of(trial)
        settings = replace(task.settings(trial.recipe), n_threads=1, ledger=False)
        sample = counted_rows(task.rows, settings, task)
        is_plain = bool((sample.weights == 1.0).all())
        rows = task.rows.weighing(None if is_plain else sample.weights).take(heat.kept)
        growth = grown(rows, settings, task.terms.without_weight())
        held, kept = sample.take(heat.held), sample.take(heat.kept)
        tree = growth.for_rows(held.columns)
        found = []
        if len(self.alphas):
            path = cost_complexity_path(tree)
            total, squares = losses_by_block(path, self.alphas, held, heat.block, N_BLOCKS)
            place = np.searchsorted(path.alpha, self.alphas * (1 + 1e-12), side="right") - 1
            found.append((total, squares.sum(axis=1), path.n_leaves[place].astype(float)))
        asks_surrogates = settings.missing == "surrogate"
        found += [
            _judged(method, tree, kept, held, heat.block, asks_surrogates) for method in self.space.methods
        ]
        total, squares, leaves = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return Judged(total, squares, _sums(heat.block, held.weights), leaves)

    def standing(self, trial: int, judged: Sequence[Judged]) -> Standing:
        """Return what the folds so far say of a trial."""
        n_deals = max(1.0, len(judged) / max(1, len(self.heats) // max(1, self._n_dealings)))
        total = np.sum([one.total for one in judged], axis=0)
        weight = np.sum([one.weight for one in judged], axis=0)
        mean = total.sum(axis=1) / weight.sum()
        if isinstance(self.task.folds, Blocks):  # rows hang together: the blocks are what is independent
            rest = np.concatenate([one.total - mean[:, None] * one.weight for one in judged], axis=1)
            n = rest.shape[1]
            spread = np.sqrt((rest**2).sum(axis=1) * n / max(n - 1, 1))
        else:
            squares = np.sum([one.squares for one in judged], axis=0)
            spread = np.sqrt(np.maximum(squares - mean * total.sum(axis=1), 0.0))
        # The rows of two dealings are the same: the standard error stays that of one.
        error = np.where(np.isnan(mean), np.inf, mean)
        leaves = np.mean([one.leaves for one in judged], axis=0)
        return Standing(trial, len(judged), error, spread / weight.sum() * math.sqrt(n_deals), leaves)

    @cached_property
    def _n_dealings(self) -> int:
        folds = self.task.folds if isinstance(self.task.folds, Blocks) else 2
        return dealings(folds, self.repeats)


def _judged(
    method: Method, tree: Any, kept: Sample, held: Sample, block: Ints, asks_surrogates: bool
) -> tuple[Floats, Floats, Floats]:
    """Return what held-out rows say of one pruning; NaN where it does not suit the tree."""
    if method.moves_branches and asks_surrogates:  # of raised branches they are not there yet
        return np.full((1, N_BLOCKS), np.nan), np.full(1, np.nan), np.full(1, np.nan)
    try:
        smaller = method(tree, Evidence(kept))
    except ValueError:
        return np.full((1, N_BLOCKS), np.nan), np.full(1, np.nan), np.full(1, np.nan)
    loss = losses(smaller, held)
    total = _sums(block, held.weights * loss)[None, :]
    return total, np.array([float(held.weights @ loss**2)]), np.array([float(smaller.n_leaves)])


def _sums(block: Ints, values: Floats) -> Floats:
    return np.bincount(block, values, N_BLOCKS).astype(np.float64)


@dataclass(eq=False)
class Race:
    """One search on one course, step by step; `jobs` are the folds to judge next, None when all is tried.

    >>> import treewright as tw
    >>> from treewright.table import ClassTerms, Rows
    >>> task = Task(Rows.of(tw.example("vote"), "Class"), ClassTerms(), {}, folds=3)
    >>> race = Race(Course(task, Space.of(True, 435, {}, recipes="cart", space={"max_depth": [1, 2]})))
    >>> while race.jobs is not None:
    ...     race.take([race.judge(job) for job in race.jobs])
    >>> race.n_fits, race.choice().trial.recipe
    (6, 'cart')
    """

    course: Course
    judged: dict[int, list[Judged]] = field(default_factory=dict)
    left_out: dict[str, tuple[str, ...]] = field(default_factory=dict)
    n_fits: int = 0
    jobs: tuple[tuple[int, int], ...] | None = None  # trial and heat
    whole: dict[int, Standing] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._steps = self._run()
        self.jobs = next(self._steps, None)

    @property
    def n_settings(self) -> int:
        """How many settings were tried."""
        return len(self.judged)

    def judge(self, job: tuple[int, int]) -> Judged | ValueError:
        """Return what one fold says of one trial; or why it cannot be grown."""
        trial, heat = job
        try:
            return self.course.judge(self.course.space.trials[trial], self.course.heats[heat])
        except ValueError as reason:
            return reason

    def take(self, found: Sequence[Judged | ValueError]) -> None:
        """Take in what the jobs found, and say what comes next."""
        assert self.jobs is not None, "there is something to do as long as there are jobs"
        self.n_fits += len(self.jobs)
        for (trial, _), one in zip(self.jobs, found, strict=True):
            if isinstance(one, ValueError):
                why = Reason.of(one)
                name = str(self.course.space.trials[trial])
                self.left_out[why] = (*self.left_out.get(why, ()), name)
                self.judged.pop(trial, None)
            else:
                self.judged.setdefault(trial, []).append(one)
        self.jobs = next(self._steps, None)

    def _run(self) -> Generator[tuple[tuple[int, int], ...], None, None]:
        n, n_heats = len(self.course.space.trials), len(self.course.heats)
        for first in range(0, n, BATCH):
            alive = list(range(first, min(first + BATCH, n)))
            for heat in range(n_heats):
                yield tuple((trial, heat) for trial in alive)
                alive = self._survivors([trial for trial in alive if trial in self.judged])
                if not alive:
                    break
            for trial in alive:
                self.whole[trial] = self.course.standing(trial, self.judged[trial])

    def _survivors(self, alive: list[int]) -> list[int]:
        """Return the trials that may still win, or come within the allowed error of who wins."""
        if not alive:
            return []
        standings = {trial: self.course.standing(trial, self.judged[trial]) for trial in alive}
        leader = min([*self.whole.values(), *standings.values()], key=_least)
        best, share = int(np.argmin(leader.error)), leader.n_heats / len(self.course.heats)
        slack = self.course.one_se * float(leader.standard_error[best]) * math.sqrt(min(1.0, share))
        return [trial for trial in alive if not self._is_out(standings[trial], leader, slack)]

    def _is_out(self, one: Standing, leader: Standing, slack: float) -> bool:
        """Return whether a trial's best pruning is surely worse than the leader's, on the same rows."""
        if one.trial == leader.trial:
            return False
        mine, best = int(np.argmin(one.error)), int(np.argmin(leader.error))
        if not math.isfinite(one.error[mine]):
            return True
        pairs = list(zip(self.judged[one.trial], self.judged[leader.trial], strict=False))
        apart = np.concatenate([a.total[mine] - b.total[best] for a, b in pairs])
        weight = np.concatenate([a.weight for a, _ in pairs])
        mean = float(apart.sum() / weight.sum())
        n = int(np.count_nonzero(weight))
        spread = math.sqrt(float(((apart - mean * weight) ** 2).sum()) * n / max(n - 1, 1)) / float(
            weight.sum()
        )
        return mean - WIDTH * spread > slack

    # ---- what was found ---------------------------------------------------------------------------------

    def standings(self) -> list[Standing]:
        """Return what is known of all trials, those that were judged by all folds first."""
        others = [t for t in self.judged if t not in self.whole]
        return [*self.whole.values(), *(self.course.standing(t, self.judged[t]) for t in others)]

    def found(self) -> list[Found]:
        """Return every pruning of every trial."""
        methods, trials = self.course.methods, self.course.space.trials
        most = max((len(judged) for judged in self.judged.values()), default=0)
        told = []
        for one in self.standings():
            is_whole = one.trial in self.whole or (not self.whole and one.n_heats == most)
            for k in np.flatnonzero(np.isfinite(one.error)).tolist():
                figures = (float(one.leaves[k]), float(one.error[k]), float(one.standard_error[k]))
                told.append(Found(trials[one.trial], methods[k], *figures, one.n_heats, is_whole))
        if not told:
            raise ValueError(" ".join(self.left_out) or "Nothing could be tried.")
        return told

    def choice(self) -> Found:
        """Return the smallest tree within the allowed standard errors of the best, of those judged whole."""
        return chosen_of(self.found(), self.course.one_se)


def _least(standing: Standing) -> tuple[float, int]:
    return float(standing.error.min()), standing.trial


def chosen_of(found: Sequence[Found], one_se: float) -> Found:
    """Return the smallest tree within so many standard errors of the best.

    >>> ways = [Found(Trial("cart"), method_at(a), n, e, 0.02, 10, True) for a, n, e in
    ...         ((0.0, 9.0, 0.10), (0.01, 4.0, 0.11), (0.1, 1.0, 0.30))]
    >>> chosen_of(ways, 1.0).leaves, chosen_of(ways, 0.0).leaves
    (4.0, 9.0)
    """
    whole = [one for one in found if one.is_whole]
    best = min(whole, key=lambda one: (one.error, one.leaves))
    bound = best.error + one_se * best.standard_error + 1e-12 * (1 + abs(best.error))
    return min((one for one in whole if one.error <= bound), key=lambda one: (one.leaves, one.error))
