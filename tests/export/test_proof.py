"""The proof: rows that find out, the model's own answers, and the comparison of answers."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import treewright as tw
from tests.contract.samples import sample
from treewright.export.cells import NEVER_SEEN, cells_of, hard_cells, thresholds
from treewright.export.features import features_of
from treewright.export.format import Answers
from treewright.export.proof import Case, answers_of, different, verify_cases


@pytest.fixture(scope="module")
def tree() -> tw.Tree:
    return tw.grow(sample(), "y", max_depth=4)


def test_every_threshold_comes_up_with_its_neighbours(tree) -> None:
    cells = hard_cells(tree, sample(), 600)
    cuts = thresholds(tree)
    assert cuts
    for place, near in cuts.items():
        met = set(cells.values[place])
        for cut in near:
            assert {cut, np.nextafter(cut, np.inf), np.nextafter(cut, -np.inf)} <= met
    assert all(None in column for column in cells.values)
    assert NEVER_SEEN in cells.values[3]


def test_cells_are_the_table_again(tree) -> None:
    table = sample()
    again = cells_of(tree, table).table()
    assert (tree.leaves(again) == tree.leaves(table)).all()


def test_an_answer_that_differs_is_counted_and_shown(tree, monkeypatch) -> None:
    def wrong(jobs):
        found = [answers_of(job.model, job.cells) for job in jobs]
        found[0].labels[3] = "another"
        return found

    row = tw.export.FORMATS["sql"]
    monkeypatch.setattr("treewright.export.proof.format_named", lambda _: _with(row, wrong))
    proof = verify_cases("sql", [Case(tree, cells_of(tree, sample()), {})])[0]
    assert (proof.different, bool(proof)) == (1, False)
    assert "Row 3 (" in str(proof)
    assert "the artefact 'another'" in str(proof)


def _with(row, runner):
    return dataclasses.replace(row, runner=runner)


def test_rows_that_are_refused_are_answers_too() -> None:
    tree = tw.grow(sample(has_gaps=False), "y", missing="error", unseen="error")
    cells = hard_cells(tree, sample(has_gaps=False), 60)
    found = answers_of(tree, cells)
    assert found.refused.any()
    assert not found.refused.all()
    assert different(found, found, 0.0).sum() == 0
    kept = found._replace(refused=np.zeros(60, bool))
    assert (different(found, kept, 0.0) == found.refused).all()


def test_numbers_may_differ_by_rounding_only() -> None:
    one = Answers([1.0, 1e12], None, None, np.zeros(2, bool))
    assert different(one, one._replace(labels=[1.0 + 1e-13, 1e12 + 1e-2]), 1e-12).tolist() == [False, False]
    assert different(one, one._replace(labels=[1.0 + 1e-11, 1e12 + 10]), 1e-12).tolist() == [True, True]


@pytest.mark.parametrize(
    "settings",
    [{"splits": "m_of_n"}, {"splits": "conjunction"}, {"splits": "linear", "linear_categories": "indicator"}],
)
@pytest.mark.parametrize("missing", ["learned", "fractional", "surrogate"])
def test_conditions_are_carried_to_sql_and_refused_elsewhere(settings, missing) -> None:
    table = sample()
    tree = tw.grow(table, "y", prune="none", min_leaf=3, linear_penalty=0.0, missing=missing, **settings)
    assert tree.has_conditions
    proof = verify_cases("sql", [Case(tree, hard_cells(tree, table, 80), {})])[0]
    assert proof
    assert proof.different == 0
    assert "conditions" in features_of(tree)
    without = dataclasses.replace(tw.export.FORMATS["sql"], carries=())
    assert "no word for tests that count conditions" in str(without.reason_against(tree))


def test_what_is_not_carried_is_said_and_what_is_not_run_refused(tree) -> None:
    kernel = tw.MaxMarginClassifier(kernel="radial").fit([[0.0], [1.0], [2.0]], ["a", "b", "a"])
    proof = tw.export.verify(kernel, "sql", [[0.0], [1.0]])
    assert "no word for kernels in place of weights" in str(proof)
    assert not proof
    with pytest.raises(ValueError, match=r"'text' is not run\. Formats that are: .*sql"):
        tw.export.verify(tree, "text", sample())
    with pytest.raises(ValueError, match="There is no 'bigquery' here"):
        tw.export.verify(tree, "sql", sample(), dialect="bigquery")
