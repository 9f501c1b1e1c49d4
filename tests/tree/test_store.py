from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import re
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.oracle import tree as oracle
from tests.tree.files import body_of
from tests.tree.strategies import twins
from treewright.table.schema import Column, Kind
from treewright.tree import Tree, load, plain, reader, save, store
from treewright.tree.example import tennis
from treewright.tree.fields import GROWN

GOLDEN = Path(__file__).parents[1] / "golden" / "tree-v1.treewright"
GOLDEN_2 = Path(__file__).parents[1] / "golden" / "tree-v2.treewright"


def full() -> Tree:
    """Every part of the format: cuts, codes, surrogates, odd numbers, a ledger."""
    source = random.Random(3)
    nested = oracle.filled([[], [[], [], []], [[], []]], source, True)
    for node in oracle.in_preorder(nested):
        if node.children and not node.surrogates:
            node.surrogates = [oracle._surrogate(source)]
    about = {"missing": "surrogate", "alpha": float("inf"), "seed": 2**100, "list": [None, True, {"a": -0.0}]}
    ledger = ({"node": 0, "column": "x", "score": float("nan"), "why": "worse"},)
    return oracle.to_tree(nested, oracle.CLASSES, about=about, ledger=ledger)


# ---- round trips ------------------------------------------------------------------------------------


@given(twins())
def test_dict_round_trip_through_json(twin):
    _, tree = twin
    text = store.to_json(tree)
    assert Tree.from_dict(json.loads(text)) == tree == Tree.from_dict(tree.to_dict())
    assert json.loads(body_of(text)) == {**tree.to_dict(), "version": 7}
    assert json.loads(json.dumps(tree.to_dict(), allow_nan=False)) == tree.to_dict()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, min_value=0), min_size=3, max_size=3))
def test_floats_come_back_bit_for_bit(values):
    with np.errstate(over="ignore"):
        if not np.isfinite(np.sum(values)):
            return
    tree = oracle.to_tree(oracle.Nested(values, 0, 1), oracle.CLASSES)
    back = Tree.from_dict(reader.from_json(store.to_json(tree).encode()))
    assert back.stats.tobytes() == tree.stats.tobytes()


@given(st.floats(allow_nan=False))
def test_cuts_come_back_bit_for_bit(cut):
    root = oracle.Nested(
        [1.0, 1, 1], 0, 3, [oracle.Nested([1.0, 0, 0], 0, 1), oracle.Nested([0.0, 1, 1], 1, 2)]
    )
    root.column, root.kind, root.cut, root.largest = 0, 1, cut, 1
    tree = oracle.to_tree(root, oracle.CLASSES, about={"cut": cut})
    back = Tree.from_dict(reader.from_json(store.to_json(tree).encode()))
    assert back.cut[:1].tobytes() == tree.cut[:1].tobytes()
    assert back == tree


def test_every_part_is_kept(tmp_path):
    tree = full()
    save(tree, tmp_path / "m")
    back = load(tmp_path / "m")
    assert back == tree
    assert back.about["alpha"] == float("inf")
    assert back.ledger[0]["why"] == "worse"
    assert not back.end.flags.writeable
    assert "ledger" not in tennis().to_dict()


def test_odd_names_come_back(tmp_path):
    names = ("", " ", "\n", "\x00", "ä", "\u202e", "\uffff", "🌳", '"', "nan")
    tree = replace(tennis(), target=Column("Gr\u00f6\u00dfe\n", Kind.nominal, names[:2]))
    schema = type(tree.schema)((*tree.schema.columns, Column("\u2028", Kind.nominal, names)))
    tree = replace(tree, schema=schema)
    tree.save(str(tmp_path / "m"))
    assert load(str(tmp_path / "m")) == tree


