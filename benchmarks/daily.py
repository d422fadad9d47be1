"""The deal of the day, played by all levels: `python -m benchmarks.daily days 100 --log FILE`.

Each day's three parties are played by each level against the day's opponent, once with the kernels compiled for this
machine, as a server replays them, and once with the browser's kernels (`ai.search_wasm`, the extra `wasm`); levels 7
and 8 as browsers have them. The first difference in any act ends the run. A log (`--log`) lets it go on later.

Printed are each level's mean day with its 95 % interval: points ahead in three parties, a chouine counted as 100, and
on every `COSTED`-th day the cost of its mistakes. `Ranking.known` defines after how many days the levels' order is out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from chouine import jobs
from chouine.ai import search, search_native, search_wasm
from chouine.ai.arrays import Floats
from chouine.ai.levels import LEVELS
from chouine.cli.arguments import positive_number
from chouine.cli.daily import REHEARSAL
from chouine.daily import DailyScore, Day, PlayedDay, play_day
from chouine.registry import player_of

FIRST = date(2027, 1, 1)
COSTED = 25
"""Every so manieth day is also costed, which takes ten times as long as to play it; no multiple of a week."""
LIKELY = 1.96
"""Standard errors to each side of a mean within which 95 % lie."""
BUILDS = {"browser's": search_wasm.compute, "compiled": search_native.compute}
"""The kernels; the faster last, which then weigh the costs."""


class Different(Exception):
    """The kernels do not play alike."""


def play_by_all_levels(nth: int) -> dict[str, Any]:
    """The n-th day, by level: a digest of all acts, the points ahead, and on some days the cost."""
    day = Day.of(REHEARSAL, FIRST + timedelta(nth))
    return {"day": str(day.day), "levels": [play_alike(day, number, nth % COSTED == 0) for number in LEVELS]}


def play_alike(day: Day, number: int, costed: bool) -> dict[str, Any]:  # noqa: FBT001  # a job's data
    """A level's day by either build of the kernels. Raises `Different`."""
    by_build = {}
    for name, compute in BUILDS.items():
        search.use(compute)
        seeds = (day.day.toordinal() + partie for partie in range(len(day.deals)))
        by_build[name] = play_day(day, [player_of(f"level:{number}", day.rules, seed) for seed in seeds])
    browsers, compiled = by_build.values()
    if compiled.acts != browsers.acts:
        raise Different(f"{day.day}, level {number}: {compiled.acts} and {browsers.acts}")
    told: dict[str, Any] = {
        "acts": sha256(repr(compiled.acts).encode()).hexdigest()[:16],
        "decisions": sum(map(len, compiled.acts)),
        "ahead": points_ahead(compiled),
    }
    return told | {"cost": round(compiled.cost, 6)} if costed else told


def points_ahead(played: PlayedDay) -> int:
    """The points by which the player is ahead in the day's parties, a chouine counted as on a server."""
    return sum(DailyScore.of(partie.result).gain for partie in played.parties if partie.result)


@dataclass(frozen=True)
class Ranking:
    """The levels' days, `days` by `levels`, greater for better."""

    values: Floats

    def mean(self, level: int) -> tuple[float, float]:
        """A level's mean and half of its 95 % interval; `level` from 0."""
        return interval(self.values[:, level])

    @property
    def parted(self) -> list[tuple[int, int]]:
        """Pairs of levels, the better first, whose mean difference on the same days is not 0 within its interval."""
        found = []
        for one, other in combinations(range(self.values.shape[1]), 2):
            mean, half = interval(self.values[:, one] - self.values[:, other])
            if abs(mean) > half:
                found.append((one, other) if mean > 0 else (other, one))
        return found

    @property
    def known(self) -> int | None:
        """The fewest days after which every parted pair stands in its order, then and after each later day.

        None if that is only so on the last day: it is then not known how many days are enough.
        """
        sums = self.values.cumsum(axis=0)
        right = np.array([all(row[better] > row[worse] for better, worse in self.parted) for row in sums])
        wrong = np.flatnonzero(~right)
        first = int(wrong[-1]) + 2 if wrong.size else 1
        return first if first < len(right) else None


def interval(values: Floats) -> tuple[float, float]:
    """The mean and half of its 95 % interval."""
    return float(values.mean()), LIKELY * float(values.std(ddof=1)) / sqrt(len(values))


def report(done: Sequence[dict[str, Any]]) -> Iterable[str]:
    """The table of levels, and after how many days their order is out. Needs two costed days."""
    decisions = sum(level["decisions"] for one in done for level in one["levels"])
    yield f"{len(done)} days of 3 parties, levels 1 to 8: {decisions:,} acts of both builds, no difference\n"
    ahead = Ranking(np.array([[level["ahead"] for level in one["levels"]] for one in done], float))
    costed = [one for one in done if "cost" in one["levels"][0]]
    rankings = [("points ahead a day", ahead)]
    if len(costed) > 1:
        costs = np.array([[-level["cost"] for level in one["levels"]] for one in costed], float)
        rankings.append((f"cost a day, parties ({len(costed)} days)", Ranking(costs)))
    yield f"| level | {' | '.join(name for name, _ in rankings)} |\n| ---: |{' ---: |' * len(rankings)}"
    for nth, number in enumerate(LEVELS):
        cells = [
            f"{mean:+.1f} ± {half:.1f}" if ranking is ahead else f"{-mean:.3f} ± {half:.3f}"
            for ranking in (each for _, each in rankings)
            for mean, half in [ranking.mean(nth)]
        ]
        yield f"| {number} | {' | '.join(cells)} |"
    for name, ranking in rankings:
        alike = set(combinations(range(len(LEVELS)), 2)) - {(min(pair), max(pair)) for pair in ranking.parted}
        rest = ", ".join(f"{one + 1} and {other + 1}" for one, other in sorted(alike)) or "none"
        yield f"\n{name}: order out after {ranking.known or 'more'} days; not parted: {rest}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.daily", description=__doc__)
    parser.add_argument("what", choices=["days"])
    parser.add_argument("days", type=positive_number, help="number of days")
    parser.add_argument("--log", type=Path, help="file from which the run goes on")
    parser.add_argument("--workers", type=positive_number, default=1, help="processes")
    args = parser.parse_args()
    if args.days < 2:
        parser.error("an interval needs two days")
    if not search_wasm.available():
        parser.error("the browser's kernels are missing: run `make offline`, and install the extra `wasm`")
    log = args.log and jobs.Log(args.log, {"seed": REHEARSAL.decode(), "first": str(FIRST), "costed": COSTED})
    done = []
    with jobs.crew(args.workers) as crew:
        for one in jobs.do_logged(crew, play_by_all_levels, range(args.days), log):
            done.append(one)
            print(f"\r{len(done)}/{args.days}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for line in report(done):
        print(line)


if __name__ == "__main__":
    main()
