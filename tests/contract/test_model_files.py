"""Model files of every kind: damage is noticed, old ones are read, none takes memory that it only claims."""

from __future__ import annotations

import io
import json
import pickle
import random
import re
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from treewright.base import digest
from treewright.forest.store import to_bytes
from treewright.linear.proof import Certificate
from treewright.tree import reader

GOLDEN = Path(__file__).parents[1] / "golden"
TENNIS = tw.example("tennis")
X, Y = TENNIS.select(["Outlook", "Wind"]), TENNIS.labels("PlayTennis")
TREE = tw.grow(TENNIS, "PlayTennis", recipe="id3")
FOREST = tw.forest.grow(TENNIS, "PlayTennis", n_trees=3, seed=1)
LOGISTIC = tw.LogisticRegression(l2=1.0).fit(X, Y)
MODELS: dict[str, Any] = {
    "tree": TREE,
    "rules": TREE.rules(),
    "forest": FOREST,
    "logistic": LOGISTIC,
    "perceptron": tw.Perceptron(certify=True).fit([[1.0], [3.0], [4.0]], ["a", "b", "b"]),
    "separator": tw.LinearSeparator().fit([[1.0], [3.0], [2.0]], ["a", "b", "a"]),
    "margin": tw.MaxMarginClassifier(kernel="radial").fit([[0.0], [1.0], [2.0]], ["a", "b", "a"]),
}


def content_of(name: str, folder: Path) -> bytes:
    MODELS[name].save(folder / name)
    return (folder / name).read_bytes()


def plain(model: Any) -> Any:
    return model.to_dict() if hasattr(model, "to_dict") else to_bytes(model)


# ---- the digest ---------------------------------------------------------------------------------------

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-10, 10)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values)
def test_the_canonical_text_is_that_of_json(value: Any) -> None:
    expected = json.dumps(value, sort_keys=True, separators=(",", ":"))
    assert "".join(digest.canonical(value)) == expected


def test_the_canonical_text_of_long_lists() -> None:
    for n in (4095, 4096, 4097, 8192, 10_000):
        value = {"b": list(range(n)), "a": [[i, "x"] for i in range(n)]}
        expected = json.dumps(value, sort_keys=True, separators=(",", ":"))
        assert "".join(digest.canonical(value)) == expected


