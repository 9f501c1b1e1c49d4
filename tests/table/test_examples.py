import subprocess
import sys

import numpy as np
import pytest

from treewright.table import Kind, example, example_names, example_target, read_described
from treewright.table.encode import align
from treewright.table.read import read

ROWS = {
    "tennis": 14,
    "restaurant": 12,
    "temperature": 6,
    "weather_numeric": 14,
    "iris": 150,
    "labor": 57,
    "vote": 435,
    "hypothyroid": 3772,
    "contact_lenses": 24,
    "section10_weather": 10,
    "and_or_xor": 4,
    "titanic": 2201,
}
MISSING = {"labor": 326, "vote": 392, "hypothyroid": 6064}


@pytest.mark.parametrize("name", ROWS)
def test_examples_load(name):
    table = example(name)
    assert table.n_rows == ROWS[name]
    assert example_target(name) in table.names
    assert sum(cell is None for cells in table.to_dict().values() for cell in cells) == MISSING.get(name, 0)


def test_all_are_listed():
    assert set(example_names()) == set(ROWS)
    with pytest.raises(ValueError, match=r"'tenis'; did you mean 'tennis'.*and_or_xor.*vote"):
        example("tenis")


def test_declared_values_and_order_are_kept():
    assert example("tennis").schema["Humidity"].categories == ("High", "Normal", "Low")
    assert example("restaurant").schema["Pat"].categories == ("None", "Some", "Full")
    assert example("and_or_xor").schema["xor"].kind is Kind.nominal


def test_reading_the_file_gives_the_same_cells(tmp_path):
    import treewright.table.examples as module

    for file in module._folder().iterdir():
        if file.name.endswith(".json") or file.name == "README.md" or "." not in file.name:
            continue
        name = file.name.split(".")[0]
        table = example(name)
        assert read_described(file) == table
        found = read(file)
        kinds = {c.name: c.kind for c in table.schema.columns if c.kind is not found.schema[c.name].kind}
        codes = align(read(file, kinds=kinds), table.schema.columns)
        for ours, theirs in zip(codes, table.values, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_examples_need_no_other_library():
    code = (
        "import sys, treewright.table as t; t.example('labor'); "
        "t.Table.from_arrays([[1, 'a']]); t.Table.from_dict({'a': [1]}); "
        "names = ('duckdb', 'pandas', 'polars', 'pyarrow', 'narwhals', 'sklearn', 'scipy'); "
        "print([name for name in names if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
