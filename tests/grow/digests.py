"""Digests of the trees of 20,000 cases: python -m tests.grow.digests [--check] [--first N]

The cases are those of the fuzzer, all settings and all odd tables, made from their numbers alone. The general
search grew them one by one when the file was written; whatever grows them later must give the same bits.
`digests.bin` beside the golden values holds four bytes a case.

260 of them were written anew, by the general search again, when the weight of each class became the exact
sum of its rows' weights, rounded once: parts of a table cannot add up in the order of size, as was done
before, and all must come to the same tree. All 260 have weights and one of priors, costs and class weights;
with the former sums each gave its former digest (`test_digests.py` keeps four of these).
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import treewright as tw
from tests.grow.cases import ALL, Case, drawn, make_case, outcome
from tests.grow.engines import general_engine
from treewright.tree.fields import GROWN

FILE = Path(__file__).parent.parent / "golden" / "digests.bin"
N_CASES = 20_000
# Sums of columns are left out: finding them takes linear algebra, whose last bits depend on the machine.
FACTORS = ALL | {"splits": tuple(form for form in ALL["splits"] if form != "linear")}


def case_of(number: int) -> Case:
    """Return the case of a number; trees are kept as they were grown, for growing is what is judged."""
    rng = np.random.default_rng([number, 2026])
    case = make_case(drawn(rng, FACTORS), number)
    return replace(case, settings=case.settings | {"prune": "none", "n_threads": 1 + number % 3})


def digest(tree: tw.Tree | str) -> bytes:
    """Return four bytes that stand for every bit of a tree, its ledger included, or for its refusal."""
    state = hashlib.blake2b(digest_size=4)
    if isinstance(tree, str):
        state.update(b"refused")
        return state.digest()
    for name in sorted(GROWN):
        array = getattr(tree, name)
        state.update(f"{name} {array.dtype.str} {array.shape}".encode())
        state.update(array.tobytes())
    state.update(repr(tree.ledger).encode())
    return state.digest()


def stored() -> list[bytes]:
    """Return the digests on file, in the order of the cases."""
    content = FILE.read_bytes()
    return [content[at : at + 4] for at in range(0, len(content), 4)]


def strangers(numbers: Iterable[int]) -> Iterator[int]:
    """Give the cases whose tree is not the one on file."""
    known = stored()
    for number in numbers:
        if digest(outcome(case_of(number))) != known[number]:
            yield number


def made(n_cases: int) -> Iterator[bytes]:
    """Give the digests of the general search's trees."""
    with general_engine():
        for number in range(n_cases):
            if number % 500 == 0:
                print(f"case {number} ...", file=sys.stderr, flush=True)
            yield digest(outcome(case_of(number)))


def main() -> int:
    """Read the words; write the file, or compare with it."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--check", action="store_true")
    words.add_argument("--first", type=int, default=N_CASES)
    given = words.parse_args()
    if not given.check:
        FILE.write_bytes(b"".join(made(given.first)))
        return 0
    found = list(strangers(range(given.first)))
    print(f"{given.first} cases, {len(found)} differ: {found[:20]}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
