"""Does `prune="cv"` choose well? Our prunings against a scikit-learn tree with a tuned price.

    ./dev python -m benchmarks.study_pruning                  # what is not in the cache yet, then the tables
    ./dev python -m benchmarks.study_pruning --group scikit-learn --minutes 30
    ./dev python -m benchmarks.study_pruning --markdown docs/pruning_study.md

Ten folds and five seeds on 23 tables; two of them, named by a rule, have no part in choosing. Results are
kept in build/study_pruning.csv, one line for each table, seed and method, so that a run can be broken off.
"""

import csv
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from benchmarks.report import ROOT, Table, circumstances, write_markdown
from benchmarks.study_methods import GROUPS, outcomes
from benchmarks.study_tables import data, folds, names, not_looked_at

CACHE = ROOT / "build" / "study_pruning.csv"
SEEDS = 5
PEER = "scikit-learn, tuned"


class Line(NamedTuple):
    """One line of the cache: the wrong rows of ten folds, and the leaves of a tree on average."""

    table: str
    seed: int
    group: str
    method: str
    wrong: int
    rows: int
    leaves: float


@click.command()
@click.option("--group", "groups", multiple=True, type=click.Choice(list(GROUPS)), help="Only these methods.")
@click.option("--table", "tables", multiple=True, help="Only these tables.")
@click.option("--minutes", default=0.0, help="Begin nothing new after so many minutes; 0: no limit.")
@click.option("--cache", default=CACHE, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--markdown", type=click.Path(dir_okay=False, path_type=Path), help="Write the tables there too."
)
def main(
    groups: tuple[str, ...], tables: tuple[str, ...], minutes: float, cache: Path, markdown: Path | None
) -> None:
    """Run what is missing, and show the tables."""
    measured = circumstances("./dev python -m benchmarks.study_pruning")
    end = time.monotonic() + 60 * minutes if minutes else np.inf
    known = {(line.table, line.seed, line.group) for line in read(cache)}
    for name in tables or names():
        for group in groups or GROUPS:
            for seed in range(SEEDS):
                if (name, seed, group) not in known and time.monotonic() < end:
                    append(cache, run(name, group, seed))
    found = read(cache)
    shown = [verdict(found), by_table(found), questions(found), overview(found)]
    for table in shown:
        print(f"\n{table.text()}")
    if markdown:
        write_markdown(markdown, measured, shown)


# ---- running ---------------------------------------------------------------------------------------


def run(name: str, group: str, seed: int) -> list[Line]:
    """Return the lines of one table, group of methods and seed."""
    table, goal = data(name)
    found = list(outcomes(group, table, goal, folds(name, seed), seed))
    return [
        Line(
            name,
            seed,
            group,
            method,
            sum(fold[method].wrong for fold in found),
            table.n_rows,
            float(np.mean([fold[method].leaves for fold in found])),
        )
        for method in found[0]
    ]


def read(cache: Path) -> list[Line]:
    """Return what is known so far."""
    if not cache.exists():
        return []
    with cache.open(newline="", encoding="utf-8") as file:
        return [
            Line(t, int(s), g, m, int(wrong), int(rows), float(leaves))
            for t, s, g, m, wrong, rows, leaves in csv.reader(file)
        ]


