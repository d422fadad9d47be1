"""What is certain of two acts by the seat's view alone, and tells them apart: reasons in words of the table.

Each fact is a predicate that is true with all cards open, as a test works out. `ai.reasons` chooses among them by what
the acts lead to.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple

from chouine.cards import ALL_CARDS, BRISQUES, POINTS, SUIT_CARDS, Card, Rank
from chouine.partie.actions import Action, Exchange, Figure, Play
from chouine.partie.view import View
from chouine.rules.combinations import (
    CHOUINE,
    CHOUINES,
    MARIAGE,
    QUINTE_BRISQUES,
    QUINTES,
    SUIT_FIGURES,
    TRENTE_BRISQUES,
    TRENTES,
    figures_of_five,
    figures_of_three,
)
from chouine.rules.play import beats, closed_figures, declare, figure_suit

TURNUP = "turnup"
"""The reason for an exchange: the turnup's rank, as many ranks above the seven (§11)."""
MOST = 2
"""Reasons given at most."""
COUPLE = 1 << Rank.KING | 1 << Rank.QUEEN


class Reason(NamedTuple):
    """Why one act is better than another: a fact with the card, suit or points that it names, or a mean difference."""

    trait: str
    difference: float


class PlayChoice:
    """A card that may be laid now, and what the seat knows of it."""

    def __init__(self, view: View, act: Play) -> None:
        self.view, self.p, self.rule_table = view, view.position, view.rule_table
        self.seat = view.observer or 0
        self.card, self.declaration = act.card, int(act.declaration or 0)
        self.left = view.hand.mask & ~(1 << act.card)
        """The hand after it."""

    @property
    def last(self) -> bool:
        """Whether it completes the trick."""
        return len(self.view.table) == self.rule_table.seats - 1

    @property
    def drawn(self) -> bool:
        """Whether this trick is followed by a draw."""
        return self.p.tricks < self.rule_table.drawing

    @cached_property
    def known(self) -> int:
        """The cards that have been seen in other hands."""
        return reduce(or_, (hand for seat, hand in enumerate(self.p.hands) if seat != self.seat))

    @cached_property
    def out(self) -> int:
        """The cards that another seat may hold or still get."""
        turned = 1 << self.p.turnup if self.p.turnup >= 0 else 0
        return self.known | turned | self.view.unseen.mask

    @property
    def trump(self) -> int:
        """The trump suit while it lies on the table (§17)."""
        fixes = self.p.trump < 0 and not self.view.table and 1 << self.declaration & SUIT_FIGURES
        return figure_suit(self.declaration) if self.declaration and fixes else self.p.trump

    @cached_property
    def higher(self) -> int:
        """The higher cards of its suit elsewhere."""
        return self.out & SUIT_CARDS[self.card.suit] & (ALL_CARDS << self.card)

    @property
    def ahead(self) -> bool:
        """Whether it takes the trick so far."""
        return not self.view.table or beats(self.card, self.p.best, self.p.trump)

    @property
    def sure(self) -> bool:
        """Whether it takes the trick, whatever is answered (§6)."""
        if not self.ahead or self.last:
            return self.ahead
        trumps = SUIT_CARDS[self.trump] if self.trump >= 0 and self.card.suit != self.trump else 0
        return not self.out & (trumps | self.higher)

    @property
    def closed(self) -> int:
        """The declarations that the seat may not make again once it is laid (§9.4)."""
        said = self.p.said[self.seat] | (1 << self.declaration if self.declaration else 0)
        return closed_figures(self.rule_table, said)

    @property
    def gain(self) -> int:
        """The points of its declaration."""
        if not self.declaration or 1 << self.declaration & CHOUINES:
            return 0
        return (
            declare(self.rule_table, self.p, self.declaration).declared[self.seat]
            - self.p.declared[self.seat]
        )

    @property
    def figures(self) -> int:
        """The declarations whose cards are still in hand after it."""
        return (figures_of_five if self.rule_table.seats == 2 else figures_of_three)(self.left)

    @property
    def facing(self) -> int:
        """The other hand, with two seats after the last draw (§5); else none."""
        return 0 if self.drawn or self.rule_table.seats != 2 else self.out

    def may_declare_couple(self, suit: int) -> bool:
        """Whether a mariage of this suit may still be declared after a draw (§9)."""
        return self.drawn and not self.closed >> (MARIAGE + suit) & 1


