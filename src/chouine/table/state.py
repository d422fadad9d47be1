"""A table's full state, hidden cards included. Only snapshots of it may be sent."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple

from chouine.cards import Card
from chouine.match.draw import Tirage, cutter
from chouine.match.score import Match
from chouine.notation.deals import complete_deal, read_deal
from chouine.notation.tokens import read_action
from chouine.partie import AuSept, Result, State
from chouine.rules.options import PRESETS, Rules
from chouine.table.entries import DAILY, NOBODY, ClockTerms, GivenAdvice, Opened, SeatHolder

AGAIN = 128
"""Finished parties whose states stay in memory."""


class Phase(Enum):
    """The phase of a table."""

    SEATING = "seating"
    TIRAGE = "tirage"
    CUT = "cut"
    PLAY = "play"
    COUNT = "count"
    OVER = "over"


def digest_of(pack: str, nonce: str) -> str:
    """SHA-256 of the pack's text followed by the nonce's, in hexadecimal."""
    return hashlib.sha256((pack + nonce).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Pack:
    """A shuffled pack, and the nonce that keeps its published digest from being guessed."""

    cards: str
    nonce: str

    @property
    def digest(self) -> str:
        """The digest published before the cut: it commits to the pack and reveals nothing of it."""
        return digest_of(self.cards, self.nonce)

    @property
    def in_order(self) -> tuple[Card, ...]:
        """Top card first."""
        return tuple(Card(self.cards[place : place + 2]) for place in range(0, 64, 2))


@dataclass(frozen=True, slots=True)
class SpreadPack:
    """The pack of a finished tirage and the places drawn, by seat: what verifies it (§2)."""

    pack: Pack
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FinishedPartie:
    """A finished partie and what verifies its deal. `pack` is None when an earlier deal was played again.

    Its course is kept as text and played again when asked for: a state takes twenty times as much memory, and a
    server keeps those of thousands of tables.
    """

    manche: int
    partie: int
    score: str
    pack: Pack | None
    cut: int
    rules: Rules
    deal: str
    acts: str
    """Tokens, in order."""
    result: Result
    stopped: int | None = None
    """The seat that conceded or forfeited (§16): with three or four seats the result does not tell."""
    followed: frozenset[tuple[int, str]] = frozenset()
    """Acts that were done as advised, as (number from 1, token)."""

    @property
    def state(self) -> State:
        """The partie at its end."""
        return played_again(self.rules, self.deal, self.acts, self.result)


@lru_cache(AGAIN)
def played_again(rules: Rules, deal: str, acts: str, result: Result) -> State:
    """The state at the end of a partie."""
    whole_deal = complete_deal(read_deal(deal, rules))
    if whole_deal is None:
        raise TypeError("a deal that was played is known in full")
    state = State.new(rules, whole_deal)
    for token in acts.split():
        state = state.play(read_action(token))
    return state if state.result else state.end(result)


@dataclass(frozen=True, slots=True)
class RevealedAdvice:
    """Advice as far as it has been revealed: 1 an idea, 2 the act, 3 the reason."""

    given: GivenAdvice
    step: int = 1


class Holiday(NamedTuple):
    """A seat's holder is on holiday since a time, at the latest until another; `last` is its last day."""

    seat: int
    since: float
    until: float
    last: str

    def after_pause(self, begun: float, ended: float) -> Holiday:
        """It as the clock counts after a pause, for which the wait's beginning moves too: no time counts twice."""
        lasted = ended - begun
        return self._replace(
            since=min(self.since + lasted, ended), until=max(self.until, min(self.until + lasted, ended))
        )


LAST_STEP = 3
HELPS = ("explained", "advised", "took-back")
"""The kinds of help that a match is marked with, in the order in which they are told."""