@pytest.mark.parametrize("name", MODELS)
def test_there_and_back(name: str, tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    content_of(name, tmp_path)
    again = tw.load(tmp_path / name)
    assert type(again) is type(MODELS[name])
    assert json.dumps(plain(again), default=repr) == json.dumps(plain(MODELS[name]), default=repr)
    assert not recwarn.list


@pytest.mark.parametrize("name", [name for name in MODELS if name != "forest"])
def test_a_changed_number_or_word_is_always_noticed(name: str, tmp_path: Path) -> None:
    """Of the trial: 10 of 400 damaged trees and 25 of 400 rules answered otherwise, and nobody was told."""
    text, source, path = content_of(name, tmp_path).decode(), random.Random(5), tmp_path / "damaged"
    places = [found.start() for found in re.finditer("[0-9A-Za-z]", text)]
    for _ in range(150):
        at = source.choice(places)
        letter = source.choice("0123456789" if text[at].isdigit() else "aeknx")
        damaged = text[:at] + letter + text[at + 1 :]
        path.write_text(damaged)
        try:
            tw.load(path)
        except ValueError:
            continue
        assert json.loads(damaged) == json.loads(text), (at, letter)  # a digit that no float has


def test_forests_have_a_digest_beside_the_sums_of_the_zip(tmp_path: Path) -> None:
    parts = entries(to_bytes(FOREST))
    rows = FOREST.arrays["leaf_rows"].copy()
    rows[0] += 1
    (tmp_path / "m").write_bytes(zipped({**parts, "leaf_rows.npy": npy(rows)}))
    with pytest.raises(ValueError, match="Not a forest as it was saved"):
        tw.load(tmp_path / "m")


@pytest.mark.parametrize("name", [name for name in MODELS if name != "forest"])
def test_what_the_digest_is_about(name: str, tmp_path: Path) -> None:
    whole = json.loads(content_of(name, tmp_path))
    path = tmp_path / "changed"

    def loaded(**changes: Any) -> Any:
        changed = {**whole, **changes}
        path.write_text(json.dumps({key: value for key, value in changed.items() if value is not ...}))
        return tw.load(path)

    loaded()  # blanks and the order of entries are no part of it
    with pytest.raises(ValueError, match="as it was saved: something was changed or damaged since"):
        loaded(digest="sha256:" + "0" * 64)
    for other in (..., None, 5):
        with pytest.raises(ValueError, match="entry 'digest' is absent"):
            loaded(digest=other)
    with pytest.raises(ValueError, match="entry 'digest' is unknown in version 1"):
        loaded(version=1)
    with pytest.warns(tw.DataWarning, match="has no digest"):
        loaded(version=1, digest=...)
    if "about" in whole:  # how long growth took is no part of what a model is
        loaded(about={**whole["about"], "growth": {"seconds": 2.5}})
        with pytest.raises(ValueError, match="as it was saved"):
            loaded(about={**whole["about"], "seed": 2})


@pytest.mark.parametrize("kind", ["forest", "rules", "linear", "tree"])
def test_files_of_older_versions_are_read_with_a_note(kind: str, tmp_path: Path) -> None:
    path = GOLDEN / f"{kind}-v1.treewright"
    with pytest.warns(tw.DataWarning, match="was written by an older treewright and has no digest"):
        model = tw.load(path)
    if kind == "forest":  # what is said of growth may have got new words since
        assert all(np.array_equal(model.arrays[name], FOREST.arrays[name]) for name in FOREST.arrays)
    elif (
        kind == "linear"
    ):  # its numbers are those of the file; another processor's fit differs in the last bits
        stored = json.loads(path.read_text())["fit"]
        assert model.coef_.tolist() == stored["coef_"]["array"]
        assert model.intercept_.tolist() == stored["intercept_"]["array"]
        np.testing.assert_allclose(model.predict_proba(X), LOGISTIC.predict_proba(X), rtol=1e-12)
    elif kind == "rules":
        assert str(model) == str(MODELS["rules"])
    model.save(tmp_path / "again")
    tw.load(tmp_path / "again")  # without a note, which would be an error here
    assert "digest" in (tmp_path / "again").read_text("latin-1") or kind == "forest"


@pytest.mark.parametrize("estimator", [
    tw.DecisionTreeClassifier(), tw.RandomForestClassifier(n_estimators=2, random_state=0),
    tw.RuleClassifier(), tw.LogisticRegression(l2=1.0), tw.LinearSeparator(),
], ids=lambda estimator: type(estimator).__name__)  # fmt: skip
def test_states_of_estimators_have_a_digest(estimator: Any) -> None:
    """What pickle, joblib and skops store: an array that was changed on the way is noticed."""
    fitted = estimator.fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]], ["a", "b", "b", "b"])
    state = fitted.__getstate__()
    again = pickle.loads(pickle.dumps(fitted))
    assert again.predict([[2.0, 2.0]]).tolist() == fitted.predict([[2.0, 2.0]]).tolist()
    if "coef_" in state:
        state["coef_"] = state["coef_"] + 1
    else:
        holder = state.get("forest_") or state["tree_"]
        name = "leaf_weight" if "forest_" in state else "stats"
        holder["arrays"] = {**holder["arrays"], name: holder["arrays"][name] + 1}
    with pytest.raises(ValueError, match="as it was stored"):
        type(estimator)().__setstate__(state)


# ---- memory -------------------------------------------------------------------------------------------


