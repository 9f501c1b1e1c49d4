"""Move the fragments into the changelog: `python changes/release.py 0.3.0`; it needs towncrier."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def numbered(names: list[str]) -> dict[str, str]:
    """Return the names that towncrier takes: the words after the kind become a number.

    >>> numbered(["15.added.monotone.md", "15.added.poisson.md"])
    {'15.added.monotone.md': '15.added.1.md', '15.added.poisson.md': '15.added.2.md'}
    """
    new: dict[str, str] = {}
    for name in sorted(names):
        issue, kind = re.findall(r"^([^.]+)\.([a-z]+)\.", name)[0]
        taken = sum(other.startswith(f"{issue}.{kind}.") for other in new.values())
        new[name] = f"{issue}.{kind}.{taken + 1}.md"
    return new


if __name__ == "__main__":
    fragments = [path.name for path in HERE.glob("*.md") if path.name != "README.md"]
    for old, new in numbered(fragments).items():
        subprocess.run(["git", "mv", HERE / old, HERE / new], check=True)
    build = [sys.executable, "-m", "towncrier", "build", "--yes", "--version", sys.argv[1]]
    subprocess.run(build, check=True)
