"""Optimal trees: on numbers beside ConTree, on zeros and ones beside STreeD and DL8.5, and on raw tables."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import treewright as tw
from benchmarks.compare import Job, Outcome, Verdict, compare
from benchmarks.report import Result
from treewright.table import read_described

DATA = Path(__file__).parents[1] / "tests" / "data"
# 0/1 tables of some size, and the raw tables they were made of.
TABLES = (
    "credit_g",
    "crx",
    "hypothyroid",
    "monk1",
    "monk2",
    "monk3",
    "mushroom",
    "soybean",
    "stagec",
    "vote",
)
LIMIT = 60  # seconds for a table too large to be sure of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Sizes:
    """Rows and columns of numbers at depth 3 and at depth 4; rows of a large table; 0/1 tables."""

    wide: tuple[int, int]
    deep: tuple[int, int]
    large: int
    tables: tuple[str, ...]
    rounds: int
    is_full: bool = False


FULL = Sizes((1000, 20), (500, 10), 50_000, TABLES, rounds=3, is_full=True)
QUICK = Sizes((300, 5), (100, 4), 2_000, ("monk1", "stagec", "vote"), rounds=3)


@dataclass(frozen=True)
class Errors:
    """How many training rows trees get wrong."""

    n: int

    def __call__(self) -> str:
        return f"{self.n:,}"


def main(quick: bool) -> list[Result]:
    return run(QUICK if quick else FULL)


def run(sizes: Sizes) -> list[Result]:
    return [
        on_numbers(sizes.wide, 3, sizes),
        on_numbers(sizes.deep, 4, sizes),
        on_bits(sizes),
        on_raw(sizes),
        on_many_rows(sizes),
    ]


def numbers(n_rows: int, n_columns: int) -> tuple[Floats, Ints]:
    """Return noisy numbers of two classes: a sum, a product, and noise."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n_rows, n_columns))
    worth = X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] + 0.8 * rng.normal(size=n_rows)
    return X, (worth > 0).astype(np.int64)


def bits(name: str) -> tuple[Ints, Ints]:
    """Return a table of zeros and ones, and its classes, numbered from 0 as DL8.5 takes them."""
    with gzip.open(DATA / "optimal" / f"{name}.csv.gz", "rt", newline="") as file:
        rows = np.array([[int(cell) for cell in row] for row in list(csv.reader(file))[1:]])
    return rows[:, :-1], np.unique(rows[:, -1], return_inverse=True)[1]


def ways_on(
    tables: list[tuple[Any, Any]], depth: int, peers: Mapping[str, Callable[..., Any]]
) -> dict[str, Job]:
    """Return who grows trees on all tables: ours, and the peers that are installed."""

    def job(make: Callable[[int], Any]) -> Job:
        def run_all() -> Outcome:
            fitted = [(make(depth).fit(X, y), X, y) for X, y in tables]
            return Errors(sum(int((np.asarray(model.predict(X)) != y).sum()) for model, X, y in fitted))

        return run_all

    return {name: job(make) for name, make in {"treewright": ours, **peers}.items()}


def ours(depth: int) -> Any:
    return tw.OptimalTreeClassifier(max_depth=depth, categorical_features=None)


class ConTree:
    """pycontree takes a frame."""

    def __init__(self, depth: int) -> None:
        self.model = import_module("pycontree").ConTree(max_depth=depth, time_limit=600)

    def fit(self, X: Floats, y: Ints) -> ConTree:
        self.model.fit(import_module("pandas").DataFrame(X), y)
        return self

    def predict(self, X: Floats) -> Any:
        return self.model.predict(import_module("pandas").DataFrame(X))


def streed(depth: int) -> Any:
    make = import_module("pystreed").STreeDClassifier
    return make("accuracy", max_depth=depth, max_num_nodes=2**depth - 1, time_limit=600)


def dl85(depth: int) -> Any:
    return import_module("pydl85").DL85Classifier(max_depth=depth, time_limit=600)


MODULES = {"ConTree": "pycontree", "STreeD": "pystreed", "DL8.5": "pydl85"}


def installed(
    peers: Mapping[str, Callable[..., Any]],
) -> tuple[dict[str, Callable[..., Any]], tuple[str, ...]]:
    """Return the peers that are here, and what is said of the others."""
    here = {name: make for name, make in peers.items() if find_spec(MODULES[name])}
    return here, tuple(f"{name} is not installed: left out." for name in peers if name not in here)


def _beside(
    job: str,
    about: str,
    tables: list[tuple[Any, Any]],
    depth: int,
    peers: Mapping[str, Callable[..., Any]],
    sizes: Sizes,
) -> Result:
    here, notes = installed(peers)
    return compare(
        f"optimal, depth {depth}, {about}",
        ways_on(tables, depth, here),
        job=job,
        is_judged=sizes.is_full,
        rounds=sizes.rounds,
        result="errors",
        check=_same_errors,
        notes=notes,
    )


def on_numbers(size: tuple[int, int], depth: int, sizes: Sizes) -> Result:
    """Every cut of every number."""
    tables = [numbers(*size)]
    about = f"{size[0]:,} x {size[1]} numbers"
    return _beside(f"optimal, depth {depth}, numbers", about, tables, depth, {"ConTree": ConTree}, sizes)


def on_bits(sizes: Sizes) -> Result:
    """Zeros and ones, several tables one after the other."""
    tables = [bits(name) for name in sizes.tables]
    about = f"{len(tables)} tables of zeros and ones"
    return _beside(
        "optimal, depth 3, zeros and ones", about, tables, 3, {"STreeD": streed, "DL8.5": dl85}, sizes
    )


def on_raw(sizes: Sizes) -> Result:
    """The same tables as they are: numbers, categories, gaps. Nobody else takes them."""

    def job(depth: int) -> Job:
        def run_all() -> Outcome:
            proofs = [_raw_proof(name, depth) for name in sizes.tables]
            n_errors, n_proven = sum(p.upper for p in proofs), sum(p.is_proven for p in proofs)
            return lambda: f"{n_errors:,.0f} errors, {n_proven} of {len(proofs)} proven"

        return run_all

    ways = {f"depth {depth}": job(depth) for depth in (2, 3)}
    return compare("optimal, raw tables", ways, rounds=sizes.rounds)


def _raw_proof(name: str, depth: int) -> Any:
    path = next(DATA.glob(f"{name}.csv*"))
    table = read_described(path)
    target = tw.read(path).names[-1]
    return tw.optimal(table, target, max_depth=depth, time_limit=LIMIT, warns=False).certificate


def on_many_rows(sizes: Sizes) -> Result:
    """Many rows: proven, or the gap after a minute."""
    X, y = numbers(sizes.large, 20)

    def search() -> Outcome:
        model = tw.OptimalTreeClassifier(max_depth=3, time_limit=LIMIT).fit(X, y)
        return lambda: str(model.certificate_)

    return compare(f"optimal, depth 3, {sizes.large:,} x 20 numbers", {"treewright": search}, rounds=1)


def _same_errors(outcomes: Mapping[str, Outcome]) -> Verdict | None:
    """All are optimal, so all have the same errors."""
    n = {name: found.n for name, found in outcomes.items() if isinstance(found, Errors)}
    if len(n) < 2:
        return None
    is_same = len(set(n.values())) == 1
    return Verdict("errors: the same" if is_same else f"errors: NOT the same: {n}", is_failure=not is_same)
