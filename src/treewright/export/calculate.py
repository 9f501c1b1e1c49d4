"""Every kind of model as a calculation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from treewright.base.verbs import kind_of
from treewright.export.branching import branching_of, is_known, number_in
from treewright.export.calculate_linear import of_linear
from treewright.export.calculate_rules import of_rules
from treewright.export.expression import (
    Calculation,
    Case,
    Class,
    Compare,
    Largest,
    Lookup,
    Nothing,
    Number,
    Power,
    Product,
    Quotient,
    Step,
    Sum,
    Truth,
    Value,
    best_of,
    both,
    case,
    either,
    product,
    total,
)
from treewright.export.outline import Answer, Node, Outline, outline_of

MOST_LEVELS = 50  # of choices inside each other; deeper trees are told in steps
BY_SHARES = 0  # in place of a number of levels: a step for every node, the share of the row that is there
SLACK = 1e-12  # between probabilities that count as equal

At = Callable[[Node], Value]


def calculation_of(model: Any, most: int = MOST_LEVELS) -> Calculation:
    """Return a model as a calculation, with at most so many choices inside each other.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), "PlayTennis", "stump")
    >>> calculation_of(tree).label.whens[0][1], calculation_of(tree).leaf.otherwise
    (Class(place=0), Number(value=1.0))
    """
    return _KINDS[kind_of(model) or ""](model, most)


# ---- one tree ------------------------------------------------------------------------------------------


def nested(
    outline: Outline,
    at: At,
    most: int = MOST_LEVELS,
    steps: list[tuple[str, Value]] | None = None,
    prefix: str = "",
) -> Value:
    """Return a tree as choices inside each other; `at` says what a node is worth to a row that ends there.

    Where more than `most` choices would be inside each other, the inner ones become steps.
    """
    worth: dict[int, Value] = {}
    height: dict[int, int] = {}
    for node in reversed(outline.nodes):  # children come after their parents
        number = node.number
        if node.is_leaf:
            worth[number], height[number] = at(node), 0
            continue
        ends: dict[int | str, Value] = {b: worth.pop(child) for b, child in enumerate(node.children)}
        height[number] = 1 + max(height.pop(child) for child in node.children)
        targets = branching_of(outline, node).targets()
        ends["refuse"] = Nothing()
        if any(target == "stop" for target, _ in targets):
            ends["stop"] = at(node)
        *whens, (last, _) = targets
        worth[number] = case([(truth, ends[target]) for target, truth in whens], ends[last])
        if height[number] >= most and number and steps is not None:
            worth[number], height[number] = _as_step(worth[number], f"{prefix}sub{number}", steps), 0
    return worth[0]


def of_tree(tree: Any, most: int = MOST_LEVELS) -> Calculation:
    """Return a tree as a calculation."""
    outline = outline_of(tree)
    if most == BY_SHARES or outline.may_divide or (tree.has_models and tree.is_classifier):
        return reached(outline)
    columns, steps = outline.columns, list[tuple[str, Value]]()
    if tree.depth > most and not tree.has_models:
        return _by_place(outline, most)
    chances = tuple(nested(outline, _chance(c), most, steps) for c in range(len(tree.classes)))
    label = nested(outline, lambda node: _plain_answer(outline, node), most, steps)
    leaf = nested(outline, lambda node: Number(float(node.number)), most, steps, "leaf_")
    return Calculation(columns, tree.classes, tuple(steps), label, chances, leaf)


def _chance(c: int) -> At:
    return lambda node: Number(node.answer.chances[c])


def _by_place(outline: Outline, most: int) -> Calculation:
    """Return a deep tree as a calculation: where a row ends in steps, then what is said there."""
    ends: list[Node] = []

    def place_of(node: Node) -> Value:
        ends.append(node)
        return Number(float(len(ends) - 1))

    steps: list[tuple[str, Value]] = []
    steps.append(("place", nested(outline, place_of, most, steps)))
    place, classes = Step("place"), outline.tree.classes
    if classes:
        label = Lookup(place, tuple(float(node.answer.label) for node in ends), of_classes=True)
    else:
        label = Lookup(place, tuple(node.answer.chances[0] for node in ends))
    chances = tuple(
        Lookup(place, tuple(node.answer.chances[c] for node in ends)) for c in range(len(classes))
    )
    leaf = Lookup(place, tuple(float(node.number) for node in ends))
    return Calculation(outline.columns, classes, tuple(steps), label, chances, leaf)


def _plain_answer(outline: Outline, node: Node) -> Value:
    if outline.tree.is_classifier:
        return Class(node.answer.label)
    return _mean(outline, node.answer)


def _mean(outline: Outline, answer: Answer) -> Value:
    """Return the number that a node answers with: of its model, where that comes to one."""
    plain = Number(answer.chances[0])
    if answer.model is None:
        return plain
    scores, says = _scores(outline, answer)
    return case([(says, scores[0])], plain)


def _scores(outline: Outline, answer: Answer) -> tuple[list[Value], Truth]:
    """Return the sums of a node's model, and when they count: cells it needs are known, all sums finite."""
    model, columns = answer.model, outline.columns
    assert model is not None
    terms_and_gaps = list(zip(model.terms, model.gaps, strict=True))
    known = both(
        *(is_known(place, columns[place]) for (place, _), gap in terms_and_gaps if np.isnan(gap).any())
    )
    largest = float(np.finfo(np.float64).max)
    scores: list[Value] = []
    says: Truth = known
    for s, bias in enumerate(model.bias):
        terms: list[Value] = [Number(bias)]
        for (place, weights), gap in terms_and_gaps:
            if weights[s] or gap[s] > 0 or gap[s] < 0:
                cell = Product((number_in(place, columns[place]), Number(weights[s])))
                added = [(is_known(place, columns[place]), cell)]
                terms.append(cell if np.isnan(gap[s]) else case([*added], Number(gap[s])))
        scores.append(terms[0] if len(terms) == 1 else Sum(tuple(terms)))
        if len(terms) > 1:
            finite = (Compare(scores[-1], "<=", Number(largest)), Compare(scores[-1], ">=", Number(-largest)))
            says = both(says, *finite)
    return scores, says


