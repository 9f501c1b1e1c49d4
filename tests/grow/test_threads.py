"""Any number of threads, any number of fits at once, before and after a fork: the same tree, bit for bit."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import treewright as tw
from tests.grow.engines import first_difference
from tests.tables import table, target
from treewright.tree import Tree

PATIENCE = 120  # seconds until what hangs has failed
MODELS: dict[str, Any] = {
    "classes": tw.DecisionTreeClassifier(),
    "entropy": tw.DecisionTreeClassifier(criterion="entropy", min_samples_leaf=3),
    "numbers": tw.DecisionTreeRegressor(),
    "budget": tw.DecisionTreeClassifier(max_leaf_nodes=60),
    "c4.5": tw.DecisionTreeClassifier(recipe="c4.5", max_depth=6),
    "cart": tw.DecisionTreeRegressor(recipe="cart"),
    "drawn": tw.DecisionTreeClassifier(max_features=3, random_state=4),
}


@cache
def data(n_rows: int = 12_000, seed: int = 0) -> tuple[Any, Any, Any]:
    """Return features, classes and numbers: enough rows that threads have something to share."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 8))
    X[:, 4] = X[:, 4].round(1)
    X[:, 5] = rng.integers(0, 5, n_rows)
    X[rng.random(n_rows) < 0.02, 6] = np.nan
    signal = X[:, 0] + X[:, 4] * X[:, 5] + rng.normal(size=n_rows)
    return X, np.searchsorted([-2.0, 0.0, 2.0], signal), signal


def fitted(name: str, n_jobs: int | None, seed: int = 0) -> Tree:
    """Return the tree of a model with so many threads."""
    X, y, numbers = data(seed=seed)
    model = clone(MODELS[name]).set_params(n_jobs=n_jobs)
    tree: Tree = model.fit(X, y if isinstance(model, tw.DecisionTreeClassifier) else numbers).tree_
    return tree


@cache
def alone(name: str, seed: int = 0) -> Tree:
    """Return the tree of one thread with nothing beside it."""
    return fitted(name, None, seed)


@pytest.mark.parametrize("n_jobs", [1, 2, 3, 7, 16, -1])
@pytest.mark.parametrize("name", MODELS)
def test_any_number_of_threads(name: str, n_jobs: int) -> None:
    assert alone(name).n_nodes > 20
    assert not first_difference(fitted(name, n_jobs), alone(name))


@pytest.mark.parametrize("name", ["adult", "mushroom", "abalone", "hypothyroid"])
def test_any_number_of_threads_on_real_tables(name: str) -> None:
    one = tw.grow(table(name), target(name), max_depth=8)
    for n_threads in (2, 3, 64):
        many = tw.grow(table(name), target(name), max_depth=8, n_threads=n_threads)
        assert not first_difference(many, one)


def test_more_threads_than_rows() -> None:
    rows = table("tennis")
    one = tw.grow(rows, "PlayTennis")
    assert not first_difference(tw.grow(rows, "PlayTennis", n_threads=1000), one)


# ---- many fits at once ----------------------------------------------------------------------------


@pytest.mark.parametrize("n_workers", [2, 8])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_fits_in_python_threads_do_not_disturb_each_other(n_workers: int, n_jobs: int) -> None:
    tasks = [(name, seed) for seed in range(2) for name in ("classes", "numbers", "entropy", "budget")]
    wanted = [alone(*task) for task in tasks]
    with ThreadPoolExecutor(n_workers) as pool:
        running = [pool.submit(fitted, name, n_jobs, seed) for name, seed in tasks]
        found = [job.result(timeout=PATIENCE) for job in running]
    for one, other in zip(found, wanted, strict=True):
        assert not first_difference(one, other)


@pytest.mark.parametrize("backend", ["loky", "threading"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_fits_by_joblib(backend: str, n_jobs: int) -> None:
    X, y, numbers = data(6000)
    tasks = [
        (tw.DecisionTreeClassifier(n_jobs=n_jobs), y),
        (tw.DecisionTreeRegressor(n_jobs=n_jobs), numbers),
    ] * 2
    pool = Parallel(n_jobs=2, backend=backend, timeout=PATIENCE)
    models = pool(delayed(clone(model).fit)(X, goal) for model, goal in tasks)
    for model, (fresh, goal) in zip(models, tasks, strict=True):
        assert not first_difference(model.tree_, clone(fresh).set_params(n_jobs=None).fit(X, goal).tree_)


def test_cross_validation_with_all_cores_inside_and_outside() -> None:
    X, y, _ = data(6000)
    scores = [
        cross_val_score(tw.DecisionTreeClassifier(n_jobs=inner), X, y, cv=4, n_jobs=outer)
        for inner, outer in ((None, None), (-1, None), (-1, -1))
    ]
    np.testing.assert_array_equal(scores[0], scores[1])
    np.testing.assert_array_equal(scores[0], scores[2])


# ---- fork -----------------------------------------------------------------------------------------


def send_tree(name: str, n_jobs: int, end: Any) -> None:
    """Fit in the child and send what came of it."""
    end.send(fitted(name, n_jobs))
    end.close()


def tree_of_child(name: str, n_jobs: int) -> Tree:
    """Return the tree that a forked child grows; fail if it does not answer."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=send_tree, args=(name, n_jobs, there))
    child.start()
    there.close()
    try:
        assert here.poll(PATIENCE), "the child hangs: a lock or a pool did not survive the fork"
        tree: Tree = here.recv()
        child.join(PATIENCE)
        assert child.exitcode == 0
        return tree
    finally:
        if child.is_alive():
            child.kill()
            child.join()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # from Python 3.12 on, where threads run
@pytest.mark.parametrize("name", ["classes", "numbers"])
@pytest.mark.parametrize(("before", "after"), [(1, 2), (2, 1), (2, 2), (4, 4)])
def test_a_fit_after_a_fork(name: str, before: int, after: int) -> None:
    """Threads of the parent are not there in the child: what waits for them would wait for ever."""
    assert not first_difference(fitted(name, before), alone(name))
    assert not first_difference(tree_of_child(name, after), alone(name))
    assert not first_difference(fitted(name, before), alone(name))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_while_another_thread_fits() -> None:
    """The child is a copy of a process in the middle of a fit; its own fit must not care."""
    with ThreadPoolExecutor(1) as pool:
        running = [pool.submit(fitted, "numbers", 2) for _ in range(3)]
        trees = [tree_of_child("classes", 2) for _ in range(3)]
        for job in running:
            assert not first_difference(job.result(timeout=PATIENCE), alone("numbers"))
    for tree in trees:
        assert not first_difference(tree, alone("classes"))
