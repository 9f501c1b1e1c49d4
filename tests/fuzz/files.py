"""Model files, damaged with knowledge of what they are: loading gives a model that works, or a ValueError."""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import json
import os
import tempfile
import tracemalloc
import zipfile
from typing import Any

import numpy as np

import treewright as tw
from treewright.base import digest
from treewright.forest import compact
from treewright.tree.archive import body
from treewright.tree.reader import FACTOR, SLACK

Rng = np.random.Generator

_TABLE = {
    "sky": ["s", "s", "r", "r", None, "o", "o", "s"] * 3,
    "degrees": [1.0, 2, 3, 4, 5, 6, 7, None] * 3,
    "windy": [True, False, True, False, True, False, True, True] * 3,
    "y": ["yes", "no", "maybe", "no", "no", "yes", "no", "no"] * 3,
}
_ODD = [
    None, True, -1, 0, 1, 2, 255, 2**31 - 1, 2**31, 2**63, -(2**63) - 1, 10**30, 1.5, -0.0, 1e308, "", "nan",
    "inf", "x", "\x00", "\u202e", "\ud800", [], [1], [[]], {}, {"$float": "nan"}, {"a": 1},
]  # fmt: skip
_BYTES = b'0123456789-.eE,[]{}":ntf \\\x00\xff'


