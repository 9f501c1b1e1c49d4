"""What all commands share: the list of commands, words that were meant, JSON, places, failures, bars."""

from __future__ import annotations

import io
import json
import os
import sys

import click
import pytest
from click.testing import CliRunner

from tests.cli.running import DATA, refused, run
from treewright.base.advice import ask, read_with, refusal
from treewright.cli import failure, files, options, output, progress
from treewright.cli.main import COMMANDS, main

VOTE = DATA / "vote.csv"


# ---- the list of commands -----------------------------------------------------------------------------


@pytest.mark.parametrize("word", COMMANDS)
def test_the_row_of_a_command_is_its_first_line_of_help(word):
    command = main.get_command(click.Context(main), word)
    assert command.get_short_help_str(limit=200) == COMMANDS[word].about
    assert len(COMMANDS[word].about) < 70
    shown = run(word, "--help")
    assert shown.exit_code == 0
    assert COMMANDS[word].about in " ".join(shown.output.split())


@pytest.mark.parametrize("word", COMMANDS)
def test_every_command_has_json(word):
    assert "--json" in run(word, "--help").output


@pytest.mark.parametrize("word", [word for word in COMMANDS if word not in ("demo", "example", "lecture")])
def test_a_command_without_words_shows_its_help(word):
    assert "Usage: treewright " + word in run(word).output


def test_the_parts_of_the_help_stand_together():
    shown = run("--help").output
    for part in {row.part for row in COMMANDS.values()}:
        section = shown.split(f"\n{part}:\n")[1].split("\n\n")[0]
        words = [line.split()[0] for line in section.splitlines()]
        assert words == [word for word, row in COMMANDS.items() if row.part == part]


def test_an_unknown_command():
    assert "did you mean 'predict'?" in refused("predcit", code=2)
    assert "There is no command 'zzz'. The commands are: demo" in refused("zzz", code=2)


# ---- failures -----------------------------------------------------------------------------------------


def told(error: BaseException) -> tuple[int, str]:
    """Return the code and the words for an exception that a command lets through."""

    @click.command()
    def command() -> None:
        with failure.report_failures():
            raise error

    result = CliRunner().invoke(command)
    return result.exit_code, result.stderr


def test_our_mistakes_are_told_as_ours():
    for error in (ZeroDivisionError("by zero"), KeyError("x"), AssertionError(), ValueError("not from here")):
        code, said = told(error)
        assert code == 70
        assert "a mistake that is not yours" in said
        assert "TREEWRIGHT_TRACEBACK=1" in said
        assert "Traceback" not in said


def test_a_traceback_can_be_had(monkeypatch):
    monkeypatch.setenv("TREEWRIGHT_TRACEBACK", "1")
    assert "Traceback" in told(ZeroDivisionError("by zero"))[1]


def test_troubles_of_the_system_are_the_users():
    assert told(FileNotFoundError(2, "No such file or directory", "a.csv")) == (
        1, "Error: 'a.csv': No such file or directory.\n"
    )  # fmt: skip
    assert told(OSError(28, "No space left on device"))[1] == "Error: No space left on device\n"
    assert told(MemoryError())[0] == 1
    assert told(KeyboardInterrupt())[0] == 130
    assert told(BrokenPipeError()) == (141, "")


def test_settings_are_told_as_options():
    asks = (ask("max_depth", 3), ask("missing", "error"), ask("recipe", "c4.5"))
    error = refusal(asks[0], " with ", asks[1], ", ", asks[2], " or ", read_with("kinds", {"a b": "numeric"}))
    assert str(error) == "max_depth=3 with missing='error', recipe='c4.5' or kinds={'a b': 'numeric'}"
    said = failure.in_options(error)
    assert said == "--max-depth 3 with --missing-policy error, --recipe c4.5 or --numeric 'a b'"


# ---- options ------------------------------------------------------------------------------------------


def reading(*words: str) -> dict[str, object]:
    found: dict[str, object] = {}

    @click.command()
    @options.reading_options
    def command(reading: dict[str, object]) -> None:
        found.update(reading)

    result = CliRunner().invoke(command, list(words))
    assert result.exit_code == 0, result.output
    return found


def test_reading_options_are_those_that_were_given():
    assert reading() == {}
    words = ["--separator", ";", "--decimal", ",", "--quote", "'", "--encoding", "latin-1", "--no-header"]
    assert reading(*words) == {
        "separator": ";", "decimal": ",", "quote": "'", "encoding": "latin-1", "header": False
    }  # fmt: skip
    words = ["--missing", "-9", "--missing", "none", "--categorical", "zip,area", "--ignore", "id"]
    more = {"categorical": ["zip", "area"], "ignore": ["id"]}
    assert reading(*words) == {"missing": [*options.usual_marks(), "-9", "none"], **more}
    assert reading("--missing", "", "--missing", "-9") == {"missing": ["", "-9"]}  # and no others
    assert reading("--ordinal", "size:S<M<L", "--ordinal", "a:b:1<2") == {
        "ordinal": {"size": ["S", "M", "L"], "a:b": ["1", "2"]}
    }


@pytest.mark.parametrize("text", ["size", "size:S", ":S<M", "size:S<<L"])
def test_orders_that_are_none(text):
    said = refused("fit", VOTE, "--target", "Class", "--ordinal", text, code=2)
    assert 'Write --ordinal "size:small<medium<large"' in said


# ---- output -------------------------------------------------------------------------------------------


class Narrow(io.StringIO):
    """A stream that can show ASCII only."""

    encoding = "ascii"


def test_signs_that_a_stream_has_not(monkeypatch):
    stream = Narrow()
    monkeypatch.setattr(sys, "stdout", stream)
    output.show("0.5 ± 0.1 → … Zürich ≤ 3")
    assert stream.getvalue() == "0.5 +/- 0.1 -> ... Z\\xfcrich <= 3\n"


def test_json_has_no_numbers_that_json_has_not(capsys):
    output.show_json({"a": float("nan"), "b": [float("inf"), 1.5], 3: (1, "é")})
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": [None, 1.5], "3": [1, "é"]}


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("colourless", ["", "1"])
def test_styles_are_for_terminals_that_want_them(monkeypatch, colourless):
    monkeypatch.setenv("NO_COLOR", colourless)
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    output.head("Title")
    assert ("\x1b[1m" in stream.getvalue()) == (colourless == "")


def test_a_bar_moves_on_a_terminal_only(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress.progress("Growing") as watch:
        watch(0.25)
        watch(0.5)
    shown = stream.getvalue()
    assert "Growing" in shown
    assert "50%" in shown
    for kind in (io.StringIO(), stream):
        monkeypatch.setattr(sys, "stderr", kind)
        monkeypatch.setenv("TERM", "dumb")
        with progress.progress("Nothing") as watch:
            watch(0.5)
        assert "Nothing" not in kind.getvalue()


# ---- files --------------------------------------------------------------------------------------------


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    place = tmp_path / "a.txt"
    place.write_text("old")

    def interrupted() -> None:
        with files.replacing(place) as spare, open(spare, "w") as file:
            file.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert place.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]
    files.write_text(place, "new")
    assert place.read_text() == "new"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_may_not_be_written_to(tmp_path):
    os.chmod(tmp_path, 0o500)
    with pytest.raises(failure.Failure, match="may not be written to"):
        files.check_place(tmp_path / "a")
