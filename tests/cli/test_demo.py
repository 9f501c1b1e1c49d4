"""`treewright demo`, as a newcomer meets it."""

import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

import treewright as tw
from tests.paint.looking import faults
from treewright.cli.demo import NEXT, every_third_kept_back, wilson_interval
from treewright.cli.main import COMMANDS, main
from treewright.cli.pictures import ENDS, PICTURES


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo") / "files"


@pytest.fixture(scope="module")
def shown(folder):
    result = CliRunner().invoke(main, ["demo", "-o", str(folder)])
    assert result.exit_code == 0, result.output
    return result.output


def test_picture_report_and_model_are_written_and_named(shown, folder):
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "tree.svg", "tree.treewright"]
    for path in folder.iterdir():
        assert str(path) in shown
    assert (folder / "report.html").as_uri() in shown
    assert tw.load(folder / "tree.treewright").n_leaves > 1


def test_a_place_where_nothing_can_be_written_is_no_failure(tmp_path):
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(main, ["demo", "-o", str(tmp_path / "file")])
    assert result.exit_code == 0
    assert "With -o FOLDER the files go elsewhere" in result.output


def test_it_says_what_was_read(shown):
    assert "3,772 patients" in shown
    assert "29 columns to ask about (7 numeric, 22 nominal)" in shown
    assert "6,064 of 109,388 cells are missing (5.5 %)" in shown


def test_it_shows_the_tree_and_its_accuracy(shown):
    table = tw.example("hypothyroid")
    rows, kept = every_third_kept_back(table.n_rows)
    tree = tw.grow(table.take(rows), target="class", recipe="c4.5")
    assert tree.to_text() in shown
    for name, part in ("training", table.take(rows)), ("test", table.take(kept)):
        n_right = (tree.predict(part) == part.labels("class")).sum()
        assert re.search(
            rf"{name} +{100 * n_right / part.n_rows:.1f} %   \({n_right:,} of {part.n_rows:,} rows", shown
        )


def test_the_lines_it_proposes_work(shown, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for line in NEXT.splitlines():
        assert line in shown
    exec(NEXT, {})  # the lines are a constant of the package
    assert "age" in capsys.readouterr().out
    assert (tmp_path / "tree.treewright").exists()


def demo_in(folder, **environment):
    """Run the command with standard output as a pipe, and return what it wrote."""
    plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING")}
    done = subprocess.run(
        [sys.executable, "-m", "treewright", "demo"],
        env={**plain, **environment},
        cwd=folder,
        capture_output=True,
        check=True,
        timeout=120,
    )
    return done.stdout


def test_a_pipe_gets_no_colours(tmp_path):
    assert b"\x1b" not in demo_in(tmp_path, PYTHONIOENCODING="utf-8")


def test_an_ascii_terminal_gets_ascii(tmp_path):
    assert demo_in(tmp_path, PYTHONIOENCODING="ascii").isascii()
    assert (tmp_path / "treewright-demo" / "report.html").exists()


def test_no_color_is_honoured(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[3" not in CliRunner().invoke(main, ["demo"]).output


def test_the_interval_is_wilsons():
    # Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for (right, n), bounds in {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }.items():
        assert wilson_interval(right, n) == pytest.approx(bounds, abs=5e-5)


@pytest.mark.parametrize("word", COMMANDS)
def test_every_command_explains_itself(word):
    assert CliRunner().invoke(main, [word, "--help"]).exit_code == 0
    assert word in CliRunner().invoke(main, ["--help"]).output


def test_an_unknown_command_is_answered_with_the_known_ones():
    result = CliRunner().invoke(main, ["dmeo"])
    assert result.exit_code == 2
    assert "There is no command 'dmeo'; did you mean 'demo'? The commands are: demo" in result.output


def test_the_version():
    assert tw.__version__ in CliRunner().invoke(main, ["--version"]).output


def test_every_picture_of_the_demo_is_drawn_and_no_two_texts_of_it_meet():
    """`treewright demo --pictures` draws them all."""
    for name, (make, about) in PICTURES.items():
        picture = make()
        assert faults(picture) == [], name
        assert picture.to_svg().startswith("<svg "), name
        assert picture.to_text(), name
        assert about


def test_pictures_are_written_in_every_form(tmp_path, monkeypatch):
    first = next(iter(PICTURES))
    monkeypatch.setattr("treewright.cli.pictures.PICTURES", {first: PICTURES[first]})
    result = CliRunner().invoke(main, ["demo", "--pictures", "-o", str(tmp_path / "all")])
    assert result.exit_code == 0, result.output
    assert sorted(p.name for p in (tmp_path / "all").iterdir()) == sorted(first + end for end in ENDS)
    assert "1 pictures, each as .svg, .png, .pdf, .txt." in result.output
    plain = CliRunner().invoke(main, ["demo", "--pictures", "-o", str(tmp_path / "all"), "--json"])
    assert '"about"' in plain.output
