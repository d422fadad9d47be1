"""Snapshots: what a seat may see of a table, and nothing else. All pages are made from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from chouine.cards import Card, CardSet, Suit
from chouine.match import Match, Tirage
from chouine.partie import (
    AuSept,
    Dealt,
    Declared,
    Drawn,
    Event,
    Exchanged,
    Played,
    Shown,
    State,
    Taken,
    TrumpFixed,
    View,
)
from chouine.partie.events import hide_cards
from chouine.table.entries import SeatHolder
from chouine.table.evolve import last_act
from chouine.table.state import FinishedPartie, Holiday, Phase, RevealedAdvice, TableState

Value = TypeVar("Value")


class SeatBoard(NamedTuple):
    """The board after the last of `view.events`, which may be in the middle of an act.

    `view.position` is already after the whole act: a trick that is still shown here has been taken there.
    """

    view: View
    dealer: int
    hand: CardSet
    """The observer's cards; none for a spectator."""
    sizes: tuple[int, ...]
    """Cards in each hand."""
    talon: int
    """Cards left in the talon, the turnup included."""
    turnup: Card | None
    trump: Suit | None
    taken: tuple[tuple[Taken, ...], ...]
    """Tricks taken, by seat."""
    trick: tuple[Played, ...] = ()
    """The cards on the table, complete or not."""
    said: tuple[Declared, ...] = ()
    """Declarations made with those cards."""
    shown: tuple[Shown, ...] = ()
    """Cards shown for declarations in this trick (§9.5)."""
    exchanged: Exchanged | None = None
    """The exchange made since the last trick was taken (§11)."""
    called: int | None = None
    """The seat that has just said "au sept" (§11)."""
    last: Taken | None = None
    """The last trick taken."""

    @classmethod
    def of(cls, view: View) -> SeatBoard:
        """The board after all events of a view."""
        dealt = view.events[0]
        if not isinstance(dealt, Dealt):
            raise TypeError("a partie begins with its deal")
        board = cls(
            view=view,
            dealer=dealt.dealer,
            hand=CardSet() if view.observer is None else dealt.hands[view.observer].known,
            sizes=tuple(map(len, dealt.hands)),
            talon=dealt.talon + (dealt.turnup is not None),
            turnup=dealt.turnup,
            trump=None if dealt.turnup is None else dealt.turnup.suit,
            taken=((),) * len(dealt.hands),
        )
        return board.after(view.events[1:])

    def then(self, events: tuple[Event, ...]) -> SeatBoard:
        """The board after more events, as its observer was told them."""
        return self._replace(view=self.view.then(events)).after(events)

    def after(self, events: Iterable[Event]) -> SeatBoard:
        board = self
        for event in events:
            board = board._evolve(event)
        return board

    def _evolve(self, event: Event) -> SeatBoard:
        match event:
            case Played() | Drawn() | Exchanged() | Taken():
                return self._move(event)
            case Declared():
                return self._replace(said=(*self.said, event))
            case Shown():
                return self._replace(shown=(*self.shown, event))
            case AuSept(seat):
                return self._replace(called=seat)
            case TrumpFixed(suit):
                return self._replace(trump=suit)
            case _:
                return self

    def _move(self, event: Played | Drawn | Exchanged | Taken) -> SeatBoard:
        """The board after an event that moves cards."""
        own = event.seat is not None and event.seat == self.view.observer
        match event:
            case Played(seat, card):
                hand = self.hand - CardSet([card]) if own else self.hand
                sizes = put(self.sizes, seat, self.sizes[seat] - 1)
                return self._replace(trick=(*self.trick, event), hand=hand, sizes=sizes, called=None)
            case Drawn(seat, card, turnup):
                hand = self.hand | CardSet([card]) if own and card is not None else self.hand
                sizes, lies = put(self.sizes, seat, self.sizes[seat] + 1), None if turnup else self.turnup
                return self._replace(hand=hand, sizes=sizes, talon=self.talon - 1, turnup=lies)
            case Taken(seat):
                taken = put(self.taken, seat, (*self.taken[seat], event))
                return self._replace(taken=taken, last=event, trick=(), said=(), shown=(), exchanged=None)
            case Exchanged(_, card):
                seven = Card(8 * card.suit)
                hand = self.hand - CardSet([seven]) | CardSet([card]) if own else self.hand
                return self._replace(hand=hand, turnup=seven, exchanged=event, called=None)


def put(values: tuple[Value, ...], at: int, value: Value) -> tuple[Value, ...]:
    """A copy of `values` with `value` at index `at`."""
    return (*values[:at], value, *values[at + 1 :])


SHUFFLED = (Phase.TIRAGE, Phase.CUT)
"""Phases in which a shuffled pack is known by its digest alone."""


@dataclass(frozen=True, slots=True)
class Help:
    """The state of help for a person who plays against computers."""

    explained: bool
    advice: RevealedAdvice | None
    takes_back: bool
    """Whether there is an act to take back."""


