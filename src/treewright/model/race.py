"""The race of settings: judged fold by fold, and out as soon as they cannot win any more.

One search is a row of steps. A step is one fold of a few settings, four at most. After it those go whose
error is so far above the best that the folds to come will not bring them near. What a step holds depends on
the steps before it alone, never on a clock, so that as many steps make the same choice again. `tw.tune` races
many settings; `recipe="auto"` races two recipes of which none may go early, so that all folds are one step.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import Reason, joined, refusal
from treewright.base.draws import BLOCKS, content_draws
from treewright.base.progress import Watcher
from treewright.base.work import each
from treewright.growth.grower import grown
from treewright.model.space import Space, Trial, method_at, prices
from treewright.model.task import Task, counted_rows
from treewright.prune.base import Evidence, Method
from treewright.prune.cost_complexity import cost_complexity_path, losses_by_block
from treewright.prune.cross_validation import dealings
from treewright.prune.dealing import Blocks, dealing_of
from treewright.prune.folds import RowKeys, row_keys
from treewright.prune.heldout import losses
from treewright.prune.sample import Sample
from treewright.tree import Tree

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
    tree: Tree | None = None  # before it is pruned, where trees are kept


@dataclass(frozen=True, eq=False)
class Ways:
    """The ways to prune the trees of a trial: those that need no price, then prices of a leaf.

    >>> Ways((), np.array([0.0, 0.01]), (method_at(0.0), method_at(0.01))).every[1].words()
    'cost_complexity(alpha=0.01)'
    """

    methods: tuple[Method, ...]
    alphas: Floats  # by which folds are pruned, ascending
    priced: tuple[Method, ...]  # what each of them stands for
    leaves: Floats | None = None  # of the tree of all rows by way; None: as large as in the folds

    @property
    def every(self) -> tuple[Method, ...]:
        """All ways, in the order of what a fold says of them."""
        return (*self.methods, *self.priced)


@dataclass(frozen=True, eq=False)
class Tally:
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
    width: float = WIDTH  # standard errors of a difference beyond which settings are out
    known: Mapping[Trial, Ways] = field(default_factory=dict)  # of trials that have ways of their own
    keeps_trees: bool = False

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
        rows = counted_rows(self.task.rows, self.task.settings("plain"), self.task)
        columns = zip(rows.schema.columns, rows.columns, strict=True)
        return row_keys(columns, (rows.target, rows.answers), rows.weights)

    @property
    def n_blocks(self) -> int:
        """How many blocks rows held out are in: one where nobody is out early and rows are on their own."""
        return N_BLOCKS if math.isfinite(self.width) or isinstance(self.task.folds, Blocks) else 1

    def _blocks(self, folds: Any) -> Ints:
        """Return the block of each row: whole groups, or stretches of time, where rows hang together."""
        if self.n_blocks == 1:
            return np.zeros(self.task.rows.n_rows, dtype=np.int64)
        digest = folds.units.astype(np.uint64) if isinstance(folds, Blocks) else self.keys.digest
        drawn = content_draws(self.task.seed, BLOCKS, digest)
        return (drawn % np.uint64(N_BLOCKS)).astype(np.int64)

    def ways(self, trial: Trial) -> Ways:
        """Return the ways to prune the trees of a trial."""
        return self.known.get(trial) or self._usual

    @cached_property
    def _usual(self) -> Ways:
        alphas = self._alphas()
        return Ways(self.space.methods, alphas, tuple(map(method_at, alphas)))

    def _alphas(self) -> Floats:
        """Return the prices of a leaf that are tried."""
        if not self.space.has_prices:
            return np.empty(0)
        settings = replace(self.task.settings("plain"), max_depth=0)
        sample = counted_rows(self.task.rows, settings, self.task)
        root = grown(self.task.rows, settings, self.task.terms).tree
        return prices(cost_complexity_path(root).root_risk, float(sample.weights.sum()))

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
        ways, n_blocks = self.ways(trial), self.n_blocks
        asks = settings.missing == "surrogate"  # which raised branches do not have yet
        found = [
            _unsuited(n_blocks)
            if asks and method.moves_branches
            else _pruned(method, tree, kept, held, heat.block, n_blocks)
            for method in ways.methods
        ]
        if len(ways.alphas):
            path = cost_complexity_path(tree)
            total, squares = losses_by_block(path, ways.alphas, held, heat.block, n_blocks)
            place = np.searchsorted(path.alpha, ways.alphas * (1 + 1e-12), side="right") - 1
            found.append((total, squares.sum(axis=1), path.n_leaves[place].astype(float)))
        total, squares, leaves = (np.concatenate(parts) for parts in zip(*found, strict=True))
        weight = _sums(heat.block, held.weights, n_blocks)
        return Judged(total, squares, weight, leaves, tree if self.keeps_trees else None)

    def tally(self, trial: int, judged: Sequence[Judged]) -> Tally:
        """Return what the folds so far say of a trial."""
        n_deals = max(1.0, len(judged) / self.n_folds)
        total = _by_dealing([one.total.sum(axis=1) for one in judged], self.n_folds) / n_deals
        weight = _by_dealing([one.weight.sum() for one in judged], self.n_folds) / n_deals
        mean = total / weight
        if isinstance(self.task.folds, Blocks):  # rows hang together: the blocks are what is independent
            rest = np.concatenate([one.total - mean[:, None] * one.weight for one in judged], axis=1)
            n = rest.shape[1]
            spread = np.sqrt((rest**2).sum(axis=1) * n / max(n - 1, 1) / n_deals)
        else:
            squares = _by_dealing([one.squares for one in judged], self.n_folds) / n_deals
            spread = np.sqrt(np.maximum(squares - total**2 / weight, 0.0))
        # The rows of two dealings are the same: the standard error stays that of one.
        error = np.where(np.isnan(mean), np.inf, mean)
        leaves = self.ways(self.space.trials[trial]).leaves
        if leaves is None:
            leaves = np.mean([one.leaves for one in judged], axis=0)
        return Tally(trial, len(judged), error, spread / weight, leaves)

    @cached_property
    def n_folds(self) -> int:
        """How many folds a dealing has."""
        folds = self.task.folds if isinstance(self.task.folds, Blocks) else 2
        return max(1, len(self.heats) // dealings(folds, self.repeats))


def _pruned(
    method: Method, tree: Tree, kept: Sample, held: Sample, block: Ints, n_blocks: int
) -> tuple[Floats, Floats, Floats]:
    """Return what held-out rows say of one pruning; NaN where it does not suit the tree."""
    try:
        smaller = method(tree, Evidence(kept))
    except ValueError:
        return _unsuited(n_blocks)
    loss = losses(smaller, held)
    total = _sums(block, held.weights * loss, n_blocks)[None, :]
    return total, np.array([float(held.weights @ loss**2)]), np.array([float(smaller.n_leaves)])


def _unsuited(n_blocks: int) -> tuple[Floats, Floats, Floats]:
    return np.full((1, n_blocks), np.nan), np.full(1, np.nan), np.full(1, np.nan)


def _sums(block: Ints, values: Floats, n_blocks: int) -> Floats:
    return np.bincount(block, values, n_blocks).astype(np.float64)


def _by_dealing(parts: Sequence[Any], n_folds: int) -> Any:
    """Return a sum of sums, one for each dealing."""
    return np.sum([np.sum(parts[k : k + n_folds], axis=0) for k in range(0, len(parts), n_folds)], axis=0)


@dataclass(eq=False)
class Race:
    """One search on one course, step by step; `jobs` are the folds to judge next, None when all is tried.

    >>> import treewright as tw
    >>> from treewright.table import ClassTerms, Rows
    >>> task = Task(Rows.of(tw.example("vote"), "Class"), ClassTerms(), {}, folds=3)
    >>> race = Race(Course(task, Space.of(True, 435, {}, recipes="cart", space={"max_depth": [1, 2]})))
    >>> race.run().n_fits, race.choice().trial.recipe
    (6, 'cart')
    """

    course: Course
    judged: dict[int, list[Judged]] = field(default_factory=dict)
    left_out: dict[str, tuple[str, ...]] = field(default_factory=dict)
    n_fits: int = 0
    jobs: tuple[tuple[int, int], ...] | None = None  # trial and heat
    whole: dict[int, Tally] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._out: set[int] = set()
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
                self._leave_out(trial, one)
            elif trial not in self._out:
                self.judged.setdefault(trial, []).append(one)
        self.jobs = next(self._steps, None)

    def run(self, n_threads: int = 1, progress: Watcher | None = None) -> Race:
        """Return the race after all its steps."""
        while self.jobs is not None:
            self.take(each(self.judge, self.jobs, n_threads, progress))
        return self

    def _leave_out(self, trial: int, why: ValueError) -> None:
        """Keep the reason why a trial is not in the race, once."""
        self.judged.pop(trial, None)
        if trial not in self._out:
            reason, name = Reason.of(why), str(self.course.space.trials[trial])
            self.left_out[reason] = (*self.left_out.get(reason, ()), name)
        self._out.add(trial)

    def _run(self) -> Generator[tuple[tuple[int, int], ...], None, None]:
        n, n_heats = len(self.course.space.trials), len(self.course.heats)
        is_race = math.isfinite(self.course.width)  # else no step says what the next one holds
        side, heats = (BATCH, 1) if is_race else (max(n, 1), n_heats)
        for first in range(0, n, side):
            alive = list(range(first, min(first + side, n)))
            for heat in range(0, n_heats, heats):
                yield tuple((trial, heat + k) for trial in alive for k in range(heats))
                alive = self._survivors([trial for trial in alive if trial in self.judged])
                if not alive:
                    break
            for trial in alive:
                self.whole[trial] = self.course.tally(trial, self.judged[trial])

    def _survivors(self, alive: list[int]) -> list[int]:
        """Return the trials that may still win, or come within the allowed error of who wins."""
        if not alive or math.isinf(self.course.width):
            return alive
        tallies = {trial: self.course.tally(trial, self.judged[trial]) for trial in alive}
        leader = min([*self.whole.values(), *tallies.values()], key=_least)
        best, share = int(np.argmin(leader.error)), leader.n_heats / len(self.course.heats)
        slack = self.course.one_se * float(leader.standard_error[best]) * math.sqrt(min(1.0, share))
        return [trial for trial in alive if not self._is_out(tallies[trial], leader, slack)]

    def _is_out(self, one: Tally, leader: Tally, slack: float) -> bool:
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
        return mean - self.course.width * spread > slack

    # ---- what was found ---------------------------------------------------------------------------------

    def tallies(self) -> list[Tally]:
        """Return what is known of all trials, those that were judged by all folds first."""
        others = [t for t in self.judged if t not in self.whole]
        return [*self.whole.values(), *(self.course.tally(t, self.judged[t]) for t in others)]

    def found(self) -> list[Found]:
        """Return every pruning of every trial; of each first those that need no price."""
        most = max((len(judged) for judged in self.judged.values()), default=0)
        told = []
        for one in self.tallies():
            trial = self.course.space.trials[one.trial]
            methods = self.course.ways(trial).every
            is_whole = one.trial in self.whole or (not self.whole and one.n_heats == most)
            for k in np.flatnonzero(np.isfinite(one.error)).tolist():
                figures = (float(one.leaves[k]), float(one.error[k]), float(one.standard_error[k]))
                told.append(Found(trial, methods[k], *figures, one.n_heats, is_whole))
        if not told:
            raise (
                refusal(*joined(" ", self.left_out).parts)
                if self.left_out
                else ValueError("Nothing could be tried.")
            )
        return told

    def choice(self) -> Found:
        """Return the smallest tree within the allowed standard errors of the best, of those judged whole."""
        return chosen_of(self.found(), self.course.one_se)


def _least(tally: Tally) -> tuple[float, int]:
    return float(tally.error.min()), tally.trial


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
