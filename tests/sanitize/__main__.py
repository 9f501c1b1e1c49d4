"""Run tests on a core that watches itself: ./dev sanitize [address | thread] [--brief] [tests ...]

address: memory and undefined behaviour, and at the end which lines of C++ ran; thread: races. Objects are
kept, and only what changed is built again. --brief: a few minutes of it; other arguments go to pytest.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

from tests.sanitize import lines
from tests.sanitize.build import built, folder
from tests.sanitize.kinds import KINDS, ROOT


def main() -> int:
    """Build, run, and say what was found."""
    words = argparse.ArgumentParser(prog="./dev sanitize", description=__doc__, allow_abbrev=False)
    words.add_argument("--brief", action="store_true")
    words.add_argument("--build", action="store_true", help="build only")
    given, rest = words.parse_known_args()
    name = rest.pop(0) if rest and rest[0] in KINDS else "address"
    python = built(name)
    if given.build:
        return 0
    kind = KINDS[name]
    is_whole = not given.brief and not any("tests" in word for word in rest)
    if not any("tests" in word for word in rest):
        rest = [*(kind.brief if given.brief else kind.chosen), "-n", "auto", "--dist", "worksteal", *rest]
    if name == "address":
        lines.forget(folder(name))
    begin = time.monotonic()
    command = [
        str(python),
        "-m",
        "pytest",
        "-m",
        "not slow",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.sanitize.plugin",
        *rest,
    ]
    code = subprocess.run(command, cwd=ROOT, env=_environment(name), check=False).returncode
    print(
        f"sanitize: {name}: {time.monotonic() - begin:.0f} s, {'clean' if code == 0 else 'NOT CLEAN'}",
        flush=True,
    )
    if name == "address" and not lines.report(folder(name)) and is_whole:
        return code or 1
    return code


def _environment(name: str) -> dict[str, str]:
    """Return the environment of the tests: what is preloaded and what it is told; the caller may add."""
    kind = KINDS[name]
    found = {**os.environ, "TREEWRIGHT_SANITIZED": str(folder(name) / "site"), "OPENBLAS_NUM_THREADS": "1"}
    found["PYTHONPATH"] = str(ROOT)
    for key, value in kind.told.items():
        found[key] = f"{value}:{os.environ[key]}" if key in os.environ and key.endswith("OPTIONS") else value
    if kind.preloaded:
        found["LD_PRELOAD"] = " ".join(_library(each) for each in kind.preloaded)
    return found


def _library(name: str) -> str:
    compiler = os.environ.get("CXX", "c++")
    said = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return said.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
