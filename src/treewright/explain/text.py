"""An explanation in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from treewright.base.numbers import number
from treewright.explain.search import Wanted
from treewright.table import Kind
from treewright.tree import Tree
from treewright.tree.figures import amount
from treewright.tree.split import Style, name

if TYPE_CHECKING:
    from treewright.explain.certainty import Certainty
    from treewright.explain.explanation import Explanation
    from treewright.explain.modelled import Modelled

_MISSES = 3  # near misses that are told


def to_text(explanation: Explanation, ascii: bool = False) -> str:  # noqa: A002 (the word says it)
    """Return an explanation to read."""
    style = Style(ascii=ascii, most=5, longest=60, parts=False, short=explanation.short)
    parts = [_sentence(explanation, style), *_ways(explanation, style), _models(explanation)]
    parts += [_sure(explanation, style), _misses(explanation, style), _changes(explanation, style)]
    parts += [f"Left out: {explanation.left_out}"] if explanation.left_out else []
    found = "\n\n".join(part for part in parts if part)
    return ascii_of(found) if ascii else found


def ascii_of(text: str) -> str:
    """Return a text in ASCII: dots and signs spelled out, all else escaped.

    >>> ascii_of("±2 …")
    '+/-2 ...'
    """
    return text.replace("…", "...").replace("±", "+/-").encode("ascii", "backslashreplace").decode()


def because(explanation: Explanation, style: Style | None = None) -> list[str]:
    """Return what holds of the row, one condition for each column and one for each sum, in words."""
    usual = Style(most=5, longest=60, parts=False, short=explanation.short)
    shown = usual if style is None else style
    found = []
    for condition in explanation.conditions:
        column = explanation.schema[condition.column]
        order = column.categories if column.kind is Kind.ordinal else ()
        found.append(condition.to_text(shown, order=order, edges=column.edges, schema=explanation.schema))
    return [*found, *explanation.sums]


def wish(tree: Tree, wanted: Wanted, is_default: bool) -> str:
    """Return what is asked for, in words."""
    if tree.is_classifier:
        return "another answer" if is_default else " or ".join(tree.classes[code] for code in wanted.classes)
    if wanted.low is None:
        return f"at most {answer_words(wanted.high)}"
    if wanted.high is None:
        return f"at least {answer_words(wanted.low)}"
    return f"{answer_words(wanted.low)} to {answer_words(wanted.high)}"


def answer_words(answer: Any, style: Style | None = None) -> str:
    """Return an answer in words.

    >>> answer_words(3.14159265), answer_words("Yes")
    ('3.14159', 'Yes')
    """
    return name(answer, style or Style()) if isinstance(answer, str) else number(answer, 6)


def _sentence(explanation: Explanation, style: Style) -> str:
    reasons = because(explanation, style)
    target, answer = name(explanation.target, style), answer_words(explanation.prediction, style)
    if not explanation.steps and not explanation.models:
        why = (
            f"most training rows are {answer}"
            if explanation.classes
            else "that is the mean of the training rows"
        )
        return f"{target} is always {answer}: the tree asks nothing, and {why}."
    if not reasons and any(model.is_used for model in explanation.models):
        return f"{target} is {answer}: no test was answered, and the model there says so."
    if not reasons:
        why = "that is what most rows are" if explanation.classes else "that is the mean of the rows"
        return f"{target} is {answer}: no test was answered, and {why} that came there."
    return f"{target} is {answer} because {_and(reasons)}."


def _and(words: list[str]) -> str:
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} and {words[-1]}"


def _ways(explanation: Explanation, style: Style) -> Iterator[str]:
    """Yield what was told of gaps and unknown categories, and the parts of a divided row."""
    if explanation.detours:
        lines = [f"  {detour.words}" for detour in explanation.detours]
        if explanation.gaps is not None and explanation.gaps.met > 1:
            lines.append(f"  In the table: {explanation.gaps}")
        yield "On the way:\n" + "\n".join(lines)
    if len(explanation.parts) > 1:
        pairs = zip(explanation.parts, explanation.answers, strict=True)
        lines = [
            f"  {percent(share)} at node {node}: {answer_words(one, style)}" for (node, share), one in pairs
        ]
        yield "Where its parts ended:\n" + "\n".join(_few(lines, 8))


def _models(explanation: Explanation) -> str:
    """Return the models that answered, or did not for want of a value."""
    lines = []
    for model in explanation.models:
        where = "" if len(explanation.parts) == 1 else f" at node {model.node}"
        needs = "" if model.is_used else " (not used: it needs a value that is missing)"
        lines.append(f"The model{where}{needs}: {model.words}.")
    return "\n".join(_few(lines, 8))


def _few(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most + 1 else [*lines[:most], f"  and {len(lines) - most} more"]


def _sure(explanation: Explanation, style: Style) -> str:
    certainty = explanation.certainty
    used = [model for model in explanation.models if model.is_used]
    behind = _model_behind(explanation, used[0], style) if used else rows_behind(certainty, style)
    line = f"How sure: {behind}."
    others = [
        f"{name(label, style)} {percent(share)}"
        for label, share in zip(explanation.classes, certainty.shares, strict=True)
        if share > 0 and label != certainty.prediction
    ]
    return line + (
        f"\n  The other classes: {', '.join(_few(others, 6))}."
        if others and len(explanation.classes) > 2
        else ""
    )


def _model_behind(explanation: Explanation, model: Modelled, style: Style) -> str:
    """Return how sure an answer of models is; what one did in training is told where it answers alone."""
    certainty, is_alone = explanation.certainty, len(explanation.parts) == 1
    n = amount(model.weight)
    rows = f"{n} training row{'' if n == '1' else 's'} there"
    if certainty.share is None:
        return f"the model is wrong by {number(certainty.spread or 0.0, 3)} in training (RMSE)" + (
            f", {rows}" if is_alone else ""
        )
    words = f"the model gives {answer_words(certainty.prediction, style)} {percent(certainty.share)}"
    return words + (f"; it is right in {amount(model.weight - model.loss)} of {rows}" if is_alone else "")


def rows_behind(certainty: Certainty, style: Style, with_interval: bool = True) -> str:
    """Return what the training rows behind an answer were, in words."""
    if certainty.weight <= 0:
        return "no training row came there; the answer is that of the node above"
    if certainty.share is None:
        return _numbers_behind(certainty, style, with_interval)
    answer, share = answer_words(certainty.prediction, style), certainty.share
    held, total = share * certainty.weight, certainty.weight
    n = amount(certainty.n_rows)
    rows = f"{n} training row{'' if n == '1' else 's'}"
    if abs(total - certainty.n_rows) >= 1e-9 * total:
        words = f"{answer} has {percent(share)} of {rows} (weight {amount(total)})"
    elif abs(held - round(held)) < 1e-6:
        words = (
            f"{amount(round(held))} of {rows} there {'is' if n == '1' else 'are'} {answer}, {percent(share)}"
        )
    else:
        words = f"{answer} has {percent(share)} of {rows} there"
    if with_interval and certainty.interval is not None:
        low, high = (percent(bound) for bound in certainty.interval)
        words += f" (95 % interval {low.removesuffix(' %')} to {high})"
    return words


def _numbers_behind(certainty: Certainty, style: Style, with_interval: bool) -> str:
    n = amount(certainty.n_rows)
    words = f"the mean of {n} training row{'' if n == '1' else 's'} there"
    if certainty.spread is not None and certainty.n_rows > 1:
        words += f", which spread by {'+/-' if style.ascii else '±'} {number(certainty.spread, 3)}"
    if with_interval and certainty.interval is not None:
        low, high = certainty.interval
        words += f" (95 % interval of the mean {number(low, 6)} to {number(high, 6)})"
    return words


def percent(share: float) -> str:
    """Return a share for reading: one decimal where it is not whole; never 0 or 100 where it is not.

    >>> percent(0.571), percent(0.5), percent(0.9999)
    ('57.1 %', '50 %', '>99.9 %')
    """
    words = f"{100 * share:.1f}".removesuffix(".0")
    if words in ("0", "100") and 0 < share < 1:
        return "<0.1 %" if words == "0" else ">99.9 %"
    return f"{words} %"


def _misses(explanation: Explanation, style: Style) -> str:
    lines = []
    for miss in explanation.near_misses[:_MISSES]:
        same = miss.prediction == explanation.prediction
        then = (
            f"still {answer_words(miss.prediction, style)}" if same else answer_words(miss.prediction, style)
        )
        lines.append(f"  {miss.change.to_text(style)}: {then}")
    return "Near misses, one column alone:\n" + "\n".join(lines) if lines else ""


def _changes(explanation: Explanation, style: Style) -> str:
    if explanation.wanted is None:
        return ""
    head = f"Least change for {explanation.wanted}"
    kept, n_fixed = _and([name(column, style) for column in explanation.fixed]), len(explanation.fixed)
    kept = f" with {kept} as {'it is' if n_fixed == 1 else 'they are'}" if n_fixed else ""
    if not explanation.alternatives:
        if explanation.is_proven:
            others = "other columns" if explanation.fixed else "columns"
            return f"{head}{kept}: none. No change of the {others} can do it."
        return f"{head}{kept}: none was found; the search was stopped before all was tried."
    lines = []
    for i, alternative in enumerate(explanation.alternatives, 1):
        behind = rows_behind(alternative.certainty, style, with_interval=False)
        lines.append(f"  {i}. {alternative.to_text(style)}: {answer_words(alternative.prediction, style)}")
        lines.append(f"     (cost {alternative.cost:.3g}; {behind})")
    proof = (
        ""
        if explanation.is_proven
        else "\n  The search was stopped before all was tried: cheaper ones may exist."
    )
    return f"{head}{kept}:\n" + "\n".join(lines) + proof
