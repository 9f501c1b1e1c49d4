"""The tables of docs/programs.md: where trees agree with C4.5 release 8 and with J48, where not, and why.

They are made of what the tests in this folder hold to be true, run by run, so the page cannot say anything
else than they do. `./dev python -m tests.golden.agreement` writes them into the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.golden import test_c45, test_c45_pruned, test_fold_values, test_peers
from tests.tables import peers

PAGE = Path(__file__).parents[2] / "docs" / "programs.md"
Run = tuple[str, str]  # table and setting

OPTIONS = {
    "default": "default",
    "gain": "`-g`",
    "m1": "`-m 1`",
    "m5": "`-m 5`",
    "cf5": "`-c 5`",
    "j48": "`-C 0.25 -M 2`",
    "j48_noraise": "`-S`",
    "j48_unpruned": "`-U`",
}

SIDE = "a side of a cut weighs 2 exactly; in single precision 1.9999995, under the least"
RATIOS = "several gain ratios are exactly equal: the first column here, rounding there"
PRUNED_SO = "grown otherwise (above); from the program's own tree, its own numbers"
NOT_SHOWN = "not shown; the twin in single precision has neither tree"
PRUNED_OTHERWISE = "grown alike in size and errors, pruned otherwise; not shown"
NO_GAIN = (
    "at one node the best test gains nothing: J48 stops, release 8 and ours go on; as a leaf, J48's numbers"
)
ROUNDED = "the twin in single precision has the program's number"
DIVIDED = "not shown; a tree of thousands of nodes with divided rows"
DIVIDED_LIKE_J48 = f"{DIVIDED}; J48 agrees with us in all ten"

# ---- why, run by run -------------------------------------------------------------------------------------

BEFORE: Mapping[Run, str] = {
    run: {"labor": SIDE, "mushroom": RATIOS, "soybean": RATIOS}[run[0]] for run in test_c45.ROUNDED_THERE
} | dict.fromkeys(test_c45.NOT_EXPLAINED, NOT_SHOWN)
AFTER: Mapping[Run, str] = dict.fromkeys(test_c45_pruned.ROUNDED_THERE, PRUNED_SO) | {
    run: PRUNED_OTHERWISE if run[0] == "fertility" else NOT_SHOWN for run in test_c45_pruned.NOT_EXPLAINED
}
OF_J48: Mapping[Run, str] = {("monk2", "j48_unpruned"): NO_GAIN}
OF_FOLDS: Mapping[Run, str] = {
    ("crx", "gain"): ROUNDED,
    ("adult", "default"): DIVIDED_LIKE_J48,
    ("adult", "gain"): DIVIDED,
    ("adult", "j48_unpruned"): DIVIDED,
}


# ---- the tables ------------------------------------------------------------------------------------------


def tables() -> dict[str, str]:
    """Return each table of the page by its name."""
    return {
        "counts": table(("program", "what is compared", "the same", "of"), counts()),
        "before": table(
            ("table", "option", "release 8: nodes, errors", "here", "J48 at its defaults", "why"),
            differences(BEFORE, "_before_pruning", test_c45.ROUNDED_THERE | test_c45.NOT_EXPLAINED),
        ),
        "after": table(
            ("table", "option", "release 8: nodes, errors", "here", "J48 at its defaults", "why"),
            differences(AFTER, "", test_c45_pruned.ROUNDED_THERE | test_c45_pruned.NOT_EXPLAINED),
        ),
        "j48": table(("table", "option", "J48: leaves, errors", "here", "why"), differences_from_j48()),
        "folds": table(("table", "program", "option", "folds the same", "why"), folds()),
    }


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    lines = [list(head), *map(list, rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def row_of(run: Run) -> dict[str, str]:
    """Return what a program found."""
    return next(r for r in peers() if (r["data"], r["setting"]) == run)


def counts() -> Iterator[tuple[str, str, str, str]]:
    """Yield how many runs and folds agree."""
    size = "size and training errors"
    of_j48 = [run for run in test_peers.CASES if run[0] == "j48_unpruned"]
    for program, what, n_differ, n in (
        ("C4.5 release 8", f"{size} before pruning", len(BEFORE), len(test_c45.ROWS)),
        ("C4.5 release 8", f"{size} after pruning", len(AFTER), len(test_c45_pruned.ROWS)),
        ("J48", f"{size} before pruning", len(OF_J48), len(of_j48)),
        ("J48", f"{size} after pruning, with and without raising", 0, len(test_c45_pruned.J48)),
    ):
        yield program, f"{what}, of whole tables", str(n - n_differ), str(n)
    for program in ("C4.5", "J48"):
        agree, n = test_fold_values.agreement()[program]
        name = "C4.5 release 8" if program == "C4.5" else program
        stage = "after pruning" if program == "C4.5" else "before and after pruning"
        yield name, f"rows right {stage}, in each fold of ten", str(agree), str(n)


def differences(
    why: Mapping[Run, str], stage: str, ours: Mapping[Run, tuple[int, int]]
) -> Iterator[tuple[str, ...]]:
    """Yield the runs of whole tables that differ from release 8."""
    for run, reason in sorted(why.items()):
        theirs = f"{row_of(run)['nodes' + stage]}, {row_of(run)['train_errors' + stage]}"
        here = ", ".join(map(str, ours[run]))
        yield run[0], OPTIONS[run[1]], theirs, here, witness(run[0]), reason


def witness(name: str) -> str:
    """Return whether J48, in double precision, grows and prunes our trees on a table."""
    asked = [r for r in peers() if r["data"] == name and r["setting"].startswith("j48")]
    assert asked
    return "differs" if any((name, r["setting"]) in OF_J48 for r in asked) else "as here"


def differences_from_j48() -> Iterator[tuple[str, ...]]:
    """Yield the runs of whole tables that differ from J48."""
    for run, reason in sorted(OF_J48.items()):
        theirs = f"{row_of(run)['leaves']}, {row_of(run)['train_errors']}"
        here = ", ".join(map(str, test_peers.DIFFERS[run[1], run[0]]))
        yield run[0], OPTIONS[run[1]], theirs, here, reason


def folds() -> Iterator[tuple[str, ...]]:
    """Yield the runs in folds that do not agree in all ten."""
    for (name, setting), n in sorted(test_fold_values.AGREE.items()):
        if not setting.startswith("rpart"):
            program = "J48" if setting.startswith("j48") else "C4.5 release 8"
            yield name, program, OPTIONS[setting], f"{n} of 10", OF_FOLDS[name, setting]


# ---- the page --------------------------------------------------------------------------------------------


def filled(page: str) -> str:
    """Return the page with the tables between its marks as they should be."""
    for name, lines in tables().items():
        place = re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", re.DOTALL)
        page, n = place.subn(f"{lines}\n".replace("\\", r"\\"), page)
        assert n == 1, f"the page has {n} places for the table {name!r}"
    return page


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")
