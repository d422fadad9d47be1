"""How much faster two processes do a long job than one: `python -m benchmarks.jobs [JOB]`.

Each job is done by one process and by two in turns. `by the clock` is the ratio of their times, from when each process
has loaded its compiled code to the last result. It is a result on a quiet machine only, so the share of the processors
that other programs take meanwhile is measured too. `at most` is what processor times allow, busy or not: two, divided
by how much more processor time two processes take, with their start, which counts for less in a longer job.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.arguments import read_arguments
from chouine.arena.pairs import Duel, play_pair
from chouine.book.run import STRONG, BookPart, play_part
from chouine.envs.dataset import DATA, DatasetOptions, Shard, write_shard
from chouine.jobs import crew
from chouine.school.problems import shipped_problems
from chouine.school.problems.make import WORLDS, recheck

ROUNDS = 3
WARMING = 8
"""Items that are done before the clock starts, so that each process has loaded its code."""
QUIET = 0.03
"""The share of the processors that others may take."""
Job = tuple[Callable[[Any], object], Sequence[Any]]
"""A task, and its items."""


class SpentTime(NamedTuple):
    """Seconds by the clock, of processors by us, and of processors by all programs."""

    clock: float
    own: float
    everyone: float

    def since(self, before: SpentTime) -> SpentTime:
        return SpentTime(*(now - then for now, then in zip(self, before, strict=True)))


def jobs(folder: Path) -> dict[str, Job]:
    """Long jobs by name, each cut to about a minute of a core."""
    making = DatasetOptions((STRONG,), parties=10**6)
    hidden = [problem for problem in shipped_problems() if problem.kind == "search"]
    (folder / DATA).mkdir()
    shards = [Shard(folder, making, "npz", nth) for nth in range(32)]
    return {
        "duel": (partial(play_pair, Duel("mc:300", "heuristic")), range(160)),
        "dataset": (write_shard, shards),
        "book": (partial(play_part, folder, 5_000), [BookPart(STRONG, 1, nth) for nth in range(104)]),
        "problems": (partial(recheck, WORLDS, 3), hidden[:300]),
    }


def spent_so_far() -> SpentTime:
    """What has been spent so far; of all programs on Linux only."""
    ticks = [
        int(each) for each in Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]
    ]
    everyone = (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")
    return SpentTime(perf_counter(), sum(os.times()[:4]), everyone)


def spend(workers: int, job: Job) -> tuple[float, SpentTime]:
    """Seconds by the clock for the items after `WARMING`, and all that the job spent with its processes' start."""
    task, items = job
    before = spent_so_far()
    with crew(workers) as computing:
        deque(computing(task, items[:WARMING]), maxlen=0)
        began = perf_counter()
        deque(computing(task, items[WARMING:]), maxlen=0)
        clock = perf_counter() - began
    return clock, spent_so_far().since(before)


def measure(job: Job) -> list[str]:
    """The cells of a job's row."""
    ratios, limits, others = [], [], 0.0
    for _ in range(ROUNDS):
        (alone, one), (together, two) = spend(1, job), spend(2, job)
        ratios.append(alone / together)
        limits.append(2 * one.own / two.own)
        spent = [each.everyone - each.own for each in (one, two)]
        others = max(others, sum(spent) / (one.clock + two.clock) / (os.cpu_count() or 1))
    return [
        f"{median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})",
        f"{median(limits):.2f}",
        f"{max(others, 0):.0%}{'' if others <= QUIET else ': not a result'}",
    ]


def main() -> None:
    (wanted,) = read_arguments(__doc__, job=("all", "duel", "dataset", "book", "problems"))
    print("| job | by the clock | at most | taken by others |\n| --- | ---: | ---: | ---: |")
    with TemporaryDirectory() as name:
        for job, work in jobs(Path(name)).items():
            if wanted in ("all", job):
                print(f"| {job} | {' | '.join(measure(work))} |", flush=True)


if __name__ == "__main__":
    main()
