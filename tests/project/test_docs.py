"""What the pages in docs/ claim beyond their examples: lists are complete, numbers are those of the tests."""

import ast
import dataclasses
import re
from pathlib import Path

import pytest

from tests.golden import agreement
from treewright import lectures
from treewright.estimators import DecisionTreeClassifier
from treewright.growth import RECIPES, Settings
from treewright.growth.setting import CHOICES
from treewright.growth.settings import CLASS_CRITERIA, ELSEWHERE, NUMBER_CRITERIA
from treewright.tree import Tree

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {path.name: path.read_text("utf-8") for path in DOCS.glob("*.md")}


def test_the_index_links_every_page():
    assert [name for name in PAGES if name != "README.md" and f"]({name})" not in PAGES["README.md"]] == []


def test_the_pages_on_lectures_are_linked_and_show_every_walk():
    pages = {path.name: path.read_text("utf-8") for path in (DOCS / "lectures").glob("*.md")}
    index = pages.pop("README.md")
    assert "](lectures/README.md)" in PAGES["README.md"]
    assert [name for name in pages if f"]({name})" not in index] == []
    shown = "".join(pages.values())
    for walk in lectures.names():
        assert f"`{walk}`" in index
        assert f"tw.lectures.{walk}()" in shown


def test_the_settings_page_has_every_setting_with_its_default():
    rows = re.findall(r"^\| `(\w+)` \|.*\| `([^`]*)` \|$", PAGES["settings.md"], re.MULTILINE)
    wanted = {field.name: field.default for field in dataclasses.fields(Settings)}
    assert {name: ast.literal_eval(default) for name, default in rows} == wanted


@pytest.mark.parametrize("setting", CHOICES)
def test_the_settings_page_has_every_value(setting):
    row = re.search(rf"^\| `{setting}` \|.*$", PAGES["settings.md"], re.MULTILINE).group()
    assert [value for value in CHOICES[setting] if f"`{value}`" not in row] == []


def test_the_settings_page_translates_every_word_of_the_estimators():
    words = set(DecisionTreeClassifier().get_params()) | {w for w in ELSEWHERE if "_" in w}
    elsewhere = {"categorical_features", "ordinal", "prune", "probabilities"}  # no settings
    page = PAGES["settings.md"].partition("## scikit-learn's words")[2]
    assert [word for word in sorted(words - elsewhere) if f"`{word}`" not in page] == []


def test_pages_have_a_row_for_every_policy_criterion_recipe_and_field():
    for page, names in (
        ("missing.md", CHOICES["missing"] + CHOICES["unseen"]),
        ("criteria.md", CLASS_CRITERIA + NUMBER_CRITERIA),
        ("recipes.md", tuple(RECIPES)),
    ):
        assert [name for name in names if f"| `{name}` |" not in PAGES[page]] == []
    fields = [field.name for field in dataclasses.fields(Tree) if not field.name.startswith("surrogate_")]
    assert [name for name in fields if f"`{name}`" not in PAGES["tree.md"]] == []


def test_the_recipes_page_counts_the_runs_of_the_original_programs():
    before, after, j48_before, j48_after, *_ = (row[2:] for row in agreement.counts())
    page = " ".join(PAGES["recipes.md"].split())
    assert "in {} of the {} runs".format(*before) in page
    assert "after pruning in {} of {}.".format(*after) in page
    assert "in {} of {} trees before pruning".format(*j48_before) in page
    assert f"in all {j48_after[1]} after it" in page
    assert j48_after[0] == j48_after[1]
