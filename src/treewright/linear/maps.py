"""Feature maps: more terms from terms, so that a plane in the new terms is a curve in the old ones.

A map is made for the terms of one matrix by `on`; what comes back keeps its names, maps later matrices in the
same way, and is stored with the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations_with_replacement
from math import comb
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import nearest

Floats = NDArray[np.float64]
Groups = Sequence["int | None"]
MOST_TERMS = 20_000


class Mapped(Protocol):
    """A map made for the terms of one matrix."""

    @property
    def terms_in(self) -> tuple[str, ...]:
        """The names of the terms it takes."""

    @property
    def terms(self) -> tuple[str, ...]:
        """The names of the terms it gives."""

    def matrix(self, x: Floats) -> Floats:
        """Return the new terms of these rows."""

    def to_dict(self) -> dict[str, Any]:
        """Return the map as plain JSON values."""


class FeatureMap(Protocol):
    """A map that is still to be made for some terms."""

    def on(self, terms: Sequence[str], groups: Groups | None = None) -> Mapped:
        """Return the map for these terms; `groups` tells zeros and ones of one column (`Coding.groups`)."""


# ---- polynomials --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Polynomial:
    """All products of up to `degree` terms: squares, cubes, mixed ones.

    Of terms of zeros and ones only products that are new are made: their square is what they are, and two
    categories of one column never hold at once.

    >>> quadratic = Polynomial(2).on(["a", "b"])
    >>> quadratic.terms
    ('a', 'b', 'a^2', 'a b', 'b^2')
    >>> quadratic.matrix(np.array([[2.0, 3.0]]))
    array([[2., 3., 4., 6., 9.]])
    """

    degree: int = 2

    def __post_init__(self) -> None:
        _check_degree(self.degree)

    def on(self, terms: Sequence[str], groups: Groups | None = None) -> Monomials:
        """Return the map for these terms.

        >>> Polynomial(3).on(["windy"], groups=[0]).terms
        ('windy',)
        """
        return Monomials(tuple(terms), _products(terms, groups, self.degree, is_mixed=False))


@dataclass(frozen=True)
class Interactions:
    """All products of up to `degree` different terms: no squares.

    >>> Interactions(2).on(["a", "b", "c"]).terms
    ('a', 'b', 'c', 'a b', 'a c', 'b c')
    """

    degree: int = 2

    def __post_init__(self) -> None:
        _check_degree(self.degree)

    def on(self, terms: Sequence[str], groups: Groups | None = None) -> Monomials:
        """Return the map for these terms.

        >>> Interactions().on(["Sky=Blue", "Sky=Grey", "windy"], groups=[0, 0, 1]).terms
        ('Sky=Blue', 'Sky=Grey', 'windy', 'Sky=Blue windy', 'Sky=Grey windy')
        """
        return Monomials(tuple(terms), _products(terms, groups, self.degree, is_mixed=True))


@dataclass(frozen=True)
class Monomials:
    """Products of terms: what `Polynomial` and `Interactions` make. Each is the places of its factors.

    >>> Monomials(("a", "b"), ((0,), (0, 0, 1))).terms
    ('a', 'a^2 b')
    """

    terms_in: tuple[str, ...]
    factors: tuple[tuple[int, ...], ...]

    @property
    def terms(self) -> tuple[str, ...]:
        """The names of the products."""
        return tuple(_named(self.terms_in, places) for places in self.factors)

    def matrix(self, x: Floats) -> Floats:
        """Return the products of these rows; one that is no longer finite is refused by name.

        >>> Monomials(("a",), ((0,), (0, 0))).matrix(np.array([[3.0]]))
        array([[3., 9.]])
        """
        found = np.empty((len(x), len(self.factors)))
        made: dict[tuple[int, ...], int] = {}  # a product is its first factors, made before, times the last
        with np.errstate(over="ignore"):
            for i, places in enumerate(self.factors):
                if (before := made.get(places[:-1])) is not None:
                    np.multiply(found[:, before], x[:, places[-1]], out=found[:, i])
                else:
                    np.prod(x[:, list(places)], axis=1, out=found[:, i])
                made[places] = i
        return _finite(found, self.terms)

    def to_dict(self) -> dict[str, Any]:
        """Return the map as plain JSON values.

        >>> from_dict(Monomials(("a",), ((0,),)).to_dict()).terms
        ('a',)
        """
        return {"map": "monomials", "terms": list(self.terms_in), "factors": [list(f) for f in self.factors]}


def _check_degree(degree: Any) -> None:
    if isinstance(degree, bool) or not isinstance(degree, (int, np.integer)) or degree < 1:
        raise ValueError(f"degree={degree!r} must be a whole number, 1 or more.")


def _products(
    terms: Sequence[str], groups: Groups | None, degree: int, is_mixed: bool
) -> tuple[tuple[int, ...], ...]:
    count = comb(len(terms) + degree, degree) - 1
    if count > MOST_TERMS:
        raise ValueError(
            f"Products of up to {degree} of {len(terms)} terms are up to {count:,}; at most {MOST_TERMS:,} "
            "are made. Use fewer columns or a lower degree."
        )
    of = [None] * len(terms) if groups is None else list(groups)
    return tuple(
        places
        for size in range(1, degree + 1)
        for places in combinations_with_replacement(range(len(terms)), size)
        if _is_new(places, of, is_mixed)
    )


def _is_new(places: tuple[int, ...], groups: Sequence[int | None], is_mixed: bool) -> bool:
    if is_mixed and len(set(places)) < len(places):
        return False
    of_ones = [groups[place] for place in places if groups[place] is not None]
    return len(set(of_ones)) == len(of_ones)


def _named(terms: Sequence[str], places: tuple[int, ...]) -> str:
    powers = {place: places.count(place) for place in places}
    return " ".join(terms[place] + (f"^{n}" if n > 1 else "") for place, n in powers.items())


# ---- the lecture's map --------------------------------------------------------------------------------


@dataclass(frozen=True)
class SquaredDifference:
    """Two terms and their squared difference, (x1, x2, (x1 - x2)^2): with it a plane divides XOR.

    >>> SquaredDifference().on(["a", "b"]).terms
    ('a', 'b', '(a - b)^2')
    """

    def on(self, terms: Sequence[str], groups: Groups | None = None) -> DifferenceSquared:  # noqa: ARG002
        """Return the map for two terms; any other number is refused.

        >>> SquaredDifference().on(["a", "b"]).matrix(np.array([[1.0, 3.0]]))
        array([[1., 3., 4.]])
        """
        if len(terms) != 2:
            raise ValueError(
                f"The map (x1, x2, (x1 - x2)^2) takes two terms; found {len(terms)}: "
                f"{', '.join(map(repr, terms[:8]))}. Choose two columns, or use features='polynomial'."
            )
        return DifferenceSquared(tuple(terms))


@dataclass(frozen=True)
class DifferenceSquared:
    """The lecture's map for two terms: what `SquaredDifference` makes.

    >>> DifferenceSquared(("a", "b")).terms
    ('a', 'b', '(a - b)^2')
    """

    terms_in: tuple[str, ...]

    @property
    def terms(self) -> tuple[str, ...]:
        """The two terms and their squared difference."""
        a, b = self.terms_in
        return a, b, f"({a} - {b})^2"

    def matrix(self, x: Floats) -> Floats:
        """Return the three terms of these rows.

        >>> DifferenceSquared(("a", "b")).matrix(np.array([[0.0, 1.0]]))
        array([[0., 1., 1.]])
        """
        with np.errstate(over="ignore"):
            found = np.column_stack([x, (x[:, 0] - x[:, 1]) ** 2])
        return _finite(found, self.terms)

    def to_dict(self) -> dict[str, Any]:
        """Return the map as plain JSON values.

        >>> DifferenceSquared(("a", "b")).to_dict()
        {'map': 'squared_difference', 'terms': ['a', 'b']}
        """
        return {"map": "squared_difference", "terms": list(self.terms_in)}


# ---- any function -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Function:
    """A function of yours from a matrix to a matrix, or to a dict of columns, whose keys are the names.

    >>> def ring(x):
    ...     return {"radius": np.hypot(x[:, 0], x[:, 1])}
    >>> Function(ring).on(["a", "b"]).terms
    ('radius',)
    """

    function: Callable[[Floats], Any]

    def on(self, terms: Sequence[str], groups: Groups | None = None) -> OfFunction:  # noqa: ARG002
        """Return the map for these terms; the function is tried on one row of zeros and ones for its names.

        >>> Function(np.sqrt).on(["a", "b"]).terms
        ('sqrt 1', 'sqrt 2')
        """
        with np.errstate(all="ignore"):
            names, _ = _columns(self.function, np.ones((2, len(terms))))
        return OfFunction(tuple(terms), names, self.function)


@dataclass(frozen=True)
class OfFunction:
    """A function of yours for the terms of one matrix: what `Function` makes. It cannot be written down.

    >>> OfFunction(("a",), ("sqrt 1",), np.sqrt).matrix(np.array([[9.0]]))
    array([[3.]])
    """

    terms_in: tuple[str, ...]
    terms: tuple[str, ...]
    function: Callable[[Floats], Any]

    def matrix(self, x: Floats) -> Floats:
        """Return what the function makes of these rows; other names than at first, or a NaN, are refused.

        >>> OfFunction(("a",), ("exp 1",), np.exp).matrix(np.array([[0.0]]))
        array([[1.]])
        """
        with np.errstate(all="ignore"):
            names, found = _columns(self.function, x)
        if names != self.terms:
            raise ValueError(
                f"The function of features= gave the columns {names!s:.100}; "
                f"at first it gave {self.terms!s:.100}."
            )
        return _finite(found, names)

    def to_dict(self) -> dict[str, Any]:
        """Refuse: a function is code.

        >>> OfFunction(("a",), ("exp 1",), np.exp).to_dict()
        Traceback (most recent call last):
        ValueError: The features are made by the function 'exp', which is code and cannot be written down. ...
        """
        raise ValueError(
            f"The features are made by the function {_name_of(self.function)!r}, which is code and cannot be "
            "written down. Use a map by name ('polynomial', 'interactions', 'squared_difference'), or make "
            "the columns before the model and leave features=None."
        )


def _name_of(function: Any) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return "feature" if name == "<lambda>" else str(name)


def _columns(function: Callable[[Floats], Any], x: Floats) -> tuple[tuple[str, ...], Floats]:
    """Return the names and the columns that a function makes."""
    given = function(x)
    if isinstance(given, Mapping):
        names = tuple(map(str, given))
        parts = [np.asarray(part, dtype=np.float64) for part in given.values()]
        wrong = next((n for n, part in zip(names, parts, strict=True) if part.shape != (len(x),)), None)
        if wrong is not None or not parts:
            what = "no columns" if not parts else f"{wrong!r} of the shape {parts[names.index(wrong)].shape}"
            raise ValueError(
                f"The function of features= gave {what} for {len(x)} rows; give one number per row."
            )
        return names, np.column_stack(parts)
    found = np.asarray(given, dtype=np.float64)
    name = _name_of(function)
    if found.ndim == 1 and len(found) == len(x):
        return (name,), np.ascontiguousarray(found[:, None])
    if found.ndim != 2 or len(found) != len(x) or found.shape[1] == 0:
        raise ValueError(
            f"The function of features= gave the shape {found.shape} for {len(x)} rows; give one row for "
            "each, or a dict of columns."
        )
    return tuple(f"{name} {i + 1}" for i in range(found.shape[1])), np.ascontiguousarray(found)


def _finite(x: Floats, terms: Sequence[str]) -> Floats:
    if not np.isfinite(x).all():
        row, place = np.argwhere(~np.isfinite(x))[0].tolist()
        raise ValueError(
            f"The feature {terms[place]!r} is {x[row, place]} in row {row}: not finite. Scale the columns, "
            "or use a lower degree or another map."
        )
    return x


# ---- by name, and from plain values -------------------------------------------------------------------

MAPS: Mapping[str, Callable[[], FeatureMap]] = {
    "polynomial": Polynomial,
    "interactions": Interactions,
    "squared_difference": SquaredDifference,
}


def map_of(given: Any) -> FeatureMap:
    """Return the map that a name, a map or a function means.

    >>> map_of("interactions")
    Interactions(degree=2)
    """
    if isinstance(given, str):
        if given not in MAPS:
            near = nearest(given, MAPS)
            hint = f"did you mean {near!r}?" if near else f"the maps are {', '.join(map(repr, MAPS))}."
            raise ValueError(f"features={given!r} is no map; {hint}")
        return MAPS[given]()
    if hasattr(given, "on"):
        chosen: FeatureMap = given
        return chosen
    if callable(given):
        return Function(given)
    raise ValueError(
        f"features={given!r:.60} must be None, one of {', '.join(map(repr, MAPS))}, a map such as "
        "treewright.linear.Polynomial(3), or a function of a matrix."
    )


def from_dict(plain: Any) -> Mapped:
    """Return the map that `to_dict` wrote; anything else is a ValueError.

    >>> from_dict({"map": "squared_difference", "terms": ["a", "b"]}).terms
    ('a', 'b', '(a - b)^2')
    """
    kind = plain.get("map") if isinstance(plain, Mapping) else None
    terms = plain.get("terms") if isinstance(plain, Mapping) else None
    if not isinstance(terms, (list, tuple)) or not all(isinstance(term, str) for term in terms):
        raise ValueError(f"A map is stored as an object with 'map' and 'terms'; found {plain!r:.100}.")
    if kind == "squared_difference" and len(terms) == 2:
        return DifferenceSquared(tuple(terms))
    if kind == "monomials":
        return Monomials(tuple(terms), _checked_factors(plain.get("factors"), len(terms)))
    raise ValueError(f"The map {kind!r:.60} of {len(terms)} terms is not one that is stored.")


def _checked_factors(given: Any, n_terms: int) -> tuple[tuple[int, ...], ...]:
    is_right = isinstance(given, (list, tuple)) and all(
        isinstance(places, (list, tuple)) and places and all(_is_place(place, n_terms) for place in places)
        for places in given
    )
    if not is_right:
        raise ValueError(f"The 'factors' of a map are lists of places of terms; found {given!r:.100}.")
    return tuple(tuple(map(int, places)) for places in given)


def _is_place(place: Any, n_terms: int) -> bool:
    return isinstance(place, int) and not isinstance(place, bool) and 0 <= place < n_terms


def spec_to_dict(given: Any) -> Any:
    """Return what `features=` was set to as plain JSON values; code is refused.

    >>> spec_to_dict(Polynomial(3)), spec_to_dict("polynomial"), spec_to_dict(None)
    ({'map': 'polynomial', 'degree': 3}, 'polynomial', None)
    """
    if given is None or isinstance(given, str):
        return given
    name = next((name for name, kind in MAPS.items() if type(given) is kind), None)
    if name is None:
        function = getattr(given, "function", given)
        OfFunction((), (), function).to_dict()  # refuses
    return {"map": name, **asdict(given)}


def spec_from_dict(plain: Any) -> Any:
    """Return what `spec_to_dict` wrote.

    >>> spec_from_dict({"map": "polynomial", "degree": 3})
    Polynomial(degree=3)
    """
    if plain is None or isinstance(plain, str):
        return plain
    if not isinstance(plain, Mapping) or plain.get("map") not in MAPS:
        raise ValueError(f"A map is stored as its name with its options; found {plain!r:.100}.")
    options = {key: value for key, value in plain.items() if key != "map"}
    kind: Callable[..., FeatureMap] = MAPS[plain["map"]]
    try:
        return kind(**options)
    except TypeError:
        raise ValueError(f"The map {plain['map']!r} has no options {options!r:.100}.") from None
