"""Models as calculations, worked out row by row by the slow twin."""

from __future__ import annotations

import numpy as np
import pytest

from tests.export.forty import samples
from tests.oracle.calculation import answers as worked_out
from treewright.export.calculate import calculation_of
from treewright.export.cells import hard_cells
from treewright.export.format import Answers
from treewright.export.proof import answers_of, different

N_ROWS = 40


@pytest.mark.parametrize("name", list(samples()))
def test_what_is_worked_out_is_what_the_model_says(name: str) -> None:
    model, rows = samples()[name]
    for most in (4, 50):
        calculation, cells = calculation_of(model, most), hard_cells(model, rows, N_ROWS)
        found = worked_out(calculation, cells)
        labels = [label for label, _, _ in found]
        chances = [[np.nan if chance is None else chance for chance in part] for _, part, _ in found]
        leaves = np.array([-1 if leaf is None else leaf for _, _, leaf in found])
        refused = np.array([label is None for label in labels])
        said = Answers(
            labels,
            np.array(chances) if calculation.chances else None,
            leaves if calculation.leaf is not None else None,
            refused,
        )
        assert not different(answers_of(model, cells), said, 1e-9).any()
