"""Late tables and the expected end, estimated from the durations so far."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median, quantiles

from chouine.contest.field import pool_rounds
from chouine.contest.formula import STAGES, Stage, table_sizes
from chouine.contest.state import Contest, Round, RoundTable
from chouine.contest.views import still_in
from chouine.match.score import Format

ENOUGH = 5
"""Finished tables needed before tables are called late or an end is estimated."""
LATE = 1.5
"""A table is late after this many times the median duration."""


def length(form: Format) -> int:
    """The length of a match: the parties that its winner must win."""
    return form.parties * form.manches


def paces(contest: Contest) -> list[float]:
    """For each table played out, its milliseconds per partie of `length`."""
    return [
        (table.at - round_.start) / length(round_.match)
        for round_ in contest.all_rounds()
        for table in round_.played
        if table.score is not None and table.at is not None
    ]


def late_tables(contest: Contest, now: int) -> tuple[tuple[Round, RoundTable], ...]:
    """Late tables, the longest first."""
    pace = paces(contest)
    if contest.ended or len(pace) < ENOUGH:
        return ()
    usual = LATE * median(pace)
    late = [
        (round_, table)
        for round_ in contest.all_rounds()
        for table in round_.open
        if now - round_.start > usual * length(round_.match)
    ]
    return tuple(sorted(late, key=lambda item: item[0].start))


def end(contest: Contest, now: int) -> int | None:
    """The expected end of the contest in milliseconds since 1970; None while too few tables have finished."""
    pace = paces(contest)
    if len(pace) < ENOUGH:
        return None
    stages = STAGES if contest.formula.consolante != "none" else STAGES[:1]
    return max(stage_end(contest, stage, now, pace) for stage in stages)


def stage_end(contest: Contest, stage: Stage, now: int, pace: Sequence[float]) -> int:
    """Expected end: the open round's slowest table, then the usual length of each later round for its tables."""
    rounds = contest.rounds(stage)
    at = float(now)
    if rounds and rounds[-1].open:
        current = rounds[-1]
        at = max(at, current.start + slowest_pace(len(current.played), pace) * length(current.match))
    elif not rounds and contest.main and contest.main[0].open:
        at = max(
            at,
            contest.main[0].start
            + slowest_pace(len(contest.main[0].played), pace) * length(contest.main[0].match),
        )
    for number, tables in enumerate(to_come(contest, stage), len(rounds) + 1):
        form = Format.parse(contest.formula.match_of(stage, number))
        at += gap(contest) + slowest_pace(tables, pace) * length(form)
    return round(at)


def slowest_pace(tables: int, pace: Sequence[float]) -> float:
    """The expected pace of the slowest of this many tables."""
    return quantiles(pace, n=tables + 1, method="inclusive")[-1]


def gap(contest: Contest) -> float:
    """Mean time from the last result of a round to the start of the next."""
    gaps = [
        after.start - max(table.at for table in before.played if table.at is not None)
        for stage in STAGES
        for before, after in zip(contest.rounds(stage), contest.rounds(stage)[1:], strict=False)
        if not before.open and any(table.at is not None for table in before.played)
    ]
    return max(fmean(gaps), 0) if gaps else 0


def stage_of_final(contest: Contest, stage: Stage, number: int) -> str:
    """`final`, `semi-final` or `quarter-final` for a round that is one; empty for any other, and for round 1.

    A round of poules, or of a contest in so many rounds, is none: whoever wins its last table has not won the contest.
    """
    if stage == "main" and number <= (pool_rounds(contest) or 1):
        return ""
    if stage == "main" and not (contest.formula.knock_out or contest.pools):
        return ""
    rounds, coming = contest.rounds(stage), to_come(contest, stage)
    known = [len(round_.tables) for round_ in rounds] + coming
    if not 0 < number <= len(known):
        return ""
    after = len(known) - number
    return {(0, 1): "final", (1, 1): "semi-final", (1, 2): "semi-final", (2, 4): "quarter-final"}.get(
        (after, known[number - 1]), ""
    )


def to_come(contest: Contest, stage: Stage) -> list[int]:
    """The number of tables of each further round."""
    drawn = len(contest.rounds(stage))
    formula = contest.formula
    if formula.all_play:
        return [len(contest.main[-1].played)] * (formula.rounds - drawn) if drawn else []
    left = still_in(contest, stage)
    pools: list[int] = []
    if formula.kind == "poules" and contest.main and drawn <= pool_rounds(contest):
        pools = [len(contest.main[0].played)] * (pool_rounds(contest) - drawn)
        left = len(contest.pools) * formula.qualify
    elif drawn and contest.rounds(stage)[-1].open:
        left = len(contest.rounds(stage)[-1].tables)
    elif stage == "consolante" and not drawn and contest.main:
        left = max(left, len(contest.main[0].players) - len(contest.main[0].tables))
    knock_out: list[int] = []
    while left > 1:
        sizes = table_sizes(left, formula.seats)
        knock_out.append(sum(size > 1 for size in sizes))
        left = len(sizes)
    return pools + knock_out
