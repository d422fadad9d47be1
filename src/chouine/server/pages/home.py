"""The first page: a button that starts a match, and the visitor's matches in progress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time
from typing import NamedTuple, Self

from chouine.ai.levels import looks_ahead
from chouine.names import NAME_LENGTH
from chouine.phrases import Language
from chouine.phrases.naming import hour_in_words
from chouine.server.pages import wording
from chouine.server.pages.cards import card_back
from chouine.server.pages.env import render
from chouine.server.pages.match import names_of
from chouine.server.pages.opponents import Opponent, easier, opponents, usual_level
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.waits import Wait, Waiter
from chouine.table import Phase
from chouine.table.brief import Brief


@dataclass(frozen=True, slots=True)
class Meeting:
    """Players waiting for a partner, as one visitor sees them."""

    waiters: Sequence[Waiter]
    own: Wait | None
    now: float
    evening: tuple[int, int] | None
    """Announced hour and minute (Paris), if any."""
    here_only: bool = False
    """Whether the visitor used a host name that nobody else can use; the list is then shown only if somebody
    waits."""

    def hour(self, language: Language) -> str:
        """The announced hour in the language's form (20 h 30, 20:30); empty if there is none."""
        if self.evening is None:
            return ""
        return hour_in_words(time(*self.evening), language)

    def minutes(self, since: float) -> int:
        """Minutes waited, rounded down."""
        return max(0, int((self.now - since) / 60))


SEATS = range(4)
MOST = 3
"""Matches in progress shown without a tap; those where it is one's turn come first."""
SECONDS = 10
"""Seconds after which the list of waiting partners is fetched again."""
NOBODY = Meeting((), None, 0.0, None)


class Takeaway(NamedTuple):
    """What a browser downloads to play without a network."""

    version: str
    download: int
    """Megabytes to download …"""
    room: int
    """… and megabytes of storage."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One of a guest's matches as a line in a list."""

    table_id: str
    names: tuple[str, ...]
    others: tuple[str, ...]
    """Names of players on other devices."""
    manches: tuple[int, ...]
    parties: tuple[int, ...]
    """Won in the manche being played, or the last; one's own first, like the manches, then those of `others`."""
    my_turn: bool
    """Whether the table waits for this guest."""
    seating: bool
    over: bool
    won: bool
    """Whether the match is over and won by a seat of this guest."""
    helped: bool

    @classmethod
    def of(cls, table_id: str, brief: Brief, guest: str, words: Words) -> Self:
        """A table's summary from a guest's point of view."""
        mine, names = brief.held_by(guest), names_of(brief, words)
        order = sorted(range(len(names)), key=lambda seat: seat not in mine)
        return cls(
            table_id=table_id,
            names=names,
            others=tuple(name for seat, name in enumerate(names) if seat not in mine),
            manches=tuple(brief.manches[seat] for seat in order if brief.manches),
            parties=tuple(brief.parties[seat] for seat in order),
            my_turn=bool(mine & brief.awaited),
            seating=brief.phase is Phase.SEATING,
            over=brief.phase is Phase.OVER,
            won=brief.winner in mine,
            helped=brief.helped,
        )


def with_matches_won(
    offered: Sequence[Opponent], matches: Sequence[tuple[str, Brief]], guest: str, words: Words
) -> list[Opponent]:
    """The opponents, each with the matches that this guest won against them alone, among those listed."""
    alone = [
        (brief.winner in mine, next(holder.player for holder in brief.holders if holder.guest != guest))
        for _, brief in matches
        if brief.phase is Phase.OVER and len(brief.holders) == 2 and len(mine := brief.held_by(guest)) == 1
    ]
    listed = []
    for one in offered:
        against = [won for won, player in alone if player == one.player]
        won = words.gettext("Matches won: %(won)s of %(played)s.")
        counted = f" {won % {'won': sum(against), 'played': len(against)}}" if against else ""
        listed.append(one._replace(character=one.character + counted))
    return listed


class LostMatch(NamedTuple):
    """A match just lost against a computer: whom to try next, and where its luck is told."""

    next: Opponent
    against: str
    review: str
    """The address of the match's review; empty where none can be made."""


def lost_last(visit: Visit, matches: Sequence[tuple[str, Brief]]) -> LostMatch | None:
    """The visitor's newest match, if it is over and was lost to a level that is not the easiest."""
    table_id, brief = matches[0] if matches else ("", None)
    found = easier(visit, brief.holders, brief.winner) if brief and brief.phase is Phase.OVER else None
    if found is None or brief is None or brief.winner is None:
        return None
    review = f"/match/{table_id}/review?seat={1 - brief.winner}" if looks_ahead() else ""
    return LostMatch(found, brief.holders[brief.winner].name, review)


def home_page(
    visit: Visit,
    matches: Sequence[tuple[str, Brief]],
    error: str = "",
    contests: Sequence[tuple[str, str, bool]] = (),
    meeting: Meeting = NOBODY,
    takeaway: Takeaway | None = None,
    waiting: int = 0,
    *,
    offline: bool = False,
) -> str:
    """The first page; `matches` newest first, `error` why the last form was refused, `contests` one is entered in.

    `meeting`: who waits for a partner; `takeaway`: what may be taken along; `waiting`: how many people wait for the
    visitor's answer; `offline`: without what needs a server.
    """
    words = words_of(visit)
    mine = [Summary.of(table_id, brief, visit.guest, words) for table_id, brief in matches]
    return render(
        visit,
        "home.html",
        error=error,
        contests=contests,
        meeting=meeting,
        seconds=SECONDS,
        takeaway=takeaway,
        waiting=waiting,
        offline=offline,
        active=sorted((match for match in mine if not match.over), key=lambda match: not match.my_turn),
        most=MOST,
        finished=[match for match in mine if match.over],
        wording=wording,
        seats=SEATS,
        opponents=with_matches_won(opponents(visit), matches, visit.guest, words),
        usual=usual_level(visit),
        newcomer=not (visit.level or matches),
        lost=lost_last(visit, matches),
        card_back=card_back(),
        name_length=NAME_LENGTH,
    )
