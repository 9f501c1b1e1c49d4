"""Bodies, headers and names that mean no good: a status from 400 to 499, a sentence, never a traceback."""

from __future__ import annotations

import json
import struct
import sys

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.serve.asking import ask, post
from treewright.serve import Limits, application
from treewright.serve.bodies import ARROW

TREE = tw.grow(
    tw.Table.from_dict({"x": [1.0, 2.0, 3.0, 4.0], "c": ["a", "b", "a", "b"], "y": ["p", "p", "q", "r"]}), "y"
)
APP = application(TREE, Limits(n_bytes=200_000, n_rows=50, seconds=0.2))


def said(body: bytes | list[bytes], kind: str = "application/json", **more) -> str:
    return ask(APP, "POST", "/predict", body, content_type=kind, **more).error


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{", "line 1, column 2"),
        (b'{"x": 1 "c": "a"}', "no JSON"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"7", "a number"),
        (b'"x"', "a text"),
        (b"null", "null"),
        (b"true", "true"),
        (b"[]", "no rows"),
        (b"[1]", "Row 1 is a number"),
        (b'[{"x": 1, "c": "a"}, null]', "Row 2 is null"),
        (b"[[1, 2]]", "Row 1 is a list"),
        (b"{}", "no column 'x'"),
        (b'{"x": 1}', "no column 'c'"),
        (b'{"x": NaN, "c": "a"}', "NaN"),
        (b'{"x": -Infinity, "c": "a"}', "-Infinity"),
        (b'{"x": 1, "x": 2, "c": "a"}', "twice"),
        (b'{"x": [1], "c": "a"}', "a list"),
        (b'{"x": {"y": 1}, "c": "a"}', "an object"),
        (b'{"x": 1, "c": ["a"]}', "a list"),
        (b'{"x": "one", "c": "a"}', "'one' is not a number"),
        (b'{"x": "", "c": "a"}', "'' is not a number"),
        (b'{"x": 9007199254740993, "c": "a"}', "2**53"),
        (b"[" * 100_000, "nested"),
        (b'{"a":' * 30_000, "nested"),
        (b"[" * 90_000 + b"]" * 90_000, "nested"),
        (b'[' + b'{"x": 1, "c": "a"},' * 60 + b'{"x": 1, "c": "a"}]', "more than 50 rows"),
        (b'{"x": 1, "c": "' + b"a" * 200_000 + b'"}', "bytes"),
    ],
)  # fmt: skip
def test_bodies_of_json(body: bytes, word: str) -> None:
    assert word in said(body)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"", "empty"),
        (b"x,c\n", "no rows"),
        (b"x,c\n1\n", "Row 1 has 1 cell"),
        (b"x,c\n1,a,b\n", "Row 1 has 3 cells"),
        (b"x,x\n1,2\n", "twice"),
        (b'x,c\n1,"a', "no CSV"),
        (b"x;c\n1;a\n", "no column 'x'"),
        (b"x,c\n\x00,a\n", "x"),
        (b"x,c\none,a\n", "Row 1, column 'x'"),
        (b"x,c\n" + b"1,a\n" * 51, "more than 50 rows"),
        (b"\xff", "UTF-8"),
    ],
)
def test_bodies_of_csv(body: bytes, word: str) -> None:
    assert word in said(body, "text/csv")


def stream(table: pa.Table, compression: str | None = None) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(
        sink, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)
    ) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


GOOD = pa.table({"x": [1.0, 2.0], "c": ["a", None]})


def test_bodies_of_arrow() -> None:
    assert ask(APP, "POST", "/predict", stream(GOOD), content_type=ARROW).status == 200
    assert "no Arrow stream" in said(b"", ARROW)
    assert "no Arrow stream" in said(b"ARROW1\0\0" + b"\0" * 100, ARROW)
    assert "compressed" in said(stream(GOOD, "zstd"), ARROW)
    packed = pa.table({"x": [1.0, 2.0], "c": pa.array(["a", "b"]).dictionary_encode()})
    assert ask(APP, "POST", "/predict", stream(packed), content_type=ARROW).status == 200
    assert "compressed" in said(stream(packed, "lz4"), ARROW)
    assert "send numbers" in said(stream(pa.table({"x": [[1.0]], "c": ["a"]})), ARROW)
    assert "no column 'c'" in said(stream(pa.table({"x": [1.0]})), ARROW)
    assert "more than 50 rows" in said(stream(pa.table({"x": pa.nulls(10**9), "c": pa.nulls(10**9)})), ARROW)
    assert "no rows" in said(stream(GOOD.slice(0, 0)), ARROW)
    assert "one name" in said(stream(pa.table([[1.0], [2.0]], names=["x", "x"])), ARROW)


@settings(max_examples=at_most(60, 150), deadline=None)
@given(st.integers(0, len(stream(GOOD)) - 1), st.binary(min_size=1, max_size=4))
def test_damaged_streams_of_arrow(place: int, damage: bytes) -> None:
    body = stream(GOOD)
    heard = ask(
        APP, "POST", "/predict", body[:place] + damage + body[place + len(damage) :], content_type=ARROW
    )
    assert heard.status < 500
    assert "Traceback" not in heard.body.decode("utf-8", "replace")
    heard = ask(APP, "POST", "/predict", body[:place], content_type=ARROW)
    assert heard.status < 500


