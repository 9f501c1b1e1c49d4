"""Every tree is the one on file, bit for bit: as the general search grew it when the file was written."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import treewright as tw
import treewright.growth.question
from tests.grow.cases import outcome
from tests.grow.digests import N_CASES, case_of, digest, stored, strangers
from tests.tables import table


@pytest.mark.parametrize("part", range(4))
def test_some_trees_are_the_ones_on_file(part: int) -> None:
    assert not list(strangers(range(50 * part, N_CASES, 200)))


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


# With the weights of classes added up in the order of their size, as they were before.
FORMER = {179: "9dc70414", 389: "0da1d9f0", 435: "67fe295a", 453: "7ca13a85"}


@pytest.mark.parametrize("number", FORMER)
def test_former_digests_are_those_of_sums_with_errors(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one thing that differs is how a class's weights are added up, and the new sums are exact."""
    exact_sums = treewright.growth.question._class_totals

    def added_one_by_one(answers: Any, weights: Any, target: Any) -> Any:
        order = np.argsort(weights, kind="stable")
        sums = np.bincount(answers[order], weights[order], len(target.categories))
        right = [float(sum(map(Fraction, weights[answers == k]))) for k in range(len(sums))]
        assert exact_sums(answers, weights, target).tolist() == right != sums.tolist()
        return sums

    monkeypatch.setattr(treewright.growth.question, "_class_totals", added_one_by_one)
    assert digest(outcome(case_of(number))).hex() == FORMER[number] != stored()[number].hex()
