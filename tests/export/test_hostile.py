"""Names that try to get out of where they stand: artefacts are parsed, answer, and hold nothing else."""

from __future__ import annotations

import html.parser
import io
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from typing import Any

import pytest

import treewright as tw
from treewright.export.cells import hard_cells
from treewright.export.format import MissingToolError
from treewright.export.proof import Case, verify_cases

HOSTILE = {
    "quotes": "a\"b'c`d\"\"e''f",
    "comment ends": "*/ --> ]]> -- # // {- \"\"\" ''' <!--",
    "page ends": "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
    "statements": "x'); DROP TABLE t; --",
    "lines": "a\nb\tc;}\n]",
    "keywords": "select",
    "signs": "\U0001f333 é ß 日本 ${x} {{y}} %s \\n",
    "diagrams": '"]; 0 -> 9 [label="x"]; "] --> z["\\end{forest}\\input{x}',
    "formula": '=HYPERLINK("http://x")&CMD',
    "long": "ten thousand " * 800,
}
# A NUL is escaped by these, or they hold no names; the others have no word for it.
WITH_NUL = ("html", "treelite", "dot", "mermaid", "latex", "schema")
WITHOUT_NUL = ("sql", "onnx", "pmml", "xlsx", "excel")


def model_of(name: str) -> tuple[Any, tw.Table]:
    """Return a tree with such a name as column, category and class, that asks about it."""
    one, two = f"{name}1", f"{name}2"
    cells = {f"col {name}": [one, two, "plain"] * 8, f"num {name}": [1.0, 2.0, 3.0, 4.0] * 6}
    table = tw.Table.from_dict({**cells, f"y {name}": [one, two, "p"] * 8})
    return tw.grow(table, f"y {name}", warns=False), table


@pytest.mark.parametrize("word", HOSTILE)
@pytest.mark.parametrize("form", ["sql", "html", "onnx", "treelite"])
def test_what_runs_here_answers(form: str, word: str) -> None:
    tree, table = model_of(HOSTILE[word])
    options = {"dialect": "duckdb"} if form == "sql" else {}
    try:
        proof = verify_cases(form, [Case(tree, hard_cells(tree, table, 40), options)])[0]
    except MissingToolError as reason:
        pytest.skip(str(reason))
    assert proof, str(proof)


@pytest.mark.parametrize("form", WITHOUT_NUL)
def test_a_nul_is_refused(form: str) -> None:
    with pytest.raises(ValueError, match=r"NUL|character"):
        model_of("a\0b")[0].export(format=form)


@pytest.mark.parametrize("form", WITH_NUL)
def test_a_nul_is_escaped(form: str) -> None:
    written = model_of("a\0b")[0].export(format=form)
    assert isinstance(written, bytes) or "\0" not in written


@pytest.mark.parametrize("word", HOSTILE)
def test_xml_is_well_formed_and_has_the_names(word: str) -> None:
    tree, _ = model_of(HOSTILE[word])
    root = ET.fromstring(tree.export(format="pmml"))
    names = {field.get("name") for field in root.iter("{http://www.dmg.org/PMML-4_4}DataField")}
    assert names == {*tree.schema.names, tree.target.name}
    if word == "long":
        with pytest.raises(ValueError, match="Give the categories shorter names"):
            tree.export(format="xlsx")
        return
    with zipfile.ZipFile(io.BytesIO(tree.export(format="xlsx"))) as archive:
        for part in archive.namelist():
            ET.fromstring(archive.read(part))
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>=" not in sheet
    assert len(re.findall(r"<c [^>]*>\s*<f>", sheet)) == 2 + len(tree.classes)  # answers, and nothing else


class _Scripts(html.parser.HTMLParser):
    """Counts the elements of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)


@pytest.mark.parametrize("word", HOSTILE)
def test_a_page_has_three_scripts_and_no_picture(word: str) -> None:
    tree, _ = model_of(HOSTILE[word])
    page = _Scripts()
    page.feed(tree.export(format="html"))
    assert page.tags.count("script") == 3
    assert "img" not in page.tags


@pytest.mark.parametrize("word", HOSTILE)
def test_diagrams_hold_one_mark_for_each_node(word: str) -> None:
    tree, _ = model_of(HOSTILE[word])
    dot = tree.export(format="dot")
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', dot)
    assert bare.count("->") == tree.n_nodes - 1
    assert bare.count("{") == bare.count("}") == 1
    mermaid = re.sub(r'"[^"\n]*"', '""', tree.export(format="mermaid"))
    assert re.fullmatch(r'flowchart TD(\n  n\d+(\[""\]|\(\[""\]\)| -->\|""\| n\d+))+', mermaid)
    latex = tree.export(format="latex")
    assert latex.count("\\end{forest}") == 1
    assert "\\input" not in latex
    if shutil.which("dot") is not None:
        done = subprocess.run(["dot", "-Tplain"], input=dot.encode(), capture_output=True, check=True)
        nodes = [line for line in done.stdout.decode().splitlines() if line.startswith("node ")]
        assert len(nodes) == tree.n_nodes


def test_saved_models_are_as_the_schema_says() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    tree, table = model_of("plain")
    numbers = tw.grow(tw.example("iris"), "class", splits="linear", max_depth=3)
    for model in (tree, numbers, tree.rules(), tw.grow(table, tree.target.name, missing="surrogate").rules()):
        schema = json.loads(model.export(format="schema"))
        jsonschema.Draft202012Validator.check_schema(schema)
        saved = json.loads(model.export(format="json"))
        jsonschema.validate(saved, schema)
        for wrong in ({**saved, "format": "other"}, {**saved, "more": 1}, {**saved, "target": 3}):
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(wrong, schema)


def test_a_column_without_a_name_is_refused_where_it_is_asked() -> None:
    """A find of the fuzzer: DuckDB has no name without a letter."""
    numbers = [1.0, 2.0, 3.0, 4.0]
    table = tw.Table.from_dict({"": numbers, "a": numbers, "y": list("ppqq")})
    beside = tw.grow(table.select(["a", "y"]), "y", "plain")
    assert tw.export.verify(beside, "sql", table, dialect="duckdb")
    asking = tw.grow(table.select(["", "y"]), "y", "plain")
    for model in (asking, asking.rules()):
        with pytest.raises(ValueError, match="A column without a name cannot be asked in dialect='duckdb'"):
            tw.export.export(model, format="sql", dialect="duckdb")
    assert tw.export.verify(asking, "sql", table, dialect="sqlite")
