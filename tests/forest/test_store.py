"""Forests in files: the same value back, and a clear refusal of anything else."""

import io
import json
import pickle
import zipfile

import numpy as np
import pytest

import treewright as tw
from tests.forest.samples import random_table
from treewright.forest import compact
from treewright.forest.store import to_bytes

FOREST = tw.forest.grow(random_table(3, 100, gaps=0.1), "y", n_trees=3, missing="surrogate")
NUMBERS = tw.forest.grow(random_table(3, 100, is_classes=False), "y", n_trees=3)


def entries(content):
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def zipped(parts):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return target.getvalue()


def npy(array, **options):
    target = io.BytesIO()
    np.save(target, array, **options)
    return target.getvalue()


@pytest.mark.parametrize("forest", [FOREST, NUMBERS], ids=["classes", "numbers"])
@pytest.mark.parametrize("load", [tw.load, tw.forest.load])
def test_the_same_forest_comes_back(forest, load, tmp_path):
    path = tmp_path / "m.forest"
    forest.save(path)
    again = load(path)
    assert again == forest
    assert all(again.arrays[name].dtype == forest.arrays[name].dtype for name in compact.FIELDS)
    assert to_bytes(again) == to_bytes(forest) == path.read_bytes()
    table = random_table(8, 30)
    if forest.is_classifier:
        np.testing.assert_array_equal(again.predict_proba(table), forest.predict_proba(table))
    assert [p.name for p in tmp_path.iterdir()] == ["m.forest"]


@pytest.mark.parametrize("forest", [FOREST, NUMBERS], ids=["classes", "numbers"])
def test_pickle(forest):
    again = pickle.loads(pickle.dumps(forest))
    assert again == forest
    assert not again.arrays["end"].flags.writeable


def test_trees_are_loaded_as_before(tmp_path):
    tree = FOREST.tree(0)
    tree.save(tmp_path / "one.tree")
    assert tw.load(tmp_path / "one.tree") == tree
    with pytest.raises(FileNotFoundError):
        tw.load(tmp_path / "none")


def test_a_failed_save_leaves_the_older_file(tmp_path, monkeypatch):
    path = tmp_path / "m.forest"
    FOREST.save(path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        NUMBERS.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["m.forest"]


CONTENT = to_bytes(FOREST)
PARTS = entries(CONTENT)
HEAD = json.loads(PARTS["forest.json"])


def with_head(**changes):
    return zipped({**PARTS, "forest.json": json.dumps({**HEAD, **changes}).encode()})


def with_array(name, array):
    return zipped({**PARTS, f"{name}.npy": npy(array)})


def changed(name, place, value):
    array = FOREST.arrays[name].astype(np.int64 if FOREST.arrays[name].dtype.kind in "iu" else np.float64)
    array[place] = value
    return with_array(name, array)


HOSTILE = {
    "empty": (b"", "not a zip|empty"),
    "text": (b"hello", "not a zip|damaged"),
    "cut short": (CONTENT[: len(CONTENT) // 2], "damaged or cut short"),
    "no entries": (zipped({"a": b"b"}), "does not hold the entries"),
    "one too many": (zipped({**PARTS, "x.npy": b""}), "does not hold the entries"),
    "no JSON": (zipped({**PARTS, "forest.json": b"{"}), "damaged"),
    "other format": (with_head(format="a tree"), "no entry 'format'"),
    "newer": (with_head(version=99), "newer treewright"),
    "version": (with_head(version="1"), "format version"),
    "schema": (with_head(schema=[]), "schema"),
    "target": (with_head(target={"name": "y", "kind": "numeric"}), "leaf_count"),
    "about": (with_head(about=[1]), "'about' must be an object"),
    "policy": (with_head(about={**HEAD["about"], "missing": "guess"}), "missing"),
    "no array": (zipped({**PARTS, "end.npy": b"nothing"}), "'end' is no array"),
    "short array": (zipped({**PARTS, "end.npy": PARTS["end.npy"][:-3]}), "'end' is cut short"),
    "objects": (
        zipped({**PARTS, "end.npy": npy(np.array([{}], dtype=object), allow_pickle=True)}),
        "'end' holds",
    ),
    "text array": (with_array("end", np.array(["a"])), "'end' holds"),
    "length": (with_array("kind", FOREST.arrays["kind"][:-1]), "'kind' must have|must have"),
    "floats": (
        with_array("end", FOREST.arrays["end"].astype(float)),
        "'end' must be an array of whole numbers",
    ),
    "two dimensions": (with_array("end", np.zeros((2, 2), np.int8)), "'end' has the shape"),
    "no tree": (with_array("tree_size", np.zeros(0, np.int8)), "at least one tree"),
    "negative size": (changed("tree_size", 0, -5), "negative"),
    "negative count": (changed("code_count", 0, -1), "negative"),
    "astray end": (changed("end", 0, 3), "tree 0.*'end'"),
    "astray column": (changed("column", 0, 99), "tree 0.*'column'"),
    "astray class": (changed("leaf_label", 0, 7), "leaf_label.*classes that do not exist"),
    "astray entry": (changed("leaf_class", 0, 3), "leaf_class.*classes that do not exist"),
    "negative weight": (changed("leaf_weight", 0, -1), "leaf_weight.*negative"),
    "no number": (changed("importance", (0, 0), np.nan), "importance.*not finite"),
    "astray branch": (changed("missing", 0, 9), "tree 0.*'missing'"),
    "huge": (changed("end", 0, 2**40), "'end' holds a number that no tree has"),
    "surrogates": (changed("surrogate_column", 0, 55), "surrogate_column"),
    "columns": (with_array("importance", np.zeros((3, 2))), "importance.*2 columns"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_words(name, tmp_path):
    content, text = HOSTILE[name]
    path = tmp_path / "bad.forest"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="(?s)Cannot load a forest from .*bad.forest.*(" + text + ")"):
        tw.forest.load(path)
    with pytest.raises(ValueError, match="Cannot load"):
        tw.load(path)


def test_damaged_bytes_never_crash(tmp_path):
    rng = np.random.default_rng(0)
    stored = zipped(PARTS)  # not compressed: flips reach the arrays
    path = tmp_path / "bad.forest"
    table = random_table(8, 20)
    for _ in range(150):
        content = bytearray(stored if rng.random() < 0.7 else CONTENT)
        for place in rng.integers(0, len(content), rng.integers(1, 4)):
            content[place] = rng.integers(256)
        path.write_bytes(bytes(content))
        try:
            forest = tw.forest.load(path)
        except ValueError:
            continue
        forest.predict(table)


def test_flipped_numbers_never_crash():
    rng = np.random.default_rng(1)
    table = random_table(8, 20)
    n_refused = 0
    for _ in range(300):
        arrays = {name: array.copy() for name, array in FOREST.arrays.items()}
        name = rng.choice([n for n in arrays if arrays[n].size])
        flat = arrays[name].reshape(-1)
        flat[rng.integers(flat.size)] = rng.integers(-2, 100)
        try:
            forest = tw.forest.Forest(
                schema=FOREST.schema, target=FOREST.target, arrays=arrays, about=FOREST.about
            )
        except ValueError:
            n_refused += 1
            continue
        forest.predict(table)
        forest.leaves(table)
    assert n_refused > 100