class Snapshot(NamedTuple):
    """A table as `observer` may see it; None for a spectator. It has no path to a card that is hidden from them."""

    observer: int | None
    n: int
    """Entries of the log so far."""
    phase: Phase
    holders: tuple[SeatHolder, ...]
    match: Match
    board: SeatBoard | None
    """The partie in progress."""
    awaited: frozenset[int]
    """Seats the table waits for."""
    window: frozenset[int]
    """Seats that may still answer "au sept" (§11)."""
    window_seconds: float
    """How long it stays open."""
    picks: tuple[int | None, ...]
    """Places drawn in this tirage, by seat (§2)."""
    tirage: Tirage | None
    """The last tirage of the match."""
    digest: str | None
    """Of the pack spread for the tirage, or to be cut: it fixes the pack and tells nothing of it."""
    parties: tuple[FinishedPartie, ...]
    """Finished parties, whose cards are public."""
    ready: frozenset[int]
    """Seats that are ready for the next partie, or want a revanche once the match is over."""
    pausing: frozenset[int]
    paused: bool
    missing: frozenset[int]
    """Computers that are away: they did not answer in time."""
    said: tuple[int, str, int] | None
    """The last phrase: seat, phrase, entry number."""
    next_table: str | None
    deadline: float | None
    """When the awaited seats' time is up, in seconds since the epoch; None without a clock."""
    reserves: tuple[float, ...]
    """Seconds of reserve left, by seat."""
    learner: int | None
    """The seat that may be helped."""
    helped: frozenset[str]
    """Kinds of help used in this match."""
    help: Help | None
    """Help, if this observer may have it; None for all others."""
    holidays: tuple[Holiday, ...] = ()
    """Of those who are on holiday now."""
    deals: int = 0
    """Number of sealed deals of a duplicate round, all of which are played; 0 at other tables."""
    unaided: bool = False
    """Whether this is a table without help, where nobody's screen counts points before the count."""
    held: bool = False
    """Whether a complete trick or a tirage is being shown, so that nobody may act."""

    def held_by(self, guest: str) -> tuple[int, ...]:
        """The seats of a guest."""
        return tuple(seat for seat, holder in enumerate(self.holders) if holder.guest == guest)


class Watcher:
    """Makes one observer's snapshots in sequence: each event is redacted and applied once."""

    __slots__ = ("_board", "_last", "_state", "observer")

    def __init__(self, observer: int | None) -> None:
        self.observer = observer
        self._state: State | None = None
        self._board: SeatBoard | None = None
        self._last: tuple[TableState, Snapshot] | None = None

    def snapshot(self, table: TableState) -> Snapshot:
        """The snapshot of a state of the table for this observer."""
        if self._last is None or self._last[0] is not table:
            self._last = table, self._make(table)
        return self._last[1]

    def _make(self, table: TableState) -> Snapshot:
        in_play = table.state is not None and table.phase is Phase.PLAY
        timed = table.clock is not None and not table.window
        return Snapshot(
            observer=self.observer,
            n=table.n,
            phase=table.phase,
            holders=table.holders,
            match=table.match,
            board=self.board(table.state) if in_play and table.state else None,
            awaited=table.awaited,
            window=table.window,
            window_seconds=table.opened.window,
            picks=table.picks,
            tirage=table.tirages[-1] if table.tirages else None,
            digest=table.pack.digest if table.pack and table.phase in SHUFFLED else None,
            parties=table.played,
            ready=table.ready,
            pausing=table.pausing,
            paused=table.paused is not None,
            missing=table.missing,
            said=table.spoken[-1] if table.spoken else None,
            next_table=table.next_table,
            deadline=table.deadline if timed else None,
            reserves=table.reserves,
            learner=table.learner,
            helped=table.helped,
            help=self.help(table),
            holidays=() if table.phase is Phase.OVER else table.holidays,
            deals=len(table.opened.deals),
            unaided=table.opened.unaided,
        )

    def help(self, table: TableState) -> Help | None:
        """Help for the observer, if they may have it."""
        if self.observer is None or self.observer != table.learner:
            return None
        return Help(table.explained, table.advice, last_act(table, self.observer) is not None)

    def board(self, state: State) -> SeatBoard:
        """The board of a partie as this observer was told of it."""
        if self._board is None or self._state is None or not leads_to(self._state, state):
            board = SeatBoard.of(state.view(self.observer))
        elif state is self._state:
            return self._board
        else:
            news = state.events[len(self._state.events) :]
            board = self._board.then(tuple(hide_cards(event, self.observer) for event in news))
        self._state, self._board = state, board
        return board


def leads_to(past: State, state: State) -> bool:
    """Whether a state follows from another: then the two share the very objects of their deal and events."""
    known = len(past.events)
    return (
        state.deal is past.deal
        and len(state.events) >= known
        and state.events[known - 1] is past.events[known - 1]
    )
