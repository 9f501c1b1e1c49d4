"""`show`, `prune`, `rules` and `evaluate`: what is done with a model."""

from __future__ import annotations

import json
import re

import pytest

import treewright as tw
from tests.cli.running import DATA, good, refused, run
from treewright.base import digest
from treewright.cli.listing import how_made

VOTE = DATA / "vote.csv"


# ---- show ---------------------------------------------------------------------------------------------


def test_show_is_the_text_of_the_tree(vote):
    assert good("show", vote).stdout == tw.load(vote).to_text() + "\n"
    assert good("show", vote, "--depth", 1).stdout == tw.load(vote).to_text(max_depth=1) + "\n"
    assert json.loads(good("show", vote, "--json").stdout) == tw.load(vote).to_dict()


def test_show_counts_surrogates_on_request(tmp_path):
    place = tmp_path / "vote.treewright"
    good("fit", VOTE, "--target", "Class", "--recipe", "cart", "--cv", 0, "-o", place)
    told = tw.load(place).to_text(full=True)
    assert "surrogate" in told
    assert good("show", place, "--full").stdout == told + "\n"
    assert "surrogate" not in good("show", place).stdout


def test_show_one_node(vote):
    tree = tw.load(vote)
    for i in range(tree.n_nodes):
        node = tree.node(i)
        shown = good("show", vote, "--node", i).stdout
        assert f"Node {i} (" in shown
        assert f"{node.n_rows:,}" in shown
        for child in node.branches:
            assert f"node {child}," in shown
        told = json.loads(good("show", vote, "--node", i, "--json").stdout)
        assert (told["id"], told["prediction"]) == (i, node.prediction)
    assert f"the nodes are 0 (the root) to {tree.n_nodes - 1}" in refused("show", vote, "--node", 99)
    assert "the nodes are" in refused("show", vote, "--node", -1)


def test_show_a_node_of_numbers(rings):
    shown = good("show", rings, "--node", 0).stdout
    assert f"{tw.load(rings).node(0).spread:.6g}" in shown


def test_show_stats(vote):
    from treewright.explain import impurity_decrease

    shown = good("show", vote, "--stats").stdout
    tree = tw.load(vote)
    assert how_made(tree.about) in shown
    worth = dict(zip(tree.schema.names, impurity_decrease(tree).tolist(), strict=True))
    best = max(worth, key=worth.get)
    assert re.search(rf"{best} +{worth[best]:.4f}", shown)
    told = json.loads(good("show", vote, "--stats", "--json").stdout)
    assert told["leaves"] == tree.n_leaves
    assert told["importance"][best] == pytest.approx(worth[best])


def test_show_a_forest_and_one_of_its_trees(forest):
    assert re.search(r"^  trees +7$", good("show", forest).stdout, re.MULTILINE)
    assert good("show", forest, "--tree", 2).stdout == tw.load(forest).tree(2).to_text() + "\n"
    assert "trees are 0 to 6" in refused("show", forest, "--tree", 7)
    assert json.loads(good("show", forest, "--json").stdout)["trees"] == 7


def test_show_rules(rules, vote):
    assert good("show", rules).stdout == tw.load(rules).to_text() + "\n"
    assert "--tree is for forests" in refused("show", vote, "--tree", 0)


# ---- prune --------------------------------------------------------------------------------------------


def test_prune_is_the_function(big_vote, tmp_path):
    place = tmp_path / "small.treewright"
    shown = good("prune", big_vote, "--method", "reduced_error", "--data", VOTE, "-o", place)
    tree, rows = tw.load(big_vote), tw.read(VOTE)
    wanted = tw.prune.reduced_error(tree, rows)
    assert tw.load(place).to_text() == wanted.to_text()
    assert tw.load(place).about["prune"] == "reduced_error"
    assert f"{tree.n_leaves} leaves, depth {tree.depth} before, {wanted.n_leaves} leaves" in shown.stdout
    right = int((wanted.predict(rows) == rows.labels("Class")).sum())
    assert re.search(rf"after +435 +{100 * right / 435:.1f} %", shown.stdout)


@pytest.mark.parametrize(
    "method", ["pessimistic", "mdl:code=sliq", "minimum_error", "cost_complexity:alpha=0.01"]
)
def test_prune_without_rows(big_vote, method):
    told = json.loads(good("prune", big_vote, "--method", method, "--json").stdout)
    assert told["after"]["leaves"] <= told["before"]["leaves"]
    assert told["saved"] is None


def test_prune_by_folds_of_the_training_rows(big_vote):
    told = json.loads(good("prune", big_vote, "--method", "cv", "--data", VOTE, "--json").stdout)
    tree = tw.load(big_vote)
    wanted = tw.prune.CostComplexity()(tree, tw.prune.Evidence(tw.read(VOTE)))
    assert told["after"]["leaves"] == wanted.n_leaves


