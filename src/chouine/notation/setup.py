"""A position without its history, and its line `rules to-act hands table turnup|trump talon taken said`.

It has all that the rules need but one thing: which declarations were made in the trick on the table, whose points
would not count if a chouine ended it (§10). Once the partie is over the field `to-act` has the seat that took the last
trick; or, after a chouine, the seat that led its trick, whose cards stay on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from chouine.cards import Card, CardSet, Suit
from chouine.errors import InvalidDeal, NotationError, check_seat, check_type
from chouine.notation.deals import by_seat, placed_cards, second_of
from chouine.notation.lines import parse_rules
from chouine.notation.tokens import (
    Value,
    Word,
    card_words,
    read_card,
    read_cards,
    read_declaration,
    read_hand,
    read_seat,
    read_suits,
    read_word,
    words,
)
from chouine.partie.actions import Declaration, Figure
from chouine.partie.deal import SEATS, SeenHand, drawing_order, four_hands, repeated_card, turnup_number
from chouine.partie.events import Declared, Played, current_trick, taken_by
from chouine.partie.state import State
from chouine.partie.view import SeenPosition, View
from chouine.rules.explain import exists
from chouine.rules.options import Rules
from chouine.rules.play import DIX_DE_DER, declare, lay, start
from chouine.rules.position import NONE, UNKNOWN, Position
from chouine.rules.rule_table import RuleTable, rule_table_of

if TYPE_CHECKING:
    from chouine.phrases import Language


@dataclass(frozen=True, slots=True)
class Setup:
    """A position without its history; `str` gives its line."""

    rules: Rules
    to_act: int
    hands: tuple[SeenHand, ...]
    table: tuple[Card, ...]
    """Cards on the table in the order laid; the last is by the seat before the one to act."""
    turnup: Card | None
    """The turnup while it lies by the talon."""
    trump: Suit | None
    talon: tuple[Card | None, ...]
    """Hidden talon cards in drawing order."""
    taken: tuple[CardSet, ...]
    said: tuple[tuple[Declaration, ...], ...]
    """Declarations by seat, in order."""

    @classmethod
    def of(cls, partie: State | View) -> Self:
        """The setup of a partie's position, or of a view's."""
        check_type("the partie", partie, (State, View), "a State or a View")
        p, events = partie.position, partie.events
        seats = range(partie.rules.seats)
        drawn = min(p.tricks, partie.rule_table.drawing) * partie.rules.seats
        declared = [event for event in events if isinstance(event, Declared)]
        return cls(
            rules=partie.rules,
            to_act=p.turn if p.turn >= 0 else p.leader,
            hands=tuple(hand_of(partie, seat) for seat in seats),
            table=tuple(event.card for event in current_trick(events) if isinstance(event, Played)),
            turnup=Card(p.turnup) if p.turnup >= 0 else None,
            trump=Suit(p.trump) if p.trump >= 0 else None,
            talon=tuple(partie.deal.talon[drawn:]),
            taken=taken_by(events, partie.rules.seats),
            said=tuple(
                tuple(event.declaration for event in declared if event.seat == seat) for seat in seats
            ),
        )

    def __str__(self) -> str:
        trump = "-" if self.trump is None else self.trump.letter
        return " ".join(
            [
                str(self.rules),
                SEATS[self.to_act],
                "|".join(str(hand) if len(hand) else "-" for hand in self.hands),
                "".join(map(str, self.table)) or "-",
                trump if self.turnup is None else str(self.turnup),
                "".join("??" if card is None else str(card) for card in self.talon) or "-",
                "|".join(str(cards) if cards else "-" for cards in self.taken),
                "|".join(",".join(map(str, said)) or "-" for said in self.said),
            ]
        )

    def svg(self, language: Language = "en", near: int | None = None, text: str = "") -> str:
        """A drawing, an SVG; notebooks show it. The hand of seat `near` is nearest (default: the seat to act).

        `text` is said to whoever does not see it (default: `str`).
        """
        from chouine.partie.picture import draw_position

        if near is not None:
            check_seat("near", near, self.rules.seats)
        check_type("text", text, str, "a text")
        p, _ = self.position()
        seen = SeenPosition(self.rules, p, [*self.hands], [*self.table], self.left)
        near = self.to_act if near is None else near
        return draw_position(seen, text=text or str(self), near=near, language=language)

    def _repr_svg_(self) -> str:
        return self.svg()

    @property
    def rule_table(self) -> RuleTable:
        return rule_table_of(self.rules)

    @property
    def tricks(self) -> int:
        """Number of tricks taken."""
        return sum(map(len, self.taken)) // self.rules.seats

    @property
    def leader(self) -> int:
        """The seat that led the trick on the table, or is to lead."""
        return (self.to_act - len(self.table)) % self.rules.seats

    @property
    def drawn(self) -> int:
        """Number of cards drawn from the talon."""
        return min(self.tricks, self.rule_table.drawing) * self.rules.seats

    @property
    def chouines(self) -> list[tuple[int, Declaration]]:
        """The chouines declared, in playing order of the trick on the table (§10)."""
        seats = [(self.leader + nth) % self.rules.seats for nth in range(self.rules.seats)]
        return [(seat, said) for seat in seats for said in self.said[seat] if said.figure is Figure.CHOUINE]

    @property
    def over(self) -> bool:
        """Whether the partie is over: all cards played (§12), or the trick of a chouine complete (§10)."""
        return len(self.table) == self.rules.seats or not any(map(len, self.hands))

    def faults(self) -> list[str]:
        """Codes of the reasons why the position is unreachable."""
        seats, rule_table = self.rules.seats, self.rule_table
        if any(len(field) != seats for field in (self.hands, self.taken, self.said)):
            return ["deal/seats"]
        if self.to_act >= seats:
            return ["deal/seat"]
        checks = {
            "deal/table": len(self.table) > (seats if self.chouines else seats - 1)
            or bool(self.chouines and not self.table),
            "deal/taken": any(len(cards) % seats for cards in self.taken),
            "deal/hand-size": bool(self.wrong_hands),
            "deal/turnup": (self.turnup is not None) != bool(rule_table.turned and self.left),
            "deal/trump": self.trump is None and bool(rule_table.turned),
            "deal/talon-size": len(self.talon) != self.face_down,
            "deal/said": bool(self.foreign),
            "deal/card-twice": len(self.known) > len(set(self.known)),
        }
        return [code for code, wrong in checks.items() if wrong]

    def check(self) -> None:
        """Raise `InvalidDeal` with all reasons why this position cannot be reached."""
        reasons = self.faults()
        if reasons:
            raise InvalidDeal(
                *reasons, token=next(map(str, self.foreign), "") or repeated_card(self.known), **self.counts
            )

    @property
    def counts(self) -> dict[str, int]:
        """The required number of hands, and of cards in the first wrong hand and in the hidden talon."""
        hand = next(map(self.hand_size, self.wrong_hands), self.rule_table.hand)
        return {"seats": self.rules.seats, "hand": hand, "talon": self.face_down}

    @property
    def wrong_hands(self) -> list[int]:
        """Seats with too many or too few cards."""
        return [seat for seat, hand in enumerate(self.hands) if len(hand) != self.hand_size(seat)]

    @property
    def left(self) -> int:
        """Required number of talon cards, the turnup included."""
        return self.rule_table.hidden + self.rule_table.turned - self.drawn

    @property
    def face_down(self) -> int:
        """Required number of hidden talon cards."""
        return max(0, self.left - self.rule_table.turned)

    @property
    def foreign(self) -> list[Declaration]:
        """Declarations that do not exist with this number of seats (§9)."""
        return [said for seat in self.said for said in seat if not exists(self.rule_table, said)]

    def hand_size(self, seat: int) -> int:
        """Required number of a seat's cards (§3, §5)."""
        laid = (seat - self.leader) % self.rules.seats < len(self.table)
        return self.rule_table.hand - max(0, self.tricks - self.rule_table.drawing) - laid

    @property
    def known(self) -> list[Card]:
        """Every card with a known place."""
        cards = [card for hand in self.hands for card in hand.known]
        cards += [card for taken in self.taken for card in taken]
        cards += [card for card in (*self.table, self.turnup, *self.talon) if card is not None]
        return cards

    def position(self) -> tuple[Position, tuple[int, ...]]:
        """The rules' position, and the hidden talon as they index it."""
        rule_table, seats = self.rule_table, self.rules.seats
        talon = (UNKNOWN,) * min(self.drawn, rule_table.hidden) + drawing_order(self.talon)
        opening = start(
            rule_table, four_hands([hand.known for hand in self.hands]), turnup_number(self.turnup), 0
        )
        points = [cards.points for cards in self.taken] + [0] * (4 - seats)
        if self.tricks == rule_table.tricks:
            points[self.to_act] += DIX_DE_DER
        p = self.with_said(opening)._replace(
            leader=self.leader,
            turn=self.leader,
            tricks=self.tricks,
            points=(points[0], points[1], points[2], points[3]),
        )
        if self.over:
            return p._replace(turn=NONE), talon
        for card in self.table:
            p = lay(rule_table, talon, p, card)
        return p, talon

    def with_said(self, p: Position) -> Position:
        """The position with declarations counted (§9); in Mondoubleau the first in trumps fixed trump (§17)."""
        trump = NONE if self.trump is None else int(self.trump)
        fixed = not self.rules.mondoubleau
        others = [
            (seat, said)
            for seat, saids in enumerate(self.said)
            for said in saids
            if (seat, said) not in self.chouines
        ]
        for seat, said in [*others, *self.chouines]:
            fixing = not fixed and said.suit == self.trump and said.figure is not Figure.CHOUINE
            p = p._replace(turn=seat, trump=NONE if fixing else trump, table=0 if fixing else 1)
            p = declare(self.rule_table, p, said)
            fixed = fixed or fixing
        return p._replace(trump=trump, table=0, pending=NONE, before=p.declared)


