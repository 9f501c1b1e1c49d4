"""What the report says is what the other rooms say, and no row is in it."""

import base64
import gzip
import json
import math
import sys

import numpy as np
import pytest

import treewright as tw
from tests import tables
from tests.report.browserless import CASES, big, case
from treewright.evaluate import answers, confusion, scores
from treewright.evaluate.families import by_nodes
from treewright.explain import impurity_decrease
from treewright.prune.cost_complexity import JudgedPath, cost_complexity_path, cross_validated
from treewright.prune.heldout import losses, mean_loss
from treewright.prune.sample import sample_of
from treewright.report import facts, page
from treewright.report.numbers import plain
from treewright.report.page_part import page_part


def dense(sparse, n_nodes, k):
    found = np.zeros((n_nodes, k))
    for node in range(n_nodes):
        for place in range(sparse["start"][node], sparse["start"][node + 1]):
            found[node, sparse["class"][place]] = sparse["weight"][place]
    return found


@pytest.mark.parametrize("name", CASES)
def test_facts_are_plain_json_and_hold_the_nodes_bit_for_bit(name):
    tree, table = case(name)
    told = json.loads(json.dumps(facts(tree, table), allow_nan=False))
    arrays = told["tree"]
    for field in (
        "end",
        "column",
        "kind",
        "missing",
        "largest",
        "code_start",
        "code",
        "code_branch",
        "label",
    ):
        assert arrays[field] == getattr(tree, field).tolist()
    assert arrays["rows"] == tree.n_rows.tolist()
    assert arrays["weight"] == tree.weights.tolist()
    cuts = [float(cut) for cut in arrays["cut"]]
    assert [cuts[i] for i in np.flatnonzero(tree.kind == 1)] == tree.cut[tree.kind == 1].tolist()
    if tree.is_classifier:
        assert (dense(arrays["classes"], tree.n_nodes, len(tree.classes)) == tree.stats).all()
    else:
        assert arrays["mean"] == tree.stats[:, 1].tolist()
    for node in range(0, tree.n_nodes, 7):
        known = tree.node(node)
        assert told["words"][arrays["question"][node]] == known.question
        words = told["words"][arrays["answer"][node]]
        assert words == known.answer or "\u2026" in words
    assert told["importance"] == impurity_decrease(tree).tolist()


@pytest.mark.parametrize("name", ["crx, divided with gaps", "soybean", "crx, stop", "abalone"])
def test_the_judgement_is_that_of_the_room_of_evaluation(name):
    tree, table = case(name)
    judged = facts(tree, table)["judged"]
    said = answers(tree, table)
    names = ["accuracy", "balanced_accuracy", "f1", "brier"] if tree.is_classifier else ["rmse", "mae", "r2"]
    for score, found in scores(said, names).items():
        assert judged["scores"][score] == pytest.approx(list(found))
    if not tree.is_classifier:
        leaves = tree.leaves(table)
        truth = table.column(tree.target.name)[1]
        for leaf in np.unique(leaves)[:9].tolist():
            assert judged["came"]["weight"][leaf] == (leaves == leaf).sum()
            assert judged["came"]["mean"][leaf] == pytest.approx(truth[leaves == leaf].mean())
            assert judged["came"]["spread"][leaf] == pytest.approx(truth[leaves == leaf].std(), abs=1e-9)
        return
    matrix = confusion(said)
    assert judged["confusion"] == matrix.array.tolist()
    for found, known in zip(judged["by_class"], matrix.per_class(), strict=True):
        assert found[3] == known.support
        assert (found[1][0] is None) == math.isnan(known.recall.value)
    came = dense(judged["came"], tree.n_nodes, len(judged["classes"]))
    assert came[0].tolist() == pytest.approx(np.bincount(said.truth, minlength=came.shape[1]))
    for node in np.flatnonzero(tree.kind > 0).tolist():
        stays = dense(judged["ends"], tree.n_nodes, came.shape[1])[node]
        assert came[node] == pytest.approx(stays + came[list(tree.children(node))].sum(axis=0))
        if node > 40:
            break


