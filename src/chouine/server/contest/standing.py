"""The state of a contest, as the desk, the paper and the screens show it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from chouine.contest import ActRefused, Contest, Round
from chouine.contest.formula import STAGES, Stage
from chouine.contest.people import Names
from chouine.contest.timing import end, late_tables, stage_of_final
from chouine.contest.views import absent_entries, entries_open, is_final, next_draw, room_of, seats, totals
from chouine.days import day_of
from chouine.phrases import N_, Language, date_in_words, translations


def standing(contest: Contest, at: int) -> dict[str, Any]:
    """Template variables: totals, rounds, the next draw, late tables, the expected end."""
    finish = end(contest, at)
    return {
        "totals": totals(contest),
        "absent": absent_entries(contest),
        "entering": entries_open(contest),
        "next": {stage: drawable_number(contest, stage) for stage in STAGES},
        "playing": any(round_.open for round_ in contest.all_rounds()) and not contest.ended,
        "over": is_final(contest),
        "late": late_tables(contest, at),
        "finish": clock(finish) if finish is not None and not is_final(contest) else "",
        "stages": STAGES if contest.formula.consolante != "none" else STAGES[:1],
    }


def drawable_number(contest: Contest, stage: Stage) -> int:
    """The round that can be drawn now; 0 for none."""
    found = next_draw(contest, stage)
    return 0 if isinstance(found, ActRefused) else found


def round_view(contest: Contest, round_: Round, names: Names) -> dict[str, Any]:
    """A round's tables in order, and each entry's table, sorted by surname."""
    tables = seats(round_)
    return {
        "round": round_,
        "by_names": [(name, n, tables[n]) for n, name in names.listed.items() if n in tables],
        "room": lambda table: room_of(contest, table),
        "last": contest.rounds(round_.stage)[-1] is round_,
        "next": drawable_number(contest, round_.stage),
    }


FINALS = {"final": N_("Final"), "semi-final": N_("Semi-finals"), "quarter-final": N_("Quarter-finals")}


def round_name(contest: Contest, language: Language, stage: Stage, number: int) -> str:
    """`Round 3`, or `Final` where it is one."""
    gettext, final = translations(language).gettext, stage_of_final(contest, stage, number)
    return gettext(FINALS[final]) if final else gettext("Round %(number)s") % {"number": number}


def clock(at: int) -> str:
    """The hour of a time in milliseconds, by this laptop's clock."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone().strftime("%H:%M")


def day(at: int, language: Language) -> str:
    """The day of a time in milliseconds, in words."""
    return date_in_words(day_of(datetime.fromtimestamp(at / 1000, UTC), None), language)
