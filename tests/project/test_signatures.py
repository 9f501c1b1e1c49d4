"""Public doors have real signatures: editors complete them, and nobody looks for the names of options."""

import importlib
import inspect
from typing import get_type_hints

import pytest
from sklearn.base import BaseEstimator, TransformerMixin

import treewright as tw
from treewright.draw.plot import PlotOptions, plot
from treewright.explain.explanation import ExplainOptions, explain_row
from treewright.export.export import ExportOptions, export, to_text
from treewright.report.write import ReportOptions, report
from treewright.tree.tree import Tree

ROOMS = ("treewright", *(f"treewright.{name}" for name in tw.__all__ if inspect.ismodule(getattr(tw, name))))
# Any array; any option of any format, refused in words that name those of the format.
OPEN = {Tree.of_growth.__func__, tw.export.Format.write, tw.measure.Discretiser.by_name.__func__}


def doors():
    """Every public function and method, less those of scikit-learn."""
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing):
                yield from (
                    (f"{room}.{name}.{word}", getattr(thing, word)) for word in dir(thing) if word[0] != "_"
                )
            yield f"{room}.{name}", thing


def is_open(function):
    try:
        shown = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # no function, or one of C
        return False
    return any(each.kind is inspect.Parameter.VAR_KEYWORD for each in shown)


def test_no_public_door_hides_its_options():
    theirs = {BaseEstimator.set_params, TransformerMixin.fit_transform}
    bare = {
        name
        for name, thing in doors()
        if callable(thing)
        and getattr(thing, "__func__", thing) not in OPEN | theirs
        and is_open(thing)
        and inspect.unwrap(thing) not in theirs
        and not name.endswith((".set_params", ".fit_transform"))
    }
    assert bare == set()


@pytest.mark.parametrize(
    ("options", "function"),
    [(PlotOptions, plot), (ReportOptions, report), (ExplainOptions, explain_row), (ExportOptions, export)],
)
def test_options_by_name_are_those_of_the_function(options, function):
    keyword = inspect.Parameter.KEYWORD_ONLY
    named = {name for name, each in inspect.signature(function).parameters.items() if each.kind is keyword}
    assert set(options.__annotations__) | set(get_type_hints(options)) == named


def test_export_knows_the_options_of_every_format():
    known = {
        option
        for form in tw.export.FORMATS.values()
        for kind in form.kinds
        for option in form.options_of(kind)
    }
    assert known == set(ExportOptions.__annotations__)
    of_rules = {option for form in tw.export.FORMATS.values() for option in form.options_of("rules")}
    assert of_rules == set(inspect.signature(to_text).parameters) - {"rules", "format"}


@pytest.mark.parametrize("verb", ["plot", "report", "explain"])
def test_a_model_shows_the_options_of_its_tree(verb):
    own = inspect.signature(getattr(tw.Model, verb)).parameters
    of_tree = inspect.signature(getattr(tw.Tree, verb)).parameters
    assert list(own)[:3] == ["self", next(iter(list(of_tree)[1:])), "data"]
    assert list(own)[3:] == list(of_tree)[3:]


def test_a_model_hands_options_on_and_explains_unknown_ones(tmp_path):
    table = tw.example("vote")
    model = tw.fit(table, "Class")
    assert model.plot(max_depth=1) == model.tree.plot(max_depth=1)
    assert model.explain(0, table, most=1).to_text() == model.tree.explain(0, table, most=1).to_text()
    model.report(tmp_path / "a.html", title="Votes")
    assert "Votes" in (tmp_path / "a.html").read_text(encoding="utf-8")
    with pytest.raises(TypeError, match="plot has no option 'max_dept'; did you mean 'max_depth'"):
        model.plot(max_dept=1)
    assert model.plot(table=table) == model.plot(data=table)