@pytest.mark.parametrize("name", ["crx, learned", "crx, divided with gaps", "soybean", "abalone"])
def test_errors_along_the_sizes_are_those_of_the_path(name):
    tree, table = case(name)
    sizes = facts(tree, table)["sizes"]
    path = cost_complexity_path(tree)
    first = len(sizes["alpha"]) - len(path)
    assert first in (0, 1)
    sample = sample_of(tree, table)
    trees = [path.tree_at(alpha) for alpha in path.alpha]
    found = [mean_loss(losses(smaller, sample), sample.weights) for smaller in trees]
    held = JudgedPath(path, *map(np.array, zip(*found, strict=True)))
    assert sizes["alpha"][first:] == pytest.approx(path.alpha)
    assert sizes["training"][first:] == pytest.approx(path.risk)
    assert sizes["test"]["error"][first:] == pytest.approx(held.error)
    assert sizes["test"]["spread"][first:] == pytest.approx(held.standard_error)
    whole = mean_loss(losses(tree, sample_of(tree, table)), np.ones(table.n_rows))
    assert (sizes["test"]["error"][0], sizes["test"]["spread"][0]) == pytest.approx(whole)
    assert sizes["marks"] == {
        "by": "test",
        "lowest": held.chosen(one_se=False) + first,
        "one_se": held.chosen() + first,
    }


def test_folds_judge_the_sizes_where_they_are_asked_for():
    table = tw.example("vote")
    tree = tw.grow(table, target="Class")
    sizes = facts(tree, training=table, folds=5, seed=3)["sizes"]
    held = cross_validated(tree, table, folds=5, seed=3)
    first = len(sizes["alpha"]) - len(held.path)
    assert sizes["folds"]["error"][first:] == pytest.approx(held.error)
    assert sizes["marks"]["by"] == "folds"
    assert sizes["marks"]["one_se"] == held.chosen() + first
    assert sizes["test"] is None


def test_progress_is_told_while_folds_are_grown():
    table = tw.example("vote")
    heard = []
    facts(tw.grow(table, target="Class"), table, training=table, folds=8, progress=heard.append)
    assert heard == sorted(heard)
    assert len(heard) > 6
    assert heard[-1] == 1.0


def test_the_baseline_is_the_score_of_one_leaf():
    tree, table = case("crx, learned")
    told = facts(tree, table)["baseline"]
    labels = table.labels(tree.target.name)
    assert told["value"] == pytest.approx(np.mean([label == told["says"] for label in labels]))
    assert told["by"] == "test"
    tree, table = case("abalone")
    rings = table.column("Rings")[1]
    told = facts(tree, table)["baseline"]
    assert told["value"] == pytest.approx(np.sqrt(np.mean((rings - told["says"]) ** 2)))
    assert facts(tree)["baseline"]["by"] == "training"


def test_sentences_name_columns_and_the_surest_leaf():
    table = tw.example("vote")
    words = facts(tw.grow(table, target="Class", recipe="c4.5"), table)["sentences"]
    assert words[0].startswith("The most telling columns are physician-fee-freeze")
    assert words[1].startswith("It is surest where physician-fee-freeze = n")
    one = facts(tw.grow(table, target="Class", max_depth=0))["sentences"]
    assert one == ["No question is worth asking: the tree is one leaf and gives every row the same answer."]


def test_distributions_are_sums_over_the_rows_given():
    tree, table = case("crx, learned")
    told = facts(tree, table)["distributions"]
    assert set(told) <= {str(i) for i in np.flatnonzero(~tree.leaf_mask)}
    root = told["0"]
    assert sum(root["classes"]["weight"]) + root["gaps"] == table.n_rows
    assert facts(tree)["distributions"] is None


