"""How the tests call the command line: inside this process, or as a program of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from treewright.cli.main import main

DATA = Path(__file__).parents[1] / "data"


def run(*words: object) -> Result:
    """Call the command line; an exception that it lets through is one for the test."""
    return CliRunner().invoke(main, [str(word) for word in words], prog_name="treewright")


def good(*words: object) -> Result:
    """Call it, and see that it went well."""
    result = run(*words)
    assert result.exit_code == 0, result.stderr
    return result


def refused(*words: object, code: int = 1) -> str:
    """Call it, see that it leaves with a code and writes no data, and return what it says."""
    result = run(*words)
    assert result.exit_code == code, (result.exit_code, result.output)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return " ".join(result.stderr.split())


def process(*words: object, **environment: str) -> subprocess.Popen[bytes]:
    """Start it as a program with pipes."""
    plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING")}
    return subprocess.Popen(
        [sys.executable, "-m", "treewright", *map(str, words)],
        env={**plain, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def finished(*words: object, **environment: str) -> tuple[int, str, str]:
    """Run it as a program; return its code and what it wrote to both streams."""
    with process(*words, **environment) as program:
        out, err = program.communicate(timeout=120)
    return program.returncode, out.decode(), err.decode()
