"""Models as code: what each language answers, beside the model itself; hostile names; forests as tables."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewright as tw
from benchmarks import bench_export
from tests.amount import at_most
from tests.export.models import Tried, few, made, thousand_leaves, tried
from treewright.export.cells import hard_cells
from treewright.export.code import of_forest, program
from treewright.export.code.naming import identifier
from treewright.export.code.of_model import program_of
from treewright.export.code.rows import ROWS
from treewright.export.format import MissingToolError
from treewright.export.formats import FORMATS
from treewright.export.proof import Case, Verified, verify_cases

LANGUAGES = [row.name for row in ROWS]
NARROW = [{"number": "float"}, {"number": "fixed"}, {"number": "fixed", "fraction": 8}]


def proven(form: str, models: dict[str, Tried], n_rows: int, options: Any = None) -> dict[str, Verified]:
    """Return what comes of all models in one run; a tool that is not here skips the test, with the reason."""
    chosen = options or {}
    cases = [Case(each.model, hard_cells(each.model, each.data, n_rows), chosen) for each in models.values()]
    try:
        return dict(zip(models, verify_cases(form, cases), strict=True))
    except MissingToolError as reason:
        pytest.skip(str(reason))


def wrong(found: dict[str, Verified]) -> dict[str, str]:
    """Return what differs; NumPy may refuse some models, with a reason, and no other language any."""
    return {name: str(proof) for name, proof in found.items() if not proof and not may_refuse(proof)}


def may_refuse(proof: Verified) -> bool:
    return proof.refused is not None and "The format 'numpy' " in proof.refused


@pytest.mark.parametrize("form", LANGUAGES)
def test_code_answers_as_the_model_does(form: str) -> None:
    models = few()
    if form == "r":  # which takes its time
        models = {
            name: models[name] for name in ("kinds", "gaps surrogate, unseen missing", "rules of fractional")
        }
    assert wrong(proven(form, models, 20 if form == "r" else at_most(24, 60))) == {}


@pytest.mark.slow
@pytest.mark.parametrize("form", LANGUAGES)
def test_code_answers_as_the_model_does_for_all_models(form: str) -> None:
    models = {**tried(), "a thousand leaves": thousand_leaves()}
    assert len(models) >= 40
    found = proven(form, models, 2000)
    assert wrong(found) == {}
    assert sum(proof.rows == 2000 for proof in found.values()) >= (40 if form == "numpy" else len(models))


@pytest.mark.parametrize("options", NARROW, ids=str)
def test_c_with_narrow_numbers(options: Any) -> None:
    assert wrong(proven("c", few(), 60, options)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("options", NARROW, ids=str)
def test_c_with_narrow_numbers_for_all_models(options: Any) -> None:
    assert wrong(proven("c", tried(), 2000, options)) == {}


def forests() -> dict[str, Tried]:
    return {name: each for name, each in few().items() if name.startswith("forest")}


@pytest.mark.parametrize("form", ["python", "c"])
@pytest.mark.parametrize("is_plain", [True, False])
def test_forests_as_tables(form: str, is_plain: bool, monkeypatch) -> None:
    check_tables(form, is_plain, monkeypatch, 60)


@pytest.mark.slow
@pytest.mark.parametrize("form", LANGUAGES)
@pytest.mark.parametrize("is_plain", [True, False])
def test_forests_as_tables_in_all_languages(form: str, is_plain: bool, monkeypatch) -> None:
    check_tables(form, is_plain, monkeypatch, 2000)


def check_tables(form: str, is_plain: bool, monkeypatch: Any, n_rows: int) -> None:
    monkeypatch.setattr(of_forest, "MOST_NODES", 0)
    if not is_plain:  # the way of forests that do more than branch, also for those that do not
        monkeypatch.setattr(of_forest, "plain_forest", lambda forest, fields: None)
    assert wrong(proven(form, forests(), n_rows)) == {}


def test_many_rows_of_c_are_answered_as_one_by_one(monkeypatch) -> None:
    monkeypatch.setattr(of_forest, "MOST_NODES", 0)
    each = made("forest")
    compiler = shutil.which(os.environ.get("CC") or "cc")
    if compiler is None:
        pytest.skip("A C compiler is needed to run this: the command 'cc' is not found.")
    cells = hard_cells(each.model, each.data, 300)
    with tempfile.TemporaryDirectory() as name:
        library, _ = bench_export.compiled(each.model, Path(name), compiler)
        found = bench_export.answered(library, each.model, cells.table())
    assert abs(found - each.model.predict_proba(cells.table())).max() < 1e-9


# ---- names -----------------------------------------------------------------------------------------------

HOSTILE = (
    "it's \"quoted\"", "a */ b /* c", "line\nend\r\n", "// # -- ;", "class", "\U0001f333", "\u202e back",
    "\\u000a System.exit(1); //", "??/", "', os.system('false'), '", "`${process.exit(1)}`", "</script>",
    "x" * 10_000, "%s%n\\", "self", "1", "", " ", "Größe", "\x1b[2J", "\u2028", "out", "row", "#{1}",
)  # fmt: skip
NUL = "a\x00b"


def hostile(names: tuple[str, ...]) -> Tried:
    """Return a tree that asks columns with such names for such categories."""
    columns: dict[str, Any] = {}
    n = 4 * len(names)
    for turn, name in enumerate(names):
        columns[name] = [names[(i // 4 + turn) % len(names)] for i in range(n)]
    columns["target \n */"] = [f"{names[i // 4]}!" for i in range(n)]
    data = tw.Table.from_dict(columns, kinds=dict.fromkeys(columns, "nominal"))
    return Tried(tw.grow(data, "target \n */", prune="none", splits="one_vs_rest"), data)


def names_in(value: Any) -> Iterator[str]:
    """Yield the names that functions define, of themselves and of what they hold."""
    if isinstance(value, (program.Let, program.LetWholes, program.Loop, program.Function)):
        yield value.name
    if isinstance(value, program.Function):
        yield from (name for name, _ in value.parameters)
    if isinstance(value, tuple) and not isinstance(value, program.Field):
        for part in value:
            yield from names_in(part)


def test_no_column_is_called_as_a_variable_or_a_function_is(monkeypatch) -> None:
    found = {name for each in few().values() for name in names_in(program_of(each.model).functions)}
    monkeypatch.setattr(of_forest, "MOST_NODES", 0)
    found |= {name for each in forests().values() for name in names_in(program_of(each.model).functions)}
    assert {"score", "rank", "walk", "best", "tree_0", "term0"} <= found
    assert {name for name in found if identifier(name, "column") == name} == set()


@pytest.mark.parametrize("in_tables", [True, False])
def test_columns_called_as_functions_of_the_code_are(in_tables: bool, monkeypatch) -> None:
    if in_tables:
        monkeypatch.setattr(of_forest, "MOST_NODES", 0)
    draws = np.random.default_rng(0)
    names = ("rank", "best", "add", "walk", "tree 0", "tree 1 from 4", "is nan", "x", "score")
    columns = {name: draws.normal(size=200).round(2) for name in names}
    worth = sum(columns.values())
    data = tw.Table.from_dict({**columns, "y": [str(int(w > 0)) for w in worth]})
    forest = tw.forest.grow(data, "y", n_trees=5)
    assert wrong(proven("python", {"forest": Tried(forest, data)}, 40)) == {}


@pytest.mark.parametrize("form", LANGUAGES)
def test_hostile_names_compile_and_answer(form: str) -> None:
    models = {"hostile": hostile(HOSTILE)}
    if form != "r":  # which has no NUL
        models["with NUL"] = hostile((NUL, "a", *HOSTILE[:3]))
    assert wrong(proven(form, models, 100)) == {}


def test_r_has_no_nul() -> None:
    with pytest.raises(ValueError, match="R has no text with the letter NUL"):
        hostile((NUL, "a")).model.export(format="r")


# ---- the text --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", LANGUAGES)
def test_the_same_model_gives_the_same_bytes_and_names_are_in_it(form: str) -> None:
    for name in ("kinds", "forest", "c45rules"):
        model = few()[name].model
        if FORMATS[form].reason_against(model) is not None:
            continue
        text = str(FORMATS[form].write(model))
        assert text == str(FORMATS[form].write(model))
        assert text.endswith("\n")
        for place in model.used_columns.tolist():
            assert f"column '{model.schema.names[place]}'" in text


def test_a_threshold_is_written_exactly() -> None:
    tree = tw.grow(tw.Table.from_dict({"x": [0.1, 0.3, 0.4, 0.9], "y": list("aabb")}), "y", max_depth=1)
    cut = float(tree.cut[0])
    assert f"if x <= {cut!r}" in tree.export(format="python")
    assert f"row->x <= {cut!r}" in tree.export(format="c")


def test_python_has_no_import_and_c_asks_for_no_memory() -> None:
    for each in few().values():
        assert not re.search(r"^\s*(import|from) ", FORMATS["python"].write(each.model), re.MULTILINE)
        assert not re.search(r"\b(malloc|calloc|realloc|alloca)\b", FORMATS["c"].write(each.model))


@pytest.mark.parametrize("module", ["", "2nd", "a b", "class", "a;", "ä", None])
def test_a_name_of_code_is_checked(module: Any) -> None:
    with pytest.raises(ValueError, match="is no name in code"):
        FORMATS["c"].write(few()["no test"].model, module=module)


BAD_NUMBERS = [
    ({"number": "half"}, "number='half' is not one of"),
    ({"fraction": 31}, "from 0 to 30"),
    ({"fraction": True}, "number of bits"),
]


@pytest.mark.parametrize(("options", "words"), BAD_NUMBERS)
def test_numbers_of_c_are_checked(options: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        few()["no test"].model.export(format="c", **options)