# ---- by shares: what of a row reaches each node --------------------------------------------------------


def reached(outline: Outline, prefix: str = "") -> Calculation:
    """Return a tree as a calculation that knows what share of a row reaches each node.

    The steps `at0`, `at1`, ... are the shares of nodes, `end1`, ... of what ends there.
    """
    tree = outline.tree
    steps, ends, refused = shares_of(outline, prefix)
    share_of = dict(ends)
    best = Step(f"{prefix}most")
    steps.append((best.name, Largest(tuple(share for _, share in ends))))
    chances, says = _chances(outline, ends, steps, prefix)
    leaf = Case(
        tuple((Compare(share, ">=", best), Number(float(number))) for number, share in ends), Nothing()
    )
    if not tree.is_classifier:
        label = chances[0]
        refusing = _refusing(refused, label)
        return Calculation(outline.columns, (), tuple(steps), refusing, (), _refusing(refused, leaf))
    winner = winner_of(chances, outline.costs, steps, prefix)
    places = {number: Class(outline.nodes[number].answer.label) for number in share_of}
    whole = Case(tuple((Compare(share, ">=", Number(1.0)), places[number]) for number, share in ends), winner)
    if tree.has_models:
        whole = Case(((Compare(says, ">", Number(0.0)), winner),), whole)
    return Calculation(
        outline.columns,
        tree.classes,
        tuple(steps),
        _refusing(refused, whole),
        tuple(_refusing(refused, chance) for chance in chances),
        _refusing(refused, leaf),
        frozenset(name for name, _ in steps if name.startswith(f"{prefix}at")),
    )


def _refusing(refused: Value, value: Value) -> Value:
    if refused == Number(0.0):
        return value
    return Case(((Compare(refused, ">", Number(0.0)), Nothing()),), value)


