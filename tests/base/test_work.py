"""Steps on threads: results and errors in the order of items."""

import threading
import time

import pytest

from treewright.base.work import each


def test_the_first_error_in_order_is_heard_whoever_is_quicker():
    quick = threading.Event()

    def step(item):
        if item == 1:
            assert quick.wait(10)  # item 3 has failed by now
            raise ValueError("the first in order")
        if item == 3:
            quick.set()
            raise ValueError("the quicker one")
        return item

    with pytest.raises(ValueError, match="the first in order"):
        each(step, range(4), n_jobs=4)


def test_what_has_not_begun_is_not_begun_after_an_error():
    begun = []

    def step(item):
        begun.append(item)
        if item:
            time.sleep(0.005)
        raise ValueError(item)

    with pytest.raises(ValueError, match="0"):
        each(step, range(1000), n_jobs=2)
    assert len(begun) < 1000


def test_who_watches_hears_every_item_and_may_stop():
    heard = []
    assert each(lambda x: -x, range(5), n_jobs=3, progress=heard.append) == [0, -1, -2, -3, -4]
    assert heard == [0.2, 0.4, 0.6, 0.8, 1.0]

    def stop(_share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        each(lambda x: x, range(50), n_jobs=2, progress=stop)
