"""Snapshots: what a seat may see of a table, and nothing else. All pages are made from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chouine.match import Match, Tirage
from chouine.partie import State, redact
from chouine.table.board import SeatBoard
from chouine.table.entries import SeatHolder
from chouine.table.evolve import last_act
from chouine.table.state import FinishedPartie, Holiday, Phase, RevealedAdvice, TableState

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
            board = self._board.then(tuple(redact(event, self.observer) for event in news))
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
