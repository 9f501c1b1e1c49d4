"""Random forests: growing and predicting beside other libraries' forests, one thread each, and memory."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import treewright as tw
from benchmarks import peers
from benchmarks.compare import Job, Outcome, compare
from benchmarks.data import cover, wide
from benchmarks.memory import is_measurable, resident
from benchmarks.report import ROOT, Result, Table, show
from benchmarks.targets import sentences

N_TREES = 20
GIGABYTES = 2.0
ROUNDING = "XGBoost rounds to 256 bins, draws columns per node and rows without replacement (63 % of them)."
ONE_PER_CLASS = "XGBoost grows one tree per class and round: not this job, left out."


@dataclass(frozen=True)
class Sizes:
    """Rows to grow on and to ask about, and trees of the forest whose memory is measured."""

    rows: int
    n_trees: int
    is_full: bool = False


FULL = Sizes(rows=200_000, n_trees=500, is_full=True)
QUICK = Sizes(rows=5_000, n_trees=20)


def main(quick: bool) -> list[Result]:
    return run(QUICK if quick else FULL)


def run(sizes: Sizes) -> list[Result]:
    names = ("treewright", "scikit-learn", "XGBoost")
    return [
        grown("forest, 20 trees to purity, wide", Rows.of(wide, sizes.rows), names, (ROUNDING,), sizes),
        grown(
            "forest, 20 trees to purity, cover",
            Rows.of(cover, sizes.rows),
            names[:2],
            (ONE_PER_CLASS,),
            sizes,
        ),
        random_cuts(Rows.of(wide, sizes.rows), sizes),
        random_cuts(Rows.of(cover, sizes.rows), sizes, "cover"),
        predicted(Rows.of(wide, sizes.rows), sizes),
        *memory(sizes),
    ]


# ---- the forests -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rows:
    """Rows to grow on, and as many others to judge by."""

    X: NDArray[np.float32]
    y: NDArray[np.int32]
    asked: NDArray[np.float32]
    truth: NDArray[np.int32]

    @classmethod
    def of(cls, table: Callable[[int], Any], n_rows: int) -> "Rows":
        X, y = table(2 * n_rows)
        return cls(X[:n_rows], y[:n_rows], np.ascontiguousarray(X[n_rows:]), y[n_rows:])

    def error(self, said: NDArray[Any]) -> str:
        return f"{np.mean(said != self.truth):.4f}"


Predict = Callable[[NDArray[np.float32]], NDArray[Any]]
Train = Callable[[Rows], Predict]


def treewright(rows: Rows) -> Predict:
    model = tw.RandomForestClassifier(N_TREES, random_state=0, n_jobs=1).fit(rows.X, rows.y)
    return lambda X: np.asarray(model.predict(X))


def scikit_learn(rows: Rows) -> Predict:
    from sklearn.ensemble import RandomForestClassifier

    model = RandomForestClassifier(N_TREES, random_state=0, n_jobs=1).fit(rows.X, rows.y)
    return lambda X: np.asarray(model.predict(X))


def yggdrasil(rows: Rows) -> Predict:
    import ydf

    def columns(X: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
        return {f"x{j}": np.ascontiguousarray(x) for j, x in enumerate(X.T)}

    learner = ydf.RandomForestLearner(
        label="y",
        num_trees=N_TREES,
        max_depth=-1,
        min_examples=1,
        winner_take_all=False,
        compute_oob_performances=False,
        num_threads=1,
    )
    model = learner.train(columns(rows.X) | {"y": rows.y}, verbose=0)
    ready = columns(rows.asked)  # it takes columns, and gets them contiguous
    return lambda X: (model.predict(ready if X is rows.asked else columns(X)) > 0.5).astype(np.int32)


def xgboost(rows: Rows) -> Predict:
    import xgboost

    settings = {
        "objective": "binary:logistic",
        "base_score": 0.5,
        "tree_method": "hist",
        "max_bin": 256,
        "max_depth": 0,
        "num_parallel_tree": N_TREES,
        "subsample": 0.632,
        "colsample_bynode": np.sqrt(rows.X.shape[1]) / rows.X.shape[1],
        "learning_rate": 1.0,
        "reg_lambda": 0.0,
        "min_child_weight": 0.0,
        "nthread": 1,
    }
    data = xgboost.QuantileDMatrix(rows.X, rows.y, max_bin=256, nthread=1)
    model = xgboost.train(settings, data, num_boost_round=1)
    return lambda X: (model.inplace_predict(X) > 0.5).astype(np.int32)


FORESTS: dict[str, tuple[str, Train]] = {
    "treewright": ("treewright", treewright),
    "scikit-learn": ("scikit-learn", scikit_learn),
    "YDF": ("YDF", yggdrasil),
    "XGBoost": ("XGBoost, rounds to 256 bins", xgboost),
}


def is_there(name: str) -> bool:
    return peers.is_installed(FORESTS[name][0])


# ---- the jobs ----------------------------------------------------------------------------------------


def grown(job: str, rows: Rows, names: tuple[str, ...], notes: tuple[str, ...], sizes: Sizes) -> Result:
    """Grow a forest; what stands beside the time is its error on other rows."""

    def way(train: Train) -> Job:
        def work() -> Outcome:
            predict = train(rows)
            return lambda: rows.error(predict(rows.asked))

        return work

    left_out = tuple(f"{name} is not installed: left out." for name in names if not is_there(name))
    return compare(
        f"{job}, {len(rows.X):,} rows x {rows.X.shape[1]} float32, gini, root of the columns drawn",
        {name: way(FORESTS[name][1]) for name in names if is_there(name)},
        job=job,
        is_judged=sizes.is_full,
        result="error on new rows",
        notes=(*notes, *left_out),
    )


def random_cuts(rows: Rows, sizes: Sizes, table: str = "wide") -> Result:
    """Extremely randomised trees (Geurts, Ernst, Wehenkel 2006): one cut drawn for each column drawn."""
    from sklearn.ensemble import ExtraTreesClassifier

    asked: dict[str, Any] = {"random_state": 0, "n_jobs": 1, "bootstrap": False}
    models = {
        "treewright": tw.RandomForestClassifier(N_TREES, splitter="random", **asked),
        "scikit-learn": ExtraTreesClassifier(N_TREES, **asked),
    }

    def way(model: Any) -> Job:
        def work() -> Outcome:
            fitted = model.fit(rows.X, rows.y)
            return lambda: rows.error(fitted.predict(rows.asked))

        return work

    job = f"forest of random cuts, 20 trees to purity, {table}"
    return compare(
        f"{job}, {len(rows.X):,} rows x {rows.X.shape[1]} float32, gini, root of the columns drawn",
        {name: way(model) for name, model in models.items()},
        job=job,
        is_judged=sizes.is_full,
        result="error on new rows",
    )


def predicted(rows: Rows, sizes: Sizes) -> Result:
    """Ask each library's own forest of 20 trees to purity about new rows."""
    names = tuple(name for name in FORESTS if is_there(name))
    models = {name: FORESTS[name][1](rows) for name in names}

    def way(predict: Predict) -> Job:
        def work() -> Outcome:
            said = predict(rows.asked)
            return lambda: rows.error(said)

        return work

    return compare(
        f"forest prediction, {N_TREES} trees to purity, {len(rows.asked):,} new rows of wide, classes",
        {name: way(predict) for name, predict in models.items()},
        job="forest prediction, 200,000 rows",
        is_judged=sizes.is_full,
        rounds=5,
        result="error on new rows",
        notes=tuple(f"{name} is not installed: left out." for name in FORESTS if not is_there(name)),
    )