def append(cache: Path, lines: Iterable[Line]) -> None:
    """Add lines, whole."""
    cache.parent.mkdir(exist_ok=True)
    with cache.open("a", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(lines)


# ---- tables ----------------------------------------------------------------------------------------


class Mean(NamedTuple):
    """Over the seeds: the share of wrong rows, and the leaves."""

    error: float
    leaves: float


Means = dict[str, dict[str, Mean]]  # by method and table


def means(lines: Iterable[Line]) -> Means:
    """Return for every method its means on every table that all seeds are there for."""
    cells: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for line in lines:
        cells[line.method, line.table].append(line)
    found: Means = defaultdict(dict)
    for (method, table), part in cells.items():
        if len(part) == SEEDS:
            error = float(np.mean([line.wrong / line.rows for line in part]))
            found[method][table] = Mean(error, float(np.mean([line.leaves for line in part])))
    return found


def overview(lines: list[Line]) -> Table:
    """Return one row a method: on the tables it shares with the peer, but for those not looked at."""
    found, apart = means(lines), not_looked_at()
    looked_at = [name for name in _tables(found) if name not in apart]
    notes = (f"All tables but {' and '.join(apart)}, which were not looked at while choosing.", *NOTES)
    return Table("what was tried", HEADER, _rows(found, list(found), looked_at), notes)


def verdict(lines: list[Line]) -> Table:
    """Return one row for each thing that a user types, on all tables."""
    found = means(lines)
    shown = [method for method in SHOWN if method in found]
    return Table("what is shipped, all tables", HEADER, _rows(found, shown, _tables(found)), NOTES)


def _tables(found: Means) -> list[str]:
    return names(name for by_name in found.values() for name in by_name)


def _rows(found: Means, methods: list[str], tables: list[str]) -> tuple[tuple[str, ...], ...]:
    peer = found.get(PEER, {})
    shared = {
        method: [name for name in tables if name in found[method] and name in peer] for method in methods
    }
    rows = [(m, *compared(found[m], peer, shared[m])) for m in methods if shared[m]]
    return tuple(sorted(rows, key=lambda row: (-int(row[1]), float(row[2]))))


def questions(lines: list[Line]) -> Table:
    """Return one row a question: what one change does to the error, and to the leaves."""
    found, apart = means(lines), not_looked_at()
    rows = []
    for question, ours, other in QUESTIONS:
        both = [n for n in _tables(found) if n in found[ours] and n in found[other] and n not in apart]
        if both:
            n_tables, _, difference, wins, _, ratio = compared(found[ours], found[other], both)
            rows.append((question, n_tables, difference, wins, ratio))
    header = ("change", "tables", "difference of the error", "wins : losses", "ratio of leaves")
    return Table(
        "what each change does", header, tuple(rows), ("The same tables as above, one change at a time.",)
    )


def compared(ours: Mapping[str, Mean], peer: Mapping[str, Mean], tables: list[str]) -> tuple[str, ...]:
    """Return the cells of one method: mean error, paired difference, wins to losses, leaves, their ratio."""
    error = np.array([ours[name].error for name in tables])
    apart = error - np.array([peer[name].error for name in tables])
    leaves = np.array([[ours[name].leaves, peer[name].leaves] for name in tables])
    spread = apart.std(ddof=1) / np.sqrt(len(apart)) if len(apart) > 1 else np.nan
    return (
        str(len(tables)),
        f"{error.mean():.4f}",
        f"{apart.mean():+.4f} ± {spread:.4f}",
        f"{(apart < -1e-12).sum()} : {(apart > 1e-12).sum()}",
        f"{leaves[:, 0].mean():.1f}",
        f"{np.exp(np.log(leaves[:, 0] / leaves[:, 1]).mean()):.2f}",
    )


HEADER = ("method", "tables", "error", "difference", "wins : losses", "leaves", "ratio of leaves")
NOTES = (
    f"Difference: of the error to that of {PEER}, mean over tables ± its standard error.",
    "Ratio of leaves: geometric mean over tables, against the same.",
    "x5: below 1,000 rows the folds of pruning are dealt five times; x1: once.",
)
HALF, ONE = "plain, error, 0.5 SE, x1", "plain, error, 1 SE, x1"
# The change, the method with it, the method without it.
QUESTIONS = (
    ("within half a standard error instead of one", HALF, ONE),
    ("within half a standard error instead of the best", HALF, "plain, error, best, x1"),
    ("path by impurity instead of errors", "plain, impurity, 0.5 SE, x1", HALF),
    ("folds dealt five times on few rows", "plain, error, 0.5 SE, x5", HALF),
    ("folds dealt five times on few rows, one standard error", "plain, error, 1 SE, x5", ONE),
    ("at least 2 rows in a leaf", "leaf 2, error, 0.5 SE, x1", HALF),
    ("at least 5 rows in a leaf", "leaf 5, error, 0.5 SE, x1", HALF),
    ("at least 7 rows in a leaf, 20 to split (cart's)", "leaf 7, error, 0.5 SE, x1", HALF),
    ("categories one-hot, gaps filled", "one-hot, filled, error, 0.5 SE, x1", HALF),
    ("one category against the rest instead of subsets", "one against the rest, error, 0.5 SE, x1", HALF),
    ("gaps take the common value of a node", "gaps common, error, 0.5 SE, x1", HALF),
)
SHOWN = ("prune=cv", "cart", "c4.5", "scikit-learn, unpruned", PEER)


def by_table(lines: list[Line]) -> Table:
    """Return one row a table: error and leaves of what a user types."""
    found, apart = means(lines), not_looked_at()
    shown = [method for method in SHOWN if method in found]
    rows = [
        (
            f"{name} *" if name in apart else name,
            str(data(name).table.n_rows),
            *(
                f"{found[method][name].error:.4f} ({found[method][name].leaves:.1f})"
                if name in found[method]
                else "-"
                for method in shown
            ),
        )
        for name in _tables(found)
    ]
    notes = ("Share of errors (leaves).", "*: not looked at while choosing.")
    return Table("table by table", ("table", "rows", *shown), tuple(rows), notes)


if __name__ == "__main__":
    main()
