"""The benchmarks run, with or without the peers, and judge what they find. Nothing here measures time."""

import doctest
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.tree import DecisionTreeClassifier

import treewright as tw
from benchmarks import (
    bench_forest,
    bench_grow,
    bench_linear,
    bench_optimal,
    bench_prune,
    bench_read,
    bench_scale,
    memory,
    peers,
    recipes,
    study_pruning,
)
from benchmarks.__main__ import main
from benchmarks.compare import Verdict, compare
from benchmarks.data import cover, many_classes, nominal, wide, wide_numbers, with_gaps
from benchmarks.impurity import Cuts, Training, impurity, judge
from benchmarks.report import BEGIN, END, Result, Table, write_markdown
from benchmarks.targets import TARGETS, summary, targets_of

FOLDER = Path(__file__).parents[2] / "benchmarks"
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in ("__init__", "__main__"))
TINY_GROW = bench_grow.Sizes(wide=300, cover=300, adult=300, iris_rounds=2)
TINY_SCALE = bench_scale.Sizes(wide=500, rounds=1)


@pytest.fixture
def without_peers(monkeypatch):
    monkeypatch.setattr(peers, "is_installed", lambda name: name in ("treewright", "scikit-learn"))


TINY_OPTIMAL = bench_optimal.Sizes((60, 4), (40, 4), 200, ("monk1",), rounds=1)


# ---- they run ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_benchmarks_hold(name):
    assert doctest.testmod(import_module(f"benchmarks.{name}")).failed == 0


def test_optimal_trees_have_the_errors_of_all_peers_that_are_here(capsys, monkeypatch):
    monkeypatch.setattr(bench_optimal, "find_spec", lambda _: None)
    results = bench_optimal.run(TINY_OPTIMAL)
    assert [failure for result in results for failure in result.failures] == []
    said = capsys.readouterr().out
    assert "STreeD is not installed: left out." in said
    assert "1 of 1 proven" in said
    verdict = bench_optimal._same_errors({"a": bench_optimal.Errors(3), "b": bench_optimal.Errors(4)})
    assert verdict.is_failure


@pytest.mark.usefixtures("without_peers")
def test_growing_is_compared_without_peers(capsys):
    results = bench_grow.run(TINY_GROW)
    assert [failure for result in results for failure in result.failures] == []
    said = capsys.readouterr().out
    assert "YDF is not installed: left out." in said
    assert said.count("impurity: ") == 7
    measured = {key for result in results for key in result.figures}
    beside = {(t.job, t.peer) for t in TARGETS if t.job.startswith(BESIDE)}
    assert measured & beside == beside


BESIDE = (
    "c4.5",
    "cart",
    "id3",
    "priors",
    "costs",
    "significance",
    "minimum",
    "column",
    "ledger",
    "treewright fit",
    "100 classes",
    "1,000 classes",
    "10,000 classes",
)


def test_cost_is_per_row_and_node_where_trees_differ():
    tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    assert recipes.searched(tree) == 14 + 5 + 5


def test_made_tables_are_what_they_say():
    codes, y = nominal(2_000)
    assert [len(np.unique(code)) for code in codes[:8]] == [2, 3, 5, 8, 12, 20, 40, 80]
    assert sorted(np.unique(y)) == [0, 1, 2]
    X, y = many_classes(500, 50)
    assert X.shape == (500, 28)
    assert len(np.unique(y)) == 50
    assert np.isnan(with_gaps(X, 0.05)).mean() == pytest.approx(0.05, abs=0.01)


def test_the_study_of_pruning_fills_its_cache_once_and_shows_its_tables(monkeypatch, tmp_path):
    monkeypatch.setattr(study_pruning, "SEEDS", 1)
    cache, page = tmp_path / "study.csv", tmp_path / "study.md"
    words = [
        "--table",
        "kyphosis",
        "--group",
        "cv",
        "--group",
        "classic",
        "--group",
        "scikit-learn",
        "--cache",
        cache,
    ]
    words = [*map(str, words), "--markdown", str(page)]
    first = CliRunner().invoke(study_pruning.main, words, catch_exceptions=False)
    lines = study_pruning.read(cache)
    assert {(line.table, line.seed, line.rows) for line in lines} == {("kyphosis", 0, 81)}
    assert {line.method for line in lines} == set(study_pruning.SHOWN)
    assert all(0 <= line.wrong <= 81 and line.leaves >= 1 for line in lines)
    monkeypatch.setattr(study_pruning, "run", lambda *_: pytest.fail("what is known is not run again"))
    assert CliRunner().invoke(study_pruning.main, words, catch_exceptions=False).output == first.output
    wrong = next(line.wrong for line in lines if line.method == "prune=cv")
    assert f"{wrong / 81:.4f}" in first.output
    assert "| kyphosis | 81 |" in page.read_text("utf-8")