def test_old_files_can_still_be_read():
    """The file was written by `full().save(GOLDEN)` when format 1 was made; it is never written again."""
    tree = load(GOLDEN)
    assert tree.to_dict() == json.loads(GOLDEN.read_text())
    assert (tree.n_nodes, tree.n_leaves, tree.depth, tree.classes) == (9, 6, 2, ("a", "b", "c"))
    assert tree.node(0).answers == ("<= 1e-300", "> 1e-300", "is missing")
    assert (tree.about["alpha"], tree.about["seed"]) == (float("inf"), 2**100)
    assert tree.ledger[0]["why"] == "worse"


def test_old_files_with_edges_can_still_be_read():
    """Written by `tw.grow(weather_numeric, "play", recipe="id3", discretise="boundary_points")`, once."""
    tree = load(GOLDEN_2)
    assert tree.to_dict() == json.loads(GOLDEN_2.read_text())
    assert tree.to_dict()["version"] == 2
    assert tree.schema["humidity"].edges[:2] == (67.5, 72.5)
    assert tree.schema["humidity"].categories[:2] == ("<= 67.5", "(67.5, 72.5]")
    assert "<= 64.5" in tree.node(0).answers


def test_large_trees(big_tree, tmp_path):
    big_tree.save(tmp_path / "big")
    assert load(tmp_path / "big") == big_tree


# ---- files are written whole or not at all ----------------------------------------------------------


