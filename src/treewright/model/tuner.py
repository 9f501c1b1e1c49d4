"""`tw.tune`: depth, leaf size, criterion, recipe, pruning and its strength chosen in one call, and judged."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.numbers import count
from treewright.base.work import each
from treewright.evaluate.answers import Answers, answers
from treewright.evaluate.cross_validation import pooled
from treewright.evaluate.score import Score, Share, mean_score
from treewright.fitting import grow_pruned
from treewright.growth import Settings
from treewright.growth.keywords import ForFolds, with_settings
from treewright.model.again import Again, call_of, method_call, own_or_named
from treewright.model.material import Material, rows_to_choose_on
from treewright.model.model import Model
from treewright.model.race import Course, Found, Race
from treewright.model.rivals import Rival, Rivals
from treewright.model.space import Space
from treewright.model.task import Task, answers_of_rows, measure_of, repeats_for, sampled
from treewright.model.tuning import OuterFold, Tried, Tuning
from treewright.prune.base import Method
from treewright.prune.cost_complexity import checked_width
from treewright.prune.dealing import Blocks, Dealing, dealing_of, requested_folds
from treewright.prune.heldout import losses
from treewright.prune.sample import sample_of_rows
from treewright.table import ClassTerms, Rows, Table
from treewright.tree import Tree
from treewright.tree.losses import counts_errors

if TYPE_CHECKING:
    from typing_extensions import Unpack

Ints = NDArray[np.int64]

FOLDS, OUTER = 5, 5
LEAST_ROWS = 4
SECONDS = 60.0


class Standing(NamedTuple):
    """How far a search is, and the best so far: what `progress` of `tw.tune` hears.

    >>> Standing(0.5, 40, 12, 0.14, 0.01, 9.0, "cart, mdl").share
    0.5
    """

    share: float
    n_fits: int
    n_settings: int
    error: float
    standard_error: float
    leaves: float
    way: str


Listener = Callable[[Standing], object]


@with_settings
def tune(
    data: Any,
    target: Any,
    seconds: float | None = None,
    *,
    n_fits: int | None = None,
    recipes: Iterable[str] | str | None = None,
    prunings: Iterable[Any] | str | None = None,
    space: Mapping[str, Sequence[Any]] | None = None,
    folds: int = FOLDS,
    repeats: int | None = None,
    outer: int = OUTER,
    one_se: bool | float = True,
    groups: Any = None,
    order: Any = None,
    task: str | None = None,
    keep: Iterable[str] | str = (),
    weights: Any = None,
    class_weight: Any = None,
    priors: Any = None,
    costs: Any = None,
    seed: int = 0,
    progress: Listener | None = None,
    **settings: Unpack[ForFolds],
) -> Tuning:
    """Return the smallest tree within one standard error of the best of many settings, honestly judged.

    Depth, leaf size, criterion, recipe, pruning and its strength race on the same folds; those that cannot
    win any more are out early. The whole search is repeated without each of the outer folds, which judge
    what it chose: `.error` is theirs, and no choice has seen it. A clock may end the search; `.search` is
    the call that goes through the same search without one, and `.repeat` grows the tree.

    Args:
        data: as in `tw.fit`.
        target: the column to predict: its name, its place, or one answer per row.
        seconds: of the search, 60 unless `n_fits` is given; a step that has begun is finished.
        n_fits: trees to grow at most in the search on all rows, instead of seconds: the same on any machine.
            With both, what comes first ends it.
        recipes: algorithms by name; c4.5, cart and plain, as far as they fit, unless given.
        prunings: names or objects of `tw.prune`, or "none"; the usual ones in several strengths unless given.
        space: settings of growth by name, each with the values to try, instead of the usual ones; what is
            given in `settings` is tried with that value only.
        folds: of each dealing; the rows held out judge.
        repeats: how often folds are dealt; more often on small tables unless given.
        outer: folds that judge the whole search; 0 judges nothing and takes a sixth of the time.
        one_se: the smallest tree within so many standard errors: True one, False none, or a number.
        groups: whose rows stay together in all folds: a column, which is then no feature, or one per row.
        order: of the rows in time, likewise: what judges comes after what is learned from.
        task: "classes" or "numbers", where the target could be either.
        keep: columns to learn from though they look like identifiers or free text, as in `tw.fit`.
        weights: one number per row or the name of a column.
        class_weight: "balanced", or a weight for each class by name.
        priors: the share of each class.
        costs: of mistakes, row = true class; errors are then mean costs.
        seed: of the folds, of the order of what is tried, and of growth.
        progress: called after each step with a `Standing`: the share done, the best so far.
        settings: of `tw.grow`, the same for all that is tried; `n_threads` is how many trees grow at once.

    >>> import treewright as tw
    >>> found = tune(tw.example("vote"), "Class", n_fits=40)
    >>> found.model.tree.n_leaves <= 6, found.error.value < 0.08
    (True, True)
    """
    started = time.perf_counter()
    given: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    threads = Settings.of("plain", n_threads=given.pop("n_threads", 1)).n_threads
    budget = Budget.of(seconds, n_fits, started)
    material = Material.of(data, target, task, keep, weights, groups, order)
    rows = rows_to_choose_on(material.table, material.goal.name, weights, LEAST_ROWS)
    of_classes = {"class_weight": class_weight, "priors": priors, "costs": costs}
    dealt = requested_folds(material.table, rows.n_rows, _checked("folds", folds, 2), **material.units)
    fixed = {name: value for name, value in given.items() if name != "prune"} | {"seed": seed}
    job, notes = sampled(Task(rows, ClassTerms(class_weight, priors, costs), fixed, dealt, seed))
    course = Course(
        job,
        Space.of(rows.is_classifier, rows.n_rows, given, recipes, prunings, space, seed),
        repeats_for(rows.n_rows) if repeats is None else _checked("repeats", repeats, 1),
        checked_width(one_se),
    )
    asked: dict[str, Any] = {
        "recipes": recipes,
        "prunings": prunings,
        "space": space,
        "repeats": repeats,
        "one_se": one_se,
    }
    asked |= {
        "folds": folds,
        "outer": outer,
        "task": task,
        "keep": keep or None,
        **material.named,
        **given,
        **of_classes,
    }
    return _tuned(
        course,
        rows,
        _judges(course, _checked("outer", outer, 0)),
        _Run(budget, threads, progress),
        _Words(material.table, weights, seed, asked, material.again()),
        (*material.goal.notes, *notes),
    )


@dataclass(frozen=True)
class Budget:
    """When a search ends: at a time, after so many trees, or when all is tried."""

    started: float
    seconds: float | None
    n_fits: int | None

    @classmethod
    def of(cls, seconds: Any, n_fits: Any, started: float) -> Budget:
        """Return what was asked for, checked.

        >>> Budget.of(None, None, 0.0).seconds, Budget.of(None, 50, 0.0).seconds
        (60.0, None)
        """
        if n_fits is not None:
            _checked("n_fits", n_fits, 1)
        if seconds is None:
            return cls(started, SECONDS if n_fits is None else None, n_fits)
        is_number = isinstance(seconds, (int, float, np.integer, np.floating)) and not isinstance(
            seconds, bool
        )
        if not is_number or not 0 < seconds < math.inf:
            raise ValueError(f"seconds={seconds!r} must be a number above 0.")
        return cls(started, float(seconds), n_fits)

    def has_room(self, n_done: int, n_next: int, step: float) -> bool:
        """Return whether another step fits, of so many trees and about so many seconds.

        >>> Budget(0.0, None, 10).has_room(8, 2, 0.0), Budget(0.0, None, 10).has_room(8, 3, 0.0)
        (True, False)
        """
        if self.n_fits is not None and n_done + n_next > self.n_fits:
            return False
        return self.seconds is None or time.perf_counter() + step - self.started < self.seconds

    def share(self, n_done: int) -> float:
        """Return how much of it is used up.

        >>> Budget(0.0, None, 10).share(5)
        0.5
        """
        shares = [0.0]
        if self.n_fits is not None:
            shares.append(n_done / self.n_fits)
        if self.seconds is not None:
            shares.append((time.perf_counter() - self.started) / self.seconds)
        return min(1.0, max(shares))


def _checked(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name}={value!r} must be a whole number of at least {least}.")
    return int(value)


class _Run(NamedTuple):
    budget: Budget
    threads: int
    progress: Listener | None


class _Words(NamedTuple):
    """What the calls that repeat a search are made of."""

    table: Table
    weights: Any
    seed: int
    asked: dict[str, Any]
    again: Again


def _tuned(
    course: Course, rows: Rows, judges: Dealing | None, run: _Run, words: _Words, notes: tuple[str, ...]
) -> Tuning:
    """Return what the search on all rows chooses, and how its choices without some of them did on those."""
    races = _run(course, judges, run)
    main = races[0]
    choice = main.choice()
    tree = _grown(course, rows, choice)
    outer, error, said = _judged(course, judges, races[1:])
    name = rows.target.name
    told = {key: words.asked[key] for key in ("class_weight", "priors", "costs")}
    options = {**course.task.given, **dict(choice.trial.settings), **told}
    options = {key: value for key, value in options.items() if value is not None and key != "seed"}
    repeat = call_of(words.again, choice.trial.recipe, options, choice.method, words.weights, words.seed)
    parts = {"training": answers(tree, words.table, weights=words.weights)}
    if said is not None:
        parts[f"{len(outer)} outer folds"] = said
    tried = _table(name, main, choice, tree)
    rivals = Rivals(name, _rivals(tried), main.left_out, tried.measure)
    model = Model(tree, parts, rivals, repeat, notes, words.table)
    seconds = time.perf_counter() - run.budget.started
    search = _search_call(words, main.n_fits)
    return Tuning(
        model,
        tried,
        error,
        repeat,
        search,
        main.n_fits,
        main.n_settings,
        seconds,
        outer,
        notes,
        main.left_out,
    )


# ---- the searches -------------------------------------------------------------------------------------


def _judges(course: Course, outer: int) -> Dealing | None:
    """Return the outer folds; None where there are none."""
    if not outer:
        return None
    task, rows = course.task, course.task.rows
    if outer == 1:
        raise ValueError("outer=1 leaves nothing to learn from; use 2 or more, usually 5 (0: none).")
    folds: Any = min(outer, rows.n_rows // 2)
    if isinstance(task.folds, Blocks):
        folds = replace(task.folds, n_folds=outer)
    dealing = dealing_of(folds, rows.n_rows, lambda: course.keys, task.seed)
    if isinstance(task.folds, Blocks):
        _check_blocks(course, task.folds, dealing)
    return dealing


def _check_blocks(course: Course, folds: Blocks, dealing: Dealing) -> None:
    """Refuse groups or times so few that without an outer fold no folds are left to search by."""
    name, what = ("order", "time") if folds.is_ordered else ("groups", "group")
    for k in range(dealing.n_folds):
        try:
            _ = _without(course, dealing.rest(k)).heats
        except ValueError:
            had = count(len(np.unique(folds.units)), what)
            raise ValueError(
                f"{name}= has {had}: too few to search by folds without each outer fold. "
                "Use fewer, outer=2, or none, outer=0: its error is then too good to be true."
            ) from None


def _without(course: Course, kept: Ints) -> Course:
    """Return the same on some of the rows."""
    task = course.task
    folds = task.folds.take(kept) if isinstance(task.folds, Blocks) else task.folds
    return replace(course, task=replace(task, rows=task.rows.take(kept), folds=folds))


def _run(course: Course, judges: Dealing | None, run: _Run) -> list[Race]:
    """Return the search on all rows and those without each outer fold, gone through in step."""
    courses = [course]
    if judges is not None:
        courses += [_without(course, judges.rest(k)) for k in range(judges.n_folds)]
    races = [Race(one) for one in courses]
    step, n_steps = 0.0, 0
    while (first := races[0].jobs) is not None:
        if n_steps and not run.budget.has_room(races[0].n_fits, len(first), step):
            break
        begun = time.perf_counter()
        jobs = [(race, job) for race in races for job in race.jobs or ()]
        found = each(lambda one: one[0].judge(one[1]), jobs, run.threads, _hushed(run))
        for race in races:
            mine = [result for (owner, _), result in zip(jobs, found, strict=True) if owner is race]
            if mine:
                race.take(mine)
        step, n_steps = time.perf_counter() - begun, n_steps + 1
        _tell(run, races[0])
    return races


def _hushed(run: _Run) -> Callable[[float], object] | None:
    """Return who hears of steps, so that Ctrl-C is heard; what is told comes after the step."""
    return (lambda _: None) if run.progress is not None else None


def _tell(run: _Run, race: Race) -> None:
    if run.progress is None or not race.judged:
        return
    best = race.choice()
    way = f"{best.trial}, {best.method.words()}"
    share = 1.0 if race.jobs is None else run.budget.share(race.n_fits)
    figures = (best.error, best.standard_error, best.leaves)
    run.progress(Standing(share, race.n_fits, race.n_settings, *figures, way))


def _grown(course: Course, rows: Rows, choice: Found) -> Tree:
    """Return the tree that the settings chosen grow on these rows."""
    settings = course.task_of(choice.trial).settings(choice.trial.recipe)
    return grow_pruned(rows, replace(settings, prune=choice.method), course.task.terms)


def _judged(
    course: Course, judges: Dealing | None, races: Sequence[Race]
) -> tuple[tuple[OuterFold, ...], Score, Answers | None]:
    """Return what each search without an outer fold chose, and how all of them did on the rows left out."""
    if judges is None:
        return (), Score(math.nan), None
    rows, told, said, lost = course.task.rows, [], [], []
    for k, race in enumerate(races):
        choice = race.choice()
        tree = _grown(course, rows.take(judges.rest(k)), choice)
        held = rows.take(judges.held(k))
        sample = sample_of_rows(held)
        loss = losses(tree, sample)
        lost.append((loss, sample.weights, judges.held(k)))
        said.append(answers_of_rows(tree, held))
        error = mean_score(loss, sample.weights).value
        told.append(OuterFold(str(choice.trial), choice.method.words(), tree.n_leaves, error, held.n_rows))
    loss, weight, row = (np.concatenate(parts) for parts in zip(*lost, strict=True))
    units = course.task.folds.units[row] if isinstance(course.task.folds, Blocks) else None
    score = _score(loss, weight, units)
    honest = Share(*score) if counts_errors(tree) else score
    return tuple(told), honest, pooled(judges.fold, said)


def _score(loss: NDArray[np.float64], weight: NDArray[np.float64], units: Ints | None) -> Score:
    """Return the mean loss and its standard error: of rows, or of units whose rows hang together."""
    plain = mean_score(loss, weight)
    if units is None:
        return plain
    _, unit = np.unique(units, return_inverse=True)
    apart = np.bincount(unit, weight * (loss - plain.value))
    n = len(apart)
    return Score(plain.value, float(np.sqrt((apart**2).sum() * n / max(n - 1, 1)) / weight.sum()))


# ---- what was found -----------------------------------------------------------------------------------


def _table(name: str, race: Race, choice: Found, tree: Tree) -> Tried:
    """Return for each setting and way to prune the best strength, the best first; and the chosen one."""
    found = race.found()
    best: dict[tuple[Any, str], Found] = {}
    for one in sorted(found, key=lambda one: (not one.is_whole, one.error, one.leaves)):
        best.setdefault((one.trial, one.method.name), one)
    same = [one for one in found if (one.trial, one.method) == (choice.trial, choice.method)]
    rows = sorted(
        dict.fromkeys([*best.values(), *same]), key=lambda one: (not one.is_whole, one.error, one.leaves)
    )
    measure = "error" if tree.is_classifier else measure_of(tree)
    if tree.about.get("costs") is not None:
        measure = "cost"
    return Tried(name, tuple(rows), rows.index(same[0]), measure)


def _rivals(tried: Tried) -> tuple[Rival, ...]:
    """Return the best of each recipe, and the chosen one, as lines."""
    rows: dict[str, Found] = {}
    for row in tried:
        if row.is_whole:
            rows.setdefault(row.trial.recipe, row)
    chosen = tried.rows[tried.choice_at]
    return tuple(
        Rival(str(row.trial), row.method.words(), round(row.leaves), -1, row.error, row.standard_error)
        for row in dict.fromkeys([*rows.values(), chosen])
    )


_USUAL = {"folds": FOLDS, "outer": OUTER, "one_se": True}


def _search_call(words: _Words, n_fits: int) -> str:
    """Return the call that goes through the same search again, without a clock."""
    said = [f"n_fits={n_fits}"]
    for name, value in words.asked.items():
        if value is None or (name in _USUAL and value == _USUAL[name] and type(value) is type(_USUAL[name])):
            continue
        if name in ("groups", "order"):
            value = own_or_named(name, value)
        said.append(f"{name}={_in_call(value)}")
    if words.weights is not None:
        said.append(f"weights={own_or_named('weights', words.weights)!r}")
    if words.seed:
        said.append(f"seed={words.seed!r}")
    return f"tw.tune({', '.join(['data', words.again.target, *said])})"


def _in_call(value: Any) -> str:
    if isinstance(value, Method):
        return method_call(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_in_call, value))}]"
    return repr(value)
