"""Every command that a command proposes is run: with the options it needs, quoted for the shell."""

from __future__ import annotations

import csv
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.amount import IS_FULL, every
from tests.cli.running import DATA, good, refused, run
from treewright.cli.main import COMMANDS

HOSTILE = [
    "a b",
    "it's",
    'q"uote',
    "$HOME",
    "ümläut",
    "price, net",
    "--x",
    "-y",
    "#1",
    "`id`",
    "a;b",
    "*",
    "\\",
    "!!",
]
FILES = ["my data.csv", "it's $HOME.csv", "ümläut & co;.csv", "-dash.csv", '"q" `id`.csv']
NEEDED = (
    "--target",
    "--ignore",
    "--numeric",
    "--categorical",
    "--ordinal",
    "--missing",
    "--separator",
    "--decimal",
)
NEEDED += (
    "--quote",
    "--encoding",
    "--header",
    "--no-header",
    "--classification",
    "--regression",
    "--weight",
    "--seed",
)

FEW_FOLDS = ["--cv", "2"]
# Where only words are on trial, a comparison tries one way; `./dev test --all` lets it try all.
ONE_WAY = [] if IS_FULL else ["--recipe", "cart", "--prune", "none"]


def proposals(text: str) -> Iterator[list[str]]:
    """Yield the words of every command that a text proposes; after several blanks comes what it is for."""
    for line in text.splitlines():
        found = re.search(r"(?:^  |Perhaps: |^)(treewright [a-z].*)", line)
        if found:
            yield shlex.split(found[1].split(" " * 6)[0])


def needed(words: Sequence[object]) -> set[tuple[str, ...]]:
    """Return the options about the table and its target among the words, with their values."""
    flags = ("--header", "--no-header", "--classification", "--regression")
    pairs = zip(words, [*words[1:], ""], strict=True)
    return {(str(a),) if a in flags else (str(a), str(b)) for a, b in pairs if a in NEEDED}


def follow(
    words: Sequence[object], depth: int = 2, is_full: bool = False, only_words: bool = False
) -> list[list[str]]:
    """Run a command and all that it proposes, and what these propose; return the proposed ones.

    A comparison, whose ten folds take longer than all else, has two, unless it is to be the full one;
    and one way to grow and prune where only its words are on trial.
    """
    less = [*FEW_FOLDS, *(ONE_WAY if only_words else [])]
    seen: list[list[str]] = []
    open_ = [(list(words), depth)]
    while open_:
        typed, left = open_.pop()
        result = good(*typed)
        found = list(proposals(result.stderr))
        for command, *rest in found:
            assert command == "treewright"
            assert rest[0] in COMMANDS
            if rest[0] in ("fit", "compare") and typed[0] in ("fit", "compare"):
                assert needed(typed) <= needed(rest), (typed, rest)
            if left and rest not in seen:
                seen.append(rest)
                is_shorter = rest[0] == "compare" and "--cv" not in rest and not is_full
                open_.append(([*rest, *less] if is_shorter else rest, left - 1))
    return seen


def write_csv(place: Path, names: Sequence[str], rows: Sequence[Sequence[object]], **how: str) -> None:
    with open(place, "w", encoding=how.pop("encoding", "utf-8"), newline="") as file:
        csv.writer(file, **how).writerows([names, *rows])  # type: ignore[arg-type]


def customers(n: int = 60) -> list[list[object]]:
    """Rows: id, a date, a code for a gap, a size, a weight, and whether the customer left."""
    draw = random.Random(3)
    rows: list[list[object]] = []
    for i in range(n):
        age = draw.choice([-9, *range(18, 80)])
        day = f"20{draw.randint(10, 22)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
        left = int((age > 50) != (draw.random() < 0.1))
        rows.append([f"c{i}", day, age, draw.choice("SML"), draw.randint(1, 3), left])
    return rows