def test_prune_says_which_rows_it_needs(big_vote, forest):
    assert "that the tree was not grown on: add --data FILE" in refused(
        "prune", big_vote, "--method", "reduced_error"
    )
    assert "that the tree was grown on: add --data FILE" in refused(
        "prune", big_vote, "--method", "error_based"
    )
    assert "single tree" in refused("prune", forest, "--method", "mdl")
    assert "would change nothing" in refused("prune", big_vote, "--method", "none", code=2)
    assert "Not saved" in good("prune", big_vote, "--method", "mdl").stderr


def test_prune_refuses_what_does_not_suit(rings):
    said = refused("prune", rings, "--method", "pessimistic")
    assert "Rings" in said or "classes" in said


# ---- rules --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "md", "sql"])
def test_rules_are_the_trees(vote, form, tmp_path):
    wanted = tw.load(vote).rules().to_text(form)
    assert good("rules", vote, "--format", form).stdout == wanted + "\n"
    good("rules", vote, "--format", form, "-o", tmp_path / "rules.txt")
    assert (tmp_path / "rules.txt").read_text("utf-8") == wanted + "\n"


def test_rules_in_json_are_a_model(vote, tmp_path):
    place = tmp_path / "vote.rules"
    place.write_text(good("rules", vote, "--json").stdout, "utf-8")
    assert tw.load(place) == tw.load(vote).rules()
    assert good("rules", place).stdout == good("rules", vote).stdout


def test_sql_runs_on_the_file(vote):
    import duckdb

    columns = ", ".join(f'nullif("{name}", \'?\') as "{name}"' for name in tw.read(VOTE).names)
    duckdb.sql(
        f"create or replace temp table votes as select {columns} from read_csv('{VOTE}', all_varchar=true)"
    )
    query = good("rules", vote, "--format", "sql", "--table", "votes").stdout
    answers = [row[-1] for row in duckdb.sql(query).fetchall()]
    assert answers == tw.load(vote).predict(tw.read(VOTE)).tolist()


def test_general_rules(big_vote):
    wanted = tw.rules.c45rules(tw.load(big_vote), tw.read(VOTE))
    assert good("rules", big_vote, "--c45rules", "--data", VOTE).stdout == wanted.to_text() + "\n"
    assert "add --data FILE" in refused("rules", big_vote, "--c45rules")


def test_rules_that_cannot_be(forest, rules, rings, vote):
    assert "single tree" in refused("rules", forest)
    assert "a set of rules already" in refused("rules", rules, "--c45rules", "--data", VOTE)
    assert "for classes" in refused("rules", rings, "--c45rules", "--data", DATA / "abalone.csv")
    assert "--format sql" in refused("rules", vote, "--table", "t", code=2)
    assert "--format sql" in refused("rules", vote, "--dialect", "mysql", code=2)
    assert "did you mean 'postgres'?" in refused(
        "rules", vote, "--format", "sql", "--dialect", "postgrs", code=2
    )
    assert "did you mean 'text'?" in refused("rules", vote, "--format", "texd", code=2)


@pytest.fixture
def hostile(tmp_path):
    """A tree whose classes and categories are not meant well."""
    rows = {"x": ["\\' OR 1=1 --", "b"] * 9, "y": ["\\'; DROP TABLE t; --", "no"] * 9}
    place = tmp_path / "hostile.treewright"
    tw.grow(tw.Table.from_dict(rows), target="y").save(place)
    return place


def test_sql_with_a_backslash_asks_for_the_database(hostile):
    said = refused("rules", hostile, "--format", "sql")
    assert "DROP TABLE" in said
    assert "--dialect duckdb" in said
    rules = tw.load(hostile).rules()
    for dialect in ("mysql", "bigquery", "duckdb"):
        found = good("rules", hostile, "--format", "sql", "--dialect", dialect).stdout
        assert found == rules.to_text("sql", dialect=dialect) + "\n"


def test_sql_that_standard_output_would_change_goes_to_a_file(tmp_path):
    rows = tw.Table.from_dict({"x": ["red \x1b[31m", "b"] * 9, "y": ["p \x1b[0m", "q"] * 9})
    place, out = tmp_path / "m.treewright", tmp_path / "rules.sql"
    tw.grow(rows, target="y").save(place)
    said = refused("rules", place, "--format", "sql")
    assert "-o rules.sql" in said
    good("rules", place, "--format", "sql", "-o", out)
    assert "\x1b[0m" in out.read_text("utf-8")


# ---- evaluate -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["vote", "forest", "rules"])
def test_evaluate_counts(request, which):
    place = request.getfixturevalue(which)
    rows = tw.read(VOTE)
    right = tw.load(place).predict(rows) == rows.labels("Class")
    told = json.loads(good("evaluate", place, VOTE, "--json").stdout)
    assert told["accuracy"]["value"] == pytest.approx(right.mean())
    assert sum(map(sum, told["confusion"])) == 435
    assert told["confusion"][0][0] + told["confusion"][1][1] == right.sum()
    recall = {part["class"]: part["recall"] for part in told["per_class"]}
    is_democrat = rows.labels("Class") == "democrat"
    assert recall["democrat"] == pytest.approx(right[is_democrat].mean())
    shown = good("evaluate", place, VOTE).stdout
    assert re.search(rf"accuracy +{100 * right.mean():.1f} %", shown)
    assert "log loss" in shown


