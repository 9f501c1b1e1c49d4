"""Which restaurant column to ask first: Patrons against Type."""

from __future__ import annotations

from treewright.fitting import grow
from treewright.lectures.blackboard import divided, entropy_step, gain_steps
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide, share, shown
from treewright.table import example

TARGET = "Wait"

PATRONS = {
    "None": Slide("000:409", "0", "-(0/(0+2)·log2(0/(0+2)) + 2/(0+2)·log2(2/(0+2)))"),
    "Some": Slide("000:413", "0", "-(4/(4+0)·log2(4/(4+0)) + 4/(4+0)·log2(4/(4+0)))"),
    "Full": Slide("000:417", "0.9", "-(2/(2+4)·log2(2/(2+4)) + 4/(2+4)·log2(4/(2+4)))"),
    "mean": Slide("000:425", "0.45", "2/12·0 + 4/12·0 + 6/12·0.9"),
}
TYPE = {"mean": Slide("000:401", "1")}


def restaurant() -> Lesson:
    """Return the twelve restaurants: what Patrons tells, and that Type tells nothing.

    >>> [step.value for step in restaurant().steps if step.what == "Asked here"]
    ['Pat']
    """
    table = example("restaurant")
    tree = grow(table, TARGET, "id3", ledger=True)
    whole, classes = tree.stats[0].tolist(), tree.classes
    gain = {record["column"]: record["gain"] for record in tree.candidates(0)}
    part = "Patrons against Type"
    steps = [entropy_step(f"Entropy of {TARGET}: six of twelve wait", whole, part=part)]
    patrons = divided(table, "Pat", TARGET)
    steps += gain_steps(patrons, whole, gain["Pat"], classes, PATRONS, part)
    steps += gain_steps(divided(table, "Type", TARGET), whole, gain["Type"], classes, TYPE, part)
    waiting, leaving = patrons.counts[patrons.answers.index("Some")]
    steps.append(
        Step(
            "The second share in the branch Some",
            "N_no/N",
            "",
            share(leaving, waiting + leaving),
            Slide("000:413", "4/4"),
            "The slide writes 4/4 for both answers. Their logarithms are 0 anyway, so its result stands.",
            part,
        )
    )
    steps += [
        Step("All ten columns", "gain, best first", "", _ranking(gain), part="At the root"),
        Step(
            "Asked here",
            "argmax gain",
            "",
            tree.candidates(0)[0]["column"],
            Slide("000:403", "Pat"),
            "",
            "At the root",
        ),
        Step("The tree by ID3", "", "", tree.to_text(), part="At the root"),
    ]
    about = (
        "Twelve visits: wait for a table or not? Asking how many patrons there are leaves little doubt, "
        "asking the type of kitchen leaves all of it. Lectures 000 and 002; row 10 has the estimate 0-30, "
        "as on the slide."
    )
    return Lesson("restaurant", "Patrons against Type", about, tuple(steps))


def _ranking(gain: dict[str, float]) -> str:
    return ", ".join(f"{name} {shown(gain[name])}" for name in sorted(gain, key=lambda name: -gain[name]))
