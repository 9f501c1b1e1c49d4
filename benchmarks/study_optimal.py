"""Are optimal trees better on rows they have not seen? Beside trees with as many leaves that were grown.

Grown greedily, with look-ahead, and greedily and then polished.

    ./dev python -m benchmarks.study_optimal FOLDER                                # the tables
    ./dev python -m benchmarks.study_optimal FOLDER --only iris --results found.json      # in pieces
    ./dev python -m benchmarks.study_optimal FOLDER --results found.json --markdown docs/optimal_study.md

FOLDER holds tables as tests/data does: a CSV file (also .gz), with a JSON file beside it that declares its
columns and names its `target`. Ten folds, the same for all; of large tables a fixed sample of rows.
`--results` keeps what was found, so that a later run does what is missing alone.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np

import treewright as tw
from benchmarks.report import Table, circumstances, write_markdown
from treewright.table import read_described

LEAST_ROWS, MOST_ROWS = 20, 5_000
FOLDS = 10
DEPTHS = (3, 4)
WORK = 200_000_000  # rows visited by a search, about: a limit that is the same on every machine
LEAF_PRICE = 0.01  # of an error: of trees with as few errors the smallest
OPTIMAL = "optimal"
# What is grown with as many leaves as the optimal tree of the same fold.
GROWN: Mapping[str, Mapping[str, Any]] = {
    "greedy": {},
    "look-ahead 2": {"lookahead": 2},
    "polished": {"lookahead": "polish"},
}
Fold = dict[str, Any]  # wrong, rows, leaves; of a search: is_proven, gap, seconds
Found = dict[str, dict[str, list[Fold]]]  # table and depth, method: the folds


def tables(folder: Path, only: tuple[str, ...] = ()) -> Iterator[tuple[str, tw.Table, str]]:
    """Yield the tables of classes that are large enough: name, rows, target; the smallest first."""
    found = []
    for sidecar in folder.glob("*.json"):
        about = json.loads(sidecar.read_text("utf-8"))
        is_wanted = about.get("task") == "classification" and "target" in about
        if is_wanted and about.get("rows", 0) >= LEAST_ROWS and (not only or sidecar.stem in only):
            found.append((about["rows"], sidecar.stem, folder / about["file"], about["target"]))
    for _, name, path, target in sorted(found):
        table = read_described(path)
        rows = np.random.default_rng(0).permutation(table.n_rows)[:MOST_ROWS]
        yield name, table.take(np.sort(rows)), target


def folds_of(table: tw.Table, goal: str) -> Iterator[tuple[tw.Table, tw.Table]]:
    """Yield the rows to grow on and the rows held out, fold by fold."""
    fold = tw.evaluate.folds_by_row(table, goal, FOLDS, seed=0)
    for k in range(FOLDS):
        yield table.take(np.flatnonzero(fold != k)), table.take(np.flatnonzero(fold == k))


def judged(tree: tw.Tree, held: tw.Table) -> Fold:
    """Return how a tree does on rows it has not seen."""
    said = tw.evaluate.answers(tree, held)
    wrong = int((said.given != said.truth).sum())
    return {"wrong": wrong, "rows": held.n_rows, "leaves": int(tree.n_leaves)}


def searched(rest: tw.Table, held: tw.Table, goal: str, depth: int) -> Fold:
    """Return how the optimal tree of a depth does, and what is proven of it."""
    started = time.process_time()
    limit = max(1, WORK // rest.n_rows)
    found = tw.optimal(rest, goal, max_depth=depth, leaf_price=LEAF_PRICE, work_limit=limit, warns=False)
    seconds = time.process_time() - started
    proof = {"is_proven": found.certificate.is_proven, "gap": found.certificate.relative_gap}
    return judged(found.tree, held) | proof | {"seconds": round(seconds, 3)}


def complete(
    found: Found, name: str, table: tw.Table, goal: str, grow: Callable[..., tw.Tree] = tw.grow
) -> None:
    """Do what is missing of a table: the searches first, and then trees of as many leaves."""
    for depth in DEPTHS:
        done = found.setdefault(f"{name}, depth {depth}", {})
        if OPTIMAL not in done:
            done[OPTIMAL] = [searched(rest, held, goal, depth) for rest, held in folds_of(table, goal)]
        for method, settings in GROWN.items():
            if method not in done:
                done[method] = [
                    judged(grow(rest, goal, max_leaves=best["leaves"], warns=False, **settings), held)
                    for best, (rest, held) in zip(done[OPTIMAL], folds_of(table, goal), strict=True)
                ]


def error(folds: list[Fold]) -> tuple[float, float]:
    """Return the share of rows that are wrong, all folds together, and its standard error.

    >>> [round(figure, 4) for figure in error([{"wrong": 1, "rows": 5}, {"wrong": 1, "rows": 5}])]
    [0.2, 0.1265]
    """
    n = sum(fold["rows"] for fold in folds)
    share = sum(fold["wrong"] for fold in folds) / n
    return share, float(np.sqrt(share * (1 - share) / n))


def shown(found: Found, depth: int, names: list[tuple[str, int]]) -> Table:
    """Return the table of a depth: a line for each table of data."""
    ways = [OPTIMAL, *GROWN]
    lines = []
    for name, n_rows in names:
        of = found[f"{name}, depth {depth}"]
        best = of[OPTIMAL]
        proven = sum(fold["is_proven"] for fold in best)
        leaves = float(np.mean([fold["leaves"] for fold in best]))
        cells = [name, f"{n_rows:,}", f"{leaves:.1f}", f"{proven} of {FOLDS}"]
        for way in ways:
            share, spread = error(of[way]) if way in of else (np.nan, np.nan)
            cells.append(f"{100 * share:.1f} ± {100 * spread:.1f}" if way in of else "")
        lines.append(tuple(cells))
    header = ("table", "rows", "leaves", "proven", *ways)
    title = f"Depth {depth}: error on rows held out, in per cent, with its standard error"
    return Table(title, header, tuple(lines), tuple(verdicts(found, depth, [name for name, _ in names])))


def verdicts(found: Found, depth: int, names: list[str]) -> Iterator[str]:
    """Yield a sentence for each pair: on how many tables one way errs less, and by how much on average."""
    pairs = [(OPTIMAL, rival) for rival in GROWN] + [(way, "greedy") for way in GROWN if way != "greedy"]
    for way, rival in pairs:
        folds = [found[f"{name}, depth {depth}"] for name in names]
        differ = [error(of[way])[0] - error(of[rival])[0] for of in folds]
        n, less, more = len(differ), sum(d < 0 for d in differ), sum(d > 0 for d in differ)
        mean, spread = 100 * float(np.mean(differ)), 100 * float(np.std(differ, ddof=1 if n > 1 else 0))
        yield (
            f"{way} against {rival}, with as many leaves: errs less on {less} of {n} tables, more on {more}, "
            f"the same on {n - less - more}; on average {abs(mean):.2f} ± {spread / np.sqrt(n):.2f} points "
            f"{'less' if mean < 0 else 'more'}."
        )


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--only", multiple=True, help="Names of tables.")
@click.option("--results", type=click.Path(path_type=Path), help="Keep what is found here; read it first.")
@click.option("--markdown", type=click.Path(path_type=Path), help="Write the tables there too.")
def main(folder: Path, only: tuple[str, ...], results: Path | None, markdown: Path | None) -> None:
    """Compare optimal trees with grown ones of as many leaves, on rows held out."""
    where = circumstances("./dev python -m benchmarks.study_optimal FOLDER")
    found: Found = json.loads(results.read_text("utf-8")) if results is not None and results.exists() else {}
    names = []
    for name, table, goal in tables(folder, only):
        complete(found, name, table, goal)
        names.append((name, table.n_rows))
        if results is not None:
            results.write_text(json.dumps(found, indent=1), "utf-8")
        click.echo(f"{name}: done")
    if not names:
        raise click.ClickException(f"No table of classes with {LEAST_ROWS} rows or more in {folder}.")
    seconds = sum(f["seconds"] for of in found.values() for f in of[OPTIMAL])
    parts = [shown(found, depth, names) for depth in DEPTHS]
    for part in parts:
        click.echo(part.text())
    if markdown is not None:
        write_markdown(
            markdown,
            f"{where}; searches end after {WORK:,} visits of rows, {seconds:,.0f} s of CPU in all",
            parts,
        )


if __name__ == "__main__":
    main()
