"""The deal: the dealer and the place of each card (§3). It is a partie's only random value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import Self

from chouine.cards import PACK, Card, CardSet
from chouine.errors import InvalidDeal, check_each, check_seat, check_type, int_of
from chouine.plaintext import repr_of
from chouine.rules.options import Rules
from chouine.rules.position import NONE, UNKNOWN, Four
from chouine.rules.rule_table import rule_table_of

SEATS = "abcd"
PACKETS = {"one": (1, 1, 1, 1, 1), "two-three": (2, 3), "three-two": (3, 2)}


@dataclass(frozen=True, slots=True)
class Deal:
    """A complete deal: hands from seat a, the turnup if any, the hidden talon in drawing order."""

    dealer: int
    hands: tuple[CardSet, ...]
    turnup: Card | None
    talon: tuple[Card, ...]
    drawing_order: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """The talon as numbers, in the form `rules` takes."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dealer", int_of("dealer", self.dealer, "a seat, 0 to 3"))
        check_each("hands", self.hands, CardSet, "a CardSet for each seat")
        if self.turnup is not None:
            check_type("turnup", self.turnup, Card, "a Card, or None")
        check_each("talon", self.talon, Card, "Cards in drawing order")
        object.__setattr__(self, "drawing_order", drawing_order(self.talon))

    @classmethod
    def from_pack(cls, rules: Rules, dealer: int, pack: Sequence[Card]) -> Self:
        """Deal a pack, top card first, from the seat after the dealer, as option `deal` says (§3)."""
        check_type("rules", rules, Rules, "Rules, such as Rules.parse('classic')")
        if dealer not in range(rules.seats) or isinstance(dealer, (bool, float)):
            raise InvalidDeal("deal/seat")
        check_each("pack", pack, Card, "the 32 Cards, each once")
        if sorted(pack) != list(PACK):
            raise ValueError(f"pack is the 32 cards, each once, not {repr_of(list(pack))}")
        rule_table = rule_table_of(rules)
        cards = iter(pack)
        hands = [CardSet() for _ in range(rule_table.seats)]
        for packet in PACKETS[rules.deal] if rule_table.seats == 2 else (1, 1, 1):
            for turn in range(1, rule_table.seats + 1):
                seat = (dealer + turn) % rule_table.seats
                hands[seat] |= CardSet([next(cards) for _ in range(packet)])
        turnup = next(cards) if rule_table.turned else None
        return cls(dealer, tuple(hands), turnup, tuple(cards))

    @classmethod
    def random(cls, rules: Rules, dealer: int, rng: Random) -> Self:
        """A deal of a pack shuffled by `rng`."""
        check_type("rng", rng, Random, "a random.Random, such as Random(1)")
        pack = list(PACK)
        rng.shuffle(pack)
        return cls.from_pack(rules, dealer, pack)

    def check(self, rules: Rules) -> None:
        """Raise `InvalidDeal` with all reasons why these rules cannot produce this deal."""
        check_deal(self, rules)

    @property
    def known(self) -> list[Card]:
        """Every card: all places are known."""
        known = [*chain(*self.hands), *self.talon]
        return known if self.turnup is None else [*known, self.turnup]

    def seen_by(self, observer: int | None) -> SeenDeal:
        """A seat's knowledge after the deal: its hand and the turnup (§14); a spectator's: the turnup."""
        if observer is not None:
            check_seat("observer", observer, len(self.hands))
        hands = tuple(
            SeenHand(hand, 0) if seat == observer else SeenHand(CardSet(), len(hand))
            for seat, hand in enumerate(self.hands)
        )
        return SeenDeal(self.dealer, hands, self.turnup, (None,) * len(self.talon))

    def __str__(self) -> str:
        return _deal_text(self.dealer, self.hands, self.turnup, self.talon)

    def svg(self) -> str:
        """A drawing of the hands, the talon in drawing order and the turnup, an SVG; notebooks show it."""
        from chouine.partie.picture import draw_deal

        return draw_deal(self)

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(frozen=True, slots=True)
class SeenHand:
    """The known cards of a hand and the number of unknown ones: `..J.+?4`."""

    known: CardSet
    unknown: int

    def __post_init__(self) -> None:
        if not isinstance(self.known, CardSet):
            raise TypeError(f"known is a CardSet, not {repr_of(self.known)}")
        if type(self.unknown) is not int:
            object.__setattr__(self, "unknown", int_of("unknown", self.unknown, "a number of cards"))

    def __len__(self) -> int:
        return len(self.known) + self.unknown

    def __str__(self) -> str:
        if not self.unknown:
            return str(self.known)
        return f"{self.known}+?{self.unknown}" if self.known else f"?{self.unknown}"


