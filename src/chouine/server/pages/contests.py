"""Pages of online contests: the list, and each contest's state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from chouine.cards import Suit
from chouine.contest import Round, RoundTable, palmares
from chouine.contest.duplicate import MOST, SPARED, STEPS, WHOLE, numbers_of
from chouine.contest.formula import MOST_DEALS, STAGES, Formula
from chouine.names import NAME_LENGTH
from chouine.phrases import N_, signed_number, translations
from chouine.server.contest.ending import ending_told, place_words
from chouine.server.contest.standing import round_name
from chouine.server.online.contests import Online
from chouine.server.pages import wording
from chouine.server.pages.cards import sign
from chouine.server.pages.duplicate import round_sums
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.table.state import Phase, TableState

SECONDS = 5
"""Seconds after which the page of a running contest reloads."""


@dataclass(frozen=True, slots=True)
class ContestPace:
    """A choice of clock for a contest's tables."""

    words: str
    clock: tuple[int, int]
    """Seconds for each act, and reserve for the match; a seat that has used both forfeits."""


PACES = {
    "live": ContestPace(
        N_("One evening: 30 seconds a card, and 5 minutes in reserve for a match"), (30, 300)
    ),
    "calm": ContestPace(N_("Calmly: 90 seconds a card, and 15 minutes in reserve"), (90, 900)),
    "days": ContestPace(N_("Over weeks: one day a card, and 2 days in reserve"), (86_400, 172_800)),
}
KINDS = {
    "lavardin": N_("As in Lavardin: a new draw each round, and a consolante for those who lose the first"),
    "knockout": N_("Knock-out without consolante"),
    "swiss": N_("Swiss rounds: everybody plays to the end"),
    "duplicate": N_(
        "Duplicate: all tables play the same cards, and whoever makes most of them wins, not whoever was dealt the best"
    ),
}


@dataclass(frozen=True, slots=True)
class PendingTable:
    """A table whose match is not over."""

    table_id: str
    round: Round
    table: RoundTable
    state: TableState | None
    """The table's state, for its own players; None for others."""
    over: bool = False
    """Whether its match is over, and its result waits for the other tables of a duplicate round."""

    def minutes_left(self, now: float) -> int | None:
        """Whole minutes until the absent player forfeits; None if nobody is absent."""
        deadline = self.state.deadline if self.state is not None else None
        return None if deadline is None else max(0, round((deadline - now) / 60))

    def awaits(self, number: int) -> bool:
        """Whether it waits for this entry's act."""
        return self.state is not None and self.table.players.index(number) in self.state.awaited

    def calls(self, number: int) -> bool:
        """Whether it has just opened, and this entry is to be led to it: to draw for the deal, or to a sealed deal."""
        if self.state is None or (self.state.n > 1 and self.round.deals):
            return False
        return bool(self.round.deals) or (self.state.phase is Phase.TIRAGE and self.awaits(number))


def format_name(formula: Formula) -> str:
    """The name of a contest's format, of `KINDS`."""
    if formula.deals:
        return "duplicate"
    return "knockout" if formula.knock_out and formula.consolante == "none" else formula.kind


def contests_page(visit: Visit, listed: Sequence[Online], refused: str = "", title: str = "") -> str:
    """The list of contests, open ones first. `title` is that of a refused announcement."""
    return render(
        visit,
        "contests/index.html",
        here="/contests",
        refused=refused,
        title=title,
        groups=[(state, [one for one in listed if one.state == state]) for state in ("open", "live", "over")],
        kinds=KINDS,
        most_deals=MOST_DEALS,
        paces=PACES,
        wording=wording,
    )


def contest_page(
    visit: Visit,
    online: Online,
    mine: int | None,
    waiting: Sequence[PendingTable],
    now: float,
    refused: str = "",
    most_here: int = 0,
) -> str:
    """A contest's page: entries, rounds, ranking, and the visitor's own table.

    `most_here`: how many may enter from the request's address; 0 for any number, from the hall's.
    """
    contest, here = online.contest, f"/contests/{online.id}"
    table = next((one for one in waiting if mine in one.table.players), None)
    ranking = palmares(contest).ranking if contest.main and not contest.main[0].open else ()
    my_turn = table is not None and mine is not None and table.awaits(mine)
    formula, clock = contest.formula, (online.clock.move, online.clock.reserve)
    ending = ending_told(contest, online.names, visit.language) if online.state == "over" else []
    gettext = translations(visit.language).gettext
    rank = next((one.rank for one in ranking if ending and one.number == mine), 0)
    return render(
        visit,
        "contests/one.html",
        here=here,
        online=online,
        contest=contest,
        names=online.names,
        mine=mine,
        own=online.owner == visit.guest,
        most_here=most_here,
        table=table,
        my_turn=my_turn,
        minutes=table.minutes_left(now) if table is not None else None,
        waiting=waiting,
        round_name=partial(round_name, contest, visit.language),
        stages=[stage for stage in STAGES if contest.rounds(stage)],
        ranking=ranking,
        ending=ending,
        place=place_words(gettext, rank) if rank else "",
        suits=Suit,
        sign=sign,
        sums={
            round_.number: round_sums(round_) for round_ in contest.main if round_.deals and not round_.open
        },
        numbers_of=numbers_of,
        signed=partial(signed_number, language=visit.language),
        steps=enumerate(STEPS, 1),
        whole=WHOLE,
        most=MOST,
        spared=SPARED,
        pace=next((pace.words for pace in PACES.values() if pace.clock == clock), ""),
        kind=KINDS[format_name(formula)],
        length=wording.FORMATS.get(formula.matches[0], formula.matches[0]),
        seconds=SECONDS if online.state != "over" else 0,
        following=f"/table/{table.table_id}" if table and mine and table.calls(mine) else "",
        name_length=NAME_LENGTH,
        refused=refused,
    )
