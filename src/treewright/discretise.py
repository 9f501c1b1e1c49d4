"""Numbers into intervals: scikit-learn transformers, also usable as `discretise=` of a tree.

>>> import treewright as tw
>>> table = tw.example("iris")
>>> cut = tw.discretise.MDLP().fit(table.drop("class"), table.labels("class"))
>>> cut.intervals_["petalwidth"]
('<= 0.8', '(0.8, 1.75]', '> 1.75')
"""

from treewright.estimators.discretise import (
    MDLP,
    BoundaryPoints,
    ByHand,
    EqualFrequency,
    EqualWidth,
    Kononenko,
)

__all__ = ["MDLP", "BoundaryPoints", "ByHand", "EqualFrequency", "EqualWidth", "Kononenko"]


def __dir__() -> list[str]:
    return sorted(__all__)
