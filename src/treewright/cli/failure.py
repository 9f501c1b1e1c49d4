"""What goes wrong, in words and as an exit code: 0 good, 1 the input, 2 the usage, 3 a check that failed."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

INPUT, USAGE, CHECK = 1, 2, 3
MISTAKE, INTERRUPTED, BROKEN_PIPE = 70, 130, 141  # the customary numbers

_PACKAGE = str(Path(__file__).parents[1])
_TRACE = "TREEWRIGHT_TRACEBACK"


class Failure(click.ClickException):
    """The user's input cannot be used: told in one sentence that ends with the way out."""

    exit_code = INPUT


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
    from treewright.table.schema import nearest  # here: `treewright --help` needs none of it

    found = nearest(word, known)
    return f"; did you mean {found!r}? " if found else ". "


@contextmanager
def told() -> Iterator[None]:
    """Turn what a command raises into a sentence and an exit code; click writes it and leaves.

    What treewright refuses is the user's input (1). Anything else is our mistake (70): it is said so, with
    what to do, and `TREEWRIGHT_TRACEBACK=1` shows where it happened.
    """
    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except KeyboardInterrupt:
        click.echo("\nInterrupted; nothing was written.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _forget_output()
        raise click.exceptions.Exit(BROKEN_PIPE) from None
    except MemoryError:
        raise Failure(
            "There is not enough memory for this. Use fewer rows or columns (--ignore), or a larger machine."
        ) from None
    except OSError as error:
        raise Failure(_of_system(error)) from None
    except Exception as error:
        if os.environ.get(_TRACE):
            traceback.print_exc()
        if is_refusal(error):
            raise Failure(str(error.args[0])) from None
        raise _mistake(error) from None


def is_refusal(error: BaseException) -> bool:
    """Return whether treewright itself refused something, in a sentence; not a slip of the program.

    >>> is_refusal(KeyError("x")), is_refusal(ZeroDivisionError("division by zero"))
    (False, False)
    """
    if not isinstance(error, (ValueError, TypeError, LookupError)) or not error.args:
        return False
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or not frames[-1].filename.startswith(_PACKAGE) or " " not in str(error.args[0]):
        return False
    line = (frames[-1].line or "raise").strip()
    return line.startswith("raise")  # and no call that went wrong by itself


def _of_system(error: OSError) -> str:
    if error.filename is None:
        return str(error.strerror or error)
    return f"{os.fspath(error.filename)!r}: {error.strerror}."


def _mistake(error: Exception) -> Mistake:
    return Mistake(
        f"treewright made a mistake that is not yours ({type(error).__name__}: {str(error)[:300]}). "
        f"Nothing was written. Set {_TRACE}=1, run the command again, and report what it shows together with "
        "the command: that is all it takes to find it."
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
