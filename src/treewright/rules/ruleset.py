"""A set of rules as one closed, frozen value: it predicts, it is read, it is stored."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.files import write_whole
from treewright.base.lines import harmless
from treewright.base.notebook import Shown
from treewright.base.verbs import kind_of_model
from treewright.rules import check, plain, text
from treewright.rules.decide import Decision, decided
from treewright.rules.rule import Rule
from treewright.table import Column, Schema, align, table_of, warn_unseen
from treewright.table.frame import frame_of
from treewright.table.of_target import OfTarget
from treewright.tree import reader
from treewright.tree.policy import unseen_policy

if TYPE_CHECKING:  # the verbs, with their signatures
    from treewright.export.export import export as _export
    from treewright.export.export import to_text as _to_text


@kind_of_model("rules")
@dataclass(frozen=True, kw_only=True, repr=False)
class RuleSet(OfTarget, Shown):
    """Rules in order, the columns they ask about, the target, and how they decide.

    `decision` is "shares" (each row is divided among rules that exclude one another: those of a tree),
    "first" (the first rule that matches decides, else the default) or "vote" (all that match vote, else the
    default). `fallbacks` are the rules of a tree's inner nodes, for rows that stop there.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> rules = tw.rules.c45rules(tw.grow(table, target="PlayTennis", recipe="c4.5", prune="none"), table)
    >>> rules
    RuleSet(PlayTennis: 5 rules, the first that matches decides, default Yes)
    >>> [rule.prediction for rule in rules]
    ['No', 'No', 'Yes', 'Yes', 'Yes']
    """

    rules: tuple[Rule, ...]
    schema: Schema
    target: Column
    decision: str = "first"
    default: str | float | None = None  # None: every row has its rule
    default_distribution: tuple[float, ...] = ()  # of the training rows that no rule matches
    fallbacks: tuple[Rule, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)  # where they come from: plain JSON values

    if TYPE_CHECKING:  # bound by treewright.verbs, because the room that writes lies above this one
        export = _export
        to_text = _to_text

    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        for name in ("rules", "fallbacks", "default_distribution"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "about", MappingProxyType(check.about_of(self.about)))
        check.check(self)

    # ---- what it is -------------------------------------------------------------------------------

    @property
    def divides(self) -> bool:
        """True where a gap or a new category may divide a row among rules."""
        return any(condition.divides for rule in self.rules for condition in rule.conditions)

    @cached_property
    def used_columns(self) -> NDArray[np.intp]:
        """The places of the columns that the rules look at, in a condition or in its stand-ins, ascending."""
        names = set()
        for rule in (*self.rules, *self.fallbacks):
            for condition in rule.conditions:
                names |= set(condition.columns)
                names |= {test.column for proxy in condition.proxies for test in proxy.tests}
        places = [place for place, name in enumerate(self.schema.names) if name in names]
        return np.array(places, dtype=np.intp)

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, place: int) -> Rule:
        return self.rules[place]

    # ---- predict ----------------------------------------------------------------------------------

    def predict(self, table: Any) -> NDArray[Any]:
        """Return the predicted class names (an array of str), or numbers, one per row.

        >>> import treewright as tw
        >>> table = tw.example("tennis")
        >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
        >>> tree.rules().predict(table)[:4].tolist()
        ['No', 'No', 'Yes', 'Yes']
        """
        found = self.decide(table)
        if not self.is_classifier:
            return found.values
        return np.array(self.classes, dtype=object).take(found.labels)

    def predict_proba(self, table: Any) -> NDArray[np.float64]:
        """Return class probabilities, one row each, columns in the order of `classes`.

        Of a tree's rules they are the tree's. Where the first rule decides, they are the shares among the
        training rows that it matches, one row added per class; where rules vote, the shares of the votes.

        >>> import treewright as tw
        >>> table = tw.example("tennis")
        >>> tree = tw.grow(table, target="PlayTennis", recipe="stump")
        >>> tree.rules().predict_proba(table)[0].round(3).tolist()
        [0.429, 0.571]
        """
        if not self.is_classifier:
            raise ValueError(
                f"The rules predict the number {self.target.name!r}; probabilities are for classes."
            )
        return self.decide(table).chances

    def decide(self, table: Any) -> Decision:
        """Return all that is known of each row's answer: the rule that decided, labels, probabilities.

        >>> import treewright as tw
        >>> table = tw.example("tennis")
        >>> tw.grow(table, target="PlayTennis", recipe="id3").rules().decide(table).rule[:3].tolist()
        [0, 0, 3]
        """
        table = table_of(table, self.schema.columns, "predict")
        columns = align(table, self.schema.columns)
        asked = {name for rule in self.rules for condition in rule.conditions for name in condition.columns}
        used = [place for place, name in enumerate(self.schema.names) if name in asked]
        sentence = unseen_policy(self.about).sentence if "unseen" in self.about else ""
        warn_unseen(table, self.schema.columns, columns, used, sentence)
        return decided(self, columns, table.n_rows)

    # ---- other forms ------------------------------------------------------------------------------

    def __str__(self) -> str:
        return text.to_text(self)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the rules as a data frame: of pandas, polars or pyarrow, by name or what is installed.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
        >>> tree.rules().to_frame("pandas")[["prediction", "support", "errors"]].values.tolist()
        [['No', 7.0, 3.0], ['Yes', 7.0, 1.0]]
        """
        return frame_of(text.columns(self), backend)

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as plain JSON types; `RuleSet.from_dict` gives the same rules back.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
        >>> tree.rules().to_dict()["decision"]
        'shares'
        """
        return plain.to_dict(self)

    @classmethod
    def from_dict(cls, source: Mapping[str, Any]) -> RuleSet:
        """Return the rules that `to_dict` wrote; anything else is a ValueError.

        >>> import treewright as tw
        >>> rules = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3").rules()
        >>> RuleSet.from_dict(rules.to_dict()) == rules
        True
        """
        fields_of_it = plain.fields_of(source)
        try:
            rules = cls(**fields_of_it)
        except TypeError as error:  # a shape nobody thought of
            raise ValueError(f"Not a set of rules: {error}") from error
        plain.KIND.check_digest(source)
        return rules

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rules to a file as JSON; a crash or a full disk leaves an older file whole.

        >>> import os, tempfile
        >>> import treewright as tw
        >>> rules = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3").rules()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     rules.save(os.path.join(folder, "tennis.rules"))
        ...     tw.rules.load(os.path.join(folder, "tennis.rules")) == rules
        True
        """
        write_whole(path, plain.to_json(self).encode("ascii"))

    def __repr__(self) -> str:
        how = {
            "shares": "of a tree",
            "first": "the first that matches decides",
            "vote": "those that match vote",
        }
        count = f"{len(self.rules)} rule{'' if len(self.rules) == 1 else 's'}"
        default = "" if self.default is None else f", default {self.default}"
        return harmless(f"RuleSet({self.target.name}: {count}, {how[self.decision]}{default})")

    def __reduce__(self) -> tuple[Any, ...]:
        # Through the constructor: pickle must not bring bad rules.
        return _rebuilt, (
            {f.name: getattr(self, f.name) for f in fields(self)} | {"about": dict(self.about)},
        )


def _rebuilt(state: dict[str, Any]) -> RuleSet:
    return RuleSet(**state)


def load(path: str | os.PathLike[str]) -> RuleSet:
    """Return the rules saved in a file; a damaged or foreign file is a ValueError that says what is wrong.

    >>> import os, tempfile
    >>> import treewright as tw
    >>> rules = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3").rules()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "tennis.rules")
    ...     rules.save(path)
    ...     len(load(path))
    6
    """
    return reader.load(path, plain.KIND, lambda file: RuleSet.from_dict(file.json()))
