"""The dialogue at the table: a generator that yields pages and questions and is sent the answers, without I/O.

If several people share the screen, a hand is shown only after its holder has confirmed to be in front of it.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from chouine.cards import PACK, Card
from chouine.cli.terminal import page
from chouine.cli.terminal.computers import SeatPlayers
from chouine.cli.terminal.page import Teller, chapter
from chouine.cli.terminal.session import Asks, Session
from chouine.errors import ChouineError, NotationError
from chouine.match.draw import PACKET
from chouine.notation.display import arrange
from chouine.notation.tokens import CARDS, read_card, read_declaration
from chouine.partie import Action, Declaration, Event, Exchange, Play, Shown, Taken, View
from chouine.phrases import Language, say
from chouine.table import Command, TableState
from chouine.table import commands as ask

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Page:
    """A new screen, which replaces all of the one before."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Lines below those already shown."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question; its answer is sent back to the generator."""

    text: str


@dataclass(frozen=True, slots=True)
class Keep:
    """The session has changed and must be saved."""

    session: Session


@dataclass(frozen=True, slots=True)
class TableOver:
    """The last partie of this table is over."""

    table: TableState


Output = Page | Notice | Prompt | Keep | TableOver
Talk = Generator[Output, str, Value]


class Left(Exception):
    """A person asked to leave; the session stays saved."""


EXCHANGES = ("7", "7x")


def read_entry(text: str, hand: Sequence[Card], legal: Sequence[Action]) -> Action:
    """`2`, `Qd`, `D♦`, with `+` and a declaration if any, or `7`; `ChouineError` for anything else.

    `hand` is numbered from 1.
    """
    if text.lower() in EXCHANGES:
        return Exchange()
    named, plus, said = (part.strip() for part in text.partition("+"))
    card = _card(named, hand)
    if not plus:
        return Play(card)
    return Play(card, _declaration(said) if said else _only_declaration(card, legal))


def number(text: str) -> int:
    """A short whole number; 0 for anything else."""
    return int(text) if re.fullmatch("[0-9]{1,3}", text) else 0


def _card(text: str, hand: Sequence[Card]) -> Card:
    if text.isdecimal():
        if not 1 <= number(text) <= len(hand):
            raise ChouineError("terminal/no-such-number", most=len(hand))
        return hand[number(text) - 1]
    if text not in CARDS:
        text = text[:-1].upper() + text[-1:].lower()
    try:
        return read_card(text)
    except NotationError:
        raise ChouineError("terminal/not-understood", text=text) from None


def _declaration(text: str) -> Declaration:
    try:
        return read_declaration(text.lower())
    except NotationError:
        raise ChouineError("terminal/not-understood", text=text) from None


def _only_declaration(card: Card, legal: Sequence[Action]) -> Declaration:
    """The only declaration possible with this card, which a bare `+` means."""
    may = [
        action.declaration
        for action in legal
        if isinstance(action, Play) and action.card == card and action.declaration is not None
    ]
    if not may:
        raise ChouineError("terminal/nothing-to-declare")
    if len(may) > 1:
        raise ChouineError("terminal/which-declaration", tokens=", ".join(map(str, may)))
    return may[0]


YES = ("o", "oui", "y", "yes")


class Conversation:
    """One match, or several at the same table."""

    def __init__(self, session: Session, computers: SeatPlayers, language: Language, width: int) -> None:
        self.session = session
        self._computers = computers
        self._language: Language = language
        self._width = width
        self._names = [holder.name for holder in session.holders]
        self._people = sorted(session.table.people)
        self._showing = self._people[0] if len(self._people) == 1 else None
        """The person in front of the screen, if known."""
        start = old_news(session.partie.events) if session.table.state else 0
        self._heard: dict[int | None, int] = dict.fromkeys([None, *range(len(session.holders))], start)
        """Number of events told so far to each seat, and (None) to all."""
        self._announced = page.opponents(session.holders, language)
        """Public sentences for the next page."""
        self._refusal = ""

    @property
    def shared(self) -> bool:
        """Whether several people share the screen, so that no hand may stay visible."""
        return len(self._people) > 1

    def run(self) -> Talk[None]:
        """Play matches until nobody wants a revanche."""
        asking = {Asks.PICK: self._pick, Asks.CUT: self._cut, Asks.SEVEN: self._turn, Asks.PLAY: self._turn}
        while True:
            what, seat = self.session.asked
            if what is Asks.REVANCHE:
                if not (yield from self._revanche()):
                    return
            elif what is Asks.COUNT:
                yield from self._count()
            elif seat in self.session.table.people:
                yield from asking[what](seat)
            else:
                yield from self._computer(seat)

    # Moves

    def _make(self, command: Command) -> Talk[None]:
        """Carry out and save a command, then tell what is public of it."""
        before, self.session = self.session, self.session.do(command)
        was, now = before.table, self.session.table
        yield Keep(self.session)
        if len(now.tirages) > len(was.tirages):
            self._announced += page.tirage_lines(now.tirages[-1], self._names, self._language)
        elif isinstance(command, ask.CutAt):
            self._heard = dict.fromkeys(self._heard, 0)
            self._announced.append(self._teller(None).phrase("cuts", command.seat, at=command.at))
        elif now.state and was.state:
            yield from self._hold(now.state.events[len(was.state.events) :])

    def _hold(self, happened: Sequence[Event]) -> Talk[None]:
        """Show a trick until the person in front of the screen has read it."""
        if not any(isinstance(event, Taken | Shown) for event in happened):
            return
        if not self._people:
            yield Notice(tuple(self._news(None)))
        elif self._showing is not None:
            yield Page(self._page(self._showing))
            yield from self._ask("enter", self._showing)

    def _computer(self, seat: int) -> Talk[None]:
        """Let a computer move; a program's fault is reported with its name."""
        try:
            command = self._computers.command(self.session)
            self.session.do(command)
        except ChouineError as fault:
            why = say(fault.code, self._language, **fault.data)
            raise ChouineError("terminal/player-fault", name=self._names[seat], why=why) from fault
        for at, found in self._computers.faults():
            line = self._say("stands-in", name=self._names[at], why=self._why(found))
            if self._people:
                self._announced.append(line)
            else:
                yield Notice((line,))
        yield from self._make(command)

    # Before the deal

    def _pick(self, seat: int) -> Talk[None]:
        """A person draws from the spread pack (§2)."""
        spread = (self._say("spread"), *page.spread_lines(self.session.table.picks))
        yield Page((*self._heading(), *self._announcements(), *spread))
        while True:
            text = yield from self._ask("pick", seat, name=self._names[seat], most=len(PACK))
            place = number(text) - 1
            if place not in range(len(PACK)) or place in self.session.table.picks:
                yield Notice((self._say("no-such-place", most=len(PACK)),))
            elif (yield from self._try(ask.Pick(seat, place))):
                return

    def _cut(self, seat: int) -> Talk[None]:
        """A person cuts (§2)."""
        dealer = self.session.begun.dealer
        shuffles = self._teller(None).phrase("shuffles", dealer)
        yield Page((*self._heading(), *self._announcements(), shuffles))
        while True:
            text = yield from self._ask(
                "cut", seat, name=self._names[seat], least=PACKET, most=len(PACK) - PACKET
            )
            if (yield from self._try(ask.CutAt(seat, number(text)))):
                return

    # A turn

    def _turn(self, seat: int) -> Talk[None]:
        """Let a person play, or answer "au sept"."""
        yield from self._in_front(seat)
        self._refusal = ""
        offers = page.offers(self.session.partie.view(seat), self._names, self._language)
        yield Page((*self._page(seat), *offers))
        seven = self.session.asked.what is Asks.SEVEN
        while True:
            text = yield from self._ask("seven" if seven else "turn", seat, name=self._names[seat])
            if text.lower() == "c":
                if (yield from self._concede(seat)):
                    return
            elif seven and not text:
                yield from self._make(ask.Pass(seat))
                return
            elif (yield from self._act(seat, self.session.partie.view(seat), text)):
                return

    def _act(self, seat: int, view: View, text: str) -> Talk[bool]:
        """Read an entry and play it if it is legal."""
        try:
            action = read_entry(text, arrange(view.hand), view.legal)
        except ChouineError as fault:
            yield Notice((self._why(fault),))
            return False
        return (yield from self._try(ask.Act(seat, str(action))))

    def _try(self, command: Command) -> Talk[bool]:
        """Carry out a command; print the reason if the table refuses it."""
        try:
            self.session.do(command)
        except ChouineError as fault:
            self._refusal = self._why(fault)
            yield Notice((self._refusal,))
            return False
        yield from self._make(command)
        return True

    def _concede(self, seat: int) -> Talk[bool]:
        """Concede the partie or forfeit the match (§16) after a confirmation."""
        text = yield from self._ask("concede", seat)
        match text.lower():
            case "p":
                yield from self._make(ask.Concede(seat))
            case "m":
                self.session = self.session.do(ask.ForfeitMatch(seat))
                yield from self._finish()
            case _:
                return False
        return True

    def _in_front(self, seat: int) -> Talk[None]:
        """Wait until a person confirms to be in front of the screen."""
        if self._showing != seat:
            yield Page((self._say("pass-screen", name=self._names[seat]),))
            yield from self._ask("enter", None)
            self._showing = seat

    # Ends

    def _count(self) -> Talk[None]:
        """Show the count of a partie and the match's new score."""
        before, after = self.session.begun, self.session.table.match
        lines = page.partie_lines(self.session.partie, self._names, self._language, self._width)
        lines += page.manche_lines(before, after, self._names, self._language)
        lines.append(self._say("score", score=page.score(after, self._names)))
        if self._people:
            yield Page((*self._heading(), *lines))
            yield from self._ask("enter", None)
        else:
            yield Notice(tuple(lines))
        self._showing = None if self.shared else self._showing
        yield from self._finish()

    def _finish(self) -> Talk[None]:
        """Save a finished partie's record and continue the match."""
        yield TableOver(self.session.table)
        self.session = self.session.count_partie()
        yield Keep(self.session)

    def _revanche(self) -> Talk[bool]:
        """Offer a revanche after the match."""
        lines = page.match_lines(self.session.begun, self._names, self._language)
        if not self._people:
            yield Notice(tuple(lines))
            return False
        yield Page((*self._heading(), *lines))
        text = yield from self._ask("revanche", None)
        if text.lower() not in YES:
            return False
        self.session = self.session.revanche()
        yield Keep(self.session)
        return True

    # Saying

    def _ask(self, code: str, seat: int | None, **data: object) -> Talk[str]:
        """Ask until the answer is not one of the requests that are always possible."""
        while True:
            text = (yield Prompt(self._say(code, **data))).strip()
            answer = self._answer_aside(text.lower(), seat)
            if answer is None:
                return text
            yield Notice(tuple(answer))

    def _answer_aside(self, text: str, seat: int | None) -> list[str] | None:
        """The answer to a request for help, rules, score or tricks; None for anything else."""
        if text == "q":
            raise Left
        if text.startswith("?"):
            return self._help(text[1:].strip().removeprefix("§"), seat)
        if text == "s":
            return [self._say("score", score=page.score(self.session.begun, self._names))]
        if text in ("t", "d") and seat is not None and self.session.table.state:
            view = self.session.partie.view(seat)
            lines = page.own_tricks(view) if text == "t" else page.others_last_tricks(view)
            return page.trick_lines(lines, self._names, self._language) or [self._say("no-trick")]
        return None

    def _help(self, asked: str, seat: int | None) -> list[str]:
        if asked:
            return chapter(number(asked), self._language)
        lines = [self._refusal] if self._refusal else []
        if seat is not None and self.session.table.state:
            legal = self.session.partie.view(seat).legal
            lines += [page.legal_line(legal, self._teller(seat), self._language)] if legal else []
        return [*lines, *self._say("help").splitlines()]

    def _page(self, seat: int) -> tuple[str, ...]:
        """A seat's page: news, the table, its hand."""
        news = [*self._announcements(), *self._news(seat)]
        return (
            *self._heading(),
            *news,
            *([page.RULE] if news else []),
            *page.seat_lines(self.session.partie.view(seat), self._names, self._language),
        )

    def _news(self, seat: int | None) -> list[str]:
        """Sentences on the events since this seat's last page."""
        events = self.session.partie.view(seat).events
        heard, self._heard[seat] = self._heard[seat], len(events)
        return self._teller(seat).tell(events[heard:])

    def _announcements(self) -> list[str]:
        lines, self._announced = self._announced, []
        return lines

    def _heading(self) -> list[str]:
        return [*page.heading(self.session.begun, self._names, self._language), page.RULE]

    def _teller(self, seat: int | None) -> Teller:
        return Teller(self._names, seat, self._language)

    def _say(self, code: str, **data: object) -> str:
        return say(f"terminal/{code}", self._language, **data)

    def _why(self, fault: ChouineError) -> str:
        return say(fault.code, self._language, **fault.data)


def old_news(events: Sequence[Event]) -> int:
    """Number of events not repeated to a returning player: those before the last complete trick."""
    taken = [number for number, event in enumerate(events, 1) if isinstance(event, Taken)]
    return taken[-2] if len(taken) > 1 else 0
