"""What goes wrong, in words and as an exit code: 0 good, 1 the input, 2 the usage, 3 a check that failed."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from treewright._program import INTERRUPTED
from treewright.base.advice import Ask, ReadingAsk, wording
from treewright.base.data_warning import DataWarning
from treewright.base.lines import harmless
from treewright.base.refusals import PACKAGE, is_refusal

from .output import talk
from .proposal import listed_word

INPUT, USAGE, CHECK = 1, 2, 3
MISTAKE, BROKEN_PIPE = 70, 141  # the customary numbers

_TRACE = "TREEWRIGHT_TRACEBACK"


class Failure(click.ClickException):
    """The user's input cannot be used: told in one sentence that ends with the way out."""

    exit_code = INPUT

    def format_message(self) -> str:
        """Return the sentence, without signs of a file that would steer the terminal."""
        return harmless(self.message)


class Mistake(click.ClickException):
    """The program failed, not the user."""

    exit_code = MISTAKE


class CheckFailed(click.ClickException):
    """A check that the user asked for did not hold."""

    exit_code = CHECK

    def show(self, file: object = None) -> None:  # noqa: ARG002
        """Write the sentence to standard error."""
        click.echo(f"Check failed: {self.format_message()}", err=True)


def near(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean ...? " for a word that is like a known one, else ". ".

    >>> near("gain_ratoi", ["gini", "gain_ratio"]), near("zzz", ["gini"])
    ("; did you mean 'gain_ratio'? ", '. ')
    """
    from treewright.base.names import nearest  # here: `treewright --help` needs none of it

    found = nearest(word, known)
    return f"; did you mean {found!r}? " if found else ". "


def in_options(said: str | BaseException) -> str:
    """Return a sentence in which settings are written as options of the command line.

    >>> from treewright.base.advice import ask, read_with, refusal
    >>> in_options(refusal("Cut it with ", ask("discretise", "mdlp"), ", or use ", ask("missing", "learned")))
    'Cut it with --discretise mdlp, or use --missing-policy learned'
    >>> in_options(refusal("Read it with ", read_with("kinds", {"zip": "nominal"}), "."))
    "Read it with --categorical 'zip'."
    """
    return wording(said, option_words)


def option_words(asked: Ask) -> str:
    """Return how a setting is given on the command line; as Python has it, where it has no option.

    >>> from treewright.base.advice import ask
    >>> option_words(ask("recipe", "plain", "cart")), option_words(ask("ties", "order"))
    ('--recipe plain or cart', "ties='order'")
    """
    from treewright.growth.setting import SETTINGS  # here: `treewright --help` needs none of it

    name = asked.name
    if isinstance(asked, ReadingAsk) or name in _ALSO_READING:
        return _reading_words(asked)
    if name in _VERBS:
        return _VERBS[name](*asked.values)
    option = (
        f"--{name}" if name in ("recipe", "prune") else SETTINGS[name].option if name in SETTINGS else None
    )
    is_plain = all(type(value) in (str, int, float) and str(value).split() for value in asked.values)
    return f"{option} {asked.either(str)}" if option and is_plain else str(asked)


def _cell(column: str) -> str:
    """Return how a cell of a row is given on the command line."""
    name = shlex.quote(f"{column}=")
    return f"give it: --set {name}VALUE, or --set {name} where it is missing."


# What is no setting: a verb of a tree, a cell of a row.
_VERBS: dict[str, Callable[..., str]] = {
    "to_text": lambda: "treewright show",
    "plot": lambda name: f"treewright plot MODEL {name}",
    "cell": _cell,
}

_ALSO_READING = ("kinds", "keep", "dialect")  # settings of tables that others speak of, too
_BY_KIND = {"nominal": "categorical", "boolean": "categorical", "numeric": "numeric", "date": "date"}


def _reading_words(asked: Ask) -> str:
    r"""Return how a file is read, or its columns are taken, on the command line.

    >>> from treewright.base.advice import read_with
    >>> _reading_words(read_with("ignore", ["it's"])), _reading_words(read_with("date", {"joined": "dmy"}))
    ('--ignore \'it\'"\'"\'s\'', '--date joined:dmy')
    >>> _reading_words(read_with("header", False)), _reading_words(read_with("separator", ";"))
    ('--no-header', "--separator ';'")
    """
    name, value = asked.name, asked.values[0]
    if isinstance(value, bool):
        return f"--{name}" if value else f"--no-{name}"
    if isinstance(value, dict):
        ((column, word),) = value.items()
        if name != "kinds":
            return f"--{name} {shlex.quote(f'{column}:{word}')}"
        return _column_words(_BY_KIND[word], column) if word in _BY_KIND else str(asked)
    if isinstance(value, list):
        return _column_words(name, value[0]) if len(value) == 1 else str(asked)
    return f"--{name} {value}" if name == "dialect" else f"--{name} {value!r}"


def _column_words(option: str, column: str) -> str:
    """Return an option with a column, as the shell and `--ignore A,B` want it."""
    text = listed_word(column).replace("'", "'\"'\"'")
    return f"--{option} '{text}'"


@contextmanager
def report_failures() -> Iterator[None]:
    """Turn what a command raises into a sentence and an exit code; click writes it and leaves.

    What treewright refuses is the user's input (1). Anything else is our mistake (70): it is said so, with
    what to do, and `TREEWRIGHT_TRACEBACK=1` shows where it happened.
    """
    with _interrupts() as interrupts, _warnings_as_notes():
        try:
            yield
        except BaseException as error:
            if interrupts.is_heard:  # others may have given it another name on its way
                raise _answer(KeyboardInterrupt()) from None
            if isinstance(error, (click.ClickException, click.exceptions.Exit, click.Abort, SystemExit)):
                raise
            raise _answer(error) from None
        if interrupts.is_heard:  # and somebody took it for an ordinary exception
            raise _answer(KeyboardInterrupt())


class _Interrupts:
    """Ctrl-C while a command runs: a KeyboardInterrupt, and a note of it.

    Who presses twice in a hurry does not disturb the clearing up. Where Python cannot pass on a
    KeyboardInterrupt (in a finaliser, in a callback of an import), it is raised again a moment later instead
    of being printed and forgotten.
    """

    _HURRY, _MOMENT = 1.0, 0.02  # seconds

    def __init__(self) -> None:
        self.is_heard = False
        self._last = -self._HURRY
        self._other_unraisables = sys.unraisablehook

    def __call__(self, _number: int, _frame: object) -> None:
        self.is_heard = True
        now = time.monotonic()
        if now - self._last >= self._HURRY:
            self._last = now
            raise KeyboardInterrupt

    def not_raised(self, what: Any) -> None:
        """Take the place of `sys.unraisablehook`."""
        if not issubclass(what.exc_type, KeyboardInterrupt):
            self._other_unraisables(what)
            return
        self._last = -self._HURRY
        main = threading.main_thread().ident or 0
        threading.Timer(self._MOMENT, signal.pthread_kill, (main, signal.SIGINT)).start()


@contextmanager
def _interrupts() -> Iterator[_Interrupts]:
    """Yield what listens to Ctrl-C meanwhile."""
    found = _Interrupts()
    if threading.current_thread() is not threading.main_thread():
        yield found  # signals belong to the main thread
        return
    before = signal.signal(signal.SIGINT, found)
    unraisables, sys.unraisablehook = sys.unraisablehook, found.not_raised
    try:
        yield found
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = unraisables


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    """Let what treewright warns of be a sentence like the others, without a place in its source."""
    with warnings.catch_warnings():
        others = warnings.showwarning

        def show(
            message: Warning | str, category: type[Warning], filename: str, *more: Any, **named: Any
        ) -> None:
            if filename.startswith(PACKAGE):
                talk(f"Note: {in_options(message)}")
            else:
                others(message, category, filename, *more, **named)

        warnings.showwarning = show
        warnings.simplefilter("ignore", DataWarning)  # the commands say it themselves
        yield


def _answer(error: BaseException) -> Exception:
    """Return what click is to write, with its exit code."""
    if isinstance(error, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        return click.exceptions.Exit(INTERRUPTED)
    if isinstance(error, BrokenPipeError):
        _forget_output()
        return click.exceptions.Exit(BROKEN_PIPE)
    if os.environ.get(_TRACE):
        traceback.print_exception(error)
    if isinstance(error, MemoryError):
        return Failure("There is not enough memory for this. Use fewer rows or columns (--ignore).")
    if isinstance(error, OSError):
        return Failure(_of_system(error))
    return Failure(in_options(error)) if is_refusal(error) else _mistake(error)


def _of_system(error: OSError) -> str:
    if error.filename is None:
        return str(error.strerror or error)
    return f"{str(os.fspath(error.filename))!r}: {error.strerror}."


def _mistake(error: BaseException) -> Mistake:
    return Mistake(
        f"treewright made a mistake that is not yours ({type(error).__name__}: {str(error)[:300]}). "
        f"No file is left half-written. Set {_TRACE}=1, run the command again, and report what it shows "
        "together with the command: that is all it takes to find it."
    )


def _forget_output() -> None:
    """Let the end of the program not stumble over what a closed pipe never took."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            try:
                os.dup2(nowhere, stream.fileno())
            except (OSError, ValueError):  # no real file: a test's
                continue
