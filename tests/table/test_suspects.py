"""What must not be learned from: found where it is, and not where it is not."""

import warnings

import numpy as np
import pytest
from click.testing import CliRunner

import treewright as tw
from treewright.cli.main import main
from treewright.table import Rows, Table, findings
from treewright.table.suspects import LEAST_ROWS, tokens, useless

N = 400
RNG = np.random.default_rng(5)
X = RNG.normal(size=N)
Y = np.where(X + RNG.normal(size=N) > 0, "yes", "no")
PLAIN = {"x": X, "z": RNG.integers(0, 9, N), "colour": RNG.choice(["red", "blue"], N)}


def words(column, name="c", target=Y, **more):
    table = Table.from_dict(PLAIN | {name: column, "churned": target}, **more)
    return {found.column: (found.word, found.is_certain) for found in findings(Rows.of(table, "churned"))}


def test_a_plain_table_has_nothing_to_say():
    assert words(RNG.normal(size=N)) == {}


@pytest.mark.parametrize(
    ("column", "name", "wanted"),
    [
        (np.arange(N), "c", ("id", True)),
        (np.arange(1, N + 1), "c", ("id", True)),
        (np.arange(5001, 5001 + N), "c", None),  # may be a year, or a price
        (np.arange(5001, 5001 + N), "order_no", ("id", True)),
        (RNG.permutation(N) + 7000, "Kundennummer", ("id", True)),
        (np.arange(N), "year", None),
        (RNG.permutation(N) + 7000, "customerId", ("id", True)),
        (RNG.permutation(N) + 7000, "price", None),
        (RNG.integers(0, 5, N), "shop_id", None),  # few shops
        ([f"k{i}" for i in range(N)], "c", ("id", True)),
        ([f"k{i // 3}" for i in range(N)], "c", None),
        ([f"k{i * 2 // 3}" for i in range(N)], "c", ("many values", False)),
        ([f"the customer said {i}" for i in range(N)], "c", ("free text", True)),
        ([f"{i / 7:.2f} €" for i in range(N)], "c", ("readable text", False)),
        ([1.5] * N, "c", ("constant", True)),
        ([None] * N, "c", ("constant", True)),
        ([1.5] * (N - 1) + [None], "c", None),  # the gap may tell
        (["a"] * N, "c", ("constant", True)),
        (X, "c", ("copy", False)),
        (np.where(Y == "yes", "J", "N"), "c", ("copy of the target", False)),
        (np.where(Y == "yes", 5.0, 1.0) + RNG.random(N), "c", ("decides", False)),
        (RNG.integers(0, 3, N) * 2 + (Y == "yes"), "c", None),  # a number that only a table would tell
        ([f"{a}{i % 5}" for i, a in enumerate(Y)], "c", ("decides", False)),
        (RNG.normal(size=N), "churned_on", ("name", False)),
        (RNG.normal(size=N), "churn reason", ("name", False)),
        (RNG.normal(size=N), "prediction", ("name", False)),
    ],
)
def test_one_column(column, name, wanted):
    assert words(column, name) == ({} if wanted is None else {name: wanted})


def test_numbers_that_copy_the_target():
    assert words(X * 3.6 + 2, target=X * 2)["c"] == ("copy of the target", False)
    assert words(X**3, target=X * 2).get("c") is None


def test_small_tables_are_not_looked_at():
    n = LEAST_ROWS - 1
    table = Table.from_dict({"id": range(n), "y": ["a", "b"] * (n // 2) + ["a"]})
    assert findings(Rows.of(table, "y")) == ()
    assert useless(table) == ()


def test_tokens():
    assert tokens("HTTPServerID2") == ["http", "server", "id", "2"]


# ---- at the doors ------------------------------------------------------------------------------------------

TABLE = {"customer_id": np.arange(N), **PLAIN, "same": ["k"] * N}


def test_python_warns_once_for_each_fit():
    table = Table.from_dict(TABLE | {"churned": Y})
    with pytest.warns(
        tw.DataWarning, match=r"'customer_id' numbers the rows.*drop\(\['customer_id'\]\).*'same'"
    ) as heard:
        tree = tw.grow(table, "churned", prune="cv")
    assert len(heard) == 1
    assert "customer_id" in tree.schema.names  # it warns, and leaves the choice to the caller
    with pytest.warns(tw.DataWarning) as heard:
        tw.DecisionTreeClassifier().fit(table.drop("churned"), Y)
    assert len(heard) == 1
    assert heard[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tw.grow(table, "churned", warns=False)
        tw.grow(table.drop(["customer_id", "same"]), "churned")
        tw.evaluate.cross_validate(table, "churned", folds=3)


def test_python_is_told_what_to_type_in_python():
    table = Table.from_dict(PLAIN | {"gone": np.where(Y == "yes", "G", "S"), "churned": Y})
    with pytest.warns(tw.DataWarning, match=r"other words.*leave it out: table\.drop\(\['gone'\]\)\.$"):
        tw.grow(table, "churned")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "t.csv"
    columns = TABLE | {"churned": Y}
    rows = zip(*columns.values(), strict=True)
    path.write_text(",".join(columns) + "\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    return path


def columns_of(path, *options):
    result = CliRunner().invoke(
        main, ["fit", str(path), "--target", "churned", "--cv", "0", "--json", *options]
    )
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_line_leaves_out_what_is_certain(file):
    said = columns_of(file)
    assert (
        "Left out: customer_id (numbers the rows), same (is 'k' in every row); --keep customer_id uses"
        in said
    )
    assert (
        '"columns": [\n    "x",\n    "z",\n    "colour"\n  ]' in said.replace("\r", "")
        or '"customer_id"' not in said
    )
    assert '"customer_id"' in columns_of(file, "--keep", "customer_id")
    assert '"customer_id"' in columns_of(file, "--numeric", "customer_id")


def test_a_leak_is_a_warning(file):
    file.write_text("\n".join(
        f"{line},{'gone' if i == 0 else 'G' if line.endswith('yes') else 'S'}"
        for i, line in enumerate(file.read_text().splitlines())))  # fmt: skip
    assert (
        "Warning: Column 'gone' says the target 'churned' in other words. If it is known only afterwards, "
        "leave it out: --ignore 'gone'." in columns_of(file)
    )