def test_growth_threads_and_memory_are_measured(monkeypatch, capsys):
    monkeypatch.setattr(bench_scale, "is_measurable", lambda: True)
    monkeypatch.setattr(bench_scale, "memory_of_fit", lambda *_: memory.Memory(before=5, peak=11, input=4))
    results = bench_scale.run(TINY_SCALE)
    assert [failure for result in results for failure in result.failures] == []
    said = capsys.readouterr().out
    assert said.count("tree: the same") == 2
    assert "1.5x the input (small tables: not judged)" in said
    measured = {key for result in results for key in result.figures}
    wanted = ("10n rows", "2 threads", "memory", "100 classes", "1,000 classes")
    assert measured == {(t.job, t.peer) for t in TARGETS if t.job.startswith(wanted)}


def test_pruning_is_measured(capsys):
    results = bench_prune.run(bench_prune.Sizes(cover=2_000, rounds=1))
    assert [failure for result in results for failure in result.failures] == []
    assert "last alpha: the same" in capsys.readouterr().out
    measured = {key for result in results for key in result.figures}
    assert measured == {(t.job, t.peer) for t in TARGETS if t.job.startswith(("weakest", "error-based"))}


def test_reading_is_measured(capsys):
    results = bench_read.run(bench_read.Sizes(wide=500, adult=1, rounds=1))
    assert [failure for result in results for failure in result.failures] == []
    assert capsys.readouterr().out.count("cells: the same") == 2
    measured = {key for result in results for key in result.figures}
    assert measured == {(t.job, t.peer) for t in TARGETS if t.job.startswith("reading")}


def test_linear_classifiers_are_measured(capsys):
    results = bench_linear.run(bench_linear.Sizes(rows=2_000, rounds=1))
    assert [failure for result in results for failure in result.failures] == []
    said = capsys.readouterr().out
    assert "separable, exact proof" in said
    assert "overlap, exact proof" in said
    measured = {key for result in results for key in result.figures}
    assert measured == {
        (t.job, t.peer) for t in TARGETS if t.job.startswith(("separability", "hard margin", "logistic"))
    }


@pytest.mark.usefixtures("without_peers")
def test_forests_are_measured(monkeypatch, capsys):
    monkeypatch.setattr(bench_forest, "is_measurable", lambda: False)
    results = bench_forest.run(bench_forest.Sizes(rows=200, n_trees=2))
    assert [failure for result in results for failure in result.failures] == []
    assert "XGBoost is not installed: left out." in capsys.readouterr().out
    measured = {key for result in results for key in result.figures}
    wanted = {(t.job, t.peer) for t in TARGETS if t.job.startswith("forest")}
    assert measured == {key for key in wanted if key[1] == "scikit-learn"}


@pytest.mark.skipif(not memory.is_measurable(), reason="resident memory is read from /proc, as Linux has it")
def test_memory_is_measured_in_a_process_of_its_own():
    found = memory.memory_of_fit("treewright", 3, *wide(1_000))
    assert found.input == 1_000 * 28 * 4
    assert 0 < found.before <= found.peak


TASKS = {
    "two classes": lambda: peers.Task(*wide(300), "gini", 3),
    "seven classes": lambda: peers.Task(*cover(300), "gini", 3),
    "numbers": lambda: peers.Task(*wide_numbers(300), "squared_error", 3),
}


@pytest.mark.parametrize("name", list(peers.LIBRARIES))
@pytest.mark.parametrize("kind", list(TASKS))
def test_every_library_grows_a_tree_of_the_depth_asked_for(name, kind):
    if not peers.is_installed(name):
        pytest.skip(f"{name} is not installed; ./dev bench installs it")
    if kind == "seven classes" and name not in peers.EXACT:
        pytest.skip("grows one tree per class")
    task = TASKS[kind]()
    grown = peers.LIBRARIES[name].ways(task)()
    leaves = grown.leaves()
    assert leaves.shape == (300,)
    assert 1 < len(np.unique(leaves)) <= 2**3
    assert 0 < grown.impurity() < task.impurity(np.zeros(300, dtype=int))


# ---- they judge -------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_impurity_read_off_leaves_is_what_scikit_learn_says(criterion):
    X, y = cover(400)
    tree = (model := DecisionTreeClassifier(criterion=criterion, max_depth=4, random_state=0).fit(X, y)).tree_
    leaf = tree.children_left < 0
    wanted = (tree.impurity * tree.n_node_samples)[leaf].sum() / len(y)
    assert impurity(model.apply(X), y, criterion) == pytest.approx(wanted, rel=1e-12)


