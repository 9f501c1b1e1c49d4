"""Files are written whole or not at all, errors name the file asked for, and nothing is left behind."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time

import pytest

import treewright as tw
from treewright.base import files
from treewright.base.files import STALE, replacing, write_whole
from treewright.cli import predict as predicting

TABLE = tw.example("tennis")
TREE = tw.grow(TABLE, target="PlayTennis", recipe="id3")
NUMBERS = [[1.0, 5.0], [1.0, 3.0], [3.0, 4.0], [3.0, 2.0]]

COLUMNS = {"row": [1.0, 2.0], "answer": ["a", "b"]}


def boundary(path):
    model = tw.DecisionTreeClassifier().fit(NUMBERS, list("aabb"))
    tw.draw.boundary(model, NUMBERS, list("aabb"), path=path)


# Every way to a file: the end of its name, and what writes it.
WRITERS = {
    "tree": (".treewright", TREE.save),
    "rules": (".rules", TREE.rules().save),
    "forest": (".forest", lambda path: tw.forest.grow(TABLE, target="PlayTennis", n_trees=2).save(path)),
    "report": (".html", lambda path: TREE.report(path, TABLE)),
    "svg": (".svg", lambda path: TREE.plot(path)),
    "pdf": (".pdf", lambda path: TREE.plot(path)),
    "png": (".png", lambda path: TREE.plot().save(path)),
    "txt": (".txt", lambda path: TREE.plot().save(path)),
    "boundary": (".png", boundary),
    "csv": (".csv", lambda path: predicting._write_csv(COLUMNS, str(path))),
    "jsonl": (".jsonl", lambda path: predicting._write_lines(COLUMNS, str(path))),
    "parquet": (".parquet", lambda path: predicting._write_parquet(COLUMNS, str(path))),
}


def spares(folder):
    return [name for name in os.listdir(folder) if name.startswith(".treewright-")]


@pytest.mark.parametrize("name", WRITERS)
def test_a_missing_folder_is_named_with_the_file_asked_for(name, tmp_path):
    end, write = WRITERS[name]
    path = tmp_path / "no such folder" / f"model{end}"
    with pytest.raises(FileNotFoundError, match=r"There is no folder '.*no such folder'; make it") as told:
        write(path)
    assert str(told.value.filename) == str(path)
    assert ".treewright-" not in str(told.value)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_is_written_and_no_other(name, tmp_path):
    end, write = WRITERS[name]
    write(tmp_path / f"model{end}")
    assert os.listdir(tmp_path) == [f"model{end}"]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_may_not_be_written_to_is_named_so(tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(PermissionError) as told:
        TREE.save(tmp_path / "tennis.treewright")
    assert str(told.value.filename) == str(tmp_path / "tennis.treewright")


@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
def test_an_error_of_the_system_names_the_file_asked_for(step, tmp_path, monkeypatch):
    """Whatever step fails, the spare file is gone and not spoken of."""

    def fail(first, *more, **options):
        raise OSError(
            28, "No space left on device", first if isinstance(first, str) else spare_of(tmp_path), *more[1:]
        )

    def spare_of(folder):
        return os.path.join(folder, spares(folder)[0])

    path = tmp_path / "tennis.treewright"
    with monkeypatch.context() as patch:
        patch.setattr(files.os, step, fail)
        with pytest.raises(OSError, match="No space left") as told:
            TREE.save(path)
    assert str(told.value.filename) == str(path)
    assert ".treewright-" not in str(told.value)
    assert os.listdir(tmp_path) == []


def test_a_slip_of_a_relative_path_is_named_as_it_was_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"There is no folder 'models'; make it first: 'models/a"):
        TREE.save("models/a.treewright")


# ---- what a killed program leaves -----------------------------------------------------------------


def left_behind(folder, name=".treewright-0123456789abcdef.tmp", age=STALE + 60):
    path = folder / name
    path.write_text("half of a tree")
    moment = time.time() - age
    os.utime(path, (moment, moment))
    return path


def test_what_a_killed_program_left_is_swept(tmp_path):
    old = [left_behind(tmp_path, f".treewright-{i:016x}.tmp") for i in range(3)]
    TREE.save(tmp_path / "tennis.treewright")
    assert not any(path.exists() for path in old)
    assert os.listdir(tmp_path) == ["tennis.treewright"]


@pytest.mark.parametrize("name", WRITERS)
def test_every_writer_sweeps(name, tmp_path):
    end, write = WRITERS[name]
    left_behind(tmp_path)
    write(tmp_path / f"model{end}")
    assert os.listdir(tmp_path) == [f"model{end}"]


def test_others_are_left_alone(tmp_path):
    """A fresh one may be another program's at work; another name is not ours; nor is a link or a folder."""
    kept = [
        left_behind(tmp_path, ".treewright-00000000000000aa.tmp", age=STALE - 60),
        left_behind(tmp_path, ".treewright-00000000000000aa.tmp.bak"),
        left_behind(tmp_path, ".treewright-notes.tmp"),
        left_behind(tmp_path, "treewright-00000000000000aa.tmp"),
        left_behind(tmp_path, ".other-00000000000000aa.tmp"),
    ]
    folder = tmp_path / ".treewright-00000000000000bb.tmp"
    folder.mkdir()
    os.utime(folder, (0, 0))
    link = tmp_path / ".treewright-00000000000000cc.tmp"
    link.symlink_to(kept[1])
    TREE.save(tmp_path / "tennis.treewright")
    assert all(path.exists() for path in [*kept, folder, link])


HOLDER = """
import os, sys, time
from treewright.base.files import replacing
with replacing(sys.argv[1]) as spare:
    os.utime(spare, (0, 0))
    print(spare, flush=True)
    sys.stdin.read()
    with open(spare, "w") as file:
        file.write("the slow one")
"""


def held(path):
    """Another program that is at work on a file: an old spare file, and its writer lives."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    return program, program.stdout.readline().strip()


@pytest.mark.skipif(files.fcntl is None, reason="without locks the age alone decides")
def test_two_writers_do_not_sweep_each_other(tmp_path):
    """However old a spare file looks, it stays while its writer lives; when the writer is killed it goes."""
    slow, spare = held(tmp_path / "slow.txt")
    try:
        TREE.save(tmp_path / "tennis.treewright")
        assert os.path.exists(spare)
        slow.communicate("")
        assert slow.returncode == 0
        assert (tmp_path / "slow.txt").read_text() == "the slow one"
    finally:
        slow.kill()
        slow.wait()
    killed, spare = held(tmp_path / "never.txt")
    killed.kill()
    killed.communicate()
    assert os.path.exists(spare)
    TREE.save(tmp_path / "tennis.treewright")
    assert sorted(os.listdir(tmp_path)) == ["slow.txt", "tennis.treewright"]


def test_a_failing_writer_leaves_the_older_file_whole(tmp_path):
    path = tmp_path / "a.json"
    write_whole(path, b"[1]")

    def half() -> None:
        with replacing(path) as spare, open(spare, "w") as file:
            file.write("[")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert json.loads(path.read_text()) == [1]
    assert os.listdir(tmp_path) == ["a.json"]