Number = float | None
"""What a fact names: a card, a suit or points; 0 if nothing; None if it does not hold."""


def declares(better: PlayChoice, worse: PlayChoice) -> Number:
    return better.gain if better.gain > worse.gain else None


def fixes(better: PlayChoice, worse: PlayChoice) -> Number:
    return better.trump if better.trump != worse.trump == better.p.trump else None


def lacks_one(better: PlayChoice, worse: PlayChoice) -> Number:
    """One hidden card is missing for a chouine, and only after the better act (§10)."""
    if not better.drawn:
        return None
    for cards in better.rule_table.figure_cards[CHOUINE - MARIAGE :]:
        missing = cards & ~better.left
        if missing.bit_count() == 1 and missing & better.view.unseen.mask and cards >> worse.card & 1:
            return missing.bit_length() - 1
    return None


def waits(better: PlayChoice, worse: PlayChoice) -> Number:
    said = 1 << worse.declaration if worse.declaration else 0
    kept = better.drawn and not better.declaration and not said & CHOUINES
    return 0 if kept and better.figures & said else None


def is_sure(better: PlayChoice, worse: PlayChoice) -> Number:
    return better.card if not better.last and better.sure and not worse.sure else None


def takes(better: PlayChoice, worse: PlayChoice) -> Number:
    return (
        better.card
        if better.last and better.ahead and not worse.ahead and not takes_brisque_now(better)
        else None
    )


def takes_brisque(better: PlayChoice, worse: PlayChoice) -> Number:
    return (
        better.card
        if better.last and better.ahead and not worse.ahead and takes_brisque_now(better)
        else None
    )


def takes_brisque_now(choice: PlayChoice) -> bool:
    return any(played.card.brisque for played in choice.view.table)


def is_ahead(better: PlayChoice, worse: PlayChoice) -> Number:
    so_far = better.view.table and not better.last and better.ahead and not better.sure
    return better.card if so_far and not worse.ahead else None


def forces_ruff(better: PlayChoice, worse: PlayChoice) -> Number:
    """With both hands known: the other must ruff this lead (§8)."""
    return better.card if is_ruffed(better) and not is_ruffed(worse) else None


def is_ruffed(choice: PlayChoice) -> bool:
    if choice.view.table or choice.trump < 0 or choice.card.suit == choice.trump:
        return False
    suit, trumps = SUIT_CARDS[choice.card.suit], SUIT_CARDS[choice.trump]
    return bool(choice.facing & trumps) and not choice.facing & suit


def draws_trump(better: PlayChoice, worse: PlayChoice) -> Number:
    """With both hands known: this lead makes the other play a trump on a trump (§8)."""
    lead = not better.view.table and better.card.suit == better.trump != worse.card.suit
    return 0 if lead and better.facing & SUIT_CARDS[better.trump] else None


def must_lead(better: PlayChoice, worse: PlayChoice) -> Number:
    """The other takes this trick and has to lead the next, with two seats after the last draw."""
    ends = better.rule_table.seats == 2 and not better.drawn and better.last and better.left
    return 0 if ends and worse.ahead and not better.ahead else None


def no_brisque(better: PlayChoice, worse: PlayChoice) -> Number:
    dear = worse.card.brisque or worse.card.suit == worse.trump
    lost = better.last and worse.ahead and not better.ahead
    return 0 if lost and dear and better.drawn and not takes_brisque_now(better) else None


