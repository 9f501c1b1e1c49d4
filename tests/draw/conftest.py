"""The pictures that the documents show."""

import pytest

from tests.draw.documents import pictures


@pytest.fixture
def documents():
    return pictures()