NAMES = ["id", "joined", "age", "size", "n", "left"]
OPTIONS: list[list[str]] = [
    ["--ignore", "id,joined"],
    ["--ignore", "id", "--numeric", "joined"],
    ["--ignore", "id", "--categorical", "joined,n", "--missing", "-9"],
    ["--ignore=id,joined", "--ordinal", "size:S<M<L", "--weight", "n", "--seed", "7"],
    ["--ignore", "id,joined", "--regression"],
    ["--ignore", "id,joined", "--classification", "--recipe", "cart", "--prune", "mdl"],
    ["--ignore", "id,joined", "--max-depth", "2", "--set", "ties=order", "--threads", "1"],
    ["--ignore", "id,joined", "--forest", "5"],
    ["--ignore", "id,joined", "--cv", "0"],
    ["--ignore", "id,joined", "--cv", "0", "--test", "0.3"],
    ["--ignore", "id,joined", "--cv", "3", "--json"],
    ["--ignore", "id,joined", "--cv", "0", "-omodel.treewright"],
    ["--ignore", "id,joined", "--cv", "0", "-o", "-my model's.treewright", "--report", "r.html"],
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a table that needs options."""
    monkeypatch.chdir(tmp_path)
    write_csv(tmp_path / "iso.csv", NAMES, customers())
    shutil.copy("iso.csv", "NEW_DATA.csv")
    return tmp_path


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_what_fit_proposes_runs(folder: Path, options: list[str]) -> None:
    found = follow(
        ["fit", "iso.csv", "--target", "left", *options], is_full=IS_FULL and options is OPTIONS[0]
    )
    assert len(found) > 1
    is_saved = any(option.startswith("-o") for option in options)
    assert {words[0] for words in found} >= ({"show", "predict"} if is_saved else {"fit"})


def test_what_compare_proposes_runs(folder: Path) -> None:
    options = ["--ignore", "id,joined", "--missing", "-9", "--weight", "n", "--seed", "3", "--max-depth", "3"]
    ways = ["--recipe", "cart", "--prune", "cost_complexity:alpha=0.01", "--prune", "none"]
    found = follow(["compare", "iso.csv", "--target", "left", "--cv", "3", *options, *ways], depth=1)
    assert [words[0] for words in found] == ["fit"]


@pytest.mark.parametrize("name", FILES)
def test_names_of_files_are_quoted(folder: Path, name: str) -> None:
    shutil.copy("iso.csv", name)
    typed = f"./{name}" if name.startswith("-") else name
    found = follow(
        ["fit", typed, "--target", "left", "--ignore", "id,joined", "--max-depth", "2"],
        depth=1,
        only_words=True,
    )
    assert {words[0] for words in found} == {"fit", "compare"}
    if name.startswith("-"):
        assert good("fit", "--target", "left", "--ignore", "id,joined", "--cv", 0, "--", name).exit_code == 0
        follow(["fit", "--target", "left", "--ignore", "id,joined", "--cv", 0, "--", name], depth=1)


@pytest.mark.parametrize("shift", every(2, range(len(HOSTILE))))
def test_names_of_columns_are_quoted(folder: Path, shift: int) -> None:
    """Hostile columns are ignored, ordered, weigh, are the target; with --all each name in each place."""
    left_out, order, weight, target = (HOSTILE[(shift + i) % len(HOSTILE)] for i in range(4))
    write_csv(folder / "odd.csv", [left_out, "joined", "age", order, weight, target], customers())
    options = ["--ignore", f"joined,{listed(left_out)}", "--ordinal", f"{order}:S<M<L", "--weight", weight]
    follow(
        ["fit", "odd.csv", "--target", target, *options, "--classification", "--cv", 2, "--max-depth", 1],
        depth=1,
        only_words=True,
    )


def listed(name: str) -> str:
    return name.replace(",", "\\,")


@pytest.mark.parametrize(
    ("layout", "options"),
    [
        ({"delimiter": ";"}, ["--separator", ";"]),
        ({"delimiter": "|", "quotechar": "'"}, ["--separator", "|", "--quote", "'"]),
        ({"delimiter": "\t", "encoding": "latin-1"}, ["--separator", "tab", "--encoding", "latin-1"]),
        ({}, ["--no-header", "--ignore", "c1,c2"]),
    ],
)
def test_the_layout_is_told_again(folder: Path, layout: dict[str, str], options: list[str]) -> None:
    rows = [[f"{row[0]}ü'", *row[1:]] for row in customers()]
    if "--no-header" in options:
        write_csv(folder / "odd.csv", [str(cell) for cell in rows[0]], rows[1:], **layout)
        more = ["--target", "c6", *options]
    else:
        write_csv(folder / "odd.csv", NAMES, rows, **layout)
        more = ["--target", "left", "--ignore", "id,joined", *options]
    shutil.copy("odd.csv", "NEW_DATA.csv")
    follow(["fit", "odd.csv", *more, "--max-depth", 2], depth=1, only_words=True)
    saved = follow(["fit", "odd.csv", *more, "--cv", 0, "-o", "m.treewright"], depth=1)
    predict = next(words for words in saved if words[0] == "predict")
    assert needed(options) - {("--ignore", "c1,c2")} <= needed(predict)


def test_what_prune_proposes_runs(folder: Path) -> None:
    good(
        "fit",
        "iso.csv",
        "--target",
        "left",
        "--ignore",
        "id,joined",
        "--prune",
        "none",
        "--cv",
        0,
        "-o",
        "big one.tw",
    )
    shutil.copy("iso.csv", "my rows.csv")
    typed = ["prune", "big one.tw", "--method", "error_based:confidence=0.1", "--data", "my rows.csv"]
    assert follow(typed) == [[*typed, "-o", "small.treewright"]]


def test_other_commands_propose_nothing_that_fails(folder: Path) -> None:
    good("fit", "iso.csv", "--target", "left", "--ignore", "id,joined", "--cv", 0, "-o", "m.treewright")
    for words in (
        ["check", "iso.csv"],
        ["predict", "m.treewright", "iso.csv", "-o", "answers.csv"],
        ["evaluate", "m.treewright", "iso.csv"],
        ["explain", "m.treewright", "iso.csv", "--row", 1],
        ["rules", "m.treewright"],
        ["report", "m.treewright", "-o", "r.html"],
        ["plot", "m.treewright", "t.svg"],
        ["show", "m.treewright"],
        ["separable", "iso.csv", "--target", "left", "--ignore", "id,joined"],
        ["demo"],
        ["lecture"],
    ):
        follow(words)


@pytest.mark.parametrize("command", ["fit", "compare", "separable"])
def test_a_target_that_was_forgotten(folder: Path, command: str) -> None:
    shutil.copy("iso.csv", "my data.csv")
    result = run(command, "my data.csv", "--ignore", "id,joined", "--missing", "-9")
    assert result.exit_code == 2
    (words,) = proposals(result.stderr)
    assert words[1] == command
    follow([*words[1:], *FEW_FOLDS] if command == "compare" else words[1:], depth=0)
    assert needed(["--ignore", "id,joined", "--missing", "-9", "--target", "left"]) <= needed(words)


@pytest.mark.parametrize("name", [*HOSTILE, "joined"])
def test_options_that_errors_propose_are_quoted(folder: Path, name: str) -> None:
    """Long integers are refused with an option that, typed as it is written, mends the command."""
    rows = [[row[0], str(2**53 + 1 + 2 * i), *row[2:]] for i, row in enumerate(customers())]
    write_csv(folder / "odd.csv", ["id", name, *NAMES[2:]], rows)
    typed = ["fit", "odd.csv", "--target", "left", "--ignore", "id", "--cv", "0"]
    said = refused(*typed)
    options = [
        found[0] for found in re.finditer(r"--(numeric|categorical|ignore) ('[^']*'(\"'\"'[^']*')*)", said)
    ]
    assert len(options) == 1
    for option in options:
        words = shlex.split(option)
        assert words[1] == listed(name)
        good(*typed, *words)


def test_doubts_are_quoted(folder: Path) -> None:
    write_csv(folder / "odd.csv", ["my, id's", *NAMES[1:]], customers())
    typed = ["fit", "odd.csv", "--target", "left", "--ignore", "joined", "--cv", "0"]
    said = " ".join(good(*typed).stderr.split())
    option = re.search(r"; (--keep .*?) uses it", said)
    assert option is not None
    words = shlex.split(option[1])
    assert words == ["--keep", "my\\, id's"]
    assert "different values" not in good(*typed, *words).stderr


@pytest.mark.skipif(os.name == "nt", reason="the lines are quoted for POSIX shells")
def test_a_shell_understands_the_lines(folder: Path) -> None:
    """Typed into a shell as they stand, blanks, quotes, umlauts, dollars and stars included."""
    name = 'it\'s $HOME `id` "ü" *.csv'
    rows = customers()
    write_csv(folder / name, ["$(id) it's, *", "joined", *NAMES[2:]], rows)
    program = folder / "bin" / "treewright"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m treewright "$@"\n', "utf-8")
    program.chmod(0o755)
    said = good(
        "fit", name, "--target", "left", "--ignore", "$(id) it's\\, *,joined", "--max-depth", 2
    ).stderr
    lines = [line.split(" " * 6)[0] for line in said.splitlines() if line.startswith("  treewright ")]
    assert len(lines) == 3
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    for line in lines:
        done = subprocess.run(
            ["sh", "-c", line],
            env={**os.environ, "PATH": path},
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()


def test_a_model_that_is_not_there(folder: Path) -> None:
    said = refused("show", "my model.treewright")
    assert "-o 'my model.treewright'" in said


def test_the_shipped_tables_need_no_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(DATA / "vote.csv", "votes of 1984.csv")
    follow(["fit", "votes of 1984.csv", "--target", "Class", "--max-depth", 2], depth=1)
