"""What settings cost: recipes, gaps, filters and many classes beside `plain` on the same table, one thread.

Times are of growing from arrays that are columns already; where trees differ, cost is per row and node that
was searched, so that a larger tree is no slower one.
"""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import treewright as tw
from benchmarks.bench_read import write_wide
from benchmarks.compare import ROUNDS, Job, Outcome, compare, duration, run_alternating
from benchmarks.data import LEVELS, many_classes, nominal, wide, with_gaps
from benchmarks.memory import is_measurable, resident
from benchmarks.report import ROOT, Result, Table, show
from benchmarks.targets import key, sentences, targets_of
from treewright.growth import Settings
from treewright.growth.grower import grown
from treewright.table import Rows

Grow = Callable[[], tw.Tree]
MEGABYTES = 500


@dataclass(frozen=True)
class Sizes:
    """Rows of each table; targets are judged at the full sizes only."""

    wide: int
    pruned: int
    nominal: int
    csv: int
    classes: int
    most_classes: int
    rounds: int = 1
    is_full: bool = False


FULL = Sizes(200_000, 50_000, 500_000, 1_000_000, 100_000, 10_000, rounds=ROUNDS, is_full=True)
QUICK = Sizes(5_000, 2_000, 10_000, 5_000, 2_000, 300)
TINY = Sizes(300, 200, 300, 300, 300, 20)


SHORT = 5.0  # seconds of a job below which it gets more rounds


def run(sizes: Sizes) -> list[Result]:
    table, gappy = wide_table(sizes.wide), wide_table(sizes.wide, gaps=0.05)
    return [
        *c45(table, gappy, sizes),
        *cart(table, gappy, sizes),
        multiway(sizes),
        *beside_plain(table, sizes),
        from_csv(sizes),
        *classes(sizes),
    ]


def wide_table(n_rows: int, gaps: float = 0.0) -> tw.Table:
    X, y = wide(n_rows)
    return as_table(with_gaps(X, gaps) if gaps else X, y)


def as_table(X: NDArray[np.float32], y: NDArray[np.int32]) -> tw.Table:
    cells = {f"x{j}": np.ascontiguousarray(column) for j, column in enumerate(X.T)}
    return tw.Table.from_dict({**cells, "y": np.array([f"class {c}" for c in range(y.max() + 1)])[y]})


# ---- one job ----------------------------------------------------------------------------------------


def searched(tree: tw.Tree) -> float:
    """Return the rows of all inner nodes together: what was searched, row by row."""
    return float(tree.n_rows[~tree.leaf_mask].sum())


def side_by_side(
    job: str,
    ways: Mapping[str, Grow],
    sizes: Sizes,
    about: str,
    *,
    per: Callable[[tw.Tree], float] | None = None,
    notes: tuple[str, ...] = (),
) -> Result:
    """Grow in turn; the figure is the first way's cost by the other's, each per unit of its own work."""

    def way(grow: Grow) -> Job:
        def work() -> Outcome:
            tree = grow()
            trees[way_of[grow]] = tree
            return lambda: f"{tree.n_leaves:,} leaves"

        return work

    trees: dict[str, tw.Tree] = {}
    way_of = {grow: name for name, grow in ways.items()}
    jobs = {name: way(grow) for name, grow in ways.items()}
    timings, outcomes = run_alternating(jobs, sizes.rounds, SHORT if sizes.is_full else 0.0)
    cost = {name: timings[name].best("cpu") / (per(trees[name]) if per else 1.0) for name in ways}
    first, *others = ways
    targets = [target for target in targets_of(job) if target.peer in others]
    figures = {key(target): target.figure(cost[first], cost[target.peer]) for target in targets}
    unit = "ns per row and node" if per else "ratio"
    rows = tuple(
        (
            name,
            duration(timings[name].best("wall")),
            duration(timings[name].best("cpu")),
            f"{cost[name] * 1e9:.3g}" if per else f"{cost[name] / cost[first]:.2f}",
            outcomes[name](),
        )
        for name in ways
    )
    header = ("", "wall", "CPU", unit, "tree")
    return show(
        Result(Table(f"{job}: {about}", header, rows, (*sentences(figures, sizes.is_full), *notes)), figures)
    )


