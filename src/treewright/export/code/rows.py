"""The rows of programming languages in the table of formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from treewright.export.cells import Cells
from treewright.export.code import languages
from treewright.export.format import Answers, Format, Job, Runner

KINDS = ("tree", "rules", "forest", "linear")
ONLY_SUMS = {
    "kernel": "it writes sums of terms. Fit it with kernel='linear'.",
    "feature function": "a function of yours is code. Use a map by name, or make the columns before.",
}
_MODULE = {"module": "What the code is called: its class, package, prefix of names."}


def _runner(name: str) -> Runner:
    """Return the runner of a language, which is loaded when it is used."""

    def run(jobs: Sequence[Job]) -> list[Answers]:
        found: Callable[[Sequence[Job]], list[Answers]] = getattr(
            import_module("treewright.export.code.runners"), name
        )
        return found(jobs)

    return run


def _representable(cells: Cells, options: Mapping[str, Any]) -> Cells:
    from treewright.export.code.running import representable

    return representable(cells, options)


def _row(
    name: str, suffixes: tuple[str, ...], sentence: str, more: Mapping[str, str] | None = None
) -> Format:
    return Format(
        name=name,
        suffixes=suffixes,
        writers=dict.fromkeys(KINDS, getattr(languages, name)),
        sentence=sentence,
        options={**_MODULE, **(more or {})},
        refuses=ONLY_SUMS,
        carries=("conditions", "model gaps"),
        runner=_runner(name),
        representable=_representable,
    )


_ONE_COLUMN = "an array of thresholds knows one column in a test. Write format='python'."
_NUMPY = Format(
    name="numpy",
    suffixes=("_numpy.py",),
    writers=dict.fromkeys(("tree", "forest"), languages.numpy),
    sentence="Python with NumPy: trees as arrays, all rows at once.",
    refuses={"sums": _ONE_COLUMN, "models": "a model in a leaf is written by format='python'."},
    runner=_runner("numpy"),
    representable=_representable,
)

ROWS = (
    _row("python", (".py",), "Python without imports: nested if and else."),
    _NUMPY,
    _row("c", (".h",), "One header of C99: no memory is asked for, tables are const.",
         {"number": "The type of numbers that come in: double, float or fixed (32 bits).",
          "fraction": "Bits behind the point of fixed numbers."}),
    _row("javascript", (".mjs", ".js"), "An ES module for browsers and Node.js."),
    _row("java", (".java",), "A class of Java, named as `module` is."),
    _row("rust", (".rs",), "A module of Rust without dependencies."),
    _row("go", (".go",), "A package of Go."),
    _row("r", (".r",), "Functions of R for data frames."),
)  # fmt: skip
