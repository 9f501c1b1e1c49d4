"""A linear model as a calculation: its terms, its planes, and the class that the scores mean."""

from __future__ import annotations

from typing import Any, NamedTuple

from treewright.export.branching import among, number_in
from treewright.export.expression import (
    Calculation,
    Case,
    Cell,
    Class,
    Compare,
    Gap,
    Largest,
    Nothing,
    Number,
    Other,
    Power,
    Product,
    Quotient,
    Step,
    Sum,
    Truth,
    Value,
    best_of,
    case,
    either,
    product,
    total,
)
from treewright.linear.coding import Coding
from treewright.linear.maps import DifferenceSquared, Monomials
from treewright.linear.scores import LARGEST
from treewright.table import Kind
from treewright.table.raw import label

Steps = list[tuple[str, Value]]


class Linear(NamedTuple):
    """A linear model as a calculation, and its parts: what formats with loops and tables write themselves."""

    calculation: Calculation
    refused: Truth  # of a row with a cell that the model refuses
    terms: tuple[Value, ...]  # what the weights are multiplied with
    n_before: int  # steps before the first weighted sum


def of_linear(model: Any) -> Calculation:
    """Return a linear model as a calculation; a row with a cell that it refuses has no answer.

    >>> import treewright as tw
    >>> model = tw.LogisticRegression(l2=1.0).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"])
    >>> [name for name, _ in of_linear(model).steps]
    ['term0', 'score0', 'e0', 'e1']
    """
    return linear_parts(model).calculation


def linear_parts(model: Any) -> Linear:
    """Return a linear model as a calculation, with its parts.

    >>> import treewright as tw
    >>> model = tw.LogisticRegression(l2=1.0).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"])
    >>> linear_parts(model).terms, linear_parts(model).n_before
    ((Step(name='term0'),), 1)
    """
    check_written(model)
    steps: Steps = []
    refused = _terms(model.coding_, steps)
    n_terms = len(model.coding_.terms)
    terms: list[Value] = [Step(f"term{i}") for i in range(n_terms)]
    if model.map_ is not None:
        terms = _mapped(model.map_, terms, steps)
    n_before = len(steps)
    for s, (weights, bias) in enumerate(zip(model.coef_.tolist(), model.intercept_.tolist(), strict=True)):
        parts = [product(term, Number(w)) for term, w in zip(terms, weights, strict=True)]
        steps.append((f"score{s}", total([*parts, Number(bias)])))
    classes = tuple(label(value) for value in model.classes_.tolist())
    scores: list[Value] = [Step(f"score{s}") for s in range(len(model.coef_))]
    chosen, chances = _two(model, scores[0], steps) if len(scores) == 1 else _several(model, scores, steps)
    whens = ((refused, Nothing()),)
    said = tuple(Case(whens, chance) for chance in chances)
    columns = model.coding_.schema.columns
    calculation = Calculation(columns, classes, tuple(steps), Case(whens, chosen), said, None)
    return Linear(calculation, refused, tuple(terms), n_before)


def check_written(model: Any) -> None:
    """Refuse a model that is no sum of terms, or whose terms are made by code.

    >>> import treewright as tw
    >>> check_written(tw.LogisticRegression(l2=1.0).fit([[0.0], [1.0]], ["a", "b"]))
    """
    if getattr(model, "kernel", "linear") != "linear":
        raise ValueError(
            f"The model has the kernel {model.kernel!r} in place of weights; fit it with kernel='linear'."
        )
    if model.map_ is not None and not isinstance(model.map_, (DifferenceSquared, Monomials)):
        model.map_.to_dict()  # refuses, with the way out


