"""Ctrl-C stops a fit: KeyboardInterrupt, and an estimator that is not fitted but can be."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

# What the child does: say when the fit begins, then what came of it. Clocks are the same in both processes.
CHILD = """
import json, signal, sys, time
import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
import treewright as tw

n_rows, is_classifier, words = int(sys.argv[1]), sys.argv[2] == "classes", json.loads(sys.argv[3])
rng = np.random.default_rng(0)
X = rng.normal(size=(n_rows, 12))
score = X[:, 0] + rng.normal(size=n_rows)
y = score > 0 if is_classifier else score
model = (tw.DecisionTreeClassifier if is_classifier else tw.DecisionTreeRegressor)(**words)
found = {"raised": False}
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background may be told to ignore it
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
print(json.dumps(found), flush=True)
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


def interrupted(task: str, words: dict[str, Any], after: float, n_rows: int) -> dict[str, Any]:
    """Run the child, send the signal so many seconds into its fit, and return what it found."""
    command = [sys.executable, "-c", CHILD, str(n_rows), task, json.dumps(words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "begins\n"
            time.sleep(after)
            sent = time.monotonic()
            child.send_signal(signal.SIGINT)
            answer, trouble = child.communicate(timeout=120)
        finally:
            if child.poll() is None:
                child.kill()
    assert child.returncode == 0, trouble
    found: dict[str, Any] = json.loads(answer)
    return found | {"delay": found.get("at", sent) - sent}


def check_stop(name: str, after: float) -> None:
    """Stop a fit and look at what is left."""
    task, words = (SETTINGS | MORE)[name]
    for n_rows in SIZES:
        found = interrupted(task, words, after, n_rows)
        print(f"{name}, {n_rows} rows, signal after {after} s: stopped {found['delay']:.3f} s later")
        if found["raised"]:
            break
    assert found["raised"], "the fit was over before the signal came: the table is too small"
    assert not found["is_fitted"]
    assert found["is_right"]
    assert found["delay"] < 10  # generous: machines are shared; the aim is a fifth of a second


@pytest.mark.parametrize("after", [0.05, 0.2, pytest.param(0.7, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SETTINGS)
def test_a_long_fit_can_be_stopped(name: str, after: float) -> None:
    check_stop(name, after)


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.2, 1.0])
@pytest.mark.parametrize("name", MORE)
def test_other_long_fits_can_be_stopped(name: str, after: float) -> None:
    check_stop(name, after)