def tree_of(table: tw.Table, **settings: Any) -> Grow:
    """Return the growth of a tree with all that rows to come may ask (surrogates of every test)."""
    asked = {"prune": "none"} | settings
    return lambda: tw.grow(table, target="y", n_threads=1, **asked)


def growth_of(table: tw.Table, **settings: Any) -> Grow:
    """Return growth alone: surrogates are found only where rows of training need them."""
    rows = Rows.of(table, "y")
    chosen = Settings.of(**({"prune": "none"} | settings))
    return lambda: grown(rows, chosen).tree


# ---- the jobs ---------------------------------------------------------------------------------------


def c45(table: tw.Table, gappy: tw.Table, sizes: Sizes) -> list[Result]:
    about = f"{table.n_rows:,} rows of wide, unpruned"

    def ways(rows: tw.Table, depth: int | None) -> dict[str, Grow]:
        return {
            "c4.5": tree_of(rows, recipe="c4.5", max_depth=depth),
            "plain, entropy": tree_of(rows, criterion="entropy", max_depth=depth),
        }

    divided = "A row with a gap is in several nodes: rows are counted in each."
    return [
        side_by_side("c4.5, no gaps, depth 8", ways(table, 8), sizes, about),
        side_by_side("c4.5, no gaps, to the end", ways(table, None), sizes, about),
        side_by_side("c4.5, 5 % gaps, depth 8", ways(gappy, 8), sizes, about, per=searched, notes=(divided,)),
    ]


LIMITS: dict[str, Any] = {"min_split": 20, "min_leaf": 7, "max_depth": 30}  # cart's


def cart(table: tw.Table, gappy: tw.Table, sizes: Sizes) -> list[Result]:
    shallow = LIMITS | {"max_depth": 8}
    about = f"{table.n_rows:,} rows of wide, depth 8, at least 20 rows to split and 7 in a leaf"

    def ways(rows: tw.Table) -> dict[str, Grow]:
        return {
            "cart": growth_of(rows, recipe="cart", max_depth=8),
            "plain": growth_of(rows, **shallow),
        }

    some = wide_table(sizes.pruned)
    return [
        side_by_side("cart growing, no gaps", ways(table), sizes, about),
        side_by_side("cart growing, 5 % gaps", ways(gappy), sizes, about, per=searched),
        side_by_side(
            "cart as shipped",
            {
                "cart": tree_of(some, recipe="cart", prune=None),
                "plain, pruned alike": tree_of(some, **LIMITS, prune="cost_complexity"),
            },
            sizes,
            f"{some.n_rows:,} rows of wide, cost-complexity by ten folds, surrogates for what is left",
        ),
        side_by_side(
            "cart unpruned, all surrogates",
            {"cart": tree_of(table, recipe="cart", max_depth=8), "plain": tree_of(table, **shallow)},
            sizes,
            f"{about}, surrogates of every test",
        ),
    ]


def multiway(sizes: Sizes) -> Result:
    """A branch per category, against the best two groups of them: per row and level, the same table."""
    codes, y = nominal(sizes.nominal)
    names = [f"n{n}" for n in LEVELS]
    target = np.array(["a", "b", "c"])[y]
    words = {
        name: np.array([f"v{i:03}" for i in range(n)])[code]
        for name, n, code in zip(names, LEVELS, codes, strict=True)
    }
    numbers = {name: code.astype(np.float32) for name, code in zip(names, codes, strict=True)}
    table = tw.Table.from_dict({**words, "y": target})
    return side_by_side(
        "id3, nominal columns, depth 5",
        {
            "id3": tree_of(table, recipe="id3", max_depth=5),
            "plain": tree_of(table, criterion="entropy", max_depth=5),
            "plain on the codes": tree_of(
                tw.Table.from_dict({**numbers, "y": target}), criterion="entropy", max_depth=5
            ),
        },
        sizes,
        f"{len(y):,} rows x {len(LEVELS)} columns of 2 to 500 categories, three classes, entropy",
        per=searched,
        notes=(
            "The target is against plain by entropy on the same nominal table: categories in two groups.",
            "Plain on the codes cuts them as numbers: what the same cells cost where nothing is nominal.",
        ),
    )


SETTINGS: dict[str, dict[str, Any]] = {
    "priors": {"priors": [0.3, 0.7]},
    "costs of mistakes": {"costs": [[0, 1], [5, 0]]},
    "significance": {"significance": 0.05},
    "minimum gain": {"min_gain": 1e-5},
    "column costs": {"column_costs": {f"x{j}": 1.0 + j % 5 for j in range(28)}},
    "ledger": {"ledger": True},
}


