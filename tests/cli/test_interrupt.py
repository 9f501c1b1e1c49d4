"""Ctrl-C at any moment of a command: exit code 130, one line, nothing left behind, the old output whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which

import pytest

import treewright as tw
from tests.cli.running import finished
from tests.cli.test_process import many_rows
from treewright import _program

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/maps").exists(), reason="needs /proc, which says how far a process is"
)
PROGRAMS = {
    "python -m treewright": [sys.executable, "-m", "treewright"],
    "treewright": [which("treewright", path=os.path.dirname(sys.executable)) or "treewright"],
}
OLD = "what was here before"


def maps(program: subprocess.Popen[bytes], word: str) -> bool:
    """Whether a process has loaded a library whose name holds a word."""
    try:
        return word in Path(f"/proc/{program.pid}/maps").read_text()
    except OSError:
        return False


def importing(program: subprocess.Popen[bytes], _: Path) -> bool:
    return maps(program, "_multiarray_umath")  # NumPy is the first large thing to be imported


def reading(program: subprocess.Popen[bytes], _: Path) -> bool:
    return maps(program, "duckdb")


def writing(_: subprocess.Popen[bytes], folder: Path) -> bool:
    return any(name.startswith(".treewright-") for name in os.listdir(folder))


Moment = Callable[["subprocess.Popen[bytes]", Path], bool]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return many_rows(tmp_path_factory.mktemp("data") / "many.csv", 60_000)


@pytest.fixture(scope="module")
def forest(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    place = tmp_path_factory.mktemp("models") / "many.forest"
    code, _, err = finished("fit", data, "--target", "y", "--forest", 20, "-o", place)
    assert code == 0, err
    return place


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with an older output, in which all temporary files are made."""
    (tmp_path / "out.csv").write_text(OLD)
    yield tmp_path
    assert os.listdir(tmp_path) == ["out.csv"]
    assert (tmp_path / "out.csv").read_text() == OLD


def interrupted(
    command: list[str], words: tuple[object, ...], folder: Path, moment: Moment, after: float = 0.0
) -> tuple[int, str]:
    """Start a command, press Ctrl-C so many seconds after a moment; return its code and what it said."""
    program = subprocess.Popen(
        [*command, *map(str, words)],
        env={**os.environ, "TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    with program:
        while program.poll() is None and not moment(program, folder):
            time.sleep(0.001)
        time.sleep(after)
        program.send_signal(signal.SIGINT)
        said = program.communicate(timeout=120)[1].decode()
    return program.returncode, said


def check(ends: tuple[int, str]) -> None:
    code, said = ends
    assert "Traceback" not in said, said
    assert (code, said.count("Interrupted.")) == (130, 1), ends
    assert said.endswith("Interrupted.\n")


def long_fit(data: Path, folder: Path) -> tuple[object, ...]:
    return ("fit", data, "--target", "y", "--recipe", "cart", "--cv", 10, "-o", folder / "out.csv")


def test_what_listens_first_imports_nothing_that_takes_time() -> None:
    place = Path(_program.__file__)
    program = "import sys; before = {*sys.modules}; exec(sys.argv[1]); print(*{*sys.modules} - before)"
    ran = subprocess.run([sys.executable, "-c", program, place.read_text()], capture_output=True, check=True)
    assert ran.stdout.split() in ([], [b"__future__"])


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("after", [0.0, 0.05])
def test_while_python_imports(program: str, after: float, data: Path, folder: Path) -> None:
    check(interrupted(PROGRAMS[program], long_fit(data, folder), folder, importing, after))


@pytest.mark.parametrize("after", [0.0, 0.1, 0.2])
def test_while_a_file_is_read_and_a_tree_grown(after: float, data: Path, folder: Path) -> None:
    check(interrupted(PROGRAMS["treewright"], long_fit(data, folder), folder, reading, after))


@pytest.mark.parametrize("after", [0.0, 0.02])
def test_while_a_file_is_checked(after: float, data: Path, folder: Path) -> None:
    check(interrupted(PROGRAMS["treewright"], ("check", data), folder, reading, after))


def test_while_a_copy_in_another_encoding_is_read(data: Path, tmp_path: Path, folder: Path) -> None:
    """The copy lies among the temporary files, and goes too."""
    other = data.with_name("utf-16.csv")
    other.write_text(data.read_text(), "utf-16")

    def copied(_: object, place: Path) -> bool:
        return any(name.startswith("treewright-") for name in os.listdir(place))

    check(interrupted(PROGRAMS["treewright"], ("check", other), folder, copied, 0.02))


def test_while_answers_are_written(forest: Path, data: Path, folder: Path) -> None:
    kept = [word for i in range(8) for word in ("--keep", f"x{i}")]  # the longer it takes
    words = ("predict", forest, data, "-o", folder / "out.csv", "--proba", *kept)
    check(interrupted(PROGRAMS["treewright"], words, folder, writing))


def test_twice_in_a_hurry(data: Path, folder: Path) -> None:
    with subprocess.Popen(
        [*PROGRAMS["treewright"], *map(str, long_fit(data, folder))],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as program:
        while not reading(program, folder):
            time.sleep(0.001)
        time.sleep(0.3)
        for _ in range(3):
            program.send_signal(signal.SIGINT)
            time.sleep(0.005)
        said = program.communicate(timeout=120)[1].decode()
    assert "Traceback" not in said, said
    assert program.returncode == 130, said


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("verb", ["check", "fit", "forest", "predict"])
def test_at_forty_moments(verb: str, program: str, forest: Path, data: Path, folder: Path) -> None:
    """From the first import to the last line; a run that is over before the signal comes ends as always."""
    out = folder / "out.csv"
    words: tuple[object, ...] = {
        "check": ("check", data),
        "fit": ("fit", data, "--target", "y", "--cv", 2, "-o", out),
        "forest": ("fit", data, "--target", "y", "--forest", 20, "-o", out),
        "predict": ("predict", forest, data, "-o", out),
    }[verb]
    begun = time.monotonic()
    assert finished(*words)[0] == 0
    took = time.monotonic() - begun
    answers = out.read_text() if verb == "predict" else ""
    n_stopped = 0
    for run in range(40):
        out.write_text(OLD)
        code, said = interrupted(PROGRAMS[program], words, folder, importing, took * run / 45)
        if code == 0:
            out.write_text(OLD)
            continue
        check((code, said))
        assert os.listdir(folder) == ["out.csv"]
        if out.read_bytes() != OLD.encode():  # the signal came when all was written: then it is whole
            assert is_whole(verb, out, answers)
            out.write_text(OLD)
        n_stopped += 1
    assert n_stopped >= 20


def is_whole(verb: str, out: Path, answers: str) -> bool:
    """Say whether an output is what a run writes that is not interrupted."""
    if verb == "predict":
        return out.read_text() == answers
    return bool(tw.load(out).target.name == "y")
