"""Run several ways to do one job, alternating, and print their times beside each other."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from benchmarks.report import Result, Table, show
from benchmarks.targets import key, sentences, targets_of

ROUNDS = 3
PATIENCE = 45.0  # seconds: a way that has used up more than this gets no further round
Outcome = Callable[[], str]  # says, untimed, how the work came out
Job = Callable[[], Outcome]  # does the work
Clock = Literal["cpu", "wall"]


class Verdict(NamedTuple):
    """What a check of the outcomes found."""

    note: str
    is_failure: bool = False


Check = Callable[[Mapping[str, Outcome]], "Verdict | None"]  # None: there was nothing to check against


@dataclass
class Timings:
    """The seconds of every round of one way."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def best(self, clock: Clock) -> float:
        return min(self.wall if clock == "wall" else self.cpu)


def compare(
    title: str,
    ways: Mapping[str, Job],
    *,
    job: str | None = None,
    is_judged: bool = False,
    clock: Clock = "cpu",
    rounds: int = ROUNDS,
    result: str = "result",
    check: Check | None = None,
    notes: tuple[str, ...] = (),
) -> Result:
    """Time each way in turn, `rounds` times; print the best of each and its ratio to the first.

    `job` names the targets that the ratios are held against; `check` looks at what the ways came to.
    """
    timings, outcomes = run_alternating(ways, rounds)
    best = {name: timings[name].best(clock) for name in ways}
    ours = best[next(iter(ways))]
    ratios = {name: seconds / ours for name, seconds in best.items()}
    targets = [target for target in targets_of(job) if target.peer in ways] if job else []
    figures = {key(target): target.figure(ours, best[target.peer]) for target in targets}
    verdict = check(outcomes) if check else None
    said = [*notes, *_few_rounds(timings, rounds), *([verdict.note] if verdict else [])]
    table = Table(
        title,
        ("", "wall", "CPU", "median CPU", "best of", f"ratio ({clock})", result),
        tuple(_row(name, timings[name], ratios[name], outcomes[name]()) for name in ways),
        (*sentences(figures, is_judged), *said),
    )
    failures = (f"{title}: {verdict.note}",) if verdict and verdict.is_failure else ()
    return show(Result(table, figures, failures))


def run_alternating(
    ways: Mapping[str, Job], rounds: int, short: float = 0.0
) -> tuple[dict[str, Timings], dict[str, Outcome]]:
    """Do every job once per round; return all seconds, and the last outcome of each.

    There are more rounds, three times as many at most, while all jobs together have not taken `short`
    seconds: the best of a few short runs is chance.
    """
    timings, outcomes = {name: Timings() for name in ways}, {}
    for number in range(3 * rounds):
        if number >= rounds and sum(sum(t.wall) for t in timings.values()) >= short:
            break
        for name, job in ways.items():
            if sum(timings[name].wall) > PATIENCE:
                continue
            wall, cpu = time.perf_counter(), time.process_time()
            outcomes[name] = job()
            timings[name].wall.append(time.perf_counter() - wall)
            timings[name].cpu.append(time.process_time() - cpu)
    return timings, outcomes


def _row(name: str, timings: Timings, ratio: float, outcome: str) -> tuple[str, ...]:
    seconds = (min(timings.wall), min(timings.cpu), statistics.median(timings.cpu))
    return (name, *map(duration, seconds), str(len(timings.wall)), f"{ratio:.2f}", outcome)


def _few_rounds(timings: Mapping[str, Timings], rounds: int) -> list[str]:
    few = [f"{name} (best of {len(t.wall)})" for name, t in timings.items() if len(t.wall) < rounds]
    return [f"Fewer rounds after {PATIENCE:.0f} s: {', '.join(few)}."] if few else []


def duration(seconds: float) -> str:
    """Return a time with three digits.

    >>> [duration(seconds) for seconds in (0.000587, 0.0123, 1.2811, 65.8)]
    ['0.587 ms', '12.3 ms', '1.28 s', '65.8 s']
    """
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"
