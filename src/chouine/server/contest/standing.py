"""The state of a contest, as the desk, the paper and the screens show it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from babel.dates import format_date

from chouine.days import day_of
from chouine.names import plain_name
from chouine.phrases import Language
from chouine.tournament import ActRefused, Contest, Round
from chouine.tournament.formula import STAGES, Stage
from chouine.tournament.timing import end, late_tables
from chouine.tournament.views import absent, entries_open, is_final, next_draw, room_of, seats, totals


def standing(contest: Contest, at: int) -> dict[str, Any]:
    """Template variables: totals, rounds, the next draw, late tables, the expected end."""
    finish = end(contest, at)
    return {
        "totals": totals(contest),
        "absent": absent(contest),
        "entering": entries_open(contest),
        "next": {stage: drawable(contest, stage) for stage in STAGES},
        "over": is_final(contest),
        "late": late_tables(contest, at),
        "finish": clock(finish) if finish is not None and not is_final(contest) else "",
        "stages": STAGES if contest.formula.consolante != "none" else STAGES[:1],
    }


def drawable(contest: Contest, stage: Stage) -> int:
    """The round that can be drawn now; 0 for none."""
    found = next_draw(contest, stage)
    return 0 if isinstance(found, ActRefused) else found


def round_view(contest: Contest, round_: Round, names: dict[int, str]) -> dict[str, Any]:
    """A round's tables in order, and each entry's table in order of names."""
    return {
        "round": round_,
        "by_names": sorted(
            ((names[n], n, table) for n, table in seats(round_).items()), key=lambda row: plain_name(row[0])
        ),
        "room": lambda table: room_of(contest, table),
        "last": contest.rounds(round_.stage)[-1] is round_,
        "next": drawable(contest, round_.stage),
    }


def clock(at: int) -> str:
    """The hour of a time in milliseconds, by this laptop's clock."""
    return datetime.fromtimestamp(at / 1000).astimezone().strftime("%H:%M")


def day(at: int, language: Language) -> str:
    """The day of a time in milliseconds, in words."""
    return format_date(day_of(datetime.fromtimestamp(at / 1000, UTC), None), "long", locale=language)
