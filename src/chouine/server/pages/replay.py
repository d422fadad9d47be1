"""A finished partie with every hand face up: the deal, each trick, the count. Each trick has its own address."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from chouine.ai.levels import looks_back
from chouine.cards import Card, CardSet, Rank, Suit
from chouine.notation.display import Narrator, arrange
from chouine.notation.lines import actions_of
from chouine.partie import AuSept, Declared, Drawn, Event, Exchanged, Play, Played, State, Taken, TrumpFixed
from chouine.partie.result import points_of
from chouine.server.pages.cards import face, sign
from chouine.server.pages.env import render
from chouine.server.pages.match import names_shown
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.server.records import proof_of
from chouine.server.table_ids import brought_as_file
from chouine.server.verify import Proof
from chouine.table import TableState
from chouine.table.count import tally_of

EventType = TypeVar("EventType")


@dataclass(frozen=True, slots=True)
class TrickRecord:
    """The deal (trick 0), or one trick; the last may be incomplete."""

    trick: int
    leader: int | None
    """None for the deal."""
    hands: tuple[CardSet, ...]
    """Each seat's hand before its card, after any exchange."""
    events: tuple[Event, ...]
    trump: Suit | None
    turnup: Card | None
    """The turnup by the talon when the trick was led."""
    talon: tuple[Card, ...]
    """Hidden talon cards when the trick was led, in drawing order."""
    before: tuple[int, ...]
    after: tuple[int, ...]
    """Every seat's points before and after."""

    @property
    def laid(self) -> tuple[Played, ...]:
        return self.events_of(Played)

    @property
    def drawn(self) -> tuple[Drawn, ...]:
        return self.events_of(Drawn)

    @property
    def taken(self) -> Taken | None:
        """None for the deal, and if a chouine or a concession ended the partie within the trick."""
        return next(iter(self.events_of(Taken)), None)

    def declared_by(self, seat: int) -> tuple[Declared, ...]:
        """The declaration a seat made with its card."""
        return tuple(event for event in self.events_of(Declared) if event.seat == seat)

    def events_of(self, kind: type[EventType]) -> tuple[EventType, ...]:
        """The events of a kind."""
        return tuple(event for event in self.events if isinstance(event, kind))


def trick_history(finished: State) -> list[TrickRecord]:
    """The deal, then every trick in order."""
    lead = state = State.new(finished.rules, finished.deal)
    history = [trick_record(0, lead, lead, {})]
    held: dict[int, CardSet] = {}
    for action in actions_of(finished.events):
        before, state = state, state.play(action)
        if isinstance(action, Play):
            seat = before.position.turn
            held[seat] = CardSet(before.position.hands[seat])
            if not state.position.table:
                history.append(trick_record(len(history), lead, state, held))
                lead, held = state, {}
    if state is not lead:
        history.append(trick_record(len(history), lead, state, held))
    return history


def trick_record(trick: int, lead: State, end: State, held: dict[int, CardSet]) -> TrickRecord:
    """One trick from the lead to its end; `held`: the players' hands."""
    hands = tuple(held.get(seat, CardSet(end.position.hands[seat])) for seat in range(end.rules.seats))
    events = end.events[first_event(lead) : None if end.result else first_event(end)]
    trump = Suit(end.position.trump) if end.position.trump >= 0 else None
    turnup = Card(lead.position.turnup) if lead.position.turnup >= 0 else None
    if trump is not None and any(isinstance(event, Exchanged) for event in events):
        turnup = Card(trump * 8 + Rank.SEVEN)
    return TrickRecord(
        trick=trick,
        leader=lead.position.leader if trick else None,
        hands=hands,
        events=events,
        trump=trump,
        turnup=turnup,
        talon=lead.deal.talon[lead.position.tricks * lead.rules.seats :],
        before=points_of(lead.rule_table, lead.position),
        after=points_of(end.rule_table, end.position),
    )


def first_event(lead: State) -> int:
    """Index of the coming trick's first event, which may be an "au sept" before the lead (§11)."""
    return len(lead.events) - isinstance(lead.events[-1], AuSept)


def replay_page(visit: Visit, table_id: str, table: TableState, number: int, trick: int) -> str:
    """Partie `number`, from 1, which is over. Trick 0 is the deal; one more than the last is the count."""
    played = table.played[number - 1]
    history = trick_history(played.state)
    count = len(history)
    trick = max(0, min(trick, count))
    proof = proof_of(played)
    words = words_of(visit)
    who = names_shown(table, visit, words)
    narrator = Narrator(who.names, who.you, visit.language)
    return render(
        visit,
        "replay.html",
        here=f"/match/{table_id}/{number}?trick={trick}",
        address=f"/match/{table_id}/{number}",
        table_id=table_id,
        table=table,
        number=number,
        played=played,
        result=played.state.result,
        **who._asdict(),
        history=history,
        trick=trick,
        count=count,
        now=history[trick] if trick < count else None,
        happened=list(beyond_cards(narrator, history[trick])) if trick < count else [],
        tally=tally_of(played.state),
        order=order(table, visit),
        proof=proof,
        brought=brought_as_file(table_id),
        reviewed=looks_back(played.state.rules),
        command=command(proof) if proof else "",
        words=words,
        arranged=arrange,
        face=face,
        sign=sign,
    )


def order(table: TableState, visit: Visit) -> list[int]:
    """The seats from the top of the screen: round the table, the visitor's own, else seat a, at the bottom."""
    own = (*table.held_by(visit.guest), 0)[0]
    return [(own + place) % len(table.holders) for place in range(1, len(table.holders) + 1)]


def beyond_cards(narrator: Narrator, record: TrickRecord) -> Iterator[str]:
    """Declarations, exchanges and shown cards of a trick, as sentences."""
    for event in record.events:
        match event:
            case Declared():
                yield narrator.tell_count(event)
            case AuSept() | Exchanged() | TrumpFixed():
                yield narrator.sentence(event)
            case _:
                pass


def command(proof: Proof) -> str:
    """The command that verifies this deal."""
    options = " ".join(f"--{name} {shlex.quote(str(value))}" for name, value in proof.to_data().items())
    return f"chouine verify {options}"
