"""SVG, PDF, PNG and axes: well-formed, closed in themselves, the same bytes for the same tree."""

from __future__ import annotations

import io
import re
import sys
import zlib
from xml.etree import ElementTree as ET

import pytest
from matplotlib.figure import Figure

import treewright as tw
from tests import tables
from tests.draw.looking import ODD_NAMES, faults, odd_tree
from treewright.tree.example import tennis

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"


def soybean():
    return tw.grow(tables.table("soybean"), target=tables.target("soybean"), recipe="c4.5")


# ---- SVG ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tree", [tennis, soybean, odd_tree], ids=lambda make: make.__name__)
def test_svg_is_well_formed_and_refers_to_nothing_outside(tree):
    picture = tree().plot()
    text = picture.to_svg()
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    names = {element.get("id") for element in root.iter() if element.get("id")}
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in {"svg", "defs", "path", "g", "use", "text", "title"}
        for key, value in element.attrib.items():
            if key == LINK:
                assert value.removeprefix("#") in names
            assert "url(" not in value
            assert key == "xmlns" or "://" not in value
    assert text.count("://") == 2  # the two names of the languages


def test_the_words_of_an_svg_can_be_selected_and_have_their_measured_width():
    picture = tennis().plot()
    root = ET.fromstring(picture.to_svg())
    lines = list(root.iter(f"{SVG}text"))
    assert [line.text for line in lines] == [text.words for text in picture.texts]
    for line, text in zip(lines, picture.texts, strict=True):
        assert float(line.get("textLength")) == pytest.approx(text.width, abs=0.011)
        assert float(line.get("font-size")) == text.size
        assert line.get("fill") == "none"


def test_characters_that_the_font_lacks_are_left_to_the_viewer():
    table = tw.Table.from_dict({"天気": ["晴れ", "雨"], "y": ["はい", "no"]})
    text = tw.grow(table, target="y").plot().to_svg()
    found = [e for e in ET.fromstring(text).iter(f"{SVG}text") if e.text == "晴れ"]
    assert found[0].get("fill") != "none"
    assert float(found[0].get("textLength")) == 22  # two wide characters of 11 px


def test_everything_is_escaped():
    text = odd_tree().plot(width=4000, height=4000).to_svg()
    assert "<script" not in text
    titles = [e.text for e in ET.fromstring(text).iter(f"{SVG}title")]
    assert any("<script>" in title for title in titles)
    assert all(ord(c) >= 32 or c == "\n" for c in text)


def test_a_node_says_in_full_what_is_shortened():
    titles = [e.text for e in ET.fromstring(odd_tree().plot().to_svg()).iter(f"{SVG}title")]
    assert any(ODD_NAMES[0] in title for title in titles)


def test_the_documents_show_what_is_drawn_today(documents):
    for name, picture in documents.items():
        assert picture.to_svg() == (tables.FOLDER.parents[1] / "docs" / "pictures" / name).read_text(
            "utf-8"
        ), name


# ---- PDF ----------------------------------------------------------------------------------------------


def objects_of(content):
    """The objects of a PDF file, found by its table of contents."""
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", content).group(1))
    lines = content[start:].split(b"\n")
    assert lines[0] == b"xref"
    n = int(lines[1].split()[1])
    found = {}
    for number in range(1, n):
        at = int(lines[2 + number].split()[0])
        head, _, rest = content[at:].partition(b" 0 obj\n")
        assert int(head) == number
        found[number] = rest.partition(b"\nendobj\n")[0]
    return found


def unpacked(content):
    length = int(re.search(rb"/Length (\d+)", content).group(1))
    body = content.partition(b"stream\n")[2]
    assert body[length:] == b"\nendstream"
    return zlib.decompress(body[:length]).decode("ascii")