def entries(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def zipped(parts: dict[str, bytes], way: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", way, compresslevel=9) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return target.getvalue()


def npy(array: Any) -> bytes:
    target = io.BytesIO()
    np.save(target, array)
    return target.getvalue()


def forest_with(name: str, array: Any) -> bytes:
    return zipped({**entries(to_bytes(FOREST)), f"{name}.npy": npy(array)})


def lying(content: bytes, name: str, claimed: int) -> bytes:
    """Return a zip whose directory says that an entry is of another size."""
    size = len(entries(content)[name])
    places = [m.start() for m in re.finditer(re.escape(size.to_bytes(4, "little")), content)]
    for at in places:
        content = content[:at] + claimed.to_bytes(4, "little") + content[at + 4 :]
    return content


def wide_tree() -> bytes:
    """A small file of one tree of a million nodes, which would be checked in arrays of 100 MB."""
    n, few = 1_000_000, np.zeros(0, np.int8)
    arrays = dict.fromkeys(FOREST.arrays, np.zeros(n, np.int8))
    arrays |= dict.fromkeys(
        (name for name in arrays if name.startswith(("code", "surr", "cut", "gain"))), few
    )
    arrays |= {"code_count": np.zeros(n, np.int8), "surrogate_count": np.zeros(n, np.int8)}
    arrays |= {"tree_size": np.array([n]), "importance": np.zeros((1, 4)), "leaf_count": np.ones(n, np.int8)}
    arrays |= {"leaf_mean": few, "leaf_squares": few, "surrogate_code_count": few}
    del arrays["gain"]
    head = {"forest.json": entries(to_bytes(FOREST))["forest.json"]}
    return zipped(head | {f"{name}.npy": npy(array) for name, array in arrays.items()})


def tree_json(**changes: Any) -> bytes:
    return json.dumps({**TREE.to_dict(), **changes}).encode()


BOMBS: dict[str, Callable[[], bytes]] = {
    "blanks packed": lambda: zipped({"forest.json": b" " * 100_000_000}),
    "blanks before the head": lambda: zipped(
        (parts := entries(to_bytes(FOREST))) | {"forest.json": b" " * 100_000_000 + parts["forest.json"]}
    ),
    "an array of zeros": lambda: forest_with("end", np.zeros(100_000_000, np.int8)),
    "wide importances": lambda: forest_with("importance", np.zeros((3, 10_000_000))),
    "many trees": lambda: forest_with("tree_size", np.ones(30_000_000, np.int8)),
    "one wide tree": wide_tree,
    "an entry that lies": lambda: lying(forest_with("end", np.zeros(100_000_000, np.int8)), "end.npy", 200),
    "many entries": lambda: zipped({f"{i}": b"" for i in range(10_000)}, zipfile.ZIP_STORED),
    "another packing": lambda: zipped(entries(to_bytes(FOREST)), zipfile.ZIP_LZMA),
    "many lists": lambda: b'{"format": "treewright tree", "a": [' + b"[]," * 3_000_000 + b"[]]}",
    "many objects": lambda: b'{"format": "treewright rules", "a": [' + b"{}," * 2_000_000 + b"{}]}",
    "many names": lambda: b'{"a": {' + b",".join(b'"%x":1' % i for i in range(400_000)) + b"}}",
    "many categories": lambda: tree_json(
        target={"name": "y", "kind": "nominal", "categories": [f"{i:x}" for i in range(100_000)]}
    ),
    "a dtype of 2 GB": lambda: linear_json("classes_", {"array": ["a", "b"], "dtype": "<U500000000"}),
}


def linear_json(field: str, value: Any) -> bytes:
    plain = LOGISTIC.to_dict()
    return json.dumps({**plain, "fit": {**plain["fit"], field: value}}).encode()


@pytest.mark.parametrize("name", BOMBS)
def test_a_file_takes_20_times_its_size_and_64_mebibytes(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(BOMBS[name]())
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="Cannot load"):
            tw.load(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20 * path.stat().st_size + (64 << 20)


def test_a_forest_that_packs_well_is_not_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is saved can be loaded: importances that are zeros would pack to a thousandth."""
    monkeypatch.setattr(reader, "SLACK", 0)
    table = tw.Table.from_dict({**{f"x{i}": np.zeros(2) for i in range(30)}, "y": ["a", "b"]})
    for n_trees, way in ((3, zipfile.ZIP_DEFLATED), (400, zipfile.ZIP_STORED)):
        forest = tw.forest.grow(table, "y", n_trees=n_trees, seed=1)
        forest.save(tmp_path / "m")
        with zipfile.ZipFile(tmp_path / "m") as file:
            assert {entry.compress_type for entry in file.infolist()} == {way}
        assert tw.load(tmp_path / "m") == forest


# ---- what is no model is a ValueError -------------------------------------------------------------------

HEADERS = [
    b"{'descr': '|i1', 'fortran_order': False, 'shape': ((3,), }",  # was a TokenError
    b"{'descr': '<f8,,', 'fortran_order': False, 'shape': (3,), }",
    b"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }",
    b"{'descr': '|i1', 'fortran_order': True, 'shape': (3,), }",
    b"{'descr': '|i1', 'fortran_order': False, 'shape': (-3,), }",
    b"{'descr': '|i1', 'fortran_order': False, 'shape': (999999999999999999,), }",
    b"{'descr': '|i1', 'fortran_order': False, 'shape': (99999999999, 99999999999), }",
    b"{'descr': '|i1', 'fortran_order': False, 'shape': (), }",
    b"(" * 1500,
    b"",
]


@pytest.mark.parametrize("header", HEADERS, ids=range(len(HEADERS)))
def test_heads_of_arrays_are_not_evaluated(header: bytes, tmp_path: Path) -> None:
    header += b"\n"
    begin = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
    parts = entries(to_bytes(FOREST))
    (tmp_path / "m").write_bytes(zipped({**parts, "tree_size.npy": begin + header + bytes(3)}))
    with pytest.raises(ValueError, match=r"Cannot load a forest .*'tree_size'"):
        tw.load(tmp_path / "m")


DTYPES = ["S2000000000", "<f8,,", "V9", "O", "|O", "U3000000000", "<U400000000", "c16", "zzz", "", 5, None]


@pytest.mark.parametrize("dtype", DTYPES, ids=repr)
def test_dtypes_of_linear_models_are_those_that_are_written(dtype: Any) -> None:
    plain = LOGISTIC.to_dict()
    for field in ("classes_", "coef_"):
        array = {"array": plain["fit"][field]["array"], "dtype": dtype}
        with pytest.raises(ValueError, match=r"array of|stored"):
            tw.LogisticRegression.from_dict({**plain, "fit": {**plain["fit"], field: array}})


@pytest.mark.parametrize("value", [None, 5, [], {}, "x", [None], [[]]], ids=repr)
@pytest.mark.parametrize("name", ["logistic", "perceptron", "separator"])
def test_fits_that_are_none_are_refused(name: str, value: Any) -> None:
    """`fits_: null` was taken, and `predict_proba` and `to_dict` ended in other errors."""
    model = MODELS[name]
    plain = model.to_dict()
    (field,) = plain["values"]
    with pytest.raises(ValueError, match=r"stored value|several|logistic fit|values are no"):
        type(model).from_dict({**plain, "values": {field: value}})


def test_a_fraction_is_no_power_of_ten() -> None:
    plain = {
        "weights": [1.0], "point": [1.0], "proof": "exact", "error": 0.0,
        "exact_weights": {"0": "1e999999999"}, "exact_point": None,
    }  # fmt: skip
    with pytest.raises(ValueError, match="'1e999999999' is no fraction of whole numbers"):
        Certificate.from_dict(plain)


@pytest.mark.parametrize("name", ["tree", "rules", "logistic"])
def test_halves_of_characters_are_refused(name: str, tmp_path: Path) -> None:
    """Such names were taken by tw.load, and refused by tables: a model that nobody could use."""
    text = json.dumps(MODELS[name].to_dict()).replace('"Outlook"', '"Out\\ud800"')
    (tmp_path / "m").write_text(text)
    with pytest.raises(ValueError, match="half of a character"):
        tw.load(tmp_path / "m")


@pytest.mark.parametrize("width", ["gone", float("inf"), -1.0, "wide"])
def test_a_kernel_without_its_width_is_refused(width: Any) -> None:
    """A find of the fuzzer: the file was read, and prediction ended in an AttributeError."""
    plain = MODELS["margin"].to_dict()
    plain["fit"] = {name: value for name, value in plain["fit"].items() if name != "gamma_"}
    if width != "gone":
        plain["fit"]["gamma_"] = width
    with pytest.raises(ValueError, match="gamma_"):
        tw.MaxMarginClassifier.from_dict({**plain, "version": 1})
