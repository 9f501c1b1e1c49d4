"""The worked gains and gain ratios of lecture 004, on groups of its own."""

from __future__ import annotations

import numpy as np

from treewright import measure
from treewright.fitting import grow
from treewright.lectures.blackboard import Divided, divided, entropy_step, entropy_text, gain_steps
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide, shown
from treewright.table import Table, example

CLASSES = ("Yes", "No")

# Answer -> rows of each class, as the slide's fractions say.
OUTLOOK = {"Sunny": (2, 3), "Overcast": (4, 0), "Rain": (1, 4)}
TEMPERATURE = {"Hot": (2, 2), "Mild": (1, 3), "Cool": (4, 2)}

SLIDES = {
    "Outlook": {
        "Sunny": Slide("004:228", "0.9710", "-3/5·log2(3/5) - 2/5·log2(2/5)"),
        "Overcast": Slide("004:230", "0", "-4/4·log2(4/4)"),
        "Rain": Slide("004:232", "0.7219", "-4/5·log2(4/5) - 1/5·log2(1/5)"),
        "mean": Slide("004:234", "0.6046", "5/14·0.9710 + 4/14·0 + 5/14·0.7219"),
        "gain": Slide("004:236", "0.3954", "1 - 0.6046"),
        "split": Slide("004:274", "1.5774", "-5/14·log2(5/14) - 4/14·log2(4/14) - 5/14·log2(5/14)"),
        "ratio": Slide("004:276", "0.2507", "0.3954/1.5774"),
    },
    "Temperature": {
        "Hot": Slide("004:240", "1", "-2/4·log2(2/4) - 2/4·log2(2/4)"),
        "Mild": Slide("004:242", "0.8113", "-1/4·log2(1/4) - 3/4·log2(3/4)"),
        "Cool": Slide("004:244", "0.9183", "-4/6·log2(4/6) - 2/6·log2(2/6)"),
        "mean": Slide("004:246", "0.9111", "4/14·1 + 4/14·0.8113 + 5/14·0.9183"),
        "gain": Slide("004:248", "0.0889", "1 - 0.9111"),
        "split": Slide("004:282", "1.5567", "-4/14·log2(4/14) - 4/14·log2(4/14) - 6/14·log2(6/14)"),
        "ratio": Slide("004:284", "0.0571", "0.0889/1.5567"),
    },
}


def weighted_entropy() -> Lesson:
    """Return the worked example of lecture 004: two gains, two gain ratios, and a misprint.

    >>> [step.verdict for step in weighted_entropy().steps if step.verdict.startswith("misprint")]
    ['misprint: the terms give 0.8455, the result is right']
    """
    steps: list[Step] = []
    for column, groups in (("Outlook", OUTLOOK), ("Temperature", TEMPERATURE)):
        steps += _steps(column, groups)
    steps += _beside_the_table()
    about = (
        "Lecture 004 works two gains on groups drawn beside the slide: seven of each class, so that H(X) = "
        "1. They are not the groups of the play-tennis table printed earlier in the same lecture; see the "
        "last part."
    )
    return Lesson("weighted_entropy", "Weighted entropy and gain ratio", about, tuple(steps))


def table_of(column: str, groups: dict[str, tuple[int, int]]) -> Table:
    """Return the rows that such groups stand for.

    >>> table_of("Outlook", OUTLOOK).n_rows
    14
    """
    cells = [
        (answer, label)
        for answer, n in groups.items()
        for label, k in zip(CLASSES, n, strict=True)
        for _ in range(k)
    ]
    answers, labels = zip(*cells, strict=True)
    return Table.from_dict(
        {column: list(answers), "Play": list(labels)},
        categories={column: list(groups), "Play": list(CLASSES)},
    )


def _steps(column: str, groups: dict[str, tuple[int, int]]) -> list[Step]:
    table, part, slides = table_of(column, groups), f"By {column}", SLIDES[column]
    found = grow(table, "Play", "id3", criterion="gain_ratio", ledger=True).candidates(0)[0]
    parts = divided(table, column, "Play")
    whole = np.sum(parts.counts, axis=0).tolist()
    steps = [entropy_step("H(X), seven of each", whole, part=part)]
    steps += gain_steps(parts, whole, found["gain"], CLASSES, slides, part)
    if column == "Temperature":
        mean = steps[-2]
        note = "Cool has 6 of the 14 rows: 6/14 is meant where the slide has 5/14."
        steps[-2] = Step(mean.what, mean.formula, mean.filled, mean.value, mean.slide, note, part)
    steps += ratio_steps(parts, found, slides, part)
    return steps


def ratio_steps(parts: Divided, found: dict[str, float], slides: dict[str, Slide], part: str) -> list[Step]:
    """Return the steps from a gain to a gain ratio; `found` is the ledger's record."""
    filled = f"{shown(found['gain'])}/{shown(found['split_info'])}"
    return [
        Step(
            f"Split information of {parts.column}: the entropy of the branch sizes",
            "-Σ N_v/N·log2(N_v/N)",
            entropy_text(parts.sizes),
            found["split_info"],
            slides.get("split"),
            part=part,
        ),
        Step(
            f"Gain ratio of {parts.column}",
            "gain/split information",
            filled,
            found["score"],
            slides.get("ratio"),
            part=part,
        ),
    ]


def _beside_the_table() -> list[Step]:
    part = "Beside the table of the same lecture"
    steps = []
    for column in ("Outlook", "Temperature"):
        parts = divided(example("tennis"), column, "PlayTennis")
        gain = float(measure.information_gain(np.array(parts.counts)))
        words = "; ".join(
            f"{answer} {yes:g}:{no:g}" for answer, (yes, no) in zip(parts.answers, parts.counts, strict=True)
        )
        steps.append(
            Step(
                f"Gain of {column} in the 14 rows of play tennis",
                "H - Σ N_v/N·H(v)",
                "",
                gain,
                note=f"There the groups are {words} (Yes:No).",
                part=part,
            )
        )
    return steps
