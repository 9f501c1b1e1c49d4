"""What is saved while things fail: two of each kind of file, and a way to tell which one a file is."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import treewright as tw


class Saved(NamedTuple):
    """A kind of file: two ways to write it, and what a whole one is."""

    write: tuple[Callable[[str], Any], Callable[[str], Any]]
    digests: tuple[str, str]

    def which(self, path: Path) -> int | None:
        """Return which of the two a file is; None: neither, it is damaged."""
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        return self.digests.index(found) if found in self.digests else None


@functools.cache
def rows(n: int = 400) -> tw.Table:
    """Return rows with a gap here and there."""
    rng = np.random.default_rng(5)
    x, z = rng.normal(size=n).round(2), rng.integers(0, 4, n)
    return tw.Table.from_dict({
        "x": [None if i % 17 == 0 else float(value) for i, value in enumerate(x)],
        "z": [f"c{i}" for i in z],
        "w": rng.normal(size=n).round(3),
        "y": np.where(x + (z > 1) + rng.normal(size=n) / 2 > 0.5, "yes", "no"),
    })  # fmt: skip


def kinds(folder: Path) -> dict[str, Saved]:
    """Return all that is saved whole or not at all: models, a report, a picture, exports."""
    table = rows()
    small, large = (tw.grow(table, "y", "c4.5", min_leaf=n) for n in (40, 2))
    forests = [tw.forest.grow(table, "y", n_trees=n, seed=1) for n in (2, 12)]
    x = np.column_stack([np.arange(60.0), np.arange(60) % 7])
    planes = [tw.LogisticRegression(l2=l2).fit(x, (np.arange(60) % 9 > 3).tolist()) for l2 in (1.0, 9.0)]
    writers: dict[str, tuple[Callable[[str], Any], Callable[[str], Any]]] = {
        "tree": (small.save, large.save),
        "rules": (small.rules().save, large.rules().save),
        "forest": (forests[0].save, forests[1].save),
        "linear": (planes[0].save, planes[1].save),
        "report": (small.report, large.report),
        "picture": (small.plot, large.plot),
        "export": (small.export, large.export),
    }
    ends = {"picture": ".svg", "export": ".sql", "report": ".html"}
    found = {}
    for name, pair in writers.items():
        digests = []
        for i, write in enumerate(pair):
            path = folder / f"{name}{i}{ends.get(name, '.model')}"
            write(str(path))
            digests.append(hashlib.sha256(path.read_bytes()).hexdigest())
        found[name] = Saved(pair, (digests[0], digests[1]))
    return found


def suffix(name: str) -> str:
    """Return the end of the name of a file of some kind."""
    return {"picture": ".svg", "export": ".sql", "report": ".html"}.get(name, ".model")
