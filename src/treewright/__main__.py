"""`python -m treewright`, and the command `treewright`."""

from __future__ import annotations

from treewright._program import INTERRUPTED, done, leave


def main() -> None:
    """Run the command line and leave with its code."""
    from treewright.cli.main import main as command

    try:
        command(prog_name="treewright")
    except SystemExit as end:
        if end.code == INTERRUPTED:  # all is cleared up, but libraries may not be
            leave()
        done()
        raise


if __name__ == "__main__":
    main()
