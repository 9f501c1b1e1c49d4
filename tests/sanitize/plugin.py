"""For pytest: every process of the run has the core that it is about, not the usual one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Stop where the core comes from elsewhere: its tests would say nothing of the sanitized one."""
    from treewright import _core

    wanted = os.environ["TREEWRIGHT_SANITIZED"]
    if Path(wanted) not in Path(_core.__file__).absolute().parents:
        pytest.exit(f"the core of {_core.__file__} is not the one of {wanted}", returncode=3)
