"""`tw.tune` beside a random search over scikit-learn's trees: equal processor time, same folds, fresh rows.

    ./dev bench tune                    adult with 6 s of two cores, the other tables with 2 s
    ./dev bench tune --quick            1 s, one seed
    TUNE_SECONDS=60 TUNE_KEEP=FOLDER ./dev bench tune         what FOLDER has is not run again
    ./dev python -m benchmarks.bench_tune FOLDER --seconds 60    one run of those that FOLDER lacks

Both search on the same part of a table, by the same five folds, for as many processor seconds (not seconds
on the wall: what else the machine does counts for neither), one thread each; what they choose is judged by
rows that neither has seen. Beside it: is the error that `tw.tune` reports of itself within a standard error
of that on fresh rows? Twenty runs of a minute or two: each may be a process of its own, whose result is kept.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest import mock

import click
import numpy as np
from sklearn.tree import DecisionTreeClassifier

import treewright as tw
from benchmarks.report import Result, Table
from benchmarks.study_methods import _coded
from tests import tables
from treewright.evaluate import folds_by_row, split
from treewright.model import tuner

CORES = 2
SEEDS = 5
HONEST = ("adult", "hypothyroid", "credit_g")
PART = 3  # the other tables, a tenth of adult and less, have this part of its time


class Trial(NamedTuple):
    """One seed: the error on fresh rows, what was reported, leaves, processor seconds, settings tried."""

    error: float
    reported: float
    standard_error: float
    leaves: int
    seconds: float
    tried: int
    n_fresh: int


class Run(NamedTuple):
    """One search: whose it is, on which table, by which seed, for how many seconds of two cores."""

    side: str
    table: str
    seed: int
    seconds: float

    @property
    def file(self) -> str:
        """The name of the file its result is kept in."""
        return f"{self.side}-{self.table}-{self.seed}-{self.seconds:g}.json"


def runs(seconds: float, n_seeds: int = SEEDS, names: tuple[str, ...] = HONEST) -> Iterator[Run]:
    """Yield all searches: adult by both, then the other tables by `tw.tune` alone."""
    for seed in range(n_seeds):
        yield Run("ours", "adult", seed, seconds)
        yield Run("theirs", "adult", seed, seconds)
    for name in names[1:]:
        for seed in range(n_seeds):
            yield Run("ours", name, seed, seconds / PART)


def trial(run: Run, folder: Path | None) -> Trial:
    """Return what came of a search: as it was kept, or by searching."""
    kept = None if folder is None else folder / run.file
    if kept is not None and kept.exists():
        return Trial(**json.loads(kept.read_text("utf-8")))
    search = _ours if run.side == "ours" else _theirs
    found = search(run.table, run.seed, run.seconds)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(found._asdict()), "utf-8")
    return found


def main(quick: bool) -> list[Result]:
    """Print and return the two tables."""
    seconds = 1.0 if quick else float(os.environ.get("TUNE_SECONDS", "6"))
    folder = Path(os.environ["TUNE_KEEP"]) if "TUNE_KEEP" in os.environ else None
    names = HONEST[:1] if quick else HONEST
    done: dict[tuple[str, str], list[Trial]] = {}
    for run in runs(seconds, 1 if quick else SEEDS, names):
        done.setdefault((run.side, run.table), []).append(trial(run, folder))
    beside, gap = _beside(done["ours", "adult"], done["theirs", "adult"], seconds)
    honest, is_honest = _honest({name: done["ours", name] for name in names})
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


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--seconds", type=float, default=6.0, show_default=True, help="Of two cores, on adult.")
def one(folder: Path, seconds: float) -> None:
    """Make one run of those that FOLDER lacks, the first one, and keep its result there."""
    todo = [run for run in runs(seconds) if not (folder / run.file).exists()]
    if not todo:
        click.echo("all runs are there")
        return
    click.echo(f"{todo[0].file}: {trial(todo[0], folder)} ({len(todo) - 1} runs are left)")


def _parts(name: str, seed: int) -> tuple[tw.Table, Any]:
    table = tables.table(name)
    return table, split(table, tables.target(name), test=0.3, seed=seed)


def _ours(name: str, seed: int, seconds: float) -> Trial:
    """Return what the search finds in so many seconds of two cores, measured in processor time."""
    table, parts = _parts(name, seed)
    target, begun = tables.target(name), time.process_time()
    clock = SimpleNamespace(perf_counter=lambda: time.process_time() / CORES)
    with mock.patch.object(tuner, "time", clock):
        found = tw.tune(parts.train, target, seconds, seed=seed, keep=table.names)
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
        f"each search has {CORES * seconds:g} processor seconds, so that what else runs does not count",
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


if __name__ == "__main__":
    one()
