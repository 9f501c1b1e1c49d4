"""Growing one tree: treewright and its peers on the same arrays, one thread each, whole calls."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import treewright as tw
from benchmarks import peers, recipes
from benchmarks.compare import Job, Outcome, compare
from benchmarks.data import adult, cells, cover, wide, wide_numbers
from benchmarks.impurity import impurity
from benchmarks.report import Result


@dataclass(frozen=True)
class Sizes:
    """Rows of each table, and how often iris is fitted; targets are judged at the full sizes only."""

    wide: int
    cover: int
    adult: int
    iris_rounds: int
    of_recipes: recipes.Sizes = recipes.TINY
    is_full: bool = False


FULL = Sizes(
    wide=800_000, cover=400_000, adult=32_561, iris_rounds=500, of_recipes=recipes.FULL, is_full=True
)
QUICK = Sizes(wide=10_000, cover=10_000, adult=32_561, iris_rounds=100, of_recipes=recipes.QUICK)


def main(quick: bool) -> list[Result]:
    return run(QUICK if quick else FULL)


def run(sizes: Sizes) -> list[Result]:
    return [
        *classes(sizes),
        entropy(sizes),
        regression(sizes),
        *mixed(sizes),
        gaps(sizes),
        tiny(sizes),
        *recipes.run(sizes.of_recipes),
    ]


# ---- numbers ----------------------------------------------------------------------------------------


def classes(sizes: Sizes) -> list[Result]:
    """One tree for classes, of depth 8 and to purity. Those who round to bins stand beside it at depth 8."""
    rounding = "Those who round to bins search other cuts: context, not the same job."
    one_per_class = "XGBoost and LightGBM grow one tree per class: not this job, left out."
    X, y = wide(sizes.wide)
    results = [
        grown("one tree, depth 8, wide", peers.Task(X, y, "gini", 8), sizes.is_full, notes=(rounding,)),
        grown("one tree, to purity, wide", peers.Task(X, y, "gini", None), sizes.is_full, peers.EXACT),
    ]
    X, y = cover(sizes.cover)
    return [
        *results,
        grown(
            "one tree, depth 8, cover",
            peers.Task(X, y, "gini", 8),
            sizes.is_full,
            peers.EXACT,
            notes=(one_per_class,),
        ),
        grown("one tree, to purity, cover", peers.Task(X, y, "gini", None), sizes.is_full, peers.EXACT),
    ]


def grown(
    job: str,
    task: peers.Task,
    is_judged: bool,
    names: tuple[str, ...] = tuple(peers.LIBRARIES),
    notes: tuple[str, ...] = (),
    has_target: bool = True,
) -> Result:
    """Compare the libraries on one task; the check is that our tree is as good as exhaustive search's."""
    n_rows, n_columns = task.X.shape
    return compare(
        f"{job}, {n_rows:,} rows x {n_columns} float32, {task.criterion.replace('_', ' ')}",
        peers.ways(task, names),
        job=job if has_target else None,
        is_judged=is_judged,
        result="impurity",
        check=peers.same_impurity,
        notes=(*notes, *peers.left_out(names)),
    )


def entropy(sizes: Sizes) -> Result:
    """The criterion that YDF uses for classes, so that all three must come to the same impurity."""
    X, y = wide(min(sizes.wide, 80_000))
    note = "The same job for YDF too, which scores classes by entropy."
    task = peers.Task(X, y, "entropy", 8)
    return grown("one tree, depth 8, wide", task, False, peers.EXACT, (note,), has_target=False)


def regression(sizes: Sizes) -> Result:
    X, y = wide_numbers(sizes.wide)
    return grown("regression tree, depth 8, wide", peers.Task(X, y, "squared_error", 8), sizes.is_full)


# ---- numbers and categories -------------------------------------------------------------------------

DEPTH, MIN_LEAF = 15, 5  # YDF's defaults: it counts the root, so 16 there
ALIKE = f"depth {DEPTH}, at least {MIN_LEAF} rows in a leaf, entropy, best subset of categories, no pruning"


