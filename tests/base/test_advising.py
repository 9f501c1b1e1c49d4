"""Unknown options of every verb are told what is meant, and signatures name what is taken."""

import inspect
import re

import pytest

import treewright as tw
from treewright.draw import plot
from treewright.explain import explain_row
from treewright.report import report

TABLE = tw.example("vote")
TREE = tw.grow(TABLE, "Class", "c4.5")
MODEL = tw.fit(TABLE, "Class", "c4.5", folds=0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: TREE.plot(widht=3), "plot has no option 'widht'; did you mean 'width'?"),
        (lambda: TREE.plot(depth=3), "plot has no option 'depth'; here it is called max_depth."),
        (lambda: MODEL.plot(tilte="x"), "plot has no option 'tilte'; did you mean 'title'?"),
        (lambda: TREE.report("r.html", tilte="x"), "report has no option 'tilte'; did you mean 'title'?"),
        (lambda: MODEL.report("r.html", tilte="x"), "report has no option 'tilte'; did you mean 'title'?"),
        (lambda: TREE.explain(0, TABLE, wantd="n"), "explain has no option 'wantd'; did you mean 'wanted'?"),
        (lambda: MODEL.explain(0, TABLE, fxied="n"), "explain has no option 'fxied'; did you mean 'fixed'?"),
        (lambda: tw.read("x.csv", sep=";"), "read has no option 'sep'; here it is called separator."),
        (
            lambda: tw.compare(TABLE, "Class", recipe="cart"),
            "compare has no option 'recipe'; give recipes=[...]",
        ),
        (lambda: tw.compare(TABLE, "Class", cv=3), "There is no setting 'cv'; here it is called folds"),
        (lambda: tw.compare(TABLE, "Class", "crt"), "There is no recipe 'crt'"),
        (lambda: tw.fit(TABLE, "Class", test_size=0.3), "'test_size'; here it is called test"),
        (
            lambda: tw.grow(TABLE, "Class", ccp_alpha=0.1),
            "'ccp_alpha'; here it is called prune, with tw.prune.",
        ),
        (
            lambda: tw.LogisticRegression(penalty="l2"),
            "no parameter 'penalty'; l2 is the weight of the penalty.",
        ),
        (
            lambda: tw.Perceptron(max_pases=3),
            "Perceptron has no parameter 'max_pases'; did you mean 'max_passes'?",
        ),
        (
            lambda: tw.RuleClassifier(max_depth=3),
            "RuleClassifier has no parameter 'max_depth'; it has method",
        ),
        (lambda: tw.evaluate.accuracy(TREE), "accuracy takes answers beside the truth: tw.evaluate.answers("),
        (lambda: tw.evaluate.scores(TREE), "scores takes answers beside the truth"),
        (lambda: tw.Table.of("my.csv"), "a file is read by tw.read('my.csv')."),
    ],
)
def test_it_is_said_what_is_meant(call, words):
    with pytest.raises((TypeError, ValueError), match=re.escape(words)):
        call()


def test_an_unknown_name_of_the_module_gets_the_nearest():
    with pytest.raises(AttributeError, match="did you mean 'DecisionTreeClassifier'"):
        tw.DecisionTreeClasifier  # noqa: B018


def test_data_is_taken_for_the_table_as_in_fit():
    assert TREE.plot(data=TABLE).to_svg() == TREE.plot(table=TABLE).to_svg()
    assert TREE.prune("error_based", data=TABLE) == TREE.prune("error_based", TABLE)


@pytest.mark.parametrize(("verb", "whole"), [("plot", plot), ("report", report), ("explain", explain_row)])
def test_a_model_takes_what_its_tree_takes(verb, whole):
    def options(function):
        parameters = inspect.signature(function).parameters.values()
        return [(each.name, each.default) for each in parameters if each.kind is each.KEYWORD_ONLY]

    assert options(getattr(tw.Model, verb)) == options(whole)


def test_one_name_is_enough_to_compare():
    found = tw.compare(TABLE, "Class", "cart", "none", folds=3, forest=False)
    assert [(row.recipe, row.prune) for row in found] == [("cart", "none")]


def test_scikit_learns_second_name_for_entropy_is_taken():
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "b", "b", "b"]
    same = [tw.DecisionTreeClassifier(criterion=word).fit(X, y).tree_ for word in ("log_loss", "entropy")]
    assert same[0] == same[1]
