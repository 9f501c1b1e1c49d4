"""The walks: their arithmetic works out, their results come from the data, they can be read in every form."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests.lectures.helpers import walks
from treewright.lectures.arithmetic import worked_out
from treewright.lectures.lesson import Lesson
from treewright.lectures.slide import Slide, shown


@pytest.fixture(params=tw.lectures.names())
def lesson(request: pytest.FixtureRequest) -> Lesson:
    return walks()[request.param]


def test_the_arithmetic_that_is_shown_works_out(lesson: Lesson) -> None:
    """A formula with its numbers comes to the value that the library gave: six digits in, five out."""
    for step in lesson.steps:
        if step.filled:
            assert float(worked_out(step.filled)) == pytest.approx(step.value, abs=2e-5), step.what


def test_verdicts(lesson: Lesson) -> None:
    known = (
        "as printed",
        "rounded",
        "truncated",
        "from rounded numbers",
        "misprint",
        "of its own points",
        "",
    )
    assert {step.verdict.partition(":")[0] for step in lesson.steps} <= set(known)
    assert sum(lesson.tally().values()) == sum(step.slide is not None for step in lesson.steps)


def test_the_only_misprints_are_those_of_the_rulings() -> None:
    found = {
        (s.slide.place, s.verdict)
        for lesson in walks().values()
        for s in lesson.steps
        if "misprint" in s.verdict
    }
    assert found == {
        ("000:413", "misprint: should be 0/4"),
        ("002:136", "misprint: should be Gain(temperature)"),
        ("002:218", "misprint: should be R²/γ²"),
        ("003:408", "misprint: should be teeth"),
        ("004:246", "misprint: the terms give 0.8455, the result is right"),
        ("004:472", "misprint: it gives 360.305556, should be 6.833333"),
    }


def test_it_is_the_same_every_time(lesson: Lesson) -> None:
    assert tw.lectures.lesson(lesson.name) == lesson


def test_forms(lesson: Lesson) -> None:
    text = lesson.to_text()
    assert str(lesson) == text
    assert lesson.to_text(ascii=True).isascii()
    for step in lesson.steps:
        assert step.what in text
        assert step.part
        assert all(line in text for line in shown(step.value).splitlines())
    tables = [line for line in lesson.to_markdown().splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in tables} == {7}
    for backend in ("pandas", "polars", "pyarrow"):
        frame = lesson.to_frame(backend)
        assert frame.shape == (len(lesson.steps), 9)
    with pytest.raises(ValueError, match="numpy"):
        lesson.to_frame("numpy")


def test_names() -> None:
    assert tw.lectures.names() == list(walks())
    for name, lesson in walks().items():
        assert getattr(tw.lectures, name)() == lesson
    with pytest.raises(ValueError, match="did you mean 'tennis'"):
        tw.lectures.lesson("tenis")


@pytest.mark.parametrize("name", ["tennis", "entropy", "date", "gini", "weighted_entropy", "regularised"])
def test_results_come_from_the_table(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One answer of play tennis is changed; the walk must notice, and its verdicts too."""
    ours = walks()[name]
    changed = tw.example("tennis").to_dict()
    assert changed["PlayTennis"][0] == "No"
    changed["PlayTennis"][0] = "Yes"
    table = tw.Table.from_dict(
        changed, categories={c.name: c.categories for c in tw.example("tennis").schema.columns}
    )
    module = __import__(f"treewright.lectures.{name}", fromlist=["example"])
    monkeypatch.setattr(module, "example", lambda _: table)
    other = module.__dict__[name]()
    assert [step.value for step in other.steps] != [step.value for step in ours.steps]
    if name == "tennis":
        assert any(step.verdict.startswith("misprint") for step in other.steps)


def test_every_gain_at_every_node_of_play_tennis() -> None:
    """Three inner nodes: four columns at the root, three below; by the ledger and by `tw.measure`."""
    steps = walks()["tennis"].steps
    by_part: dict[str, dict[str, float]] = {}
    for step in steps:
        if step.what.startswith("Gain of "):
            by_part.setdefault(step.part, {})[step.what.removeprefix("Gain of ")] = step.value
    assert [len(found) for found in by_part.values()] == [4, 3, 3]
    table = tw.example("tennis")
    outlook = table.labels("Outlook")
    for found, rows in zip(
        by_part.values(), (outlook != "", outlook == "Sunny", outlook == "Rainy"), strict=True
    ):
        for name, gain in found.items():
            wanted = tw.measure.information_gain(table.labels(name)[rows], table.labels("PlayTennis")[rows])
            assert gain == pytest.approx(wanted, abs=1e-12)


