"""Examples in one file run alone as they do among the others: its module is there once, under its own name.

pytest loads the package of a file, which may load the file, and then the file itself once more. The examples
would then have classes of their own, which no other module knows.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

SOURCE = Path(__file__).parent


def pytest_collect_file(file_path: Path) -> None:
    """Load a module by its name before pytest does by its path."""
    if file_path.suffix == ".py" and SOURCE / "treewright" in file_path.parents:
        import_module(".".join(file_path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"))
