"""Smoothed probabilities against the formulas on the blackboard: counts of the rows that share a leaf."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw


def on_the_blackboard(
    rows: list[tuple[int, str]], leaf: list[int], classes: tuple[str, ...], how: str
) -> list:
    """Return the class probabilities of every row, from the answers of the rows in the same leaf."""
    found = []
    everywhere = [answer for _, answer in rows]
    for place in leaf:
        here = [answer for (_, answer), other in zip(rows, leaf, strict=True) if other == place]
        if how == "laplace":  # one more row of each class
            chances = [Fraction(here.count(c) + 1, len(here) + len(classes)) for c in classes]
        elif how == "m_estimate":  # two more rows, divided as all rows are
            priors = [Fraction(everywhere.count(c), len(everywhere)) for c in classes]
            chances = [
                (here.count(c) + 2 * prior) / (len(here) + 2)
                for c, prior in zip(classes, priors, strict=True)
            ]
        else:
            chances = [Fraction(here.count(c), len(here)) for c in classes]
        found.append(chances)
    return found


@pytest.mark.parametrize("how", ["raw", "laplace", "m_estimate"])
@given(rows=st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc")), min_size=2, max_size=40))
def test_smoothed_probabilities_are_the_formulas(how: str, rows: list[tuple[int, str]]) -> None:
    if len({answer for _, answer in rows}) < 2:
        return
    table = tw.Table.from_dict({"x": [x for x, _ in rows], "y": [answer for _, answer in rows]})
    tree = tw.grow(table, target="y", max_depth=3)
    wanted = on_the_blackboard(rows, tree.leaves(table).tolist(), tree.classes, how)
    np.testing.assert_allclose(tree.predict_proba(table, how), np.array(wanted, dtype=float), rtol=1e-14)


def test_a_saved_tree_answers_either_way(tmp_path) -> None:
    table = tw.example("vote")
    tree = tw.grow(table, target="Class")
    tree.save(tmp_path / "vote.treewright")
    again = tw.load(tmp_path / "vote.treewright")
    for how in ("raw", "laplace", "m_estimate"):
        assert (again.predict_proba(table, how) == tree.predict_proba(table, how)).all()
    assert (again.predict(table) == tree.predict(table)).all()
