"""The lines that say who has left a table and how long they may come back, and who is on holiday."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from chouine.days import day_of
from chouine.phrases import N_
from chouine.phrases.naming import date_in_words, hour_in_words
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.table.entries import NOBODY
from chouine.table.state import Phase, TableState

PAUSED = N_("%(name)s has left the table and may return at any time: the match is paused.")
UNTIMED = N_("%(name)s has left the table and may return at any time: this match has no clock.")
OFF_TURN = N_("%(name)s has left the table. It is not %(name)s’s turn, and no time is lost.")
UNTIL = N_("%(name)s has left the table and may return until %(time)s.")
UNTIL_DAY = N_("%(name)s has left the table and may return until %(time)s on %(day)s.")
OPEN = N_("%(name)s has left the table.")
TIMED = (Phase.TIRAGE, Phase.CUT, Phase.PLAY)
"""The phases in which whose time is out has lost the match."""
SOON = 600.0
"""Seconds before a deadline within which its seconds are told too."""


def others_at(table: TableState, guest: str) -> frozenset[str]:
    """The people at a table whom a guest who sits there would miss: those at other browsers, while it is played."""
    if not table.held_by(guest) or table.phase in (Phase.SEATING, Phase.OVER):
        return frozenset()
    sitting = (table.holders[seat].guest for seat in table.people)
    return frozenset(other for other in sitting if other and other not in (guest, NOBODY))


def absence(visit: Visit, table: TableState, absent: Collection[str], now: float) -> str:
    """A sentence for each of these guests, who have left a table; empty for none. `now`: seconds since 1970."""
    words, said, named = words_of(visit), [], set[str]()
    for seat in sorted(table.people):
        guest = table.holders[seat].guest
        if guest and guest in absent and guest not in named:
            named.add(guest)
            values = {"name": words.player(table.holders[seat].name, seat), "time": "", "day": ""}
            if table.clock is not None:
                values |= time_in_words(visit, table.time_up(seat), now)
            said.append(words.gettext(sentence_for(table, seat, later=bool(values["day"]))) % values)
    return " ".join(said)


def sentence_for(table: TableState, seat: int, *, later: bool) -> str:
    """The sentence that is true of a seat whose holder has left. `later`: whether its time ends on another day."""
    if table.paused is not None:
        return PAUSED
    if table.clock is None:
        return UNTIMED
    if table.window or table.phase not in TIMED:
        return OPEN
    if seat not in table.awaited:
        return OFF_TURN
    return UNTIL_DAY if later else UNTIL


def time_in_words(visit: Visit, at: float, now: float) -> dict[str, str]:
    """A time as an hour (`time`), with its seconds if it is near, and its date (`day`) unless that is today's."""
    then, today = (datetime.fromtimestamp(each, visit.zone) for each in (at, now))
    hour = hour_in_words(then, visit.language)
    if at - now < SOON:
        hour += (
            f"\N{NO-BREAK SPACE}min\N{NO-BREAK SPACE}{then:%S}" if visit.language == "fr" else f"{then::%S}"
        )
    own = day_of(then, visit.zone)
    day = "" if own == day_of(today, visit.zone) else date_in_words(own, visit.language)
    return {"time": hour, "day": day}


def on_holiday(words: Words, name: str, last: str, *, yours: bool) -> str:
    """Until which day somebody is on holiday."""
    said = (
        words.gettext("You are on holiday until %(day)s.")
        if yours
        else words.gettext("%(name)s is on holiday until %(day)s.")
    )
    return said % {"name": name, "day": date_in_words(date.fromisoformat(last), words.language)}