def hand_of(partie: State | View, seat: int) -> SeenHand:
    """A seat's hand, as far as known."""
    if isinstance(partie, View):
        return partie.held(seat)
    return SeenHand(CardSet(partie.position.hands[seat]), 0)


FORM = "rules to-act hands table turnup|trump talon taken said"
FIELDS = len(FORM.split())
TO_ACT, HANDS, TABLE, TURNUP, TALON, TAKEN, SAID = range(1, FIELDS)
PLACES = {
    "deal/seat": TO_ACT,
    "deal/table": TABLE,
    "deal/taken": TAKEN,
    "deal/turnup": TURNUP,
    "deal/trump": TURNUP,
    "deal/talon-size": TALON,
    "deal/said": SAID,
}


def read_position(text: str) -> Setup:
    """Read a reachable position. Raises `NotationError` or `InvalidDeal`."""
    found = words(text)
    if len(found) < FIELDS:
        raise NotationError("syntax/short", 1, len(text.rstrip()) + 1, form=FORM)
    if len(found) > FIELDS:
        raise NotationError("syntax/surplus", 1, found[FIELDS].column, found[FIELDS].text)
    setup = read_setup(found)
    for reason in setup.faults()[:1]:
        fault = place_of(reason, setup, found)
        raise NotationError(reason, 1, fault.column, fault.text, **setup.counts)
    return setup


