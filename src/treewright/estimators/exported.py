"""The verb `export` of estimators: what they have fitted, in another format."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from treewright.base.signature import advising, handing_on_to
from treewright.export import export

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.export.options import ExportOptions


class Exported:
    """What estimators share whose model can be written in other formats."""

    @advising("export")
    @handing_on_to(export)
    def export(
        self,
        path: str | os.PathLike[str] | None = None,
        format: str | None = None,  # noqa: A002 (the command line's word)
        **options: Unpack[ExportOptions],
    ) -> Any:
        """Write the model in another format, or return the text; see `treewright.export.FORMATS`.

        >>> import treewright as tw
        >>> print(tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"]).export(format="text"))
        x0
        ├─ <= 1.5 → a  (1 row)
        └─ > 1.5 → b  (2 rows)
        """
        check_is_fitted(self)
        if getattr(self, "vote", "mean") == "majority":
            raise ValueError(
                "A forest is written with the mean of its trees; this one has vote='majority'. "
                "Set vote='mean'."
            )
        return export(self, path, format, **options)