def stump(column, cut):
    none = np.array([-1, -1])
    numbers = [np.append(first, none) for first in (column, cut, 1, 2)]
    return Cuts(numbers[0], numbers[1].astype(float), *numbers[2:])


def judged(ours, theirs):
    """Two stumps on four rows: the first two columns are each other's mirror, the third is of no use."""
    X = np.array([[0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1]], dtype=np.float32)
    training = Training(X, np.array([0, 0, 1, 0]), "gini")

    def worth(cuts):
        return training.impurity(X[:, cuts.column[0]] <= cuts.cut[0]), cuts

    return judge(training, worth(ours), worth(theirs))


def test_the_same_rows_on_other_sides_are_the_same_tree():
    assert judged(stump(0, 0.5), stump(1, 0.5)) == Verdict("impurity: equal")


def test_a_worse_cut_is_a_failure_and_a_better_one_is_not():
    worse = judged(stump(0, -1.0), stump(0, 0.5))
    assert worse.is_failure
    assert "WORSE than exhaustive search at 1 nodes, first at one of 4 rows" in worse.note
    better = judged(stump(0, 0.5), stump(0, -1.0))
    assert not better.is_failure
    assert "our cut is the better one at 1 nodes" in better.note


def test_trees_that_part_at_a_tie_are_no_failure():
    # Each cut takes one row of class 0 off. What the trees came to below the tie is given, not grown.
    X = np.array([[0, 0], [1, 1], [2, 1], [2, 2]], dtype=np.float32)
    training = Training(X, np.array([0, 1, 1, 0]), "gini")
    verdict = judge(training, (0.30, stump(0, 0.5)), (0.31, stump(1, 1.5)))
    assert verdict == Verdict("impurity: differs by -0.032: ties at 1 nodes")


def test_our_cuts_are_our_tree():
    X, y = wide(500)
    model = tw.DecisionTreeClassifier(max_depth=4).fit(X, y)
    cuts, node = peers.cuts_of(model.tree_), np.zeros(500, dtype=int)
    for _ in range(4):
        goes_left = X[np.arange(500), cuts.column[node]] <= cuts.cut[node]
        node = np.where(cuts.column[node] < 0, node, np.where(goes_left, cuts.left[node], cuts.right[node]))
    np.testing.assert_array_equal(node, model.apply(X))


# ---- they tell --------------------------------------------------------------------------------------


def test_a_job_without_a_target_is_refused():
    with pytest.raises(KeyError, match="No target is set for the job 'one tree, depht 8'"):
        targets_of("one tree, depht 8")


def test_the_summary_tells_what_was_reached_missed_and_not_measured():
    figures = {
        ("one tree, depth 8, wide", "scikit-learn"): 47.0,
        ("one tree, depth 8, wide", "YDF"): 30.0,
        ("10n rows, depth 8, wide", "n rows"): 13.0,
    }
    verdicts = {row[:2]: row[-2:] for row in summary(figures, is_judged=True).rows}
    assert verdicts["one tree, depth 8, wide", "scikit-learn"] == ("47%", "reached")
    assert verdicts["one tree, depth 8, wide", "YDF"] == ("120%", "goal")
    assert verdicts["10n rows, depth 8, wide", "n rows"] == ("85%", "missed")
    assert verdicts["iris, whole fit call", "scikit-learn"] == ("", "not measured")
    assert "not judged" in {row[-1] for row in summary(figures, is_judged=False).rows}


def test_a_failed_check_is_told_and_makes_the_run_fail(monkeypatch, capsys):
    def failing(quick):
        ways = {"treewright": lambda: lambda: "bad"}
        return [compare("a job", ways, rounds=1, check=lambda _: Verdict("impurity: WORSE", is_failure=True))]

    monkeypatch.setattr(bench_grow, "main", failing)
    done = CliRunner().invoke(main, ["--quick", "grow"])
    assert done.exit_code == 1
    assert "FAILED: a job: impurity: WORSE" in done.output


def test_markdown_takes_the_place_between_the_marks(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{BEGIN}\nold\n{END}\n\nafter\n")
    table = Table("apples", ("kind", "n"), (("red", "12"),))
    write_markdown(page, "hand", [table])
    text = page.read_text()
    assert text.startswith(f"before\n\n{BEGIN}\n\nMeasured by hand.\n\n**apples**")
    assert text.endswith(f"| red | 12 |\n\n{END}\n\nafter\n")
    assert "old" not in text
    monkeypatch.setattr(bench_grow, "main", lambda quick: [Result(table)])
    assert CliRunner().invoke(main, ["--quick", "grow", "--markdown", str(page)]).exit_code == 0
    assert "**what was to be reached**" in page.read_text()
    assert "**apples**" in page.read_text()