def shares_of(
    outline: Outline, prefix: str = ""
) -> tuple[list[tuple[str, Value]], list[tuple[int, Value]], Value]:
    """Return the steps, the share of a row that ends at each node, and the share that is refused."""
    steps: list[tuple[str, Value]] = []
    ends: list[tuple[int, Value]] = []
    refused: list[Value] = []
    reach: dict[int, Value] = {0: Number(1.0)}
    for node in outline.nodes:
        here = reach.pop(node.number)
        if here == Number(0.0):
            continue
        if node.is_leaf:
            ends.append((node.number, _as_step(here, f"{prefix}end{node.number}", steps)))
            continue
        at = _as_step(here, f"{prefix}at{node.number}", steps)
        targets = branching_of(outline, node).targets()
        for branch, child in enumerate(node.children):
            reach[child] = product(at, _share_at(targets, branch, node))
        names = [target for target, _ in targets]
        if "stop" in names:
            share = product(at, _share_at(targets, "stop", node))
            ends.append((node.number, _as_step(share, f"{prefix}end{node.number}", steps)))
        if "refuse" in names:
            refused.append(product(at, _share_at(targets, "refuse", node)))
    return steps, ends, total(refused)


def _as_step(value: Value, name: str, steps: list[tuple[str, Value]]) -> Value:
    if isinstance(value, Number):
        return value
    steps.append((name, value))
    return Step(name)


def _share_at(targets: list[tuple[int | str, Truth]], wanted: int | str, node: Node) -> Value:
    """Return the share of what is at a node that takes one branch, or stops, or is refused."""

    def worth(target: int | str) -> Value:
        if target == "divide" and isinstance(wanted, int):
            return Number(node.shares[wanted])
        return Number(1.0 if target == wanted else 0.0)

    *whens, (last, _) = targets
    return case([(truth, worth(target)) for target, truth in _gathered(whens, worth)], worth(last))


def _gathered(
    whens: list[tuple[int | str, Truth]], worth: Callable[[int | str], Value]
) -> list[tuple[int | str, Truth]]:
    """Return the truths with those of one worth in one."""
    found: dict[Value, tuple[int | str, Truth]] = {}
    for target, truth in whens:
        value = worth(target)
        found[value] = (target, truth) if value not in found else (target, either(found[value][1], truth))
    return list(found.values())


def _chances(
    outline: Outline, ends: list[tuple[int, Value]], steps: list[tuple[str, Value]], prefix: str
) -> tuple[list[Value], Value]:
    """Return the probability of each class (or the one number), and the share that models speak of."""
    tree = outline.tree
    width = max(1, len(tree.classes))
    parts: list[list[Value]] = [[] for _ in range(width)]
    spoken: list[Value] = []
    for number, share in ends:
        answer = outline.nodes[number].answer
        worths: list[Value] = [Number(chance) for chance in answer.chances]
        if answer.model is not None and tree.is_classifier:
            worths, says = _modelled(outline, number, answer, steps, prefix)
            spoken.append(product(share, case([(says, Number(1.0))], Number(0.0))))
        elif answer.model is not None:
            worths = [_mean(outline, answer)]
        for c, worth in enumerate(worths):
            parts[c].append(product(share, worth))
    names = [f"{prefix}p{c}" for c in range(width)]
    steps += [(name, total(part)) for name, part in zip(names, parts, strict=True)]
    if spoken:
        steps.append((f"{prefix}says", total(spoken)))
    return [Step(name) for name in names], Step(f"{prefix}says") if spoken else Number(0.0)


def _modelled(
    outline: Outline, number: int, answer: Answer, steps: list[tuple[str, Value]], prefix: str
) -> tuple[list[Value], Truth]:
    """Return the probabilities that the model of a node comes to, or those of the node."""
    scores, says = _scores(outline, answer)
    of_node = f"{prefix}m{number}_"
    zero = Number(0.0)
    every: list[Value] = [zero]
    for s, score in enumerate(scores):
        steps.append((f"{of_node}s{s}", case([(says, score)], zero)))
        every.append(Step(f"{of_node}s{s}"))
    steps.append((f"{of_node}most", Largest(tuple(every))))
    most = Product((Number(-1.0), Step(f"{of_node}most")))
    for c, score in enumerate(every):
        steps.append((f"{of_node}e{c}", Power(Sum((score, most)))))
    grown = tuple(Step(f"{of_node}e{c}") for c in range(len(every)))
    steps.append((f"{of_node}all", Sum(grown)))
    whole = Step(f"{of_node}all")
    plain = answer.chances
    return [case([(says, Quotient(e, whole))], Number(plain[c])) for c, e in enumerate(grown)], says


