"""`treewright fit --cluster`: what it refuses, and a cluster on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import treewright as tw
from treewright.cli import cluster
from treewright.cli.main import main
from treewright.distributed import LocalRunner


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["fit", *words])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    frame = tw.example("iris").to_pandas()
    place = tmp_path / "iris"
    place.mkdir()
    for i in range(3):
        frame.iloc[i::3].to_parquet(place / f"{i}.parquet", index=False)
    return place


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--target", "class", "--cv", "5"], "--cv needs all rows in one place"),
        (["--target", "class", "--forest", "5", "--prune", "mdl"], "trees of a forest are not pruned"),
        ([], "say which column to predict: --target NAME"),
        (["--target", "class", "--parts", "a:year"], "--parts reads a whole file"),
    ],
)
def test_what_needs_all_rows_is_refused(words: list[str], said: str, folder: Path) -> None:
    found = run(str(folder), "--cluster", "local", *words)
    assert found.exit_code == 2
    assert said in found.output


def test_the_tree_is_shown_and_saved(folder: Path, monkeypatch: Any, tmp_path: Path) -> None:
    class Here(LocalRunner):
        def nthreads(self) -> dict[str, int]:
            return {"here": 1}

    class Opened:
        def __enter__(self) -> Here:
            return Here()

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(cluster, "client_of", lambda *_: Opened())
    place = tmp_path / "m.treewright"
    found = run(str(folder), "--cluster", "local", "--target", "class", "--max-depth", "2", "-o", str(place))
    assert found.exit_code == 0, found.output
    assert "3 shards, 1 threads" in found.output
    assert "petallength" in found.output
    assert tw.load(place).predict(tw.example("iris"))[0] == "Iris-setosa"


def test_without_dask_it_says_what_to_install(folder: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    found = run(str(folder), "--cluster", "local", "--target", "class")
    assert found.exit_code == 1
    assert "pip install 'treewright[dask]'" in found.output


@pytest.mark.slow
def test_a_cluster_on_this_machine(folder: Path) -> None:
    found = run(str(folder), "--cluster", "local", "--target", "class", "--json")
    assert found.exit_code == 0, found.output
    assert '"leaves": 9' in found.output


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_named(folder: Path) -> None:
    found = run(str(folder), "--cluster", "tcp://127.0.0.1:1", "--target", "class")
    assert found.exit_code == 1
    assert "no scheduler answers there" in found.output


def test_a_forest_from_files_is_shown_and_saved(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "m.treewright"
    told = (str(folder), "--memory", "500MB", "--target", "class", "--forest", "4", "--seed", "3")
    found = run(*told, "-o", str(place))
    assert found.exit_code == 0, found.output
    assert "Forest (plain, not pruned; 4 trees)" in found.output
    assert "Grown on 150 rows, which fit in memory" in found.output
    assert tw.load(place) == tw.forest.grow(tw.read(folder), "class", 4, seed=3)
    assert '"trees": 4' in run(*told, "--json").output
