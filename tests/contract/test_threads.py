"""Models that threads share, and programs that end, divide or multiply while a model is grown."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import treewright as tw
from treewright import _core

PATIENCE = 120  # seconds until what hangs has failed
MODELS: dict[str, Any] = {
    "tree": tw.DecisionTreeClassifier(n_jobs=2),
    "numbers": tw.DecisionTreeRegressor(),
    "forest": tw.RandomForestClassifier(8, n_jobs=2, random_state=1),
    "forest of numbers": tw.RandomForestRegressor(8, random_state=1),
    "optimal": tw.OptimalTreeClassifier(max_depth=2),
    "rules": tw.RuleClassifier(),
}


@cache
def data(seed: int, n_rows: int = 600) -> tuple[Any, Any]:
    """Return rows, and answers that are numbers and classes: other classes for another seed."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 5)).round(2)
    return X, (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int) + 10 * seed + (X[:, 3] > 1)


def in_threads(jobs: list[Callable[[], Any]]) -> list[Any]:
    """Do all at once, and return what came of each."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        running = [pool.submit(job) for job in jobs]
        return [job.result(timeout=PATIENCE) for job in running]


def answers(model: Any, X: Any) -> list[Any]:
    """Return all that a fitted model says of some rows."""
    said = [model.predict(X)]
    if hasattr(model, "predict_proba"):
        said.append(model.predict_proba(X))
    return [*said, model.apply(X)]


def same(one: list[Any], other: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("name", MODELS)
def test_many_threads_ask_one_model(name: str) -> None:
    X, y = data(1)
    model = clone(MODELS[name]).fit(X, y)
    alone = answers(model, X)
    for found in in_threads([lambda: [answers(model, X) for _ in range(3)]] * 4):
        assert all(same(each, alone) for each in found)


@pytest.mark.parametrize("name", MODELS)
def test_who_asks_during_a_fit_hears_the_model_before_or_after(name: str) -> None:
    """Never a mixture: no tree with the classes of another, no rows in nodes of another tree."""
    X, _ = data(1)
    goals = [data(1)[1], data(2)[1]]
    model = clone(MODELS[name])
    known = [[model.fit(X, y).predict(X), model.apply(X)] for y in goals]
    ended = threading.Event()

    def fit() -> int:
        try:
            for turn in range(6):
                model.fit(X, goals[turn % 2])
        finally:
            ended.set()
        return 6

    def ask() -> int:
        n = 0
        while not ended.is_set() or n == 0:
            said, ended_in = model.predict(X), model.apply(X)
            assert any(np.array_equal(said, each[0]) for each in known)
            assert any(np.array_equal(ended_in, each[1]) for each in known)
            n += 1
        return n

    assert min(in_threads([fit, ask, ask])) > 0


@pytest.mark.parametrize("name", MODELS)
def test_two_fits_of_one_model_at_once_leave_one_of_the_two(name: str) -> None:
    X, _ = data(1)
    goals = [data(1)[1], data(2)[1]]
    known = [answers(clone(MODELS[name]).fit(X, y), X) for y in goals]
    model = clone(MODELS[name])
    for _ in range(2):
        in_threads([lambda y=y: model.fit(X, y) for y in goals])
        assert any(same(answers(model, X), each) for each in known)


@pytest.mark.parametrize("name", MODELS)
def test_a_fit_that_is_refused_leaves_the_model_as_it_was(name: str) -> None:
    X, y = data(1)
    model = clone(MODELS[name]).fit(X, y)
    before = answers(model, X)
    with pytest.raises(ValueError, match="weight"):  # found out after columns and classes are read
        model.fit([[1, 2], [3, 4], [5, 6]], [7, 8, 9], sample_weight=[0, 0, 0])
    assert same(answers(model, X), before)


# ---- programs -------------------------------------------------------------------------------------------

GROWS_ASIDE = """
import sys, threading, time
import numpy as np
import treewright as tw
rng = np.random.default_rng(0)
X, y = rng.normal(size=(30_000, 12)), rng.integers(0, 5, 30_000)
def fit():
    while True:
        {model}.fit(X, y)
threading.Thread(target=fit, daemon=True).start()
time.sleep(0.3)
print("ends", flush=True)
{end}
"""


def said_by(program: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a program, and return what it said."""
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, **more},
        check=False,
    )


@pytest.mark.parametrize(
    ("model", "end"),
    [
        ("tw.DecisionTreeClassifier(n_jobs=2)", ""),
        ("tw.RandomForestClassifier(400, n_jobs=2)", "raise SystemExit(0)"),
    ],
)
def test_a_program_that_ends_during_a_fit_ends(model: str, end: str) -> None:
    """The thread of the fit is a daemon: nobody waits for it, and nothing breaks at its back."""
    begun = time.monotonic()
    done = said_by(GROWS_ASIDE.format(model=model, end=end))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "ends\n"
    assert "Fatal" not in done.stderr
    assert "terminate" not in done.stderr
    assert time.monotonic() - begun < PATIENCE


FORKS = """
import os, threading
import numpy as np
import treewright as tw
rng = np.random.default_rng(0)
X, y = rng.normal(size=(20_000, 10)), rng.integers(0, 5, 20_000)
alone = tw.RandomForestClassifier(3, random_state=1).fit(X[:2000], y[:2000]).predict(X[:50]).tolist()
aside = threading.Thread(target=tw.RandomForestClassifier(30, n_jobs=2, random_state=1).fit, args=(X, y))
aside.start()
for _ in range(3):
    child = os.fork()
    if child == 0:
        found = tw.RandomForestClassifier(3, n_jobs=2, random_state=1).fit(X[:2000], y[:2000]).predict(X[:50])
        os._exit(0 if found.tolist() == alone else 1)
    _, status = os.waitpid(child, 0)
    assert status == 0, status
aside.join()
print("all three")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_fork_while_a_forest_grows() -> None:
    done = said_by(FORKS, PYTHONWARNINGS="ignore")
    assert (done.returncode, done.stdout) == (0, "all three\n"), done.stderr


ASKS_INNER = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import treewright as tw
inner = interpreters.create()
run = interpreters.exec if hasattr(interpreters, "exec") else interpreters.run_string
assert run(inner, '''
import os, sys
sys.path.insert(0, os.environ["OF_CORE"])
try:
    import {name}
except ImportError as refused:
    os.write(1, b"refused")
''') is None
interpreters.destroy(inner)
print("", tw.grow(tw.example("tennis"), "PlayTennis", "id3").n_leaves)
"""


@pytest.mark.parametrize("name", ["treewright._core", "_core"])  # the latter alone, without NumPy before it
def test_a_subinterpreter_is_refused_and_the_main_one_goes_on(name: str) -> None:
    of_core = str(Path(_core.__file__).parent)
    done = said_by(ASKS_INNER.format(name=name), OF_CORE=of_core, PYTHONUNBUFFERED="1")
    assert (done.returncode, done.stdout) == (0, "refused 6\n"), done.stderr
