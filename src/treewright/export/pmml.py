"""PMML 4.4: trees, forests, rules and logistic models, with every way of gaps told by predicates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from treewright.base.verbs import kind_of
from treewright.export.branching import branching_of
from treewright.export.calculate_linear import check_written
from treewright.export.calculate_rules import RuleWords
from treewright.export.cells import is_number
from treewright.export.expression import (
    ALWAYS,
    NEVER,
    All,
    Among,
    Cell,
    Compare,
    Either,
    Gap,
    Number,
    Other,
    Product,
    Sum,
    Truth,
    Value,
)
from treewright.export.format import Answers, Job, MissingToolError
from treewright.export.outline import Node, Outline, outline_of
from treewright.export.xml_text import Element, document, element
from treewright.rules.decide import tree_shares
from treewright.table import Column
from treewright.table.raw import label as label_of

_DIVIDED = (
    "it divides rows by counts of its own. Grow the tree with missing='learned', or choose sql or onnx."
)
REFUSES = {
    "gaps divide": _DIVIDED,
    "unseen divide": "it divides no rows. Grow the tree with unseen='most_common', or choose sql or onnx.",
    "models": "its leaves hold numbers. Grow the tree with leaves='constant', or choose sql or onnx.",
    "forest: costs": "its forests say the class of most probability.",
    "rules: sums": "its rules ask about one column in each condition. Choose sql or onnx.",
    "rules that vote": "its rules weigh votes in another way. Choose sql or onnx.",
    "kernel": "it writes sums of terms. Fit it with kernel='linear'.",
    "feature function": "a function of yours is code. Make the columns before the model.",
}
_SPACE = "http://www.dmg.org/PMML-4_4"
_SIGNS = {"<=": "lessOrEqual", ">": "greaterThan", ">=": "greaterOrEqual"}
_PLAIN = re.compile(r"[\w.+-]+\Z", re.ASCII)


def tree_pmml(tree: Any) -> str:
    """Return a tree as PMML: a TreeModel whose nodes have the numbers that ours have."""
    words = _Words(tree.schema.columns)
    body = _tree_model(words, outline_of(tree), tree.target.name, is_outer=True)
    return _document(words, tree.target.name, tree.classes, body)


def forest_pmml(forest: Any) -> str:
    """Return a forest as PMML: the average of its trees."""
    words, name = _Words(forest.schema.columns), forest.target.name
    segments = []
    for i in range(forest.n_trees):
        model = _tree_model(words, outline_of(forest.tree(i)), name, is_outer=False)
        segments.append(element("Segment", {"id": str(i)}, [element("True"), model]))
    body = element(
        "MiningModel",
        {"functionName": _function(forest.classes)},
        [
            words.schema(name),
            _output(words, forest.classes, has_leaf=False),
            element("Segmentation", {"multipleModelMethod": "average"}, segments),
        ],
    )
    return _document(words, name, forest.classes, body)


def rules_pmml(rules: Any) -> str:
    """Return rules as PMML: a tree of one level, of which the first node that holds answers."""
    if rules.decision == "vote" or rules.divides:
        raise ValueError(
            "PMML: of rules the first that holds decides; these share a row. Choose sql or onnx."
        )
    words, asked = _Words(rules.schema.columns), RuleWords(rules)
    listed = [r for r in (*rules.rules, *rules.fallbacks) if r.prediction is not None and not r.is_silent]
    chances: list[list[float]] = [[] for _ in listed]
    if rules.is_classifier and rules.decision == "first":
        chances = [asked.laplace(rule.distribution) for rule in listed]
    elif rules.is_classifier:
        chances = tree_shares(rules, tuple(listed)).tolist()
    inside = [element("True")]
    default = {"id": "default"}
    if rules.default is not None:
        default["score"] = str(rules.default)
        inside += _distribution(rules.classes, asked.laplace(rules.default_distribution))
    for i, (rule, shares) in enumerate(zip(listed, chances, strict=True), 1):
        parts = [words.predicate(asked.matches(rule)), *_distribution(rules.classes, shares)]
        inside.append(element("Node", {"id": f"rule{i}", "score": str(rule.prediction)}, parts))
    given = {
        "functionName": _function(rules.classes),
        "missingValueStrategy": "none",
        "noTrueChildStrategy": "returnNullPrediction" if rules.default is None else "returnLastPrediction",
        "splitCharacteristic": "multiSplit",
    }
    name = rules.target.name
    output = _output(words, rules.classes, has_leaf=False)
    body = element("TreeModel", given, [words.schema(name), output, element("Node", default, inside)])
    return _document(words, name, rules.classes, body)


def linear_pmml(model: Any) -> str:
    """Return a logistic model as PMML: a RegressionModel with a table for each class."""
    check_written(model)
    if not hasattr(model, "predict_proba") or len(model.fits_) > 1 or model.map_ is not None:
        raise ValueError(
            "PMML has regression tables for logistic models of the columns as they are "
            "(multi_class='softmax', features=None); choose sql or onnx."
        )
    classes = tuple(label_of(value) for value in model.classes_.tolist())
    words = _Words(model.coding_.schema.columns)
    planes = list(zip(model.coef_.tolist(), model.intercept_.tolist(), strict=True))
    if len(planes) < len(classes):  # of two classes the first has no weights
        planes.insert(0, ([0.0] * model.coef_.shape[1], 0.0))
    tables = [
        element(
            "RegressionTable",
            {"intercept": repr(bias), "targetCategory": name},
            _predictors(model.coding_, weights),
        )
        for name, (weights, bias) in zip(classes, planes, strict=True)
    ]
    name = "class"
    while name in model.coding_.schema.names:
        name += "_"
    body = element(
        "RegressionModel",
        {"functionName": "classification", "normalizationMethod": "softmax"},
        [words.schema(name, refuses=True), _output(words, classes, has_leaf=False), *tables],
    )
    return _document(words, name, classes, body)


def _predictors(coding: Any, weights: list[float]) -> list[Element]:
    numbers: list[Element] = []
    others: list[Element] = []
    place = 0
    for column, levels in zip(coding.schema.columns, coding.levels, strict=True):
        if column.is_numeric:
            numbers.append(
                element("NumericPredictor", {"name": column.name, "coefficient": repr(weights[place])})
            )
            place += 1
            continue
        if column.edges is not None:
            raise ValueError(f"Column {column.name!r} is cut into intervals; PMML's regression has none.")
        known = levels or column.categories  # ranks, and truths, are one term
        for rank, category in enumerate(known):
            weight = weights[place + rank] if levels else weights[place] * rank
            given = {"name": column.name, "value": category, "coefficient": repr(weight)}
            others.append(element("CategoricalPredictor", given))
        place += len(levels) if levels else 1
    return numbers + others


# ---- trees ---------------------------------------------------------------------------------------------


def _tree_model(words: _Words, outline: Outline, target: str, is_outer: bool) -> Element:
    classes = outline.tree.classes
    made: dict[int, Element] = {}
    refuses = any("refuse" in (node.gap.kind, node.unseen.kind) for node in outline.nodes if not node.is_leaf)
    truths: dict[int, Truth] = {0: ALWAYS}
    own: list[tuple[Node, list[tuple[int, Truth]], Truth]] = []
    for node in outline.nodes:
        found = branching_of(outline, node)
        truths.update(zip(node.children, found.branches, strict=True))
        own.append((node, list(zip(node.children, found.branches, strict=True)), found.stops))
    for node, below, stops in reversed(own):
        said = _node_words(node, classes)
        children = [made.pop(child) for child, _ in below]
        if refuses and stops != NEVER:  # what no branch takes would be refused
            given, parts = _node_words(node, classes, ".stop")
            children.append(element("Node", given, [words.predicate(stops), *parts]))
        given, parts = said
        made[node.number] = element("Node", given, [words.predicate(truths[node.number]), *parts, *children])
    inside: list[Element | None] = [words.schema(target)]
    if is_outer:
        inside.append(_output(words, classes, has_leaf=True))
    inside += [words.transformations(), made[0]]
    given = {
        "functionName": _function(classes),
        "missingValueStrategy": "none",
        "noTrueChildStrategy": "returnNullPrediction" if refuses else "returnLastPrediction",
        "splitCharacteristic": "multiSplit",
    }
    return element("TreeModel", given, [each for each in inside if each is not None])


def _node_words(node: Node, classes: tuple[str, ...], mark: str = "") -> tuple[dict[str, str], list[Element]]:
    answer = node.answer
    if not classes:
        return {"id": f"{node.number}{mark}", "score": repr(answer.chances[0])}, []
    given = {
        "id": f"{node.number}{mark}",
        "score": classes[answer.label],
        "recordCount": str(node.answer.n_rows),
    }
    return given, _distribution(classes, answer.chances)


def _distribution(classes: tuple[str, ...], chances: Iterable[float]) -> list[Element]:
    return [
        element("ScoreDistribution", {"value": name, "recordCount": repr(p), "probability": repr(p)})
        for name, p in zip(classes, chances, strict=True)
    ]


# ---- fields and predicates -----------------------------------------------------------------------------


def _function(classes: tuple[str, ...]) -> str:
    return "classification" if classes else "regression"


class _Words:
    """Columns as PMML names them, and truths as its predicates."""

    def __init__(self, columns: tuple[Column, ...]) -> None:
        self.columns = columns
        self.sums: dict[Value, str] = {}

    def output_name(self, name: str) -> str:
        names = {column.name for column in self.columns}
        while name in names:
            name += "_"
        return name

    def dictionary(self, target: str, classes: tuple[str, ...]) -> Element:
        fields = []
        for column in self.columns:
            if is_number(column):
                fields.append(
                    element("DataField", {"name": column.name, "optype": "continuous", "dataType": "double"})
                )
            else:
                fields.append(_categorical(column.name, ()))  # a category not listed would be invalid
        if classes:
            fields.append(_categorical(target, classes))
        else:
            fields.append(
                element("DataField", {"name": target, "optype": "continuous", "dataType": "double"})
            )
        return element("DataDictionary", {"numberOfFields": str(len(fields))}, fields)

    def schema(self, target: str, refuses: bool = False) -> Element:
        more = {"invalidValueTreatment": "returnInvalid" if refuses else "asIs"}
        if refuses:
            more["missingValueTreatment"] = "returnInvalid"
        fields = [element("MiningField", {"name": c.name, **more}) for c in self.columns]
        return element(
            "MiningSchema", {}, [*fields, element("MiningField", {"name": target, "usageType": "target"})]
        )

    def transformations(self) -> Element | None:
        """Return the sums of columns that predicates ask about, as fields."""
        if not self.sums:
            return None
        fields = [
            element(
                "DerivedField",
                {"name": name, "optype": "continuous", "dataType": "double"},
                [self.applied(value)],
            )
            for value, name in self.sums.items()
        ]
        self.sums = {}
        return element("LocalTransformations", {}, fields)

    def applied(self, value: Value) -> Element:
        if isinstance(value, Number):
            return element("Constant", {"dataType": "double"}, text=repr(value.value))
        if isinstance(value, Cell):
            return element("FieldRef", {"field": self.columns[value.column].name})
        if isinstance(value, (Sum, Product)):
            sign = "+" if isinstance(value, Sum) else "*"
            found = self.applied(value.parts[0])
            for part in value.parts[1:]:
                found = element("Apply", {"function": sign}, [found, self.applied(part)])
            return found
        raise ValueError(
            "PMML: a sum of ranks or truths is not written; grow the tree on numbers, or choose onnx."
        )

    def predicate(self, at: Truth) -> Element:
        if isinstance(at, (All, Either)):
            if not at.parts:
                return element("True" if isinstance(at, All) else "False")
            sign = "and" if isinstance(at, All) else "or"
            return element(
                "CompoundPredicate", {"booleanOperator": sign}, [self.predicate(p) for p in at.parts]
            )
        if isinstance(at, Compare):
            return self.compared(at)
        name = self.columns[at.column].name
        if isinstance(at, Gap):
            return element("SimplePredicate", {"field": name, "operator": "isMissing"})
        there = element("SimplePredicate", {"field": name, "operator": "isNotMissing"})
        categories = [self.columns[at.column].categories[place] for place in at.places]
        if isinstance(at, Among):
            return self.members(name, categories, is_in=True)
        if not categories:
            return there
        return element(
            "CompoundPredicate",
            {"booleanOperator": "and"},
            [there, self.members(name, categories, is_in=False)],
        )

    def members(self, name: str, categories: list[str], is_in: bool) -> Element:
        if len(categories) > 1 and all(map(_PLAIN.match, categories)):
            array = element(
                "Array",
                {"type": "string", "n": str(len(categories))},
                text=" ".join(f'"{c}"' for c in categories),
            )
            return element(
                "SimpleSetPredicate",
                {"field": name, "booleanOperator": "isIn" if is_in else "isNotIn"},
                [array],
            )
        sign = "equal" if is_in else "notEqual"
        each = [element("SimplePredicate", {"field": name, "operator": sign, "value": c}) for c in categories]
        if len(each) == 1:
            return each[0]
        return element("CompoundPredicate", {"booleanOperator": "or" if is_in else "and"}, each)

    def compared(self, at: Compare) -> Element:
        assert isinstance(at.right, Number)
        sign, bound = _SIGNS[at.sign], at.right.value
        if np.isinf(bound):  # numbers of PMML are finite in what is written
            is_all = (bound > 0) == (at.sign == "<=")
            if isinstance(at.left, Cell) and is_all:
                return self.predicate(Other(at.left.column, ()))
            return element("True" if is_all else "False")
        if isinstance(at.left, Cell):
            name = self.columns[at.left.column].name
        else:
            name = self.sums.setdefault(at.left, self.output_name(f"sum {len(self.sums) + 1}"))
        return element("SimplePredicate", {"field": name, "operator": sign, "value": repr(bound)})


def _categorical(name: str, categories: Iterable[str]) -> Element:
    values = [element("Value", {"value": category}) for category in categories]
    return element("DataField", {"name": name, "optype": "categorical", "dataType": "string"}, values)


def _output(words: _Words, classes: tuple[str, ...], has_leaf: bool) -> Element:
    kind = (
        {"optype": "categorical", "dataType": "string"}
        if classes
        else {"optype": "continuous", "dataType": "double"}
    )
    fields = [
        element("OutputField", {"name": words.output_name("prediction"), **kind, "feature": "predictedValue"})
    ]
    for name in classes:
        given = {
            "name": words.output_name(f"probability({name})"),
            "optype": "continuous",
            "dataType": "double",
        }
        fields.append(element("OutputField", {**given, "feature": "probability", "value": name}))
    if has_leaf:
        given = {"name": words.output_name("leaf"), "optype": "categorical", "dataType": "string"}
        fields.append(element("OutputField", {**given, "feature": "entityId"}))
    return element("Output", {}, fields)


def _document(words: _Words, target: str, classes: tuple[str, ...], body: Element) -> str:
    application = element("Application", {"name": "treewright", "version": version("treewright")})
    header = element("Header", {}, [application])
    root = element(
        "PMML", {"xmlns": _SPACE, "version": "4.4"}, [header, words.dictionary(target, classes), body]
    )
    return document(root)


# ---- running it ----------------------------------------------------------------------------------------


def answers(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the evaluator of pypmml says; it needs a Java."""
    import shutil

    if shutil.which("java") is None:
        raise MissingToolError("java", "A Java", "default-jre-headless")
    return [_answered(job) for job in jobs]


def _answered(job: Job) -> Answers:
    from treewright.export.format import MissingPackageError

    try:
        from pypmml import Model
    except ImportError:
        raise MissingPackageError("pypmml", "pmml") from None
    model = Model.fromString(job.write())
    try:
        rows = [
            {c.name: cell for c, cell in zip(job.cells.columns, job.cells.row(i), strict=True)}
            for i in range(job.cells.n_rows)
        ]
        return _read(job, [model.predict(row) for row in rows])
    finally:
        model.close() if hasattr(model, "close") else None


def _read(job: Job, said: list[dict[str, Any]]) -> Answers:
    kind = kind_of(job.model)
    classes = tuple(map(label_of, job.model.classes_.tolist())) if kind == "linear" else job.model.classes
    labels: list[Any] = []
    for row in said:
        label = row.get("prediction")
        labels.append(None if label is None or label != label else str(label) if classes else float(label))
    refused = np.array([label is None for label in labels])
    chances = None
    if classes:
        chances = np.array([[_number(row.get(f"probability({c})")) for c in classes] for row in said])
    leaves = None
    if kind == "tree":
        leaves = np.array([int(str(row.get("leaf") or "-1").split(".")[0]) for row in said])
    return Answers(labels, chances, leaves, refused)


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)
