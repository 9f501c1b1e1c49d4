"""`python -m benchmarks.study_shards`: do memory, the spool and Dask write one model file, byte for byte?

The two tables that are too large for the tests, `wide` to purity and `cover` to depth 12, by three recipes,
in 16 files whose order is shuffled. Minutes; `--rows` makes both tables smaller.

    python -m benchmarks.study_shards --table wide --recipe c4.5 --workers 0
"""

import tempfile
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd

import treewright as tw
from benchmarks import data
from treewright.shards.spool import View

N_PARTS = 16
TABLES: dict[str, tuple[Any, int, dict[str, Any]]] = {
    "wide": (data.wide, 300_000, {}),
    "cover": (data.cover, 200_000, {"max_depth": 12}),
}
RECIPES = ("plain", "c4.5", "cart")


def written(name: str, n_rows: int, folder: Path) -> list[Path]:
    """Return the files of a table, in an order that is not that of their names."""
    X, y = TABLES[name][0](n_rows)
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])]).assign(y=[f"c{k}" for k in y])
    files = [folder / f"{name}-{i:02}.parquet" for i in range(N_PARTS)]
    for i, file in enumerate(files):
        frame.iloc[i::N_PARTS].to_parquet(file, index=False)
    np.random.default_rng(0).shuffle(files)  # type: ignore[arg-type]
    return files


def bytes_of(tree: tw.Tree, place: Path) -> bytes:
    """Return the file of a tree, but for who grew it."""
    about = {name: value for name, value in tree.about.items() if name != "growth"}
    tw.tree.edit.alter(tree, about=about).save(place)
    return place.read_bytes()


def compared(files: list[Path], recipe: str, told: dict[str, Any], memory: str, workers: list[int]) -> None:
    """Grow a tree in memory and elsewhere, and say whether the files are the same."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "model"
        given = {"prune": "none", **told}

        def line(name: str, grow: Any, wanted: bytes | None = None) -> bytes:
            wall, cpu = time.perf_counter(), time.process_time()
            tree = grow()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            found = bytes_of(tree, place)
            verdict = "" if wanted is None else "the same" if found == wanted else "DIFFERENT"
            passes = dict(tree.about.get("growth", {})).get("passes", "")
            click.echo(
                f"  {name:10} {tree.n_leaves:7} leaves {cpu:8.1f} CPU s {wall:8.1f} s  {passes!s:5} {verdict}"
            )
            return found

        wanted = line("memory", lambda: tw.grow(tw.read(files[0].parent), "y", recipe, warns=False, **given))
        line("spool", lambda: tw.grow(files, "y", recipe, memory=memory, n_threads=2, **given), wanted)
        for n in workers:
            import distributed

            quiet = {
                "threads_per_worker": 1,
                "dashboard_address": ":0",
                "processes": False,
                "silence_logs": 50,
            }
            with distributed.LocalCluster(n_workers=n, **quiet) as here, distributed.Client(here) as client:
                line(f"Dask, {n}", lambda: tw.grow(files, "y", recipe, engine=client, **given), wanted)


@click.command()
@click.option("--table", "tables", multiple=True, type=click.Choice(list(TABLES)), default=tuple(TABLES))
@click.option("--recipe", "recipes", multiple=True, type=click.Choice(RECIPES), default=RECIPES)
@click.option("--rows", type=int, help="Rows of each table; else 300,000 and 200,000.")
@click.option("--workers", multiple=True, type=int, default=(1, 2, 4), help="Of Dask; 0: no Dask.")
@click.option("--memory", default="1GB", show_default=True)
def main(
    tables: tuple[str, ...], recipes: tuple[str, ...], rows: int | None, workers: tuple[int, ...], memory: str
) -> None:
    """Compare the model files of memory, the spool and Dask."""
    View.fits = lambda *_args, **_told: False  # type: ignore[method-assign]
    for name in tables:
        with tempfile.TemporaryDirectory() as folder:
            files = written(name, rows or TABLES[name][1], Path(folder))
            for recipe in recipes:
                click.echo(f"{name}, {recipe}")
                compared(files, recipe, TABLES[name][2], memory, [n for n in workers if n])


if __name__ == "__main__":
    main()
