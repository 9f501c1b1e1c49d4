"""Abbreviations and words of other programs are answered with our word, wherever a word is chosen."""

from __future__ import annotations

import re

import pytest

import treewright as tw
from tests.cli.running import DATA, refused
from treewright.base.names import MEANT, hint, meant
from treewright.estimators.words import CRITERIA
from treewright.growth import RECIPES
from treewright.growth.setting import CHOICES
from treewright.growth.settings import CLASS_CRITERIA, NUMBER_CRITERIA
from treewright.predict import SMOOTHINGS
from treewright.prune.method import ALSO, METHODS, NONE
from treewright.table.sql import DIALECTS

PRUNINGS = (*METHODS, *ALSO, NONE)
WORDS = {
    "prune": {
        "rep": "reduced_error",
        "REP": "reduced_error",
        "ccp": "cost_complexity",
        "cp": "cost_complexity",
        "cost-complexity": "cost_complexity",
        "weakest link": "cost_complexity",
        "pep": "pessimistic",
        "mep": "minimum_error",
        "ebp": "error_based",
        "j48": "error_based",
        "minimum_description_length": "mdl",
        "cvp": "critical_value",
        "cross_validation": "cv",
        "regularized": "regularised",
        "off": "none",
    },
    "criterion": {
        "information_gain": "entropy",
        "info gain": "entropy",
        "log_loss": "entropy",
        "Gini": "gini",
        "gini_index": "gini",
        "gainratio": "gain_ratio",
        "mse": "squared_error",
        "friedman_mse": "squared_error",
        "anova": "squared_error",
        "misclassification": "error",
    },
    "missing": {"surrogates": "surrogate", "mode": "most_common", "na.omit": "drop", "raise": "error"},
    "splits": {"one-vs-all": "one_vs_rest", "oblique": "linear", "multi": "multiway", "subset": "binary"},
    "unseen": {"majority": "most_common", "stop": "stop_here"},
    "recipe": {"C45": "c4.5", "j48": "c4.5", "rpart": "cart", "decision_stump": "stump", "c5.0": "c4.5"},
    "discretise": {"fayyad": "mdlp", "quantile": "equal_frequency", "uniform": "equal_width"},
    "significance_test": {"chi2": "chi_square", "fisher_exact": "fisher"},
    "leaves": {"logit": "logistic", "majority": "constant"},
}
CASES = [(setting, word, ours) for setting, words in WORDS.items() for word, ours in words.items()]
TENNIS = tw.example("tennis")


@pytest.mark.parametrize(("setting", "word", "ours"), CASES)
def test_growing_answers_with_our_word(setting: str, word: str, ours: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(word))) as refusal:
        tw.grow(TENNIS, target="PlayTennis", **{setting: word})
    assert f"did you mean {ours!r}?" in str(refusal.value)


PARAMETERS = tw.DecisionTreeClassifier().get_params()
REFUSED = [case for case in CASES if case[0] in PARAMETERS and case[1] not in CRITERIA]  # those are taken


@pytest.mark.parametrize(("setting", "word", "ours"), REFUSED)
def test_the_estimator_answers_with_our_word(setting: str, word: str, ours: str) -> None:
    model = tw.DecisionTreeClassifier(**{setting: word})
    with pytest.raises(ValueError, match=re.escape(f"did you mean {ours!r}?")):
        model.fit([[1], [2], [3], [4]], ["a", "b", "a", "b"])


OPTIONS = {
    "prune": "--prune",
    "criterion": "--criterion",
    "missing": "--missing-policy",
    "splits": "--splits",
}
OPTIONS |= {"unseen": "--unseen", "recipe": "--recipe", "leaves": "--leaves"}


@pytest.mark.parametrize(("setting", "word", "ours"), [case for case in CASES if case[0] in OPTIONS])
def test_the_command_line_answers_with_our_word(setting: str, word: str, ours: str) -> None:
    said = refused("fit", DATA / "tennis.csv", "--target", "PlayTennis", OPTIONS[setting], word, code=2)
    assert f"did you mean {ours!r}?" in said


def test_other_choices() -> None:
    tree = tw.grow(TENNIS, target="PlayTennis")
    with pytest.raises(ValueError, match="did you mean 'laplace'"):
        tree.predict_proba(TENNIS, "add_one")
    with pytest.raises(ValueError, match="did you mean 'postgres'"):
        tree.rules().to_text("sql", dialect="postgresql")
    with pytest.raises(ValueError, match="did you mean 'mse'"):
        tw.evaluate.scores(tw.evaluate.Answers.of([1.0, 2.0], [1.0, 2.5]), "mean_squared_error")
    with pytest.raises(ValueError, match="did you mean 'reduced_error'"):
        tw.prune.find("rep")


def test_every_other_name_leads_to_a_word_that_exists() -> None:
    """No name is forgotten when a word of ours changes."""
    scores = ("log_loss", "mse", "mae", "rmse", "r2")
    criteria = (*CLASS_CRITERIA, *NUMBER_CRITERIA)
    intervals = ("mdlp", "equal_width", "equal_frequency")
    known = {*PRUNINGS, *criteria, *SMOOTHINGS, *DIALECTS, *scores, *intervals, *RECIPES}
    known |= {word for words in CHOICES.values() for word in words}
    for other, ours in MEANT.items():
        assert ours, other
        assert set(ours) <= known, (other, ours)
        assert meant(other, ours) is not None


def test_a_word_like_nothing_gets_no_hint() -> None:
    assert hint("zzz", PRUNINGS) == ""
    assert meant("rep", ["alpha", "beta"]) is None
    assert meant(7, PRUNINGS) is None
