"""Who watches a recipe that prunes hears of its growth too, and can stop it."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from treewright.base.progress import Stopper, watched_by
from treewright.base.work import each


def noisy(n_rows: int) -> tw.Table:
    draws = np.random.default_rng(3)
    columns = {f"x{i}": draws.random(n_rows) for i in range(6)}
    return tw.Table.from_dict({**columns, "y": np.where(draws.random(n_rows) < 0.5, "a", "b")})


@pytest.mark.parametrize("prune", ["error_based", "cv", "reduced_error", "pessimistic"])
def test_shares_rise_to_one(prune: str) -> None:
    heard: list[float] = []
    tw.grow(noisy(3000), "y", "c4.5", prune=prune, progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == pytest.approx(1.0)
    assert heard[0] >= 0


@pytest.mark.parametrize("prune", ["error_based", "cv", "reduced_error"])
def test_what_the_watcher_raises_stops_growth(prune: str) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tw.grow(noisy(3000), "y", "c4.5", prune=prune, progress=stop)


def test_an_interrupt_ends_what_grows_on_other_threads() -> None:
    table, grown = noisy(3000), []

    def step(item: int) -> None:
        if item == 0:
            raise KeyboardInterrupt
        while True:  # until it is stopped
            grown.append(tw.grow(table, "y").n_leaves)

    with pytest.raises(KeyboardInterrupt):
        each(step, range(3), n_jobs=2)


def test_a_stopper_is_silent_until_it_stops() -> None:
    stopper = Stopper()
    with watched_by(stopper):
        assert tw.grow(noisy(300), "y").n_leaves > 10
    stopper.stop()
    with watched_by(stopper), pytest.raises(InterruptedError, match="stopped"):
        tw.grow(noisy(300), "y")
