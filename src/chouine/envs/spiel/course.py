"""A partie whose cards are dealt one by one as they are needed, each by chance; and what each seat is told of it.

Chance deals the hands, each in rising order so that a hand comes about in one way only, then the turnup; the talon's
cards come when they are drawn. What nobody has drawn is not decided yet.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple, Self

from chouine.cards import BRISQUES, PACK, CardSet
from chouine.envs.turns import LET_PASS, actor, choices
from chouine.fast.public_knowledge import PublicKnowledge, update_knowledge
from chouine.partie.actions import Declaration
from chouine.partie.deal import SEATS
from chouine.rules.book import Book
from chouine.rules.combinations import EXCHANGE
from chouine.rules.play import bound, start, step
from chouine.rules.position import NONE, Four, Position, put

NOTHING: Four = (0, 0, 0, 0)


class Setting(NamedTuple):
    """What is played: the rules as a book, and the pack as a set of cards."""

    book: Book
    pack: int


class TimedAction(NamedTuple):
    """An action done, and when."""

    seat: int
    action: int
    trick: int
    place: int
    """Cards on the table before it."""
    drawn: int
    """Talon cards drawn before it."""


class Course(NamedTuple):
    """How far a partie has come. It does not change: every step gives another."""

    setting: Setting
    p: Position
    seen: PublicKnowledge = PublicKnowledge(NOTHING, NOTHING, NOTHING)
    let_pass: bool = False
    dealt: tuple[int, ...] = ()
    """Cards dealt: hand after hand, then the turnup."""
    drawn: tuple[int, ...] = ()
    """Talon cards drawn, in order."""
    drawers: tuple[int, ...] = ()
    """Who drew each."""
    awaited: int = NONE
    """The card that completes a trick, waiting for those that are drawn after it."""
    acts: tuple[TimedAction, ...] = ()
    shown: Four = NOTHING
    """The brisques that each seat has laid open for a quinte or trente (§9.5)."""
    barred: Four = NOTHING
    """Cards that each seat, having answered as it did, cannot hold (§8)."""
    told: tuple[str, ...] = ()
    """All that has been told, with perfect recall: to each seat, and last to all of them."""

    @classmethod
    def begun(cls, setting: Setting) -> Self:
        """Nothing dealt; the last seat deals, so that the first leads."""
        seats = setting.book.seats
        p = start(setting.book, NOTHING, NONE, seats - 1)
        return cls(setting, p, told=(*(f"{seat}:" for seat in SEATS[:seats]), "all:"))

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    def dealing(self) -> int:
        """The seat to which a card is dealt next, or as many as there are seats: the turnup comes next."""
        return len(self.dealt) // self.setting.book.hand

    @property
    def to_deal(self) -> int:
        """Cards still to be dealt before anything is played."""
        book = self.setting.book
        return book.seats * book.hand + book.turned - len(self.dealt)

    @property
    def by_chance(self) -> bool:
        """Whether a card comes next, not a decision."""
        return self.to_deal > 0 or self.awaited >= 0

    @property
    def undealt(self) -> int:
        """The cards that lie in the talon, no one knows in which order."""
        return self.setting.pack & ~sum(1 << card for card in self.dealt + self.drawn)

    @property
    def deciding(self) -> int:
        """The seat whose decision it is, or NONE."""
        return actor(self.setting.book, self.p, self.let_pass)

    @property
    def actions(self) -> int:
        """What may be done now, as a set."""
        return choices(self.setting.book, self.p, self.deciding)

    def outcomes(self) -> list[tuple[int, float]]:
        """The cards that may come next, and how likely."""
        free = self.undealt
        hand = self.setting.book.hand
        if not self.to_deal or self.dealing == self.setting.book.seats:
            return [(card, 1 / free.bit_count()) for card in members(free)]
        in_hand = len(self.dealt) % hand
        if in_hand:
            free &= -2 << self.dealt[-1]
        left, many = hand - in_hand, free.bit_count()
        ways = comb(many, left)
        return [
            (card, comb(many - 1 - nth, left - 1) / ways)
            for nth, card in enumerate(members(free))
            if many - nth >= left
        ]

    def come(self, card: int) -> Self:
        """A card comes by chance."""
        if not self.to_deal:
            return self._replace(drawn=(*self.drawn, card)).completed()
        dealt = (*self.dealt, card)
        if self.dealing == self.setting.book.seats:
            p = self.p._replace(turnup=card, trump=card >> 3)
            return self._replace(p=p, dealt=dealt).telling(f" {PACK[card]}=")
        seat = self.dealing
        p = self.p._replace(hands=put(self.p.hands, seat, self.p.hands[seat] | 1 << card))
        return self._replace(p=p, dealt=dealt).telling(f" {PACK[card]}", seat)

    def done(self, action: int) -> Self:
        """The seat that decides does this."""
        p, seat = self.p, self.deciding
        place = cards_on(p.table)
        acts = (*self.acts, TimedAction(seat, action, p.tricks, place, len(self.drawn)))
        course = self._replace(acts=acts)
        if action == LET_PASS:
            return course._replace(let_pass=True).telling(" pass", seat)
        course = course.telling(f" {spelled(seat, action)}")
        if action >= EXCHANGE:
            return course.stepped(seat, action)
        course = course._replace(barred=put(self.barred, seat, self.barred[seat] | excluded(self, action)))
        if place + 1 == self.setting.book.seats:
            return course._replace(awaited=action).completed()
        return course.stepped(seat, action)

    def completed(self) -> Self:
        """The trick completed, once the cards that will be drawn are there."""
        book = self.setting.book
        draws = self.p.tricks < book.drawing and self.p.chouine < 0
        if draws and len(self.drawn) < min((self.p.tricks + 1) * book.seats, book.hidden):
            return self
        course = self._replace(awaited=NONE).stepped(self.p.turn, self.awaited).laying_open(self.seen.to_show)
        for place in range(len(self.drawers), len(self.drawn)):
            seat = (course.p.leader + place) % book.seats
            course = course._replace(drawers=(*course.drawers, seat))
            course = course.telling(f" +{PACK[self.drawn[place]]}", seat)
        return course

    def stepped(self, seat: int, action: int) -> Self:
        """The rules' step, and what is seen of it."""
        book = self.setting.book
        p = step(book, self.drawn, self.p, action)
        return self._replace(p=p, seen=update_knowledge(book, self.p, p, seat, action, self.seen))

    def laying_open(self, showing: Four) -> Self:
        """The cards of a quinte or trente are laid open: of other figures they are known by name (§9.5)."""
        course = self
        for seat, cards in enumerate(showing):
            if cards and not cards & ~BRISQUES:
                course = course._replace(shown=put(course.shown, seat, cards))
                course = course.telling(f" {SEATS[seat]}={CardSet(cards)}")
        return course

    def telling(self, text: str, seat: int | None = None) -> Self:
        """A seat is told something, or all are: then it is public."""
        return self._replace(
            told=tuple(
                before + text if seat is None or seat == each else before
                for each, before in enumerate(self.told)
            )
        )


def members(cards: int) -> list[int]:
    return [card for card in range(32) if cards >> card & 1]


def cards_on(table: int) -> int:
    """How many cards lie on the table."""
    return (table.bit_length() + 5) // 6


def spelled(seat: int, action: int) -> str:
    """An action as notation has it; an exchange says whose, since it need not be the turn's (§11)."""
    if action == LET_PASS:
        return "pass"
    if action == EXCHANGE:
        return f"{SEATS[seat]}7x"
    return str(PACK[action]) if action < EXCHANGE else f"{Declaration(action)}+"


def excluded(course: Course, card: int) -> int:
    """The cards that a seat laying this one in answer cannot hold: it would have had to lay one of them (§8)."""
    book, p = course.setting.book, course.p
    if p.table == 0 or p.tricks < book.drawing:
        return 0
    others = course.setting.pack & ~(1 << card)
    return sum(
        1 << other for other in members(others) if not bound(book, p, 1 << card | 1 << other) >> card & 1
    )
