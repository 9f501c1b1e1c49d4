"""Forests from files and engines: byte for byte the forest that memory grows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.distributed.runners import BlocksRunner
from tests.distributed.test_growing import folder_of
from tests.grow.test_invariance import with_target
from tests.oracle.strategies import Problem, problems
from tests.tables import table, target
from treewright.distributed import LocalRunner
from treewright.forest.draws import fingerprint
from treewright.forest.grower import Trees, settings_of
from treewright.forest.sourced import Counted, grow_from
from treewright.growth.sourced import Together, cut_into_parts
from treewright.shards.spool import SpoolSource, View

QUIET = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
SLOW, N_TREES, N_PARTS = pytest.mark.slow, 5, 6
FORESTS: list[Any] = [
    ("iris", {"recipe": "c4.5", "bootstrap": False}),
    ("hypothyroid", {"missing": "fractional", "max_depth": 3, "max_samples": 0.3}),
    ("abalone", {"max_depth": 3, "min_leaf": 5.0}),
    ("credit_g", {"missing": "drop", "max_depth": 4, "first": 7, "seed": 3}),
    pytest.param("iris", {}, marks=SLOW),
    pytest.param("hypothyroid", {"max_depth": 6}, marks=SLOW),
    pytest.param("hypothyroid", {"recipe": "cart", "max_depth": 4}, marks=SLOW),
    pytest.param("abalone", {"missing": "fractional", "max_depth": 3}, marks=SLOW),
    pytest.param("mushroom", {"splits": "multiway", "class_weight": "balanced"}, marks=SLOW),
]


@pytest.fixture
def never_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grow from the spool whatever the size of the table, and most nodes there."""
    monkeypatch.setattr(View, "fits", lambda *_args, **_told: False)
    monkeypatch.setattr(SpoolSource, "bytes_of_row", property(lambda source: source.budget.for_rows // 300))


def bytes_of(forest: tw.forest.Forest, place: Path) -> bytes:
    """Return the file of a forest, but for who grew it."""
    about = {name: value for name, value in forest.about.items() if name != "growth"}
    tw.forest.Forest(
        schema=forest.schema, target=forest.target, arrays=dict(forest.arrays), about=about
    ).save(place)
    return place.read_bytes()


@pytest.mark.usefixtures("never_fits")
@pytest.mark.parametrize(("name", "told"), FORESTS)
def test_files_are_the_same_byte_for_byte(name: str, told: dict[str, Any], tmp_path: Path) -> None:
    file, goal = tmp_path / "forest", target(name)
    files = folder_of(name, tmp_path / "files", N_PARTS)
    whole = tw.read(files)
    wanted = bytes_of(tw.forest.grow(whole, goal, N_TREES, **told), file)
    shards = sorted(files.iterdir())
    np.random.default_rng(0).shuffle(shards)  # type: ignore[arg-type]
    pieces = [whole.take(range(97)), whole.take(range(97, whole.n_rows))]
    for given_ in (shards, pieces):
        found = tw.forest.grow(given_, goal, N_TREES, memory="100MB", **told)
        assert found.about["growth"]["engine"] == "spool"
        assert bytes_of(found, file) == wanted
    for runner in (LocalRunner(2), BlocksRunner(1)):
        found = tw.forest.grow(files, goal, N_TREES, engine=runner, **told)
        assert found.about["growth"]["shards"] == N_PARTS
        assert bytes_of(found, file) == wanted


def test_weights_number_only_the_rows_that_count(tmp_path: Path) -> None:
    frame = table("iris").to_pandas().assign(w=[(i % 5) * 0.3 for i in range(150)])
    for i in range(3):
        frame.iloc[50 * i : 50 * i + 50].to_parquet(tmp_path / f"{i}.parquet", index=False)
    expected = tw.forest.grow(frame, "class", 4, weights="w")
    assert expected.about["n_rows"] == 120
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(View, "fits", lambda *_args, **_told: False)
        found = tw.forest.grow(tmp_path, "class", 4, weights="w", memory="1GB")
    assert found.about["growth"]["engine"] == "spool"
    assert found == expected
    assert tw.forest.grow(tmp_path, "class", 4, weights="w", engine=LocalRunner(2)) == expected


def test_rows_that_fit_are_grown_in_memory(tmp_path: Path) -> None:
    files = folder_of("iris", tmp_path, 3)
    forest = tw.forest.grow(files, "class", 4, memory="1GB")
    assert forest.about["growth"]["engine"] == "memory"
    assert forest == tw.forest.grow(tw.read(files), "class", 4)
    more = tw.forest.grow(files, "class", 3, first=4, memory="1GB")
    assert tw.forest.join(forest, more) == tw.forest.grow(tw.read(files), "class", 7)


@pytest.mark.parametrize("missing", ["learned", "fractional", "surrogate", "own_branch"])
def test_any_parts_of_any_table(missing: str) -> None:
    @QUIET
    @given(
        problems(max_rows=40, max_columns=5),
        st.integers(1, 29),
        st.integers(1, 3),
        st.booleans(),
        st.sampled_from([0, 0, 12]),
    )
    def run(problem: Problem, n_parts: int, n_columns: int, draws: bool, gather_below: int) -> None:
        rows = with_target(problem)
        is_classifier = problem.n_classes > 0
        told: dict[str, Any] = {"missing": missing, "max_columns": n_columns}
        given_: dict[str, Any] = {} if problem.weights is None else {"weights": problem.weights}
        try:
            expected = tw.forest.grow(rows, "y", 3, bootstrap=draws, **given_, **told)
        except ValueError:
            return
        chosen = settings_of("plain", len(rows.schema) - 1, is_classifier, n_columns, {"missing": missing})
        answers = rows.column("y")[1]
        if problem.weights is not None:
            answers = answers[np.asarray(problem.weights) > 0]
        trees = Trees(3, 0, (lambda n: n) if draws else (lambda n: 0))
        parts, question, _ = cut_into_parts(
            rows, "y", n_parts, n_draws=trees.draws(rows.n_rows), **given_, **_plain(chosen)
        )
        counted = Counted(len(answers), fingerprint(answers))
        found = grow_from(Together(parts), question, chosen, trees, counted, gather_below=gather_below)
        assert found == expected

    run()


def _plain(chosen: Any) -> dict[str, Any]:
    return {"missing": chosen.missing, "max_columns": chosen.max_columns, "min_leaf": chosen.min_leaf}


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"memory": "1GB", "class_weight": "balanced_subsample"}, "weighs rows anew for every tree"),
        ({"memory": "1GB", "checkpoint": "file"}, "checkpoint=... goes with engine"),
        ({"spool": "folder"}, "spool=... goes with memory"),
        ({"checkpoint": "folder"}, "checkpoint=... goes with engine"),
        ({"memory": "1GB", "n_trees": 0}, "n_trees=0 must be at least 1"),
        ({"engine": LocalRunner(), "cuts": "random"}, "cuts='random' does not go with a source"),
        ({"engine": "dask"}, "is no engine"),
    ],
)
def test_refusals(told: dict[str, Any], words: str, tmp_path: Path) -> None:
    given_ = folder_of("iris", tmp_path, 1) if {"memory", "engine"} & set(told) else table("iris")
    with pytest.raises((TypeError, ValueError), match=words):
        tw.forest.grow(given_, "class", **told)


class Failing(LocalRunner):
    """An engine that is lost at one of its passes, and counts them."""

    def __init__(self, at_pass: int) -> None:
        super().__init__(2)
        self.at_pass, self.n_passes = at_pass, 0

    def map_reduce(self, handle: Any, verb: str, payload: bytes, fan_in: int = 8) -> bytes:
        self.n_passes += 1
        if self.n_passes == self.at_pass:
            raise ConnectionError("the cluster is gone")
        return super().map_reduce(handle, verb, payload, fan_in)


def test_a_forest_goes_on_where_it_was_cut_short(tmp_path: Path) -> None:
    files, kept = folder_of("iris", tmp_path / "iris", 3), tmp_path / "kept"
    told: dict[str, Any] = {"max_depth": 2, "checkpoint": kept}
    whole = Failing(0)
    expected = tw.forest.grow(files, "class", 3, engine=whole, max_depth=2)
    with pytest.raises(ConnectionError, match="is gone"):
        tw.forest.grow(files, "class", 3, engine=Failing(2 * whole.n_passes // 3), **told)
    rest = Failing(0)
    assert tw.forest.grow(files, "class", 3, engine=rest, **told) == expected
    assert rest.n_passes < 2 * whole.n_passes // 3
    assert not kept.exists()
