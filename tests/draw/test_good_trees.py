"""The picture of good trees: what stands in it, and the files it becomes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import treewright as tw
from tests import tables
from treewright.draw import good_trees
from treewright.paint.marks import Shape
from treewright.paint.sheet import Sheet


@pytest.fixture(scope="module")
def trees() -> tw.lookahead.GoodTrees:
    return tw.optimal(tables.table("iris"), "class", 2, within=0.2).trees


def test_every_column_that_is_asked_has_a_line_with_its_share(trees: tw.lookahead.GoodTrees) -> None:
    words = [text.words for text in trees.plot().texts]
    for name, n in trees.uses.items():
        assert (name in words) == (n > 0)
    assert trees.title() in " ".join(words)
    assert any(word.startswith("Asked by none: ") for word in words)


def test_marks_stay_on_the_sheet(trees: tw.lookahead.GoodTrees) -> None:
    picture = trees.plot()
    size = (picture.width, picture.height)
    assert all(0 <= x <= limit for text in picture.texts for x, limit in zip(text.box, size * 2, strict=True))
    steps = [step for mark in picture.marks if isinstance(mark, Shape) for step in mark.path if len(step) > 1]
    assert all(0 <= float(x) <= limit for step in steps for x, limit in zip(step[1:], size, strict=True))


def test_long_names_and_many_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(good_trees, "_MOST_TREES", 10)
    monkeypatch.setattr(good_trees, "_MOST_COLUMNS", 3)
    rows = tw.Table.from_dict(
        {f"a very long name of a column, number {i}": [(j >> i) & 1 for j in range(16)] for i in range(4)}
        | {"y": list("nyyyyyyynnnnnyyn")}
    )
    picture = tw.optimal(rows, "y", 3, n_trees=60).trees.plot()
    assert all(text.box[2] <= picture.width for text in picture.texts)
    said = " ".join(text.words for text in picture.texts)
    assert "The first 10 of 35 trees are drawn." in said
    assert "1 more column asked" in said


def test_it_is_saved_in_three_forms(trees: tw.lookahead.GoodTrees, tmp_path: Path) -> None:
    for end, begin in (("svg", b"<svg "), ("pdf", b"%PDF-"), ("png", b"\x89PNG")):
        trees.plot(tmp_path / f"trees.{end}")
        assert (tmp_path / f"trees.{end}").read_bytes().startswith(begin)
    assert ET.fromstring(trees.plot()._repr_svg_()).get("aria-label") == "Good trees for class"
    with pytest.raises(ValueError, match=r"found 'trees\.jpg'"):
        trees.plot(tmp_path / "trees.jpg")


def test_the_picture_of_a_tree_shows_its_certificate() -> None:
    proven = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2).tree
    words = " ".join(text.words for text in proven.plot().texts)
    assert "proven optimal: 2 errors" in words
    assert "proven" not in " ".join(text.words for text in proven.collapse(1).plot().texts)
    open_ = tw.optimal(tables.table("soybean"), "class", 3, work_limit=50, warns=False).tree
    words = " ".join(text.words for text in open_.plot().texts)
    assert "not proven optimal: " in words
    assert "at least " in words


def test_a_sheet_without_marks_is_a_picture() -> None:
    assert ET.fromstring(Sheet("none", 10, 10, ()).to_svg()).get("width") == "10"
