"""The column Date: why gain is unfair to columns of few values, and what really stops C4.5."""

from __future__ import annotations

from treewright.fitting import grow
from treewright.lectures.blackboard import GAIN, divided, entropy_step
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide, shown
from treewright.lectures.weighted_entropy import ratio_steps
from treewright.table import Table, example
from treewright.tree import Tree

TARGET = "PlayTennis"


def dated() -> Table:
    """Return play tennis with a column Date, D1 to D14, in front.

    >>> dated().names[:2]
    ('Date', 'Outlook')
    """
    tennis = example("tennis")
    days = [f"D{i + 1}" for i in range(tennis.n_rows)]
    orders = {column.name: list(column.categories) for column in tennis.schema.columns}
    return Table.from_dict({"Date": days, **tennis.to_dict()}, categories={"Date": days, **orders})


def date() -> Lesson:
    """Return what gain, gain ratio and C4.5 make of a column that names the row.

    >>> [(s.what, s.value) for s in date().steps if s.what.startswith("Asked at the root")]
    [('Asked at the root by gain', 'Date'), ('Asked at the root by gain ratio', 'Date'), \
('Asked at the root by C4.5', 'Outlook')]
    """
    table = dated()
    by_gain = grow(table, TARGET, "id3", ledger=True)
    by_ratio = grow(table, TARGET, "id3", criterion="gain_ratio", ledger=True)
    faithful = grow(table, TARGET, "c4.5", prune="none", ledger=True)
    about = (
        "A date tells the past perfectly and the future not at all. Its gain is the whole entropy. "
        "Dividing by the split information makes it smaller, but on this table not small enough; what "
        "stops C4.5 is another rule: at least two branches of a test must hold two rows each."
    )
    steps = [*_gain(by_gain, table), *_ratios(by_ratio, table), *_c45(faithful, table)]
    return Lesson("date", "Gain ratio and the column Date", about, tuple(steps))


def _gain(tree: Tree, table: Table) -> list[Step]:
    part = "By gain"
    found = {record["column"]: record["gain"] for record in tree.candidates(0)}
    whole = tree.stats[0].tolist()
    first = entropy_step(f"Entropy of {TARGET}", whole, part=part)
    parts = divided(table, "Date", TARGET)
    filled = f"{shown(first.value)} - {len(parts.known)}·1/{parts.n_rows:g}·0"
    return [
        first,
        Step("Gain of Date: 14 branches of one row each", GAIN, filled, found["Date"], part=part),
        Step("Gain of Outlook, the next", GAIN, "", found["Outlook"], part=part),
        _root_question("gain", tree, Slide("001:23", "Date"), part),
    ]


def _ratios(tree: Tree, table: Table) -> list[Step]:
    part = "By gain ratio"
    found = {record["column"]: record for record in tree.candidates(0)}
    steps = []
    for column in ("Date", "Outlook"):
        steps += ratio_steps(divided(table, column, TARGET), found[column], {}, part)
    note = "The slide says that the ratio penalizes many values. It does; here that is not enough."
    return [*steps, _root_question("gain ratio", tree, None, part, note)]


def _c45(tree: Tree, table: Table) -> list[Step]:
    part = "By C4.5"
    sizes = divided(table, "Date", TARGET).sizes
    least = tree.about["min_branch"]
    return [
        Step(
            f"Branches of Date with at least {least:g} rows; two are needed",
            "",
            "",
            sum(size >= least for size in sizes),
            part=part,
        ),
        Step("Why not Date?", "", "", tree.why_not("Date"), part=part),
        _root_question("C4.5", tree, None, part),
        Step("The tree, not pruned", "", "", tree.to_text(), part=part),
    ]


def _root_question(by: str, tree: Tree, slide: Slide | None, part: str, note: str = "") -> Step:
    return Step(f"Asked at the root by {by}", "", "", tree.candidates(0)[0]["column"], slide, note, part)