def couple(better: PlayChoice, worse: PlayChoice) -> Number:
    """King and queen stay together that may still be declared; the worse act lays one of them."""
    suit = worse.card.suit
    kept = better.left >> 8 * suit & COUPLE == COUPLE
    laid = worse.card.rank in (Rank.KING, Rank.QUEEN) and not worse.declaration
    return suit if kept and laid and better.may_declare_couple(suit) else None


def quinte(better: PlayChoice, worse: PlayChoice) -> Number:
    return lacks_brisque(better, worse, QUINTE_BRISQUES, QUINTES) if better.rule_table.seats == 2 else None


def trente(better: PlayChoice, worse: PlayChoice) -> Number:
    return lacks_brisque(better, worse, TRENTE_BRISQUES, TRENTES) if better.rule_table.seats > 2 else None


def lacks_brisque(better: PlayChoice, worse: PlayChoice, need: int, figure: int) -> Number:
    """One hidden brisque is missing for a quinte or a trente, and only after the better act (§9)."""
    own, may_come = better.left & BRISQUES, better.drawn and better.view.unseen.mask & BRISQUES
    one = own.bit_count() == need - 1 and worse.card.brisque and not better.card.brisque
    return 0 if one and may_come and not better.closed & figure else None


def spares_brisque(better: PlayChoice, worse: PlayChoice) -> Number:
    spared = worse.card.brisque and not better.card.brisque and not worse.sure
    return 0 if spared and quinte(better, worse) is trente(better, worse) is None else None


def keeps_master(better: PlayChoice, worse: PlayChoice) -> Number:
    """The worse act lays the highest card left of a suit that is elsewhere too, and is not sure of the trick."""
    suit = worse.card.suit
    master = not worse.higher and bool(worse.out & SUIT_CARDS[suit]) and suit != worse.trump
    top = worse.left & SUIT_CARDS[suit] < 1 << worse.card
    return 0 if master and top and not worse.sure and better.card.suit != suit and better.higher else None


def keeps_trump(better: PlayChoice, worse: PlayChoice) -> Number:
    trump = better.trump
    return (
        0 if trump >= 0 and worse.card.suit == trump != better.card.suit and better.p.trump == trump else None
    )


def ace_out(better: PlayChoice, worse: PlayChoice) -> Number:
    """The ace that may take a ten led."""
    ace = 1 << Card(8 * worse.card.suit + Rank.ACE)
    lead = not better.view.table and worse.card.rank == Rank.TEN and not better.card.brisque
    return ace.bit_length() - 1 if lead and worse.view.unseen.mask & ace else None


def seen_elsewhere(better: PlayChoice, worse: PlayChoice) -> Number:
    """A higher card of the suit that has been seen in another hand."""
    higher = worse.known & worse.higher
    lead = not better.view.table and worse.card.points > better.card.points
    return higher.bit_length() - 1 if lead and higher and not better.higher & worse.known else None


def only_trump(better: PlayChoice, worse: PlayChoice) -> Number:
    """Only a trump may take the card; the worse act's may be taken by its own suit too."""
    trumps = better.out & SUIT_CARDS[better.trump] if better.trump >= 0 else 0
    only = (
        not better.last and better.ahead and not better.higher and better.card.suit != better.trump and trumps
    )
    return better.card if only and (worse.higher or not worse.ahead) else None


def suffices(better: PlayChoice, worse: PlayChoice) -> Number:
    both = better.last and better.ahead and worse.ahead
    return better.card if both and better.card.suit == worse.card.suit and better.card < worse.card else None


def gives_nothing(better: PlayChoice, worse: PlayChoice) -> Number:
    return better.card if not better.card.points and gives_less(better, worse) is not None else None


def gives_less(better: PlayChoice, worse: PlayChoice) -> Number:
    """Fewer points are given away or put at risk."""
    fewer = POINTS[better.card.rank] < POINTS[worse.card.rank]
    lost = not (better.ahead or worse.ahead) if better.view.table else not (better.sure or worse.sure)
    return better.card if fewer and lost else None


