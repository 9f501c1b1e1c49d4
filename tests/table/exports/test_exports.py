"""The same rows, clean and as exported, give the same tree; or a warning says why not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import treewright as tw
from tests.table.exports.twins import TARGET, TWINS, Twin, customers, separated
from treewright.cli.main import main
from treewright.cli.target import target_of

RECIPES = ("c4.5", "cart")


@dataclass(frozen=True)
class Fit:
    """The trees of a file, the columns they know, and what was said."""

    table: tw.Table
    trees: tuple[tw.Tree, ...]
    lines: tuple[str, ...]


def fit(path: Path, **options: Any) -> Fit:
    """Grow on a file as the command line does: what is certainly useless is left out."""
    found = target_of(tw.read(path, **options), TARGET, None)
    trees = tuple(tw.grow(found.table, TARGET, recipe, warns=False) for recipe in RECIPES)
    return Fit(found.table, trees, found.lines)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Fit:
    path = tmp_path_factory.mktemp("clean") / "clean.csv"
    path.write_text(separated(customers()), encoding="utf-8")
    return fit(path)


def test_the_clean_table_has_a_tree_to_compare(clean: Fit) -> None:
    kinds = [column.kind.value for column in clean.table.schema.columns]
    assert kinds == [*["numeric"] * 5, "date", "time", "duration", *["nominal"] * 3]
    tree = clean.trees[0]
    assert 3 <= tree.n_leaves <= 40
    asked = {tree.schema.names[i] for i in tree.used_columns.tolist()}
    assert {"income", "joined", "balance"} <= asked
    assert "<= 2017-08-22" in tree.to_text()
    assert len(TWINS) >= 30


@pytest.mark.parametrize("twin", TWINS, ids=[twin.name for twin in TWINS])
def test_the_twin_gives_the_same_tree(twin: Twin, clean: Fit, tmp_path: Path) -> None:
    path = twin.write(tmp_path, customers())
    messy = fit(path, **twin.options)
    if twin.warning:
        assert any(twin.warning in line for line in messy.lines), messy.lines
        return
    assert not [line for line in messy.lines if line.startswith("Warning")]
    if twin.clean is not None:
        (tmp_path / "clean").mkdir()
        clean = fit(twin.clean(tmp_path / "clean", customers()))
    for tree, wanted in zip(messy.trees, clean.trees, strict=True):
        assert_same(tree, wanted)


def assert_same(tree: tw.Tree, wanted: tw.Tree) -> None:
    """Check that two trees ask the same questions; the names of categories may differ."""
    assert tree.schema.names == wanted.schema.names
    assert [c.kind.is_numeric for c in tree.schema.columns] == [
        c.kind.is_numeric for c in wanted.schema.columns
    ]
    assert tree.n_nodes == wanted.n_nodes
    np.testing.assert_array_equal(tree.column, wanted.column)
    np.testing.assert_allclose(tree.cut, wanted.cut, rtol=1e-12)
    np.testing.assert_array_equal(tree.n_rows, wanted.n_rows)
    np.testing.assert_array_equal(tree.stats, wanted.stats)


@pytest.mark.parametrize("twin", [t for t in TWINS if t.said], ids=[t.name for t in TWINS if t.said])
def test_check_says_what_was_understood(twin: Twin, tmp_path: Path) -> None:
    path = twin.write(tmp_path, customers())
    options = [word for text in twin.options.get("date", ()) for word in ("--date", text)]
    result = CliRunner().invoke(main, ["check", str(path), *options])
    assert result.exit_code == 0, result.output
    assert twin.said in result.output


@pytest.mark.parametrize("name", ["all at once", "money in francs", "months first"])
def test_a_saved_tree_reads_new_rows_as_it_read_the_old_ones(name: str, tmp_path: Path) -> None:
    twin = next(twin for twin in TWINS if twin.name == name)
    path = twin.write(tmp_path, customers())
    messy = fit(path, **twin.options)
    place = tmp_path / "model.treewright"
    messy.trees[0].save(place)
    model = tw.load(place)
    assert model == messy.trees[0]
    answers = model.predict(messy.table)
    out = tmp_path / "answers.csv"
    result = CliRunner().invoke(main, ["predict", str(place), str(path), "-o", str(out)])
    assert result.exit_code == 0, result.output
    written = tw.read(out).labels("prediction")
    assert written.tolist() == list(answers)