def memory(sizes: Sizes) -> list[Result]:
    """The peak of a process that grows a large forest: interpreter, table and model included."""
    if not is_measurable():
        return []
    command = [sys.executable, "-m", "benchmarks.bench_forest", str(sizes.rows), str(sizes.n_trees)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    peak, model, n_nodes = map(int, done.stdout.split()[-3:])
    job = "peak of 500 trees to purity, 200,000 rows"
    figures = {(job, "2 GB"): peak / (GIGABYTES * 2**30)}
    table = Table(
        f"memory, {sizes.n_trees} trees to purity, wide, {sizes.rows:,} rows, 2 threads",
        ("", "bytes"),
        (
            ("peak of the process", f"{peak / 2**30:.2f} GB"),
            ("the model", f"{model / 2**30:.2f} GB, {n_nodes:,} nodes, {model / n_nodes:.1f} bytes each"),
        ),
        tuple(sentences(figures, sizes.is_full)),
    )
    return [show(Result(table, figures))]


def _grow_here(n_rows: str, n_trees: str) -> None:
    X, y = wide(int(n_rows))
    model = tw.RandomForestClassifier(int(n_trees), random_state=0, n_jobs=2).fit(X, y)
    print(resident("VmHWM"), model.forest_.n_bytes, model.forest_.n_nodes)


if __name__ == "__main__":
    _grow_here(*sys.argv[1:])
