"""What one tree costs as tables and classes grow, what a second thread saves, how much memory `fit` takes."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import treewright as tw
from benchmarks.compare import Job, Outcome, Verdict, compare
from benchmarks.data import classes_around, wide
from benchmarks.memory import Memory, is_measurable, memory_of_fit
from benchmarks.report import Result, Table, show
from benchmarks.targets import sentences

DEPTHS = {"depth 8": 8, "to purity": None}


@dataclass(frozen=True)
class Sizes:
    """Rows of `wide` for threads and memory; growth is from a tenth of them. Rows of many classes."""

    wide: int
    rounds: int
    is_full: bool = False
    classes: int = 2_000


FULL = Sizes(wide=800_000, rounds=3, is_full=True, classes=100_000)
QUICK = Sizes(wide=50_000, rounds=3)


def main(quick: bool) -> list[Result]:
    return run(QUICK if quick else FULL)


def run(sizes: Sizes) -> list[Result]:
    X, y = wide(sizes.wide)
    return [
        *(growth(X, y, limit, sizes) for limit in DEPTHS),
        *(threads(X, y, limit, sizes) for limit in DEPTHS),
        *memory(X, y, sizes),
        *many_classes(sizes),
    ]


@dataclass(frozen=True)
class Fitted:
    """A tree of ours: its nodes, to be told and to be compared."""

    tree: tw.Tree

    def __call__(self) -> str:
        return f"{self.tree.n_nodes:,}"

    def is_same(self, other: "Fitted") -> bool:
        pairs = [(getattr(self.tree, name), getattr(other.tree, name)) for name in ("end", "column", "cut")]
        return all(np.array_equal(a, b, equal_nan=True) for a, b in pairs)


def fit(
    X: NDArray[np.float32], y: NDArray[np.int32], limit: str, n_jobs: int = 1, criterion: str = "gini"
) -> Job:
    model = tw.DecisionTreeClassifier(max_depth=DEPTHS[limit], n_jobs=n_jobs, criterion=criterion)
    return lambda: Fitted(model.fit(X, y).tree_)


def growth(X: NDArray[np.float32], y: NDArray[np.int32], limit: str, sizes: Sizes) -> Result:
    """From n rows to 10n, in CPU seconds."""
    n_rows = len(X) // 10
    return compare(
        f"growth with n, {limit}, wide, {n_rows:,} to {len(X):,} rows",
        {"10n rows": fit(X, y, limit), "n rows": fit(X[:n_rows], y[:n_rows], limit)},
        job=f"10n rows, {limit}, wide",
        is_judged=sizes.is_full,
        rounds=sizes.rounds,
        result="nodes",
    )


def threads(X: NDArray[np.float32], y: NDArray[np.int32], limit: str, sizes: Sizes) -> Result:
    """Two threads against one, in wall seconds; the tree must be the same."""
    return compare(
        f"2 threads, {limit}, wide, {len(X):,} rows",
        {"2 threads": fit(X, y, limit, n_jobs=2), "1 thread": fit(X, y, limit, n_jobs=1)},
        job=f"2 threads, {limit}, wide",
        is_judged=sizes.is_full,
        clock="wall",
        rounds=sizes.rounds,
        result="nodes",
        check=_same_tree,
    )


def _same_tree(outcomes: Mapping[str, Outcome]) -> Verdict | None:
    first, second = outcomes.values()
    if not isinstance(first, Fitted) or not isinstance(second, Fitted):
        return None
    is_same = first.is_same(second)
    return Verdict("tree: the same" if is_same else "tree: NOT the same", is_failure=not is_same)


def many_classes(sizes: Sizes) -> list[Result]:
    """To purity, in CPU seconds, against scikit-learn; and one class for every other row."""
    found = [
        compare(
            f"{k:,} classes, to purity, {len(X):,} rows x 28",
            {"treewright": fit(X, y, "to purity"), "scikit-learn": _fit_peer(X, y)},
            job=f"{k:,} classes, to purity",
            is_judged=sizes.is_full,
            rounds=1,
            result="nodes",
        )
        for k in (100, 1_000)
        for X, y in (classes_around(sizes.classes, k),)
    ]
    X, y = classes_around(sizes.classes // 5, sizes.classes // 10)
    jobs = {name: fit(X, y, "to purity", criterion=name) for name in ("gini", "entropy")}
    title = f"{sizes.classes // 10:,} classes, to purity, {len(X):,} rows x 28"
    return [*found, compare(title, jobs, rounds=1, result="nodes")]


def _fit_peer(X: NDArray[np.float32], y: NDArray[np.int32]) -> Job:
    from sklearn.tree import DecisionTreeClassifier

    def job() -> Outcome:
        n_nodes = DecisionTreeClassifier(random_state=0).fit(X, y).tree_.node_count
        return lambda: f"{n_nodes:,}"

    return job


def memory(X: NDArray[np.float32], y: NDArray[np.int32], sizes: Sizes) -> list[Result]:
    """Resident memory at the peak of `fit`, less what was there before it: in multiples of the input."""
    if not is_measurable():
        return []
    taken = {
        (name, limit): memory_of_fit(name, depth, X, y)
        for limit, depth in DEPTHS.items()
        for name in ("treewright", "scikit-learn")
        if name == "treewright" or depth
    }
    figures = {
        (f"memory beyond the input, {limit}, wide", "the input"): found.beyond
        for (name, limit), found in taken.items()
        if name == "treewright"
    }
    table = Table(
        f"memory during fit, wide, {len(X):,} rows x {X.shape[1]} float32, a fresh process each",
        ("", "input", "before", "peak", "beyond the input"),
        tuple(_memory_row(f"{name}, {limit}", found) for (name, limit), found in taken.items()),
        tuple(sentences(figures, sizes.is_full)),
    )
    return [show(Result(table, figures))]


def _memory_row(name: str, found: Memory) -> tuple[str, ...]:
    sizes = (f"{size / 2**20:,.0f} MB" for size in (found.input, found.before, found.peak))
    return (name, *sizes, f"{found.beyond:.2f}x")
