"""Models as code: a program is made once, and printed in each language."""