def beside_plain(table: tw.Table, sizes: Sizes) -> list[Result]:
    """One setting each, everything else as in `plain`."""
    about = f"{table.n_rows:,} rows of wide, depth 8, gini"
    differs = ("The trees differ, so cost is per row and node.",)
    return [
        side_by_side(
            job,
            {job: tree_of(table, max_depth=8, **asked), "plain": tree_of(table, max_depth=8)},
            sizes,
            about,
            per=searched,
            notes=differs,
        )
        for job, asked in SETTINGS.items()
    ]


def from_csv(sizes: Sizes) -> Result:
    """The command on a file, CPU seconds of its process: reading, growing, pruning, printing."""
    job = "treewright fit --recipe c4.5, CSV"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.csv"
        write_wide(path, sizes.csv)
        command = [sys.executable, "-m", "treewright", "fit", str(path), "--target", "y", "--recipe", "c4.5"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    figures = {(job, "a CPU second"): seconds}
    table = Table(
        f"{job}: {sizes.csv:,} rows x 28 numbers",
        ("", "CPU"),
        (("treewright fit", duration(seconds)),),
        tuple(sentences(figures, sizes.is_full)),
    )
    failures = () if done.returncode == 0 else (f"{job}: {done.stderr.strip()[-300:]}",)
    return show(Result(table, figures, failures))


# ---- many classes -----------------------------------------------------------------------------------


def classes(sizes: Sizes) -> list[Result]:
    return [
        *(many(n, job, sizes) for n, job in ((100, "100 classes"), (1_000, "1,000 classes"))),
        *most_classes(sizes),
    ]


def many(n_classes: int, name: str, sizes: Sizes) -> Result:
    from sklearn.tree import DecisionTreeClassifier

    X, y = many_classes(sizes.classes, min(n_classes, sizes.classes // 20))

    def way(model: Any) -> Job:
        def work() -> Outcome:
            fitted = model.fit(X, y)
            return lambda: f"{fitted.get_n_leaves():,} leaves"

        return work

    return compare(
        f"{name}, to purity: {len(y):,} rows x {X.shape[1]} float32, gini",
        {
            "treewright": way(tw.DecisionTreeClassifier()),
            "scikit-learn": way(DecisionTreeClassifier(random_state=0)),
        },
        job=f"{name}, to purity",
        is_judged=sizes.is_full,
        rounds=1,
        result="tree",
    )


def most_classes(sizes: Sizes) -> list[Result]:
    """Two rows a class, in a process of its own: seconds, and memory at its peak."""
    if not is_measurable():
        return []
    n_rows = 2 * sizes.most_classes
    command = [sys.executable, "-m", "benchmarks.recipes", str(n_rows), str(sizes.most_classes)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
        words, trouble = done.stdout.split(), done.stderr.strip()[-300:]
    except subprocess.TimeoutExpired:
        words, trouble = [], "no tree after 300 s"
    title = f"{sizes.most_classes:,} classes, to purity: {n_rows:,} rows x 28 float32, gini"
    if len(words) < 3:
        return [
            show(Result(Table(title, ("",), (("no tree",),), (trouble,)), failures=(f"{title}: {trouble}",)))
        ]
    seconds, peak = float(words[-3]), int(words[-2])
    figures = {
        ("10,000 classes, seconds", "a CPU second"): seconds,
        ("10,000 classes, memory", "500 MB"): peak / (MEGABYTES * 1e6),
    }
    rows = (("treewright", duration(seconds), f"{peak / 1e6:,.0f} MB", f"{int(words[-1]):,} leaves"),)
    header = ("", "CPU", "peak of the process", "tree")
    return [show(Result(Table(title, header, rows, tuple(sentences(figures, sizes.is_full))), figures))]


def _grow_here(n_rows: str, n_classes: str) -> None:
    import time

    X, y = many_classes(int(n_rows), int(n_classes))
    start = time.process_time()
    model = tw.DecisionTreeClassifier().fit(X, y)
    print(time.process_time() - start, resident("VmHWM"), model.get_n_leaves())


if __name__ == "__main__":
    _grow_here(*sys.argv[1:])
