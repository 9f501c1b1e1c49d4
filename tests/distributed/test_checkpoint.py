"""A driver that is killed, and another that goes on with another number of workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import treewright as tw
from tests.distributed.test_growing import check, folder_of
from tests.tables import target
from treewright.distributed import LocalRunner
from treewright.distributed.checkpoint import Checkpoint

DRIVER = """
import sys
import treewright as tw
from tests.distributed.test_checkpoint import Dying
tw.grow({place!r}, {goal!r}, engine=Dying({n_passes}), checkpoint={kept!r}, max_depth={depth})
"""


class Dying(LocalRunner):
    """An engine whose driver is killed at one of its passes."""

    def __init__(self, n_passes: int) -> None:
        super().__init__(3)
        self.left = n_passes

    def map_reduce(self, handle: Any, verb: str, payload: bytes, fan_in: int = 8) -> bytes:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().map_reduce(handle, verb, payload, fan_in)


class Counting(LocalRunner):
    """An engine that counts its passes."""

    n_passes = 0

    def map_reduce(self, handle: Any, verb: str, payload: bytes, fan_in: int = 8) -> bytes:
        self.n_passes += 1
        return super().map_reduce(handle, verb, payload, fan_in)


@pytest.mark.parametrize("name", ["hypothyroid", pytest.param("abalone", marks=pytest.mark.slow)])
def test_a_driver_is_killed_and_another_goes_on(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    from treewright.distributed import growing

    monkeypatch.setattr(growing, "LEAST_GATHERED", 4096)
    place, kept = folder_of(name, tmp_path / name, 4), tmp_path / "kept"
    whole = Counting(1)
    expected = tw.grow(place, target(name), engine=whole, max_depth=4)
    code = DRIVER.format(place=str(place), goal=target(name), n_passes=6, kept=str(kept), depth=4)
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, timeout=60
    )
    assert run.returncode == -signal.SIGKILL, run.stderr.decode()
    assert kept.stat().st_size > 0
    rest = Counting(2)
    check(tw.grow(place, target(name), engine=rest, checkpoint=kept, max_depth=4), expected)
    assert 1 < rest.n_passes < whole.n_passes
    assert not kept.exists()  # all is done


def test_a_record_cut_short_is_left_out(tmp_path: Path) -> None:
    place = tmp_path / "kept"
    with Checkpoint(place, {}) as first:
        for i in range(3):
            first.keep(b"question %d" % i, b"answer %d" % i)
    whole = place.read_bytes()
    for lost in (1, 9, 20):
        place.write_bytes(whole[:-lost])
        with Checkpoint(place, {}) as found:
            assert found.answer(b"question 1") == b"answer 1"
            assert found.answer(b"question 2") is None
            found.keep(b"question 2", b"again")
        with Checkpoint(place, {}) as found:
            assert found.answer(b"question 2") == b"again"


def test_other_data_and_settings_are_refused(tmp_path: Path) -> None:
    place, kept = folder_of("iris", tmp_path / "iris", 2), tmp_path / "kept"

    class Failing(Counting):
        def map_reduce(self, handle: Any, verb: str, payload: bytes, fan_in: int = 8) -> bytes:
            if self.n_passes == 4:
                raise OSError("the network is gone")
            return super().map_reduce(handle, verb, payload, fan_in)

    def again(**told: Any) -> tw.Tree:
        return tw.grow(place, "class", engine=LocalRunner(), checkpoint=kept, **told)

    with pytest.raises(OSError, match="network"):
        tw.grow(place, "class", engine=Failing(), checkpoint=kept)
    with pytest.raises(ValueError, match="was made for settings"):
        again(max_depth=2)
    later = os.stat(place / "part-1.parquet").st_mtime + 9
    os.utime(place / "part-1.parquet", (later, later))
    with pytest.raises(ValueError, match=r"part-1\.parquet', part 0 has changed since the checkpoint"):
        again()


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "thesis"
    place.write_bytes(b"dear reader " * 10)
    with pytest.raises(ValueError, match="no checkpoint of ours"):
        Checkpoint(place, {})
    assert place.read_bytes() == b"dear reader " * 10


def test_in_memory_there_is_no_checkpoint() -> None:
    with pytest.raises(ValueError, match="goes with engine"):
        tw.grow(tw.example("tennis"), "PlayTennis", checkpoint="x")
