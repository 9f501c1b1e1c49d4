"""The writers of each language: one function for every kind of model, with the options of the language.

A printer is loaded when it is first used: `import treewright` and `treewright --help` do not wait for eight.
"""

from __future__ import annotations

from typing import Any

from treewright.base.names import choice
from treewright.export.code.naming import checked_module

C_NUMBERS = ("double", "float", "fixed")


def python(model: Any, module: str = "model") -> str:
    """Return a model as Python without imports."""
    from treewright.export.code.python import PythonPrinter

    return PythonPrinter(*_of(model, module)).file()


def numpy(model: Any) -> str:
    """Return a model as Python that computes with NumPy."""
    from treewright.export.code.vectorised import VectorisedPrinter

    return VectorisedPrinter(model).file()


def c(model: Any, module: str = "model", number: str = "double", fraction: int = 16) -> str:
    """Return a model as a header of C99."""
    from treewright.export.code.c import CPrinter

    choice("number", number, C_NUMBERS)
    if isinstance(fraction, bool) or not isinstance(fraction, int) or not 0 <= fraction <= 30:
        raise ValueError(f"fraction={fraction!r} must be a number of bits, from 0 to 30.")
    return CPrinter(*_of(model, module), number, fraction).file()


def javascript(model: Any, module: str = "model") -> str:
    """Return a model as an ES module."""
    from treewright.export.code.javascript import JavaScriptPrinter

    return JavaScriptPrinter(*_of(model, module)).file()


def java(model: Any, module: str = "model") -> str:
    """Return a model as a class of Java."""
    from treewright.export.code.java import JavaPrinter

    return JavaPrinter(*_of(model, module)).file()


def rust(model: Any, module: str = "model") -> str:
    """Return a model as a module of Rust."""
    from treewright.export.code.rust import RustPrinter

    return RustPrinter(*_of(model, module)).file()


def go(model: Any, module: str = "model") -> str:
    """Return a model as a package of Go."""
    from treewright.export.code.go import GoPrinter

    return GoPrinter(*_of(model, module)).file()


def r(model: Any, module: str = "model") -> str:
    """Return a model as functions of R."""
    from treewright.export.code.r import RPrinter

    return RPrinter(*_of(model, module)).file()


def _of(model: Any, module: str) -> tuple[Any, str]:
    from treewright.export.code.of_model import program_of

    checked_module(module)
    return program_of(model), module