def read_setup(found: Sequence[Word]) -> Setup:
    """Read a position without checking that it is reachable. Raises `NotationError`."""
    rules = read_word(parse_rules, found[0])
    turnup, trump = read_word(read_trump, found[TURNUP])
    return Setup(
        rules,
        read_word(read_seat, found[TO_ACT]),
        read_fields(found[HANDS], rules, read_hand, SeenHand(CardSet(), 0)),
        tuple(read_word(read_card, card) for card in cards_of(found[TABLE])),
        turnup,
        trump,
        () if found[TALON].text == "-" else read_word(read_cards, found[TALON]),
        read_fields(found[TAKEN], rules, read_suits, CardSet()),
        read_fields(found[SAID], rules, read_said, ()),
    )


def read_fields(word: Word, rules: Rules, read: Callable[[str], Value], empty: Value) -> tuple[Value, ...]:
    """A field's parts by seat; `-` for an empty part, or for an empty field."""
    if word.text == "-":
        return (empty,) * rules.seats
    return tuple(empty if part.text == "-" else read_word(read, part) for part in by_seat(word))


def cards_of(word: Word) -> list[Word]:
    """The cards of a field, apart; none for `-`."""
    if word.text == "-":
        return []
    return [Word(card.text, word.column + card.column - 1) for card in card_words(word.text)]


def read_trump(text: str) -> tuple[Card | None, Suit | None]:
    """The turnup and the trump suit: both while the turnup lies there, else the suit alone or neither."""
    if text == "-":
        return None, None
    if len(text) == 1 and text in "shdc":
        return None, Suit("shdc".index(text))
    try:
        turnup = read_card(text)
    except NotationError:
        raise NotationError("syntax/trump", 1, 1, text) from None
    return turnup, turnup.suit


def read_said(text: str) -> tuple[Declaration, ...]:
    """`20d,50`."""
    column, said = 1, []
    for part in text.split(","):
        said.append(read_word(read_declaration, Word(part, column)))
        column += len(part) + 1
    return tuple(said)


def place_of(reason: str, setup: Setup, found: Sequence[Word]) -> Word:
    """The word of a position line that an error is about."""
    match reason:
        case "deal/seats":
            counts = {HANDS: len(setup.hands), TAKEN: len(setup.taken), SAID: len(setup.said)}
            return found[next(place for place, count in counts.items() if count != setup.rules.seats)]
        case "deal/hand-size" if found[HANDS].text != "-":
            return by_seat(found[HANDS])[setup.wrong_hands[0]]
        case "deal/hand-size":
            return found[HANDS]
        case "deal/card-twice":
            return second_of(list(placed_cards(*found[HANDS:SAID])))
        case _:
            return found[PLACES[reason]]
