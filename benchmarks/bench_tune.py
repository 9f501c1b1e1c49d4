"""`tw.tune` beside a random search over scikit-learn's trees: equal processor time, same folds, fresh rows.

    TUNE_SECONDS=60 ./dev bench tune    60 s of two cores each, five seeds, three tables: an hour of one core
    ./dev bench tune                    6 s each
    ./dev bench tune --quick            1 s, one seed

Both search on the same part of a table, by the same five folds, for as many processor seconds, whatever
else the machine does meanwhile; what they choose is judged by rows that neither has seen. Beside it: is the
error that `tw.tune` reports of itself within a standard error of that on fresh rows?
"""

import os
import time
from typing import Any, NamedTuple

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import treewright as tw
from benchmarks.report import Result, Table
from benchmarks.study_methods import _coded
from tests import tables
from treewright.evaluate import folds_by_row, split

CORES = 2
SEEDS = 5
HONEST = ("adult", "hypothyroid", "credit_g")
PILOT = 6  # trees by which the processor time of a search is foreseen


class Trial(NamedTuple):
    """One seed: the error on fresh rows, what was reported, leaves, processor seconds, settings tried."""

    error: float
    reported: float
    standard_error: float
    leaves: int
    seconds: float
    tried: int
    n_fresh: int


def main(quick: bool) -> list[Result]:
    """Print and return the two tables."""
    seconds = 1.0 if quick else float(os.environ.get("TUNE_SECONDS", "6"))
    seeds = range(1 if quick else SEEDS)
    found = {name: [_ours(name, seed, seconds) for seed in seeds] for name in HONEST[: 1 if quick else 3]}
    theirs = [_theirs("adult", seed, seconds) for seed in seeds]
    beside, gap = _beside(found["adult"], theirs, seconds)
    honest, is_honest = _honest(found)
    for table in (beside, honest):
        print(f"\n{table.text()}")
    failures = []
    if not quick and gap > 0:
        failures.append(f"tune on adult is {gap:.4f} worse than the random search and a standard error")
    if not quick and not is_honest:
        failures.append(
            "the error that tune reports is farther than a standard error from that on fresh rows"
        )
    return [Result(beside, failures=tuple(failures)), Result(honest)]


def _parts(name: str, seed: int) -> tuple[tw.Table, Any]:
    table = tables.table(name)
    return table, split(table, tables.target(name), test=0.3, seed=seed)


def _ours(name: str, seed: int, seconds: float) -> Trial:
    """Return what the search finds in so many seconds of two cores, measured in processor time."""
    table, parts = _parts(name, seed)
    target, begun = tables.target(name), time.process_time()
    pilot = tw.tune(parts.train, target, n_fits=PILOT, seed=seed, n_threads=CORES, keep=table.names)
    of_one = (time.process_time() - begun) / pilot.n_fits
    begun = time.process_time()
    n_fits = max(PILOT, int(seconds * CORES / of_one))
    found = tw.tune(parts.train, target, n_fits=n_fits, seed=seed, n_threads=CORES, keep=table.names)
    taken = time.process_time() - begun
    wrong = float((found.model.predict(parts.test) != parts.test.labels(target)).mean())
    return Trial(wrong, *found.error, found.tree.n_leaves, taken, found.n_settings, parts.test.n_rows)


def _theirs(name: str, seed: int, seconds: float) -> Trial:
    """Return the best of a random search: one-hot columns, the settings people draw, the same five folds."""
    table, parts = _parts(name, seed)
    target = tables.target(name)
    train, test = _coded(table, target, parts.rows[0], parts.rows[2])
    y, truth = table.labels(target)[parts.rows[0]], parts.test.labels(target)
    fold = folds_by_row(parts.train, target, 5, seed)
    rng = np.random.default_rng(seed)
    begun, tried, best = time.process_time(), 0, (1.0, {})
    while not tried or time.process_time() - begun < seconds * CORES:
        drawn = {
            "criterion": str(rng.choice(["gini", "entropy"])),
            "max_depth": rng.choice([None, 3, 4, 5, 6, 8, 10, 12, 16, 24]),
            "min_samples_leaf": int(np.exp(rng.uniform(0, np.log(200)))),
            "ccp_alpha": float(np.exp(rng.uniform(np.log(1e-6), np.log(1e-2)))),
        }
        wrong = 0
        for k in range(5):
            model = DecisionTreeClassifier(random_state=seed, **drawn).fit(train[fold != k], y[fold != k])
            wrong += int((model.predict(train[fold == k]) != y[fold == k]).sum())
        best, tried = min(best, (wrong / len(y), drawn), key=lambda pair: pair[0]), tried + 1
    taken = time.process_time() - begun
    model = DecisionTreeClassifier(random_state=seed, **best[1]).fit(train, y)
    wrong_test = float((model.predict(test) != truth).mean())
    return Trial(wrong_test, best[0], float("nan"), int(model.get_n_leaves()), taken, tried, len(truth))


def _beside(ours: list[Trial], theirs: list[Trial], seconds: float) -> tuple[Table, float]:
    """Return the table, and by how much ours is worse than theirs and a standard error; below 0 is better."""
    means = [float(np.mean([trial.error for trial in side])) for side in (ours, theirs)]
    n_fresh = ours[0].n_fresh
    spread = float(np.sqrt(means[1] * (1 - means[1]) / n_fresh))
    rows = tuple(
        (name, _percent(mean), *(f"{np.mean([t[i] for t in side]):,.0f}" for i in (3, 4, 5)))
        for name, side, mean in zip(("tw.tune", "random search"), (ours, theirs), means, strict=True)
    )
    judged = f"error on {n_fresh:,} fresh rows of adult, mean of {len(ours)} seeds"
    notes = (
        f"{judged}; one standard error is {100 * spread:.2f} %",
        f"each search has {seconds:g} s of {CORES} cores in processor time, so what else runs does not count",
    )
    header = ("adult", "error", "leaves", "CPU s", "settings")
    return Table("Tuning beside a random search", header, rows, notes), means[0] - means[1] - spread


def _honest(found: dict[str, list[Trial]]) -> tuple[Table, bool]:
    rows, is_honest = [], True
    for name, trials in found.items():
        error, reported = (float(np.mean([t[i] for t in trials])) for i in (0, 1))
        # Of a report and of the fresh rows together; the mean of several seeds is nearer than one.
        spread = float(np.mean([np.hypot(t.standard_error, _spread(t)) for t in trials]))
        is_near = abs(error - reported) <= spread
        is_honest &= is_near
        words = "yes" if is_near else "NO"
        rows.append((name, _percent(reported), _percent(error), f"{100 * spread:.2f} %", words))
    header = ("table", "reported", "fresh rows", "SE of the two", "within")
    return Table("Is the reported error honest?", header, tuple(rows)), is_honest


def _spread(trial: Trial) -> float:
    return float(np.sqrt(trial.error * (1 - trial.error) / trial.n_fresh))


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"
