"""Every tree is the one on file, bit for bit: as the general search grew it when the file was written."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import treewright as tw
from tests.grow.digests import N_CASES, case_of, digest, stored, strangers
from tests.tables import table


@pytest.mark.parametrize("part", range(4))
def test_some_trees_are_the_ones_on_file(part: int) -> None:
    assert not list(strangers(range(25 * part, N_CASES, 100)))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_all_trees_are_the_ones_on_file(part: int) -> None:
    assert not list(strangers(range(part, N_CASES, 20)))


def test_the_file_holds_a_digest_for_every_case() -> None:
    digests = stored()
    assert len(digests) == N_CASES
    assert digests.count(digest("refused")) < N_CASES / 50
    assert len(set(digests)) > N_CASES * 0.85


def test_a_difference_in_the_last_bit_is_seen() -> None:
    tree = tw.grow(table("iris"), "class")
    cut = tree.cut.copy()
    cut[0] = np.nextafter(cut[0], np.inf)
    assert digest(replace(tree, cut=cut)) != digest(tree) == digest(replace(tree))


def test_a_case_is_made_from_its_number_alone() -> None:
    assert digest(case_of(7).grow()) == digest(case_of(7).grow())
