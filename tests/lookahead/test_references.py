"""Optimal errors that other programs report: on the same 0/1 tables and numbers, and on raw tables."""

from __future__ import annotations

import csv
from functools import cache

import pytest

import treewright as tw
from tests import tables

FOLDER = tables.FOLDER / "optimal"


@cache
def reported() -> dict[tuple[str, int], dict[str, int]]:
    """Return the errors by table and depth, and then by program."""
    found: dict[tuple[str, int], dict[str, int]] = {}
    with (FOLDER / "errors.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            assert row["proved_optimal"] == "True"
            place = found.setdefault((row["data"], int(row["depth_limit"])), {})
            place[row["peer"].split()[0]] = int(row["train_errors"])
    return found


OF_BITS = [key for key, programs in reported().items() if "pydl8.5" in programs]
OF_NUMBERS = [key for key, programs in reported().items() if "pycontree" in programs]


OF_BITS = [pytest.param(*key, marks=pytest.mark.slow) if key == ("soybean", 3) else key for key in OF_BITS]


@pytest.mark.parametrize(("name", "depth"), OF_BITS)
def test_errors_on_zeros_and_ones_and_no_more_on_the_raw_table(name: str, depth: int) -> None:
    programs = reported()[name, depth]
    assert programs["pydl8.5"] == programs["pystreed"]
    bits = tw.read(FOLDER / f"{name}.csv.gz", kinds={"class_index": "nominal"})
    proof = tw.optimal(bits, "class_index", max_depth=depth, warns=False).certificate
    assert (proof.upper, proof.is_proven) == (programs["pystreed"], True)
    raw = tw.optimal(tables.table(name), tables.target(name), max_depth=depth, warns=False)
    assert raw.certificate.is_proven
    assert raw.certificate.upper <= programs["pystreed"]
    assert tables.n_errors(raw.tree, tables.table(name), name) == raw.certificate.upper


@pytest.mark.parametrize(("name", "depth"), OF_NUMBERS)
def test_errors_on_numbers_as_they_are(name: str, depth: int) -> None:
    found = tw.optimal(tables.table(name), tables.target(name), max_depth=depth, warns=False)
    assert (found.certificate.upper, found.certificate.is_proven) == (
        reported()[name, depth]["pycontree"],
        True,
    )