def test_evaluate_numbers(rings):
    rows = tw.read(DATA / "abalone.csv")
    errors = tw.load(rings).predict(rows) - rows.column("Rings")[1]
    told = json.loads(good("evaluate", rings, DATA / "abalone.csv", "--json").stdout)
    assert told["mae"]["value"] == pytest.approx(abs(errors).mean())
    assert told["rmse"]["value"] == pytest.approx((errors**2).mean() ** 0.5)
    assert re.search(r"R2 +0\.\d+", good("evaluate", rings, DATA / "abalone.csv").stdout)


def test_a_check_that_fails_leaves_with_three(vote, rings):
    assert run("evaluate", vote, VOTE, "--min-accuracy", 0.9).exit_code == 0
    result = run("evaluate", vote, VOTE, "--min-accuracy", 0.999)
    assert result.exit_code == 3
    assert re.search(r"Check failed: accuracy 0\.97\d+ is below --min-accuracy 0.999", result.stderr)
    assert "accuracy" in result.stdout  # the figures are there all the same
    assert run("evaluate", rings, DATA / "abalone.csv", "--min-r2", 0.99).exit_code == 3
    assert "Use --min-r2" in refused("evaluate", rings, DATA / "abalone.csv", "--min-accuracy", 0.5, code=2)
    assert "Use --min-accuracy" in refused("evaluate", vote, VOTE, "--min-r2", 0.5, code=2)


def test_rows_without_answers_are_left_out(tmp_path, vote):
    text = VOTE.read_text("utf-8")
    lines = text.splitlines()
    lines[1] = lines[1].replace("republican", "?")
    place = tmp_path / "votes.csv"
    place.write_text("\n".join(lines), "utf-8")
    result = good("evaluate", vote, place, "--json")
    assert "1 rows have no Class" in result.stderr
    assert json.loads(result.stdout)["rows"] == 434


def test_a_class_that_training_never_had(tmp_path, vote):
    lines = VOTE.read_text("utf-8").splitlines()
    lines[1] = lines[1].replace("republican", "independent")
    place = tmp_path / "votes.csv"
    place.write_text("\n".join(lines), "utf-8")
    told = json.loads(good("evaluate", vote, place, "--json").stdout)
    assert told["classes"] == ["democrat", "republican", "independent"]
    assert sum(told["confusion"][2]) == 1


def test_data_without_the_target(tmp_path, vote):
    place = tmp_path / "votes.csv"
    place.write_text(VOTE.read_text("utf-8").replace("Class", "Party", 1), "utf-8")
    assert "Class" in refused("evaluate", vote, place)


def test_a_model_with_a_slip_in_its_name(vote):
    said = refused("show", str(vote).removesuffix("t"))
    assert f"did you mean '{vote}'?" in said
    assert "treewright fit DATA" in said
    assert "did you mean" not in refused("show", vote.parent / "nothing" / "vote.treewright")


def test_only_a_tree_has_nodes(forest, rules):
    assert "add --tree 0" in refused("show", forest, "--node", 0)
    assert "leave the option out" in refused("show", rules, "--node", 0, "--json")
    assert json.loads(good("show", forest, "--tree", 0, "--node", 0, "--json").stdout)["id"] == 0


def test_a_model_whose_marks_of_gaps_were_tampered_with(vote, tmp_path):
    whole = json.loads(vote.read_text("utf-8"))
    for kept in (7, {"missing": "?"}, {"missing": [1]}):
        whole["about"]["reading"] = kept
        whole["digest"] = digest.of(whole)  # whoever writes a file may sign it
        (tmp_path / "m.treewright").write_text(json.dumps(whole), "utf-8")
        assert "Fit it again" in refused("predict", tmp_path / "m.treewright", DATA / "vote.csv")


@pytest.mark.parametrize(("no", "yes", "sign"), [("0", "1", ","), ("0.0", "1.0", ","), ("0,0", "1,0", ";")])
def test_classes_that_are_numbers_are_the_same_however_they_are_written(tmp_path, no, yes, sign):
    """A frame with a gap writes 1 as 1.0."""

    def rows(yes):
        return "\n".join([f"x{sign}y", *(f"{i}{sign}{yes if i > 30 else no}" for i in range(60)), f"7{sign}"])

    data, other, model = tmp_path / "data.csv", tmp_path / "other.csv", tmp_path / "m.treewright"
    data.write_text(rows(yes))
    other.write_text(rows({"1": "1.0", "1.0": "1", "1,0": "1"}[yes]))
    good("fit", data, "--target", "y", "--cv", 0, "-o", model)
    for file in (data, other):
        assert "have no y" in good("evaluate", model, file, "--min-accuracy", 1).stderr
    pruned = json.loads(good("prune", model, "--method", "reduced_error", "--data", data, "--json").stdout)
    assert pruned["figures"]["before"]["accuracy"]["value"] == 1
