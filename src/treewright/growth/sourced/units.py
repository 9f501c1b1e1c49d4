"""The units that rows are counted in, where they are counted elsewhere."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from treewright import _core
from treewright.growth.question import Question


def in_whole_rows(question: Question, has_gaps: bool) -> Question:
    """Return the question about numbers as the core puts it where rows might be divided, but none will be.

    Each row weighs one then, and squares are rounded by that unit, not by the one of divided rows. Whoever
    makes parts asks this of its question, knowing whether any row of the table lacks a value.

    >>> import treewright as tw
    >>> from treewright.growth.question import question_of
    >>> from treewright.growth.settings import Settings
    >>> from treewright.table import Rows
    >>> rows = Rows.of(tw.Table.from_dict({"x": [1, 2], "y": [0.5, 7.0]}), "y")
    >>> question = question_of(rows, Settings.of("plain", missing="fractional"))
    >>> question.units.tolist(), in_whole_rows(question, has_gaps=False).units.tolist()
    ([1125899906842624, 1125899906842624], [1, 1])
    """
    core = question.core
    is_divided = core.missing == "fractional"
    if question.is_classifier or not is_divided or has_gaps or np.any(question.units * core.weight_unit != 1):
        return question
    whole = copied(core)
    whole.weight_unit, whole.missing = 1.0, "none"
    for name in ("min_leaf", "min_branch", "min_split"):
        setattr(whole, name, float(math.ceil(getattr(core, name) - 1e-6)))
    return replace(question, units=np.ones(len(question.units), dtype=np.int64), core=whole)


def copied(core: _core.Settings) -> _core.Settings:
    """Return a copy of what the core is told."""
    found = _core.Settings()
    for name in dir(core):
        if not name.startswith("_"):
            setattr(found, name, getattr(core, name))
    return found