@dataclass(frozen=True)
class TableState:
    """The state of a table after `n` log entries: equal to `rebuild` of those entries.

    The awaited seats are needed by all who decide on it or show it, so they are computed once.
    """

    n: int
    opened: Opened
    holders: tuple[SeatHolder, ...]
    match: Match
    phase: Phase
    since: float
    """When the present wait began, in seconds since the epoch."""
    reserves: tuple[float, ...]
    pack: Pack | None = None
    picks: tuple[int | None, ...] = ()
    """Places drawn in this tirage, by seat (§2)."""
    tirages: tuple[Tirage, ...] = ()
    """Tirages of this match, tied ones included."""
    spreads: tuple[SpreadPack, ...] = ()
    """The proof of each tirage."""
    cut: int = 0
    state: State | None = None
    passed: frozenset[int] = field(default=frozenset())
    """Seats that have answered the current "au sept"."""
    ready: frozenset[int] = field(default=frozenset())
    """Seats that have read the count; or that want a revanche once the match is over."""
    pausing: frozenset[int] = field(default=frozenset())
    paused: float | None = None
    """Since when the table is paused."""
    holidays: tuple[Holiday, ...] = ()
    """Of those who are on holiday now, at a slow table."""
    away: tuple[float, ...] = ()
    """Seconds of this match that each seat's holidays took which are over; empty: none."""
    rested: tuple[float, ...] = ()
    """Seconds of the present wait in which each seat's clock stood still for a holiday that is over; empty: none."""
    missing: frozenset[int] = field(default=frozenset())
    """Computers that did not answer, until they do."""
    played: tuple[FinishedPartie, ...] = ()
    spoken: tuple[tuple[int, str, int], ...] = ()
    """The last phrases said: seat, phrase, entry number."""
    next_table: str | None = None
    explained: bool = False
    """Whether explanations are on."""
    advice: RevealedAdvice | None = None
    """Advice on the awaited act; dropped once the act is made."""
    followed: frozenset[tuple[int, str]] = field(default=frozenset())
    """Acts of this partie that were done as advised, as (number from 1, token): a review holds none against anybody."""
    helped: frozenset[str] = field(default=frozenset())
    """Kinds of help used in this match, of `HELPS`."""
    taken_back: int = 0
    """Number of moves taken back: it tells apart decisions at the same point of a match."""

    def replace_fast(self, **values: object) -> TableState:
        """A copy with changed fields: 5 µs where `dataclasses.replace` takes 15, for each move."""
        known, after = self.__dict__, object.__new__(TableState)
        after.__dict__.update({name: known[name] for name in STAYS if name in known} | values)
        return after

    @property
    def seats(self) -> range:
        return range(len(self.holders))

    def held_by(self, guest: str) -> tuple[int, ...]:
        """The seats of a guest."""
        return tuple([seat for seat, holder in enumerate(self.holders) if holder.guest == guest])

    @cached_property
    def people(self) -> frozenset[int]:
        """Seats held by persons."""
        return frozenset(seat for seat in self.seats if self.holders[seat].player == "person")

    @cached_property
    def learner(self) -> int | None:
        """The seat that may be helped: the only person's, where all others are computers.

        None at a sealed table, and none where players agreed on no help.
        """
        people = self.people
        return min(people) if len(people) == 1 and not self.sealed and not self.opened.unaided else None

    @cached_property
    def sealed(self) -> bool:
        """Whether deals are played here that others are still to play: of the day, or of a duplicate round."""
        return bool(self.opened.deals) or any(holder.player == DAILY for holder in self.holders)

    @property
    def clock(self) -> ClockTerms | None:
        """None where a computer plays."""
        return self.opened.clock if len(self.people) == len(self.holders) else None

    @property
    def slow(self) -> bool:
        """Whether the match is played over days."""
        return self.clock is not None and self.clock.slow

    def away_of(self, seat: int) -> float:
        """Seconds of this match that a seat's holidays took which are over."""
        return self.away[seat] if self.away else 0.0

    def holiday_of(self, seat: int) -> Holiday | None:
        """The holiday that the seat's holder is on."""
        return next((each for each in self.holidays if each.seat == seat), None)

    def rest_of(self, seat: int, at: float) -> float:
        """Seconds of the present wait until `at` in which the seat's clock stood still for a holiday."""
        away, before = self.holiday_of(seat), self.rested[seat] if self.rested else 0.0
        return before + (max(0.0, min(at, away.until) - max(away.since, self.since)) if away else 0.0)

    def time_up(self, seat: int) -> float:
        """When an awaited seat's time is out; there must be a clock. A holiday lasts as long as it may."""
        if self.clock is None:
            raise LookupError("no clock")
        allowed = self.clock.move + (0.0 if self.phase is Phase.COUNT else self.reserves[seat])
        away = self.holiday_of(seat)
        return self.since + allowed + self.rest_of(seat, away.until if away else self.since)

    @property
    def rated(self) -> bool:
        """Whether the match counts for the ratings: a clock, different people, who all agreed, and a preset's rules."""
        guests = [holder.guest for holder in self.holders if holder.guest != NOBODY]
        return (
            self.clock is not None
            and self.opened.deal is None
            and not self.opened.deals
            and all(holder.rated for holder in self.holders)
            and len({*guests}) == len(guests)
            and self.opened.rules in PRESETS
        )

    @cached_property
    def window(self) -> frozenset[int]:
        """Seats that may still answer "au sept" (§11): all but the leader; none when nothing is open."""
        if (
            self.phase is not Phase.PLAY
            or self.state is None
            or not isinstance(self.state.events[-1], AuSept)
        ):
            return frozenset()
        return frozenset(self.seats) - {self.state.position.leader} - self.passed

    @cached_property
    def awaited(self) -> frozenset[int]:
        """Seats the table waits for; empty when it waits for nobody."""
        match self.phase:
            case Phase.TIRAGE:
                return frozenset(seat for seat in self.seats if self.picks[seat] is None)
            case Phase.CUT:
                return frozenset({cutter(self.dealer, len(self.holders))})
            case Phase.PLAY if self.state is not None and self.state.turn is not None:
                return self.window or frozenset({self.state.turn})
            case Phase.COUNT:
                return (self.people or frozenset(self.seats)) - self.ready
            case _:
                return frozenset()

    @property
    def dealer(self) -> int:
        """The dealer of the current or next partie; there must be one."""
        if self.match.dealer is None:
            raise LookupError("no dealer before the tirage nor after the match")
        return self.match.dealer

    @cached_property
    def deadline(self) -> float | None:
        """When "au sept" closes, or an awaited seat's time is out."""
        if self.paused is not None:
            return None
        if self.window:
            return self.since + self.opened.window
        if self.clock is None or not self.awaited:
            return None
        return min(map(self.time_up, self.awaited))

    @property
    def due(self) -> float | None:
        """When a `Tick` is due: at the deadline, or when a holiday ends."""
        if self.paused is not None or self.phase is Phase.OVER:
            return None
        ends = [each.until for each in self.holidays]
        return min(ends if self.deadline is None else [*ends, self.deadline], default=None)


STAYS = (*(each.name for each in fields(TableState)), "people", "learner")
"""Values carried from one state to the next: the fields, and the cached properties that never change."""
