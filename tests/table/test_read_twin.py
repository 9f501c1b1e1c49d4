"""Random tables in random layouts, written by Python's csv module and read back: the plain twin judges."""

import csv
import gzip
import io

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.amount import at_most
from tests.oracle.plain_read import plain_read
from treewright.table import read

NASTY = "abzÄé ,;|\t\"'\n\r0127.-_eE?#\\<"
words = st.text(st.sampled_from(NASTY), max_size=6)
marks = st.sampled_from(
    ["", "?", "NA", " NA ", "nan", "null", "None", "yes", "TRUE", "007", "042", "0x1F", "1_000", "inf"]
)
numbers = st.one_of(
    st.integers(-(10**6), 10**6).map(str),
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: abs(x) < 2**53).map(repr),
    st.decimals(-1000, 1000, places=3).map(str),
)
cells = st.one_of(words, marks, numbers)


def columns(n_rows):
    """A column of one sort, or of a sort with a few strangers."""
    return st.one_of(
        st.lists(cells, min_size=n_rows, max_size=n_rows),
        st.lists(st.one_of(numbers, st.sampled_from(["", "NA", "?"])), min_size=n_rows, max_size=n_rows),
        st.lists(st.integers(0, 999).map(lambda i: f"{i:03}"), min_size=n_rows, max_size=n_rows),
    )


@st.composite
def tables(draw):
    n_rows = draw(st.integers(1, 12))
    rows = list(zip(*draw(st.lists(columns(n_rows), min_size=1, max_size=4)), strict=True))
    return [f"n{i}" for i in range(len(rows[0]))], rows


layouts = st.fixed_dictionaries(
    {
        "separator": st.sampled_from([",", ";", "\t", "|"]),
        "quote": st.sampled_from(['"', "'"]),
        "header": st.booleans(),
        "encoding": st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-be"]),
    }
)


def written(rows, layout, line_end="\n", quoting=csv.QUOTE_MINIMAL):
    if any(sign in cell for row in rows for cell in row for sign in "\r\n"):
        quoting = csv.QUOTE_ALL  # Python's writer leaves a carriage return bare where lines end otherwise
    out = io.StringIO(newline="")
    csv.writer(
        out,
        delimiter=layout["separator"],
        quotechar=layout["quote"],
        lineterminator=line_end,
        quoting=quoting,
    ).writerows(rows)
    return out.getvalue()


def is_spaced(text, layout):
    """Whether a space follows every separator in the lines without quotes."""
    lines = [
        line for line in text.splitlines() if layout["quote"] not in line and layout["separator"] in line
    ]
    return bool(lines) and all(
        part.startswith(" ") for line in lines for part in line.split(layout["separator"])[1:]
    )


def has_words_for_nothing(rows):
    """Whether a column has "None", a dash or dots: test_notations.py says what they are among numbers."""
    return any(cell.strip().lower() == "none" or set(cell.strip()) & set(".,-") == set(cell.strip()) != set()
               for row in rows for cell in row)  # fmt: skip


@settings(deadline=None, max_examples=at_most(25, 60))
@given(
    table=tables(),
    layout=layouts,
    line_end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    decimal=st.sampled_from([".", ","]),
    packed=st.booleans(),
)
def test_a_table_in_any_layout_is_read_as_the_twin_reads_it(
    tmp_path_factory, table, layout, line_end, quoting, decimal, packed
):
    names, rows = table
    if decimal == ",":
        rows = [tuple(cell.replace(".", ",") for cell in row) for row in rows]
    assume(not has_words_for_nothing(rows))
    text = written([names, *rows] if layout["header"] else rows, layout, line_end, quoting)
    assume(not is_spaced(text, layout))  # then spaces are no part of the cells
    raw = text.encode(layout["encoding"])
    path = tmp_path_factory.mktemp("csv") / "data"
    path.write_bytes(gzip.compress(raw) if packed else raw)
    expected = plain_read(
        text, separator=layout["separator"], quote=layout["quote"], decimal=decimal, header=layout["header"]
    )
    assert read(path, decimal=decimal, **layout).to_dict() == expected


plain_words = st.text(st.sampled_from("abcäöüß"), min_size=1, max_size=6)


@settings(deadline=None, max_examples=at_most(15, 40))
@given(
    rows=st.lists(
        st.tuples(plain_words, st.floats(-1e6, 1e6).map(lambda x: round(x, 3) + 0.0005), st.integers(0, 99)),
        min_size=2,
        max_size=20,
    ),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp1252", "utf-16"]),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    has_comma=st.booleans(),
    header=st.booleans(),
)
def test_the_layout_of_a_tame_table_is_found_out(
    tmp_path_factory, rows, separator, encoding, line_end, has_comma, header
):
    decimal = "," if has_comma and separator != "," else "."
    lines = [(word, f"{size:.4f}".replace(".", decimal), str(count)) for word, size, count in rows]
    names = [("Wort", "Größe", "Zahl")] if header else []
    text = written(names + lines, {"separator": separator, "quote": '"'}, line_end)
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    path.write_bytes(text.encode(encoding))
    expected = plain_read(text, separator=separator, quote='"', decimal=decimal, header=header)
    assert read(path).to_dict() == expected


@settings(deadline=None, max_examples=20)
@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30), st.integers(1, 17)
)
def test_numbers_are_rounded_as_python_rounds_them(tmp_path_factory, values, digits):
    small = [value for value in values if abs(value) < 2**53] or [0.5]
    texts = [f"{value:.{digits}e}" for value in small] + [f"{value!r}" for value in small]
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    path.write_text("x\n0.5\n" + "\n".join(texts) + "\n")
    assert read(path, numeric=["x"]).values[0].tolist() == [0.5, *map(float, texts)]
