"""A criterion given as an object: what it returns is read once per column, or refused by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Scorer:
    """A criterion as the core calls it: the statistics of all cuts of a column in, one score per cut out.

    A score is a number, higher is better. NaN and -inf say that a cut is not allowed.

    Tests with two branches are given as `left` and `right`; those with more as one array, tests by branches
    by statistics, to the criterion's method `score_branches`.

    >>> scorer = Scorer(lambda left, right: left[:, 0] - right[:, 0], "mine", ["x"])
    >>> scorer([np.array([[3.0, 1.0]]), np.array([[1.0, 1.0]])], 0)
    array([2.])
    >>> Scorer(lambda left, right: None, "mine", ["x"])([np.ones((2, 2)), np.ones((2, 2))], 0)
    Traceback (most recent call last):
    TypeError: The criterion 'mine' returned None for the 2 cuts of column 'x'; return an array of 2 ...
    """

    def __init__(
        self,
        criterion: Callable[[Any, Any], Any],
        name: str,
        columns: Sequence[str],  # names by rank; a rank beyond them is a sum of columns
        scale: Floats | float = 1.0,  # from the core's unit to the target's
    ) -> None:
        self.criterion, self.name, self.columns, self.scale = criterion, name, columns, scale
        self.was_asked = self.has_answered = False

    def __call__(self, branches: Sequence[Floats], rank: int) -> Floats:
        """Return the scores of the tests of the column with this rank, from the statistics of each branch."""
        n = len(branches[0])
        scores = self._numbers(self._scores([branch * self.scale for branch in branches]), n, rank)
        if len(scores) != n:
            raise self._trouble(ValueError, f"{len(scores)} score{'s' * (len(scores) != 1)}", n, rank)
        if np.isposinf(scores).any():
            raise self._trouble(ValueError, "inf", n, rank)
        self.was_asked = True
        if not np.isnan(scores).all():  # set once, never back: threads may do so at the same time
            self.has_answered = True
        return scores

    def _scores(self, branches: list[Floats]) -> Any:
        if len(branches) == 2:
            return self.criterion(*branches)
        return self.criterion.score_branches(np.stack(branches, axis=1))  # type: ignore[attr-defined]

    def check(self) -> None:
        """Refuse a criterion that has not scored a single cut: whatever it is, it is no choice.

        >>> silent = Scorer(lambda left, right: np.full(len(left), np.nan), "mine", ["x"])
        >>> _ = silent([np.ones((1, 2)), np.ones((1, 2))], 0)
        >>> silent.check()
        Traceback (most recent call last):
        ValueError: The criterion 'mine' returned NaN for every cut of every column, so there is ...
        """
        if self.was_asked and not self.has_answered:
            raise ValueError(
                f"The criterion {self.name!r} returned NaN for every cut of every column, so there is "
                "nothing to choose by. Is there a division by 0? Return a number per cut, higher is better; "
                "-inf says that a cut is not allowed."
            )

    def _numbers(self, given: Any, n: int, rank: int) -> Floats:
        try:
            array = given if isinstance(given, np.ndarray) else np.asarray(given)
        except (TypeError, ValueError):
            raise self._trouble(TypeError, _kind(given), n, rank) from None
        if array.dtype.kind not in "fiub":
            found = f"an array of {array.dtype}" if hasattr(given, "dtype") else _kind(given)
            raise self._trouble(TypeError, found, n, rank)
        if isinstance(array, np.ma.MaskedArray):  # what is masked is not a score
            array = np.ma.filled(array.astype(np.float64), np.nan)
        return np.ascontiguousarray(array.reshape(-1), dtype=np.float64)

    def _trouble(self, error: type[Exception], found: str, n: int, rank: int) -> Exception:
        where = f"column {self.columns[rank]!r}" if rank < len(self.columns) else "a sum of columns"
        cuts = "the single cut" if n == 1 else f"the {n} cuts"
        return error(
            f"The criterion {self.name!r} returned {found} for {cuts} of {where}; return an array of {n} "
            f"number{'s' * (n != 1)}, one per cut: higher is better, -inf says that a cut is not allowed."
        )


def _kind(given: Any) -> str:
    if given is None:
        return "None"
    is_list = isinstance(given, (list, tuple))
    return f"a {type(given).__name__}" + " of what is no number" * is_list