def unpacked(told):
    return {
        file["name"]: gzip.decompress(base64.b64decode(file["data"])).decode() for file in told["downloads"]
    }


def test_downloads_are_the_tree_in_other_forms():
    tree, table = case("crx, learned")
    files = unpacked(facts(tree, table))
    assert files["tree.svg"].startswith("<svg ")
    assert files["rules.sql"] == tree.rules().to_text("sql")
    model = tw.Tree.from_dict(json.loads(files["model.treewright"]))
    assert (model.predict(table) == tree.predict(table)).all()


def test_the_model_to_take_along_has_no_categories_of_columns_it_never_asks_about():
    table = tw.Table.from_dict({"x": [1, 2, 3, 4], "who": ["Smith", "Jones"] * 2, "y": list("aabb")})
    tree = tw.grow(table, target="y", max_depth=1)
    assert tree.schema.names[int(tree.used_columns[0])] == "x"
    files = unpacked(facts(tree, table))
    assert all("Smith" not in text for text in files.values())


def test_candidates_come_from_the_ledger_and_long_lists_are_counted():
    table = tables.table("soybean")
    tree = tw.grow(table, target="class", recipe="c4.5", ledger=True, max_depth=3)
    told = facts(tree)["candidates"]
    rows, others = told["nodes"]["0"]
    known = tree.candidates(0)
    assert len(rows) + others == len(known)
    assert [tree.schema.names[row[0]] for row in rows] == [c["column"] for c in known[: len(rows)]]
    assert told["verdicts"][rows[0][1]] == "chosen"
    assert rows[0][2] == pytest.approx(known[0]["score"], abs=1e-6)
    assert facts(tw.grow(table, target="class", recipe="c4.5", max_depth=2))["candidates"] is None


def test_no_row_is_in_the_page():
    names = [f"person {k}" for k in range(40)]  # of a column that the tree does not ask about
    numbers = [1000003.5 + 7 * k for k in range(40)]
    table = tw.Table.from_dict(
        {"x": list(range(40)), "z who": names, "z secret": numbers, "y": ["a"] * 20 + ["b"] * 20},
    )
    tree = tw.grow(table, target="y", max_depth=1)
    made = page(facts(tree, table, training=table)).decode()
    assert tree.schema.names[int(tree.column[0])] == "x"
    assert [name for name in names if name in made] == []
    assert [number for number in numbers if repr(number) in made] == []


def test_the_same_input_gives_the_same_bytes():
    table = tw.example("vote")
    pages = [
        page(facts(tw.grow(table, target="Class", ledger=True), table, training=table, folds=3)) for _ in "ab"
    ]
    assert pages[0] == pages[1]


def test_classes_that_the_tree_never_met_are_told():
    table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    other = tw.Table.from_dict({"x": [1, 4, 4], "y": ["a", "b", "c"]})
    judged = facts(tw.grow(table, target="y"), other)["judged"]
    assert judged["classes"] == ["a", "b", "(not among the classes of the tree)"]
    assert judged["confusion"] == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]


def test_odd_trees_have_facts_too():
    table = tw.Table.from_dict({"x": [1, 1], "y": ["a", "b"]})
    stump = facts(tw.grow(table, target="y"), table)
    assert stump["sizes"]["leaves"] == [1]
    assert stump["distributions"] is None
    gaps = tw.Table.from_dict({"x": [None, None, 1, 2], "y": ["a", "a", "b", "b"]})
    known = facts(tw.grow(gaps, target="y"))
    assert "Infinity" in known["tree"]["cut"]
    assert plain(np.array([np.inf])) == ["Infinity"]
    weighted = tw.grow(tw.example("vote"), target="Class", class_weight="balanced", costs=[[0, 5], [1, 0]])
    told = facts(weighted, tw.example("vote"))
    assert told["ways"]["costs"] == [[0, 5], [1, 0]]
    assert told["sizes"]["unit"] == "mean cost"
    assert page(told)


