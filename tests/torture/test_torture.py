"""A taste of `./dev torture`: files stay whole, and the parts say what they tried."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.torture import faults

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(
    faults.compiler() is None or not sys.platform.startswith("linux"), reason="needs Linux and a C compiler"
)
def test_files_stay_whole_while_disks_and_clocks_fail() -> None:
    command = [sys.executable, "-m", "tests.torture", "writes", "full_disks", "clocks"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.splitlines()
    assert [line.split(":")[0] for line in said] == ["writes", "full_disks", "clocks"]
    assert all("no find" in line for line in said)
    assert "fsync failed" in said[0]
    assert "rename failed" in said[0]