def test_golden_values_of_the_specification() -> None:
    def values(name: str, start: str) -> list[float]:
        return [step.value for step in walks()[name].steps if step.what.startswith(start)]

    golden = {
        ("temperature", "Gain of"): [0.190875, 0.459148, 0.081704, 0.0, 0.190875],
        ("temperature", "Gain that"): [0.791973],
        ("weather", "Gain of Weather"): [0.4],
        ("weather", "Gain of Temperature"): [0.114525],
        ("mdl", "Bits of a leaf"): [16.219177, 2.151496, 7.167213, 1.943977],
        ("mdl", "Which 5 of 14"): [13.967226],
        ("minimum_error", "Static error,"): [0.375, 0.428571, 0.166667, 0.428571],
        ("minimum_error", "Backed-up error of"): [0.353741],
        ("minimum_error", "Backed-up error, m"): [0.285714, 0.318027, 0.340136, 0.362812, 0.362376, 0.36103],
        ("date", "Gain of Date"): [0.940286],
        ("date", "Split information of Date"): [3.807355],
        ("date", "Gain ratio of Date"): [0.246966],
        ("date", "Gain ratio of Outlook"): [0.156428],
        ("gini", "Decrease by"): [0.116327, 0.018707, 0.091837, 0.030612],
        ("pessimistic", "Standard error"): [1.699265, 1.699265],
    }
    for (name, start), figures in golden.items():
        assert values(name, start) == pytest.approx(figures, abs=5e-7), (name, start)
    statistics = values("chi_square", "Chi-square of")
    assert statistics == pytest.approx([3.5467, 0.5704, 2.8, 0.9333], abs=5e-5)


# ---- verdicts and arithmetic by themselves -------------------------------------------------------------


@given(st.floats(-1000, 1000), st.integers(0, 6))
def test_a_rounded_number_is_never_a_misprint(value: float, digits: int) -> None:
    import decimal

    exact = decimal.Decimal(repr(value))
    unit = decimal.Decimal(1).scaleb(-digits)
    for rounding, words in ((decimal.ROUND_HALF_UP, {"as printed", "rounded"}),
                            (decimal.ROUND_DOWN, {"as printed", "rounded", "truncated"})):  # fmt: skip
        printed = format(exact.quantize(unit, rounding=rounding), "f")
        assert Slide("000:1", printed).verdict(value) in words


@given(st.floats(-1000, 1000), st.integers(0, 6), st.sampled_from([-3, -2, 2, 3]))
def test_a_number_two_units_off_is_one(value: float, digits: int, off: int) -> None:
    printed = f"{round(value, digits) + off * 10.0**-digits:.{digits}f}"
    assert Slide("000:1", printed).verdict(value).startswith("misprint: should be")


@given(st.lists(st.integers(1, 99), min_size=2, max_size=5))
def test_arithmetic_is_exact(numbers: list[int]) -> None:
    text = " + ".join(f"{n}/7" for n in numbers)
    assert worked_out(text) * 7 == sum(numbers)


@pytest.mark.parametrize(
    "text", ["", "1 +", "__import__('os')", "x", "(1).real", "f(2)", "1 if 2 else 3", "[1]", "log2()"]
)
def test_what_is_not_arithmetic(text: str) -> None:
    with pytest.raises(ValueError, match="is not arithmetic"):
        worked_out(text)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_no_number_at_all(value: float) -> None:
    assert Slide("000:1", "0.5").verdict(value) == f"misprint: should be {value}"


def test_parts() -> None:
    lesson = walks()["tennis"]
    assert {step.part for step in lesson.only("Node 1").steps} == {
        "Node 1, Outlook = Sunny: 5 rows, 2 Yes, 3 No"
    }
    with pytest.raises(ValueError, match="its parts are: Node 0"):
        lesson.only("Node 9")
    assert repr(lesson) == f"Lesson(tennis: Play tennis by ID3, {len(lesson.steps)} steps)"
    assert lesson._repr_markdown_() == lesson.to_markdown()


def test_a_step_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        walks()["tennis"].steps[0].value = np.nan
