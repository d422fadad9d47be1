"""The talk at the table: a generator that yields pages and questions and is sent the answers. It does no I/O.

Where several people share the screen, a hand is shown only to a person who has said to be in front of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from chouine.cards import PACK
from chouine.cli.terminal import endings, page
from chouine.cli.terminal.computers import Computers
from chouine.cli.terminal.entry import number, read_entry
from chouine.cli.terminal.rulebook import chapter
from chouine.cli.terminal.table import Act, Asks, Concede, Cut, Forfeit, Move, Next, Pass, Pick, Table
from chouine.cli.terminal.talk import Finished, Keep, Left, Note, Page, Question, Talk
from chouine.cli.terminal.wording import Teller
from chouine.errors import ChouineError
from chouine.match import Tirage
from chouine.match.draw import PACKET
from chouine.notation.french import arranged
from chouine.partie import Event, Result, Shown, Taken, View
from chouine.phrases import Language, say

YES = ("o", "oui", "y", "yes")


class Conversation:
    """One match, or several at the same table."""

    def __init__(self, table: Table, computers: Computers, language: Language, width: int) -> None:
        self.table = table
        self._computers = computers
        self._language: Language = language
        self._width = width
        self._names = [chair.name for chair in table.chairs]
        self._people = [seat for seat, chair in enumerate(table.chairs) if chair.person]
        self._showing = self._people[0] if len(self._people) == 1 else None
        """The person in front of the screen, where that is known."""
        start = old_news(table.state.events) if table.state else 0
        self._told: dict[int | None, int] = dict.fromkeys([None, *range(len(table.chairs))], start)
        """How many events each seat has been told, and the room."""
        self._announced = page.opponents(table.chairs, language)
        """What all may hear, to be said on the next page."""
        self._refusal = ""

    @property
    def shared(self) -> bool:
        """Whether people share the screen, so that no hand may stay there."""
        return len(self._people) > 1

    def run(self) -> Talk[None]:
        """Play until the match is over and no revanche is wanted."""
        asking = {Asks.PICK: self._pick, Asks.CUT: self._cut, Asks.SEVEN: self._turn, Asks.PLAY: self._turn}
        while True:
            what, seat = self.table.asked
            if what is Asks.REVANCHE:
                if not (yield from self._revanche()):
                    return
            elif what is Asks.COUNT:
                yield from self._count()
            elif self.table.chairs[seat].person:
                yield from asking[what](seat)
            else:
                yield from self._computer(seat)

    # Moves

    def _make(self, move: Move) -> Talk[None]:
        """A move made and kept, then what all may hear of it."""
        before = self.table
        self.table = before.take(move)
        yield Keep(self.table)
        if before.asked.what is Asks.PICK:
            self._announce_draw()
        elif before.asked.what is Asks.CUT and self.table.state:
            self._announce_cut(before.asked.seat, move)
        elif self.table.state and before.state:
            yield from self._hold(self.table.state.events[len(before.state.events) :])

    def _announce_draw(self) -> None:
        last = self.table.match.entries[-1] if self.table.match.entries else None
        if isinstance(last, Tirage) and not self.table.picks:
            self._announced += endings.tirage_lines(last, self._names, self._language)

    def _announce_cut(self, seat: int, move: Move) -> None:
        self._told = dict.fromkeys(self._told, 0)
        if isinstance(move, Cut):
            self._announced.append(self._teller(None).phrase("cuts", seat, at=move.at))

    def _hold(self, happened: Sequence[Event]) -> Talk[None]:
        """A trick stays in sight until it is read: by the person in front of the screen, whose hand it is."""
        if not any(isinstance(event, Taken | Shown) for event in happened):
            return
        if not self._people:
            yield Note(tuple(self._news(None)))
        elif self._showing is not None:
            yield Page(self._page(self._showing))
            yield from self._ask("enter", self._showing)

    def _computer(self, seat: int) -> Talk[None]:
        """A program moves; what it may not do is its fault, told with its name."""
        try:
            move = self._computers.move(self.table)
            self.table.take(move)
        except ChouineError as fault:
            why = say(fault.code, self._language, **fault.data)
            raise ChouineError("terminal/player-fault", name=self._names[seat], why=why) from fault
        for at, found in self._computers.faults():
            line = self._say("stands-in", name=self._names[at], why=self._why(found))
            if self._people:
                self._announced.append(line)
            else:
                yield Note((line,))
        yield from self._make(move)

    # Before the deal

    def _pick(self, seat: int) -> Talk[None]:
        """A person draws from the spread pack (§2)."""
        spread = (self._say("spread"), *endings.spread_lines(self.table.picks))
        yield Page((*self._heading(), *self._announcements(), *spread))
        while True:
            text = yield from self._ask("pick", seat, name=self._names[seat], most=len(PACK))
            if (yield from self._try(Pick(number(text)))):
                return

    def _cut(self, seat: int) -> Talk[None]:
        """A person cuts (§2)."""
        dealer = self.table.match.dealer
        shuffles = self._teller(None).phrase("shuffles", dealer)
        yield Page((*self._heading(), *self._announcements(), shuffles))
        while True:
            text = yield from self._ask(
                "cut", seat, name=self._names[seat], least=PACKET, most=len(PACK) - PACKET
            )
            if (yield from self._try(Cut(number(text)))):
                return

    # A turn

    def _turn(self, seat: int) -> Talk[None]:
        """A person plays, or answers "au sept"."""
        yield from self._in_front(seat)
        self._refusal = ""
        offers = page.offers(self.table.partie.view(seat), self._names, self._language)
        yield Page((*self._page(seat), *offers))
        seven = self.table.asked.what is Asks.SEVEN
        while True:
            text = yield from self._ask("seven" if seven else "turn", seat, name=self._names[seat])
            if text.lower() == "c":
                if (yield from self._concede(seat)):
                    return
            elif seven and not text:
                yield from self._make(Pass())
                return
            elif (yield from self._act(self.table.partie.view(seat), text)):
                return

    def _act(self, view: View, text: str) -> Talk[bool]:
        """An entry read and, if the rules allow, played."""
        try:
            action = read_entry(text, arranged(view.hand), view.legal)
        except ChouineError as fault:
            yield Note((self._why(fault),))
            return False
        return (yield from self._try(Act(action)))

    def _try(self, move: Move) -> Talk[bool]:
        """Make a move; say why if it cannot be made."""
        try:
            self.table.take(move)
        except ChouineError as fault:
            self._refusal = self._why(fault)
            yield Note((self._refusal,))
            return False
        yield from self._make(move)
        return True

    def _concede(self, seat: int) -> Talk[bool]:
        """The partie or the match given up (§16), once that is confirmed."""
        text = yield from self._ask("concede", seat)
        match text.lower():
            case "p":
                yield from self._make(Concede(seat))
            case "m":
                lost = Result.stopped(self.table.partie.book, self.table.partie.position, "forfeit", seat)
                yield Finished(self.table.match, self.table.partie.ended(lost), seat)
                yield from self._make(Forfeit())
            case _:
                return False
        return True

    def _in_front(self, seat: int) -> Talk[None]:
        """Have a person come to the screen before a hand is shown there."""
        if self._showing != seat:
            yield Page((self._say("pass-screen", name=self._names[seat]),))
            yield from self._ask("enter", None)
            self._showing = seat

    # Ends

    def _count(self) -> Talk[None]:
        """The count of a partie, then what it makes of the match."""
        before, after = self.table.match, self.table.take(Next()).match
        lines = endings.partie_lines(self.table.partie, self._names, self._language, self._width)
        lines += endings.manche_lines(before, after, self._names, self._language)
        lines.append(self._say("score", score=page.score(after, self._names)))
        if self._people:
            yield Page((*self._heading(), *lines))
            yield from self._ask("enter", None)
        else:
            yield Note(tuple(lines))
        self._showing = None if self.shared else self._showing
        last = self.table.moves[-1]
        yield Finished(before, self.table.partie, last.seat if isinstance(last, Concede) else None)
        yield from self._make(Next())

    def _revanche(self) -> Talk[bool]:
        """The match is over; people may play another."""
        lines = endings.match_lines(self.table.match, self._names, self._language)
        if not self._people:
            yield Note(tuple(lines))
            return False
        yield Page((*self._heading(), *lines))
        text = yield from self._ask("revanche", None)
        if text.lower() not in YES:
            return False
        self.table = self.table.revanche()
        yield Keep(self.table)
        return True

    # Saying

    def _ask(self, code: str, seat: int | None, **data: object) -> Talk[str]:
        """An answer that is not one of the questions a person may always ask."""
        while True:
            text = (yield Question(self._say(code, **data))).strip()
            answer = self._aside(text.lower(), seat)
            if answer is None:
                return text
            yield Note(tuple(answer))

    def _aside(self, text: str, seat: int | None) -> list[str] | None:
        """Help, rules, score, tricks; None for anything else."""
        if text == "q":
            raise Left
        if text.startswith("?"):
            return self._help(text[1:].strip().removeprefix("§"), seat)
        if text == "s":
            return [self._say("score", score=page.score(self.table.match, self._names))]
        if text in ("t", "d") and seat is not None and self.table.state:
            view = self.table.state.view(seat)
            lines = page.own_tricks(view) if text == "t" else page.others_last_tricks(view)
            return page.trick_lines(lines, self._names, self._language) or [self._say("no-trick")]
        return None

    def _help(self, asked: str, seat: int | None) -> list[str]:
        if asked:
            return chapter(number(asked), self._language)
        lines = [self._refusal] if self._refusal else []
        if seat is not None and self.table.state:
            legal = self.table.state.view(seat).legal
            lines += [page.legal_line(legal, self._teller(seat), self._language)] if legal else []
        return [*lines, *self._say("help").splitlines()]

    def _page(self, seat: int) -> tuple[str, ...]:
        """The screen of a seat: what is new to it, the table, its hand."""
        news = [*self._announcements(), *self._news(seat)]
        return (
            *self._heading(),
            *news,
            *([page.RULE] if news else []),
            *page.seat_lines(self.table.partie.view(seat), self._names, self._language),
        )

    def _news(self, seat: int | None) -> list[str]:
        """What happened since this seat was last told."""
        events = self.table.partie.view(seat).events
        told, self._told[seat] = self._told[seat], len(events)
        return self._teller(seat).tell(events[told:])

    def _announcements(self) -> list[str]:
        lines, self._announced = self._announced, []
        return lines

    def _heading(self) -> list[str]:
        return [*page.heading(self.table.match, self._names, self._language), page.RULE]

    def _teller(self, seat: int | None) -> Teller:
        return Teller(self._names, seat, self._language)

    def _say(self, code: str, **data: object) -> str:
        return say(f"terminal/{code}", self._language, **data)

    def _why(self, fault: ChouineError) -> str:
        return say(fault.code, self._language, **fault.data)


def old_news(events: Sequence[Event]) -> int:
    """How many events need not be told again to who comes back: those before the last full trick."""
    taken = [number for number, event in enumerate(events, 1) if isinstance(event, Taken)]
    return taken[-2] if len(taken) > 1 else 0
