"""Rules that vote in the manner of C5.0, against plain counting."""

from __future__ import annotations

import pytest

import treewright as tw
from tests.oracle.rules import C45Rules
from tests.rules.samples import grown, mixed_table
from treewright.prune import UnsuitableError, sample_of


class Laplace(C45Rules):
    """The blackboard version with another error."""

    def judged(self, tests: list, label: int) -> tuple[float, float]:
        from tests.oracle.rules import matched

        mask = matched(tests, self.columns)
        n, e = int(mask.sum()), int((mask & (self.labels != label)).sum())
        return ((e + 1) / (n + 2), e / n) if n else (self.default_error(label),) * 2


@pytest.mark.parametrize("seed", range(3))
def test_candidates_and_votes(seed: int) -> None:
    rows = mixed_table(n_rows=200, seed=seed).drop("score")
    tree = tw.grow(rows, target="label", recipe="c4.5", prune="none")
    sample = sample_of(tree, rows)
    twin = Laplace(tree, list(sample.columns), sample.answers)
    expected = set()
    for rule in twin.candidates():
        cover, correct = int(rule.mask.sum()), int((rule.mask & (twin.labels == rule.label)).sum())
        if (correct + 1) / ((cover + 2) * twin.class_counts[rule.label] / 200) >= 0.95:
            expected.add(
                (tree.classes[rule.label], float(cover), float(cover - correct), round(rule.error, 9))
            )
    rules = tw.rules.voting(tree, rows)
    assert {(r.prediction, r.support, r.errors, round(r.error or 0, 9)) for r in rules} == expected
    for rule in rules:
        assert rule.vote == pytest.approx((rule.support - rule.errors + 1) / (rule.support + 2))
        assert rule.error == pytest.approx(1 - rule.vote)


def test_progress_and_what_is_refused() -> None:
    rows = mixed_table(n_rows=100).drop("score")
    tree = tw.grow(rows, target="label", recipe="c4.5", prune="none")
    heard: list[float] = []
    tw.rules.voting(tree, rows, progress=heard.append)
    assert heard[-1] == 1.0
    with pytest.raises(UnsuitableError, match="voting makes rules for classes"):
        tw.rules.voting(grown("numbers", max_depth=1), mixed_table())
