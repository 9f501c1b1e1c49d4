"""What a model answers, found with one walk of the rows: answers, probabilities, leaves or rules."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from treewright.base.verbs import kind_of
from treewright.forest import vote, walker
from treewright.predict import route_columns
from treewright.predict.vote import labels, own_chances, values
from treewright.rules.decide import decided
from treewright.serve.reader import Rows

Numbers = list[float | None]


@dataclass(frozen=True)
class Answers:
    """Answers by row; `shares` are the probabilities by row and class, `places` leaves or rules."""

    predictions: list[Any]
    classes: tuple[str, ...]
    shares: list[list[float]]  # [] of numbers
    place_name: str = ""  # "leaf" of a tree, "rule" of rules
    places: Sequence[int] = ()

    def plain(self, row: int) -> dict[str, Any]:
        """Return the answer to a row in JSON's types.

        >>> Answers(["b"], ("a", "b"), [[0.25, 0.75]], "leaf", [3]).plain(0)
        {'prediction': 'b', 'probabilities': {'a': 0.25, 'b': 0.75}, 'leaf': 3}
        """
        found: dict[str, Any] = {"prediction": self.predictions[row]}
        if self.shares:
            found["probabilities"] = dict(zip(self.classes, self.shares[row], strict=True))
        if self.place_name:
            found[self.place_name] = self.places[row]
        return found

    def columns(self) -> dict[str, Sequence[Any]]:
        """Return the answers as columns, named as `treewright predict --proba` names them.

        >>> Answers(["b"], ("a", "b"), [[0.25, 0.75]]).columns()
        {'prediction': ['b'], 'probability_a': [0.25], 'probability_b': [0.75]}
        """
        found: dict[str, Sequence[Any]] = {"prediction": self.predictions}
        for place, name in enumerate(self.classes if self.shares else ()):
            found[f"probability_{name}"] = [shares[place] for shares in self.shares]
        if self.place_name:
            found[self.place_name] = self.places
        return found

    def csv(self) -> str:
        r"""Return the answers as CSV.

        >>> Answers(["a,b"], ("a,b",), [[1.0]]).csv()
        'prediction,"probability_a,b"\r\n"a,b",1.0\r\n'
        """
        text = io.StringIO(newline="")
        lines = csv.writer(text)
        columns = self.columns()
        lines.writerow(columns)
        lines.writerows(zip(*columns.values(), strict=True))
        return text.getvalue()


def answers(model: Any, rows: Rows) -> Answers:
    """Return what a tree, a forest or rules say to rows in their codes; what they refuse is a ValueError.

    >>> import treewright as tw
    >>> from treewright.serve.reader import Reader
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
    >>> answers(tree, Reader(tree).rows({"Humidity": ["High"]})).plain(0)
    {'prediction': 'No', 'probabilities': {'Yes': 0.42..., 'No': 0.57...}, 'leaf': 1}
    """
    return _WAYS[kind_of(model) or "tree"](model, rows)


def _of_tree(tree: Any, rows: Rows) -> Answers:
    routed = route_columns(tree, rows.columns, rows.n_rows)
    places = routed.node.tolist()
    if not tree.is_classifier:
        return Answers(_finite(values(tree, routed, rows.columns).tolist()), (), [], "leaf", places)
    said = [tree.classes[label] for label in labels(tree, routed, rows.columns).tolist()]
    return Answers(said, tree.classes, own_chances(tree, routed, None, rows.columns).tolist(), "leaf", places)


def _of_forest(forest: Any, rows: Rows) -> Answers:
    mean = walker.voted(forest, rows.columns, rows.n_rows).mean
    if not forest.is_classifier:
        return Answers(_finite(mean[:, 0].tolist()), (), [])
    said = [forest.classes[label] for label in vote.labels(forest, mean).tolist()]
    return Answers(said, forest.classes, mean.tolist())


def _of_rules(rules: Any, rows: Rows) -> Answers:
    found = decided(rules, rows.columns, rows.n_rows)
    places = [place + 1 if place >= 0 else None for place in found.rule.tolist()]  # counted as they are shown
    if not rules.is_classifier:
        return Answers(_finite(found.values.tolist()), (), [], "rule", places)  # type: ignore[arg-type]
    said = [rules.classes[label] for label in found.labels.tolist()]
    return Answers(said, rules.classes, found.chances.tolist(), "rule", places)  # type: ignore[arg-type]


def _finite(numbers: list[float]) -> Numbers:
    """Return numbers as JSON has them: it has no infinite ones."""
    return [number if math.isfinite(number) else None for number in numbers]


_WAYS: dict[str, Callable[[Any, Rows], Answers]] = {
    "tree": _of_tree,
    "forest": _of_forest,
    "rules": _of_rules,
}
