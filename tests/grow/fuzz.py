"""Let both engines argue for minutes: python -m tests.grow.fuzz --minutes 5 --seed 1

Each case is made from its number alone. At the first difference the case is printed, made as small as it
gets, and printed again; `--case 123` runs one case, `--large` draws tables of 20,000 rows too.
"""

from __future__ import annotations

import argparse
import faulthandler
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tests.grow.cases import ALL, PLAIN, Case, drawn, make_case, stricter, trial
from treewright.table import Table


def case_of(number: int, large: bool = False) -> Case:
    """Return the case of a number: two in three of the plain sort, one in five `stricter`."""
    rng = np.random.default_rng([number, 77])
    choice = drawn(rng, PLAIN if rng.random() < 0.67 else ALL)
    is_large = rng.random() < 0.03
    case = bounded(make_case(choice | ({"size": "large"} if large and is_large else {}), number))
    return stricter(case) if rng.random() < 0.2 else case


def bounded(case: Case) -> Case:
    """Return the case with a depth at which it ends in about a second; tiny tables grow as deep as they like.

    Parts of rows grow in number with every level, and sums of columns are looked for in Python: without a
    limit, one tree of both takes longer than thousands of other cases.
    """
    choice = case.choice
    depths = {(True, True): 5, (True, False): 8, (False, True): 10}
    depth = depths.get((choice["splits"] == "linear", choice["missing"] == "fractional"))
    if depth is None or choice["size"] == "tiny":
        return case
    if choice["target"] == "hundreds":
        depth = 3  # a thousand classes to count for every sum that is tried
    return replace(
        case, settings=case.settings | {"max_depth": min(depth, case.settings.get("max_depth", depth))}
    )


def run(minutes: float, seed: int, large: bool) -> int:
    """Try cases until the time is up; return 1 if one of them differs."""
    until, number = time.monotonic() + 60 * minutes, 1_000_000 * seed
    while time.monotonic() < until:
        if number % 250 == 0:
            print(f"case {number} ...", file=sys.stderr, flush=True)  # where to look after a crash
        if try_case(number, large):
            return 1
        number += 1
    print(f"{number - 1_000_000 * seed} cases, no difference")
    return 0


def try_case(number: int, large: bool) -> bool:
    """Say whether the engines differ on a case, and print it if so."""
    case = case_of(number, large)
    try:
        trouble = trial(case).complaint
    except BaseException:
        print(f"case {number} stopped:\n{case}")
        raise
    if trouble is None:
        return False
    again = f"python -m tests.grow.fuzz --case {number}" + (" --large" if large else "")
    print(f"case {number} differs ({again}):\n{case}\n{trouble}\n")
    small = shrunk(case)
    print(f"made smaller:\n{small}\n{trial(small).complaint}")
    if small.table.n_rows <= 60:
        print(shown(small))
    return True


def shrunk(case: Case) -> Case:
    """Return the case with as few rows, columns and settings as the difference needs."""
    while True:
        smaller = next((other for other in smaller_cases(case) if trial(other).complaint), None)
        if smaller is None:
            return case
        case = smaller


def smaller_cases(case: Case) -> Iterator[Case]:
    """Give cases with some rows, one column, the weights or one setting less."""
    n = case.table.n_rows
    for parts in (2, 4, 8, 32, 64):
        if n >= 2 * parts or n <= 64:
            for out in np.array_split(np.arange(n), min(parts, n)):
                rows = np.setdiff1d(np.arange(n), out)
                if 2 <= len(rows) < n:
                    yield with_rows(case, rows)
    for name in case.table.names:
        if name != "y" and len(case.table.names) > 2:
            yield replace(case, table=case.table.drop([name]))
    if case.weights is not None:
        yield replace(case, weights=None)
    for name in case.settings:
        if name not in ("recipe", "criterion"):
            yield replace(case, settings={k: v for k, v in case.settings.items() if k != name})


def with_rows(case: Case, rows: Any) -> Case:
    """Return the case with these rows only."""
    weights = None if case.weights is None else case.weights[rows]
    return replace(case, table=case.table.take(rows), weights=weights)


def shown(case: Case) -> str:
    """Return the rows, every bit of them."""
    table: Table = case.table
    lines = [f"{name} = {values.tolist()}" for name, values in zip(table.names, table.values, strict=True)]
    return "\n".join([*lines, f"weights = {None if case.weights is None else case.weights.tolist()}"])


def main() -> int:
    """Read the words and run."""
    faulthandler.enable()
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--minutes", type=float, default=1.0)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--case", type=int)
    words.add_argument("--large", action="store_true")
    given = words.parse_args()
    if given.case is not None:
        print(case_of(given.case, given.large))
        return int(try_case(given.case, given.large))
    return run(given.minutes, given.seed, given.large)


if __name__ == "__main__":
    sys.exit(main())
