"""Models that several tests use, fitted once by the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import DATA, good


@pytest.fixture(scope="session")
def vote(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of votes in Congress: two classes, gaps."""
    place = tmp_path_factory.mktemp("models") / "vote.treewright"
    good("fit", DATA / "vote.csv", "--target", "Class", "-o", place, "--cv", 0)
    return place


@pytest.fixture(scope="session")
def big_vote(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, not pruned."""
    place = tmp_path_factory.mktemp("models") / "big.treewright"
    good("fit", DATA / "vote.csv", "--target", "Class", "--prune", "none", "-o", place, "--cv", 0)
    return place


@pytest.fixture(scope="session")
def rings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree for numbers."""
    place = tmp_path_factory.mktemp("models") / "rings.treewright"
    settings = ("--recipe", "plain", "--max-depth", 3, "--cv", 0)
    good("fit", DATA / "abalone.csv", "--target", "Rings", *settings, "-o", place)
    return place


@pytest.fixture(scope="session")
def forest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small forest."""
    place = tmp_path_factory.mktemp("models") / "vote.forest"
    good("fit", DATA / "vote.csv", "--target", "Class", "--forest", 7, "-o", place)
    return place


@pytest.fixture(scope="session")
def rules(tmp_path_factory: pytest.TempPathFactory, big_vote: Path) -> Path:
    """A set of rules."""
    place = tmp_path_factory.mktemp("models") / "vote.rules"
    good("rules", big_vote, "--c45rules", "--data", DATA / "vote.csv", "--json", "-o", place)
    return place