def _terms(coding: Coding, steps: Steps) -> Truth:
    """Add the terms of a row; return the truth that some cell is refused."""
    bad: list[Truth] = []
    found: list[Value] = []
    columns = zip(coding.schema.columns, coding.levels, coding.reference, strict=True)
    for place, (column, levels, reference) in enumerate(columns):
        bad.append(Gap(place))
        if column.kind is not Kind.nominal:
            if column.is_numeric:
                bad += [
                    Compare(Cell(place), ">", Number(LARGEST)),
                    Compare(Number(-LARGEST), ">", Cell(place)),
                ]
            elif column.kind is not Kind.boolean and column.edges is None:
                bad.append(Other(place, tuple(range(len(column.categories)))))
            found.append(case([(Gap(place), Number(0.0))], number_in(place, column)))
            continue
        codes = [column.categories.index(level) for level in levels]
        known = sorted([*codes, *([] if reference is None else [column.categories.index(reference)])])
        bad.append(Other(place, tuple(known)))
        found += [case([(among(place, (code,), column), Number(1.0))], Number(0.0)) for code in codes]
    steps += [(f"term{i}", value) for i, value in enumerate(found)]
    return either(*bad)


def _mapped(mapped: Any, terms: list[Value], steps: Steps) -> list[Value]:
    """Return the terms that a feature map makes of others."""
    if isinstance(mapped, DifferenceSquared):
        steps.append(("difference", Sum((terms[0], Product((Number(-1.0), terms[1]))))))
        return [*terms, Product((Step("difference"), Step("difference")))]
    assert isinstance(mapped, Monomials)
    return [product(*(terms[place] for place in places)) for places in mapped.factors]


def _two(model: Any, score: Value, steps: Steps) -> tuple[Value, tuple[Value, ...]]:
    sign = ">=" if model._zero_is_second else ">"
    chosen = Case(((Compare(score, sign, Number(0.0)), Class(1)),), Class(0))
    if not hasattr(model, "predict_proba"):
        return chosen, ()
    # e to the power of what is not above zero: it cannot become too large.
    below = Case(((Compare(score, ">", Number(0.0)), Product((Number(-1.0), score))),), score)
    steps.append(("e0", Power(below)))
    steps.append(("e1", Sum((Number(1.0), Step("e0")))))
    small, large = Quotient(Step("e0"), Step("e1")), Quotient(Number(1.0), Step("e1"))
    is_second = Compare(score, ">", Number(0.0))
    return chosen, (Case(((is_second, small),), large), Case(((is_second, large),), small))


def _several(model: Any, scores: list[Value], steps: Steps) -> tuple[Value, tuple[Value, ...]]:
    n = len(model.classes_)
    if len(scores) != n or getattr(model, "multi_class", "") == "pairwise":
        scores = _votes(scores, n, steps)
    steps.append(("best", Largest(tuple(scores))))
    chosen = best_of(scores, Class, 0.0, Step("best"))
    if not hasattr(model, "predict_proba"):
        return chosen, ()
    if len(model.fits_) > 1:  # each class against the rest: the odds of each, by their sum
        for c, score in enumerate(scores):
            steps.append((f"up{c}", Power(Product((Number(-1.0), score)))))
            steps.append((f"e{c}", Quotient(Number(1.0), Sum((Number(1.0), Step(f"up{c}"))))))
    else:
        for c, score in enumerate(scores):
            steps.append((f"e{c}", Power(Sum((score, Product((Number(-1.0), Step("best"))))))))
    grown = tuple(Step(f"e{c}") for c in range(n))
    steps.append(("all", Sum(grown)))
    return chosen, tuple(Quotient(e, Step("all")) for e in grown)


def _votes(scores: list[Value], n: int, steps: Steps) -> list[Value]:
    """Return the votes of planes between every two classes, and less than half a vote for their size."""
    pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
    won: list[list[Value]] = [[] for _ in range(n)]
    sums: list[list[Value]] = [[] for _ in range(n)]
    one, none = Number(1.0), Number(0.0)
    for (a, b), score in zip(pairs, scores, strict=True):
        is_second = Compare(score, ">=", none)
        won[a].append(Case(((is_second, none),), one))
        won[b].append(Case(((is_second, one),), none))
        sums[a].append(Product((Number(-1.0), score)))
        sums[b].append(score)
    found: list[Value] = []
    for c in range(n):
        steps.append((f"sum{c}", total(sums[c])))
        size = Largest((Step(f"sum{c}"), Product((Number(-1.0), Step(f"sum{c}")))))
        share = Quotient(Step(f"sum{c}"), Product((Number(3.0), Sum((size, one)))))
        steps.append((f"votes{c}", Sum((*won[c], share))))
        found.append(Step(f"votes{c}"))
    return found