def words_of(content):
    """The lines of a PDF file, read back as a viewer does to copy them."""
    objects = objects_of(content)
    page = objects[3].decode("ascii")
    fonts = {}
    for name, number in re.findall(r"/([RB]\d) (\d+) 0 R", page):
        table = int(re.search(rb"/ToUnicode (\d+)", objects[int(number)]).group(1))
        lists = re.findall(r"beginbfchar\n(.*?)endbfchar", unpacked(objects[table]), re.DOTALL)
        rows = re.findall(r"<(..)> <(\w+)>\n", "".join(lists))
        fonts[name] = {int(code, 16): bytes.fromhex(sign).decode("utf-16-be") for code, sign in rows}
    lines = []
    for text in re.findall(r"BT (.*?) ET", unpacked(objects[4]), re.DOTALL):
        line, font = "", {}
        for name, codes in re.findall(r"/([RB]\d) 1 Tf|<([0-9A-F]+)> Tj", text):
            font = fonts[name] if name else font
            line += "".join(font[code] for code in bytes.fromhex(codes))
        lines.append(line)
    return lines


@pytest.mark.parametrize("tree", [tennis, soybean, odd_tree], ids=lambda make: make.__name__)
def test_pdf_is_whole_and_its_words_can_be_copied(tree):
    picture = tree().plot()
    assert words_of(picture.to_pdf()) == [text.words for text in picture.texts]


def test_pdf_of_more_characters_than_a_font_holds():
    signs = [chr(c) for c in range(0x4E00, 0x4E00 + 600)]
    table = tw.Table.from_dict(
        {"x": ["".join(signs[i : i + 4]) for i in range(0, 600, 4)], "y": [i % 2 for i in range(150)]}
    )
    picture = tw.grow(table, target="y", splits="multiway").plot(width=30000, height=30000)
    assert words_of(picture.to_pdf()) == [text.words for text in picture.texts]


# ---- PNG and axes -------------------------------------------------------------------------------------


def test_png_has_the_size_of_the_picture():
    picture = tennis().plot()
    content = picture.to_png(scale=1)
    assert content.startswith(b"\x89PNG")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert abs(width - picture.width) <= 1
    assert abs(height - picture.height) <= 1
    assert b"matplotlib" not in content.lower()


def test_png_has_ink_where_the_texts_are_and_nowhere_outside_the_marks():
    from matplotlib.image import imread

    picture = tennis().plot()
    pixels = imread(io.BytesIO(picture.to_png(scale=1)))[:, :, :3].min(axis=2)
    for text in picture.texts:
        left, top, right, bottom = (round(v) for v in text.box)
        assert pixels[top:bottom, left:right].min() < 0.6
    assert pixels[:5].min() == 1
    assert pixels[:, -5:].min() == 1


def test_axes_get_a_picture_that_fits_them():
    figure = Figure(figsize=(5, 4))
    ax = figure.add_axes((0, 0, 1, 1))
    picture = soybean().plot(ax=ax)
    assert picture.is_folded
    assert picture.width <= 5 * 96
    assert picture.height <= 4 * 96
    assert faults(picture) == []
    (drawn,) = ax.collections
    assert len(drawn.get_paths()) == len(picture.marks)
    low, high = ax.get_xlim()
    assert high - low == pytest.approx(480)  # a pixel of the picture is 1/96 inch


def test_axes_too_small_get_a_smaller_picture():
    ax = Figure(figsize=(1, 1)).add_axes((0, 0, 1, 1))
    picture = tennis().plot(ax=ax)
    low, high = ax.get_xlim()
    assert high - low >= picture.width - 1e-6


def test_without_matplotlib_only_axes_are_not_there(monkeypatch, tmp_path):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    picture = tennis().plot(tmp_path / "tree.svg")
    picture.save(tmp_path / "tree.pdf")
    picture.save(tmp_path / "tree.png")
    with pytest.raises(ImportError, match=r"pip install 'treewright\[plot\]'"):
        picture.draw_on(None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tree.pdf", "tree.png", "tree.svg"]


# ---- all ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["svg", "pdf", "png", "txt"])
def test_the_same_tree_gives_the_same_bytes(end, tmp_path):
    for name in ("one", "two"):
        tree = tw.Tree.from_dict(soybean().to_dict())
        tree.plot(tmp_path / f"{name}.{end}")
    assert (tmp_path / f"one.{end}").read_bytes() == (tmp_path / f"two.{end}").read_bytes()
