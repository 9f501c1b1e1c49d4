"""Arithmetic as it is written on a slide: read exactly, in fractions, so that a verdict can rest on it."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

Number = Fraction | float

_SIGNS = {"·": "*", "×": "*", "−": "-", "²": "**2", "^": "**", "√": "sqrt"}

_TWO: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_ONE: dict[str, Callable[[float], float]] = {
    "log2": lambda x: math.log2(x) if x > 0 else 0.0,  # only ever met as 0 · log2(0), which counts as 0
    "ln": math.log,
    "sqrt": math.sqrt,
    "lgamma": math.lgamma,
}


def worked_out(text: str) -> Number:
    """Return what an arithmetical text comes to: exactly, unless it has a logarithm or a root in it.

    >>> worked_out("0.940 − 0.7885")
    Fraction(303, 2000)
    >>> round(worked_out("−9/14·log2(9/14) − 5/14·log2(5/14)"), 6)
    0.940286
    >>> worked_out("nine of fourteen")
    Traceback (most recent call last):
    ValueError: 'nine of fourteen' is not arithmetic: numbers, + - · /, brackets, log2, ln, sqrt.
    """
    plain = text
    for sign, sign_of_python in _SIGNS.items():
        plain = plain.replace(sign, sign_of_python)
    try:
        return _value(ast.parse(plain.strip(), mode="eval").body)
    except (SyntaxError, KeyError, TypeError, AttributeError) as reason:
        raise ValueError(
            f"{text!r} is not arithmetic: numbers, + - · /, brackets, log2, ln, sqrt."
        ) from reason


def _value(node: ast.expr) -> Number:
    if isinstance(node, ast.Constant):
        return Fraction(str(node.value))
    if isinstance(node, ast.BinOp):
        result: Number = _TWO[type(node.op)](_value(node.left), _value(node.right))
        return result
    if isinstance(node, ast.UnaryOp):
        return -_value(node.operand) if isinstance(node.op, ast.USub) else _value(node.operand)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        return _ONE[node.func.id](float(_value(node.args[0])))
    raise TypeError(ast.dump(node))
