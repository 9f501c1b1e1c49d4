"""Let things fail: ./dev torture [part ...] [--long] [--seed 1]

The short form takes under a minute; --long is for a release: 300 kills a kind of file, hundreds of faults
a part.
"""

from __future__ import annotations

import argparse
import faulthandler
import sys

from tests.torture import faults


def main() -> int:
    """Read the words and run; a find in one part does not keep the others from theirs."""
    words = argparse.ArgumentParser(prog="./dev torture", description=__doc__)
    words.add_argument("part", nargs="*")
    words.add_argument("--long", action="store_true")
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    if faults.compiler() is None or not sys.platform.startswith("linux"):
        print("torture: this needs Linux and a C compiler", file=sys.stderr)
        return 2
    faults.with_library()
    from tests.torture.parts import PARTS, run  # after the library is in

    unknown = [name for name in given.part if name not in PARTS]
    if unknown:
        words.error(f"there is no part {unknown[0]!r}; the parts are {', '.join(PARTS)}")
    faulthandler.enable()
    finds = [run(name, given.long, given.seed) for name in given.part or PARTS]
    return int(any(finds))


if __name__ == "__main__":
    sys.exit(main())