@dataclass(frozen=True, slots=True)
class SeenDeal:
    """A partly known deal: unknown cards are counted in hands, and None in the talon."""

    dealer: int
    hands: tuple[SeenHand, ...]
    turnup: Card | None
    talon: tuple[Card | None, ...]

    def __post_init__(self) -> None:
        if type(self.dealer) is not int:
            object.__setattr__(self, "dealer", int_of("dealer", self.dealer, "a seat, 0 to 3"))
        check_each("hands", self.hands, SeenHand, "a SeenHand for each seat")
        if self.turnup is not None:
            check_type("turnup", self.turnup, Card, "a Card, or None")
        check_type("talon", self.talon, (tuple, list), "Cards in drawing order, None for an unknown one")
        check_each("talon", [card for card in self.talon if card is not None], Card, "Cards and Nones")

    def faults(self, rules: Rules) -> list[str]:
        """Codes of the reasons why these rules cannot produce this deal."""
        check_type("rules", rules, Rules, "Rules, such as Rules.parse('classic')")
        return faults_of(self, rules)

    def check(self, rules: Rules) -> None:
        """Raise `InvalidDeal` with all reasons why these rules cannot produce this deal."""
        check_deal(self, rules)

    @property
    def known(self) -> list[Card]:
        """Every card with a known place."""
        dealt = [card for hand in self.hands for card in hand.known]
        return dealt + [card for card in (*self.talon, self.turnup) if card is not None]

    def __str__(self) -> str:
        return _deal_text(self.dealer, self.hands, self.turnup, self.talon)


def faults_of(deal: Deal | SeenDeal, rules: Rules) -> list[str]:
    """Codes of the reasons why these rules cannot produce this deal."""
    rule_table, known = rule_table_of(rules), deal.known
    checks = {
        "deal/seats": len(deal.hands) != rule_table.seats,
        "deal/seat": not 0 <= deal.dealer < rule_table.seats,
        "deal/hand-size": any(len(hand) != rule_table.hand for hand in deal.hands),
        "deal/turnup": (deal.turnup is not None) != bool(rule_table.turned),
        "deal/talon-size": len(deal.talon) != rule_table.hidden,
        "deal/card-twice": len(set(known)) < len(known),
    }
    return [code for code, wrong in checks.items() if wrong]


def check_deal(deal: Deal | SeenDeal, rules: Rules) -> None:
    """Raise `InvalidDeal` with all reasons why these rules cannot produce this deal."""
    check_type("rules", rules, Rules, "Rules, such as Rules.parse('classic')")
    reasons = faults_of(deal, rules)
    if reasons:
        raise InvalidDeal(*reasons, token=repeated_card(deal.known), **counts_of(rules))


def counts_of(rules: Rules) -> dict[str, int]:
    """Number of hands, of cards in each, and of hidden talon cards (§3)."""
    rule_table = rule_table_of(rules)
    return {"seats": rule_table.seats, "hand": rule_table.hand, "talon": rule_table.hidden}


def repeated_card(cards: Sequence[Card]) -> str:
    """The first repeated card, if any."""
    return next((str(card) for nth, card in enumerate(cards) if card in cards[:nth]), "")


def _deal_text(
    dealer: int, hands: Sequence[CardSet | SeenHand], turnup: Card | None, talon: Sequence[Card | None]
) -> str:
    cards = "".join("??" if card is None else str(card) for card in talon)
    return f"{SEATS[dealer]} {'|'.join(map(str, hands))} {'-' if turnup is None else turnup} {cards}"


def four_hands(hands: Sequence[CardSet]) -> Four:
    """Hands as card sets, in the form `rules` takes."""
    masks = [hand.mask for hand in hands] + [0] * (4 - len(hands))
    return (masks[0], masks[1], masks[2], masks[3])


def drawing_order(talon: Sequence[Card | None]) -> tuple[int, ...]:
    """Talon cards as numbers in drawing order, in the form `rules` takes."""
    return tuple(UNKNOWN if card is None else int(card) for card in talon)


def turnup_number(card: Card | None) -> int:
    """The turnup as a number, or NONE."""
    return NONE if card is None else card
