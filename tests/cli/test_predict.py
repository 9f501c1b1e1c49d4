"""`treewright predict`: answers for rows, in several forms."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import treewright as tw
from tests.cli.running import DATA, good, refused

VOTE = DATA / "vote.csv"


def cells(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("which", ["vote", "forest", "rules", "rings"])
def test_answers_are_the_models(request, which):
    place = request.getfixturevalue(which)
    data = DATA / "abalone.csv" if which == "rings" else VOTE
    model = tw.load(place)
    rows = cells(good("predict", place, data).stdout)
    wanted = model.predict(tw.read(data)).tolist()
    if which == "rings":
        assert [float(row["prediction"]) for row in rows] == wanted
    else:
        assert [row["prediction"] for row in rows] == wanted


@pytest.mark.parametrize("which", ["vote", "forest", "rules"])
def test_probabilities(request, which):
    place = request.getfixturevalue(which)
    rows = cells(good("predict", place, VOTE, "--proba").stdout)
    wanted = tw.load(place).predict_proba(tw.read(VOTE))
    names = ["probability_democrat", "probability_republican"]
    assert list(rows[0]) == ["prediction", *names]
    found = np.array([[float(row[name]) for name in names] for row in rows])
    assert (found == wanted).all()


def test_the_rule_that_decided(vote, rules):
    tree, rows = tw.load(vote), tw.read(VOTE)
    found = cells(good("predict", vote, VOTE, "--rule").stdout)
    for row, place in zip(found, tree.rules().decide(rows).rule.tolist(), strict=True):
        assert row["rule"] == tree.rules().rules[place].to_text()
        assert row["rule"].endswith(f"THEN {tree.rules().rules[place].prediction}")
    said = {row["rule"] for row in cells(good("predict", rules, VOTE, "--rule").stdout)}
    assert any(text.startswith(("IF", "OTHERWISE")) for text in said)


def test_columns_of_the_file_are_kept(tmp_path, vote):
    lines = VOTE.read_text("utf-8").splitlines()
    lines = ["id," + lines[0], *(f"{i:03},{line}" for i, line in enumerate(lines[1:]))]
    place = tmp_path / "with_id.csv"
    place.write_text("\n".join(lines), "utf-8")
    rows = cells(good("predict", vote, place, "--keep", "id", "--keep", "Class").stdout)
    assert list(rows[0]) == ["id", "Class", "prediction"]
    assert [row["id"] for row in rows[:2]] == ["000", "001"]  # text stays what it was
    assert "no column" in refused("predict", vote, place, "--keep", "ident").lower()


def test_files_by_their_ends(tmp_path, vote):
    import duckdb

    wanted = tw.load(vote).predict(tw.read(VOTE)).tolist()
    for end in ("csv", "tsv", "jsonl", "parquet"):
        place = tmp_path / f"it's.{end}"
        shown = good("predict", vote, VOTE, "--proba", "-o", place)
        assert shown.stdout == ""
        assert "435 answers written" in shown.stderr
        assert duckdb.read_csv if end != "parquet" else True
        name = str(place).replace("'", "''")
        found = duckdb.sql(f"select * from '{name}'").fetchall()
        assert [row[0] for row in found] == wanted
        assert sum(row[1] for row in found) == pytest.approx(
            tw.load(vote).predict_proba(tw.read(VOTE))[:, 0].sum()
        )
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".csv", ".jsonl", ".parquet", ".tsv"]
    assert "must end in .csv" in refused("predict", vote, VOTE, "-o", tmp_path / "answers.xls")


def test_json_lines(vote):
    lines = good("predict", vote, VOTE, "--json", "--proba").stdout.splitlines()
    assert len(lines) == 435
    assert set(json.loads(lines[0])) == {"prediction", "probability_democrat", "probability_republican"}


def test_what_a_model_cannot_say(rings, forest):
    assert "has no probabilities" in refused("predict", rings, DATA / "abalone.csv", "--proba")
    assert "no single rule" in refused("predict", forest, VOTE, "--rule")


def test_a_missing_column_is_named(tmp_path, vote):
    text = VOTE.read_text("utf-8").replace("physician-fee-freeze", "physicianfeefreeze")
    place = tmp_path / "other.csv"
    place.write_text(text, "utf-8")
    said = refused("predict", vote, place)
    assert "lacks a column that the model needs" in said
    assert "did you mean 'physicianfeefreeze'?" in said


def test_categories_that_look_like_numbers(tmp_path):
    """Postcodes read as categories in training are read so again, zeros in front included."""
    lines = ["zip,y", *(f"0{7 + i % 3},{'aab'[i % 3]}" for i in range(30))]
    place, model = tmp_path / "zips.csv", tmp_path / "zips.treewright"
    place.write_text("\n".join(lines), "utf-8")
    good("fit", place, "--target", "y", "--categorical", "zip", "-o", model, "--cv", 0)
    assert tw.load(model).schema["zip"].categories == ("07", "08", "09")
    rows = cells(good("predict", model, place).stdout)
    assert [row["prediction"] for row in rows[:3]] == ["a", "a", "b"]


def test_options_about_columns_that_are_not_read(vote):
    words = ("--categorical", "zip", "--ignore", "Class", "--categorical", "crime")
    assert good("predict", vote, VOTE, *words).stdout == good("predict", vote, VOTE).stdout


def test_a_kept_column_with_the_name_of_an_answer(tmp_path, vote):
    (tmp_path / "t.csv").write_text(VOTE.read_text("utf-8").replace("Class", "prediction", 1), "utf-8")
    assert "has this name" in refused("predict", vote, tmp_path / "t.csv", "--keep", "prediction")


def test_text_where_the_model_had_numbers(tmp_path, rings):
    lines = (DATA / "abalone.csv").read_text("utf-8").splitlines()[:5]
    cell = lines[2].split(",")[1]
    lines[2] = lines[2].replace(cell, "long", 1)
    place = tmp_path / "shells.csv"
    place.write_text("\n".join(lines), "utf-8")
    assert "'long'" in refused("predict", rings, place)


@pytest.mark.parametrize(
    "command", [("predict",), ("evaluate",), ("show",), ("rules",), ("prune", "--method", "mdl")]
)
def test_files_that_are_no_models(tmp_path, command):
    word, *more = command
    data = [VOTE] if word in ("predict", "evaluate") else []
    said = refused(word, VOTE, *data, *more)
    assert "It looks like data; the model comes first" in said
    assert "treewright fit DATA --target COL -o" in refused(word, tmp_path / "none.treewright", *data, *more)
    broken = tmp_path / "broken.treewright"
    for text in ("", "{", "[]", "{}", "PK\x03\x04broken", '{"format": "treewright rules"}'):
        broken.write_text(text, "utf-8")
        said = refused(word, broken, *data, *more)
        assert "broken.treewright" in said


def test_the_outputs_folder_is_looked_at_first(tmp_path, vote):
    assert "no folder" in refused("predict", vote, VOTE, "-o", tmp_path / "no" / "a.csv")
    assert "write to another file" in refused("predict", vote, VOTE, "-o", vote)
    assert isinstance(vote, Path)


def test_cells_that_look_like_formulas_are_defused(tmp_path):
    formulas = ["=cmd|' /C calc'!A0", "+1+2", "-2+3", "@SUM(A1)", "\tx", "\rx", "='a'"]
    plain = ["-2.5", "+3", "-1e5", "1,5", "a=b", "", "x", "'=1"]
    rows = [*formulas, *plain]
    answers = ["=1+1" if i < 8 else "@no" for i in range(len(rows))]
    data, model = tmp_path / "rows.csv", tmp_path / "m.treewright"
    with open(data, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["x", "=id", "y"], *zip(range(len(rows)), rows, answers, strict=True)])
    good("fit", data, "--target", "y", "--ignore", "=id", "--cv", 0, "-o", model)
    options = ("--keep", "=id", "--proba", "--rule")
    raw = cells(good("predict", model, data, *options).stdout)
    out = tmp_path / "answers.csv"
    good("predict", model, data, *options, "--safe-cells", "-o", out)
    safe = cells(out.read_bytes().decode("utf-8"))
    assert good("predict", model, data, *options, "--safe-cells").stdout_bytes == out.read_bytes()
    assert [row["'=id"] for row in safe] == [f"'{text}" for text in formulas] + plain
    assert [row["=id"] for row in raw] == rows
    assert (
        {row["prediction"] for row in safe} == {"'=1+1", "'@no"} == {"'" + row["prediction"] for row in raw}
    )
    assert [row["probability_=1+1"] for row in safe] == [row["probability_=1+1"] for row in raw]
    assert not any(cell[:1] in set("=+@\t\r") for row in safe for cell in row.values() if cell != "+3")


def test_numbers_below_zero_are_no_formulas(tmp_path):
    data, model = tmp_path / "rows.csv", tmp_path / "m.treewright"
    data.write_text("x,y\n" + "".join(f"{i},{-i - 0.5}\n" for i in range(30)), "utf-8")
    good("fit", data, "--target", "y", "--cv", 0, "-o", model)
    assert good("predict", model, data, "--safe-cells").stdout == good("predict", model, data).stdout


def test_safe_cells_are_for_what_spreadsheets_open(tmp_path, vote):
    for place in ("answers.parquet", "answers.jsonl"):
        assert "CSV" in refused("predict", vote, VOTE, "--safe-cells", "-o", tmp_path / place, code=2)
    assert "CSV" in refused("predict", vote, VOTE, "--safe-cells", "--json", code=2)


def test_probabilities_that_are_less_sure(vote, forest, rings, tmp_path):
    names = ["probability_democrat", "probability_republican"]
    for how in ("laplace", "m_estimate"):
        rows = cells(good("predict", vote, VOTE, "--proba", "--probabilities", how).stdout)
        wanted = tw.load(vote).predict_proba(tw.read(VOTE), how)
        assert ([[float(row[name]) for name in names] for row in rows] == wanted).all()
        assert 0 < wanted.min() < wanted.max() < 1
    assert "add --proba" in refused("predict", vote, VOTE, "--probabilities", "laplace", code=2)
    assert "single tree" in refused("predict", forest, VOTE, "--proba", "--probabilities", "laplace", code=2)
    assert "did you mean 'laplace'?" in refused("predict", vote, VOTE, "--probabilities", "laplac", code=2)
    rows = DATA / "abalone.csv"
    assert "for classes" in refused("evaluate", rings, rows, "--probabilities", "laplace", code=2)


def test_evaluate_says_how_to_be_less_sure(tmp_path):
    lines = VOTE.read_text("utf-8").splitlines()
    half, rest = tmp_path / "half.csv", tmp_path / "rest.csv"
    half.write_text("\n".join([lines[0], *lines[1::2]]) + "\n", "utf-8")
    rest.write_text("\n".join([lines[0], *lines[2::2]]) + "\n", "utf-8")
    model = tmp_path / "sure.treewright"
    good("fit", half, "--target", "Class", "--recipe", "plain", "--cv", 0, "-o", model)
    raw = good("evaluate", model, rest)
    tree, table = tw.load(model), tw.read(rest)
    chances = tree.predict_proba(table)
    n_sure = sum(
        row[tree.classes.index(c)] == 0 for row, c in zip(chances, table.labels("Class"), strict=True)
    )
    assert f"{n_sure} rows a probability of 0" in raw.stderr
    assert "--probabilities laplace" in raw.stderr
    smooth = good("evaluate", model, rest, "--probabilities", "laplace")
    assert "probability of 0" not in smooth.stderr
    figures = [
        json.loads(good("evaluate", model, rest, "--json", *more).stdout)["log_loss"]["value"]
        for more in ((), ("--probabilities", "laplace"))
    ]
    assert figures[1] < 0.3 < 1 < figures[0]


def test_missing_values_are_treated_as_asked(tmp_path):
    rows = tw.read(VOTE)
    tree = tw.grow(rows, "Class", min_leaf=3, schools="all")
    place = tmp_path / "m.treewright"
    tree.save(place)
    for school in ("fractional", "surrogate"):
        told = good("predict", place, VOTE, "--missing-policy", school).stdout
        assert [row["prediction"] for row in cells(told)] == tree.predict(rows, missing=school).tolist()
    assert "grown with" in refused("predict", place, VOTE, "--missing-policy", "own_branch")
    good("evaluate", place, VOTE, "--missing-policy", "fractional")
