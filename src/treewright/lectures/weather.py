"""The ten days of the practice problems: the gain of Weather and of Temperature."""

from __future__ import annotations

from treewright.fitting import grow
from treewright.lectures.blackboard import divided, entropy_step, gain_steps
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide
from treewright.table import example

TARGET = "Play"

# The slides leave the last step to the reader: they print the terms, here with B(q) written out.
_B = "(-({q})·log2({q}) - (1 - {q})·log2(1 - {q}))"


def _b(q: str) -> str:
    return _B.format(q=q)


SLIDES = {
    "Weather": {
        "gain": Slide(
            "002:132",
            "1 - [3/10·B(1/3) + 3/10·B(3/3) + 4/10·B(1/4)]",
            f"1 - (3/10·{_b('1/3')} + 3/10·{_b('3/3')} + 4/10·{_b('1/4')})",
        )
    },
    "Temperature": {
        "gain": Slide(
            "002:136",
            "1 - [4/10·B(2/4) + 5/10·B(3/5) + 1/10·B(0/1)]",
            f"1 - (4/10·{_b('2/4')} + 5/10·{_b('3/5')} + 1/10·{_b('0/1')})",
        )
    },
}


def weather() -> Lesson:
    """Return the ten days of the practice problems, with the gains that the notes leave to the reader.

    >>> [round(step.value, 6) for step in weather().steps if step.what.startswith("Gain of")][:2]
    [0.4, 0.114525]
    """
    table = example("section10_weather")
    tree = grow(table, TARGET, "id3", ledger=True)
    whole, classes = tree.stats[0].tolist(), tree.classes
    gain = {record["column"]: record["gain"] for record in tree.candidates(0)}
    part = "At the root: 10 rows, 5 Yes, 5 No"
    steps = [entropy_step(f"Entropy of {TARGET}", whole, Slide("002:132", "1"), part)]
    for column in tree.schema.names:
        steps += gain_steps(
            divided(table, column, TARGET), whole, gain[column], classes, SLIDES.get(column, {}), part
        )
    steps.append(
        Step(
            "Name of the second gain",
            "",
            "",
            "Gain(temperature)",
            Slide("002:136", "Gain(weather)"),
            "The terms are those of the temperature; only the name was copied.",
            part,
        )
    )
    steps.append(Step("After Weather, ID3 goes on", "", "", tree.to_text(), part="The tree"))
    about = (
        "Problem 1 of lecture 002: what is gained by asking the weather, what by asking the temperature? "
        "The notes print the terms; here they are worked out."
    )
    return Lesson("weather", "Ten days of weather", about, tuple(steps))
