"""`tw.grow(files, memory=...)`: the same tree from every engine; files kept, swept and refused."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import treewright as tw
from tests.distributed.test_growing import folder_of
from tests.tables import table, target
from treewright.distributed import LocalRunner
from treewright.shards import shards_of
from treewright.shards.spool import Budget, View, folder, spooled, writing
from treewright.shards.spool.store import Reader, Spool


@pytest.fixture
def never_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grow from the spool whatever the size of the table."""
    monkeypatch.setattr(View, "fits", lambda *_args, **_told: False)


def bytes_of(tree: tw.Tree, place: Path) -> bytes:
    """Return the file of a tree, but for who grew it."""
    about = {name: value for name, value in tree.about.items() if name != "growth"}
    tw.tree.edit.alter(tree, about=about).save(place)
    return place.read_bytes()


# ---- the same file from every engine -------------------------------------------------------------------


@pytest.mark.usefixtures("never_fits")
@pytest.mark.parametrize(
    ("name", "recipe", "told"),
    [
        ("iris", "cart", {"prune": "none"}),
        ("hypothyroid", "plain", {"max_depth": 4}),
        pytest.param("hypothyroid", "plain", {}, marks=pytest.mark.slow),
        ("abalone", "plain", {"max_depth": 3}),
        ("mushroom", "c4.5", {"prune": "none", "missing": "learned"}),
    ],
)
def test_model_files_are_the_same_byte_for_byte(
    name: str, recipe: str, told: dict[str, Any], tmp_path: Path
) -> None:
    goal, file = target(name), tmp_path / "model"
    files = folder_of(name, tmp_path / "files", 16)
    whole = tw.read(files)
    wanted = bytes_of(tw.grow(whole, goal, recipe, warns=False, **told), file)
    shards = sorted(files.iterdir())
    np.random.default_rng(0).shuffle(shards)  # type: ignore[arg-type]
    for given in (
        files,
        shards,
        [whole.take(range(0, whole.n_rows, 2)), whole.take(range(1, whole.n_rows, 2))],
    ):
        tree = tw.grow(given, goal, recipe, memory="100MB", **told)
        assert tree.about["growth"]["engine"] == "spool"
        assert bytes_of(tree, file) == wanted
    assert bytes_of(tw.grow(files, goal, recipe, engine=LocalRunner(2), **told), file) == wanted
    if recipe == "plain":  # what SQL answers
        with duckdb.connect() as connection:
            listed = f"select * from read_parquet('{files}/*.parquet')"
            assert bytes_of(tw.grow(listed, goal, recipe, engine=connection, **told), file) == wanted


def test_an_estimator_learns_from_files(tmp_path: Path) -> None:
    files = folder_of("iris", tmp_path / "iris", 4)
    whole = tw.read(files)
    model = tw.DecisionTreeClassifier(max_depth=3).fit_files(files, "class", memory="1GB")
    expected = tw.DecisionTreeClassifier(max_depth=3).fit(whole.drop("class"), whole.labels("class"))
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert (
        model.predict(whole.to_pandas()[list(model.feature_names_in_)]).tolist()
        == expected.predict(whole.to_pandas()[list(expected.feature_names_in_)]).tolist()
    )
    with pytest.raises(ValueError, match="'class' is nominal; a regressor needs numbers"):
        tw.DecisionTreeRegressor().fit_files(files, "class")


# ---- the folder of the spool ---------------------------------------------------------------------------


def spools(place: Path) -> list[str]:
    return [name for name in os.listdir(place) if name.startswith(folder.PREFIX)]


def test_a_kept_spool_serves_again_until_files_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, kept = folder_of("iris", tmp_path / "iris", 2), tmp_path / "kept"
    first = tw.grow(files, "class", memory="1GB", spool=kept)
    n_written: list[int] = []
    real = writing._written
    monkeypatch.setattr(writing, "_written", lambda *told: (n_written.append(1), real(*told))[1])
    assert tw.grow(files, "class", memory="1GB", spool=kept) == first
    assert tw.grow(files, "petallength", memory="1GB", spool=kept, max_depth=2).n_leaves == 4
    assert n_written == []
    frame = table("iris").to_pandas()
    frame.iloc[:70].to_parquet(files / "part-1.parquet", index=False)
    changed = tw.grow(files, "class", memory="1GB", spool=kept)
    assert n_written == [1]
    assert changed.about["growth"]["rows"] == 70 + 75
    (one,) = kept.iterdir()
    (one / "cells").write_bytes(b"cut short")
    assert tw.grow(files, "class", memory="1GB", spool=kept) == changed
    assert n_written == [1, 1]


