"""The short form of every fuzzer, with fixed numbers, and every past find."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from tests.fuzz import files, tables
from tests.fuzz.targets import CORPUS, TARGETS, past_finds


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TARGETS)
def test_a_fixed_choice(name: str) -> None:
    for number in range(TARGETS[name].n_short):
        TARGETS[name].case(number)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "number"), [(name, n) for name in TARGETS for n in past_finds(name)])
def test_what_was_found_once(name: str, number: int) -> None:
    TARGETS[name].case(number)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", sorted((CORPUS / "files").iterdir()), ids=lambda path: path.name)
def test_files_of_the_corpus(path: Path) -> None:
    files.pool()  # what is imported on first use takes memory that is not the file's
    files.check(path.read_bytes(), [[0.0, 1.0]], with_memory=True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", sorted((CORPUS / "tables").iterdir()), ids=lambda path: path.name)
def test_tables_of_the_corpus(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tables.check(path.read_bytes(), path.suffix)
