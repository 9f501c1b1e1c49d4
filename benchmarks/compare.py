"""Run several ways to do one job, alternating, and print their times beside each other."""

import time
from collections.abc import Callable, Mapping

ROUNDS = 3
Job = Callable[[], Callable[[], str]]  # does the work; what it returns then says, untimed, how it came out


def compare(title: str, ways: Mapping[str, Job]) -> None:
    """Time each way in turn, `ROUNDS` times; print the best of each and its ratio to the first."""
    wall, cpu, result = dict.fromkeys(ways, float("inf")), dict.fromkeys(ways, float("inf")), {}
    for _ in range(ROUNDS):
        for name, job in ways.items():
            wall_start, cpu_start = time.perf_counter(), time.process_time()
            result[name] = job()
            wall[name] = min(wall[name], time.perf_counter() - wall_start)
            cpu[name] = min(cpu[name], time.process_time() - cpu_start)
    ours = cpu[next(iter(ways))]
    print(f"\n{title}\n  {'':14}{'wall s':>9}{'CPU s':>9}{'ratio':>8}   result")
    for name in ways:
        print(f"  {name:14}{wall[name]:9.3f}{cpu[name]:9.3f}{cpu[name] / ours:8.1f}   {result[name]()}")