@pytest.mark.parametrize("step", ["fsync", "replace", "open", "chmod"])
@pytest.mark.parametrize("trouble", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_trouble_leaves_the_old_file_whole(tmp_path, monkeypatch, step, trouble):
    path = tmp_path / "m.treewright"
    tennis().save(path)
    before = path.read_bytes()

    def fail(*_, **__):
        raise trouble

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises(type(trouble)):
            full().save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["m.treewright"]
    full().save(path)
    assert load(path) == full()
    assert os.listdir(tmp_path) == ["m.treewright"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_device_is_not_replaced(tmp_path):
    for place in ("/dev/full", tmp_path):
        with pytest.raises(ValueError, match="a folder or a device"):
            tennis().save(place)
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_links_and_modes_stay(tmp_path):
    tennis().save(tmp_path / "real")
    os.chmod(tmp_path / "real", 0o640)
    os.symlink(tmp_path / "real", tmp_path / "link")
    full().save(tmp_path / "link")
    assert os.path.islink(tmp_path / "link")
    assert load(tmp_path / "real") == full()
    assert stat.S_IMODE(os.stat(tmp_path / "real").st_mode) == 0o640


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        tennis().save(tmp_path / "no" / "m")
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "m")


def loaders():
    return {"tree": tw.load, "rules": tw.rules.load, "forest": tw.forest.load, "tree alone": load}


@pytest.mark.parametrize("kind", loaders())
def test_a_name_that_is_nearly_right(tmp_path, kind):
    """Of every kind of model: the name that was meant, the folder, what the file is instead."""
    (tmp_path / "tennis.treewright").write_text("{}")
    (tmp_path / "iris.csv").write_text("a,b\n1,2\n")
    find = loaders()[kind]
    with pytest.raises(
        FileNotFoundError, match=r"There is no file .*; did you mean '.*tennis\.treewright'\?"
    ):
        find(tmp_path / "tenis.treewright")
    with pytest.raises(FileNotFoundError, match=r"did you mean '.*tennis\.treewright'\?"):
        find(tmp_path / "tennis")  # only the ending is missing
    with pytest.raises(FileNotFoundError, match="look into"):
        find(str(tmp_path / "nofile"))
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        find(tmp_path / "nowhere" / "nofile")
    with pytest.raises(ValueError, match=r"it is a folder\. Name a file in it, such as"):
        find(tmp_path)
    with pytest.raises(ValueError, match=r"iris\.csv': .*(a table is read by tw\.read|not a zip)"):
        find(tmp_path / "iris.csv")


# ---- damaged and hostile files ----------------------------------------------------------------------


def refused(tmp_path, content: bytes | str, match: str = "Cannot load a tree") -> str:
    """Check that loading gives a ValueError that names the file, and nothing else."""
    path = tmp_path / "bad.treewright"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    with pytest.raises(ValueError, match=match) as caught:
        load(path)
    assert type(caught.value) is ValueError
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 1000
    return str(caught.value)


def test_cut_short_anywhere(tmp_path):
    content = store.to_json(full()).encode()
    for size in range(len(content.rstrip()) - 1):
        refused(tmp_path, content[:size], "empty|damaged or cut short")


def test_bytes_changed_anywhere(tmp_path):
    """Each either still is a tree or is refused; a changed digit may give another good tree."""
    content = bytearray(store.to_json(full()).encode())
    source = random.Random(1)
    path = tmp_path / "m"
    messages = set()
    for _ in range(1500):
        spoiled = bytearray(content)
        for _ in range(source.choice([1, 1, 2, 5])):
            spoiled[source.randrange(len(spoiled))] = source.choice(b'0123456789-.eE,[]{}":ntf \x00\xff')
        path.write_bytes(spoiled)
        try:
            tree = load(path)
        except ValueError as error:
            messages.add(str(path) in str(error))
        else:
            tree.to_text()
            [tree.node(i) for i in range(tree.n_nodes)]
            tree.collapse(0)
    assert messages == {True}


HOSTILE = [
    (b"", "empty"),
    (b" \n", "empty"),
    (b"\xff\xfe\x00", "byte 0 is not UTF-8"),
    (b"\x80\x04\x95", "not UTF-8"),
    (b"null", "no JSON object"),
    (b"[]", "no JSON object"),
    (b"{}", "format"),
    (b'{"format": "treewright tree"}', "version"),
    (b"[" * 200_000, "nested too deeply|damaged"),
    (b"[" * 200_000 + b"]" * 200_000, "nested too deeply"),
    (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
    (b'{"a": 1, "a": 2}', "twice"),
    (b'{"a": NaN}', "NaN is not JSON"),
    (b'{"a": -Infinity}', "not JSON"),
    (b'{"a": ' + b"9" * 1_000_000 + b"}", "1000000 digits"),
    (b'{"a": 1} {"b": 2}', "damaged"),
    (b'{"a": 1}\x00', "damaged"),
    (b"\xef\xbb\xbf{}", "damaged"),
    (b"cos\nsystem\n(S'true'\ntR.", "damaged"),
]


@pytest.mark.parametrize(("content", "match"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files(tmp_path, content, match):
    refused(tmp_path, content, match)


@pytest.mark.parametrize(
    ("version", "match"),
    [(plain.VERSION + 1, "newer treewright"), (10**50, "newer")]
    + [(v, "version") for v in (0, -1, True, "1", 1.0, None, [1])],
)
def test_versions(tmp_path, version, match):
    refused(tmp_path, json.dumps({**tennis().to_dict(), "version": version}), match)


WRONG = [
    None,
    True,
    1,
    -1,
    1.5,
    "1",
    "nan",
    "Infinity",
    [],
    [1],
    {},
    {"$float": "nan"},
    10**30,
    2**31,
    2**63,
    -(2**63) - 1,
]


@pytest.mark.parametrize(
    "key", ["format", "version", "schema", "target", "about", "arrays", "ledger", "extra"]
)
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_wrong_entries(tmp_path, key, wrong):
    fine = (key == "version" and wrong in (1, True) and wrong is not True) or (
        key == "ledger" and wrong in (None, [])
    )
    fine = fine or (key == "about" and wrong == {})
    if not fine:
        refused(tmp_path, json.dumps({**full().to_dict(), key: wrong}))


@pytest.mark.parametrize("key", ["format", "version", "schema", "target", "about", "arrays"])
def test_absent_entries(tmp_path, key):
    whole = full().to_dict()
    del whole[key]
    refused(tmp_path, json.dumps(whole))


@pytest.mark.parametrize("name", GROWN)
def test_wrong_arrays(tmp_path, name):
    whole = full().to_dict()
    for wrong in WRONG:
        refused(tmp_path, json.dumps({**whole, "arrays": {**whole["arrays"], name: wrong}}))
    arrays = dict(whole["arrays"])
    del arrays[name]
    refused(tmp_path, json.dumps({**whole, "arrays": arrays}), f"'{name}' is absent")


@pytest.mark.parametrize("name", GROWN)
def test_wrong_elements(tmp_path, name):
    """One element replaced by nonsense of every kind: refused, or (where it fits) another good tree."""
    whole = full().to_dict()
    values = whole["arrays"][name]
    is_float = GROWN[name][0] is np.float64
    for at in {0, len(values) // 2, len(values) - 1}:
        for wrong in [*WRONG, "inf", "1e999", [[1]]]:
            spoiled = {**whole, "arrays": {**whole["arrays"], name: [*values[:at], wrong, *values[at + 1 :]]}}
            never = wrong is None or type(wrong) in (list, dict) or wrong in ("1", "Infinity", "1e999")
            never = never or (not is_float and type(wrong) in (float, str))
            never = never or (GROWN[name][0] is not np.bool_ and type(wrong) is bool)
            if never:
                refused(tmp_path, json.dumps(spoiled))
                continue
            with contextlib.suppress(ValueError):
                Tree.from_dict(spoiled).to_text()


def test_numbers_beyond_float64_are_refused(tmp_path):
    text = store.to_json(full())
    spoiled = re.sub(r'"surrogate_agreement": \[[^,\]]*', '"surrogate_agreement": [1e999', text)
    refused(tmp_path, spoiled, "'surrogate_agreement' holds a number too large")
    refused(
        tmp_path, re.sub(r'"stats": \[\[[^,]*', '"stats": [[1e400', text), "'stats' holds a number too large"
    )


def test_ends_that_run_in_circles(tmp_path):
    whole = tennis().to_dict()
    for end in (
        [8, 0, 3, 4, 5, 8, 7, 8],
        [8, 4, 5, 4, 5, 8, 7, 8],
        [0] * 8,
        [8, 4, 3, 4, 5, 5, 7, 8],
        [8, 1, 2, 3, 4, 5, 6, 7],
    ):
        refused(tmp_path, json.dumps({**whole, "arrays": {**whole["arrays"], "end": end}}), "'end'")


def test_lying_sizes_cost_no_memory(tmp_path):
    whole = tennis().to_dict()
    for name, value in [
        ("code_start", 2**62),
        ("code", 2**31 - 1),
        ("code_branch", 2**31 - 1),
        ("end", 2**31 - 1),
    ]:
        values = [*whole["arrays"][name]]
        values[1] = value
        refused(tmp_path, json.dumps({**whole, "arrays": {**whole["arrays"], name: values}}), "Not a tree")


def test_settings_may_not_nest_for_ever(tmp_path):
    deep: list = []
    for _ in range(400):
        deep = [deep]
    refused(tmp_path, json.dumps({**tennis().to_dict(), "about": {"x": deep}}), "16 levels")
    refused(tmp_path, json.dumps({**tennis().to_dict(), "target": {"name": "x", "kind": deep}}))


def test_what_is_not_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(ValueError, match="not a regular file"):
            load(place)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@given(st.data())
@settings(max_examples=at_most(120, 300))
def test_any_value_in_any_place(data):
    """Replace one value, however deep, by any JSON value."""
    whole = json.loads(store.to_json(full()))
    at = whole
    while True:
        keys = sorted(at) if isinstance(at, dict) else list(range(len(at)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(at[key], (dict, list)) or not at[key] or data.draw(st.integers(0, 3)) == 0:
            break
        at = at[key]
    at[key] = data.draw(json_values)
    try:
        tree = Tree.from_dict(whole)
    except ValueError:
        return
    tree.to_text()
    assert Tree.from_dict(tree.to_dict()) == tree
