"""Are a node's surrogates those that stand in best?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .missing import Test
from .node import Pieces
from .reading import surrogates_at
from .surrogate import measured, options_of, surrogates
from .trial import Trial, expect, unrouted


def check_surrogates(trial: Trial, node: int, pieces: Pieces, test: Test) -> None:
    """Check each surrogate's agreement, their order, and that no column had a better one."""
    study, tolerance = trial.study, max(trial.tolerance, 1e-9)
    kept = surrogates_at(trial.tree, node)
    primary = unrouted(study, test)
    best = {
        option.test.column: option
        for option in surrogates(
            replace(study, settings=replace(study.settings, max_surrogates=len(study.columns))),
            pieces,
            trial.root,
            primary,
        )
    }
    expect(
        len(kept) == min(len(best), study.settings.max_surrogates),
        node,
        f"keeps {len(kept)} surrogates; {len(best)} columns have one that helps",
    )
    last = 1.0 + tolerance
    for option in kept:
        name = study.columns[option.test.column].name
        real = measured(study, pieces, trial.root, primary, option)
        expect(
            abs(option.agreement - real.agreement) <= tolerance,
            node,
            f"surrogate {name!r} records agreement {option.agreement!r}; it is {real.agreement!r}",
        )
        expect(
            abs(option.adjusted - real.adjusted) <= 1e3 * tolerance,
            node,
            f"surrogate {name!r} records adjusted agreement {option.adjusted!r}; it is {real.adjusted!r}",
        )
        cuts = [one.test for one in options_of(study, pieces, trial.root, primary, option.test.column)]
        expect(
            any(np.array_equal(option.test.cut, test.cut, equal_nan=True) for test in cuts),
            node,
            f"surrogate {name!r} cuts at {option.test.cut!r}, which is not half-way between neighbours",
        )
        expect(
            option.test.column in best, node, f"surrogate {name!r} does not help (adjusted {real.adjusted!r})"
        )
        expect(
            real.agreement >= best[option.test.column].agreement - tolerance,
            node,
            f"surrogate {name!r} agrees {real.agreement!r}; {best[option.test.column]} agrees better",
        )
        expect(option.agreement <= last + tolerance, node, f"surrogate {name!r} stands behind a worse one")
        last = option.agreement
        del best[option.test.column]
    for column, option in best.items():
        expect(
            option.agreement <= last + tolerance,
            node,
            f"leaves out surrogate {study.columns[column].name!r} (agreement {option.agreement!r})",
        )
