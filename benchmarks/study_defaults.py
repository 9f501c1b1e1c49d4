"""Is `recipe="auto"` a good default? Against both defaults before it, and a tuned scikit-learn tree.

    ./dev python -m benchmarks.study_defaults FOLDER                                # the table
    ./dev python -m benchmarks.study_defaults FOLDER --markdown docs/defaults_study.md

FOLDER holds tables as tests/data does: a CSV file (also .gz), with a JSON file beside it that declares its
columns and names its `target`. Ten folds, the same for all; of large tables a fixed sample of rows.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeRegressor

import treewright as tw
from benchmarks.report import Table, circumstances, write_markdown
from benchmarks.study_methods import N_ALPHAS, N_INNER, _coded, scikit_learn
from treewright.base.numbers import number
from treewright.table import read_described

MOST_ROWS = 20_000
LEAST_ROWS = 50
FOLDS = 10
Rows = NDArray[np.int64]


class Outcome(NamedTuple):
    """The loss of each row held out, the leaves of the tree, and processor seconds."""

    losses: NDArray[np.float64]
    leaves: int
    seconds: float


class Result(NamedTuple):
    """What came of ten folds: error (or RMSE), leaves on average, seconds in all."""

    error: float
    leaves: float
    seconds: float


def tables(folder: Path) -> Iterator[tuple[str, tw.Table, str]]:
    """Yield the tables of a folder that are large enough: name, rows, target; the smallest first."""
    found = []
    for sidecar in folder.glob("*.json"):
        about = json.loads(sidecar.read_text("utf-8"))
        if about.get("rows", 0) >= LEAST_ROWS and "target" in about:
            found.append((about["rows"], sidecar.stem, folder / about["file"], about["target"]))
    for _, name, path, target in sorted(found):
        table = read_described(path)
        rows = np.random.default_rng(0).permutation(table.n_rows)[:MOST_ROWS]
        yield name, table.take(np.sort(rows)), target


def _losses(said: NDArray[Any], table: tw.Table, goal: str, held: Rows) -> NDArray[np.float64]:
    column, values = table.column(goal)
    if column.is_numeric:
        return np.asarray((said - values[held]) ** 2, dtype=np.float64)
    return np.asarray(said != table.labels(goal)[held], dtype=np.float64)


def _tree(grow: Callable[[tw.Table, str], tw.Tree]) -> Callable[..., Outcome]:
    """Return how a tree of ours does: grown on `rest`, judged by `held`."""

    def judged(table: tw.Table, goal: str, rest: Rows, held: Rows, _seed: int) -> Outcome:
        started = time.process_time()
        tree = grow(table.take(rest), goal)
        seconds = time.process_time() - started
        said = tw.evaluate.answers(tree, table.take(held))
        if not tree.is_classifier:
            return Outcome((said.given - said.truth) ** 2, tree.n_leaves, seconds)
        return Outcome((said.given != said.truth).astype(np.float64), tree.n_leaves, seconds)

    return judged


def _peer(table: tw.Table, goal: str, rest: Rows, held: Rows, seed: int) -> Outcome:
    """Return how scikit-learn does, its ccp_alpha found by five inner folds."""
    started = time.process_time()
    if not table.column(goal)[0].is_numeric:
        found = scikit_learn(table, goal, rest, held, seed)["scikit-learn, tuned"]
        losses = np.zeros(len(held))
        losses[: found.wrong] = 1.0
        return Outcome(losses, found.leaves, time.process_time() - started)
    train, test = _coded(table, goal, rest, held)
    y = table.column(goal)[1][rest]
    path = DecisionTreeRegressor(random_state=seed).cost_complexity_pruning_path(train, y).ccp_alphas
    prices = np.unique(np.quantile(np.maximum(path, 0.0), np.linspace(0, 1, N_ALPHAS)))
    lost = np.zeros(len(prices))
    for some, others in KFold(N_INNER, shuffle=True, random_state=seed).split(train):
        for place, price in enumerate(prices):
            model = DecisionTreeRegressor(random_state=seed, ccp_alpha=price).fit(train[some], y[some])
            lost[place] += float(((model.predict(train[others]) - y[others]) ** 2).sum())
    model = DecisionTreeRegressor(random_state=seed, ccp_alpha=prices[lost.argmin()]).fit(train, y)
    seconds = time.process_time() - started
    return Outcome(_losses(model.predict(test), table, goal, held), int(model.get_n_leaves()), seconds)


METHODS: Mapping[str, Callable[..., Outcome]] = {
    "auto": _tree(lambda table, goal: tw.fit(table, goal).tree),
    "c4.5 + error_based": _tree(lambda table, goal: tw.grow(table, goal, "c4.5")),
    "cart + cv": _tree(lambda table, goal: tw.grow(table, goal, "cart")),
    "scikit-learn, tuned": _peer,
}


def result(name: str, table: tw.Table, goal: str) -> Result | None:
    """Return what a method comes to in ten folds; None where it is not for the target."""
    is_numeric = table.column(goal)[0].is_numeric
    if is_numeric and name.startswith("c4.5"):
        return None
    fold = tw.evaluate.folds_by_row(table, goal, FOLDS, seed=0)
    found = [
        METHODS[name](table, goal, np.flatnonzero(fold != k), np.flatnonzero(fold == k), k)
        for k in range(FOLDS)
    ]
    error = float(np.concatenate([one.losses for one in found]).mean())
    leaves = float(np.mean([one.leaves for one in found]))
    return Result(np.sqrt(error) if is_numeric else error, leaves, sum(one.seconds for one in found))


def _line(
    name: str, table: tw.Table, found: Mapping[str, Result | None], is_numeric: bool
) -> tuple[str, ...]:
    cells = [name, f"{table.n_rows:,}"]
    for method in METHODS:
        one = found[method]
        error = "" if one is None else number(one.error) if is_numeric else f"{100 * one.error:.1f} %"
        cells += [error, "" if one is None else f"{one.leaves:.1f}"]
    return tuple(cells)


def verdicts(results: Mapping[str, Mapping[str, Result | None]]) -> Iterator[str]:
    """Yield a sentence for each rival: on how many tables auto errs less, is smaller, or both."""
    for rival in list(METHODS)[1:]:
        pairs = [
            (found["auto"], found[rival]) for found in results.values() if found["auto"] and found[rival]
        ]
        less = sum(a.error < b.error for a, b in pairs if a and b)
        smaller = sum(a.leaves < b.leaves for a, b in pairs if a and b)
        either = sum(a.error < b.error or a.leaves < b.leaves for a, b in pairs if a and b)
        both = sum(a.error <= b.error and a.leaves <= b.leaves for a, b in pairs if a and b)
        size = np.median([b.leaves / a.leaves for a, b in pairs if a and b])
        differ = np.mean([a.error - b.error for a, b in pairs if a and b and a.error < 1 and b.error < 1])
        way = "more" if differ > 0 else "less"
        yield (
            f"Against {rival}: lower error on {less} of {len(pairs)} tables, fewer leaves on {smaller}, "
            f"one of the two on {either}, no worse in both on {both}. The rival has {size:.1f} times the "
            f"leaves (median); of classes auto errs {way} by {100 * abs(differ):.1f} points on average."
        )


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--only", multiple=True, help="Names of tables.")
@click.option("--markdown", type=click.Path(path_type=Path), help="Write the tables there too.")
def main(folder: Path, only: tuple[str, ...], markdown: Path | None) -> None:
    """Compare the default with what it replaces."""
    where = circumstances("./dev python -m benchmarks.study_defaults FOLDER")
    lines, results = [], {}
    header = ["table", "rows"]
    for method in METHODS:
        header += [method, "leaves"]
    for name, table, goal in tables(folder):
        if only and name not in only:
            continue
        found = {method: result(method, table, goal) for method in METHODS}
        results[name] = found
        lines.append(_line(name, table, found, table.column(goal)[0].is_numeric))
        click.echo("  ".join(lines[-1]))
    title = "Error of ten folds (of numbers: RMSE) and leaves on average"
    shown = Table(title, tuple(header), tuple(lines), tuple(verdicts(results)))
    click.echo(shown.text())
    if markdown is not None:
        write_markdown(markdown, where, [shown])


if __name__ == "__main__":
    main()