def winner_of(chances: list[Value], costs: Any, steps: list[tuple[str, Value]], prefix: str = "") -> Value:
    """Return the class of most probability, or of least cost; the first where they are equal."""
    slack, worths = SLACK, chances
    if costs is not None:
        prices = np.asarray(costs, dtype=np.float64)
        slack = SLACK * max(1.0, float(prices.max()))
        worths = []
        for c in range(len(chances)):
            parts = [
                product(Number(-price), chance)
                for price, chance in zip(prices[:, c].tolist(), chances, strict=True)
            ]
            steps.append((f"{prefix}worth{c}", total(parts)))
            worths.append(Step(f"{prefix}worth{c}"))
    steps.append((f"{prefix}best", Largest(tuple(worths))))
    return best_of(worths, Class, slack, Step(f"{prefix}best"))


# ---- many trees ----------------------------------------------------------------------------------------


def of_forest(forest: Any, most: int = MOST_LEVELS) -> Calculation:
    """Return a forest as a calculation: a step for every tree, and the mean of what they say."""
    steps: list[tuple[str, Value]] = []
    width = max(1, len(forest.classes))
    parts: list[list[Value]] = [[] for _ in range(width)]
    refused: list[Value] = []
    inner: set[str] = set()
    for t in range(forest.n_trees):
        outline, prefix = outline_of(forest.tree(t)), f"t{t}"
        if most == BY_SHARES or outline.may_divide:
            more, ends, gone = shares_of(outline, f"{prefix}_")
            inner |= {name for name, _ in more if name.startswith(f"{prefix}_at")}
            steps += more
            refused.append(gone)
            for c in range(width):
                part = total(
                    [product(share, Number(outline.nodes[i].answer.chances[c])) for i, share in ends]
                )
                steps.append((f"{prefix}_p{c}", part))
                parts[c].append(Step(f"{prefix}_p{c}"))
        elif width <= 2:
            steps.append((prefix, nested(outline, _chance(0), most, steps, f"{prefix}_")))
            parts[0].append(Step(prefix))
        else:
            _add_lookups(outline, prefix, most, steps, parts)
    count = Number(float(forest.n_trees))
    if width == 2 and not parts[1]:
        steps.append(("sum0", Sum(tuple(parts[0]))))
        sums: list[Value] = [Step("sum0"), Sum((count, Product((Number(-1.0), Step("sum0")))))]
    else:
        sums = [Sum(tuple(part)) for part in parts]
    steps += [(f"p{c}", Quotient(each, count)) for c, each in enumerate(sums)]
    chances: list[Value] = [Step(f"p{c}") for c in range(width)]
    gone = total(refused)
    columns = forest.schema.columns
    if not forest.is_classifier:
        return Calculation(columns, (), tuple(steps), _refusing(gone, chances[0]), (), None, frozenset(inner))
    winner = winner_of(chances, forest.about.get("costs"), steps)
    said = tuple(_refusing(gone, chance) for chance in chances)
    return Calculation(
        columns, forest.classes, tuple(steps), _refusing(gone, winner), said, None, frozenset(inner)
    )


def _add_lookups(
    outline: Outline, prefix: str, most: int, steps: list[tuple[str, Value]], parts: list[list[Value]]
) -> None:
    """Add a tree of many classes: its leaf, and what each leaf says of each class."""
    met: dict[tuple[float, ...], int] = {}

    def place_of(node: Node) -> Value:
        return Number(float(met.setdefault(node.answer.chances, len(met))))

    steps.append((prefix, nested(outline, place_of, most, steps, f"{prefix}_")))
    for c in range(len(parts)):
        parts[c].append(Lookup(Step(prefix), tuple(chances[c] for chances in met)))


# ---- linear models -------------------------------------------------------------------------------------


_KINDS: dict[str, Callable[[Any, int], Calculation]] = {
    "tree": of_tree,
    "forest": of_forest,
    "rules": lambda rules, _: of_rules(rules),
    "linear": lambda model, _: of_linear(model),
}
