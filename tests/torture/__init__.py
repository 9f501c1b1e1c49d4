"""Fault injection: memory, disks, clocks and processes that fail at the worst moment (`./dev torture`)."""
