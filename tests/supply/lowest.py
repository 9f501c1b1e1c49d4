"""The oldest versions that pyproject.toml allows, in an environment of their own: ./dev test --lowest

uv finds the oldest version of each package that is asked for to build, to run and to test. The core is built
with the oldest tools, and the suite is run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    from pip._vendor import tomli as tomllib

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "build" / "lowest"


def project() -> dict[str, Any]:
    """Return pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def asked(groups: tuple[str, ...] = ("build", "test")) -> list[Requirement]:
    """Return what is asked for in pyproject.toml: to build, to run, and in groups."""
    text = project()
    lines = [*text["build-system"]["requires"], *text["project"]["dependencies"]]
    for group in groups:
        lines += _of_group(text["dependency-groups"], group)
    return [Requirement(line) for line in lines]


def _of_group(groups: dict[str, Any], name: str) -> Iterator[str]:
    for entry in groups[name]:
        yield from _of_group(groups, entry["include-group"]) if isinstance(entry, dict) else [entry]


def prepared() -> Path:
    """Return the Python of the environment: made, filled and with the core in it."""
    PLACE.mkdir(parents=True, exist_ok=True)
    python, wanted = PLACE / "venv" / "bin" / "python", PLACE / "asked.txt"
    wanted.write_text("\n".join(sorted({str(each) for each in asked()})) + "\n")
    if not python.exists():
        venv.create(PLACE / "venv")
    _uv(python, "installing the oldest packages", "--resolution", "lowest-direct", "-r", str(wanted))
    _uv(
        python, "building the core", "--no-deps", "--no-build-isolation", f"-Cbuild-dir={PLACE / 'core'}", "."
    )
    return python


def _uv(python: Path, title: str, *words: str) -> None:
    print(f"lowest: {title}; the output is in build/lowest/log", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "uv", "pip", "install", "--python", str(python), *words]
    with (PLACE / "log").open("wb") as log:
        told = {
            **os.environ,
            "PATH": f"{python.parent}:{os.environ['PATH']}",
        }  # cmake and ninja are installed there
        done = subprocess.run(command, cwd=ROOT, stdout=log, stderr=log, check=False, env=told)
    if done.returncode:
        print(*(PLACE / "log").read_text(errors="replace").splitlines()[-40:], sep="\n", file=sys.stderr)
        sys.exit(f"lowest: {title} failed; the whole output is in build/lowest/log")


def main() -> int:
    """Install, build, and run what pytest is told to."""
    python = prepared()
    words = sys.argv[1:] or ["-n", "auto", "--dist", "worksteal", "tests"]
    return subprocess.run(
        [python, "-m", "pytest", "-m", "not slow", *words], cwd=ROOT, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