_cells = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=at_most(60, 150), deadline=None)
@given(
    st.dictionaries(st.sampled_from(["x", "c", "z"]) | st.text(), _cells, max_size=4)
    | _cells
    | st.lists(_cells)
)
def test_any_json_at_all(value) -> None:
    for path in ("/predict", "/explain"):
        heard = post(APP, path, value)
        assert heard.status < 500, heard.body
        if heard.status != 200:
            assert heard.error
    wrapped = {"x": value, "c": value}
    assert post(APP, "/predict", wrapped).status < 500


def test_content_types_encodings_methods_and_paths() -> None:
    good = b'{"x": 1, "c": "a"}'
    assert "no Content-Type" in ask(APP, "POST", "/predict", good).error
    assert "'text/plain'" in said(good, "text/plain")
    assert "'\\x1b[2j'" in said(good, "\x1b[2J")
    assert "packed" in said(good, content_encoding="gzip")
    assert ask(APP, "POST", "/predict", good, content_type="APPLICATION/JSON; charset=utf-8").status == 200
    assert "Accept" in said(good, accept="image/png")
    assert ask(APP, "GET", "/predict").status == 405
    assert "GET /healthz" in ask(APP, "GET", "/nowhere").error
    assert ask(APP, "GET", "/predict/").status == 404
    assert "JSON" in ask(APP, "POST", "/explain", good, content_type="text/csv").error
    assert "10 bytes" not in said(good, content_length="999999999999999999999999")


def test_bodies_that_are_too_large_too_slow_or_broken_off() -> None:
    chunks = [b" " * 50_000] * 5
    assert "more than 200,000 bytes" in said(chunks)
    heard = ask(APP, "POST", "/predict", b"", content_length="200001", content_type="application/json")
    assert heard.status == 413
    assert heard.headers["connection"] == "close"
    assert ask(APP, "POST", "/predict", b'{"x"', hangs_up=True, content_type="application/json").status == 400


def test_only_who_has_the_token_may_ask_and_only_by_its_name() -> None:
    app = application(TREE, token="0123456789abcdef")
    row = {"x": 1, "c": "a"}
    for given_token in ({}, {"authorization": "Bearer no"}, {"authorization": "Basic 0123456789abcdef"}):
        heard = post(app, "/predict", row, **given_token)
        assert heard.status == 401
        assert heard.headers["www-authenticate"] == "Bearer"
    assert post(app, "/predict", row, authorization="bearer 0123456789abcdef").status == 200
    assert ask(app, "GET", "/metrics").status == 401
    assert ask(app, "GET", "/healthz").status == 200
    named = application(TREE, hosts=("127.0.0.1", "[::1]"))
    assert post(named, "/predict", row, host="evil.example:8000").status == 421
    assert post(named, "/predict", row, host="127.0.0.1:8000").status == 200
    assert post(named, "/predict", row, host="[::1]:8000").status == 200


HOSTILE = "it's \"\\ </script> \U0001f333 \x1b[2J \u202e \r\n \0 {} " + "n" * 10_000


def test_hostile_names_come_through() -> None:
    table = tw.Table.from_dict({HOSTILE: ["a", f"b{HOSTILE}"] * 8, "y": ["p", f"q{HOSTILE}"] * 8})
    app = application(tw.grow(table, "y"))
    said = post(app, "/predict", {HOSTILE: f"b{HOSTILE}"})
    assert said.json["prediction"] == f"q{HOSTILE}"
    assert b"\x1b" not in said.body
    lines = ask(app, "GET", "/metrics").body.decode().removesuffix("\n").split("\n")
    assert all(line.startswith(("treewright_", "# ")) for line in lines)
    assert "no column" in post(app, "/predict", {}).error
    json.loads(ask(app, "GET", "/schema").body)
    assert post(app, "/predict", {HOSTILE: "a"}, accept="text/csv").status == 200


def test_a_mistake_of_the_program_is_told_without_its_traceback(monkeypatch, caplog) -> None:
    def wrong(*_args: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(sys.modules["treewright.serve.application"], "answers", wrong)
    heard = post(APP, "/predict", {"x": 1, "c": "a"})
    assert heard.status == 500
    said = "treewright made a mistake that is not yours (ZeroDivisionError); the server's log says where."
    assert heard.json == {"error": said}
    assert "division by zero" in caplog.text


def test_a_flatbuffer_is_read_by_hand_as_arrow_writes_it() -> None:
    from treewright.serve.arrow import _is_packed

    for compression, is_packed in ((None, False), ("zstd", True)):
        messages = list(pa.ipc.MessageReader.open_stream(pa.BufferReader(stream(GOOD, compression))))
        assert [_is_packed(m.metadata.to_pybytes()) for m in messages] == [False, is_packed]
    with pytest.raises(struct.error):
        _is_packed(b"\xff\xff\xff\xff")
