"""Every output format with every kind of model: the same bytes each time, also with hostile names."""

from __future__ import annotations

import re
from typing import Any

import pytest

import treewright as tw
from tests.contract.samples import odd_rows, sample
from treewright.base.verbs import kind_of
from treewright.export.export import in_file
from treewright.export.format import BYTES, CODE, WORDS, Format
from treewright.export.formats import FORMATS, format_for
from treewright.tree.policy import GAPS

HOSTILE = "it's \"\\ -- */ ; \U0001f333 \x1b[2J \u202e \r\n {} % $x ` select"


def models() -> dict[str, Any]:
    """Return a model of every kind and shape that a format may have to carry."""
    trees = {
        f"classes, {policy}": tw.grow(sample(has_gaps=policy != "error"), "y", missing=policy)
        for policy in GAPS
    }
    trees["numbers"] = tw.grow(sample(is_classifier=False), "y", max_depth=3)
    trees["one leaf"] = tw.grow(sample(), "y", max_depth=0)
    hostile = tw.Table.from_dict({HOSTILE: ["a", f"b{HOSTILE}"] * 8, f"y{HOSTILE}": ["p", f"q{HOSTILE}"] * 8})
    trees["hostile"] = tw.grow(hostile, f"y{HOSTILE}")
    rules = {f"rules of {name}": tree.rules() for name, tree in trees.items()}
    first = tw.rules.c45rules(tw.grow(sample(), "y", "c4.5", prune="none"), sample())
    return {**trees, **rules, "c45rules": first}


MODELS = models()
# A text with a backslash means something else in every database: without its name SQL is refused.
OPTIONS = {("sql", "hostile"): {"dialect": "duckdb"}, ("sql", "rules of hostile"): {"dialect": "duckdb"}}
PAIRS = [
    pytest.param(form, model, id=f"{form}-{name}")
    for form, row in FORMATS.items()
    for name, model in MODELS.items()
    if kind_of(model) in row.kinds
]


def options_for(form: str, model: Any) -> dict[str, Any]:
    name = next(name for name, known in MODELS.items() if known is model)
    return OPTIONS.get((form, name), {})


def refusal(row: Format, model: Any, options: dict[str, Any]) -> str | None:
    """Return why a format does not carry a model, or one of its names."""
    try:
        row.write(model, **options)
    except ValueError as reason:
        return str(reason)
    return None


@pytest.mark.parametrize(("form", "model"), PAIRS)
def test_the_same_bytes_in_text_and_file_and_after_a_round_trip(form: str, model: Any, tmp_path) -> None:
    row, options = FORMATS[form], options_for(form, model)
    if (reason := refusal(row, model, options)) is not None:  # the same whoever asks; nothing is written
        with pytest.raises(ValueError, match=re.escape(reason)):
            model.export(tmp_path / f"model{row.suffixes[0]}", **options)
        assert list(tmp_path.iterdir()) == []
        return
    written = row.write(model, **options)
    assert written
    assert isinstance(written, bytes) == (row.content == BYTES)
    again = type(model).from_dict(model.to_dict())
    assert row.write(again, **options) == written == model.export(format=form, **options)
    for suffix in row.suffixes:
        model.export(tmp_path / f"model{suffix}", **options)
        assert (tmp_path / f"model{suffix}").read_bytes() == in_file(written)


@pytest.mark.parametrize("row", FORMATS.values(), ids=list(FORMATS))
def test_a_row_is_whole(row) -> None:
    assert row.kinds
    assert row.content in (WORDS, CODE, BYTES)
    assert row.sentence.endswith(".")
    assert row.suffixes
    assert all(format_for(f"model{suffix}") is row for suffix in row.suffixes)
    assert {name for kind in row.kinds for name in row.options_of(kind)} == set(row.options)
    assert all(sentence.endswith(".") for sentence in row.options.values())


@pytest.mark.parametrize("row", FORMATS.values(), ids=list(FORMATS))
def test_words_for_people_steer_no_terminal(row) -> None:
    if row.content == WORDS:
        for model in (MODELS["hostile"], MODELS["rules of hostile"]):
            assert not set("\x1b\u202e\r") & set(row.write(model))


def test_what_reads_a_model_file_gives_the_same_answers(tmp_path) -> None:
    for name, model in MODELS.items():
        if "error" in name or "hostile" in name:
            continue
        model.export(tmp_path / "model.json")
        assert (tw.load(tmp_path / "model.json").predict(odd_rows()) == model.predict(odd_rows())).all()
