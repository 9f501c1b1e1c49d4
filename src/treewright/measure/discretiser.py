"""The ways to cut a column into intervals, by name: what `discretise=` and the transformers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from treewright.base.names import choice
from treewright.measure.equal import BINS, checked_bins, equal_frequency_cuts, equal_width_cuts
from treewright.measure.given import Floats
from treewright.measure.intervals import checked_edges
from treewright.measure.mdl import ENCODINGS, kononenko_cuts, mdlp_cuts
from treewright.measure.scan import boundary_cuts

Cuts = Callable[
    ..., "Floats | None"
]  # column name, x, y, weights and the options -> cuts, None: not this column


class Way(NamedTuple):
    """One way to find cuts: options with their usual values and check, and whether it looks at classes."""

    cuts: Cuts
    options: dict[str, Any]
    check: Callable[..., dict[str, Any]]
    needs_classes: bool


def _no_options() -> dict[str, Any]:
    return {}


def _bins(bins: Any) -> dict[str, Any]:
    return {"bins": checked_bins(bins)}


def _encoding(encoding: Any) -> dict[str, Any]:
    return {"encoding": choice("encoding", encoding, ENCODINGS)}


def _edges(edges: Any) -> dict[str, Any]:
    """Return edges for every numeric column, or pairs of a column's name and its edges."""
    if isinstance(edges, Mapping):
        edges = list(edges.items())
    if isinstance(edges, str) or not isinstance(edges, Iterable):
        raise TypeError(f"edges={edges!r} must be a list of numbers, or a dict of such lists by column name.")
    listed = list(edges)
    if not any(isinstance(item, (tuple, list)) for item in listed):
        return {"edges": tuple(checked_edges(listed).tolist())}
    pairs = []
    for pair in listed:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(f"edges holds {pair!r:.60}; give a list of numbers, or a dict of such lists.")
        name, cuts = pair
        if not isinstance(name, str):
            raise TypeError(f"edges names the column {name!r}; a column is named by text.")
        pairs.append((name, tuple(checked_edges(cuts, f"edges[{name!r}]").tolist())))
    return {"edges": tuple(pairs)}


def _by_hand(name: str, _x: Any, _y: Any, _weights: Any, edges: tuple[Any, ...]) -> Floats | None:
    if edges and not isinstance(edges[0], tuple):
        return np.array(edges, dtype=np.float64)
    found = dict(edges).get(name)  # no edges at all: no column is cut
    return None if found is None else np.array(found, dtype=np.float64)


WAYS: dict[str, Way] = {
    "equal_width": Way(
        lambda _name, x, _y, _weights, bins: equal_width_cuts(x, bins), {"bins": BINS}, _bins, False
    ),
    "equal_frequency": Way(
        lambda _name, x, _y, weights, bins: equal_frequency_cuts(x, bins, weights=weights),
        {"bins": BINS},
        _bins,
        False,
    ),
    "mdlp": Way(
        lambda _name, x, y, weights, encoding: mdlp_cuts(x, y, weights=weights, encoding=encoding),
        {"encoding": "rows"},
        _encoding,
        True,
    ),
    "kononenko": Way(
        lambda _name, x, y, weights: kononenko_cuts(x, y, weights=weights), {}, _no_options, True
    ),
    "boundary_points": Way(
        lambda _name, x, y, weights: boundary_cuts(x, y, weights=weights), {}, _no_options, True
    ),
    "by_hand": Way(_by_hand, {"edges": ()}, _edges, False),
}


@dataclass(frozen=True)
class Discretiser:
    """A way to cut columns into intervals, with its options: a value that can be stored and compared.

    >>> Discretiser.of("equal_width").cuts("age", [0.0, 10.0])
    array([1., 2., 3., 4., 5., 6., 7., 8., 9.])
    >>> Discretiser.of({"name": "equal_width", "bins": 2}).to_plain()
    {'name': 'equal_width', 'bins': 2}
    >>> Discretiser.of("mdl")
    Traceback (most recent call last):
    ValueError: discretise='mdl' is not one of 'none', 'equal_width', 'equal_frequency', 'mdlp', ...
    """

    name: str
    options: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, given: Any) -> Discretiser | None:
        """Return what a name, a dict with a name and options, or an object of `tw.discretise` stands for.

        >>> Discretiser.of("none") is None, Discretiser.of("mdlp").options
        (True, (('encoding', 'rows'),))
        """
        if given is None or isinstance(given, Discretiser):
            return given
        if isinstance(inner := getattr(given, "discretiser", None), Discretiser):
            return inner
        if isinstance(given, Mapping) and "name" in given:
            options = {key: value for key, value in given.items() if key != "name"}
            return cls.by_name(given["name"], **options)
        if not isinstance(given, str):
            raise TypeError(
                f"discretise={given!r:.80} must be a name such as 'mdlp', or an object: tw.discretise.MDLP()."
            )
        return None if given == "none" else cls.by_name(given)

    @classmethod
    def by_name(cls, name: Any, **given: Any) -> Discretiser:
        """Return a way by its name, with options; those not given are as usual.

        >>> Discretiser.by_name("equal_frequency", bins=4).options
        (('bins', 4),)
        """
        way = WAYS[choice("discretise", name, ("none", *WAYS))] if name != "none" else None
        if way is None:
            raise ValueError("discretise='none' has no options.")
        for option in given:
            if option not in way.options:
                known = ", ".join(map(repr, way.options)) or "none"
                raise ValueError(f"discretise={name!r} has no option {option!r}; its options: {known}.")
        return cls(name, tuple(way.check(**{**way.options, **given}).items()))

    @property
    def needs_classes(self) -> bool:
        """Whether the way looks at a target of classes."""
        return WAYS[self.name].needs_classes

    @property
    def named(self) -> tuple[str, ...]:
        """The columns that edges by hand are given for; none where they are for all."""
        edges = dict(self.options).get("edges", ())
        return tuple(pair[0] for pair in edges if isinstance(pair, tuple))

    def cuts(self, name: str, x: Any, y: Any = None, weights: Any = None) -> Floats | None:
        """Return the cuts of the column of this name; None where it is to stay as it is.

        >>> Discretiser.of("mdlp").cuts("age", [1, 2, 3, 4, 5, 6], list("aaabbb"))
        array([3.5])
        """
        return WAYS[self.name].cuts(name, x, y, weights, **dict(self.options))

    def to_plain(self) -> Any:
        """Return the way as JSON has it: its name, or a dict where options are not as usual.

        >>> Discretiser.of("mdlp").to_plain()
        'mdlp'
        """
        if dict(self.options) == WAYS[self.name].options:
            return self.name
        return {"name": self.name} | {key: _listed(value) for key, value in self.options}


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, tuple) else value
