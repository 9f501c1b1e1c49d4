"""The kinds of builds, and the tests that each runs."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

# Every file of cpp/ and bindings/ has its turn (which lines, `./dev sanitize` says at its end), within 15
# minutes on two cores.
_GROWN = """c45_cuts columns criteria digests drawn filters grouped histograms light_rows lookahead
many_classes monotone multiway outside shown sourced surrogates threads verbs"""
_PRUNED = "cost_complexity error_based labels staying"
CHOSEN = (
    *(f"tests/grow/test_{name}.py" for name in _GROWN.split()),
    *(f"tests/prune/test_{name}.py" for name in _PRUNED.split()),
    "tests/forest",
    "tests/shards",
    "tests/lookahead",
    "tests/oracle/test_core_is_judged.py",
    "tests/predict/test_route.py",
)
# Where threads meet: growth and prediction with several of them, and several of each at once.
THREADED = (
    "tests/grow/test_threads.py",
    "tests/forest/test_growing.py",
    "tests/forest/test_voting.py",
    "tests/contract/test_threads.py",
)
# A few minutes of the above.
BRIEF = (
    "tests/grow/test_criteria.py",
    "tests/grow/test_surrogates.py",
    "tests/grow/test_grouped.py",
    "tests/shards/test_spool.py",
    "tests/forest/test_growing.py",
    "tests/predict/test_route.py",
)

_TOLD_THREADS = f"suppressions={Path(__file__).with_name('thread.supp')}:halt_on_error=1:exitcode=66"
_ONE_OF_EACH = "Gini;SquaredError"  # one criterion of each list: the lines of the others are the same


class Kind(NamedTuple):
    """One kind: the quick growths that are built, the libraries loaded before all others, and what is run."""

    quick: str
    preloaded: tuple[str, ...]
    told: dict[str, str]
    chosen: tuple[str, ...]
    brief: tuple[str, ...]


KINDS = {
    # Leaks are not asked for: Python keeps much until its end.
    "address": Kind(
        "all",
        ("libasan.so", "libstdc++.so.6"),
        {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1", "PYTHONMALLOC": "malloc"},
        CHOSEN,
        BRIEF,
    ),
    "thread": Kind(
        _ONE_OF_EACH,
        ("libtsan.so", "libstdc++.so.6"),
        {"TSAN_OPTIONS": _TOLD_THREADS},
        THREADED,
        THREADED[:1],
    ),
}