def mixed(sizes: Sizes) -> list[Result]:
    """Numbers, native categories and gaps, twice: both from plain arrays, both from their own tables."""
    table = adult(sizes.adult)
    title = f"{table.n_rows:,} rows, 6 numeric and 7 nominal columns, {ALIKE}"
    differ = "Gaps: ours learns their branch at each node, YDF fills in the mean or the most common value."
    rows = "The table in tests/data has the 32,561 rows of the training part, not all 48,842."
    results = []
    for job, ways in (
        ("adult, from arrays of text", ways_from_cells(table)),
        ("adult, growing only", ways_from_tables(table)),
    ):
        said = (MEANING[job], differ, rows, *peers.left_out(("YDF",)))
        results.append(
            compare(
                f"{job}: {title}",
                ways,
                job=job,
                is_judged=sizes.is_full,
                result="entropy, leaves",
                notes=said,
            )
        )
    return results


MEANING = {
    "adult, from arrays of text": "Time includes conversion for both: in goes a dict of float64 and text.",
    "adult, growing only": "Time excludes conversion for both: in goes a Table, or YDF's VerticalDataset.",
}


def ways_from_cells(table: tw.Table) -> dict[str, Job]:
    ours, theirs = cells(table, gap=None), cells(table, gap="")  # the way each writes a gap
    ways: dict[str, Job] = {"treewright": lambda: grow_adult(tw.Table.from_dict(ours))}
    if peers.is_installed("YDF"):
        ways["YDF"] = lambda: train_adult(theirs, theirs, table)
    return ways


def ways_from_tables(table: tw.Table) -> dict[str, Job]:
    ways: dict[str, Job] = {"treewright": lambda: grow_adult(table)}
    if peers.is_installed("YDF"):
        import ydf

        logging.getLogger("absl").setLevel(logging.ERROR)  # it warns of options that were not even given
        theirs = cells(table, gap="")
        ready = ydf.create_vertical_dataset(theirs, min_vocab_frequency=1, max_vocab_count=-1)
        ways["YDF"] = lambda: train_adult(ready, theirs, table)
    return ways


def grow_adult(table: tw.Table) -> Outcome:
    tree = tw.grow(table, target="income", criterion="entropy", max_depth=DEPTH, min_leaf=MIN_LEAF)
    return lambda: said_of_leaves(tree.leaves(table), table)


def train_adult(data: object, rows: Mapping[str, NDArray[np.generic]], table: tw.Table) -> Outcome:
    import ydf

    vocabulary = {"min_vocab_frequency": 1, "max_vocab_count": -1} if data is rows else {}
    learner = ydf.CartLearner(
        label="income",
        max_depth=DEPTH + 1,
        min_examples=MIN_LEAF,
        validation_ratio=0.0,
        num_threads=1,
        **vocabulary,
    )
    model = learner.train(data, verbose=0)
    return lambda: said_of_leaves(model.predict_leaves(rows)[:, 0], table)


def said_of_leaves(leaves: NDArray[np.integer], table: tw.Table) -> str:
    y = table.column("income")[1]
    return f"{impurity(leaves, y, 'entropy'):.4f}, {len(np.unique(leaves)):,}"


# ---- tiny data --------------------------------------------------------------------------------------


def gaps(sizes: Sizes) -> Result:
    """Policies for gaps on a table without any: what each costs beside the one that needs nothing."""
    X, y = wide(sizes.wide)
    policies = (
        "learned",
        "surrogate",
        "fractional",
        "own_branch",
        "most_common",
        "most_common_overall",
        "drop",
    )

    def way(missing: str) -> Job:
        def work() -> Outcome:
            model = tw.DecisionTreeClassifier(max_depth=8, missing=missing, unseen="most_common").fit(X, y)
            return lambda: f"{model.tree_.n_leaves} leaves, {len(model.tree_.surrogate_column)} surrogates"

        return work

    return compare(
        f"policies for gaps where there are none, depth 8, {len(y):,} rows x {X.shape[1]} float32",
        {missing: way(missing) for missing in policies},
        result="tree",
        notes=("The same tests under every policy; surrogates are found after growth, for all tests.",),
    )


def tiny(sizes: Sizes) -> Result:
    """Iris, from call to return: what is left when there is hardly anything to grow."""
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    return compare(
        f"iris, whole fit call, {len(y)} rows x {X.shape[1]} float64, to purity",
        peers.ways(peers.Task(X, y, "gini", None), ("treewright", "scikit-learn")),
        job="iris, whole fit call",
        is_judged=sizes.is_full,
        rounds=sizes.iris_rounds,
        result="impurity",
        check=peers.same_impurity,
    )
