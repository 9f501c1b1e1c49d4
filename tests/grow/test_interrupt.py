"""Ctrl-C stops a fit: KeyboardInterrupt, and an estimator that is not fitted but can be."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.amount import first

# What the child does with every line: say when the fit begins, then what came of it. Clocks are the same in
# both processes. It goes on with the next line, in the process that was interrupted.
CHILD = """
import functools, json, signal, sys, time
import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
import treewright as tw

@functools.cache
def rows(n_rows):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 12))
    return X, X[:, 0] + rng.normal(size=n_rows)

def tried(n_rows, is_classifier, words):
    X, score = rows(n_rows)
    y = score > 0 if is_classifier else score
    model = (tw.DecisionTreeClassifier if is_classifier else tw.DecisionTreeRegressor)(**words)
    found = {"raised": False}
    signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background may ignore it
    print("begins", flush=True)
    begun = time.monotonic()
    try:
        model.fit(X, y)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # too late
    except KeyboardInterrupt:
        found = {"raised": True, "at": time.monotonic()}
    found["took"] = time.monotonic() - begun
    try:
        model.predict(X[:3])
        found["is_fitted"] = True
    except NotFittedError:
        found["is_fitted"] = False
    fresh = clone(model).fit(X[:200], y[:200])
    found["is_right"] = fresh.tree_.n_nodes > 1 and model.fit(X[:200], y[:200]).tree_ == fresh.tree_
    return found

for line in sys.stdin:
    print(json.dumps(tried(*json.loads(line))), flush=True)
"""
SIZES = (300_000, 2_000_000)  # the second where the first was grown before the signal came
SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "classes": ("classes", {}),
    "classes, 2 threads": ("classes", {"n_jobs": 2}),
    "numbers": ("numbers", {}),
    "numbers, 2 threads": ("numbers", {"n_jobs": 2}),
}
MORE: dict[str, tuple[str, dict[str, Any]]] = {
    "best first": ("classes", {"max_leaf_nodes": 100_000}),
    "drawn columns": ("classes", {"max_features": 4, "random_state": 0}),
    "c4.5": ("classes", {"recipe": "c4.5"}),
    "cart": ("numbers", {"recipe": "cart", "n_jobs": 2}),
}


class Child:
    """A process that fits what it is sent; one serves all tests of the file, started again if it ends."""

    process: subprocess.Popen[str] | None = None

    def interrupted(self, task: str, words: dict[str, Any], after: float, n_rows: int) -> dict[str, Any]:
        """Send the signal so many seconds into a fit, and return what the child found."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps([n_rows, task == "classes", words]), file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == "begins\n"
        time.sleep(after)
        sent = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found | {"delay": found.get("at", sent) - sent}

    def end(self) -> None:
        """End the process, which has nothing more to read; see that it ends well."""
        if self.process is None:
            return
        try:
            self.process.communicate(timeout=120)
        finally:
            self.process.kill()
        assert self.process.returncode == 0


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    """A process that fits."""
    found = Child()
    yield found
    found.end()


def check_stop(child: Child, name: str, after: float) -> None:
    """Stop a fit and look at what is left."""
    task, words = (SETTINGS | MORE)[name]
    for n_rows in SIZES:
        found = child.interrupted(task, words, after, n_rows)
        print(f"{name}, {n_rows} rows, signal after {after} s: stopped {found['delay']:.3f} s later")
        if found["raised"]:
            break
    assert found["raised"], "the fit was over before the signal came: the table is too small"
    assert not found["is_fitted"]
    assert found["is_right"]
    assert found["delay"] < 10  # generous: machines are shared; the aim is a fifth of a second


@pytest.mark.parametrize("after", first(1, [0.05, 0.2, 0.7]))
@pytest.mark.parametrize("name", SETTINGS)
def test_a_long_fit_can_be_stopped(child: Child, name: str, after: float) -> None:
    check_stop(child, name, after)


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.2, 1.0])
@pytest.mark.parametrize("name", MORE)
def test_other_long_fits_can_be_stopped(child: Child, name: str, after: float) -> None:
    check_stop(child, name, after)
