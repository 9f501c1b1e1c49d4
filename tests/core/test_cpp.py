"""The small tests in C++: each file of cpp/tests is built by itself and run."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

CPP = Path(__file__).parents[2] / "cpp"
FILES = sorted((CPP / "tests").glob("*.cpp"))
COMPILER = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler on this machine; the core was built elsewhere")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_of_the_core(file, tmp_path):
    program = tmp_path / file.stem
    options = [
        "-std=c++20",
        "-O0",
        "-ffp-contract=off",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{CPP / 'include'}",
    ]
    built = subprocess.run(
        [COMPILER, *options, str(file), "-o", str(program)], capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert "ok  " in done.stdout


def test_there_is_a_test_for_each_piece_that_others_rest_on():
    assert {file.stem for file in FILES} >= {"contest", "bounds", "rows", "frontier", "cells", "wide"}
