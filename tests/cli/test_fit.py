"""`treewright fit`: from a file to a tree and how good it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import treewright as tw
from tests.cli.running import DATA, good, refused, run
from treewright.cli.figures import wilson_interval

VOTE = DATA / "vote.csv"


def table(tmp_path: Path, text: str, name: str = "table.csv") -> Path:
    place = tmp_path / name
    place.write_text(text, encoding="utf-8")
    return place


# ---- what it shows ------------------------------------------------------------------------------------


def test_it_shows_the_tree_and_how_good_it_is():
    shown = good("fit", VOTE, "--target", "Class", "--recipe", "c4.5")
    rows = tw.read(VOTE)
    tree = tw.grow(rows, "Class", "c4.5")
    assert tree.to_text() in shown.stdout
    n_right = int((tree.predict(rows) == rows.labels("Class")).sum())
    low, high = wilson_interval(n_right, 435)
    line = rf"training +435 +{100 * n_right / 435:.1f} % +{100 * low:.1f} to {100 * high:.1f} %"
    assert re.search(line, shown.stdout)
    crossed = tw.evaluate.cross_validate(rows, "Class", "c4.5").overall["accuracy"].value
    assert re.search(rf"10 folds +435 +{100 * crossed:.1f} %", shown.stdout)
    assert "always saying democrat would be right for 61.4 %" in shown.stdout


def test_the_default_is_what_tw_fit_gives():
    shown = good("fit", VOTE, "--target", "Class")
    model = tw.fit(VOTE, "Class")
    assert model.tree.to_text() in shown.stdout
    assert model.verdict in shown.stdout
    assert "What was tried" in shown.stdout
    told = json.loads(good("fit", VOTE, "--target", "Class", "--json").stdout)
    assert told["verdict"] == model.verdict
    assert told["rivals"]["leaves"] == model.rivals.to_dict()["leaves"]
    assert list(told["figures"]) == ["training", "10 folds"]


def test_the_way_to_get_the_tree_again_gives_it():
    shown = good("fit", VOTE, "--target", "Class")
    line = next(line for line in shown.stderr.splitlines() if "to get this tree again" in line)
    again = good(*line.split("      ")[0].split()[1:])
    assert tw.fit(VOTE, "Class").tree.to_text() in again.stdout


def test_talk_goes_to_standard_error():
    shown = good("fit", VOTE, "--target", "Class", "--cv", 0)
    assert "Target Class: 2 classes, democrat and republican" in shown.stderr
    assert "Next:" in shown.stderr
    assert "Target Class" not in shown.stdout
    assert "Next:" not in shown.stdout


def test_rows_kept_back_are_those_of_evaluate_split():
    told = json.loads(
        good("fit", VOTE, "--target", "Class", "--recipe", "c4.5", "--test", 0.3, "--json").stdout
    )
    cut = tw.evaluate.split(tw.read(VOTE), "Class", test=0.3)
    tree = tw.grow(cut.train, "Class", "c4.5")
    right = float((tree.predict(cut.test) == cut.test.labels("Class")).mean())
    assert told["figures"]["test"]["accuracy"]["value"] == pytest.approx(right)
    assert told["figures"]["test"]["rows"] == cut.test.n_rows
    assert "10 folds" not in told["figures"]
    assert told["leaves"] == tree.n_leaves
    assert told["tree"] == tree.to_text()


def test_both_folds_and_rows_kept_back():
    told = json.loads(good("fit", VOTE, "--target", "Class", "--test", 0.3, "--cv", 4, "--json").stdout)
    assert list(told["figures"]) == ["training", "4 folds", "test"]


def test_numbers_are_judged_as_numbers():
    shown = good("fit", DATA / "cu_summary.csv", "--target", "Price", "--max-depth", 2)
    assert re.search(r"R2 +95 % interval +MAE +95 % interval +RMSE +95 % interval", shown.stdout)
    assert "Target Price: numbers from" in shown.stderr
    assert "Tree (cart, pruned by cost_complexity" in shown.stdout


def test_settings_reach_the_tree(tmp_path):
    place = tmp_path / "m.treewright"
    words = [
        "--recipe",
        "plain",
        "--criterion",
        "entropy",
        "--max-depth",
        "2",
        "--min-leaf",
        "5",
        "--missing-policy",
        "own_branch",
    ]
    more = [
        "--prune",
        "cost_complexity:alpha=0.001",
        "--set",
        "ties=order",
        "--seed",
        "3",
        "--class-weight",
        "balanced",
    ]
    good("fit", VOTE, "--target", "Class", *words, *more, "--cv", 0, "-o", place)
    about = tw.load(place).about
    assert about["recipe"] == "plain"
    assert about["criterion"] == "entropy"
    assert (about["max_depth"], about["min_leaf"], about["missing"]) == (2, 5, "own_branch")
    assert (about["ties"], about["seed"], about["prune"]) == ("order", 3, "cost_complexity(alpha=0.001)")


def test_filters_reach_the_tree(tmp_path):
    ages = "".join(f"{age},{age % 7},{'yes' if 35 < age < 55 else 'no'}\n" for age in range(20, 70))
    data, model = table(tmp_path, f"age,debt,y\n{ages}"), tmp_path / "m.treewright"
    words = ["--monotone", "age=+1,debt=-1", "--column-costs", "age=2.5,debt=1", "--cost-form", "eg2"]
    words += ["--cost-power", 0.5, "--min-impurity", 0.05, "--split-price", 0.25]
    good("fit", data, "--target", "y", "--recipe", "plain", "--cv", 0, *words, "-o", model)
    asked = {"monotone": {"age": 1, "debt": -1}, "column_costs": {"age": 2.5, "debt": 1.0}}
    asked |= {"cost_form": "eg2", "cost_power": 0.5, "min_impurity": 0.05, "split_price": 0.25}
    saved, tree = tw.load(model), tw.grow(tw.read(data), "y", "plain", **asked)
    assert {name: saved.about[name] for name in asked} == asked
    assert saved.to_text() == tree.to_text()
    assert tree.to_text() != tw.grow(tw.read(data), "y").to_text()


@pytest.mark.parametrize(
    ("option", "value", "code", "said"),
    [
        ("--monotone", "Class", 2, "'Class' is not written as column=number."),
        ("--monotone", "crime=1", 1, "'crime', which is nominal: its categories have no order"),
        ("--column-costs", "crime=inf", 1, "a cost must be finite and at least 0"),
        ("--column-costs", "crimes=2", 1, "which is not among the 16 that the tree may use"),
    ],
)
def test_filters_that_cannot_be(option, value, code, said):
    words = ["fit", VOTE, "--target", "Class", "--recipe", "plain", "--cv", 0, option, value]
    assert said in refused(*words, code=code)


def test_the_saved_model_is_the_tree(vote):
    assert tw.load(vote) == tw.fit(tw.read(VOTE), "Class", n_threads=2).tree


def test_any_number_of_threads_gives_the_same(tmp_path):
    for threads in (1, 3):
        words = ("--threads", threads, "--recipe", "cart", "--cv", 3, "--json")
        told = json.loads(good("fit", VOTE, "--target", "Class", *words).stdout)
        told.pop("seconds")
        if threads == 1:
            first = told
    assert told == first


def test_weights(tmp_path):
    rows = ["x,y,w", *(f"{i},{'ab'[i % 2]},{1 + i % 3}" for i in range(30))]
    told = good(
        "fit", table(tmp_path, "\n".join(rows)), "--target", "y", "--weight", "w", "--json", "--cv", 0
    )
    assert json.loads(told.stdout)["columns"] == ["x"]
    told = refused("fit", table(tmp_path, "\n".join(rows)), "--target", "y", "--weight", "ww")
    assert "--weight ww: no column is named so" in told


def test_a_large_tree_is_shortened_and_says_so():
    shown = good("fit", DATA / "abalone.csv", "--target", "Rings", "--recipe", "plain", "--cv", 0).stdout
    assert re.search(
        r"\(shown to depth \d+ of \d+: [\d,]+ leaves in all; treewright show MODEL has them\)", shown
    )
    assert len(shown.splitlines()) < 60


def test_a_forest(forest):
    shown = good("fit", VOTE, "--target", "Class", "--forest", 7)
    assert "Forest of 7 trees" in shown.stdout
    assert "out of bag" in shown.stdout
    grown = tw.forest.grow(tw.read(VOTE), "Class", 7)
    assert tw.load(forest) == grown
    said = tw.forest.out_of_bag(grown, tw.read(VOTE))
    assert f"{100 * said.score:.1f} %" in shown.stdout


def test_a_forest_is_neither_pruned_nor_reported(tmp_path):
    assert "not pruned" in refused("fit", VOTE, "--target", "Class", "--forest", 3, "--prune", "cv", code=2)
    assert "--report" in refused(
        "fit", VOTE, "--target", "Class", "--forest", 3, "--report", "r.html", code=2
    )


def test_json_is_all_that_stands_on_standard_output():
    told = json.loads(good("fit", VOTE, "--target", "Class", "--json", "--cv", 2).stdout)
    assert told["task"] == "classification"
    low, high = told["figures"]["2 folds"]["accuracy"]["interval"]
    assert low < told["figures"]["2 folds"]["accuracy"]["value"] < high


def test_the_next_command_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = good("fit", VOTE, "--target", "Class", "--max-depth", 2, "--cv", 0)
    line = next(line for line in shown.stderr.splitlines() if "-o model.treewright" in line)
    words = line.split("      ")[0].split()[1:]
    assert "--max-depth" in words
    shown = good(*words)
    assert (tmp_path / "model.treewright").exists()
    assert "treewright show model.treewright" in shown.stderr
    assert "Republican" not in good("show", "model.treewright").stderr


def test_no_more_folds_than_rows():
    words = ("--target", "PlayTennis", "--cv", 99, "--json")
    assert "14 folds" in json.loads(good("fit", DATA / "tennis.csv", *words).stdout)["figures"]


# ---- the target ---------------------------------------------------------------------------------------


def test_without_a_target_the_columns_are_named():
    said = refused("fit", VOTE, code=2)
    assert "--target says which column to predict." in said
    assert "handicapped-infants" in said
    assert f"Perhaps: treewright fit {VOTE} --target Class" in said


def test_a_table_that_ships_has_a_target_of_its_own():
    alone, named = good("fit", "example:tennis"), good("fit", "example:tennis", "--target", "PlayTennis")
    assert "Target PlayTennis: 2 classes" in alone.stderr
    assert alone.stdout.split("Next:")[0] == named.stdout.split("Next:")[0]
    assert "Target Humidity" in good("fit", "example:tennis", "--target", "Humidity").stderr


def test_a_target_that_is_not_there():
    said = refused("fit", VOTE, "--target", "Clas")
    assert "--target Clas: no column is named so; did you mean 'Class'?" in said


def test_a_target_of_one_class(tmp_path):
    said = refused("fit", table(tmp_path, "a,b,y\n1,2,yes\n2,3,yes\n3,1,yes\n"), "--target", "y")
    assert "'yes' in all 3 rows: there is nothing to tell apart. Choose another --target (a, b)" in said


def test_a_target_of_one_number(tmp_path):
    said = refused("fit", table(tmp_path, "a,y\n1,5\n2,5\n3,5\n"), "--target", "y", "--regression")
    assert "nothing to tell apart" in said


def test_a_target_that_is_the_only_column(tmp_path):
    said = refused("fit", table(tmp_path, "y\n1\n2\n"), "--target", "y")
    assert "the only column" in said


def test_rows_without_an_answer_are_left_out_and_told(tmp_path):
    text = "x,y\n" + "".join(f"{i},{'no' if i < 10 else 'yes'}\n" for i in range(20)) + "7,\n30,?\n"
    shown = good("fit", table(tmp_path, text), "--target", "y", "--json", "--cv", 0)
    assert "2 of 22 rows have no y; they are left out." in shown.stderr
    assert json.loads(shown.stdout)["figures"]["training"]["rows"] == 20


def test_a_target_without_any_answer(tmp_path):
    assert "missing in every row" in refused("fit", table(tmp_path, "x,y\n1,\n2,\n"), "--target", "y")


@pytest.mark.parametrize(
    ("values", "wish", "task"),
    [
        ([0, 1] * 20, (), "classification"),
        ([0, 1] * 20, ("--regression",), "regression"),
        ([1, 2, 3, 4] * 10, (), "classification"),
        (range(40), (), "regression"),
        (range(40), ("--classification",), "classification"),
        ([0.5, 1.5] * 20, (), "regression"),
        (["a", "b"] * 20, (), "classification"),
        ([1, 2, 3], (), "regression"),  # three rows are no reason to see classes
    ],
)
def test_the_task_is_guessed_and_can_be_said(tmp_path, values, wish, task):
    text = "x,y\n" + "".join(f"{i},{value}\n" for i, value in enumerate(values))
    words = ("--target", "y", "--json", "--cv", 0, "--recipe", "plain")
    assert json.loads(good("fit", table(tmp_path, text), *words, *wish).stdout)["task"] == task


def test_numbers_taken_as_classes_say_so(tmp_path):
    text = "x,y\n" + "".join(f"{i},{i % 2}\n" for i in range(40))
    shown = good("fit", table(tmp_path, text), "--target", "y", "--cv", 0)
    assert "Target y: 2 classes, 0 and 1 (--regression takes them as numbers)" in shown.stderr


def test_words_cannot_be_numbers():
    said = refused("fit", VOTE, "--target", "Class", "--regression")
    assert "'democrat'" in said or "'republican'" in said


def test_a_recipe_for_classes_does_not_take_numbers():
    said = refused("fit", DATA / "abalone.csv", "--target", "Rings", "--recipe", "c4.5")
    assert "--recipe cart or plain" in said


def test_columns_that_name_every_row_are_doubted(tmp_path):
    text = "name,x,y\n" + "".join(f"n{i},{i % 7},{'ab'[i % 2]}\n" for i in range(40))
    shown = good("fit", table(tmp_path, text), "--target", "y", "--cv", 0)
    assert "Column name has 40 different values in 40 rows; --ignore name leaves it out." in shown.stderr


# ---- what is refused before any work ------------------------------------------------------------------


def test_places_that_cannot_be_written_to(tmp_path):
    assert "There is no folder" in refused("fit", VOTE, "--target", "Class", "-o", tmp_path / "no" / "m")
    assert "is a folder" in refused("fit", VOTE, "--target", "Class", "-o", tmp_path)
    copy = table(tmp_path, VOTE.read_text("utf-8"))
    assert "write to another file" in refused("fit", copy, "--target", "Class", "-o", copy)
    assert copy.read_text("utf-8") == VOTE.read_text("utf-8")


def test_a_file_that_is_not_there():
    assert "no file" in refused("fit", "nowhere.csv", "--target", "y").lower()


def test_an_empty_file(tmp_path):
    said = refused("fit", table(tmp_path, ""), "--target", "y")
    assert "table.csv" in said


def test_names_without_rows(tmp_path):
    assert "no rows" in refused("fit", table(tmp_path, "x,y\n"), "--target", "y")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("--recipe", "carts"), "did you mean 'cart'?"),
        (("--criterion", "ginni"), "did you mean 'gini'?"),
        (("--splits", "multi_way"), "did you mean 'multiway'?"),
        (("--missing-policy", "learnt"), "did you mean 'learned'?"),
        (("--prune", "reduced_eror"), "did you mean 'reduced_error'?"),
        (("--prune", "error_based:confidense=0.1"), "did you mean 'confidence'?"),
        (("--set", "use_onse=true"), "did you mean 'use_once'?"),
        (("--max-dept", "3"), "--max-depth"),
    ],
)
def test_words_that_were_meant(words, meant):
    result = run("fit", VOTE, "--target", "Class", *words)
    assert result.exit_code in (1, 2)
    assert meant in result.stderr


def test_settings_that_make_no_sense():
    assert "a number of the 435 rows" in refused("fit", VOTE, "--target", "Class", "--test", 435)
    assert "a number of the 435 rows" in refused("fit", VOTE, "--target", "Class", "--test", -0.1)
    said = refused("fit", DATA / "cu_summary.csv", "--target", "Price", "--class-weight", "balanced")
    assert "--class-weight is for classes" in said
    assert "name=value" in refused("fit", VOTE, "--target", "Class", "--set", "ties", code=2)
    assert "one fold" in refused("fit", VOTE, "--target", "Class", "--cv", 1)
    assert "class=number" in refused("fit", VOTE, "--target", "Class", "--class-weight", "a=b", code=2)
    said = refused("fit", DATA / "iris.csv", "--target", "class", "--recipe", "id3", "--cv", 0)
    assert "--discretise mdlp" in said
    assert "discretise='mdlp'" not in said


def test_nothing_at_all_is_answered_with_help():
    result = run("fit")
    assert "treewright fit data.csv --target income" in result.output
    assert "How the file is read" in result.output
    assert "treewright fit data.csv --target COLUMN" in run().output


def test_a_frame_of_categories_and_numbers_from_python_is_the_same(tmp_path):
    rows = tw.example("hypothyroid")
    names = ["age", "sex", "TSH", "class"]
    few = rows.select(names).take(np.arange(0, rows.n_rows, 5))
    rows = zip(*few.to_dict().values(), strict=True)
    lines = [names, *([("" if cell is None else str(cell)) for cell in row] for row in rows)]
    text = "\n".join(map(",".join, lines))
    told = json.loads(good("fit", table(tmp_path, text), "--target", "class", "--json").stdout)
    plain = tw.fit(tw.read(tmp_path / "table.csv"), "class")
    assert told["tree"] == plain.tree.to_text()


def test_several_optimal_trees_are_listed():
    words = ("fit", VOTE, "--target", "Class", "--optimal", "--max-depth", 2, "--leaf-price", 1)
    shown = good(*words, "--trees", 3)
    assert "The 3 best trees for Class" in shown.stdout
    assert "asked by all of them: physician-fee-freeze" in shown.stdout
    told = json.loads(good(*words, "--within", 0.2, "--json").stdout)["good_trees"]
    assert told["is_complete"]
    assert told["found"] == len(told["cost"]) == max(told["uses"].values())
    assert told["cost"][-1] <= 1.2 * told["cost"][0]
    assert "belong to --optimal" in refused("fit", VOTE, "--target", "Class", "--trees", 3, code=2)


def test_optimal_trees_are_cross_validated():
    words = ("fit", VOTE, "--target", "Class", "--optimal", "--max-depth", 2, "--cv", 4)
    told = json.loads(good(*words, "--json").stdout)
    assert set(told["figures"]) == {"training", "4 folds"}
    rows = tw.read(VOTE)
    fold = tw.evaluate.folds_by_row(rows, "Class", 4, seed=0)
    wrong = 0
    for k in range(4):
        tree = tw.optimal(rows.take(np.flatnonzero(fold != k)), "Class", max_depth=2).tree
        held = rows.take(np.flatnonzero(fold == k))
        wrong += int((tree.predict(held) != held.labels("Class")).sum())
    assert told["figures"]["4 folds"]["accuracy"]["value"] == pytest.approx(1 - wrong / rows.n_rows)
    assert "4 folds" in good(*words).stdout


def test_optimal_trees_come_with_their_certificate(tmp_path):
    model = tmp_path / "m.treewright"
    shown = good("fit", VOTE, "--target", "Class", "--optimal", "--max-depth", 2, "-o", model)
    assert "17 errors: proven optimal" in shown.stdout
    assert "17 errors: proven optimal" in good("show", model).stderr
    shown = good("fit", VOTE, "--target", "Class", "--optimal", "--leaf-price", 5, "--test", 0.3)
    assert "with 5 a leaf: proven optimal" in shown.stdout
    assert "test  " in shown.stdout
    assert "--optimal" in shown.stderr  # what to type next
    assert "leave out" in refused("fit", VOTE, "--target", "Class", "--optimal", "--recipe", "cart", code=2)
    assert "belong to --optimal" in refused("fit", VOTE, "--target", "Class", "--time-limit", 5, code=2)
    assert "min_impurity" in refused("fit", VOTE, "--target", "Class", "--optimal", "--min-impurity", 0.1)
    shown = good("fit", VOTE, "--target", "Class", "--optimal", "--min-leaf", 20)
    assert "proven optimal" in shown.stdout
