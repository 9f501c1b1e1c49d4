"""`python -m benchmarks.study_disk ROWS FOLDER`: a tree of depth 10 on Parquet files, in 2 GB of memory.

Not part of `./dev bench`: 50 million rows take 4 GB of disk for the files and 5 GB for the spool. Files are
made where they are not there yet. Each library runs in a process of its own, ours under a limit of 6 GB of
address space; CPU seconds are those of the process and of all that it starts. `--same` compares our tree
with the one that memory gives.

    python -m benchmarks.study_disk 5_000_000 /tmp/rows --peers xgboost --peers mllib --same
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchmarks.memory import resident
from benchmarks.report import ROOT

N_COLUMNS, ROWS_OF_FILE, DEPTH = 20, 1_000_000, 10
ADDRESS_SPACE = 6_000_000_000
NAMES = [f"x{i}" for i in range(N_COLUMNS)]


def piece(number: int, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of one file: noisy, two classes; a few columns are skewed, whole, or mostly zero."""
    rng = np.random.default_rng(number)
    X = rng.normal(size=(n_rows, N_COLUMNS)).astype(np.float32)
    X[:, 12:15] = np.exp(X[:, 12:15])
    X[:, 15:18] = np.rint(X[:, 15:18] * 10)
    X[:, 18:] *= rng.random((n_rows, 2)) < 0.3
    score = (
        X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + 0.7 * X[:, 12] - 0.5 * X[:, 18] * X[:, 3] + X[:, 15] / 15
    )
    return X, (score + 0.8 * rng.normal(size=n_rows) > 1.0).astype(np.int8)


def make(n_rows: int, folder: Path) -> None:
    """Write the Parquet files that are not there yet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    for number in range(-(-n_rows // ROWS_OF_FILE)):
        path = folder / f"part-{number:04}.parquet"
        n = min(ROWS_OF_FILE, n_rows - number * ROWS_OF_FILE)
        if path.exists() and pq.read_metadata(path).num_rows == n:
            continue
        X, y = piece(number, n)
        columns = {name: X[:, i] for i, name in enumerate(NAMES)}
        columns["y"] = pa.DictionaryArray.from_arrays(pa.array(y), pa.array(["no", "yes"]))
        pq.write_table(pa.table(columns), path, row_group_size=200_000)


# ---- the libraries, each in a process of its own ---------------------------------------------------------


def ours(folder: Path) -> dict[str, Any]:
    import treewright as tw

    tree = tw.grow(folder, "y", max_depth=DEPTH, memory="2GB", n_threads=2)
    tree.save(folder.parent / f"{folder.name}.treewright")
    return {"leaves": tree.n_leaves, "growth": dict(tree.about["growth"])}


def in_memory(folder: Path) -> dict[str, Any]:
    import treewright as tw

    tree = tw.grow(tw.read(folder), "y", max_depth=DEPTH, n_threads=2, warns=False)
    other = tw.load(folder.parent / f"{folder.name}.treewright")
    return {"leaves": tree.n_leaves, "is_same": tree == other}


def xgboost(folder: Path) -> dict[str, Any]:
    """One tree from external memory, 256 bins: an iterator over the files, pages on the disk."""
    import pyarrow.parquet as pq
    import xgboost as xgb

    class Files(xgb.DataIter):  # type: ignore[misc]
        def __init__(self, cache: str) -> None:
            self.paths, self.at = sorted(folder.glob("*.parquet")), 0
            super().__init__(cache_prefix=os.path.join(cache, "pages"))

        def next(self, input_data: Callable[..., Any]) -> bool:
            if self.at == len(self.paths):
                return False
            table = pq.read_table(self.paths[self.at])
            X = np.stack([table[name].to_numpy() for name in NAMES], axis=1)
            y = np.concatenate([chunk.indices.to_numpy() for chunk in table["y"].chunks])
            input_data(data=X, label=y)
            self.at += 1
            return True

        def reset(self) -> None:
            self.at = 0

    with tempfile.TemporaryDirectory(dir=folder.parent) as cache:
        rows = xgb.ExtMemQuantileDMatrix(Files(cache), max_bin=256)
        told = {"max_depth": DEPTH, "tree_method": "hist", "eta": 1, "lambda": 0, "min_child_weight": 0}
        model = xgb.train(told | {"nthread": 2, "objective": "binary:logistic"}, rows, num_boost_round=1)
        return {"leaves": model.trees_to_dataframe()["Feature"].eq("Leaf").sum().item()}


def mllib(folder: Path) -> dict[str, Any]:
    """One tree of Spark's MLlib, 256 bins, local[2]."""
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import StringIndexer, VectorAssembler
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "4g")
        .config("spark.ui.enabled", "false")
        .config("spark.local.dir", str(folder.parent))
        .getOrCreate()
    )
    rows = spark.read.parquet(str(folder))
    rows = StringIndexer(inputCol="y", outputCol="label").fit(rows).transform(rows)
    rows = VectorAssembler(inputCols=NAMES, outputCol="features").transform(rows).select("features", "label")
    model = DecisionTreeClassifier(maxDepth=DEPTH, maxBins=256, maxMemoryInMB=512).fit(rows)
    found = {"leaves": (model.numNodes + 1) // 2}
    spark.stop()
    return found


LIBRARIES = {"ours": ours, "memory": in_memory, "xgboost": xgboost, "mllib": mllib}


def measured(library: str, folder: Path) -> dict[str, Any]:
    """Return what a library says of its tree, with its CPU and wall seconds."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "benchmarks.study_disk", "--run", library, "0", str(folder)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    wall = time.perf_counter() - started
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {"library": library, "cpu": round(cpu, 1), "wall": round(wall, 1), **told}


def lines(found: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Yield a line of figures for each library, with its CPU seconds beside ours."""
    ours_cpu = None
    for one in found:
        ours_cpu = ours_cpu or one["cpu"]
        peak = f"{one['peak'] / 1e9:.2f} GB" if one.get("peak") else ""
        more = {k: v for k, v in one.items() if k not in ("library", "cpu", "wall", "peak", "leaves")}
        yield (
            f"{one['library']:8} {one['cpu']:8.1f} CPU s ({one['cpu'] / ours_cpu:.2f} of ours) "
            f"{one['wall']:8.1f} s  {one['leaves']:5} leaves  {peak}  {more or ''}"
        )


@click.command()
@click.argument("n_rows", type=int)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--peers", multiple=True, type=click.Choice(["xgboost", "mllib"]), help="Whom to compare with.")
@click.option("--same", is_flag=True, help="Compare the tree with the one that memory gives.")
@click.option("--run", type=click.Choice(list(LIBRARIES)), hidden=True)
def main(n_rows: int, folder: Path, peers: tuple[str, ...], same: bool, run: str | None) -> None:
    """Grow a tree of depth 10 from Parquet files, in 2 GB."""
    if run is not None:
        if run == "ours":
            resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        told = LIBRARIES[run](folder)
        peak = None if run == "mllib" else resident("VmHWM")  # a JVM is another process
        print(json.dumps(told | {"peak": peak}))
        return
    make(n_rows, folder)
    for line in lines(measured(name, folder) for name in ["ours", *(["memory"] if same else []), *peers]):
        print(line, flush=True)


if __name__ == "__main__":
    main()
