"""Fuzzers: inputs made from a number, tried until the time is up (`./dev fuzz`), and every past find."""
