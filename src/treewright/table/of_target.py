"""What every model knows of its target."""

from __future__ import annotations

from .schema import Column


class OfTarget:
    """A value with a target: is it a class or a number, and which classes are there?

    >>> class Coin(OfTarget):
    ...     target = Column("side", "nominal", ("heads", "tails"))
    >>> Coin().is_classifier, Coin().classes
    (True, ('heads', 'tails'))
    """

    target: Column

    @property
    def is_classifier(self) -> bool:
        """True when the target has classes, False when it is a number."""
        return not self.target.is_numeric

    @property
    def classes(self) -> tuple[str, ...]:
        """Class names in class order; empty for regression."""
        return self.target.categories
