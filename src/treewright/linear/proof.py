"""The answer to "does a plane separate the classes?", and the Certificate if none does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from treewright.base.lines import harmless
from treewright.base.notebook import Shown
from treewright.linear import stored

Floats = NDArray[np.float64]
Verdict = Literal["separable", "touch", "overlap", "meet", "undecided"]
Proof = Literal["exact", "enclosed", "bounded"]

WORDS: Mapping[str, str] = {
    "separable": "separable",
    "touch": "not separable: the hulls touch",
    "overlap": "not separable: the hulls overlap",
    "meet": "not separable: the hulls meet",
    "undecided": "undecided: the hulls are too near for the digits there are",
}


@dataclass(frozen=True, repr=False)
class Certificate(Shown):
    """A point in both hulls, with the weights of the rows that make it: why no plane separates.

    `weights` has one number a row and sums to one in each class. What is proven of them is `proof`:

    - "exact": `exact_weights` and `exact_point` are fractions; put in, they give the same point in both
      classes.
    - "enclosed": exact weights, all positive, exist; none differs from those given by more than `error`.
    - "bounded": the two points are at most `error` apart (Euclidean), so no plane has a margin above half of
      it.

    >>> from treewright.linear.separation import separate
    >>> print(separate([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]).certificate)
    both hulls contain (0.5, 0.5), exactly; weights on 4 rows
    """

    weights: Floats
    point: Floats
    proof: Proof
    error: float = 0.0
    exact_weights: Mapping[int, Fraction] | None = None
    exact_point: tuple[Fraction, ...] | None = None

    def __str__(self) -> str:
        shown = [f"{value:.6g}" for value in self.point[:6]] + ["..."] * (len(self.point) > 6)
        within = "exactly" if self.proof == "exact" else f"{self.proof} within {self.error:.2g}"
        rows = int(np.count_nonzero(self.weights))
        return f"both hulls contain ({', '.join(shown)}), {within}; weights on {rows} rows"

    def among(self, rows: NDArray[np.intp], n_rows: int) -> Certificate:
        """Return the certificate of some rows as one of a table of which they are a part.

        >>> from treewright.linear.separation import separate
        >>> separate([[1], [1]], [0, 1]).certificate.among(np.array([0, 3]), 4).weights
        array([1., 0., 0., 1.])
        """
        weights = np.zeros(n_rows)
        weights[rows] = self.weights
        exact = self.exact_weights
        exact = None if exact is None else {int(rows[i]): weight for i, weight in exact.items()}
        return replace(self, weights=weights, exact_weights=exact)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values.

        >>> from treewright.linear.separation import separate
        >>> separate([[1], [1]], [0, 1]).certificate.to_dict()["exact_weights"]
        {'0': '1', '1': '1'}
        """
        return {
            "weights": self.weights.tolist(),
            "point": self.point.tolist(),
            "proof": self.proof,
            "error": self.error,
            "exact_weights": _mapping_to_plain(self.exact_weights),
            "exact_point": None if self.exact_point is None else [str(f) for f in self.exact_point],
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Certificate:
        """Return what `to_dict` wrote.

        >>> from treewright.linear.separation import separate
        >>> found = separate([[1], [1]], [0, 1]).certificate
        >>> Certificate.from_dict(found.to_dict()).exact_weights == found.exact_weights
        True
        """
        found = stored.entries(plain, _CERTIFICATE, "a certificate")
        if found["proof"] not in get_args(Proof):
            raise ValueError(f"The proof {found['proof']!r:.40} is none that is stored.")
        return cls(
            stored.floats(found["weights"], 1, "the weights of a certificate"),
            stored.floats(found["point"], 1, "the point of a certificate"),
            found["proof"],
            found["error"],
            _mapping_from_plain(found["exact_weights"]),
            _fractions(found["exact_point"]),
        )


@dataclass(frozen=True, repr=False)
class Separation(Shown):
    """The answer to "does a plane separate the classes?", with its proof.

    `coef` and `intercept` are a plane: for "separable" one with y (w . x + b) > 0 for all rows, midway
    between the classes and scaled so that the nearest rows have the scores 1 and -1; for "touch" one with >=
    0; else None. `exact_plane` is the plane in fractions (w, then b) for which this was checked without
    rounding; `is_rounded` says that the floats nearest to it do not pass the same check. `is_strict` is False
    where positive rows lie on a plane through the origin (`bias=False`), which the lecture allows. `interior`
    says what rows weigh beyond 1 where weights on all rows balance: the proof that the hulls do not only
    touch.

    >>> from treewright.linear.separation import separate
    >>> found = separate([[1], [3]], [0, 1])
    >>> found.verdict, found.coef, found.intercept
    ('separable', array([1.]), -2.0)
    """

    verdict: Verdict
    has_bias: bool = True
    proof: Proof = "exact"
    coef: Floats | None = None
    intercept: float | None = None
    exact_plane: tuple[Fraction, ...] | None = None
    is_strict: bool = False
    is_rounded: bool = False
    certificate: Certificate | None = None
    interior: Mapping[int, Fraction] | None = None

    @property
    def is_separable(self) -> bool:
        """Whether a plane puts every row on the side of its class."""
        return self.verdict == "separable"

    def among(self, rows: NDArray[np.intp], n_rows: int) -> Separation:
        """Return the answer for some rows as one about a table of which they are a part.

        >>> from treewright.linear.separation import separate
        >>> separate([[1], [1]], [0, 1]).among(np.array([0, 3]), 4).certificate.exact_weights
        {0: Fraction(1, 1), 3: Fraction(1, 1)}
        """
        certificate = None if self.certificate is None else self.certificate.among(rows, n_rows)
        inner = self.interior
        inner = None if inner is None else {int(rows[i]): weight for i, weight in inner.items()}
        return replace(self, certificate=certificate, interior=inner)

    def __str__(self) -> str:
        if self.certificate is not None:
            return f"{WORDS[self.verdict]}; {self.certificate}"
        strictly = "strictly " if self.is_strict else ""
        return f"separable: a plane has all rows {strictly}on their sides ({self.proof} proof)"

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values.

        >>> from treewright.linear.separation import separate
        >>> found = separate([[1], [3]], [0, 1])
        >>> str(Separation.from_dict(found.to_dict())) == str(found)
        True
        """
        plane = self.exact_plane
        return {
            "verdict": self.verdict,
            "has_bias": self.has_bias,
            "proof": self.proof,
            "coef": None if self.coef is None else self.coef.tolist(),
            "intercept": self.intercept,
            "exact_plane": None if plane is None else [str(f) for f in plane],
            "is_strict": self.is_strict,
            "is_rounded": self.is_rounded,
            "certificate": None if self.certificate is None else self.certificate.to_dict(),
            "interior": _mapping_to_plain(self.interior),
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Separation:
        """Return what `to_dict` wrote.

        >>> from treewright.linear.separation import separate
        >>> found = separate([[1], [3]], [0, 1])
        >>> Separation.from_dict(found.to_dict()).exact_plane == found.exact_plane
        True
        """
        found = stored.entries(plain, _SEPARATION, "a separation")
        for name, known in (("verdict", get_args(Verdict)), ("proof", get_args(Proof))):
            if found[name] not in known:
                raise ValueError(f"The {name} {found[name]!r:.40} of a separation is none that is stored.")
        coef, certificate = found["coef"], found["certificate"]
        return cls(
            **{name: found[name] for name in ("verdict", "has_bias", "proof", "intercept")},
            coef=None if coef is None else stored.floats(coef, 1, "the plane of a separation"),
            exact_plane=_fractions(found["exact_plane"]),
            is_strict=found["is_strict"],
            is_rounded=found["is_rounded"],
            certificate=None if certificate is None else Certificate.from_dict(certificate),
            interior=_mapping_from_plain(found["interior"]),
        )


@dataclass(frozen=True, repr=False)
class Separations(Shown):
    """Answers about several pairs of classes, or classes and the rest, each with what it is about.

    >>> from treewright.linear.separation import separate
    >>> print(Separations(("a and b",), (separate([[1], [3]], [0, 1]),)))
    a and b: separable: a plane has all rows strictly on their sides (exact proof)
    """

    names: tuple[str, ...]
    parts: tuple[Separation, ...]

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[Separation]:
        return iter(self.parts)

    def __getitem__(self, i: int) -> Separation:
        return self.parts[i]

    def __str__(self) -> str:
        return "\n".join(
            f"{harmless(name)}: {part}" for name, part in zip(self.names, self.parts, strict=True)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {"names": list(self.names), "parts": [part.to_dict() for part in self.parts]}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Separations:
        """Return what `to_dict` wrote.

        >>> Separations.from_dict(Separations((), ()).to_dict()).parts
        ()
        """
        found = stored.entries(plain, {"names": stored.LIST, "parts": stored.LIST}, "several separations")
        if not all(isinstance(name, str) for name in found["names"]):
            raise ValueError("The 'names' of several separations are texts.")
        return cls(tuple(found["names"]), tuple(Separation.from_dict(part) for part in found["parts"]))


_MAYBE_OBJECT, _MAYBE_LIST = stored.or_none((dict,)), stored.or_none(stored.LIST)
_CERTIFICATE = {
    "weights": stored.LIST,
    "point": stored.LIST,
    "proof": stored.TEXT,
    "error": stored.NUMBER,
    "exact_weights": _MAYBE_OBJECT,
    "exact_point": _MAYBE_LIST,
}
_SEPARATION = {
    "verdict": stored.TEXT,
    "has_bias": stored.TRUTH,
    "proof": stored.TEXT,
    "coef": _MAYBE_LIST,
    "intercept": stored.or_none(stored.NUMBER),
    "exact_plane": _MAYBE_LIST,
    "is_strict": stored.TRUTH,
    "is_rounded": stored.TRUTH,
    "certificate": _MAYBE_OBJECT,
    "interior": _MAYBE_OBJECT,
}


def _mapping_to_plain(weights: Mapping[int, Fraction] | None) -> dict[str, str] | None:
    return None if weights is None else {str(row): str(weight) for row, weight in weights.items()}


def _mapping_from_plain(plain: Mapping[str, str] | None) -> dict[int, Fraction] | None:
    if plain is None:
        return None
    if not all(re.fullmatch("[0-9]{1,18}", row) for row in plain):
        raise ValueError("Exact weights are stored by the number of their row.")
    return {int(row): stored.fraction(weight) for row, weight in plain.items()}


def _fractions(plain: Sequence[str] | None) -> tuple[Fraction, ...] | None:
    return None if plain is None else tuple(map(stored.fraction, plain))
