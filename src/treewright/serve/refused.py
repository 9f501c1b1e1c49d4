"""A request that is refused: a status and a sentence, which is all that the other side hears."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818 (it is no mistake of ours)
    """What is wrong with a request, what was found, and the way out.

    >>> refused = Refused(413, "The body has 12 MB; a request may have 10 MB. Send fewer rows at a time.")
    >>> refused.status, refused.sentence
    (413, 'The body has 12 MB; a request may have 10 MB. Send fewer rows at a time.')
    """

    def __init__(self, status: int, sentence: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers = headers or {}