def test_settings_versions_and_fingerprints_are_told():
    table = tw.example("tennis")
    tree = tw.grow(table, target="PlayTennis", recipe="id3")
    told = facts(tree, table.take(range(7)), training=table)
    assert told["made"]["recipe"] == "id3"
    assert told["made"]["versions"]["treewright"] == tw.__version__
    prints = told["fingerprints"]
    assert len({*prints.values()}) == 3
    assert all(len(one) == 64 for one in prints.values())
    again = facts(tree, table.take(range(7)), training=table)["fingerprints"]
    assert prints == again
    assert facts(tree, table)["fingerprints"]["table"] == prints["training"]


def test_a_large_tree_makes_a_small_file():
    tree, table = big()
    assert tree.n_nodes == pytest.approx(5000, abs=10)
    assert len(page(facts(tree, table))) < 1_000_000


def test_how_the_file_was_read_is_told_without_its_cells(tmp_path):
    path = tmp_path / "patients.csv"
    path.write_text("zwho,code,x,y\nSmith,00017,1,a\nJones,00018,2,a\n?,00019,9431.25,b\nBrown,00020,4,b\n")
    reading = tw.reading(path, ignore=["code"])
    tree = tw.grow(reading.table, target="y", max_depth=1)
    told = facts(tree, reading=reading)["reading"]
    assert told["lines"][0].startswith("patients.csv: 4 rows")
    assert told["lines"][-1] == "Missing: 1 of 12 cells."
    assert told["layout"]["separator"] == ","
    assert told["columns"][1] == {"name": "x", "kind": "numeric", "distinct": 4, "gaps": 0}
    made = page(facts(tree, reading=reading)).decode()
    for secret in ("Smith", "Brown", "9431", "00017", str(tmp_path)):
        assert secret not in made
    with pytest.raises(TypeError, match=r"reading='x.csv' must be what tw.reading\(path\) gives"):
        facts(tree, reading="x.csv")


def test_of_a_tree_too_large_for_a_page_the_upper_part_is_shown():
    tree, table = big()
    part = page_part(tree, 999)
    assert part == by_nodes(tree, [999])[0]
    assert page_part(tree) is tree
    told = facts(tree, table)
    assert told["shown"] == tree.n_nodes


def test_figures_of_a_tree_that_is_shown_in_part_are_those_of_all_of_it(monkeypatch):
    tree, table = case("crx, learned")
    whole = facts(tree, table)
    monkeypatch.setattr(sys.modules["treewright.report.facts"], "page_part", lambda tree: page_part(tree, 31))
    told = facts(tree, table)
    assert told["shown"] == len(told["tree"]["end"]) <= 31 < told["size"]["nodes"]
    for key in ("size", "importance", "baseline", "training_error", "fingerprints"):
        assert told[key] == whole[key]
    assert told["judged"]["scores"] == whole["judged"]["scores"]
    part = page_part(tree, 31)
    assert told["judged"]["confusion"] == confusion(answers(part, table)).array.tolist()
    assert page(told)


def test_bad_input_is_named_with_the_way_out():
    table = tw.example("tennis")
    tree = tw.grow(table, target="PlayTennis", recipe="id3")
    with pytest.raises(TypeError, match=r"about a treewright.Tree, not str"):
        facts("tree")
    with pytest.raises(ValueError, match=r"needs training="):
        facts(tree, folds=10)
    with pytest.raises(TypeError, match=r"title=7 must be text"):
        facts(tree, title=7)
    with pytest.raises(ValueError, match=r"no column 'PlayTennis'"):
        facts(tree, table.drop("PlayTennis"))
    with pytest.raises(ValueError, match=r"table= has no rows"):
        facts(tree, table.take([]))
    with pytest.raises(TypeError, match=r"To judge a tree takes a treewright.Table, .*, not int"):
        facts(tree, 17)
