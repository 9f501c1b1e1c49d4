"""Groups and time in every cross-validation: no public door lets a group be on both sides."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewright as tw
from treewright.model import race
from treewright.prune import cross_validation
from treewright.prune.dealing import folds_in
from treewright.report.facts import facts

PATIENT = np.repeat(np.arange(40), 12)


def table() -> tw.Table:
    """A reading that names the patient, and an answer that is the patient's by chance: nothing to learn."""
    rng = np.random.default_rng(4)
    reading = rng.normal(size=40)
    return tw.Table.from_dict(
        {
            "patient": [f"p{i}" for i in PATIENT],
            "reading": reading[PATIENT],
            "noise": rng.normal(size=480),
            "y": np.where(rng.permutation(40)[PATIENT] < 20, "yes", "no"),
        }
    )


def judged_in_report(data: tw.Table, **units: Any) -> float:
    tree = tw.grow(data.drop("patient"), "y", "plain")
    told = facts(tree, training=data, folds=5, **units)
    return float(min(told["sizes"]["folds"]["error"]))


DOORS: dict[str, Callable[..., float]] = {
    "fit": lambda data, **units: 1 - tw.fit(data, "y", **units).scores["10 folds"]["accuracy"].value,
    "fit cart": lambda data, **units: (
        1 - tw.fit(data, "y", "cart", folds=5, **units).scores["5 folds"]["accuracy"].value
    ),
    "tune": lambda data, **units: tw.tune(data, "y", n_fits=6, repeats=1, outer=3, **units).error.value,
    "compare": lambda data, **units: (
        tw.compare(data, "y", "plain", "none", folds=5, forest=False, **units).best.error
    ),
    "cross_validate": lambda data, **units: (
        tw.evaluate.cross_validate(data, "y", folds=5, scores="error", **units).overall["error"].value
    ),
    "prune.compare": lambda data, **units: float(
        tw.prune.compare(
            tw.grow(data.drop("patient"), "y", "plain"), data, folds=5, methods={}, **units
        ).rows[0].cv_error
    ),
    "report": judged_in_report,
}  # fmt: skip


@pytest.mark.parametrize("door", list(DOORS))
@pytest.mark.filterwarnings("ignore::treewright.DataWarning")
def test_a_group_is_never_learned_from_and_judged_by(door: str) -> None:
    data = table()
    without = data if door in ("report", "prune.compare") else data.drop("patient")  # these grow without it
    blind = DOORS[door](without)
    assert blind < 0.2
    assert DOORS[door](data, groups="patient") > 0.4
    assert DOORS[door](without, groups=PATIENT.tolist()) > 0.4


@pytest.mark.parametrize("unit", ["groups", "order"])
def test_the_folds_of_every_fit_are_of_whole_groups_and_of_the_past(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[np.ndarray, np.ndarray]] = []
    judge, verdict = race.Course.judge, cross_validation.Fold.__init__

    def spying(course: Any, trial: Any, heat: Any) -> Any:
        units = course.task.folds.units
        seen.append((units[heat.kept], units[heat.held]))
        return judge(course, trial, heat)

    def spying_fold(fold: Any, tree: Any, sample: Any, kept: Any, rows: Any) -> None:
        reading = np.argsort(np.argsort(sample.columns[0], kind="stable"))  # rows by what they hold
        seen.append((reading[kept], reading[rows]))
        verdict(fold, tree, sample, kept, rows)

    monkeypatch.setattr(race.Course, "judge", spying)
    monkeypatch.setattr(cross_validation.Fold, "__init__", spying_fold)
    n = 90
    time = np.random.default_rng(1).permutation(n)
    data = {"t": time.astype(float) // 3, "x": np.sin(time), "y": np.where(np.sin(time) > 0, "a", "b")}
    tw.fit(data, "y", **{unit: "t"})
    tw.tune(data, "y", n_fits=6, repeats=1, outer=2, folds=3, **{unit: "t"})
    assert len(seen) > 20
    for kept, held in seen:
        assert not set(kept) & set(held)
        if unit == "order":
            assert kept.max() < held.min()


def test_reduced_error_by_folds_keeps_groups_together() -> None:
    data = table()
    blind = tw.evaluate.reduced_error_by_folds(data.drop("patient"), "y")
    found = tw.evaluate.reduced_error_by_folds(data, "y", groups="patient")
    assert found.n_leaves < blind.n_leaves / 2
    assert "patient" not in found.schema.names
    late = tw.evaluate.reduced_error_by_folds(data.drop("patient"), "y", folds=3, order=np.arange(480))
    assert late.n_leaves >= 1


def test_columns_of_folds_are_found_in_a_report(tmp_path: Path) -> None:
    data = table()
    tree = tw.grow(data.drop("patient"), "y", "plain")
    by_name = facts(tree, training=data, folds="patient")["sizes"]["folds"]
    assert by_name == facts(tree, training=data, folds=PATIENT)["sizes"]["folds"]
    with pytest.raises(ValueError, match="say how many, such as folds=10"):
        tree.report(tmp_path / "r.html", training=data, groups="patient")
    with pytest.raises(ValueError, match="say how many"):
        tw.prune.compare(tree, data, order=range(480))


def test_every_public_function_with_folds_takes_groups_and_order() -> None:
    """Objects of `tw.prune` do; functions beside them take folds as they are, one for each row."""
    plain = {"folds_by_row", "CrossValidation", "cost_complexity", "cross_validated", "choose_m"}
    plain |= {"choose_kappa_by_cross_validation", "cross_validate_learner"}
    import inspect

    for room in (tw, tw.evaluate, tw.prune, tw.Tree):
        for name in dir(room):
            if name.startswith("_") or name in plain or not callable(getattr(room, name)):
                continue
            try:
                taken = inspect.signature(getattr(room, name)).parameters
            except ValueError:
                continue
            assert "folds" not in taken or {"groups", "order"} <= set(taken), f"{room.__name__}.{name}"


def test_folds_of_a_table_are_those_of_its_columns() -> None:
    data = table()
    blocks = folds_in(data, 4, groups="patient")
    assert re.fullmatch(r"Blocks\(40 groups in 4 folds\)", repr(blocks))
    assert np.array_equal(folds_in(data, "patient"), data.column("patient")[1])
