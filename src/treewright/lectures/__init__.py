"""Lecture mode: the examples of five lectures on trees, step by step, with the arithmetic that the library did."""

