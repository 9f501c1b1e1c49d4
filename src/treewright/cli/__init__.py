"""The command line: words in, calls of public names out. One file per command, listed in `main.py`."""