def test_a_kept_spool_that_others_read_stays_as_it_is(tmp_path: Path) -> None:
    files, other = folder_of("iris", tmp_path / "iris", 2), folder_of("mushroom", tmp_path / "mushroom", 2)
    kept, plenty, little = tmp_path / "kept", Budget.of("2GB"), Budget.of("64MB")
    with spooled(shards_of(files), plenty, kept) as first:
        before = (first.folder / "values").read_bytes()
        with pytest.MonkeyPatch.context() as patch:  # its blocks are too long for another
            patch.setattr(Budget, "rows_of_block", lambda *_: 20)
            with spooled(shards_of(files), little, kept) as second:
                assert second.folder != first.folder
                assert second.n_blocks == 8
            assert not second.folder.exists()
        with spooled(shards_of(files), plenty, kept) as third:
            assert third.folder == first.folder
        tw.grow(other, target("mushroom"), memory="1GB", spool=kept, max_depth=1)  # other rows
        assert (first.folder / "values").read_bytes() == before
        assert sum(place.name.startswith("rows-") for place in kept.iterdir()) == 2
    tw.grow(files, "class", memory="1GB", spool=kept)
    tw.grow(files, "class", memory="1GB", spool=kept)
    with spooled(shards_of(other), little, kept) as fourth:
        assert fourth.n_rows == 8124
    with spooled(shards_of(folder_of("iris", tmp_path / "more", 3)), little, kept) as last:
        assert [place for place in kept.iterdir() if place.name.startswith("rows-")] == [last.folder]
    assert list(kept.iterdir()) == [last.folder]


@pytest.mark.usefixtures("never_fits")
@pytest.mark.parametrize("trouble", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
def test_nothing_is_left_behind(
    trouble: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, own = folder_of("iris", tmp_path / "iris", 2), tmp_path / "own"
    own.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(own))  # other tests may be growing in the machine's
    seen: list[str] = []

    def fails(*_: Any) -> Any:
        seen.extend(spools(own))
        raise trouble

    with monkeypatch.context() as patch:
        patch.setattr(Reader, "cells", fails)
        with pytest.raises(type(trouble)):
            tw.grow(files, "class", memory="1GB")
    assert (len(seen), spools(own)) == (1, [])
    with pytest.raises(type(trouble)):
        tw.grow(files, "class", memory="1GB", progress=fails)
    assert (len(seen), spools(own)) == (2, [])


def test_a_full_disk_is_told_before_and_during(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = folder_of("iris", tmp_path / "iris", 2)

    def full(*_: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(writing, "_write", full)
        with pytest.raises(OSError, match=r"is full .* left.*spool='/path/of/a/folder', or set TMPDIR"):
            tw.grow(files, "class", memory="1GB")
    few = shutil.disk_usage(tmp_path)._replace(free=100)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: few)
    with pytest.raises(OSError, match=r"The spool takes .* and the disk of .* has 100 bytes left"):
        tw.grow(files, "class", memory="1GB")


def test_what_killed_programs_left_is_removed(tmp_path: Path) -> None:
    left, young = tmp_path / f"{folder.PREFIX}0", tmp_path / f"{folder.PREFIX}1"
    for place in (left, young):
        place.mkdir()
        (place / folder.LOCK).touch()
    os.utime(left, (0, 0))
    with folder.scratch(tmp_path) as mine:
        assert sorted(tmp_path.iterdir()) == sorted([young, mine])
        os.utime(mine, (0, 0))
        with folder.scratch(tmp_path):
            assert mine.is_dir()  # it is held


def test_a_spool_of_another_make_is_no_spool(tmp_path: Path) -> None:
    assert Spool.opened(tmp_path, "") is None
    (tmp_path / "manifest.json").write_text('{"version": 0}')
    assert Spool.opened(tmp_path, "") is None


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"memory": "2 gigs"}, "is no size; write it like '2GB'"),
        ({"memory": "5MB"}, "too little"),
        ({"memory": "1GB", "target": ["a"]}, "With memory=..., target is the name of a column, not a list"),
        ({"memory": "1GB", "target": "Class"}, "no column 'Class'; did you mean 'class'"),
        ({"memory": "1GB", "weights": "w"}, "no column 'w'"),
        ({"spool": "folder"}, "spool=... goes with memory=..."),
    ],
)
def test_refusals(told: dict[str, Any], words: str, tmp_path: Path) -> None:
    files = folder_of("iris", tmp_path, 1)
    with pytest.raises((TypeError, ValueError), match=words):
        tw.grow(files, **{"target": "class", **told})
