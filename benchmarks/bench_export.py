"""A forest as C: how long it compiles, and how fast it answers beside our own predict, on one thread."""

import ctypes
import os
import resource
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import treewright as tw
from benchmarks.compare import duration
from benchmarks.data import adult
from benchmarks.report import Result, Table, show
from treewright.export.code.naming import fields_of
from treewright.table import align

ROUNDS = 3
MOST_APART = 1e-9  # of probabilities
_WRAPPER = """
#include "model.h"
size_t size_of_row(void) { return sizeof(model_row); }
size_t size_of_answer(void) { return sizeof(model_answer); }
void many(const model_row *rows, size_t n, model_answer *answers) { model_predict_many(rows, n, answers); }
"""


@dataclass(frozen=True)
class Sizes:
    """Rows of the census table, and trees."""

    n_rows: int
    n_trees: int


def main(quick: bool) -> list[Result]:
    return run(Sizes(3_000, 20) if quick else Sizes(32_561, 500))


def run(sizes: Sizes) -> list[Result]:
    table = adult(sizes.n_rows)
    forest = tw.forest.grow(table, target="income", n_trees=sizes.n_trees)
    compiler = shutil.which(os.environ.get("CC") or "cc")
    title = f"adult as C, {sizes.n_trees} trees, {forest.n_nodes:,} nodes, {table.n_rows:,} rows, one thread"
    if compiler is None:
        return [show(Result(Table(title, ("",), (), ("No C compiler is here: left out.",))))]
    with tempfile.TemporaryDirectory() as name:
        library, compiling = compiled(forest, Path(name), compiler)
        found, theirs = best_of(lambda: answered(library, forest, table))
    own, ours = best_of(lambda: forest.predict_proba(table))
    apart = float(np.abs(found - own).max())
    peers = [*with_treelite(forest, table), *with_lleaves(forest, table, sizes.n_trees)]
    rows = (
        ("compiling the header", duration(compiling), ""),
        ("forest.predict_proba", duration(ours), "1.00"),
        ("C, model_predict_many", duration(theirs), f"{theirs / ours:.2f}"),
        *((name, duration(took), f"{took / ours:.2f}") for name, took in peers),
    )
    failures = (f"{title}: probabilities are {apart:g} apart",) if apart > MOST_APART else ()
    notes = (
        "The C side is given its structs, peers their arrays; ours is given a Table. Compiled with -O2.",
        "lleaves takes LightGBM's models only: a random forest of LightGBM with as many trees and leaves.",
    )
    return [show(Result(Table(title, ("", "CPU", "ratio"), rows, notes), {}, failures))]


def codes(model: tw.forest.Forest, table: tw.Table) -> NDArray[np.float64]:
    """Return the rows as numbers, categories as codes from 0, gaps as NaN."""
    columns = [np.asarray(c, np.float64) for c in align(table, model.schema.columns)]
    return np.column_stack([np.where(c < 0, np.nan, c) if is_code else c for c, is_code in zip(
        columns, (bool(column.categories) for column in model.schema.columns), strict=True
    )])  # fmt: skip


def with_treelite(forest: tw.forest.Forest, table: tw.Table) -> list[tuple[str, float]]:
    """Return how long Treelite's own engine takes for the same forest, on one thread; nothing without it."""
    if find_spec("treelite") is None:
        return []
    from treelite import gtil

    model, rows = tw.export.to_treelite(forest), codes(forest, table)
    return [("treelite, gtil", best_of(lambda: gtil.predict(model, rows, nthread=1))[1])]


def with_lleaves(forest: tw.forest.Forest, table: tw.Table, n_trees: int) -> list[tuple[str, float]]:
    """Return how long LLVM code of lleaves takes, for a forest of LightGBM of this size; nothing without."""
    if not (find_spec("lleaves") and find_spec("lightgbm")):
        return []
    import lightgbm
    import lleaves

    n_leaves = (forest.n_nodes + forest.n_trees) // 2 // forest.n_trees
    settings = {"boosting_type": "rf", "subsample": 0.63, "subsample_freq": 1, "min_child_samples": 1}
    theirs = lightgbm.LGBMClassifier(
        n_estimators=n_trees, num_leaves=n_leaves, n_jobs=1, verbose=-1, min_child_weight=0.0, **settings
    )
    rows = codes(forest, table)
    theirs.fit(rows, table.labels(forest.target.name))
    with tempfile.TemporaryDirectory() as name:
        path = str(Path(name) / "model.txt")
        theirs.booster_.save_model(path)
        begin = time.process_time()
        model = lleaves.Model(model_file=path)
        model.compile()
        compiling = time.process_time() - begin
        took = best_of(lambda: model.predict(rows, n_jobs=1))[1]
    return [("lleaves, compiling", compiling), ("lleaves", took)]


def best_of(job):
    """Return what a job gives, and its least CPU seconds."""
    seconds = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        found = job()
        seconds.append(time.process_time() - begin)
    return found, min(seconds)


def compiled(forest: tw.forest.Forest, folder: Path, compiler: str) -> tuple[ctypes.CDLL, float]:
    """Return the header as a library, and the CPU seconds of the compiler."""
    (folder / "model.h").write_text(str(tw.export.export(forest, format="c")), encoding="utf-8")
    (folder / "wrapper.c").write_text(_WRAPPER, encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    flags = ["-std=c99", "-O2", "-shared", "-fPIC", "-o", "model.so", "wrapper.c", "-lm"]
    subprocess.run([compiler, *flags], cwd=folder, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    library = ctypes.CDLL(str(folder / "model.so"))
    for name in ("size_of_row", "size_of_answer"):
        getattr(library, name).restype = ctypes.c_size_t
    return library, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def answered(library: ctypes.CDLL, forest: tw.forest.Forest, table: tw.Table) -> NDArray[np.float64]:
    """Return the probabilities that the library finds."""
    fields = fields_of(forest.schema.columns, forest.used_columns.tolist())
    row = np.dtype([(f.name, np.float64 if f.kind == "number" else np.int32) for f in fields], align=True)
    answer = np.dtype([("label", np.int32), ("chances", np.float64, len(forest.classes))], align=True)
    assert (row.itemsize, answer.itemsize) == (library.size_of_row(), library.size_of_answer())
    rows, answers = np.zeros(table.n_rows, row), np.zeros(table.n_rows, answer)
    columns = align(table, forest.schema.columns)
    for field in fields:
        rows[field.name] = columns[field.place]
    library.many(
        ctypes.c_void_p(rows.ctypes.data), ctypes.c_size_t(len(rows)), ctypes.c_void_p(answers.ctypes.data)
    )
    return np.array(answers["chances"])