def may_come(better: PlayChoice, worse: PlayChoice) -> Number:
    """The card that would make a mariage with the one that the worse act lays (§9)."""
    if (
        worse.card.rank not in (Rank.KING, Rank.QUEEN)
        or worse.declaration
        or better.card.suit == worse.card.suit
    ):
        return None
    other = Card(8 * worse.card.suit + Rank.KING + Rank.QUEEN - worse.card.rank)
    hidden = worse.view.unseen.mask >> other & 1
    return other if hidden and better.may_declare_couple(other.suit) else None


class Fact(NamedTuple):
    """A predicate and what it is about: of two facts about the same, the weightier is said."""

    about: str
    holds: Callable[[PlayChoice, PlayChoice], Number]


FACTS = {
    "declares": Fact("declaring", declares),
    "fixes": Fact("trumps", fixes),
    "lacks": Fact("declaring", lacks_one),
    "waits": Fact("waiting", waits),
    "sure": Fact("taking", is_sure),
    "takes-brisque": Fact("taking", takes_brisque),
    "takes": Fact("taking", takes),
    "ahead": Fact("taking", is_ahead),
    "forces-ruff": Fact("ending", forces_ruff),
    "must-lead": Fact("ending", must_lead),
    "draws-trump": Fact("ending", draws_trump),
    "couple": Fact("declaring", couple),
    "quinte": Fact("declaring", quinte),
    "trente": Fact("declaring", trente),
    "ace-out": Fact("sparing", ace_out),
    "seen": Fact("sparing", seen_elsewhere),
    "spares-brisque": Fact("sparing", spares_brisque),
    "keeps-master": Fact("sparing", keeps_master),
    "no-brisque": Fact("letting", no_brisque),
    "keeps-trump": Fact("trumps", keeps_trump),
    "only-trump": Fact("taking", only_trump),
    "suffices": Fact("saving", suffices),
    "gives-nothing": Fact("sparing", gives_nothing),
    "gives-less": Fact("sparing", gives_less),
    "may-come": Fact("declaring", may_come),
}
"""By name, the weightiest first."""
SHOWN_IN = {
    "declaring": {"declared", "chouine"},
    "waiting": {"declared", "chouine"},
    "taking": {"tricks"},
    "sparing": {"tricks", "brisques"},
    "letting": {"trumps", "brisques"},
    "trumps": {"trumps", "declared"},
    "saving": {"tricks", "brisques", "trumps"},
    "ending": set[str](),
}
"""The averages of `ai.reasons` that a fact about this moves."""


def certain_reasons(
    view: View, better: Action | None, worse: Action | None, averages: AbstractSet[str] = frozenset()
) -> list[Reason]:
    """At most two facts, or the card that an exchange brings.

    `averages`: the traits of `ai.reasons` that differ notably. Facts that bear on one of them come alone; if none does,
    the weightiest fact is given.
    """
    if isinstance(better, Exchange) and view.turnup:
        return [Reason(TURNUP, view.turnup.rank)]
    found = facts(view, better, worse)
    shown = [each for each in found if averages & SHOWN_IN[FACTS[each.trait].about]]
    return (shown or found[: 1 if averages else MOST])[:MOST]


def facts(view: View, better: Action | None, worse: Action | None) -> list[Reason]:
    """What speaks for one act over another, the weightiest first; a chouine speaks for itself.

    Nothing does in answer to a chouine: nobody takes its trick, and no card is drawn (§10).
    """
    if not isinstance(better, Play) or not isinstance(worse, Play) or view.turn != view.observer:
        return []
    if view.position.chouine >= 0:
        return []
    if better.declaration and better.declaration.figure is Figure.CHOUINE:
        return []
    sides, told, found = (PlayChoice(view, better), PlayChoice(view, worse)), set[str](), list[Reason]()
    for name, fact in FACTS.items():
        if fact.about in told or (better.card == worse.card and name not in ("declares", "fixes")):
            continue
        number = fact.holds(*sides)
        if number is not None:
            told.add(fact.about)
            found.append(Reason(name, float(number)))
    return found
