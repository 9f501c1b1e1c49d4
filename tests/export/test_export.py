"""The verb `export`: which format is meant, what is written, and what is refused in which words."""

from __future__ import annotations

from pathlib import Path

import pytest

import treewright as tw
from treewright.base.verbs import kind_of
from treewright.export.format import BYTES, Format
from treewright.export.formats import format_for


@pytest.fixture(scope="module")
def tree() -> tw.Tree:
    return tw.grow(tw.example("tennis"), "PlayTennis", "id3")


def test_the_end_of_the_path_decides_and_a_name_decides_before_it(tree, tmp_path) -> None:
    tree.export(tmp_path / "a.SQL")
    tree.export(tmp_path / "a.txt", format="sql")
    assert (tmp_path / "a.SQL").read_text() == (tmp_path / "a.txt").read_text()
    assert (tmp_path / "a.SQL").read_text() == tree.export(format="sql") + "\n"


def test_the_model_file_is_what_save_writes(tree, tmp_path) -> None:
    for model, load in ((tree, tw.load), (tree.rules(), tw.rules.load)):
        model.save(tmp_path / "saved")
        model.export(tmp_path / "exported.json")
        assert (tmp_path / "saved").read_bytes() == (tmp_path / "exported.json").read_bytes()
        assert load(tmp_path / "exported.json") == model


def test_the_text_of_rules_is_one_of_the_formats(tree) -> None:
    rules = tree.rules()
    assert rules.to_text("sql", dialect="mysql") == tw.rules.to_sql(rules, dialect="mysql")
    assert rules.to_text() == str(rules) == rules.export(format="text")


def test_a_tree_is_told_by_its_rules(tree) -> None:
    assert tree.export(format="md") == tree.rules().export(format="md")


def test_what_is_refused(tree, tmp_path) -> None:
    with pytest.raises(TypeError, match="takes a path, whose end says the format, or format="):
        tree.export()
    with pytest.raises(ValueError, match=r"like 'tree\.svg'.* \.sql \(sql\), .*drawn by plot"):
        tree.export(tmp_path / "tree.svg")
    with pytest.raises(ValueError, match=r"format='SQL' is not one of .*; did you mean 'sql'"):
        tree.export(format="SQL")
    with pytest.raises(TypeError, match=r"export has no option 'tabel'; did you mean 'table'\?"):
        tree.export(format="sql", tabel="t")
    with pytest.raises(TypeError, match=r"no option 'full' for a tree; it takes none\.$"):
        tree.export(format="json", full=True)
    forest = tw.forest.grow(tw.example("tennis"), "PlayTennis", n_trees=2)
    with pytest.raises(TypeError, match="'text' is for a tree or a set of rules, not for a forest"):
        tw.export.export(forest, format="text")
    with pytest.raises(TypeError, match="not for a dict"):
        tw.export.export({}, format="text")
    assert list(tmp_path.iterdir()) == []


def test_a_sum_of_columns_is_a_condition_of_a_rule(tmp_path) -> None:
    tree = tw.grow(tw.example("iris"), "class", splits="linear", max_depth=3)
    tree.export(tmp_path / "iris.md")
    assert "sepallength + petallength <= 1.3" in (tmp_path / "iris.md").read_text()
    with pytest.raises(ValueError, match="sums of several"):
        tree.export(tmp_path / "iris.pickle")
    assert [path.name for path in tmp_path.iterdir()] == ["iris.md"]


def test_a_row_is_enough_for_a_new_format(tree, tmp_path, monkeypatch) -> None:
    row = Format("leaves", (".n.txt", ".n"), {"tree": lambda tree: bytes([tree.n_leaves])}, "Bytes.", BYTES)
    monkeypatch.setattr("treewright.export.formats.FORMATS", {**tw.export.FORMATS, "leaves": row})
    assert tree.export(format="leaves") == b"\x06"
    tree.export(tmp_path / "tree.n.txt")  # the longest end is meant
    assert (tmp_path / "tree.n.txt").read_bytes() == b"\x06"
    assert format_for("tree.txt").name == "text"


def test_kinds_of_models(tree) -> None:
    forest = tw.forest.grow(tw.example("tennis"), "PlayTennis", n_trees=2)
    assert [kind_of(model) for model in (tree, tree.rules(), forest, "tree")] == [
        "tree",
        "rules",
        "forest",
        None,
    ]


def test_the_page_has_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs/export.md").read_text()
    for row in tw.export.FORMATS.values():
        ends, options = (", ".join(f"`{word}`" for word in words) for words in (row.suffixes, row.options))
        cells = [f"`{row.name}`", ends, ", ".join(row.kinds), row.sentence, options]
        assert "| " + " | ".join(cells).rstrip() + " |" in page


def test_every_option_is_told() -> None:
    for row in tw.export.FORMATS.values():
        assert {name for kind in row.kinds for name in row.options_of(kind)} == set(row.options)