@functools.cache
def pool() -> tuple[tuple[bytes, Any], ...]:
    """Return the files that are damaged, each with the rows its model answers for."""
    table = tw.Table.from_dict(_TABLE)
    rows = table.drop("y")
    numbers = tw.Table.from_dict({
        "a": list(range(24)),
        "b": [i % 5 for i in range(24)],
        "y": [i % 7 for i in range(24)],
    })  # fmt: skip
    c45 = tw.grow(table, "y", "c4.5")
    plain = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0], [1.0, 1.0]]
    answers = ["a", "b", "b", "c", "a"]
    models = [
        (c45, rows),
        (tw.grow(table, "y", "cart", max_surrogates=2, min_leaf=1, ledger=True), rows),
        (tw.grow(numbers, "y", leaves="linear"), numbers.drop("y")),
        (tw.grow(numbers, "y", splits="linear"), numbers.drop("y")),
        (c45.rules(), rows),
        (tw.forest.grow(table, "y", n_trees=3, seed=1), rows),
        (tw.forest.grow(numbers, "y", n_trees=2, seed=1), numbers.drop("y")),
        (tw.LogisticRegression(l2=1.0).fit(plain, answers), plain),
        (tw.LogisticRegression(l2=1.0, multi_class="one_vs_rest").fit(plain, answers), plain),
        (tw.Perceptron(max_passes=3, certify=True).fit(plain, answers), plain),
        (tw.LinearSeparator().fit(plain, answers), plain),
        (tw.MaxMarginClassifier(C=1.0, kernel="radial").fit(plain, answers), plain),
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for model, cells in models:
            model.save(os.path.join(folder, "m"))
            with open(os.path.join(folder, "m"), "rb") as file:
                found.append((file.read(), cells))
    return tuple(found)


def case(number: int) -> None:
    """Damage one file, load it, use what comes."""
    rng = np.random.default_rng([number, 1])
    content, cells = pool()[rng.integers(len(pool()))]
    check(damaged(content, rng), cells, with_memory=number % 16 == 0)


def check(content: bytes, cells: Any, with_memory: bool = False) -> None:
    """Load a file: a ValueError within the memory it may take, or a model that answers and can be saved."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m")
        with open(path, "wb") as file:
            file.write(content)
        if with_memory:
            tracemalloc.start()
        try:
            model = tw.load(path)
        except ValueError as refused:
            _told(refused)
            return
        finally:
            if with_memory:
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
                assert peak <= FACTOR * len(content) + SLACK, f"{peak} bytes for a file of {len(content)}"
        use(model, cells, path)


def use(model: Any, cells: Any, path: str) -> None:
    """Do with a model what people do; what it cannot do it says as a ValueError."""
    model.save(path)
    again = tw.load(path)
    assert type(again) is type(model)
    for verb in ("predict", "predict_proba", "decision_function"):
        try:
            if hasattr(model, verb):
                getattr(model, verb)(cells)
        except (ValueError, KeyError) as refused:  # another column, or a number where classes are
            _said(refused)
    assert isinstance(str(model), str)
    for verb in ("to_text", "rules", "to_dict"):
        try:
            if callable(getattr(model, verb, None)):  # of rules, `rules` is what they are
                getattr(model, verb)()
        except ValueError as refused:
            _said(refused)


def _told(refused: ValueError) -> None:
    """Check the error of a loader: of this type, about the file, printable."""
    assert type(refused) is ValueError, repr(refused)
    assert "Cannot load" in str(refused)
    assert str(refused).encode()


def _said(refused: Exception) -> None:
    """Check that an error says something that can be printed."""
    assert str(refused).encode()


# ---- damage -------------------------------------------------------------------------------------------


def damaged(content: bytes, rng: Rng) -> bytes:
    """Return the file with some damage: of its bytes, or of its values under a digest that is right again."""
    if rng.random() < 0.3:
        return of_bytes(content, rng)
    return of_archive(content, rng) if content[:2] == b"PK" else of_json(content, rng)


def of_bytes(content: bytes, rng: Rng) -> bytes:
    """Flip, put in, take out, cut short, repeat."""
    spoiled = bytearray(content)
    for _ in range(rng.choice([1, 1, 1, 2, 5, 20])):
        at = int(rng.integers(len(spoiled) or 1))
        way = rng.integers(6)
        if way == 0:
            spoiled[at : at + 1] = bytes([rng.integers(256)])
        elif way == 1:
            spoiled[at : at + 1] = _BYTES[(k := int(rng.integers(len(_BYTES)))) : k + 1]
        elif way == 2:
            spoiled[at:at] = bytes(rng.choice(list(_BYTES), int(rng.integers(1, 9))).astype(np.uint8))
        elif way == 3:
            del spoiled[at : at + int(rng.integers(1, 40))]
        elif way == 4:
            del spoiled[at:]
        else:
            spoiled[at:at] = spoiled[at : at + int(rng.integers(1, 200))]
    return bytes(spoiled)


def of_json(content: bytes, rng: Rng) -> bytes:
    """Replace, drop, repeat or exchange values anywhere in it."""
    whole = json.loads(content)
    for _ in range(rng.choice([1, 1, 2, 4])):
        change_somewhere(whole, rng)
    if rng.random() < 0.8 and isinstance(whole, dict) and "digest" in whole:
        with contextlib.suppress(ValueError):
            whole["digest"] = digest.of(whole)
    return json.dumps(whole).encode()


def change_somewhere(whole: Any, rng: Rng) -> None:
    """Change one value, however deep."""
    at = whole
    while True:
        keys: list[Any] = sorted(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return
        key = keys[rng.integers(len(keys))]
        inner = at[key]
        if not isinstance(inner, (dict, list)) or not inner or rng.random() < 0.15:
            break
        at = inner
    way = rng.integers(6)
    if way == 0:
        del at[key]
    elif way == 1 and isinstance(at, list):
        at.insert(key, copy.deepcopy(at[rng.integers(len(at))]))
    elif way == 2:
        at[key] = copy.deepcopy(at[keys[rng.integers(len(keys))]])
    elif way == 3 and isinstance(inner, (int, float)) and not isinstance(inner, bool):
        at[key] = inner + int(rng.choice([-2, -1, 1, 2, 100, 2**31]))
    else:
        at[key] = copy.deepcopy(_ODD[rng.integers(len(_ODD))])


def of_archive(content: bytes, rng: Rng) -> bytes:
    """Change the head, an array, or the head of an array of a forest."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    head = json.loads(parts["forest.json"])
    arrays = {name[:-4]: np.load(io.BytesIO(part)) for name, part in parts.items() if name.endswith(".npy")}
    way = rng.integers(5)
    if way == 0:
        change_somewhere(head, rng)
    elif way < 4:
        name = sorted(arrays)[rng.integers(len(arrays))]
        arrays[name] = changed_array(arrays[name], rng)
    if "digest" in head and rng.random() < 0.9:
        held = {name: arrays[name] for name in compact.FIELDS if name in arrays}
        with contextlib.suppress(ValueError, KeyError, TypeError):
            head["digest"] = digest.of(body(head, held))
    parts = {"forest.json": json.dumps(head).encode()}
    for name, array in arrays.items():
        target = io.BytesIO()
        np.save(target, array)
        parts[f"{name}.npy"] = target.getvalue()
    if way == 4:
        name = sorted(parts)[rng.integers(len(parts))]
        parts[name] = of_bytes(parts[name], rng)
    target = io.BytesIO()
    with zipfile.ZipFile(
        target, "w", zipfile.ZIP_DEFLATED if rng.random() < 0.5 else zipfile.ZIP_STORED
    ) as file:
        for name, part in parts.items():
            file.writestr(name, part)
    return target.getvalue()


def changed_array(array: Any, rng: Rng) -> Any:
    """Return the array with other values, another length, dtype or shape."""
    way = rng.integers(6)
    if way == 0 and array.size:
        array = array.astype(np.int64 if array.dtype.kind in "iu" else np.float64)
        array.reshape(-1)[rng.integers(array.size)] = rng.choice([-2, -1, 0, 1, 2, 5, 100, 2**31 - 1, 2**31])
    elif way == 1:
        array = array[: int(rng.integers(len(array) + 1))]
    elif way == 2:
        array = np.concatenate([array, array[:2]])
    elif way == 3:
        array = array.astype(
            rng.choice(["i1", "u1", "i8", "f4", "f8", "U3", "c16", ">i4", "?"]), casting="unsafe"
        )
    elif way == 4:
        array = array.reshape(-1, 1) if array.ndim == 1 else array.T
    elif array.dtype.kind == "f" and array.size:
        array = array.copy()
        array.reshape(-1)[rng.integers(array.size)] = rng.choice([np.nan, np.inf, -np.inf, -1.0, 1e308])
    return array
